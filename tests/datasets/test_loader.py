import shutil
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from fslib.datasets import (
    DamagedDataError,
    DataNotFoundError,
    content_hash,
    copies,
    fetch,
    list_datasets,
    load,
    loader,
    openml,
    verify,
)
from fslib.datasets.files import hash_content, read_npz, write_npz
from fslib.datasets.registry import Entry, entries, entry

TINY = {"X": np.array([[1, 2], [3, 4], [5, 6]]), "y": np.array([0, 1, 1]), "target_names": np.array(["a", "b"])}


@pytest.fixture
def places(tmp_path, monkeypatch):
    """An empty repository folder, an empty mirror, and a registry with one data set that may be anywhere: tiny."""
    data, folder = tmp_path / "data", tmp_path / "mirror"
    data.mkdir()
    folder.mkdir()
    write_npz(tmp_path / "tiny.npz", **TINY)
    digest = hash_content(read_npz(tmp_path / "tiny.npz"))
    record = Entry("tiny", "made up", "none", shape=(3, 2), bundled=digest, mirror=digest, openml=7)
    monkeypatch.setattr(copies, "DATA", data)
    monkeypatch.setattr(loader, "entries", lambda: {"tiny": record})
    monkeypatch.setattr(loader, "entry", {"tiny": record}.__getitem__)
    monkeypatch.setenv("FSLIB_DATA", str(folder))
    calls = []

    def no_download(record):
        calls.append(record.name)
        raise openml.DownloadError("offline")

    monkeypatch.setattr(openml, "download", no_download)
    return SimpleNamespace(data=data, mirror=folder, whole=tmp_path / "tiny.npz", sha256=digest, calls=calls)


def come_online(monkeypatch, arrays=TINY):
    monkeypatch.setattr(openml, "download", lambda record: dict(arrays))


def test_order_is_bundled_then_mirror_then_download(places, monkeypatch):
    come_online(monkeypatch)
    assert load("tiny").place == "download"
    shutil.copy(places.whole, places.mirror)
    assert load("tiny").place == "mirror"
    shutil.copy(places.whole, places.data)
    assert load("tiny").place == "bundled"
    assert load("tiny").sha256 == content_hash("tiny") == places.sha256


def test_download_is_kept_and_not_repeated(places, monkeypatch):
    come_online(monkeypatch)
    path = fetch("tiny")
    assert path == places.data / "downloads" / "tiny.npz"
    monkeypatch.setattr(openml, "download", lambda record: pytest.fail("downloaded twice"))
    assert load("tiny").X.tolist() == TINY["X"].tolist()
    assert content_hash("tiny") == places.sha256


def test_half_a_download_says_so_and_is_fetched_anew(places, monkeypatch):
    come_online(monkeypatch)
    path = fetch("tiny")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.warns(UserWarning, match=r"tiny\.npz is damaged.*anew"):
        assert load("tiny").X.shape == (3, 2)
    assert load("tiny").sha256 == places.sha256  # whole again, no warning


def test_download_changed_on_disk_is_noticed(places, monkeypatch):
    come_online(monkeypatch)
    path = fetch("tiny")
    with np.load(path) as file:
        arrays = dict(file)
    write_npz(path, **(arrays | {"y": np.array([1, 1, 1])}))
    with pytest.warns(UserWarning, match="its content has the hash"):
        assert load("tiny").y.tolist() == [0, 1, 1]


@pytest.mark.parametrize("place", ["data", "mirror"])
@pytest.mark.parametrize("harm", ["half", "other"])
def test_damaged_copy_is_an_error_with_the_remedy_and_no_other_copy_steps_in(places, place, harm):
    path = getattr(places, place) / "tiny.npz"
    if harm == "half":
        path.write_bytes(places.whole.read_bytes()[:-50])
    else:
        write_npz(path, **(TINY | {"X": TINY["X"] + 1}))
    if place == "data":
        shutil.copy(places.whole, places.mirror)  # sound, yet not taken: the first place decides
    remedy = "git checkout" if place == "data" else "FSLIB_DATA"
    with pytest.raises(DamagedDataError, match=rf"tiny\.npz is .*(damaged|hash).*{remedy}"):
        load("tiny")
    assert not places.calls


def test_offline_and_absent_is_one_error_that_names_every_way(places):
    with pytest.raises(DataNotFoundError) as error:
        load("tiny")
    message = str(error.value)
    for way in (
        "tiny",
        "git checkout",
        "install fslib anew",
        "FSLIB_DATA",
        str(places.mirror),
        "fslib data fetch tiny",
        "offline",
    ):
        assert way in message
    assert places.calls == ["tiny"]
    assert not (places.data / "downloads").exists()


def test_message_tells_the_state_of_the_mirror(places, monkeypatch):
    for value, words in (("", "not set"), (str(places.mirror / "nowhere"), "is not a folder")):
        monkeypatch.setenv("FSLIB_DATA", value)
        with pytest.raises(DataNotFoundError, match=words):
            load("tiny")


def test_content_hash_never_downloads(places):
    with pytest.raises(DataNotFoundError):
        content_hash("tiny")
    assert places.calls == []


def test_installed_without_its_repository(places, monkeypatch):
    come_online(monkeypatch)
    monkeypatch.setattr(copies, "DATA", places.data / "absent")
    with pytest.raises(DataNotFoundError, match="copied without its data"):
        load("tiny")
    shutil.copy(places.whole, places.mirror)
    assert load("tiny").place == "mirror"  # a mirror needs no repository


def test_verify_reads_every_copy(places):
    shutil.copy(places.whole, places.data)
    (places.mirror / "tiny.npz").write_bytes(b"PK")
    (name, place, problem), (_, second, damage) = verify()
    assert (name, place, problem) == ("tiny", "bundled", "")
    assert second == "mirror" and "damaged" in damage


def test_unknown_name_suggests_a_close_one():
    with pytest.raises(ValueError, match="Did you mean adult"):
        load("Adlt")


@pytest.mark.parametrize("name", ["nus_wide_object", "bookmarks"])
def test_what_cannot_be_had_says_so(name):
    with pytest.raises(DataNotFoundError, match="cannot be loaded: "):
        load(name)


def test_gisette_is_only_to_be_had_by_download(monkeypatch):
    assert (entry("gisette").openml, entry("gisette").bundled, entry("gisette").mirror) == (41026, "", "")
    monkeypatch.setattr(copies, "DATA", copies.DATA / "none")
    with pytest.raises(DataNotFoundError, match="fslib data fetch gisette"):
        load("gisette")


def test_download_without_network_is_one_error(places):
    # The real download, with the sockets of tests closed: see conftest.py.
    with pytest.raises(openml.DownloadError, match="no network"):
        REAL_DOWNLOAD(entries()["gisette"])


REAL_DOWNLOAD = openml.download


@pytest.mark.parametrize("trouble", ["", "shape", "missing"])
def test_openml_table_becomes_arrays(monkeypatch, trouble):
    frame = pd.DataFrame({"f": [1.0, 300.0, 2.0], "g": [0, 1, 0]})
    if trouble == "missing":
        frame.loc[0, "f"] = np.nan
    asked = []

    def fake(**kwargs):
        asked.append(kwargs["data_id"])
        return SimpleNamespace(data=frame, target=pd.Series([-1, 1, 1]))

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fake)
    record = Entry("x", "made up", "none", shape=(3, 9 if trouble == "shape" else 2), openml=7)
    if trouble:
        with pytest.raises(openml.DownloadError, match="not used"):
            REAL_DOWNLOAD(record)
        return
    arrays = REAL_DOWNLOAD(record)
    assert asked == [7]
    assert arrays["X"].tolist() == [[1, 0], [300, 1], [2, 0]] and arrays["X"].dtype == np.uint16
    assert arrays["y"].tolist() == [0, 1, 1] and arrays["target_names"].tolist() == ["-1", "1"]
    assert arrays["feature_names"].tolist() == ["f", "g"]


def test_papers_filter_the_list():
    assert {"adult", "splice", "waveform", "gisette", "thrombin"} <= set(list_datasets("bayes"))
    assert "mfeat" not in list_datasets("bayes")
    assert list_datasets("no such paper") == []
