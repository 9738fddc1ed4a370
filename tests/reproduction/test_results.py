import numpy as np
import pandas as pd
import pytest

from fslib.evaluation.verdicts import Verdict, cannot_be_tested, verdict
from fslib.reproduction.compare.judged import read_judged
from fslib.reproduction.compare.results import Results
from fslib.tidy import COLUMNS, read_table


def rows(**changes):
    columns = {"dataset": ["b", "a"], "method": "m", "setting": "k=5", "metric": "auc", "value": [0.1 + 0.2, 1 / 3]}
    return pd.DataFrame(columns | changes)


def test_a_table_comes_back_exactly_sorted_and_equal_to_the_byte(tmp_path):
    out = Results("bayes", "s", tmp_path)
    stored = out.table(rows(std=[np.nan, 0.1], n=5), "Table 2")
    path = tmp_path / "tables/bayes_table_2.csv"
    assert list(stored.columns) == COLUMNS and stored["dataset"].tolist() == ["a", "b"]
    pd.testing.assert_frame_equal(read_table(path), stored, check_exact=True)
    first = path.read_bytes()
    out.table(stored.sample(frac=1, random_state=1), "Table 2")  # a stored table is accepted again, in any order
    assert path.read_bytes() == first and b"\r" not in first and b"0.30000000000000004" in first


def test_verdicts_are_stored_as_they_fall(tmp_path):
    out = Results("bayes", "2_motivating_example", tmp_path)
    out.verdict(verdict(np.True_, "0.1724", n_tested=2, n_claimed=3, claim_id="ex1-mi-picks-feature-2"))
    out.verdict(verdict(False, "0.25 >= 0.20", claim_id="ex1-bayes-picks-feature-1"))
    out.verdict(verdict(None, "0.1 within 0.2", claim_id="yang-hu-objective-differs"))
    out.verdict(cannot_be_tested("no samples", claim_id="ex1-sample-version"))
    stored = pd.read_csv(tmp_path / "claims/bayes_2_motivating_example.csv", dtype=str, keep_default_na=False)
    assert stored[["claim_id", "verdict", "value", "note", "n_tested", "n_claimed"]].values.tolist() == [
        ["ex1-bayes-picks-feature-1", "does not hold", "0.25 >= 0.20", "", "", ""],
        ["ex1-mi-picks-feature-2", "holds", "0.1724", "", "2", "3"],
        ["ex1-sample-version", "cannot be tested", "", "no samples", "", ""],
        ["yang-hu-objective-differs", "undecided", "0.1 within 0.2", "", "", ""],
    ]
    shown = out.claims()
    assert shown["verdict"].tolist() == ["holds", "does not hold", "undecided", "cannot be tested"]
    assert shown["tested"].tolist() == ["2 of 3", "", "", ""] and shown["claim"].str.len().min() > 20


def test_a_group_is_judged_at_once_and_what_cannot_be_tested_shares_a_line(tmp_path):
    def check(claim_id, word, item_note=""):
        def judge(rows):
            return Verdict(word, "" if word == "cannot be tested" else f"{rows} rows", item_note, claim_id=claim_id)

        judge.claim_id = claim_id
        return judge

    out = Results("bayes", "4_3_class_imbalance", tmp_path)
    out.verdict(verdict(True, "exact", claim_id="ex1-sample-version"))
    shown = out.judge(
        7,
        check("fig4a-semeion-balanced", "cannot be tested", "no Semeion"),
        check("fig4c-kddcup-no-winner", "undecided"),
        check("fig4b-semeion-f1", "cannot be tested", "no Semeion"),
        check("fig5-gisette-second", "cannot be tested", "no Gisette"),
    )
    assert shown.reset_index()[["item", "verdict", "value", "note"]].values.tolist() == [
        ["Figure 4(c)", "undecided", "7 rows", ""],
        ["Figure 4(a), Figure 4(b)", "cannot be tested", "", "no Semeion"],
        ["Figure 5", "cannot be tested", "", "no Gisette"],
    ]
    assert shown["claim"].iloc[1] == "2 claims: fig4a-semeion-balanced, fig4b-semeion-f1"
    assert len(out.claims()) == 4


def test_what_was_judged_can_be_judged_again(tmp_path):
    rows = pd.DataFrame({"method": ["A", "B"], "setting": ["k=1", None], "value": [0.1, np.nan], "split": [0, 1]})
    rows["mixed"] = pd.Series(["3 1 2", np.float64(0.1 + 0.2)], dtype=object)
    seen = []

    def check(rows):
        seen.append(rows)
        return verdict(len(rows) == 2, "2 rows", claim_id="fig4c-kddcup-no-winner")

    check.claim_id = "fig4c-kddcup-no-winner"
    out = Results("bayes", "s", tmp_path)
    out.judge(rows, check)
    out.judge({"Figure 4": rows})  # not a data frame: not kept
    (path,) = (tmp_path / "judged").iterdir()
    again, claim_ids = read_judged(path)
    assert claim_ids == ["fig4c-kddcup-no-winner"]
    pd.testing.assert_frame_equal(again, seen[0])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (verdict(True, "1", claim_id="ex1-no-such"), ValueError, "has no claim 'ex1-no-such'"),
        (verdict(True, "1"), ValueError, "has no claim ''"),
        (True, TypeError, "not a Verdict"),
        (verdict(True, "1", claim_id="ex1-mi-picks-feature-2"), ValueError, "has its verdict already"),
    ],
)
def test_a_verdict_that_cannot_be_right_is_refused(tmp_path, given, error, message):
    out = Results("bayes", "s", tmp_path)
    out.verdict(verdict(True, "1", claim_id="ex1-mi-picks-feature-2"))
    with pytest.raises(error, match=message):
        out.verdict(given)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"word": "maybe", "value": "1"}, "'maybe' is not one of holds"),
        ({"word": "cannot be tested"}, "needs a reason"),
        ({"word": "undecided"}, "needs the number that decides"),
    ],
)
def test_a_verdict_has_a_known_word_and_says_why(parts, message):
    with pytest.raises(ValueError, match=message):
        Verdict(**parts)


def test_paper_and_reproduction_stand_side_by_side(tmp_path):
    frame = pd.DataFrame({"dataset": "", "method": "", "metric": ["mi_x1_y", "mi_x2_y"], "value": [0.081889, 0.2]})
    both = Results("bayes", "s", tmp_path).paper_versus_here(frame, "Example 1").set_index("metric")
    assert both.loc["mi_x1_y", ["reported", "verdict"]].tolist() == ["0.08", "as published"]
    assert both.loc["mi_x2_y", "verdict"] == "differs" and both.loc["mi_x2_y", "difference"] == pytest.approx(0.03)


def test_a_figure_is_a_file_and_comes_back_for_display(tmp_path):
    import matplotlib.figure

    fig = matplotlib.figure.Figure()
    assert Results("bayes", "s", tmp_path).figure(fig, "Figure 4(a)") is fig
    assert (tmp_path / "figures/bayes_figure_4_a.svg").read_text().startswith("<?xml")
