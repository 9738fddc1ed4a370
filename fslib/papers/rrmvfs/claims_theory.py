"""Claims of paper "rrmvfs", sections 1 and 2: about the model itself.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. Identities and the descent have no
noise; what is drawn anew in repeats is judged by a paired test, or by a share with its standard error.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from fslib.datasets import load
from fslib.evaluation.margins import enough, exceeds, noise_of_pairs, share_reaches
from fslib.evaluation.stats import paired_t
from fslib.multiview import RRMVFS
from fslib.papers.claims import cannot_be_tested, claim, in_std, verdict, with_noise
from fslib.papers.rrmvfs.tables import TEST_TO_TRAIN
from fslib.papers.rrmvfs.theory import joint_solution, make_views

PENALTIES = ((1e-5, 1e-5), (1e-2, 1.0), (1.0, 1e-2), (1.0, 1.0), (1e2, 1e2))


@claim("views-separate")
def views_separate(gamma=0.1, tolerance=1e-5):
    """W and b that minimise equation 2 over all views together (L-BFGS, which does not know that they separate) equal
    those of the fit view by view within 1e-5
    """
    X, y, views, _ = make_views()
    W, b = joint_solution(X, y, list(views.values()), gamma, gamma)
    apart = RRMVFS(views, gamma1=gamma, gamma2=gamma, max_iter=5000, tol=1e-12).fit(X, y)
    gap = max(np.abs(apart.coef_.T - W).max(), np.abs(apart.intercept_ - b).max())
    return verdict(gap <= tolerance, f"largest difference {gap:.1e}, largest coefficient {np.abs(W).max():.2f}")


@claim("objective-monotone")
def objective_monotone(max_iter=20):
    """objective_[t+1] <= objective_[t] * (1 + 1e-10) for all t on >= 3 data sets and >= 5 parameter pairs; last
    relative change < 1e-5 or t = 20
    """
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
    return verdict(worst <= 1e-10, text, f"{unfinished} runs used all {max_iter} iterations")


def _sample(name, n_rows, at_most=60):
    """Up to 60 standardised rows of a data set; views of its own or two halves of the features."""
    data = load(name)
    rows = np.linspace(0, n_rows - 1, at_most).astype(int)
    X = StandardScaler().fit_transform(data.X[rows])
    half = X.shape[1] // 2
    return X, data.y[rows], data.views or [slice(0, half), slice(half, X.shape[1])]


@claim("robust-to-outliers")
def robust_to_outliers(drops):
    """flip labels or add large noise to 10-20% of training samples: accuracy drop of RRMVFS < drop of the same model
    with squared loss, mean over the repeats, by the corrected paired test for both kinds (p < 0.05)
    """
    outcomes, values, notes = [], [], []
    for kind, frame in drops.items():  # kind -> `fslib.papers.rrmvfs.robustness.outlier_drops`
        wide = frame.pivot(index="repeat", columns="method", values="drop")
        ours, other = wide["RRMVFS"], wide["squared loss"]
        saved, noise = (other - ours).mean(), noise_of_pairs(ours, other, test_to_train=TEST_TO_TRAIN)
        outcomes.append(exceeds(saved, 0.0, noise))
        values.append(f"{kind}: RRMVFS loses {ours.mean():.4f}, squared loss {other.mean():.4f}")
        p = f", p = {paired_t(ours, other, test_to_train=TEST_TO_TRAIN).pvalue:.2g}" if len(wide) > 1 else ""
        notes.append(
            f"{kind}: squared loss less RRMVFS {with_noise(saved, noise)}, {in_std(saved, ours.std(ddof=1))}{p}; "
            f"RFS loses {wide['RFS'].mean():.4f}"
        )
    return verdict(enough(outcomes), "; ".join(values), "; ".join(notes))


@claim("weights-favour-good-views")
def weights_favour_good_views(weights, share=0.9):
    """replace one view by noise: its alpha is the smallest in >= 90% of repeats; undecided within one standard error of
    the share
    """
    noise = weights[weights["view"] == weights["replaced"]]
    if noise.empty:
        return cannot_be_tested("not run: no view was replaced")
    smallest = noise["rank"] == 1
    shares = smallest.groupby([noise["replaced"], noise["gamma"]]).mean()
    note = "; ".join(f"{view} replaced, gamma {gamma:g}: {share:.0%}" for (view, gamma), share in shares.items())
    value = f"{smallest.sum()} of {len(smallest)} fits"
    return verdict(share_reaches(int(smallest.sum()), len(smallest), share), value, note)
