"""What boards of hexes alone have: the corners that bases face, and a grid fitted to hex-shaped terrain."""
