"""Claims of section 4.1 about AUC, judged on rows of single folds.

SCANMF is judged in its published reading on clipped values, the nearest of the readings to the published numbers. A
difference must beat the noise of folds that share training rows. Stand-ins are never judged.
"""

import numpy as np
from scipy import stats

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs
from fslib.papers.braytee.ch4_1_scanmf.items import OTHERS, TITLES
from fslib.papers.braytee.ch4_1_scanmf.tables import convergence_table, numbers, varied
from fslib.papers.braytee.expression import STAND_INS
from fslib.papers.claims import cannot_be_tested, claim, verdict

TEST_TO_TRAIN = 0.25
N_DATASETS = 7
OWN = tuple(title for title in TITLES.values() if title not in STAND_INS.values())


def _wide(raw, classifier):
    """AUC with methods as columns, a row per data set and fold; data sets that have all methods."""
    rows = numbers(raw)
    rows = rows[(rows["classifier"] == classifier) & (rows["metric"] == "auc") & rows["dataset"].isin(OWN)]
    rows = rows[rows["method"].isin(["SCANMF", *OTHERS])]
    rows = rows[(rows["method"] != "SCANMF") | ((rows["reading"] == "published") & (rows["scale"] == "clip"))]
    wide = rows.pivot_table(index=["dataset", "fold"], columns="method", values="value")
    return wide if set(wide) == {"SCANMF", *OTHERS} else wide.iloc[:0]


def _none(what):
    return cannot_be_tested(f"not run: {what}", n_tested=0, n_claimed=N_DATASETS)


def _best(raw, classifier, least=0.7):
    wide = _wide(raw, classifier)
    if wide.empty:
        return _none("the data sets of Table 4.1 with all methods")
    outcomes, ahead = {}, 0
    for dataset, part in wide.groupby("dataset"):
        other = part[list(OTHERS)].mean().idxmax()
        both = part[["SCANMF", other]].dropna()
        lead = both["SCANMF"].mean() - both[other].mean()
        noise = noise_of_pairs(both["SCANMF"], both[other], test_to_train=TEST_TO_TRAIN)
        outcomes[dataset] = at_most(-lead, 0.0, noise)
        ahead += lead >= 0
    value = f"not behind the best other method in the mean on {ahead} of {len(outcomes)} data sets"
    names = {True: "holds", False: "behind", None: "open"}
    note = ", ".join(f"{dataset} {names[outcome]}" for dataset, outcome in outcomes.items())
    return verdict(enough(outcomes.values(), least), value, note, n_tested=len(outcomes), n_claimed=N_DATASETS)


def _significant(raw, classifier, least=3):
    means = _wide(raw, classifier).groupby("dataset").mean()
    if len(means) < 2:
        return _none("two data sets of Table 4.1 with all methods")
    words, count = [], 0
    for method in OTHERS:
        a, b = means["SCANMF"], means[method]
        unpaired, paired = stats.ttest_ind(a, b).pvalue, stats.ttest_rel(a, b).pvalue
        count += bool(a.mean() > b.mean() and unpaired < 0.05)
        words.append(f"{method} {a.mean() - b.mean():+.3f}, p {unpaired:.2g} unpaired, {paired:.2g} paired")
    return verdict(
        count >= least, f"{count} of 4 methods at 5%", "; ".join(words), n_tested=len(means), n_claimed=N_DATASETS
    )


def _above_lasso(raw, classifier):
    means = _wide(raw, classifier).groupby("dataset").mean()
    if len(means) < 2:
        return _none("two data sets of Table 4.1 with all methods")
    outcomes, words = [], []
    for method in ("Elastic Net", "Fuzzy Forest", "SCANMF"):
        lead = means[method].mean() - means["LASSO"].mean()
        outcomes.append(exceeds(lead, 0.0, noise_of_pairs(means[method], means["LASSO"])))
        words.append(f"{method} {lead:+.3f}")
    return verdict(enough(outcomes), ", ".join(words), "mean over data sets", n_tested=len(means), n_claimed=N_DATASETS)


@claim("tab4-2-scanmf-best")
def tab4_2_scanmf_best(raw):
    """5-fold AUC: SCANMF not behind the max of LASSO, Elastic Net, DNMF, Fuzzy Forest, by more than the noise of
    overlapping folds, on >= 70% of data sets
    """
    return _best(raw, "SVM")


@claim("tab4-3-scanmf-best")
def tab4_3_scanmf_best(raw):
    """5-fold AUC: SCANMF not behind the max of LASSO, Elastic Net, DNMF, Fuzzy Forest, by more than the noise of
    overlapping folds, on >= 70% of data sets
    """
    return _best(raw, "Naive Bayes")


@claim("tab4-4-scanmf-best")
def tab4_4_scanmf_best(raw):
    """5-fold AUC: SCANMF not behind the max of LASSO, Elastic Net, DNMF, Fuzzy Forest, by more than the noise of
    overlapping folds, on >= 70% of data sets
    """
    return _best(raw, "CART")


@claim("tab4-2-significant")
def tab4_2_significant(raw):
    """t-test over data set means vs each method, unpaired as published: p < 0.05 and SCANMF ahead for >= 3 of 4 (paired
    in the note)
    """
    return _significant(raw, "SVM")


@claim("tab4-3-significant")
def tab4_3_significant(raw):
    """t-test over data set means vs each method, unpaired as published: p < 0.05 and SCANMF ahead for >= 3 of 4 (paired
    in the note)
    """
    return _significant(raw, "Naive Bayes")


@claim("tab4-4-significant")
def tab4_4_significant(raw):
    """t-test over data set means vs each method, unpaired as published: p < 0.05 and SCANMF ahead for >= 3 of 4 (paired
    in the note)
    """
    return _significant(raw, "CART")


@claim("tab4-2-lasso-below-correlation-aware")
def tab4_2_lasso_below_correlation_aware(raw):
    """mean AUC over data sets of Elastic Net, Fuzzy Forest, SCANMF each > LASSO by more than the noise over sets"""
    return _above_lasso(raw, "SVM")


@claim("tab4-3-lasso-below-correlation-aware")
def tab4_3_lasso_below_correlation_aware(raw):
    """mean AUC over data sets of Elastic Net, Fuzzy Forest, SCANMF each > LASSO by more than the noise over sets"""
    return _above_lasso(raw, "Naive Bayes")


@claim("tab4-4-lasso-below-correlation-aware")
def tab4_4_lasso_below_correlation_aware(raw):
    """mean AUC over data sets of Elastic Net, Fuzzy Forest, SCANMF each > LASSO by more than the noise over sets"""
    return _above_lasso(raw, "CART")


@claim("fig4-2-convergence")
def fig4_2_convergence(curves):
    """clipped values: objective non-increasing (tolerance 1e-8 relative) and relative change < 1e-3 within 50
    iterations on >= 2 data sets
    """
    table = convergence_table(curves[curves["dataset"].isin(OWN)])
    clipped = table[table["scale"] == "clip"]
    if len(clipped) < 2:
        return cannot_be_tested("not run: two data sets of Table 4.1", n_tested=len(clipped), n_claimed=2)
    good = (clipped["rises"] == 0) & (clipped["first below 1e-3"] <= 50)
    at = ", ".join(f"{r.dataset} ({r.scale}) {r[4]:.0f}" for r in table.itertuples())
    value = f"both on {good.sum()} of {len(clipped)} data sets"
    note = f"first change below 1e-3 at iteration: {at}; rises: {int(table['rises'].sum())}"
    return verdict(bool(good.sum() >= 2), value, note, n_tested=len(clipped), n_claimed=2)


def _per_fold(raw, parameter, dataset):
    """Mean AUC over shares of features: values of the parameter as columns, folds as rows; clipped values."""
    rows = varied(raw, parameter)
    rows = rows[(rows["dataset"] == dataset) & (rows["scale"] == "clip") & (rows["metric"] == "auc")]
    return rows.pivot_table(index="fold", columns=parameter, values="value")


def _best_inside(wide, inside):
    """Whether the best value of a parameter lies in a range, by more than the noise over folds."""
    means = wide.mean()
    within = [value for value in wide if inside(value)]
    outside = [value for value in wide if not inside(value)]
    if not within or not outside:
        return None, "", float("nan")
    a, b = means[within].idxmax(), means[outside].idxmax()
    noise = noise_of_pairs(wide[a], wide[b], test_to_train=TEST_TO_TRAIN)
    return exceeds(means[a] - means[b], 0.0, noise), f"{means[a]:.3f} at {a:g} against {means[b]:.3f} at {b:g}", noise


@claim("fig4-3-alpha")
def fig4_3_alpha(raw):
    """clipped values, mean AUC over feature numbers: alpha = 0.1 < max over {0.4,0.6,0.7}; argmax in {0.2..0.9}; each
    by more than the noise of overlapping folds, on every data set run
    """
    outcomes, words = [], []
    for dataset in ("Lung cancer",):
        wide = _per_fold(raw, "alpha", dataset)
        if not {0.1, 0.4} <= set(wide):
            continue
        middle = wide[[value for value in wide if value in (0.4, 0.6, 0.7)]]
        best = middle[middle.mean().idxmax()]
        noise = noise_of_pairs(best, wide[0.1], test_to_train=TEST_TO_TRAIN)
        inside, text, _ = _best_inside(wide, lambda value: 0.2 <= value <= 0.9)
        outcomes += [exceeds(best.mean() - wide[0.1].mean(), 0.0, noise), inside]
        words.append(f"{dataset}: {best.mean():.3f} against {wide[0.1].mean():.3f} at 0.1; best inside {text}")
    if not outcomes:
        return cannot_be_tested("not run: Childhood leukaemia and Lung cancer", n_tested=0, n_claimed=2)
    return verdict(enough(outcomes), "; ".join(words), n_tested=len(words), n_claimed=2)


@claim("fig4-3-beta")
def fig4_3_beta(raw):
    """clipped values: argmax over {0.1,0.2,0.4,0.6,0.7,0.9,1} of mean AUC lies in [0.4, 0.7] by more than the noise of
    overlapping folds on >= 1 of the data sets run, of 2
    """
    wide = _per_fold(raw, "beta", "Lung cancer")
    if not {0.1, 0.4, 0.7, 1.0} <= set(wide):
        return cannot_be_tested("not run: Childhood leukaemia and Lung cancer", n_tested=0, n_claimed=2)
    outcome, text, _ = _best_inside(wide, lambda value: 0.4 <= value <= 0.7)
    spread = wide.mean().max() - wide.mean().min()
    return verdict(outcome, f"Lung cancer: {text}", f"range over all beta {spread:.1e}", n_tested=1, n_claimed=2)


@claim("fig4-4-rank")
def fig4_4_rank(raw):
    """clipped values, mean AUC over feature numbers and data sets: k = 2 >= every k > 2 - 0.01, and Spearman(k, AUC) <
    0 in the mean over folds; undecided within the noise of overlapping folds
    """
    found = [_per_fold(raw, "n_components", dataset) for dataset in OWN]
    found = [wide for wide in found if 2 in wide and wide.shape[1] >= 3]
    if not found:
        return cannot_be_tested("not run: three ranks on a data set of Table 4.1", n_tested=0, n_claimed=N_DATASETS)
    mean = sum(found) / len(found)
    outcomes = []
    for k in mean.columns[mean.columns > 2]:
        noise = noise_of_pairs(mean[2], mean[k], test_to_train=TEST_TO_TRAIN)
        outcomes.append(at_most(mean[k].mean() - mean[2].mean(), 0.01, noise))
    by_fold = mean.dropna().apply(_rank_correlation, axis=1)
    noise = noise_of_pairs(by_fold, 0 * by_fold, test_to_train=TEST_TO_TRAIN)
    outcomes.append(exceeds(-by_fold.mean(), 0.0, noise))
    value = ", ".join(f"k={k} {v:.3f}" for k, v in mean.mean().items())
    note = f"Spearman {_rank_correlation(mean.mean()):+.2f}"
    return verdict(enough(outcomes), value, note, n_tested=len(found), n_claimed=N_DATASETS)


def _rank_correlation(values):
    """Spearman correlation of a parameter and the values over it; 0 if they do not change."""
    return 0.0 if np.ptp(values) == 0 else stats.spearmanr(values.index, values).statistic


TABLE_CHECKS = (
    tab4_2_scanmf_best,
    tab4_2_significant,
    tab4_2_lasso_below_correlation_aware,
    tab4_3_scanmf_best,
    tab4_3_significant,
    tab4_3_lasso_below_correlation_aware,
    tab4_4_scanmf_best,
    tab4_4_significant,
    tab4_4_lasso_below_correlation_aware,
)
"""Checks of the rows of Tables 4.2 to 4.4."""

SENSITIVITY_CHECKS = (fig4_3_alpha, fig4_3_beta, fig4_4_rank)
"""Checks of the rows of Figures 4.3 and 4.4."""
