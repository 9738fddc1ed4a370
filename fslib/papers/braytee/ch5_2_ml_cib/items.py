"""Section 5.2 as data: which data sets, methods and sizes its tables and figures show."""

REGULAR = ("Bibtex", "Medical", "Enron", "Genbase", "Image", "MIMLtext", "CAL500", "Corel5k", "Emotions")
LARGE = ("Education", "Languagelog", "MediaMill", "RCV1V2 (S1)", "RCV1V2 (S2)", "RCV1V2 (S3)")
ITEM = {**dict.fromkeys(REGULAR, "Table 5.6"), **dict.fromkeys(LARGE, "Table 5.7")}
"""Title of a data set -> table of its scores."""

FURTHER_ITEM = "Tables 5.6-5.7, further data"

BASELINES = ("BR", "MLSMOTE", "BR-IRUS", "COCOA", "MMIB")
METHODS = ("ML-CIB", *BASELINES)
CHANCE = "Shuffled labels"
"""BR on permuted training labels: the chance level."""

VARIANTS = {
    "corrected": {"reading": "corrected"},
    "published": {"reading": "published", "label_matrix": "agreement"},
    "labels": {"graph": "labels", "label_matrix": "none"},
    "none": {"graph": "none", "label_matrix": "none"},
}
"""Forms of ML-CIB: the library's default; Algorithm 6 to the letter; a graph of labels; no graph and no new labels."""

METRICS = (
    "hamming_loss",
    "subset_accuracy",
    "micro_f1",
    "one_error",
    "ranking_loss",
    "coverage",
    "average_precision",
)
FALLING = ("hamming_loss", "one_error", "ranking_loss", "coverage")
"""Metrics for which less is better."""

SELECTION_FIGURES = {
    "Bibtex": "Figure 5.7",
    "Enron": "Figure 5.8",
    "Medical": "Figure 5.9",
    "RCV1V2 (S1)": "Figure 5.10",
    "RCV1V2 (S2)": "Figure 5.11",
}
SENSITIVITY_FIGURES = {
    "Medical": "Figure 5.14",
    "Enron": "Figure 5.15",
    "Emotions": "Figure 5.16",
    "MIMLtext": "Figure 5.17",
}
FS_METHODS = ("ML-CIB-FS", "MIFS", "SFUS")
