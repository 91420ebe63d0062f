"""Who sits at a game: seats, invitations, tokens, and which origins are answered."""
