"""Permutation importance of a random forest on the rows that each tree has not seen."""

import numpy as np


def out_of_bag_importance(forest, X, codes, random):
    """Mean over trees of the fall in accuracy on a tree's out-of-bag rows when a feature is permuted among them.

    Not divided by its spread. A feature that a tree does not use cannot change its answers and is not tried.

    Parameters
    ----------
    forest : RandomForestClassifier
        Fitted with ``bootstrap=True`` on X and class codes 0, 1, ...
    X : array of shape (n, d)
    codes : array of int, shape (n,)
    random : Generator

    Returns
    -------
    array of shape (d,)
        Can be negative: a permuted feature may by chance do better.

    Notes
    -----
    Per tree, as many predictions of the out-of-bag rows as it uses features; memory of one copy of these rows.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> random = np.random.default_rng(0)
    >>> X, y = random.normal(size=(60, 4)), np.arange(60) % 2
    >>> X[:, 2] += 3 * y
    >>> forest = RandomForestClassifier(50, random_state=0).fit(X, y)
    >>> int(np.argmax(out_of_bag_importance(forest, X, y, random)))
    2
    """
    X = np.asarray(X, dtype=np.float32)  # what trees read
    n, d = X.shape
    total = np.zeros(d)
    for tree, seen in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.ones(n, dtype=bool)
        unseen[seen] = False
        rows = np.flatnonzero(unseen)
        if not len(rows):
            continue
        answers = tree.tree_.value[:, 0].argmax(axis=1)  # of the nodes
        held_out, truth = X[rows], codes[rows]
        accuracy = np.mean(answers[tree.tree_.apply(held_out)] == truth)
        for j in np.unique(tree.tree_.feature[tree.tree_.feature >= 0]):
            values = held_out[:, j].copy()
            held_out[:, j] = random.permutation(values)
            total[j] += accuracy - np.mean(answers[tree.tree_.apply(held_out)] == truth)
            held_out[:, j] = values
    return total / len(forest.estimators_)
