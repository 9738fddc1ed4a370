"""Parameters of every public estimator are keyword-only but the one that names the method's variant."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator

import fslib
from fslib.base import FeatureSelector
from fslib.multilabel import MLMLFS

# The parameters that may be given by position, because they say which method it is or what it wraps.
VARIANTS = {"criterion", "scheme", "views", "kind", "variant", "selector", "estimator", "n_neighbors"}


def public_estimators():
    """Estimators that a room's __init__ exports, by name."""
    found = {}
    for room in pkgutil.iter_modules(fslib.__path__):
        package = importlib.import_module(f"fslib.{room.name}")
        exported = {name: getattr(package, name) for name in getattr(package, "__all__", [])}
        found |= {k: v for k, v in exported.items() if inspect.isclass(v) and issubclass(v, BaseEstimator)}
    return [found[name] for name in sorted(found)]


@pytest.mark.parametrize("estimator", [FeatureSelector, *public_estimators()], ids=lambda c: c.__name__)
def test_parameters_are_keyword_only(estimator):
    parameters = list(inspect.signature(estimator).parameters.values())
    by_position = [p.name for p in parameters if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert len(by_position) <= 1 and set(by_position) <= VARIANTS
    if issubclass(estimator, FeatureSelector) and "selector" not in by_position:
        assert "n_features_to_select" in {p.name for p in parameters}


def test_a_number_is_not_taken_for_another_parameter():
    with pytest.raises(TypeError, match="positional argument"):
        MLMLFS(20)


def test_every_room_of_methods_is_seen():
    assert {"BayesGreedy", "RRMVFS", "MLMLFS", "MLkNN", "Discretized"} <= {c.__name__ for c in public_estimators()}
