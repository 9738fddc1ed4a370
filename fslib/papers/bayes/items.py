"""Paper "bayes" as data: which data set, loss, learner, methods and sizes each figure of section 4 shows.

Where the paper is silent, the choice is ours: its text names only Semeion for Figures 1 and 3, so they
show every data set of Table 1 that fits exact counts; of the two costs of Figure 2 it names 0.25, and the other is set
to 0.1; the sizes are read from the run-time table.
"""

from dataclasses import dataclass, replace

SMALL_K = tuple(range(1, 16))
LARGE_K = (5, 10, 15, 20, 25, 50, 75)


@dataclass(frozen=True)
class BinaryTask:
    """A data set of Table 1 as a task with two classes.

    Attributes
    ----------
    title : str
        Name in the paper.
    positive : str
        Class taken as positive; all others are negative.
    train_size : float
        Share of rows in the training part (footnote 5).
    """

    title: str
    positive: str
    train_size: float = 0.7


TASKS = {
    "mushroom": BinaryTask("Mushroom", "poisonous"),
    "adult": BinaryTask("Adult", ">50K", train_size=0.2),
    "splice": BinaryTask("Splice", "N"),
    "semeion": BinaryTask("Semeion", "1"),
    "thrombin": BinaryTask("KDDCup01", "active"),
    "pcmac": BinaryTask("Pcmac", "2"),
    "basehock": BinaryTask("Basehock", "2"),
    "gisette": BinaryTask("Gisette", "1"),
    "waveform": BinaryTask("Waveform", "2"),  # 0.3310; class 1 has 0.3306, which rounds to 0.331 too
}
"""Name in :mod:`fslib.datasets` -> task, in the order of Table 1. Where two classes have the published share of
positives up to rounding, or the share does not name the class, the choice is ours."""

METHODS = ("BayesGreedy", "BayesScore", "MIGreedy", "MIScore", "MRMR", "FScore")
# For log loss MIGreedy and MIScore are the Bayes filters; the 0-1 ones are there for comparison.
METHODS_CPE = ("MIGreedy", "MIScore", "0-1-BayesGreedy", "0-1-BayesScore", "MRMR", "FScore")

TIES = ("log", "index")
"""How the Bayes filters order features of equal value: by the log criterion, this library's better rule, or by index
only, which is all that Algorithm 1 says."""

TIED = ("BayesGreedy", "BayesScore")
TIED_FIGURES = ("Figure 1", "Figure 2", "Figure 4(a)", "Figure 4(b)", "Figure 4(c)", "Figure 5")
"""Methods and figures that have both rules for ties."""

CHANCE = "random features"
"""Row of chance: features drawn at random, other ones for each split."""


@dataclass(frozen=True)
class Panel:
    """One panel of a figure: test error against the number of selected features, one curve per method.

    Attributes
    ----------
    item : str
        Figure, as the paper names it.
    dataset : str
        Name in :mod:`fslib.datasets`.
    measure : str
        Of :mod:`fslib.evaluation.metrics`; it decides the learner and its tuning too.
    loss : str
        Its name in the setting of a tidy row.
    methods : tuple of str
    ks : tuple of int
    c : float or None
        Cost of a false positive, for cost-sensitive panels.
    estimation : {"exact", "bivariate"}
        How BayesGreedy and MIGreedy estimate their criterion.
    """

    item: str
    dataset: str
    measure: str
    loss: str
    methods: tuple[str, ...] = METHODS
    ks: tuple[int, ...] = SMALL_K
    c: float | None = None
    estimation: str = "exact"


EXACT_SETS = ("mushroom", "adult", "splice", "semeion", "pcmac", "basehock", "waveform")

PANELS = (
    *(Panel("Figure 1", name, "error_0_1", "0-1") for name in EXACT_SETS),
    *(
        Panel("Figure 2", name, "cost_error", "cost-sensitive", c=c)
        for name in ("adult", "mushroom")
        for c in (0.1, 0.25)
    ),
    *(Panel("Figure 3", name, "log_loss", "log", METHODS_CPE) for name in EXACT_SETS),
    Panel("Figure 4(a)", "semeion", "balanced_error", "balanced"),
    Panel("Figure 4(b)", "semeion", "f1", "F1"),
    Panel("Figure 4(c)", "thrombin", "balanced_error", "balanced", estimation="bivariate"),
    Panel("Figure 5", "gisette", "error_0_1", "0-1", ks=LARGE_K, estimation="bivariate"),
    Panel("Figure 5", "semeion", "balanced_error", "balanced", ks=LARGE_K, estimation="bivariate"),
)


def stand_ins(item, datasets):
    """Panels of a figure on other data sets, for readers without the paper's own.

    Parameters
    ----------
    item : str
        Figure whose loss, methods, sizes and estimation are kept.
    datasets : iterable of str
        Names in :data:`TASKS`.

    Returns
    -------
    tuple of Panel

    Examples
    --------
    >>> [(panel.item, panel.dataset, panel.loss) for panel in stand_ins("Figure 4(b)", ["splice"])]
    [('Figure 4(b)', 'splice', 'F1')]
    """
    models = {(p.measure, p.c, p.estimation): p for p in PANELS if p.item == item}
    return tuple(replace(model, dataset=name) for model in models.values() for name in datasets)


def panels_with_stand_ins(items, names):
    """Panels of some figures on the paper's data sets, followed by their stand-ins.

    Examples
    --------
    >>> panels = panels_with_stand_ins(["Figure 5"], ["splice"])
    >>> [(panel.dataset, panel.loss) for panel in panels]
    [('gisette', '0-1'), ('semeion', 'balanced'), ('splice', '0-1'), ('splice', 'balanced')]
    """
    published = [panel for panel in PANELS if panel.item in items]
    return (*published, *(panel for item in items for panel in stand_ins(item, names)))
