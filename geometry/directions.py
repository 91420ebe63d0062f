"""Directions in a player's words."""

from __future__ import annotations

EDGES = ("near", "left", "far", "right")
"""A table's edges, clockwise as seen from above."""
_TOWARDS = (
    "the far side",
    "the far right corner",
    "the right side",
    "the near right corner",
    "the near side",
    "the near left corner",
    "the left side",
    "the far left corner",
)


def towards(facing_deg: float) -> str:
    """A direction (degrees clockwise, 0: +y) as seen from the table's near side.

    >>> towards(0.0), towards(100.0), towards(-30.0)
    ('the far side', 'the right side', 'the far left corner')
    """
    return _TOWARDS[round(facing_deg % 360.0 / 45.0) % 8]
