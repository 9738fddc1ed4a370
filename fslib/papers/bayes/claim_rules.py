"""Rules by which claims of paper "bayes", section 4, are judged on the curves of a figure."""

from dataclasses import replace
from functools import wraps

from fslib.papers.bayes.tables import panels, under_rule
from fslib.papers.claims import cannot_be_tested, verdict

BASELINES = ["MIGreedy", "MIScore", "MRMR", "FScore"]


SET_METHODS = ["BayesGreedy", "MIGreedy", "MRMR"]


SCORE_METHODS = ["BayesScore", "MIScore", "FScore"]


def under_both_rules(judge):
    """Judge a claim on the rows with ties by index, as Algorithm 1 has them; what ties by log say is in the note."""

    @wraps(judge)
    def check(tidy, **options):
        if tidy.empty or not tidy["setting"].str.contains("ties=").any():
            return judge(tidy, **options)
        found, better = (judge(under_rule(tidy, ties), **options) for ties in ("index", "log"))
        note = f"ties by log: {better.word}, {better.value or better.note}"
        return replace(found, note=f"{found.note}; {note}" if found.note else note)

    return check


def not_run(what, n_claimed=None):
    """Return that a claim cannot be tested, since an experiment was not run."""
    return cannot_be_tested(f"not run: {what}", n_tested=0, n_claimed=n_claimed)


def on_named(tidy, item, dataset, judge, loss=None):
    """Judge one panel that a claim names; other data sets do not count, but what they say is in the note.

    ``judge`` takes the curves and returns the outcome, the number that decides and a remark; without a number the
    remark says why there is none.
    """
    found = {key[0]: curves for key, curves in panels(tidy, item).items() if loss in (None, key[1])}
    reason = f"{dataset} takes no part in this run"
    if dataset in found:
        outcome, value, note = judge(found.pop(dataset))
        if value:
            return verdict(outcome, value, note, n_tested=1, n_claimed=1)
        reason = note
    others = "; ".join(f"on {name}: {value}" for name, curves in found.items() if (value := judge(curves)[1]))
    return cannot_be_tested(
        f"{reason}; other data, not counted: {others}" if others else reason, n_tested=0, n_claimed=1
    )


def shares_text(outcomes):
    """Write how many comparisons are true, and how many are undecided.

    Examples
    --------
    >>> shares_text([True, None, False, True])
    '2 yes, 1 undecided, 1 no'
    """
    outcomes = list(outcomes)
    undecided = sum(outcome is None for outcome in outcomes)
    yes = sum(bool(outcome) for outcome in outcomes if outcome is not None)
    return f"{yes} yes, {undecided} undecided, {len(outcomes) - yes - undecided} no"
