"""Claims of thesis "braytee", section 3.3.1: about the sampler itself, decided on made data without noise.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it.
"""

import numpy as np

from fslib.imbalance import ABCSampling
from fslib.papers.braytee.ch3_3_sampling.protocol import run_trial, split_parts
from fslib.papers.braytee.ch3_3_sampling.theory import TracedABC, planted, stages
from fslib.papers.braytee.ch3_data import load_task
from fslib.papers.claims import claim, verdict


@claim("fig3-5-phases")
def fig3_5_phases(dataset="haberman", n_evaluations=40):
    """split sizes within one sample of 2/3 and 1/3; fitness never reads a test row: with the features of all test rows
    replaced by noise the search keeps the same samples
    """
    (_, y), (X_test, y_test) = split_parts(dataset, "", 0, 0)
    n = len(load_task(dataset)[1])
    off = max(abs(len(y) - 2 * n / 3), abs(len(y_test) - n / 3))
    options = {"n_sources": 5, "max_iter": 250, "limit": 10, "max_evaluations": n_evaluations}
    trial = {"dataset": dataset, "ratio": "", "method": "ABC-Sampling", "reading": "published", "options": options}
    fitness = []
    for replaced in (False, True):
        if replaced:
            X_test[:] = np.random.default_rng(0).normal(size=X_test.shape)
        rows = run_trial(**trial, split=0, seed=0)
        fitness.append([row["value"] for row in rows if row["metric"] in ("fitness_best", "fitness_selected")])
    split_parts.cache_clear()  # its test rows are noise now
    same = fitness[0] == fitness[1]
    value = f"{len(y)} training and {len(y_test)} test rows of {n}; the search is {'the same' if same else 'another'}"
    note = "for biomedical data the thesis moves dropped training rows to the test part afterwards"
    return verdict(off <= 1 and same, value, note)


@claim("fig3-6-bit-vector")
def fig3_6_bit_vector():
    """len(solution) = number of majority training samples; values in {0,1}; final training set is balanced"""
    X, y, _ = planted()
    n_common, n_rare = int(np.sum(y == 0)), int(np.sum(y == 1))
    sampler = ABCSampling(n_sources=5, max_evaluations=30, reading="published", random_state=0)
    _, y_kept = sampler.fit_resample(X, y)
    bits = np.zeros(n_common, dtype=int)
    bits[np.searchsorted(np.flatnonzero(y == 0), np.setdiff1d(sampler.sample_indices_, np.flatnonzero(y == 1)))] = 1
    balanced = np.bincount(y_kept).tolist() == [n_rare, n_rare] and bits.sum() == n_rare
    ranked = sorted(sampler.ranking_.tolist()) == np.flatnonzero(y == 0).tolist()
    value = f"{len(bits)} bits for {n_common} common samples; {np.bincount(y_kept).tolist()} samples per class kept"
    return verdict(balanced and ranked and len(bits) == n_common, value)


@claim("fig2-1-abc-stages")
def fig2_1_abc_stages(n_sources=4, max_iter=20, limit=3):
    """trace of one run: stage order per iteration is employed, onlooker, scout; best fitness so far never falls"""
    X, y, _ = planted()
    traced, in_order, never_falls = {}, {}, {}
    for reading in ("corrected", "published"):
        sampler = TracedABC(
            n_sources=n_sources, max_iter=max_iter, limit=limit, max_evaluations=None, reading=reading, random_state=0
        )
        sampler.fit_resample(X, y)
        traced[reading] = stages(sampler.drawn_)
        in_order[reading] = _iterations_in_order(traced[reading], max_iter)
        best = sampler.history_[0]
        never_falls[reading] = bool(np.all(np.diff(best) >= 0) and best[-1] == max(sampler.seen_))
    counts = {name: traced["corrected"].count(name) for name in ("employed", "onlooker", "scout")}
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    value = f"{in_order['corrected']} of {max_iter} iterations in order ({listed})"
    value += f"; the best value {'never falls' if never_falls['corrected'] else 'falls'}"
    note = f"Algorithm 1 as printed: {traced['published'].count('onlooker')} onlooker stages, which it does not have"
    return verdict(in_order["corrected"] == max_iter and never_falls["corrected"] and counts["scout"] > 0, value, note)


def _iterations_in_order(found, max_iter):
    """How many iterations are employed, onlooker and, where a source was given up, scout."""
    if found[:1] != ["initialisation"]:
        return 0
    iterations, rest = [], found[1:]
    for name in rest:
        if name == "employed" or not iterations:
            iterations.append([])
        iterations[-1].append(name)
    right = (["employed", "onlooker"], ["employed", "onlooker", "scout"])
    return sum(iteration in right for iteration in iterations) if len(iterations) == max_iter else 0
