"""Claims of paper "mlmlfs", sections 1 to 4: model, algorithm, convergence, recovered labels.

Every function is named after its ``claim_id`` in ``data/reported/claims.csv``, whose column ``check`` holds the
thresholds, and returns a :class:`~fslib.papers.verdict.Verdict`. ``raw`` holds rows of
:func:`fslib.papers.mlmlfs.model.run_model_trial`.
"""

import time

import numpy as np
from scipy import sparse

from fslib.multilabel import MLMLFS
from fslib.multilabel.graph import knn_laplacian
from fslib.papers.mlmlfs.theory import equation_9, equation_11, make_toy
from fslib.papers.verdict import Verdict
from fslib.solvers.manifold_ridge import ManifoldRidge


def fig1_illustration():
    """Say that a drawing of two photographs has nothing to compute."""
    return Verdict(None, "", "two photographs with tags; nothing to compute")


def fig2_convergence(raw, within=30, change=1e-3):
    """Count iterations until the objective changes by less than a thousandth, for every p and both loops."""
    objective = raw[raw["metric"] == "objective"]
    if objective.empty:
        return Verdict(None, "", "not run: Figure 2")
    needed = {}
    for (_, reading, p), part in objective.groupby(["dataset", "reading", "p"]):
        values = part.sort_values("iteration")["value"].to_numpy()
        settled = np.flatnonzero(np.abs(np.diff(values)) <= change * values[1:])
        count = settled[0] + 2 if len(settled) else np.inf
        needed[reading, p] = max(count, needed.get((reading, p), 0))  # the slowest data set counts
    texts = {
        reading: ", ".join(f"p={p:g} {n:g}" for (r, p), n in needed.items() if r == reading)
        for reading in dict.fromkeys(reading for reading, _ in needed)
    }
    value = "; ".join(f"{reading}: {text}" for reading, text in texts.items())
    note = f"iterations until the change is below {change:g}, on {', '.join(objective['dataset'].unique())}"
    return Verdict(bool(max(needed.values()) <= within), value, note)


def objective_monotone(ps=(0.4, 0.6, 0.8, 1.0), n_steps=60):
    """Repeat the W step with all labels known, so that F stays, and look for a rise of the objective.

    b moves along with W: each step is the joint minimum of the bound over both, as in Algorithm 1.
    """
    toy = make_toy(missing=0.0, seed=1)
    worst = {}
    for p in ps:
        history = MLMLFS(alpha=0.01, lam=1.0, p=p, max_iter=n_steps, tol=0, reading="published")
        values = history.fit(toy.X, toy.complete).objective_
        worst[p] = np.max(np.diff(values) / values[:-1])
    text = ", ".join(f"p={p:g} {rise:+.1e}" for p, rise in worst.items())
    note = f"largest relative change per step over {n_steps} steps; W and b move together"
    return Verdict(bool(max(worst.values()) <= 1e-10), text, note)


def woodbury_equal(shapes=((40, 8), (30, 120)), wide=(60, 1200), seed=0):
    """Compare equations 9 and 11 as printed, both with this library's solver, and their run times on wide data."""
    differences = {}
    for n, d in shapes:
        X, F, laplacian, g, h = _random_problem(n, d, seed)
        first, second = (formula(X, F, laplacian, g, h, 0.1, 1.0) for formula in (equation_9, equation_11))
        ridge = ManifoldRidge(X, sparse.csr_array(laplacian), 0.1, 1.0).reweight(1 / g, 1 / h).fit(F)[0]
        differences[n, d] = max(np.abs(first - second).max(), np.abs(first - ridge).max())
    problem = _random_problem(*wide, seed)
    seconds = [min(_seconds(formula, *problem, 0.1, 1.0) for _ in range(3)) for formula in (equation_9, equation_11)]
    text = ", ".join(f"n={n} d={d}: {difference:.1e}" for (n, d), difference in differences.items())
    faster = seconds[0] > seconds[1]
    note = f"largest difference of W; equation 11 is {'faster' if faster else 'slower'} at n={wide[0]}, d={wide[1]}"
    return Verdict(bool(max(differences.values()) <= 1e-8 and faster), text, note)


def _random_problem(n, d, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X -= X.mean(axis=0)
    laplacian = knn_laplacian(X, 5).toarray()
    return X, rng.choice([-1.0, 1.0], size=(n, 3)), laplacian, rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, d)


def _seconds(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def recovers_missing_labels(raw, least=2 / 3):
    """Compare recovered labels with guessing by frequency, on two thirds of the data sets at every rate (4 of 6)."""
    facts = raw[raw["metric"].isin(["recovery_auc", "frequency_auc", "recovery_f1", "frequency_f1"])]
    if facts.empty:
        return Verdict(None, "", "not run: no labels hidden")
    wide = facts.pivot_table(index=["dataset", "missing_pct"], columns="metric", values="value")
    better = (wide["recovery_auc"] > wide["frequency_auc"]) | (wide["recovery_f1"] > wide["frequency_f1"])
    every_rate = better.groupby("dataset", sort=False).all()
    gains = (wide["recovery_auc"] - wide["frequency_auc"]).groupby("missing_pct").mean()
    f1_gains = (wide["recovery_f1"] - wide["frequency_f1"]).groupby("missing_pct").mean()
    note = "mean gain in AUC, F1: " + "; ".join(
        f"{rate}% {gains[rate]:+.3f}, {f1_gains[rate]:+.3f}" for rate in gains.index
    )
    return Verdict(
        bool(every_rate.mean() >= least), f"{every_rate.sum()} of {len(every_rate)} data sets at all rates", note
    )


def smaller_p_sparser(raw):
    """Share of negligible rows of W against p, for every data set, alpha and lambda."""
    facts = raw[raw["metric"] == "zero_rows"]
    wide = facts.pivot_table(index=["dataset", "alpha", "lam"], columns="p", values="value").sort_index(axis=1)
    if wide.shape[1] < 2:
        return Verdict(None, "", "not run: two values of p")
    ordered = (wide.diff(axis=1).iloc[:, 1:] <= 1e-12).all(axis=1)
    text = f"{ordered.sum()} of {len(ordered)} settings"
    note = "mean share of zero rows: " + ", ".join(f"p={p:g} {share:.2f}" for p, share in wide.mean().items())
    return Verdict(bool(ordered.all()), text, note)
