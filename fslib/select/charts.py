"""Charts as SVG text: no fonts, files or scripts of their own, and legible on a phone."""

from html import escape

WIDTH, HEIGHT = 360, 230
STYLE = """
.chart { background: #fff; width: 36rem; max-width: 100%; } .chart text { fill: #5d5f5a; font: 11px sans-serif; }
.grid { stroke: #dedbd2; stroke-width: .7; } .mark { stroke: #5d5f5a; stroke-dasharray: 1.5 2.5; }
.level { stroke: #a63d14; stroke-width: 1.4; } .l0 { stroke-dasharray: 6 3; } .l1 { stroke-dasharray: 1.5 3; }
polyline { fill: none; } polyline.first { stroke: #0f5f94; stroke-width: 2.2; } .error { stroke: #0f5f94; }
polyline.other { stroke: #9fb6c8; stroke-width: 1.2; } circle { fill: #0f5f94; }
"""
"""Look of a chart that stands alone, such as in a notebook; the report brings its own."""

LEFT, RIGHT, TOP, BOTTOM = 46, 8, 10, 40


def nice_ticks(low, high):
    """Round numbers that cover an interval.

    Examples
    --------
    >>> nice_ticks(0.512, 0.79)
    [0.5, 0.6, 0.7, 0.8]
    """
    from matplotlib.ticker import MaxNLocator  # a third of a second, wanted only by those who write a report

    found = MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high if high > low else low + 0.1)
    return [round(float(tick), 10) for tick in found]


def curve_chart(curves, levels, *, chosen, x_label, title):
    """Score against the number of features, with a band of one standard error for the first curve.

    Parameters
    ----------
    curves : list of (name, list of (k, mean, se))
        The first is drawn strongly.
    levels : list of (name, value)
        Horizontal lines.
    chosen : int
        Number of features to mark.
    x_label, title : str

    Returns
    -------
    str
    """
    points = [(k, m, s if s == s else 0.0) for _, line in curves for k, m, s in line if m == m]
    lowest = min([m for _, m, _ in points] + [v for _, v in levels if v == v])
    highest = max([m + s for _, m, s in points] + [v for _, v in levels if v == v])
    ticks = nice_ticks(lowest, highest)
    y_low, y_high = ticks[0], ticks[-1]
    sizes = sorted({k for k, _, _ in points})
    place = {k: i for i, k in enumerate(sizes)}
    step = (WIDTH - LEFT - RIGHT - 16) / max(1, len(sizes) - 1)
    x = lambda k: LEFT + 8 + place[k] * step if len(sizes) > 1 else (LEFT + WIDTH - RIGHT) / 2
    y = lambda v: TOP + (HEIGHT - TOP - BOTTOM) * (1 - (v - y_low) / (y_high - y_low))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="chart"',
        f' role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    for tick in ticks:
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        out.append(f'<text x="{LEFT - 5}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for k in sizes:
        out.append(f'<text x="{x(k):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{k}</text>')
    out.append(f'<line class="mark" x1="{x(chosen):.1f}" x2="{x(chosen):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    for i, (_, value) in enumerate(levels):
        if value == value:
            out.append(
                f'<line class="level l{i}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
            )
    for i, (name, line) in reversed(list(enumerate(curves))):
        line = [(k, m, s if s == s else 0.0) for k, m, s in line if m == m]
        path = " ".join(f"{x(k):.1f},{y(m):.1f}" for k, m, _ in line)
        if i == 0:
            for k, m, s in line:
                at, low, high = x(k), y(max(y_low, m - s)), y(min(y_high, m + s))
                out.append(f'<line class="error" x1="{at:.1f}" x2="{at:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>')
        kind = "first" if i == 0 else "other"
        out.append(f'<polyline class="{kind}" points="{path}"><title>{escape(name)}</title></polyline>')
        if i == 0:
            out += [f'<circle class="first" r="3" cx="{x(k):.1f}" cy="{y(m):.1f}"/>' for k, m, _ in line]
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>')
    out.append("</svg>")
    return "".join(out)
