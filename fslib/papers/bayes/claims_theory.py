"""Claims of paper "bayes", sections 2 and 3: each is computed here, none needs an experiment.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. All are exact facts or identities:
there is no noise, and none is ever undecided.
"""

from itertools import combinations, permutations

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import mutual_info_score

from fslib.filters import BayesGreedy
from fslib.filters.criteria import AUC, Balanced, CostSensitive, FBeta, Log, Squared, YangHu, ZeroOne
from fslib.papers.bayes.example import choices, joint_table, mutual_information
from fslib.papers.bayes.search import greedy_path
from fslib.papers.claims import claim, verdict


@claim("ex1-mi-picks-feature-2")
def ex1_mi_picks_feature_2():
    """exact: population I(X2;Y) > I(X1;Y) in bits; both equal the published 0.17 and 0.08 rounded to 2 decimals"""
    first, second = (mutual_information(joint_table(j)) / np.log(2) for j in (0, 1))
    holds = bool(second > first and round(first, 2) == 0.08 and round(second, 2) == 0.17)
    return verdict(holds, f"{first:.4f} and {second:.4f} bits", "printed as 0.08 and 0.17: bits, not nats")


@claim("ex1-bayes-picks-feature-1")
def ex1_bayes_picks_feature_1():
    """exact: Bayes error on {1} = 0.25 < 0.30 = on {2} within 1e-9; argmax of the Bayes criterion = {1}"""
    first, second = (-ZeroOne().value(joint_table(j)) for j in (0, 1))
    holds = abs(first - 0.25) < 1e-9 and abs(second - 0.30) < 1e-9
    return verdict(holds, f"Bayes error {first:.4f} on feature 1, {second:.4f} on feature 2")


@claim("ex1-sample-version")
def ex1_sample_version(n=20_000, n_draws=20):
    """draw n=20000 from the distribution for 20 seeds: BayesGreedy(k=1, 0-1) selects feature 1 and MIGreedy(k=1)
    selects feature 2 in >= 19 of 20
    """
    chosen = choices(n, n_draws).pivot(index="draw", columns="method", values="feature")
    as_stated = np.count_nonzero((chosen["BayesGreedy"] == 1) & (chosen["MIGreedy"] == 2))
    return verdict(as_stated >= 0.95 * n_draws, f"{as_stated} of {n_draws} samples of {n}")


@claim("logloss-equals-mi")
def logloss_equals_mi(n=300, d=6, n_seeds=5):
    """on random discrete data, for every subset J with |J| <= 3: C_log(J) - I_nats(J) equals -H(Y) within 1e-10; the
    path of the greedy log criterion equals that of a greedy search written in plain numpy that maximises mutual
    information
    """
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
        ranking = BayesGreedy("log", n_features_to_select=d).fit(X, y).ranking_
        paths &= ranking.tolist() == mutual_information_greedy(X, y)
    return verdict(worst < 1e-10 and paths, f"largest difference {worst:.1e}", "mutual information in nats")


def mutual_information_greedy(X, y):
    """Order in which a greedy search takes the columns of X by mutual information with y: the definition, in numpy.

    Examples
    --------
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> mutual_information_greedy(X, np.array([0, 1, 1, 1]))
    [0, 1, 2]
    """
    taken, left = [], list(range(X.shape[1]))
    while left:
        information = [_mutual_information(X[:, [*taken, j]], y) for j in left]
        taken.append(left.pop(int(np.argmax(np.round(information, 12)))))  # equal up to rounding: the first
    return taken


def _mutual_information(columns, y):
    """Sum p(x, y) log p(x, y) / (p(x) p(y)) over the values x that the columns take together, in nats."""
    x = np.unique(columns, axis=0, return_inverse=True)[1]
    joint = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(joint, (x, y), 1 / len(y))
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    seen = joint > 0
    return float(np.sum(joint[seen] * np.log(joint[seen] / product[seen])))


@claim("squared-loss-equals-forward-regression")
def squared_loss_equals_forward_regression(n=200, d=6, n_seeds=5):
    """on Gaussian linear data: order chosen by greedy minimal residual variance equals the order of forward stepwise
    OLS
    """
    equal = 0
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
        y = X @ rng.normal(size=d) + rng.normal(size=n)
        search = BayesGreedy(Squared(estimator="linear"), n_features_to_select=d).fit(X, y)
        equal += search.ranking_.tolist() == _forward_least_squares(X, y)
    note = "for a linear conditional mean; with one mean per cell the criterion is the variance within cells"
    return verdict(equal == n_seeds, f"{equal} of {n_seeds} orders equal", note)


def _forward_least_squares(X, y):
    taken, left = [], list(range(X.shape[1]))
    while left:
        residual = []
        for j in left:
            A = np.column_stack([np.ones(len(y)), X[:, [*taken, j]]])
            residual.append(np.sum((y - A @ np.linalg.lstsq(A, y)[0]) ** 2))
        taken.append(left.pop(int(np.argmin(residual))))
    return taken


@claim("yang-hu-objective-differs")
def yang_hu_objective_differs():
    """on Example 1's distribution the argmin of 2*E[eta(1-eta)] differs from the argmin of E[min(eta,1-eta)]"""
    tables = [joint_table(0), joint_table(1)]
    product, bayes = (np.array([-criterion.value(t) for t in tables]) for criterion in (YangHu(), ZeroOne()))
    text = f"2E[eta(1-eta)] = {product[0]:.4f}, {product[1]:.4f}; E[min(eta, 1-eta)] = {bayes[0]:.4f}, {bayes[1]:.4f}"
    return verdict(product.argmin() != bayes.argmin(), text, "Example 1, features 1 and 2")


@claim("criteria-match-brute-force")
def criteria_match_brute_force(n=60, n_seeds=5):
    """for binary features with |J| <= 3 enumerate all 2^(2^|J|) classifiers (all scorers up to order for AUC): optimum
    equals the closed form within 1e-10
    """
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
    return verdict(worst < 1e-10, f"largest difference {worst:.1e}", "three binary columns; F with beta = 1")


@claim("greedy-value-monotone")
def greedy_value_monotone(paths):
    """along each BayesGreedy path the training criterion is non-decreasing (tolerance 1e-12)"""
    steps = {name: np.diff(path["criterion"]).min() for name, path in paths.items()}
    worst = min(steps, key=steps.get)
    return verdict(steps[worst] >= -1e-12, f"smallest gain {steps[worst]:.2e} ({worst})", f"{len(paths)} paths")


@claim("large-k-ties")
def large_k_ties(levels, y, name, k=25):
    """on a binary data set of 240 or more features: share of unique configurations and number of candidates tied at
    the maximum both increase with t; ties > 1 for some t <= 25
    """
    path = greedy_path(levels, y, k)
    trends = [
        spearmanr(path["t"], path[column]).statistic if path[column].nunique() > 1 else 0.0
        for column in ("unique", "tied")
    ]
    holds = min(trends) > 0 and path["tied"].max() > 1 and path["unique"].iloc[-1] > path["unique"].iloc[0]
    text = f"t = {k}: {path['unique'].iloc[-1]:.0%} of rows unique, {path['tied'].iloc[-1]} candidates tied"
    return verdict(
        bool(holds),
        text,
        f"{name}, {levels.shape[1]} columns; rank correlations with t {trends[0]:.2f}, {trends[1]:.2f}",
    )
