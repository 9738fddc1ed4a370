"""Claims of thesis "braytee", sections 3.1.1 and 3.1.2: what the figures of the method show.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. Figures 3.1 and 3.3 are judged on the
folds of Vehicle (``raw``, rows of :func:`fslib.papers.braytee.ch3_1_extraction.protocol.run_trial`) with the reading
"published" and the SVM that balances its classes; the corrected reading is in the note. Differences are given with
the corrected paired test's noise at 5 %.
"""

import numpy as np

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs
from fslib.papers.braytee.ch3_1_extraction.protocol import PROPOSED, TEST_TO_TRAIN, extract, folds_of, make_classifier
from fslib.papers.braytee.ch3_1_extraction.protocol import scores_of as decision_values
from fslib.papers.braytee.ch3_1_extraction.tables import pick
from fslib.papers.braytee.ch3_data import load_task
from fslib.papers.claims import cannot_be_tested, claim, verdict, with_noise

VEHICLE = "vehicle"


def _folds(raw, method, metric, reading):
    """Values of one column on the folds of Vehicle, in an order that is the same for all columns."""
    classifier, rule = ("", "") if metric == "fisher_ratio" else ("SVM", "balanced")
    rows = pick(raw, method=method, classifier=classifier, rule=rule, metric=metric, reading=reading)
    return rows[rows["dataset"] == VEHICLE].set_index(["repeat", "fold"])["value"].sort_index()


@claim("fig3-1-overlap")
def fig3_1_overlap(raw):
    """Vehicle, 2 components: 5-fold test AUC of a linear classifier on PCA and on NMF scores < 0.75, Fisher ratio < 1;
    both reported as the baseline of fig3-3
    """
    outcomes, found = [], []
    for method in PROPOSED:
        for metric, limit in (("auc_hard", 0.75), ("fisher_ratio", 1.0)):
            values = _folds(raw, method, metric, "")
            if values.empty:
                return cannot_be_tested("not run: Vehicle takes no part in this run", n_tested=0, n_claimed=1)
            limits = np.full(len(values), limit)
            noise = noise_of_pairs(values, limits, test_to_train=TEST_TO_TRAIN)
            outcomes.append(at_most(values.mean(), limit, noise))
            found.append(f"{method} {metric} {values.mean():.3f} (noise {noise:.3f})")
    return verdict(enough(outcomes), "; ".join(found), n_tested=1, n_claimed=1)


@claim("fig3-3-less-overlap")
def fig3_3_less_overlap(raw):
    """Vehicle, 2 components: Fisher ratio and test AUC of CSPCA > PCA and of CSNMF > NMF"""
    answers = {}
    for reading in ("published", "corrected"):
        outcomes, found = [], []
        for plain, proposed in PROPOSED.items():
            for metric in ("auc_hard", "fisher_ratio"):
                ours, theirs = _folds(raw, proposed, metric, reading), _folds(raw, plain, metric, "")
                both = ours.index.intersection(theirs.index)
                if both.empty:
                    return cannot_be_tested("not run: Vehicle takes no part in this run", n_tested=0, n_claimed=1)
                gain = ours[both].mean() - theirs[both].mean()
                noise = noise_of_pairs(ours[both], theirs[both], test_to_train=TEST_TO_TRAIN)
                outcomes.append(exceeds(gain, 0.0, noise))
                found.append(f"{proposed} {metric} {with_noise(gain, noise)}")
        answers[reading] = enough(outcomes), "; ".join(found)
    outcome, value = answers["published"]
    return verdict(outcome, value, f"corrected reading: {answers['corrected'][1]}", n_tested=1, n_claimed=1)


@claim("fig3-2-weight-train-only")
def fig3_2_weight_train_only(dataset="ecoli", seed=0):
    """pipeline test: permuting test labels leaves test scores unchanged; test rows are projected without class
    weights
    """
    X, y = load_task(dataset)
    train, test = folds_of(dataset, 0, seed)[0]
    changed, together = 0.0, 0.0
    for method in PROPOSED.values():
        F, F_test, *_ = extract(method, 2, "published", X[train], y[train], X[test], seed)
        model = make_classifier("SVM", "balanced", y[train].mean(), seed).fit(F, y[train])
        shuffled = np.concatenate([y[train], np.random.default_rng(seed).permutation(y[test])])
        rows = np.concatenate([X[train], X[test]])
        again = extract(method, 2, "published", rows[: len(train)], shuffled[: len(train)], rows[len(train) :], seed)
        changed = max(changed, np.abs(decision_values(model, F_test) - decision_values(model, again[1])).max())
        # training rows passed as test rows must be transformed as in training
        *_, same = extract(method, 2, "published", X[train], y[train], X[train], seed)[:2]
        together = max(together, np.abs(same - F).max() / np.abs(F).max())
    value = f"largest change of a test score {changed:.2g}; training and test rows transformed alike to {together:.2g}"
    return verdict(bool(changed == 0 and together < 1e-9), value, "CSPCA and CSNMF, published reading, on Ecoli")
