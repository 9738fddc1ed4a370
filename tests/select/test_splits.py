"""Folds, halves and shuffles: classes, groups and time are respected."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fslib.select.compare import plan_for
from fslib.select.splits import complementary_halves, folds, possible_folds, shuffle_of


@pytest.fixture
def problem(problem_with):
    rng = np.random.default_rng(0)
    return problem_with(pd.DataFrame(rng.normal(size=(60, 2))), ["a"] * 40 + ["b"] * 20)


def test_every_row_is_tested_once_and_classes_keep_their_shares(problem):
    found = folds(problem, 4)
    assert sorted(np.concatenate([test for _, test in found])) == list(range(60))
    assert {problem.y[test].sum() for _, test in found} == {5}
    assert all(not set(train) & set(test) for train, test in found)


def test_repeats_differ_and_the_seed_decides(problem):
    first, second = (np.concatenate([test for _, test in folds(problem, 4, repeat)]) for repeat in (0, 1))
    assert (first != second).any()
    other = np.concatenate([test for _, test in folds(replace(problem, seed=1), 4)])
    assert (first != other).any()


def test_rows_of_a_group_stay_together(problem):
    grouped = replace(problem, groups=np.arange(60) // 3)
    for train, test in [*folds(grouped, 4), *complementary_halves(grouped, 3)]:
        assert not set(grouped.groups[train]) & set(grouped.groups[test])


def test_time_is_tested_on_later_rows_and_equal_times_stay_together(problem):
    time = np.random.default_rng(1).integers(0, 12, 60)
    found = folds(replace(problem, time=time), 3)
    assert len(found) == 3
    for train, test in found:
        assert time[train].max() < time[test].min()
    tested = np.concatenate([time[test] for _, test in found])
    assert tested.max() == time.max()
    both = replace(problem, time=time, groups=np.arange(60) % 9)
    for train, test in folds(both, 3):
        assert not set(both.groups[train]) & set(both.groups[test])


def test_halves_are_complementary_and_of_equal_size(problem):
    for a, b in complementary_halves(problem, 4):
        assert sorted([*a, *b]) == list(range(60)) and len(a) == len(b) == 30
        assert problem.y[a].sum() == problem.y[b].sum()
    timed = replace(problem, time=np.arange(60))
    blocks = np.arange(60) // 3
    for a, b in complementary_halves(timed, 4):
        assert not set(blocks[a]) & set(blocks[b])


def test_too_few_rows_of_a_class_are_named(problem_with):
    X = pd.DataFrame(np.arange(42.0).reshape(-1, 2))
    with pytest.raises(ValueError, match=r"Class b has 3 rows, fewer than the 4 .* Leave out the rows of that class"):
        plan_for(problem_with(X, ["a"] * 9 + ["b"] * 3 + ["c"] * 9))
    with pytest.raises(ValueError, match="Class b has 3 rows"):  # by its name where classes became 0 and 1 too
        plan_for(problem_with(X, ["a"] * 18 + ["b"] * 3))
    assert possible_folds(problem_with(X, ["a"] * 17 + ["b"] * 4), 5) == 4
    with pytest.raises(ValueError, match="2 groups, fewer than the 4"):
        plan_for(problem_with(X, ["a", "b", "c"] * 7, groups=np.arange(21) % 2))


def test_shuffles_keep_what_makes_rows_alike(problem):
    assert shuffle_of(problem) == {"shuffle": "rows"}
    for size, way in ((4, "whole_groups"), (7, "within_groups")):  # 40 rows of one class: 4 divides them, 7 does not
        options = shuffle_of(replace(problem, groups=np.arange(60) // size))
        assert options["shuffle"] == way and len(options["groups"]) == 60
    timed = shuffle_of(replace(problem, time=np.arange(60)[::-1], groups=np.arange(60) // 4))
    assert timed["shuffle"] == "circular" and timed["time"][0] == 59
