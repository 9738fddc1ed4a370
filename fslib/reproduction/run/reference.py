"""The committed reference: tables, verdicts with the rows they rest on, figures of the paper profile, and a manifest.

A run of one paper replaces what its notebooks wrote before and leaves the rest alone. Files of no notebook are
removed, so that no table or figure stays after its code is gone.
"""

import hashlib
import json
import shutil
from pathlib import Path

from fslib.files import atomic_path, write_text
from fslib.reproduction.paths import FIGURES, NOTEBOOKS, REFERENCE, RunFolder
from fslib.reproduction.run.plan import chosen, find_notebooks
from fslib.reproduction.run.records import intact, read_status

KINDS = ("tables", "claims", "judged", "figures")
"""Folders of a run whose files are kept."""

FACTS = ("profile", "commit", "dirty", "sha256", "python", "platform", "cpu", "cores", "packages")
"""What the manifest of a run hands on; see `fslib.reproduction.run.manifest.write_manifest`."""


def read_reference_manifest(reference_dir=REFERENCE):
    """Read which notebook made which files of the reference, in which run.

    Returns
    -------
    dict
        ``notebooks``: name -> run, seconds, parameters, files. ``runs``: key -> commit, versions, machine.
    """
    path = Path(reference_dir) / "manifest.json"
    if not path.exists():
        return {"notebooks": {}, "runs": {}}
    with intact(path):
        return json.loads(path.read_text(encoding="utf-8"))


def adopt(run_dir, only=None, *, reference_dir=REFERENCE, figures_dir=FIGURES, notebooks_dir=NOTEBOOKS):
    """Make the results of a run the committed reference.

    Parameters
    ----------
    run_dir : path-like
        Folder of a run.
    only : str, optional
        Part of a notebook's name, or a pattern; by default all notebooks that finished.
    reference_dir, figures_dir, notebooks_dir : path-like, optional

    Returns
    -------
    adopted : list of str
        Notebooks.
    removed : list of Path
        Files that were there before and belong to no notebook any more.

    Raises
    ------
    FileNotFoundError
        If there is no run in the folder.
    ValueError
        If none of the notebooks finished, or one of them is older than the code.
    """
    run = RunFolder(Path(run_dir))
    if not run.status.exists():
        raise FileNotFoundError(f"{run.path} holds no run; start one with: fslib run --profile paper")
    profile, status = read_status(run)
    names = [name for name in chosen(status, only) if status[name]["status"] == "done"]
    stale = [name for name in names if status[name].get("stale")]
    if stale or not names:
        raise ValueError(f"Run first: {', '.join(stale) or 'no notebook'} is not a result of the present code.")
    folders = {kind: Path(reference_dir) / kind for kind in KINDS[:-1]} | {"figures": Path(figures_dir)}
    kept = read_reference_manifest(reference_dir)
    key, facts = _facts(run, profile)
    for name in names:
        files = sorted(file for file in status[name]["outputs"] if file.split("/")[0] in KINDS)
        for file in files:
            kind, _, rest = file.partition("/")
            with atomic_path(folders[kind] / rest) as part:
                shutil.copyfile(run.path / file, part)
        entry = {"run": key, "seconds": status[name]["seconds"], "parameters": status[name]["parameters"]}
        kept["notebooks"][name] = entry | {"files": files}
    kept["runs"][key] = facts
    _forget_renamed(kept, names, notebooks_dir)
    removed = _remove_orphans(kept, folders)
    used = {entry["run"] for entry in kept["notebooks"].values()}
    kept["runs"] = {name: kept["runs"].get(name, {}) for name in sorted(used)}
    kept["notebooks"] = dict(sorted(kept["notebooks"].items()))
    write_text(Path(reference_dir) / "manifest.json", json.dumps(kept, indent=1) + "\n")
    return names, removed


def _facts(run, profile):
    """Key and facts of a run: equal facts have one key, however often the run is adopted."""
    with intact(run.manifest):
        manifest = json.loads(run.manifest.read_text(encoding="utf-8"))
    facts = {name: manifest[name] for name in FACTS if name in manifest} | {"profile": profile}
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
    return f"{facts.get('commit', '')[:10]}-{digest[:8]}", facts


def _forget_renamed(kept, adopted, notebooks_dir):
    """Drop the notebooks that are gone, of those papers that were adopted now: their successors are there."""
    papers, present = {_paper(name) for name in adopted}, set(find_notebooks(notebooks_dir))
    for name in list(kept["notebooks"]):
        if _paper(name) in papers and name not in present and name not in adopted:
            del kept["notebooks"][name]


def _paper(name):
    return name.rpartition("/")[0]


def _remove_orphans(kept, folders):
    owned = {file for entry in kept["notebooks"].values() for file in entry["files"]}
    removed = []
    for kind, folder in folders.items():
        for path in sorted(folder.glob("*.*")):
            if f"{kind}/{path.name}" not in owned:
                path.unlink()
                removed.append(path)
    return removed
