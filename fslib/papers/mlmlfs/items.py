"""Paper "mlmlfs", section 5.4: three arms that answer three questions about the same rankings.

* ``published``: what the paper did. The number of features and the parameters of MLMLFS are those that are best on the
  *test* rows, for each metric anew; the classifier of MLMLFS learns from recovered labels, those of its rivals from the
  incomplete ones. How far can a method get, all told, with the answers at hand?
* ``same_labels``: every classifier learns from the same labels, once the incomplete ones, once those that one MLMLFS
  recovered; the number of features as above. Whose features are better, label recovery apart?
* ``held_out``: number and parameters come from a quarter of the training rows. What will a user get?
"""

from itertools import product

import numpy as np
import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.names import LARGER_IS_BETTER, published_metric
from fslib.papers.mlmlfs.protocol import (
    MAX_SIZE,
    TITLES,
    best,
    fit,
    judge,
    load_task,
    own_labels,
    shared_labels,
    validation_curves,
)
from fslib.seeds import trial_seed
from fslib.tidy import COLUMNS, format_setting

TABLES = {0: "Table 2", 25: "Table 3", 50: "Table 4", 80: "Table 5"}
"""Missing rate in percent -> table that has its numbers."""

PAPER_GRID = {"lams": [1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6], "alphas": [1e-6, 1e-4, 1e-2]}
"""All values that section 5.3 names; which of the two is lambda follows equation 2, not that section."""

METHODS = ("MDDM", "PMU", "SFUS", "MDMR", "MLMLFS")


def run_trial(*, dataset, missing_pct, method, reading, alpha, lam, p, sizes, seed):
    """Worth of one selector at one missing rate, in all arms that its reading belongs to.

    A trial of :func:`fslib.evaluation.trials.run_trials`. The published reading of a method takes part in the arm
    "published" only; the corrected one, and a method with a single reading, in all three.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.mlmlfs.protocol.TITLES`.
    missing_pct : int
    method : str
        One of :data:`METHODS`.
    reading : {"published", "corrected", ""}
    alpha, lam, p : float or None
        Setting of MLMLFS, None for the others.
    sizes : list of int
        Numbers of features to judge, ascending.
    seed : int
        Root seed of masks and validation rows.

    Returns
    -------
    list of dict
        dataset (as in the tables), missing_pct, method, reading, alpha, lam, p, arm, labels, metric, value, k (number
        of features behind it), validation (what it was chosen by; NaN where the test rows chose).
    """
    setting = {} if alpha is None else {"alpha": alpha, "lam": lam, "p": p}
    task = load_task(dataset, missing_pct, seed)
    selector = fit(method, reading or "corrected", setting, task.X, task.y)
    label_sets = {"own": own_labels(selector, task.y)}
    if reading != "published":
        label_sets |= {"incomplete": task.y, "recovered": shared_labels(dataset, missing_pct, seed)}
        rows_seed = trial_seed(seed, dataset, "validation", missing_pct) % 2**31
        chosen_by = validation_curves(method, reading or "corrected", setting, task, sizes, rows_seed)
    scores = judge(selector, task.X, label_sets, task.X_test, task.y_test, sizes)
    named = {"dataset": TITLES[dataset], "missing_pct": missing_pct, "method": method, "reading": reading}
    named |= {"alpha": alpha, "lam": lam, "p": p}
    rows = []
    for labels, curves in scores.items():
        arm = "published" if labels == "own" else "same_labels"
        for metric, curve in curves.items():
            at = best(curve, metric)
            row = named | {"arm": arm, "labels": labels, "metric": metric}
            rows.append(row | {"value": float(curve[at]), "k": sizes[at], "validation": np.nan})
            if reading != "published" and labels == "own":
                at = best(chosen_by[metric], metric)
                row |= {"arm": "held_out", "validation": float(chosen_by[metric][at])}
                rows.append(row | {"value": float(curve[at]), "k": sizes[at]})
    return rows


def table_trials(
    *,
    datasets,
    missing,
    ps,
    lams,
    alphas,
    whole_grid=(),
    sizes=(),
    rivals_at_all_sizes=False,
    mddm_as_published=True,
    seed=0,
):
    """List the trials of Tables 2-5, and the data sets that cannot be run.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.mlmlfs.protocol.TITLES`.
    missing : list of int
        Percent.
    ps, lams, alphas : list of float
        Grid of MLMLFS.
    whole_grid : sequence of str
        Data sets on which ``lams`` and ``alphas`` give way to :data:`PAPER_GRID`.
    sizes : dict or list of int
        Numbers of features to judge, or a dict from data set to these; 1 to 100 where none is given.
    rivals_at_all_sizes : bool
        Judge the published readings of MDDM, PMU and MDMR at 1 to 100 whatever ``sizes`` says: their printed numbers
        can be met to the last digit.
    mddm_as_published : bool
        Run the published reading of MDDM too, an order of rounding errors that differs by machine. Without it MDDM has
        one reading, the corrected one, which takes its place in every arm.
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        dataset, reason.

    Examples
    --------
    >>> trials, not_run = table_trials(
    ...     datasets=["emotions", "bookmarks"], missing=[50], ps=[0.4, 1.0], lams=[1.0], alphas=[1e-4]
    ... )
    >>> len(trials), not_run["dataset"].tolist()     # 2 readings of (2 settings of MLMLFS, MDDM, PMU, MDMR), SFUS
    (11, ['Bookmarks'])
    """
    trials, absent = [], []
    single = {"SFUS"} if mddm_as_published else {"SFUS", "MDDM"}
    plain = {"alpha": None, "lam": None, "p": None}
    for dataset in datasets:
        if reason := unavailable_reason(dataset):
            absent.append({"dataset": TITLES[dataset], "reason": reason})
            continue
        searched = PAPER_GRID if dataset in whole_grid else {"lams": lams, "alphas": alphas}
        grid = [
            {"alpha": alpha, "lam": lam, "p": p} for p in ps for lam in searched["lams"] for alpha in searched["alphas"]
        ]
        every = list(range(1, MAX_SIZE + 1))
        some = list((sizes.get(dataset) if isinstance(sizes, dict) else sizes) or every)
        for rate, method in product(missing, METHODS):
            for reading in [""] if method in single else ["published", "corrected"]:
                all_sizes = rivals_at_all_sizes and reading == "published" and method != "MLMLFS"
                named = {"dataset": dataset, "missing_pct": rate, "method": method, "reading": reading, "seed": seed}
                named["sizes"] = every if all_sizes else some
                trials += [named | setting for setting in (grid if method == "MLMLFS" else [plain])]
    return trials, pd.DataFrame(absent, columns=["dataset", "reason"])


def choose(raw, over=("alpha", "lam")):
    """Keep one setting of MLMLFS per arm and metric: the best on the test rows, or on the validation rows if held out.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`run_trial`.
    over : sequence of str
        Parameters that are chosen; add "p" for one row per method.

    Returns
    -------
    DataFrame
        A subset of the rows.
    """
    if raw.empty:
        return raw
    keys = [name for name in ("dataset", "missing_pct", "method", "reading", "p", "arm", "labels", "metric")]
    keys = [name for name in keys if name not in over]
    larger = raw["metric"].isin(LARGER_IS_BETTER)
    decisive = raw["validation"].fillna(raw["value"])  # where nothing was held out the test value decides
    ranked = raw.assign(_order=decisive.where(~larger, -decisive)).sort_values("_order", kind="stable")
    kept = ranked.groupby(keys, dropna=False, sort=False).head(1)
    return raw.loc[kept.index.sort_values()]


def summarise(chosen):
    """Tidy rows of Tables 2-5.

    Parameters
    ----------
    chosen : DataFrame
        From :func:`choose`.

    Returns
    -------
    DataFrame
        Setting keys missing_pct, p, arm, labels, reading. The four printed metrics under their printed names.
    """
    rows = [
        {
            "paper": "mlmlfs",
            "item": TABLES.get(row.missing_pct, "Tables 2-5"),
            "dataset": row.dataset,
            "method": row.method,
            "setting": format_setting(
                missing_pct=row.missing_pct,
                p=None if pd.isna(row.p) else f"{row.p:g}",
                arm=row.arm,
                labels=row.labels,
                reading=row.reading or None,
            ),
            "metric": published_metric(row.metric, "mlmlfs"),
            "value": row.value,
            "std": np.nan,
            "n": 1,
        }
        for row in chosen.itertuples()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
