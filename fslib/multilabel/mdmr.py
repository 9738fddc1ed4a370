"""MDMR: maximum dependency, minimum redundancy for label sets (Lin et al. 2015)."""

from fslib.base import check_choice, resolve_n_features
from fslib.multilabel.interactions import binarize, greedy_order
from fslib.multilabel.pmu import constant_last, two_level_interactions
from fslib.multilabel.selector import MultiLabelSelector
from fslib.multilabel.three_levels import ThreeLevelInteractions


class MDMR(MultiLabelSelector):
    """Greedy selection by information about the labels, minus what the chosen features already say.

    Feature ``f`` enters next if it maximises

        sum_l I(f; l)  -  sum_{s chosen} sum_l { I(f; s) - I(f; s | l) },

    which is ``PMU`` without the term for label pairs: cheap for many labels. ``variant="quoted"`` is the
    form in which later papers quote the method,

        sum_l I(f; l)  -  mean_{s chosen} { I(f; s) - sum_l I(f; l | s) }.

    Use the default form to avoid copies of chosen features when there are many labels. The quoted form rewards features
    that still inform about labels given the chosen ones, more than it penalises copies.

    Parameters
    ----------
    variant : {"default", "quoted"}
        The default reproduces the numbers published for MDMR in Tables 2 to 5 of the MLMLFS paper.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. Also the number of greedy steps; the other features
        follow in the order of the last criterion.
    reading : {"corrected", "published"}
        Features are split at their median. "published" follows the experiments of the MLMLFS paper: *unknown* is a
        third level of a label, beside absent and present, and a two-valued feature of which at least half are the
        larger value becomes constant. "corrected" leaves unknown labels out of the counts they would enter, and keeps
        two-valued features.

    Attributes
    ----------
    scores_ : None
        A greedy search has an order of entry, no scores.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names
    label_names_ : array of shape (c,)
        Column names of a DataFrame ``y``, class codes of a 1-D ``y``, else 0..c-1.

    Raises
    ------
    ValueError
        For NaN in X, and for labels that are not 0, 1 or NaN or of which a column is wholly unknown.

    Notes
    -----
    O(n d c) for each step; memory O(n (d + c)). Sparse X stays sparse: n d becomes the number of its entries.

    References
    ----------
    Y. Lin, Q. Hu, J. Liu, J. Duan, "Multi-label feature selection based on max-dependency and min-redundancy",
    Neurocomputing 168 (2015). P. Zhu et al., Pattern Recognition 74 (2018), Table 2.

    Examples
    --------
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]
    >>> y = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> MDMR(n_features_to_select=2).fit(X, y).ranking_
    array([0, 1, 2])
    """

    _accepts_sparse = True

    def __init__(self, variant="default", *, n_features_to_select=None, reading="corrected"):
        super().__init__(n_features_to_select=n_features_to_select)
        self.variant = variant
        self.reading = reading

    def fit(self, X, y):
        """Order the features.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        MDMR
        """
        check_choice("reading", self.reading, ("corrected", "published"))
        check_choice("variant", self.variant, ("default", "quoted"))
        X, labels = self._validate(X, y)
        steps = resolve_n_features(self.n_features_to_select, X.shape[1])
        if self.reading == "published":
            info = ThreeLevelInteractions(binarize(X, keep_two_valued=False), labels.values)
        else:
            info = two_level_interactions(X, labels, "corrected")
        relevance = info.relevance()

        def quoted(s):  # I(f; s) - sum_l I(f; l | s), and I(f; l | s) = I(f; l) - I(f; s; l)
            return info.between_features(s) - relevance + info.with_feature(s)

        is_quoted = self.variant == "quoted"
        order = greedy_order(relevance, quoted if is_quoted else info.with_feature, steps, average=is_quoted)
        return self._store_ranking(order=constant_last(order, X))
