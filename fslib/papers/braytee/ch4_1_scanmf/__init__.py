"""Section 4.1 of the thesis: SCANMF, Tables 4.1 to 4.4 and Figures 4.2 to 4.4."""
