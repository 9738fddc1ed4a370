"""The figures: fixed styles, recipes that draw what the rows say, and files that do not change by chance."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from fslib import plotting
from fslib.plotting.style import STYLES

PAPERS = {
    "bayes": ["BayesGreedy", "BayesScore", "MIGreedy", "MIScore", "MRMR", "FScore"],
    "rrmvfs": ["RRMVFS", "RFS", "SSMVFS", "SMML", "DSML-FS", "WMCFS", "CAT", "Single"],
    "mlmlfs": ["MLMLFS", "MDDM", "PMU", "MDMR", "SFUS"],
    "braytee 4.2": ["Fuzz-ESVM", "ESVM-RFE", "SVM-RFE", "HLR", "Fuzzy Forest"],
    "braytee 5.1": ["CMFS", "SFUS", "MIFS", "FIMF"],
    "braytee 5.2": ["ML-CIB-FS", "SFUS", "MIFS"],
    "two papers": ["SFUS", "ESVM-RFE", "CMFS", "MLMLFS"],
}


@pytest.fixture(autouse=True)
def style():
    plt.switch_backend("agg")
    plotting.use_style()
    yield
    plt.close("all")


def curves(methods=("BayesGreedy", "MIGreedy"), datasets=("adult", "splice", "waveform", "mushroom")):
    rows = [
        {
            "dataset": d,
            "method": m,
            "setting": f"k={k};loss=0-1",
            "metric": "error_0_1",
            "value": 0.3 - 0.01 * k,
            "std": 0.02,
        }
        for d in datasets
        for m in methods
        for k in (1, 2, 5, 10)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("paper", PAPERS)
def test_methods_of_one_paper_differ_in_colour_and_marker(paper):
    styles = plotting.method_style(PAPERS[paper])
    assert len({s["color"] for s in styles.values()}) == len(styles)
    assert len({s["marker"] for s in styles.values()}) == len(styles)


def test_style_does_not_depend_on_company_or_order_and_aliases_agree():
    alone = plotting.method_style(["MIGreedy"])["MIGreedy"]
    assert plotting.method_style(["mine", "FScore", "MIGreedy"])["MIGreedy"] == alone
    spelt = plotting.method_style(["0-1-BayesGreedy", "mRMR"])
    assert list(spelt.values()) == [
        dict(zip(("color", "marker"), STYLES[m], strict=True)) for m in ("BayesGreedy", "MRMR")
    ]
    assert plotting.method_style(["b", "a"]) == plotting.method_style(["a", "b"])


def test_unknown_methods_take_styles_nobody_has():
    styles = plotting.method_style([*PAPERS["bayes"], *(f"mine {i}" for i in range(24))])
    assert len({tuple(s.values()) for s in styles.values()}) == 30


def test_unknown_methods_beside_each_other_differ_in_colour_and_marker():
    styles = list(plotting.method_style(f"p={p}" for p in (0.4, 0.6, 0.8, 1, 1.2)).values())
    assert len({s["color"] for s in styles}) == len({s["marker"] for s in styles}) == 5


@pytest.mark.parametrize("names", [["RRMVFS", "RFS", "mine"], ["p=0.4", "p=0.6", "p=1", "p=2"]])
def test_lines_are_told_apart_without_colour(names):
    drawn = [plotting.convergence({name: [3.0, 2.0, 1.0] for name in names})]
    drawn.append(plotting.curve_grid(curves(names, "a"), "k", "dataset"))
    for fig in drawn:
        lines = fig.axes[0].get_lines()
        assert len({line.get_marker() for line in lines}) == len(names)
        assert len({str(line._dash_pattern) for line in lines}) == len(names)


@pytest.mark.parametrize(("highest", "scale"), [(50.0, "linear"), (500.0, "log")])
def test_an_objective_that_leaps_does_not_flatten_the_others(highest, scale):
    fig = plotting.convergence({"steady": [3.0, 2.0, 1.0], "leaps": [3.0, highest, 2.0]}, y_label="objective")
    assert fig.axes[0].get_yscale() == scale
    assert plotting.convergence({"signed": [500.0, -1.0]}).axes[0].get_yscale() == "linear"


def test_labels_of_a_convergence_figure_are_inside_it():
    fig = plotting.convergence({f"data set number {i}, published": [3.0, 2.0, 1.0] for i in range(9)}, gap=True)
    fig.draw_without_rendering()
    page, label = fig.bbox, fig.axes[0].yaxis.label.get_window_extent()
    assert page.y0 <= label.y0 and label.y1 <= page.y1


def test_a_method_that_coincides_with_a_control_is_seen():
    fig = plotting.curve_grid(curves(["CMFS", "permuted labels"], "a"), "k", "dataset")
    method, control = fig.axes[0].get_lines()
    assert (method.get_label(), control.get_label()) == ("CMFS", "permuted labels")
    assert method.get_zorder() > control.get_zorder() and method.get_linewidth() < control.get_linewidth()
    own = plotting.curve_grid(curves(["mine", "yours"], "a"), "k", "dataset").axes[0].get_lines()
    assert len({(line.get_zorder(), line.get_linewidth()) for line in own}) == 1


def test_the_direction_of_each_metric_is_written_beside_it():
    frame = pd.concat([curves(datasets="a").assign(metric=metric) for metric in ("one_error", "f1")])
    fig = plotting.curve_grid(frame, "k", "metric", y_label="on the test set")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["one-error \N{DOWNWARDS ARROW}", "F1 \N{UPWARDS ARROW}"]
    assert "smaller" in fig.axes[0].get_ylabel()
    own = plotting.curve_grid(curves().assign(metric="my own"), "k", "dataset")
    assert own.axes[0].get_ylabel() == "my own"


def contrast(color):
    """Contrast with white, as in WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 1.05 / (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05)


def test_text_is_dark_enough_to_read():
    ranks = pd.Series({"RRMVFS": 1.0, "SMML": 2.4, "DSML-FS": 2.4, "WMCFS": 4.0})
    for fig in (plotting.critical_difference_diagram(ranks, 1.0), plotting.curve_grid(curves(), "k", "dataset")):
        fig.draw_without_rendering()
        texts = [text for text in fig.findobj(Text) if text.get_text()]
        assert len(texts) > 4
        assert not [(text.get_text(), text.get_color()) for text in texts if contrast(text.get_color()) < 4.5]


def test_every_colour_is_dark_enough_to_be_seen_on_white():
    for color, _ in STYLES.values():
        assert contrast(color) > 2.0, color


def test_curve_grid_draws_each_number_once_with_one_legend():
    frame = curves()
    fig = plotting.curve_grid(frame, "k", "dataset")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["adult", "splice", "waveform", "mushroom"]
    for ax in fig.axes:
        first = ax.get_lines()[0]
        np.testing.assert_array_equal(first.get_xdata(), [1, 2, 5, 10])
        np.testing.assert_allclose(first.get_ydata(), [0.29, 0.28, 0.25, 0.2])
        low, high = (edge(ax.collections[0].get_paths()[0].vertices[:, 1]) for edge in (min, max))
        assert (low, high) == pytest.approx((0.18, 0.31))  # one std below the lowest and above the highest mean
    assert [len(fig.legends), *(len(ax.get_legend_handles_labels()[1]) for ax in fig.axes)] == [1, 2, 2, 2, 2]
    assert [t.get_text() for t in fig.legends[0].get_texts()] == ["BayesGreedy", "MIGreedy"]


def test_panels_are_titled_in_words_that_stay_inside_their_panel():
    frame = pd.concat([curves(datasets=["adult"]).assign(c=c, metric="error_0_1") for c in (0.1, 0.25)])
    fig = plotting.curve_grid(frame, "k", ["dataset", "c"])
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["adult, c = 0.1", "adult, c = 0.25"]
    assert fig.axes[0].get_ylabel().split() == "0-1 error (smaller is better)".split()
    assert all(tick % 1 == 0 for tick in fig.axes[0].get_xticks())
    long = "as published, with the corrected methods"
    fig = plotting.curve_grid(
        curves(datasets=[long, "b", "d"]), "k", "dataset", y_label="a label much higher than a panel is"
    )
    assert fig.axes[0].get_title(loc="left").split() == long.split()
    fig.draw_without_rendering()
    assert not fig.axes[0].get_tightbbox().overlaps(fig.axes[1].get_tightbbox())


@pytest.mark.parametrize("n_panels", [1, 4])
@pytest.mark.parametrize("paper", PAPERS)
def test_legend_lies_inside_the_figure_and_off_the_panels(paper, n_panels):
    fig = plotting.curve_grid(curves(PAPERS[paper], "abcd"[:n_panels]), "k", "dataset")
    fig.draw_without_rendering()
    legend = fig.legends[0].get_window_extent()
    assert legend.x0 >= 0 and legend.y0 >= 0 and legend.x1 <= fig.bbox.x1
    assert not any(legend.overlaps(ax.get_tightbbox()) for ax in fig.axes)
    assert fig.get_figwidth() == plotting.TEXT_WIDTH


def test_two_protocols_are_told_apart_by_dashes_and_a_forgotten_setting_is_an_error():
    frame = pd.concat([curves().assign(setting=lambda t, p=p: t["setting"] + f";protocol={p}") for p in ("a", "b")])
    with pytest.raises(ValueError, match="several rows at one k"):
        plotting.curve_grid(frame, "k", "dataset")
    fig = plotting.curve_grid(frame, "k", "dataset", dashes="protocol")
    assert [t.get_text() for t in fig.legends[0].get_texts()] == ["BayesGreedy", "MIGreedy", "a", "b"]
    with pytest.raises(ValueError, match="neither a column nor a setting key"):
        plotting.curve_grid(frame, "k", "views")
    with pytest.raises(ValueError, match="no rows"):
        plotting.curve_grid(frame.iloc[:0], "k", "dataset")


def test_methods_that_only_a_later_protocol_has_are_named_too():
    frame = curves().assign(protocol=lambda t: np.where(t["method"] == "MIGreedy", "b", "a"))
    fig = plotting.curve_grid(frame, "k", "dataset", dashes="protocol")
    names = [text.get_text() for text in fig.legends[0].get_texts()]
    assert sorted(names) == ["BayesGreedy", "MIGreedy", "a", "b"]


def test_names_of_your_own_get_colours_that_no_method_beside_them_has():
    styles = plotting.method_style(["MIGreedy", "MRMR", "FScore", "MIScore", "BayesScore", "random features"])
    color = styles.pop("random features")["color"]
    assert color not in {style["color"] for style in styles.values()}


def test_two_classes_differ_without_colour():
    points = np.random.default_rng(0).normal(size=(6, 2))
    fig = plotting.class_scatter({"a": {"test": (points, np.arange(6) % 2)}}, {0: "rare", 1: "common"})
    rare, common = fig.axes[0].collections
    assert len(rare.get_facecolor()) and not len(common.get_facecolor()) and len(common.get_edgecolor())


def test_convergence_shows_the_distance_to_the_lowest_value():
    fig = plotting.convergence({"RRMVFS": [4.0, 2.0, 1.0], "RFS": [5.0, 3.0]}, gap=True)
    first, second = fig.axes[0].get_lines()
    np.testing.assert_array_equal(first.get_ydata(), [3, 1, np.nan])
    np.testing.assert_array_equal(second.get_ydata(), [4, 2])
    assert fig.axes[0].get_yscale() == "log"


def test_bars_leave_a_gap_where_a_method_did_not_run():
    frame = curves(datasets=("adult", "splice")).query("setting == 'k=5;loss=0-1'").iloc[:-1]
    fig = plotting.bars(frame, "dataset")
    heights = [bar.get_height() for bar in fig.axes[0].patches]
    np.testing.assert_allclose(heights, [0.25, 0.25, 0.25, np.nan])


def test_heatmap_writes_every_number_that_there_is():
    fig = plotting.heatmap(pd.DataFrame({"a": [0.1, np.nan], "b": [0.25, 1.0]}, index=["x", "y"]), label="accuracy")
    assert [t.get_text() for t in fig.axes[0].texts] == ["0.10", "0.25", "1.00"]


SCRIPT = """
import sys
import matplotlib; matplotlib.use("agg")
import pandas as pd
from fslib import plotting
plotting.use_style()
frame = pd.DataFrame({"dataset": "a", "method": ["RFS", "RFS"], "setting": ["k=1", "k=2"], "metric": "auc",
                      "value": [0.5, 0.6], "std": 0.1})
plotting.savefig(plotting.curve_grid(frame, "k", "dataset"), sys.argv[1])
"""


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_same_run_same_bytes(tmp_path, suffix):
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for file in files:  # two processes, so that nothing random is shared
        subprocess.run([sys.executable, "-c", SCRIPT, str(file)], check=True, stdin=subprocess.DEVNULL)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(list(tmp_path.iterdir())) == 2  # no temporary file is left


def test_the_best_of_each_row_is_marked_by_the_direction_of_its_metric():
    index = pd.MultiIndex.from_tuples(
        [("Birds", "hamming_loss"), ("Birds", "average_precision"), ("Birds", "criterion")], names=["dataset", "metric"]
    )
    table = pd.DataFrame({"A": [0.05, 0.7, 1.0], "B": [0.04, 0.70001, 2.0], "C": [np.nan, 0.6, 3.0]}, index=index)
    shown = plotting.mark_best(table)._compute().ctx
    bold = {at for at, css in shown.items() if ("font-weight", "bold") in css}
    assert bold == {(0, 1), (1, 0), (1, 1)}  # equal when shown is equal; a criterion has no better direction
    assert "0.0400" in plotting.mark_best(table).to_html()
    with pytest.raises(ValueError, match="needs the metric"):
        plotting.mark_best(table.reset_index(drop=True))
    assert "0.70" in plotting.mark_best(table.reset_index(drop=True), "f1", decimals=2).to_html()


def test_the_name_of_a_file_is_drawn_as_it_is_written(tmp_path):
    name = r"a $\bad$ <c> $$ \frac{"
    frame = pd.DataFrame({"dataset": name, "method": "MRMR", "metric": "error_0_1", "k": [1, 2], "value": [0.1, 0.2]})
    table = pd.DataFrame([[1.0, 2.0]], index=[name], columns=[name, "$x"])
    for i, fig in enumerate(
        (
            plotting.curve_grid(frame, "k", "dataset"),
            plotting.bars(frame.query("k == 1"), "dataset"),
            plotting.heatmap(table, label="v"),
        )
    ):
        path = plotting.savefig(fig, tmp_path / f"{i}.png")
        assert path.stat().st_size
        drawn = [
            text.get_text().replace("\n", " ")
            for ax in fig.axes
            for text in (ax.title, *ax.texts, *ax.get_xticklabels())
        ]
        assert not [text for text in drawn if "$" in text.replace(r"\$", "")]
        plt.close(fig)
