"""Errors of measurements."""

from __future__ import annotations

from tabletop.errors import TabletopError


class MeasureError(TabletopError):
    """Nothing can be measured: an unknown name, a point off the table, or the same thing twice."""
