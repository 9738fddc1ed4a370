"""ABC-Sampling: majority samples chosen by an artificial bee colony (Braytee 2018, section 3.3)."""

import numpy as np

from fslib.imbalance.subset_sampler import Search, SubsetSampler

MOST_SOURCES = 30
"""Default number of sources on large data; half the training samples, as published, takes hours."""


class ABCSampling(SubsetSampler):
    """Undersample the majority class to the samples that a bee colony selects most often.

    A source is a set of samples of the majority class, as bits. Its fitness is the cross-validated mean of AUC and F1
    of a linear support vector machine trained on it and the minority class (see `SubsetFitness`). In each iteration
    every source, and then sources drawn in proportion to their fitness, are compared with a neighbour
    ``v = s_i + phi (s_i - s_k)``, phi uniform in [-1, 1], rounded to bits; the better one stays. A source that was not
    improved ``limit`` times in a row is drawn anew. The best source of each iteration is recorded, and the samples
    recorded most often are kept, as many as the minority class has.

    It costs thousands of fits. The fitness rises on the rows that the search adapts to; evaluate the result on rows
    that it did not see, and compare it with random undersampling. Standardise the features first.

    Parameters
    ----------
    sampling_strategy : "auto", float, dict, list, str or callable
        As in imbalanced-learn; "auto" cuts every class to the size of the rarest, one search per class.
    n_sources : int, optional
        Default half the samples, at most 30; published: half the samples.
    max_iter : int, default=250
        Largest number of iterations: employed bees, onlookers, scouts.
    limit : int, default=10
        Failures in a row after which a source is given up.
    max_evaluations : int or None, default=5000
        Distinct subsets that are evaluated at most; None for no limit.
    cv : int, optional
        Folds of the fitness; by default 3, or leave-one-out for at most 100 samples.
    estimator : classifier, optional
        With ``decision_function``, used in the fitness; by default a linear support vector machine, the problem of
        ``LinearSVC``, trained on many subsets at once.
    reading : {"corrected", "published"}
        "published" is Algorithm 1 to the letter: sources start half full, neighbours are drawn through a sigmoid (which
        changes some 40 % of the bits, nearly a new source), there are no onlookers, and the fitness is that of the
        selected and minority samples alone, which rewards keeping easy ones. The paper never resets the counters; they
        are reset here, or the colony would die out.
    memory : path, optional
        JSON file that keeps fitness values. A search that was stopped reads the values already computed and
        continues from there.
    verbose : bool
        Show a progress bar.
    random_state : int or numpy.random.Generator, optional

    Attributes
    ----------
    sample_indices_ : array of int
        Rows that are kept.
    ranking_ : array of int
        Rows of the classes that were cut, most often recorded first (class by class if there are several).
    n_evaluations_ : int
        Distinct subsets evaluated.
    history_ : dict of class to array
        Best fitness so far after each iteration.
    sampling_strategy_ : dict

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, or a class of one sample.

    Notes
    -----
    At most ``n_sources (1 + 2 max_iter (1 + 1 / limit))`` evaluations; a repeated subset is not evaluated again. All
    neighbours of a step are made from the sources at its start, so that they can be evaluated together. The expansion
    of X to inner products takes O(n^2) memory if there are more features than samples.

    References
    ----------
    A. Braytee, PhD thesis, University of Technology Sydney, 2018, equations 2.1.4 to 2.1.7 and Algorithm 1.
    D. Karaboga, B. Basturk, Journal of Global Optimization 39 (2007).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 2)), np.arange(60) < 15
    >>> X[y] += 1.5
    >>> X_kept, y_kept = ABCSampling(max_evaluations=100, random_state=0).fit_resample(X, y)
    >>> np.bincount(y_kept)
    array([15, 15])
    """

    _integers = (("n_sources", 2), ("max_iter", 1), ("limit", 1), ("max_evaluations", 1), ("cv", 2))
    _optional = ("n_sources", "cv", "max_evaluations")

    _beside_numbers = {"max_evaluations": (None,)}

    def __init__(
        self,
        *,
        sampling_strategy="auto",
        n_sources=None,
        max_iter=250,
        limit=10,
        max_evaluations=5000,
        cv=None,
        estimator=None,
        reading="corrected",
        memory=None,
        verbose=False,
        random_state=None,
    ):
        super().__init__(sampling_strategy=sampling_strategy)
        self.n_sources = n_sources
        self.max_iter = max_iter
        self.limit = limit
        self.max_evaluations = max_evaluations
        self.cv = cv
        self.estimator = estimator
        self.reading = reading
        self.memory = memory
        self.verbose = verbose
        self.random_state = random_state

    def _search(self, fitness, rng, share):
        published = self.reading == "published"
        n_sources = self.n_sources or max(2, min(len(fitness.rare) // 2, MOST_SOURCES))
        # braytee Eq. 2.1.4: uniform numbers from a start of 0, rounded. The best subsets are about as small as wanted.
        draw = lambda m: rng.random((m, fitness.n_bits)) < (0.5 if published else share)
        colony = _Colony(draw(n_sources), fitness, rng, _by_coin if published else _by_rounding)
        found = Search(np.zeros(fitness.n_bits, dtype=int), np.zeros(fitness.n_bits))
        best = -np.inf
        for _ in range(self.max_iter):  # braytee Algorithm 1
            colony.try_neighbours(np.arange(n_sources))  # employed bees
            if not published:
                colony.try_neighbours(rng.choice(n_sources, n_sources, p=_shares(colony.values)))  # onlookers
            leader = np.argmax(colony.values)
            found.counts += colony.sources[leader]
            best = max(best, colony.values[leader])
            found.history.append(best)
            exhausted = np.flatnonzero(colony.failures >= self.limit)
            if len(exhausted):  # scouts
                colony.replace(exhausted, draw(len(exhausted)))
            if fitness.spent:
                break
        holders = colony.sources.sum(axis=0)
        values = np.where(np.isfinite(colony.values), colony.values, 0.0)
        found.ties = values @ colony.sources / np.maximum(holders, 1)
        return found


class _Colony:
    """Sources (m, n_bits), their fitness, and how often in a row each was not improved."""

    def __init__(self, sources, fitness, rng, to_bits):
        self.fitness, self.rng, self.to_bits = fitness, rng, to_bits
        self.sources, self.values = sources, np.empty(len(sources))
        self.failures = np.zeros(len(sources), dtype=int)
        self.replace(np.arange(len(sources)), sources)

    def replace(self, places, sources):
        self.sources[places], self.values[places], self.failures[places] = sources, self.fitness(sources), 0

    def try_neighbours(self, chosen):
        """Compare a neighbour with each of the chosen sources; the better one stays."""
        m = len(self.sources)
        partners = (chosen + self.rng.integers(1, m, len(chosen))) % m  # anyone else
        own, other = self.sources[chosen].astype(float), self.sources[partners].astype(float)
        moved = own + self.rng.uniform(-1, 1, own.shape) * (own - other)  # braytee Eq. 2.1.5
        neighbours = self.to_bits(moved, self.rng)
        for i, bits, value in zip(chosen, neighbours, self.fitness(neighbours), strict=True):
            if value > self.values[i]:
                self.sources[i], self.values[i], self.failures[i] = bits, value, 0
            else:
                self.failures[i] += 1


def _by_rounding(values, rng):
    return values >= 0.5


def _by_coin(values, rng):
    """Draw a bit with probability ``1 / (1 + exp(-value))``; even a bit on which both sources agree can turn."""
    return rng.random(values.shape) < 1 / (1 + np.exp(-values))


def _shares(values):
    """Fitness as probabilities; equal ones where no source has any."""
    values = np.where(np.isfinite(values), values, 0.0)
    return values / values.sum() if values.sum() > 0 else np.full(len(values), 1 / len(values))  # braytee Eq. 2.1.7
