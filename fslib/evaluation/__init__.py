"""Splits, measures, learners and the trials of an experiment: everything that judges a selection."""
