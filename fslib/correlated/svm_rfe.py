"""SVM-RFE: recursive feature elimination with a linear support vector machine (Guyon et al. 2002)."""

from numbers import Integral, Real

from fslib.correlated._base import ClassSelector, zscores
from fslib.correlated.elimination import eliminate, machine_duals
from fslib.parameters import check_numbers


class SVMRFE(ClassSelector):
    """Fit a linear SVM, drop the features with the smallest squared weights, and repeat down to the last one.

    The ranking is the reverse order of removal. Strong where many weak features add up, and fast for few samples,
    whatever the number of features. Correlated features share a weight, so that a group of them can leave early
    although each alone would be a good feature.

    Parameters
    ----------
    C : float
        Cost of a margin violation, positive. Where features outnumber samples the classes are separable, and the
        ranking hardly depends on it.
    step : float or int
        Share of the *remaining* features that leave in a round, in (0, 1), or their number. scikit-learn's ``RFE``
        takes a share of the original number, so that the best 100 of 7000 may all be removed in one round.
    one_by_one : int
        With this many features or fewer left, they are removed one at a time.
    scale : bool
        Standardise the features first, by the rows that ``fit`` sees.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
    rounds_ : array of int, shape (d,)
        The round in which a feature left; the last one has the largest number.
    scores_ : None
        Weights of different rounds are not comparable.
    classes_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN, one class only, and parameters outside their range.

    Notes
    -----
    More than two classes: one SVM for each pair, squared weights summed. Constant features have weight zero and leave
    first.

    O(n^2 d) for all Gram matrices of a run, plus a machine on n samples and O(n d') per round with d' features left.
    Memory O(n d).

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik, "Gene selection for cancer classification using support vector
    machines", Machine Learning 46, 2002.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(40) % 2
    >>> X = rng.normal(size=(40, 100))
    >>> X[:, [17, 80]] += 3 * y[:, None]
    >>> SVMRFE(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([17, 80])
    """

    def __init__(self, *, C=1.0, step=0.1, one_by_one=100, scale=True, n_features_to_select=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.C = C
        self.step = step
        self.one_by_one = one_by_one
        self.scale = scale

    def fit(self, X, y):
        """Eliminate features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        SVMRFE
        """
        check_numbers(self, integers=[("one_by_one", 0)], numbers=[("C", "a positive number", lambda v: v > 0)])
        check_step("step", self.step)
        X, codes = self._validate(X, y)
        X = zscores(X) if self.scale else X
        duals = lambda K: machine_duals(K, codes, self.C)
        order, self.rounds_ = eliminate(X, duals, 1, self._n_to_drop)
        return self._store_ranking(order=order)

    def _n_to_drop(self, n_left):
        if n_left <= self.one_by_one:
            return 1
        n_dropped = self.step if isinstance(self.step, Integral) else int(self.step * n_left)
        return min(n_dropped, n_left - self.one_by_one) if self.one_by_one else n_dropped


def check_step(name, step):
    """Raise ValueError unless the step is a share in (0, 1) or a number of features of at least 1."""
    whole = isinstance(step, Integral) and not isinstance(step, bool) and step >= 1
    if not whole and not (isinstance(step, Real) and not isinstance(step, Integral) and 0 < step < 1):
        raise ValueError(f"{name}={step!r} must be a share in (0, 1) or a whole number of at least 1.")
