"""Which data sets of a run are on this machine."""

from fslib.datasets import DataNotFoundError, content_hash


def why_absent(dataset, wanted):
    """Reason why a data set takes no part in a run, or an empty text.

    Parameters
    ----------
    dataset : str
        Name in :mod:`fslib.datasets`.
    wanted : sequence of str
        Data sets of the run.

    Returns
    -------
    str

    Examples
    --------
    >>> why_absent("mfeat", ["mfeat"]), why_absent("Ads", ["mfeat"])
    ('', 'not among the data sets of this run')
    """
    if dataset not in wanted:
        return "not among the data sets of this run"
    if not is_present(dataset):
        return f"not on this machine; `fslib data fetch {dataset}` names the ways to get it"
    return ""


def is_present(dataset):
    """Whether a data set is on this machine.

    Examples
    --------
    >>> is_present("mfeat")
    True
    """
    try:
        content_hash(dataset)
    except DataNotFoundError:
        return False
    return True
