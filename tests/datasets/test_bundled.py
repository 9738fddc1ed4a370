"""The data that ship with the repository, against the mirror, the papers and their own cards."""

import csv
import re
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.datasets import content_hash, copies, load
from fslib.datasets.files import hash_content, read_npz
from fslib.datasets.registry import entries

BUNDLED = [name for name, record in entries().items() if record.bundled]
ROUNDED = {"fou": 5e-5, "kar": 5e-5, "zer": 5e-5, "mor": 5e-5, "fac": 0, "pix": 0}
CARDS = (copies.DATA / "README.md").read_text()

# (data set of Table 1, which rows are positive)
TABLE_1 = {
    "Adult": ("adult", lambda y: y == 1),
    "Splice": ("splice", lambda y: y == 2),
    "Waveform": ("waveform", lambda y: y == 1),
    "Mushroom": ("mushroom", lambda y: y == 1),
    "Semeion": ("semeion", lambda y: y == 1),
    "KDDCup01": ("thrombin", lambda y: y == 1),
    "Pcmac": ("pcmac", lambda y: y == 1),
    "Basehock": ("basehock", lambda y: y == 1),
}


@pytest.mark.parametrize("name", BUNDLED)
def test_content_is_as_recorded_and_of_the_recorded_shape(name, monkeypatch):
    monkeypatch.delenv("FSLIB_DATA", raising=False)
    data, record = load(name), entries()[name]
    assert data.place == "bundled"
    assert data.sha256 == hash_content(data) == record.bundled == content_hash(name)
    assert (*data.X.shape, *data.y.shape[1:]) == record.shape
    assert len(data.feature_names) == data.X.shape[1] and len(set(data.feature_names)) == data.X.shape[1]
    if data.y.ndim == 1:
        assert sorted(set(data.y)) == list(range(len(data.target_names)))
    else:
        assert set(np.unique(data.y)) == {0, 1} and len(data.label_names) == data.y.shape[1]
    assert np.isfinite(data.X).all()


@pytest.mark.parametrize("name", BUNDLED)
def test_equals_the_mirror(name, mirror):
    ours, theirs = read_npz(copies.DATA / f"{name}.npz"), read_npz(mirror(name))
    assert ours.feature_names == theirs.feature_names
    assert ours.target_names == theirs.target_names and ours.label_names == theirs.label_names
    if name == "waveform":  # the same rows, in another order
        ours, theirs = (np.column_stack([data.X, data.y]) for data in (ours, theirs))
        assert not np.array_equal(ours, theirs)
        assert_array_equal(*(table[np.lexsort(table.T)] for table in (ours, theirs)))
    elif name == "mfeat":  # four views rounded to five digits
        assert_array_equal(ours.y, theirs.y)
        assert ours.views == theirs.views
        for view, rtol in ROUNDED.items():
            a, b = ours.X[:, ours.views[view]], theirs.X[:, theirs.views[view]]
            assert np.array_equal(a, b) == (rtol == 0)
            assert_allclose(a, b, rtol=rtol, atol=5e-8 if rtol else 0)
    else:  # cell by cell, row order included
        assert_array_equal(ours.X, theirs.X)
        assert_array_equal(ours.y, theirs.y)
        assert_array_equal(ours.split, theirs.split)
        assert hash_content(ours) == hash_content(theirs)


@pytest.mark.parametrize("name", [name for name, record in entries().items() if record.mirror])
def test_mirror_is_as_recorded(name, mirror):
    data, record = read_npz(mirror(name)), entries()[name]
    assert hash_content(data) == record.mirror
    assert (*data.X.shape, *data.y.shape[1:]) == record.shape


@pytest.mark.parametrize("title", TABLE_1)
def test_table_1_of_bayes(title, request):
    name, is_positive = TABLE_1[title]
    with (copies.DATA / "reported" / "bayes_table_1.csv").open() as file:
        (row,) = (row for row in csv.DictReader(file) if row["dataset"] == title)
    if name not in BUNDLED:
        request.getfixturevalue("mirror")(name)
    data = load(name)
    rows = {"Adult": 48842}.get(title, int(row["n_instances"]))  # Table 1 prints 48824, two digits swapped
    assert data.X.shape == (rows, int(row["n_features"]))
    assert round(is_positive(data.y).mean(), 3) == float(row["p_positive"])
    values = np.unique(data.X.data if hasattr(data.X, "nnz") else data.X)
    kind = "Binary" if set(values) <= {0, 1} else "Integer" if (values == np.rint(values)).all() else "Real"
    assert kind == row["feature_type"]


def test_adult_columns_are_levels_and_intervals_of_the_raw_attributes():
    data = load("adult")
    attribute = [re.sub(r"=[A-Z?1-9].*|<=?-?\d+|>-?\d+|^-?\d+<", "", name) for name in data.feature_names]
    groups = {key: [j for j, other in enumerate(attribute) if other == key] for key in dict.fromkeys(attribute)}
    assert len(groups) == 14
    for key, columns in groups.items():
        hits = data.X[:, columns].sum(axis=1)
        if key in ("workclass", "occupation", "native-country"):  # these have missing values: no column says 1
            assert set(hits) == {0, 1}
        else:
            assert set(hits) == {1}
    column = dict(zip(data.feature_names, data.X.T, strict=True))
    assert_array_equal(column["education=HS-grad"], column["8<educational-num<=9"])


def test_splice_has_one_base_per_position_or_none():
    bases = load("splice").X.reshape(3190, 60, 4).sum(axis=2)
    assert set(np.unique(bases)) == {0, 1}
    assert (bases == 0).sum() == 60  # 56 N, 2 D, 1 R, 1 S


def test_golub_train_is_the_training_part_of_golub_after_dudoits_preprocessing(mirror):
    ours, theirs = load("golub_train"), read_npz(mirror("golub"))
    column = {name: j for j, name in enumerate(theirs.feature_names)}
    levels = theirs.X[34:72][:, [column[name] for name in ours.feature_names]].astype(float)
    levels = np.log10(np.clip(levels, 100, 16000))
    levels = (levels - levels.mean(axis=1, keepdims=True)) / levels.std(axis=1, keepdims=True)
    alike = np.corrcoef(ours.X, levels)[:38, 38:]
    same = alike.argmax(axis=1)
    assert_allclose(alike.max(axis=1), 1, atol=1e-3)
    assert sorted(same) == list(range(38))
    assert_array_equal(theirs.y[34:72][same], ours.y)


def test_every_bundled_set_has_a_card_and_the_card_is_true():
    cards = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", CARDS, flags=re.S | re.M))
    assert sorted(cards) == sorted(BUNDLED)
    for name, card in cards.items():
        record = entries()[name]
        for field in ("Origin", "Licence", "Citation", "Shape", "SHA-256", "Steps", "Differs"):
            assert f"**{field}**" in card, (name, field)
        assert re.search(r"\*\*SHA-256\*\* `([0-9a-f]{64})`", card)[1] == record.bundled, name
        assert " x ".join(map(str, record.shape[:2])) in card, name


def test_together_they_are_small():
    sizes = {path.name: path.stat().st_size for path in copies.DATA.glob("*.npz")}
    assert sorted(sizes) == sorted(f"{name}.npz" for name in BUNDLED)
    assert max(sizes.values()) < 2e6 and sum(sizes.values()) < 6e6


def test_import_is_cheap():
    code = "import sys, fslib.datasets; print('sklearn.datasets' in sys.modules, 'pooch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
