"""One spelling per method, so that a colour, a table row and a reported number find each other."""

import re

# Printed or class spelling -> the name used in our tables and figures.
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
        As printed in a paper, or the name of a class of this library.

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
