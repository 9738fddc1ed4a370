"""Compare the numbers of a run with the published ones and with our own earlier ones."""
