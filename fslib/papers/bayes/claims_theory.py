"""Claims of paper "bayes", sections 2 and 3: each is computed here, none needs an experiment.

Every function is named after its ``claim_id`` in ``data/reported/claims.csv``, whose column ``check`` holds the
thresholds, and returns a :class:`Verdict`.
"""

from itertools import combinations, permutations

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import mutual_info_score

from fslib.filters import BayesGreedy, MIGreedy
from fslib.filters.criteria import AUC, Balanced, CostSensitive, FBeta, Log, Squared, YangHu, ZeroOne
from fslib.papers.bayes.example import choices, joint_table, mutual_information
from fslib.papers.bayes.search import greedy_path
from fslib.papers.verdict import Verdict


def ex1_mi_picks_feature_2():
    """Compare the mutual informations of Example 1's features, and both with the printed numbers."""
    first, second = (mutual_information(joint_table(j)) / np.log(2) for j in (0, 1))
    holds = bool(second > first and round(first, 2) == 0.08 and round(second, 2) == 0.17)
    return Verdict(holds, f"{first:.4f} and {second:.4f} bits", "printed as 0.08 and 0.17: bits, not nats")


def ex1_bayes_picks_feature_1():
    """Compare the 0-1 Bayes errors of Example 1's features."""
    first, second = (-ZeroOne().value(joint_table(j)) for j in (0, 1))
    holds = abs(first - 0.25) < 1e-9 and abs(second - 0.30) < 1e-9
    return Verdict(bool(holds), f"Bayes error {first:.4f} on feature 1, {second:.4f} on feature 2")


def ex1_sample_version(n=20_000, n_draws=20):
    """Let both greedy filters choose from samples of Example 1."""
    chosen = choices(n, n_draws).pivot(index="draw", columns="method", values="feature")
    as_stated = np.count_nonzero((chosen["BayesGreedy"] == 1) & (chosen["MIGreedy"] == 2))
    return Verdict(bool(as_stated >= 0.95 * n_draws), f"{as_stated} of {n_draws} samples of {n}")


def logloss_equals_mi(n=300, d=6, n_seeds=5):
    """Compare the log criterion plus the entropy of the classes with mutual information, up to 3 features."""
    worst, paths = 0.0, True
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 3, (n, d)), rng.integers(0, 2, n)
        p = np.bincount(y) / n
        entropy = -(p * np.log(p)).sum()
        for size in (1, 2, 3):
            for subset in combinations(range(d), size):
                cell = X[:, subset] @ 3 ** np.arange(size)
                table = np.bincount(2 * cell + y, minlength=2 * 3**size).reshape(-1, 2)
                worst = max(worst, abs(Log().value(table) - mutual_info_score(cell, y) + entropy))
        searches = (BayesGreedy("log", n_features_to_select=d), MIGreedy(n_features_to_select=d))
        paths &= np.array_equal(*(search.fit(X, y).ranking_ for search in searches))
    return Verdict(bool(worst < 1e-10 and paths), f"largest difference {worst:.1e}", "mutual information in nats")


def squared_loss_equals_forward_regression(n=200, d=6, n_seeds=5):
    """On Gaussian linear data the squared criterion with a linear mean takes features as forward least squares does."""
    equal = 0
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
        y = X @ rng.normal(size=d) + rng.normal(size=n)
        search = BayesGreedy(Squared(estimator="linear"), n_features_to_select=d).fit(X, y)
        equal += search.ranking_.tolist() == _forward_least_squares(X, y)
    note = "for a linear conditional mean; with one mean per cell the criterion is the variance within cells"
    return Verdict(equal == n_seeds, f"{equal} of {n_seeds} orders equal", note)


def _forward_least_squares(X, y):
    taken, left = [], list(range(X.shape[1]))
    while left:
        residual = []
        for j in left:
            A = np.column_stack([np.ones(len(y)), X[:, [*taken, j]]])
            residual.append(np.sum((y - A @ np.linalg.lstsq(A, y)[0]) ** 2))
        taken.append(left.pop(int(np.argmin(residual))))
    return taken


def yang_hu_objective_differs():
    """Show on Example 1 that the earlier objective prefers the other feature."""
    tables = [joint_table(0), joint_table(1)]
    product, bayes = (np.array([-criterion.value(t) for t in tables]) for criterion in (YangHu(), ZeroOne()))
    text = f"2E[eta(1-eta)] = {product[0]:.4f}, {product[1]:.4f}; E[min(eta, 1-eta)] = {bayes[0]:.4f}, {bayes[1]:.4f}"
    return Verdict(bool(product.argmin() != bayes.argmin()), text, "Example 1, features 1 and 2")


def criteria_match_brute_force(n=60, n_seeds=5):
    """Criteria against the best of all classifiers on 8 cells, and AUC against the best of all orders of the cells."""
    labels = (np.arange(256)[:, None] >> np.arange(8)) & 1  # (classifier, cell)
    orders = np.array(list(permutations(range(8))))  # a tie between cells has the mean AUC of its orders: never better
    worst = 0.0
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        table = np.bincount(rng.integers(0, 16, n), minlength=16).reshape(8, 2).astype(float)
        (negatives, positives), m = table.sum(axis=0), table.sum()
        false_pos, true_pos = labels @ table[:, 0], labels @ table[:, 1]
        false_neg = positives - true_pos
        f1 = 2 * true_pos / np.maximum(positives + true_pos + false_pos, 1)
        sorted_table = table[orders]  # cells from low to high score
        below = np.cumsum(sorted_table[..., 0], axis=1) - sorted_table[..., 0] / 2
        auc = (sorted_table[..., 1] * below).sum(axis=1) / (positives * negatives)
        pairs = [
            (CostSensitive(0.25), -(0.25 * false_pos + 0.75 * false_neg) / m),
            (Balanced(), -(false_pos / negatives + false_neg / positives)),
            (FBeta(), f1),
            (AUC(), auc),
        ]
        worst = max(worst, *(abs(criterion.value(table) - values.max()) for criterion, values in pairs))
    return Verdict(bool(worst < 1e-10), f"largest difference {worst:.1e}", "three binary columns; F with beta = 1")


def greedy_value_monotone(paths):
    """Along every greedy path the criterion never falls; ``paths`` maps a name to a frame of ``greedy_path``."""
    steps = {name: np.diff(path["criterion"]).min() for name, path in paths.items()}
    worst = min(steps, key=steps.get)
    return Verdict(bool(steps[worst] >= -1e-12), f"smallest gain {steps[worst]:.2e} ({worst})", f"{len(paths)} paths")


def large_k_ties(levels, y, name, k=25):
    """Late steps of an exact greedy search have many equally good candidates and few repeated configurations."""
    path = greedy_path(levels, y, k)
    trends = [
        spearmanr(path["t"], path[column]).statistic if path[column].nunique() > 1 else 0.0
        for column in ("unique", "tied")
    ]
    holds = min(trends) > 0 and path["tied"].max() > 1 and path["unique"].iloc[-1] > path["unique"].iloc[0]
    text = f"t = {k}: {path['unique'].iloc[-1]:.0%} of rows unique, {path['tied'].iloc[-1]} candidates tied"
    return Verdict(
        bool(holds),
        text,
        f"{name}, {levels.shape[1]} columns; rank correlations with t {trends[0]:.2f}, {trends[1]:.2f}",
    )
