"""Feature selection from three papers, as scikit-learn selectors, with the experiments that reproduce them."""

__version__ = "0.1.0"

from fslib import imported as imported  # notes the source of every module that this process imports from here on
