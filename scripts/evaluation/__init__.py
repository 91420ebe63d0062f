"""How well photos are read: observations scored against exact truth, as numbers, Markdown and pictures."""
