"""Times of fslib's methods beside those of the papers and of other packages from PyPI: ``python -m benchmarks``."""
