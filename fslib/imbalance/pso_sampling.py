"""PSO sampling: majority samples chosen by a particle swarm (Yang et al. 2009)."""

import numpy as np

from fslib.imbalance.subset_sampler import Search, SubsetSampler

FASTEST = 4.0
"""Bound of a velocity, which keeps every bit's probability between 0.018 and 0.982."""


class PSOSampling(SubsetSampler):
    """Undersample the majority class to the samples that the particles of a swarm remember most often.

    A particle is a set of samples of the majority class, as bits b, with a velocity per bit:
    ``v <- w v + c_1 r_1 (best of the particle - b) + c_2 r_2 (best of all - b)``, and then a bit is on with probability
    ``1 / (1 + exp(-v))``. Fitness, budget and memory are those of `ABCSampling`, so a comparison of the two compares
    only the searches. After every iteration the best positions of all particles are counted, and the samples counted
    most often are kept, as many as the minority class has. Standardise the features first.

    Parameters
    ----------
    sampling_strategy : "auto", float, dict, list, str or callable
        As in imbalanced-learn; "auto" cuts every class to the size of the rarest, one search per class.
    n_particles : int, default=30
        Number of particles, each of which stands for a subset.
    max_iter : int, default=250
        Moves of every particle.
    inertia : float, default=0.689
        w.
    pull : float, default=1.43
        ``c_1 = c_2``.
    max_evaluations : int or None, default=5000
        Distinct subsets that are evaluated at most; None for no limit.
    cv : int, optional
        Folds of the fitness; by default 3, or leave-one-out for at most 100 samples.
    estimator : classifier, optional
        With ``decision_function``, used in the fitness; by default a linear support vector machine.
    memory : path, optional
        JSON file that keeps fitness values, so that a search that was stopped can continue.
    verbose : bool
        Show a progress bar.
    random_state : int or numpy.random.Generator, optional

    Attributes
    ----------
    sample_indices_ : array of int
        Rows that are kept.
    ranking_ : array of int
        Rows of the classes that were cut, most often counted first (class by class if there are several).
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
    At most ``n_particles (1 + max_iter)`` evaluations. The original fuses several classifiers and measures; here one
    serves, and its constants are those in common use.

    References
    ----------
    P. Yang, L. Xu, B. B. Zhou, Z. Zhang, A. Y. Zomaya, "A particle swarm based hybrid system for imbalanced medical
    data sampling", BMC Genomics 10, supplement 3 (2009), S34. A baseline of the thesis's section 3.3.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 2)), np.arange(60) < 15
    >>> X[y] += 1.5
    >>> X_kept, y_kept = PSOSampling(max_evaluations=100, random_state=0).fit_resample(X, y)
    >>> np.bincount(y_kept)
    array([15, 15])
    """

    _integers = (("n_particles", 1), ("max_iter", 1), ("max_evaluations", 1), ("cv", 2))

    _beside_numbers = {"max_evaluations": (None,)}

    def __init__(
        self,
        *,
        sampling_strategy="auto",
        n_particles=30,
        max_iter=250,
        inertia=0.689,
        pull=1.43,
        max_evaluations=5000,
        cv=None,
        estimator=None,
        memory=None,
        verbose=False,
        random_state=None,
    ):
        super().__init__(sampling_strategy=sampling_strategy)
        self.n_particles = n_particles
        self.max_iter = max_iter
        self.inertia = inertia
        self.pull = pull
        self.max_evaluations = max_evaluations
        self.cv = cv
        self.estimator = estimator
        self.memory = memory
        self.verbose = verbose
        self.random_state = random_state

    def _search(self, fitness, rng, share):
        shape = (self.n_particles, fitness.n_bits)
        bits, velocity = rng.random(shape) < min(0.5, share), rng.uniform(-1, 1, shape)
        own, own_values = bits.copy(), fitness(bits)
        found = Search(np.zeros(fitness.n_bits, dtype=int), np.zeros(fitness.n_bits))
        for _ in range(self.max_iter):
            leader = own[np.argmax(own_values)]
            at = bits.astype(float)
            velocity = (
                self.inertia * velocity
                + self.pull * rng.random(shape) * (own - at)
                + self.pull * rng.random(shape) * (leader - at)
            )
            velocity = np.clip(velocity, -FASTEST, FASTEST)
            bits = rng.random(shape) < 1 / (1 + np.exp(-velocity))
            values = fitness(bits)
            better = values > own_values
            own[better], own_values[better] = bits[better], values[better]
            found.counts += own.sum(axis=0)
            found.history.append(own_values.max())
            if fitness.spent:
                break
        return found
