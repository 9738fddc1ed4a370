"""Thesis "braytee", section 3.1: principal components and non-negative factors with the weights of the classes."""
