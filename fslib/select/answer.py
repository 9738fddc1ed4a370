"""From a table to an answer: which features, how many, how stable, which are interchangeable."""

from dataclasses import dataclass, field
from numbers import Integral

import numpy as np
import pandas as pd

from fslib.parameters import check_arguments
from fslib.select.arguments import check_learner, check_selectors, check_table
from fslib.select.candidates import best_first, candidate_selectors, with_k
from fslib.select.cautions import cautions_of, judged_rows
from fslib.select.certainty import (
    THRESHOLD,
    Frequencies,
    false_selection_bounds,
    observed_scores,
    permutation_pvalues,
    score_to_permute,
    selection_frequencies,
)
from fslib.select.compare import Comparison, Progress, compare, n_tasks, plan_for
from fslib.select.problem import SelectionProblem, problem_of
from fslib.select.redundancy import redundant_groups
from fslib.select.scores import fill, one_standard_error
from fslib.select.verdict import LEVEL, OPEN, against_all, all_tie, beats_guess, scores_tie

MAX_FEATURES = 20
"""Largest number of features that is tried unless more are asked for."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What a table says about its features.

    Attributes
    ----------
    table : UserTable
    problem : SelectionProblem
    comparison : Comparison
    method : str
        Selector that was taken.
    selector : selector
        Unfitted, set to keep ``k`` features.
    k, k_best : int
        Enough features by the one-standard-error rule, and the number with the best mean.
    informative : bool or None
        True if the choice, made inside training rows, beats the best guess on the rows it has not seen, at
        :data:`LEVEL` (one-sided, corrected for overlapping training parts). False if it does not, and no feature alone
        has a corrected p-value up to :data:`LEVEL` either (where features have none: its own is above :data:`OPEN`).
        None for undecided.
    p_guess : float
        P-value of that test.
    scores_tie : bool
        Whether all selectors reach the same score with every number of features, up to rounding.
    features_tie : bool
        Whether all features have the same score alone, up to rounding; False where there is no such score.
    against_all : bool or None
        Whether the choice scores better than all features (True), worse (False), or undecided (None).
    features : DataFrame
        One row per feature, best first: ``feature, column, rank, chosen, frequency, group_frequency, p, p_corrected,
        group, alternatives``. ``group_frequency`` is the share of the halves in which the feature or one of its
        alternatives is chosen.
    frequencies : Frequencies
    bounds : tuple of float
        Meinshausen and Buehlmann's, Shah and Samworth's; see ``fslib.select.certainty.false_selection_bounds``.
    p_score : str
        Name of the score whose p-values the table holds; empty if there are none.
    cautions : list of str
        What the table is like that makes scores doubtful, or what was left out because of its size.
    """

    table: object
    problem: SelectionProblem
    comparison: Comparison
    method: str
    selector: object
    k: int
    k_best: int
    informative: bool | None
    p_guess: float
    against_all: bool | None
    features: pd.DataFrame
    frequencies: Frequencies
    bounds: tuple
    p_score: str
    scores_tie: bool = False
    features_tie: bool = False
    cautions: list = field(default_factory=list)

    @property
    def chosen(self):
        """Names of the chosen features, best first; empty if nothing beats a guess."""
        return [] if self.informative is False else list(self.features.loc[self.features["chosen"], "feature"])

    @property
    def candidates(self):
        """Names of the features that rank first, whether or not they beat a guess."""
        return list(self.features["feature"][: self.k])

    def __repr__(self):
        from fslib.select.words import headline

        return f"Answer({headline(self)!r})"


def sizes_up_to(k_max):
    """Numbers of features that are tried: all up to 6, then in steps of about a quarter.

    Examples
    --------
    >>> sizes_up_to(20), sizes_up_to(3)
    ([1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20], [1, 2, 3])
    """
    found = [1]
    while found[-1] < k_max:
        found.append(min(k_max, max(found[-1] + 1, round(found[-1] * 1.26))))
    return found


def select_features(
    table,
    *,
    criterion="auto",
    max_features=MAX_FEATURES,
    selectors=None,
    learner=None,
    n_folds=5,
    n_repeats=None,
    n_halves=None,
    n_permutations=None,
    seed=0,
    n_jobs=None,
    progress=False,
):
    """Choose features of a table, and say how good and how sure the choice is.

    Every selector that suits the table is scored at every size on repeated folds, beside a guess and all features. The
    fewest features within one standard error of the best score are enough. The score to quote comes from folds that had
    no part in the choice. Complementary halves show how sure each feature is, shuffled targets whether it has to do
    with the target at all, a clustering which features say the same.

    Parameters
    ----------
    table : UserTable
        From ``fslib.tables.read_table``; its groups, time order and views are respected.
    criterion : str
        "auto", or zero_one, balanced, log, f_beta, auc for classes; squared for a numeric target.
    max_features : int
        Largest number of features to try.
    selectors : dict of str to selector or None
        None for ``candidate_selectors``.
    learner : estimator or None
        None for logistic regression, ridge regression or ML-kNN.
    n_folds : int
    n_repeats, n_halves, n_permutations : int or None
        None: by the size of the table, see ``fslib.select.compare.plan_for``. ``n_halves`` counts pairs.
    seed : int
    n_jobs : int or None
        Processes; the answer does not depend on it.
    progress : bool
        Whether to draw a progress bar.

    Returns
    -------
    Answer

    Raises
    ------
    TypeError
        If ``table`` was not read by ``read_table``, or a selector or the learner is none.
    ValueError
        If a parameter does not suit the table, a class has fewer than four rows, groups or times are too few, or
        nothing could be scored.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from fslib.tables import read_table
    >>> wine = load_wine(as_frame=True).frame
    >>> answer = select_features(read_table(wine, "target"), max_features=4, n_repeats=1, n_halves=4, n_permutations=19)
    >>> answer.informative, answer.k <= 4, len(answer.chosen) == answer.k
    (True, True, True)
    """
    check_table(table)
    counts = {"max_features": (max_features, 1), "n_folds": (n_folds, 2), "seed": (seed, 0)}
    given = {"n_repeats": (n_repeats, 1), "n_halves": (n_halves, 1), "n_permutations": (n_permutations, 0)}
    _check_counts(**counts, **{name: count for name, count in given.items() if count[0] is not None})
    check_arguments(select_features, locals())
    problem = problem_of(table, criterion=criterion, learner=learner, seed=seed)
    check_learner(learner, problem.task, problem.scoring)
    judged = judged_rows(problem, learner)
    plan = plan_for(judged, n_folds=n_folds, n_repeats=n_repeats, n_pairs=n_halves, n_permutations=n_permutations)
    ks = sizes_up_to(min(max_features, len(problem.names)))
    if selectors is None:
        selectors = candidate_selectors(table, criterion, ks[-1])
    check_selectors(selectors)
    bar = Progress(n_tasks(plan) + 2 * plan.n_pairs + 8 * (plan.n_permutations > 0), shown=progress)
    options = {"n_jobs": n_jobs, "progress": bar}
    try:
        comparison = compare(judged, selectors, ks, plan, **options)
        chosen, best = one_standard_error(comparison.summary, comparison.remarks)
        method, k = chosen["method"], int(chosen["k"])
        selector = with_k(selectors[method], k)
        (X,) = fill(problem.X)
        order = best_first(with_k(selector, k).fit(X, problem.y))
        frequencies = selection_frequencies(judged, selector, k, plan.n_pairs, **options)
        score, p_score = score_to_permute(problem, method)
        p = None
        if score is not None and plan.n_permutations > 0:
            p = permutation_pvalues(problem, score, plan.n_permutations, **options)
    finally:
        bar.close()
    groups, strength = redundant_groups(problem, first=order[: 10 * k])
    informative, p_guess = beats_guess(comparison)
    if informative is False and (p_guess <= OPEN if p is None else p[1].min() <= LEVEL):
        informative = None
    return Answer(
        table=table,
        problem=problem,
        comparison=comparison,
        method=method,
        selector=selector,
        k=k,
        k_best=int(best["k"]),
        informative=informative,
        p_guess=p_guess,
        against_all=against_all(comparison),
        features=_feature_rows(table, problem, order, k, frequencies, p, groups, strength),
        frequencies=frequencies,
        bounds=false_selection_bounds(k, len(problem.names), len(frequencies.chosen) // 2, THRESHOLD),
        p_score=p_score if p is not None else "",
        scores_tie=scores_tie(comparison),
        features_tie=score is not None and all_tie(observed_scores(problem, score)),
        cautions=cautions_of(table, problem, judged),
    )


def _check_counts(**given):
    for name, (value, least) in given.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise ValueError(f"{name}={value!r} must be a whole number of at least {least}.")


def _feature_rows(table, problem, order, k, frequencies, p, groups, strength):
    group_of = {int(j): number for number, members in enumerate(groups, start=1) for j in members}
    origin = getattr(table, "origin", None) or {}
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(1, len(order) + 1)
    rows = []
    for j in map(int, order):
        others = [int(i) for i in groups[group_of[j] - 1] if i != j] if j in group_of else []
        others.sort(key=lambda i: -strength[min(i, j), max(i, j)])
        name = problem.names[j]
        rows.append(
            {
                "feature": name,
                "column": origin.get(name, name),
                "rank": int(rank[j]),
                "chosen": bool(rank[j] <= k),
                "frequency": float(frequencies.share[j]),
                "group_frequency": frequencies.of_group([j, *others]),
                "p": float("nan") if p is None else float(p[0][j]),
                "p_corrected": float("nan") if p is None else float(p[1][j]),
                "group": group_of.get(j, 0),
                "alternatives": [problem.names[i] for i in others],
            }
        )
    return pd.DataFrame(rows)
