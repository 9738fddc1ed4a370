"""The t-tests of the thesis's tables, recomputed from the values that stand above them.

Tables 3.2 to 3.11, 3.13 and 4.2 to 4.4 end with p-values of a t-test over data sets, 46 in all. Whether they follow
from the published means can be computed.
"""

import pandas as pd
from scipy.stats import ttest_ind, wilcoxon
from statsmodels.stats.multitest import multipletests

from fslib.evaluation.stats import paired_t
from fslib.reproduction.compare.reported import read_reported
from fslib.tidy import parse_setting

ITEMS = (*(f"Table 3.{i}" for i in range(2, 12)), "Table 3.13", "Table 4.2", "Table 4.3", "Table 4.4")


def published_tests(items=ITEMS):
    """Every published p-value beside those that follow from the published means.

    Parameters
    ----------
    items : sequence of str

    Returns
    -------
    DataFrame
        item, setting (that tells several of an item apart), method, reference, published (text), n (data sets), paired
        and unpaired t-test, wilcoxon, wilcoxon_holm (over all rows), and as_published: which t-test has the published
        digits.

    Examples
    --------
    >>> published_tests(["Table 3.4"])[["method", "published", "paired", "as_published"]].round(3).values.tolist()[:2]
    [['PCA', '4.2e-3', 0.004, 'neither'], ['ADASYN-PCA', '7.5e-4', 0.001, 'paired']]
    """
    rows = []
    for item in items:
        reported = read_reported("braytee", item)
        parsed = [parse_setting(setting) for setting in reported["setting"]]
        reported = reported.assign(k=[p.get("k", "") for p in parsed], reference=[p.get("reference") for p in parsed])
        values = reported[(reported["metric"] == "auc") & (reported["value"] != "")]
        values = values.assign(value=values["value"].astype(float))
        for test in reported[(reported["metric"] == "p_value") & (reported["value"] != "")].itertuples():
            part = values[values["k"] == test.k].pivot_table(index="dataset", columns="method", values="value")
            pair = part[[test.reference, test.method]].dropna()
            found = {"item": item, "setting": f"k={test.k}" if test.k else "", "method": test.method}
            found |= {"reference": test.reference, "published": test.value, "n": len(pair)}
            rows.append(found | _tests(*pair.to_numpy().T, test.value))
    frame = pd.DataFrame(rows)
    return frame.assign(wilcoxon_holm=multipletests(frame["wilcoxon"], method="holm")[1])


def _tests(ours, theirs, published):
    found = {"paired": paired_t(ours, theirs).pvalue, "unpaired": float(ttest_ind(ours, theirs).pvalue)}
    same = [name for name, p in found.items() if _has_digits(p, published)]
    return found | {"wilcoxon": float(wilcoxon(ours - theirs).pvalue), "as_published": same[0] if same else "neither"}


def _has_digits(p, published):
    """Whether p is the published number to its digits, one unit in the last place allowed: the means are rounded."""
    mantissa, _, exponent = published.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(p - float(published)) <= 1.01 * unit
