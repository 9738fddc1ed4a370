import numpy as np
import pytest
from imblearn.pipeline import make_pipeline
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from fslib.multilabel.binary_relevance import BinaryRelevance, LabelChain
from fslib.multilabel.cocoa import COCOA, best_threshold, equal_parts
from fslib.multilabel.irus import InverseRandomUnderSampling, inverted_size
from fslib.multilabel.label_imbalance import imbalance_ratios, minority_labels
from fslib.multilabel.mlsmote import MLSMOTE
from fslib.multilabel.mmib import MMIB, label_rewards, label_weights, neighbor_weights, normalized_edges
from fslib.multilabel.mmib_solver import Edges, SumBounds, solve_mmib

LEARNERS = [
    BinaryRelevance(),
    LabelChain(random_state=0),
    InverseRandomUnderSampling(n_estimators=5, random_state=0),
    COCOA(random_state=0),
]


def make(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    Y = (X[:, :4] + [0.0, 0.0, -1.2, -1.5] + 0.2 * rng.normal(size=(n, 4)) > 0).astype(int)
    return X, Y


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_labels_that_are_constant_in_training_have_a_fixed_answer_and_rank(learner):
    X, Y = make()
    Y = np.column_stack([np.zeros(120, int), Y, np.ones(120, int)])
    fitted = clone(learner).fit(X[:80], Y[:80])
    predicted, scores = fitted.predict(X[80:]), fitted.decision_function(X[80:])
    assert not predicted[:, 0].any() and predicted[:, -1].all()
    assert (scores[:, 0] < scores[:, 1:].min(axis=1)).all()
    assert (scores[:, -1] > scores[:, :-1].max(axis=1)).all()
    assert roc_auc_score(Y[80:, 1:5], scores[:, 1:5]) > 0.85


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_only_constant_labels_and_a_single_varying_one(learner):
    X, Y = make()
    assert_array_equal(clone(learner).fit(X, np.tile([1, 0], (120, 1))).predict(X[:2]), [[1, 0], [1, 0]])
    one = np.column_stack([Y[:, 0], np.zeros(120, int)])
    assert np.mean(clone(learner).fit(X, one).predict(X) == one) > 0.8


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_repeats_itself_and_takes_sparse_x(learner):
    X, Y = make()
    X = np.maximum(X, 0)
    first = clone(learner).fit(X, Y).decision_function(X)
    assert_array_equal(clone(learner).fit(X, Y).decision_function(X), first)
    by_sparse = clone(learner).fit(sparse.csr_array(X), Y).predict(sparse.csr_array(X))
    assert np.mean(by_sparse == (first > 0)) > 0.97


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_unknown_labels_are_refused(learner):
    X, Y = make()
    with pytest.raises(ValueError, match="1 unknown labels"):
        clone(learner).fit(X, np.where(np.arange(480).reshape(120, 4) == 3, np.nan, Y))


def test_binary_relevance_is_one_machine_per_label():
    X, Y = make()
    scores = BinaryRelevance().fit(X, Y).decision_function(X)
    for j in range(4):
        assert_allclose(scores[:, j], SVC(kernel="linear").fit(X, Y[:, j]).decision_function(X), atol=1e-9)
    by_sparse = BinaryRelevance().fit(sparse.csr_array(X), Y).decision_function(X)
    machine = LinearSVC(loss="hinge", dual=True, max_iter=5000, random_state=0)
    assert_allclose(by_sparse[:, 1], machine.fit(sparse.csr_array(X), Y[:, 1]).decision_function(X), atol=1e-9)


def test_imbalance_ratios_by_hand():
    Y = np.array([[1, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 1]])
    assert imbalance_ratios(Y) == (4.0, 4.0, 4.0, 1)
    assert_array_equal(minority_labels(Y), [0])  # ratios 4, 1, -, 1: mean 2


class TestMLSMOTE:
    def test_synthetic_samples_lie_between_samples_of_their_label_with_plausible_labels(self):
        rng = np.random.default_rng(0)
        X = np.column_stack([rng.normal(size=100), rng.integers(0, 2, 100)])
        Y = np.column_stack([rng.random(100) < 0.6, rng.random(100) < 0.5, np.arange(100) < 9]).astype(int)
        more, labels = MLSMOTE(random_state=0).fit_resample(X, Y)
        assert_array_equal(more[:100], X)
        assert_array_equal(labels[:100], Y)
        new, new_labels = more[100:], labels[100:]
        bag = X[:9]
        assert len(new) == 9  # one per sample of the one rare label
        assert np.all((new[:, 0] >= bag[:, 0].min()) & (new[:, 0] <= bag[:, 0].max()))
        assert set(new[:, 1]) <= {0.0, 1.0}
        assert new_labels[:, 2].all()  # all of a bag have its label, so the majority has
        distances = np.linalg.norm(bag[:, None] - bag, axis=2) + np.diag(np.full(9, np.inf))
        for i in range(9):  # labels of more than half of the sample and its five neighbours
            near = np.argsort(distances[i], kind="stable")[:5]
            assert_array_equal(new_labels[i], (Y[i] + Y[near].sum(axis=0) > 3).astype(int))

    def test_label_of_one_sample_and_balanced_labels_get_none(self):
        X, Y = np.arange(8.0)[:, None], np.tile([[1, 0], [0, 1]], (4, 1))
        assert MLSMOTE().fit_resample(X, Y)[0].shape == (8, 1)
        lonely = np.column_stack([Y, np.arange(8) == 0]).astype(int)
        sampler = MLSMOTE()
        sampler.fit_resample(X, lonely)
        assert (sampler.n_synthetic_, sampler.minority_.tolist()) == (0, [2])

    def test_sparse_x_gives_what_dense_x_gives(self):
        X, Y = make()
        X = np.maximum(X, 0)
        dense, labels = MLSMOTE(random_state=0).fit_resample(X, Y)
        stacked, sparse_labels = MLSMOTE(random_state=0).fit_resample(sparse.csr_array(X), Y)
        assert sparse.issparse(stacked)
        assert_allclose(stacked.toarray(), dense)
        assert_array_equal(sparse_labels, labels)

    def test_never_touches_test_rows(self):
        """In a pipeline of imbalanced-learn only fit resamples: each test row is predicted as it is."""
        X, Y = make()
        seen = []

        class Recorder(BinaryRelevance):
            def fit(self, X, y):
                seen.append(X)
                return super().fit(X, y)

            def predict(self, X):
                seen.append(X)
                return super().predict(X)

        model = make_pipeline(MLSMOTE(random_state=0), Recorder()).fit(X[:80], Y[:80])
        assert model.predict(X[80:]).shape == (40, 4)
        assert len(seen[0]) > 80
        assert_array_equal(seen[0][:80], X[:80])
        assert_array_equal(seen[1], X[80:])


class TestInverseUndersampling:
    @pytest.mark.parametrize(("n_rare", "n_common"), [(20, 80), (3, 1000), (50, 50)])
    def test_imbalance_is_inverted(self, n_rare, n_common):
        m = inverted_size(n_rare, n_common)
        assert n_rare / m <= n_common / n_rare * (1 + 1e-12) or m == 1
        assert m == 1 or n_rare / (m - 1) > n_common / n_rare

    def test_every_sample_of_the_majority_is_used_about_equally_often(self):
        used = []

        class Recorder(DecisionTreeClassifier):
            def fit(self, X, y):
                used.append((X[:, 0].astype(int), y))
                return super().fit(X, y)

        X, y = np.arange(103.0)[:, None], (np.arange(103) < 13).astype(int)
        InverseRandomUnderSampling(estimator=Recorder(), n_estimators=50, random_state=0).fit(X, y[:, None])
        assert len(used) == 50
        for rows, labels in used:
            assert set(range(13)) <= set(rows) and labels.sum() == 13 and len(rows) == 13 + 2
        counts = np.bincount(np.concatenate([rows for rows, _ in used]), minlength=103)[13:]
        assert counts.max() - counts.min() <= 1

    def test_a_label_that_most_have_swaps_the_roles(self):
        X, Y = make()
        common = 1 - Y[:, [3]]
        model = InverseRandomUnderSampling(random_state=0).fit(X, common)
        assert model.predict(X)[common[:, 0] == 0].mean() < 0.1


class TestCOCOA:
    def test_threshold_is_the_best_of_all(self):
        rng = np.random.default_rng(0)
        for _ in range(5):
            scores, y = rng.integers(0, 12, 40) / 11, (rng.random(40) < 0.3).astype(int)
            f1 = lambda t, y=y, scores=scores: f1_score(y, scores > t, zero_division=0)
            assert f1(best_threshold(y, scores)) == pytest.approx(max(f1(t) for t in np.arange(-0.5, 12) / 11))

    def test_parts_are_equal_and_drawn_from_all(self):
        case = np.repeat([0, 1, 2], [50, 20, 5])
        rows = [equal_parts(case, np.random.default_rng(s)) for s in range(60)]
        assert all(np.bincount(case[r]).tolist() == [5, 5, 5] for r in rows)
        assert len(np.unique(np.concatenate(rows))) > 70

    def test_scores_for_ranking_are_the_mean_probabilities(self):
        X, Y = make()
        model = COCOA(random_state=0).fit(X, np.column_stack([Y, np.zeros(120, int)]))
        scores = model.label_scores(X)
        assert np.all((scores[:, :4] >= 0) & (scores[:, :4] <= 1)) and (scores[:, 4] == -1).all()
        assert_array_equal(scores[:, :4] > model.thresholds_[:4], model.predict(X)[:, :4])


class TestMMIB:
    def linear_programme(self, W, edges, label_edges, of_labels, of_samples):
        """The same problem with one auxiliary variable per absolute value, solved by HiGHS."""
        n, c = W.shape
        index = lambda i, label: i * c + label
        absolute = [(index(i, k), index(j, k), w) for i, j, w in zip(*edges, strict=True) for k in range(c)]
        absolute += [(index(i, a), index(i, b), w) for a, b, w in zip(*label_edges, strict=True) for i in range(n)]
        m = len(absolute)
        A, b = [], []
        for k, (p, q, _) in enumerate(absolute):
            for sign in (1, -1):
                row = np.zeros(n * c + m)
                row[p], row[q], row[n * c + k] = sign, -sign, -1
                A.append(row)
                b.append(0)
        groups = [([index(i, k) for i in range(n)], of_labels.low[k], of_labels.high[k]) for k in range(c)]
        groups += [([index(i, k) for k in range(c)], of_samples.low[i], of_samples.high[i]) for i in range(n)]
        for members, low, high in groups:
            for sign, bound in ((1, high), (-1, -low)):
                row = np.zeros(n * c + m)
                row[members] = sign
                A.append(row)
                b.append(bound)
        cost = np.concatenate([-W.ravel(), [w for *_, w in absolute]])
        bounds = [(-1, 1)] * (n * c) + [(0, None)] * m
        found = linprog(cost, A_ub=np.array(A), b_ub=b, bounds=bounds, method="highs")
        assert found.success
        return found.fun, cost[: n * c], absolute

    @pytest.mark.parametrize("seed", range(4))
    def test_optimum_is_that_of_a_linear_programme(self, seed):
        rng = np.random.default_rng(seed)
        X, Y = rng.normal(size=(20, 3)), (rng.random((20, 4)) < 0.35).astype(float)
        Y[12:] = np.nan
        W = label_rewards(Y)
        edges = normalized_edges(neighbor_weights(X, 5), 2.6)
        label_edges = normalized_edges(label_weights(Y, 2), 0.1)
        of_labels = SumBounds(np.full(4, 2.0 * 4 - 20), np.full(4, 2.0 * 9 - 20))
        of_samples = SumBounds(np.full(20, 2.0 * 0 - 4), np.full(20, 2.0 * 3 - 4))
        optimum, reward, absolute = self.linear_programme(W, edges, label_edges, of_labels, of_samples)
        found = solve_mmib(W, edges, label_edges, of_labels, of_samples, max_iter=6000, tol=1e-9, dtype=np.float64)
        z = found.Z.ravel()
        value = reward @ z + sum(w * abs(z[p] - z[q]) for p, q, w in absolute)
        assert value == pytest.approx(optimum, rel=1e-4)
        assert found.violation < 2e-3

    def test_bounds_that_contradict_each_other_are_refused(self):
        none = Edges(*[np.empty(0, dtype=int)] * 3)
        many, few = SumBounds(np.full(2, 2.0), np.full(2, 3.0)), SumBounds(np.full(3, -2.0), np.full(3, 0.0))
        with pytest.raises(ValueError, match="contradict each other"):
            solve_mmib(np.zeros((3, 2)), none, none, many, few, max_iter=1, tol=0)

    def test_neighbor_weights_by_definition(self):
        X = np.random.default_rng(0).normal(size=(15, 2))
        squares = np.sum((X[:, None] - X) ** 2, axis=2)
        expected = np.zeros((15, 15))
        for i in range(15):
            near = [j for j in np.argsort(squares[i]) if j != i][:9]
            width = squares[i, near[6]]
            expected[i, near] = np.exp(-squares[i, near] / width)
        assert_allclose(neighbor_weights(X, 9).toarray(), (expected + expected.T) / 2)
        assert_allclose(neighbor_weights(sparse.csr_array(X), 9).toarray(), (expected + expected.T) / 2)

    def test_learns_with_unknown_labels_and_sparse_x(self):
        """Three clusters with a label set each, 40 % of the training labels unknown."""
        rng = np.random.default_rng(0)
        cluster = np.arange(90) % 3
        X = np.eye(3)[cluster] * 3 + 0.3 * rng.random((90, 3))
        Y = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]])[cluster].astype(float)
        known = np.where(rng.random((60, 4)) < 0.4, np.nan, Y[:60])
        for kind in (np.asarray, sparse.csr_array):
            fitted = MMIB(n_neighbors=10, labels_per_sample=(1, 2)).fit(kind(X[:60]), known)
            assert_array_equal(fitted.predict(kind(X[60:])), Y[60:])
