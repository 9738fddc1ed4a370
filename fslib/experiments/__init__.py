"""What the figures and tables of each paper consist of (data sets, methods, sizes), and the checks of its claims."""
