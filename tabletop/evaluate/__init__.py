"""How well photos are read: observations scored against exact truth, told as numbers, as Markdown and in pictures."""
