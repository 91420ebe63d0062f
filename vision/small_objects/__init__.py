"""Small objects beside units: dice, cotton, tokens, and what they say of a unit."""
