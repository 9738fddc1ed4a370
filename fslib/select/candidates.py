"""The selectors of fslib that apply to a table."""

from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from fslib.select.problem import is_imbalanced, resolve_criterion

LEVELS = 3
"""Levels of a discretised feature: k features have up to ``LEVELS**k`` cells."""

MAX_FOREST_ENTRIES = 1_000_000
"""Entries of X beyond which forests on balanced samples take minutes per fit, and are not a candidate."""


def candidate_selectors(table, criterion="auto", k=8):
    """All selectors of fslib that apply to a table, each set to keep its k best features.

    Parameters
    ----------
    table : UserTable
        From ``fslib.tables.read_table``.
    criterion : str
        Performance measure, see ``fslib.select.problem.resolve_criterion``; used by the Bayes filters.
    k : int
        Number of features to keep.

    Returns
    -------
    dict of str to selector
        In the order in which a table or legend should show them. Where the largest class has at least twice as many
        rows as the smallest, two more: BIRF (up to a million entries of X), whose trees grow on as many rows of each
        class, and BSNMF, whose factorisation gives all classes the same weight. The others count rows, and so see the
        large class mostly. With views RRMVFS, which weighs them.

    Raises
    ------
    ValueError
        If the criterion does not suit the task, or there are views with several labels or a numeric target, which no
        selector would use.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.utils import Bunch
    >>> table = Bunch(X=pd.DataFrame({"a": range(9)}), y=[0, 1, 0] * 3, task="classification", views=None)
    >>> list(candidate_selectors(table, "zero_one", 1))
    ['BayesGreedy', 'BayesScore', 'MIGreedy', 'MIScore', 'MRMR', 'FScore', 'BIRF', 'BSNMF']
    """
    from fslib import filters

    criterion = resolve_criterion(table, criterion)
    if table.views and table.task != "classification":
        raise ValueError(
            "views have no effect on a numeric target or several labels: the selector that weighs views needs one "
            "target with classes. Leave views out."
        )
    if table.task == "multilabel":
        return _multilabel_candidates(k)
    order = "exact" if LEVELS**k <= len(table.X) else 2  # beyond, cells hold one row each and are pure
    if table.task == "regression":
        from fslib.filters.criteria import Squared

        return {
            "BayesGreedy": filters.Discretized(filters.BayesGreedy("squared", n_features_to_select=k, order=order)),
            "BayesScore": filters.Discretized(filters.BayesScore("squared", n_features_to_select=k)),
            "Linear greedy": filters.BayesGreedy(Squared("linear"), n_features_to_select=k),
            "Linear score": filters.BayesScore(Squared("linear"), n_features_to_select=k),
        }
    found = {
        "BayesGreedy": filters.Discretized(filters.BayesGreedy(criterion, n_features_to_select=k, order=order)),
        "BayesScore": filters.Discretized(filters.BayesScore(criterion, n_features_to_select=k)),
        "MIGreedy": filters.Discretized(filters.MIGreedy(n_features_to_select=k, order=order)),
        "MIScore": filters.Discretized(filters.MIScore(n_features_to_select=k)),
        "MRMR": filters.Discretized(filters.MRMR(n_features_to_select=k)),
        "FScore": filters.FisherScore(n_features_to_select=k),
    }
    if is_imbalanced(table.y):
        found |= _imbalance_candidates(k, table.X.size)
    if table.views:
        from fslib.multiview import RRMVFS

        views = [[table.X.columns.get_loc(c) for c in members] for members in table.views.values()]
        found["RRMVFS"] = make_pipeline(StandardScaler(), RRMVFS(views, gamma1=0.1, gamma2=0.1, n_features_to_select=k))
    return found


def _imbalance_candidates(k, n_entries):
    from fslib.imbalance import BSNMF, BalancedIterativeRandomForest

    options = {"n_features_to_select": k, "random_state": 0}
    # BSNMF's scores grow with the size of the entries, which have to be non-negative
    found = {"BSNMF": make_pipeline(MinMaxScaler(), BSNMF(max_iter=1000, **options))}
    if n_entries > MAX_FOREST_ENTRIES:
        return found
    return {"BIRF": BalancedIterativeRandomForest(n_estimators=50, min_features=k, **options)} | found


def _multilabel_candidates(k):
    from fslib.multilabel import MDDM, MDMR, MLMLFS, PMU, SFUS

    found = {method.__name__: method(n_features_to_select=k) for method in (MLMLFS, MDDM, PMU, MDMR, SFUS)}
    return found | {name: make_pipeline(StandardScaler(), found[name]) for name in ("MLMLFS", "SFUS")}


def best_first(selector):
    """Features of a fitted selector, or of the selector at the end of a pipeline, best first: array of int."""
    return (selector if hasattr(selector, "ranking_") else selector[-1]).ranking_


def with_k(selector, k):
    """Copy of a selector, or of a pipeline that ends in one, that keeps k features of the same ranking.

    Examples
    --------
    >>> from fslib.filters import Discretized, MIScore
    >>> with_k(Discretized(MIScore(n_features_to_select=9)), 2)
    Discretized(selector=MIScore(n_features_to_select=2))
    """
    copy = clone(selector)
    inner = copy if not hasattr(copy, "steps") else copy[-1]
    getattr(inner, "selector", inner).set_params(n_features_to_select=k)
    return copy
