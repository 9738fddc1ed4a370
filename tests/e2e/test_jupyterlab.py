"""What a reader does: open a notebook in JupyterLab, Run All, see no error. In a real browser, without the network.

The kernel must be idle before the click, or a dialog opens and nothing runs; only the server knows that. The verdict is
read from the saved notebook, because the page shows a traceback as ordinary error output and leaves out cells that are
not in view.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("lab")]

ROOT = Path(__file__).parents[2]
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
BEGUN_AND_NOTHING_QUEUED = r"""() => {
    const prompts = [...document.querySelectorAll('.jp-Notebook .jp-CodeCell .jp-InputPrompt')].map(e => e.textContent);
    return prompts.some(t => /\d/.test(t)) && !prompts.some(t => t.includes('*'));
}"""


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.25)


@contextlib.contextmanager
def jupyterlab(root, home):
    """A server of ``root`` with settings of its own; yields its address, its token and a function that asks its API."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, base = secrets.token_hex(16), f"http://127.0.0.1:{port}"
    quiet = home / "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    quiet.parent.mkdir(parents=True)
    quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    own = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython"}
    own |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    environment |= {name: str(home / folder) for name, folder in own.items()}
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"]
    options += [
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={root}",
        "--LabApp.extension_manager=readonly",
    ]

    def get(path):
        with urllib.request.urlopen(f"{base}{path}?token={token}", timeout=5) as answer:
            return json.load(answer)

    def is_up():
        assert server.poll() is None, (home / "lab.log").read_text()
        with contextlib.suppress(OSError):
            return get("/api/status")

    with open(home / "lab.log", "w") as log:
        command = [sys.executable, "-m", "jupyterlab", *options]
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            wait_for(is_up, 120, "JupyterLab did not start")
            yield base, token, get
        finally:
            server.terminate()
            server.wait(30)


def run_all(root, home, notebook):
    """Open ``root/notebook``, press Run All, save; return its code cells as saved, and the complaints of the page."""
    from playwright.sync_api import sync_playwright

    home.mkdir()
    with jupyterlab(root, home) as (base, token, get), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 4000})
        complaints = []
        inside = (base, base.replace("http", "ws"), "data:", "blob:")
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith(inside) or complaints.append(request.url))
        page.goto(f"{base}/lab/tree/{notebook}?token={token}&reset")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=120_000)

        def kernel_is_idle():
            return any(s["path"] == notebook and s["kernel"]["execution_state"] == "idle" for s in get("/api/sessions"))

        wait_for(kernel_is_idle, 120, "no kernel")
        page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]', timeout=120_000)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_function(BEGUN_AND_NOTHING_QUEUED, timeout=300_000)
        page.keyboard.press("Control+s")

        def code_cells():
            try:
                cells = nbformat.read(root / notebook, 4).cells
            except nbformat.reader.NotJSONError:  # while it is written
                return []
            return [cell for cell in cells if cell.cell_type == "code"]

        wait_for(lambda: any(cell.execution_count for cell in code_cells()), 30, "not saved")
        browser.close()
        return code_cells(), complaints


def errors(cells):
    return [output.evalue for cell in cells for output in cell.outputs if output.output_type == "error"]


@pytest.fixture(autouse=True)
def browser():
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            "needs a Chromium browser on the PATH: apt install chromium"
        )


def test_the_first_notebook_runs_to_its_end(tmp_path):
    notebook = "notebooks/bayes/2_motivating_example.ipynb"
    root = tmp_path / "copy"  # JupyterLab saves what it runs
    (root / notebook).parent.mkdir(parents=True)
    shutil.copy(ROOT / notebook, root / notebook)
    cells, complaints = run_all(root, tmp_path / "home", notebook)
    assert not errors(cells)
    assert all(cell.execution_count for cell in cells)
    assert list(root.glob("papermill_runs/scratch/tables/*.csv"))
    assert not complaints


def test_an_error_in_the_middle_would_be_seen(tmp_path, write_notebook):
    path = write_notebook("bayes/wrong", "1 + 1", "raise ValueError('seen')", "never = 1")
    cells, _ = run_all(path.parents[1], tmp_path / "home", "bayes/wrong.ipynb")
    assert errors(cells) == ["seen"] and not cells[-1].execution_count
