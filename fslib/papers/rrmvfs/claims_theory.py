"""Claims of paper "rrmvfs", sections 1 and 2: about the model itself.

Every function is named after its ``claim_id`` in ``data/reported/claims.csv``, whose column ``check`` holds the
thresholds, and returns a :class:`~fslib.papers.verdict.Verdict`.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from fslib.datasets import load
from fslib.evaluation.stats import paired_t
from fslib.multiview import RRMVFS
from fslib.papers.rrmvfs.claims_results import in_std
from fslib.papers.rrmvfs.theory import make_views
from fslib.papers.verdict import Verdict

PENALTIES = ((1e-5, 1e-5), (1e-2, 1.0), (1.0, 1e-2), (1.0, 1.0), (1e2, 1e2))


def views_separate():
    """Compare the joint fit with a fit of every view alone, on the toy of section 2."""
    X, y, views, _ = make_views()
    joint = RRMVFS(views, gamma1=0.1, gamma2=0.1, max_iter=500).fit(X, y)
    alone = [RRMVFS(None, gamma1=0.1, gamma2=0.1, max_iter=500).fit(X[:, view], y) for view in views.values()]
    W = np.hstack([one.coef_ for one in alone])
    b = np.vstack([one.intercept_ for one in alone])
    gap = max(np.abs(joint.coef_ - W).max(), np.abs(joint.intercept_ - b).max())
    return Verdict(bool(gap <= 1e-8), f"largest difference {gap:.1e}")


def objective_monotone(max_iter=20):
    """Follow the objective on three data sets and five pairs of penalties."""
    worst, unfinished, runs = -np.inf, 0, 0
    for name, n_rows in (("mfeat", 2000), ("vehicle", 846), ("ionosphere", 351)):
        X, y, views = _sample(name, n_rows)
        for gamma1, gamma2 in PENALTIES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                warnings.filterwarnings("ignore", message=".*all coefficients are zero")
                J = RRMVFS(views, gamma1=gamma1, gamma2=gamma2, max_iter=max_iter).fit(X, y).objective_
            worst = max(worst, float(np.max(np.diff(J) / J[:-1]))) if len(J) > 1 else worst
            unfinished += len(J) == max_iter
            runs += 1
    text = f"largest relative step {worst:+.1e} in {runs} runs"
    return Verdict(bool(worst <= 1e-10), text, f"{unfinished} runs used all {max_iter} iterations")


def _sample(name, n_rows, at_most=60):
    """Up to 60 standardised rows of a data set; views of its own or two halves of the columns."""
    data = load(name)
    rows = np.linspace(0, n_rows - 1, at_most).astype(int)
    X = StandardScaler().fit_transform(data.X[rows])
    half = X.shape[1] // 2
    return X, data.y[rows], data.views or [slice(0, half), slice(half, X.shape[1])]


def robust_to_outliers(drops):
    """Compare mean drops of accuracy; ``drops``: kind -> :func:`fslib.papers.rrmvfs.theory.outlier_drops`."""
    means = {kind: frame.groupby("method")["drop"].mean() for kind, frame in drops.items()}
    text = "; ".join(
        f"{kind}: RRMVFS {mean['RRMVFS']:+.4f}, squared loss {mean['squared loss']:+.4f}"
        for kind, mean in means.items()
    )
    pvalues = {kind: _paired(frame) for kind, frame in drops.items()}
    sizes = {kind: _in_own_std(frame) for kind, frame in drops.items()}
    note = "; ".join(
        f"{kind}: difference {sizes[kind]}, p = {pvalues[kind]:.2g}, RFS {mean['RFS']:+.4f}"
        for kind, mean in means.items()
    )
    return Verdict(all(bool(mean["RRMVFS"] < mean["squared loss"]) for mean in means.values()), text, note)


def _in_own_std(frame):
    ours, other = (frame.loc[frame["method"] == method, "drop"] for method in ("RRMVFS", "squared loss"))
    return in_std(ours.mean() - other.mean(), ours.std(ddof=1))


def _paired(frame):
    wide = frame.pivot(index="repeat", columns="method", values="drop")
    return paired_t(wide["RRMVFS"], wide["squared loss"]).pvalue


def weights_favour_good_views(weights):
    """Share of fits in which the view of noise weighs least; ``weights`` has rows of ``noise_view_weights``."""
    noise = weights[weights["view"] == weights["replaced"]]
    smallest = noise["rank"] == 1
    shares = smallest.groupby([noise["replaced"], noise["gamma"]]).mean()
    note = "; ".join(f"{view} replaced, gamma {gamma:g}: {share:.0%}" for (view, gamma), share in shares.items())
    return Verdict(bool(smallest.mean() >= 0.9), f"{smallest.mean():.0%} of the fits", note)
