"""Section 5.2: ML-CIB, many labels of unequal size of which some were not recorded."""
