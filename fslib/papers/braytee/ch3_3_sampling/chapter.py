"""Section 3.4 of thesis "braytee": the chapter's extractions and its ranking on the splits of ABC-Sampling.

Each method runs as in its own section, in the published reading: two components, or the 50 genes ranked first, and a
linear support vector machine that balances its classes. The split is that of section 3.3, two thirds for training;
ABC-Sampling sees genes filtered by BIRF there, the others see all of them.
"""

import numpy as np

from fslib.evaluation.splits import stratified_split
from fslib.papers.braytee.ch3_1_extraction.protocol import extract, make_classifier, scores_of
from fslib.papers.braytee.ch3_2_bsnmf.protocol import fitted
from fslib.papers.braytee.ch3_3_sampling.items import PROPOSED
from fslib.papers.braytee.ch3_3_sampling.protocol import TRAIN_SIZE, measures
from fslib.papers.braytee.ch3_3_sampling.tables import over_splits, with_published
from fslib.papers.braytee.ch3_data import SECTION_3_3, available, load_task
from fslib.seeds import trial_seed
from fslib.tidy import format_setting

OTHERS = ("CSPCA", "CSNMF", "BSNMF")
BEST_RANK = {"colon": 8, "breast_vantveer": 6}
"""Ranks of BSNMF with the best published values, of Table 3.13; 2 elsewhere."""

SHARED = ("Colon", "Breast")
"""Titles of the data sets that the thesis names."""


def chapter_trials(datasets, *, n_splits, seed):
    """Trials of the chapter's other methods on the first splits of section 3.3, and what cannot be run.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.braytee.ch3_data.SECTION_3_3`.
    n_splits, seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame

    Examples
    --------
    >>> trials, _ = chapter_trials(["haberman"], n_splits=2, seed=0)
    >>> len(trials)
    6
    """
    here, not_run = available(datasets, SECTION_3_3)
    trials = [
        {"dataset": name, "method": method, "split": split, "seed": seed}
        for name in here
        for split in range(n_splits)
        for method in OTHERS
    ]
    return trials, not_run


def run_trial(*, dataset, method, split, seed):
    """Results of one of the chapter's other methods on one split: one call of `run_trials`.

    Parameters
    ----------
    dataset : str
    method : {"CSPCA", "CSNMF", "BSNMF"}
    split, seed : int

    Returns
    -------
    list of dict
        The columns of :func:`fslib.papers.braytee.ch3_3_sampling.protocol.run_trial` without options.
    """
    X, y = load_task(dataset)
    train, test = stratified_split(y, train_size=TRAIN_SIZE, dataset=dataset, split=split, seed=seed)
    own_seed = trial_seed(seed, dataset, "chapter", method, split)
    if method == "BSNMF":
        k = BEST_RANK.get(dataset, 2)
        _, models = fitted(method, X[train], y[train], k=k, reading="published", seed=own_seed)
        labels, scores = models["balanced"](X[test])
    else:
        F, F_test, y_train, _ = extract(method, 2, "published", X[train], y[train], X[test], own_seed)
        model = make_classifier("SVM", "balanced", y_train.mean(), own_seed).fit(F, y_train)
        labels, scores = model.predict(F_test), scores_of(model, F_test)
    named = {"dataset": SECTION_3_3[dataset], "ratio": "", "method": method, "reading": "published", "split": split}
    return [
        named | {"used": "", "protocol": "held_out", "arm": arm, "metric": metric, "value": float(value)}
        for metric, arm, value in measures(y[test], scores, labels)
    ]


def together(natural, others):
    """Rows of ABC-Sampling as published and of the other methods, on the data sets and splits that all of them ran.

    Parameters
    ----------
    natural : DataFrame
        Rows of Table 3.15.
    others : DataFrame
        Rows of :func:`run_trial`.
    """
    if others.empty:
        return others
    rows = with_published(natural, others, {"method": [PROPOSED, *OTHERS]})
    return rows[rows["metric"].isin(["auc", "f_measure"])]


def chapter_rows(rows):
    """Tidy rows of item "Section 3.4": mean, standard deviation and number of splits."""
    table = over_splits(rows, ["dataset", "method", "arm", "metric"])
    table["setting"] = [format_setting(reading="published", arm=arm or None) for arm in table["arm"]]
    return table[["dataset", "method", "setting", "metric", "value", "std", "n"]]


def chapter_means(rows):
    """AUC of labels, AUC of scores and F1: data sets and methods as rows."""
    name = np.where(rows["arm"] == "", rows["metric"], rows["metric"] + ", " + rows["arm"])
    return rows.assign(measure=name).pivot_table(index=["dataset", "method"], columns="measure", values="value")
