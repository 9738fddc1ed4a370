"""Files of text: one test per kind of fault, with several files each."""

import bz2
import gzip
import lzma

import numpy as np
import pytest

from fslib.tables import TableError, read_table


def columns(path, target="y", **options):
    table = read_table(path, target, **options)
    return table.X.to_dict("list"), list(table.y)


PLAIN = {"a": [1, 4], "b": [2.5, 3.5]}, ["u", "v"]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("a,b,y\n1,2.5,u\n4,3.5,v\n", "t.csv"),
        ("a;b;y\n1;2,5;u\n4;3,5;v\n", "t.csv"),  # as spreadsheets write it where commas separate decimals
        ("a;b;y\n1;2.5;u\n4;3.5;v\n", "t.csv"),
        ("a\tb\ty\n1\t2.5\tu\n4\t3.5\tv\n", "t.csv"),
        ("a,b,y\n1,2.5,u\n4,3.5,v\n", "t.tsv"),  # the suffix does not decide
        ("a|b|y\n1|2.5|u\n4|3.5|v\n", "t.txt"),
        ("a b   y\n1 2.5 u\n4  3.5 v\n", "t.dat"),
        ("sep=;\na;b;y\n1;2,5;u\n4;3,5;v\n", "t.csv"),
        ("a,b,y\r\n1,2.5,u\r\n4,3.5,v\r\n", "t.csv"),
        ("a,b,y\r1,2.5,u\r4,3.5,v", "t.csv"),
        ("\ufeffa,b,y\n1,2.5,u\n4,3.5,v\n", "t.csv"),  # byte order mark
        ('"a","b","y"\n"1","2.5","u"\n"4","3.5","v"\n', "t.csv"),
        (" a , b ,y \n 1, 2.5,u\n4 ,3.5 , v\n", "t.csv"),
        ("\n\na,b,y\n1,2.5,u\n\n4,3.5,v\n   \n", "t.csv"),  # empty lines
        ("a,b,y\n1,2.5,u\n,,\n4,3.5,v\n,,\n,,\n", "t.csv"),  # rows of nothing, below the used part of a sheet
        ("a,b,y,\n1,2.5,u,\n4,3.5,v,\n", "t.csv"),  # a separator at the end of each line
        ("a,b,y\n1,2.5,u,\n4,3.5,v,\n", "t.csv"),
        ("# made by hand\n# twice\na,b,y\n1,2.5,u\n4,3.5,v\n", "t.csv"),
        ("a,b,y\n1,2.5,u\n# a remark\n4,3.5,v\n", "t.csv"),
        ("% made by hand\n//twice\na;b;y\n1;2,5;u\n4;3,5;v\n", "t.csv"),
        ("#a,b,y\n1,2.5,u\n4,3.5,v\n", "t.csv"),  # a header that is marked like a comment
    ],
)
def test_the_same_table_in_many_dialects(write_text, content, name):
    assert columns(write_text(content, name)) == PLAIN


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_encodings(write_text, encoding):
    path = write_text("größe,y\n1,naïve\n2,früh\n", encoding=encoding)
    table = read_table(path, "y")
    assert list(table.X) == ["größe"] and table.y.tolist() == ["naïve", "früh"]
    assert any("not in UTF-8" in note and "größe" in note for note in table.notes) == (
        encoding in ("latin-1", "cp1252")
    )


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_packed_files(write_text, suffix, pack):
    content = pack(b"a,b,y\n1,2.5,u\n4,3.5,v\n")
    assert columns(write_text(content, f"t.csv{suffix}")) == PLAIN
    with pytest.raises(TableError, match="cannot be unpacked"):
        read_table(write_text(content[:20], f"u.csv{suffix}"), "y")


def test_separators_inside_quotes_and_long_cells(write_text):
    text = 'a;"note; with, both";y\n1;"first\nline";u\n2;"x";v\n3;"x";u\n'
    assert columns(write_text(text))[0]["note; with, both=first line"] == [1, 0, 0]
    words = "y;a\nu, so to say;1\nv, or not;2\n"
    assert columns(write_text(words)) == ({"a": [1, 2]}, ["u, so to say", "v, or not"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,y\n1,2,3,u\n2,3,4,v\n", "header of 3 names, but lines of 4 cells.*row names"),  # write.table of R
        ('"a" "b" "y"\n"1" 1 2 "u"\n"2" 3 4 "v"\n', "header of 3 names, but lines of 4 cells|no table"),
        ("a;b;y\n1;2;3;u\n2;3;4;v\n", "header of 3 names, but lines of 4 cells"),
        ("a\ty\nr1\t2\tu\nr2\t3\tv\n", "header of 2 names, but lines of 3 cells.*'r1'"),
        ("a,b,y\n1,2,u\n1,2,3,4\n5,6,v\n", "line 3: 4 in '1,2,3,4'"),
        ("a,b,y\n1,2,u\n1,2\n5,6,v\n", "line 3: 2 in '1,2'"),
        ("a,b,y\n1,2,u\n3,4,v\nTotal: 2\n", "line 4: 1 in 'Total: 2'"),
        ('a,b,y\n1,"2,u\n3,4,v\n', "Close the quotation mark"),
    ],
)
def test_lines_of_another_length_are_refused_and_never_shifted(write_text, content, message):
    with pytest.raises(TableError, match=message):
        read_table(write_text(content), "y")


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ("5.1,3.5,4\n4.9,3.0,1\n6.2,2.9,1\n", "numbers ('5.1', '3.5', '4') in its first line, not names"),
        ("5,1;3,5;4\n4,9;3,0;1\n6,2;2,9;1\n", "numbers ('5,1', '3,5', '4') in its first line, not names"),
        ("1\t1\n1\t2\n2\t2\n", "numbers ('1', '1') in its first line, not names"),
        ("1,2,yes\n3,4,no\n2,1,yes\n", "numbers ('1', '2') and 'yes', as rows do"),
    ],
)
def test_a_first_line_that_is_a_row_is_refused_and_read_as_one_if_asked(write_text, content, seen):
    path = write_text(content)
    with pytest.raises(TableError, match="Proposed: header='none'") as caught:
        read_table(path, "y")
    assert seen in str(caught.value)
    n_columns = seen.split(" in ")[0].count("'") // 2
    table = read_table(path, f"column {n_columns}", header="none", keep="all", task="classes")
    assert len(table.y) == content.count("\n") and table.X.columns[0] == "column 1"


@pytest.mark.parametrize(
    ("names", "shown"), [("1,2,3", "('1', '2', '3')"), ("420,410,400,390", "('420', '410', '400')")]
)
def test_numbers_that_rise_or_fall_may_be_names_and_this_is_said(write_text, names, shown):
    names = names.split(",")
    rows = [[(i * j) % 7 for j in range(3, len(names) + 3)] for i in range(1, 7)]
    path = write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]))
    table = read_table(path, names[-1], keep="all")
    assert list(table.X) == names[:-1] and len(table.X) == 6
    assert f"The first line holds numbers only {shown}" in table.notes[0] and "header='none'" in table.notes[0]
    with pytest.raises(TableError, match=r"has no column 'y'.*header='none'"):
        read_table(path, "y")
    assert "The first line" not in str(read_table(path, names[-1], keep="all", header="first").notes)
    assert len(read_table(path, f"column {len(names)}", keep="all", header="none").X) == 7


def test_a_first_line_without_order_is_names_if_asked(write_text):
    path = write_text("400,1000,410\n.5,.7,1\n.4,.6,0\n")
    assert list(read_table(path, "410", header="first").X) == ["400", "1000"]
    with pytest.raises(TableError, match="header must be one of 'auto', 'first', 'none'"):
        read_table(path, "410", header=None)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; its first line must name the columns"),
        (b"\n\n", "is empty"),
        (b"# only a comment\n", "is empty|holds no rows|no column"),
        (b"x,y\n", "holds no rows"),
        (b"x,y", "holds no rows"),
        (b'""\n""\n', "no names of columns"),
        (b"x,x,y\n1,2,3\n4,5,6", "several columns called 'x'; rename them"),
        (b"x, x,y\n1,2,3\n4,5,6", "several columns called 'x'; rename them"),
        (b"\x89PNG\x00\x00\x01", "is an image, not text"),
        (b"x,y\n1,2\n3,\x00\n", "is not text: line 3"),
        (b"y\na\nb\n", "has no column left beside the target"),
    ],
)
def test_what_is_no_table_is_explained_in_one_sentence(write_text, content, message):
    path = write_text(content)
    with pytest.raises(TableError, match=message) as caught:
        read_table(path, "y")
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_column_without_a_name_is_the_index_of_pandas(write_text):
    table = read_table(write_text(",x,y\n" + "".join(f"{i},{i * 7 % 5},{i % 2}\n" for i in range(30))), "y")
    assert table.suspects["column"].tolist() == ["Unnamed: 0"] and list(table.X) == ["x"]


def test_twenty_thousand_columns(write_text):
    """The time is a matter of benchmarks; here, that nothing is quadratic in the number of columns."""
    rng = np.random.default_rng(0)
    names = [f"g{j}" for j in range(20_000)]
    lines = [",".join([*(f"{v:.3f}" for v in rng.random(20_000)), "ab"[i % 2]]) for i in range(12)]
    path = write_text(",".join([*names, "y"]) + "\n" + "\n".join(lines))
    with pytest.raises(TableError, match="no column 'g20000'"):
        read_table(path, "y", drop=["g20000"])
    assert read_table(path, "y", drop=names[:10_000]).X.shape == (12, 10_000)
