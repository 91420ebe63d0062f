"""Errors of reports."""

from __future__ import annotations

from tabletop.errors import TabletopError


class ReportError(TabletopError):
    """A report cannot be made: an empty game, rules without reports, captions of unknown turns or moments."""
