"""What the two searches for a good part of the majority class share: parameters, the loop over classes, the result."""

from dataclasses import dataclass, field

import numpy as np
from imblearn.under_sampling.base import BaseUnderSampler
from sklearn.utils import _safe_indexing

from fslib.base import check_choice
from fslib.imbalance.checked_sampler import CheckedSampler
from fslib.imbalance.class_costs import rare_class
from fslib.imbalance.subset_fitness import SubsetFitness
from fslib.inputs import refuse_extremes
from fslib.parameters import check_numbers


@dataclass
class Search:
    """What a search found: how often samples were recorded, what breaks ties, and the best fitness after each step."""

    counts: np.ndarray
    ties: np.ndarray
    history: list = field(default_factory=list)

    def order(self):
        """Positions of the samples, most often recorded first; ties by `ties`, then by position."""
        return np.lexsort((np.arange(len(self.counts)), -self.ties, -self.counts))


class SubsetSampler(CheckedSampler, BaseUnderSampler):
    """Base of the undersamplers that search by fitness; a subclass implements ``_search(fitness, rng, share)``."""

    reading = "corrected"
    _integers: tuple = ()
    _optional: tuple = ("cv", "max_evaluations")

    def _fit_resample(self, X, y):
        self._check_parameters()
        refuse_extremes(X, None)
        rng = np.random.default_rng(self.random_state)
        classes, counts = np.unique(y, return_counts=True)
        kept = {c: np.flatnonzero(y == c) for c in classes}
        rankings, self.history_, self.n_evaluations_ = [np.empty(0, dtype=np.intp)], {}, 0
        for c, n_keep in self.sampling_strategy_.items():
            others = [i for i, other in enumerate(classes) if other != c]
            rows, rare = kept[c], classes[others[rare_class(counts[others])]]
            if n_keep >= len(rows):
                continue
            both = np.flatnonzero((y == c) | (y == rare))
            fitness = SubsetFitness(
                X[both], y[both] == rare, n_folds=self.cv, whole_fold=self.reading == "corrected",
                estimator=self.estimator, max_evaluations=self.max_evaluations, memory=self.memory,
                verbose=self.verbose, seed=int(rng.integers(2**31)),
            )  # fmt: skip
            try:
                search = self._search(fitness, rng, n_keep / len(rows))
            finally:  # also when it is interrupted: what was evaluated is not lost
                fitness.save()
            ranking = rows[search.order()]
            kept[c] = np.sort(ranking[:n_keep])
            rankings.append(ranking)
            self.history_[c] = np.array(search.history)
            self.n_evaluations_ += fitness.n_evaluations
        self.ranking_ = np.concatenate(rankings)
        self.sample_indices_ = np.concatenate([kept[c] for c in classes])
        return _safe_indexing(X, self.sample_indices_), _safe_indexing(y, self.sample_indices_)

    def _check_parameters(self):
        check_choice("reading", self.reading, ("corrected", "published"))
        check_numbers(self, self._integers, optional=self._optional)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.sampler_tags.sample_indices = True
        return tags
