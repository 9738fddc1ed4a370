"""Optimisation problems that several methods share, apart from the methods: norms, reweighted ridge, manifold ridge."""
