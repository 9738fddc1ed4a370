import numpy as np
import pytest
from numpy.testing import assert_allclose

from fslib.imbalance.class_costs import class_costs, rare_class, sample_costs


def test_every_class_has_the_same_total():
    assert_allclose([90, 7, 3] * class_costs([90, 7, 3]), 1)
    _, costs = sample_costs(np.repeat([5, 7], [36, 4]))
    assert_allclose([costs[:36].sum(), costs[36:].sum(), costs.mean()], [20, 20, 1])


def test_alpha_goes_to_the_rare_class_wherever_it_stands():
    assert_allclose(class_costs([10, 30], 0.5), [1.5 / 10, 0.5 / 30])
    assert_allclose(class_costs([30, 10], 0.5), [0.5 / 30, 1.5 / 10])
    assert rare_class([4, 9, 4]) == 2


@pytest.mark.parametrize(("counts", "alpha", "message"), [([3, 4], 1.0, "in \\[0, 1\\)"), ([3, 4, 5], 0.1, "3; use")])
def test_impossible_alpha(counts, alpha, message):
    with pytest.raises(ValueError, match=message.replace("3; use", "y has 3; use")):
        class_costs(counts, alpha)


def test_squared_costs_are_what_gives_the_minority_nine_tenths():
    costs = class_costs([90, 10])[np.repeat([0, 1], [90, 10])]
    share = lambda weights: weights[90:].sum() / weights.sum()
    assert_allclose([share(costs), share(costs**2)], [0.5, 0.9])
