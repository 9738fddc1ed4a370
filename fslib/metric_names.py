"""The names under which readers know the metrics of tidy rows."""

METRIC_NAMES = {
    "error_0_1": "0-1 error",
    "cost_error": "cost-sensitive error",
    "runtime_s": "run time, s",
    "auc": "AUC",
    "f1": "F1",
    "macro_f1": "macro F1",
    "micro_f1": "micro F1",
    "example_f1": "example F1",
    "label_macro_f1": "label macro F1",
}


def metric_name(metric: str) -> str:
    """Name a metric for figures and tables; one that is not listed only loses its underscores.

    Examples
    --------
    >>> metric_name("f1"), metric_name("average_precision")
    ('F1', 'average precision')
    """
    return METRIC_NAMES.get(metric, metric.replace("_", " "))
