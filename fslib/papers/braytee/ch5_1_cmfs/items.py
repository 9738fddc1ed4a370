"""Section 5.1 as data: which data sets, methods and sizes its tables and figures show."""

DATASETS = (
    "Childhood leukaemia",
    "RCV1V2 (S1)",
    "RCV1V2 (S2)",
    "RCV1V2 (S3)",
    "Bibtex",
    "Medical",
    "Genbase",
    "Enron",
    "Image",
    "MIMLtext",
)
"""Titles of Table 5.1; Tables 5.2 and 5.3 have the last eight, Figures 5.1 and 5.2 the first two."""

SCORED = DATASETS[2:]
TIMED = DATASETS[:4]
METHODS = ("CMFS", "SFUS", "MIFS", "FIMF")
PERCENTAGES = (5, 10, 15, 20)
TABLES = {"micro_f1": "Table 5.2", "average_precision": "Table 5.3"}

SELECTORS = (
    {"method": "CMFS", "reading": "published"},
    {"method": "CMFS", "reading": "corrected"},
    {"method": "CMFS, balanced", "reading": "corrected"},
    {"method": "SFUS", "reading": "published"},
    {"method": "SFUS", "reading": "corrected"},
    {"method": "MIFS", "reading": "published"},
    {"method": "MIFS", "reading": "corrected"},
    {"method": "FIMF", "reading": "corrected"},
)
CONTROLS = (
    {"method": "CMFS, permuted labels", "reading": "published"},
    {"method": "CMFS, permuted labels", "reading": "corrected"},
    {"method": "Feature mean", "reading": "corrected"},
    {"method": "Random features", "reading": "corrected"},
)
"""Control rows: what selection is worth without labels, and without anything."""

STARTED = ("CMFS", "MIFS", "CMFS, permuted labels", "Random features")
"""Methods that start at random."""
