"""Claims of section 4.1 about the method itself."""

import numpy as np

from fslib.correlated import SCANMF
from fslib.papers.braytee.ch4_1_scanmf.theory import planted
from fslib.papers.claims import claim, verdict


@claim("fig4-1-schematic")
def fig4_1_schematic():
    """not numeric: one fit call returns the ranking and uses both data and adjacency"""
    X, y = planted()
    fit = {alpha: SCANMF(alpha=alpha, reading="published", random_state=0).fit(X, y).scores_ for alpha in (0.0, 10.0)}
    other = np.random.default_rng(1).random(X.shape)
    data = SCANMF(alpha=10.0, reading="published", random_state=0).fit(other, y).scores_
    network, samples = np.abs(fit[0.0] - fit[10.0]).max(), np.abs(fit[10.0] - data).max()
    value = f"scores move by {network:.2g} with the network left out and by {samples:.2g} with other samples"
    return verdict(bool(network > 0 and samples > 0), value, "one call of fit")
