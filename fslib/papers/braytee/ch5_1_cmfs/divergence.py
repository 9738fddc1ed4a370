"""Where the published updates of CMFS diverge: the ranking then does not depend on the data.

The objective of Eq. 5.1.3 is a sum of squares and norms; under the derived updates it never rises, under the published
ones it may. A run whose last objective is not finite, or a thousand times the first, is called diverged here.
"""

import numpy as np

from fslib.papers.braytee.ch5_1_cmfs.protocol import components, fit, scaler
from fslib.papers.braytee.ch5_data import ALL_TITLES, SIMULATED, load_task
from fslib.seeds import trial_seed
from fslib.tidy import format_setting

GROWTH = 1e3
"""Last objective over the first one, from which a run has diverged."""

KEYS = ["dataset", "reading", "components", "alpha"]


def has_diverged(objective):
    """Whether a course of the objective ends beyond :data:`GROWTH` times its first value, or is not finite.

    Examples
    --------
    >>> has_diverged([5.0, 4.0, 3.9]), has_diverged([5.0, 4.0, 6e3]), has_diverged([5.0, float("nan")])
    (False, True, True)
    """
    objective = np.asarray(objective, dtype=float)
    return bool(not np.isfinite(objective).all() or objective[-1] > GROWTH * objective[0])


def run_divergence(*, dataset=SIMULATED, simulated=False, reading, n_components, alpha, start, seed=0):
    """Whether the run of CMFS diverges whose ranking :func:`~..protocol.run_overlap` compares: the same trial.

    Parameters
    ----------
    dataset, simulated, reading, n_components, alpha, start, seed
        See :func:`fslib.papers.braytee.ch5_1_cmfs.protocol.run_overlap`.

    Returns
    -------
    list of dict
        dataset, reading, components, alpha, start, metric (``diverged``), value (0 or 1).
    """
    X, Y = load_task(dataset)
    c = components(n_components, Y.shape[1])
    own = trial_seed(seed, dataset, "overlap", start)
    try:
        with np.errstate(all="ignore"):  # what overflows is the finding
            model = fit(scaler(X).fit_transform(X), Y, seed=own, reading=reading, n_components=c, alpha=alpha)
        diverged = has_diverged(model.objective_)
    except ValueError:  # CMFS says that its factors are not numbers any more
        diverged = True
    named = {"dataset": ALL_TITLES[dataset], "reading": reading, "components": c, "alpha": str(alpha), "start": start}
    return [named | {"metric": "diverged", "value": float(diverged)}]


def divergence_rows(raw):
    """Share of the starts that diverge, as tidy rows."""
    parts = raw.groupby(KEYS, sort=False)["value"].agg(["mean", "count"]).reset_index()
    settings = [format_setting(reading=r.reading, components=r.components, alpha=r.alpha) for r in parts.itertuples()]
    rows = parts.rename(columns={"mean": "value", "count": "n"})
    return rows.assign(setting=settings, method="CMFS", metric="diverged")[
        ["dataset", "method", "setting", "metric", "value", "n"]
    ]


def shown_overlaps(overlaps, diverged):
    """Overlaps as text, means over starts, with the word "diverged" where a start did.

    Parameters
    ----------
    overlaps : DataFrame
        Rows of :func:`fslib.papers.braytee.ch5_1_cmfs.protocol.run_overlap`.
    diverged : DataFrame
        Rows of :func:`run_divergence`.

    Returns
    -------
    DataFrame
        Index :data:`KEYS`, a column per overlap.
    """
    table = overlaps.pivot_table(index=KEYS, columns="metric", values="value", sort=False)
    share = diverged.groupby(KEYS)["value"].mean().reindex(table.index).fillna(0.0)
    text = table.map("{:.2f}".format)
    return text.where(share == 0, "diverged")
