"""Section 3.3 at two budgets: a fixed number of distinct subsets, and what the thesis states without a limit.

The thesis gives ABC-Sampling half as many sources as there are training samples, 250 iterations and a limit of 10. How
many distinct subsets that evaluates follows from the size of the data.
"""

from fslib.papers.braytee.ch3_3_sampling.items import PROPOSED, search_options
from fslib.papers.braytee.ch3_3_sampling.protocol import TRAIN_SIZE
from fslib.papers.braytee.ch3_3_sampling.tables import over_splits, with_published
from fslib.papers.braytee.ch3_data import SECTION_3_3, available, load_task
from fslib.tidy import format_setting

MEASURES = {
    ("auc", "scores"): "auc",
    ("auc", "published"): "auc_hard",
    ("f_measure", ""): "f_measure",
    ("fitness_best", ""): "fitness_best",
    ("fitness_test", ""): "fitness_test",
    ("n_evaluations", ""): "n_evaluations",
}
"""(metric, arm) of a trial -> its column; all but the fitness of the search and its evaluations are of test rows."""


def thesis_budget_trials(datasets, *, n_splits, seed):
    """Trials of ABC-Sampling as published with as many subsets as the thesis lets it evaluate.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.braytee.ch3_data.SECTION_3_3`.
    n_splits, seed : int

    Returns
    -------
    trials : list of dict
        For :func:`fslib.papers.braytee.ch3_3_sampling.protocol.run_trial`.
    not_run : DataFrame

    Examples
    --------
    >>> trials, _ = thesis_budget_trials(["haberman"], n_splits=1, seed=0)
    >>> trials[0]["options"]
    {'n_sources': 102, 'max_iter': 250, 'limit': 10, 'max_evaluations': None}
    """
    here, not_run = available(datasets, SECTION_3_3)
    trials = []
    for name in here:
        half = int(TRAIN_SIZE * len(load_task(name)[1])) // 2
        options = search_options(name, {"other": None}, n_sources=half)
        named = {"dataset": name, "ratio": "", "method": PROPOSED, "reading": "published", "options": options}
        trials += [named | {"split": split, "seed": seed} for split in range(n_splits)]
    return trials, not_run


def both_budgets(natural, unlimited):
    """Rows of ABC-Sampling as published at both budgets, on the data sets and splits that both ran, with ``budget``."""
    if unlimited.empty:
        return unlimited
    rows = with_published(natural, unlimited.assign(budget="thesis"), {"budget": ["fixed", "thesis"]})
    rows = rows.assign(measure=[MEASURES.get(key, "") for key in zip(rows["metric"], rows["arm"], strict=True)])
    return rows[rows["measure"] != ""]


def budget_rows(rows):
    """Tidy rows of item "Section 3.3, budgets": mean, standard deviation and number of splits."""
    table = over_splits(rows, ["dataset", "budget", "measure"]).rename(columns={"measure": "metric"})
    table["setting"] = [format_setting(budget=budget, reading="published") for budget in table["budget"]]
    return table.assign(method=PROPOSED)[["dataset", "method", "setting", "metric", "value", "std", "n"]]


def budgets_beside(rows):
    """Both budgets side by side: (data set, budget) as rows, the measures as columns, means over splits."""
    table = rows.pivot_table(index=["dataset", "budget"], columns="measure", values="value", sort=False)
    return table.reindex(columns=list(MEASURES.values()))


def gains(rows):
    """What more evaluations change: differences of the two budgets, thesis less fixed, means over splits."""
    table = budgets_beside(rows)
    return table.xs("thesis", level="budget") - table.xs("fixed", level="budget")
