"""The wheel, installed where nothing else of the repository is: its core needs no extra, and the README's code runs."""

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
CORE = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
SNIPPETS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
# What draws figures for notebooks, and what runs notebooks, needs the extra "notebooks"; compiled kernels need "fast".
NOT_CORE = ("fslib.plotting", "fslib.reproduction", "fslib.counts.numba_kernels")


def closure(requirements):
    """Installed distributions that the requirements bring, and those that these bring, by name."""
    found, waiting = {}, [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        wanted = [{"extra": extra} for extra in (*requirement.extras, "")]
        if requirement.marker and not any(requirement.marker.evaluate(extra) for extra in wanted):
            continue
        key = (canonicalize_name(requirement.name), frozenset(requirement.extras))
        if key in found:
            continue
        found[key] = importlib.metadata.distribution(requirement.name)
        for text in found[key].requires or ():
            below = Requirement(text)
            if below.marker is None or any(below.marker.evaluate(extra) for extra in wanted):
                below.marker = None
                waiting.append(below)
    return {name: distribution for (name, _), distribution in found.items()}


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A function that runs code with an installed wheel and its core dependencies, in an empty folder.

    The dependencies are links to the packages that are installed here: no network, and nothing but the closure.
    """
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(
        ROOT, folder / "source", ignore=lambda where, names: {n for n in names if n not in KEPT and Path(where) == ROOT}
    )
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=folder / "source", check=True
    )
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    packages = next((folder / "venv").glob("lib/python*/site-packages"), folder / "venv" / "Lib" / "site-packages")
    for distribution in closure(CORE).values():
        for name in {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}:
            if not (packages / name).exists():
                (packages / name).symlink_to(distribution.locate_file(name))
    binary = next(path for path in folder.glob("venv/*/python*") if path.stem == "python")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", binary, "install", "-q", "--no-deps", "--no-index", wheel], check=True
    )
    (folder / "empty").mkdir()

    def run(*arguments):
        command = [binary, "-W", "error", *arguments]
        done = subprocess.run(command, cwd=folder / "empty", capture_output=True, text=True, env={"MPLBACKEND": "agg"})
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


KEPT = {"fslib", "data", "pyproject.toml", "README.md", "LICENSE"}


def test_core_modules_and_data_need_no_extra(python):
    """Every module but those that draw or run notebooks; the extras are looked for, or this could not fail."""
    code = (
        "import fslib, importlib, importlib.util, pkgutil\n"
        "names = [m.name for m in pkgutil.walk_packages(fslib.__path__, 'fslib.', onerror=str)]\n"
        f"names = [n for n in names if not n.startswith({NOT_CORE})] + ['fslib.reproduction.cli']\n"
        "for name in names: importlib.import_module(name)\n"
        "extras = ['seaborn', 'papermill', 'psutil', 'nbformat', 'distributed', 'sphinx']\n"
        "print([n for n in extras if importlib.util.find_spec(n)], 'site-packages' in fslib.__file__, len(names))\n"
        "data = fslib.datasets.load('glass')\n"
        "print(data.place, data.X.shape)\n"
        "fslib.reproduction.cli.main(['data', 'list'])"
    )
    first, second, *listed = python("-c", code).splitlines()
    assert first.startswith("[] True ") and int(first.split()[-1]) > 100
    assert second == "bundled (214, 9)"
    assert any(re.match(r"adult .* bundled ", line) for line in listed)


def test_code_of_the_readme_runs(python):
    assert len(SNIPPETS) > 3
    python(
        "-c", f"for n, code in enumerate({SNIPPETS!r}): exec(compile(code, f'README.md, block {{n}}', 'exec'), {{}})"
    )
