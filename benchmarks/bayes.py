"""Table 2 of "Bayes Optimal Feature Selection": Adult in its published size, and data in the shape of Gisette."""

from functools import partial
from pathlib import Path

import pandas as pd
from sklearn.feature_selection import f_classif, mutual_info_classif
from sklearn.model_selection import train_test_split

from benchmarks.timing import Peer, Work, import_seconds, peak_memory, print_table
from fslib.datasets import DataNotFoundError, content_hash, load
from fslib.datasets.generated import make_gisette_like
from fslib.filters import MRMR, BayesGreedy, BayesScore, FisherScore, MIGreedy, MIScore
from fslib.filters.criteria import CostSensitive

REPORTED = Path(__file__).parents[1] / "data" / "reported" / "bayes_table_2.csv"
MEMORY_TARGET = 2**30 / 1e6


def reported(dataset, method, k):
    """Seconds that the paper's MATLAB code took."""
    table = pd.read_csv(REPORTED)
    row = table[(table.dataset == dataset) & (table.method == method) & table.setting.str.startswith(f"k={k};")]
    return float(row.value.item())


def peer_mutual_info(X, y):
    return Peer("scikit-learn mutual_info_classif", partial(mutual_info_classif, X, y, discrete_features=True))


def peer_f_classif(X, y):
    return Peer("scikit-learn f_classif", partial(f_classif, X, y))


def peer_fast_select(X, y, k):
    from fast_select import mRMR

    mRMR(2).fit(X[:50, :5], y[:50])  # compiles; not timed
    return Peer("fast-select mRMR", partial(mRMR(k).fit, X, y), "all pairs of columns; compilation not counted")


def peer_mrmr_selection(X, y, k, n_jobs):
    from mrmr import mrmr_classif

    X, y = pd.DataFrame(X.astype(float)), pd.Series(y)
    run = partial(mrmr_classif, X, y, K=k, n_jobs=n_jobs, show_progress=False)
    return Peer("mrmr-selection", run, "F statistic and correlation, another criterion")


def adult(n_jobs, with_peers):
    """Exact estimates on a fifth of Adult, k = 15."""
    data = load("adult")
    X, _, y, _ = train_test_split(data.X, data.y, train_size=9768, stratify=data.y, random_state=0)
    k, seconds = 15, partial(reported, "Adult", k=15)
    fit = lambda selector: partial(selector.fit, X, y)
    cost = CostSensitive(0.25)
    mrmr_peers = [peer_fast_select(X, y, k), peer_mrmr_selection(X, y, k, n_jobs)] if with_peers else []
    return [
        Work(
            "cost-sensitive greedy, exact",
            fit(BayesGreedy(cost, n_features_to_select=k, n_jobs=n_jobs)),
            seconds("c-BayesGreedy"),
        ),
        Work(
            "mutual information greedy, exact",
            fit(MIGreedy(n_features_to_select=k, n_jobs=n_jobs)),
            seconds("MIGreedy"),
        ),
        Work("F1 greedy, exact", fit(BayesGreedy("f_beta", n_features_to_select=k, n_jobs=n_jobs))),
        Work("AUC greedy, exact", fit(BayesGreedy("auc", n_features_to_select=k, n_jobs=n_jobs))),
        Work("mRMR", fit(MRMR(n_features_to_select=k, n_jobs=n_jobs)), seconds("mRMR"), mrmr_peers),
        Work(
            "cost-sensitive scores",
            fit(BayesScore(cost, n_features_to_select=k, n_jobs=n_jobs)),
            seconds("c-BayesScore"),
        ),
        Work(
            "mutual information scores",
            fit(MIScore(n_features_to_select=k, n_jobs=n_jobs)),
            seconds("MIScore"),
            [peer_mutual_info(X, y)],
        ),
        Work("Fisher scores", fit(FisherScore(n_features_to_select=k)), seconds("FScore"), [peer_f_classif(X, y)]),
    ]


def gisette_like(n_jobs, with_peers):
    """Pairwise estimates on generated data of Gisette's shape, k = 75."""
    data = make_gisette_like()
    X, y = data.X, data.y
    k, seconds = 75, partial(reported, "Gisette", k=75)
    fit = lambda selector: partial(selector.fit, X, y)
    mrmr_peers = [peer_mrmr_selection(X, y, k, n_jobs)] if with_peers else []
    return [
        Work(
            "0-1 greedy, pairwise",
            fit(BayesGreedy("zero_one", n_features_to_select=k, order=2, n_jobs=n_jobs)),
            seconds("0-1-BayesGreedy"),
        ),
        Work(
            "mutual information greedy, pairwise",
            fit(MIGreedy(n_features_to_select=k, order=2, n_jobs=n_jobs)),
            seconds("MIGreedy"),
        ),
        Work("mRMR", fit(MRMR(n_features_to_select=k, n_jobs=n_jobs)), seconds("mRMR"), mrmr_peers),
        Work(
            "0-1 scores", fit(BayesScore("zero_one", n_features_to_select=k, n_jobs=n_jobs)), seconds("0-1-BayesScore")
        ),
        Work(
            "mutual information scores",
            fit(MIScore(n_features_to_select=k, n_jobs=n_jobs)),
            seconds("MIScore"),
            [peer_mutual_info(X, y)],
        ),
        Work("Fisher scores", fit(FisherScore(n_features_to_select=k)), seconds("FScore"), [peer_f_classif(X, y)]),
    ]


def thrombin(n_jobs):
    """Pairwise estimates on 1909 x 139351 sparse binary data, k = 50; needs the data."""
    data = load("thrombin")
    fit = lambda selector: partial(selector.fit, data.X, data.y)
    return [
        Work("0-1 greedy, pairwise", fit(BayesGreedy("zero_one", n_features_to_select=50, order=2, n_jobs=n_jobs))),
        Work("mRMR", fit(MRMR(n_features_to_select=50, n_jobs=n_jobs))),
        Work("mutual information scores", fit(MIScore(n_features_to_select=50, n_jobs=n_jobs))),
    ]


def memory():
    """Print the peak memory of whole processes: interpreter, libraries, input and all."""
    imports = "from fslib.filters import *\nfrom fslib.datasets.generated import make_gisette_like"
    data = f"{imports}\nd = make_gisette_like()"
    print("\nPeak memory of a process, MB")
    for name, code in [
        ("imports alone", imports),
        ("and generated data in the shape of Gisette", data),
        ("and mRMR, k=75", f"{data}\nMRMR(n_features_to_select=75).fit(d.X, d.y)"),
        ("and 0-1 greedy, pairwise, k=75", f"{data}\nBayesGreedy(n_features_to_select=75, order=2).fit(d.X, d.y)"),
    ]:
        print(f"{name:52s}{peak_memory(code):10.0f}", flush=True)


def thrombin_memory():
    """Print the same for thrombin, beside what a machine with little memory can spare."""
    print(f"\nPeak memory of a process on thrombin, MB; target: {MEMORY_TARGET:.0f} (1 GiB)")
    try:
        content_hash("thrombin")  # looks for the data and downloads nothing
    except DataNotFoundError as error:
        print(f"skipped. {error}")
        return
    data = "from fslib.filters import *\nfrom fslib.datasets import load\nd = load('thrombin')"
    for name, code in [
        ("data alone", data),
        ("and 0-1 greedy, pairwise, k=50", f"{data}\nBayesGreedy('zero_one', 50, order=2).fit(d.X, d.y)"),
        ("and mRMR, k=50", f"{data}\nMRMR(n_features_to_select=50).fit(d.X, d.y)"),
        ("and mutual information scores", f"{data}\nMIScore(50).fit(d.X, d.y)"),
    ]:
        used = peak_memory(code)
        print(f"{name:52s}{used:10.0f}  {'within' if used <= MEMORY_TARGET else 'above'} the target", flush=True)


def imports():
    """Print how long a reader waits for the package."""
    print("\nImport in a fresh process, seconds")
    for module in ("fslib", "fslib.filters"):
        print(f"{module:52s}{import_seconds(module):10.2f}", flush=True)


def main(n_jobs, repeats, with_peers):
    """Print all tables of this paper."""
    show = partial(print_table, repeats=repeats, with_peers=with_peers)
    show("Adult, 9768 x 123, exact, k=15", adult(n_jobs, with_peers))
    show("Generated in the shape of Gisette, 4200 x 5000, three levels, k=75", gisette_like(n_jobs, with_peers))
    try:
        show("thrombin, 1909 x 139351, sparse, k=50", thrombin(n_jobs))
    except DataNotFoundError as error:
        print(f"\nthrombin: skipped. {error}")
    memory()
    thrombin_memory()
    imports()
