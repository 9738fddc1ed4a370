"""Made-up data of known structure: for speed, for large k, and for methods that must find what was planted."""

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

    Raises
    ------
    ValueError
        If a number of samples, features or factors is below 1.

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


def make_expression_like(
    n_samples=60,
    n_features=2000,
    *,
    n_modules=12,
    module_share=0.5,
    n_informative_modules=3,
    n_informative_alone=20,
    effect=1.0,
    minority=0.35,
    random_state=0,
):
    """Generate expression levels of two unequal classes, with modules of correlated features planted among noise.

    A module has a hidden profile over the samples, standard normal; a feature of it has correlation ``r`` with the
    profile, drawn from 0.6 to 0.95, and either sign. Module sizes fall geometrically from the first module to the last,
    about 8 to 1. Profiles of the informative modules, every ``n_modules / n_informative_modules``-th, are higher by
    ``effect`` in class 1; so are as many features that belong to no module as ``n_informative_alone`` says. All else
    is noise. A feature is then given a level between 4 and 12 and a spread between 0.3 and 1, which have nothing to do
    with the classes, as log2 expression values have; nothing is below zero.

    So the truth about every feature is known, and a method that ranks by level, by spread or by connectivity instead of
    by class is found out.

    Parameters
    ----------
    n_samples, n_features : int
    n_modules : int
        At least one.
    module_share : float
        Share of the features that belong to modules, in (0, 1].
    n_informative_modules : int
        Modules whose profile differs between the classes.
    n_informative_alone : int
        Informative features outside the modules.
    effect : float
        Difference of the class means, in standard deviations within a class.
    minority : float
        Share of class 1, in (0, 1).
    random_state : int, Generator or None

    Returns
    -------
    Bunch
        ``X`` : float (n, d), never negative. ``y`` : int64 (n,). ``module`` : (d,), 1 to ``n_modules``, 0 for features
        outside. ``informative`` : bool (d,). ``target_names``, ``feature_names`` : lists of str. ``DESCR``, ``source``,
        ``licence`` : str.

    Raises
    ------
    ValueError
        If a count or share is out of range.

    Examples
    --------
    >>> data = make_expression_like(40, 300, n_modules=4, n_informative_modules=1)
    >>> np.bincount(data.module), np.bincount(data.y)
    (array([150,  81,  39,  20,  10]), array([26, 14]))
    >>> sorted(set(data.module[data.informative]))
    [np.int64(0), np.int64(1)]
    """
    if not 0 < module_share <= 1:
        raise ValueError(f"module_share={module_share} must be a share in (0, 1].")
    n_in_modules = int(module_share * n_features)
    for name, value, low, high in (
        ("n_samples", n_samples, 4, np.inf),
        ("n_modules", n_modules, 1, n_in_modules),
        ("n_informative_modules", n_informative_modules, 0, n_modules),
        ("n_informative_alone", n_informative_alone, 0, n_features - n_in_modules),
    ):
        if not low <= value <= high:
            raise ValueError(f"{name}={value} must be from {low} to {high}.")
    n_positive = round(minority * n_samples)
    if not 2 <= n_positive <= n_samples - 2:
        raise ValueError(f"minority={minority} leaves fewer than 2 of {n_samples} samples in a class.")
    random = np.random.default_rng(random_state)
    y = random.permutation(np.arange(n_samples) < n_positive).astype(np.int64)
    module = random.permutation(np.repeat(np.arange(n_modules + 1), _module_sizes(n_features, n_in_modules, n_modules)))
    shifted = 1 + np.arange(n_informative_modules) * n_modules // max(n_informative_modules, 1)
    alone = random.choice(np.flatnonzero(module == 0), n_informative_alone, replace=False)
    profiles = random.standard_normal((n_samples, n_modules + 1))
    profiles[:, shifted] += effect * y[:, None]
    own = random.standard_normal((n_samples, n_features))
    own[:, alone] += effect * random.choice([-1, 1], n_informative_alone) * y[:, None]
    loading = random.uniform(0.6, 0.95, n_features) * random.choice([-1, 1], n_features) * (module > 0)
    values = loading * profiles[:, module] + np.sqrt(1 - loading**2) * own
    level, spread = random.uniform(4, 12, n_features), random.uniform(0.3, 1.0, n_features)
    informative = np.isin(module, shifted)
    informative[alone] = True
    return Bunch(
        X=np.ascontiguousarray(np.maximum(level + spread * values, 0.0)),
        y=y,
        module=module,
        informative=informative,
        target_names=["a", "b"],
        feature_names=[f"generated_{j}" for j in range(n_features)],
        DESCR=f"Generated expression levels, {n_samples} x {n_features}, {n_modules} modules of correlated features.",
        source="fslib.datasets.generated.make_expression_like",
        licence="BSD-3-Clause",
    )


def _module_sizes(n_features, n_in_modules, n_modules):
    """Features outside, then in each module: at least one, falling geometrically by 8 from first to last."""
    weight = 8.0 ** -(np.arange(n_modules) / max(n_modules - 1, 1))
    sizes = 1 + np.floor((n_in_modules - n_modules) * weight / weight.sum()).astype(int)
    sizes[0] += n_in_modules - sizes.sum()
    return [n_features - n_in_modules, *sizes]
