"""Claims of section 4.2.3 on significance, on Figure 4.16 and on Table 4.7.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it.
"""

from fslib.evaluation.margins import enough, exceeds, noise_of_pairs
from fslib.papers.braytee.ch4_2_fuzz_esvm.claims_results import N_DATASETS, OTHERS, TEST_TO_TRAIN, judged
from fslib.papers.braytee.ch4_2_fuzz_esvm.items import FIGURES
from fslib.papers.braytee.ch4_2_fuzz_esvm.separation import SHOWN
from fslib.papers.braytee.ch4_2_fuzz_esvm.tables import at_best_size
from fslib.papers.claims import cannot_be_tested, claim, verdict, with_noise

PATHWAYS = {"Ribosome": 12, "Asthma": 4}


@claim("tab4-6-significant")
def tab4_6_significant(raw):
    """per data set and method, mean AUC of labels over bootstraps at the best size: Fuzz-ESVM ahead with p < 0.05 in
    the paired t-test over splits, corrected for their overlap, in all comparisons; a gain within the noise is undecided
    """
    rows = at_best_size(raw)
    rows, n_claimed = judged(rows[rows["statistic"] == "mean"]), N_DATASETS * len(OTHERS)
    outcomes, notes = [], []
    for dataset in FIGURES:
        wide = rows[rows["dataset"] == dataset].pivot_table(index="split", columns="method", values="value")
        for method in OTHERS:
            if not {method, "Fuzz-ESVM"} <= set(wide):
                continue
            both = wide[["Fuzz-ESVM", method]].dropna()
            if both.empty:
                continue
            noise = noise_of_pairs(both["Fuzz-ESVM"], both[method], test_to_train=TEST_TO_TRAIN)
            gain = (both["Fuzz-ESVM"] - both[method]).mean()
            outcomes.append(exceeds(gain, 0.0, noise))
            notes.append(f"{dataset} {method} {with_noise(gain, noise)}")
    if not outcomes:
        reason = "not run: a data set of Table 4.6 with Fuzz-ESVM and another method"
        return cannot_be_tested(reason, n_tested=0, n_claimed=n_claimed)
    value = f"ahead beyond the noise in {outcomes.count(True)} of {len(outcomes)}, {outcomes.count(None)} undecided"
    note = "bootstrap samples of one training part are not independent repeats, splits stand in; "
    note += "sizes are the best on the test part, as in the thesis, so p is too small; " + "; ".join(notes)
    return verdict(enough(outcomes), value, note, n_tested=len(outcomes), n_claimed=n_claimed)


@claim("fig4-16-svd-separation")
def fig4_16_svd_separation(found):
    """ALL/AML: silhouette of the test rows in the 3-d projection, 46 selected > all features by more than the noise of
    overlapping splits; accuracy of 1-NN in the note
    """
    if found.empty:
        return cannot_be_tested("not run: ALL/AML with Fuzz-ESVM", n_tested=0, n_claimed=1)
    values, notes = {}, []
    for measure in ("silhouette", "one_nn"):
        wide = found.pivot(index="split", columns="features", values=measure)
        ours, every = wide[SHOWN[0]].dropna(), wide["all features"].dropna()
        values[measure] = (ours - every).mean(), noise_of_pairs(ours, every, test_to_train=TEST_TO_TRAIN)
        means = ", ".join(f"{name} {value:.3f}" for name, value in wide.mean().items())
        notes.append(f"{measure} {with_noise(*values[measure])}: {means}")
    gain, noise = values["silhouette"]
    return verdict(
        exceeds(gain, 0.0, noise), f"silhouette {with_noise(gain, noise)}", "; ".join(notes), n_tested=1, n_claimed=1
    )


@claim("tab4-7-ribosome-largest")
def tab4_7_ribosome_largest(genes):
    """count rows of braytee_table_4_7.csv per pathway: Ribosome 12, Asthma 4; on real data: share of ribosomal probes
    among the top 50 above the array's share (hypergeometric p < 0.05)
    """
    counts = genes["pathway"].value_counts().to_dict()
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    if counts != PATHWAYS:
        return verdict(False, f"listed: {listed}", "the table itself has other counts", n_tested=0, n_claimed=1)
    needs = "the glioblastoma set with the names of its 12625 probes, and the pathways of KEGG as of 2017"
    return cannot_be_tested(f"the table lists {listed}; a test needs {needs}", n_tested=0, n_claimed=1)
