"""The camera's place: frame markers, the table's edges, corners named by hand."""
