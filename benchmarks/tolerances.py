"""Measure how far our own numbers move for no reason: the tolerances of guarded numbers are ten times that.

    python -m benchmarks.tolerances mlmlfs/4_model_and_convergence

Runs a notebook with its quick parameters six times: as it is, with all real-valued features multiplied by
1 + 1e-12 N(0, 1) for three seeds, and with two threads instead of one, without and with noise. Prints the largest
difference from the first run per metric, ten times that, and the tolerance in `fslib.names`. Counts and levels have no
noise; what depends on them alone moves with the threads only, if at all.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd

from fslib.names import RUN_TIMES, metric
from fslib.reproduction.paths import NOTEBOOKS
from fslib.tidy import KEY, read_table

VARIANTS = ((0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2))
"""(seed of the noise, threads); seed 0 is no noise."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def noisy(load, seed):
    """Wrap the loader: real-valued features get relative noise of 1e-12, the rest is as it was."""

    def wrapped(name):
        data = load(name)
        X = data.X
        if isinstance(X, np.ndarray) and X.dtype.kind == "f" and (X != np.round(X)).any():
            data.X = X * (1 + 1e-12 * np.random.default_rng(seed).standard_normal(X.shape))
        return data

    return wrapped


def run_cells(notebook, seed, out):
    """Run the code cells of a notebook in this process, with its own parameters."""
    import matplotlib

    import fslib.datasets
    import fslib.datasets.loader

    matplotlib.use("agg")
    if seed:
        fslib.datasets.load = fslib.datasets.loader.load = noisy(fslib.datasets.loader.load, seed)
    places = {"results_dir": str(out), "cache_dir": str(out / "cache"), "n_jobs": 1, "scheduler": ""}
    space = {"__name__": "notebook", "display": lambda *things: None}
    os.chdir((NOTEBOOKS / notebook).parent)
    for cell in nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, notebook, "exec"), space)
            if "parameters" in cell.metadata.get("tags", []):
                space |= {name: value for name, value in places.items() if name in space}


def spreads(notebook, folder):
    """Largest absolute and relative difference from the first run, per metric."""
    tables = []
    for seed, threads in VARIANTS:
        out = folder / f"{seed}_{threads}"
        command = [sys.executable, "-m", "benchmarks.tolerances", notebook, "--one", str(seed), str(out)]
        environment = os.environ | dict.fromkeys(THREADS, str(threads))
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        paths = sorted((out / "tables").glob("*.csv"))
        if not paths:
            sys.exit(f"{notebook} writes no tables: there is nothing to compare.")
        tables.append(pd.concat([read_table(path) for path in paths]).set_index(KEY))
    first, *others = tables
    lines = []
    for name, group in first.groupby("metric"):
        moved = [(other.reindex(group.index)["value"] - group["value"]).abs() for other in others]
        absolute = max(m.max() for m in moved)
        relative = max((m / group["value"].abs().replace(0, np.nan)).max() for m in moved)
        lines.append({"metric": name, "numbers": len(group), "absolute": absolute, "relative": relative})
    return pd.DataFrame(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", help="such as mlmlfs/4_model_and_convergence")
    parser.add_argument("--one", nargs=2, metavar=("SEED", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        seed, out = int(options.one[0]), Path(options.one[1])
        out.mkdir(parents=True, exist_ok=True)
        run_cells(options.notebooks[0], seed, out)
        return
    for notebook in options.notebooks:
        with tempfile.TemporaryDirectory() as folder:
            for line in spreads(notebook, Path(folder)).to_dict("records"):
                if line["metric"] in RUN_TIMES:
                    continue
                allowed = metric(line["metric"]).tolerance
                print(
                    f"{notebook}  {line['metric']:24} {line['numbers']:5}  moved {line['absolute']:.1e} "
                    f"({line['relative']:.1e} of its size)  ten times {10 * line['absolute']:.1e}  "
                    f"allowed {allowed.absolute:.0e} + {allowed.relative:.0e} of its size",
                    flush=True,
                )


if __name__ == "__main__":
    main()
