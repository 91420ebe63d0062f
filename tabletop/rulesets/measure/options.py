"""What may be done in a measured game, for lists of options; and who plays by itself: random players for tests."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

from tabletop.game.actions import OpenAction, Spot
from tabletop.game.errors import ActionError
from tabletop.game.protocol import Option
from tabletop.rulesets.measure import actions
from tabletop.rulesets.measure.actions import ACTIONS
from tabletop.rulesets.measure.checks import violations
from tabletop.rulesets.measure.seats import PLAYERS
from tabletop.rulesets.measure.short_forms import complete
from tabletop.rulesets.measure.state import State

_HOW_SURE = ("sigma", "facing_sigma", "reason")
_OPEN_TO_ALL: tuple[tuple[type, tuple[str, ...]], ...] = (
    (actions.Add, ("unit", "side", "of_kind", "models", "wide", "deep", "is_round", "is_oval", "at")),
    (actions.Draw, ("of_kind", "ring", "high", "name")),
    (actions.Line, ("of_kind", "along", "wide", "high", "name")),
    (actions.Measure, ("first", "second")),
    (actions.Roll, ("dice", "faces", "reason")),
)
_OF_UNIT: tuple[tuple[type, tuple[str, ...]], ...] = (
    (actions.Name, ("name",)),
    (actions.Mark, ("marker", "count")),
    (actions.Correct, ("side", "of_kind", "models", "wide", "deep", "is_round", "is_oval", *_HOW_SURE)),
)
_OF_TERRAIN: tuple[tuple[type, tuple[str, ...]], ...] = (
    (actions.Reshape, ("ring", "of_kind", "high", "flat", "sigma", "name")),
    (actions.Cut, ("along",)),
)


def options(state: State) -> tuple[Option, ...]:
    """Everything that may be done: of every unit, of every piece of terrain, of the whole table."""
    if state.result is not None:
        return ()
    return (*_of_units(state), *_of_terrain(state), *_of_all(state))


def _option(state: State, action: Any, side: str, unit: str | None = None, target: str | None = None) -> Option:
    against = () if isinstance(action, OpenAction) else violations(state, action)
    return Option(ACTIONS, action, side, unit, target, violations=against)


def _open(cls: type, fields: tuple[str, ...], **values: Any) -> OpenAction:
    return OpenAction(cls, values, dict.fromkeys(fields))


def _of_units(state: State) -> Iterator[Option]:
    for unit in state.units:
        there = unit.id in state.on_table
        put = actions.Move if there else actions.Place
        yield _option(state, _open(put, ("at",), unit=unit.id), unit.side, unit.id)
        yield _option(state, actions.Remove(unit.id), unit.side, unit.id)
        for cls, fields in _OF_UNIT:
            yield _option(state, _open(cls, fields, unit=unit.id), unit.side, unit.id)
        other = nearest_other(state, unit.id)
        if other is None:
            continue
        yield _option(state, actions.Measure(unit.id, other), PLAYERS, unit.id, other)
        if there:
            for looked in (actions.Sight(unit.id, other), actions.Arc(unit.id, other)):
                yield _option(state, looked, PLAYERS, unit.id, other)
            for cls in (actions.Measure, actions.Sight, actions.Arc):
                yield _option(state, _open(cls, ("second",), first=unit.id), PLAYERS, unit.id)


def nearest_other(state: State, unit: str) -> str | None:
    """The unit on the table nearest to another (by their first bases), one of another side before those of its own."""
    own = state.by_id[unit]
    others = [other for other in state.units if other.at and other.id != unit]
    enemies = [other for other in others if other.side != own.side] or others
    if not own.at:
        return enemies[0].id if enemies else None
    here = own.at[0].x, own.at[0].y
    return min(enemies, key=lambda one: math.dist((one.at[0].x, one.at[0].y), here)).id if enemies else None


def _of_terrain(state: State) -> Iterator[Option]:
    for piece in state.terrain:
        for cls, fields in _OF_TERRAIN:
            yield _option(state, _open(cls, fields, terrain=piece.id), PLAYERS, None, piece.id)
        if piece.kind == "hill":
            yield _option(state, _open(actions.Top, ("ring",), terrain=piece.id), PLAYERS, None, piece.id)
        yield _option(state, actions.Erase(piece.id), PLAYERS, None, piece.id)


def _of_all(state: State) -> Iterator[Option]:
    for cls, fields in _OPEN_TO_ALL:
        yield _option(state, _open(cls, fields), PLAYERS)
    yield _option(state, actions.Roll(1), PLAYERS)
    yield _option(state, actions.Turn(), PLAYERS)
    yield _option(state, actions.End(), PLAYERS)


# --- players ---------------------------------------------------------------------------------------------------------

_MARKERS = ("hits", "tired", "smoke")
_LAST_TURN = 2
"""After it players who play by themselves end their game."""


def random_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """Actions worth trying, in random order; the last one is legal."""
    if state.result is not None:
        return
    if state.turn <= _LAST_TURN:
        wishes = list(_wishes(state, rng))
        rng.shuffle(wishes)
        for wish in wishes:
            try:
                whole = complete(state, wish)
            except ActionError:
                continue
            yield whole
    yield actions.End(rng.choice(("", *state.setup.sides)), rng.choice(("", "It is late.")))


def bot_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What a simple player would do: place what is not on the table, look about, and end after some turns."""
    if state.result is None and state.turn <= _LAST_TURN:
        for unit in state.units:
            if not unit.at:
                yield complete(state, actions.Place(unit.id, _spot(state, rng)))
        yield actions.Turn()
    if state.result is None:
        yield actions.End()


def _spot(state: State, rng: random.Random, over_in: float = 0.0) -> Spot:
    x = rng.uniform(-over_in, state.setup.width + over_in)
    y = rng.uniform(-over_in, state.setup.depth + over_in)
    return Spot(round(x, 2), round(y, 2), float(rng.randrange(0, 360, 15)))


def _wishes(state: State, rng: random.Random) -> Iterator[actions.Action | actions.Line]:
    width, depth = state.setup.width, state.setup.depth
    yield actions.Turn()
    yield actions.Roll(rng.randint(1, 3), rng.choice(("", "morale")), rng.choice((6, 6, 10)))
    side = rng.choice(state.setup.sides)
    yield actions.Add(f"new-{len(state.units)}", side, _spot(state, rng), rng.choice(("", "horse")), rng.randint(1, 3))
    yield actions.Draw(rng.choice(("woods", "hill", "road")), _box(rng, width, depth), high=rng.choice((0.0, 2.0)))
    line = (round(rng.uniform(0, width), 2), 0.0), (round(rng.uniform(0, width), 2), depth)
    yield actions.Line("river", line, 1.5)
    for unit in rng.sample(state.units, min(3, len(state.units))):
        spot = _spot(state, rng, over_in=4.0)
        yield actions.Move(unit.id, spot)
        yield actions.Place(unit.id, spot)
        yield actions.Remove(unit.id, rng.choice(("", "shot")))
        yield actions.Name(unit.id, rng.choice(("Old Guard", "The Blues")))
        yield actions.Mark(unit.id, rng.choice(_MARKERS), rng.randint(0, 4))
        yield actions.Correct(unit.id, "misread", of_kind="horse", wide=1.25)
        other = rng.choice(state.units)
        yield actions.Measure(unit.id, rng.choice((other.id, f"{width / 2:g},{depth / 2:g}")))
        yield actions.Sight(unit.id, other.id)
        yield actions.Arc(unit.id, other.id, rng.choice((90, 180)))
    if state.pieces:
        base = rng.choice(sorted(state.pieces))
        yield actions.Move(base, _spot(state, rng))
        yield actions.Remove(base)
    for piece in rng.sample(state.terrain, min(2, len(state.terrain))):
        yield actions.Reshape(piece.id, rng.choice(("", "town")), turn=15.0, high=rng.choice((None, 1.0)))
        yield actions.Reshape(piece.id, name=f"place-{len(state.names)}")
        x = round(sum(x for x, _ in piece.polygon) / len(piece.polygon), 2)
        yield actions.Cut(piece.id, ((x, 0.0), (x, depth)))
        yield actions.Erase(piece.id)


def _box(rng: random.Random, width: float, depth: float) -> actions.Outline:
    x, y = round(rng.uniform(0, width - 4), 2), round(rng.uniform(0, depth - 4), 2)
    return ((x, y), (x, y + 4), (x + 3, y + 4), (x + 3, y))
