"""Rows on a Dask cluster: the same results whatever the partitions, and when a worker is lost."""

import os
import signal

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

from fslib.counts.dask_rows import DaskRows
from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.filters import MRMR, BayesGreedy, BayesScore, Discretized, FisherScore, InformationGreedy, MIGreedy, MIScore

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
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
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


def measurements(n=600, seed=0):
    """Columns on many scales, some of them discrete, and classes that depend on two."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 7)) * 10.0 ** np.array([0, 8, -8, 0, 0, 0, 100]) + [0, 3, 0, 1e6, 0, 0, 0]
    X[:, 4], X[:, 5] = rng.integers(0, 2, n), 5
    return X, ((X[:, 0] > 0.8) + (X[:, 1] > 3).astype(int))


@pytest.mark.parametrize("chunks", [((600,), (7,)), ((1, 250, 0, 349), (3, 4)), ((50,) * 12, (7,))], ids=str)
@pytest.mark.parametrize("kind", [float, np.float32])
def test_cuts_do_not_depend_on_partitions(chunks, kind):
    X = measurements()[0]
    X[:, 6] = X[:, 6] * 1e-90
    X = X.astype(kind)
    expected = ThreeLevelDiscretizer().fit(X)
    parts = da.from_array(X, chunks=chunks)
    with dask.config.set(scheduler="synchronous"):
        found = ThreeLevelDiscretizer().fit(parts)
        for name in ("mean_", "std_", "cuts_", "n_features_in_"):
            assert_array_equal(getattr(found, name), getattr(expected, name))
        levels = found.transform(parts)
        assert isinstance(levels, da.Array)
        assert (levels.dtype, levels.shape, type(levels._meta)) == (np.int8, X.shape, np.ndarray)
        assert_array_equal(levels.compute(), expected.transform(X))
        assert levels.compute().dtype == np.int8


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_a_pipeline_of_cuts_and_a_filter(selector):
    X, y = measurements()
    selector.set_params(n_features_to_select=3)
    expected = make_pipeline(ThreeLevelDiscretizer(), clone(selector)).fit(X, y)
    parts, classes = da.from_array(X, chunks=(130, 4)), da.from_array(y, chunks=130)
    with dask.config.set(scheduler="synchronous"):
        found = make_pipeline(ThreeLevelDiscretizer(), selector).fit(parts, classes)
        assert_same(results(found[-1]), results(expected[-1]))
        chosen = found.transform(parts)
        assert isinstance(chosen, da.Array)
        assert_array_equal(chosen.compute(), expected.transform(X))
        wrapped = Discretized(selector).fit(parts, classes)
        assert_array_equal(wrapped.ranking_, expected[-1].ranking_)
        assert_array_equal(wrapped.transform(parts).compute(), X[:, expected[-1].get_support()])


def test_a_pipeline_on_frames_keeps_names():
    X, y = measurements()
    frame = pd.DataFrame(X, columns=list("abcdefg")).astype({"e": int})
    parts = dd.from_pandas(frame.assign(target=y), npartitions=5)
    X, y = parts[list("abcdefg")], parts["target"]
    expected = make_pipeline(ThreeLevelDiscretizer(), MRMR(n_features_to_select=3)).fit(frame, y.compute())
    with dask.config.set(scheduler="synchronous"):
        found = make_pipeline(ThreeLevelDiscretizer(), MRMR(n_features_to_select=3)).fit(X, y)
        levels = found[0].transform(X)
        assert list(levels.columns) == list("abcdefg")
        assert set(levels.dtypes) == set(levels.compute().dtypes) == {np.dtype("int8")}
        assert_array_equal(levels.compute(), expected[0].transform(frame))
        assert_array_equal(found[0].cuts_, expected[0].cuts_)
        assert_array_equal(found[0].feature_names_in_, frame.columns)
        assert_same(results(found[1]), results(expected[1]))
        chosen = frame.columns[expected[1].get_support()]
        assert list(found.transform(X).columns) == list(chosen)
        wrapped = Discretized(MRMR(n_features_to_select=3)).fit(X, y)
        assert_array_equal(wrapped.get_feature_names_out(), chosen)
        assert_array_equal(wrapped.transform(X).compute(), frame[chosen])


def test_cuts_from_two_worker_processes():
    distributed = pytest.importorskip("distributed")
    X, y = measurements(2000)
    expected = make_pipeline(ThreeLevelDiscretizer(), MIScore(n_features_to_select=3)).fit(X, y)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster),
    ):
        parts = da.from_array(X, chunks=(300, 7))
        found = make_pipeline(ThreeLevelDiscretizer(), MIScore(n_features_to_select=3)).fit(parts, y)
    assert_array_equal(found[0].cuts_, expected[0].cuts_)
    assert_same(results(found[1]), results(expected[1]))


def frame_of(**columns):
    return dd.from_pandas(pd.DataFrame(columns), npartitions=2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda X: da.from_array(np.where(X == X[9, 2], np.nan, X), chunks=(100, 7)), r"NaN in column 2 \(1 cell\)"),
        (lambda X: da.from_array(np.where(X == X[9, 2], -np.inf, X), chunks=(100, 3)), "infinity in column 2"),
        (lambda X: da.from_array(X, chunks=(100, 7))[da.from_array(X[:, 0] > 0, chunks=100)], "compute_chunk_sizes"),
        (lambda X: da.from_array(X, chunks=100)[:, 0], "two-dimensional"),
        (lambda X: da.from_array(X.astype(str), chunks=(100, 7)), "does not hold numbers"),
        (lambda X: da.from_array(X, chunks=(100, 7)).map_blocks(sp.csr_array), "must be NumPy arrays"),
        (lambda X: frame_of(a=[1.0, 2, 3, 4], b=["x", "y", "x", "y"]), "column 'b' of X does not hold numbers"),
        (lambda X: frame_of(a=[1.0, 2, 3, 4], b=[1, 2, None, 4]), "NaN in column 'b'"),
    ],
)
@pytest.mark.parametrize("estimator", [ThreeLevelDiscretizer(), Discretized(MIScore())], ids=repr)
def test_bad_measurements(make, message, estimator):
    X, y = measurements()
    with dask.config.set(scheduler="synchronous"), pytest.raises(ValueError, match=message):
        estimator.fit(make(X), y)


def test_other_features_than_those_fitted():
    X, y = measurements()
    parts = da.from_array(X, chunks=(100, 7))
    with dask.config.set(scheduler="synchronous"):
        discretizer = ThreeLevelDiscretizer().fit(parts)
        with pytest.raises(ValueError, match="X has 6 features, but ThreeLevelDiscretizer was fitted to 7"):
            discretizer.transform(parts[:, :6])
        with pytest.raises(ValueError, match="NaN in column 0"):
            discretizer.transform(parts * np.nan).compute()
        discretizer.fit(frame_of(a=[1.0, 2, 3, 4], b=[4.0, 3, 2, 5]))
        with pytest.raises(ValueError, match=r"columns \['b', 'a'\]"):
            discretizer.transform(frame_of(b=[1.0, 2, 3, 4], a=[4.0, 3, 2, 5]))
        with pytest.raises(ValueError, match="KBinsDiscretizer does not cut rows in parts"):
            Discretized(MIScore(), discretizer=KBinsDiscretizer(encode="ordinal")).fit(parts, y)
        with pytest.raises(ValueError, match="FisherScore needs all rows in memory"):
            Discretized(FisherScore()).fit(parts, y)


def dask_classes(y):
    """Classes that are text in the second of three partitions."""
    parts = [y[:100], y[100:200].astype(str), y[200:]]
    return da.concatenate([da.from_delayed(dask.delayed(part), (100,), dtype=y.dtype) for part in parts])


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
        (lambda X, y: (dd.from_pandas(pd.Series(X[:, 0]), npartitions=2), y), "two-dimensional"),
        (lambda X, y: lazily(X[:, :0], y), "no features"),
        (lambda X, y: (lazily(X, y)[0][:0], y[:0]), "no rows"),
        (lambda X, y: lazily(X + 1j, y), "complex"),
        (lambda X, y: (da.ma.masked_equal(lazily(X, y)[0], 1), y), "masked entries"),
        (lambda X, y: (lazily(X, y)[0].map_blocks(sp.csr_array), y), "partitions of X are sparse"),
        (lambda X, y: lazily(X, None), "one class for each row"),
        (lambda X, y: lazily(X, np.stack([y, y], axis=1)), r"got shape \(300, 2\)"),
        (lambda X, y: lazily(X, np.ma.masked_equal(y, 1)), "y has .* masked entries"),
        (lambda X, y: (lazily(X, y)[0], dask_classes(y)), "y holds numbers and text"),
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
