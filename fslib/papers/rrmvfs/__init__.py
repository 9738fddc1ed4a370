"""Robust re-weighted multi-view feature selection.

Y. Xue, N. Wang, Y. Niu, P. Zhong, S. Niu, Y. Song. Robust Re-Weighted Multi-View Feature Selection. Computers,
Materials & Continua 60(2), 2019.
"""
