"""Choose features of your own table: held-out scores, how many are enough, how stable, which are interchangeable."""

from fslib.select.answer import Answer, select_features
from fslib.select.candidates import candidate_selectors
from fslib.select.files import write_answer

__all__ = ["Answer", "candidate_selectors", "select_features", "write_answer"]
