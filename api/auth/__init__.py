"""Access to games: seats, invitations, tokens, and allowed origins."""
