"""Where everything of a reproduction lies: the folders of the repository and the files of a run."""

import re
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

    @property
    def tables(self) -> Path:
        """Tidy CSV tables, one per paper item."""
        return self.path / "tables"

    @property
    def claims(self) -> Path:
        """Verdicts on the papers' claims, one CSV per notebook."""
        return self.path / "claims"

    @property
    def figures(self) -> Path:
        """Figures as SVG."""
        return self.path / "figures"

    @property
    def cache(self) -> Path:
        """Finished cells of experiments, from which a stopped notebook goes on."""
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
    def report(self) -> Path:
        """The page to open."""
        return self.path / "report.html"

    def executed(self, notebook: str) -> Path:
        """Return the path of the notebook with its outputs; it exists only if the notebook ran to its end."""
        return self.path / "notebooks" / f"{notebook}.ipynb"

    def part(self, notebook: str) -> Path:
        """Return the path of the unfinished notebook, kept after a failure to look at."""
        return self.path / "notebooks" / f"{notebook}.part.ipynb"

    def record(self, notebook: str) -> Path:
        """Return the path of the JSON record of a finished notebook, with the key that says if it still holds."""
        return self.path / "notebooks" / f"{notebook}.json"

    def log(self, notebook: str) -> Path:
        """Return the path of the notebook's log."""
        return self.path / "logs" / f"{notebook}.log"

    def staging(self, notebook: str) -> Path:
        """Return the folder a running notebook writes to; its files move to the run when it has ended well."""
        return self.path / "staging" / notebook
