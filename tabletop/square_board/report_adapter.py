"""Small games on squares in the after-action report, with their pictures."""

from __future__ import annotations

from typing import Any, ClassVar

from tabletop.aar.adapter import ReportDrawing, Terms
from tabletop.small_games.report_adapter import SmallGameReportAdapter
from tabletop.square_board import report_map
from tabletop.words import count


class SquareBoardReportAdapter(SmallGameReportAdapter):
    """Tells the games of the ruleset of that name."""

    terms = Terms(
        table="board",
        hits="markers",
        gone="Units that left the board",
        places="squares are named as on a chessboard, a1 at the near left corner",
    )
    drawing: ClassVar[ReportDrawing] = report_map

    def table_text(self, setup: Any, *, scenario: str = "", dice: str = "") -> str:
        """What was played, on how many squares, and for how long."""
        turns = f", at most {count(setup.turns, 'full turn')}" if setup.turns else ""
        size = f"{setup.columns} by {setup.rows} squares"
        return f"{self.rules_title}, {setup.title}{scenario}, on {size}{dice}{turns}."
