"""Section 4.2 of the thesis: Fuzz-ESVM, Tables 4.5 to 4.7 and Figures 4.5 to 4.16."""
