import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn.exceptions import ConvergenceWarning

from fslib.multilabel.cmfs import CMFS, draw_start, scaled_to_unit
from fslib.multilabel.cmfs_updates import FiveFactors, PublishedFactors
from fslib.solvers.similarity import CosineSimilarity, NormalizedLaplacian

WEIGHTS = {"alpha": 0.7, "beta": 0.6, "epsilon": 0.4, "gamma": 0.5}


def make(n=30, d=12, n_labels=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) * (rng.random((n, d)) < 0.5)
    return X, (rng.random((n, n_labels)) < 0.3).astype(float)


def factors_of(kind, X, Y, seed=0, c=3, **weights):
    start = draw_start(X, Y, c, np.random.default_rng(seed), kind is PublishedFactors)
    return kind(X, Y, start, **{**WEIGHTS, **weights})


def objective(X, Y, V, L, Q, P, B, *, alpha, beta, epsilon, gamma, ridge=0.0):
    """The definition, written out with the n x n similarity; the norm of a column of Q smoothed by 1e-8."""
    U = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    S = U @ U.T
    labels = V @ P @ B
    smooth = 0.5 * np.sum(S * cdist(labels, labels, "sqeuclidean"))
    columns = np.sqrt(np.sum(Q**2, axis=0) + 1e-16).sum()
    fit = np.sum((X - V @ L @ Q) ** 2) + alpha * np.sum((Y - labels) ** 2) + beta * np.sum((L - P) ** 2)
    return fit + epsilon * smooth + gamma * columns + ridge * sum(np.sum(F**2) for F in (V, L, P))


def test_objective_is_its_definition():
    X, Y = make()
    for weights in (WEIGHTS, {**WEIGHTS, "ridge": 0.3}):
        f = factors_of(FiveFactors, X, Y, **weights)
        f.sweep()
        f.sweep()
        assert f.objective() == pytest.approx(objective(X, Y, f.V, f.L, f.Qt.T, f.P, f.B, **weights), rel=1e-10)


def numerical_gradient(function, F, step=1e-6):
    gradient = np.empty_like(F)
    for index in np.ndindex(F.shape):
        up, down = F.copy(), F.copy()
        up[index] += step
        down[index] -= step
        gradient[index] = (function(up) - function(down)) / (2 * step)
    return gradient


def ratios(kind, X, Y, names="VLQPB"):
    """Each factor's multiplier in its first update, and its gradient where the update was made."""
    found = {}
    for name in names:
        f = factors_of(kind, X, Y)
        parts = {"V": f.V, "L": f.L, "Q": f.Qt, "P": f.P, "B": f.B}
        before = {k: v.copy() for k, v in parts.items()}
        f.sweep()  # V, Q, B, L, P in turn: for each, undo the updates after it
        order = "VQBLP"
        at = {k: (parts[k] if order.index(k) < order.index(name) else before[k]) for k in order}

        def value(F, at=at, name=name):
            now = {**at, name: F}
            return objective(X, Y, now["V"], now["L"], now["Q"].T, now["P"], now["B"], **WEIGHTS)

        found[name] = parts[name] / before[name], numerical_gradient(value, before[name])
    return found


def test_updates_follow_the_gradient():
    """A multiplier above 1 exactly where the objective falls: it is the ratio of the gradient's two parts."""
    for multiplier, gradient in ratios(FiveFactors, *make()).values():
        clear = np.abs(gradient) > 1e-5
        assert clear.mean() > 0.9
        assert_array_equal(np.sign(1 - multiplier[clear]), np.sign(gradient[clear]))


def test_updates_as_published_do_not():
    """Eqs. 5.1.5 lack transposes."""
    wrong = [np.mean(np.sign(1 - m) != np.sign(g)) for m, g in ratios(PublishedFactors, *make()).values()]
    assert max(wrong) > 0.1


def test_sweeps_lead_to_a_stationary_point():
    """Complementarity, factor times gradient of the definition, falls below 2 % of what it was at the start."""
    X, Y = make()
    f = factors_of(FiveFactors, X, Y, ridge=0.5, c=2)

    def slack():
        factors = {"V": f.V, "L": f.L, "Q": f.Qt.T.copy(), "P": f.P, "B": f.B}
        found = []
        for name, F in factors.items():
            value = lambda G, name=name: objective(X, Y, **{**factors, name: G}, **WEIGHTS, ridge=0.5)
            found.append(np.abs(numerical_gradient(value, F) * F).max())
        return np.array(found)

    start = slack()
    for _ in range(4000):
        f.sweep()
    assert np.all(slack() < 0.02 * start)


@pytest.mark.parametrize(
    "weights", [{}, {"alpha": 100.0}, {"epsilon": 10.0, "gamma": 0.0}, {"gamma": 20.0}, {"ridge": 1.0}]
)
@pytest.mark.parametrize("seed", range(3))
def test_objective_never_rises(seed, weights):
    X, Y = make(seed=seed)
    f = factors_of(FiveFactors, X, Y, seed=seed, **weights)
    values = [f.objective()]
    for _ in range(150):
        f.sweep()
        values.append(f.objective())
    assert np.all(np.diff(values) <= 1e-10 * np.abs(values[:-1]))


def test_objective_rises_under_the_published_updates():
    rises = 0
    for seed in range(6):
        X, Y = make(seed=seed)
        f = factors_of(PublishedFactors, X, Y, seed=seed)
        values = []
        for _ in range(60):
            f.sweep()
            values.append(f.objective())
        assert np.isfinite(values).all()
        rises += np.sum(np.diff(values) > 1e-6 * np.abs(values[:-1]))
    assert rises > 5


def test_published_updates_are_the_printed_ones():
    """One sweep, typed from Eq. 5.1.6 with every matrix at its full size."""
    X, Y = make()
    a, b, e, g = WEIGHTS.values()
    V, L, Qt, P, B = (F.copy() for F in draw_start(X, Y, 3, np.random.default_rng(0), published=True))
    Q, U = Qt.T, X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    S = U @ U.T
    G = np.diag(S.sum(axis=0))
    f = factors_of(PublishedFactors, X, Y)
    f.sweep()
    up, down = X @ Q.T @ L + a * Y @ B.T @ P + e * S @ V @ P @ B @ B.T @ P.T, V @ L @ Q @ Q.T @ L.T
    V = V * up / (down + a * V @ P @ B @ B.T @ P.T + e * G @ V @ P @ B @ B.T @ P.T)
    D = np.diag(1 / (2 * np.linalg.norm(Q, axis=1)))
    Q = Q * ((V @ L).T @ X) / ((V.T @ V @ L @ L.T + g * D) @ Q)
    up = a * (V @ P).T @ Y + e * V.T @ S @ V @ P @ P.T @ B
    B = B * up / (a * V.T @ V @ P @ P.T @ B + e * V.T @ G @ V @ P @ P.T @ B)
    L = L * (Q @ X.T @ V + b * P) / (L @ V.T @ V @ Q @ Q.T + b * L)
    up = a * B @ (Y.T @ V) + e * V.T @ S @ V @ P @ B @ B.T + b * L
    P = P * up / (a * P @ V.T @ V @ B @ B.T + e * V.T @ G @ V @ P @ B @ B.T + b * P)
    for mine, typed in zip((f.V, f.Qt.T, f.B, f.L, f.P), (V, Q, B, L, P), strict=True):
        assert_allclose(mine, typed, rtol=1e-9)


def test_a_zero_column_and_an_empty_label_do_not_break_it():
    X, Y = make()
    X[:, 4], X[3], Y[:, 2] = 0, 0, 0
    for reading in ("corrected", "published"):
        fitted = CMFS(reading=reading, tol=0, random_state=0).fit(X, Y)
        assert np.isfinite(fitted.objective_).all()
        assert fitted.scores_[4] < 1e-12
        completed = (fitted.V_ @ fitted.P_ @ fitted.B_).max(axis=0)
        assert completed[2] < 0.1 * np.delete(completed, 2).min()


def test_score_does_not_change_when_scale_moves_between_the_factors():
    X, Y = make()
    f = factors_of(FiveFactors, X, Y)
    f.sweep()
    before = f.scores()
    units = np.array([0.1, 3.0, 7.0])
    moved = FiveFactors(X, Y, (f.V, f.L / units, f.Qt * units, f.P, f.B), **WEIGHTS)
    assert_allclose(moved.scores(), before, rtol=1e-12)
    assert_allclose(before, np.linalg.norm(np.linalg.norm(f.V @ f.L, axis=0)[:, None] * f.Qt.T, axis=0), rtol=1e-10)


def test_sparse_x_two_threads_and_single_precision_give_the_same():
    X, Y = make(60, 40)
    fit = lambda X, **o: CMFS(max_iter=20, tol=0, random_state=0, **o).fit(X, Y)
    dense = fit(X)
    for other in (fit(sparse.csr_array(X)), fit(sparse.csr_array(X), n_jobs=2)):
        assert_allclose(other.scores_, dense.scores_, rtol=1e-9)
    single = fit(sparse.csr_array(X.astype(np.float32)))
    assert single.Q_.dtype == np.float32
    assert_allclose(single.scores_, dense.scores_, rtol=2e-3)


@pytest.mark.parametrize("seed", range(3))
def test_labels_hardly_matter_unless_they_are_given_weight(seed):
    """The finding of the chapter: at the usual alpha the ranking is that by the mean, also for permuted labels."""
    rng = np.random.default_rng(seed)
    X = (rng.random((200, 100)) < 0.6 * rng.random(100) ** 3).astype(float)
    chosen = np.argsort(X.mean(axis=0))[30:34]
    Y, permuted = X[:, chosen], X[rng.permutation(200)][:, chosen]
    fit = lambda Y, alpha: CMFS(n_features_to_select=10, alpha=alpha, tol=1e-3, random_state=0).fit(X, Y)
    usual = fit(Y, 0.1)
    assert_array_equal(fit(permuted, 0.1).support_, usual.support_)
    assert spearmanr(usual.scores_, X.mean(axis=0)).statistic > 0.98
    place = lambda fitted: np.argsort(fitted.ranking_)[chosen].mean()
    assert place(fit(Y, "balanced")) < place(fit(permuted, "balanced")) - 10


def test_minmax_of_sparse_x_is_that_of_dense_x():
    X = np.array([[1.0, 0.0, 2.0], [3.0, 4.0, 2.0], [2.0, 1.0, 2.0]])
    assert_allclose(scaled_to_unit(sparse.csr_array(X)).toarray(), scaled_to_unit(X), atol=1e-15)
    with pytest.raises(ValueError, match="would make it dense"):
        scaled_to_unit(sparse.csr_array(-X))


def test_similarity_and_laplacian_are_those_of_full_matrices():
    X, _ = make()
    X[2] = 0
    S, L = CosineSimilarity(sparse.csr_array(X)), NormalizedLaplacian(CosineSimilarity(X))
    norms = np.linalg.norm(X, axis=1)
    full = (X @ X.T) / np.where(norms > 0, norms, 1)[:, None] / np.where(norms > 0, norms, 1)
    assert_allclose(S @ np.eye(30), full, atol=1e-12)
    assert_allclose(S.degrees, full.sum(axis=1), atol=1e-12)
    root = 1 / np.sqrt(np.where(full.sum(axis=1) > 0, full.sum(axis=1), 1))
    expected = np.diag((norms > 0).astype(float)) - root[:, None] * full * root
    assert_allclose(L @ np.eye(30), expected, atol=1e-12)
    values = np.linalg.eigvalsh(L @ np.eye(30))
    assert values[0] > -1e-12 and values[-1] <= 1 + 1e-12


def test_says_when_it_stops_too_early_and_refuses_what_it_cannot_use():
    X, Y = make()
    with pytest.warns(ConvergenceWarning, match="max_iter=1 sweeps"):
        CMFS(max_iter=1, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="Negative values"):
        CMFS().fit(X - 1, Y)
    for options in ({"alpha": -1}, {"alpha": "auto"}, {"gamma": np.inf}, {"n_components": 0}, {"n_jobs": 0}):
        (name,) = options
        with pytest.raises(ValueError, match=f"^{name}="):
            CMFS(**options).fit(X, Y)


def test_published_updates_that_diverge_say_so():
    rng = np.random.default_rng(0)
    X, Y = rng.random((40, 30)), rng.random((40, 4)) < 0.3
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="diverged within"):
        CMFS(reading="published", alpha=100, n_components=2, max_iter=500, random_state=0).fit(X, Y.astype(int))
