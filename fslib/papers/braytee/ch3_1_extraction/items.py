"""Section 3.1: what Tables 3.2 to 3.11 consist of, as trials."""

import pandas as pd

from fslib.papers.braytee.ch3_1_extraction.protocol import CHANCE, FAMILIES, PROPOSED
from fslib.papers.braytee.ch3_data import SECTION_3_1, available

BASE_CLASSIFIERS = ("SVM", "Naive Bayes", "CART", "5-NN")
TABLES = {
    "Table 3.2": ("PCA", "SVM"),
    "Table 3.3": ("PCA", "Naive Bayes"),
    "Table 3.4": ("PCA", "CART"),
    "Table 3.5": ("PCA", "5-NN"),
    "Table 3.6": ("NMF", "SVM"),
    "Table 3.7": ("NMF", "Naive Bayes"),
    "Table 3.8": ("NMF", "CART"),
    "Table 3.9": ("NMF", "5-NN"),
}
"""Item -> what is extracted, and the classifier."""

READINGS = ("published", "corrected")
SHARE = 0.9
"""Of the variance, which section 3.1.3 says the principal components represent."""


def columns(share=True):
    """Ways of extracting features: (method, components, reading), the tables' columns in two components first.

    Examples
    --------
    >>> len(columns()), columns(share=False)[:4]
    (14, [('PCA', 2, ''), ('ADASYN-PCA', 2, ''), ('RU-PCA', 2, ''), ('CSPCA', 2, 'published')])
    """
    found = []
    for name, methods in FAMILIES.items():
        found += [(method, 2, "") for method in methods if method != PROPOSED[name]]
        found += [(PROPOSED[name], 2, reading) for reading in READINGS]
    if share:
        found += [("PCA", SHARE, ""), *(("CSPCA", SHARE, reading) for reading in READINGS)]
    return [*found, (CHANCE, 2, "")]


def classifiers_of(method):
    """Name the classifiers that judge a method: the four of Tables 3.2 to 3.9, and what Tables 3.10 and 3.11 add.

    Examples
    --------
    >>> classifiers_of("RU-PCA"), classifiers_of("NMF")[4:]
    (['SVM', 'Naive Bayes', 'CART', '5-NN'], ['logistic regression', 'CCPDT'])
    """
    more = {"PCA": ["logistic regression", "CCPDT"], "NMF": ["logistic regression", "CCPDT"]}
    more |= {name: ["logistic regression"] for name in PROPOSED.values()}
    return [*BASE_CLASSIFIERS, *more.get(method, [])]


def table_trials(*, datasets, n_repeats, n_repeats_plain, few_repeats=(), share=True, seed=0):
    """List the trials of Tables 3.2 to 3.11, and the data sets that cannot be run.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.braytee.ch3_data.SECTION_3_1`.
    n_repeats : int
        Repeats of five folds.
    n_repeats_plain : int
        The same for PCA with two components, whose range over repeats is compared with the published values.
    few_repeats : sequence of str
        Data sets with one repeat of everything, for their size.
    share : bool
        Run components for 90 % of the variance too.
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        dataset, reason.

    Examples
    --------
    >>> trials, not_run = table_trials(datasets=["ecoli", "adeno"], n_repeats=1, n_repeats_plain=3)
    >>> len(trials), not_run["dataset"].tolist()
    (16, ['Adeno'])
    """
    here, not_run = available(datasets, SECTION_3_1)
    trials = []
    for dataset in here:
        for method, components, reading in columns(share):
            n = n_repeats_plain if (method, components) == ("PCA", 2) else n_repeats
            named = {"dataset": dataset, "method": method, "components": components, "reading": reading, "seed": seed}
            named["classifiers"] = classifiers_of(method)
            trials += [named | {"repeat": repeat} for repeat in range(1 if dataset in few_repeats else n)]
    return trials, pd.DataFrame(not_run)
