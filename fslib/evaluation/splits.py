"""Random splits into training and test rows that depend on nothing but the root seed, the data set and their number."""

import numpy as np
from sklearn.model_selection import train_test_split

from fslib.seeds import trial_seed


def stratified_split(y, *, train_size, dataset, split, seed=0):
    """Row numbers of the training part and of the test part; both keep the class shares.

    Parameters
    ----------
    y : array of shape (n,)
        Class labels.
    train_size : float
        Share of training rows, in (0, 1); rounded down.
    dataset : str
        Names the data set; every method sees the same split of it.
    split : int
        Number of the repeat.
    seed : int
        Root seed of the run.

    Returns
    -------
    train, test : array of int
        Ascending row numbers.

    Examples
    --------
    >>> y = np.array([0] * 6 + [1] * 4)
    >>> train, test = stratified_split(y, train_size=0.5, dataset="toy", split=0)
    >>> int(y[train].sum()), int(y[test].sum()), sorted([*train, *test]) == list(range(10))
    (2, 2, True)
    """
    train, test = train_test_split(
        np.arange(len(y)), train_size=train_size, stratify=y, random_state=trial_seed(seed, dataset, "split", split)
    )
    return np.sort(train), np.sort(test)
