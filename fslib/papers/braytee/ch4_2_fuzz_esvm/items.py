"""Section 4.2: data sets, methods and numbers of features, and the trials of an experiment."""

import pandas as pd

from fslib.papers.braytee.expression import CONTROLS, SIMULATED, STAND_INS, reason_not_to_run

TITLES = {
    "dlbcl_shipp": "DLBCL-FSCC",
    "prostate_singh_6033": "Prostate cancer",
    "breast_vantveer": "Breast cancer",
    "golub": "ALL/AML",
    **STAND_INS,
}
"""Name in :mod:`fslib.datasets` -> name in the tables. DLBCL-FSCC is DLBCL against FL and Breast cancer the set of 77
samples: the published values of Table 4.6 are possible with the test parts of these, and not of the ones described."""

FIGURES = {
    "Childhood leukaemia": "Figures 4.6-4.7",
    "DLBCL-FSCC": "Figures 4.8-4.9",
    "Prostate cancer": "Figures 4.10-4.11",
    "Breast cancer": "Figures 4.12-4.13",
    "ALL/AML": "Figures 4.14-4.15",
}
"""Data set -> figures that show it."""

METHODS = ("SVM-RFE", "Fuzzy Forest", "HLR", "Fuzz-ESVM")
"""As in Table 4.6."""

OURS = ("ESVM-RFE",)
"""The second phase of Fuzz-ESVM on all features: what do the modules add?"""

LEAK = "selected on all rows"
"""Control: SVM-RFE that has seen the test rows."""

READINGS = {"ESVM-RFE": ("corrected", "published"), "Fuzz-ESVM": ("corrected", "published")}
"""Methods with two readings; the others have one."""

STATISTICS = ("min", "q1", "median", "mean", "q3", "max")

K_FIXED = 50
"""Number of features of the arm in which nothing is chosen on test rows: half of the largest number judged."""


def trials(*, datasets, sizes, n_splits, n_repeated, methods, controls, readings, n_bootstraps, n_genes, effort, seed):
    """List the trials of Table 4.6 and Figures 4.6 to 4.15, and the data sets that cannot be run.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`TITLES`.
    sizes : list of int
        Numbers of features judged.
    n_splits : dict of str to int
        Splits of each method, ``"other"`` for methods that are not named.
    n_repeated : dict of str to list of int
        Method -> splits and bootstrap samples for selection within every bootstrap sample (R2).
    methods, controls : list of str
    readings : list of str
        Which readings to run of methods that have two.
    n_bootstraps : int
        For selection once (R1).
    n_genes : int or None
    effort : dict
        See :func:`fslib.papers.braytee.ch4_2_fuzz_esvm.protocol.ranking`.
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        dataset, reason.
    """
    listed, absent = [], []
    for name in datasets:
        if reason := reason_not_to_run(name):
            absent.append({"dataset": TITLES[name], "reason": reason})
            continue
        data = {} if name == SIMULATED else {"dataset": name}
        shared = data | {"sizes": sizes, "n_genes": n_genes, "effort": effort, "seed": seed}
        for method in (*methods, *controls):
            for reading in [r for r in READINGS.get(method, ("",)) if r in ("", *readings)]:
                named = shared | {"method": method, "reading": reading}
                for split in range(n_splits.get(method, n_splits["other"])):
                    listed.append(named | {"split": split, "selection": "once", "n_bootstraps": n_bootstraps})
                splits, bags = n_repeated.get(method, (0, 0)) if reading in ("", readings[0]) else (0, 0)
                for split in range(splits):
                    listed.append(named | {"split": split, "selection": "every bootstrap", "n_bootstraps": bags})
    return listed, pd.DataFrame(absent, columns=["dataset", "reason"])


ALL_CONTROLS = (*CONTROLS, LEAK)
"""All rows of comparison."""


def estimate_trials(*, datasets, sizes, n_bootstraps, n_genes, effort, seed):
    """List the trials of the .632+ estimate on all rows: selection inside, and outside as it should not be.

    Returns
    -------
    list of dict
        For :func:`fslib.papers.braytee.ch4_2_fuzz_esvm.protocol.estimate_632`.
    """
    arms = [("SVM-RFE", True, "own"), ("ESVM-RFE", True, "own"), ("random features", True, "own")]
    arms += [("SVM-RFE", False, "own"), ("SVM-RFE", True, "shuffled"), ("SVM-RFE", False, "shuffled")]
    listed = []
    for name in datasets:
        if reason_not_to_run(name):
            continue
        data = {} if name == SIMULATED else {"dataset": name}
        data |= {"sizes": sizes, "n_bootstraps": n_bootstraps, "n_genes": n_genes, "effort": effort, "seed": seed}
        listed += [data | {"method": m, "inside": inside, "labels": labels} for m, inside, labels in arms]
    return listed
