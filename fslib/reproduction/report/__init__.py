"""Build the HTML page that shows what a run found."""
