"""Thesis "braytee", section 3.3: ABC-Sampling (Tables 3.14 to 3.17, Figure 3.7)."""
