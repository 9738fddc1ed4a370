"""Bayes optimal feature selection.

C. G. Saneem Ahmed, H. Narasimhan, S. Agarwal. Bayes Optimal Feature Selection for Supervised Learning with
General Performance Measures. UAI 2015.
"""
