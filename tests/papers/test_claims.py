"""What holds of every claim of every paper: one registered check, whose docstring is the check of claims.csv."""

import importlib
import inspect
import pkgutil

import pandas as pd
import pytest

import fslib.papers
from fslib.evaluation.verdicts import WORDS
from fslib.papers.claims import REGISTRY, claim, sizes_as_published, verdict
from fslib.reproduction.compare.reported import read_claims

for module in pkgutil.walk_packages(fslib.papers.__path__, "fslib.papers."):
    if ".claims_" in module.name:
        importlib.import_module(module.name)

WHOLE = ("bayes", "rrmvfs", "mlmlfs", "braytee")
"""Papers of which every claim has a check."""


def text(docstring):
    return " ".join(docstring.split())


@pytest.mark.parametrize("paper", WHOLE)
def test_every_claim_has_a_check(paper):
    assert {name for key, name in REGISTRY if key == paper} == set(read_claims(paper)["claim_id"])


@pytest.mark.parametrize(("paper", "claim_id"), sorted(REGISTRY))
def test_a_check_says_what_claims_csv_says(paper, claim_id):
    check = REGISTRY[paper, claim_id]
    claims = read_claims(paper).set_index("claim_id")
    assert text(check.__doc__) == claims.loc[claim_id, "check"]
    assert check.__name__ == claim_id.replace("-", "_") and check.claim_id == claim_id
    assert inspect.isfunction(inspect.unwrap(check)), "a function, which a reader can find"


def test_a_claim_has_one_check_and_its_verdict_carries_the_id(monkeypatch):
    monkeypatch.setattr("fslib.papers.claims.REGISTRY", {})

    def judge():
        return verdict(True, "1 > 0")

    judge.__module__ = "fslib.papers.bayes.claims_results"
    assert claim("some-claim")(judge)().claim_id == "some-claim"
    with pytest.raises(ValueError, match="two checks of claim 'some-claim'"):
        claim("some-claim")(judge)


def test_three_answers_have_three_words():
    assert [verdict(answer, "1").word for answer in (True, False, None)] == list(WORDS[:3])


def published_sizes(**values):
    return pd.DataFrame({"dataset": "A", "metric": list(values), "value": list(values.values())})


def test_sizes_are_rounded_to_the_published_digits_and_misprints_are_named():
    ours, published = published_sizes(n=48842.0, p=0.23928), published_sizes(n="48842", p="0.239")
    assert sizes_as_published(ours, published, {}).word == "holds"
    wrong = published.replace("48842", "48824")
    found = sizes_as_published(ours, wrong, {})
    assert (found.word, found.value) == ("does not hold", "A n 48842, published 48824")
    known = sizes_as_published(ours, wrong, {("A", "n"): "digits swapped"})
    assert (known.word, known.value) == ("holds", "1 data sets as published, but for 1 misprint")
    assert known.note == "A n 48842, published 48824: digits swapped"
    coarse = sizes_as_published(ours, wrong.replace("0.239", "0.24"), {("A", "n"): "swapped"})
    assert coarse.word == "holds", "0.24 is 0.239 to two digits"
    assert sizes_as_published(ours, wrong.replace("0.239", "0.238"), {("A", "n"): "swapped"}).word == "does not hold"
    absent = sizes_as_published(ours.assign(dataset="B"), published, {})
    assert absent.word == "cannot be tested" and absent.n_tested == 0 and absent.n_claimed == 1
