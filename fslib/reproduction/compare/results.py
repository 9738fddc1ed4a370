"""How a notebook hands out its numbers: tidy tables, figures and verdicts, each a file that a program can compare."""

from pathlib import Path

import numpy as np
import pandas as pd

from fslib.files import atomic_path
from fslib.reproduction.compare.join import join
from fslib.reproduction.compare.reported import read_claims
from fslib.reproduction.paths import REPORTED, RunFolder, item_slug
from fslib.tidy import tidy, write_table

VERDICTS = {True: "holds", False: "does not hold", None: "cannot be tested"}


class Results:
    """What one notebook writes.

    Parameters
    ----------
    paper : str
        Key of the paper in ``data/reported/README.md``, such as ``"bayes"``.
    section : str
        File name of the notebook without its suffix.
    results_dir : path-like
        Folder of the run; gets ``tables/``, ``figures/`` and ``claims/``.
    reported_dir : path-like, optional
        Folder with the papers' numbers.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> out = Results("bayes", "2_motivating_example", folder)
    >>> rows = pd.DataFrame({"dataset": "", "method": "", "metric": ["mi_x1_y", "mi_x2_y"],
    ...                      "value": [0.0819, 0.1724]})
    >>> _ = out.table(rows, "Example 1")
    >>> sorted(p.name for p in Path(folder).rglob("*.csv"))
    ['bayes_example_1.csv']
    >>> out.verdict("ex1-mi-picks-feature-2", True, "0.1724 > 0.0819")
    >>> out.claims()[["claim_id", "verdict", "value"]].values.tolist()
    [['ex1-mi-picks-feature-2', 'holds', '0.1724 > 0.0819']]
    """

    def __init__(self, paper, section, results_dir, reported_dir=REPORTED):
        self.paper = paper
        self.section = section
        self.run = RunFolder(Path(results_dir))
        self.reported_dir = Path(reported_dir)
        self._verdicts = []

    def table(self, frame, item):
        """Validate tidy rows and write them as ``tables/<paper>_<item>.csv``.

        Parameters
        ----------
        frame : DataFrame
            Columns dataset, method, metric, value, and optionally setting, std, n (and paper, item, which must agree).
        item : str
            As published: ``"Table 2"``, ``"Figure 4(a)"``.

        Returns
        -------
        DataFrame
            The rows as stored: all tidy columns, sorted.

        Raises
        ------
        ValueError
            See `fslib.tidy.tidy`.
        """
        rows = tidy(frame, self.paper, item)
        write_table(rows, self.run.tables / f"{self.paper}_{item_slug(item)}.csv")
        return rows

    def figure(self, fig, item):
        """Write a matplotlib figure as ``figures/<paper>_<item>.svg`` and return it for display."""
        from fslib import plotting  # loads matplotlib, which a run and its comparison do without

        plotting.savefig(fig, self.run.figures / f"{self.paper}_{item_slug(item)}.svg")
        return fig

    def verdict(self, claim_id, holds, value, note=""):
        """Record whether a claim of ``data/reported/claims.csv`` holds here.

        Parameters
        ----------
        claim_id : str
        holds : bool or None
            None if it cannot be tested; say why in ``note``.
        value : str or float
            The number, or the comparison of numbers, that decides.
        note : str, optional

        Raises
        ------
        ValueError
            For a claim that is not in the file, a second verdict on one claim, or an untestable one without a note.
        """
        known = read_claims(self.paper, self.reported_dir)["claim_id"]
        if claim_id not in set(known):
            raise ValueError(
                f"claims.csv has no claim {claim_id!r} of paper {self.paper!r}; it has {', '.join(known)}."
            )
        if holds is not None and not isinstance(holds, bool | np.bool_):
            raise ValueError(f"holds must be True, False or None (cannot be tested), got {holds!r}.")
        if holds is None and not note:
            raise ValueError(f"Say in note= why {claim_id} cannot be tested.")
        if any(row["claim_id"] == claim_id for row in self._verdicts):
            raise ValueError(f"{claim_id} has its verdict already; decide once.")
        value = value if isinstance(value, str) else f"{value:.6g}"
        word = VERDICTS[None if holds is None else bool(holds)]
        self._verdicts.append(
            {
                "paper": self.paper,
                "section": self.section,
                "claim_id": claim_id,
                "verdict": word,
                "value": value,
                "note": note,
            }
        )
        rows = pd.DataFrame(self._verdicts).sort_values("claim_id")
        with atomic_path(self.run.claims / f"{self.paper}_{self.section}.csv") as part:
            rows.to_csv(part, index=False, lineterminator="\n")

    def claims(self):
        """Verdicts so far beside the text of the claims, in the order in which they were given."""
        columns = ["item", "claim_id", "claim", "verdict", "value", "note"]
        given = pd.DataFrame(self._verdicts, columns=["claim_id", "verdict", "value", "note"])
        return given.merge(read_claims(self.paper, self.reported_dir), on="claim_id", how="left")[columns]

    def paper_versus_here(self, frame, item):
        """Put the paper's numbers and ours side by side; see `fslib.reproduction.compare.join.join`.

        Parameters
        ----------
        frame : DataFrame
            What `table` accepts or returns.
        item : str
            A table or example with published numbers.

        Returns
        -------
        DataFrame
            dataset, method, setting (those that say anything), metric, reported, reproduced, difference, verdict.
        """
        rows = join(tidy(frame, self.paper, item), self.paper, item, self.reported_dir)
        named = [c for c in ("dataset", "method", "setting") if (rows[c] != "").any()]
        return rows[[*named, "metric", "reported", "reproduced", "difference", "verdict"]]
