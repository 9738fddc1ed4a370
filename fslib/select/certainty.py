"""How sure a choice is: how often each feature is chosen again, how many false choices to expect, p-values."""

import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np
from joblib import delayed
from sklearn.base import clone

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.evaluation.stability import selection_stability
from fslib.filters.permutation import familywise_pvalues, null_scores, reaches
from fslib.select.candidates import best_first
from fslib.select.compare import silent
from fslib.select.scores import fill
from fslib.select.splits import complementary_halves, shuffle_of

THRESHOLD = 0.75
"""Share of halves from which a feature counts as chosen reliably."""


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Choices on complementary halves.

    Attributes
    ----------
    chosen : array of bool, shape (2 B, d)
        One choice per half.
    k : int
        Features per choice.
    n_failed : int
        Pairs of halves on which the selector failed; they are left out.
    """

    chosen: np.ndarray
    k: int
    n_failed: int

    @property
    def share(self):
        """Share of the halves in which each feature is chosen, shape (d,)."""
        return self.chosen.mean(axis=0)

    @property
    def stability(self):
        """Nogueira's stability with its interval, or None if a choice cannot vary."""
        if self.chosen.shape[1] == self.k or len(self.chosen) < 2:
            return None
        return selection_stability(self.chosen)

    def of_group(self, members):
        """Share of the halves in which at least one of some features is chosen."""
        return float(self.chosen[:, list(members)].any(axis=1).mean())


def selection_frequencies(problem, selector, k, n_pairs, *, n_jobs=None, progress=None):
    """Choose again on complementary halves of the rows.

    Parameters
    ----------
    problem : SelectionProblem
    selector : selector
    k : int
        The first k of its ranking are its choice.
    n_pairs : int
        Pairs of disjoint halves.
    n_jobs : int or None
    progress : Progress or None

    Returns
    -------
    Frequencies

    Raises
    ------
    ValueError
        If the selector fails on all halves.

    References
    ----------
    N. Meinshausen, P. Buehlmann, "Stability selection", JRSS B 72(4), 2010; R. D. Shah, R. J. Samworth, "Variable
    selection with error control: another look at stability selection", JRSS B 75(1), 2013.
    """
    progress = silent() if progress is None else progress
    halves = [half for pair in complementary_halves(problem, n_pairs) for half in pair]
    tasks = [delayed(_choose)(problem, selector, k, half) for half in halves]
    found = progress.run("choosing on halves", tasks, n_jobs)
    pairs = [found[i : i + 2] for i in range(0, len(found), 2)]
    whole = [one for pair in pairs if all(one is not None for one in pair) for one in pair]
    if not whole:
        raise ValueError("The selector fails on every half of the rows: too few rows of a class, or too few groups.")
    return Frequencies(np.array(whole), k, n_failed=len(pairs) - len(whole) // 2)


def _choose(problem, selector, k, half):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the comparison has reported them
        try:
            order = best_first(clone(selector).fit(*fill(problem.X[half]), problem.y[half]))
        except (ValueError, ArithmeticError):
            return None
    chosen = np.zeros(problem.X.shape[1], dtype=bool)
    chosen[order[:k]] = True
    return chosen


def false_selection_bounds(k, n_features, n_pairs, threshold=THRESHOLD):
    """Upper bounds on the expected number of features that are chosen in a share of the halves though chosen by chance.

    "By chance" is a feature whose probability of being chosen on a half is at most ``theta = k / d``, that of a draw of
    k from d. Meinshausen and Buehlmann: ``k theta / (2 threshold - 1)``. Shah and Samworth, if the share of each such
    feature has a unimodal distribution and ``theta <= 1/sqrt(3)``: ``C k theta`` with
    ``C = 1 / (2 (2 threshold - 1 - 1/(2B)))`` up to a threshold of 3/4 and ``4 (1 - threshold + 1/(2B)) / (1 + 1/B)``
    above.

    Parameters
    ----------
    k, n_features, n_pairs : int
    threshold : float
        Larger than 1/2.

    Returns
    -------
    meinshausen_buehlmann, shah_samworth : float
        The second is NaN where its conditions do not hold.

    Raises
    ------
    ValueError
        If the threshold is not in (1/2, 1].

    References
    ----------
    Meinshausen and Buehlmann (2010), Theorem 1; Shah and Samworth (2013), Theorems 1 and 2.

    Examples
    --------
    >>> [round(bound, 3) for bound in false_selection_bounds(50, 1000, 50, 0.9)]
    [3.125, 1.078]
    """
    if not 0.5 < threshold <= 1:
        raise ValueError(f"threshold={threshold} must be larger than 1/2 and at most 1.")
    theta = k / n_features
    markov = k * theta / (2 * threshold - 1)
    lowest = min(0.5 + theta**2, 0.5 + 1 / (2 * n_pairs) + 0.75 * theta**2)
    if theta > 1 / np.sqrt(3) or threshold <= lowest:
        return markov, float("nan")
    if threshold <= 0.75:
        room = 2 * threshold - 1 - 1 / (2 * n_pairs)
        if room <= 0:  # too few pairs for this threshold
            return markov, float("nan")
        factor = 1 / (2 * room)
    else:
        factor = 4 * (1 - threshold + 1 / (2 * n_pairs)) / (1 + 1 / n_pairs)
    return markov, float(factor * k * theta)


def score_to_permute(problem, method):
    """Score of each feature alone that suits a task, as a function of (X, y), and its name; None if there is none."""
    from fslib import filters

    if problem.task == "multilabel":
        return None, ""
    if method == "FScore":
        return _between_classes, "share of the variance that is between classes"
    if problem.task == "regression":
        if method.startswith("Linear"):
            return _squared_correlation, "squared correlation"
        return _OnLevels(filters.BayesScore("squared", n_features_to_select=1)), "variance explained by three levels"
    return _OnLevels(filters.MIScore(n_features_to_select=1)), "mutual information of three levels with the class"


def _squared_correlation(X, y):
    Z, t = X - X.mean(axis=0), y - y.mean()
    scale = np.sqrt((Z**2).sum(axis=0) * (t**2).sum())
    return (Z.T @ t / np.where(scale > 0, scale, np.inf)) ** 2


def _between_classes(X, y):
    from fslib.filters.fisher import fisher_score

    return 1 / (1 + 1 / np.maximum(fisher_score(X, y), 1e-300))  # 1 for a perfect separator, whose score is infinite


class _OnLevels:
    """Scores of a discrete filter; X holds levels already."""

    def __init__(self, selector):
        self.selector = selector

    def __call__(self, X, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return clone(self.selector).fit(X, y).scores_


def permutation_pvalues(problem, score, n_permutations, *, n_jobs=None, progress=None, n_parts=8):
    """P-value of the score of each feature alone, by shuffling the target, and the same corrected for all features.

    ``p_j = (1 + #{shuffles: score_j >= observed_j}) / (1 + B)``; corrected by
    `fslib.filters.permutation.familywise_pvalues`.

    Parameters
    ----------
    problem : SelectionProblem
    score : callable
        From `score_to_permute`.
    n_permutations : int
    n_jobs : int or None
    progress : Progress or None
    n_parts : int
        Tasks that the shuffles are divided into; part of the seed.

    Returns
    -------
    p, p_corrected : arrays of shape (d,)
    """
    progress = silent() if progress is None else progress
    X = _scored_values(problem, score)
    sizes = [len(part) for part in np.array_split(np.arange(n_permutations), n_parts)]
    seeds = np.random.SeedSequence([problem.seed, 1]).spawn(n_parts)
    options = shuffle_of(problem)
    parts = zip(sizes, seeds, strict=True)
    tasks = [delayed(_null_scores)(partial(score, X), problem.y, size, seed, options) for size, seed in parts if size]
    null = np.concatenate(progress.run("shuffling the target", tasks, n_jobs))
    observed = np.asarray(score(X, problem.y))
    return (1 + reaches(null, observed).sum(axis=0)) / (1 + len(null)), familywise_pvalues(observed, null)


def observed_scores(problem, score):
    """Score of each feature alone, array of shape (d,); ``score`` is that of `score_to_permute`."""
    return np.asarray(score(_scored_values(problem, score), problem.y))


def _scored_values(problem, score):
    (X,) = fill(problem.X)
    return ThreeLevelDiscretizer().fit_transform(X) if isinstance(score, _OnLevels) else X


def _null_scores(score, y, size, seed, options):
    return np.array(list(null_scores(score, y, size, np.random.default_rng(seed), **options)))
