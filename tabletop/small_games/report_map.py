"""Small games on the maps of a report: what changed is read from the states round an event."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from geometry.drawing.scene import Item, Key
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Outline, Point
from tabletop.drawing.traces import LEAST_ARROW_IN, along, arrow, ghost, shot_arrow
from tabletop.small_games.events import Corrected
from tabletop.small_games.state import State, Unit


def legend(ground: str) -> tuple[Key, ...]:
    """What the marks mean on a ground that is called so."""
    return (
        Key(("move-0", "move-1"), "moved", "arrow"),
        Key(("shot-0", "shot-1"), "acted against", "arrow"),
        Key(("by-hand",), "set right by hand", "arrow"),
        Key(("grave",), f"left the {ground}", "cross"),
    )


@dataclass(frozen=True)
class Marks:
    """How what happened is drawn on a ground: ``middle`` of a place and ``outline`` of a unit at one (inches), how far
    arrows stay off a move's end, and shots off their line and its ends."""

    middle: Callable[[Any], Point]
    outline: Callable[[Any, Any], Outline]
    end_in: float = 0.0
    aside_in: float = 0.0
    cut_in: float = 0.4

    def of(self, entry: ReportEvent) -> tuple[Item, ...]:
        """Who came elsewhere, and who did something to whom: an event with a ``unit`` and a ``target``."""
        return () if entry.before is None else (*self._moves(entry), *self._shot(entry))

    def _moves(self, entry: ReportEvent) -> Iterator[Item]:
        before: State[Any, Any] = entry.before
        for name, unit in before.units.items():
            at = entry.after.units[name].at
            if unit.at is None or at is None:
                continue
            start, end = self.middle(unit.at), self.middle(at)
            if math.dist(start, end) < LEAST_ARROW_IN:
                continue
            way, number = (start, along(end, start, self.end_in)), before.setup.sides.index(unit.side)
            if isinstance(entry.event, Corrected):
                yield arrow(way, "by-hand")
                continue
            yield from ghost([self.outline(unit, unit.at)], number)
            yield arrow(way, f"move-{number}", f"{name} moved")

    def _shot(self, entry: ReportEvent) -> tuple[Item, ...]:
        before: State[Any, Any] = entry.before
        one: Unit[Any, Any] | None = before.units.get(getattr(entry.event, "unit", ""))
        other: Unit[Any, Any] | None = before.units.get(getattr(entry.event, "target", ""))
        if one is None or other is None or one.at is None or other.at is None:
            return ()
        hits = getattr(entry.event, "hits", None)
        return shot_arrow(
            self.middle(one.at),
            self.middle(other.at),
            before.setup.sides.index(one.side),
            f"{one.id} at {other.id}",
            aside_in=self.aside_in,
            cut_in=self.cut_in,
            result="" if hits is None else str(int(hits)),
        )
