"""Combined Arms on the maps of a report: what happened in a turn, drawn over the board that a phone draws."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.drawing.scene import Item
from tabletop.aar.adapter import ReportEvent
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NUMBER
from tabletop.rulesets.combined_arms.picture import LEGEND, report_board
from tabletop.rulesets.combined_arms.picture_marks import (
    cluster_items,
    grave_items,
    move_items,
    scatter_items,
    shot_items,
)


def marks(entry: ReportEvent) -> Iterator[Item]:
    """What an event did: the way of a move, a shot from hex to hex, where bombs fell (smoke is drawn as it lies)."""
    event, before = entry.event, entry.before
    match event:
        case ev.Moved():
            yield from move_items([NUMBER[name] for name in event.path], entered=event.entered, left=event.left)
        case ev.Shot():
            yield from shot_items(before.by_id[event.unit].at, NUMBER[event.target], 0)
        case ev.ArmourShot():
            yield from shot_items(NUMBER[event.hex], before.by_id[event.unit].at, 1)
        case ev.Engaged():
            for name in event.cluster:
                yield from shot_items(NUMBER[event.hex], NUMBER[name], 1)
            if len(event.cluster) > 1:
                yield from cluster_items([NUMBER[name] for name in event.cluster])
        case ev.Scattered(ammo="he"):
            yield from scatter_items(NUMBER[event.target], event.die)


def grave(entry: ReportEvent) -> Iterator[Item]:
    """A platoon, or defenders' guns, that an event broke or a hand took off."""
    event, before = entry.event, entry.before
    match event:
        case ev.Broke():
            yield from grave_items(event.unit, NUMBER[event.hex])
        case ev.ArmourShot(broken=True):
            yield from grave_items(event.unit, before.by_id[event.unit].at)
        case ev.Shot(effect="broken"):
            yield from grave_items("?", NUMBER[event.target])


__all__ = ["LEGEND", "grave", "marks", "report_board"]
