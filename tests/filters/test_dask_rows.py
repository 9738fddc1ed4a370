"""Rows on a Dask cluster: the same results whatever the partitions, and when a worker is lost."""

import os
import signal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from fslib.counts.dask_rows import DaskRows
from fslib.filters import MRMR, BayesGreedy, BayesScore, InformationGreedy, MIGreedy, MIScore

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")

SELECTORS = [
    MIScore(),
    BayesScore("balanced"),
    BayesGreedy(),
    MIGreedy(order=2),
    MRMR("quotient"),
    InformationGreedy("cmim"),
]


def data(n=300, d=8, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = rng.integers(0, [2, 4, 4, 9, 12, 2, 30, 1], (n, d)) - 2
    return np.where(rng.random((n, d)) < np.linspace(0, 0.4, d), -2 + (y[:, None] == 1), X), y


def results(selector):
    names = ("ranking_", "scores_", "criterion_values_", "n_tied_", "relevance_", "classes_", "support_")
    return {name: getattr(selector, name) for name in names if getattr(selector, name, None) is not None}


def assert_same(found, expected):
    assert set(found) == set(expected)
    for name in found:
        assert_array_equal(found[name], expected[name], err_msg=name)


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
@pytest.mark.parametrize("chunks", [((300,), (8,)), ((1, 99, 0, 200), (3, 5)), ((30,) * 10, (8,))], ids=str)
def test_partitions_change_nothing(selector, chunks):
    X, y = data()
    selector.set_params(n_features_to_select=5)
    expected = results(selector.fit(X, y))
    with dask.config.set(scheduler="synchronous"):
        assert_same(results(selector.fit(da.from_array(X, chunks=chunks), y)), expected)
        assert_same(
            results(selector.fit(da.from_array(X, chunks=chunks), da.from_array(y, chunks=chunks[:1]))), expected
        )


def test_frames_of_text():
    X, y = data()
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    frame["b"] = "level " + frame["b"].astype(str)
    expected = MRMR(n_features_to_select=3).fit(frame, y)
    parts = dd.from_pandas(frame.assign(target=y), npartitions=4)
    with dask.config.set(scheduler="synchronous"):
        found = MRMR(n_features_to_select=3).fit(parts[list("abcdefgh")], parts["target"])
    assert_same(results(found), results(expected))
    assert_array_equal(found.feature_names_in_, expected.feature_names_in_)


def test_a_killed_worker_changes_nothing(monkeypatch):
    distributed = pytest.importorskip("distributed")
    X, y = data(2000)
    expected = results(MIGreedy(n_features_to_select=5, order=2).fit(X, y))
    counts, killed = [], []
    count = DaskRows.count
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):

        def count_and_kill(self, *args):
            counts.append(1)
            if len(counts) == 3:
                address, pid = sorted(client.run(os.getpid).items())[0]
                held = client.has_what()[address]
                assert held, "the worker holds codes"
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            return count(self, *args)

        monkeypatch.setattr(DaskRows, "count", count_and_kill)
        found = results(MIGreedy(n_features_to_select=5, order=2).fit(da.from_array(X, chunks=(250, 8)), y))
    assert killed and len(counts) > 3
    assert_same(found, expected)


def lazily(X, y, chunk=100):
    return da.from_array(X, chunks=(chunk, X.shape[1])), y


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda X, y: lazily(np.where(X == 9, np.nan, X), y), "NaN, None or infinity in column 4"),
        (lambda X, y: lazily(X, y[:-1]), "299 classes and X 300 rows"),
        (lambda X, y: lazily(X, np.ones(300)), "one class only"),
        (lambda X, y: (lazily(X, y)[0][da.from_array(y > 0, chunks=100)], y), "compute_chunk_sizes"),
        (lambda X, y: (lazily(X, y)[0], da.from_array(y, chunks=150)), "2 partitions and X 3"),
        (lambda X, y: (lazily(X, y)[0], da.from_array(y, chunks=((50, 100, 150),))), "other lengths"),
        (lambda X, y: (lazily(X, y)[0][:, 0], y), "two-dimensional"),
        (lambda X, y: lazily(np.random.default_rng(0).normal(size=(300, 2)), y), "ThreeLevelDiscretizer"),
    ],
)
def test_bad_input(make, message):
    with dask.config.set(scheduler="synchronous"), pytest.raises(ValueError, match=message):
        MIScore().fit(*make(*data()))


def test_partitions_with_other_columns():
    frames = [pd.DataFrame({"a": [0, 1], "b": [1, 0]}), pd.DataFrame({"a": [0, 1], "c": [1, 0]})]
    parts = dd.from_delayed([dask.delayed(frame) for frame in frames], meta=frames[0], verify_meta=False)
    with dask.config.set(scheduler="synchronous"), pytest.raises(ValueError, match=r"columns \['a', 'c'\]"):
        MIScore().fit(parts, [0, 1, 0, 1])


def test_searches_that_need_all_rows_say_so():
    with pytest.raises(ValueError, match="needs all rows in memory"):
        BayesGreedy(direction="backward").fit(*lazily(*data()))
