"""What each paper's figures and tables consist of: data sets, methods, sizes, protocols; and the checks of its claims."""
