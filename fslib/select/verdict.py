"""Whether a choice is better than a guess, and than all features, by more than the noise between folds."""

from fslib.evaluation.margins import exceeds, noise_of_pairs
from fslib.evaluation.stats import paired_t

LEVEL = 0.05
"""Level at which the choice must beat a guess."""


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
