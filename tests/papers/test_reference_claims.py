"""The committed verdicts are those that the checks give on the committed tables: neither drifts away from the other."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from fslib.evaluation.multilabel_metrics import PRINTED_IN_MLMLFS
from fslib.names import published_metric
from fslib.papers.bayes import claims_results as bayes
from fslib.papers.bayes import claims_runtime as bayes_runtime
from fslib.papers.bayes import claims_theory as bayes_theory
from fslib.papers.claims import REGISTRY
from fslib.papers.mlmlfs import claims_results as mlmlfs
from fslib.papers.mlmlfs import claims_theory as mlmlfs_theory
from fslib.papers.rrmvfs import claims_figures as rrmvfs_figures
from fslib.papers.rrmvfs import claims_tables as rrmvfs_tables
from fslib.papers.rrmvfs import claims_theory as rrmvfs_theory
from fslib.reproduction.compare.compare import REFERENCE
from fslib.reproduction.compare.reported import read_reported
from fslib.reproduction.compare.results import verdict_row
from fslib.tidy import read_csv, read_table, with_settings

MODULES = (bayes, bayes_runtime, bayes_theory, mlmlfs, mlmlfs_theory, rrmvfs_figures, rrmvfs_tables, rrmvfs_theory)
"""Importing them registers their checks."""

COMPUTED_ON_THE_SPOT = {
    *[("bayes", f"ex1-{name}") for name in ("mi-picks-feature-2", "bayes-picks-feature-1", "sample-version")],
    ("bayes", "yang-hu-objective-differs"),
    ("bayes", "logloss-equals-mi"),
    ("bayes", "squared-loss-equals-forward-regression"),
    ("bayes", "criteria-match-brute-force"),
    ("rrmvfs", "views-separate"),
    ("rrmvfs", "objective-monotone"),
    ("mlmlfs", "fig1-illustration"),
    ("mlmlfs", "objective-monotone"),
    ("mlmlfs", "woodbury-equal"),
}
"""Facts that need no experiment; the tests of each paper's claims check them."""

NEEDS_MORE_THAN_TABLES = {
    ("bayes", "greedy-value-monotone"): "the paths of the searches",
    ("bayes", "large-k-ties"): "the path of a search",
    ("bayes", "fig1-semeion-search-not-criterion"): "the single splits",
    ("bayes", "overall-competitive"): "one run of all panels",
    ("rrmvfs", "robust-to-outliers"): "the single repeats",
    ("rrmvfs", "weights-favour-good-views"): "the single repeats",
    **{("rrmvfs", check.claim_id): "the single repeats" for check in rrmvfs_tables.LEAD_CHECKS},
}


FIGURES_OF_A_NOTEBOOK = {
    ("fig1", "fig2"): ("1", "2"),
    ("fig3",): ("3",),
    ("fig4",): ("4_a", "4_b", "4_c"),
    ("fig5",): ("5",),
}
"""How names of claims begin -> figures whose rows the notebook that judges them has; each may be of another run."""


def table(name):
    return read_table(REFERENCE / "tables" / f"{name}.csv")


def rows_of_the_experiment(*names):
    """Tidy rows as the rows of single trials that the checks of "mlmlfs" take."""
    rows = with_settings(pd.concat([table(name) for name in names], ignore_index=True))
    spelt = {published_metric(name, "mlmlfs"): name for name in PRINTED_IN_MLMLFS}
    more = {"alpha": 1.0, "lam": 1.0, "validation": np.nan, "k": 1}
    more = {name: value for name, value in more.items() if name not in rows}
    return rows.assign(metric=rows["metric"].replace(spelt), reading=rows["reading"].fillna(""), **more)


@cache
def recomputed():
    """Verdicts from the committed tables: (paper, claim id) -> verdict."""
    found = {"bayes": [bayes.tab1_datasets(table("bayes_table_1"), read_reported("bayes", "Table 1"))]}
    for prefix, figures in FIGURES_OF_A_NOTEBOOK.items():
        rows = pd.concat([table(f"bayes_figure_{name}") for name in figures], ignore_index=True)
        checks = [check for (paper, name), check in REGISTRY.items() if paper == "bayes" and name.startswith(prefix)]
        found["bayes"] += [check(rows) for check in checks if check is not bayes.fig1_semeion_search_not_criterion]
    times = table("bayes_table_2")
    found["bayes"] += [check(times) for check in REGISTRY.values() if check.__module__ == bayes_runtime.__name__]

    by_item = {f"Figure {n}": table(f"rrmvfs_figure_{n}") for n in (2, 3)}
    found["rrmvfs"] = [check(by_item) for check in rrmvfs_figures.FIGURE_CHECKS]
    by_item = {f"Table {n}": table(f"rrmvfs_table_{n}") for n in (2, 3)}
    found["rrmvfs"] += [check(by_item) for check in rrmvfs_tables.TABLE_CHECKS]

    raw = rows_of_the_experiment(*[f"mlmlfs_table_{n}" for n in (2, 3, 4, 5)])
    found["mlmlfs"] = [check(raw) for check in mlmlfs.TABLE_CHECKS]
    found["mlmlfs"] += [mlmlfs.tab1_datasets(table("mlmlfs_table_1"), read_reported("mlmlfs", "Table 1"))]
    for check, name in (
        (mlmlfs_theory.fig2_convergence, "figure_2"),
        (mlmlfs_theory.smaller_p_sparser, "equation_3"),
        (mlmlfs_theory.recovers_missing_labels, "equation_2"),
    ):
        found["mlmlfs"].append(check(rows_of_the_experiment(f"mlmlfs_{name}")))
    return {(paper, verdict.claim_id): verdict for paper, verdicts in found.items() for verdict in verdicts}


@cache
def committed():
    files = sorted((REFERENCE / "claims").glob("*.csv"))
    rows = pd.concat([read_csv(file) for file in files])
    return {(row["paper"], row["claim_id"]): row for row in rows.to_dict("records")}


ALL = sorted(key for key in REGISTRY if key[0] in ("bayes", "rrmvfs", "mlmlfs"))


@pytest.mark.parametrize(("paper", "claim_id"), ALL)
def test_a_committed_verdict_follows_from_the_committed_tables(paper, claim_id):
    key = (paper, claim_id)
    stored = committed()[key]
    if key in COMPUTED_ON_THE_SPOT or key in NEEDS_MORE_THAN_TABLES:
        assert key not in recomputed()
        assert stored["verdict"] in ("holds", "does not hold", "undecided", "cannot be tested")
        return
    expected = verdict_row(recomputed()[key])
    if expected["verdict"] == "cannot be tested":
        del expected["note"]  # a reason in words, which may be put better
    assert {name: _parts(stored[name]) for name in expected} == {name: _parts(text) for name, text in expected.items()}


def _parts(text):
    """What a value or note says, whatever the order of its panels: tables are stored sorted."""
    return sorted(text.split("; "))


def test_every_word_occurs_in_the_reference():
    """The rules can tell: a standard under which nothing is ever decided, or everything, is none."""
    words = [row["verdict"] for row in committed().values()]
    assert min(words.count(word) for word in ("holds", "does not hold", "undecided", "cannot be tested")) >= 5
