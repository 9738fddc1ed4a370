"""Criteria against every classifier and every scorer there is on small tables, and against scikit-learn."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from sklearn.metrics import fbeta_score, mutual_info_score, roc_auc_score

from fslib.counts import compiled
from fslib.filters.criteria import (
    AUC,
    AdditiveCriterion,
    Balanced,
    CostMatrix,
    CostSensitive,
    FBeta,
    Log,
    Squared,
    YangHu,
    ZeroOne,
    resolve_criterion,
)

BINARY = [
    ZeroOne(),
    CostSensitive(0.25),
    CostMatrix([[0.1, 1.5], [0.7, 0]]),
    Balanced(),
    Log(),
    YangHu(),
    FBeta(2),
    AUC(),
]
MULTICLASS = [ZeroOne(), CostMatrix(1 - np.eye(3)), Balanced(), Log(), YangHu(), FBeta(0.5), AUC()]


def tables(n_classes, n_cells=4):
    """Tables of counts in which every class has a sample."""
    counts = arrays(int, (n_cells, n_classes), elements=st.integers(0, 6))
    return counts.filter(lambda table: (table.sum(axis=0) > 0).all())


def samples(table):
    """Cell and class of every sample of a table of counts."""
    cell, label = np.indices(table.shape)
    return np.repeat(cell.ravel(), table.ravel()), np.repeat(label.ravel(), table.ravel())


def best_over_classifiers(table, measure):
    """Largest measure(y, prediction) over all functions from cells to classes."""
    cell, y = samples(table)
    return max(measure(y, np.array(rule)[cell]) for rule in product(range(table.shape[1]), repeat=len(table)))


def name_of(value):
    """Test id: criteria by their parameters, functions by number (their addresses differ between workers)."""
    return None if callable(value) else repr(value)


def mean_cost(costs):
    return lambda y, prediction: -np.asarray(costs)[y, prediction].mean()


def balanced_loss(y, prediction):
    return -sum((prediction[y == c] != c).mean() for c in np.unique(y))


def f_measure(beta):
    return lambda y, prediction: fbeta_score(y, prediction, beta=beta, zero_division=0.0)


@pytest.mark.parametrize(
    ("criterion", "measure"),
    [
        (ZeroOne(), lambda y, p: -(y != p).mean()),
        (CostSensitive(0.25), mean_cost([[0, 0.25], [0.75, 0]])),
        (CostMatrix([[0.1, 1.5], [0.7, 0]]), mean_cost([[0.1, 1.5], [0.7, 0]])),
        (Balanced(), balanced_loss),
        (FBeta(1), f_measure(1)),
        (FBeta(2), f_measure(2)),
        (FBeta(0.5), f_measure(0.5)),
    ],
    ids=name_of,
)
def test_equals_the_best_of_all_classifiers(criterion, measure):
    rng = np.random.default_rng(0)
    for _ in range(8):
        table = rng.integers(0, 5, size=(4, 2))
        table[0] += 1
        assert_allclose(criterion.value(table), best_over_classifiers(table, measure), rtol=1e-13)


@pytest.mark.parametrize(
    ("criterion", "measure"),
    [
        (ZeroOne(), lambda y, p: -(y != p).mean()),
        (CostMatrix([[0, 1, 2], [3, 0, 1], [1, 1, 0]]), mean_cost([[0, 1, 2], [3, 0, 1], [1, 1, 0]])),
        (Balanced(), balanced_loss),
    ],
    ids=name_of,
)
def test_equals_the_best_of_all_classifiers_of_three_classes(criterion, measure):
    table = np.array([[3, 1, 2], [0, 4, 1], [2, 2, 5]])
    assert_allclose(criterion.value(table), best_over_classifiers(table, measure), rtol=1e-13)


def test_auc_equals_the_best_of_all_scorers():
    rng = np.random.default_rng(1)
    for _ in range(10):
        table = rng.integers(0, 5, size=(4, 2))
        table[0] += 1
        cell, y = samples(table)
        best = max(roc_auc_score(y, np.array(scores)[cell]) for scores in permutations(range(4)))
        assert_allclose(AUC().value(table), best, rtol=1e-13)


@given(tables(2))
def test_auc_is_the_auc_of_the_class_probability_and_the_papers_double_sum(table):
    n, positive = table.sum(axis=1), table[:, 1]
    eta = positive / np.maximum(n, 1)
    cell, y = samples(table)
    assert_allclose(AUC().value(table), roc_auc_score(y, eta[cell]), atol=1e-13)
    weight, p = n / n.sum(), positive.sum() / n.sum()
    alpha = np.outer(eta, 1 - eta)
    expected = 1 - weight @ np.minimum(alpha, alpha.T) @ weight / (2 * p * (1 - p))
    assert_allclose(AUC().value(table), expected, atol=1e-13)


@given(tables(2), st.sampled_from([0.5, 1.0, 3.0]))
def test_f_beta_is_the_best_threshold_of_the_class_probability(table, beta):
    cell, y = samples(table)
    eta = (table[:, 1] / np.maximum(table.sum(axis=1), 1))[cell]
    best = max(fbeta_score(y, eta >= threshold, beta=beta) for threshold in np.unique(eta))
    assert_allclose(FBeta(beta).value(table), best, rtol=1e-13)


def test_the_misprinted_f_beta_is_the_one_of_the_inverse():
    table = np.array([[1, 5], [6, 3], [9, 1]])

    def published(y, prediction, beta=2):
        hit = (y & prediction).sum()
        if hit == 0:
            return 0.0
        precision, recall = hit / prediction.sum(), hit / y.sum()
        return (1 + beta**2) / (beta**2 / precision + 1 / recall)

    assert_allclose(best_over_classifiers(table, published), FBeta(1 / 2).value(table), rtol=1e-13)
    assert abs(FBeta(2).value(table) - FBeta(1 / 2).value(table)) > 0.02


@given(tables(3))
def test_log_is_minus_conditional_entropy(table):
    cell, y = samples(table)
    share = np.bincount(y) / len(y)
    entropy = -share @ np.log(share)
    assert_allclose(entropy + Log().value(table), mutual_info_score(cell, y), atol=1e-12)


def test_log_is_the_log_loss_of_the_best_probabilities():
    table = np.array([[3, 1], [2, 6]])
    grid = np.linspace(0.001, 0.999, 999)
    loss = sum(np.min(-n1 * np.log(grid) - n0 * np.log(1 - grid)) for n0, n1 in table) / table.sum()
    assert_allclose(Log().value(table), -loss, rtol=1e-12)  # 1/4 and 3/4 are on the grid


def test_squared_is_the_variance_inside_cells():
    rng = np.random.default_rng(2)
    y, cell = rng.normal(size=50), rng.integers(0, 4, size=50)
    table = [[np.sum(cell == z), y[cell == z].sum(), (y[cell == z] ** 2).sum()] for z in range(4)]
    expected = -sum(np.sum(cell == z) * y[cell == z].var() for z in range(4)) / 50
    assert_allclose(Squared().value(table), expected, rtol=1e-12)


def test_three_classes_average_one_versus_rest():
    table = np.array([[3, 1, 2], [0, 4, 1], [2, 2, 5]])
    for criterion in (AUC(), FBeta(2)):
        pairs = [np.column_stack([table.sum(axis=1) - table[:, c], table[:, c]]) for c in range(3)]
        assert_allclose(criterion.value(table), np.mean([criterion.value(pair) for pair in pairs]), rtol=1e-14)


def test_pairs_of_classes_average_over_pairs():
    table = np.array([[3, 1, 2], [0, 4, 1], [2, 2, 5]])
    expected = np.mean([AUC().value(table[:, pair]) for pair in ([0, 1], [0, 2], [1, 2])])
    assert_allclose(AUC("ovo").value(table), expected, rtol=1e-14)
    assert_allclose(AUC("ovo").value(table[:, :2]), AUC().value(table[:, :2]), rtol=1e-14)


def test_example_1_of_the_paper():
    """P(Y=1) = 0.3; P(X1=1|Y) = 0.1, 0.4; P(X2=1|Y) = 0.4, 0.9: the two criteria disagree."""
    first = np.array([[0.7 * 0.9, 0.3 * 0.6], [0.7 * 0.1, 0.3 * 0.4]])
    second = np.array([[0.7 * 0.6, 0.3 * 0.1], [0.7 * 0.4, 0.3 * 0.9]])
    both = np.stack([first, second])
    entropy = -0.3 * np.log2(0.3) - 0.7 * np.log2(0.7)
    assert_allclose(entropy + Log().value(both) / np.log(2), [0.0819, 0.1724], atol=5e-5)  # bits
    assert_allclose(ZeroOne().value(both), [-0.25, -0.30], rtol=1e-13)
    assert_allclose(YangHu().value(both), [-0.3684, -0.3309], atol=5e-5)


@pytest.mark.parametrize("criterion", MULTICLASS, ids=repr)
@given(table=tables(3), data=st.data())
def test_splitting_cells_never_hurts(criterion, table, data):
    part = data.draw(arrays(float, table.shape, elements=st.floats(0, 1)))
    part = np.floor(part * (table + 1)).clip(0, table).astype(int)
    assert criterion.value(np.vstack([part, table - part])) >= criterion.value(table) - 1e-12


@pytest.mark.parametrize("criterion", BINARY, ids=repr)
@given(table=tables(2), order=st.permutations(range(4)))
def test_order_of_cells_and_empty_cells_do_not_matter(criterion, table, order):
    other = np.vstack([table[order], np.zeros((2, 2), dtype=int)])
    assert_allclose(criterion.value(other), criterion.value(table), atol=1e-13)


@pytest.mark.parametrize("criterion", BINARY, ids=repr)
def test_cells_of_equal_proportions_may_be_merged_and_counts_scaled(criterion):
    table = np.array([[1, 2], [2, 4], [5, 1], [0, 3]])
    merged = np.array([[3, 6], [5, 1], [0, 3]])
    assert_allclose(criterion.value(merged), criterion.value(table), rtol=1e-13)
    assert_allclose(criterion.value(table / table.sum()), criterion.value(table), rtol=1e-13)


@pytest.mark.parametrize("criterion", [ZeroOne(), Balanced(), Log(), YangHu(), AUC()], ids=repr)
@given(table=tables(2))
def test_exchanging_the_classes_changes_nothing(criterion, table):
    assert_allclose(criterion.value(table[:, ::-1]), criterion.value(table), atol=1e-13)


@pytest.mark.parametrize("criterion", BINARY + [Squared()], ids=repr)
def test_stacks_and_searches_see_the_same_values(criterion):
    """``value`` over leading axes, and ``evaluate`` with several cells, levels and pure cells apart."""
    rng = np.random.default_rng(3)
    n_statistics = 3 if criterion.task == "regression" else 2
    stack = rng.integers(1, 9, size=(2, 5, 6, n_statistics))
    values = criterion.value(stack)
    assert values.shape == (2, 5)
    assert_allclose(values[1, 2], criterion.value(stack[1, 2]), rtol=1e-14)

    if criterion.task == "classification":
        table = np.array([[2, 3], [1, 1], [4, 0], [2, 7], [0, 0], [3, 2]])
        counts = np.stack([table.T.reshape(2, 3, 1, 2)] * 2, axis=2)[
            :, :, :, 0
        ]  # 3 cells, 2 equal candidates, 2 levels
        pure = np.array([5, 6])
        totals = (table.sum(axis=0) + pure)[:, None]
        whole = np.vstack([table, [[5, 0], [0, 6]]])
        assert_allclose(criterion.evaluate(counts, totals, pure), [criterion.value(whole)] * 2, rtol=1e-13)


ADDITIVE = [criterion for criterion in BINARY + MULTICLASS if isinstance(criterion, AdditiveCriterion)]


@pytest.mark.parametrize("criterion", ADDITIVE, ids=repr)
@pytest.mark.parametrize("largest", [1, 3, 15, 63, 255])
def test_counts_of_a_byte_add_up_like_large_ones(criterion, largest):
    """Losses that are looked up, or too many for that, and sums beyond two bytes."""
    K = 3 if criterion == CostMatrix(1 - np.eye(3)) else 2
    counts = np.random.default_rng(largest).integers(0, largest + 1, (K, 9000, 5)).astype(np.uint8)
    totals = counts.sum(axis=(1, 2), dtype=int)[:, None]
    found = criterion.add_up(counts[:, 4000:], totals, criterion.add_up(counts[:, :4000], totals))
    loss = criterion.cell_loss(counts.astype(np.int64)[..., None], totals[:, None, :, None])[..., 0]
    assert_allclose(found, loss.sum(axis=0), rtol=1e-12)


@pytest.mark.parametrize("criterion", ADDITIVE, ids=repr)
@pytest.mark.parametrize("largest", [0, 1, 3, 15, 63, 255])
@pytest.mark.skipif(compiled.load() is None, reason="Numba is not installed")
def test_compiled_kernels_add_up_to_the_same_bits(criterion, largest):
    K = 3 if criterion == CostMatrix(1 - np.eye(3)) else 2
    cells = np.random.default_rng(largest).integers(0, largest + 1, (900, K, 24)).astype(np.uint8)
    cells[500:] //= 2  # other losses are looked up
    counts = cells.swapaxes(0, 1)
    totals = counts.sum(axis=(1, 2), dtype=int)[:, None] + 1
    expected = found = None
    for part in (counts[:, :500], counts[:, 500:501], counts[:, 501:]):
        expected = criterion.add_up(part, totals, expected)
        found = criterion.add_up_compiled(compiled.load(), part, totals, found)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(compiled.load() is None, reason="Numba is not installed")
def test_compiled_kernels_leave_sums_of_ones_own_alone():
    class Largest(Log):
        def add_up(self, counts, totals, before=None):
            return np.full(counts.shape[2], 7.0)

    counts = np.ones((2, 50, 8), dtype=np.uint8)
    assert (Largest().add_up_compiled(compiled.load(), counts, np.array([[50], [50]])) == 7).all()


@pytest.mark.parametrize(
    "loss",
    [
        lambda counts, totals: (counts > 0).all(axis=0),  # bool: how many cells are mixed
        lambda counts, totals: np.minimum(counts.min(axis=0), 9).astype(np.int8),
        lambda counts, totals: np.broadcast_to(np.uint16(1), counts[0].shape),  # read-only
        lambda counts, totals: counts[0] if counts.max() < 3 else counts[0] / 2,  # whole, or not
    ],
    ids=["bool", "int8", "read-only", "mixed"],
)
@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_losses_of_any_type_add_up_over_stretches(loss, kind):
    stretches = [np.full((2, 300, 4), largest, dtype=kind) for largest in (1, 5, 2)]
    totals = sum(counts.sum(axis=(1, 2), dtype=int) for counts in stretches)[:, None]
    own, found = type("Own", (AdditiveCriterion,), {"cell_loss": staticmethod(loss)})(), None
    by_kernels = None
    for counts in stretches:
        found = own.add_up(counts, totals, found)
        if compiled.load() is not None:
            by_kernels = own.add_up_compiled(compiled.load(), counts, totals, by_kernels)
            np.testing.assert_array_equal(by_kernels, found)
    assert_allclose(found, sum(loss(counts.astype(np.int64), totals).sum(axis=0) for counts in stretches))


def test_names_and_bad_parameters():
    assert resolve_criterion("zero_one") == ZeroOne()
    assert resolve_criterion(AUC()) == AUC()
    for c in (0, 1, -0.5, 2, np.nan):
        with pytest.raises(ValueError, match="between 0 and 1"):
            CostSensitive(c)
    for beta in (0, -1, np.inf, np.nan):
        with pytest.raises(ValueError, match="positive"):
            FBeta(beta)
    with pytest.raises(ValueError, match="zero_one"):
        resolve_criterion("accuracy")
    with pytest.raises(TypeError, match="criterion"):
        resolve_criterion(3)
    with pytest.raises(ValueError, match="shape"):
        CostMatrix([0, 1])
    with pytest.raises(ValueError, match="ovr"):
        AUC("micro")
    with pytest.raises(ValueError, match="cells"):
        Squared("trees")


@pytest.mark.parametrize(
    ("criterion", "table", "message"),
    [
        (ZeroOne(), [1, 2], "shape"),
        (ZeroOne(), [[1, -2], [1, 1]], "not negative"),
        (ZeroOne(), [[1, np.nan], [1, 1]], "finite"),
        (AUC(), [[1, 0], [3, 0]], "no sample"),
        (AUC(), [[5]], "two classes or more, got 1"),
        (FBeta(), [[5]], "two classes or more, got 1"),
        (CostSensitive(0.3), [[1, 2, 3]], "two classes"),
        (CostMatrix([[0, 1], [1, 0]]), [[1, 2, 3]], "2 classes"),
        (Squared(), [[1, 2]], "3 moments"),
    ],
)
def test_bad_tables(criterion, table, message):
    with pytest.raises(ValueError, match=message):
        criterion.value(table)
