"""Section 3.2: Table 3.13 as trials and as rows."""

import pandas as pd

from fslib.evaluation.stats import paired_t
from fslib.papers.braytee.ch3_2_bsnmf.protocol import CHANCE, RULES
from fslib.papers.braytee.ch3_data import SECTION_3_2, available
from fslib.tidy import COLUMNS, format_setting

SIMULATED = "Childhood leukaemia (simulated)"
FURTHER = {"golub_train": "ALL/AML, 38 samples (ours)", "simulated": SIMULATED}
"""Not data of the thesis: shown, never judged and never compared with published values."""

TITLES = SECTION_3_2 | FURTHER
RANKS = (2, 4, 6, 8, 10)
READINGS = ("published", "corrected")


def table_trials(*, datasets, further, simulated, ranks, folds, seed=0):
    """List the trials of Table 3.13, and the data sets that cannot be run.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.braytee.ch3_data.SECTION_3_2`.
    further : list of str
        Further ones of :data:`FURTHER`.
    simulated : int
        Features of the simulated data; 0 leaves them out.
    ranks : list of int
    folds : dict of str to int
        Folds by data set, where it is not leave-one-out; "simulated" among them.
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame

    Examples
    --------
    >>> options = {"further": ["golub_train"], "simulated": 300, "ranks": [2, 4], "folds": {"simulated": 5}}
    >>> trials, not_run = table_trials(datasets=["gcm"], **options)
    >>> len(trials), not_run["dataset"].tolist()            # two ranks of (NMF, two readings of BSNMF), DNMF, chance
    (16, ['Global Cancer Map'])
    """
    here, not_run = available([*datasets, *further], TITLES)
    trials = []
    for dataset in [*here, *(["simulated"] if simulated else [])]:
        data = {"simulated": simulated} if dataset == "simulated" else {"dataset": dataset}
        common = data | {"n_folds": dict(folds).get(dataset, 0), "seed": seed}
        listed = [("DNMF", 2, ""), (CHANCE, 2, "corrected")] if 2 in ranks else []
        for k in ranks:
            listed += [("NMF", k, ""), *(("BSNMF", k, reading) for reading in READINGS)]
        trials += [common | {"method": method, "k": k, "reading": reading} for method, k, reading in listed]
    return trials, not_run


def table_rows(raw):
    """Tidy rows of Table 3.13: the arm "published" (labels, balanced SVM) as "auc", and both rules and metrics."""
    rows = []
    for row in raw.itertuples():
        arms = [(row.rule or "planted", row.metric)]
        if (row.rule, row.metric) == ("balanced", "auc_hard"):
            arms.append(("published", "auc"))
        for arm, metric in arms:
            cv = f"{row.n_folds}fold" if row.n_folds else "LOO"
            setting = format_setting(k=row.k, arm=arm, cv=cv, reading=row.reading or None)
            found = {"paper": "braytee", "item": "Table 3.13", "dataset": TITLES[row.dataset], "method": row.method}
            rows.append(found | {"setting": setting, "metric": metric, "value": row.value, "std": float("nan"), "n": 1})
    return pd.DataFrame(rows, columns=COLUMNS)


def wide(raw, rule="balanced", metric="auc_hard", reading="published", only=None):
    """Values of one arm: (data set, rank) as rows, methods as columns.

    Parameters
    ----------
    raw : DataFrame
    rule : {"plain", "balanced", ""}
    metric : str
    reading : str
        Of BSNMF.
    only : collection of str, optional
        Titles of data sets.
    """
    keep = (raw["rule"] == rule) & (raw["metric"] == metric) & raw["reading"].isin(["", reading])
    rows = raw[keep & (raw["method"] != CHANCE)].assign(dataset=raw["dataset"].map(TITLES))
    if only is not None:
        rows = rows[rows["dataset"].isin(only)]
    table = rows.pivot(index=["dataset", "k"], columns="method", values="value")
    return table[[method for method in ("NMF", "DNMF", "BSNMF") if method in table]]


def chance(raw):
    """Chance level: both rules and metrics per data set."""
    rows = raw[raw["method"] == CHANCE].assign(dataset=raw["dataset"].map(TITLES))
    return rows[rows["rule"].isin(RULES)].pivot(index="dataset", columns=["rule", "metric"], values="value")


def rank_tests(table):
    """Paired t-test of BSNMF against NMF over data sets, per rank: k, gain, n, p."""
    rows = []
    for k, part in table[["BSNMF", "NMF"]].dropna().groupby("k"):
        if len(part) > 1:
            gain, p = (part["BSNMF"] - part["NMF"]).mean(), paired_t(part["BSNMF"], part["NMF"]).pvalue
            rows.append({"k": k, "gain": gain, "n": len(part), "p": p})
    return pd.DataFrame(rows, columns=["k", "gain", "n", "p"])


def folds_note(raw, only=None):
    """Say on which data sets folds stand in for leave-one-out; empty where none do.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.braytee.ch3_2_bsnmf.protocol.run_trial`.
    only : collection of str, optional
        Titles of data sets.

    Examples
    --------
    >>> folds_note(pd.DataFrame({"dataset": ["colon", "golub", "dlbcl_gems"], "n_folds": [0, 10, 10]}))
    '10 folds in place of leave-one-out on ALL/AML, DLBCL'
    """
    rows = raw.assign(dataset=raw["dataset"].map(TITLES))
    rows = rows[(rows["n_folds"] > 0) & (rows["dataset"].isin(only) if only is not None else True)]
    parts = [
        f"{n_folds} folds in place of leave-one-out on {', '.join(part['dataset'].unique())}"
        for n_folds, part in rows.groupby("n_folds")
    ]
    return "; ".join(parts)
