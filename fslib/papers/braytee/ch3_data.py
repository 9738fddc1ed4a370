"""Thesis "braytee", chapter 3: which class of which data set is the minority, and under which title each is shown.

The chapter names data sets only. Imbalance ratios and row counts give away which version was meant: those of KEEL,
mostly, which set one class against all others. Ecoli is imU (35 of 336), Glass headlamps (29 of 214), Yeast ME2 (51 of
1484), Vehicle opel (212 of 846), Abalone 19 rings (32 of 4177; KEEL has 4174 rows), Breast of Table 3.1 the 194
complete rows of WPBC, Survival the patients who died. One data set has different titles in different sections.
"""

from functools import lru_cache

import numpy as np
import pandas as pd

from fslib.datasets import load, unavailable_reason

POSITIVE = {
    "diabetes": "positive",
    "spambase": "spam",
    "breast_wpbc": "recurrent",
    "ecoli": "imU",
    "abalone": "19",
    "haberman": "died_within_5_years",
    "blood_transfusion": "donated_march_2007",
    "glass": "headlamps",
    "yeast": "ME2",
    "vehicle": "opel",
    "colon": "normal",
    "australian": "1",
    "ionosphere": "bad",
    "lung_gordon": "mesothelioma",
    "dlbcl_shipp": "FL",
    "dlbcl_gems": "FL",
    "golub": "AML",
    "golub_train": "AML",
    "breast_vantveer": "0",
}
"""Name in :mod:`fslib.datasets` -> the class that is positive; all others together are negative."""

SECTION_3_1 = {
    "diabetes": "Diabetes",
    "spambase": "Spambase",
    "breast_wpbc": "Breast",
    "ecoli": "Ecoli",
    "abalone": "Abalone",
    "haberman": "Survival",
    "blood_transfusion": "Blood",
    "glass": "Glass",
    "yeast": "Yeast",
    "vehicle": "Vehicle",
    "colon": "Colon",
    "adeno": "Adeno",
}
"""Name -> title in Tables 3.1 to 3.11, in the order of the results."""

SECTION_3_2 = {
    "childhood_leukaemia": "Childhood leukaemia",
    "colon": "Colon cancer",
    "lung_gordon": "Lung cancer",
    "gcm": "Global Cancer Map",
    "dlbcl_shipp": "Lymphoma Outcome",
    "golub": "ALL/AML",
    "breast_vantveer": "Breast cancer",
    "dlbcl_gems": "DLBCL",
}
"""Name -> title in Tables 3.12 and 3.13."""

SECTION_3_3 = {
    "childhood_leukaemia": "Childhood leukaemia",
    "colon": "Colon",
    "breast_vantveer": "Breast",
    "blood_transfusion": "Blood",
    "haberman": "Survival",
    "diabetes": "Diabetes",
    "spambase": "Spambase",
    "australian": "Australian Credit Approval",
    "ionosphere": "Ionosphere",
}
"""Name -> title in Tables 3.14 to 3.17."""


@lru_cache(maxsize=4)
def load_task(dataset):
    """Rows without missing values, and 1 for the minority class.

    Parameters
    ----------
    dataset : str
        Key of :data:`POSITIVE`.

    Returns
    -------
    X : array of shape (n, d)
    y : array of {0, 1}, shape (n,)

    Examples
    --------
    >>> X, y = load_task("ecoli")
    >>> X.shape, int(y.sum())
    ((336, 7), 35)
    """
    data = load(dataset)
    X, y = np.asarray(data.X, dtype=float), (data.y == data.target_names.index(POSITIVE[dataset])).astype(int)
    complete = ~np.isnan(X).any(axis=1)
    X, y = X[complete], y[complete]
    X.setflags(write=False)
    y.setflags(write=False)
    return X, y


def available(datasets, titles):
    """Split data sets into those that can be loaded here and a table of the others.

    Parameters
    ----------
    datasets : iterable of str
        Keys of ``titles``.
    titles : dict of str to str
        :data:`SECTION_3_1`, or that of another section.

    Returns
    -------
    here : list of str
    not_run : DataFrame
        dataset (title), reason.

    Examples
    --------
    >>> here, not_run = available(["ecoli", "adeno"], SECTION_3_1)
    >>> here, not_run["dataset"].tolist()
    (['ecoli'], ['Adeno'])
    """
    reasons = {name: unavailable_reason(name) for name in datasets}
    absent = [{"dataset": titles[name], "reason": reason} for name, reason in reasons.items() if reason]
    return [name for name, reason in reasons.items() if not reason], pd.DataFrame(absent, columns=["dataset", "reason"])


def size_rows(datasets, titles):
    """Tidy rows of a table of data sets: samples, features and imbalance ratio (negatives per positive).

    Parameters
    ----------
    datasets : iterable of str
        Those that can be loaded.
    titles : dict of str to str

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> size_rows(["haberman"], SECTION_3_1)[["metric", "value"]].round(2).values.tolist()
    [['n_instances', 306.0], ['n_attributes', 3.0], ['imbalance_ratio', 2.78]]
    """
    rows = []
    for name in datasets:
        X, y = load_task(name)
        sizes = {"n_instances": len(X), "n_attributes": X.shape[1], "imbalance_ratio": np.sum(y == 0) / np.sum(y)}
        rows += [
            {"dataset": titles[name], "method": "", "metric": metric, "value": value} for metric, value in sizes.items()
        ]
    return pd.DataFrame(rows)


def without_decimal_point(values):
    """Numbers as text that has lost its decimal point, as three columns of KEEL's copy of australian have.

    22.08 becomes 2208 and 41.0 stays 41: two numbers that were close are no longer. KEEL's other columns agree with
    UCI's entry by entry, and nothing in the damaged file is an error to a program that reads it.

    Parameters
    ----------
    values : array
        With at most three digits after the point.

    Returns
    -------
    array of float

    Examples
    --------
    >>> without_decimal_point([22.08, 41.0, 0.5, 1.585])
    array([2208.,   41.,    5., 1585.])
    """
    flat = np.asarray(values, dtype=float)
    text = [f"{value:.3f}".rstrip("0").rstrip(".") for value in flat.reshape(-1)]
    return np.array([float(number.replace(".", "")) for number in text]).reshape(flat.shape)
