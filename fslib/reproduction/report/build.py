"""One page that shows a run: the result of every table, figure and claim, with links to the details.

The page loads nothing from elsewhere: style, script and figures are inside it. It links to the executed notebooks,
which are pages in the same folder.
"""

import base64
import functools
import hashlib
import os
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbconvert import HTMLExporter

import fslib
from fslib.files import write_text
from fslib.reproduction.compare.agreement import KINDS
from fslib.reproduction.compare.compare import compare
from fslib.reproduction.compare.totals import AGREE, counts
from fslib.reproduction.compare.verdicts import MEANING
from fslib.reproduction.paths import EXPECTED, REFERENCE, REPORTED, RunFolder
from fslib.reproduction.report.formulas import draw_formulas
from fslib.reproduction.report.notes import how_it_was_run
from fslib.reproduction.report.numbers import TONES
from fslib.reproduction.report.page import item_key, paper_page
from fslib.reproduction.run.parameters import read_notebook
from fslib.reproduction.run.records import read_manifest, read_status

TEMPLATES = Path(__file__).parent / "templates"
LOG_LINES, LOG_CHARACTERS = 40, 20_000
"""The end of a log that is shown: so many lines, and no more than so many characters."""

POLICY = (
    "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'; "
    "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy of the pages: they load nothing from anywhere and run no script of an output."""

BEYOND_POLICY = re.compile(r"<(?=/?(meta|link|base)\b)", re.IGNORECASE)
"""Elements with which an output could redirect its reader in spite of the policy."""


def build(run_dir, *, expected_dir=EXPECTED, reported_dir=REPORTED, reference_dir=REFERENCE):
    """Write ``report.html`` and the executed notebooks as pages under ``html/``.

    Parameters
    ----------
    run_dir : path-like
        Folder of a run.
    expected_dir, reported_dir, reference_dir : path-like, optional

    Returns
    -------
    pathlib.Path
        The page to open.

    Raises
    ------
    FileNotFoundError
        If there is no run in the folder.
    ValueError
        If a file of the run is broken.
    """
    run = RunFolder(Path(run_dir))
    profile = read_status(run)[0] if run.status.exists() else "quick"
    folders = {"expected_dir": expected_dir, "reported_dir": reported_dir, "reference_dir": reference_dir}
    comparison = compare(run.path, profile, **folders)
    manifest = read_manifest(run)
    page = (
        _environment()
        .get_template("report.html.j2")
        .render(
            profile=profile,
            version=fslib.__version__,
            manifest=manifest,
            counts=comparison.counts,
            reference=comparison.reference and counts(comparison.reference.published),
            how={paper: how_it_was_run(paper, reference_dir) for paper in comparison.papers},
            n_guarded=comparison.n_guarded,
            moved=comparison.moved.to_dict("records"),
            notebooks=[_notebook(run, name, entry) for name, entry in comparison.notebooks.items()],
            papers=[paper_page(paper, comparison, _figures(run, paper, comparison)) for paper in comparison.papers],
            tones=TONES,
            agree=AGREE,
            kinds=KINDS,
            meanings=MEANING,
            policy=POLICY,
        )
    )
    write_text(run.report, _with_own_script(page))
    return run.report


def _with_own_script(page):
    """Allow the one script of a page; any other script is not run, and nothing is loaded."""
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return page.replace(POLICY, POLICY.replace("script-src 'none'", f"script-src 'sha256-{digest}'"), 1)


@functools.cache
def _exporter():
    return HTMLExporter(template_name="basic")


@functools.cache
def _environment():
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _figures(run, paper, comparison):
    """Figures of a paper that notebooks of this run have made, by item key."""
    return {
        item_key(Path(name).stem.removeprefix(f"{paper}_")): (run.path / name, notebook)
        for notebook, entry in comparison.notebooks.items()
        for name in entry["outputs"]
        if entry["status"] == "done" and name.startswith(f"figures/{paper}_") and name.endswith(".svg")
    }


def _notebook(run, name, entry):
    """Line of a notebook in the report; its page is written on the way."""
    line = {**entry, "name": name, "page": "", "ipynb": "", "log": "", "tail": "", "stale": entry.get("stale", False)}
    for path in (run.executed(name), run.part(name)):
        if path.exists():
            line["ipynb"] = path.relative_to(run.path).as_posix()
            line["page"] = _write_page(run, name, path)
            break
    if run.log(name).exists():
        line["log"] = run.log(name).relative_to(run.path).as_posix()
        if entry["status"] in ("failed", "timeout"):
            text = run.log(name).read_text(encoding="utf-8", errors="replace")
            tail = "\n".join(re.sub(r"\x1b\[[0-9;]*m", "", text[-10 * LOG_CHARACTERS :]).splitlines()[-LOG_LINES:])
            line["tail"] = tail if len(tail) <= LOG_CHARACTERS else f"[...] {tail[-LOG_CHARACTERS:]}"
    return line


def _write_page(run, name, path):
    """Write the page of a notebook and return its address; empty for one that was cut off while it was written."""
    page = run.page(name)
    try:
        text = notebook_page(path, name, back=os.path.relpath(run.report, page.parent))
    except Exception as error:  # nbformat, nbconvert and mistune have no error in common
        if path == run.part(name):
            return ""
        raise ValueError(
            f"{path} is broken ({type(error).__name__}: {str(error)[:100]}); run again with: fslib run --fresh"
        ) from error
    write_text(page, text)
    return page.relative_to(run.path).as_posix()


def notebook_page(path, name, back):
    """Turn an executed notebook into one HTML page that loads nothing from elsewhere and runs no script.

    What a notebook puts out may hold anything, from a run of somebody else above all; see `POLICY`.

    Parameters
    ----------
    path : path-like
        Executed notebook.
    name : str
        Title of the page.
    back : str
        Relative address of the report.

    Returns
    -------
    str
        Formulas are pictures: a typesetter for the browser would have to be loaded from elsewhere.
    """
    notebook = read_notebook(path)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = draw_formulas(cell.source)
    body, _ = _exporter().from_notebook_node(notebook)
    body = BEYOND_POLICY.sub("&lt;", body)
    return _environment().get_template("notebook.html.j2").render(name=name, body=body, back=back, policy=POLICY)
