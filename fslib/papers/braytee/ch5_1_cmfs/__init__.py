"""Section 5.1: CMFS, joint factorisation of features and labels."""
