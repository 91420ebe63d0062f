"""Comparing a photo with the game: proposals from a photo of the table, and their consequences."""
