"""Seeds depend on the run's seed and on the name of a draw, on nothing else."""

from fslib.seeds import trial_seed


def test_seed_depends_on_root_and_name_only():
    assert trial_seed(0, "a", 12) == trial_seed(0, "a", 12)
    assert len({trial_seed(0, "a", 12), trial_seed(0, "a1", 2), trial_seed(1, "a", 12)}) == 3
