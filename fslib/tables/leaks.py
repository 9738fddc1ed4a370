"""Features that are the target in other words."""

from math import exp, lgamma

import numpy as np

from fslib.solvers.correlation import standardised_columns
from fslib.tables.bulk import blocks, n_distinct

NEARLY = 0.98
"""Share of the rows in which a near copy of classes agrees with them."""

CORRELATED = 0.999
"""Correlation of values or ranks from which a feature nearly repeats a numeric target."""

SEPARATED = 20.0
"""Distance of class means, in standard deviations, from which numbers are the classes with noise on them."""

CHANCE = 1e-3
"""Largest probability that any column would agree with the target as well by chance."""


def target_copies(columns, y, task):
    """Columns that repeat or nearly repeat the target.

    Classes: as many levels as classes, each level in the rows of one class, in at least 98% of the rows and more often
    than chance explains; or numbers of which one cut tells two classes apart. A number: correlation of values or of
    ranks of at least 0.999.

    Parameters
    ----------
    columns : list of Column
    y : array of shape (n,) or (n, c)
    task : {"classification", "regression", "multilabel"}

    Yields
    ------
    tuple
        Name of the column, kind, what was seen, and whether it should be left out.

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> y = np.arange(40) % 2
    >>> list(target_copies([Column("copy", "number", 5.0 - y)], y, "classification"))
    [('copy', 'repeats the target', 'has one value for each class', True)]
    """
    if task == "regression":
        yield from _copies_of_number([c for c in columns if c.kind == "number"], y)
    elif task in ("classification", "multilabel"):
        targets = [(y, "")] if y.ndim == 1 else [(y[:, j], f" {j + 1}") for j in range(y.shape[1])]
        reported = set()
        for target, number in targets:
            of = f" of label{number}" if number else ""
            for name, kind, seen, left_out in _copies_of_classes(columns, target, len(columns) * len(targets)):
                if name not in reported:
                    reported.add(name)
                    yield name, kind, seen + of, left_out


def _copies_of_classes(columns, target, tests):
    known = ~np.isnan(target) if target.dtype.kind == "f" else np.ones(len(target), dtype=bool)
    classes, codes = np.unique(target[known], return_inverse=True)
    full = np.full(len(target), -1)
    full[known] = codes
    if len(classes) < 2 or len(classes) > len(codes) / 2:
        return
    for j in np.flatnonzero(n_distinct(columns, 64) <= len(classes) + 1):
        found = _matching(columns[j], classes, full, tests)
        if found:
            yield columns[j].name, *found
    if len(classes) == 2 and _luck(codes, tests) < CHANCE:
        numbers = [column for column in columns if column.kind == "number"]
        for block in blocks(numbers, len(full)):
            yield from _separating(block, full)


def _luck(codes, tests):
    """Expected number of columns whose levels are these classes by chance, if each deals its levels at random."""
    sizes = np.bincount(codes)
    return tests * exp(sum(lgamma(size + 1) for size in sizes) - lgamma(sizes.sum() + 1))


def _matching(column, classes, codes, tests):
    """A column with as many levels as there are classes, each level in (nearly) all rows of one class."""
    known = ~column.empty & (codes >= 0)
    n = int(known.sum())
    if n < 3 or n < len(codes) / 2:
        return None
    levels, level_codes = np.unique(column.values[known], return_inverse=True)
    if len(levels) != len(classes):
        return None
    table = np.zeros((len(levels), len(classes)), dtype=np.intp)
    np.add.at(table, (level_codes, codes[known]), 1)
    partner = table.argmax(axis=1)
    if len(set(partner.tolist())) < len(classes):
        return None
    n_apart = n - int(table.max(axis=1).sum())
    shown = [column.words[int(level)] for level in levels] if column.kind == "text" else levels.tolist()
    same = all(_alike(value, classes[partner[i]]) for i, value in enumerate(shown))
    luck = _luck(codes[known], tests)
    if n_apart == 0 and (same or luck < CHANCE):
        return "repeats the target", "equals the target" if same else "has one value for each class", True
    if n_apart <= (1 - NEARLY) * n and luck * float(n) ** n_apart < CHANCE:
        return "nearly repeats the target", f"goes with the target in {n - n_apart} of {n} rows", True
    return None


def _alike(value, label):
    return str(value) == str(label) or (not isinstance(value, str) and not isinstance(label, str) and value == label)


def _separating(block, codes):
    """Numbers of which one cut tells two classes apart."""
    X = np.column_stack([column.values.astype(float, copy=False) for column in block])
    empty = np.isnan(X)
    parts = []
    for code in (0, 1):
        part, gone = X[codes == code], empty[codes == code]
        if gone.any():
            parts.append((np.where(gone, np.inf, part).min(axis=0), np.where(gone, -np.inf, part).max(axis=0)))
        else:
            parts.append((part.min(axis=0), part.max(axis=0)))
    (low0, high0), (low1, high1) = parts
    apart = ((high0 < low1) | (high1 < low0)) & (empty.mean(axis=0) < 0.5)
    for j in np.flatnonzero(apart):
        values = [X[(codes == code) & ~empty[:, j], j] for code in (0, 1)]
        if min(map(len, values)) < 2 or len(np.unique(np.concatenate(values))) == 2:
            continue  # two values are levels, looked at already
        spread = np.sqrt(np.mean(np.concatenate([part - part.mean() for part in values]) ** 2))
        far = abs(values[0].mean() - values[1].mean()) > SEPARATED * spread
        cut = sorted([min(high0[j], high1[j]), max(low0[j], low1[j])])
        seen = f"one cut between {cut[0]:g} and {cut[1]:g} tells the classes apart"
        yield block[j].name, "nearly repeats the target", seen, bool(far)


def _copies_of_number(columns, y):
    if len(y) < 10:
        return
    y = y.astype(float)
    ranked = _ranks(y[:, None])
    for block in blocks(columns, len(y)):
        X = np.column_stack([column.values.astype(float) for column in block])
        empty = np.isnan(X)
        for j in np.flatnonzero(empty.any(axis=0) & (empty.mean(axis=0) < 0.5)):
            known = ~empty[:, j]
            yield from _correlated([block[j]], X[known][:, [j]], y[known], _ranks(y[known, None]))
        full = np.flatnonzero(~empty.any(axis=0))
        yield from _correlated([block[j] for j in full], X[:, full], y, ranked)


def _correlated(block, X, y, ranked):
    if not len(block) or len(y) < 10:
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        target = standardised_columns(y[:, None], dtype=float)
        by_value = np.nan_to_num(np.abs(standardised_columns(X, dtype=float).T @ target).ravel())
        by_rank = np.nan_to_num(np.abs(_ranks(X).T @ ranked).ravel())
    for j in np.flatnonzero(np.maximum(by_value, by_rank) >= CORRELATED):
        exact = max(by_value[j], by_rank[j]) > 1 - 1e-12
        what, value = ("its order", by_rank[j]) if by_rank[j] > by_value[j] else ("it", by_value[j])
        kind = "repeats the target" if exact else "nearly repeats the target"
        yield block[j].name, kind, f"{what} follows the target, correlation {value:.6g}", True


def _ranks(X):
    from scipy.stats import rankdata  # here, because it takes long to import

    return standardised_columns(rankdata(X, axis=0), dtype=float)
