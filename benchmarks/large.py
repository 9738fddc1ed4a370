"""Growth: time and memory of the counting filters from ten thousand to ten million rows, in memory and from disk.

    python -m benchmarks large                # prints the tables
    python -m benchmarks.large figures/scaling.svg      # prints them and draws them

Every number is from a fresh process. Times are CPU seconds, so that other work on the machine does not show; memory is
what the process needs above its input.
"""

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.timing import Peer, Work, print_table
from fslib.datasets.generated import make_gisette_like
from fslib.filters import InformationGreedy

SIZES = ((10_000, 200), (100_000, 200), (1_000_000, 200), (10_000_000, 50))
DISK_SIZES = ((1_000_000, 200),)
METHODS = {
    "MI scores": "MIScore(n_features_to_select=15, n_jobs={jobs})",
    "mRMR": "MRMR(n_features_to_select=15, n_jobs={jobs})",
    "JMI": "InformationGreedy('jmi', n_features_to_select=15, n_jobs={jobs})",
    "MI greedy, pairwise": "MIGreedy(n_features_to_select=15, order=2, n_jobs={jobs})",
    "0-1 greedy, exact": "BayesGreedy(n_features_to_select=15, n_jobs={jobs})",
}
CRITERIA = ("jmi", "cmim", "disr", "icap", "cife", "condred", "jmim", "mifs")

START = """
import json, time, warnings
import numpy as np, scipy.sparse as sp
from fslib.filters import *
warnings.simplefilter("ignore")

def peak():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

def measured(fit, size):
    before, start, wall = peak(), time.process_time(), time.perf_counter()
    fit()
    seconds = time.process_time() - start, time.perf_counter() - wall
    print(json.dumps({{"cpu": seconds[0], "wall": seconds[1], "above": peak() - before, "input": size}}))

n, d = {n}, {d}
rng = np.random.default_rng(0)
y = rng.integers(0, 2, n)
"""
DENSE = """
X = np.empty((n, d), dtype=np.uint8)
for start in range(0, n, 100_000):
    X[start : start + 100_000] = rng.integers(0, 4, (min(100_000, n - start), d), dtype=np.uint8)
MRMR(n_features_to_select=2).fit(X[:2000, :5], y[:2000])
"""
IN_MEMORY = START + DENSE + "measured(lambda: {method}.fit(X, y), X.nbytes)"
WRITE = (
    START
    + DENSE
    + """
import pyarrow as pa, pyarrow.parquet as pq
names = [f"f{{j}}" for j in range(d)] + ["y"]
schema = pa.schema([(name, pa.uint8()) for name in names])
with pq.ParquetWriter({path!r}, schema) as out:
    for i in range(0, n, 250_000):
        columns = [*X[i : i + 250_000].T, y[i : i + 250_000].astype(np.uint8)]
        out.write_table(pa.table([pa.array(np.ascontiguousarray(c)) for c in columns], schema=schema))
"""
)
FROM_DISK = START + "measured(lambda: {method}.fit_blocks({path!r}, 'y', memory={memory}), n * d)"
SPARSE = (
    START
    + """
m = {entries} // d
first = rng.integers(0, 1000, d)
rows = np.sort((first[:, None] + np.arange(m) * (n // m - 1)) % n, axis=1).astype(np.int32)
data = rng.integers(1, 4, d * m, dtype=np.uint8).astype(float)
X = sp.csc_array((data, rows.ravel(), np.arange(d + 1, dtype=np.int32) * m), shape=(n, d))
del rows
measured(lambda: {method}.fit(X, y), X.data.nbytes + X.indices.nbytes)
"""
)


def run(code, **values):
    """What a fresh process measures, or None if it only writes."""
    done = subprocess.run([sys.executable, "-c", code.format(**values)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else None


def growth(jobs):
    """Print and return the rows of the growth table."""
    print(f"\nGrowth: uint8 codes of 4 levels, k = 15, {jobs} thread(s); memory above the input in MB")
    print(f"{'method':28s}{'rows':>12s}{'features':>10s}{'CPU s':>10s}{'ns/value':>10s}{'memory':>10s}{'input':>8s}")
    rows = []
    for name, method in METHODS.items():
        for n, d in SIZES:
            found = run(IN_MEMORY, n=n, d=d, method=method.format(jobs=jobs))
            rows.append({"method": name, "n": n, "d": d, **found})
            print(
                f"{name:28s}{n:12,d}{d:10d}{found['cpu']:10.2f}{found['cpu'] / (n * d) * 1e9:10.2f}"
                f"{found['above'] / 1e6:10.0f}{found['input'] / 1e6:8.0f}",
                flush=True,
            )
    return rows


def sparse(jobs):
    """Print the sparse row."""
    found = run(SPARSE, n=200_000, d=100_000, entries=20_000_000, method=METHODS["MI scores"].format(jobs=jobs))
    print(
        f"\nSparse 200 000 x 100 000, 20 million entries, MI scores: {found['cpu']:.2f} CPU s, "
        f"{found['above'] / found['input']:.1f} times the input of {found['input'] / 1e6:.0f} MB"
    )


def from_disk(jobs, memory=2**28):
    """Print Parquet against memory."""
    print(f"\nParquet, at most {memory / 2**20:.0f} MiB: CPU seconds, memory of the process above its start in MB")
    with tempfile.TemporaryDirectory() as folder:
        for n, d in DISK_SIZES:
            path = str(Path(folder) / "table.parquet")
            run(WRITE, n=n, d=d, path=path)
            for name in ("MI scores", "mRMR"):
                found = run(FROM_DISK, n=n, d=d, path=path, method=METHODS[name].format(jobs=jobs), memory=memory)
                print(f"{name:28s}{n:12,d}{d:10d}{found['cpu']:10.2f}{found['above'] / 1e6:10.0f}", flush=True)


def peers(X, y, k=3):
    """Criteria of scikit-feature, in Python, on a part of the data."""
    from skfeature.function.information_theoretical_based import CIFE, CMIM, DISR, ICAP, JMI

    modules = {"jmi": JMI.jmi, "cmim": CMIM.cmim, "disr": DISR.disr, "icap": ICAP.icap, "cife": CIFE.cife}
    return {
        name: Peer(f"scikit-feature {name}, 50 features, k={k}", partial(function, X[:, :50], y, n_selected_features=k))
        for name, function in modules.items()
    }


def family(jobs, with_peers):
    """Every criterion at the size of Gisette, and the peer on a hundredth of it."""
    data = make_gisette_like()
    others = peers(data.X, data.y) if with_peers else {}
    make = lambda c: InformationGreedy(c, n_features_to_select=75, n_jobs=jobs)
    return [
        Work(f"{c}, k=75", partial(make(c).fit, data.X, data.y), peers=[others[c]] if c in others else [])
        for c in CRITERIA
    ]


def main(n_jobs, repeats, with_peers):
    """Print all tables."""
    title = "The information family: generated in the shape of Gisette, 4200 x 5000"
    print_table(title, family(n_jobs, with_peers), repeats=min(repeats, 2), with_peers=with_peers)
    rows = growth(n_jobs)
    sparse(n_jobs)
    from_disk(n_jobs)
    return rows


def draw(rows, path):
    """Draw CPU seconds and memory against the number of values."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for name in dict.fromkeys(row["method"] for row in rows):
        some = [row for row in rows if row["method"] == name]
        values = [row["n"] * row["d"] for row in some]
        axes[0].loglog(values, [row["cpu"] for row in some], "o-", label=name, markersize=4)
        axes[1].loglog(values, [max(row["above"], 1e6) / 1e6 for row in some], "o-", markersize=4)
    inputs = sorted({row["input"] for row in rows})
    axes[1].loglog(inputs, [value / 1e6 for value in inputs], "k--", label="input")
    for axis, label in zip(axes, ("CPU seconds, one thread", "memory above the input, MB"), strict=True):
        axis.set(xlabel="values of X (rows x features)", ylabel=label)
        axis.legend(frameon=False, fontsize=8)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(growth(1), sys.argv[1])
