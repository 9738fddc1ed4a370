"""The report: complete, self-contained, safe, and whole in a real browser."""

import json
import os
import re
import shutil
from html.parser import HTMLParser

import pandas as pd
import pytest

from fslib.datasets import unavailable_reason
from fslib.reproduction.compare import compare
from fslib.reproduction.compare.agreement import KINDS
from fslib.reproduction.compare.verdicts import ORDER
from fslib.reproduction.report import build as report
from fslib.reproduction.report.formulas import draw_formulas
from fslib.reproduction.report.numbers import numbers_table
from fslib.reproduction.report.page import item_key, paper_page
from fslib.tidy import read_table, write_table

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ALONE = {"reference_dir": "no reference run"}


@pytest.fixture
def built(fake_run, tmp_path):
    expected = tmp_path / "expected"
    compare.write_expected(fake_run, expected_dir=expected)
    return report.build(fake_run, expected_dir=expected, **ALONE)


class Links(HTMLParser):
    """Addresses that a page loads (src, style sheets) or links to (href), and identifiers."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.links, self.ids = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "src" or (tag == "link" and name == "href"):
                self.loads.append(value)
            elif name in ("href", "action", "data"):
                self.links.append(value)
            elif name == "id":
                self.ids.append(value)


def test_asks_nothing_of_the_outside(built):
    pages = [built, *built.parent.glob("html/**/*.html")]
    assert len(pages) == 4
    for page in pages:
        text = page.read_text()
        assert not re.search(r"(?<!xmlns=\")https?://", text), page
        assert not re.search(r"(@import|url\()", text), page
        assert all(address.startswith("data:") for address in Links(text).loads), page


def test_every_link_leads_somewhere_and_no_identifier_comes_twice(built):
    for page in [built, *built.parent.glob("html/**/*.html")]:
        found = Links(page.read_text())
        assert len(found.ids) == len(set(found.ids))
        for link in found.links:
            inside = link.startswith("#") and link[1:] in found.ids
            assert inside or (page.parent / link.split("#")[0]).resolve().exists(), (page, link)


def test_counts_stand_at_the_top(built):
    cards = re.findall(r'<section class="card">(.*?)</section>', built.read_text(), re.S)
    words = [" ".join(re.sub(r"<[^>]*>", " ", card).split()) for card in cards]
    assert words[0] == "Notebooks 3 of 4 ran to the end done 3 failed 1"
    assert words[1] == "Our own numbers 22 of 22 unchanged since the last accepted run kept 22"
    assert words[2].startswith(
        "Published numbers, this run 3 of 4 compared agree as published 3 differs 1 run time 18 not run"
    )
    assert words[3] == "Claims 1 of 2 tested hold holds 1 does not hold 1 cannot be tested 1 not judged 23"


def test_a_run_without_tables_says_none_instead_of_none_of_none(tmp_path):
    entry = {"status": "done", "seconds": 1.0, "cell": None, "error": None, "parameters": {}, "outputs": []}
    status = {"profile": "quick", "notebooks": {"00_start_here": entry}}
    (tmp_path / "status.json").write_text(json.dumps(status), encoding="utf-8")
    text = report.build(tmp_path, expected_dir=tmp_path / "expected", **ALONE).read_text(encoding="utf-8")
    assert "0 of 0" not in text and "of 0 " not in text
    assert text.count("none in this run") >= 2  # published numbers and claims


def test_text_from_files_is_escaped_and_failures_show_their_log(built):
    text = built.read_text()
    assert "0.25 &lt; 0.31 &amp; &lt;b&gt;" in text and "& <b>" not in text
    assert "Traceback &lt;most recent call last&gt;" in text
    assert "cell 4: ValueError: k &gt; d" in text


def test_same_run_same_page(fake_run, built, tmp_path):
    first = built.read_bytes()
    assert report.build(fake_run, expected_dir=tmp_path / "expected", **ALONE).read_bytes() == first


def test_a_moved_number_is_shown(fake_run, built, tmp_path):
    assert "Numbers that moved" not in built.read_text()
    table = fake_run / "tables/bayes_example_1.csv"
    write_table(read_table(table).assign(value=0.5), table)
    text = report.build(fake_run, expected_dir=tmp_path / "expected", **ALONE).read_text()
    assert "Numbers that moved" in text and "value moved" in text


def test_tables_figures_and_claims_of_one_item_meet(fake_run, tmp_path):
    comparison = compare.compare(fake_run, expected_dir=tmp_path, **ALONE)
    figures = {"figure_1": (fake_run / "figures/bayes_figure_1.svg", "bayes/4_1_classification")}
    page = paper_page("bayes", comparison, figures)
    assert [item["title"] for item in page["items"]] == ["Example 1", "Table 1", "Figure 1", "Table 2"]
    figure = page["items"][2]
    assert figure["figure"].startswith("data:image/svg+xml;base64,") and figure["csv"] == "tables/bayes_figure_1.csv"
    assert figure["claims"][0]["claim_id"] == "fig1-bayesgreedy-competitive"
    ((reason, untestable),) = figure["untestable"].items()  # claims with one reason stand together
    assert reason == "Semeion is not bundled"
    assert [claim["claim_id"] for claim in untestable] == ["fig1-semeion-exception"]
    n_untestable = sum(len(claims) for item in page["items"] for claims in item["untestable"].values())
    assert sum(len(item["claims"]) for item in page["items"]) + n_untestable + len(page["waiting"]) == 26


def test_formulas_are_drawn_and_what_cannot_be_set_stays_readable():
    drawn = draw_formulas(
        r"so $\tfrac12 < p$, and `a $x$ b`, and $\begin{cases}a\end{cases}$, and $$x^2$$, for 5 $ or 6 $"
    )
    assert drawn.count("<img") == 2 and 'alt="\\tfrac12 &lt; p"' in drawn and 'class="tex display"' in drawn
    assert "`a $x$ b`" in drawn and r"$\begin{cases}a\end{cases}$" in drawn and drawn.endswith("for 5 $ or 6 $")
    assert draw_formulas("$x^2$") == draw_formulas("$x^2$")


@pytest.mark.parametrize("spelling", ["Figure 4(a)", "Figure 4a", "figure_4_a", "FIGURE 4 (a)"])
def test_one_item_has_one_key(spelling):
    assert item_key(spelling) == "figure_4a" != item_key("Figure 4")


def test_what_all_rows_share_is_said_once(fake_run, tmp_path):
    published = compare.compare(fake_run, expected_dir=tmp_path, **ALONE).published
    table = numbers_table(published[published["item"] == "Table 2"])
    assert table["common"] == ["Adult", "loss cost-sensitive", "cost c 0.25", "estimates exact", "run time, s"]
    assert table["columns"] == ["method", "features"] and len(table["rows"]) == 18
    assert table["missing"] == {unavailable_reason("gisette"): {"Gisette": 18}}


def test_digits_shown_are_one_more_than_published():
    row = {"dataset": "Yeast", "method": "PMU", "setting": "", "metric": "one_error", "kind": "differs", "reason": ""}
    row |= {"reported": "0.2225", "reported_std": "0.010", "reproduced": 0.25, "std": 0.0123456, "difference": -0.0275}
    row |= {"low": float("nan"), "high": float("nan"), "verdict": "differs", "beside": ""}
    cells = numbers_table(pd.DataFrame([row]))["rows"][0]
    assert (cells["reported"], cells["here"]) == ("0.2225 ± 0.010", "0.25000 ± 0.01235")
    assert cells["difference"] == "\N{MINUS SIGN}0.02750"


def test_the_reference_run_stands_beside_a_quick_one(fake_run, tmp_path):
    reference = tmp_path / "reference"
    shutil.copytree(fake_run / "tables", reference / "tables")
    (reference / "claims").mkdir()
    line = (
        "paper,section,claim_id,verdict,value,note,n_tested,n_claimed\n"
        "bayes,4_1,fig1-semeion-exception,does not hold,0.05 < 0.06,,1,1\n"
    )
    (reference / "claims/bayes_4_1_classification.csv").write_text(line)
    (fake_run / "tables/bayes_table_2.csv").unlink()
    status = json.loads((fake_run / "status.json").read_text())
    status["notebooks"]["bayes/4_5_run_time"] |= {"status": "failed", "outputs": []}
    (fake_run / "status.json").write_text(json.dumps(status))
    comparison = compare.compare(fake_run, expected_dir=tmp_path, reference_dir=reference)
    page = {item["title"]: item for item in paper_page("bayes", comparison, {})["items"]}
    assert comparison.counts["published"]["run time"] == 0  # the head counts this run alone
    row = page["Table 2"]["numbers"]["rows"][0]
    assert (row["reported"], row["here"], row["reference"]["here"]) == ("1.75", "", "0.0175")
    assert page["Table 2"]["numbers"]["n_missing"] == 18  # Gisette, in neither
    claim = page["Figure 1"]["claims"][1]
    assert (claim["verdict"], claim["reference"]["verdict"]) == ("cannot be tested", "does not hold")
    text = report.build(fake_run, expected_dir=tmp_path, reference_dir=reference).read_text()
    assert "full run" in text and "0.05 &lt; 0.06" in text
    assert compare.compare(fake_run, expected_dir=tmp_path, reference_dir=fake_run).reference is None  # not to itself


def test_the_legend_gives_the_rule_of_every_word(built):
    legend = re.search(r'<details class="legend">(.*?)</details>', built.read_text(), re.DOTALL).group(1)
    for word in (*KINDS, *ORDER, "kept", "moved"):
        assert f">{word}</span>".replace("'", "&#39;") in legend, word
    assert KINDS["as published"] in legend


def test_totals_name_what_is_furthest_off(fake_run, tmp_path):
    totals = paper_page("bayes", compare.compare(fake_run, expected_dir=tmp_path, **ALONE), {})["totals"]
    assert totals["of"] == "this run" and totals["counts"]["as published"] == 3
    (line,) = totals["lines"]  # run times are left out
    assert (line["names"], line["numbers"], line["differ"]) == (["Example 1", ""], 4, 1)
    assert line["shares"] == ["75%", "100%", "100%"]
    assert totals["causes"][0]["numbers"] == 1 and totals["outliers"] == []


def test_an_item_with_nothing_but_a_file_is_a_link_and_a_figure_has_its_title(fake_run, tmp_path):
    rows = read_table(fake_run / "tables/bayes_figure_1.csv").assign(item="Section 9")
    write_table(rows, fake_run / "tables/bayes_section_9.csv")
    status = json.loads((fake_run / "status.json").read_text())
    status["notebooks"]["bayes/4_1_classification"]["outputs"].append("tables/bayes_section_9.csv")
    (fake_run / "status.json").write_text(json.dumps(status))
    figures = {"figures_9_mine": (fake_run / "figures/bayes_figure_1.svg", "bayes/4_1_classification")}
    page = paper_page("bayes", compare.compare(fake_run, expected_dir=tmp_path, **ALONE), figures)
    assert [item["title"] for item in page["tables"]] == ["Section 9"]
    assert "Section 9" not in [item["title"] for item in page["items"]]
    assert "Figure 1" in [item["title"] for item in page["items"] if item["figure"]]  # as the file says, not its name


@pytest.mark.e2e
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium here")
@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_browser(built, width):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        errors, requests = [], []
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(built.as_uri())
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
        page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        wide = "[...document.querySelectorAll('.scroll')].filter(box => box.scrollWidth > box.clientWidth).length"
        assert page.evaluate(wide) == 0  # nor does a table scroll sideways
        page.reload()
        height = page.evaluate("document.documentElement.scrollHeight")
        rows = page.locator("#bayes-example_1 tbody tr")
        assert rows.count() == 4 and rows.first.is_visible()
        page.check("#only")
        visible = [row.inner_text() for row in rows.all() if row.is_visible()]
        assert len(visible) == 1 and "differs" in visible[0] and "Bayes error with X\N{SUBSCRIPT TWO}" in visible[0]
        assert not page.locator("#bayes-figure_1").is_visible()
        assert page.evaluate("document.documentElement.scrollHeight") < height
        page.uncheck("#only")
        assert page.locator("#bayes-figure_1").is_visible() and rows.first.is_visible()
        page.click("text=bayes/2_motivating_example")
        assert page.title() == "bayes/2_motivating_example"
        page.click("text=Report")
        assert page.url == built.as_uri()
        browser.close()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


def test_the_page_says_how_the_full_run_was_cut_down_and_by_which_rule_claims_are_judged(fake_run, tmp_path):
    reference = tmp_path / "reference"
    reference.mkdir()
    (reference / "README.md").write_text("# All\n\n## bayes\n\n* **One** split, $k<3$.\n\n## other\n\nnot this\n")
    text = report.build(fake_run, expected_dir=tmp_path / "expected", reference_dir=reference).read_text()
    how = text.split('<details class="how">')[1].split("</details>")[0]
    assert "<strong>One</strong> split" in how and 'class="tex"' in how and "not this" not in how
    assert '<details class="rule"><summary>Rule</summary>' in text
    assert ">Saneem Ahmed 2015</a>" in text
