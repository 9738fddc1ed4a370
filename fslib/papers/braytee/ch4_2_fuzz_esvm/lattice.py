"""Table 4.6: which of its numbers can be what? The values that an AUC of labels can take on a small test part.

On a test part with a rows of one class and b of the other, sensitivity is i/a and specificity j/b, so the AUC of
labels, their mean, is ``i/(2a) + j/(2b)``. Minimum and maximum over bootstrap samples are such values (quartiles and
medians too, unless they fall between two of them), and a table of three digits can be checked for them. The .632+
estimate is a mixture with the AUC on the training rows, never below 0.5, and lies on no such lattice.
"""

import numpy as np
import pandas as pd

from fslib.tidy import parse_setting

QUANTILES = ("min", "q1", "median", "q3", "max")

CLASS_SIZES = {
    "DLBCL-FSCC": (19, 58),
    "Prostate cancer": (50, 52),
    "Breast cancer": (33, 44),
    "ALL/AML": (25, 47),
    "Childhood leukaemia": (20, 40),
}
"""Rows of the two classes: FL and DLBCL, healthy and tumour, relapse and none (77 samples), AML and ALL; those of the
leukaemia are not known, 20 and 40 is what fits."""


def lattice(a, b):
    """All values of an AUC of labels on a and b test rows, ascending.

    Examples
    --------
    >>> lattice(1, 2)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    return np.unique((np.arange(a + 1)[:, None] / (2 * a) + np.arange(b + 1) / (2 * b)).round(12))


def on_lattice(values, a, b, shift=0.0):
    """Which three-digit numbers are a value of the lattice, rounded or cut, after a shift is taken off.

    Examples
    --------
    ALL/AML, Fuzz-ESVM: 0.815 is 1 - 2/14 - 1/24 = 0.8155, cut; and a number that is none.

    >>> on_lattice([0.815, 0.928, 0.958, 1.0, 0.9], 7, 12)
    array([ True,  True,  True,  True, False])
    """
    values = np.atleast_1d(np.asarray(values, dtype=float)) - shift
    above = lattice(a, b)[None, :] - values[:, None]  # cut: from 0 to 0.001; rounded: from -0.0005 to 0.0005
    return ((above >= -0.0005 - 1e-9) & (above < 0.001 - 1e-9)).any(axis=1)


def share_of_numbers(a, b):
    """Share of the three-digit numbers from 0.5 to 1 that the lattice explains: how easily chance meets it.

    Examples
    --------
    >>> round(share_of_numbers(5, 15), 2)
    0.04
    """
    return float(on_lattice(np.arange(500, 1001) / 1000, a, b).mean())


def best_shift(values, a, b, largest=0.05):
    """Smallest shift, in thousandths, under which most values lie on the lattice; and how many then do.

    Examples
    --------
    >>> best_shift([0.081, 0.331, 0.381, 0.431, 0.681], 5, 10)
    (-0.019, 5)
    """
    shifts = sorted(np.arange(-round(largest * 1000), round(largest * 1000) + 1) / 1000, key=abs)
    counts = [int(on_lattice(values, a, b, shift).sum()) for shift in shifts]
    return float(shifts[int(np.argmax(counts))]), max(counts)


def lattice_table(published):
    """Every row of Table 4.6 against the lattice of its test part.

    Parameters
    ----------
    published : DataFrame
        ``read_reported("braytee", "Table 4.6")``.

    Returns
    -------
    DataFrame
        Per data set and method: test rows, the five quantiles, how many lie on the lattice, the share of all
        three-digit numbers that do, the shift that fits best and how many values it brings there, and whether
        the row can be an AUC of labels.
    """
    rows = published.assign(statistic=[parse_setting(s)["statistic"] for s in published["setting"]])
    lines = []
    for (dataset, method), group in rows.groupby(["dataset", "method"], sort=False):
        values = group.set_index("statistic")["value"].astype(float)[list(QUANTILES)].to_numpy()
        a, b = (-(-n // 4) for n in CLASS_SIZES[dataset])
        hits = int(on_lattice(values, a, b).sum())
        shift, shifted = best_shift(values, a, b)
        word = "possible" if hits == 5 else "quantiles between values" if hits == 4 else "no known reading"
        lines.append(
            {
                "dataset": dataset,
                "method": method,
                "test rows": f"{a}/{b}",
                "values": " ".join(f"{v:.3f}" for v in values),
            }
            | {"on lattice": hits, "by chance": share_of_numbers(a, b), "shift": shift, "then": shifted, "row": word}
        )
    return pd.DataFrame(lines).set_index(["dataset", "method"])
