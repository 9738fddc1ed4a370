"""One spelling for each method and metric, so that a colour, a table row and a published number find each other."""

import re

# Published or class spelling -> the name used in our tables and figures.
ALIASES = {
    "mrmr": "MRMR",
    "fisherscore": "FScore",
    "fisher score": "FScore",
    "f-score": "FScore",
    "f score": "FScore",
    "infogain": "MIScore",
    "mlcib": "ML-CIB",
    "br (baseline)": "BR",
    "dsmlfs": "DSML-FS",
    "smmml": "SMML",
}

# The paper writes the criterion in front of the search: 0-1-BayesGreedy, c-BayesScore. Our rows carry the
# criterion in the setting (loss=...), because it is the search that a reader follows from figure to figure.
_BAYES = re.compile(r"^(?:.+-)?(Bayes(?:Greedy|Score|Exhaustive))$", re.IGNORECASE)
_BAYES_NAMES = {"bayesgreedy": "BayesGreedy", "bayesscore": "BayesScore", "bayesexhaustive": "BayesExhaustive"}


def canonical_method(name: str) -> str:
    """Return the one spelling of a method's name.

    Parameters
    ----------
    name : str
        As spelled in a paper, or the name of a class of this library.

    Returns
    -------
    str
        The spelling of our tables; a name that has no alias comes back unchanged.

    Examples
    --------
    >>> canonical_method("0-1-BayesGreedy"), canonical_method("mRMR"), canonical_method("RFS")
    ('BayesGreedy', 'MRMR', 'RFS')
    """
    name = name.strip()
    if match := _BAYES.match(name):
        return _BAYES_NAMES[match.group(1).lower()]
    return ALIASES.get(name.lower(), name)


METRIC_NAMES = {
    "error_0_1": "0-1 error",
    "cost_error": "cost-sensitive error",
    "runtime_s": "run time, s",
    "auc": "AUC",
    "f1": "F1",
    "macro_f1": "macro F1",
    "micro_f1": "micro F1",
    "example_f1": "example F1",
    "label_macro_f1": "label macro F1",
}


def metric_name(metric: str) -> str:
    """Name a metric for figures and tables; one that is not listed only loses its underscores.

    Examples
    --------
    >>> metric_name("f1"), metric_name("average_precision")
    ('F1', 'average precision')
    """
    return METRIC_NAMES.get(metric, metric.replace("_", " "))
