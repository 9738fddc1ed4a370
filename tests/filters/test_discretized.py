import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.decomposition import PCA
from sklearn.feature_selection import VarianceThreshold
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.filters import MRMR, BayesGreedy, Discretized, MIScore


@parametrize_with_checks([Discretized(MIScore())])
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "selector", [BayesGreedy(n_features_to_select=3), MRMR(n_features_to_select=3), MIScore(n_features_to_select=3)]
)
def test_selects_as_the_filter_on_levels_and_keeps_the_values(selector):
    X, y = load_wine(return_X_y=True)
    fitted = Discretized(selector).fit(X, y)
    by_hand = clone(selector).fit(ThreeLevelDiscretizer().fit_transform(X), y)
    assert_array_equal(fitted.ranking_, by_hand.ranking_)
    assert_array_equal(fitted.transform(X), X[:, by_hand.support_])


def test_learns_nothing_from_rows_it_was_not_fitted_on():
    X, y = load_wine(return_X_y=True)
    train = np.arange(0, len(y), 2)
    moved = X.copy()
    moved[1::2] *= 100
    first, second = (Discretized(BayesGreedy(n_features_to_select=4)).fit(data[train], y[train]) for data in (X, moved))
    assert_array_equal(first.ranking_, second.ranking_)


def test_names_discretizer_and_grid_search():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    bins = KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf")
    model = make_pipeline(
        Discretized(BayesGreedy(n_features_to_select=2), discretizer=bins), StandardScaler(), LogisticRegression()
    )
    search = GridSearchCV(model, {"discretized__selector__n_features_to_select": [1, 4]}, cv=3).fit(X, y)
    chosen = search.best_estimator_[0]
    assert chosen.get_feature_names_out().tolist() == X.columns[chosen.support_].tolist()
    assert chosen.support_.sum() == search.best_params_["discretized__selector__n_features_to_select"]
    assert cross_val_score(model, X, y, cv=3).mean() > 0.85


def test_sparse_counts_stay_sparse():
    rng = np.random.default_rng(0)
    X = sp.random_array((60, 9), density=0.3, rng=rng, format="csr", data_sampler=lambda size: rng.integers(1, 5, size))
    y = (X[:, [2]].toarray().ravel() > 0).astype(int)
    fitted = Discretized(MIScore(n_features_to_select=2)).fit(X, y)
    assert fitted.ranking_[0] == 2
    assert sp.issparse(fitted.transform(X))


@pytest.mark.parametrize(
    "discretizer",
    [KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf"), PCA(2), PCA(13), VarianceThreshold(1.0)],
    ids=lambda d: type(d).__name__,
)
def test_a_transformer_that_makes_other_features_is_refused(discretizer):
    """Their positions would be taken for those of the features."""
    X, y = load_wine(return_X_y=True)
    advice = "encode='ordinal'" if isinstance(discretizer, KBinsDiscretizer) else ""
    with pytest.raises(ValueError, match=rf"{type(discretizer).__name__} (made|gives).*{advice}"):
        Discretized(MIScore(n_features_to_select=2), discretizer=discretizer).fit(X, y)


def test_a_discretiser_that_does_not_name_its_outputs_is_accepted():
    X, y = load_wine(return_X_y=True)
    halves = FunctionTransformer(lambda X: (X > np.median(X, axis=0)).astype(int))
    assert Discretized(MIScore(n_features_to_select=2), discretizer=halves).fit(X, y).support_.sum() == 2


@pytest.mark.parametrize("as_frame", [False, True])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_the_feature_with_an_empty_cell_is_named(as_frame, value):
    X, y = load_wine(return_X_y=True, as_frame=True)
    X.iloc[3, 4] = value
    name = "'magnesium'" if as_frame else "4"
    with pytest.raises(ValueError, match=rf"(NaN|infinity) in column {name} \(1 cell\)"):
        Discretized(MIScore()).fit(X if as_frame else X.to_numpy(), y)
