"""Thesis "braytee", section 3.3, as data: which data sets, methods and settings its tables and figure show."""

from fslib.papers.braytee.ch3_data import SECTION_3_3, available

PROPOSED = "ABC-Sampling"
PLAIN = "Baseline"
SEARCHES = (PROPOSED, "PSO")
UNDERSAMPLERS = (*SEARCHES, "RU")
CHANCE = "shuffled labels"
PUBLISHED = (PROPOSED, "PSO", "RU", PLAIN)
"""Methods of the thesis's tables; Baseline is the classifier on all training rows."""

METHODS = (*PUBLISHED, "Balanced SVM", "SMOTE", "ADASYN", "BIRF", CHANCE)
"""Further ones of ours: class weights, two oversamplers, a balanced forest, and RU with training labels dealt anew."""

COSTLY = (*SEARCHES, "BIRF")

READINGS = ("published", "corrected")

RATIOS = {
    "australian": {"1:5": 77, "1:10": 38, "1:15": 26},
    "ionosphere": {"1:5": 45, "1:10": 25, "1:15": 15},
}
"""Minority samples kept, beside all majority samples: 383 or 225 over these counts are the ratios of Table 3.14 (4.97,
10.08 and 14.73; 5, 9 and 15). Its numbers of samples, 414 and 247, fit none of them."""

BIOMEDICAL = ("childhood_leukaemia", "colon", "breast_vantveer", "blood_transfusion", "haberman")
"""Data sets whose dropped majority samples the thesis moves to the test part."""

LIMITS = (5, 10, 15, 20, 30, 50)
LIMIT, ITERATIONS = 10, 250
"""Values that the thesis chose."""

BIRF_TREES, BIRF_KEEP, WIDE = 100, 50, 1000
"""Data with more features than ``WIDE`` are cut to the best ``BIRF_KEEP`` by BIRF with so many trees per round."""


def search_options(dataset, evaluations, **changed):
    """Options of both searches on a data set: what the thesis chose, and the budget of this run.

    Parameters
    ----------
    dataset : str
    evaluations : dict of str to int
        Distinct subsets that a search may evaluate, per data set; ``"other"`` for those not named.
    **changed
        Options that differ.

    Examples
    --------
    >>> search_options("haberman", {"other": 200}, limit=5)
    {'n_sources': 30, 'max_iter': 250, 'limit': 5, 'max_evaluations': 200}
    """
    budget = evaluations.get(dataset, evaluations["other"])
    return {"n_sources": 30, "max_iter": ITERATIONS, "limit": LIMIT, "max_evaluations": budget} | changed


def method_trials(datasets, evaluations, *, n_splits, n_search_splits, seed, ratios=False):
    """Trials of Table 3.15, or of Table 3.16 with ``ratios``: all methods, ABC-Sampling in both readings.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.braytee.ch3_data.SECTION_3_3`.
    evaluations : dict of str to int
        See :func:`search_options`.
    n_splits, n_search_splits : int
        Splits of the methods, and the first of them that the searches and BIRF take part in.
    seed : int
    ratios : bool
        The data sets of :data:`RATIOS`, thinned to each of its ratios, instead of the others.

    Returns
    -------
    trials : list of dict
        For ``run_trials(run_trial, trials, ...)``.
    not_run : DataFrame
        dataset, reason.

    Examples
    --------
    >>> trials, not_run = method_trials(["haberman"], {"other": 200}, n_splits=2, n_search_splits=1, seed=0)
    >>> len(trials), len(not_run)                                                # 6 methods x 2, 4 x 1
    (16, 0)
    """
    here, not_run = available([name for name in datasets if (name in RATIOS) == ratios], SECTION_3_3)
    trials = []
    for name in here:
        budget = search_options(name, evaluations)
        for ratio in RATIOS[name] if ratios else [""]:
            for split in range(n_splits):  # outside: the methods of one split share its scaled and filtered rows
                for method in METHODS if split < n_search_splits else [m for m in METHODS if m not in COSTLY]:
                    options = budget if method in SEARCHES else {}
                    readings = READINGS if method == PROPOSED else [""]
                    trials += [_trial(name, ratio, method, reading, options, split, seed) for reading in readings]
    return trials, not_run


def limit_trials(datasets, evaluations, *, limits, n_sources, n_splits, seed):
    """Trials of Table 3.17: ABC-Sampling as published with each limit; see :func:`method_trials`.

    ``n_sources`` is small, so that a budget has enough iterations for the largest limit to act.
    """
    here, not_run = available([name for name in datasets if name not in RATIOS], SECTION_3_3)
    trials = [
        _trial(name, "", PROPOSED, "published", search_options(name, evaluations, **options), split, seed)
        for name in here
        for options in ({"limit": limit, "n_sources": n_sources, "max_iter": 10 * ITERATIONS} for limit in limits)
        for split in range(n_splits)
    ]
    return trials, not_run


def iteration_trials(datasets, *, iterations, n_sources, n_splits, seed):
    """Trials of Figure 3.7: ABC-Sampling as published after each number of iterations, without a limit of subsets.

    See :func:`method_trials`.
    """
    here, not_run = available([name for name in datasets if name not in RATIOS], SECTION_3_3)
    unlimited = {"other": None}
    trials = [
        _trial(name, "", PROPOSED, "published", search_options(name, unlimited, **options), split, seed)
        for name in here
        for options in ({"max_iter": number, "n_sources": n_sources} for number in iterations)
        for split in range(n_splits)
    ]
    return trials, not_run


def _trial(dataset, ratio, method, reading, options, split, seed):
    return {
        "dataset": dataset, "ratio": ratio, "method": method, "reading": reading, "options": options, "split": split,
        "seed": seed,
    }  # fmt: skip
