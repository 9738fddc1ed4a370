"""Thesis "braytee", section 3.2: genes ranked by a non-negative basis that both classes share."""
