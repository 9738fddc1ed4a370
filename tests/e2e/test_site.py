"""The documentation site, walked in a browser; FSLIB_SITE names the folder that `make docs` wrote."""

import os
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

SITE = Path(os.environ.get("FSLIB_SITE", "")).resolve()
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
PAGES = [
    *("index", "howto", "results", "notebooks", "api", "gallery", "teaching", "background", "glossary", "data_cards"),
    *("api/fslib.filters.BayesGreedy", "api/fslib.multilabel.MLMLFS", "notebooks/bayes/2_motivating_example"),
    *("reference/report", "notebooks/00_start_here"),
]


@pytest.mark.skipif("FSLIB_SITE" not in os.environ, reason="FSLIB_SITE names no site")
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium here")
def test_pages_load_offline_and_their_links_lead_somewhere():
    from playwright.sync_api import sync_playwright

    errors, requests = [], []
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 390, "height": 900})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        for name in PAGES:
            file = SITE / f"{name}.html"
            page.goto(file.as_uri())
            assert page.locator("h1").first.inner_text(), name
            assert page.evaluate("[...document.images].every(i => !i.complete || i.naturalWidth > 0)"), name
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
            links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
            files = {link.split("#")[0] for link in links if not link.startswith(("#", "http", "mailto:", "data:"))}
            assert not [link for link in files - {""} if not (file.parent / link).exists()], name
        page.goto((SITE / "api.html").as_uri())
        page.get_by_role("link", name="BayesGreedy", exact=True).first.click()
        assert page.url.endswith("/api/fslib.filters.BayesGreedy.html")
        page.get_by_text("Examples", exact=True).first.wait_for(state="visible", timeout=30_000)
        browser.close()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
