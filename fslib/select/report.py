"""The answer as one page that needs nothing beside it, for a phone or a desk."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import fslib
from fslib.select.certainty import THRESHOLD
from fslib.select.charts import STYLE, curve_chart
from fslib.select.compare import Plan
from fslib.select.redundancy import REDUNDANT
from fslib.select.scores import ALL_FEATURES, GUESS
from fslib.select.words import (
    SCORE_NAMES,
    certainty_sentences,
    count,
    headline,
    number,
    on_par,
    p_value,
    table_notes,
    target_of,
    verdict_sentences,
)

TEMPLATES = Path(__file__).parent / "templates"

ALSO_SHOWN = 5
"""Features behind the chosen ones that the table shows."""


def render(answer, *, source, code, untrusted=(), words=str):
    """Page of an answer.

    Parameters
    ----------
    answer : Answer
    source : str
        The table's file.
    code : str
        From ``fslib.select.files.snippet``.
    untrusted : sequence of str
        Types in the pipeline that skops does not trust by itself.
    words : callable
        Makes of a sentence that names arguments of Python one for the reader, such as `fslib.select.doors.as_options`.

    Returns
    -------
    str
        HTML without links to the outside, scripts or dates: the same answer gives the same page.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        style=Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),
        name=Path(str(source)).name,
        answer=answer,
        target=target_of(answer),
        headline=headline(answer),
        sentences=[words(sentence) for sentence in verdict_sentences(answer)],
        certainty=[words(sentence) for sentence in certainty_sentences(answer)],
        suspects=[row | {"action": words(row["action"])} for row in suspect_rows(answer)],
        notes=[words(note) for note in [*answer.cautions, *table_notes(answer.table)]],
        features=feature_rows(answer),
        groups=group_rows(answer),
        methods=method_rows(answer),
        on_par=on_par(answer),
        remarks=[row | {"text": words(row["text"])} for row in answer.comparison.remarks.to_dict("records")],
        chart=Markup(chart(answer)),
        score=SCORE_NAMES.get(answer.problem.scoring, answer.problem.scoring).removeprefix("an ").removeprefix("a "),
        how=how_sentences(answer),
        code=code,
        untrusted=list(untrusted),
        version=fslib.__version__,
        count=count,
        threshold=f"{THRESHOLD:.0%}",
        redundant=REDUNDANT,
    )


def suspect_rows(answer):
    """Columns that were noticed before anything was chosen, as dicts."""
    suspects = getattr(answer.table, "suspects", None)
    return [] if suspects is None else suspects.to_dict("records")


def feature_rows(answer):
    """Chosen features and a few behind them, as the table shows them."""
    shown = answer.features.head(answer.k + ALSO_SHOWN)
    n = answer.comparison.plan.n_permutations
    rows = []
    for row in shown.itertuples():
        chosen = row.feature in answer.chosen
        others = [name for name in row.alternatives if not (chosen and name in answer.chosen)]
        rows.append(
            {
                "rank": row.rank,
                "name": row.feature,
                "column": row.column if row.column != row.feature else "",
                "chosen": chosen,
                "share": row.frequency,
                "group_share": row.group_frequency if row.alternatives else None,
                "p": p_value(row.p_corrected, n) if answer.p_score else "",
                "alternatives": others[:4],
                "more": max(0, len(others) - 4),
            }
        )
    return rows


def group_rows(answer):
    """Groups of features that say the same, those of chosen features first."""
    rows = []
    for number_of, members in answer.features[answer.features["group"] > 0].groupby("group", sort=False):
        names = list(members["feature"])
        chosen = [name for name in names if name in answer.chosen]
        rows.append({"names": names[:8], "more": max(0, len(names) - 8), "chosen": chosen, "number": number_of})
    return sorted(rows, key=lambda row: not row["chosen"])


def method_rows(answer):
    """One row per selector: its best size and score, and its score at the chosen size."""
    summary = answer.comparison.summary
    near, rows = set(on_par(answer)), []
    for method, part in summary.groupby("method", sort=False):
        known = part.dropna(subset="mean")
        if known.empty:
            rows.append({"method": method, "best_k": "", "best": "failed", "std": "", "at_k": "", "near": False})
            continue
        best = known.loc[known["mean"].idxmax()]
        at_k = known.loc[known["k"] == answer.k, "mean"]
        baseline = method in (ALL_FEATURES, GUESS)
        rows.append(
            {
                "method": method,
                "best_k": "" if method == GUESS else int(best["k"]),
                "best": number(best["mean"]),
                "std": number(best["std"]),
                "at_k": "" if baseline or at_k.empty else number(at_k.iloc[0]),
                "near": method in near,
            }
        )
    return rows


def chart(answer, *, alone=False):
    """Score against the number of features, the chosen selector first.

    Parameters
    ----------
    answer : Answer
    alone : bool
        Whether the chart brings its own style, as it must outside the report.

    Returns
    -------
    str
        SVG.
    """
    summary = answer.comparison.summary
    lines, levels = [], []
    for method, part in summary.groupby("method", sort=False):
        if method in (ALL_FEATURES, GUESS):
            levels.append((method, float(part["mean"].iloc[0])))
        else:
            lines.append((method, list(part[["k", "mean", "se"]].itertuples(index=False, name=None))))
    lines.sort(key=lambda line: line[0] != answer.method)
    drawn = curve_chart(
        lines,
        levels,
        chosen=answer.k,
        x_label="number of features",
        title=f"{answer.problem.scoring} against the number of features",
    )
    return drawn.replace("<title>", f"<style>{STYLE}</style><title>", 1) if alone else drawn


def how_sentences(answer):
    """How the numbers were made, one sentence each."""
    plan: Plan = answer.comparison.plan
    problem = answer.problem
    n, d = problem.X.shape
    order = (
        "every fold is tested on later rows than it was trained on"
        if problem.time is not None
        else "rows of one group stay in one fold"
        if problem.groups is not None
        else "rows are dealt to folds at random"
    )
    kept = ", classes in their shares" if problem.task == "classification" and problem.time is None else ""
    said = [
        f"{count(n, 'row')}, {count(d, 'feature')}. {count(plan.n_repeats, 'division')} "
        f"into {count(plan.n_folds, 'fold')}; {order}{kept}. Filling, discretising, selecting, scaling and learning "
        "see training rows only.",
        f"The learner is {type(problem.learner).__name__} on standardised features. Selectors that count see each "
        "feature in three levels: low, middle, high.",
        f"The quoted score is nested: inside each training part {count(plan.n_inner_used, 'inner fold')} "
        f"{'chooses' if plan.n_inner_used == 1 else 'choose'} selector and size.",
        "Enough features: the fewest whose mean score is within one standard error of the best (Breiman et al. 1984).",
    ]
    if answer.p_score:
        said.append(
            f"p-values: {answer.p_score} of each feature alone against {plan.n_permutations} shuffles of the target, "
            "corrected for the number of features (Westfall and Young)."
        )
    else:
        said.append("p-values are not available: no score of a single feature belongs to several labels.")
    return [*said, f"Root of all random draws: seed {problem.seed}."]
