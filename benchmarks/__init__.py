"""Times of fslib's methods beside the papers' and beside peers that pip installs: ``python -m benchmarks``."""
