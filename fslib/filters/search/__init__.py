"""Searches for feature sets: what the selectors of this folder run, on plain arrays."""
