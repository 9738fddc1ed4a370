"""Which notebooks a run has, with which parameters: everything that can be wrong is found before anything starts."""

import fnmatch
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager

from fslib import imported
from fslib.reproduction.run import manifest
from fslib.reproduction.run.parameters import declared, fitted, read_notebook, read_profile, read_text, tags
from fslib.reproduction.run.worker import KERNEL, NO_KERNEL

ALONE = "runs-alone"
"""Tag on the parameters cell of a notebook that measures time: nothing may run beside it."""


@dataclass(frozen=True)
class Job:
    """One notebook of a run."""

    name: str
    """Path below the notebooks' folder without its suffix, such as ``bayes/4_1_classification``."""
    path: Path
    parameters: dict
    """What the run sets; the notebook's own defaults hold for the rest."""
    key: str
    """See `fslib.reproduction.run.manifest.notebook_key`."""
    alone: bool
    text: str = field(default="", repr=False)
    """The notebook's file when the run was planned; this is what runs, whatever becomes of the file."""
    inputs: dict = field(default_factory=dict, repr=False)
    """File of this notebook alone -> its state; see `fslib.reproduction.run.manifest.input_files`."""
    around: manifest.Surroundings = field(default=manifest.Surroundings(""), repr=False)

    def changes(self, log):
        """List the modules and files that the notebook used and that differ from those of its key.

        Parameters
        ----------
        log : path-like
            Where its processes have noted their imports.

        Returns
        -------
        changed : list of str
        grown : bool
            See `fslib.reproduction.run.manifest.changes`.
        stale : bool
            Whether the key would be another now.
        """
        changed, grown = manifest.changes(self.around, imported.read_log(log), self.inputs)
        return changed, grown, grown or self.around.key not in ("", manifest.surroundings().key)


def find_notebooks(folder):
    """Names and paths of all notebooks below a folder, sorted by name.

    Checkpoints of JupyterLab and solutions, which reproduce nothing, are left out.

    Parameters
    ----------
    folder : path-like

    Returns
    -------
    dict of str to Path

    Raises
    ------
    ValueError
        If there is none.
    """
    folder = Path(folder)
    apart = {".ipynb_checkpoints", "solutions"}
    paths = sorted(path for path in folder.rglob("*.ipynb") if apart.isdisjoint(path.relative_to(folder).parts))
    if not paths:
        raise ValueError(f"There are no notebooks below {folder}.")
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in paths}


def chosen(names, pattern):
    """Names that contain a pattern or match it as a file name pattern; all if there is none.

    Parameters
    ----------
    names : iterable of str
    pattern : str or None

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If nothing matches.

    Examples
    --------
    >>> chosen(["00_start_here", "bayes/4_1_classification", "bayes/4_5_run_time"], "bayes/*_5_*")
    ['bayes/4_5_run_time']
    """
    names = list(names)
    if not pattern:
        return names
    found = [name for name in names if pattern in name or fnmatch.fnmatch(name, pattern)]
    if not found:
        raise ValueError(f"No notebook matches {pattern!r}; there are {', '.join(names)}.")
    return found


def plan(notebooks_dir, profiles_dir, profile, only, settings):
    """Read, check and key all notebooks of a run.

    Parameters
    ----------
    notebooks_dir, profiles_dir : path-like
    profile : str
    only : str or None
        See `chosen`.
    settings : callable
        Notebook name -> dict of results_dir, cache_dir, n_jobs, scheduler, passed on where a notebook has such a
        parameter.

    Returns
    -------
    jobs : list of Job
        The chosen ones, in order of name.
    others : list of Job
        The rest of the profile.

    Raises
    ------
    ValueError, TypeError
        For a profile, pattern, notebook or parameter that does not fit, or a missing kernel.
    """
    paths = find_notebooks(notebooks_dir)
    wanted = chosen(paths, only)
    overrides = read_profile(profile, profiles_dir)
    strangers = overrides.keys() - paths.keys()
    if strangers:
        raise ValueError(f"Profile {profile} names {sorted(strangers)}; there are the notebooks {', '.join(paths)}.")
    if KERNEL not in KernelSpecManager().find_kernel_specs():
        raise ValueError(NO_KERNEL)
    around = manifest.surroundings()
    jobs = {name: _job(name, path, overrides.get(name, {}), settings(name), around) for name, path in paths.items()}
    return [jobs[name] for name in wanted], [job for name, job in jobs.items() if name not in wanted]


def _job(name, path, overrides, settings, around):
    text = read_text(path)
    notebook = read_notebook(path, text)
    defaults = declared(notebook, name)
    if overrides.keys() & settings.keys():
        raise ValueError(f"{name}: the run itself sets {sorted(settings)}; take them out of the profile.")
    given = {key: value for key, value in settings.items() if key in defaults}
    parameters = fitted({**overrides, **given}, defaults, name)
    values = {**defaults, **parameters}
    inputs = {file: manifest.state(file) for file in manifest.input_files(values, path.parent)}
    key = manifest.notebook_key(notebook, values, path.parent, around.key)
    cell = next(cell for cell in notebook.cells if "parameters" in tags(cell))
    return Job(name, path, parameters, key, ALONE in tags(cell), text, inputs, around)
