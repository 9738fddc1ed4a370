"""How a notebook hands out its numbers: tidy tables, figures and verdicts, each a file that a program can compare."""

from pathlib import Path

import pandas as pd

from fslib.evaluation.verdicts import CANNOT_BE_TESTED, Verdict
from fslib.reproduction.compare.join import join
from fslib.reproduction.compare.judged import write_judged
from fslib.reproduction.compare.reported import read_claims
from fslib.reproduction.paths import REPORTED, RunFolder, item_slug
from fslib.tidy import tidy, write_csv, write_table

VERDICT_COLUMNS = ["verdict", "value", "note", "n_tested", "n_claimed"]
"""Columns of a claim file after paper, section and claim_id."""


def verdict_row(verdict):
    """Write a verdict as a row of a claim file; unknown counts are empty.

    Examples
    --------
    >>> verdict_row(Verdict("holds", "5 of 6 data sets", n_tested=6, n_claimed=7, claim_id="a"))["n_claimed"]
    '7'
    """
    n_tested, n_claimed = ("" if n is None else str(n) for n in (verdict.n_tested, verdict.n_claimed))
    row = {"claim_id": verdict.claim_id, "verdict": verdict.word, "value": verdict.value, "note": verdict.note}
    return row | {"n_tested": n_tested, "n_claimed": n_claimed}


def tested(n_tested, n_claimed):
    """Write how much of what is claimed was tested, for a reader.

    Examples
    --------
    >>> tested("2", "7"), tested("", "")
    ('2 of 7', '')
    """
    return f"{n_tested} of {n_claimed}" if n_claimed else ""


class Results:
    """What one notebook writes.

    Parameters
    ----------
    paper : str
        Key of the paper in ``data/reported/README.md``, such as ``"bayes"``.
    section : str
        File name of the notebook without its suffix.
    results_dir : path-like
        Folder of the run; gets ``tables/``, ``figures/``, ``claims/`` and ``judged/``.
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
    >>> out.verdict(Verdict("holds", "0.1724 > 0.0819", claim_id="ex1-mi-picks-feature-2"))
    >>> out.claims()[["verdict", "value"]].values.tolist()
    [['holds', '0.1724 > 0.0819']]
    """

    def __init__(self, paper, section, results_dir, reported_dir=REPORTED):
        self.paper = paper
        self.section = section
        self.run = RunFolder(Path(results_dir))
        self.reported_dir = Path(reported_dir)
        self._verdicts = []
        self._n_judged = 0

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

        plotting.savefig(fig, self.run.figures / f"{self.paper}_{item_slug(item)}.svg", title=item)
        return fig

    def verdict(self, verdict):
        """Record the verdict on a claim of ``data/reported/claims.csv``.

        Parameters
        ----------
        verdict : fslib.evaluation.verdicts.Verdict
            What a registered check returned; its ``claim_id`` names the claim.

        Raises
        ------
        TypeError
            For anything but a verdict.
        ValueError
            For a claim that is not in the file, or a second verdict on one claim.

        Examples
        --------
        >>> import tempfile
        >>> out = Results("bayes", "2_motivating_example", tempfile.mkdtemp())
        >>> out.verdict(Verdict("holds", "0.25 < 0.30", claim_id="ex1-bayes-picks-feature-1"))
        >>> out.claims()["verdict"].tolist()
        ['holds']
        """
        if not isinstance(verdict, Verdict):
            raise TypeError(
                f"got {verdict!r}, not a Verdict; write out.verdict(check(rows)) with a check of the paper's claims."
            )
        known = read_claims(self.paper, self.reported_dir)["claim_id"]
        if verdict.claim_id not in set(known):
            raise ValueError(
                f"claims.csv has no claim {verdict.claim_id!r} of paper {self.paper!r}; it has {', '.join(known)}."
            )
        if any(row["claim_id"] == verdict.claim_id for row in self._verdicts):
            raise ValueError(f"{verdict.claim_id} has its verdict already; decide once.")
        self._verdicts.append({"paper": self.paper, "section": self.section} | verdict_row(verdict))
        rows = pd.DataFrame(self._verdicts).sort_values("claim_id")
        write_csv(rows, self.run.claims / f"{self.paper}_{self.section}.csv")

    def judge(self, rows, *checks):
        """Record the verdicts of several checks on the same rows, and show them.

        Parameters
        ----------
        rows : object
            What every check takes. A data frame is kept as ``judged/<paper>_<section>_<number>.parquet``, so that the
            verdicts can be checked without a run.
        *checks : callable
            Registered checks (`fslib.papers.claims.claim`).

        Returns
        -------
        DataFrame
            `claims`, of these checks.

        Examples
        --------
        >>> import tempfile
        >>> from fslib.papers.bayes import claims_figures_4_5 as checks
        >>> out = Results("bayes", "4_3_class_imbalance", tempfile.mkdtemp())
        >>> empty = pd.DataFrame(columns=["item", "dataset", "method", "setting", "metric", "value"])
        >>> shown = out.judge(empty, checks.fig4a_semeion_balanced, checks.fig4b_semeion_f1)
        >>> shown[["verdict", "claim"]].values.tolist()
        [['cannot be tested', '2 claims: fig4a-semeion-balanced, fig4b-semeion-f1']]
        """
        for check in checks:
            self.verdict(check(rows))
        names = [check.claim_id for check in checks]
        if isinstance(rows, pd.DataFrame):
            self._n_judged += 1
            write_judged(rows, names, self.run.judged / f"{self.paper}_{self.section}_{self._n_judged}.parquet")
        return self.claims(names)

    def claims(self, claim_ids=None):
        """Verdicts so far beside the text of the claims, grouped by item in the order in which they were given.

        Claims that cannot be tested for the same reason share a line at the end.

        Parameters
        ----------
        claim_ids : list of str, optional
            Only these.

        Returns
        -------
        DataFrame
            Columns verdict, claim, value, note and tested ("2 of 7"), indexed by item.
        """
        given = pd.DataFrame(self._verdicts, columns=["claim_id", *VERDICT_COLUMNS])
        if claim_ids is not None:
            given = given[given["claim_id"].isin(claim_ids)]
        texts = read_claims(self.paper, self.reported_dir)[["item", "claim_id", "claim"]]
        rows = given.merge(texts, on="claim_id", how="left")
        rows["tested"] = [tested(row.n_tested, row.n_claimed) for row in rows.itertuples()]
        untestable = rows["verdict"] == CANNOT_BE_TESTED
        parts = [part for _, part in rows[~untestable].groupby("item", sort=False)]
        for _, part in rows[untestable].groupby("note", sort=False):
            line = part.head(1)
            if len(part) > 1:
                line = line.assign(
                    item=", ".join(part["item"].unique()),
                    claim=f"{len(part)} claims: {', '.join(part['claim_id'])}",
                    tested="",
                )
            parts.append(line)
        shown = pd.concat(parts) if parts else rows
        return shown.set_index("item")[["verdict", "claim", "value", "note", "tested"]]

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
