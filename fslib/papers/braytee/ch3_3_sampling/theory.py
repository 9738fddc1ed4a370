"""Thesis "braytee", section 3.3, on small cases: the search written out, a planted subset, a bound on AUC and F1."""

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.svm import LinearSVC

from fslib.imbalance import ABCSampling
from fslib.imbalance.subset_fitness import SubsetFitness
from fslib.seeds import trial_seed


def planted(n_rare=20, n_good=30, n_bad=10, seed=0):
    """Minority samples around 1.5 on the first axis, majority samples around -1.5, and outliers of these around 6.

    A linear machine cannot put the outliers on the majority's side without losing the others, so a good subset leaves
    them out. The share of good samples among the kept ones shows what a search found; random undersampling keeps them
    in proportion. With many outliers the same data show something else: outliers and minority samples can be told apart
    too, and a fitness that scores the selected samples alone then prefers the subset of outliers.

    Parameters
    ----------
    n_rare, n_good, n_bad, seed : int

    Returns
    -------
    X : array of shape (n_rare + n_good + n_bad, 2)
    y : array of {0, 1}
        1 is the minority class.
    good : array of bool
        The majority samples to keep.

    Examples
    --------
    >>> X, y, good = planted()
    >>> X.shape, int(y.sum()), int(good.sum())
    ((60, 2), 20, 30)
    """
    rng = np.random.default_rng(trial_seed(seed, "planted"))
    kind = np.repeat([0, 1, 2], [n_rare, n_good, n_bad])
    X = rng.normal(size=(len(kind), 2))
    X[:, 0] += np.array([1.5, -1.5, 6.0])[kind]
    return X, (kind == 0).astype(int), kind == 1


def share_of_good(sampler, X, y, good):
    """Share of the kept majority samples that are good ones.

    Examples
    --------
    >>> from imblearn.under_sampling import RandomUnderSampler
    >>> X, y, good = planted(n_good=200, n_bad=200)
    >>> bool(0.2 < share_of_good(RandomUnderSampler(random_state=0), X, y, good) < 0.8)
    True
    """
    sampler.fit_resample(X, y)
    kept = np.setdiff1d(sampler.sample_indices_, np.flatnonzero(y == 1))
    return float(np.mean(good[kept]))


def naive_fitness(bits, X, rare, fold):
    """Mean of AUC and F1 over folds, of machines trained on the minority and the selected majority samples."""
    chosen = rare.copy()
    chosen[~rare] = bits
    values = []
    for f in np.unique(fold):
        train, test = chosen & (fold != f), fold == f
        model = LinearSVC(dual=False, tol=1e-8).fit(X[train], rare[train])
        auc = roc_auc_score(rare[test], model.decision_function(X[test]))
        values.append((auc + f1_score(rare[test], model.predict(X[test]))) / 2)
    return np.mean(values)


def naive_abc(fitness, n_bits, share, rng, m=10, n_steps=20, limit=10):
    """Algorithm 1, corrected reading, written out: how often each majority sample was in the best source."""
    sources = rng.random((m, n_bits)) < share  # a source: which majority samples to keep
    value, failures, counts = [fitness(s) for s in sources], np.zeros(m), np.zeros(n_bits)
    for _ in range(n_steps):
        for onlookers in (False, True):
            chosen = rng.choice(m, m, p=np.array(value) / sum(value)) if onlookers else np.arange(m)
            partner = (chosen + rng.integers(1, m, m)) % m
            own, other = sources[chosen] * 1.0, sources[partner] * 1.0
            neighbours = own + rng.uniform(-1, 1, own.shape) * (own - other) >= 0.5  # Eq. 2.1.5, rounded
            for i, new in zip(chosen, neighbours, strict=True):
                if fitness(new) > value[i]:
                    sources[i], value[i], failures[i] = new, fitness(new), 0
                else:
                    failures[i] += 1
        counts += sources[np.argmax(value)]
        for i in np.flatnonzero(failures >= limit):  # scouts
            sources[i] = rng.random(n_bits) < share
            value[i], failures[i] = fitness(sources[i]), 0
    return counts


def naive_counts(X, y, random_state, **options):
    """Counts of :func:`naive_abc` on data, with the folds and random numbers of ``ABCSampling(random_state)``.

    Returns
    -------
    counts : array of shape (number of majority samples,)
    fitness : SubsetFitness
        That of the library, which scores one subset at a time here.
    """
    rng = np.random.default_rng(random_state)
    fitness = SubsetFitness(X, y == 1, n_folds=3, seed=int(rng.integers(2**31)))
    share = np.count_nonzero(y == 1) / np.count_nonzero(y == 0)
    return naive_abc(lambda bits: fitness(bits[None])[0], fitness.n_bits, share, rng, **options), fitness


def largest_f1(auc, positives):
    """Largest F1 that a classifier can have whose AUC and share of positives are known.

    A point (f, t) of a ROC curve says that a share t of the positives and f of the negatives is called positive. Of
    predicted labels the curve has two straight pieces, and its area is ``(1 + t - f) / 2``. A concave curve through
    (0, 0), (f, t) and (1, 1) lies above these pieces, so its area is at least that. Either way ``t <= 2 AUC - 1 + f``.
    With a share p of positives, ``F1 = 2 p t / (p t + (1 - p) f + p)`` rises with t. So t is as large as it can be, the
    smaller of 1 and ``2 AUC - 1 + f``; along either piece F1 is a ratio of straight lines in f, hence monotone, and the
    maximum is at an end: at the smallest f, or where t reaches 1.

    Scores with a curve that is not concave can have more. Their own owner could raise their AUC without new data, by
    mixing two thresholds.

    Parameters
    ----------
    auc : float or array
    positives : float or array
        Share of positives in the test part.

    Returns
    -------
    float or array

    Examples
    --------
    One positive to ten negatives at an AUC of 0.45: published is an F of 0.39.

    >>> round(float(largest_f1(0.45, 1 / 11.08)), 3)
    0.15
    >>> float(largest_f1(1.0, 0.2)), float(largest_f1(0.5, 0.5).round(3))
    (1.0, 0.667)
    """
    auc, p = np.asarray(auc, dtype=float), np.asarray(positives, dtype=float)
    gain = 2 * auc - 1
    ends = []
    for f in (np.maximum(0.0, -gain), np.minimum(1.0, 1 - gain)):
        t = np.clip(gain + f, 0.0, 1.0)
        ends.append(2 * p * t / (p * t + (1 - p) * f + p))
    return np.maximum(*ends)


def impossible_pairs(reported, ratios):
    """Published pairs of AUC and F that neither predicted labels nor a concave ROC curve can give.

    Parameters
    ----------
    reported : DataFrame
        Published rows of a table, from :func:`fslib.reproduction.compare.reported.read_reported`.
    ratios : DataFrame
        Published rows of Table 3.14: majority samples per minority sample.

    Returns
    -------
    DataFrame
        dataset, method, setting, auc, f_measure, largest (F1 that the AUC allows, both being rounded to the digits
        shown), impossible.
    """
    ratio_of = ratios[ratios["metric"] == "imbalance_ratio"]
    ratio_of = {(row.dataset, _nominal(row.setting)): float(row.value) for row in ratio_of.itertuples()}
    table = reported.pivot(index=["dataset", "method", "setting"], columns="metric", values="value").reset_index()
    positives = [1 / (1 + ratio_of[row.dataset, _nominal(row.setting)]) for row in table.itertuples()]
    half = {
        name: 0.5 * 10.0 ** -table[name].str.partition(".")[2].str.len().clip(lower=3) for name in ("auc", "f_measure")
    }
    table[["auc", "f_measure"]] = table[["auc", "f_measure"]].astype(float)
    table["largest"] = largest_f1(table["auc"] + half["auc"], np.array(positives)) + half["f_measure"]
    table["impossible"] = table["f_measure"] > table["largest"]
    return table


def _nominal(setting):
    return next((f"1:{part}" for part in ("5", "10", "15") if f"ratio=1:{part}" in setting.split(";")[0]), "")


def search_table(X, y, good, samplers):
    """Samplers on a planted toy: share of good samples kept and distinct evaluations.

    Parameters
    ----------
    X, y, good : arrays
        From :func:`planted`.
    samplers : dict of str to sampler

    Returns
    -------
    DataFrame
    """
    rows = {}
    for name, sampler in samplers.items():
        share = share_of_good(sampler, X, y, good)
        rows[name] = {"good among the kept": share, "evaluations": getattr(sampler, "n_evaluations_", 0)}
    return pd.DataFrame(rows).T.astype({"evaluations": int})


class TracedABC(ABCSampling):
    """ABC-Sampling that notes what it draws, which tells its stages apart, and every fitness value it is given."""

    def _search(self, fitness, rng, share):
        self.drawn_, self.seen_, note = [], [], self

        class Fitness:
            def __getattr__(self, name):
                return getattr(fitness, name)

            def __call__(self, subsets):
                values = fitness(subsets)
                note.drawn_.append("fitness")
                note.seen_.extend(values)
                return values

        class Generator:
            def __getattr__(self, name):
                note.drawn_.append(name)
                return getattr(rng, name)

        return super()._search(Fitness(), Generator(), share)


def stages(drawn):
    """Stages of a search from the names of its draws: which came between one evaluation of subsets and the next.

    New sources are drawn bit by bit (``random``), onlookers choose a source by its fitness (``choice``), and employed
    bees only move (``uniform``).

    Examples
    --------
    >>> stages(["random", "fitness", "integers", "uniform", "fitness", "choice", "integers", "uniform", "fitness"])
    ['initialisation', 'employed', 'onlooker']
    """
    found, since = [], []
    for name in drawn:
        if name != "fitness":
            since.append(name)
            continue
        moved = "onlooker" if "choice" in since else "employed"
        new = "scout" if found else "initialisation"
        found.append(moved if "uniform" in since else new)
        since = []
    return found
