"""What is expected on a table and what is observed there, and what can go wrong with a photo."""
