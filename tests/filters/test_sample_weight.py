"""A whole-number weight is that many equal rows; other weights compare rows; zero leaves a row out."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.counts.weighted import check_weights, effective_size, tally
from fslib.filters import (
    MRMR,
    BayesExhaustive,
    BayesGreedy,
    BayesScore,
    Discretized,
    FisherScore,
    InformationGreedy,
    MIGreedy,
    MIScore,
    criteria,
)
from fslib.filters.search import problem
from fslib.multiview import RFS

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")

K = {"n_features_to_select": 3}
BINARY = [
    BayesScore(**K),
    BayesScore("balanced", tie_break="index", **K),
    BayesScore("f_beta", **K),
    BayesScore("auc", **K),
    BayesScore("yang_hu", **K),
    BayesScore(criteria.CostSensitive(0.25), **K),
    BayesScore(criteria.CostMatrix([[0, 2, 0.5], [1, 0, 0.5]]), **K),
    BayesGreedy(**K),
    BayesGreedy("balanced", **K),
    BayesGreedy("f_beta", order=2, **K),
    BayesGreedy("auc", order=3, **K),
    BayesGreedy(direction="backward", **K),
    BayesGreedy("auc", order=2, direction="backward", **K),
    BayesExhaustive(**K),
    BayesExhaustive("log", **K),
    MIScore(**K),
    MIScore(estimator="miller_madow", **K),
    MIGreedy(**K),
    MIGreedy(order=2, **K),
    MIGreedy(direction="backward", **K),
    MRMR(**K),
    MRMR("quotient", candidates=5, **K),
    InformationGreedy("jmi", **K),
    InformationGreedy("cmim", estimator="miller_madow", **K),
    InformationGreedy("disr", **K),
]
FITTED = ("ranking_", "scores_", "criterion_values_", "criterion_value_", "relevance_", "n_tied_", "n_informative_")
each = pytest.mark.parametrize("selector", BINARY, ids=repr)
dense_and_sparse = pytest.mark.parametrize("kind", [np.asarray, sp.csr_array], ids=["dense", "sparse"])


def data(n=80, d=8, n_classes=2, seed=0):
    """Rows of which some features follow the class, and whole weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = np.where(rng.random((n, d)) < 0.3, y[:, None], rng.integers(0, 3, (n, d)))
    return X, y, rng.integers(0, 5, n)


def assert_same(found, expected, compare=assert_array_equal):
    """Everything that a fit leaves is the same."""
    assert_array_equal(found.ranking_, expected.ranking_)
    assert_array_equal(found.support_, expected.support_)
    for name in FITTED:
        if getattr(expected, name, None) is not None:
            compare(getattr(found, name), getattr(expected, name))


@each
@dense_and_sparse
@pytest.mark.parametrize("n_classes", [2, 3])
def test_whole_weights_are_repeated_rows_to_the_last_bit(selector, kind, n_classes):
    criterion = getattr(selector, "criterion", None)
    if n_classes == 3 and isinstance(criterion, criteria.CostSensitive | criteria.CostMatrix):
        pytest.skip("a criterion of two classes")
    X, y, w = data(n_classes=n_classes)
    expected = clone(selector).fit(kind(X.repeat(w, axis=0)), y.repeat(w))
    assert_same(clone(selector).fit(kind(X), y, sample_weight=w), expected)
    assert_same(clone(selector).fit(kind(X), y, w.astype(float).tolist()), expected)
    ones = clone(selector).fit(kind(X), y)
    assert not np.array_equal(ones.ranking_, expected.ranking_) or not np.array_equal(
        getattr(ones, "scores_", None), getattr(expected, "scores_", None)
    ), "weights must matter here, or the test says nothing"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("table", [1, 40])
def test_large_tables_are_counted_with_weights(monkeypatch, seed, table):
    """Tables above the limit are counted by what occurs: another route to the same numbers."""
    X, y, w = data(seed=seed)
    X[:, 2] = np.random.default_rng(seed).integers(0, 30, len(X))
    selectors = [BayesGreedy(**K), MIGreedy(**K), MRMR(**K), InformationGreedy(**K), BayesScore("auc", **K)]
    expected = [selector.fit(X.repeat(w, axis=0), y.repeat(w)) for selector in map(clone, selectors)]
    monkeypatch.setattr(problem, "MAX_TABLE", table)
    for selector, repeated in zip(selectors, expected, strict=True):
        assert_same(selector.fit(X, y, w), repeated, lambda a, b: assert_allclose(a, b, rtol=0, atol=1e-14))


@pytest.mark.parametrize(
    "selector",
    [
        BayesScore("squared", **K),
        BayesGreedy("squared", **K),
        BayesGreedy("squared", order=2, **K),
        BayesExhaustive("squared", **K),
        BayesGreedy(criteria.Squared("linear"), **K),
        FisherScore(**K),
        Discretized(BayesGreedy(**K)),
        Discretized(BayesScore("squared", **K), discretizer=ThreeLevelDiscretizer(ddof=0)),
    ],
    ids=repr,
)
def test_means_of_weighted_rows_are_those_of_repeated_rows_up_to_rounding(selector):
    X, y, w = data()
    X = X + np.random.default_rng(1).normal(size=X.shape).round(0 if "squared" in repr(selector) else 3)
    compare = lambda a, b: assert_allclose(a, b, rtol=1e-12, atol=1e-13)
    expected = clone(selector).fit(X.repeat(w, axis=0), y.repeat(w))
    assert_same(clone(selector).fit(X, y, sample_weight=w), expected, compare)
    if not isinstance(getattr(selector, "criterion", ""), criteria.Squared):
        assert_same(clone(selector).fit(sp.csc_array(X), y, sample_weight=w), expected, compare)


@each
@dense_and_sparse
def test_the_scale_of_weights_is_immaterial(selector, kind):
    X, y, _ = data()
    w = np.random.default_rng(3).random(len(y)) + 0.05
    expected = clone(selector).fit(kind(X), y, w)
    # A power of two rounds nothing; other factors do, as do weights so small that their sum is far below one.
    assert_same(clone(selector).fit(kind(X), y, 0.25 * w), expected)
    for factor in (3.0, 1e-9, 1e250):
        assert_same(
            clone(selector).fit(kind(X), y, factor * w), expected, lambda a, b: assert_allclose(a, b, atol=1e-12)
        )


@each
@dense_and_sparse
def test_whole_weights_in_other_units_rank_as_before(selector, kind):
    if getattr(selector, "estimator", "") == "miller_madow":
        pytest.skip("the correction depends on the number of rows, which is not the sum of weights in other units")
    X, y, w = data()
    expected = clone(selector).fit(kind(X), y, w)
    found = clone(selector).fit(kind(X), y, w * 0.1)
    assert_same(found, expected, lambda a, b: assert_allclose(a, b, rtol=1e-12, atol=1e-12))


@each
@dense_and_sparse
def test_a_column_of_zeros_takes_weights_of_any_kind(selector, kind):
    """A sparse column without a stored entry has no key to count."""
    X, y, w = data()
    X[:, 2] = 0
    for weights in (w, w + 0.3):
        expected = clone(selector).fit(X, y, weights)
        found = clone(selector).fit(kind(X), y, weights)
        assert_same(found, expected, lambda a, b: assert_allclose(a, b, atol=1e-12))


@dense_and_sparse
@pytest.mark.parametrize(
    "criterion", ["zero_one", "balanced", "log", "f_beta", "auc", "yang_hu", criteria.CostSensitive(0.3)], ids=repr
)
def test_scores_are_criteria_of_the_weighted_table(kind, criterion):
    """The oracle adds up weights cell by cell."""
    X, y, _ = data()
    w = np.random.default_rng(4).exponential(size=len(y))
    found = BayesScore(criterion, **K).fit(kind(X), y, w).scores_
    tables = [
        [[w[(X[:, j] == level) & (y == c)].sum() for c in (0, 1)] for level in np.unique(X[:, j])] for j in range(8)
    ]
    assert_allclose(found, [criteria.resolve_criterion(criterion).value(table) for table in tables], rtol=1e-12)


def test_information_of_the_weighted_table():
    X, y, _ = data()
    w = np.random.default_rng(4).exponential(size=len(y))
    entropy = lambda *columns: (
        -sum(p * np.log(p) for p in pd.Series(w).groupby(list(map(np.asarray, columns))).sum() / w.sum())
    )
    expected = [entropy(x) + entropy(y) - entropy(x, y) for x in X.T]
    assert_allclose(MIScore(**K).fit(X, y, w).scores_, expected, atol=1e-13)
    assert_allclose(MRMR(**K).fit(X, y, w).relevance_, expected, atol=1e-13)
    n = w.sum() ** 2 / (w**2).sum()  # Kish's effective size
    corrected = MIScore(estimator="miller_madow", **K).fit(X, y, w).scores_
    assert_allclose(corrected, np.array(expected) + (3 + 2 - 6 - 1) / (2 * n), atol=1e-13)


@each
@dense_and_sparse
def test_ties_stay_ties_under_weights_that_round(selector, kind):
    """The same partition under other names: sums of its cells are taken in another order, or by subtraction."""
    X, y, _ = data(d=4)
    w = np.random.default_rng(5).exponential(size=len(y))
    X = np.column_stack([X, (X + 1) % 3, 2 - X])
    for scale in (1.0, 0.7, 1e-5):
        fitted = clone(selector).fit(kind(X), y, scale * w)
        first = np.argsort(fitted.ranking_).reshape(3, 4)  # place of each feature, a row per renaming
        assert (first[0] < first[1]).all()
        assert (first[1] < first[2]).all()


def test_the_effective_size_is_the_one_whose_bias_the_correction_removes():
    """Mean entropy of weighted samples, against the correction with Kish's size and with the number of rows."""
    rng = np.random.default_rng(0)
    w = np.repeat([1.0, 9.0], 100) / 10
    p = np.full(4, 0.25)
    drawn = rng.choice(4, (20000, len(w)), p=p)
    shares = np.stack([(drawn == level) @ w for level in range(4)], axis=1) / w.sum()
    bias = np.log(4) + (shares * np.log(shares)).sum(axis=1).mean()
    assert abs(bias / (3 / (2 * effective_size(w, len(w)))) - 1) < 0.02
    assert abs(bias / (3 / (2 * len(w))) - 1) > 0.5


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (lambda w: np.where(w == 2, -1, w), r"negative number \(-1 for row"),
        (lambda w: np.where(w == 2, np.nan, w), "NaN"),
        (lambda w: np.where(w == 2, np.inf, w), "infinity"),
        (lambda w: 0 * w, "zero"),
        (lambda w: w[:-1], "sample_weight"),
        (lambda w: np.column_stack([w, w]), "1D array or scalar"),
        (lambda w: -1, "negative"),
    ],
)
@pytest.mark.parametrize(
    "selector", [BayesScore(), MRMR(), FisherScore(), ThreeLevelDiscretizer(), BayesGreedy(criteria.Squared("linear"))]
)
def test_bad_weights(selector, weights, message):
    X, y, w = data()
    with pytest.raises(ValueError, match=message):
        clone(selector).fit(X, y, sample_weight=weights(w))


def test_classes_and_levels_of_rows_without_weight_do_not_exist():
    X, y, _ = data(n_classes=3)
    fitted = BayesScore(**K).fit(X, y, y != 2)
    assert fitted.classes_.tolist() == [0, 1]
    with pytest.raises(ValueError, match="one class only"):
        BayesScore(**K).fit(X, y, y == 2)
    X[0, 4] = 99
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    weights = pd.Series(np.arange(len(y)) > 0).astype(float)
    assert_same(InformationGreedy(**K).fit(frame, y, weights), InformationGreedy(**K).fit(X[1:], y[1:]))


def test_rows_in_parts_take_no_weights():
    X, y, w = data()
    dask = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match="needs all rows in memory"):
        BayesScore(**K).fit(dask.from_array(X, chunks=(40, 8)), y, sample_weight=w)
    with pytest.raises(TypeError, match="sample_weight"):
        BayesScore(**K).fit_blocks(X, y, sample_weight=w)


def test_discretized_says_who_takes_no_weights():
    X, y, w = data()
    with pytest.raises(ValueError, match="RFS does not take sample_weight"):
        Discretized(RFS(n_features_to_select=2)).fit(X, y, sample_weight=w)


def test_weights_reach_the_filter_of_a_pipeline():
    X, y, w = data()
    chosen = BayesGreedy(**K).fit(X, y, w)
    pipeline = make_pipeline(clone(chosen), LogisticRegression()).fit(X, y, bayesgreedy__sample_weight=w)
    assert_array_equal(pipeline[0].ranking_, chosen.ranking_)
    pipeline = make_pipeline(Discretized(BayesGreedy(**K)), LogisticRegression())
    pipeline.fit(X, y, discretized__sample_weight=w)
    assert_array_equal(pipeline[0].ranking_, Discretized(BayesGreedy(**K)).fit(X, y, w).ranking_)


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize("selector", [MIScore(**K), Discretized(MIScore(**K)), FisherScore(**K)], ids=repr)
def test_weights_are_split_with_the_rows(selector, routing):
    X, y, w = data()
    w = w.copy()
    with sklearn.config_context(enable_metadata_routing=routing):
        if routing:
            learner = LogisticRegression().set_fit_request(sample_weight=False).set_score_request(sample_weight=True)
            pipeline = make_pipeline(clone(selector).set_fit_request(sample_weight=True), learner)
            params = {"sample_weight": w}
        else:
            pipeline = make_pipeline(clone(selector), LogisticRegression())
            params = {f"{pipeline.steps[0][0]}__sample_weight": w}
        found = cross_validate(pipeline, X, y, cv=3, params=params, return_estimator=True, return_indices=True)
    for fitted, train in zip(found["estimator"], found["indices"]["train"], strict=True):
        assert_allclose(fitted[0].scores_, clone(selector).fit(X[train], y[train], w[train]).scores_, rtol=1e-12)


def test_huge_whole_weights_count_without_rounding():
    assert check_weights([2**52, 1], np.zeros((2, 1))).tolist() == [2**52, 1]
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    fitted = BayesScore("auc", n_features_to_select=1).fit(X, [0, 1, 1, 1], [2**40, 2**40, 1, 1])
    assert_allclose(fitted.scores_, [0.5, 1.0], atol=1e-11)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64])
@pytest.mark.parametrize("n_classes", [1, 2, 5, 9, 100])
@pytest.mark.parametrize("n_keys", [0, 7])
def test_a_tally_counts_like_numpy(dtype, n_classes, n_keys):
    key = np.random.default_rng(0).integers(0, n_classes, 500).astype(dtype)
    found, right = tally(key, None, n_keys), np.bincount(key, None, n_keys)
    np.testing.assert_array_equal(found, right)
    assert found.dtype == right.dtype


def test_a_tally_refuses_negative_keys():
    with pytest.raises(ValueError, match="negative"):
        tally(np.array([0, -1], dtype=np.int8))
