"""Made-up data of known shape and structure, for speed and for large k where no real data can be had offline."""

import numpy as np
from sklearn.utils import Bunch

_COLUMNS = 100  # columns drawn at a time, so that the real-valued draft of the whole matrix never exists


def make_gisette_like(n_samples=4200, n_features=5000, *, n_factors=60, random_state=0):
    """Generate two balanced classes and columns of three levels, in the shape of Gisette's training part.

    Not Gisette, and nothing measured on it says anything about error rates there. It shares what costs time and makes
    selection non-trivial: the shape, three levels, half of the columns being probes without information, and the other
    half being groups of near-copies. Each informative column is a noisy view of one of ``n_factors`` hidden factors,
    whose mean differs between the classes by less and less from the first factor to the last.

    Parameters
    ----------
    n_samples, n_features : int
    n_factors : int
        Number of hidden factors, that is of groups of redundant columns.
    random_state : int, Generator or None

    Returns
    -------
    Bunch
        ``X`` : uint8 (n, d) in {0, 1, 2}. ``y`` : int64 (n,). ``factor`` : (d,), the hidden factor of each column, -1
        for a probe. ``target_names``, ``feature_names`` : lists of str. ``DESCR``, ``source``, ``licence`` : str.

    Examples
    --------
    >>> data = make_gisette_like(100, 20)
    >>> data.X.shape, int(data.X.max()), int((data.factor < 0).sum())
    ((100, 20), 2, 10)
    """
    for name, value in (("n_samples", n_samples), ("n_features", n_features), ("n_factors", n_factors)):
        if value < 1:
            raise ValueError(f"{name}={value} must be at least 1.")
    random = np.random.default_rng(random_state)
    y = random.permutation(np.arange(n_samples) % 2)
    strength = 1.0 / np.sqrt(1.0 + np.arange(n_factors))
    hidden = random.standard_normal((n_samples, n_factors), dtype=np.float32) + np.outer(2 * y - 1, strength) / 2
    factor = np.full(n_features, -1)
    factor[random.permutation(n_features)[n_features // 2 :]] = random.integers(
        n_factors, size=n_features - n_features // 2
    )
    share = np.where(factor < 0, 0.0, random.uniform(0.3, 0.95, size=n_features))  # of the factor in the column
    X = np.empty((n_samples, n_features), dtype=np.uint8)
    for start in range(0, n_features, _COLUMNS):
        part = slice(start, start + _COLUMNS)
        noise = random.standard_normal((n_samples, len(factor[part])), dtype=np.float32)
        value = share[part] * hidden[:, factor[part]] + np.sqrt(1 - share[part] ** 2) * noise
        np.add(value >= -1, value >= 1, out=X[:, part], dtype=np.uint8)
    return Bunch(
        X=X,
        y=y.astype(np.int64),
        factor=factor,
        target_names=["a", "b"],
        feature_names=[f"generated_{j}" for j in range(n_features)],
        DESCR=f"Generated data in the shape of Gisette ({n_samples} x {n_features}, three levels); not Gisette itself.",
        source="fslib.datasets.generated.make_gisette_like",
        licence="BSD-3-Clause",
    )
