"""Files as people have them, written by hand: nothing that reads them is used to write them."""

import html
import zipfile

import pytest

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0"?>'
STYLES = (
    '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/>'
    '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'
)


@pytest.fixture
def write_text(tmp_path):
    """A function that writes text or bytes into a file and returns its path."""

    def to_file(content, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return to_file


class Failed(str):
    """Cell of a formula that failed, such as #DIV/0!."""


class Day(int):
    """Cell of a date: days since 1899-12-30."""


@pytest.fixture
def write_xlsx(tmp_path):
    """A function that writes sheets (dict of name to rows) into an Excel file; merged: ranges of the last sheet."""

    def to_file(sheets, *, merged=(), hidden=(), name="table.xlsx"):
        path = tmp_path / name
        kind = "application/vnd.openxmlformats-"
        parts = {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="{kind}package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
            f'ContentType="{kind}officedocument.spreadsheetml.sheet.main+xml"/></Types>',
            "_rels/.rels": _relations(["officeDocument"], ["xl/workbook.xml"]),
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
            + "".join(
                f'<sheet name="{sheet}" sheetId="{i}" r:id="rId{i}"{_HIDDEN if sheet in hidden else ""}/>'
                for i, sheet in enumerate(sheets, 1)
            )
            + "</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": _relations(
                ["worksheet"] * len(sheets) + ["styles"],
                [f"worksheets/sheet{i}.xml" for i in range(1, len(sheets) + 1)] + ["styles.xml"],
            ),
            "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{STYLES}</styleSheet>',
        }
        for i, rows in enumerate(sheets.values(), 1):
            parts[f"xl/worksheets/sheet{i}.xml"] = _sheet(rows, merged if i == len(sheets) else ())
        with zipfile.ZipFile(path, "w") as archive:
            for part, text in parts.items():
                archive.writestr(part, HEAD + text)
        return path

    return to_file


_HIDDEN = ' state="hidden"'


def _relations(kinds, targets):
    entries = "".join(
        f'<Relationship Id="rId{i}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(zip(kinds, targets, strict=True), 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{entries}</Relationships>'


def _sheet(rows, merged):
    lines = "".join(
        f'<row r="{r}">{"".join(_cell(value, f"{chr(65 + c)}{r}") for c, value in enumerate(row))}</row>'
        for r, row in enumerate(rows, 1)
    )
    ranges = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    ranges = f"<mergeCells>{ranges}</mergeCells>" if ranges else ""
    return f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData>{ranges}</worksheet>'


def _cell(value, place):
    if value is None:
        return ""
    if isinstance(value, Failed):
        return f'<c r="{place}" t="e"><f>1/0</f><v>{value}</v></c>'
    if isinstance(value, Day):
        return f'<c r="{place}" s="1"><v>{int(value)}</v></c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{html.escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value!r}</v></c>'


@pytest.fixture
def failed():
    """Make a cell of a formula that failed."""
    return Failed


@pytest.fixture
def day():
    """Make a cell of a date."""
    return Day
