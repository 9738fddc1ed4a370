"""High-dimensional, unbalanced, multi-label data.

A. Braytee. Robust Classification of High Dimensional Unbalanced Single and Multi-label Datasets. PhD thesis, University
of Technology Sydney, 2018.
"""
