"""Files of every kind: packed ones, those that are not tables, titles above the names, encodings."""

import gzip
import io
import zipfile

import pandas as pd
import pyarrow as pa
import pytest

from fslib.tables import TableError, read_table

TEXT = "x,n,y\n1.5,0,u\n2,3,v\n3.25,6,u\n4,2,v\n"
FRAME = pd.DataFrame({"x": [1.5, 2, 3.25, 4], "n": [0, 3, 6, 2], "y": list("uvuv")})
ARFF = "@relation r\n@attribute x numeric\n@attribute n numeric\n@attribute y {u,v}\n@data\n" + TEXT.partition("\n")[2]


def is_read(table):
    return (
        list(table.X) == ["x", "n"]
        and table.X.to_numpy().tolist() == FRAME[["x", "n"]].to_numpy(dtype=float).tolist()
        and list(table.y) == list("uvuv")
    )


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def zstd(data):
    buffer = pa.BufferOutputStream()
    with pa.CompressedOutputStream(buffer, "zstd") as stream:
        stream.write(data)
    return buffer.getvalue().to_pybytes()


def parquet(frame):
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv.gz", gzip.compress(TEXT.encode(), mtime=0)),
        ("t.csv.zst", zstd(TEXT.encode())),
        ("T.CSV.GZ", gzip.compress(TEXT.encode(), mtime=0)),
        ("t.csv.zip", zipped({"t.csv": TEXT})),
        ("t.zip", zipped({"data/t.csv": TEXT})),
        ("t.zip", zipped({"t.csv": TEXT, "__MACOSX/._t.csv": "x", ".DS_Store": "x", "data/": ""})),
        ("t.zip", zipped({"t.csv": TEXT, "readme.md": "x"})),
        ("t.arff.gz", gzip.compress(ARFF.encode(), mtime=0)),
        ("t.parquet.gz", gzip.compress(parquet(FRAME), mtime=0)),
        ("t.zip", zipped({"t.parquet": parquet(FRAME)})),
    ],
)
def test_packed_files_are_unpacked_whatever_is_in_them(write_text, name, data):
    assert is_read(read_table(write_text(data, name), "y"))


def test_a_packed_file_that_may_not_be_read_is_not_called_broken(write_text, monkeypatch):
    path = write_text(gzip.compress(TEXT.encode()), "t.csv.gz")

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    with pytest.raises(TableError, match=r"cannot be read \(Permission denied\)"):
        read_table(path, "y")


def test_a_packed_spreadsheet(write_xlsx, write_text):
    rows = [list(FRAME), *FRAME.to_numpy().tolist()]
    assert is_read(read_table(write_text(gzip.compress(write_xlsx({"s": rows}).read_bytes()), "p.xlsx.gz"), "y"))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.zip", zipped({"a.csv": TEXT, "b.csv": TEXT}), r"holds 2 tables \(a.csv, b.csv\)"),
        ("t.zip", zipped({"a.png": "x"}), r"holds no table \(a.png\)"),
        ("t.zip", b"PK\x03\x04 broken", "cannot be unpacked"),
        ("t.csv.zst", b"no zstd", "cannot be unpacked"),
        ("t.gz", b"", "does not say what is in it"),
        ("t.tar.gz", b"", "an archive"),
        ("t.parquet.gz", gzip.compress(b"x", mtime=0), r"t\.parquet\.gz is not a parquet file"),
        ("t.ipynb", b"{}", "is a notebook, not a table"),
        ("t.png", b"", "is an image"),
        ("t.sav", b"", "SPSS.*as CSV"),
        ("t.pkl", b"", "Python objects"),
        ("t", b"x,y", r"unknown kind \(no suffix\).*\.csv"),
        ("t.csv", b"\xff\xd8\xff\xe0", "is an image"),
        ("t.csv", b"%PDF-1.4", "is a PDF"),
        ("t.csv", b"PK\x03\x04", r"spreadsheet or a packed file \(name it"),
        ("t.csv", b"<!DOCTYPE html>\n<html><body>Sign in, please</body></html>", "is a web page"),
        ("t.csv", b'{"x": 1, "y": 2}\n', "is JSON"),
        ("t.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        ("t.csv", ARFF.encode(), "ARFF"),
        ("t.csv", TEXT.encode("utf-16")[:-1], "cannot be read as utf-16"),
    ],
)
def test_what_is_no_table_is_named(write_text, name, data, message):
    with pytest.raises(TableError, match=message):
        read_table(write_text(data, name), "y")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("https://example.org/t.csv", "is an address.*Download"),
        ("s3://bucket/t.parquet", "is an address"),
        ("https://example.org/get?id=3", "is an address"),
        ("-", "standard input"),
    ],
)
def test_what_is_no_file_is_named(address, message):
    with pytest.raises(TableError, match=message):
        read_table(address, "y")


def test_a_folder_names_its_tables(write_text, tmp_path):
    write_text(TEXT, "t.csv")
    with pytest.raises(TableError, match=r"is a folder.*t\.csv"):
        read_table(tmp_path, "y")


@pytest.mark.parametrize(
    ("above", "note"),
    [
        ("Export of 2024\n", "1 line above .*'Export of 2024'"),
        ("Export of 2024\n\n", "1 line above"),
        ("Export of 2024\nby A. Smith\n", "2 lines above"),
        ("Export of 2024,,\n", "1 line above"),  # as spreadsheets write it
        ("Device,AX-2\nDate,2024-01-02\n\n", "2 lines above"),  # of another width, before an empty line
    ],
)
def test_titles_above_the_names_are_left_out_with_a_note(write_text, above, note):
    table = read_table(write_text(above + TEXT), "y")
    assert is_read(table) and pd.Series(table.notes).str.contains(note).any()


@pytest.mark.parametrize("above", [[["Results"]], [["Results", None, None], [None]], [["Results"], ["of 2024"]]])
def test_titles_above_a_sheet(write_xlsx, above):
    table = read_table(write_xlsx({"s": [*above, list(FRAME), *FRAME.to_numpy().tolist()]}), "y")
    assert is_read(table) and any("above the names" in note for note in table.notes)


@pytest.mark.parametrize("text", ["y;a\nu, or so;1\nv, or not;2\nu, or so;4\n", ",y\n3,u\n1,v\n7,u\n"])
def test_names_are_no_title(write_text, text):
    assert not any("above" in note for note in read_table(write_text(text), "y").notes)


@pytest.mark.parametrize(
    "text", ["5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,2.2,other\n", "1;0;yes\n3;4;no\n2;4;yes\n"], ids=["iris", "survey"]
)
def test_a_row_is_not_taken_for_names(write_text, text):
    with pytest.raises(TableError, match="as rows do"):
        read_table(write_text(text), text.split("\n")[0][-6:])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings_that_show_themselves(write_text, encoding):
    assert is_read(read_table(write_text(TEXT, encoding=encoding), "y"))


def test_an_encoding_can_be_named(write_text):
    path = write_text("рост,y\n1,да\n3,нет\n4,да\n", encoding="cp1251")
    assert any("encoding=" in note for note in read_table(path, "y").notes)
    assert set(read_table(path, "y", encoding="cp1251").y) == {"да", "нет"}
    with pytest.raises(TableError, match="klingon"):
        read_table(path, "y", encoding="klingon")


@pytest.mark.parametrize("setting", [{"sheet": "data"}, {"encoding": "utf-8"}])
def test_settings_without_effect_are_refused(setting):
    with pytest.raises(TableError, match=f"{next(iter(setting))}=.* would have no effect"):
        read_table(FRAME, "y", **setting)


def test_escaped_quotation_marks_and_long_cells(write_text):
    text = 'x,n,y\n1,"the \\"big\\" one","u"\n2,"b ""c"" d",v\n3,b,u\n4,b,v\n'
    assert 'n=the "big" one' in read_table(write_text(text.replace('"b ""c"" d"', "b")), "y").X
    assert 'n=b "c" d' in read_table(write_text(text.replace('\\"', '""')), "y").X
    assert read_table(write_text(f"x,t,y\n1,{'a' * 200_000},u\n2,b,v\n3,b,u\n"), "y").X["x"].tolist() == [1, 2, 3]


def test_a_quotation_mark_that_is_never_closed(write_text):
    with pytest.raises(TableError, match="Close the quotation mark"):
        read_table(write_text('x,n,y\n1,0,"u\n2,3,v\n3,6,u\n'), "y")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:3\n0 a:4\n", "line 2 is not labels and index:value pairs"),
        ("1 2:3 1:5\n0 1:4\n", "line 1 has indices that do not rise"),
    ],
)
def test_the_broken_line_of_a_libsvm_file_is_named(write_text, text, message):
    with pytest.raises(TableError, match=message):
        read_table(write_text(text, "t.svm"))


def test_numbers_of_queries_are_mentioned(write_text):
    table = read_table(write_text("1 qid:1 1:3\n0 qid:1 1:4\n1 qid:2 1:6\n", "t.svm"))
    assert any("qid" in note for note in table.notes) and table.X["x0"].tolist() == [3, 4, 6]


def test_a_sheet_that_was_not_read_is_named_where_a_column_is_missing(write_xlsx):
    path = write_xlsx({"read me": [["hello"], ["you"]], "data": [["x", "y"], [1, "u"], [2, "v"]]})
    with pytest.raises(TableError, match=r"no column 'y'.*'data' \(sheet=\)"):
        read_table(path, "y")
    assert read_table(path, "y", sheet="data").X["x"].tolist() == [1, 2]


def test_the_frame_stays_as_it_is():
    before = FRAME.copy()
    assert is_read(read_table(FRAME, "y")) and before.equals(FRAME)
