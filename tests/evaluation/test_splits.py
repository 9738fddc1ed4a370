"""Splits are stratified, differ by repeat and data set, and depend on nothing else."""

import numpy as np
from numpy.testing import assert_array_equal

from fslib.evaluation.splits import stratified_split

Y = np.repeat([0, 1], [150, 50])


def test_parts_cover_all_rows_and_keep_the_shares():
    train, test = stratified_split(Y, train_size=0.7, dataset="toy", split=0)
    assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(200))
    assert len(train) == 140 and Y[train].sum() == 35 and Y[test].sum() == 15


def test_same_call_same_split_and_every_name_another():
    first = stratified_split(Y, train_size=0.7, dataset="toy", split=0)[0]
    assert_array_equal(first, stratified_split(Y, train_size=0.7, dataset="toy", split=0)[0])
    for other in ({"split": 1}, {"dataset": "other"}, {"seed": 1}):
        changed = {"dataset": "toy", "split": 0, "seed": 0} | other
        assert not np.array_equal(first, stratified_split(Y, train_size=0.7, **changed)[0])


def test_adult_trains_on_the_9768_rows_of_the_paper():
    y = np.repeat([0, 1], [37155, 11687])
    assert len(stratified_split(y, train_size=0.2, dataset="adult", split=0)[0]) == 9768
