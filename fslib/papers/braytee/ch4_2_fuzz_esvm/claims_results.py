"""Claims of section 4.2 about test AUC, judged on rows of single trials.

All use the measure of the thesis: AUC of labels on the test part, features selected once per split. Methods are
compared on the splits on which all of them were run, and a difference must exceed the noise of overlapping splits.
Substitutes for the data of the thesis are never judged.
"""

import numpy as np

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs
from fslib.papers.braytee.ch4_2_fuzz_esvm.items import FIGURES, METHODS, STATISTICS
from fslib.papers.braytee.ch4_2_fuzz_esvm.tables import at_best_size, numbers
from fslib.papers.claims import cannot_be_tested, claim, verdict

TEST_TO_TRAIN = 1 / 3
OTHERS = tuple(method for method in METHODS if method != "Fuzz-ESVM")
N_DATASETS = len(FIGURES)


def judged(rows, metric="auc_hard"):
    """Rows made as in the thesis, on its data."""
    as_published = rows["reading"].isin(["", "published"]) & (rows["selection"] == "once")
    return rows[
        as_published & (rows["metric"] == metric) & rows["dataset"].isin(FIGURES) & rows["method"].isin(METHODS)
    ]


def _wide(rows, index):
    """Methods as columns; only splits that all of them have."""
    wide = rows.pivot_table(index=index, columns="method", values="value")
    missing = [method for method in METHODS if method not in wide]
    return None if missing else wide.dropna()


def _difference(a, b):
    """Mean difference over splits and its noise; one split has no noise that is known."""
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    return difference.mean(), noise_of_pairs(a, b, test_to_train=TEST_TO_TRAIN)


def _fuzz_best(raw, dataset, least=0.6):
    rows = judged(numbers(raw))
    wide = _wide(rows[(rows["dataset"] == dataset) & (rows["statistic"] == "mean")], ["k", "split"])
    if wide is None or wide.empty:
        return cannot_be_tested(f"not run: {dataset} with all four methods", n_tested=0, n_claimed=1)
    outcomes, ahead = [], 0
    for _, part in wide.groupby("k"):
        others = part[list(OTHERS)]
        best = others[others.mean().idxmax()]
        lead, noise = _difference(part["Fuzz-ESVM"], best)
        outcomes.append(at_most(-lead, 0.0, noise))
        ahead += lead >= 0
    n_splits = wide.index.get_level_values("split").nunique()
    value = f"not behind the best other method in the mean at {ahead} of {len(outcomes)} numbers of features"
    words = [outcomes.count(True), outcomes.count(False), outcomes.count(None)]
    note = f"{n_splits} splits; beyond the noise ahead at {words[0]}, behind at {words[1]}, open at {words[2]}"
    return verdict(enough(outcomes, least), value, note, n_tested=1, n_claimed=1)


def _range(values, low, high):
    part = values[(values.index >= low) & (values.index <= high)]
    return part.max() - part.min()


def _stable_after_50(raw, dataset, most=0.05):
    rows = judged(numbers(raw))
    rows = rows[(rows["dataset"] == dataset) & (rows["statistic"] == "mean") & (rows["method"] == "Fuzz-ESVM")]
    wide = rows.pivot_table(index="k", columns="split", values="value")
    if wide.empty or (wide.index > 50).sum() < 2:
        return cannot_be_tested(f"not run: {dataset} beyond 50 features", n_tested=0, n_claimed=1)
    late, early = _range(wide.mean(axis=1), 50, 100), _range(wide.mean(axis=1), 1, 50)
    errors = (
        _jackknife(wide, lambda part: _range(part, 50, 100)),
        _jackknife(wide, lambda part: _range(part, 50, 100) - _range(part, 1, 50)),
    )
    outcomes = [at_most(late, most, errors[0]), exceeds(early - late, 0.0, errors[1])]
    value = f"range {late:.3f} over 50 to 100 features, {early:.3f} over 1 to 50"
    return verdict(enough(outcomes), value, f"{wide.shape[1]} splits", n_tested=1, n_claimed=1)


def _jackknife(wide, statistic):
    """Standard error over splits of a statistic of the mean curve; NaN for fewer than three splits."""
    n = wide.shape[1]
    if n < 3:
        return float("nan")
    without = np.array([statistic(wide.drop(columns=column).mean(axis=1)) for column in wide])
    return float(np.sqrt((n - 1) * without.var()))


@claim("fig4-6-childhood-fuzz-best")
def fig4_6_childhood_fuzz_best(raw):
    """mean AUC of labels over bootstraps and splits at each number of features: Fuzz-ESVM not behind the best of the
    others, by more than the noise of overlapping splits, at >= 60% of numbers
    """
    return _fuzz_best(raw, "Childhood leukaemia")


@claim("fig4-8-dlbcl-fuzz-best")
def fig4_8_dlbcl_fuzz_best(raw):
    """mean AUC of labels over bootstraps and splits at each number of features: Fuzz-ESVM not behind the best of the
    others, by more than the noise of overlapping splits, at >= 60% of numbers
    """
    return _fuzz_best(raw, "DLBCL-FSCC")


@claim("fig4-10-prostate-fuzz-best")
def fig4_10_prostate_fuzz_best(raw):
    """mean AUC of labels over bootstraps and splits at each number of features: Fuzz-ESVM not behind the best of the
    others, by more than the noise of overlapping splits, at >= 60% of numbers
    """
    return _fuzz_best(raw, "Prostate cancer")


@claim("fig4-12-breast-fuzz-best")
def fig4_12_breast_fuzz_best(raw):
    """mean AUC of labels over bootstraps and splits at each number of features: Fuzz-ESVM not behind the best of the
    others, by more than the noise of overlapping splits, at >= 60% of numbers
    """
    return _fuzz_best(raw, "Breast cancer")


@claim("fig4-14-allaml-fuzz-best")
def fig4_14_allaml_fuzz_best(raw):
    """mean AUC of labels over bootstraps and splits at each number of features: Fuzz-ESVM not behind the best of the
    others, by more than the noise of overlapping splits, at >= 60% of numbers
    """
    return _fuzz_best(raw, "ALL/AML")


@claim("fig4-6-childhood-stable-after-50")
def fig4_6_childhood_stable_after_50(raw):
    """range of mean AUC of labels over 50..100 features <= 0.05 and smaller than the range over 1..50; undecided within
    one jackknife error over splits
    """
    return _stable_after_50(raw, "Childhood leukaemia")


@claim("fig4-8-dlbcl-stable-after-50")
def fig4_8_dlbcl_stable_after_50(raw):
    """range of mean AUC of labels over 50..100 features <= 0.05 and smaller than the range over 1..50; undecided within
    one jackknife error over splits
    """
    return _stable_after_50(raw, "DLBCL-FSCC")


@claim("fig4-10-prostate-stable-after-50")
def fig4_10_prostate_stable_after_50(raw):
    """range of mean AUC of labels over 50..100 features <= 0.05 and smaller than the range over 1..50; undecided within
    one jackknife error over splits
    """
    return _stable_after_50(raw, "Prostate cancer")


@claim("fig4-12-breast-stable-after-50")
def fig4_12_breast_stable_after_50(raw):
    """range of mean AUC of labels over 50..100 features <= 0.05 and smaller than the range over 1..50; undecided within
    one jackknife error over splits
    """
    return _stable_after_50(raw, "Breast cancer")


@claim("fig4-14-allaml-stable-after-50")
def fig4_14_allaml_stable_after_50(raw):
    """range of mean AUC of labels over 50..100 features <= 0.05 and smaller than the range over 1..50; undecided within
    one jackknife error over splits
    """
    return _stable_after_50(raw, "ALL/AML")


def _per_dataset(rows, decide):
    """Outcomes of the data sets that all methods have; ``decide`` takes a wide frame, a row per split."""
    found = {}
    for dataset in FIGURES:
        wide = _wide(rows[rows["dataset"] == dataset], ["split"])
        if wide is not None and len(wide):
            found[dataset] = decide(wide)
    return found


def _words(found):
    names = {True: "holds", False: "does not", None: "open"}
    return ", ".join(f"{dataset} {names[outcome]}" for dataset, outcome in found.items())


@claim("tab4-6-fuzz-best")
def tab4_6_fuzz_best(raw, least=0.8):
    """per data set and statistic of AUC of labels over bootstraps, mean over splits: Fuzz-ESVM not behind the best of
    the others, by more than the noise of overlapping splits, in >= 80% of 30 cells
    """
    rows, outcomes, ahead = judged(at_best_size(raw)), [], 0
    for statistic in STATISTICS:

        def not_behind(wide):
            best = wide[wide[list(OTHERS)].mean().idxmax()]
            lead, noise = _difference(wide["Fuzz-ESVM"], best)
            return at_most(-lead, 0.0, noise), lead >= 0

        found = _per_dataset(rows[rows["statistic"] == statistic], not_behind).values()
        outcomes += [outcome for outcome, _ in found]
        ahead += sum(first for _, first in found)
    n_claimed = N_DATASETS * len(STATISTICS)
    if not outcomes:
        return cannot_be_tested(
            "not run: the data sets of Table 4.6 with all four methods", n_tested=0, n_claimed=n_claimed
        )
    value = f"not behind in the mean in {ahead} of {len(outcomes)} cells"
    note = f"beyond the noise ahead or on par in {outcomes.count(True)}, behind in {outcomes.count(False)}"
    return verdict(enough(outcomes, least), value, note, n_tested=len(outcomes), n_claimed=n_claimed)


@claim("tab4-6-fewer-features")
def tab4_6_fewer_features(raw, least=0.6):
    """argmax size of Fuzz-ESVM (AUC of labels on the test part, mean over splits) < min of the others' by more than the
    noise of overlapping splits on >= 60% of the data sets run, 3 of 5
    """
    rows = at_best_size(raw)
    rows = judged(rows[rows["statistic"] == "mean"])
    rows = rows.assign(value=rows["k"].astype(float))

    def fewer(wide):
        least_other = wide[list(OTHERS)].mean().idxmin()
        difference, noise = _difference(wide[least_other], wide["Fuzz-ESVM"])
        return exceeds(difference, 0.0, noise)

    return _count(rows, fewer, least, "best size below all others")


@claim("tab4-6-correlated-beats-svmrfe")
def tab4_6_correlated_beats_svmrfe(raw, least=0.8):
    """mean AUC of labels: Fuzz-ESVM, Fuzzy Forest and HLR each > SVM-RFE by more than the noise of overlapping splits
    on >= 80% of the data sets run, 4 of 5
    """
    rows = at_best_size(raw)

    def better(wide):
        differences = [_difference(wide[method], wide["SVM-RFE"]) for method in METHODS if method != "SVM-RFE"]
        return enough([exceeds(difference, 0.0, noise) for difference, noise in differences])

    return _count(judged(rows[rows["statistic"] == "mean"]), better, least, "all three above SVM-RFE")


def _count(rows, decide, least, what):
    found = _per_dataset(rows, decide)
    if not found:
        reason = "not run: the data sets of Table 4.6 with all four methods"
        return cannot_be_tested(reason, n_tested=0, n_claimed=N_DATASETS)
    value = f"{what} on {sum(o is True for o in found.values())} of {len(found)} data sets"
    return verdict(enough(found.values(), least), value, _words(found), n_tested=len(found), n_claimed=N_DATASETS)


CHECKS = (
    fig4_6_childhood_fuzz_best,
    fig4_6_childhood_stable_after_50,
    fig4_8_dlbcl_fuzz_best,
    fig4_8_dlbcl_stable_after_50,
    fig4_10_prostate_fuzz_best,
    fig4_10_prostate_stable_after_50,
    fig4_12_breast_fuzz_best,
    fig4_12_breast_stable_after_50,
    fig4_14_allaml_fuzz_best,
    fig4_14_allaml_stable_after_50,
    tab4_6_fuzz_best,
    tab4_6_fewer_features,
    tab4_6_correlated_beats_svmrfe,
)
"""The checks that take rows of single trials."""
