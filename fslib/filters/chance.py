"""What features score by chance: permutation tests, and a warning about features that look informative and are not."""

import inspect
import warnings
from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from fslib.counts.counter import mutual_information

MANY_LEVELS, SAMPLES_PER_LEVEL = 20, 5
"""A feature with so many levels, and fewer samples to a level than this, is compared with chance."""

_PERMUTATIONS, _CHECKED = 20, 50


@dataclass(frozen=True)
class PermutationTest:
    """Scores of features and how often chance reaches them.

    Attributes
    ----------
    scores : array of shape (d,)
    p_values : array of shape (d,)
        (1 + permutations with at least this score) / (1 + permutations), one-sided; never 0.
    q_values : array of shape (d,)
        After Benjamini and Hochberg: selecting the features with q below 0.05 makes 5 % false discoveries at most, in
        the mean.
    chance : array of shape (d,)
        Mean score under permutation: the bias of the score.
    """

    scores: np.ndarray
    p_values: np.ndarray
    q_values: np.ndarray
    chance: np.ndarray


def permutation_test(selector, X, y, *, n_permutations=1000, random_state=0, progress=False):
    """Compare the scores of single features with those that they get when the target is shuffled.

    Use it to decide how many features score more than noise, and wherever features with many levels compete with
    features with few: the p-value is free of the bias that favours the former. It says nothing about redundancy.

    Parameters
    ----------
    selector : BayesScore or MIScore
        Not fitted; it is not changed.
    X, y
        As for the selector's ``fit``.
    n_permutations : int
        The smallest p-value is 1 / (1 + n_permutations).
    random_state : int, Generator or RandomState
        Draws the permutations.
    progress : bool
        Show a progress bar.

    Returns
    -------
    PermutationTest

    Raises
    ------
    TypeError
        If the selector does not score single discrete features.
    ValueError
        If ``n_permutations`` is below 1, or the selector refuses the data.

    Notes
    -----
    O(n d) per permutation; X is encoded once. The p-values are those of B. Phipson and G. Smyth, "Permutation p-values
    should never be zero", 2010. There are no sample weights: rows of unequal weight cannot change places under the null
    hypothesis. Where weights count rows, repeat the rows.

    Examples
    --------
    >>> from fslib.filters import MIScore
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = np.column_stack([np.where(rng.random(200) < 0.3, y, 2), rng.integers(0, 15, 200)])  # a signal, and noise
    >>> test = permutation_test(MIScore(), X, y, n_permutations=99)
    >>> test.scores.round(2), test.chance.round(2), test.p_values.round(2)
    (array([0.17, 0.04]), array([0.01, 0.03]), array([0.01, 0.29]))
    """
    from statsmodels.stats.multitest import multipletests  # here, because it takes long to import

    if n_permutations < 1:
        raise ValueError(f"n_permutations={n_permutations} must be at least 1.")
    if not hasattr(selector, "single_scores"):
        raise TypeError(f"{type(selector).__name__} does not score single features: use MIScore or BayesScore.")
    problem = selector.bind(X, y)
    scores = selector.single_scores(problem)
    labels, rng = problem.labels, np.random.default_rng(random_state)
    at_least, total = np.ones(len(scores)), np.zeros(len(scores))
    for _ in tqdm(range(n_permutations), unit="permutation", disable=not progress):
        problem.labels = rng.permutation(labels)
        by_chance = selector.single_scores(problem)
        at_least += by_chance >= scores - 1e-12
        total += by_chance
    p_values = at_least / (1 + n_permutations)
    q_values = multipletests(p_values, method="fdr_bh")[1]
    return PermutationTest(scores, p_values, q_values, total / n_permutations)


def warn_of_chance(levels, y, n_classes):
    """Warn of features with so many levels that their information about the class is what chance gives.

    A feature with a level per sample, such as an identifier, has all information about the class in the training
    sample and none about other samples. Features with at least ``MANY_LEVELS`` levels and fewer than
    ``SAMPLES_PER_LEVEL`` samples to a level are compared with 20 permutations of the classes, the 50 of most levels.

    Parameters
    ----------
    levels : Levels
    y : array of int, shape (n,)
        Class codes.
    n_classes : int

    Warns
    -----
    UserWarning
        If the information of such a feature is within two standard deviations of the mean under permutation.
    """
    n_levels = levels.n_levels
    many = np.flatnonzero((n_levels >= MANY_LEVELS) & (n_levels * SAMPLES_PER_LEVEL > len(y)))
    if not len(many):
        return
    many = np.sort(many[np.argsort(-n_levels[many], kind="stable")[:_CHECKED]])
    counter, rng = levels.columns(many).counter(), np.random.default_rng(0)
    information = counter.score(mutual_information, y, n_classes)
    shuffled = [counter.score(mutual_information, rng.permutation(y), n_classes) for _ in range(_PERMUTATIONS)]
    ids = many[information <= np.mean(shuffled, axis=0) + 2 * np.std(shuffled, axis=0) + 1e-12]
    if len(ids):
        warnings.warn(
            f"{len(ids)} feature(s) of X have so many levels that they score no better than by chance (column "
            f"{ids[0]}: {n_levels[ids[0]]} levels, {len(y)} samples). Such a feature is probably an identifier: drop "
            "it, or discretise it.",
            UserWarning,
            stacklevel=_stack_level(),
        )


def _stack_level():
    """Where a warning of the calling function should point: at the nearest line outside this and sklearn's code."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("fslib", "sklearn"):
        frame, level = frame.f_back, level + 1
    return level
