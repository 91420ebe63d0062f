"""Several photos of one moment: bases and small objects merged into one set."""
