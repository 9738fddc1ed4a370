"""Feature selection from papers, as scikit-learn selectors, with the experiments that reproduce them.

``filters``, ``multiview``, ``multilabel``, ``imbalance`` and ``correlated`` hold the selectors; ``datasets`` loads
data; ``papers`` says what each table and figure consists of; ``evaluation`` and ``reproduction`` run, judge, report.
"""

__version__ = "0.2.0"

from fslib import starting as starting  # first, so that Ctrl-C is answered from here on

# isort: split
from fslib import imported as imported  # notes the source of every module that this process imports from here on
