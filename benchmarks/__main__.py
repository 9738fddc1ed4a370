"""Command line of the benchmarks."""

import argparse

from benchmarks import bayes, correlated, imbalance, large, mlmlfs, multilabel_wide, rrmvfs
from benchmarks.timing import machine

PAPERS = {
    "bayes": bayes.main,
    "rrmvfs": rrmvfs.main,
    "mlmlfs": mlmlfs.main,
    "large": large.main,
    "imbalance": imbalance.main,
    "correlated": correlated.main,
    "multilabel_wide": multilabel_wide.main,
}


def main():
    """Run the benchmarks of the papers asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("papers", nargs="*", help=f"which papers, by default all: {', '.join(PAPERS)}")
    parser.add_argument("--jobs", type=int, default=1, help="threads of fslib's methods (default 1)")
    parser.add_argument("--repeats", type=int, default=5, help="repeats of each row, of which the median is shown")
    parser.add_argument("--no-peers", action="store_true", help="leave the other programs out")
    options = parser.parse_args()
    unknown = set(options.papers) - set(PAPERS)
    if unknown:
        parser.error(f"unknown paper {', '.join(sorted(unknown))}; known: {', '.join(PAPERS)}")
    print(f"{machine()}; threads: {options.jobs}.")
    print(
        "Paper: seconds of MATLAB in 2015 (bayes), of the authors' program under Octave (mlmlfs); for orientation only."
    )
    print("Ratio: their seconds divided by ours.")
    for paper in options.papers or PAPERS:
        PAPERS[paper](options.jobs, options.repeats, not options.no_peers)


if __name__ == "__main__":
    main()
