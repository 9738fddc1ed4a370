import hashlib
import io
import multiprocessing
import os
import time
import tracemalloc
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from fslib.datasets.files import DamagedDataError, assemble, hash_content, read_npz, smallest_integers, write_npz
from fslib.files import write_text

SMALL = {
    "X": np.array([[0.25, 3.0], [1.5, -2.0], [0.0, 7.0]]),
    "y": np.array([0, 1, 1], dtype=np.uint8),
    "target_names": np.array(["no", "yes"]),
    "feature_names": np.array(["a", "b"]),
}


def test_what_is_written_is_read(tmp_path):
    write_npz(tmp_path / "new" / "small.npz", **SMALL)
    data = read_npz(tmp_path / "new" / "small.npz")
    assert_array_equal(data.X, SMALL["X"])
    assert data.y.tolist() == [0, 1, 1] and data.y.dtype == np.int64
    assert data.feature_names == ["a", "b"] and data.target_names == ["no", "yes"]
    assert data.views is None and data.split is None and data.label_names is None


def test_labels_views_split_and_masks(tmp_path):
    arrays = {
        "X": np.arange(8).reshape(2, 4),
        "Y": np.eye(2, dtype=bool),
        "view_names": np.array(["left", "right"]),
        "view_offsets": np.array([0, 1, 4]),
        "split": np.array([0, 1]),
        "known_25": np.array([[True, False]]),
    }
    write_npz(tmp_path / "labels.npz", **arrays)
    data = read_npz(tmp_path / "labels.npz")
    assert data.views == {"left": slice(0, 1), "right": slice(1, 4)}
    assert data.y.dtype == np.int8 and data.y.tolist() == [[1, 0], [0, 1]]
    assert data.known_25.tolist() == [[True, False]] and data.known_50 is None


def test_sparse_rows_are_sorted_and_stay_sparse(tmp_path):
    arrays = {
        "X_data": np.array([5, 4, 1], dtype=np.uint8),
        "X_indices": np.array([2, 0, 1], dtype=np.uint16),  # first row: columns out of order
        "X_indptr": np.array([0, 2, 3]),
        "X_shape": np.array([2, 3]),
        "y": np.array([0, 1]),
    }
    X = assemble(arrays).X
    assert sparse.issparse(X) and X.format == "csr" and X.dtype == np.uint8
    assert_array_equal(X.toarray(), [[4, 0, 5], [0, 1, 0]])
    assert X.indices.tolist() == [0, 2, 1]


@pytest.mark.parametrize("decimals", [np.array([2, 0]), np.array([[2, 0], [2, 0], [1, 0]])])
def test_decimal_units_give_the_double_of_the_decimal_fraction(decimals):
    units = np.array([[29, 1], [115, 2], [-3, 3]])  # 0.29 and 1.15 are not what 29 * 0.01 and 115 * 0.01 give
    X = assemble({"X_units": units, "X_decimals": decimals, "y": np.zeros(3)}).X
    third = -0.03 if decimals.ndim == 1 else -0.3
    assert X[:, 0].tolist() == [0.29, 1.15, third] and X[:, 1].tolist() == [1, 2, 3]
    assert X.flags.c_contiguous


def test_hash_sees_values_and_not_storage():
    data = assemble(SMALL)
    float32 = assemble(SMALL | {"X": SMALL["X"].astype(np.float32)})
    fortran = assemble(SMALL | {"X": np.asfortranarray(SMALL["X"])})
    units = assemble(
        {k: v for k, v in SMALL.items() if k != "X"} | {"X_units": SMALL["X"] * 100, "X_decimals": np.array([2, 2])}
    )
    assert {hash_content(other) for other in (float32, fortran, units)} == {hash_content(data)}


@pytest.mark.parametrize(
    "change",
    [
        {"X": SMALL["X"] + np.eye(3, 2) * 1e-15},
        {"X": SMALL["X"][[1, 0, 2]]},
        {"y": np.array([1, 0, 0])},
        {"split": np.zeros(3)},
        {"view_names": np.array(["l", "r"]), "view_offsets": np.array([0, 1, 2])},
        {"view_names": np.array(["l", "q"]), "view_offsets": np.array([0, 1, 2])},
        {"known_50": np.ones((2, 1), dtype=bool)},
        {"feature_names": np.array(["b", "a"])},
        {"target_names": np.array(["yes", "no"])},
        {"label_names": np.array(["ab", "c"])},
        {"label_names": np.array(["a", "bc"])},
    ],
    ids=lambda change: "+".join(change),
)
def test_hash_sees_every_number_and_every_name(change):
    assert hash_content(assemble(SMALL | change)) != hash_content(assemble(SMALL))


def test_hash_of_a_matrix_larger_than_a_block_is_that_of_its_bytes_in_one_go():
    X = np.arange(600_000, dtype=np.int32).reshape(3000, 200)
    y = np.arange(3000)
    expected = hashlib.sha256(
        b"dense (3000, 200)" + X.astype("<f8").tobytes() + b"y (3000,)" + y.astype("<f8").tobytes()
    )
    assert hash_content(assemble({"X": X, "y": y})) == expected.hexdigest()


def test_hashes_of_names_do_not_run_into_one_another():
    changes = [{"label_names": np.array(["ab", "c"])}, {"label_names": np.array(["a", "bc"])}, {}]
    changes += [
        {"view_names": np.array(names), "view_offsets": np.array([0, 1, 2])} for names in (["l", "r"], ["r", "l"])
    ]
    assert len({hash_content(assemble(SMALL | change)) for change in changes}) == len(changes)


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.99])
def test_half_a_file_is_not_used_and_named(tmp_path, keep):
    path = tmp_path / "small.npz"
    write_npz(path, **SMALL)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep * len(whole))])
    with pytest.raises(DamagedDataError, match=r"small\.npz is damaged"):
        read_npz(path)


def test_a_flipped_byte_is_not_used(tmp_path):
    path = tmp_path / "noise.npz"
    write_npz(path, X=np.random.default_rng(0).random((50, 4)), y=np.zeros(50))
    broken = bytearray(path.read_bytes())
    broken[len(broken) // 3] ^= 0xFF
    path.write_bytes(broken)
    with pytest.raises(DamagedDataError, match="noise"):
        read_npz(path)


@pytest.mark.parametrize(
    "change",
    [
        {"y": np.zeros(4)},
        {"y": np.zeros((3, 2))},
        {"feature_names": np.array(["a"])},
        {"view_names": np.array(["v"]), "view_offsets": np.array([0, 5])},
        {"X": np.array([["text"]], dtype=object)},  # pickled: never unpickled
    ],
)
def test_parts_that_do_not_fit_are_damage(tmp_path, change):
    np.savez(tmp_path / "odd.npz", **(SMALL | change))
    with pytest.raises(DamagedDataError, match="odd"):
        read_npz(tmp_path / "odd.npz")


def header(shape, descr="<f8"):
    """A ``.npy`` file that promises an array and holds none of it."""
    text = io.BytesIO()
    np.lib.format.write_array_header_1_0(text, {"shape": shape, "fortran_order": False, "descr": descr})
    return text.getvalue()


@pytest.mark.parametrize(
    "members",
    [
        {"X": header((10**13,))},  # 73 TiB
        {"X": header((2**20, 2**20)) + bytes(800)},
        {"X": header((3, 2), "<U1000000000")},
        {"X": header((-3, 2))},
        {"y": header((2**40,))},
        {"X": b"\x93NUMPY\x07\x00"},
        {"X": b"no header at all"},
        {"X_indices": np.array([1, 10**6, 0]), "X_indptr": np.array([0, 1, 2, 3]), "X_data": np.ones(3)},
        {"X_indices": np.zeros(3, int), "X_indptr": np.array([0, 9, 2, 3]), "X_data": np.ones(3)},
        {"X_units": np.ones((3, 2)), "X_decimals": np.ones((50, 3, 2))},
        {"X": np.ones((3, 2, 1))},
        {"X": np.array([["a", "b"]] * 3)},
    ],
    ids=str,
)
def test_what_a_made_up_file_promises_is_damage(tmp_path, members):
    path = tmp_path / "made_up.npz"
    arrays = {**SMALL, "X_shape": np.array([3, 2]), **members}
    with zipfile.ZipFile(path, "w") as archive:
        for key, value in arrays.items():
            part = io.BytesIO()
            np.save(part, value) if isinstance(value, np.ndarray) else part.write(value)
            archive.writestr(f"{key}.npy", part.getvalue())
    with pytest.raises(DamagedDataError, match=r"made_up\.npz is damaged and is not used"):
        read_npz(path)


def test_one_array_is_no_data_file(tmp_path):
    np.save(tmp_path / "glass.npy", SMALL["X"])
    (tmp_path / "glass.npy").rename(tmp_path / "glass.npz")
    with pytest.raises(DamagedDataError, match=r"glass\.npz is damaged"):
        read_npz(tmp_path / "glass.npz")
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(DamagedDataError, match="Is a directory"):
        read_npz(tmp_path / "folder.npz")


@pytest.mark.parametrize("key", ["X", "feature_names", "sha256"])
def test_a_bomb_is_refused_by_its_declared_size_and_not_unpacked(tmp_path, key):
    path = tmp_path / "bomb.npz"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(f"{key}.npy", "w", force_zip64=True) as file,
    ):
        file.write(header((2**27, 1)))
        for _ in range(2**10):
            file.write(bytes(2**20))
    assert path.stat().st_size < 2e6
    tracemalloc.start()
    begun = time.process_time()
    with pytest.raises(DamagedDataError, match="would unpack to 1,073,7"):
        read_npz(path)
    assert tracemalloc.get_traced_memory()[1] < 1e7 and time.process_time() - begun < 1
    tracemalloc.stop()


def test_files_follow_the_umask(tmp_path):
    for umask, mode in ((0o077, 0o600), (0o022, 0o644), (0o002, 0o664)):
        before = os.umask(umask)
        try:
            write_npz(tmp_path / "small.npz", **SMALL)
            write_text(tmp_path / "small.txt", "a")
        finally:
            os.umask(before)
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {mode}


def test_a_write_that_fails_leaves_the_old_file_and_no_rest(tmp_path, monkeypatch):
    path = tmp_path / "small.npz"
    write_npz(path, **SMALL)
    before = path.read_bytes()

    def full_disk(file, **arrays):
        file.write(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(OSError, match="No space"):
        write_npz(path, **SMALL)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir()] == ["small.npz"]


def _write_often(path, value):
    for _ in range(10):
        write_npz(path, X=np.full((200, 50), value), y=np.full(200, value))


def test_two_processes_race_and_every_reader_sees_a_whole_file(tmp_path):
    path = tmp_path / "contested.npz"
    write_npz(path, X=np.zeros((200, 50)), y=np.zeros(200))
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_often, args=(path, value)) for value in (1, 2)]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        data = read_npz(path)  # raises on a half file
        assert (data.X == data.y[0]).all() and (data.y == data.y[0]).all()  # all of one writer
        seen.add(int(data.y[0]))
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert seen & {1, 2}
    assert [other.name for other in tmp_path.iterdir()] == ["contested.npz"]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [([0, 255], np.uint8), ([0, 256], np.uint16), ([-1, 127], np.int8), ([-1, 128], np.int16), ([0, 2**32], np.int64)],
)
def test_smallest_integers_is_exact_and_no_wider_than_needed(values, dtype):
    found = smallest_integers(np.array(values, dtype=float))
    assert found.dtype == dtype and found.tolist() == values


def test_smallest_integers_leaves_fractions():
    assert smallest_integers(np.array([0.5, 1.0])).dtype == float
