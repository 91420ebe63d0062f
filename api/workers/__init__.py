"""Processes that read photos, and how jobs reach them."""
