import numpy as np
import pytest
from scipy import sparse
from scipy.io import arff

from fslib.datasets import load
from fslib.datasets.arff import read_arff
from fslib.datasets.multilabel_files import labels_of_xml, read_multilabel_file
from fslib.tables import read_table

HEADER = """% a comment
@RELATION 'toy songs: -C 2'

@ATTRIBUTE 'it\\'s sad' {0,1}
@attribute "two words" {0, 1}
@attribute tempo REAL
@attribute count integer
@attribute source {'on paper', web}
@attribute seen {0,1}
@attribute title string
@data
"""
DENSE = HEADER + "1,0,1.5,2,'on paper',0,'a, b'\n0,1,-3e1,0,web,1,c\n0,0,?,7,'on paper',1,d\n"
SPARSE = HEADER + "{0 1, 2 1.5, 3 2, 6 'a, b'}\n{1 1, 2 -3e1, 4 web, 5 1}\n{2 ?,3 7,5 1}\n"
X = [[1.5, 2, 0, 0], [-30, 0, 1, 1], [np.nan, 7, 0, 1]]
Y = [[1, 0], [0, 1], [0, 0]]


@pytest.fixture
def write(tmp_path):
    def to_file(text, name="toy.arff"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return to_file


@pytest.mark.parametrize("text", [DENSE, SPARSE])
def test_dense_and_sparse_files_hold_the_same(write, text):
    data = read_multilabel_file(write(text))
    assert sparse.issparse(data.X) == (text is SPARSE)
    np.testing.assert_array_equal(data.X.toarray() if sparse.issparse(data.X) else data.X, X)
    assert (data.y.tolist(), data.y.dtype) == (Y, np.int8)
    assert data.feature_names == ["tempo", "count", "source", "seen"]  # text is left out
    assert data.label_names == ["it's sad", "two words"]
    assert data.levels == {"source": ["on paper", "web"], "seen": ["0", "1"]}


def test_dense_numbers_are_those_of_scipy(write):
    text = "@relation r\n@attribute a real\n@attribute b {0,1}\n@attribute c numeric\n@data\n1e-3,1,?\n-2,0,4\n"
    path = write(text)
    matrix, names, _, _ = read_arff(path)
    records, meta = arff.loadarff(path)
    assert names == meta.names()
    np.testing.assert_array_equal(matrix, np.column_stack([records[name].astype(float) for name in names]))


def test_labels_come_from_the_xml_beside_before_the_relation(write):
    path = write(SPARSE)
    write('<labels xmlns="http://mulan.sourceforge.net/labels"><label name="seen"/></labels>', "toy.xml")
    assert read_multilabel_file(path).label_names == ["seen"]
    assert read_multilabel_file(path, labels=["seen", "two words"]).label_names == ["two words", "seen"]
    assert read_multilabel_file(path, labels=2).label_names == ["it's sad", "two words"]


def test_negative_count_means_the_last_attributes(write):
    path = write("@relation 'r: -C -1'\n@attribute a real\n@attribute b {0,1}\n@data\n{0 2,1 1}\n")
    data = read_multilabel_file(path)
    assert (data.label_names, data.y.tolist(), data.X.toarray().tolist()) == (["b"], [[1]], [[2.0]])


def test_labels_of_a_hierarchy_are_found(write):
    path = write("<labels><label name='a'><label name='b'/></label></labels>", "h.xml")
    assert labels_of_xml(path) == ["a", "b"]


def test_libsvm_text(write):
    data = read_multilabel_file(write("1,3 1:0.5 3:2\n3 2:1\n 1:1\n", "toy.svm"))
    np.testing.assert_array_equal(data.X.toarray(), [[0.5, 0, 2], [0, 1, 0], [1, 0, 0]])
    assert (data.y.tolist(), data.label_names) == ([[1, 1], [0, 1], [0, 0]], ["1", "3"])


def test_load_takes_a_path(write):
    data = load(write(SPARSE))
    assert (data.place, data.y.tolist(), data.split, data.views) == ("file", Y, None, None)
    assert data.sha256 == load(str(write(SPARSE))).sha256


@pytest.mark.parametrize("text", [DENSE, SPARSE])
def test_your_own_table(write, text):
    table = read_table(write(text), missing_features="median")
    assert (table.task, table.label_names, table.y.tolist()) == ("multilabel", ["it's sad", "two words"], Y)
    assert list(table.X) == ["tempo", "count", "source=on paper", "source=web", "seen"]
    assert table.X["source=web"].tolist() == [0, 1, 0]


def test_your_own_table_of_a_plain_arff_file_needs_a_target(write):
    path = write("@relation r\n@attribute a real\n@attribute b {yes,no}\n@data\n1,yes\n2,no\n3,no\n")
    assert read_table(path, "b").y.tolist() == ["yes", "no", "no"]
    with pytest.raises(ValueError, match="does not say which columns are labels"):
        read_table(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-C 2", "toy", "put Mulan's XML file beside it"),
        ("-C 2", "-C 7", "has 7 attributes, of which 7 cannot be the labels"),
        ("2 1.5", "9 1.5", "line 12: '9 1.5' is not a position below 7"),
        ("2 1.5", "2 x", "line 12: 'x' is not a number"),
        ("4 web", "4 radio", "line 13: 'radio' is not one of"),
        ("{2 ?", "2 ?", "line 14: a sparse row must stand between braces"),
        ("{0 1, 2", "{0 ?, 2", 'label "it\'s sad" holds nan in row 1'),
        ("REAL", "relational", "unknown type, relational"),
        ("seen {0,1}", "seen {1,0}", "leaves that one out: as a matrix it would be dense"),
        ("@data\n", "", "is not part of an ARFF header"),
    ],
)
def test_faults_are_named(write, old, new, message):
    assert old in SPARSE
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        read_multilabel_file(write(SPARSE.replace(old, new)))


def test_dense_row_of_wrong_length(write):
    with pytest.raises(ValueError, match="line 12: 6 values for 7 attributes"):
        read_multilabel_file(write(DENSE.replace("1,0,1.5,", "1,0,")))


def test_no_such_file_and_unknown_kind(write, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.arff"):
        read_multilabel_file(tmp_path / "nothing.arff")
    with pytest.raises(ValueError, match="this kind of file is unknown"):
        read_multilabel_file(write("", "toy.mat"))
    with pytest.raises(ValueError, match="no LIBSVM file: line 1"):
        read_multilabel_file(write("1 a:b\n", "bad.svm"))
