"""Features of boards of hexes: the corners that bases face, and fitting a grid to hex-shaped terrain."""
