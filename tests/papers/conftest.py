import pytest

from fslib.papers.braytee import ch5_data
from fslib.papers.mlmlfs import protocol as mlmlfs_protocol
from fslib.papers.rrmvfs import protocol as rrmvfs

CACHES = (
    mlmlfs_protocol.load_task,
    mlmlfs_protocol.shared_labels,
    rrmvfs._task,
    rrmvfs.split_parts,
    ch5_data.load_task,
)


@pytest.fixture(autouse=True)
def fresh_caches():
    """No test reads what another computed, on other data perhaps."""
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()
