"""Plan the notebooks, run each in a process of its own, keep a record of what finished."""
