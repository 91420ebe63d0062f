"""The questions that a photo leaves open, their answers, and an observation settled by them."""
