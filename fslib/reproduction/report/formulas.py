"""TeX formulas in a notebook's text as small pictures, so that its page needs no typesetter from elsewhere."""

import base64
import functools
import html
import io
import re

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser

SIZE = 12.0  # points
EM = 10.8  # points; less than SIZE, because the letters of formulas are smaller than those of the text
# Code in backquotes is not text; a formula is $$...$$ or $...$ that neither begins nor ends with a space.
PARTS = re.compile(r"```.*?```|`[^`\n]*`|\$\$(.+?)\$\$|\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)", re.DOTALL)
FIRST_BARE = re.compile(r"\\[td]?(frac|binom)\s*(\w)")  # \frac1P has its two parts without braces
SECOND_BARE = re.compile(r"(\\(?:frac|binom)\{\w\})\s*(\w)")
# What TeX has and matplotlib spells otherwise.
SAME = {
    r"\tfrac": r"\frac",
    r"\lVert": r"\Vert ",
    r"\rVert": r"\Vert ",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\text{": r"\mathrm{",
    r"\bigl": "",
    r"\bigr": "",
    r"\big": "",
}


def draw_formulas(text):
    r"""Replace the formulas of a Markdown text by pictures; what matplotlib cannot set stays as it is written.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> draw_formulas("costs 5 $, `$x$` and $\\begin{cases}$")
    'costs 5 $, `$x$` and $\\begin{cases}$'
    >>> draw_formulas("where $x^2$ is")[:20]
    'where <img class="te'
    """
    return PARTS.sub(_drawn, text)


def _drawn(match):
    formula = match.group(1) or match.group(2)
    if formula is None:
        return match.group()
    tex = FIRST_BARE.sub(r"\\\1{\2}", " ".join(formula.split()))
    tex = SECOND_BARE.sub(r"\1{\2}", tex)
    for theirs, ours in SAME.items():
        tex = tex.replace(theirs, ours)
    try:
        picture, height, depth = _picture(tex)
    except ValueError:
        return match.group()
    style = f"height: {height:.3f}em; vertical-align: {-depth:.3f}em"
    kind = "tex display" if match.group(1) else "tex"
    return (
        f'<img class="{kind}" style="{style}" alt="{html.escape(formula)}" src="data:image/svg+xml;base64,{picture}">'
    )


@functools.lru_cache(maxsize=1024)
def _picture(tex):
    """SVG in base64, height and depth below the baseline in em."""
    font = FontProperties(size=SIZE, math_fontfamily="cm")
    width, height, depth, _, _ = MathTextParser("path").parse(f"${tex}$", dpi=72, prop=font)
    figure = Figure(figsize=(width / 72, height / 72))
    figure.text(0, depth / height, f"${tex}$", fontproperties=font)
    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "fslib", "savefig.bbox": None}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return base64.b64encode(file.getvalue()).decode(), height / EM, depth / EM
