"""The report of a whole run, opened in a browser as a reader does; FSLIB_REPORT names the file."""

import os
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

REPORT = os.environ.get("FSLIB_REPORT", "")
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


@pytest.mark.skipif(not REPORT, reason="FSLIB_REPORT names no report of a run")
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium here")
@pytest.mark.parametrize("width", [390, 1280])
def test_everything_a_reader_clicks_is_there(width):
    from playwright.sync_api import sync_playwright

    report = Path(REPORT).resolve()
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        errors, requests = [], []
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(report.as_uri())
        assert page.evaluate("document.images.length") > 0
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = "[...document.querySelectorAll('.scroll, .figure')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate(f"{wide}.map(e => e.closest('article, section').id)") == []
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = false)")
        whole = page.evaluate("document.documentElement.scrollHeight")
        page.check("#only")
        assert page.evaluate("document.documentElement.scrollHeight") < whole
        page.uncheck("#only")
        inside = page.evaluate(
            "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1))"
        )
        assert inside and not [
            name for name in inside if name and not page.evaluate("n => !!document.getElementById(n)", name)
        ]
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
        files = {
            link.split("#")[0] for link in links if not link.startswith(("#", "http:", "https:", "data:", "mailto:"))
        }
        assert files and not [link for link in files if not (report.parent / link).exists()]
        browser.close()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
