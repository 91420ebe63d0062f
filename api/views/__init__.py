"""What a seat sees of its game: its screen, and what changed of it."""
