"""What every multi-view selector promises, whatever its method."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.multiview import DSMLFS, RFS, RRMVFS, SMML, SSMVFS, WMCFS

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

VIEWS = [slice(0, 5), slice(5, 9), slice(9, 13)]
SUPERVISED = [RRMVFS(VIEWS), RFS(), SSMVFS(VIEWS), SMML(VIEWS), DSMLFS(VIEWS)]
ALL = [*SUPERVISED, WMCFS(VIEWS, random_state=0)]


def fresh(selector, **parameters):
    return type(selector)(**(selector.get_params() | parameters))


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:60]
    return StandardScaler().fit_transform(X[rows]), y[rows]


@parametrize_with_checks([type(selector)() for selector in ALL])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("selector", ALL, ids=lambda s: type(s).__name__)
def test_finds_the_features_that_carry_the_classes(selector):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 13))
    X[:, 5:8] += 6 * np.eye(3)[y]  # one feature per class, none redundant
    fitted = fresh(selector, n_features_to_select=3).fit(StandardScaler().fit_transform(X), y)
    assert_array_equal(fitted.get_support(indices=True), [5, 6, 7])


@pytest.mark.parametrize("selector", SUPERVISED, ids=lambda s: type(s).__name__)
def test_columns_and_rows_may_come_in_any_order(selector, wine):
    X, y = wine
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(len(y)), rng.permutation(13)
    codes = np.repeat([0, 1, 2], [5, 4, 4])
    views = {} if isinstance(selector, RFS) else {"views": codes}
    shuffled = {} if isinstance(selector, RFS) else {"views": codes[columns]}
    plain = fresh(selector, **views).fit(X, y)
    other = fresh(selector, **shuffled).fit(X[rows][:, columns], y[rows])
    tolerance = 1e-3 if isinstance(selector, SMML) else 1e-8  # the inner machines are solved to 1e-6
    assert_allclose(other.scores_, plain.scores_[columns], rtol=tolerance, atol=tolerance)
    assert_allclose(other.objective_[-1], plain.objective_[-1], rtol=tolerance)


@pytest.mark.parametrize("selector", SUPERVISED, ids=lambda s: type(s).__name__)
def test_class_names_do_not_matter(selector, wine):
    X, y = wine
    named = selector.fit(X, np.array(["zebra", "ape", "gnu"])[y])
    scores = named.scores_
    assert_array_equal(named.classes_, ["ape", "gnu", "zebra"])
    tolerance = 1e-3 if isinstance(selector, SMML) else 1e-8
    assert_allclose(selector.fit(X, 10 * y - 3).scores_, scores, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("n_rows", [40, 8], ids=["n>d", "n<d"])
@pytest.mark.parametrize("selector", SUPERVISED, ids=lambda s: type(s).__name__)
def test_sparse_equals_dense_and_is_never_made_dense(selector, n_rows, monkeypatch):
    rng = np.random.default_rng(3)
    y = np.arange(n_rows) % 3
    X = rng.normal(size=(n_rows, 13)) * (rng.random((n_rows, 13)) < 0.3)
    dense = fresh(selector).fit(X, y)
    small = sp.csr_array.toarray

    def guarded(matrix, *args, **kwargs):
        assert matrix.shape != X.shape
        return small(matrix, *args, **kwargs)

    monkeypatch.setattr(sp.csr_array, "toarray", guarded)
    sparse = fresh(selector).fit(sp.csr_array(X), y)
    tolerance = 1e-3 if isinstance(selector, SMML) else 1e-7
    assert_allclose(sparse.scores_, dense.scores_, rtol=tolerance, atol=tolerance)
    assert_allclose(sparse.objective_, dense.objective_, rtol=tolerance)


def test_n_jobs_changes_nothing(wine):
    one, two = (RRMVFS(VIEWS, n_jobs=n_jobs).fit(*wine) for n_jobs in (1, 2))
    assert_array_equal(one.coef_, two.coef_)
    assert_array_equal(one.objective_, two.objective_)
    assert_array_equal(one.ranking_, two.ranking_)


@pytest.mark.parametrize("selector", ALL, ids=lambda s: type(s).__name__)
def test_constant_columns_score_zero_and_rank_last(selector, wine):
    X, y = wine
    X = X.copy()
    X[:, [2, 5, 6, 7, 8]] = 0.1  # one column, and a whole view
    fitted = fresh(selector).fit(X, y)
    assert_array_equal(fitted.scores_[[2, 5, 6, 7, 8]], 0)
    assert_array_equal(fitted.ranking_[-5:], [2, 5, 6, 7, 8])


@pytest.mark.parametrize("selector", ALL, ids=lambda s: type(s).__name__)
def test_one_sample_per_class(selector):
    X = np.random.default_rng(4).normal(size=(4, 13))
    fitted = fresh(selector).fit(X, [3, 1, 7, 5])  # codes with gaps: no class is expected that is not there
    assert np.isfinite(fitted.scores_).all() and len(set(fitted.ranking_)) == 13


@pytest.mark.parametrize("selector", SUPERVISED, ids=lambda s: type(s).__name__)
def test_huge_penalty_warns_and_still_ranks(selector, wine):
    name = "gamma" if isinstance(selector, RFS) else "gamma2"
    with pytest.warns(UserWarning, match="all coefficients are zero"):
        fitted = fresh(selector, **{name: 1e5}).fit(*wine)
    assert_array_equal(np.sort(fitted.ranking_), np.arange(13))


@pytest.mark.parametrize("selector", SUPERVISED, ids=lambda s: type(s).__name__)
def test_default_penalties_do_not_kill_everything(selector, wine):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        fresh(selector).fit(*wine)


@pytest.mark.parametrize("selector", [s for s in SUPERVISED if not isinstance(s, RFS)], ids=lambda s: type(s).__name__)
def test_one_penalty_may_be_zero_but_not_both(selector, wine):
    for gammas in ({"gamma1": 0.0}, {"gamma2": 0.0}):
        assert np.isfinite(fresh(selector, **gammas).fit(*wine).scores_).all()
    with pytest.raises(ValueError, match="gamma1 and gamma2 must not be zero together"):
        fresh(selector, gamma1=0, gamma2=0).fit(*wine)
    with pytest.raises(ValueError, match=r"gamma2=-1 must be a finite number"):
        fresh(selector, gamma2=-1).fit(*wine)
    with pytest.raises(ValueError, match=r"gamma1='0.1' must be a finite number"):
        fresh(selector, gamma1="0.1").fit(*wine)


def test_both_readings_of_rrmvfs(wine):
    corrected, published = (RRMVFS(VIEWS, reading=reading).fit(*wine) for reading in ("corrected", "published"))
    assert_array_equal(corrected.objective_[0], published.objective_[0])  # before the first step there is no other W
    assert not np.allclose(corrected.objective_[1:3], published.objective_[1:3])
    with pytest.raises(ValueError, match="reading='both'"):
        RRMVFS(VIEWS, reading="both").fit(*wine)


def test_rfs_needs_a_penalty(wine):
    with pytest.raises(ValueError, match="gamma must not be zero"):
        RFS(gamma=0).fit(*wine)


@pytest.mark.parametrize("selector", ALL, ids=lambda s: type(s).__name__)
def test_bad_input_is_refused(selector, wine):
    X, y = wine
    broken = X.copy()
    broken[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        fresh(selector).fit(broken, y)
    if not isinstance(selector, WMCFS):
        with pytest.raises(ValueError, match=r"one class only \(0\.0\)"):
            fresh(selector).fit(X, np.zeros(len(y)))
    for wrong in ({"max_iter": 0}, {"max_iter": 2.5}, {"tol": None}, {"tol": np.nan}):
        (name,) = wrong
        with pytest.raises(ValueError, match=f"{name}=.* must be"):
            fresh(selector, **wrong).fit(X, y)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        fresh(selector).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="mixes classes without a common order"):
        fresh(selector).fit(X, np.where(y == 0, 0, np.array(["a", "b", "c"], dtype=object)[y]))
    if not isinstance(selector, RFS):
        with pytest.raises(ValueError, match="in no view"):
            fresh(selector, views=VIEWS[:2]).fit(X, y)


@pytest.mark.parametrize("selector", ALL, ids=lambda s: type(s).__name__)
def test_stopping_early_is_said(selector, wine):
    X, y = wine
    with pytest.warns(ConvergenceWarning, match="max_iter=1 "):
        fitted = fresh(selector, max_iter=1).fit(X, y)
    assert not fitted.converged_ and fitted.n_iter_ == len(fitted.objective_) == 1


@pytest.mark.parametrize("selector", ALL, ids=lambda s: type(s).__name__)
def test_does_not_write_to_read_only_input(selector, wine):
    X, y = (array.copy() for array in wine)
    X.flags.writeable = y.flags.writeable = False
    fresh(selector).fit(X, y)


def test_views_by_name_in_a_pipeline_under_a_grid_search(wine):
    X, y = wine
    first = pd.DataFrame(X[:, :6], columns=[f"shape_{i}" for i in range(6)])
    second = pd.DataFrame(X[:, 6:], columns=[f"colour_{i}" for i in range(7)])
    views = {"shape": list(first.columns), "colour": list(second.columns)}
    table = first.join(second)
    pipeline = make_pipeline(
        StandardScaler().set_output(transform="pandas"),
        RRMVFS(views, n_features_to_select=0.5),
        KNeighborsClassifier(1),
    )
    search = GridSearchCV(pipeline, {"rrmvfs__gamma1": [0.01, 1.0]}, cv=3).fit(table, y)
    selector = search.best_estimator_["rrmvfs"]
    assert set(selector.get_feature_names_out()) == set(table.columns[selector.support_])
    assert selector.view_weights_.shape == (2,)
