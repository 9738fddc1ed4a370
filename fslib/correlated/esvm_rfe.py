"""ESVM-RFE: recursive feature elimination with an ensemble of machines on balanced bags (Anaissi et al. 2016)."""

import numpy as np
from sklearn.utils import check_random_state

from fslib.base import check_choice, resolve_n_features
from fslib.correlated._base import ClassSelector, zscores
from fslib.correlated.elimination import eliminate, machine_duals
from fslib.parameters import check_numbers


class ESVMRFE(ClassSelector):
    """Eliminate features by the squared weights of many linear SVMs, each fitted on a class-balanced bag.

    In every round ``n_models`` bags are drawn with replacement, as many samples of each class as the smallest class
    has; a linear SVM is fitted on each, the squared weights are summed over the SVMs, and the features with the
    smallest sums leave, until ``n_features_to_select`` are left. Compared with a single SVM the order is more stable,
    and the smaller class counts as much as the larger one.

    Parameters
    ----------
    n_models : int
        Machines in each round (b).
    drop : float
        Share of the remaining features that leaves in a round (E), in (0, 1); at least one leaves.
    bag_size : int or None
        Samples per class in a bag; None for the size of the smallest class.
    C : float
        Cost of a margin violation, positive.
    normalise : bool
        Scale each machine's weights to length one, so that bags with a small margin do not count more.
    bootstrap : bool
        False: every bag is the whole of the data.
    scale : bool
        Standardise the features first, by the rows that ``fit`` sees; bags are not standardised again.
    reading : {"corrected", "published"}
        "published" follows Algorithm 5 to the letter: a round keeps ``floor(m - m E)`` of m features, one fewer than
        dropping ``floor(m E)`` where m E is no integer, and the target is overwritten by the loop's own variable, so
        that elimination ends at one feature.
    n_features_to_select : int, float or None
        Where elimination stops (d). Number of columns, their share, or None for half.
    random_state : int, RandomState or None

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        The survivors by a last ensemble, then the rounds in reverse, within a round by sum of squared weights.
    rounds_ : array of int, shape (d,)
        The round in which a feature left; the survivors have the largest number.
    scores_ : None
        Weights of different rounds are not comparable.
    classes_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN, a class with fewer than two samples, and parameters outside their range.

    Notes
    -----
    Algorithm 5 draws the rows of a bag and their labels by two independent calls, which makes labels noise; here the
    labels are those of the rows. The text sums absolute weights, Algorithm 5 squares; squares here. More than two
    classes: a machine for each pair.

    The machines share one Gram matrix, so a round with d' features left costs ``n_models`` machines on n samples and
    O(n_models n d'). Memory O((n + n_models) d).

    References
    ----------
    A. Anaissi, M. Goyal, D. R. Catchpoole, A. Braytee, P. J. Kennedy, "Ensemble feature learning of genomic data using
    support vector machine", PLoS ONE 11(6), 2016. A. Braytee, PhD thesis, 2018, section 4.2.1, Algorithm 5.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], [30, 10])
    >>> X = rng.normal(size=(40, 200))
    >>> X[:, [17, 80]] += 2 * y[:, None]
    >>> ESVMRFE(n_features_to_select=2, random_state=0).fit(X, y).get_support(indices=True)
    array([17, 80])
    """

    def __init__(
        self,
        *,
        n_models=40,
        drop=0.2,
        bag_size=None,
        C=1.0,
        normalise=False,
        bootstrap=True,
        scale=True,
        reading="corrected",
        n_features_to_select=None,
        random_state=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_models = n_models
        self.drop = drop
        self.bag_size = bag_size
        self.C = C
        self.normalise = normalise
        self.bootstrap = bootstrap
        self.scale = scale
        self.reading = reading
        self.random_state = random_state

    def fit(self, X, y):
        """Eliminate features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
        y : array of shape (n,)
            Classes, at least two, each with at least two samples.

        Returns
        -------
        ESVMRFE
        """
        self._check_parameters()
        X, codes = self._validate(X, y)
        X = zscores(X) if self.scale else X
        n_keep = resolve_n_features(self.n_features_to_select, X.shape[1])
        order, self.rounds_ = self._eliminate(X, codes, n_keep, check_random_state(self.random_state))
        return self._store_ranking(order=order)

    def _eliminate(self, X, codes, n_keep, random):
        """Order of the columns of X, which are used as they are, and the rounds in which they left."""
        members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
        smallest = min(map(len, members))
        if smallest < 2:
            raise ValueError("ESVMRFE needs at least two samples of each class to draw bags from.")
        size = self.bag_size or smallest

        def duals(K):
            bags = (self._bag(members, size, random) for _ in range(self.n_models))
            machines = [machine_duals(K, codes, self.C, rows) for rows in bags]
            if self.normalise:
                # the squared length of w = X^T a is a^T K a
                lengths = (np.sqrt(np.maximum(np.einsum("mi,ij,mj->m", a, K, a), 0)) for a in machines)
                machines = [a / np.where(norm > 0, norm, 1)[:, None] for a, norm in zip(machines, lengths, strict=True)]
            return np.vstack(machines)

        if self.reading == "published":
            # braytee Algorithm 5: survive = m - m E, truncated
            return eliminate(X, duals, 1, lambda left: left - int(left - left * self.drop))
        return eliminate(X, duals, n_keep, lambda left: int(left * self.drop))

    def _bag(self, members, size, random):
        """Row numbers of one bag; labels are those of the rows."""
        if not self.bootstrap:
            return np.sort(np.concatenate(members))
        return np.concatenate([random.choice(rows, size) for rows in members])

    def _check_parameters(self):
        check_choice("reading", self.reading, ("corrected", "published"))
        integers = [("n_models", 1), ("bag_size", 1)]
        share = ("drop", "a share in (0, 1)", lambda v: 0 < v < 1)
        check_numbers(self, integers, [("C", "a positive number", lambda v: v > 0), share], optional=["bag_size"])
