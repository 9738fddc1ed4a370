"""Tables and targets as people have them: the clean answer, or a message that names what to mend."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import KBinsDiscretizer

from fslib.correlated import HLR, SCANMF, SVMRFE, FuzzESVM, FuzzyForest, LassoPath
from fslib.filters import BayesGreedy, Discretized, FisherScore, MIScore
from fslib.imbalance import (
    BSNMF,
    CSPCA,
    DNMF,
    ABCSampling,
    ADASYNWithFallback,
    BalancedIterativeRandomForest,
    PSOSampling,
)
from fslib.multilabel import CMFS, COCOA, MDDM, MLCIB, MLCIBFS, MLSMOTE, SFUS, BinaryRelevance, MLkNN
from fslib.multiview import RFS, RRMVFS

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

N = 24
Y = np.arange(N) % 3 // 2  # 16 and 8
X = np.random.default_rng(0).integers(0, 4, (N, 3)).astype(float)
X[:, 1] += 2 * Y
FRAME = pd.DataFrame(X, columns=["age", "size", "n"])
LABELS = np.column_stack([Y, np.arange(N) % 2])
BINNED = Discretized(BayesGreedy(), discretizer=KBinsDiscretizer(3, encode="ordinal", strategy="uniform"))
BRIEF = {"max_iter": 2, "random_state": 0}

COUNTING = [MIScore(), BayesGreedy()]
MEASURING = [FisherScore(), Discretized(MIScore()), BINNED, RFS(), HLR(n_lambdas=3), SVMRFE(), CSPCA()]
SAMPLERS = [ABCSampling(n_sources=3, **BRIEF), PSOSampling(n_particles=3, **BRIEF), ADASYNWithFallback(random_state=0)]
SEVERAL = [MDDM(), MLkNN(2), MLSMOTE(random_state=0)]
EVERY = [*COUNTING, *MEASURING, *SAMPLERS, *SEVERAL]
named = lambda estimator: "binned" if estimator is BINNED else type(estimator).__name__
every = pytest.mark.parametrize("estimator", EVERY, ids=named)


def run(estimator, X, y=None):
    """Whatever the estimator makes of X and y."""
    estimator = clone(estimator)
    y = (LABELS if estimator.__class__ in {type(e) for e in SEVERAL} else Y) if y is None else y
    if hasattr(estimator, "fit_resample"):
        return estimator.fit_resample(X, y)
    estimator.fit(X, y)
    return estimator.ranking_ if hasattr(estimator, "ranking_") else None


def with_cell(value, dtype=object):
    frame = FRAME.astype(dtype)
    frame.loc[4, "size"] = value
    return frame


@every
@pytest.mark.parametrize("value", [None, np.nan, pd.NA, pd.NaT, Decimal("NaN"), Decimal("-Infinity")], ids=repr)
@pytest.mark.parametrize("form", ["frame", "array", "list"])
def test_the_feature_with_an_empty_or_infinite_cell_is_named(estimator, value, form):
    frame = with_cell(value)
    data = {"frame": frame, "array": frame.to_numpy(), "list": frame.to_numpy().tolist()}[form]
    with pytest.raises(ValueError, match="in column " + ("'size'" if form == "frame" else "1")):
        run(estimator, data)


@pytest.mark.parametrize("estimator", [*MEASURING, *SAMPLERS, *SEVERAL], ids=named)
@pytest.mark.parametrize("value", ["high", datetime.date(2024, 1, 1), (1, 2), {"a": 1}, 10**400], ids=str)
def test_the_cell_that_is_no_number_is_shown(estimator, value):
    frame = FRAME.astype(object)
    frame.at[4, "size"] = value
    with pytest.raises((ValueError, TypeError), match=r"holds .* in column 'size', which is (not a|too large)"):
        run(estimator, frame)


@every
@pytest.mark.parametrize(
    "dates", [pd.date_range("2024", periods=N), pd.to_timedelta(range(N), "D")], ids=["day", "span"]
)
@pytest.mark.parametrize("form", ["one", "zone", "all", "array"])
def test_dates_are_not_used_as_numbers(estimator, dates, form):
    if form == "zone":
        dates = dates.tz_localize("UTC") if hasattr(dates, "tz") else dates.astype("timedelta64[s]")
    dated = FRAME.assign(size=dates)
    data = {"all": dated[["size"]], "array": dated[["size"]].to_numpy()}.get(form, dated)
    with pytest.raises(ValueError, match="dates or durations in column " + ("0" if form == "array" else "'size'")):
        run(estimator, data)


@every
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (FRAME["age"], "2D X, got a Series"),
        (None, "X is None"),
        ("table.csv", "X is 'table.csv'"),
        (FRAME.to_dict("list"), "X is {"),
        (FRAME[[]], "0 feature"),
        (np.ma.masked_equal(X, 1.0), "masked entr"),
        (FRAME.set_axis(["a", "b", "a"], axis=1), "several features called 'a'"),
        (FRAME.set_axis([0, 1, 0], axis=1), "several features called 0"),
    ],
    ids=["series", "none", "path", "dict", "empty", "masked", "names", "numbers"],
)
def test_what_is_no_table_is_refused(estimator, data, message):
    with pytest.raises(ValueError, match=message):
        run(estimator, data)


@pytest.mark.parametrize("estimator", [*COUNTING, *MEASURING, *SAMPLERS], ids=named)
@pytest.mark.parametrize("value", [None, np.nan, pd.NA], ids=repr)
@pytest.mark.parametrize("classes", [Y, np.array(["no", "yes"])[Y], Y == 1], ids=["numbers", "words", "truth"])
def test_a_class_that_is_not_known_is_counted(estimator, value, classes):
    y = classes.astype(object)
    y[3] = value
    for given in (y, pd.Series(y), y.tolist()):
        with pytest.raises(ValueError, match="Input y contains NaN"):
            run(estimator, X, given)


@pytest.mark.parametrize("estimator", [FisherScore(), MIScore(), RRMVFS(max_iter=2), *SAMPLERS], ids=named)
@pytest.mark.parametrize(
    "write", [float, lambda v: Decimal(int(v)), lambda v: [int, float][v](v)], ids=["float", "decimal", "both"]
)
def test_numbers_stored_as_objects_are_classes(estimator, write):
    expected, found = run(estimator, X), run(estimator, X, np.array([write(v) for v in Y], dtype=object))
    for one, other in zip(*[r if isinstance(r, tuple) else (r,) for r in (expected, found)], strict=True):
        assert_array_equal(one, other.astype(one.dtype))


@pytest.mark.parametrize("estimator", [FisherScore(), MIScore(), CSPCA(), *SAMPLERS], ids=named)
@pytest.mark.parametrize(
    "day", [lambda v: datetime.date(2024, 1, 1 + v), lambda v: pd.Period(f"2024-0{1 + v}")], ids=["date", "period"]
)
def test_objects_that_are_no_classes_are_named(estimator, day):
    with pytest.raises(ValueError, match=r"y holds (date|Period) objects, which are not classes"):
        run(estimator, X, np.array([day(v) for v in Y], dtype=object))


def test_cells_that_cannot_be_told_apart_name_their_feature():
    with pytest.raises(TypeError, match=r"Column 'size' of X holds no levels \(unhashable type: 'list'\)"):
        MIScore().fit(FRAME.assign(size=[[1]] * N), Y)


@pytest.mark.parametrize("value", [pd.NA, pd.NaT, None, np.nan], ids=repr)
def test_every_way_to_write_an_unknown_label_among_objects(value):
    y, expected = LABELS.astype(object), LABELS.astype(float)
    y[3, 0], expected[3, 0] = value, np.nan
    assert_array_equal(MDDM().fit(X, y).scores_, MDDM().fit(X, expected).scores_)


@pytest.mark.parametrize("missing", [np.nan, None], ids=repr)
def test_an_unknown_class_in_a_list_of_words_is_no_class(missing):
    y = np.array(["no", "yes"])[Y].tolist()
    y[3] = missing
    assert_array_equal(MDDM().fit(X, y).label_names_, ["yes"])
    words = [["a", "b"]] * N
    words[4] = ["a", missing]
    with pytest.raises(ValueError, match=r"NaN in column 1 \(1 cell\)"):
        MIScore().fit(words, Y)


@pytest.mark.parametrize(("y", "message"), [(LABELS + 1j, "complex"), (1, "y is"), ("a", "y is")])
def test_labels_that_are_none(y, message):
    with pytest.raises(ValueError, match=message):
        MDDM().fit(X, y)


@pytest.mark.parametrize("learner", [BinaryRelevance(), COCOA(n_partners=1, random_state=0), MLkNN(2)], ids=named)
def test_sparse_indices_may_have_64_bits(learner):
    plain = sparse.csr_array(X)
    wide = sparse.csr_array((plain.data, plain.indices.astype(np.int64), plain.indptr.astype(np.int64)), shape=X.shape)
    assert wide.indices.dtype == np.int64
    assert_array_equal(clone(learner).fit(wide, LABELS).predict(wide), clone(learner).fit(plain, LABELS).predict(plain))


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "int64[pyarrow]", bool])
def test_samples_between_whole_numbers_and_truth_values_are_floats(dtype):
    frame = (FRAME > 1).astype(dtype) if "bool" in str(dtype) else FRAME.astype(dtype)
    found, _ = ADASYNWithFallback(n_neighbors=2, random_state=0).fit_resample(frame, Y)
    expected, _ = ADASYNWithFallback(n_neighbors=2, random_state=0).fit_resample(frame.astype(float), Y)
    assert_array_equal(found, expected)


@pytest.mark.parametrize("sampler", SAMPLERS[:2], ids=named)
@pytest.mark.parametrize(("shift", "size", "message"), [(1e15, 1.0, "standardise"), (0.0, 1e200, "as large as")])
def test_a_search_for_samples_says_that_features_are_too_large(sampler, shift, size, message):
    with pytest.raises(ValueError, match=message):
        clone(sampler).fit_resample(X * size + shift, Y)


@pytest.mark.filterwarnings("ignore:All 3 features are constant")
@pytest.mark.parametrize("method", [MLCIBFS(max_iter=3), MLCIB(max_iter=3)], ids=named)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_features_that_are_all_zero_are_no_fault(method, kind):
    fitted = clone(method).fit(kind(np.zeros((N, 3))), LABELS)
    assert not fitted.coef_.any()


@pytest.mark.parametrize("filter_", [MIScore(), FisherScore(), BINNED, Discretized(MIScore())], ids=named)
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (["1"] * N, "must hold a number for each row"),
        ("balanced", "must hold a number for each row"),
        ({0: 1, 1: 2}, "must hold a number for each row"),
        (np.ones(N) + 0j, "must hold a number for each row"),
        ([], "sample_weight is empty"),
        (np.ma.masked_less(np.arange(N), 3), "sample_weight has 3 masked entries"),
        ([None] + [1] * (N - 1), "sample_weight"),
    ],
    ids=["text", "word", "dict", "complex", "empty", "masked", "none"],
)
def test_weights_that_are_no_numbers(filter_, weight, message):
    with pytest.raises(ValueError, match=message):
        clone(filter_).fit(X, Y, sample_weight=weight)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("filter_", [MIScore(), FisherScore(), BINNED], ids=named)
@pytest.mark.parametrize("size", [1e308, 2.0**-1070])
def test_the_scale_of_weights_does_not_matter(filter_, size):
    found = clone(filter_).fit(X, Y, sample_weight=np.full(N, size))
    assert_array_equal(found.ranking_, clone(filter_).fit(X, Y).ranking_)


@pytest.mark.parametrize("selector", [*COUNTING, FisherScore(), Discretized(MIScore()), RFS(), MDDM()], ids=named)
@pytest.mark.parametrize(("value", "kind"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_a_new_table_with_an_empty_cell_names_the_feature(selector, value, kind):
    fitted = clone(selector).fit(FRAME, LABELS if selector in SEVERAL else Y)
    with pytest.raises(ValueError, match=rf"contains {kind} in column 'size' \(1 cell\)"):
        fitted.transform(with_cell(value, float))
    with pytest.raises(ValueError, match="got a Series"):
        fitted.transform(FRAME["age"])


@pytest.mark.parametrize(
    "method", [FuzzESVM(n_models=2, random_state=0), FuzzyForest(n_trees=3, final_trees=3)], ids=named
)
@pytest.mark.parametrize(
    "modules", [[0, 1.5, 1], [0, np.nan, 1], ["u", "u", "v"], [True, False, True], [-1, 0, 1], [1, 2]]
)
def test_modules_are_integers(method, modules):
    with pytest.raises(ValueError, match=r"modules (must be integers|has shape)"):
        clone(method).set_params(modules=modules).fit(X, Y)


CONSTANT_LAST = [
    *(BSNMF(random_state=0), DNMF(max_iter=50, random_state=0), MLCIBFS(max_iter=20), CMFS(random_state=0)),
    *(SCANMF(max_iter=20, random_state=0), RRMVFS(), RFS(), FisherScore(), MIScore(), SFUS()),
    BalancedIterativeRandomForest(n_estimators=20, min_features=2, random_state=0),
]


@pytest.mark.parametrize("selector", CONSTANT_LAST, ids=named)
@pytest.mark.parametrize("size", [0.0, 0.1, 7.0, 1e8])
@pytest.mark.parametrize("position", [0, 2])
@pytest.mark.filterwarnings("ignore:.*coefficients are zero")
def test_a_constant_of_any_size_comes_last(selector, size, position):
    data = X.copy()
    data[:, position] = size
    several = "multilabel" in type(selector).__module__
    fitted = clone(selector).set_params(n_features_to_select=2).fit(data, LABELS if several else Y)
    assert fitted.ranking_[-1] == position


@pytest.mark.parametrize(
    "selector", [*CONSTANT_LAST[:1], *CONSTANT_LAST[4:5], HLR(n_lambdas=3), SVMRFE(), LassoPath()], ids=named
)
def test_features_that_are_all_constant_are_mentioned_in_every_room(selector):
    with pytest.warns(UserWarning, match="All 3 features are constant"):
        clone(selector).fit(np.ones((N, 3)), Y)
