"""The tables of methods and metrics: no name means two things, every class is there, directions are right."""

import importlib

import pandas as pd
import pytest

from fslib.names import EXACT, LARGER_IS_BETTER, METHODS, METRICS, RUN_TIMES, canonical_method, metric, published_metric
from fslib.plotting.style import STYLES
from fslib.reproduction.compare.reported import read_reported, reported_items
from fslib.reproduction.paths import EXPECTED
from fslib.tidy import parse_setting

PAPERS = ("bayes", "rrmvfs", "mlmlfs", "braytee")


def published_rows():
    for paper in PAPERS:
        for item in reported_items(paper):
            yield from read_reported(paper, item).to_dict("records")


def test_no_spelling_belongs_to_two_methods():
    spellings = [s.lower() for m in METHODS.values() for s in {m.name.lower(), *(a.lower() for a in m.aliases)}]
    assert len(spellings) == len(set(spellings))
    for method in METHODS.values():
        for spelling in (method.name, *method.aliases):
            assert canonical_method(spelling.upper()) == method.name


@pytest.mark.parametrize("method", [m for m in METHODS.values() if m.selector], ids=lambda m: m.name)
def test_a_class_that_is_named_is_there(method):
    package, _, name = method.selector.rpartition(".")
    assert canonical_method(name) == method.name
    assert isinstance(getattr(importlib.import_module(f"fslib.{package}"), name), type)


def test_every_method_has_a_style_and_every_style_a_method():
    assert set(STYLES) == set(METHODS)


def test_every_published_method_is_listed():
    named = {canonical_method(row["method"]) for row in published_rows()} - {"", "all"}
    assert named <= set(METHODS), named - set(METHODS)


def test_every_published_metric_is_listed_with_the_direction_of_its_table():
    for row in published_rows():
        found = METRICS[row["metric"]]
        direction = parse_setting(row["setting"]).get("direction")
        if direction and found.larger_is_better is not None and "test" not in parse_setting(row["setting"]):
            assert found.larger_is_better == (direction == "max"), row


def test_a_paper_that_calls_a_metric_otherwise_means_the_same():
    for ours in METRICS.values():
        for spelling in ours.published.values():
            assert METRICS[spelling].larger_is_better == ours.larger_is_better
    assert published_metric("example_f1", "mlmlfs") == "macro_f"


def test_directions_that_experiments_rely_on():
    assert {
        "f1",
        "subset_accuracy",
        "micro_f1",
        "label_macro_f1",
        "example_f1",
        "average_precision",
    } <= LARGER_IS_BETTER
    losses = {"error_0_1", "cost_error", "balanced_error", "log_loss", "hamming_loss", "one_error", "ranking_loss"}
    assert not losses & LARGER_IS_BETTER and all(metric(key).larger_is_better is False for key in losses)
    assert RUN_TIMES == {"runtime_s"}


def test_every_tolerance_has_a_reason_and_is_of_a_guarded_metric():
    guarded = {name for path in EXPECTED.rglob("*.csv") for name in pd.read_csv(path, usecols=["metric"])["metric"]}
    loose = {key: found.tolerance for key, found in METRICS.items() if found.tolerance != EXACT}
    for tolerance in loose.values():
        assert tolerance.reason and 0 < tolerance.absolute < 0.02 and tolerance.relative < 1e-6
    assert set(loose) <= guarded, set(loose) - guarded
