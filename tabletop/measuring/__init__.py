"""Measurements in a game: everything that is drawn for one unit, and the distance between two things.

Anyone may measure anything at any time, and measurements reveal nothing hidden: two games that differ only in what a
viewer may not see measure alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tabletop.game.parts import part
from tabletop.game.protocol import PUBLIC
from tabletop.measuring.asking import MeasureEnd, differ, measure_end
from tabletop.measuring.data import Measurement, Overlays
from tabletop.measuring.errors import MeasureError


class Measuring(Protocol):
    """A ruleset's measurements in a game's state, as ``viewer`` may see it."""

    def overlays(self, state: Any, unit: str, viewer: str | None) -> Overlays:
        """Everything that is drawn for one unit; raises MeasureError."""

    def between(
        self, state: Any, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None
    ) -> Measurement:
        """The distance between two different things on a table of that size, if known; raises MeasureError."""


def measuring_of(rules: str) -> Measuring:
    """A ruleset's measurements; raises RulesError for a ruleset without."""
    found: Measuring = part(rules, "measuring")
    return found


def overlays(rules: str, state: Any, unit: str, viewer: str | None = PUBLIC) -> Overlays:
    """Ranges, arcs, threat zone, reach and sight lines of a unit; raises MeasureError and RulesError."""
    return measuring_of(rules).overlays(state, unit, viewer)


def measure(
    rules: str,
    state: Any,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    viewer: str | None = PUBLIC,
    *,
    table: tuple[float, float] | None = None,
) -> Measurement:
    """The distance between two things, and the sight between them if both can see.

    Each is ``{"unit": id}``, ``{"piece": id}``, ``{"point": [x, y]}`` (table inches), ``{"cell": id}`` or
    ``{"ground": id}``. ``table`` is as for :func:`tabletop.boards.board_of`. Raises MeasureError with one sentence, and
    RulesError for rules that measure nothing.
    """
    first, second = measure_end(a), measure_end(b)
    differ(first, second)
    return measuring_of(rules).between(state, first, second, viewer, table)


__all__ = ["MeasureError", "Measurement", "Measuring", "Overlays", "measure", "measuring_of", "overlays"]
