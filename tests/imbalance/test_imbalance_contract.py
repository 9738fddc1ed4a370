"""What scikit-learn, imbalanced-learn and this house ask of every method: a new one is tested by being listed."""

import warnings

import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import make_pipeline
from imblearn.utils.estimator_checks import estimator_checks_generator
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.imbalance import (
    BSNMF,
    CCPDT,
    CSNMF,
    CSPCA,
    DNMF,
    ABCSampling,
    ADASYNWithFallback,
    BalancedIterativeRandomForest,
    PSOSampling,
    ml_cst,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

TRANSFORMERS = [
    CSPCA(),
    CSPCA(n_components=2, reading="published"),
    CSNMF(random_state=0),
    CSNMF(reading="published", random_state=0),
]
SELECTORS = [
    BSNMF(random_state=0),
    BSNMF(reading="published", random_state=0),
    DNMF(max_iter=200, random_state=0),
    BalancedIterativeRandomForest(n_estimators=20, min_features=2, random_state=0),
]
CLASSIFIERS = [CCPDT(), CCPDT(alpha=1.0, weight="rows"), ml_cst()]
BUDGET = {"max_evaluations": 40, "random_state": 0}
SAMPLERS = [
    ABCSampling(n_sources=5, **BUDGET),
    ABCSampling(n_sources=5, reading="published", **BUDGET),
    ABCSampling(n_sources=3, cv=2, estimator=LogisticRegression(), max_evaluations=15, random_state=0),
    PSOSampling(n_particles=5, **BUDGET),
    ADASYNWithFallback(random_state=0),
]
UNDERSAMPLERS = SAMPLERS[:-1]
NON_NEGATIVE = [TRANSFORMERS[2], TRANSFORMERS[3], *SELECTORS[:3]]


@parametrize_with_checks([*TRANSFORMERS, *SELECTORS, *CLASSIFIERS[:-1]])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("estimator", "check"), [pair for sampler in SAMPLERS for pair in estimator_checks_generator(sampler)]
)
def test_imbalanced_learn_contract(estimator, check):
    check(estimator)


def data(n=80, n_rare=16, seed=0):
    """Non-negative rows; the rare class has larger entries in features 2 and 5."""
    rng = np.random.default_rng(seed)
    X, y = rng.gamma(2.0, size=(n, 9)), np.arange(n) < n_rare
    X[np.ix_(y, [2, 5])] += 8
    return X, y


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_finds_the_two_features_in_which_the_rare_class_is_large(selector):
    X, y = data()
    assert_array_equal(clone(selector).set_params(n_features_to_select=2).fit(X, y).get_support(indices=True), [2, 5])


@pytest.mark.parametrize("estimator", [*TRANSFORMERS, *SELECTORS, *CLASSIFIERS, *SAMPLERS], ids=repr)
def test_writes_to_nothing_and_repeats_itself(estimator):
    X, y = data()
    kept = X.copy(), y.copy()
    first = outcome(estimator, X, y)
    assert_array_equal(X, kept[0])
    assert_array_equal(y, kept[1])
    for array in (X, y):
        array.flags.writeable = False
    assert_array_equal(outcome(estimator, X, y), first)


def outcome(estimator, X, y):
    """All that an estimator makes of (X, y)."""
    model = clone(estimator)
    if hasattr(model, "fit_resample"):
        return model.fit_resample(X, y)[0]
    model.fit(X, y)
    return model.transform(X) if hasattr(model, "transform") else model.predict_proba(X)


@pytest.mark.parametrize("estimator", [*TRANSFORMERS, *SELECTORS, *CLASSIFIERS], ids=repr)
def test_names_of_classes_do_not_matter(estimator):
    X, y = data()
    assert_array_equal(outcome(estimator, X, np.where(y, "yes", "no")), outcome(estimator, X, y))


@pytest.mark.parametrize("estimator", [*TRANSFORMERS, *SELECTORS], ids=repr)
def test_frames_keep_their_names(estimator):
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(9)])
    model = clone(estimator).fit(frame, y)
    assert len(model.get_feature_names_out()) == model.transform(frame).shape[1]
    if estimator in SELECTORS:
        assert_array_equal(model.get_feature_names_out(), frame.columns[np.sort(model.ranking_[:4])])


@pytest.mark.parametrize("estimator", [*TRANSFORMERS, *SELECTORS, *CLASSIFIERS[:2]], ids=repr)
def test_one_class_is_refused(estimator):
    X, _ = data()
    with pytest.raises(ValueError, match="one class"):
        clone(estimator).fit(X, np.zeros(80))


@pytest.mark.parametrize("estimator", NON_NEGATIVE, ids=repr)
def test_negative_entries_are_refused(estimator):
    X, y = data()
    X[3, 4] = -0.1
    with pytest.raises(ValueError, match="MinMaxScaler"):
        clone(estimator).fit(X, y)


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_a_feature_of_zeros_ranks_last_and_too_many_are_refused(selector):
    X, y = data()
    X[:, 0] = 0
    assert clone(selector).fit(X, y).scores_[0] == 0
    with pytest.raises(ValueError, match="not between 1 and the 9 features"):
        clone(selector).set_params(n_features_to_select=10).fit(X, y)


@pytest.mark.parametrize("sampler", UNDERSAMPLERS, ids=repr)
def test_keeps_the_best_ranked_of_the_common_class_and_all_of_the_rare(sampler):
    X, y = data()
    model = clone(sampler)
    X_kept, y_kept = model.fit_resample(X, y)
    assert_array_equal(X_kept, X[model.sample_indices_])
    assert_array_equal(y_kept, y[model.sample_indices_])
    assert_array_equal(np.sort(model.ranking_), np.flatnonzero(~y))
    assert set(model.sample_indices_) == {*np.flatnonzero(y), *model.ranking_[:16]}
    assert model.n_evaluations_ == sampler.max_evaluations and np.all(np.diff(model.history_[False]) >= 0)


LOGISTIC = LogisticRegression(class_weight="balanced")
PIPELINES = [[m, LOGISTIC] for m in (*TRANSFORMERS, *SELECTORS, *SAMPLERS)] + [
    [StandardScaler(), c] for c in CLASSIFIERS
]


@pytest.mark.parametrize("step", PIPELINES, ids=repr)
def test_labels_that_mean_nothing_give_chance_on_other_rows(step):
    values = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.gamma(2.0, size=(640, 9)), rng.permutation(np.arange(640) % 5 == 0)
        model = make_pipeline(MinMaxScaler(clip=True), *[clone(part) for part in step]).fit(X[:240], y[:240])
        values.append(roc_auc_score(y[240:], model.predict_proba(X[240:])[:, 1]))
    assert abs(np.mean(values) - 0.5) < 0.055  # 80 against 320 rows: the mean of six has a deviation of 0.015


def test_the_same_pipelines_learn_from_true_labels():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        X, y = data(240, 48)
        X_test, y_test = data(240, 48, 1)
        for step in PIPELINES:
            model = make_pipeline(MinMaxScaler(clip=True), *[clone(part) for part in step]).fit(X, y)
            assert roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]) > 0.9, step
