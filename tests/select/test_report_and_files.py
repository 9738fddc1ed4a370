"""What an answer leaves on disk: the page, the chosen features, the pipeline, and code that does it again."""

import contextlib
import io
import re
import shutil

import numpy as np
import pandas as pd
import pytest
import skops.io

from fslib import filters
from fslib.select import select_features
from fslib.select.charts import curve_chart
from fslib.select.files import constructor, write_answer
from fslib.tables import read_table

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


@pytest.fixture(scope="module")
def written(planted, tmp_path_factory):
    """Answer to a file with an empty cell, a number of the row, and a name that HTML would take for a tag."""
    folder = tmp_path_factory.mktemp("answer")
    frame = planted.X.rename(columns={"n3": "<b>n3</b> & a long name_" + "x" * 80}).assign(y=planted.y)
    frame.insert(0, "number", range(len(frame)))
    frame.loc[3, "size"] = np.nan
    frame.to_csv(folder / "table.csv", index=False)
    reading = {"target": "y", "missing_features": "median"}
    table = read_table(folder / "table.csv", **reading)
    selectors = {"MRMR": filters.Discretized(filters.MRMR(n_features_to_select=3))}
    found = select_features(table, max_features=3, selectors=selectors, n_repeats=1, n_halves=6, n_permutations=99)
    return found, write_answer(found, folder, source=str(folder / "table.csv"), reading=reading)


def test_the_code_chooses_the_same_and_is_short(written):
    found, paths = written
    code = paths["code"].read_text()
    assert len([line for line in code.splitlines() if line and not line.startswith(("from", "import"))]) <= 10
    out, names = io.StringIO(), {}
    with contextlib.redirect_stdout(out):
        exec(compile(code, "reproduce.py", "exec"), names)
    assert names["chosen"] == found.chosen and out.getvalue().strip() == str(found.chosen)
    assert names["model"].score(names["X"][found.chosen], names["table"].y) > 0.9


def test_the_pipeline_predicts_the_classes_of_the_table(written):
    found, paths = written
    model = skops.io.load(paths["pipeline"], trusted=skops.io.get_untrusted_types(file=paths["pipeline"]))
    predicted = model.predict(found.table.X)
    assert set(predicted) == {"large", "small"} and np.mean(predicted == found.table.y) > 0.9
    only = found.table.X[found.chosen].iloc[:5]  # the other features are not asked for
    assert list(model.predict(only)) == list(predicted[:5])


def test_selected_csv_lists_the_chosen_features(written):
    found, paths = written
    rows = pd.read_csv(paths["selected"])
    assert list(rows["feature"]) == found.chosen and list(rows["rank"]) == [1, 2]
    assert rows["frequency"].between(0, 1).all()


def test_the_page_says_it_all_and_loads_nothing(written):
    found, paths = written
    page = paths["report"].read_text(encoding="utf-8")
    assert "2 of 8 features are enough." in page and "<b>n3</b>" not in page
    assert not re.search(r"(src|href)=|@import|url\(|<script", page)
    text = re.sub(r"<[^>]+>", " ", page)
    for part in ("Nogueira", "Shah and Samworth", "row number", "left out", "or instead", "seed 0", "trusted="):
        assert part in text, part
    assert page == write_answer_again(found, paths)


def write_answer_again(found, paths):
    folder = paths["report"].parent
    again = write_answer(found, folder / "again", source=str(folder / "table.csv"), reading={"target": "y"})
    code, other = paths["code"].read_text(), again["code"].read_text()
    from markupsafe import escape

    return again["report"].read_text(encoding="utf-8").replace(str(escape(other)), str(escape(code)))


def test_nothing_chosen_leaves_no_model_and_removes_an_old_one(noise_answer, tmp_path):
    (tmp_path / "pipeline.skops").write_text("of an earlier answer")
    paths = write_answer(noise_answer, tmp_path, source="noise.csv")
    assert "pipeline" not in paths and not (tmp_path / "pipeline.skops").exists()
    assert paths["selected"].read_text().startswith("feature,") and len(paths["selected"].read_text().splitlines()) == 1
    assert "Nothing here tells the classes apart: no choice beats a guess." in paths["report"].read_text()


def test_code_of_estimators_makes_them_again():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from fslib.filters.criteria import Squared
    from fslib.multiview import RRMVFS

    views = [list(range(40)), list(range(40, 75))]
    for made in (
        make_pipeline(StandardScaler(), RRMVFS(views, gamma1=0.1, n_features_to_select=3)),
        filters.BayesGreedy(Squared("linear"), n_features_to_select=2),
        filters.Discretized(filters.BayesGreedy("auc", order=2)),
    ):
        needed = set()
        code = constructor(made, needed)
        names = {}
        exec("\n".join(f"from {module} import {name}" for module, name in needed), names)
        assert constructor(eval(code, names), set()) == code
        assert all("._" not in module for module, _ in needed)


def test_chart_holds_every_point_and_survives_gaps():
    chart = curve_chart(
        [("A<b>", [(1, 0.5, 0.1), (2, float("nan"), float("nan")), (4, 0.75, float("nan"))]), ("B", [(1, 0.6, 0.0)])],
        [("All", 0.9), ("Guess", float("nan"))],
        chosen=4,
        x_label="k",
        title="t",
    )
    assert (
        chart.count("<circle") == 2 and chart.count("<polyline") == 2 and "nan" not in chart and "A&lt;b&gt;" in chart
    )
    import xml.etree.ElementTree as ElementTree

    ElementTree.fromstring(chart)


@pytest.mark.e2e
@pytest.mark.parametrize("width", [390, 1280])
def test_no_sideways_scrolling_and_text_has_contrast(written, width):
    if CHROMIUM is None:
        pytest.skip("needs a Chromium browser on the PATH: apt install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            problems, asked = [], []
            page.on("console", lambda message, problems=problems: problems.append(message.text))
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(written[1]["report"].resolve().as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(CONTRAST) >= 4.5
            assert not problems and len(asked) == 1
        browser.close()


CONTRAST = """() => {
  const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = text => channels(text).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const fill = getComputedStyle(node).backgroundColor;
      if ((channels(fill)[3] ?? 1) > 0) return fill;
    }
    return 'rgb(255, 255, 255)';
  };
  let worst = 99;
  for (const node of document.querySelectorAll('main *')) {
    if (node.tagName === 'title' || ![...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(node), ink = node.closest('svg') ? style.fill : style.color;
    const [a, b] = [light(ink), light(behind(node))];
    worst = Math.min(worst, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return worst;
}"""
