"""Claims of thesis "braytee", section 3.3.1: about the sampler itself, decided on made data without noise.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it.
"""

import numpy as np

from fslib.imbalance import ABCSampling
from fslib.papers.braytee.ch3_3_sampling.protocol import run_trial, split_parts
from fslib.papers.braytee.ch3_3_sampling.theory import planted
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
