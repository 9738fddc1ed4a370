import numpy as np
import pandas as pd
import pytest

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
    out.verdict("ex1-mi-picks-feature-2", np.True_, 0.1724)
    out.verdict("ex1-bayes-picks-feature-1", False, "0.25 >= 0.20")
    out.verdict("ex1-sample-version", None, "", note="no samples at hand")
    stored = pd.read_csv(tmp_path / "claims/bayes_2_motivating_example.csv", keep_default_na=False)
    assert stored[["claim_id", "verdict", "value"]].values.tolist() == [
        ["ex1-bayes-picks-feature-1", "does not hold", "0.25 >= 0.20"],
        ["ex1-mi-picks-feature-2", "holds", "0.1724"],
        ["ex1-sample-version", "cannot be tested", ""],
    ]
    shown = out.claims()
    assert shown["claim_id"].iloc[0] == "ex1-mi-picks-feature-2" and shown["claim"].str.len().min() > 20


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (("ex1-no-such", True, 1), "has no claim 'ex1-no-such'"),
        (("ex1-sample-version", None, ""), "Say in note= why"),
        (("ex1-sample-version", "yes", 1), "holds must be True, False or None"),
        (("ex1-mi-picks-feature-2", True, 1), "has its verdict already"),
    ],
)
def test_a_verdict_that_cannot_be_right_is_refused(tmp_path, verdict, message):
    out = Results("bayes", "s", tmp_path)
    out.verdict("ex1-mi-picks-feature-2", True, 1)
    with pytest.raises(ValueError, match=message):
        out.verdict(*verdict)


def test_paper_and_reproduction_stand_side_by_side(tmp_path):
    frame = pd.DataFrame({"dataset": "", "method": "", "metric": ["mi_x1_y", "mi_x2_y"], "value": [0.081889, 0.2]})
    both = Results("bayes", "s", tmp_path).paper_versus_here(frame, "Example 1").set_index("metric")
    assert both.loc["mi_x1_y", ["reported", "verdict"]].tolist() == ["0.08", "as printed"]
    assert both.loc["mi_x2_y", "verdict"] == "differs" and both.loc["mi_x2_y", "difference"] == pytest.approx(0.03)


def test_a_figure_is_a_file_and_comes_back_for_display(tmp_path):
    import matplotlib.figure

    fig = matplotlib.figure.Figure()
    assert Results("bayes", "s", tmp_path).figure(fig, "Figure 4(a)") is fig
    assert (tmp_path / "figures/bayes_figure_4_a.svg").read_text().startswith("<?xml")
