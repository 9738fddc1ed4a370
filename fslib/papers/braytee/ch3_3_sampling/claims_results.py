"""Claims of thesis "braytee", section 3.3.4: each is decided on the rows that the experiments gave.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. ABC-Sampling as published decides, on
test rows that no method chose (``protocol=held_out``), by the AUC of predicted labels and F1; the note says how the
corrected reading and the AUC of scores do. A difference of two methods has the noise of the corrected paired test on
the splits that both ran, 5 % two-sided, test to training rows 1 to 2.
"""

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs
from fslib.papers.braytee.ch3_3_sampling.chapter import OTHERS, SHARED
from fslib.papers.braytee.ch3_3_sampling.items import ITERATIONS, LIMIT, LIMITS, PLAIN, PROPOSED, PUBLISHED, RATIOS
from fslib.papers.braytee.ch3_3_sampling.tables import TEST_TO_TRAIN, paired
from fslib.papers.claims import cannot_be_tested, claim, verdict, with_noise

METRICS = (("auc", "published"), ("f_measure", ""))
N_SETS = 7
"""Data sets of Tables 3.15 and 3.17 and Figure 3.7."""


def _difference(raw, dataset, first, second, metric, arm, ratio=""):
    """Mean difference on common splits and its noise."""
    a, b = paired(raw, dataset, first, second, metric, arm, ratio)
    return (a - b).mean(), noise_of_pairs(a, b, test_to_train=TEST_TO_TRAIN)


def _leads(raw, reading="published", metrics=METRICS):
    """Lead of ABC-Sampling over the best published baseline: data set, ratio and metric -> difference, noise, name."""
    ours, found = (PROPOSED, reading), {}
    for dataset, ratio in sorted(set(zip(raw["dataset"], raw["ratio"], strict=True))):
        for metric, arm in metrics:
            means = {m: paired(raw, dataset, ours, (m, ""), metric, arm, ratio)[1].mean() for m in PUBLISHED[1:]}
            best = max(means, key=means.get)
            found[dataset, ratio, metric] = *_difference(raw, dataset, ours, (best, ""), metric, arm, ratio), best
    return found


def _ahead(raw, n_claimed, share, strict):
    leads = _leads(raw)
    decide = (lambda d, n: exceeds(d, 0.0, n)) if strict else (lambda d, n: at_most(-d, 0.0, n))
    outcomes = [decide(difference, noise) for difference, noise, _ in leads.values()]
    by_value = sum(difference >= 0 for difference, *_ in leads.values())
    value = (
        f"clearly ahead in {outcomes.count(True)} of {len(leads)} pairs of data set and metric, "
        f"{outcomes.count(None)} undecided; {by_value} by value alone"
    )
    corrected = _leads(raw, "corrected", (("auc", "scores"), METRICS[1]))
    note = "; ".join(
        f"{' '.join(part for part in name if part)} {with_noise(*lead[:2])} against {lead[2]}"
        for name, lead in leads.items()
    )
    ahead = sum(difference >= 0 for difference, *_ in corrected.values())
    note += f"; corrected reading, AUC of scores in place of labels: ahead in {ahead} of {len(corrected)} by value"
    return verdict(enough(outcomes, share), value, note, n_tested=len(leads), n_claimed=n_claimed)


@claim("tab3-15-abc-best")
def tab3_15_abc_best(raw):
    """test AUC and F: ABC >= max of the others in >= 80% of (data set, metric) cells, each beyond the noise"""
    if raw.empty:
        return cannot_be_tested("not run: no data set of Table 3.15", n_tested=0, n_claimed=2 * N_SETS)
    return _ahead(raw, 2 * N_SETS, 0.8, strict=False)


@claim("tab3-15-undersampling-helps")
def tab3_15_undersampling_helps(raw):
    """AUC and F of RU, PSO, ABC > Baseline in >= 80% of cells each, each beyond the noise"""
    claimed = 6 * N_SETS
    if raw.empty:
        return cannot_be_tested("not run: no data set of Table 3.15", n_tested=0, n_claimed=claimed)
    outcomes, values, notes = [], [], []
    for method in PUBLISHED[:-1]:
        ours = (method, "published" if method == PROPOSED else "")
        gains = {
            (dataset, metric): _difference(raw, dataset, ours, (PLAIN, ""), metric, arm)
            for dataset in sorted(set(raw["dataset"]))
            for metric, arm in METRICS
        }
        single = [exceeds(difference, 0.0, noise) for difference, noise in gains.values()]
        outcomes.append(enough(single, 0.8))
        values.append(f"{method} {single.count(True)} of {len(gains)}, {single.count(None)} undecided")
        notes += [f"{method} {' '.join(name)} {with_noise(*gain)}" for name, gain in gains.items()]
    tested = len(notes)
    return verdict(enough(outcomes), "; ".join(values), "; ".join(notes), n_tested=tested, n_claimed=claimed)


@claim("tab3-16-abc-all-ratios")
def tab3_16_abc_all_ratios(raw):
    """AUC and F: ABC > max of the others at every ratio on both data sets, each beyond the noise"""
    claimed = 2 * sum(map(len, RATIOS.values()))
    if raw.empty:
        return cannot_be_tested("not run: no data set of Table 3.16", n_tested=0, n_claimed=claimed)
    return _ahead(raw, claimed, 1.0, strict=True)


def _of_option(raw, option, value):
    return raw[raw[option] == value]


def _against(raw, option, dataset, metric, arm, first, second):
    """Difference of two values of an option on one data set, and its noise."""
    ours = (PROPOSED, "published")
    a, b = (paired(_of_option(raw, option, v), dataset, ours, ours, metric, arm)[0] for v in (first, second))
    return (a - b).mean(), noise_of_pairs(a, b, test_to_train=TEST_TO_TRAIN)


@claim("tab3-17-limit-10")
def tab3_17_limit_10(raw, tolerance=0.01):
    """mean over data sets of AUC and of F: argmax over {5,10,15,20,30,50} = 10; per cell best or within 0.01 in >= 80%;
    a lead within the noise is undecided
    """
    if raw.empty or not set(LIMITS) <= set(raw["limit"]):
        return cannot_be_tested("not run: needs limits 5, 10, 15, 20, 30 and 50", n_tested=0, n_claimed=2 * N_SETS)
    outcomes, cells, values = [], [], []
    for metric, arm in METRICS:
        rows = raw[(raw["metric"] == metric) & (raw["arm"] == arm) & (raw["protocol"] == "held_out")]
        means = rows.groupby("limit")["value"].mean()
        best_other = means.drop(LIMIT).idxmax()
        splits = rows.pivot_table(index="split", columns="limit", values="value")  # mean over data sets
        noise = noise_of_pairs(splits[LIMIT], splits[best_other], test_to_train=TEST_TO_TRAIN)
        lead = means[LIMIT] - means[best_other]
        outcomes.append(exceeds(lead, 0.0, noise))
        values.append(f"mean {metric}: limit 10 less limit {best_other:g} {with_noise(lead, noise)}")
        for dataset in sorted(set(rows["dataset"])):
            of_set = rows[rows["dataset"] == dataset].groupby("limit")["value"].mean()
            other = of_set.drop(LIMIT).idxmax()
            gap, noise = _against(raw, "limit", dataset, metric, arm, other, LIMIT)
            cells.append(at_most(gap, tolerance, noise))
    values.append(f"best or within 0.01 in {cells.count(True)} of {len(cells)}, {cells.count(None)} undecided")
    outcome = enough([*outcomes, enough(cells, 0.8)])
    return verdict(outcome, "; ".join(values), n_tested=len(cells), n_claimed=2 * N_SETS)


@claim("tab3-17-small-limit-worse")
def tab3_17_small_limit_worse(raw):
    """limit 5 gives lower AUC and F than limit 10 in >= 90% of cells, each beyond the noise"""
    if raw.empty or not {5, LIMIT} <= set(raw["limit"]):
        return cannot_be_tested("not run: needs limits 5 and 10", n_tested=0, n_claimed=2 * N_SETS)
    gains = {
        (dataset, metric): _against(raw, "limit", dataset, metric, arm, LIMIT, 5)
        for dataset in sorted(set(raw["dataset"]))
        for metric, arm in METRICS
    }
    outcomes = [exceeds(gain, 0.0, noise) for gain, noise in gains.values()]
    lower = sum(gain > 0 for gain, _ in gains.values())
    value = (
        f"clearly lower in {outcomes.count(True)} of {len(gains)}, {outcomes.count(None)} undecided; {lower} by value"
    )
    note = "; ".join(f"{' '.join(name)} {with_noise(*gain)}" for name, gain in gains.items())
    return verdict(enough(outcomes, 0.9), value, note, n_tested=len(gains), n_claimed=2 * N_SETS)


@claim("fig3-7-iterations")
def fig3_7_iterations(raw, tolerance=0.01):
    """seven data sets: mean AUC(250) >= mean AUC(n) for n < 250; |mean AUC(500) - mean AUC(250)| <= 0.01; distinct
    evaluations(500) > 1.5 x evaluations(250); noise as for the other claims
    """
    measured = raw[(raw["metric"] == "auc") & (raw["arm"] == "published")] if len(raw) else raw
    numbers = sorted(set(measured["max_iter"])) if len(raw) else []
    if not {ITERATIONS, 2 * ITERATIONS} <= set(numbers) or numbers[0] >= ITERATIONS:
        reason = "not run: needs 250, 500 and fewer iterations"
        return cannot_be_tested(reason, n_tested=0, n_claimed=N_SETS)
    rows = measured[measured["protocol"] == "held_out"]
    splits = rows.pivot_table(index="split", columns="max_iter", values="value")
    apart = {}
    for number in splits:
        noise = noise_of_pairs(splits[number], splits[ITERATIONS], test_to_train=TEST_TO_TRAIN)
        apart[number] = (splits[number] - splits[ITERATIONS]).mean(), noise
    fewer = [at_most(apart[n][0], 0.0, apart[n][1]) for n in numbers if n < ITERATIONS]
    more, noise = apart[2 * ITERATIONS]
    spent = raw[raw["metric"] == "n_evaluations"].groupby("max_iter")["value"].mean()
    ratio = spent[2 * ITERATIONS] / spent[ITERATIONS]
    outcomes = [*fewer, at_most(abs(more), tolerance, noise), ratio > 1.5]
    value = ", ".join(f"AUC({n:g}) - AUC(250) {with_noise(*apart[n])}" for n in numbers if n != ITERATIONS)
    value += f"; evaluations(500) / evaluations(250) = {ratio:.2f}"
    return verdict(enough(outcomes), value, n_tested=rows["dataset"].nunique(), n_claimed=N_SETS)


@claim("ch3-abc-beats-other-two")
def ch3_abc_beats_other_two(rows):
    """same data and split: AUC of ABC > max AUC of CSPCA, CSNMF, BSNMF on Colon and Breast, each beyond the noise"""
    here = [name for name in SHARED if len(rows) and name in set(rows["dataset"])]
    if not here:
        reason = f"not run: needs {' and '.join(SHARED)} in the comparison of the chapter's methods"
        return cannot_be_tested(reason, n_tested=0, n_claimed=len(SHARED))
    outcomes, values, notes = [], [], []
    for dataset in here:
        for arm, lines in (("published", values), ("scores", notes)):
            ours = (PROPOSED, "published")
            means = {m: paired(rows, dataset, ours, (m, "published"), "auc", arm)[1].mean() for m in OTHERS}
            best = max(means, key=means.get)
            lead, noise = _difference(rows, dataset, ours, (best, "published"), "auc", arm)
            lines.append(f"{dataset}: less {best} {with_noise(lead, noise)}")
            if arm == "published":
                outcomes.append(exceeds(lead, 0.0, noise))
    note = (
        f"by scores: {'; '.join(notes)}; Breast is the set of 77 samples, in section 3.1 it is another one; "
        "BSNMF has the ranks with the best published values, which favours it"
    )
    return verdict(enough(outcomes), "; ".join(values), note, n_tested=len(here), n_claimed=len(SHARED))
