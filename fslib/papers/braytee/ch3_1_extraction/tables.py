"""Section 3.1: trials as the rows of Tables 3.2 to 3.11, and tests over data sets.

Three arms: ``published`` is what fits the published values of PCA (two components, the labels' AUC, classes balanced by
the support vector machine alone); ``plain`` and ``balanced`` give every column the same decision rule.
"""

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon
from statsmodels.stats.multitest import multipletests

from fslib.evaluation.stats import paired_t
from fslib.papers.braytee.ch3_1_extraction.items import READINGS, TABLES
from fslib.papers.braytee.ch3_1_extraction.protocol import FAMILIES, PROPOSED
from fslib.papers.braytee.ch3_data import SECTION_3_1
from fslib.tidy import COLUMNS, format_setting

ARMS = ("published", "plain", "balanced")
FEWEST = 6
"""Data sets that a test over data sets needs at least: on five, Wilcoxon's cannot fall below 0.06."""


def rule_of(arm, classifier):
    """Decision rule of a classifier in an arm.

    Examples
    --------
    >>> rule_of("published", "SVM"), rule_of("published", "CART"), rule_of("plain", "CCPDT")
    ('balanced', 'plain', '')
    """
    if classifier == "CCPDT":
        return ""
    return ("balanced" if classifier == "SVM" else "plain") if arm == "published" else arm


def repeat_means(raw):
    """Mean over the folds of every repeat: the rows of a run without their folds, data sets under their titles."""
    keys = ["dataset", "method", "components", "reading", "repeat", "classifier", "rule", "metric"]
    return raw.assign(dataset=raw["dataset"].map(SECTION_3_1)).groupby(keys, as_index=False, sort=False)["value"].mean()


def pick(means, *, method, classifier, rule, metric, components=2, reading=""):
    """Rows of one column of a table.

    Parameters
    ----------
    means : DataFrame
        From :func:`repeat_means`, or with folds.
    method, classifier, rule, metric, components, reading
        Values of its columns; the reading counts only for methods that have two.
    """
    reading = reading if method in PROPOSED.values() else ""
    wanted = {"method": method, "classifier": classifier, "rule": rule, "metric": metric, "reading": reading}
    keep = means["components"] == components
    for name, value in wanted.items():
        keep &= means[name] == value
    return means[keep]


def wide(means, family_name, classifier, arm, *, metric="auc_hard", components=2, reading="published"):
    """Mean over the repeats of one table: data sets as rows, methods as columns."""
    found = {}
    for method in FAMILIES[family_name]:
        rule = rule_of(arm, classifier)
        column = pick(
            means,
            method=method,
            classifier=classifier,
            rule=rule,
            metric=metric,
            components=components,
            reading=reading,
        )
        if len(column):
            found[method] = column.groupby("dataset")["value"].mean()
    return pd.DataFrame(found).reindex([title for title in SECTION_3_1.values() if title in set(means["dataset"])])


# (name in the table, method, classifier, rule, metric of the published arm)
FURTHER = {
    "Table 3.10": [
        ("PCA-ML-CST", "PCA", "logistic regression", "balanced", "auc_hard"),
        ("CSPCA", "CSPCA", "logistic regression", "plain", "auc_hard"),
        ("NMF-ML-CST", "NMF", "logistic regression", "balanced", "auc_hard"),
        ("CSNMF", "CSNMF", "logistic regression", "plain", "auc_hard"),
    ],
    "Table 3.11": [
        ("PCA-CCPDT", "PCA", "CCPDT", "", "auc_pooled"),
        ("CSPCA", "CSPCA", "CART", "plain", "auc_hard"),
        ("NMF-CCPDT", "NMF", "CCPDT", "", "auc_pooled"),
        ("CSNMF", "CSNMF", "CART", "plain", "auc_hard"),
    ],
}
REFERENCE_CLASSIFIER = {"Table 3.10": "logistic regression", "Table 3.11": "CART"}


def table_rows(raw):
    """Tidy rows of Tables 3.2 to 3.11.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.braytee.ch3_1_extraction.protocol.run_trial`.

    Returns
    -------
    dict of str to DataFrame
        Item -> rows. In the arm "published" a row per repeat (setting ``start``) with the labels' AUC under the metric
        "auc", as the thesis calls it; in the others means over repeats of "auc_hard" and of "auc", that of the scores.
        p-values over data sets where there are :data:`FEWEST` of them.
    """
    means = repeat_means(raw)
    tests = pd.concat([our_tests(means, reading).assign(reading=reading) for reading in READINGS])
    items = {}
    for item, (name, classifier) in TABLES.items():
        rows = []
        for method in FAMILIES[name]:
            for reading in READINGS if method in PROPOSED.values() else ("",):
                rows += _published_rows(means, method, method, classifier, "auc_hard", reading)
                for arm, metric in [(arm, metric) for arm in ARMS[1:] for metric in ("auc_hard", "auc")]:
                    rows += _mean_rows(means, method, method, classifier, arm, metric, reading)
        items[item] = rows + _p_rows(tests, item)
    for item, listed in FURTHER.items():
        rows = []
        for title, method, classifier, rule, metric in listed:
            for reading in READINGS if method in PROPOSED.values() else ("",):
                rows += _published_rows(means, title, method, classifier, metric, reading, rule, item)
        items[item] = rows + _p_rows(tests, item)
    return {
        item: pd.DataFrame(rows).assign(paper="braytee", item=item)[COLUMNS] for item, rows in items.items() if rows
    }


def _published_rows(means, title, method, classifier, metric, reading, rule=None, item=None):
    rule = rule_of("published", classifier) if rule is None else rule
    column = pick(means, method=method, classifier=classifier, rule=rule, metric=metric, reading=reading)
    named = {"classifier": REFERENCE_CLASSIFIER.get(item, classifier), "arm": "published", "components": 2}
    return [
        {
            "dataset": row.dataset,
            "method": title,
            "setting": format_setting(**named, reading=reading or None, start=row.repeat),
            "metric": "auc",
            "value": row.value,
            "std": np.nan,
            "n": 1,
        }
        for row in column.itertuples()
    ]


def _mean_rows(means, title, method, classifier, arm, metric, reading):
    rows = []
    for components in sorted(means["components"].unique(), reverse=True):
        column = pick(
            means,
            method=method,
            classifier=classifier,
            rule=rule_of(arm, classifier),
            metric=metric,
            components=components,
            reading=reading,
        )
        setting = format_setting(classifier=classifier, arm=arm, components=f"{components:g}", reading=reading or None)
        for dataset, values in column.groupby("dataset", sort=False)["value"]:
            row = {"dataset": dataset, "method": title, "setting": setting, "metric": metric, "value": values.mean()}
            rows.append(row | {"std": values.std(), "n": len(values)})
    return rows


def published_arm(means, item, reading="published"):
    """One table as published: data sets as rows, its methods as columns, means over repeats."""
    if item in TABLES:
        return wide(means, *TABLES[item], "published", reading=reading)
    found = {
        title: pick(means, method=method, classifier=classifier, rule=rule, metric=metric, reading=reading)
        .groupby("dataset")["value"]
        .mean()
        for title, method, classifier, rule, metric in FURTHER[item]
    }
    return pd.DataFrame(found).reindex([title for title in SECTION_3_1.values() if title in set(means["dataset"])])


def reference_of(item, method):
    """Name the column that a method is compared with, in Tables 3.2 to 3.11.

    Examples
    --------
    >>> reference_of("Table 3.2", "PCA"), reference_of("Table 3.10", "NMF-ML-CST")
    ('CSPCA', 'CSNMF')
    """
    return PROPOSED[TABLES[item][0] if item in TABLES else method.split("-")[0]]


def our_tests(means, reading="published"):
    """Tests over data sets of the proposed column against each other one, as the thesis has them and as it should.

    Parameters
    ----------
    means : DataFrame
        From :func:`repeat_means`.
    reading : str
        Of CSPCA and CSNMF.

    Returns
    -------
    DataFrame
        item, method, reference, gain (mean over data sets), n, t_test, wilcoxon, wilcoxon_holm (corrected for all
        comparisons of the ten tables together).
    """
    rows = []
    for item in (*TABLES, *FURTHER):
        table = published_arm(means, item, reading)
        for method in table.columns.drop(list(PROPOSED.values()), errors="ignore"):
            reference = reference_of(item, method)
            pair = table[[reference, method]].dropna()
            if len(pair) >= FEWEST:
                rows.append({"item": item, "method": method, "reference": reference} | _tests(*pair.to_numpy().T))
    return _with_holm(pd.DataFrame(rows))


def _tests(ours, theirs):
    gain = ours - theirs
    return {
        "gain": gain.mean(),
        "n": len(gain),
        "t_test": paired_t(ours, theirs).pvalue,
        "wilcoxon": float(wilcoxon(gain).pvalue) if np.any(gain) else 1.0,
    }


def _with_holm(frame):
    if len(frame):
        frame["wilcoxon_holm"] = multipletests(frame["wilcoxon"], method="holm")[1]
    return frame


def _p_rows(tests, item):
    classifier = TABLES[item][1] if item in TABLES else REFERENCE_CLASSIFIER[item]
    rows = []
    for row in tests[tests["item"] == item].itertuples() if len(tests) else ():
        setting = format_setting(classifier=classifier, arm="published", reading=row.reading, reference=row.reference)
        found = {"dataset": "all", "method": row.method, "setting": setting, "metric": "p_value"}
        rows.append(found | {"value": row.t_test, "std": np.nan, "n": row.n})
    return rows
