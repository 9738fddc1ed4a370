"""Permutation tests: scores of features under shuffled targets, and p-values of their scores."""

import copy
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from tqdm import tqdm

from fslib.base import TIE_TOLERANCE
from fslib.filters.shuffles import shuffled_target
from fslib.parameters import check_arguments


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
    null_scores : array of shape (n_permutations, d), or None
        Scores under each permutation, if they were asked for.
    """

    scores: np.ndarray
    p_values: np.ndarray
    q_values: np.ndarray
    chance: np.ndarray
    null_scores: np.ndarray | None = None


def permutation_test(
    selector,
    X,
    y,
    *,
    shuffle="rows",
    groups=None,
    time=None,
    n_permutations=1000,
    random_state=0,
    return_null_scores=False,
    n_jobs=None,
    progress=False,
):
    """Compare the scores of single features with those that they get when the target is shuffled.

    Use it to decide how many features score more than noise, and wherever features with many levels compete with
    features with few: the p-value is free of the bias that favours the former. It says nothing about redundancy.

    Parameters
    ----------
    selector : FeatureSelector
        With scores, such as ``MIScore()`` or ``FisherScore()``. Not fitted; it is not changed.
    X, y
        As for the selector's ``fit``.
    shuffle : {"rows", "within_groups", "whole_groups", "circular"}
        Which orders of the target count as equally likely under the null hypothesis, see
        :func:`~fslib.filters.shuffles.shuffled_target`.
    groups, time : array of shape (n,), optional
        What ``shuffle`` needs.
    n_permutations : int
        The smallest p-value is 1 / (1 + n_permutations).
    random_state : int, Generator or RandomState
        Draws the permutations.
    return_null_scores : bool
        Keep the scores of every permutation, n_permutations d numbers.
    n_jobs : int or None
        Threads, for a selector that is fitted anew for each permutation. The result does not depend on it.
    progress : bool
        Show a progress bar.

    Returns
    -------
    PermutationTest

    Raises
    ------
    TypeError
        If the selector has no scores, as a greedy search has none.
    ValueError
        If ``n_permutations`` is below 1, ``shuffle`` is unknown or lacks what it needs, ``groups`` or ``time`` would
        have no effect, or the selector refuses the data.

    Notes
    -----
    `MIScore` and `BayesScore` encode X once, and a permutation costs them O(n d); any other selector is fitted anew,
    with the same seed each time if it has one, so that only the target differs. O(d) memory beside the selector's. The
    p-values are those of B. Phipson and G. Smyth, "Permutation p-values should never be zero", 2010. There are no
    sample weights: rows of unequal weight cannot change places under the null hypothesis. If weights count rows, repeat
    the rows.

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
    check_arguments(permutation_test, locals())
    if n_permutations < 1:
        raise ValueError(f"n_permutations={n_permutations} must be at least 1.")
    selector = clone(selector)
    problem = selector.bind(X, y) if hasattr(selector, "bind") else None
    if hasattr(problem, "labels"):  # counts; least squares have none
        target, n_jobs = problem.labels, None

        def score(shuffled):
            problem_of_chance = copy.copy(problem)
            problem_of_chance.labels = shuffled
            return selector.single_scores(problem_of_chance)
    else:
        target = np.asarray(y)

        def score(shuffled):
            return clone(selector).fit(X, shuffled).scores_

    scores = score(target)
    if scores is None:
        raise TypeError(f"{type(selector).__name__} does not score single features: use MIScore or BayesScore.")
    rng = np.random.default_rng(random_state)
    null = null_scores(score, target, n_permutations, rng, shuffle=shuffle, groups=groups, time=time, n_jobs=n_jobs)
    kept, reached, total = [], np.zeros(len(scores)), np.zeros(len(scores))
    for by_chance in tqdm(null, total=n_permutations, unit="permutation", disable=not progress):
        reached += reaches(by_chance, scores)
        total += by_chance
        if return_null_scores:
            kept.append(by_chance)
    p_values = (1 + reached) / (1 + n_permutations)
    return PermutationTest(
        scores,
        p_values,
        false_discovery_rates(p_values),
        total / n_permutations,
        np.array(kept) if return_null_scores else None,
    )


def null_scores(score, y, n_permutations, rng, *, shuffle="rows", groups=None, time=None, n_jobs=None):
    """Scores under shuffled targets, one permutation after the other.

    Parameters
    ----------
    score : callable
        From a target (n,) to the scores (d,).
    y : array of shape (n,)
    n_permutations : int
    rng : numpy.random.Generator
    shuffle, groups, time
        As for :func:`~fslib.filters.shuffles.shuffled_target`.
    n_jobs : int or None
        Threads; the draws do not depend on it.

    Yields
    ------
    array of shape (d,)

    Examples
    --------
    >>> y, rng = np.array([0.0, 1.0, 2.0]), np.random.default_rng(0)
    >>> [float(s[0]) for s in null_scores(lambda y: y[:1], y, 4, rng)]
    [2.0, 2.0, 2.0, 1.0]
    """
    draws = (shuffled_target(y, rng, shuffle, groups=groups, time=time) for _ in range(n_permutations))
    yield from Parallel(n_jobs, prefer="threads", return_as="generator")(delayed(score)(draw) for draw in draws)


def reaches(value, score):
    """Whether a value is at least a score, up to rounding; infinity, as of a perfect separator, reaches infinity.

    Examples
    --------
    >>> reaches(np.array([0.3, np.inf, 1.0]), np.array([0.1 + 0.2, np.inf, np.inf]))
    array([ True,  True, False])
    """
    slack = TIE_TOLERANCE * np.maximum(1.0, np.abs(score))
    return value >= score - np.where(np.isfinite(slack), slack, 0.0)


def familywise_pvalues(scores, null):
    """Adjust p-values for the number of features: the chance that any of them scores as much (single-step maxT).

    Scores are put on one scale, by their mean and spread over all draws, and each is compared with the largest of every
    draw: ``p_j = (1 + #{b: max_i z_bi >= z_j}) / (1 + B)``.

    Parameters
    ----------
    scores : array of shape (d,)
    null : array of shape (B, d)

    Returns
    -------
    array of shape (d,)

    References
    ----------
    P. H. Westfall, S. S. Young, *Resampling-based Multiple Testing*, 1993, section 2.6.

    Examples
    --------
    >>> null = np.random.default_rng(0).normal(size=(99, 2))
    >>> familywise_pvalues(np.array([5.0, 0.0]), null).round(2)
    array([0.01, 0.77])
    """
    draws = np.vstack([scores, null])  # the scores are one more draw in every moment, so that the correction is exact
    spread = draws.std(axis=0)
    z = (draws - draws.mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    return reaches(z.max(axis=1, keepdims=True), z[0]).mean(axis=0)


def false_discovery_rates(pvalues):
    """Adjust p-values by Benjamini and Hochberg: share of false ones among all features up to one.

    Parameters
    ----------
    pvalues : array of shape (d,)

    Returns
    -------
    array of shape (d,)

    Examples
    --------
    >>> false_discovery_rates(np.array([0.01, 0.02, 0.9]))
    array([0.03, 0.03, 0.9 ])
    """
    from statsmodels.stats.multitest import multipletests  # here, because it takes long to import

    return multipletests(pvalues, method="fdr_bh")[1]
