"""What a photo leaves open: questions, answers, and an observation settled by them."""
