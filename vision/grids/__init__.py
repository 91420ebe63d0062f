"""Boards of squares found by their lines."""
