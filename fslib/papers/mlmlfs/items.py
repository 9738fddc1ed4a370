"""Paper "mlmlfs", section 5.4: three protocols that answer three questions about the same rankings.

* ``published``: what the paper did. The number of features and the parameters of MLMLFS are those that are best on the
  *test* rows, for each metric anew; the classifier of MLMLFS learns from recovered labels, those of baselines from the
  incomplete ones. How well does a method do with the best choice in hindsight? The values are too optimistic.
* ``same_labels``: every classifier learns from the same labels, once the incomplete ones, once those that one MLMLFS
  recovered; the number of features as above. Whose features are better if all learn from the same labels?
* ``held_out``: number and parameters come from a quarter of the training rows. What will a user get?
"""

from itertools import product

import numpy as np
import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.names import LARGER_IS_BETTER, published_metric
from fslib.papers.mlmlfs.protocol import (
    MAX_SIZE,
    SHARED,
    TITLES,
    fit_selector,
    load_task,
    own_labels,
    position_of_best,
    score_selector,
    shared_labels,
    shuffle_labels,
    validation_curves,
)
from fslib.seeds import trial_seed
from fslib.tidy import COLUMNS, format_setting

TABLES = {0: "Table 2", 25: "Table 3", 50: "Table 4", 80: "Table 5"}
"""Missing rate in percent -> table that has its numbers."""

PAPER_GRID = {"lams": [1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6], "alphas": [1e-6, 1e-4, 1e-2]}
"""All values that section 5.3 names; which of the two is lambda follows equation 2, not that section."""

METHODS = ("MDDM", "PMU", "SFUS", "MDMR", "MLMLFS")

CHANCE = "shuffled labels"
"""Chance level: MLMLFS as published on permuted training labels, at one setting."""

STARTED = ("SFUS", "MLMLFS", CHANCE)
"""Methods whose published reading has a random start."""


def run_trial(*, dataset, missing_pct, method, reading, alpha, lam, p, start, sizes, seed):
    """Scores of one selector at one missing rate, in all protocols that its reading belongs to.

    A trial of :func:`fslib.evaluation.trials.run_trials`. The published reading of a method takes part in the protocol
    "published" only; the corrected one, and a method with a single reading, in all three.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.mlmlfs.protocol.TITLES`.
    missing_pct : int
    method : str
        One of :data:`METHODS`, or :data:`CHANCE`.
    reading : {"published", "corrected", ""}
    alpha, lam, p : float or None
        Setting of MLMLFS, None for the others.
    start : int or None
        Number of the random start, for the published reading of the methods in :data:`STARTED`.
    sizes : list of int
        Numbers of features to judge, ascending.
    seed : int
        Root seed of masks, validation rows and starts.

    Returns
    -------
    list of dict
        dataset (as in the tables), missing_pct, method, reading, alpha, lam, p, start, protocol, labels, metric, value,
        k (number of features behind it), validation (what it was chosen by; NaN where the test rows chose).
    """
    task = load_task(dataset, missing_pct, seed)
    named = {"dataset": TITLES[dataset], "missing_pct": missing_pct, "method": method, "reading": reading}
    named |= {"alpha": alpha, "lam": lam, "p": p, "start": start}
    setting = {} if alpha is None else {"alpha": alpha, "lam": lam, "p": p}
    if method == CHANCE:
        task, method = shuffle_labels(task, trial_seed(seed, dataset, "shuffle", missing_pct)), "MLMLFS"
        setting = SHARED
    random_state = None if start is None else seed + start
    selector = fit_selector(method, reading or "corrected", setting, task.X, task.y, random_state)
    label_sets = {"own": own_labels(selector, task.y)}
    if reading != "published":
        label_sets |= {"incomplete": task.y, "recovered": shared_labels(dataset, missing_pct, seed)}
        rows_seed = trial_seed(seed, dataset, "validation", missing_pct) % 2**31
        chosen_by = validation_curves(method, reading or "corrected", setting, task, sizes, rows_seed)
    scores = score_selector(selector, task.X, label_sets, task.X_test, task.y_test, sizes)
    rows = []
    for labels, curves in scores.items():
        protocol = "published" if labels == "own" else "same_labels"
        for metric, curve in curves.items():
            at = position_of_best(curve, metric)
            row = named | {"protocol": protocol, "labels": labels, "metric": metric}
            rows.append(row | {"value": float(curve[at]), "k": sizes[at], "validation": np.nan})
            if reading != "published" and labels == "own":
                at = position_of_best(chosen_by[metric], metric)
                row |= {"protocol": "held_out", "validation": float(chosen_by[metric][at])}
                rows.append(row | {"value": float(curve[at]), "k": sizes[at]})
    return rows


def table_trials(
    *,
    datasets,
    missing,
    ps,
    lams,
    alphas,
    corrected_lams,
    corrected_alphas,
    whole_grid=(),
    sizes=(),
    corrected_sizes=(),
    starts=None,
    mddm_as_published=True,
    seed=0,
):
    """List the trials of Tables 2-5, and the data sets that cannot be run.

    All methods are judged at the same numbers of features.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.mlmlfs.protocol.TITLES`.
    missing : list of int
        Percent.
    ps, lams, alphas : list of float
        Grid of MLMLFS as published.
    corrected_lams, corrected_alphas : list of float
        Grid of MLMLFS corrected.
    whole_grid : sequence of str
        Data sets on which ``lams`` and ``alphas`` give way to :data:`PAPER_GRID`.
    sizes, corrected_sizes : dict of str to list of int
        Numbers of features at which all methods are judged, by data set: 1 to 100 where ``sizes`` has none. The second
        replaces the first under the corrected readings.
    starts : dict of str to int, optional
        Random starts of SFUS as published, by data set; one where it names none.
    mddm_as_published : bool
        Run the published reading of MDDM too, an order of rounding errors that differs by machine. Without it MDDM has
        one reading, the corrected one, which takes its place in every protocol.
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        dataset, reason.

    Examples
    --------
    >>> trials, not_run = table_trials(
    ...     datasets=["emotions", "bookmarks"], missing=[50], ps=[0.4, 1.0], lams=[1.0], alphas=[1e-4],
    ...     corrected_lams=[1.0], corrected_alphas=[1e-4]
    ... )
    >>> len(trials), not_run["dataset"].tolist()     # two readings of (MLMLFS twice, four others), and chance
    (13, ['Bookmarks'])
    """
    trials, absent = [], []
    plain = {"alpha": None, "lam": None, "p": None}
    every, started = list(range(1, MAX_SIZE + 1)), dict(starts or {})
    for dataset in datasets:
        if reason := unavailable_reason(dataset):
            absent.append({"dataset": TITLES[dataset], "reason": reason})
            continue
        searched = PAPER_GRID if dataset in whole_grid else {"lams": lams, "alphas": alphas}
        published = _grid(ps, searched["lams"], searched["alphas"])
        corrected = _grid(ps, corrected_lams, corrected_alphas)
        judged = dict(sizes).get(dataset, every)
        for rate, method in product(missing, (*METHODS, CHANCE)):
            named = {"dataset": dataset, "missing_pct": rate, "method": method, "seed": seed}
            as_published = named | {"reading": "published", "sizes": judged}
            single = method == "MDDM" and not mddm_as_published
            if not single:
                numbers = range(started.get(dataset, 1) if method == "SFUS" else 1) if method in STARTED else [None]
                settings = published if method == "MLMLFS" else [plain]
                trials += [as_published | setting | {"start": start} for setting in settings for start in numbers]
            if method != CHANCE:
                as_corrected = named | {"reading": "" if single else "corrected", "start": None}
                as_corrected["sizes"] = dict(corrected_sizes).get(dataset, judged)
                trials += [as_corrected | setting for setting in (corrected if method == "MLMLFS" else [plain])]
    return trials, pd.DataFrame(absent, columns=["dataset", "reason"])


def _grid(ps, lams, alphas):
    return [{"alpha": alpha, "lam": lam, "p": p} for p, lam, alpha in product(ps, lams, alphas)]


def further_starts(raw, trials, n_starts):
    """List the trials of further random starts of MLMLFS as published.

    A further start searches the pairs of lambda and alpha that are best, for one of the measures, from the first start.

    Parameters
    ----------
    raw : DataFrame
        Rows of ``trials``.
    trials : list of dict
        From :func:`table_trials`.
    n_starts : dict of str to int
        Starts in all, by data set; one where it names none.

    Returns
    -------
    list of dict
    """
    chosen = best_settings(raw[(raw["method"] == "MLMLFS") & (raw["reading"] == "published")])
    wanted = set(chosen[["dataset", "missing_pct", "alpha", "lam", "p"]].itertuples(index=False, name=None))
    return [
        trial | {"start": start}
        for trial in trials
        if trial["method"] == "MLMLFS"
        and trial["reading"] == "published"
        and (TITLES[trial["dataset"]], *(trial[name] for name in ("missing_pct", "alpha", "lam", "p"))) in wanted
        for start in range(1, n_starts.get(trial["dataset"], 1))
    ]


def best_settings(raw, over=("alpha", "lam")):
    """Keep one setting of MLMLFS per protocol, start and metric: best on the test rows, or on validation if held out.

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
    keys = ("dataset", "missing_pct", "method", "reading", "p", "start", "protocol", "labels", "metric")
    larger = raw["metric"].isin(LARGER_IS_BETTER)
    decisive = raw["validation"].fillna(raw["value"])  # where nothing was held out the test value decides
    ranked = raw.assign(_order=decisive.where(~larger, -decisive)).sort_values("_order", kind="stable")
    keys = [name for name in keys if name in raw and name not in over]
    kept = ranked.groupby(keys, dropna=False, sort=False).head(1)
    return raw.loc[kept.index.sort_values()]


def summarise(chosen):
    """Tidy rows of Tables 2-5.

    Parameters
    ----------
    chosen : DataFrame
        From :func:`best_settings`.

    Returns
    -------
    DataFrame
        Setting keys missing_pct, p, protocol, labels, reading, start. The four published metrics have their published
        names.
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
                protocol=row.protocol,
                labels=row.labels,
                reading=row.reading or None,
                start=None if pd.isna(row.start) else int(row.start),
            ),
            "metric": published_metric(row.metric, "mlmlfs"),
            "value": row.value,
            "std": np.nan,
            "n": 1,
        }
        for row in chosen.itertuples()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
