"""One table of methods and one of metrics: how each is spelt, what readers call it, which direction is better.

Everything that needs to know a method or a metric by name looks it up here: figures, tables, the comparison with the
papers, the guard of our own numbers. A new method or metric is one line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Method:
    """A method as our tables and figures name it.

    Attributes
    ----------
    name : str
    selector : str
        Where its class is, ``"package.Class"`` below :mod:`fslib`; empty for a method without a class of its own.
    aliases : tuple of str
        Other spellings in papers and code; case does not count.
    """

    name: str
    selector: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tolerance:
    """How far a guarded number may lie from the stored one, and why that far."""

    absolute: float
    reason: str
    relative: float = 0.0

    def allows(self, expected: float, here: float) -> bool:
        """Whether the two count as one number; two missing ones do.

        Examples
        --------
        >>> EXACT.allows(0.5, 0.5 + 1e-10), EXACT.allows(0.5, 0.5001), EXACT.allows(float("nan"), float("nan"))
        (True, False, True)
        """
        if expected != expected or here != here:
            return expected != expected and here != here
        return expected == here or abs(expected - here) <= self.allowed(expected)

    def allowed(self, expected: float) -> float:
        """Return the largest difference that counts as none."""
        return self.absolute + self.relative * abs(expected)


EXACT = Tolerance(1e-9, "a count, or a closed form of counts: only the order of a sum may differ")
"""For every metric without a tolerance of its own, and for every metric that is not listed."""

_FLIPS = Tolerance(4e-3, "a learner fitted by iteration may put a few test rows on the other side on another machine")
_F1_FLIPS = Tolerance(8e-3, "as for the 0-1 error, and F1 of few positives moves twice as far")
_AUC_FLIPS = Tolerance(0.012, "one of a few dozen positives on the other side on another machine")
_SMOOTH = Tolerance(2e-3, "smooth in the scores, which are fitted by iteration")
_NEIGHBOURS = Tolerance(4e-3, "distances that tie up to rounding may swap neighbours on another machine")
_F1_NEIGHBOURS = Tolerance(8e-3, "as for the Hamming loss, and F1 of few positives moves twice as far")
_RANKS = Tolerance(2e-3, "one swapped pair of labels among many, where neighbours tie up to rounding")
_ITERATION = Tolerance(1e-9, "where an iteration ends; inputs off by 1e-12 move it by 4e-14 of its size", 1e-9)
# With inputs off by 1e-12 these did not move at all; on another machine one sample, feature or pair may change sides.
_HIDDEN_PAIRS = Tolerance(1e-4, "ranks of thousands of pairs of hidden labels, of which a few may swap")
_HIDDEN_FLIPS = Tolerance(2e-3, "one hidden label of some hundreds on the other side of zero")
_ONE_ROW = Tolerance(0.015, "one row of W, of 72 or more, on the other side of the limit")


@dataclass(frozen=True)
class Metric:
    """A metric of tidy rows.

    Attributes
    ----------
    key : str
        In the column ``metric``.
    name : str
        For readers: axis labels, report.
    larger_is_better : bool or None
        None where neither direction is better.
    decimals : int
        Digits after the point that a table shows; a comparison of methods is made on values rounded to them.
    tolerance : Tolerance
        Of guarded numbers.
    published : mapping of str to str
        Paper -> key under which its tables report the metric, where that is another one.
    timed : bool
        It depends on the machine: never guarded, and compared with a paper as a ratio only.
    """

    key: str
    name: str
    larger_is_better: bool | None = None
    decimals: int = 4
    tolerance: Tolerance = EXACT
    published: Mapping[str, str] = field(default_factory=dict)
    timed: bool = False


def _methods(*methods: Method) -> dict[str, Method]:
    return {method.name: method for method in methods}


METHODS = _methods(
    # Bayes optimal selection
    Method("BayesGreedy", "filters.BayesGreedy"),
    Method("BayesScore", "filters.BayesScore"),
    Method("BayesExhaustive", "filters.BayesExhaustive"),
    Method("MIGreedy", "filters.MIGreedy"),
    Method("MIScore", "filters.MIScore", ("InfoGain",)),
    Method("MRMR", "filters.MRMR"),
    Method("FScore", "filters.FisherScore", ("FisherScore", "Fisher score", "F-score", "F score")),
    # many views
    Method("RRMVFS", "multiview.RRMVFS"),
    Method("RFS", "multiview.RFS"),
    Method("SSMVFS", "multiview.SSMVFS"),
    Method("SMML", "multiview.SMML", ("SMMML",)),
    Method("DSML-FS", "multiview.DSMLFS", ("DSMLFS",)),
    Method("WMCFS", "multiview.WMCFS"),
    Method("CAT"),
    Method("Single"),
    # many labels
    Method("MLMLFS", "multilabel.MLMLFS"),
    Method("MDDM", "multilabel.MDDM"),
    Method("PMU", "multilabel.PMU"),
    Method("MDMR", "multilabel.MDMR"),
    Method("SFUS", "multilabel.SFUS"),
    Method("CMFS", "multilabel.CMFS"),
    Method("MIFS", "multilabel.MIFS"),
    Method("FIMF", "multilabel.FIMF"),
    Method("ML-CIB", "multilabel.MLCIB", ("MLCIB",)),
    Method("ML-CIB-FS", "multilabel.MLCIBFS", ("MLCIB-FS", "MLCIBFS")),
    Method("BR", "multilabel.BinaryRelevance", ("BR (baseline)", "Binary relevance", "BinaryRelevance")),
    Method("CC", "multilabel.LabelChain", ("Classifier chain", "ClassifierChain", "LabelChain")),
    Method("MLSMOTE", "multilabel.MLSMOTE"),
    Method("BR-IRUS", "multilabel.InverseRandomUnderSampling", ("BRIRUS", "InverseRandomUnderSampling")),
    Method("COCOA", "multilabel.COCOA"),
    Method("MMIB", "multilabel.MMIB", ("MIMB",)),
    # classes of unequal size
    Method("CSPCA", "imbalance.CSPCA"),
    Method("CSNMF", "imbalance.CSNMF"),
    Method("BSNMF", "imbalance.BSNMF"),
    Method("DNMF", "imbalance.DNMF"),
    Method("PCA"),
    Method("NMF"),
    Method("ADASYN-PCA"),
    Method("RU-PCA"),
    Method("ADASYN-NMF"),
    Method("RU-NMF"),
    Method("ML-CST", aliases=("MLCST",)),
    Method("PCA-ML-CST"),
    Method("NMF-ML-CST"),
    Method("CCPDT", "imbalance.CCPDT"),
    Method("PCA-CCPDT"),
    Method("NMF-CCPDT"),
    Method("ABC-Sampling", "imbalance.ABCSampling", ("ABC", "ABCSampling")),
    Method("PSO", "imbalance.PSOSampling", ("PSOSampling",)),
    Method("RU", aliases=("Random undersampling",)),
    Method("BIRF", "imbalance.BalancedIterativeRandomForest", ("BalancedIterativeRandomForest",)),
    Method("ADASYN", "imbalance.ADASYNWithFallback", ("ADASYNWithFallback",)),
    Method("SMOTE"),
    Method("Balanced SVM"),
    Method("Baseline"),
    # correlated features
    Method("SCANMF", "correlated.SCANMF"),
    Method("Fuzz-ESVM", "correlated.FuzzESVM", ("FuzzESVM",)),
    Method("ESVM-RFE", "correlated.ESVMRFE", ("ESVMRFE",)),
    Method("SVM-RFE", "correlated.SVMRFE", ("SVMRFE",)),
    Method("Fuzzy Forest", "correlated.FuzzyForest", ("FuzzyForest",)),
    Method("HLR", "correlated.HLR"),
    Method("LASSO", "correlated.LassoPath", ("LassoPath",)),
    Method("Elastic Net", "correlated.ElasticNetPath", ("ElasticNet", "Elastic-Net", "ElasticNetPath")),
    # no selection
    Method("All features", aliases=("All columns",)),
)
"""Name -> method, all that the papers propose or compare with."""


def _metrics(*metrics: Metric) -> dict[str, Metric]:
    return {metric.key: metric for metric in metrics}


METRICS = _metrics(
    # one label of two classes
    Metric("error_0_1", "0-1 error", False, tolerance=_FLIPS),
    Metric("cost_error", "cost-sensitive error", False, tolerance=_FLIPS),
    Metric("balanced_error", "balanced error", False, tolerance=_FLIPS),
    Metric("log_loss", "log loss", False, tolerance=_SMOOTH),
    Metric("f1", "F1", True, tolerance=_F1_FLIPS),
    Metric("f_measure", "F measure", True, 2, _F1_FLIPS),
    Metric("f1_balanced", "F1 at equal class sizes", True, 3, _F1_FLIPS),
    Metric("auc", "AUC", True, 3, _AUC_FLIPS),
    Metric("auc_hard", "AUC of labels", True, 3, _AUC_FLIPS),
    Metric("auc_pooled", "AUC, folds pooled", True, 3),
    Metric("fisher_ratio", "Fisher ratio", True, 3),
    Metric("planted_found", "share of planted features among the selected", True, 3),
    # several classes
    Metric("accuracy", "accuracy", True, tolerance=_FLIPS),
    Metric("macro_f1", "macro F1", True, tolerance=_F1_FLIPS),
    # many labels
    Metric("hamming_loss", "Hamming loss", False, tolerance=_NEIGHBOURS),
    Metric("subset_accuracy", "subset accuracy", True),
    Metric("micro_f1", "micro F1", True),
    Metric("label_macro_f1", "label macro F1", True, tolerance=_F1_NEIGHBOURS),
    # The tables of mlmlfs call it Macro-F: the values of PMU and MDMR agree with it to the last digit.
    Metric("example_f1", "example F1", True, published={"mlmlfs": "macro_f"}),
    Metric("macro_f", "Macro-F (example F1)", True, 4, _F1_NEIGHBOURS),
    Metric("one_error", "one-error", False, tolerance=_NEIGHBOURS),
    Metric("one_error_expected", "expected one-error", False),
    Metric("coverage", "coverage", False),
    Metric("ranking_loss", "ranking loss", False),
    Metric("average_precision", "average precision", True, tolerance=_RANKS),
    Metric("empty_predictions", "rows without a predicted label", False, tolerance=_NEIGHBOURS),
    # what a fit looks like
    Metric("objective", "objective", False, tolerance=_ITERATION),
    Metric("criterion", "criterion"),
    Metric("subset_average", "mean over subsets"),
    Metric("training_error", "training error", False),
    Metric("tied_columns", "tied features"),
    Metric("unique_rows", "distinct rows"),
    Metric("zero_rows", "share of zero rows of W", tolerance=_ONE_ROW),
    Metric("prediction_spread", "standard deviation of the predictions"),
    Metric("recovery_auc", "AUC of recovered labels", True, tolerance=_HIDDEN_PAIRS),
    Metric("recovery_auc_per_label", "AUC of recovered labels, mean over labels", True, tolerance=_HIDDEN_PAIRS),
    Metric("recovery_f1", "F1 of recovered labels", True, tolerance=_HIDDEN_FLIPS),
    Metric("frequency_auc", "AUC of guessing by frequency", True),
    Metric("frequency_f1", "F1 of guessing by frequency", True),
    # the first example of "bayes"
    Metric("p_x1", "P(X\N{SUBSCRIPT ONE} = 1)"),
    Metric("p_x2", "P(X\N{SUBSCRIPT TWO} = 1)"),
    Metric("eta1_at_0", "\N{GREEK SMALL LETTER ETA}\N{SUBSCRIPT ONE}(0)"),
    Metric("eta1_at_1", "\N{GREEK SMALL LETTER ETA}\N{SUBSCRIPT ONE}(1)"),
    Metric("eta2_at_0", "\N{GREEK SMALL LETTER ETA}\N{SUBSCRIPT TWO}(0)"),
    Metric("eta2_at_1", "\N{GREEK SMALL LETTER ETA}\N{SUBSCRIPT TWO}(1)"),
    Metric("mi_x1_y", "I(X\N{SUBSCRIPT ONE}; Y), bits", True),
    Metric("mi_x2_y", "I(X\N{SUBSCRIPT TWO}; Y), bits", True),
    Metric("bayes_error_x1", "Bayes error with X\N{SUBSCRIPT ONE}", False),
    Metric("bayes_error_x2", "Bayes error with X\N{SUBSCRIPT TWO}", False),
    Metric("mi_choice", "feature chosen by mutual information"),
    Metric("bayes_choice", "feature chosen by Bayes error"),
    # data sets
    Metric("n_instances", "samples", decimals=0),
    Metric("n_features", "features", decimals=0),
    Metric("n_attributes", "features", decimals=0),
    Metric("n_labels", "labels", decimals=0),
    Metric("n_train", "training samples", decimals=0),
    Metric("n_test", "test samples", decimals=0),
    Metric("p_positive", "share of positives", decimals=3),
    Metric("imbalance_ratio", "imbalance ratio", decimals=2),
    Metric("min_imr", "smallest imbalance ratio", decimals=2),
    Metric("max_imr", "largest imbalance ratio", decimals=2),
    Metric("avg_imr", "mean imbalance ratio", decimals=2),
    # a search for a subset of the majority class
    Metric("fitness_best", "best fitness of the search", True, 3, _SMOOTH),
    Metric("fitness_selected", "fitness on the selected samples", True, 3, _F1_FLIPS),
    Metric("fitness_all", "fitness on all training samples", True, 3, _F1_FLIPS),
    Metric("fitness_test", "mean of AUC and F1 on test rows", True, 3, _F1_FLIPS),
    Metric("n_evaluations", "distinct subsets evaluated", decimals=0),
    # comparisons
    Metric("avg_rank", "average rank", False, 2),
    Metric("p_value", "p-value"),
    Metric("best_n_features", "best number of features", decimals=0),
    Metric("runtime_s", "run time, s", False, 2, timed=True),
)
"""Key -> metric."""

LARGER_IS_BETTER = frozenset(key for key, metric in METRICS.items() if metric.larger_is_better)
"""Keys of the metrics that are scores, not losses."""

RUN_TIMES = frozenset(key for key, metric in METRICS.items() if metric.timed)
"""Keys of the metrics that depend on the machine."""

_SPELT = {spelling.lower(): m.name for m in METHODS.values() for spelling in (m.name, *m.aliases)}

# The paper writes the criterion in front of the search: 0-1-BayesGreedy, c-BayesScore. Our rows carry the
# criterion in the setting (loss=...), because it is the search that a reader follows from figure to figure.
_BAYES = re.compile(r"^.+-(bayes(?:greedy|score|exhaustive))$")


def canonical_method(name: str) -> str:
    """Return the one spelling of a method's name.

    Parameters
    ----------
    name : str
        As published in a paper, or the name of a class of this library.

    Returns
    -------
    str
        The name in `METHODS`; a name that is not there comes back without surrounding spaces.

    Examples
    --------
    >>> canonical_method("0-1-BayesGreedy"), canonical_method("mRMR"), canonical_method("mine")
    ('BayesGreedy', 'MRMR', 'mine')
    """
    spelling = name.strip().lower()
    if prefixed := _BAYES.match(spelling):
        spelling = prefixed.group(1)
    return _SPELT.get(spelling, name.strip())


def metric(key: str) -> Metric:
    """Look up a metric; one that is not listed has no direction and loses its underscores.

    Examples
    --------
    >>> metric("macro_f").larger_is_better, metric("my_loss").name, metric("my_loss").larger_is_better
    (True, 'my loss', None)
    """
    return METRICS.get(key) or Metric(key, key.replace("_", " "))


def metric_name(key: str) -> str:
    """Name a metric for figures and tables.

    Examples
    --------
    >>> metric_name("f1"), metric_name("average_precision"), metric_name("macro_f")
    ('F1', 'average precision', 'Macro-F (example F1)')
    """
    return metric(key).name


def published_metric(key: str, paper: str) -> str:
    """Return the key under which a paper reports a metric.

    Examples
    --------
    >>> published_metric("example_f1", "mlmlfs"), published_metric("example_f1", "braytee")
    ('macro_f', 'example_f1')
    """
    return metric(key).published.get(paper, key)
