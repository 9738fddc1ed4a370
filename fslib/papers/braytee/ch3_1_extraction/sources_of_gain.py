"""What the axes and the decision rule gain, and which of our columns the published ones are."""

import pandas as pd

from fslib.papers.braytee.ch3_1_extraction.items import BASE_CLASSIFIERS, TABLES
from fslib.papers.braytee.ch3_1_extraction.protocol import PROPOSED, family
from fslib.papers.braytee.ch3_1_extraction.tables import ARMS, pick, rule_of, wide
from fslib.reproduction.compare.reported import read_reported


def published_table(item):
    """Published values of a table: data sets as rows, methods as columns."""
    rows = read_reported("braytee", item)
    rows = rows[rows["metric"] == "auc"]
    return rows.assign(value=rows["value"].astype(float)).pivot(index="dataset", columns="method", values="value")


def gains(means, reading="corrected"):
    """Gain in the labels' AUC: of the weighted axes under each rule, and of the balanced rule on unweighted axes.

    Parameters
    ----------
    means : DataFrame
        From :func:`repeat_means`.
    reading : str
        Of CSPCA and CSNMF.

    Returns
    -------
    DataFrame
        Means over the data sets; rows (extraction, components, classifier). "published gain" is that of the tables on
        the same data sets, whose plain column has a balanced rule with the SVM only.
    """
    rows = []
    for item, (name, classifier) in TABLES.items():
        plain, proposed = name, PROPOSED[name]
        for components in sorted(means["components"].unique(), reverse=True):
            rule = {arm: wide(means, name, classifier, arm, components=components, reading=reading) for arm in ARMS[1:]}
            if any(not {plain, proposed} <= set(table) for table in rule.values()):
                continue
            print_ = published_table(item).reindex(rule["plain"].index)
            rows.append(
                {
                    "extraction": name,
                    "components": f"{components:g}",
                    "classifier": classifier,
                    "axes, plain rule": (rule["plain"][proposed] - rule["plain"][plain]).mean(),
                    "axes, balanced rule": (rule["balanced"][proposed] - rule["balanced"][plain]).mean(),
                    "rule, plain axes": (rule["balanced"][plain] - rule["plain"][plain]).mean(),
                    "published gain": (print_[proposed] - print_[plain]).mean(),
                }
            )
    return pd.DataFrame(rows).set_index(["extraction", "components", "classifier"])


FITS = {
    "PCA: two components, as published": ("PCA", "published", 2, "auc_hard", ""),
    "PCA: two components, plain SVM": ("PCA", "plain", 2, "auc_hard", ""),
    "PCA: two components, AUC of scores": ("PCA", "published", 2, "auc", ""),
    "PCA: 90 % of the variance": ("PCA", "published", 0.9, "auc_hard", ""),
    "CSPCA published, published arm": ("CSPCA", "published", 2, "auc_hard", "published"),
    "CSPCA published, balanced rule": ("CSPCA", "balanced", 2, "auc_hard", "published"),
    "CSPCA corrected, published arm": ("CSPCA", "published", 2, "auc_hard", "corrected"),
    "CSPCA corrected, balanced rule": ("CSPCA", "balanced", 2, "auc_hard", "corrected"),
    "PCA, balanced rule, against CSPCA's values": ("PCA", "balanced", 2, "auc_hard", ""),
    "NMF, published arm": ("NMF", "published", 2, "auc_hard", ""),
    "CSNMF published, published arm": ("CSNMF", "published", 2, "auc_hard", "published"),
    "CSNMF published, balanced rule": ("CSNMF", "balanced", 2, "auc_hard", "published"),
    "NMF, balanced rule, against CSNMF's values": ("NMF", "balanced", 2, "auc_hard", ""),
}
"""How a column may have been made -> method, arm, components, metric, reading."""


def fits(means):
    """Distance of each way of making a column from the published values of Tables 3.2 to 3.9.

    Returns
    -------
    DataFrame
        Per way: mean absolute difference in all and per classifier, number of values, and how many of them lie within
        the range of our repeats (to three digits).
    """
    rows = {}
    for title, (method, arm, components, metric, reading) in FITS.items():
        against = PROPOSED[method] if "against" in title else method
        differences, inside = [], 0
        for item, (name, classifier) in TABLES.items():
            if name != family(method):
                continue
            column = pick(
                means,
                method=method,
                classifier=classifier,
                rule=rule_of(arm, classifier),
                metric=metric,
                components=components,
                reading=reading,
            )
            theirs = published_table(item)[against]
            for dataset, values in column.groupby("dataset")["value"]:
                value = theirs[dataset]
                differences.append((classifier, abs(values.mean() - value)))
                inside += values.min() - 5e-4 <= value <= values.max() + 5e-4
        if differences:
            frame = pd.DataFrame(differences, columns=["classifier", "difference"])
            by = frame.groupby("classifier")["difference"].mean().reindex(BASE_CLASSIFIERS).to_dict()
            rows[title] = {"all": frame["difference"].mean(), **by, "values": len(frame), "within our range": inside}
    return pd.DataFrame(rows).T
