"""Where everything of a reproduction lies: the folders of the repository and the files of a run."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
PROFILES = ROOT / "profiles"
DATA = ROOT / "data"
REPORTED = DATA / "reported"
EXPECTED = ROOT / "tests" / "expected"
RUNS = ROOT / "papermill_runs"
REFERENCE = RUNS / "reference"
FIGURES = ROOT / "figures"

OWN_FOLDERS = {"notebooks", "html", "logs", "cache", "staging"}
"""Folders of a run that the runner fills; what notebooks make lies elsewhere."""


def _real(path: Path) -> Path:
    """Path without links. Not Path.resolve, which raises RuntimeError for a link that leads to itself."""
    return Path(os.path.realpath(path))


def item_slug(item: str) -> str:
    """File name of a table, figure or example: lower case, every run of other characters one underscore.

    Examples
    --------
    >>> item_slug("Table 3.2"), item_slug("Figure 4(a)"), item_slug("Example 1")
    ('table_3_2', 'figure_4_a', 'example_1')
    """
    return re.sub(r"[^a-z0-9]+", "_", item.lower()).strip("_")


@dataclass(frozen=True)
class RunFolder:
    """The files of one run; ``notebook`` arguments are names such as ``bayes/4_1_classification``.

    Examples
    --------
    >>> run = RunFolder(Path("papermill_runs/quick"))
    >>> run.log("bayes/4_1_classification").as_posix()
    'papermill_runs/quick/logs/bayes/4_1_classification.log'
    """

    path: Path

    def inside(self, name: str) -> Path:
        """Path of a file of the run, whose name may come from a file that somebody else wrote.

        Raises
        ------
        ValueError
            If the name is absolute, climbs, or leads out of the run by a link.

        Examples
        --------
        >>> run = RunFolder(Path("quick"))
        >>> run.inside("tables/one.csv").as_posix()
        'quick/tables/one.csv'
        >>> run.inside("../one.csv")
        Traceback (most recent call last):
        ValueError: '../one.csv' is not a file of the run quick: nothing outside that folder is read or removed.
        """
        plain = "\0" not in name and not {"", ".", ".."} & set(name.split("/"))
        if not plain or not _real(self.path / name).is_relative_to(_real(self.path)):
            raise ValueError(
                f"{name!r} is not a file of the run {self.path}: nothing outside that folder is read or removed."
            )
        return self.path / name

    def outputs(self, names: Iterable[str]) -> list[Path]:
        """Paths of files that a notebook made, whose names may come from a file that somebody else wrote.

        Raises
        ------
        ValueError
            For a name that leads out of the run, or is that of a file the runner itself keeps.
        """
        own = {path.name for path in (self.status, self.manifest, self.report, self.mark, self.lock, self.note)}
        for name in names:
            if name.split("/")[0] in OWN_FOLDERS | own:
                raise ValueError(f"{name!r} in the run {self.path} is kept by the runner; no notebook makes it.")
        return [self.inside(name) for name in names]

    @property
    def tables(self) -> Path:
        """Tidy CSV tables, one per paper item."""
        return self.path / "tables"

    @property
    def claims(self) -> Path:
        """Verdicts on the papers' claims, one CSV per notebook."""
        return self.path / "claims"

    @property
    def judged(self) -> Path:
        """Rows on which claims were judged, as Parquet."""
        return self.path / "judged"

    @property
    def figures(self) -> Path:
        """Figures as SVG."""
        return self.path / "figures"

    @property
    def cache(self) -> Path:
        """Finished trials, from which an interrupted notebook resumes."""
        return self.path / "cache"

    @property
    def status(self) -> Path:
        """What became of every notebook, as JSON."""
        return self.path / "status.json"

    @property
    def manifest(self) -> Path:
        """Versions, machine, commit and data hashes, as JSON: all that may differ between equal runs."""
        return self.path / "manifest.json"

    @property
    def mark(self) -> Path:
        """A file that says: this folder is a run, and what its records name may be erased."""
        return self.path / ".fslib-run"

    @property
    def lock(self) -> Path:
        """A file that a running run holds; the system releases it, however the run ends."""
        return self.path / "runner.lock"

    @property
    def note(self) -> Path:
        """Which process is running, for people."""
        return self.path / "runner.json"

    @property
    def report(self) -> Path:
        """The page to open."""
        return self.path / "report.html"

    def executed(self, notebook: str) -> Path:
        """Return the path of the notebook with its outputs; it exists only if the notebook ran to its end."""
        return self.inside(f"notebooks/{notebook}.ipynb")

    def part(self, notebook: str) -> Path:
        """Return the path of the unfinished notebook, kept after a failure to look at."""
        return self.inside(f"notebooks/{notebook}.part.ipynb")

    def record(self, notebook: str) -> Path:
        """Return the path of the JSON record of a finished notebook, with the key that says if it still holds."""
        return self.inside(f"notebooks/{notebook}.json")

    def page(self, notebook: str) -> Path:
        """Return the path of the notebook as a page, to which the report links."""
        return self.inside(f"html/{notebook}.html")

    def log(self, notebook: str) -> Path:
        """Return the path of the notebook's log."""
        return self.inside(f"logs/{notebook}.log")

    def staging(self, notebook: str) -> Path:
        """Return the folder a running notebook writes to; its files move to the run when it has ended well."""
        return self.inside(f"staging/{notebook}")
