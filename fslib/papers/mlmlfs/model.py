"""Paper "mlmlfs", section 4 on data: convergence, sparsity, shrinkage, and how well hidden labels are recovered."""

import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score, roc_auc_score

from fslib.datasets import load, unavailable_reason
from fslib.multilabel import MLMLFS
from fslib.papers.mlmlfs.protocol import TITLES, load_task
from fslib.tidy import format_setting

NEGLIGIBLE = 1e-3
"""A row of coefficients shorter than this share of the longest counts as zero."""


def run_model_trial(*, dataset, missing_pct, reading, alpha, lam, p, max_iter, tol, seed):
    """Fit MLMLFS once and describe the fit: a trial of :func:`fslib.evaluation.trials.run_trials`.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.mlmlfs.protocol.TITLES`.
    missing_pct : int
    reading, alpha, lam, p, max_iter, tol
        Of :class:`fslib.multilabel.MLMLFS`.
    seed : int
        Root seed of drawn masks, and the start of the published reading.

    Returns
    -------
    list of dict
        dataset, missing_pct, reading, alpha, lam, p, metric, iteration, value. Metrics: ``objective`` (one row per
        iteration; of the published reading what Figure 2 shows); ``zero_rows`` (share of negligible rows of
        coefficients); ``prediction_spread`` (standard deviation of the predictions within a label, mean over labels);
        and where labels were hidden those of :func:`recovery`.
    """
    task = load_task(dataset, missing_pct, seed)
    model = MLMLFS(alpha=alpha, lam=lam, p=p, max_iter=max_iter, tol=tol, reading=reading, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # whether it converged is read off the objective
        model.fit(task.X, task.y)
    facts = {
        "zero_rows": float(np.mean(model.scores_ < NEGLIGIBLE * model.scores_.max())),
        "prediction_spread": float(model.decision_function(task.X).std(axis=0).mean()),
    }
    if missing_pct:
        facts |= recovery(model.label_matrix_, task.y, task.hidden)
    named = {"dataset": TITLES[dataset], "missing_pct": missing_pct, "reading": reading}
    named |= {"alpha": alpha, "lam": lam, "p": p}
    rows = [named | {"metric": name, "iteration": 0, "value": value} for name, value in facts.items()]
    return rows + [
        named | {"metric": "objective", "iteration": i, "value": float(value)}
        for i, value in enumerate(model.objective_, start=1)
    ]


def recovery(label_matrix, y, hidden):
    """How well hidden training labels were recovered, beside guessing by the frequency of each label.

    Parameters
    ----------
    label_matrix : array of shape (n, c)
        Recovered labels, -1 to 1.
    y : array of shape (n, c)
        What was known; NaN elsewhere.
    hidden : array of shape (n, c)
        What was not; NaN elsewhere.

    Returns
    -------
    dict of str to float
        ``recovery_auc`` and ``frequency_auc``: area under the ROC curve of all hidden entries together.
        ``recovery_f1`` and ``frequency_f1``: F1 of the recovered labels, and of predicting the labels that more than
        half of the samples have. ``recovery_auc_per_label``: mean over labels, where frequencies have 0.5.

    Examples
    --------
    >>> y = np.array([[1, np.nan], [0, 0], [np.nan, 0], [np.nan, 0]])
    >>> hidden = np.array([[np.nan, 1], [np.nan, np.nan], [1, np.nan], [0, np.nan]])
    >>> recovery(np.array([[1, 0.4], [-1, -1], [0.2, -1], [-0.8, -1]]), y, hidden)["recovery_auc"]
    1.0
    """
    where = ~np.isnan(hidden)
    truth, score = hidden[where].astype(int), label_matrix[where]
    frequency = np.broadcast_to(np.nanmean(y, axis=0), y.shape)[where]
    per_label = [
        roc_auc_score(hidden[rows, j], label_matrix[rows, j])
        for j, rows in enumerate(where.T)
        if len(np.unique(hidden[rows, j])) == 2
    ]
    return {
        "recovery_auc": float(roc_auc_score(truth, score)),
        "frequency_auc": float(roc_auc_score(truth, frequency)),
        "recovery_f1": float(f1_score(truth, score > 0, zero_division=0)),
        "frequency_f1": float(f1_score(truth, frequency > 0.5, zero_division=0)),
        "recovery_auc_per_label": float(np.mean(per_label)) if per_label else 0.5,
    }


def model_trials(*, datasets, missing, readings=("corrected",), alphas=(1e-4,), lams=(1.0,), ps=(1.0,), seed=0, **more):
    """List the trials of a grid, on those data sets that are on this machine.

    Parameters
    ----------
    datasets : list of str
    missing : list of int
        Percent.
    readings, alphas, lams, ps : sequences
    seed : int
    **more
        ``max_iter`` (default 30) and ``tol`` (default 1e-3).

    Returns
    -------
    list of dict
        For ``run_trials(run_model_trial, trials, ...)``.

    Examples
    --------
    >>> len(model_trials(datasets=["emotions", "bookmarks"], missing=[25, 50], ps=[0.4, 1.0]))
    4
    """
    stop = {"max_iter": 30, "tol": 1e-3} | more
    return [
        {"dataset": dataset, "missing_pct": rate, "reading": reading, "alpha": alpha, "lam": lam, "p": p, "seed": seed}
        | stop
        for dataset in datasets
        if not unavailable_reason(dataset)
        for rate in missing
        for reading in readings
        for alpha in alphas
        for lam in lams
        for p in ps
    ]


def summarise_model(raw, item):
    """Tidy rows of :func:`run_model_trial`: setting keys missing_pct, p, lam, alpha, reading, and iteration if any."""
    named = {"paper": "mlmlfs", "item": item, "method": "MLMLFS", "std": np.nan, "n": 1}
    rows = [
        named
        | {"dataset": row.dataset, "metric": row.metric, "value": row.value}
        | {
            "setting": format_setting(
                missing_pct=row.missing_pct,
                p=f"{row.p:g}",
                lam=f"{row.lam:g}",
                alpha=f"{row.alpha:g}",
                reading=row.reading,
                iteration=row.iteration or None,
            )
        }
        for row in raw.itertuples()
    ]
    return pd.DataFrame(rows)


def table_1(datasets):
    """Sizes of the available data sets, as loaded.

    Parameters
    ----------
    datasets : list of str

    Returns
    -------
    DataFrame
        Tidy rows; metrics n_instances, n_features, n_labels, n_train, n_test.

    Examples
    --------
    >>> table_1(["emotions"])[["metric", "value"]].values.tolist()[:2]
    [['n_instances', 593.0], ['n_features', 72.0]]
    """
    rows = []
    for name in datasets:
        if unavailable_reason(name):
            continue
        data = load(name)
        n_train = int(np.sum(data.split == 0))
        facts = {"n_instances": data.X.shape[0], "n_features": data.X.shape[1], "n_labels": data.y.shape[1]}
        facts |= {"n_train": n_train, "n_test": data.X.shape[0] - n_train}
        named = {"paper": "mlmlfs", "item": "Table 1", "dataset": TITLES[name], "method": "", "setting": ""}
        rows += [named | {"metric": metric, "value": float(value)} for metric, value in facts.items()]
    return pd.DataFrame(rows)
