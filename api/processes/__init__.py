"""Processes of this program's own that are bounded and may die without harm."""
