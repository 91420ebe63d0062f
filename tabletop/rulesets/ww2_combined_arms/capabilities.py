"""What units can do where they stand: get to squares, reach targets, do damage, bear it, retreat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.data import AIRFIELD, BACK, DOUBLED, DROP_MOVE, OTHER, PARATROOPERS, STOPPED
from tabletop.rulesets.ww2_combined_arms.state import State, Unit

Because = Literal["", "elite", "engineers", "anti-tank"]
_WHY: Mapping[str, Because] = {"engineers": "engineers", "at-guns": "anti-tank"}


def move_of(state: State, unit: Unit) -> int:
    """How many squares a unit may move this turn [Move Phase; Unit Special Abilities, Paratroopers]."""
    return DROP_MOVE if unit.id in state.lifted else unit.type.move


def reach(state: State, unit: Unit) -> Mapping[int, int]:
    """The squares that a unit's move gets it to, and in how many steps; what an airfield may not end next to is not
    left out here [Move Phase; Difficult Terrain]."""
    found = state.reaches.get(unit.id)
    if found is None:
        stops = state.difficult if unit.kind in STOPPED else ()
        found = state.reaches[unit.id] = state.grid.reach(unit.at, move_of(state, unit), state.there, stops)
    return found


def is_stopped(state: State, unit: Unit, to: int) -> bool:
    """Whether difficult terrain alone keeps a unit from a square that its move would get it to [Difficult Terrain]."""
    return to not in reach(state, unit) and to in state.grid.reach(unit.at, move_of(state, unit), state.there)


def airfield_faults(state: State, unit: Unit, to: int) -> tuple[str, ...]:
    """What keeps an airfield from a square: "alone" where no friendly unit is next to it, "contact" where an enemy one
    is [Move Phase]."""
    if unit.kind != AIRFIELD:
        return ()
    found = []
    friends = state.beside[unit.side].get(to, 0)
    if unit.at != OFF and to in state.grid.near[unit.at]:
        friends -= 1
    if not friends:
        found.append("alone")
    if state.beside[OTHER[unit.side]].get(to, 0):
        found.append("contact")
    return tuple(found)


def destinations(state: State, unit: Unit) -> tuple[int, ...]:
    """The squares that a unit may move to now, in the order of their numbers."""
    if unit.moved or unit.at == OFF:
        return ()
    squares = sorted(reach(state, unit))
    if unit.kind != AIRFIELD:
        return tuple(squares)
    return tuple(n for n in squares if not airfield_faults(state, unit, n))


def defence(state: State, unit: Unit) -> int:
    """The damage at which a unit must retreat [Unit Attributes; Elite Units; Difficult Terrain]."""
    return unit.type.defence + unit.elite + (unit.at in state.difficult)


def damage(unit: Unit, target: Unit) -> tuple[int, Because]:
    """The damage that a unit does to another, and why it is 2 [Fire Phase; Unit Special Abilities; Elite Units]."""
    if unit.elite:
        return 2, "elite"
    if target.kind in DOUBLED.get(unit.kind, ()):
        return 2, _WHY[unit.kind]
    return 1, ""


def in_range(state: State, unit: Unit, target: Unit) -> bool:
    """Whether a target is within a unit's range, over whatever stands between [Fire Phase]."""
    return state.grid.distance(unit.at, target.at) <= unit.type.range


def is_covered(state: State, unit: Unit, target: Unit) -> bool:
    """Whether anti-aircraft guns keep an airfield's attack off a target [Unit Special Abilities, AA Guns]."""
    return unit.kind == AIRFIELD and target.at in state.covered_squares[target.side]


def may_attack(state: State, unit: Unit) -> bool:
    """Whether a unit has an attack left this turn [Fire Phase]."""
    return unit.at != OFF and not unit.fired and not (unit.kind == AIRFIELD and unit.moved)


def targets(state: State, unit: Unit) -> tuple[Unit, ...]:
    """The enemy units that a unit may attack now."""
    if not may_attack(state, unit):
        return ()
    enemies = state.on_board[OTHER[unit.side]]
    return tuple(e for e in enemies if in_range(state, unit, e) and not is_covered(state, unit, e))


def retreats(state: State, unit: Unit) -> tuple[int, ...]:
    """The squares that a unit may retreat to: back, back on a diagonal, or to a side where no enemy is next to the
    square; in the order of their numbers [Fire Phase]."""
    grid, back = state.grid, BACK[unit.side]
    contact = state.beside[OTHER[unit.side]]
    found = []
    for across, along in ((-1, 0), (1, 0), (-1, back), (0, back), (1, back)):
        to = grid.step(unit.at, across, along)
        if to != OFF and to not in state.there and (along or not contact.get(to, 0)):
            found.append(to)
    return tuple(sorted(found))


def is_lifted(state: State, unit: Unit) -> bool:
    """Whether paratroopers stand next to an airfield of their side [Unit Special Abilities, Paratroopers]."""
    if unit.kind != PARATROOPERS or unit.at == OFF:
        return False
    beside = (state.there.get(n) for n in state.grid.near[unit.at])
    return any(u is not None and u.kind == AIRFIELD and u.side == unit.side for u in beside)
