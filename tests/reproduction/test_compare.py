"""Comparing a run: nothing guarded slips, every claim has its word."""

import json

import numpy as np
import pandas as pd
import pytest

from fslib.names import metric as names_metric
from fslib.reproduction import cli
from fslib.reproduction.compare import compare as comparing
from fslib.reproduction.compare import guard
from fslib.tidy import COLUMNS, read_table, write_table


@pytest.fixture
def rows():
    names = [
        ("adult", m, f"k={k}", x) for m in ("BayesGreedy", "MIGreedy") for k in (1, 2) for x in ("error_0_1", "n_bits")
    ]
    frame = pd.DataFrame(names, columns=["dataset", "method", "setting", "metric"])
    return frame.assign(paper="bayes", item="Figure 1", value=0.2, std=0.01, n=5)[COLUMNS]


def problems(here, expected):
    return guard.guard(here, expected)["problem"].tolist()


# Guarded numbers


def test_the_same_table_in_another_order_is_the_same(rows):
    assert problems(rows.sample(frac=1, random_state=0), rows) == []


def test_guard_catches_lost_new_and_doubled_rows(rows):
    assert problems(rows.iloc[1:], rows) == ["row lost"]
    assert problems(rows, rows.iloc[1:]) == ["row new"]
    assert problems(pd.concat([rows, rows.iloc[[2]]]), rows) == ["row doubled"]
    assert problems(rows.iloc[:0], rows) == ["row lost"] * len(rows)


def test_guard_catches_a_lost_and_a_new_column(rows):
    assert problems(rows.drop(columns="std"), rows) == ["columns changed: lost ['std'], new []"]
    assert problems(rows.assign(rank=1), rows) == ["columns changed: lost [], new ['rank']"]


@pytest.mark.parametrize("column", ["value", "std"])
@pytest.mark.parametrize("metric", ["error_0_1", "n_bits"])
def test_tolerance_is_that_of_the_metric_on_both_sides(rows, metric, column):
    allowed = names_metric(metric).tolerance.absolute
    at = rows.index[rows["metric"] == metric][0]
    for sign in (-1, 1):
        for factor, expected in ((0.99, []), (1.01, [f"{column} moved"])):
            here = rows.copy()
            here.loc[at, column] += sign * factor * allowed
            assert problems(here, rows) == expected


def test_a_vanished_spread_and_another_number_of_repeats_are_moves(rows):
    assert problems(rows.assign(std=np.nan), rows) == ["std moved"] * len(rows)
    assert problems(rows.assign(std=np.nan), rows.assign(std=np.nan)) == []
    assert problems(rows.assign(n=4), rows) == ["n moved"] * len(rows)
    assert problems(rows.assign(value=np.nan), rows) == ["value moved"] * len(rows)


def test_run_times_are_not_guarded(rows):
    timed = rows.assign(metric="runtime_s").drop_duplicates(COLUMNS[:6])
    assert problems(timed.assign(value=9.0), timed) == []
    assert problems(timed.iloc[1:], timed) == []


# A whole run


def change(run, table, **values):
    path = run / "tables" / table
    write_table(read_table(path).assign(**values), path)


def test_a_run_equals_the_numbers_stored_from_it(fake_run, tmp_path):
    folder = comparing.write_expected(fake_run, expected_dir=tmp_path / "expected")
    stored = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.csv"))
    assert stored == [  # and no table of run times
        "bayes/2_motivating_example/bayes_example_1.csv",
        "bayes/4_1_classification/bayes_figure_1.csv",
    ]
    comparison = comparing.compare(fake_run, expected_dir=tmp_path / "expected")
    assert comparison.ok
    counts = comparison.counts
    assert counts["notebooks"] == {"done": 3, "failed": 1, "timeout": 0, "skipped": 0}
    assert counts["guarded"] == {"kept": 22, "moved": 0}
    assert counts["claims"] == {
        **{"holds": 1, "does not hold": 1, "undecided": 0},
        **{"cannot be tested": 1, "not judged": 23},
    }
    published = {kind: count for kind, count in counts["published"].items() if count}
    assert published == {"as published": 3, "differs": 1, "run time": 18, "not run": 12 + 27 + 36 - 22}


def test_a_moved_number_a_new_table_and_a_lost_table_are_seen(fake_run, tmp_path):
    expected = tmp_path / "expected"
    folder = comparing.write_expected(fake_run, expected_dir=expected)
    change(fake_run, "bayes_example_1.csv", value=0.5)
    change(fake_run, "bayes_table_2.csv", value=0.5)  # run times
    moved = comparing.compare(fake_run, expected_dir=expected)
    assert not moved.ok and moved.counts["guarded"] == {"kept": 18, "moved": 4}
    assert "bayes_example_1.csv: value moved" in moved.text and "0.31 -> 0.5" in moved.text
    (folder / "bayes/4_1_classification/bayes_figure_1.csv").rename(
        folder / "bayes/4_1_classification/bayes_figure_9.csv"
    )
    both = comparing.compare(fake_run, expected_dir=expected).moved
    assert both.groupby("table")["problem"].unique().map(list).to_dict() == {
        "bayes_example_1.csv": ["value moved"],
        "bayes_figure_1.csv": ["row new"],
        "bayes_figure_9.csv": ["row lost"],
    }


def test_only_notebooks_that_ran_are_guarded(fake_run, tmp_path):
    expected = tmp_path / "expected"
    comparing.write_expected(fake_run, expected_dir=expected)
    status = json.loads((fake_run / "status.json").read_text())
    status["notebooks"]["bayes/4_1_classification"]["status"] = "skipped"
    status["notebooks"]["bayes/2_motivating_example"]["stale"] = True
    (fake_run / "status.json").write_text(json.dumps(status))
    change(fake_run, "bayes_example_1.csv", value=0.5)
    change(fake_run, "bayes_figure_1.csv", value=0.5)
    assert comparing.compare(fake_run, expected_dir=expected).counts["guarded"] == {"kept": 0, "moved": 0}
    with pytest.raises(ValueError, match="bayes/2_motivating_example is not a result of the present code"):
        comparing.write_expected(fake_run, expected_dir=expected)


def test_a_notebook_of_your_own_needs_no_stored_numbers(fake_run, tmp_path):
    folder = comparing.write_expected(fake_run, expected_dir=tmp_path / "expected")
    status = json.loads((fake_run / "status.json").read_text())
    status["notebooks"]["mine/1_first"] = status["notebooks"].pop("bayes/4_1_classification")
    (fake_run / "status.json").write_text(json.dumps(status))
    comparison = comparing.compare(fake_run, expected_dir=tmp_path / "expected")
    assert comparison.ok and comparison.counts["guarded"]["kept"] == 4
    (folder / "mine/1_first").mkdir(parents=True)  # it is guarded from the day it has any
    assert comparing.compare(fake_run, expected_dir=tmp_path / "expected").counts["guarded"]["moved"] == 18


def test_a_profile_without_stored_numbers_is_compared_with_the_papers_alone(fake_run, tmp_path):
    comparison = comparing.compare(fake_run, "paper", expected_dir=tmp_path)
    assert comparison.ok and comparison.n_guarded is None
    assert "nothing: the paper profile has no stored numbers" in comparison.text


def test_claims_of_papers_with_notebooks_each_get_a_word(fake_run, tmp_path):
    claims = comparing.compare(fake_run, expected_dir=tmp_path).claims.set_index("claim_id")
    assert len(claims) == 26 and set(claims["paper"]) == {"bayes"}
    assert claims.loc["ex1-mi-picks-feature-2", ["verdict", "value"]].tolist() == ["holds", "0.1724 > 0.0819"]
    assert claims.loc["fig1-semeion-exception", ["verdict", "note"]].tolist() == [
        "cannot be tested",
        "Semeion is not bundled",
    ]
    assert claims.loc["overall-competitive", "verdict"] == "not judged"


def test_the_less_favourable_of_two_verdicts_counts(fake_run, tmp_path):
    file = fake_run / "claims/bayes_4_1_classification.csv"
    first = file.read_text()

    def judged(line):
        file.write_text(first + f"bayes,4_1,ex1-mi-picks-feature-2,{line}\n")
        claims = comparing.compare(fake_run, expected_dir=tmp_path).claims.set_index("claim_id")
        return claims.loc["ex1-mi-picks-feature-2", ["verdict", "value", "note", "n_tested"]].tolist()

    assert judged("does not hold,0.1 < 0.2,,1,2") == ["does not hold", "0.1 < 0.2; 0.1724 > 0.0819", "", "1"]
    assert judged("undecided,0.1 or 0.2,,1,2") == ["undecided", "0.1 or 0.2; 0.1724 > 0.0819", "", "1"]


def test_a_notebook_without_data_does_not_override_one_that_has_them(fake_run, tmp_path):
    file = fake_run / "claims/bayes_4_1_classification.csv"
    lines = [f"bayes,4_1,ex1-{name},cannot be tested,,no data here,0,1" for name in NAMED_IN_THE_FIXTURE]
    file.write_text(file.read_text() + "\n".join(lines) + "\n")
    claims = comparing.compare(fake_run, expected_dir=tmp_path).claims.set_index("claim_id")
    found = claims.loc[[f"ex1-{name}" for name in NAMED_IN_THE_FIXTURE], ["verdict", "note"]].values.tolist()
    assert found == [["holds", ""], ["does not hold", ""]]


CLAIM_COLUMNS = "paper,claim_id,verdict,value,note,n_tested,n_claimed"
NAMED_IN_THE_FIXTURE = ("mi-picks-feature-2", "bayes-picks-feature-1")


def test_no_run_is_an_error_that_says_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no run"):
        comparing.compare(tmp_path)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("status.json", "{"),
        ("status.json", "[]"),
        ("status.json", '{"profile": "quick"}'),
        ("status.json", '{"profile": "quick", "notebooks": {"bayes/a": {"status": "done"}}}'),
        ("claims/bayes_2_motivating_example.csv", ""),
        ("claims/bayes_2_motivating_example.csv", "paper,claim_id\nbayes,ex1-mi-picks-feature-2\n"),
        (
            "claims/bayes_2_motivating_example.csv",
            "paper,claim_id,verdict,value,note,n_tested,n_claimed\nbayes,x,maybe,1,,,\n",
        ),
        ("claims/bayes_2_motivating_example.csv", None),
        ("tables/bayes_figure_1.csv", "one,two\n1,2\n"),
        ("manifest.json", "{"),
    ],
)
def test_a_broken_file_of_a_run_is_named_with_the_way_out(fake_run, file, content, capsys):
    (fake_run / file).unlink() if content is None else (fake_run / file).write_text(content)
    assert cli.main(["compare", f"--runs={fake_run.parent}", "--run=run"]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f"{fake_run / file} is " in sentence and sentence.endswith("run again with: fslib run --fresh")
