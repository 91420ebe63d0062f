"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import settings

# Randomness is seeded: the same commit is checked with the same examples everywhere. Look for new ones with
# `pytest --hypothesis-profile=search`.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("same")
