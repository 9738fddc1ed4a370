"""Feature selection from three papers, as scikit-learn selectors, with the experiments that reproduce them."""

__version__ = "0.1.0"
