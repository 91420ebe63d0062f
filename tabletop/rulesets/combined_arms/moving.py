"""Where platoons may move, and what speaks against a move [Movement]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.action_fields import CORNER_CHOICES
from tabletop.rulesets.combined_arms.actions import Leave, Move
from tabletop.rulesets.combined_arms.board import (
    AROUND,
    BARRED,
    CORNERS,
    EXITS,
    LAST_ROW,
    NAMES,
    NEAR,
    NUMBER,
    OFF,
    REAR,
    ROW,
    direction,
    turn_between,
)
from tabletop.rulesets.combined_arms.data import company
from tabletop.rulesets.combined_arms.state import Platoon, State

PLACE = "Movement"
_UP, _DOWN = (5, 0), (2, 3)
"""Directions over the far edge and over the rear edge: upper left and upper right, lower right and lower left."""


@dataclass(frozen=True)
class Way:
    """A move worked out: the hexes after the first, over which edge it leaves, and the facings that allow it.

    ``facings`` is empty for infantry and for platoons that leave; ``kept``: only without a change of facing.
    """

    hexes: tuple[int, ...]
    leaves: str = ""
    facings: tuple[int, ...] = ()
    kept: bool = False


def against_hex(state: State, unit: Platoon, at: int) -> Violation | None:
    """What speaks against a platoon's entering a hex."""
    name = NAMES[at]
    if BARRED >> at & 1:
        return Violation(
            "side-edge", f"{name} is a side edge hex of the five middle rows, which no platoon may enter.", PLACE
        )
    if state.enemy_hexes >> at & 1:
        return Violation("enemy-there", f"An enemy counter stands in {name}.", PLACE)
    if unit.kind == "rifle":
        mine = company(unit.id)
        for other in state.by_hex.get(at, ()):
            if other.kind == "rifle" and other.id != unit.id and company(other.id) != mine:
                text = f"{other.id} of {company(other.id)} company is in {name}; rifle companies don't share a hex."
                return Violation("other-company", text, PLACE)
    if unit.kind == "armour":
        if state.ground.no_armour >> at & 1:
            return Violation("no-armour", f"{name} is {state.ground.terrain[at]}, where armour can't go.", PLACE)
        if any(p.kind == "armour" and p.id != unit.id for p in state.by_hex.get(at, ())):
            return Violation("other-armour", f"Other armour is in {name}; one platoon is the most.", PLACE)
    return None


def can_enter(state: State, unit: Platoon, at: int) -> bool:
    """Whether a platoon may enter a hex (the same as :func:`against_hex`, quicker)."""
    if (BARRED | state.enemy_hexes) >> at & 1:
        return False
    here = state.by_hex.get(at)
    if unit.kind == "rifle":
        return here is None or not any(p.kind == "rifle" and p.id[0] != unit.id[0] for p in here)
    if unit.kind == "armour":
        return not state.ground.no_armour >> at & 1 and not (here and any(p.kind == "armour" for p in here))
    return True


def ways(state: State, unit: Platoon) -> Iterator[Way]:
    """Every legal move of a fresh platoon, apart from the choice among facings that allow it."""
    if not unit.fresh or unit.fate not in ("waiting", "board"):
        return
    if unit.fate == "waiting":
        yield from _entries(state, unit)
        return
    if ROW[unit.at] == 1:
        yield Way((), "withdrew")
    if unit.kind == "mmg":
        return
    if unit.at in EXITS:
        yield Way((), "exploited")
    if unit.kind == "rifle":
        for at in AROUND[unit.at]:
            if at != OFF and can_enter(state, unit, at):
                yield Way((at,))
        return
    yield from _armour_ways(state, unit)


def _entries(state: State, unit: Platoon) -> Iterator[Way]:
    for at in REAR:
        if not can_enter(state, unit, at):
            continue
        if unit.kind != "armour":
            yield Way((at,))
            continue
        yield Way((at,), facings=(5, 0, 1))
        if at not in state.ground.road:
            continue
        for way in _UP:
            after = AROUND[at][way]
            if after != OFF and (at, after) in state.ground.road_steps and can_enter(state, unit, after):
                facings = tuple(f for f in CORNERS[way] if f in (5, 0, 1))
                yield Way((at, after), facings=facings)


def _armour_ways(state: State, unit: Platoon) -> Iterator[Way]:
    facing = _facing(unit)
    for way, at in enumerate(AROUND[unit.at]):
        if at == OFF or not can_enter(state, unit, at):
            continue
        back = facing if CORNERS[way][0] == (facing + 3) % 6 or CORNERS[way][1] == (facing + 3) % 6 else None
        facings = CORNERS[way] if back is None else (*CORNERS[way], back)
        yield Way((at,), facings=facings)
        if facing not in CORNERS[way] or (unit.at, at) not in state.ground.road_steps:
            continue
        for then in range(6):
            after = AROUND[at][then]
            if facing not in CORNERS[then]:
                continue
            if after != OFF and (at, after) in state.ground.road_steps and can_enter(state, unit, after):
                yield Way((at, after), facings=(facing,), kept=True)
    yield from _road_leaves(state, unit, facing)


def _road_leaves(state: State, unit: Platoon, facing: int) -> Iterator[Way]:
    """Two hexes along the road, the second one over an edge [Movement]."""
    for way, at in enumerate(AROUND[unit.at]):
        if at == OFF or facing not in CORNERS[way] or (unit.at, at) not in state.ground.road_steps:
            continue
        if not can_enter(state, unit, at):
            continue
        if at in EXITS and at in _road_ends(state) and any(facing in CORNERS[up] for up in _UP):
            yield Way((at,), "exploited", kept=True)
        if ROW[at] == 1 and at in _road_ends(state) and any(facing in CORNERS[down] for down in _DOWN):
            yield Way((at,), "withdrew", kept=True)


def _road_ends(state: State) -> tuple[int, ...]:
    """Road hexes of the two end rows, where the road leaves the board."""
    return tuple(n for n in state.ground.road if ROW[n] in (1, LAST_ROW))


def _facing(unit: Platoon) -> int:
    return 0 if unit.facing is None else unit.facing


def chosen_facing(unit: Platoon, facings: tuple[int, ...], wished: int | None) -> int | None:
    """The facing at a move's end: the wished one, else the nearest to the platoon's own that will do."""
    if wished is not None or not facings:
        return wished
    own = _facing(unit)
    return min(facings, key=lambda f: (turn_between(f, own), f))


def violations(state: State, action: Move | Leave) -> tuple[Violation, ...]:
    """All that speaks against a move."""
    unit = state.by_id[action.unit]
    found = list(_against_moving(state, unit))
    if any(v.firm for v in found):
        return tuple(found)
    path = tuple(NUMBER[name] for name in action.path)
    if _way(state, unit, action) is not None:
        return tuple(found)
    against = tuple(_against_way(state, unit, path, action))
    if not found and not against:
        against = (Violation("no-way", f"{unit.id} has no such move.", PLACE, usage=(f"state {unit.id}",)),)
    return (*found, *against)


def resolve(state: State, action: Move | Leave, overruled: bool = False) -> ev.Moved:
    """The event of a move that was checked."""
    unit = state.by_id[action.unit]
    way, leaving = _way(state, unit, action), isinstance(action, Leave)
    start = () if unit.at == OFF else (NAMES[unit.at],)
    if way is None:
        return ev.Moved(
            unit.id,
            (*start, *action.path),
            None if leaving or unit.is_infantry else chosen_facing(unit, (_facing(unit),), _wished_facing(action)),
            unit.at == OFF,
            _over_edge(unit, action) if leaving else "",
        )
    facing = None if way.leaves else chosen_facing(unit, way.facings, _wished_facing(action))
    path = (*start, *(NAMES[n] for n in way.hexes))
    return ev.Moved(unit.id, path, facing, unit.at == OFF, way.leaves)  # type: ignore[arg-type]


def _wished_facing(action: Move | Leave) -> int | None:
    return action.facing if isinstance(action, Move) else None


def _over_edge(unit: Platoon, action: Move | Leave) -> Literal["withdrew", "exploited"]:
    last = NUMBER[action.path[-1]] if action.path else unit.at
    return "exploited" if last != OFF and ROW[last] > LAST_ROW // 2 else "withdrew"


def _way(state: State, unit: Platoon, action: Move | Leave) -> Way | None:
    """The legal way that an action means."""
    path, facing = tuple(NUMBER[name] for name in action.path), _wished_facing(action)
    for way in ways(state, unit):
        if way.hexes != path or bool(way.leaves) != isinstance(action, Leave):
            continue
        if facing is None or facing in way.facings:
            return way
    return None


def _against_moving(state: State, unit: Platoon) -> Iterator[Violation]:
    if state.step != "move":
        yield Violation("wrong-phase", "Platoons move in the friendly move phase.", "Sequence of play")
    if unit.fate not in ("waiting", "board"):
        yield Violation("gone", f"{unit.id} is {_fate_words(unit)} and never returns.", PLACE, firm=True)
    elif not unit.fresh:
        yield Violation("spent", f"{unit.id} is spent; only fresh platoons move.", PLACE)


def _fate_words(unit: Platoon) -> str:
    return {"exploited": "exploiting beyond the far edge"}.get(unit.fate, unit.fate)


def _against_way(state: State, unit: Platoon, path: tuple[int, ...], action: Move | Leave) -> Iterator[Violation]:
    here = unit.at
    if isinstance(action, Leave):
        yield from _against_leaving(unit, path)
    elif not path:
        yield Violation("nowhere", f"Say where {unit.id} moves to, as in: move {unit.id} to 2-4.", PLACE, firm=True)
    if here == OFF and path and ROW[path[0]] != 1:
        text = f"{unit.id} enters by one of the seven rear edge hexes, 1-1 to 1-7, not {NAMES[path[0]]}."
        yield Violation("not-rear", text, PLACE)
    if unit.kind == "mmg" and here != OFF and not isinstance(action, Leave):
        yield Violation("mmg", f"{unit.id} has been deployed; MMGs then only withdraw from the rear edge.", PLACE)
    steps = [here, *path] if here != OFF else list(path)
    for a, b in pairwise(steps):
        if not NEAR[a] >> b & 1:
            yield Violation("not-adjacent", f"{NAMES[b]} is not next to {NAMES[a]}.", PLACE)
    for at in path:
        found = against_hex(state, unit, at)
        if found is not None:
            yield found
    yield from _against_length(state, unit, path, action)
    yield from _against_facing(state, unit, path, action)


def _against_leaving(unit: Platoon, path: tuple[int, ...]) -> Iterator[Violation]:
    last = path[-1] if path else unit.at
    if last == OFF:
        yield Violation("not-on-board", f"{unit.id} is not on the board yet.", PLACE, firm=True)
    elif last not in EXITS and ROW[last] != 1:
        text = f"Platoons leave from the rear edge, or exploit from 9-3, 9-4 or 9-5; {unit.id} is in {NAMES[last]}."
        yield Violation("no-exit", text, PLACE)
    elif unit.kind == "mmg" and last in EXITS:
        yield Violation("mmg", f"{unit.id} is an MMG platoon, which never exploits.", PLACE)


def _against_length(state: State, unit: Platoon, path: tuple[int, ...], action: Move | Leave) -> Iterator[Violation]:
    leaving = isinstance(action, Leave)
    length = len(path) + leaving
    if length < 2:
        return
    if unit.kind != "armour":
        yield Violation("too-far", f"{unit.id} moves one hex a turn; only armour on the road moves two.", PLACE)
        return
    if length > 2:
        yield Violation("too-far", f"{unit.id} moves two hexes at most, and those along the road.", PLACE)
        return
    steps = [unit.at, *path] if unit.at != OFF else list(path)
    pairs = list(pairwise(steps))
    on_road = all(pair in state.ground.road_steps for pair in pairs)
    if unit.at == OFF or leaving:
        end = path[0] if unit.at == OFF else path[-1]
        on_road = on_road and end in _road_ends(state)
    if not on_road:
        yield Violation("no-road", f"{unit.id} moves two hexes only where both hexsides have the road.", PLACE)


def _against_facing(state: State, unit: Platoon, path: tuple[int, ...], action: Move | Leave) -> Iterator[Violation]:
    wished = _wished_facing(action)
    if unit.kind != "armour":
        if wished is not None:
            yield Violation("no-facing", f"{unit.id} is infantry, which has no facing.", "The units", firm=True)
        return
    if any(against_hex(state, unit, at) is not None for at in path) or isinstance(action, Leave):
        return
    fits = sorted({f for way in ways(state, unit) if way.hexes == path for f in way.facings})
    if len(path) == 2 and not fits and (unit.at, path[0]) in state.ground.road_steps:
        back = direction(unit.at, path[0])
        if _facing(unit) not in CORNERS[back]:
            text = f"{unit.id} faces corner {_facing(unit)}; two hexes by road go forward without a turn."
            yield Violation("must-face", text, PLACE)
    elif wished is not None and fits and wished not in fits:
        words = " or ".join(str(f) for f in fits)
        text = f"{unit.id} ends that move facing corner {words}, not {wished}: it moves into its forward arc."
        yield Violation("facing", text, PLACE, field="facing", choices=tuple(CORNER_CHOICES[f] for f in fits))
