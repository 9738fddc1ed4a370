"""Chapter 3 of the thesis: factorisation beside scikit-learn's, and the sizes that bound the experiments."""

import warnings
from functools import partial

import numpy as np
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import ThreadpoolController

from benchmarks.timing import Peer, Work, print_table
from fslib.imbalance import BSNMF, CCPDT, CSNMF, CSPCA, DNMF, ABCSampling, PSOSampling
from fslib.solvers.nmf import Block, factorise, random_start

EXPRESSION = (60, 22277)
"""Samples and features of the thesis's childhood leukaemia data."""


def make_parts(n, d, n_parts=5, seed=0):
    """Non-negative rows in [0, 1] from a few parts and noise; a quarter of them are of the rare class."""
    rng = np.random.default_rng(seed)
    X = rng.gamma(1.0, size=(n, n_parts)) @ rng.gamma(0.3, size=(n_parts, d)) + rng.random((n, d))
    return (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)), np.arange(n) < n // 4


def make_shifted(n, d, n_rare, seed=0):
    """Gaussian rows whose first ten features move with the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n_rare
    X = rng.normal(size=(n, d))
    X[y, :10] += 0.4
    return X, y


def factorisation(n, d, k):
    """Both solvers from one start, ours until it has reached scikit-learn's objective."""
    X, _ = make_parts(n, d)
    block = Block(X.T)
    U, (V,) = random_start([block], k, np.random.default_rng(1))
    fit = lambda: NMF(k, init="custom", tol=1e-4, max_iter=200).fit(X, W=V.copy(), H=np.ascontiguousarray(U.T))
    target = fit().reconstruction_err_ ** 2
    objective = factorise([block], U, [V], tol=0, max_iter=1000).objective
    steps = 1 + int(np.argmax(objective <= target)) if objective[-1] <= target else 1000
    ours = partial(factorise, [block], U, [V], tol=0, max_iter=steps)
    note = f"to {target:.6g}; ours {objective[steps - 1]:.6g} in {steps} iterations"
    return Work(f"n={n}, d={d}, k={k}", ours, None, [Peer("scikit-learn, coordinate descent", fit, note)])


def expression_size():
    """Ranking of the features of an expression matrix."""
    X, y = make_parts(*EXPRESSION)
    fitted = BSNMF(random_state=0).fit(X, y)
    scaled = np.sqrt(np.where(y, 4, 4 / 3))[:, None] * X
    plain = partial(NMF(2, init="random", random_state=0).fit, scaled)
    peer = Peer("scikit-learn NMF of scaled rows", plain, "stops by its own rule")
    return [
        Work("BSNMF, K=2; target 2 s", partial(BSNMF(random_state=0).fit, X, y), None, [peer]),
        Work("BSNMF, K=10", partial(BSNMF(n_components=10, random_state=0).fit, X, y)),
        Work("its permutation test, B=1000; target 3 s", partial(fitted.pvalues, 1000, 0)),
        Work("DNMF", partial(DNMF(random_state=0).fit, X, y)),
        Work("CSPCA, 90 %", partial(CSPCA().fit, X, y)),
        Work("CSNMF, p=2", partial(CSNMF(random_state=0).fit, X, y)),
    ]


def tables():
    """A tree, and searches with their thousands of fits."""
    spam, diabetes = make_shifted(4000, 57, 1576), make_shifted(768, 8, 268)
    cart = Peer(
        "scikit-learn tree, entropy", partial(DecisionTreeClassifier(criterion="entropy").fit, *spam), "compiled"
    )
    search = lambda n, **options: partial(
        ABCSampling(max_evaluations=n, random_state=0, **options).fit_resample, *diabetes
    )
    svc = Peer("the same with SVC, one fit at a time", search(200, estimator=SVC(kernel="linear")))
    return [
        Work("CCPDT, 4000 x 57; target 3 s", partial(CCPDT().fit, *spam), None, [cart]),
        Work("ABC-Sampling, 768 x 8, 200 evaluations", search(200), None, [svc]),
        Work("ABC-Sampling, 768 x 8, 5000; target 60 s", search(5000)),
        Work("PSO sampling, 768 x 8, 5000", partial(PSOSampling(random_state=0).fit_resample, *diabetes)),
    ]


def main(n_jobs, repeats, with_peers):
    """Print all tables of this chapter; the methods have no n_jobs, their threads are those of BLAS."""
    show = partial(print_table, repeats=repeats, with_peers=with_peers)
    with warnings.catch_warnings(), ThreadpoolController().limit(limits=1, user_api="blas"):
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed on purpose
        sizes = [(*EXPRESSION, 2), (*EXPRESSION, 10), (62, 2000, 2), (4000, 57, 2), (4000, 57, 10)]
        show("Factorisation to the same objective, one thread each", [factorisation(*size) for size in sizes])
        show("Expression data, 60 x 22277", expression_size())
        show("Tables", tables())
