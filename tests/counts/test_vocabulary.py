"""Levels that are found block by block are those of the sorted distinct values, whatever the types of the blocks."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fslib.counts.kept import KeptCodes, pack, unpack
from fslib.counts.vocabulary import Vocabulary

KINDS = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">i4", ">f8"]


def vocabulary_of(blocks):
    words = Vocabulary("x")
    for block in blocks:
        words.add(block)
    words.close()
    return words


@pytest.mark.parametrize("low", [0, -3, -128, 100, 2**20, -(2**40), 2**31 - 5])
@pytest.mark.parametrize("gap", [1, 3, 50, 300, 20_000])
def test_codes_are_ranks_among_all_values(low, gap):
    rng = np.random.default_rng(abs(low) + gap)
    for _ in range(20):
        blocks = []
        for _ in range(rng.integers(1, 4)):
            values = low + gap * rng.integers(0, rng.integers(1, 10), rng.integers(1, 30))
            with np.errstate(over="ignore"):
                exact = [kind for kind in KINDS if values.astype(kind).tolist() == values.tolist()]
            blocks.append(values.astype(rng.choice(exact)))
        words = vocabulary_of(blocks)
        distinct = sorted({int(v) for block in blocks for v in block})
        assert words.values.tolist() == distinct
        for block in blocks:
            assert_array_equal(words.encode(block), [distinct.index(int(v)) for v in block])


@pytest.mark.parametrize(
    ("known", "fresh"),
    [
        ([0, 1, 2], [3]),
        ([0, 1, 2], [-1]),
        ([0, 5], [3]),
        ([0, 5], [6]),
        ([0.0, 1.0, 2.0], [0.5]),
        ([0.0, 1.0, 2.0], [np.nan]),
        ([0.5, 1.5], [1.0]),
        ([-3, -2], np.array([253], dtype="u1")),  # -3 modulo 256
        ([2**60, 2**60 + 1], [2**60 + 2]),
    ],
)
def test_an_unknown_value_is_named(known, fresh):
    words = vocabulary_of([np.array(known)])
    with pytest.raises(ValueError, match="not there in the first pass"):
        words.encode(np.array(fresh))


def test_fractions_between_known_whole_numbers_are_found():
    words = vocabulary_of([np.array([0.0, 1.0, 2.0]), np.array([0.5, 1.0])])
    assert words.values.tolist() == [0, 0.5, 1, 2]
    with pytest.raises(ValueError, match="NaN"):
        vocabulary_of([np.array([0.0, 1.0, 2.0]), np.array([0.0, np.nan])])


@pytest.mark.parametrize("n_levels", [1, 2, 3, 4, 5, 16, 17, 256, 257, 70_000])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1000])
def test_packed_codes_come_back_in_few_bytes(n_levels, n):
    codes = np.random.default_rng(n).integers(0, n_levels, n)
    packed = pack(codes, n_levels)
    assert_array_equal(unpack(packed, n, n_levels), codes)
    bits = next(bits for bits in (1, 2, 4, 8, 16, 32) if n_levels <= 2**bits)
    assert packed.nbytes == -(-n * bits // 8)


def test_room_is_used_up_once():
    kept = KeptCodes(1000)
    assert kept.has_room(2400, 4)
    assert not kept.has_room(2400, 4)
    assert kept.has_room(400, 2, n_blocks=0)
