"""What can be wrong with a report that is asked for."""

from __future__ import annotations

from tabletop.errors import TabletopError


class ReportError(TabletopError):
    """There is no report to make: an empty game, rules that nobody tells, captions that fit nothing."""
