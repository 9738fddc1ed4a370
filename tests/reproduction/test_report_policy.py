"""A page of the report runs no script of an output and loads nothing from elsewhere, in a real browser."""

import http.server
import os
import shutil
import threading

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from fslib.files import write_text
from fslib.reproduction.report.build import notebook_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# {} is an address on this machine that counts what it is asked for; `owned` is set by whatever runs.
HOSTILE = [
    "<script>window.owned = 1</script>",
    '<img src="x" onerror="window.owned = 2">',
    '<img src="{}/image.png">',
    '<a id="link" href="javascript:window.owned = 3">link</a>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="window.owned = 4"><image href="{}/svg.png"/></svg>',
    '<iframe src="{}/frame"></iframe><iframe srcdoc="<script>parent.owned = 5</script>"></iframe>',
    '<meta http-equiv="refresh" content="0; url={}/refresh"><META HTTP-EQUIV=refresh CONTENT="0; url={}/refresh">',
    '<link rel="stylesheet" href="{}/style.css"><link rel="prefetch" href="{}/prefetch">',
    '<style>@import url("{}/import.css"); body {{ background: url("{}/background.png") }}</style>',
    '<base href="{}/"><object data="{}/object"></object><embed src="{}/embed">',
    '<form id="form" action="{}/form"><button id="send">send</button></form>',
    '<video src="{}/video" autoplay></video><audio src="{}/audio" autoplay></audio>',
    '<script src="{}/script.js"></script><script type="module">window.owned = 6</script>',
    '<details open ontoggle="window.owned = 7">a</details>',
]


@pytest.fixture
def outside():
    """A server that counts its requests: address and list of paths."""
    asked = []

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def hostile_page(tmp_path, address):
    """Every hostile text as HTML output, as Markdown output and as Markdown cell, and a script and a picture."""
    texts = [text.replace("{}", address).replace("{{", "{").replace("}}", "}") for text in HOSTILE]
    outputs = [new_output("display_data", {kind: text}) for text in texts for kind in ("text/html", "text/markdown")]
    outputs.append(new_output("display_data", {"application/javascript": "window.owned = 8"}))
    outputs += [new_output("display_data", {"image/svg+xml": text}) for text in texts if text.startswith("<svg")]
    outputs.append(new_output("stream", text=texts[0]))
    cells = [
        new_markdown_cell(text) for text in [*texts, f"![remote]({address}/markdown.png)", "[j](javascript:alert(1))"]
    ]
    code = new_code_cell("1", execution_count=1)
    code.outputs = outputs
    own = new_markdown_cell("# Own\n\nformula $x^2$")
    nbformat.write(new_notebook(cells=[own, *cells, code]), tmp_path / "hostile.ipynb")
    page = tmp_path / "hostile.html"
    write_text(page, notebook_page(tmp_path / "hostile.ipynb", "hostile", back="report.html"))
    return page


@pytest.mark.e2e
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium here")
@pytest.mark.parametrize("protected", [True, False])
def test_hostile_outputs_do_nothing(tmp_path, outside, protected):
    """Without the policy they do, so the test can fail."""
    from playwright.sync_api import sync_playwright

    address, asked = outside
    page = hostile_page(tmp_path, address)
    if not protected:
        text = page.read_text().replace("Content-Security-Policy", "nothing").replace("&lt;meta", "<meta")
        page.write_text(text.replace("&lt;META", "<META"))
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page()
        tab.goto(page.as_uri(), wait_until="commit")
        tab.wait_for_timeout(1500)
        if not protected:
            assert asked
            browser.close()
            return
        assert tab.locator("img.tex").first.evaluate("image => image.complete && image.naturalWidth > 0")
        for link in tab.locator("a", has_text="link").all()[:3] + tab.locator("#send").all()[:1]:
            link.click(force=True, no_wait_after=True)
        tab.wait_for_timeout(700)
        assert tab.url == page.as_uri()
        assert tab.evaluate("window.owned") is None  # by the debugger, which no policy binds
        browser.close()
    assert asked == []


def test_the_policy_comes_before_anything_it_must_hold_for(tmp_path):
    text = hostile_page(tmp_path, "http://127.0.0.1:1").read_text()
    policy = text.index('<meta http-equiv="Content-Security-Policy"')
    assert policy < text.index("<title>") and text.index("<body>") > policy
    body = text[text.index("<body>") :].lower()
    assert not [tag for tag in ("<meta", "<link", "<base") if tag in body]
    directives = dict(
        part.strip().split(" ", 1) for part in text[policy:].split('content="')[1].split('"')[0].split(";")
    )
    assert directives["default-src"] == directives["script-src"] == "'none'" and "http" not in str(directives)
