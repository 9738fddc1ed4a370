"""Joint counts of discrete features and classes, the kernel of every discrete criterion."""
