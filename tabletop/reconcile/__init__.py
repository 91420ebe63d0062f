"""The photo against the game: what a look at the table proposes, and what follows from it."""
