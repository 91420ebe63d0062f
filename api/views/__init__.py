"""A seat's view of its game: its screen, and the changes of it."""
