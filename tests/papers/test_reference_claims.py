"""The committed verdicts are those that the checks give on the committed tables: neither drifts away from the other."""

import importlib
import inspect
import pkgutil
from functools import cache

import numpy as np
import pandas as pd
import pytest

import fslib.papers
from fslib.evaluation.multilabel_metrics import PRINTED_IN_MLMLFS
from fslib.names import published_metric
from fslib.papers.bayes import claims_results as bayes
from fslib.papers.bayes import claims_runtime as bayes_runtime
from fslib.papers.claims import REGISTRY
from fslib.papers.mlmlfs import claims_results as mlmlfs
from fslib.papers.mlmlfs import claims_theory as mlmlfs_theory
from fslib.papers.rrmvfs import claims_figures as rrmvfs_figures
from fslib.papers.rrmvfs import claims_tables as rrmvfs_tables
from fslib.reproduction.compare.compare import REFERENCE
from fslib.reproduction.compare.judged import read_judged
from fslib.reproduction.compare.reported import read_reported
from fslib.reproduction.compare.results import verdict_row
from fslib.tidy import read_csv, read_table, with_settings

for module in pkgutil.walk_packages(fslib.papers.__path__, "fslib.papers."):
    importlib.import_module(module.name)  # registers its checks

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
    ("braytee", "fig1-1-structure"): "sizes of the chapters' data",
    ("braytee", "dataset-descriptions"): "sizes of the data sets",
    ("braytee", "fig4-16-svd-separation"): "the single splits",
    ("braytee", "tab4-7-ribosome-largest"): "the published table",
    ("braytee", "fig4-2-convergence"): "the objective after each sweep",
    ("braytee", "fig5-4-convergence"): "the objective after each sweep",
    ("braytee", "fig5-13-convergence"): "the objective after each step",
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


@cache
def judged_again():
    """Verdicts from the committed rows that were judged, and of checks that need no rows."""
    found = {}
    for path in sorted((REFERENCE / "judged").glob("*.parquet")):
        rows, claim_ids = read_judged(path)
        paper = path.name.partition("_")[0]
        found |= {(paper, name): REGISTRY[paper, name](rows) for name in claim_ids}
    alone = [key for key, check in REGISTRY.items() if key[0] == "braytee" and not _required(check)]
    return found | {key: REGISTRY[key]() for key in alone}


def _required(check):
    return [p for p in inspect.signature(check).parameters.values() if p.default is p.empty]


THESIS = sorted(key for key in REGISTRY if key[0] == "braytee" and key not in NEEDS_MORE_THAN_TABLES)


@pytest.mark.parametrize(("paper", "claim_id"), THESIS)
def test_a_committed_verdict_follows_from_the_rows_that_were_judged(paper, claim_id):
    stored, expected = committed()[paper, claim_id], verdict_row(judged_again()[paper, claim_id])
    assert {name: stored[name] for name in expected} == expected


def test_the_rows_and_the_tables_of_a_paper_give_the_same_verdicts():
    both = judged_again().keys() & recomputed().keys()
    assert {key: judged_again()[key].word for key in both} == {key: recomputed()[key].word for key in both}


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
