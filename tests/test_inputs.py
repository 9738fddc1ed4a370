"""What estimators of every kind say about input that they cannot use."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.filters import MRMR, BayesExhaustive, BayesGreedy, BayesScore, FisherScore, MIGreedy, MIScore
from fslib.imbalance import BSNMF, CSPCA
from fslib.multilabel import MDDM, MDMR, MLMLFS, PMU, SFUS, MLkNN
from fslib.multiview import RRMVFS, SMML

ONE_TARGET = [FisherScore(), MIScore(), MRMR(), BayesGreedy(), RRMVFS(), SMML(), CSPCA(), BSNMF()]
SEVERAL = [MDDM(), PMU(), MDMR(), SFUS(), MLMLFS(), MLkNN(2)]
named = lambda estimator: type(estimator).__name__


@pytest.mark.parametrize("form", ["array", "frame", "sparse"])
@pytest.mark.parametrize(
    ("value", "kind"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")], ids=["nan", "inf", "-inf"]
)
@pytest.mark.parametrize("estimator", [*ONE_TARGET, *SEVERAL, ThreeLevelDiscretizer()], ids=named)
def test_the_feature_with_a_cell_that_is_no_number_is_named(estimator, value, kind, form):
    X = np.arange(36.0).reshape(12, 3) % 5
    X[4, 1] = value
    y = np.arange(12) % 2
    frame = pd.DataFrame(X, columns=["age", "size", "n"])
    data = {"array": X, "frame": frame, "sparse": sparse.csr_array(X)}[form]
    if form == "sparse" and not estimator.__sklearn_tags__().input_tags.sparse:
        pytest.skip("takes no sparse X")
    column = "'size'" if form == "frame" else "1"
    with pytest.raises(ValueError, match=rf"(NaN|{kind}).* in column {column}"):
        estimator.fit(data, y.reshape(-1, 1) if estimator in SEVERAL else y)


@pytest.mark.parametrize("estimator", ONE_TARGET, ids=named)
def test_several_targets_are_sent_to_the_methods_that_take_them(estimator):
    X, y = np.arange(36.0).reshape(12, 3) % 5, np.eye(2, dtype=int)[np.arange(12) % 2]
    with pytest.raises(ValueError, match=r"takes one target; for several labels use fslib\.multilabel"):
        estimator.fit(X, y)


@pytest.mark.parametrize("y", [[0, 1] * 6, [True, False] * 6, [10**17, 10**17 + 1] * 6])
@pytest.mark.parametrize("estimator", [FisherScore(), MIScore(), RRMVFS(max_iter=2)], ids=named)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_whole_numbers_stored_as_objects_are_classes(estimator, y):
    X = np.arange(36.0).reshape(12, 3) % 5
    plain = estimator.fit(X, np.array(y)).ranking_
    assert_array_equal(estimator.fit(X, np.array(y, dtype=object)).ranking_, plain)


VARYING = np.array([0, 1, 1, 0] * 3)  # tells nothing about the classes below, but varies
CHOOSERS = [FisherScore, MIScore, MIGreedy, MRMR, BayesScore, BayesGreedy, BayesExhaustive]


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("chooser", CHOOSERS, ids=lambda c: c.__name__)
@pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")
def test_a_constant_feature_never_goes_before_one_that_varies(chooser, position):
    X = np.full((12, 3), 7)
    X[:, position] = VARYING
    fitted = chooser(n_features_to_select=1).fit(X, [0, 0, 1, 1] * 3)
    assert fitted.get_support(indices=True).tolist() == [position]


@pytest.mark.parametrize("k", [2, 3])
def test_the_best_set_takes_constant_features_last(k):
    X = np.column_stack([np.zeros(12, int), VARYING, np.ones(12, int), np.arange(12) // 6])
    chosen = BayesExhaustive(n_features_to_select=k).fit(X, [0, 0, 1, 1] * 3).get_support(indices=True)
    assert chosen.tolist() == [[1, 3], [0, 1, 3]][k - 2]


@pytest.mark.parametrize("estimator", [*[c() for c in CHOOSERS], RRMVFS(), MDDM(), PMU(), SFUS(), MLMLFS()], ids=named)
@pytest.mark.filterwarnings("ignore:.*coefficients are zero", "ignore::fslib.filters.OutOfInformationWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_features_that_are_all_constant_are_mentioned(estimator):
    with pytest.warns(UserWarning, match="All 3 features are constant"):
        estimator.set_params(n_features_to_select=1).fit(np.ones((12, 3)), np.arange(12) % 2)


@pytest.mark.parametrize("chooser", [BayesScore, BayesGreedy, BayesExhaustive], ids=lambda c: c.__name__)
def test_the_positive_class_can_be_named(chooser):
    """The F measure depends on it: one feature finds the rare class, the other the common one."""
    y = np.array(["ill"] * 4 + ["well"] * 16)
    X = np.column_stack([np.arange(20) < 3, np.isin(np.arange(20), [0, *range(4, 20)])]).astype(int)
    options = {"n_features_to_select": 1, "criterion": "f_beta"}
    turned = chooser(**options).fit(X, np.where(y == "ill", "z", "a"))  # the rare class sorts last
    named = chooser(**options, pos_label="ill").fit(X, y)
    assert_array_equal(named.ranking_, turned.ranking_)
    assert named.classes_.tolist() == ["well", "ill"]
    assert chooser(**options, pos_label="well").fit(X, y).classes_.tolist() == ["ill", "well"]
    with pytest.raises(ValueError, match="pos_label='sick' is not a class of y"):
        chooser(**options, pos_label="sick").fit(X, y)
    with pytest.raises(ValueError, match="names the positive of two classes, but y holds 3"):
        chooser(n_features_to_select=1, pos_label=1).fit(X, np.arange(20) % 3)
    ill = y == "ill"
    by_number = chooser(**options, pos_label=3).fit(X, np.where(ill, 3, 4))
    for classes, positive in ((~ill, False), (pd.Series(y, dtype="category"), "ill"), (y.astype(object), "ill")):
        fitted = chooser(**options, pos_label=positive).fit(X, classes)
        assert_array_equal(fitted.ranking_, turned.ranking_)
        assert fitted.classes_[1] == positive
    assert by_number.classes_.tolist() == [4, 3]
    for classes, wrong in ((ill, "True"), (y, 1), (y, ["ill"]), (np.where(ill, 3, 4), "3"), (np.where(ill, 3, 4), 5)):
        with pytest.raises(ValueError, match="is not a class of y; the classes are"):
            chooser(**options, pos_label=wrong).fit(X, classes)


@pytest.mark.parametrize("y", [["no", "yes"] * 15, ["a", "b", "c"] * 10, [0, 1] * 15, [False, True] * 15])
def test_a_selector_that_predicts_answers_in_the_classes_given(y):
    X = np.random.default_rng(0).normal(size=(30, 3)) + 3 * np.unique(y, return_inverse=True)[1][:, None] * [1, 0, -1]
    predicted = MLMLFS(n_features_to_select=1, tol=0, max_iter=5).fit(X, y).predict(X)
    assert predicted.shape == (30,) and set(predicted) <= set(y) and np.mean(predicted == np.array(y)) > 0.6


REPEATED = sparse.csr_array(  # the first row holds 1 + 1, 0, 3; columns out of order
    (np.array([3.0, 1, 1, 1, 2, 1, 5]), np.array([2, 0, 0, 1, 0, 2, 2]), np.array([0, 3, 4, 5, 7])), shape=(4, 3)
)


@pytest.mark.parametrize(
    "estimator", [e for e in [*ONE_TARGET, *SEVERAL] if e.__sklearn_tags__().input_tags.sparse], ids=named
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_sparse_entries_that_stand_twice_are_added_up(estimator):
    X = sparse.csr_array(sparse.vstack([REPEATED] * 5))
    repeated = sparse.csr_array((np.tile(REPEATED.data, 5), np.tile(REPEATED.indices, 5), _ends(5)), shape=(20, 3))
    before = repeated.data.copy()
    y = np.arange(20) % 4 // 2
    y = y.reshape(-1, 1) if estimator in SEVERAL else y
    X = sparse.csr_array(X.toarray())
    scores = lambda X: getattr(estimator.fit(X, y), "scores_", None)
    expected, found = scores(X), scores(repeated)
    if expected is not None:
        np.testing.assert_array_equal(found, expected)
    assert_array_equal(repeated.data, before)  # and what was passed in stays as it is


def _ends(times):
    return np.concatenate([[0], *(REPEATED.indptr[1:] + i * REPEATED.nnz for i in range(times))])


@pytest.mark.parametrize("estimator", [*ONE_TARGET, *SEVERAL, ThreeLevelDiscretizer()], ids=named)
def test_masked_entries_are_not_used_as_numbers(estimator):
    X = np.ma.masked_equal(np.arange(36.0).reshape(12, 3) % 5, 4)
    y = np.arange(12) % 2
    with pytest.raises(ValueError, match="X has 7 masked entries"):
        estimator.fit(X, y.reshape(-1, 1) if estimator in SEVERAL else y)


@pytest.mark.parametrize("estimator", ONE_TARGET, ids=named)
@pytest.mark.parametrize("y", [pd.date_range("2024", periods=12), pd.to_timedelta(np.arange(12), "h")])
def test_dates_are_no_classes(estimator, y):
    with pytest.raises(ValueError, match="y holds dates or durations"):
        estimator.fit(np.arange(36.0).reshape(12, 3) % 5, y)


@pytest.mark.parametrize("estimator", [FisherScore(), MIScore(), MRMR(), BayesGreedy()], ids=named)
def test_words_of_variable_width_are_classes(estimator):
    X, words = np.arange(36.0).reshape(12, 3) % 5, np.array(["ill", "well"] * 6)
    expected = estimator.fit(X, words).ranking_
    assert_array_equal(estimator.fit(X, words.astype(np.dtypes.StringDType())).ranking_, expected)


@pytest.mark.parametrize("estimator", [*ONE_TARGET, *SEVERAL], ids=named)
def test_names_that_occur_twice_are_refused(estimator):
    X = pd.DataFrame(np.arange(36.0).reshape(12, 3) % 5, columns=["a", "b", "a"])
    y = np.arange(12) % 2
    with pytest.raises(ValueError, match="several features called 'a'"):
        estimator.fit(X, y.reshape(-1, 1) if estimator in SEVERAL else y)


MEASURING = [FisherScore(), RRMVFS(), SMML(), CSPCA(), BSNMF(), MDDM(), SFUS(), MLMLFS()]


@pytest.mark.parametrize(("size", "word"), [(1e200, "large"), (1e-200, "small")])
@pytest.mark.parametrize("estimator", MEASURING, ids=named)
def test_numbers_whose_squares_are_out_of_range_are_named(estimator, size, word):
    X = pd.DataFrame(np.arange(36.0).reshape(12, 3) % 5, columns=["age", "size", "n"])
    y = np.arange(12) % 2
    with pytest.raises(ValueError, match=f"as {word} as .* in column 'size'.* scale"):
        estimator.fit(X.assign(size=X["size"] * size), y.reshape(-1, 1) if estimator in SEVERAL else y)


@pytest.mark.parametrize("chooser", CHOOSERS[1:], ids=lambda c: c.__name__)
def test_levels_may_be_of_any_size(chooser):
    X = np.column_stack([VARYING, np.arange(12) // 3 % 2, np.arange(12) % 3])
    y = [0, 0, 1, 1] * 3
    plain = chooser(n_features_to_select=2).fit(X, y).ranking_
    for changed in (X * 10**9, X - 3, (X - 3).astype(np.int8), X * 1e300, X.astype(np.float16), np.asfortranarray(X)):
        assert_array_equal(chooser(n_features_to_select=2).fit(changed, y).ranking_, plain)
