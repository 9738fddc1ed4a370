"""Claims of paper "bayes", section 4: each is decided on the rows that the experiments gave.

Every function is named after its ``claim_id`` in ``data/reported/claims.csv``, whose column ``check`` holds the
thresholds, takes tidy rows (see :func:`fslib.papers.bayes.protocol.summarise`) and returns a
:class:`~fslib.papers.verdict.Verdict`. Baselines are the four filters that the paper did not propose.
"""

import numpy as np
import pandas as pd

from fslib.papers.verdict import Verdict
from fslib.tidy import format_setting, with_settings

BASELINES = ["MIGreedy", "MIScore", "MRMR", "FScore"]
SET_METHODS = ["BayesGreedy", "MIGreedy", "MRMR"]
SCORE_METHODS = ["BayesScore", "MIScore", "FScore"]


def panels(tidy, item):
    """Curves of a figure: (data set, loss, cost) -> frame of values with sizes as rows and methods as columns."""
    rows = with_settings(tidy[tidy["item"] == item])
    if rows.empty:
        return {}
    rows = rows if "c" in rows else rows.assign(c=np.nan)
    groups = rows.groupby(["dataset", "loss", "c"], dropna=False, sort=False)
    return {name: group.pivot(index="k", columns="method", values="value").sort_index() for name, group in groups}


def _one_panel(tidy, item, dataset):
    return next((curves for (name, *_), curves in panels(tidy, item).items() if name == dataset), None)


def _not_run(what):
    return Verdict(None, "", f"not run: {what}")


def _lead(curves, method="BayesGreedy", rivals=BASELINES):
    """Value of a method minus the smallest of its rivals, at each size: negative where it is better."""
    return curves[method] - curves[[name for name in rivals if name != method]].min(axis=1)


def tab1_datasets(table, printed):
    """Sizes and shares as printed; ``printed`` has columns dataset, metric, value (text)."""
    ours = table.set_index(["dataset", "metric"])["value"]
    differ, absent = [], set()
    for row in printed.itertuples():
        if (row.dataset, row.metric) not in ours.index:
            absent.add(row.dataset)
            continue
        digits = len(row.value.partition(".")[2])
        found = f"{ours[row.dataset, row.metric]:.{digits}f}"
        if found != row.value:
            differ.append(f"{row.dataset} {row.metric} {found}, printed {row.value}")
    note = f"not at hand: {', '.join(sorted(absent))}" if absent else ""
    if differ:
        return Verdict(False, "; ".join(differ), note)
    return Verdict(None if absent else True, f"{printed['dataset'].nunique() - len(absent)} data sets as printed", note)


def fig1_bayesgreedy_competitive(tidy):
    """BayesGreedy level with or better than all baselines at most sizes, outside Semeion."""
    shares = {
        name: np.mean(_lead(curves) <= 0.01)
        for (name, *_), curves in panels(tidy, "Figure 1").items()
        if name != "Semeion"
    }
    if not shares:
        return _not_run("Figure 1")
    good = sum(share >= 0.5 for share in shares.values())
    note = ", ".join(f"{name} {share:.0%} of k" for name, share in shares.items())
    return Verdict(bool(good >= 0.8 * len(shares)), f"{good} of {len(shares)} data sets", note)


def fig1_semeion_exception(tidy):
    """BayesGreedy behind the best baseline on Semeion."""
    curves = _one_panel(tidy, "Figure 1", "Semeion")
    if curves is None:
        return _not_run("Semeion")
    gap = _lead(curves).mean()
    return Verdict(bool(gap > 0), f"mean gap {gap:+.4f}")


def fig1_semeion_search_not_criterion(search):
    """Exhaustive search for the 0-1 criterion against the MI optimum; ``search`` has rows of ``run_search_trial``."""
    if search.empty or "Semeion" not in set(search["dataset"]):
        return _not_run("Semeion")
    search = search[search["dataset"] == "Semeion"]
    mean = search.pivot_table(index="k", columns=["metric", "method"], values="value")
    gap = mean["error_0_1", "BayesExhaustive"] - mean["error_0_1", "MIExhaustive"]
    gain = mean["criterion", "BayesExhaustive"] - mean["criterion", "BayesGreedy"]
    greedy = mean["error_0_1", "BayesGreedy"] - mean["error_0_1", "BayesExhaustive"]
    text = "; ".join(f"k={k}: test error {gap[k]:+.4f} against the MI optimum" for k in mean.index)
    note = "; ".join(
        f"k={k}: criterion {gain[k]:+.4f}, test error {-greedy[k]:+.4f} against greedy" for k in mean.index
    )
    return Verdict(bool((gap <= 0.005).all() and (gain >= -1e-12).all()), text, note)


def fig12_score_methods_weaker(tidy):
    """Compare the best score method with the best method that looks at sets."""
    curves = [*panels(tidy, "Figure 1").values(), *panels(tidy, "Figure 2").values()]
    if not curves:
        return _not_run("Figures 1 and 2")
    weaker = [c[SCORE_METHODS].min(axis=1).mean() >= c[SET_METHODS].min(axis=1).mean() for c in curves]
    return Verdict(
        bool(np.mean(weaker) >= 0.6), f"{sum(weaker)} of {len(weaker)} panels", "every cost of Figure 2 is a panel"
    )


def fig2_cost_sensitive_small_k(tidy):
    """BayesGreedy better at small and level at large sizes, in three of four panels."""
    curves = panels(tidy, "Figure 2")
    if len(curves) < 4:
        return Verdict(None, "", f"the claim is about 4 panels, {len(curves)} were run")
    good, notes = 0, []
    for (name, _, c), panel in curves.items():
        lead = _lead(panel)
        half = len(lead) // 2
        low, high = lead.iloc[:half].mean(), lead.iloc[half:].mean()
        good += low < 0 and high <= 0.005
        notes.append(f"{name} c={c:g}: {low:+.4f} small k, {high:+.4f} large k")
    return Verdict(bool(good >= 3), f"{good} of {len(curves)} panels", "; ".join(notes))


def fig3_migreedy_best_logloss(tidy):
    """MIGreedy best or level with the best in log loss."""
    curves = panels(tidy, "Figure 3")
    if not curves:
        return _not_run("Figure 3")
    level = {name: _lead(c, "MIGreedy", list(c.columns)) <= 0.01 for (name, *_), c in curves.items()}
    share = pd.concat(level).mean()
    note = ", ".join(f"{name} {share.mean():.0%}" for name, share in level.items())
    return Verdict(bool(share >= 0.6), f"{share:.0%} of (data set, k)", note)


def fig4a_semeion_balanced(tidy):
    """BayesGreedy for balanced error has the smallest mean balanced error on Semeion."""
    curves = _one_panel(tidy, "Figure 4(a)", "Semeion")
    if curves is None:
        return _not_run("Semeion")
    gap = curves["BayesGreedy"].mean() - curves[BASELINES].mean().min()
    return Verdict(bool(gap <= 0.005), f"{gap:+.4f} against {curves[BASELINES].mean().idxmin()}")


def fig4b_semeion_f1(tidy):
    """BayesGreedy for F1 has the largest mean F1 on Semeion."""
    curves = _one_panel(tidy, "Figure 4(b)", "Semeion")
    if curves is None:
        return _not_run("Semeion")
    gap = curves["BayesGreedy"].mean() - curves[BASELINES].mean().max()
    return Verdict(bool(gap >= -0.01), f"{gap:+.4f} against {curves[BASELINES].mean().idxmax()}")


def fig4c_kddcup_no_winner(tidy):
    """On KDDCup01 BayesScore leads for small sizes, MIGreedy passes it for large ones, nobody wins throughout."""
    curves = _one_panel(tidy, "Figure 4(c)", "KDDCup01")
    if curves is None:
        return _not_run("KDDCup01")
    third = max(1, len(curves) // 3)
    small, large = curves.iloc[:third].mean(), curves.iloc[-third:].mean()
    wins = curves.idxmin(axis=1).value_counts(normalize=True)
    gap = large["MIGreedy"] - large["BayesScore"]
    holds = small.idxmin() == "BayesScore" and gap < 0 and wins.iloc[0] < 0.8
    text = f"best at small k: {small.idxmin()}; MIGreedy at large k: {gap:+.4f} against BayesScore"
    return Verdict(bool(holds), text, f"most often best: {wins.index[0]}, {wins.iloc[0]:.0%} of k")


def fig5_semeion_large_k(tidy):
    """BayesGreedy level with every baseline from 25 features on, Semeion."""
    curves = _one_panel(tidy, "Figure 5", "Semeion")
    if curves is None:
        return _not_run("Semeion")
    lead = _lead(curves[curves.index >= 25])
    if lead.empty:
        return _not_run("a size of 25 or more")
    level = np.mean(lead <= 0.01)
    return Verdict(bool(level >= 0.8), f"{level:.0%} of k", ", ".join(f"k={k}: {gap:+.4f}" for k, gap in lead.items()))


def fig5_gisette_second(tidy):
    """BayesGreedy second over all on Gisette."""
    curves = _one_panel(tidy, "Figure 5", "Gisette")
    if curves is None:
        return _not_run("Gisette, of which no copy is at hand")
    means = curves.mean().sort_values()
    rank = means.index.get_loc("BayesGreedy") + 1
    holds = rank == 2 or (rank <= 3 and abs(means["BayesGreedy"] - means.iloc[1]) <= 0.01)
    return Verdict(bool(holds), f"rank {rank} of {len(means)}", ", ".join(f"{m} {v:.4f}" for m, v in means.items()))


def panel_ranks(tidy):
    """Rank of each method in each panel, by its mean over all sizes; 1 is best, ties share the mean rank.

    Returns
    -------
    DataFrame
        Panels as rows, named by figure, data set and cost; methods as columns.
    """
    ranks = {}
    for item in tidy["item"].unique():
        for (dataset, loss, c), curves in panels(tidy, item).items():
            name = f"{item} {dataset}" + (f" c={c:g}" if c == c else "")
            ranks[name if name not in ranks else f"{name} {loss}"] = (
                curves.mean().round(12).rank(ascending=loss != "F1")
            )
    return pd.DataFrame(ranks).T.sort_index()


def overall_competitive(tidy):
    """Average rank of the greedy Bayes filter of each panel's loss; for log loss that is MIGreedy."""
    ranks = panel_ranks(tidy)
    if ranks.empty:
        return _not_run("any figure")
    ours = ranks["BayesGreedy"].fillna(ranks["MIGreedy"])  # BayesGreedy is absent where it would be MIGreedy
    note = "ranks of the mean over k: " + ", ".join(f"{panel} {rank:g}" for panel, rank in ours.items())
    return Verdict(bool(ours.mean() <= 2.5), f"average rank {ours.mean():.2f} over {len(ours)} panels", note)


def mean_rows(tidy):
    """Tidy rows of what `panel_ranks` ranks: the mean over all sizes, per panel and method; n counts the sizes."""
    rows = with_settings(tidy)
    rows = rows if "c" in rows else rows.assign(c=np.nan)
    groups = rows.groupby(["item", "dataset", "loss", "c", "metric", "method"], dropna=False, sort=False)["value"]
    means = groups.agg(value="mean", n="count").reset_index()
    settings = [
        format_setting(figure=row.item, loss=row.loss, c=None if row.c != row.c else row.c)
        for row in means.itertuples()
    ]
    return means.assign(setting=settings)[["dataset", "method", "setting", "metric", "value", "n"]]
