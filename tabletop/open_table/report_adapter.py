"""Games on an open table in the after-action report, with their pictures."""

from __future__ import annotations

from typing import ClassVar

from tabletop.aar.adapter import ReportDrawing
from tabletop.open_table import report_map
from tabletop.small_games.report_adapter import SmallGameReportAdapter


class OpenTableReportAdapter(SmallGameReportAdapter):
    """Tells the games of the ruleset of that name."""

    drawing: ClassVar[ReportDrawing] = report_map
