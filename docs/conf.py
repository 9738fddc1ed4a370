"""Sphinx: the documentation site. `make docs` puts its source together with `generate.py` and builds it offline."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import generate

import fslib

project = "fslib"
author = "The fslib authors"
copyright = author
version = release = fslib.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
]
default_role = "literal"  # single backquotes in docstrings are code
nitpicky = False

html_theme = "pydata_sphinx_theme"
html_title = f"fslib {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_build/extra"]
html_sidebars = {page: [] for page in ("index", "howto", "results", "gallery", "teaching")}  # they have no sections
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}

autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

nb_execution_mode = "off"  # outputs are those of the last quick run; see generate.py
nb_merge_streams = True
nb_ipywidgets_js = {}  # nothing is loaded from elsewhere; a widget shows its static fallback
myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 3
suppress_warnings = [
    "myst.xref_missing",  # links to pages that a partial checkout lacks
    "mystnb.unknown_mime_type",  # widget views, shown by their fallback
]


def setup(app):
    """Set formulas of Markdown pages as pictures; keep names such as n_iter_ in shapes from being read as links."""
    app.connect("autodoc-process-docstring", escape_shapes, priority=100)  # numpydoc comes at 500
    app.connect("source-read", generate.draw_page_formulas)


def escape_shapes(app, what, name, obj, options, lines):
    """Escape the last underscore of names in the shape of an array: ``(n_iter_,)`` is not a link."""
    lines[:] = [re.sub(r"\b(\w+)_(?=[,)])", r"\1\\_", line) if "shape (" in line else line for line in lines]
