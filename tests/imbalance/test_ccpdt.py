"""CCPDT: splits against a naive search, blindness to class sizes, pruning by Fisher's test, scores."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import fisher_exact
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from fslib.imbalance import CCPDT
from fslib.imbalance.ccpdt import CLOSE


def data(n=200, n_rare=30, d=4, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n_rare
    return np.round(rng.normal(size=(n, d)) + np.outer(y, [1.5, 0.5, 0, 0][:d]), 1), y


def entropy(p):
    return 0 if p in (0, 1) else -p * np.log2(p) - (1 - p) * np.log2(1 - p)


def naive_gain(left, y):
    tpr, fpr = np.mean(left[y]), np.mean(left[~y])
    branches = [(tpr + fpr, tpr), (2 - tpr - fpr, 1 - tpr)]
    return 1 - sum(total / 2 * entropy(part / total) for total, part in branches if total > 0)


@pytest.mark.parametrize("seed", range(6))
def test_root_is_the_best_of_all_splits(seed):
    X, y = data(40, 8, seed=seed)
    gains = {}
    for j in range(4):
        for t in np.unique(X[:, j])[:-1]:
            left = X[:, j] <= t
            if 2 <= left.sum() <= 38:
                gains[j, t] = naive_gain(left, y)
    best = max(gains.values())
    root = CCPDT(alpha=1.0).fit(X, y).tree_
    found = naive_gain(X[:, root.feature] <= root.threshold, y)
    assert found >= best - CLOSE
    own = max(gain for (j, _), gain in gains.items() if j == root.feature)
    assert_allclose(found, own)
    if sorted(gains.values())[-1] - max(g for (j, _), g in gains.items() if j != root.feature) > CLOSE:
        assert_allclose(found, best)


def test_hellinger_distance_decides_between_close_gains():
    """Two binary features: the first has the larger gain by less than 0.001, the second the larger distance."""
    y = np.repeat([True, False], [20, 100])
    column = lambda tp, fp: np.r_[np.arange(20) >= tp, np.arange(100) >= fp].astype(float)  # 0 goes to the left
    distance = lambda tp, fp: np.hypot(
        np.sqrt(tp / 20) - np.sqrt(fp / 100), np.sqrt(1 - tp / 20) - np.sqrt(1 - fp / 100)
    )
    counts = [(tp, fp) for tp in range(2, 19) for fp in range(0, 99, 3) if tp / 20 > fp / 100]
    gains = {c: naive_gain(column(*c) == 0, y) for c in counts}
    pairs = [(a, b) for a in counts for b in counts
             if 1e-6 < gains[a] - gains[b] < 0.9 * CLOSE and distance(*b) > distance(*a) + 1e-3]  # fmt: skip
    assert len(pairs) > 10
    for first, second in pairs[:10]:
        X = np.column_stack([column(*first), column(*second)])
        assert CCPDT(alpha=1.0).fit(X, y).tree_.feature == 1


def test_equal_features_go_by_index():
    X, y = data(seed=3)
    assert CCPDT().fit(np.column_stack([X[:, 0], -X[:, 0]]), y).tree_.feature == 0


def splits(tree):
    """Features and thresholds, parents before children."""
    nodes, out = [tree.tree_], []
    while nodes:
        node = nodes.pop()
        if node.left is not None:
            out.append((node.feature, node.threshold))
            nodes += [node.right, node.left]
    return out


def test_copying_every_negative_ten_times_changes_no_split():
    X, y = data()
    copies = np.r_[np.flatnonzero(y), np.repeat(np.flatnonzero(~y), 10)]
    for weight, same in [("classes", True), ("rows", False)]:
        tree = CCPDT(alpha=1.0, min_samples_leaf=1, weight=weight)
        once, often = splits(tree.fit(X, y)), splits(tree.fit(X[copies], y[copies]))
        assert (once == often) == same
    cart = lambda rows: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X[rows], y[rows]).tree_
    assert cart(copies).threshold.tolist() != cart(np.arange(200)).threshold.tolist()


def leaf_tables(node):
    if node.left is None:
        return []
    table = [[node.left.positives, node.left.negatives], [node.right.positives, node.right.negatives]]
    return [(node, fisher_exact(table).pvalue), *leaf_tables(node.left), *leaf_tables(node.right)]


@pytest.mark.parametrize("alpha", [0.05, 1e-4])
def test_what_remains_is_significant_or_above_something_that_is(alpha):
    X, y = data(400, 60)
    full, pruned = CCPDT(alpha=1.0).fit(X, y), CCPDT(alpha=alpha).fit(X, y)
    assert pruned.n_leaves_ < full.n_leaves_

    def has_finding(node):
        return any(p <= alpha for _, p in leaf_tables(node))

    assert all(has_finding(node) for node, _ in leaf_tables(pruned.tree_))
    # Nothing that is significant was cut: the full tree has no finding below a leaf of the pruned one.
    pairs = [(full.tree_, pruned.tree_)]
    while pairs:
        whole, rest = pairs.pop()
        if rest.left is None:
            assert not has_finding(whole)
        else:
            pairs += [(whole.left, rest.left), (whole.right, rest.right)]


def test_alpha_zero_gives_one_leaf_and_scores_near_one_half():
    X, y = data()
    tree = CCPDT(alpha=0.0).fit(X, y)
    assert tree.n_leaves_ == 1
    assert_allclose(tree.predict_proba(X), 0.5, atol=0.01)
    assert not tree.predict(X).any()


def test_scores_by_hand():
    X, y = np.arange(12.0)[:, None], np.arange(12) >= 8  # 4 positives, 8 negatives, split at 7.5
    tree = CCPDT().fit(X, y)
    a, b = 5 / 6, 1 / 10  # the right leaf: (4 + 1) / (4 + 2) and (0 + 1) / (8 + 2)
    assert_allclose(tree.predict_proba([[9.0]])[0], [b / (a + b), a / (a + b)])
    a, b = 1 / 6, 9 / 10
    assert_allclose(tree.predict_proba([[3.0]])[0, 1], a / (a + b))
    assert tree.positive_ and tree.tree_.threshold == 7.5


def test_the_rare_class_is_positive_whatever_its_name():
    X, y = data()
    assert_allclose(CCPDT().fit(X, ~y).predict_proba(X)[:, ::-1], CCPDT().fit(X, y).predict_proba(X))
    assert not CCPDT().fit(X, ~y).positive_


def test_ranks_other_rows():
    X, y = data(600, 60)
    X_test, y_test = data(600, 60, seed=1)
    assert roc_auc_score(y_test, CCPDT().fit(X, y).predict_proba(X_test)[:, 1]) > 0.7


def test_neighbouring_numbers_are_told_apart():
    low = 1.0
    X = np.repeat([low, np.nextafter(low, 2)], 10)[:, None]
    assert CCPDT().fit(X, np.arange(20) >= 12).n_leaves_ == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [({"alpha": 2}, "alpha=2"), ({"min_samples_leaf": 0}, "min_samples"), ({"weight": 1}, "weight")],
)
def test_impossible_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        CCPDT(**options).fit(*data())
