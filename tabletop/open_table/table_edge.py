"""Places that would lie off the table: of units, of what is measured, of what falls from the air."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tabletop.game.violations import Violation

EDGE_SLACK_IN = 0.5
"""How far over the edge a measured middle of a base may be that a hand put at the edge."""


def off_table(
    setup: Any,
    what: str,
    places: Iterable[tuple[float, float]],
    *,
    slack_in: float = 0.0,
    instead: str = "",
    firm: bool = True,
) -> Iterator[Violation]:
    """That the first of some ``places`` that is beyond the table's edge is there: "``what`` 40.0, 3.0, off the table,
    which is 36″ by 24″"; ``instead`` is what to do, after a colon. Places that are no numbers are off it too."""
    for x, y in places:
        if not (-slack_in <= x <= setup.width + slack_in and -slack_in <= y <= setup.depth + slack_in):
            then = f": {instead}" if instead else ""
            text = f"{what} {x:.1f}, {y:.1f}, off the table, which is {setup.width:g}″ by {setup.depth:g}″{then}."
            yield Violation("off-table", text, firm=firm)
            return
