"""The contract of all selectors: what they accept, what they store after ``fit``, and how ties are broken."""

import numbers
import os
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from fslib.inputs import explaining
from fslib.parameters import is_same

TIE_TOLERANCE = 1e-12
"""Scores closer than this, relative to the larger one and at least absolutely, count as equal."""

SHARE_ROUNDING = 4 * np.finfo(float).eps
"""Relative tolerance when a share is turned into a count, so that 0.29 of 100 features is 29, not 28."""


def resolve_n_features(n_features_to_select, n_features, name="n_features_to_select"):
    """Turn an int, a share or None into a number of features.

    Parameters
    ----------
    n_features_to_select : int, float or None
        A count in [1, ``n_features``], a share in (0, 1] (rounded down, at least one feature), or None for half.
    n_features : int
        Number of features of X.
    name : str
        Name of the parameter in error messages.

    Returns
    -------
    int
        Between 1 and ``n_features``.

    Raises
    ------
    ValueError
        If the count or share is outside its range.
    TypeError
        If it is neither a number nor None.

    Examples
    --------
    >>> resolve_n_features(3, 10), resolve_n_features(0.25, 10), resolve_n_features(None, 10)
    (3, 2, 5)
    """
    k = n_features_to_select
    if k is None:
        return max(1, n_features // 2)
    if isinstance(k, bool) or not isinstance(k, numbers.Real):
        raise TypeError(f"{name} must be an int, a share in (0, 1] or None, got {k!r}.")
    if isinstance(k, numbers.Integral):
        if not 1 <= k <= n_features:
            raise ValueError(
                f"{name}={k} is not between 1 and the {n_features} features of X. "
                "Ask for fewer, or for a share such as 0.5."
            )
        return int(k)
    if not 0 < k <= 1:
        raise ValueError(f"{name}={k} is a share and must lie in (0, 1]; for a count pass an int.")
    return min(n_features, max(1, int(k * n_features * (1 + SHARE_ROUNDING))))


def check_choice(name, value, choices):
    """Refuse a parameter whose value is not one of the choices.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
    choices : sequence

    Raises
    ------
    ValueError
        If ``value`` is not among the choices; the message lists them.

    Examples
    --------
    >>> check_choice("kind", "spc", ("proj", "spc"))
    """
    if not any(is_same(value, choice) for choice in choices):
        raise ValueError(f"{name}={value!r} must be one of {', '.join(map(repr, choices))}.")


def constant_features(X):
    """Which features have one value only, by value and not by variance.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)

    Returns
    -------
    array of bool, shape (d,)

    Examples
    --------
    >>> constant_features(np.array([[0.1, 1.0], [0.1, 2.0]]))
    array([ True, False])
    """
    if sparse.issparse(X):
        return X.max(axis=0).toarray().ravel() == X.min(axis=0).toarray().ravel()
    return X.max(axis=0) == X.min(axis=0)


def rank_by_score(scores, *, constant=None):
    """Feature indices, best first; scores equal up to rounding are ordered by feature index.

    Parameters
    ----------
    scores : array of shape (d,)
        Larger is better; +-inf allowed, NaN not.
    constant : array of bool, shape (d,), optional
        Features that come last among equals.

    Returns
    -------
    array of int, shape (d,)

    Examples
    --------
    >>> rank_by_score(np.array([0.1 + 0.2, 0.5, 0.3]))
    array([1, 0, 2])
    """
    groups = tie_groups(scores)
    last = np.zeros(len(groups), dtype=bool) if constant is None else constant
    return np.lexsort((np.arange(len(groups)), last, groups))


def tie_groups(scores):
    """Number of the group of equal scores, up to rounding: 0 for the best, 1 for the next best, and so on.

    Parameters
    ----------
    scores : array of shape (d,)
        Larger is better; +-inf allowed, NaN not.

    Returns
    -------
    array of int, shape (d,)

    Examples
    --------
    >>> tie_groups(np.array([0.1 + 0.2, 0.5, 0.3]))
    array([1, 0, 1])
    """
    scores = np.asarray(scores, dtype=float)
    order = np.argsort(-scores, kind="stable")
    best = scores[order]
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, which compares False: no gap, hence a tie
        scale = np.where(np.isfinite(best[1:]), np.maximum(1.0, np.abs(best[1:])), 1.0)
        gap = best[:-1] - best[1:] > TIE_TOLERANCE * scale
    groups = np.empty(len(scores), dtype=np.intp)
    groups[order] = np.concatenate([[0], np.cumsum(gap)])
    return groups


def strictly_greater(value, other):
    """Whether a value is larger than another, or than each of an array, by more than rounding.

    Examples
    --------
    >>> strictly_greater(0.5, 0.4), strictly_greater(0.1 + 0.2, np.array([0.3, 0.2]))
    (np.True_, array([False,  True]))
    """
    return value > other + TIE_TOLERANCE * np.maximum(1.0, np.abs(value))


def first_of_best(values):
    """Index of the first value that equals the largest up to rounding.

    Examples
    --------
    >>> first_of_best(np.array([0.1, 0.3, 0.1 + 0.2]))
    1
    """
    return int(np.flatnonzero(~strictly_greater(values.max(), values))[0])


SITE = Path(__file__).parents[1] / "docs" / "_build" / "html"
"""Where `make docs` builds the documentation of a clone."""


def documentation_address():
    """Address of the documentation site, or "" if none is known.

    Returns
    -------
    str
        The environment variable ``FSLIB_DOCS``; without it the site that ``make docs`` built in this clone.
    """
    if address := os.environ.get("FSLIB_DOCS", "").rstrip("/"):
        return address
    return SITE.as_uri() if (SITE / "index.html").is_file() else ""


class Documented:
    """Mixin of estimators whose HTML representation links to their page of the documentation site.

    It fills the places that scikit-learn provides for that, and stands before ``BaseEstimator`` among the bases.
    """

    _doc_link_module = "fslib"

    @property
    def _doc_link_template(self):
        return documentation_address() + "/api/fslib.{package}.{name}.html"

    def _doc_link_url_param_generator(self):
        return {"package": type(self).__module__.split(".")[1], "name": type(self).__name__}

    def _get_doc_link(self):
        return super()._get_doc_link() if documentation_address() else ""


class FeatureSelector(Documented, SelectorMixin, BaseEstimator):
    """Base of all selectors.

    A subclass implements ``fit``, which validates its input with scikit-learn's ``validate_data``, computes scores or
    an order of entry, and ends with ``self._store_ranking(...)``. Everything else (``transform``, ``get_support``,
    ``get_feature_names_out``, ``inverse_transform``) follows from the attributes below.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share in (0, 1], or None for half of them.

    Attributes
    ----------
    scores_ : array of shape (d,) or None
        Larger is better; None for a pure greedy search.
    ranking_ : array of int, shape (d,)
        All feature indices, best first; ties are broken by the lower index.
    support_ : array of bool, shape (d,)
        The selected features.
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names
    """

    def __init__(self, *, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    _constant = None
    """Which features have one value only, bool (d,): last among those of equal score."""

    def _store_ranking(self, *, scores=None, order=None):
        """Set ``scores_``, ``ranking_`` and ``support_`` from scores (d,), an order of all d features, or both."""
        d = self.n_features_in_
        k = resolve_n_features(self.n_features_to_select, d)
        if scores is not None:
            scores = np.asarray(scores, dtype=float)
            if scores.shape != (d,):
                raise AssertionError(f"scores must be {d} numbers")
            if np.isnan(scores).any():
                raise ValueError(
                    f"{type(self).__name__} ended in numbers out of range, without scores: scale the features, and "
                    "use moderate parameters."
                )
        if order is None:
            literal = getattr(self, "reading", None) == "published"  # no repair of ours
            order = rank_by_score(scores, constant=None if literal else self._constant)
        order = np.asarray(order, dtype=np.intp)
        if not np.array_equal(np.sort(order), np.arange(d)):
            raise AssertionError("ranking_ must hold every column exactly once")
        self.scores_ = scores
        self.ranking_ = order
        self.support_ = np.zeros(d, dtype=bool)
        self.support_[order[:k]] = True
        return self

    def transform(self, X):
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d)

        Returns
        -------
        array or sparse matrix of shape (n, k)

        Raises
        ------
        ValueError
            If X has other features than the X of ``fit``, or values that ``fit`` does not take.
        """
        with explaining(self, X):
            return super().transform(X)

    def _get_support_mask(self):
        check_is_fitted(self, "support_")
        return self.support_
