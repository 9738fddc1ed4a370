"""Growth of the counting filters: rows, features, entries, threads and memory, with rows in memory and on disk.

    python -m benchmarks large                            # prints the tables
    python -m benchmarks.large docs/_static/scaling.svg   # prints those of growth, in a few minutes, and draws them

Every number is from a fresh process, except for the gain from threads. Times are CPU seconds, so that other work on the
machine does not show, with the same exception; memory is what the process needs above its input. Compiled kernels,
which count tables of a hundred million values and more if Numba is installed, are loaded before.
"""

import sys
import tempfile
import time
import warnings
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from benchmarks.timing import Peer, Work, print_table
from fslib.counts import compiled
from fslib.datasets.generated import make_gisette_like
from fslib.filters import MRMR, BayesGreedy, InformationGreedy, MIGreedy, MIScore

ROWS = ((10_000, 50), (100_000, 50), (1_000_000, 50), (10_000_000, 50))
LARGE = ((100_000, 200), (1_000_000, 200))
FEATURES = ((10_000, 200), (10_000, 2_000), (10_000, 20_000))
ENTRIES = (200_000, 2_000_000, 20_000_000)
BUDGETS = (64, 128, 256)  # MiB
GROUP_ROWS = (250_000, 1_000_000)
METHODS = {
    "MI scores": MIScore(n_features_to_select=15),
    "mRMR": MRMR(n_features_to_select=15),
    "MI greedy, pairwise": MIGreedy(n_features_to_select=15, order=2),
    "0-1 greedy, exact": BayesGreedy(n_features_to_select=15),
}
CRITERIA = ("jmi", "cmim", "disr", "icap", "cife", "condred", "jmim", "mifs")


def load_kernels():
    """Load the compiled kernels, for this process and those that it starts."""
    X, y = dense(2000, 20)
    before, compiled.LARGE = compiled.LARGE, 1
    for method in METHODS.values():
        method.set_params(n_jobs=1).fit(X, y)
    compiled.LARGE = before


def fresh(work, warm_up=None):
    """Run a function in a process of its own: CPU and wall seconds, and the peak of memory above the start."""
    receiver, sender = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_measured, args=(work, warm_up, sender))
    process.start()
    sender.close()
    found = receiver.recv()
    process.join()
    return found


def _measured(work, warm_up, sender):
    warnings.simplefilter("ignore")
    if warm_up is not None:
        warm_up()  # loads what the libraries load at their first use
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before, cpu, wall = _held("VmRSS"), time.process_time(), time.perf_counter()
    work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    sender.send({"cpu": cpu, "wall": wall, "above": _held("VmHWM") - before})


def _held(kind):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(kind))


def dense(n, d):
    """Random codes of 4 levels and two classes."""
    rng = np.random.default_rng(0)
    X, step = np.empty((n, d), dtype=np.uint8), max(1, 20_000_000 // d)
    for start in range(0, n, step):
        X[start : start + step] = rng.integers(0, 4, (min(step, n - start), d), dtype=np.uint8)
    return X, rng.integers(0, 2, n)


def sparse(n_entries, n=200_000, d=100_000):
    """Sparse X with equally many entries in every column, and two classes."""
    rng = np.random.default_rng(0)
    m = n_entries // d
    rows = (rng.integers(0, n, (d, 1)) + np.arange(m) * (n // m)) % n
    rows = np.sort(rows.astype(np.int32), axis=1).ravel()
    values = rng.integers(1, 4, d * m).astype(float)
    X = sp.csc_array((values, rows, np.arange(d + 1, dtype=np.int32) * m), shape=(n, d))
    return X, rng.integers(0, 2, n)


def fit(name, X, y, jobs):
    """Measure one method."""
    method = METHODS[name].set_params(n_jobs=jobs)
    small = partial(method.fit, X[:2000, :20], np.arange(min(2000, X.shape[0])) % 2)
    return fresh(partial(method.fit, X, y), small)


def write(X, y, path, group):
    """Write a Parquet file; in a process of its own, because pyarrow starts threads."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(f"f{j}", pa.uint8()) for j in range(X.shape[1])] + [("y", pa.uint8())])
    with pq.ParquetWriter(path, schema) as out:
        for rows in (slice(i, i + group) for i in range(0, len(X), group)):
            columns = [*X[rows].T, y[rows].astype(np.uint8)]
            out.write_table(pa.table([pa.array(np.ascontiguousarray(c)) for c in columns], schema=schema))


def in_memory(title, sizes, names, jobs):
    """Print and return a table of dense data."""
    print(f"\n{title}: uint8 codes of 4 levels, k = 15, {jobs} thread(s); memory above the input in MB")
    print(f"{'method':24s}{'rows':>12s}{'features':>10s}{'CPU s':>10s}{'ns/value':>10s}{'memory':>10s}{'input':>8s}")
    rows = []
    for n, d in sizes:
        X, y = dense(n, d)
        for name in names:
            found = fit(name, X, y, jobs)
            rows.append({"method": name, "n": n, "d": d, "input": X.nbytes, **found})
            print(
                f"{name:24s}{n:12,d}{d:10,d}{found['cpu']:10.2f}{found['cpu'] / (n * d) * 1e9:10.2f}"
                f"{found['above'] / 1e6:10.0f}{X.nbytes / 1e6:8.0f}",
                flush=True,
            )
    return rows


def entries(jobs):
    """Print and return the table of sparse data."""
    print(f"\nEntries: sparse 200 000 x 100 000, MI scores, {jobs} thread(s); memory above the input in MB")
    print(f"{'entries':>12s}{'CPU s':>10s}{'ns/entry':>10s}{'memory':>10s}{'input':>8s}")
    rows = []
    for m in ENTRIES:
        X, y = sparse(m)
        found = fit("MI scores", X, y, jobs)
        size = X.data.nbytes + X.indices.nbytes
        rows.append({"entries": m, "input": size, **found})
        print(
            f"{m:12,d}{found['cpu']:10.2f}{found['cpu'] / m * 1e9:10.1f}{found['above'] / 1e6:10.0f}{size / 1e6:8.0f}",
            flush=True,
        )
    return rows


def threads(n_fits=5):
    """Print and return wall seconds with one and two threads; other work on the machine shows here.

    Medians of fits of one process, one and two threads in turn, after one of each: the first fits pay for memory that
    the machine has not handed out yet.
    """
    print(f"\nThreads: wall seconds at 1 000 000 x 200 with one and two, medians of {n_fits} fits after the first")
    X, y = dense(1_000_000, 200)
    rows, large = [], compiled.LARGE
    for counted_by, limit in (("compiled kernels" if compiled.load() else "NumPy", large), ("NumPy", sys.maxsize)):
        compiled.LARGE = limit
        for name, method in METHODS.items():
            times = {1: [], 2: []}
            for jobs in (1, 2) * (n_fits + 1):
                start = time.perf_counter()
                method.set_params(n_jobs=jobs).fit(X, y)
                times[jobs].append(time.perf_counter() - start)
            walls = [float(np.median(times[jobs][1:])) for jobs in (1, 2)]
            rows.append({"method": name, "counted_by": counted_by, "walls": walls})
            gain = walls[0] / walls[1]
            print(f"{name:24s}{counted_by:20s}{walls[0]:8.3f}{walls[1]:8.3f}   gain {gain:.2f}", flush=True)
    compiled.LARGE = large
    return rows


def from_disk(jobs, n=1_000_000, d=200):
    """Print and return what reading from Parquet takes under several budgets."""
    print(f"\nBudget: Parquet, {n:,d} x {d}; memory of the process above its start in MiB")
    print(f"{'method':12s}{'rows in a group':>16s}{'budget':>10s}{'memory':>10s}{'CPU s':>10s}")
    X, y = dense(n, d)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        paths = {group: str(Path(folder) / f"{group}.parquet") for group in (1000, *GROUP_ROWS)}
        for group, path in paths.items():
            fresh(partial(write, X if group > 1000 else X[:1000], y, path, group))
        del X
        for group in GROUP_ROWS:
            for name, budget in [("MI scores", BUDGETS[-1]), *(("mRMR", budget) for budget in BUDGETS)]:
                method = METHODS[name].set_params(n_jobs=jobs)
                read = [partial(method.fit_blocks, paths[g], "y", memory=budget << 20) for g in (group, 1000)]
                found = fresh(*read)
                rows.append({"method": name, "group": group, "budget": budget, **found})
                print(
                    f"{name:12s}{group:16,d}{budget:10d}{found['above'] / 2**20:10.0f}{found['cpu']:10.2f}", flush=True
                )
    return rows


def growth(jobs):
    """Print and return all tables of growth."""
    load_kernels()
    return {
        "rows": in_memory("Rows", ROWS, METHODS, jobs),
        "large": in_memory("Rows of 200 features", LARGE, METHODS, jobs),
        "features": in_memory("Features", FEATURES, METHODS, jobs),
        "entries": entries(jobs),
        "threads": threads(),
        "disk": from_disk(jobs),
    }


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
    growth(n_jobs)


def draw(tables, path):
    """Draw the tables of growth but that of threads, a panel each."""
    import matplotlib.pyplot as plt

    from fslib.plotting.style import GREY, method_style, savefig, use_style

    use_style()
    looks = dict(zip(METHODS, method_style(["MIScore", "MRMR", "MIGreedy", "BayesGreedy"]).values(), strict=True))
    figure, axes = plt.subplots(2, 3, figsize=(9.6, 5.6), layout="constrained")

    def lines(axis, rows, x, y, unit):
        for name, look in looks.items():
            some = [row for row in rows if row["method"] == name]
            if some:
                values = [max(row[y], 1e6 * (y == "above")) / unit for row in some]
                axis.loglog([x(row) for row in some], values, **look, label=name)

    lines(axes[0, 0], tables["rows"], lambda row: row["n"], "cpu", 1)
    axes[0, 0].set(title="Rows, 50 features", xlabel="rows", ylabel="CPU seconds")
    lines(axes[0, 1], tables["features"], lambda row: row["d"], "cpu", 1)
    axes[0, 1].set(title="Features, 10 000 rows", xlabel="features", ylabel="CPU seconds")
    rows = tables["entries"]
    axes[0, 2].loglog([row["entries"] for row in rows], [row["cpu"] for row in rows], **looks["MI scores"])
    axes[0, 2].set(title="Entries of sparse X", xlabel="entries (200 000 x 100 000)", ylabel="CPU seconds")
    lines(axes[1, 0], tables["rows"], lambda row: row["n"], "above", 1e6)
    axes[1, 0].loglog([n for n, _ in ROWS], [n * d / 1e6 for n, d in ROWS], ":", color=GREY, label="the input itself")
    axes[1, 0].set(title="Memory above the input, 50 features", xlabel="rows", ylabel="MB")
    axes[1, 0].legend(handles=[axes[1, 0].lines[-1]], frameon=False)
    for group, marker in zip(GROUP_ROWS, "os", strict=True):
        some = [row for row in tables["disk"] if row["method"] == "mRMR" and row["group"] == group]
        label = f"row groups of {group:,d}".replace(",", " ")
        above = [row["above"] / 2**20 for row in some]
        axes[1, 1].plot([row["budget"] for row in some], above, **(looks["mRMR"] | {"marker": marker}), label=label)
    axes[1, 1].plot(BUDGETS, BUDGETS, ":", color=GREY, label="the budget")
    axes[1, 1].set(title="mRMR from Parquet, a million rows", xlabel="budget, MiB", ylabel="memory used, MiB")
    axes[1, 1].set_ylim(bottom=0)
    axes[1, 1].legend(frameon=False)
    axes[1, 2].axis("off")
    axes[1, 2].legend(*axes[0, 0].get_legend_handles_labels(), loc="center", title="k = 15, one thread")
    savefig(figure, path, title="Growth of the counting filters")


if __name__ == "__main__":
    draw(growth(1), sys.argv[1])
