"""Paper "bayes": the curves of its figures, from tidy rows, with the noise of their differences."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from fslib.evaluation.margins import noise_of_spreads
from fslib.evaluation.stats import paired_t
from fslib.papers.bayes.items import CHANCE, TASKS, TIES
from fslib.tidy import format_setting, with_settings

TEST_TO_TRAIN = {task.title: (1 - task.train_size) / task.train_size for task in TASKS.values()}
"""Title of a data set -> test rows over training rows of its random splits, which share rows."""


@dataclass(frozen=True)
class Curves:
    """The curves of one panel of a figure.

    Parameters
    ----------
    value, std : DataFrame
        Mean and standard deviation over the splits: sizes as rows, methods as columns.
    n : int
        Number of splits.
    test_to_train : float
        Test rows over training rows of a split.
    """

    value: pd.DataFrame
    std: pd.DataFrame
    n: int
    test_to_train: float

    def at(self, ks):
        """Keep the sizes of a mask or slice over the rows."""
        return Curves(self.value[ks], self.std[ks], self.n, self.test_to_train)

    def compare(self, method, other):
        """Mean over the sizes of one method minus that of another, and its noise.

        The standard deviation of a mean over sizes is taken as the mean of theirs, as if all sizes went up and down
        together: the widest it can be.

        Returns
        -------
        difference, noise : float
        """
        difference = self.value[method].mean() - self.value[other].mean()
        return float(difference), self.noise(self.std[method].mean(), self.std[other].mean())

    def noise(self, std, other):
        """One standard error of a difference, for splits that overlap."""
        return float(noise_of_spreads(std, other, self.n, test_to_train=self.test_to_train))

    def against_best(self, method, others, *, larger=False):
        """Compare the mean over the sizes with that of the best of several others.

        Returns
        -------
        difference, noise : float
        other : str
        """
        means = self.value[[name for name in others if name != method]].mean()
        best = means.idxmax() if larger else means.idxmin()
        return (*self.compare(method, best), best)

    def leads(self, method, others):
        """Subtract the smallest of several others at each size: negative where a method is better.

        Returns
        -------
        list of (int, float, float)
            Size, difference, noise.
        """
        baselines = self.value[[name for name in others if name != method]]
        best = baselines.idxmin(axis=1)
        return [
            (k, float(self.value.at[k, method] - baselines.at[k, other]), self.noise(*self.std.loc[k, [method, other]]))
            for k, other in best.items()
        ]

    def best_of(self, first, second):
        """Mean over the sizes of the best of one group minus the best of another, and its noise.

        Returns
        -------
        difference, noise : float
        """
        groups = [self.value[list(names)] for names in (first, second)]
        best = [group.idxmin(axis=1) for group in groups]
        spreads = [np.mean([self.std.at[k, name] for k, name in names.items()]) for names in best]
        difference = groups[0].min(axis=1).mean() - groups[1].min(axis=1).mean()
        return float(difference), self.noise(*spreads)


def under_rule(rows, ties):
    """Rows under one rule for ties, and those of methods that have no such rule.

    Parameters
    ----------
    rows : DataFrame
        Rows of a trial, or tidy ones.
    ties : {"log", "index"}

    Returns
    -------
    DataFrame
    """
    if "ties" in rows:
        return rows[rows["ties"].isin(["", ties])]
    other = f"ties={TIES[1 - TIES.index(ties)]}"
    return rows[~rows["setting"].str.split(";").map(lambda parts: other in parts)]


def with_rules(tidy):
    """Tidy rows with a column ``ties`` in words, by which a figure tells the two rules apart."""
    rules = with_settings(tidy)
    rules = rules["ties"] if "ties" in rules else pd.Series(None, index=tidy.index)
    return tidy.assign(ties=rules.map({"index": "ties by index"}).fillna("ties by log, or no ties"))


def panels(tidy, item, ties=None):
    """Panels of a figure: (data set, loss, cost) -> `Curves`, without random features.

    Parameters
    ----------
    tidy : DataFrame
        Rows of :func:`fslib.papers.bayes.protocol.summarise`; without std and n, of a single split.
    item : str
    ties : {"log", "index"}, optional
        Rule of the Bayes filters, where the rows have both.
    """
    tidy = tidy[(tidy["item"] == item) & (tidy["method"] != CHANCE)]
    if tidy.empty:
        return {}
    rows = with_settings(under_rule(tidy, ties) if ties else tidy)
    rows = rows.assign(
        **{name: value for name, value in {"c": np.nan, "std": np.nan, "n": 1}.items() if name not in rows}
    )
    return {
        key: Curves(
            *(group.pivot(index="k", columns="method", values=column).sort_index() for column in ("value", "std")),
            n=int(group["n"].min()),
            test_to_train=TEST_TO_TRAIN.get(key[0], 3 / 7),
        )
        for key, group in rows.groupby(["dataset", "loss", "c"], dropna=False, sort=False)
    }


def panel_ranks(tidy, ties=None):
    """Rank of each method in each panel, by its mean over all sizes; 1 is best, ties share the mean rank.

    The Bayes filters have the rule ``ties``.

    Returns
    -------
    DataFrame
        Panels as rows, named by figure, data set and cost; methods as columns.
    """
    means = _panel_means(tidy, ties)
    ranks = {name: mean.round(12).rank(ascending=loss != "F1") for name, (loss, mean) in means.items()}
    return pd.DataFrame(ranks).T.sort_index()


def _panel_means(tidy, ties):
    """Name of each panel -> its loss, and the mean of each method over all sizes."""
    means = {}
    for item in tidy["item"].unique():
        for (dataset, loss, c), curves in panels(tidy, item, ties).items():
            name = f"{item} {dataset}" + (f" c={c:g}" if c == c else "")
            means[name if name not in means else f"{name} {loss}"] = loss, curves.value.mean()
    return means


def mean_rows(tidy):
    """Tidy rows of what `panel_ranks` ranks: the mean over all sizes, per panel and method; n counts the sizes."""
    rows = with_settings(tidy)
    rows = rows.assign(**{name: value for name, value in {"c": np.nan, "ties": None}.items() if name not in rows})
    keys = ["item", "dataset", "loss", "c", "ties", "metric", "method"]
    groups = rows.groupby(keys, dropna=False, sort=False)["value"]
    means = groups.agg(value="mean", n="count").reset_index()
    settings = [
        format_setting(
            figure=row.item,
            loss=row.loss,
            c=None if row.c != row.c else row.c,
            ties=row.ties if isinstance(row.ties, str) else None,
        )
        for row in means.itertuples()
    ]
    return means.assign(setting=settings)[["dataset", "method", "setting", "metric", "value", "n"]]


def panel_gaps(tidy, ties=None):
    """Size behind the ranks: distance of each method's mean over all sizes to the best one of its panel, 0 = best.

    Returns
    -------
    DataFrame
        Panels as rows, named as in `panel_ranks`; methods as columns.
    """
    means = _panel_means(tidy, ties)
    gaps = {name: (mean - (mean.max() if loss == "F1" else mean.min())).abs() for name, (loss, mean) in means.items()}
    return pd.DataFrame(gaps).T.sort_index()


def differences(raw, method="BayesGreedy"):
    """Mean error of a method minus that of each other one, over all sizes and splits, with a paired test over splits.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.bayes.protocol.run_trial`, one figure and rule for ties, at least two splits.
    method : str

    Returns
    -------
    DataFrame
        Indexed by dataset and method: difference, std (over splits), p (corrected for training rows that splits share).
    """
    means = raw.groupby(["dataset", "split", "method"], sort=False)["value"].mean().unstack()
    rows = {}
    for dataset, scores in means.groupby(level="dataset", sort=False):
        for other in scores.columns.drop(method):
            d = scores[method] - scores[other]
            p = paired_t(scores[method], scores[other], test_to_train=TEST_TO_TRAIN[dataset]).pvalue
            rows[dataset, other] = {"difference": d.mean(), "std": d.std(ddof=1), "p": p}
    return pd.DataFrame(rows).T.rename_axis(["dataset", "method"])
