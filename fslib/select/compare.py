"""Run the comparison: repeated folds for the curves, and a nested choice for the score that one may quote."""

from collections import Counter
from dataclasses import dataclass

import pandas as pd
from joblib import Parallel, delayed
from tqdm.auto import tqdm

from fslib.select.scores import ALL_FEATURES, COLUMNS, GUESS, one_standard_error, score_fold, summarise
from fslib.select.splits import folds, possible_folds

SMALL, MEDIUM = 200_000, 2_000_000
"""Entries of X up to which there are three repeats and a full inner cross-validation, or two and a smaller one."""


@dataclass(frozen=True)
class Plan:
    """How often everything is repeated; fixed by the size of the table, so that the same table gives the same answer.

    Attributes
    ----------
    n_folds, n_repeats : int
        Of the comparison.
    n_inner, n_inner_used : int
        Folds of a training part in the nested choice, and how many of them are scored.
    n_pairs : int
        Pairs of complementary halves.
    n_permutations : int
        Shuffled targets.
    """

    n_folds: int
    n_repeats: int
    n_inner: int
    n_inner_used: int
    n_pairs: int
    n_permutations: int


def plan_for(problem, *, n_folds=5, n_repeats=None, n_pairs=None, n_permutations=None):
    """Plan for a table.

    Parameters
    ----------
    problem : SelectionProblem
    n_folds : int
        Fewer are made if a class or the groups are too few.
    n_repeats, n_pairs, n_permutations : int or None
        None: by the number of entries of X, see :data:`SMALL`.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        If a class has fewer than four rows, or groups or times are too few for folds.
    """
    size = problem.X.size * (LABELS_COST if problem.task == "multilabel" else 1)
    by_size = lambda small, medium, large: small if size <= SMALL else medium if size <= MEDIUM else large
    n_folds = min(n_folds, by_size(n_folds, n_folds, 3))
    outer = possible_folds(problem, n_folds, least=2 if problem.time is not None else 4 if n_folds > 3 else 3)
    inner = by_size(5, 5, 4)
    chosen = lambda given, default: default if given is None else given
    return Plan(
        n_folds=outer,
        n_repeats=1 if problem.time is not None else chosen(n_repeats, by_size(3, 2, 1)),
        n_inner=inner,
        n_inner_used=min(inner, by_size(5, 3, 1)),
        n_pairs=chosen(n_pairs, by_size(50, 25, 10)),
        n_permutations=chosen(n_permutations, by_size(999, 199, 99)),
    )


LABELS_COST = 10
"""Times as many entries that a table with several labels counts for: ML-kNN compares all pairs of rows."""


class Progress:
    """One bar over all steps of a choice.

    Parameters
    ----------
    total : int
    shown : bool
    """

    def __init__(self, total, shown):
        self.bar = tqdm(total=total, disable=not shown, leave=False, unit="fit")

    def run(self, words, tasks, n_jobs):
        """Run delayed tasks in order, in processes, and return their results."""
        self.bar.set_description(words)
        found = []
        for result in Parallel(n_jobs=n_jobs, return_as="generator")(tasks):
            found.append(result)
            self.bar.update()
        return found

    def close(self):
        """Remove the bar."""
        self.bar.close()


def silent():
    """Progress without a bar."""
    return Progress(0, shown=False)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of a comparison.

    Attributes
    ----------
    folds : DataFrame
        method, k, repeat, fold, score; baselines included.
    nested : DataFrame
        fold, method, k (as chosen inside the training part), score, all_features, guess: scores on rows that had no
        part in the choice.
    remarks : DataFrame
        method, text, times.
    plan : Plan
    test_to_train : float
        Mean number of test rows per training row.
    """

    folds: pd.DataFrame
    nested: pd.DataFrame
    remarks: pd.DataFrame
    plan: Plan
    test_to_train: float

    @property
    def summary(self):
        """Mean and spread per method and size, see `fslib.select.scores.summarise`."""
        return summarise(self.folds)


def compare(problem, selectors, ks, plan, *, n_jobs=None, progress=None):
    """Score all selectors and sizes on repeated folds, and the choice among them on folds it has not seen.

    Inside the training part of every fold of the first repeat the whole comparison is run again and a selector and size
    chosen by `one_standard_error`; their score on that fold's test rows is free of the optimism of choosing.

    Parameters
    ----------
    problem : SelectionProblem
    selectors : dict of str to selector
    ks : sequence of int
    plan : Plan
    n_jobs : int or None
        Processes.
    progress : Progress or None

    Returns
    -------
    Comparison
    """
    progress = silent() if progress is None else progress
    outer = [(r, f, *rows) for r in range(plan.n_repeats) for f, rows in enumerate(folds(problem, plan.n_folds, r))]
    inner = [
        (f, i, train[a], train[b])
        for r, f, train, _ in outer
        if r == 0
        for i, (a, b) in enumerate(_inner_folds(problem.rows(train), plan))
    ]
    job = delayed(score_fold)
    tasks = [job(problem, selectors, ks, train, test) for _, _, train, test in outer]
    tasks += [job(problem, selectors, ks, train, test, baselines=False) for _, _, train, test in inner]
    results = progress.run("scoring", tasks, n_jobs)
    remarks = Counter(remark for _, found in results for remark in found)
    scored = _frame([key[:2] for key in outer], results)
    return Comparison(
        folds=scored,
        nested=_nested(scored, _frame([key[:2] for key in inner], results[len(outer) :])),
        remarks=pd.DataFrame([(*key, n) for key, n in remarks.items()], columns=["method", "text", "times"]),
        plan=plan,
        test_to_train=sum(len(test) / len(train) for *_, train, test in outer) / len(outer),
    )


def _inner_folds(problem, plan):
    """Folds of a training part; none if it is too small to be divided, as the first part of a short time may be."""
    try:
        n_folds = possible_folds(problem, plan.n_inner)
    except ValueError:
        return []
    return folds(problem, n_folds)[-plan.n_inner_used :]


def n_tasks(plan):
    """Number of fits that the bar counts in `compare`."""
    return plan.n_folds * (plan.n_repeats + plan.n_inner_used)


def _frame(keys, results):
    rows = [(m, k, *key, score) for key, (found, _) in zip(keys, results, strict=False) for m, k, score in found]
    return pd.DataFrame(rows, columns=COLUMNS)


def _nested(outer, inner):
    """Look up, for every outer fold, the score of what its inner folds chose; ``repeat`` of inner is the outer fold."""
    first = outer[outer["repeat"] == 0].set_index(["fold", "method", "k"])["score"]
    by_fold = first.reset_index().set_index(["fold", "method"])["score"]
    rows = []
    for fold, part in inner.groupby("repeat"):
        try:
            chosen, _ = one_standard_error(summarise(part))
        except ValueError:  # no selector has a score inside this training part
            continue
        method, k = chosen["method"], int(chosen["k"])
        baselines = by_fold[fold, ALL_FEATURES], by_fold[fold, GUESS]
        rows.append((fold, method, k, first[fold, method, k], *baselines))
    return pd.DataFrame(rows, columns=["fold", "method", "k", "score", "all_features", "guess"])
