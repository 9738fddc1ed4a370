"""Claims of thesis "braytee", section 3.1.4: each is decided on the rows that the experiments gave.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. ``raw`` holds rows of
:func:`fslib.papers.braytee.ch3_1_extraction.protocol.run_trial`. The arm that fits the published values decides, with
the reading "published" of CSPCA and CSNMF and the same decision rules for all columns of a table; what the corrected
reading says is in the note.

A comparison on one data set is undecided within the noise of the corrected paired test over folds at 5 %. Tests over
data sets take the means as they are, as the thesis does, and ask for a gain besides a small p-value.
"""

from fslib.evaluation.margins import enough, exceeds, noise_of_pairs
from fslib.papers.braytee.ch3_1_extraction.claim_rules import (
    N_DATASETS,
    NOT_RUN,
    best_of_table,
    counted,
    fold_values,
    gain_over,
    p_text,
    significant,
    tests_of,
)
from fslib.papers.braytee.ch3_1_extraction.items import TABLES
from fslib.papers.braytee.ch3_1_extraction.protocol import FAMILIES, PROPOSED
from fslib.papers.braytee.ch3_1_extraction.tables import (
    FEWEST,
    FURTHER,
    published_arm,
    repeat_means,
)
from fslib.papers.claims import cannot_be_tested, claim, verdict, with_noise

N_TESTS = 28


@claim("tab3-2-cspca-best")
def tab3_2_cspca_best(raw):
    """5-fold AUC: CSPCA >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.2")


@claim("tab3-2-significant")
def tab3_2_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.2")


@claim("tab3-3-cspca-best")
def tab3_3_cspca_best(raw):
    """5-fold AUC: CSPCA >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.3")


@claim("tab3-3-significant")
def tab3_3_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.3")


@claim("tab3-4-cspca-best")
def tab3_4_cspca_best(raw):
    """5-fold AUC: CSPCA >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.4")


@claim("tab3-4-significant")
def tab3_4_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.4")


@claim("tab3-5-cspca-best")
def tab3_5_cspca_best(raw):
    """5-fold AUC: CSPCA >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.5")


@claim("tab3-5-significant")
def tab3_5_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.5")


@claim("tab3-6-csnmf-best")
def tab3_6_csnmf_best(raw):
    """5-fold AUC: CSNMF >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.6")


@claim("tab3-6-significant")
def tab3_6_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.6")


@claim("tab3-7-csnmf-best")
def tab3_7_csnmf_best(raw):
    """5-fold AUC: CSNMF >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.7")


@claim("tab3-7-significant")
def tab3_7_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.7")


@claim("tab3-8-csnmf-best")
def tab3_8_csnmf_best(raw):
    """5-fold AUC: CSNMF >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.8")


@claim("tab3-8-significant")
def tab3_8_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.8")


@claim("tab3-9-csnmf-best")
def tab3_9_csnmf_best(raw):
    """5-fold AUC: CSNMF >= max of the three others on >= 9 of 12 data sets (or 75% of those at hand)"""
    return best_of_table(raw, "Table 3.9")


@claim("tab3-9-significant")
def tab3_9_significant(raw):
    """two-sided paired t-test over data set means, CS version vs each alternative: p < 0.01 for >= 2 of 3 (p < 0.05 for
    all)
    """
    return significant(raw, "Table 3.9")


@claim("sampling-does-not-suffice")
def sampling_does_not_suffice(raw):
    """mean AUC over data sets and classifiers: CS version - max(ADASYN, RU) > 0 for PCA and NMF"""
    outcomes, found, notes, n = [], [], [], 0
    for name in FAMILIES if len(raw) else ():
        for reading in ("published", "corrected"):
            over_classifiers = []
            for item in (item for item, (extraction, _) in TABLES.items() if extraction == name):
                table = published_arm(repeat_means(raw), item, reading).dropna()
                samplers = [method for method in table if method not in (name, PROPOSED[name])]
                over_classifiers.append(table[PROPOSED[name]] - table[samplers].max(axis=1))
            gain = sum(over_classifiers) / len(over_classifiers)
            noise = noise_of_pairs(gain, 0 * gain)
            text = f"{PROPOSED[name]} {with_noise(gain.mean(), noise)}"
            if reading == "published":
                outcomes.append(exceeds(gain.mean(), 0.0, noise))
                found.append(text)
                n = len(gain)
            else:
                notes.append(text)
    if not outcomes:
        return cannot_be_tested(NOT_RUN, n_tested=0, n_claimed=N_DATASETS)
    note = f"corrected reading: {'; '.join(notes)}"
    return verdict(enough(outcomes), "; ".join(found), note, n_tested=n, n_claimed=N_DATASETS)


def _further(raw, item, shares, metric, rule):
    """Compare the proposed columns with the baseline of Table 3.10 or 3.11: outcomes per share, texts."""
    answers, found, n = [], [], 0
    for (name, proposed), share in zip(PROPOSED.items(), shares, strict=True):
        title, method, classifier, _, _ = next(row for row in FURTHER[item] if row[0].startswith(f"{name}-"))
        ours_classifier = "CART" if item == "Table 3.11" else classifier
        ours = fold_values(raw, proposed, ours_classifier, "plain", metric, "published")
        theirs = fold_values(raw, method, classifier, rule, metric, "")
        gains = {dataset: gain_over(values, theirs[dataset]) for dataset, values in ours.items() if dataset in theirs}
        if not gains:
            return [], [], 0
        outcomes = [exceeds(gain, 0.0, noise) for gain, noise in gains.values()]
        answers.append(enough(outcomes, share))
        wins, mean = sum(gain > 0 for gain, _ in gains.values()), sum(g for g, _ in gains.values()) / len(gains)
        found.append(f"{proposed} above {title} on {wins} of {len(gains)} ({counted(outcomes)}), mean {mean:+.3f}")
        n = len(gains)
    return answers, found, n


@claim("tab3-10-beats-ml-cst")
def tab3_10_beats_ml_cst(raw):
    """AUC: CSPCA > PCA+ML-CST and CSNMF > NMF+ML-CST on >= 10 of 12 data sets each"""
    answers, found, n = _further(raw, "Table 3.10", (10 / 12, 10 / 12), "auc_hard", "balanced")
    if not answers:
        return cannot_be_tested(NOT_RUN, n_tested=0, n_claimed=N_DATASETS)
    scores = _further(raw, "Table 3.10", (10 / 12, 10 / 12), "auc", "balanced")[1]
    note = f"labels of plain logistic regression against labels of a balanced one; by scores: {'; '.join(scores)}"
    return verdict(enough(answers), "; ".join(found), note, n_tested=n, n_claimed=N_DATASETS)


@claim("tab3-11-beats-ccpdt")
def tab3_11_beats_ccpdt(raw):
    """AUC: CSPCA > PCA+CCPDT on >= 8 of 12, CSNMF > NMF+CCPDT on >= 10 of 12; paired t-test p < 0.05 for both"""
    answers, found, n = _further(raw, "Table 3.11", (8 / 12, 10 / 12), "auc_hard", "")
    if not answers:
        return cannot_be_tested(NOT_RUN, n_tested=0, n_claimed=N_DATASETS)
    tests = tests_of(raw, ["Table 3.11"])
    answers += [row.t_test < 0.05 and row.gain > 0 for row in tests]
    note = "labels' AUC, mean over folds, for all; the t-tests take pooled scores for CCPDT, as published"
    value = "; ".join([*found, p_text(tests) or f"fewer than {FEWEST} data sets, no t-test"])
    answers += [] if tests else [None]
    return verdict(enough(answers), value, note, n_tested=n, n_claimed=N_DATASETS)


@claim("p-below-1pct-most")
def p_below_1pct_most(raw):
    """count of p < 0.01 by the published kind of test over all comparisons > 50%"""
    tests = tests_of(raw, (*TABLES, *FURTHER))
    if not tests:
        reason = f"a test over data sets needs {FEWEST} of the thesis's, which this run does not have"
        return cannot_be_tested(reason, n_tested=0, n_claimed=N_TESTS)
    below = {
        reading: sum(row.t_test < 0.01 and row.gain > 0 for row in tests_of(raw, (*TABLES, *FURTHER), reading))
        for reading in ("published", "corrected")
    }
    holm = sum(row.wilcoxon_holm < 0.05 and row.gain > 0 for row in tests)
    note = f"corrected reading: {below['corrected']}; Wilcoxon-Holm below 0.05: {holm}"
    value = f"{below['published']} of {len(tests)} below 0.01 in favour of the proposed methods"
    return verdict(below["published"] > len(tests) / 2, value, note, n_tested=len(tests), n_claimed=N_TESTS)


TABLE_CHECKS = (
    *(tab3_2_cspca_best, tab3_2_significant, tab3_3_cspca_best, tab3_3_significant),
    *(tab3_4_cspca_best, tab3_4_significant, tab3_5_cspca_best, tab3_5_significant),
    *(tab3_6_csnmf_best, tab3_6_significant, tab3_7_csnmf_best, tab3_7_significant),
    *(tab3_8_csnmf_best, tab3_8_significant, tab3_9_csnmf_best, tab3_9_significant),
    *(sampling_does_not_suffice, tab3_10_beats_ml_cst, tab3_11_beats_ccpdt, p_below_1pct_most),
)
