"""Labels dealt out anew carry nothing: each paper's own protocol must then be at chance, or something leaks."""

import numpy as np
import pandas as pd
import pytest

from fslib.evaluation.multilabel_metrics import multilabel_scores
from fslib.papers.bayes import protocol as bayes
from fslib.papers.mlmlfs import items as mlmlfs_items
from fslib.papers.mlmlfs import protocol as mlmlfs
from fslib.papers.rrmvfs import protocol as rrmvfs


@pytest.fixture
def shuffled_splice(monkeypatch):
    """Splice with 160 rows and labels in random order, in the protocol of "bayes"; nothing computed before counts."""
    X, y = bayes.load_task("splice")
    rows = np.random.default_rng(0).permutation(len(y))[:160]
    caches = (bayes.split_parts, bayes._ranking, bayes.held_out_value)
    monkeypatch.setattr(bayes, "_task", lambda dataset: (X[rows], np.random.default_rng(1).permutation(y[rows])))
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def balanced_error(method, n_splits=6):
    panel = {
        "item": "Figure 4(a)",
        "measure": "balanced_error",
        "loss": "balanced",
        "c": None,
        "estimation": "exact",
        "ties": "index",
    }
    grid = {"C": [1.0, 10.0], "gamma": [0.3, 1.0]}
    named = panel | {"dataset": "splice", "method": method, "ks": [2, 8], "seed": 0, "grid": grid}
    rows = [row for split in range(n_splits) for row in bayes.run_trial(**named, split=split)]
    return pd.DataFrame(rows)["value"].mean()


@pytest.mark.parametrize("method", ["BayesGreedy", "MIScore", "FScore"])
def test_bayes(shuffled_splice, method):
    """Six test parts of 48 rows: the mean of a balanced error has a standard deviation of about 0.03 at chance."""
    assert balanced_error(method) == pytest.approx(0.5, abs=0.09)


def test_a_selection_that_sees_the_test_rows_would_be_noticed(shuffled_splice, monkeypatch):
    def ranking(dataset, split, seed, method, measure, c, estimation, ties, k):
        selector = bayes.SELECTORS[method](k, bayes.criterion_for(measure, c), "exact", ties)
        return tuple(selector.fit(*bayes._task(dataset)).ranking_[:k].tolist())

    monkeypatch.setattr(bayes, "_ranking", ranking)
    assert balanced_error("FScore") < 0.5 - 0.09


@pytest.mark.parametrize("method", ["RRMVFS", "WMCFS", "CAT"])
def test_rrmvfs(monkeypatch, method):
    """Ten equal classes: accuracy 0.1, with a standard deviation of 0.3 / sqrt(800) in each of two repeats."""
    X, y, views = rrmvfs.load_task("mfeat")
    y = np.random.default_rng(0).permutation(y)
    monkeypatch.setattr(rrmvfs, "_task", lambda dataset, seed: (X, y, views))
    gammas = [] if method == "CAT" else [0.1, 10.0]
    named = {"dataset": "mfeat", "views": ["zer", "mor", "kar"], "train_per_class": 12, "method": method}
    named |= {"gammas": gammas, "max_iter": 5, "seed": 0}
    rows = pd.DataFrame([row for repeat in range(2) for row in rrmvfs.run_trial(**named, repeat=repeat)])
    means = rows[rows["metric"] == "accuracy"].groupby("protocol")["value"].mean()
    assert means["held_out"] == pytest.approx(0.1, abs=0.03)


@pytest.mark.parametrize("method", ["MLMLFS", "PMU", "MDDM"])
def test_mlmlfs(monkeypatch, method):
    """Training labels dealt out anew: the protocol "held out" orders labels no better than their frequencies do."""
    task = mlmlfs.load_task("emotions", 25)
    order = np.random.default_rng(0).permutation(len(task.y))
    shuffled = mlmlfs.Task(task.X, task.y[order], task.hidden[order], task.X_test, task.y_test)
    for module in (mlmlfs, mlmlfs_items):
        monkeypatch.setattr(module, "load_task", lambda *key: shuffled)
    setting = {"alpha": 1e-4, "lam": 1.0, "p": 1.0} if method == "MLMLFS" else {"alpha": None, "lam": None, "p": None}
    named = {
        "dataset": "emotions",
        "missing_pct": 25,
        "method": method,
        "reading": "corrected",
        "start": None,
        "seed": 0,
    }
    named |= setting
    rows = pd.DataFrame(mlmlfs_items.run_trial(**named, sizes=[5, 20, 72]))
    found = rows[(rows["protocol"] == "held_out") & (rows["metric"] == "average_precision")]["value"].item()
    frequency = np.broadcast_to(np.nanmean(shuffled.y, axis=0), shuffled.y_test.shape)
    by_frequency = multilabel_scores(shuffled.y_test, frequency)["average_precision"]
    assert found < by_frequency + 0.04
