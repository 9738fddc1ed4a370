"""Whether a choice is better than a guess, and than all features, by more than the noise between folds."""

import numpy as np

from fslib.base import tie_groups
from fslib.evaluation.margins import exceeds, noise_of_pairs
from fslib.evaluation.stats import paired_t
from fslib.select.scores import ALL_FEATURES, GUESS

LEVEL = 0.05
"""Level at which the choice must beat a guess."""


OPEN = 0.2
"""Where no feature can be tested alone: level up to which a choice that does not beat the guess may still be better."""


def beats_guess(comparison):
    """Whether the nested choice scores better than the best guess, and the p-value of the one-sided test.

    Returns
    -------
    informative : bool or None
        None with fewer than two folds in which both scores are defined.
    p : float
    """
    nested = comparison.nested.dropna(subset=["score", "guess"])
    if len(nested) < 2:
        return None, float("nan")
    test = paired_t(nested["score"], nested["guess"], test_to_train=comparison.test_to_train)
    p = test.pvalue / 2 if test.statistic > 0 else 1 - test.pvalue / 2
    return bool(p <= LEVEL), float(p)


def against_all(comparison):
    """Whether the nested choice scores better than all features (True), worse (False), or neither is certain (None)."""
    nested = comparison.nested.dropna(subset=["score", "all_features"])
    if len(nested) < 2:
        return None
    pair = nested["score"], nested["all_features"]
    difference = float((pair[0] - pair[1]).mean())
    noise = noise_of_pairs(*pair, test_to_train=comparison.test_to_train)
    return None if difference == 0 else exceeds(difference, 0.0, noise)


def scores_tie(comparison):
    """Whether all selectors reach the same mean score with every number of features, up to rounding.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    bool
        False if fewer than two selectors or numbers of features have a score.

    Examples
    --------
    A learner that answers with the larger class, whatever it sees:

    >>> import pandas as pd
    >>> from sklearn.utils import Bunch
    >>> rows = [("MRMR", 1, 0.1 + 0.2), ("MRMR", 2, 0.3), ("Best guess", 0, 0.3), ("All features", 9, 0.7)]
    >>> scores_tie(Bunch(summary=pd.DataFrame(rows, columns=["method", "k", "mean"])))
    True
    """
    summary = comparison.summary
    return all_tie(summary.loc[~summary["method"].isin([ALL_FEATURES, GUESS]), "mean"].dropna())


def all_tie(scores):
    """Whether there are several scores and all are equal up to rounding.

    Examples
    --------
    >>> all_tie([0.1 + 0.2, 0.3]), all_tie([0.3]), all_tie([0.3, 0.4])
    (True, False, False)
    """
    return len(scores) > 1 and not tie_groups(np.asarray(scores)).any()
