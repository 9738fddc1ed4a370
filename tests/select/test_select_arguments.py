"""What is passed to `select_features` and is something else: said in words, before anything is computed."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from fslib.filters import FisherScore
from fslib.select import select_features
from fslib.select.cli import check_folder
from fslib.select.files import write_answer
from fslib.tables import read_table


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 2)), columns=["=cmd(1)", "@b"])
    return frame.assign(y=np.where(frame["=cmd(1)"] > 0, "u", "v"))


FEW = {"max_features": 2, "n_folds": 3, "n_repeats": 1, "n_halves": 2, "n_permutations": 9}


@pytest.mark.parametrize("table", ["x.csv", pd.DataFrame({"x": [1], "y": [0]}), None])
def test_a_table_that_was_not_read(table):
    with pytest.raises(TypeError, match=r"what fslib\.tables\.read_table"):
        select_features(table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "svm"}, "learner must be an estimator"),
        ({"learner": LogisticRegression}, "learner must be an estimator"),
        ({"learner": Ridge()}, "Ridge predicts numbers, and the target holds classes"),
        ({"learner": LinearSVC(), "criterion": "log"}, "LinearSVC has no predict_proba"),
        ({"selectors": ["MRMR"]}, "selectors must be a dict"),
        ({"selectors": {}}, "selectors must be a dict"),
        ({"selectors": {"F": "FisherScore"}}, "selectors must be a dict"),
        ({"seed": None}, "seed=None must be a whole number"),
        ({"seed": -1}, "seed=-1 must be a whole number of at least 0"),
    ],
)
def test_arguments_of_another_kind(frame, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        select_features(read_table(frame, "y"), **FEW | options)


def test_a_numeric_target_needs_a_regressor(frame):
    with pytest.raises(TypeError, match="LogisticRegression predicts classes, and the target is a number"):
        select_features(read_table(frame.assign(y=np.arange(40) / 7 % 3), "y"), learner=LogisticRegression())


class Failing(FisherScore):
    def fit(self, X, y):
        raise ValueError("The moon is in the way. Wait.")


def test_why_nothing_could_be_scored_is_said(frame):
    with pytest.raises(ValueError, match=r"No selector has a score .*failed: The moon is in the way"):
        select_features(read_table(frame, "y"), selectors={"F": Failing()}, **FEW)


def test_the_file_of_features_holds_no_formula(frame, tmp_path):
    answer = select_features(read_table(frame, "y"), selectors={"F": FisherScore()}, **FEW)
    text = write_answer(answer, tmp_path)["selected"].read_text(encoding="utf-8")
    assert text.splitlines()[1].startswith("'=cmd(1),'=cmd(1),1,")


def test_a_folder_that_cannot_be_written_into(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("x")
    for out in (file, file / "below"):
        with pytest.raises(ValueError, match="is a file, not a folder"):
            check_folder(out)
    check_folder(tmp_path / "new" / "below")
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr("fslib.select.cli.os.access", lambda *_: False)
    with pytest.raises(PermissionError, match="name another folder"):
        check_folder(tmp_path / "new")
