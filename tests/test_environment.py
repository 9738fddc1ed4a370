"""One list of dependencies: conda's file, the lock and the installed packages follow pyproject.toml."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import fslib

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()


def required():
    """All requirements of pyproject.toml: runtime, extras and groups."""
    listed = [PYPROJECT["project"]["dependencies"], *PYPROJECT["project"]["optional-dependencies"].values()]
    listed += PYPROJECT["dependency-groups"].values()
    return [Requirement(text) for group in listed for text in group]


def locked():
    """Requirements of the lock; one package may have several, for different systems and Pythons."""
    pins = {}
    for line in re.sub(r"\\\n\s+--hash=\S+", "", LOCK).splitlines():
        pin = Requirement(line.rstrip(" \\"))
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


def test_the_lock_pins_all_that_pyproject_asks_for():
    pins = locked()
    for asked in required():
        found = pins[canonicalize_name(asked.name)]
        versions = [next(iter(pin.specifier)).version for pin in found]
        assert all(asked.specifier.contains(number) for number in versions), f"{asked} but {versions}: make lock"


def test_the_lock_holds_pins_with_hashes_and_nothing_else():
    """`locked` cannot parse an option of pip; a requirement from an address has no version."""
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    pins = [pin for of_package in locked().values() for pin in of_package]
    assert len(entries) == len(pins) > 100
    assert all(pin.url is None and [spec.operator for spec in pin.specifier] == ["=="] for pin in pins)
    assert all("--hash=sha256:" in entry for entry in entries)


def test_conda_gets_the_same_packages():
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert conda["name"] == PYPROJECT["project"]["name"]
    python, pip, wheels = conda["dependencies"]
    assert SpecifierSet(python.removeprefix("python ")) == SpecifierSet(PYPROJECT["project"]["requires-python"])
    # The package itself cannot stand in this list: pip refuses an editable install next to a lock with hashes.
    assert (pip, wheels) == ("pip", {"pip": ["-r requirements.lock"]})


def test_these_tests_run_on_the_locked_versions():
    for asked in required():
        pins = [pin for pin in locked()[canonicalize_name(asked.name)] if pin.marker is None or pin.marker.evaluate()]
        assert [pin.specifier.contains(version(asked.name)) for pin in pins] == [True], f"{asked.name}: make env"


def test_citation_and_package_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PYPROJECT["project"]["version"]
    assert citation["license"] == PYPROJECT["project"]["license"]
    assert len(citation["references"]) == 4


def test_binder_installs_the_lock():
    assert (ROOT / ".binder" / "requirements.txt").read_text().split() == ["-r", "../requirements.lock"]


def test_the_workflow_and_the_issue_forms_are_what_github_reads():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert any(".ci/run" in step.get("run", "") for step in workflow["jobs"]["all"]["steps"])
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"):
        form = yaml.safe_load(path.read_text())
        assert {"name", "description", "body"} <= form.keys()
        assert all({"type", "id", "attributes"} <= field.keys() for field in form["body"])


def test_the_package_knows_its_version():
    assert fslib.__version__ == PYPROJECT["project"]["version"]


def test_addresses_are_those_of_the_papers_wherever_they_stand():
    """PyPI takes labels of at most 32 characters."""
    addresses = PYPROJECT["project"]["urls"]
    assert all(len(label) <= 32 and address.startswith("https://") for label, address in addresses.items())
    references = yaml.safe_load((ROOT / "CITATION.cff").read_text())["references"]
    cited = {f"https://doi.org/{paper['doi']}" if "doi" in paper else paper.get("url") for paper in references} - {None}
    linked = set(re.findall(r"\| \w+ \|[^|\n]*\]\((https://\S+)\)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert set(addresses.values()) == cited == linked


def test_jupyterlab_serves_the_whole_clone():
    """With the folder of the notebook as root it could not show the site, to which estimators link."""
    (line,) = re.findall(r"^\t.*jupyter lab .*$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line.split() == "$(SITE) $(BIN)/jupyter lab --ServerApp.root_dir=. lab/00_start_here.ipynb".split()
