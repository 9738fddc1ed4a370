"""What every filter here must do with good, odd and bad input; a new one is tested by being listed."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.filters import (
    MRMR,
    BayesExhaustive,
    BayesGreedy,
    BayesScore,
    FisherScore,
    InformationGreedy,
    MIGreedy,
    MIScore,
)

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")  # small data run dry

SELECTORS = [
    MRMR(),
    MRMR("quotient"),
    FisherScore(),
    BayesScore("balanced"),
    BayesGreedy(),
    BayesGreedy("auc", order=2),
    BayesGreedy("f_beta", direction="backward"),
    BayesGreedy("log", order=2, direction="backward"),
    BayesExhaustive(n_features_to_select=0.25),  # of the 30 features of the check of weights, half are too many
    MIScore(),
    MIGreedy(order=3),
    InformationGreedy("jmi"),
    InformationGreedy("cmim", estimator="miller_madow"),
]
DISCRETE = [selector for selector in SELECTORS if not isinstance(selector, FisherScore)]
each = pytest.mark.parametrize("selector", SELECTORS, ids=repr)
each_discrete = pytest.mark.parametrize("selector", DISCRETE, ids=repr)


# The checks feed whole numbers drawn for other purposes, of which some name rows.
@pytest.mark.filterwarnings("ignore:.*no better than by chance")
@parametrize_with_checks([*SELECTORS, ThreeLevelDiscretizer()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def data(n=60, d=8, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return np.where(rng.random((n, d)) < 0.3, y[:, None], rng.integers(0, 3, (n, d))), y


@each
def test_frames_keep_their_names(selector):
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(8)])
    selector.set_params(n_features_to_select=3).fit(frame, y)
    chosen = frame.columns[np.sort(selector.ranking_[:3])]
    assert_array_equal(selector.get_feature_names_out(), chosen)
    assert_array_equal(selector.transform(frame), frame[chosen])
    assert_array_equal(selector.fit(X, y).transform(X), frame[chosen])


@each
def test_sparse_equals_dense_and_stays_sparse(selector):
    X, y = data()
    ranking = selector.fit(X, y).ranking_
    assert_array_equal(selector.fit(sp.csr_array(X), y).ranking_, ranking)
    assert sp.issparse(selector.transform(sp.csr_array(X)))


@each
def test_fit_never_makes_sparse_data_dense(selector, monkeypatch):
    """A table of a tenth of X at a time is fair; an array as large as X is what sparse data are meant to avoid."""
    rng = np.random.default_rng(0)
    X = sp.csc_array((rng.random((300, 60)) < 0.05).astype(int))
    y = rng.integers(0, 2, 300)

    def guarded(kind, name):
        original = getattr(kind, name)

        def convert(self, *args, **kwargs):
            assert np.prod(self.shape) <= X.shape[0] * X.shape[1] // 10, f"{kind.__name__}.{name} of {self.shape}"
            return original(self, *args, **kwargs)

        monkeypatch.setattr(kind, name, convert)

    for kind in (sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.csc_matrix, sp.coo_matrix):
        guarded(kind, "toarray")
        guarded(kind, "todense")
    limited = clone(selector).set_params(n_features_to_select=3)
    if isinstance(limited, BayesExhaustive):
        X = X[:, :12]  # all sets of three
    limited.fit(X, y)
    with pytest.raises(AssertionError, match=r"toarray of \(300,"):
        X.toarray()


@each
def test_negative_codes_and_read_only_arrays(selector):
    X, y = data()
    ranking = selector.fit(X, y).ranking_
    X = X - 2
    X.flags.writeable = y.flags.writeable = False
    assert_array_equal(selector.fit(X, y).ranking_, ranking)


@each
@pytest.mark.filterwarnings("ignore:.*no better than by chance")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (np.where(X == 2, np.nan, X), y), "NaN"),
        (lambda X, y: (np.where(X == 2, np.inf, X), y), "infinity"),
        (lambda X, y: (X[:0], y[:0]), "0 sample"),
        (lambda X, y: (X[:, :0], y), "0 feature"),
        (lambda X, y: (X, np.ones_like(y)), r"one class only \(1\)"),
        (lambda X, y: (X, np.zeros(len(y))), r"one class only \(0\.0\)"),
        (lambda X, y: (X, np.full(len(y), "a")), r"one class only \('a'\)"),
        (lambda X, y: (X, np.where(y == 1, "no", y.astype(object))), r"\(int, str\): make all of them text"),
        (lambda X, y: (X, y[:-1]), "inconsistent numbers of samples"),
        (lambda X, y: (X, y + 0.5 * np.arange(len(y))), "Unknown label type"),
        (lambda X, y: (X, np.where(y == 1, np.nan, 0)), "NaN"),
    ],
)
def test_bad_data(selector, change, message):
    with pytest.raises(ValueError, match=message):
        selector.fit(*change(*data()))


@each
@pytest.mark.parametrize("k", [0, -1, 9, 0.0, 1.5])
def test_bad_numbers_of_columns(selector, k):
    with pytest.raises(ValueError, match="n_features_to_select"):
        type(selector)(n_features_to_select=k).fit(*data())


@each_discrete
def test_text_is_a_level_like_another(selector):
    X, y = data()
    selector.set_params(n_features_to_select=4)
    ranking = selector.fit(X, y).ranking_
    text = pd.DataFrame(X).replace({0: "none", 1: "some", 2: "many"})
    assert_array_equal(selector.fit(text, y).ranking_, ranking)
    text.iloc[0, 0] = "never seen"
    assert selector.transform(text).shape == (60, 4)


@each_discrete
def test_measurements_are_sent_to_the_discretiser(selector):
    X = np.random.default_rng(0).normal(size=(60, 3))
    with pytest.raises(ValueError, match="ThreeLevelDiscretizer"):
        selector.fit(X, data()[1])


def test_fisher_refuses_text():
    with pytest.raises(ValueError, match=r"holds 'a' in column 0, which is not a number"):
        FisherScore().fit([["a"], ["b"]], [0, 1])


@each_discrete
@pytest.mark.parametrize("dtype", ["Int64", "string", "category", "boolean", object])
def test_an_empty_cell_of_a_frame_is_named(selector, dtype):
    X, y = data()
    frame = pd.DataFrame(X > 0 if dtype == "boolean" else X, columns=list("abcdefgh")).astype(dtype)
    frame.loc[3, "c"] = None
    with pytest.raises(ValueError, match="'c'"):
        selector.fit(frame, y)


@pytest.mark.parametrize("estimator", [FisherScore(), ThreeLevelDiscretizer()], ids=repr)
def test_categories_are_read_as_the_numbers_they_name(estimator):
    X, y = data()
    plain = pd.DataFrame(X, columns=list("abcdefgh"))
    expected, found = (clone(estimator).fit(frame, y) for frame in (plain, plain.astype("category")))
    attribute = "scores_" if hasattr(expected, "scores_") else "cuts_"
    assert_array_equal(getattr(found, attribute), getattr(expected, attribute))
    with pytest.raises(ValueError, match=r"holds 'low' in column 'a', which is not a number"):
        estimator.fit(plain.replace({0: "low", 1: "mid", 2: "high"}).astype("category"), y)


@each_discrete
def test_the_warning_of_a_column_that_names_rows_points_at_the_line_of_fit(selector):
    X, y = data()
    X[:, 3] = np.arange(60)
    for fit in (selector.fit, selector.fit_transform, make_pipeline(selector).fit):
        with pytest.warns(UserWarning, match="column 3: 60 levels") as caught:
            fit(X, y)
        assert caught[0].filename == __file__
