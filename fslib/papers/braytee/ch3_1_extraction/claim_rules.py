"""Rules by which claims of thesis "braytee", section 3.1.4, are judged on the rows that the experiments gave."""

from fslib.evaluation.margins import at_most, enough, noise_of_pairs
from fslib.papers.braytee.ch3_1_extraction.items import TABLES
from fslib.papers.braytee.ch3_1_extraction.protocol import FAMILIES, PROPOSED, TEST_TO_TRAIN
from fslib.papers.braytee.ch3_1_extraction.tables import (
    FEWEST,
    our_tests,
    pick,
    repeat_means,
    rule_of,
)
from fslib.papers.claims import cannot_be_tested, verdict

N_DATASETS = 12
NOT_RUN = "not run: no data set of Table 3.1 takes part in this run"


def fold_values(raw, method, classifier, rule, metric, reading):
    """Values of a column: data set -> Series over (repeat, fold)."""
    rows = pick(raw, method=method, classifier=classifier, rule=rule, metric=metric, reading=reading)
    return {name: part.set_index(["repeat", "fold"])["value"].sort_index() for name, part in rows.groupby("dataset")}


def gain_over(ours, theirs):
    """Mean difference over the folds that both have, and its noise."""
    both = ours.index.intersection(theirs.index)
    noise = noise_of_pairs(ours[both], theirs[both], test_to_train=TEST_TO_TRAIN)
    return ours[both].mean() - theirs[both].mean(), noise


def counted(outcomes):
    """Write on how many data sets the proposed method is ahead, behind or neither."""
    words = {True: "ahead", False: "behind", None: "within the noise"}
    return ", ".join(f"{list(outcomes).count(key)} {word}" for key, word in words.items())


def best_of_table(raw, item, least=0.75):
    """Judge whether the proposed method is at least the best other one of a table, on a share of the data sets."""
    name, classifier = TABLES[item]
    found = {reading: _against_best(raw, name, classifier, reading) for reading in ("published", "corrected")}
    leads = found["published"]
    if not leads:
        return cannot_be_tested(NOT_RUN, n_tested=0, n_claimed=N_DATASETS)
    outcomes = [at_most(-gain, 0.0, noise) for gain, noise in leads.values()]
    mean = sum(gain for gain, _ in leads.values()) / len(leads)
    wins = sum(gain >= 0 for gain, _ in leads.values())
    value = f"at least the best other on {wins} of {len(leads)} data sets ({counted(outcomes)}), mean lead {mean:+.3f}"
    corrected = found["corrected"]
    note = f"corrected reading: {sum(gain >= 0 for gain, _ in corrected.values())} of {len(corrected)}"
    return verdict(enough(outcomes, least), value, note, n_tested=len(leads), n_claimed=N_DATASETS)


def _against_best(raw, name, classifier, reading):
    """Lead of the proposed method over the best other one by mean: data set -> (difference, noise)."""
    rule = rule_of("published", classifier)
    columns = {m: fold_values(raw, m, classifier, rule, "auc_hard", reading) for m in FAMILIES[name]}
    ours, leads = columns.pop(PROPOSED[name]), {}
    for dataset, values in ours.items():
        others = [column[dataset] for column in columns.values() if dataset in column]
        if len(others) == len(columns):
            leads[dataset] = min((gain_over(values, other) for other in others), key=lambda lead: lead[0])
    return leads


def tests_of(raw, items, reading="published"):
    """Rows of `our_tests` that belong to some items; none where a run has too few data sets."""
    if raw.empty:
        return []
    tests = our_tests(repeat_means(raw), reading)
    return list(tests[tests["item"].isin(items)].itertuples()) if len(tests) else []


def p_text(tests):
    """Write the gains of tests and their p-values."""
    return ", ".join(f"{row.method} {row.gain:+.3f} p={row.t_test:.2g}" for row in tests)


def significant(raw, item):
    """Judge whether the proposed method gains by a t-test against each other one of a table."""
    tests = tests_of(raw, [item])
    if not tests:
        reason = f"a test over data sets needs {FEWEST} of the thesis's, which this run does not have"
        return cannot_be_tested(reason, n_tested=0, n_claimed=3)
    below = [sum(row.t_test < level and row.gain > 0 for row in tests) for level in (0.01, 0.05)]
    note = f"{tests[0].n} data sets; Wilcoxon-Holm over all tables: " + ", ".join(
        f"{row.wilcoxon_holm:.2g}" for row in tests
    )
    note += f"; corrected reading: {p_text(tests_of(raw, [item], 'corrected'))}"
    outcome = below[0] >= 2 and below[1] == len(tests)
    return verdict(outcome, p_text(tests), note, n_tested=len(tests), n_claimed=3)
