"""Columns to look at before anything is chosen: named, left out, and brought back on demand."""

import numpy as np
import pandas as pd
import pytest

from fslib.filters import MRMR, Discretized, MIScore
from fslib.tables import TableError, read_table

N = 60
RNG = np.random.default_rng(0)
Y = np.array(["a"] * 30 + ["b"] * 30)  # sorted by class, as tables often are
VALUE = np.where(Y == "a", RNG.normal(0, 1, N), RNG.normal(1, 1, N)).round(3)
AGE = RNG.integers(18, 80, N)
PLACE = RNG.choice(["Berlin", "Bonn", "Köln"], N)


def suspects(y=Y, keep=(), views=(), **columns):
    frame = pd.DataFrame({"value": VALUE[: len(y)], **columns, "y": y})
    table = read_table(frame, "y", keep=keep, views=views, missing_features="median")
    return table, dict(zip(table.suspects["column"], table.suspects["kind"], strict=True))


NOISY = lambda scale: (Y == "b") + RNG.normal(0, scale, N)
FLIPPED = np.where(np.arange(N) == 7, "b", Y)
KINDS = [
    ("row number", "Unnamed: 0", np.arange(N)),
    ("row number", "patient_id", np.arange(1000, 1000 + N)),
    ("row number", "patient_id", RNG.permutation(N) + 1000),  # in another order
    ("row number", "nr", np.arange(N)[::-1] + 1),
    ("row number", "x", np.arange(N) * 10.0),
    ("row number", "stamp", np.cumsum(RNG.integers(1, 9, N))),
    ("identifier-like", "customer_id", RNG.permutation(10**6)[:N]),
    ("identifier-like", "household", RNG.permutation(np.repeat(np.arange(30) * 7, 2))),
    ("identifier-like", "ward_nr", RNG.integers(100, 140, N)),
    ("repeats the target", "copy", Y),
    ("repeats the target", "code", np.where(Y == "a", 5, 3)),
    ("repeats the target", "word", np.where(Y == "a", "negative", "positive")),
    ("repeats the target", "flag", Y == "b"),
    ("repeats the target", "gaps", np.where(np.arange(N) < 2, np.nan, np.where(Y == "a", 5.0, 3.0))),
    ("nearly repeats the target", "late", FLIPPED),
    ("nearly repeats the target", "noisy", NOISY(1e-3)),
    ("constant", "k", np.full(N, 5)),
    ("constant", "k", ["yes"] * N),
    ("constant", "k", np.where(np.arange(N) % 4, 5, np.nan)),
    ("empty", "e", np.full(N, np.nan)),
    ("empty", "e", [None] * N),
    ("nearly empty", "e", [1, 2, *[np.nan] * (N - 2)]),
    ("nearly empty", "e", ["u", "v", *[None] * (N - 2)]),
    ("duplicate", "again", VALUE),
    ("duplicate", "mg", VALUE * 1000),
    ("duplicate", "turned", 7 - VALUE / 3),
    ("date", "day", pd.date_range("2024-01-01", periods=N, freq="13h")),
    ("date", "day", pd.date_range("2024-01-01", periods=N).strftime("%d.%m.%Y")),
    ("date", "day", pd.date_range("2024-01-01", periods=N).strftime("%Y%m%d").astype(int)),
    ("date", "month", pd.period_range("2020-01", periods=N, freq="M")),
]


@pytest.mark.parametrize(("kind", "name", "cells"), KINDS, ids=[f"{k}-{n}" for k, n, _ in KINDS])
def test_a_suspect_is_named_left_out_and_brought_back(kind, name, cells):
    table, found = suspects(**{name: cells})
    assert found == {name: kind}
    assert list(table.X) == ["value"] and table.suspects["left_out"].all()
    assert any(repr(name) in note and kind in note for note in table.notes)
    back, _ = suspects(keep=[name], **{name: cells})
    assert {back.origin[feature] for feature in back.X} == {"value", name} and not back.suspects["left_out"].any()


@pytest.mark.parametrize(
    "cells",
    [
        AGE,
        AGE / 7,
        VALUE**2,
        PLACE,
        RNG.integers(0, 2, N),
        RNG.poisson(30, N),
        RNG.normal(170, 10, N).round(),
        np.where(RNG.random(N) < 0.2, 1 - (Y == "b"), Y == "b"),  # agrees in four of five rows
        RNG.integers(1990, 2024, N),  # years
        np.where(np.arange(N) % 4, VALUE * AGE, np.nan),
        (RNG.random(N) < 0.03).astype(int),
    ],
)
def test_ordinary_columns_are_no_suspects(cells):
    table, found = suspects(x=cells)
    assert not found and len(table.X.columns) > 1


def test_words_that_name_the_rows_of_a_small_table_are_left_out():
    frame = pd.DataFrame({"sample": [f"S{i}" for i in range(15)], "x": VALUE[:15], "y": [0, 1, 1] * 5})
    table = read_table(frame, "y")
    assert list(table.X) == ["x"] and table.suspects["kind"].tolist() == ["identifier-like"]


def test_a_strong_feature_is_mentioned_and_kept():
    strong = np.where(Y == "a", RNG.normal(0, 0.2, N), RNG.normal(2, 0.2, N))
    table, found = suspects(x=strong)
    assert found == {"x": "nearly repeats the target"} and list(table.X) == ["value", "x"]
    assert "known only once the target is" in table.suspects["action"][0]


def test_few_rows_show_nothing():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [7.5, 3, 2, 9], "c": [*"uvuv"], "y": [0, 1, 1, 0]})
    assert not len(read_table(frame, "y").suspects)


def test_many_columns_agree_with_few_rows_by_chance():
    rng = np.random.default_rng(1)
    bits = pd.DataFrame(rng.integers(0, 2, (8, 300)), columns=[f"b{j}" for j in range(300)])
    y = rng.integers(0, 2, 8)
    assert (bits.to_numpy() == y[:, None]).all(axis=0).any()  # so it happens
    kinds = read_table(bits.assign(y=np.where(y, "u", "v")), "y").suspects["kind"]
    assert not kinds.str.contains("target").any()


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (lambda y: y * 3 - 1, "repeats the target"),
        (np.exp, "repeats the target"),  # the same order
        (lambda y: y + RNG.normal(0, 0.01, N), "nearly repeats the target"),
        (lambda y: np.where(np.arange(N) % 5, y, np.nan), "repeats the target"),
        (lambda y: y + RNG.normal(0, 1, N), None),
    ],
)
def test_copies_of_a_numeric_target(cells, kind):
    y = RNG.normal(size=N)
    _, found = suspects(y=y, x=cells(y))
    assert found == ({"x": kind} if kind else {})


def test_copies_of_a_label():
    labels = RNG.integers(0, 2, (N, 2)).astype(float)
    labels[3, 1] = np.nan
    frame = pd.DataFrame({"value": VALUE, "x": np.nan_to_num(labels[:, 1]), "p": labels[:, 0], "q": labels[:, 1]})
    table = read_table(frame, ["p", "q"])
    assert table.suspects[["column", "kind"]].to_numpy().tolist() == [["x", "repeats the target"]]
    assert "label 2" in table.suspects["seen"][0]


def test_levels_that_tell_the_same_rows_apart_are_one_finding():
    table, found = suspects(sex=PLACE == "Bonn", group=np.where(PLACE == "Bonn", "u", "v"), place=PLACE)
    assert found == {"group": "duplicate"} and "'sex' stands for it" in table.suspects["action"][0]


def test_columns_of_few_rows_that_never_repeat_are_no_duplicates():
    frame = pd.DataFrame(RNG.normal(size=(14, 5)), columns=[*"abcde"]).assign(y=[0, 1] * 7)
    assert not len(read_table(frame, "y").suspects)


def test_numbers_whose_products_are_large_are_no_duplicates():
    large, other = (np.where(RNG.random(N) < 0.5, 1, -1) * RNG.uniform(1, 1.7, N) * 1e150 for _ in range(2))
    table, found = suspects(large=large, other=other)
    assert not found and table.X.shape == (N, 3)


@pytest.mark.parametrize("views", [["value", "second"], {"first": ["value"], "second": ["second_value"]}])
def test_copies_in_other_views_stay(views):
    table, found = suspects(views=views, second_value=VALUE)
    assert found == {"second_value": "duplicate"} and table.views["second"] == ["second_value"]


def test_if_nothing_else_is_left_a_suspect_stays_and_is_named():
    table = read_table(pd.DataFrame({"id": np.arange(N), "y": Y}), "y")
    assert list(table.X) == ["id"] and table.suspects["action"].tolist() == ["kept, for nothing else is left"]
    with pytest.raises(TableError, match=r"no column left.*'k' \(constant\)"):
        read_table(pd.DataFrame({"k": 1, "y": Y}), "y")


@pytest.mark.parametrize("criterion", [MIScore, MRMR])
def test_the_index_of_a_table_sorted_by_class_is_not_chosen(tmp_path, criterion):
    pd.DataFrame({"value": VALUE, "noise": RNG.normal(size=N), "y": Y}).to_csv(tmp_path / "t.csv")
    table = read_table(tmp_path / "t.csv", "y")
    selector = Discretized(criterion(n_features_to_select=1))
    assert selector.fit(table.X, table.y).get_feature_names_out().tolist() == ["value"]
