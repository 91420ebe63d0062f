"""Finds settled photos of games, so that they are learned."""
