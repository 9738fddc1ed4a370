"""What the site holds beyond its written pages: notebooks with outputs, gallery, API pages, data cards, the report."""

import importlib
import inspect
import json
import re
import shutil
from pathlib import Path

from sklearn.base import BaseEstimator

from fslib.names import METHODS
from fslib.reproduction.paths import DATA, FIGURES, NOTEBOOKS, REFERENCE, ROOT, RUNS, RunFolder
from fslib.reproduction.report.build import build
from fslib.reproduction.report.formulas import draw_formulas
from fslib.reproduction.run.records import write_status
from fslib.reproduction.run.reference import read_reference_manifest

HERE = Path(__file__).parent
OUT = HERE / "_build" / "source"
EXTRA = HERE / "_build" / "extra"
PAPERS = {
    "bayes": "Bayes optimal feature selection",
    "rrmvfs": "Robust re-weighted multi-view feature selection",
    "mlmlfs": "Multi-label feature selection with missing labels",
    "braytee": "High-dimensional unbalanced data (thesis)",
}
ROOMS = {
    "filters": "Filters on discrete features",
    "multiview": "Several views",
    "multilabel": "Several labels",
    "imbalance": "Imbalanced classes",
    "correlated": "Correlated features",
    "datasets": "Data sets",
}
MENU = {
    "Use it": "howto",
    "Results": "results",
    "Notebooks": "notebooks",
    "API": "api",
    "Gallery": "gallery",
    "Teaching": "teaching",
    "Background": "background",
}
"""Menu of the site: title -> page."""

PLACES = {
    "../notebooks": "notebooks.md",
    "../notebooks/solutions": "notebooks.md",
    "../fslib": "api.rst",
    "../figures": "gallery.md",
    "../data/README.md": "data_cards.md",
    "../CHANGELOG.md": "changes.md",
}
"""Target of a link in docs/, as it works on GitHub -> page of the site."""

REPORT = "../papermill_runs/reference/README.md"
"""Links to this lead to the report of the reference run, which only the site has."""

LATER = ("errata", "methods", "scaling")
"""Pages of docs/ that may be missing from a partial checkout: the site is then built without them."""


def write_all():
    """Write the source of the site to ``docs/_build/source``; what an earlier build left there is removed."""
    for folder in (OUT, EXTRA):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for path in HERE.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        if path.name == "index.md":
            text = front_page(text)
        (OUT / path.name).write_text(on_site(text), encoding="utf-8")
    shutil.copytree(FIGURES, OUT / "figures")
    shutil.copytree(HERE / "_static", OUT / "_static")  # its images; conf.py names the folder too, for the style
    write_notebooks()
    write_gallery()
    write_api()
    write_background()
    write_reports()


def front_page(text):
    """Markdown of the first page, its list of pages as cards, and the menu of the site."""
    cards = ["::::{grid} 1 2 2 3", ":gutter: 3", ""]
    for title, target, about in re.findall(r"^\* \[([^\]]+)\]\(([^)]+)\): (.+)$", text, re.M):
        page = PLACES.get(target, target).rpartition(".")[0]
        cards += [f":::{{grid-item-card}} {title}", f":link: {page}", ":link-type: doc"]
        cards += [about[0].upper() + about[1:], ":::", ""]
    cards = "\n".join([*cards, "::::\n"])
    menu = "\n".join(["```{toctree}", ":hidden:", "", *(f"{title} <{page}>" for title, page in MENU.items()), "```\n"])
    return re.sub(r"(^\* .+\n)+", lambda _: cards, text, flags=re.M) + "\n" + menu


def on_site(text):
    """Markdown with links to classes, notebooks and folders as links to their pages; to other files as plain text."""

    def page(match):
        name, target = match.groups()
        if target == REPORT:
            return f'<a href="reference/report.html">{name}</a>'
        if target in PLACES:
            return f"[{name}]({PLACES[target]})"
        if target.startswith("../notebooks/"):
            return f"[{name}]({target.removeprefix('../')})"
        room = target.removeprefix("../fslib/").partition("/")[0]
        return f"[{name}](api/fslib.{room}.{name}.rst)" if room in ROOMS and name in public(room) else name

    return re.sub(r"\[([^\]]+)\]\((\.\./[^)]+)\)", page, text)


def executed(name):
    """Path of a notebook of the last quick run; the stored one, without outputs, if it has not run."""
    ran = RUNS / "quick" / "notebooks" / f"{name}.ipynb"
    return ran if ran.exists() else NOTEBOOKS / f"{name}.ipynb"


def notebook_names():
    """Names such as ``bayes/4_1_classification``, in reading order."""
    paths = sorted(NOTEBOOKS.glob("**/*.ipynb"), key=lambda path: path.relative_to(NOTEBOOKS).as_posix())
    return [p.relative_to(NOTEBOOKS).with_suffix("").as_posix() for p in paths if ".ipynb_checkpoints" not in p.parts]


def write_notebooks():
    """Copy the notebooks, with formulas as pictures and without the cell that papermill injects."""
    names = notebook_names()
    for name in names:
        notebook = json.loads(executed(name).read_text(encoding="utf-8"))
        cells = [c for c in notebook["cells"] if "injected-parameters" not in c["metadata"].get("tags", [])]
        for cell in cells:
            if cell["cell_type"] == "markdown":
                cell["source"] = draw_formulas("".join(cell["source"]))
        notebook["cells"] = cells
        notebook["metadata"].pop("widgets", None)
        path = OUT / "notebooks" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
    n_ran = sum(executed(name).is_relative_to(RUNS) for name in names)
    said = f"{n_ran} of {len(names)} notebooks are shown with the outputs of the last quick run (`make reproduce`)."
    lines = ["# Notebooks", "", said, ""]
    groups = {"Start": [n for n in names if "/" not in n]}
    groups |= {title: [n for n in names if n.startswith(f"{paper}/")] for paper, title in PAPERS.items()}
    groups["Solutions"] = [n for n in names if n.startswith("solutions/")]
    for title, members in groups.items():
        if members:
            entries = "\n".join(f"notebooks/{name}" for name in members)
            lines += [f"```{{toctree}}\n:caption: {title}\n:maxdepth: 1\n\n{entries}\n```\n"]
    (OUT / "notebooks.md").write_text("\n".join(lines), encoding="utf-8")


def write_gallery():
    """Write a page with all figures of the reference runs, by paper."""
    lines = ["# Gallery", "", "The figures of the reference runs: each paper figure as it came out here.", ""]
    for paper, title in PAPERS.items():
        figures = sorted(FIGURES.glob(f"{paper}_*.svg"))
        if not figures:
            continue
        lines += [f"## {title}", "", "::::{grid} 1 2 2 2", ":gutter: 2", ""]
        for path in figures:
            name = path.stem.removeprefix(f"{paper}_").replace("_", " ").capitalize()
            lines += [f":::{{grid-item-card}} {name}", f":img-bottom: figures/{path.name}", f":img-alt: {name}"]
            lines += [":::", ""]
        lines += ["::::", ""]
    (OUT / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


def public(room):
    """Names and objects that a package exports, in alphabetical order."""
    package = importlib.import_module(f"fslib.{room}")
    return {name: getattr(package, name) for name in sorted(package.__all__, key=str.lower)}


def summary(thing):
    """Return the first sentence of a docstring."""
    return inspect.getdoc(thing).split("\n\n")[0].replace("\n", " ")


def write_api():
    """Write one page per public class or function, and the list of all."""
    names = {method.selector: method.name for method in METHODS.values() if method.selector}
    (OUT / "api").mkdir()
    lines = ["API reference", "=============", ""]
    for room, title in ROOMS.items():
        lines += [title, "-" * len(title), "", ".. list-table::", "   :widths: 30 70", ""]
        for name, thing in public(room).items():
            kind = "class" if inspect.isclass(thing) else "function"
            full = f"fslib.{room}.{name}"
            lines += [f"   * - :doc:`{name} <api/{full}>`", f"     - {summary(thing)}"]
            page = [full, "=" * len(full), "", f".. currentmodule:: fslib.{room}", ""]
            if method := names.get(f"{room}.{name}"):
                page += [f"Called *{method}* in tables and figures.", ""]
            page += [f".. auto{kind}:: {name}"]
            if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
                methods = [
                    m for m in ("fit", "fit_resample", "predict", "predict_proba", "transform") if m in vars(thing)
                ]
                page += [f"   :members: {', '.join(methods)}"] if methods else []
            (OUT / "api" / f"{full}.rst").write_text("\n".join(page) + "\n", encoding="utf-8")
        lines += [""]
    lines += [".. toctree::", "   :hidden:", ""]
    lines += [f"   api/fslib.{room}.{name}" for room in ROOMS for name in public(room)]
    (OUT / "api.rst").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_background():
    """Write the list of background pages, those that this checkout has, and the pages made of files elsewhere."""
    for name, source in (("data_cards", DATA / "README.md"), ("changes", ROOT / "CHANGELOG.md")):
        (OUT / f"{name}.md").write_text(unlinked(source.read_text(encoding="utf-8")), encoding="utf-8")
    there = [name for name in LATER if (HERE / f"{name}.md").exists()]
    lines = [
        "# Background",
        "",
        "```{toctree}",
        ":maxdepth: 1",
        "",
        *there,
        "glossary",
        "data_cards",
        "changes",
        "```",
        "",
    ]
    (OUT / "background.md").write_text("\n".join(lines), encoding="utf-8")


def write_reports():
    """Build the report of the reference run, and copy that of the last quick run if there is one."""
    run = RunFolder(EXTRA / "reference")
    shutil.copytree(REFERENCE, run.path, ignore=shutil.ignore_patterns("README.md"))
    shutil.copytree(FIGURES, run.figures)
    kept = read_reference_manifest(REFERENCE)["notebooks"]
    ended = {"status": "done", "cell": None, "error": None}
    status = {
        name: ended
        | {"seconds": entry["seconds"] or 0.0, "parameters": entry["parameters"] or {}, "outputs": entry["files"]}
        for name, entry in kept.items()
    }
    write_status(run, "paper", status)
    build(run.path)
    for name in kept:  # the report links to notebooks as pages; the site has them elsewhere
        up = "../" * (2 + name.count("/"))
        target = f"{up}notebooks/{name}.html"
        page = f'<!doctype html><title>{name}</title><meta http-equiv="refresh" content="0; url={target}">\n'
        run.page(name).parent.mkdir(parents=True, exist_ok=True)
        run.page(name).write_text(f'{page}<a href="{target}">{name}</a>\n', encoding="utf-8")
    quick = RunFolder(RUNS / "quick")
    if quick.report.exists():
        shutil.copytree(quick.path, EXTRA / "quick", ignore=shutil.ignore_patterns("cache", "staging", ".*", "runner*"))


def unlinked(text):
    """Markdown with links to files of the repository as plain text: they are not pages of the site."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)", r"\1", text)


def draw_page_formulas(app, name, source):
    """Set the formulas of a Markdown page as pictures, as the report does: no typesetter is loaded from elsewhere."""
    if app.env.doc2path(name).suffix == ".md":
        source[0] = draw_formulas(source[0])


if __name__ == "__main__":
    write_all()
