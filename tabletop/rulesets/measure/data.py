"""What `measure` knows without rules: its name, the rings that it draws, what hides what lies behind it."""

from __future__ import annotations

NAME = "measure"
TITLE = "Measure"

RINGS_IN = (6.0, 12.0, 24.0)
"""Distances that are drawn round a unit."""
ARC_DEG = 90
"""The whole width of a front arc where nobody says another."""
FLAT = ("road", "river", "bridge", "field", "marsh", "crater")
"""Kinds of terrain that hide nothing, unless they are given a height."""
LEAST_BASE_IN = 0.1
"""The least width of a base, and of what is laid along a line."""
MOST_UNITS = 200
MOST_DICE = 40
MOST_MARKERS = 999
MOST_FACING_SIGMA_DEG = 90.0
"""The least sure that a facing by hand may be."""
GAP_IN = 0.5
"""Between the bases of a unit that is put on the table by one place alone."""
