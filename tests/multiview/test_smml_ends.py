import numpy as np
import pytest

from fslib.multiview.smml import fit_machine


@pytest.mark.timeout(60)
@pytest.mark.parametrize("scale", [1e6, 1e12])
def test_contradicting_samples_under_next_to_no_penalty_end(scale):
    """Equal rows of both classes and a kernel of huge numbers: without a cap the inner solver runs for ever."""
    rng = np.random.default_rng(0)
    X = 1.7 * rng.integers(0, 2, size=(24, 6))
    y = np.where(rng.random(24) < 0.5, 1.0, -1.0)
    w, b = fit_machine(X, y, np.full(6, scale))
    assert np.isfinite(w).all() and np.isfinite(b)
