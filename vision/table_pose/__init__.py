"""Where the camera stood: frame markers, the table's edges, corners named by hand."""
