"""What can be wrong with something that is to be measured."""

from __future__ import annotations

from tabletop.errors import TabletopError


class MeasureError(TabletopError):
    """There is nothing to measure: nothing of that name, off the table, or the same thing twice."""
