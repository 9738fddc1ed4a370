"""The answer in sentences; the report, the command and the notebook say the same."""

from fslib.select.certainty import THRESHOLD
from fslib.select.scores import ALL_FEATURES, GUESS
from fslib.select.verdict import LEVEL

SCORE_NAMES = {
    "accuracy": "an accuracy",
    "balanced_accuracy": "a balanced accuracy",
    "neg_log_loss": "a log-likelihood per row (minus log loss)",
    "r2": "an R² (share of the variance explained)",
    "f1": "an F1 of the rarer class",
    "f1_macro": "a mean F1 of the classes",
    "roc_auc": "an area under the ROC curve",
    "roc_auc_ovr": "an area under the ROC curve, each class against the rest",
    "micro_f1_of_known_labels": "an F1 of all known labels",
}
"""Score -> its name in a sentence, with the article."""


def number(value, digits=3):
    """Number for a sentence, "not available" if there is none.

    Examples
    --------
    >>> number(0.7512), number(float("nan")), number(-0.0001)
    ('0.751', 'not available', '0.000')
    """
    if value != value:
        return "not available"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def count(n, noun):
    """Count with its noun.

    Examples
    --------
    >>> count(1, "feature"), count(3, "feature")
    ('1 feature', '3 features')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"


def p_value(p, n_permutations):
    """P-value as text; the smallest that so many shuffles can give is a bound.

    Examples
    --------
    >>> p_value(0.05, 19), p_value(0.2, 19)
    ('≤ 0.05', '0.20')
    """
    if p != p:
        return "not available"
    least = 1 / (1 + n_permutations)
    if p <= least * 1.001:
        return f"≤ {least:.1g}"
    return f"{p:.2f}" if p >= 0.01 else f"{p:.3f}"


def target_of(answer):
    """Name of the target, or of all labels."""
    labels = [str(name) for name in getattr(answer.table, "label_names", None) or []]
    if len(labels) > 3:
        return f"{len(labels)} labels"
    return getattr(answer.table, "target", None) or ", ".join(labels) or "the target"


def headline(answer):
    """One sentence that answers the question.

    Returns
    -------
    str
    """
    d = len(answer.problem.names)
    if answer.informative is False:
        nothing = {
            "classification": "Nothing here tells the classes apart",
            "regression": "Nothing here predicts the target",
            "multilabel": "Nothing here predicts the labels",
        }[answer.problem.task]
        return f"{nothing}: {'all scores tie' if answer.scores_tie else 'no choice beats a guess'}."
    if answer.informative is None:
        return f"Undecided: some features may help, but their predictions do not beat a guess for certain ({d} tried)."
    verb = "is" if answer.k == 1 else "are"
    return f"{answer.k} of {count(d, 'feature')} {verb} enough."


def verdict_sentences(answer):
    """What the headline rests on: the score to quote, the guess, all features, the best size.

    Returns
    -------
    list of str
    """
    nested, plan = answer.comparison.nested, answer.comparison.plan
    score = SCORE_NAMES.get(answer.problem.scoring, answer.problem.scoring)
    if nested.empty:
        return ["A score on rows that had no part in the choice is not available: the folds are too small to be split."]
    mean, spread = nested["score"].mean(), nested["score"].std()
    said = [
        f"Chosen inside the training part of {plan.n_folds} folds and tested on the rest, the choice reaches "
        f"{score} of {number(mean)} (spread over folds {number(spread)}).",
        f"The best guess that looks at no feature reaches {number(nested['guess'].mean())}; "
        + (
            f"the choice is better (p {_short(answer.p_guess)})."
            if answer.informative
            else f"the choice is not better by more than chance (p {_short(answer.p_guess)})."
        ),
    ]
    said += tie_sentences(answer)
    alone = answer.features["p_corrected"].min()
    if answer.informative is None and alone == alone:
        said.append(
            f"The feature most related to the target has a corrected p-value of {number(alone)}: "
            "more rows may settle it."
        )
    elif answer.informative is None:
        said.append("More rows may settle it.")
    if answer.informative is False:
        if not answer.scores_tie:
            said.append("No selector and no number of features does better.")
        if alone == alone:
            said.append("No single feature is related to the target by more than chance.")
        said.append("The features below are those that would be first; do not read anything into them.")
        return said
    verdict = {
        True: "choosing features is better than keeping all",
        False: "keeping all features is better than choosing",
        None: "the difference is within the noise",
    }[answer.against_all]
    said.append(f"With all features it is {number(nested['all_features'].mean())}: {verdict}.")
    if answer.k_best > answer.k:
        said.append(
            f"The best mean score needs {count(answer.k_best, 'feature')}, but is less than one standard error better."
        )
    summary = answer.comparison.summary
    means = summary.dropna(subset="mean").groupby("method")["mean"].max()
    tried = int(summary.loc[summary["method"] == answer.method, "k"].max())
    rising = answer.k_best == tried and means.get(ALL_FEATURES, -1e9) > means.drop([ALL_FEATURES, GUESS]).max()
    if tried < len(answer.problem.names) and (answer.k == tried or rising):
        said.append(f"{tried} is the largest number tried; more may do better: raise max_features above {tried}.")
    return said


def tie_sentences(answer):
    """What cannot be told apart: selectors and numbers of features, or the features themselves.

    Returns
    -------
    list of str
        Empty if there are differences.
    """
    said = []
    if answer.scores_tie:
        mean = answer.comparison.summary.set_index("method")["mean"].drop([ALL_FEATURES, GUESS]).dropna()
        said.append(
            f"All selectors score the same with every number of features ({number(mean.iloc[0])}), so that the scores "
            "cannot choose between them."
        )
    if answer.features_tie:
        said.append("Alone, all features score the same, so that the order of the columns decides which comes first.")
    return said


def _short(p):
    return "not available" if p != p else "< 0.001" if p < 0.001 else f"= {p:.3f}"


def on_par(answer):
    """Selectors whose best mean is within one standard error of the best of all, in the order of the summary.

    Returns
    -------
    list of str
    """
    summary = answer.comparison.summary
    known = summary[~summary["method"].isin([ALL_FEATURES, GUESS])].dropna(subset="mean")
    best = known.loc[known["mean"].idxmax()]
    means = known.groupby("method", sort=False)["mean"].max()
    return list(means.index[means >= best["mean"] - (best["se"] if best["se"] == best["se"] else 0)])


def certainty_sentences(answer):
    """How stable the choice is, and how many of the reliable features to expect by chance.

    Returns
    -------
    list of str
    """
    frequencies, d = answer.frequencies, len(answer.problem.names)
    n, said = len(frequencies.chosen), []
    stability = frequencies.stability
    if stability is None:
        said.append("All features are chosen, so there is nothing that could vary.")
    else:
        said.append(
            f"{answer.method} chose {count(answer.k, 'feature')} again on each of {n} halves of the rows. Nogueira's "
            f"stability of these choices is {number(stability.stability, 2)} (95 % interval "
            f"{number(stability.low, 2)} to {number(min(1.0, stability.high), 2)}; "
            "1 is always the same, 0 is what a random choice gives)."
        )
    reliable = int((frequencies.share >= THRESHOLD).sum())
    said.append(
        f"{count(reliable, 'feature')} of {d} {'is' if reliable == 1 else 'are'} chosen in at least {THRESHOLD:.0%} of "
        "the halves. " + _bound_sentence(answer, reliable)
    )
    if frequencies.n_failed:
        said.append(f"The selector failed on {count(frequencies.n_failed, 'pair')} of halves, which are left out.")
    also = also_related(answer)
    if also:
        names = ", ".join(also[:6]) + (f" and {len(also) - 6} more" if len(also) > 6 else "")
        said.append(
            f"Not needed for the score, but significantly related to the target (corrected p at most {LEVEL}): {names}."
        )
    return said


def also_related(answer):
    """Features that are neither chosen nor alternatives of chosen ones and have a small corrected p-value, best first.

    Returns
    -------
    list of str
    """
    if answer.informative is False:
        return []
    rows = answer.features
    covered = set(rows.loc[rows["chosen"] & (rows["group"] > 0), "group"])
    other = rows[~rows["chosen"] & ~rows["group"].isin(covered) & (rows["p_corrected"] <= LEVEL)]
    return list(other.sort_values(["p_corrected", "rank"])["feature"])


def table_notes(table):
    """Notes of the table but those that repeat one of its suspects, which are shown themselves.

    Examples
    --------
    >>> from sklearn.utils import Bunch
    >>> import pandas as pd
    >>> suspects = pd.DataFrame({"column": ["id"], "kind": ["row number"]})
    >>> notes = ["Column 'id' left out of the choice (row number); see suspects.", "Column 'id' was trimmed."]
    >>> table_notes(Bunch(notes=notes, suspects=suspects))
    ["Column 'id' was trimmed."]
    """
    suspects = getattr(table, "suspects", None)
    pairs = [] if suspects is None else list(zip(suspects["column"], suspects["kind"], strict=True))
    said = lambda note: any(note.startswith(f"Column {column!r}") and kind in note for column, kind in pairs)
    return [note for note in table.notes if not said(note)]


def _bound_sentence(answer, reliable):
    markov, unimodal = answer.bounds
    bounds = f"at most {number(markov, 2)} (Meinshausen and Bühlmann)"
    if unimodal == unimodal:
        bounds += f", or {number(unimodal, 2)} (Shah and Samworth, if shares are unimodal)"
    said = f"Of features that are chosen no more often than by chance, {bounds} would be expected among them."
    least = min(bound for bound in answer.bounds if bound == bound)
    if reliable and least >= reliable:
        said += " With so many chosen of so few features the bound says nothing."
    return said
