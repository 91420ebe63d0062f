"""Small objects beside units: dice, cotton, tokens, and what they mean for a unit."""
