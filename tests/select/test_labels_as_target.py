"""A reader's own table with labels of which some are unknown: from the file to the chosen columns."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold
from sklearn.utils import Bunch

from fslib.multilabel import PMU
from fslib.select import candidate_selectors, select_features
from fslib.select.scores import ALL_FEATURES, GUESS
from fslib.tables import read_table

INFORMATIVE = ["size", "weight"]
MULTILABEL = ["MLMLFS", "MDDM", "PMU", "MDMR", "SFUS"]


@pytest.fixture(scope="module")
def labelled_table(tmp_path_factory):
    """Two labels, each the sign of one column, a fifth of their cells empty; four columns of noise."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(90, 6)), columns=["a", "size", "b", "c", "weight", "d"]).round(4)
    for label, column in [("large", "size"), ("heavy", "weight")]:
        frame[label] = (frame[column] > 0).astype(float).mask(rng.random(90) < 0.2)
    path = tmp_path_factory.mktemp("tables") / "fruit.csv"
    frame.to_csv(path, index=False)
    return read_table(path, ["large", "heavy"])


def test_empty_label_cells_are_unknown(labelled_table):
    assert labelled_table.task == "multilabel"
    assert 0.1 < np.isnan(labelled_table.y).mean() < 0.3
    assert list(candidate_selectors(labelled_table, k=2)) == MULTILABEL


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("method", MULTILABEL)
def test_every_multilabel_selector_finds_the_informative_features(labelled_table, chosen_features, method):
    selector = candidate_selectors(labelled_table, k=2)[method]
    assert sorted(chosen_features(labelled_table, selector, 2)) == INFORMATIVE


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("method", MULTILABEL)
def test_units_of_a_feature_do_not_matter(labelled_table, chosen_features, method):
    smaller = labelled_table.X.assign(size=labelled_table.X["size"] / 1e4)
    table = Bunch(**labelled_table | {"X": smaller})
    selector = candidate_selectors(table, k=2)[method]
    assert sorted(chosen_features(table, selector, 2)) == INFORMATIVE


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_two_right_features_serve_better_than_all(labelled_table, score_folds):
    selectors = candidate_selectors(labelled_table, k=2)
    folds = score_folds(labelled_table, selectors, [1, 2], n_folds=3)
    assert len(folds) == (len(selectors) * 2 + 2) * 3
    mean = folds.pivot_table(index="method", columns="k", values="score")
    assert set(mean.index) == {*MULTILABEL, ALL_FEATURES, GUESS}
    assert (mean[2] > mean[1] + 0.05)[MULTILABEL].all()  # each column informs about one of the labels
    assert (mean[2] > mean.loc[ALL_FEATURES, 6])[MULTILABEL].all() and (mean[1] > mean.loc[GUESS, 0])[MULTILABEL].all()


class Always(ClassifierMixin, BaseEstimator):
    """Says "present" whatever it sees."""

    def fit(self, X, y):
        self.n_labels_ = y.shape[1]
        return self

    def predict(self, X):
        return np.ones((len(X), self.n_labels_), dtype=int)


def test_unknown_test_labels_are_left_out(labelled_table, score_folds):
    """The F1 of a constant prediction follows from the share of positives among the known cells of the fold."""
    folds = score_folds(labelled_table, {}, [2], n_folds=2, learner=Always())
    folds = folds[folds["method"] == ALL_FEATURES]
    halves = KFold(2, shuffle=True, random_state=0).split(labelled_table.X)
    shares = [np.nanmean(labelled_table.y[test]) for _, test in halves]
    assert_allclose(folds["score"], [2 * share / (1 + share) for share in shares])


def test_a_doubtful_score_of_labels_is_no_answer(labelled_table, monkeypatch):
    """No feature has a p-value of its own here, so that one test that just fails decides nothing."""
    for p, expected in ((0.06, None), (0.19, None), (0.3, False)):
        monkeypatch.setattr("fslib.select.answer.beats_guess", lambda comparison, p=p: (False, p))
        selectors = {"PMU": PMU(n_features_to_select=1)}
        found = select_features(labelled_table, max_features=1, n_folds=2, n_repeats=1, n_halves=1, selectors=selectors)
        assert found.informative is expected
