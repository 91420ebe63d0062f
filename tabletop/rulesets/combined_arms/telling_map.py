"""Combined Arms drawn for the after-action report: the board, and what happened on it in a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.aar.picture import Item, Sheet
from tabletop.aar.teller import Told
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NUMBER
from tabletop.rulesets.combined_arms.picture import board_map
from tabletop.rulesets.combined_arms.picture_counters import piece_items
from tabletop.rulesets.combined_arms.picture_ground import canvas, ground_items
from tabletop.rulesets.combined_arms.picture_marks import (
    cluster_items,
    grave_items,
    move_items,
    scatter_items,
    shot_items,
)
from tabletop.rulesets.combined_arms.state import State


def ground(state: State) -> tuple[Item, ...]:
    """The board with its terrain and road."""
    return tuple(ground_items(state.ground, canvas()))


def pieces(state: State) -> tuple[Item, ...]:
    """All counters on the board."""
    return tuple(piece_items(state, canvas()))


def drawn(state: State, items: Sequence[Item]) -> Sheet:
    """The map of the board with these items on it."""
    return board_map(state, items)


def marks(told: Told) -> tuple[Item, ...]:
    """What an event did: the way of a move, a shot from hex to hex, where bombs fell (smoke is drawn as it lies)."""
    return tuple(_marks(told))


def _marks(told: Told) -> Iterator[Item]:
    event, before = told.event, told.before
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


def grave(told: Told) -> tuple[Item, ...]:
    """A platoon, or defenders' guns, that an event broke or a hand took off."""
    event, before = told.event, told.before
    match event:
        case ev.Broke():
            return tuple(grave_items(event.unit, NUMBER[event.hex]))
        case ev.ArmourShot(broken=True):
            return tuple(grave_items(event.unit, before.by_id[event.unit].at))
        case ev.Shot(effect="broken"):
            return tuple(grave_items("?", NUMBER[event.target]))
    return ()
