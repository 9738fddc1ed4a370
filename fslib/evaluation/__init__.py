"""Splits, measures, learners and the cells of an experiment: everything that judges a selection."""
