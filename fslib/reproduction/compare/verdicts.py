"""Every claim of a paper that has notebooks, with the verdict that a notebook gave and the number that decided."""

from pathlib import Path

import pandas as pd

from fslib.evaluation.verdicts import CANNOT_BE_TESTED, DOES_NOT_HOLD, HOLDS, UNDECIDED, WORDS
from fslib.reproduction.compare.reported import read_claims
from fslib.reproduction.compare.results import VERDICT_COLUMNS
from fslib.reproduction.paths import REPORTED
from fslib.reproduction.run.records import intact
from fslib.tidy import read_csv

NOT_JUDGED = "not judged"
"""The word for a claim that no notebook of the run has looked at."""

ORDER = (*WORDS, NOT_JUDGED)
"""The words, in the order in which they are counted."""

MEANING = {
    HOLDS: "our numbers say what the paper says, by more than the noise of the repeats.",
    DOES_NOT_HOLD: "our numbers say the opposite, by more than the noise.",
    UNDECIDED: "the difference that decides is within the noise, so that it could be chance.",
    CANNOT_BE_TESTED: "the data set that the claim is about is not available, or there is nothing to compute.",
    NOT_JUDGED: "no notebook of this run examines the claim.",
}
"""What each word means; the report prints it."""

COLUMNS = ["paper", "section", "item", "claim_id", "claim", "check", *VERDICT_COLUMNS, "notebook"]

GIVEN = ["paper", "claim_id", *VERDICT_COLUMNS]
SEVERITY = [DOES_NOT_HOLD, UNDECIDED, HOLDS, CANNOT_BE_TESTED]
"""The first of these that a notebook gave counts: a notebook without the data never overrides one that has them."""


def judged_claims(files, papers, reported_dir=REPORTED):
    """Join the verdicts of a run with the claims of its papers.

    Parameters
    ----------
    files : dict of str to list of path-like
        Notebook -> the claim files it wrote (`fslib.reproduction.compare.results.Results.verdict`).
    papers : iterable of str
        Papers that have notebooks; others are left out.
    reported_dir : path-like, optional

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, one row per claim, in the order of the papers. If two notebooks judged one claim, both values
        are shown, and the less favourable verdict counts. "Cannot be tested" counts, and its reason is shown, only
        where every notebook said so.

    Raises
    ------
    ValueError
        If a claim file is broken.

    Examples
    --------
    >>> claims = judged_claims({}, ["bayes"])
    >>> len(claims), set(claims["verdict"])
    (26, {'not judged'})
    """
    read = [_read_verdicts(path).assign(notebook=name) for name, paths in files.items() for path in map(Path, paths)]
    given = pd.concat(read) if read else pd.DataFrame(columns=[*GIVEN, "notebook"])
    was_tested = given["verdict"] != CANNOT_BE_TESTED
    by_any = was_tested.groupby([given["paper"], given["claim_id"]]).transform("any").astype(bool)
    given = given[was_tested | ~by_any]
    given = given.sort_values("verdict", key=lambda column: column.map(SEVERITY.index), kind="stable")
    merged = given.groupby(["paper", "claim_id"], as_index=False, sort=False).agg(
        verdict=("verdict", "first"),
        value=("value", _together),
        note=("note", _together),
        n_tested=("n_tested", "first"),
        n_claimed=("n_claimed", "first"),
        notebook=("notebook", "first"),
    )
    claims = [read_claims(paper, reported_dir).assign(paper=paper) for paper in papers]
    if not claims:
        return pd.DataFrame(columns=COLUMNS)
    joined = pd.concat(claims, ignore_index=True).merge(merged, on=["paper", "claim_id"], how="left")
    blank = dict.fromkeys([*VERDICT_COLUMNS, "notebook"], "") | {"verdict": NOT_JUDGED}
    return joined.astype({name: object for name in blank}).fillna(blank)[COLUMNS]


def _read_verdicts(path):
    """Verdicts of one notebook, all text."""
    with intact(path):
        given = read_csv(path)[GIVEN]
        if not given["verdict"].isin(SEVERITY).all():
            raise ValueError("verdict")
        return given


def _together(texts):
    return "; ".join(dict.fromkeys(text for text in texts if text))


def counts(claims):
    """Count the verdicts, all of `ORDER`, zeros included."""
    found = claims["verdict"].value_counts()
    return {verdict: int(found.get(verdict, 0)) for verdict in ORDER}
