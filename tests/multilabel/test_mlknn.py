import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fslib.evaluation.multilabel_metrics import micro_f1_of_known_labels
from fslib.multilabel import MLMLFS
from fslib.multilabel.mlknn import MLkNN, mlknn_sweep


def literal_mlknn(X, Y, x, k, s):
    """The paper's equations, one label and one sample at a time; unknown entries are passed over."""
    n, c = Y.shape

    def votes(point, label, without):
        distance = [(np.sum((X[j] - point) ** 2), j) for j in range(n) if j != without]
        return sum(Y[j, label] == 1 for _, j in sorted(distance)[:k])

    probability = np.empty(c)
    for label in range(c):
        known = [i for i in range(n) if not np.isnan(Y[i, label])]
        prior = (s + sum(Y[i, label] for i in known)) / (2 * s + len(known))
        tables = {0: np.zeros(k + 1), 1: np.zeros(k + 1)}
        for i in known:
            tables[int(Y[i, label])][votes(X[i], label, i)] += 1
        likelihood = {v: (s + t) / (s * (k + 1) + t.sum()) for v, t in tables.items()}
        q = votes(x, label, None)
        present, absent = prior * likelihood[1][q], (1 - prior) * likelihood[0][q]
        probability[label] = present / (present + absent)
    return probability


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("s", [1.0, 0.3])
def test_is_the_papers_rule_written_out(missing, s):
    rng = np.random.default_rng(0)
    X = rng.integers(3, size=(30, 3)).astype(float)  # many ties
    Y = (rng.random((30, 4)) < 0.4).astype(float)
    Y[rng.random(Y.shape) < missing] = np.nan
    tests = rng.integers(3, size=(6, 3)).astype(float)
    expected = [literal_mlknn(X, Y, x, 5, s) for x in tests]
    fitted = MLkNN(n_neighbors=5, s=s).fit(X, Y)
    assert_allclose(fitted.predict_proba(tests), expected, rtol=1e-12)
    assert_array_equal(fitted.predict(tests), np.array(expected) >= 0.5)
    of_sparse = MLkNN(n_neighbors=5, s=s).fit(sparse.csr_array(X), Y).predict_proba(sparse.csr_array(tests))
    assert_allclose(of_sparse, expected, rtol=1e-12)


def test_sweep_is_mlknn_on_the_leading_columns_for_every_label_set():
    rng = np.random.default_rng(1)
    X, Z = rng.normal(size=(40, 5)), rng.normal(size=(7, 5))
    full = (rng.random((40, 3)) < 0.4).astype(float)
    partial = np.where(rng.random(full.shape) < 0.5, np.nan, full)
    order = [2, 4, 0]
    sweep = mlknn_sweep(X, {"full": full, "partial": partial}, Z, order, n_neighbors=4)
    for k, found in enumerate(sweep, start=1):
        columns = order[:k]
        for name, Y in (("full", full), ("partial", partial)):
            fitted = MLkNN(n_neighbors=4).fit(X[:, columns], Y)
            assert_allclose(found[name], fitted.predict_proba(Z[:, columns]), rtol=1e-12)


def test_sweep_stops_at_the_asked_sizes_only():
    rng = np.random.default_rng(2)
    X, Z, Y = rng.normal(size=(30, 4)), rng.normal(size=(5, 4)), (rng.random((30, 2)) < 0.5).astype(float)
    every = list(mlknn_sweep(X, {"": Y}, Z, [3, 0, 2, 1]))
    some = list(mlknn_sweep(X, {"": Y}, Z, [3, 0, 2, 1], sizes={2, 4}))
    assert len(some) == 2
    assert_array_equal(some[0][""], every[1][""])
    assert_array_equal(some[1][""], every[3][""])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"label_sets": {"": np.zeros((20, 2))}}, ValueError, "inconsistent numbers of samples"),
        ({"X_test": np.full((2, 3), np.nan)}, ValueError, "NaN"),
        ({"X_train": sparse.csr_array((30, 3))}, TypeError, "[Ss]parse"),
    ],
)
def test_sweep_refuses_what_mlknn_refuses(change, error, message):
    given = {"X_train": np.zeros((30, 3)), "label_sets": {"": np.zeros((30, 2))}, "X_test": np.zeros((2, 3))}
    with pytest.raises(error, match=message):
        list(mlknn_sweep(**given | change, order=[0, 1]))


def test_a_label_without_positives_is_never_predicted():
    X = np.arange(12.0)[:, None]
    Y = np.column_stack([np.zeros(12), np.arange(12) > 5])
    assert MLkNN(n_neighbors=3).fit(X, Y).predict(X)[:, 0].sum() == 0


@pytest.mark.parametrize("fitted_on", [np.asarray, sparse.csr_array])
def test_dense_and_sparse_may_meet(fitted_on):
    rng = np.random.default_rng(3)
    X, Y = rng.integers(3, size=(30, 3)).astype(float), (rng.random((30, 2)) < 0.5).astype(float)
    fitted = MLkNN(n_neighbors=4).fit(fitted_on(X), Y)
    expected = MLkNN(n_neighbors=4).fit(X, Y).predict_proba(X[:7])
    for container in (np.asarray, sparse.csr_array, sparse.csc_matrix):
        assert_allclose(fitted.predict_proba(container(X[:7])), expected, rtol=1e-12)


def test_parameters_are_searched_though_labels_are_unknown():
    """The whole pipeline on incomplete labels: no fold is stratified by them, no unknown one is judged."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(90, 6))
    y = (X[:, :2] > 0).astype(float)
    y[rng.random(y.shape) < 0.3] = np.nan
    pipeline = make_pipeline(StandardScaler(), MLMLFS(n_features_to_select=1), MLkNN(5))
    numbers = {"mlmlfs__n_features_to_select": [1, 2]}
    search = GridSearchCV(pipeline, numbers, cv=KFold(3), scoring=micro_f1_of_known_labels, error_score="raise")
    search.fit(pd.DataFrame(X).add_prefix("f"), pd.DataFrame(y))
    assert search.best_params_ == {"mlmlfs__n_features_to_select": 2}
    assert set(search.best_estimator_[:2].get_feature_names_out()) == {"f0", "f1"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 4}, "from 1 to 3"),
        ({"n_neighbors": True}, "n_neighbors=True must be"),
        *(({"s": s}, f"s={s!r} must be") for s in (0, np.inf, np.nan, "1", None)),
    ],
)
def test_bad_parameters(options, message):
    options = {"n_neighbors": 2} | options
    with pytest.raises(ValueError, match=message):
        MLkNN(**options).fit(np.eye(4), np.eye(4))
