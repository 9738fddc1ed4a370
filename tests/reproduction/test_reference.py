"""The committed reference: adopted whole or in part, without orphans, with a manifest of what made it."""

import json
import shutil

import pytest

from fslib.reproduction import cli
from fslib.reproduction.paths import FIGURES, REFERENCE
from fslib.reproduction.run.reference import KINDS, adopt, read_reference_manifest


@pytest.fixture
def places(tmp_path):
    """Folders of a reference in which two other notebooks have files, and one orphan of each kind."""
    reference, figures, notebooks = (tmp_path / name for name in ("reference", "figures", "notebooks"))
    for name in ("bayes/2_motivating_example", "bayes/4_1_classification", "bayes/4_5_run_time", "mlmlfs/4_model"):
        (notebooks / name).parent.mkdir(parents=True, exist_ok=True)
        (notebooks / f"{name}.ipynb").write_text("{}")
    files = ["tables/mlmlfs_table_9.csv", "figures/mlmlfs_figure_9.svg"]
    old = ["tables/bayes_old.csv"]
    for file in [*files, *old, "tables/orphan.csv", "claims/orphan.csv", "figures/orphan.svg"]:
        path = figures / file.split("/")[1] if file.startswith("figures") else reference / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file)
    entries = {
        "mlmlfs/4_model": {"run": "a", "seconds": 1.0, "parameters": {}, "files": files},
        "bayes/4_renamed": {"run": "b", "seconds": 1.0, "parameters": {}, "files": old},
    }
    manifest = {"notebooks": entries, "runs": {"a": {"commit": "a"}, "b": {"commit": "b"}}}
    (reference / "manifest.json").write_text(json.dumps(manifest))
    return {"reference_dir": reference, "figures_dir": figures, "notebooks_dir": notebooks}


def present(places):
    reference = places["reference_dir"]
    folders = (reference / "tables", reference / "claims", places["figures_dir"])
    return tuple(sorted(path.name for path in folder.iterdir()) for folder in folders)


def test_a_run_replaces_its_own_files_and_no_orphan_stays(fake_run, places):
    adopted, removed = adopt(fake_run, **places)
    assert adopted == ["bayes/2_motivating_example", "bayes/4_1_classification", "bayes/4_5_run_time"]
    assert present(places) == (
        ["bayes_example_1.csv", "bayes_figure_1.csv", "bayes_table_2.csv", "mlmlfs_table_9.csv"],
        ["bayes_2_motivating_example.csv", "bayes_4_1_classification.csv"],
        ["bayes_figure_1.svg", "mlmlfs_figure_9.svg"],
    )
    assert sorted(path.name for path in removed) == ["bayes_old.csv", "orphan.csv", "orphan.csv", "orphan.svg"]
    copied = places["reference_dir"] / "tables/bayes_figure_1.csv"
    assert copied.read_bytes() == (fake_run / "tables/bayes_figure_1.csv").read_bytes()


def test_the_manifest_says_which_run_made_what(fake_run, places):
    adopt(fake_run, **places)
    manifest = read_reference_manifest(places["reference_dir"])
    assert set(manifest["notebooks"]) == {*adopt(fake_run, **places)[0], "mlmlfs/4_model"}  # not the renamed one
    entry = manifest["notebooks"]["bayes/4_1_classification"]
    assert (
        entry["seconds"] == 12.3
        and entry["parameters"] == {"n_repeats": 3}
        and "figures/bayes_figure_1.svg" in entry["files"]
    )
    facts = manifest["runs"][entry["run"]]
    assert facts["commit"] == "0" * 40 and facts["python"] == "3.11" and facts["profile"] == "quick"
    assert set(manifest["runs"]) == {entry["run"], "a"}  # no run that made nothing
    assert read_reference_manifest(places["reference_dir"]) == manifest  # adopting twice changes nothing


def test_a_part_of_a_run_leaves_the_rest_alone(fake_run, places):
    adopt(fake_run, **places)
    before = (places["reference_dir"] / "tables/bayes_figure_1.csv").read_bytes()
    for table in ("bayes_figure_1.csv", "bayes_example_1.csv"):
        path = fake_run / "tables" / table
        path.write_text(path.read_text().replace("0.25", "0.75").replace("0.6", "0.5"))
    assert adopt(fake_run, "bayes/2_*", **places) == (["bayes/2_motivating_example"], [])
    assert (places["reference_dir"] / "tables/bayes_figure_1.csv").read_bytes() == before
    assert "0.75" in (places["reference_dir"] / "tables/bayes_example_1.csv").read_text()


def test_nothing_unfinished_or_old_is_adopted(fake_run, places):
    kept = present(places)
    with pytest.raises(ValueError, match="no notebook is not a result"):
        adopt(fake_run, "bayes/4_4*", **places)  # it failed
    status = json.loads((fake_run / "status.json").read_text())
    status["notebooks"]["bayes/4_1_classification"]["stale"] = True
    (fake_run / "status.json").write_text(json.dumps(status))
    with pytest.raises(ValueError, match="4_1_classification is not a result of the present code"):
        adopt(fake_run, **places)
    shutil.rmtree(fake_run)
    with pytest.raises(FileNotFoundError, match="holds no run"):
        adopt(fake_run, **places)
    assert present(places) == kept


def test_the_command_adopts_and_says_what_it_removed(fake_run, places, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(
        "fslib.reproduction.run.reference.adopt", lambda *args: asked.append(args) or (["bayes/a"], [FIGURES / "b.svg"])
    )
    assert cli.main(["adopt", f"--runs={fake_run.parent}", "--run=run", "--only=bayes"]) == 0
    assert asked == [(fake_run, "bayes")]
    assert capsys.readouterr().out.splitlines() == ["Adopted: bayes/a", "Removed: b.svg"]


def test_the_committed_reference_has_no_orphans():
    manifest = read_reference_manifest()
    owned = {file for entry in manifest["notebooks"].values() for file in entry["files"]}
    found = {f"{kind}/{path.name}" for kind in KINDS[:-1] for path in (REFERENCE / kind).glob("*")}
    assert owned == found | {f"figures/{path.name}" for path in FIGURES.iterdir()}
    assert {entry["run"] for entry in manifest["notebooks"].values()} == set(manifest["runs"])
