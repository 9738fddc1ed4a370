"""Run the notebooks, keep their numbers, compare them with the papers, build the report."""
