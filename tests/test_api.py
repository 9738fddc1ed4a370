"""Parameters of every public estimator: keyword-only but the one that names the variant, and of the kind documented."""

import importlib
import inspect
import numbers
import pkgutil

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import fslib
from fslib.base import FeatureSelector
from fslib.filters import MIScore
from fslib.imbalance import CSPCA
from fslib.multilabel import CMFS, MLCIB, MLMLFS, MLSMOTE
from fslib.parameters import check_parameters

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


X = np.random.default_rng(0).integers(0, 4, (24, 6)).astype(float)
Y = np.arange(24) % 3 // 2
LABELS = np.column_stack([Y, np.arange(24) % 2])
RATHER = {"Discretized": {"selector": MIScore()}}
OF_NUMBERS = ["3", "nonsense", np.array([1, 2]), [1], (), {}, np.nan, True, 1j]


def kinds():
    """(class, parameter, values of the wrong kind) of all public estimators."""
    for cls in public_estimators():
        for p in list(inspect.signature(cls).parameters.values()):
            if p.name in {"random_state", "n_jobs"}:
                yield cls, p.name, [-1.5, "3", {}, True] + ([np.nan, 0, (), 2.5] if p.name == "n_jobs" else [-1])
            elif isinstance(p.default, bool) and p.name != "verbose":
                yield cls, p.name, ["no", 1, 0.0, None, [], np.array([1, 2])]
            elif isinstance(p.default, numbers.Integral) and not isinstance(p.default, bool):
                yield cls, p.name, [*OF_NUMBERS, 2.5]
            elif isinstance(p.default, numbers.Real) and not isinstance(p.default, bool):
                yield cls, p.name, OF_NUMBERS
            elif p.name in {"estimator", "selector", "discretizer"} and p.default in (None, inspect.Parameter.empty):
                yield cls, p.name, [3, "tree", (), {}]


def fit(estimator):
    y = LABELS if "multilabel" in type(estimator).__module__ else Y
    return (estimator.fit_resample if hasattr(estimator, "fit_resample") else estimator.fit)(X, y)


@pytest.mark.parametrize(
    ("cls", "name", "values"), [*kinds()], ids=lambda v: v if isinstance(v, str) else getattr(v, "__name__", "")
)
def test_another_kind_of_value_is_refused_by_name(cls, name, values):
    for value in values:
        with pytest.raises((ValueError, TypeError), match=rf"(^|\W){name}\b"):
            fit(cls(**(RATHER.get(cls.__name__, {}) | {name: value})))


def test_what_a_class_takes_beside_numbers_is_left_alone():
    for estimator in (CMFS(alpha="balanced"), MLCIB(gamma="auto"), CSPCA(n_components=None), CSPCA(n_components=2)):
        check_parameters(estimator)
    with pytest.raises(ValueError, match="alpha='auto' must be a number"):
        check_parameters(CMFS(alpha="auto"))


@pytest.mark.parametrize("seed", [0, np.int64(3), None, np.random.default_rng(0), np.random.RandomState(0)])
def test_every_source_of_random_numbers_is_welcome(seed):
    check_parameters(MLSMOTE(random_state=seed))
