"""What speaks against an action: only what can't be, since there are no rules. The referee may overrule a place off the
table."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.errors import OutlineError
from tabletop.game.actions import Standing, standings
from tabletop.game.violations import Violation
from tabletop.open_table.table_edge import off_table
from tabletop.open_table.terrain import free_terrain, full_table, known_terrain, terrain_violations
from tabletop.rulesets.measure import actions
from tabletop.rulesets.measure.action_fields import point_of
from tabletop.rulesets.measure.data import MOST_UNITS
from tabletop.rulesets.measure.short_forms import cut_in
from tabletop.rulesets.measure.state import State
from tabletop.tables.drawn_terrain import MOST_PIECES


def violations(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """All that speaks against an action."""
    if state.result is not None:
        return (Violation("over", "The game is over: take its end back to go on.", firm=True, usage=("undo",)),)
    return tuple(_violations(state, action))


def _violations(state: State, action: actions.Action) -> Iterator[Violation]:
    match action:
        case actions.Add():
            yield from _new_unit(state, action.unit)
            yield from _off_table(state, action.unit, standings(action))
        case actions.Place():
            if _is_there(state, action.unit):
                yield Violation("on-table", f"{action.unit} stands on the table already: move it.")
            yield from _places(state, action)
        case actions.Move():
            yield from _on_table(state, action.unit)
            yield from _places(state, action)
        case actions.Remove():
            if action.unit not in state.pieces:
                yield from _on_table(state, action.unit)
        case actions.Name() | actions.Mark():
            yield from _unknown_unit(state, action.unit)
        case actions.Correct():
            yield from _unknown_unit(state, action.unit)
            yield from _places(state, action)
        case actions.Draw() | actions.Erase():
            yield from terrain_violations(state, action, state.by_id)
        case actions.Reshape():
            yield from known_terrain(state, action.terrain)
            yield from free_terrain(state, action.name, state.by_id) if action.name != action.terrain else ()
        case actions.Cut():
            yield from (
                known_terrain(state, action.terrain) if action.terrain not in state.ground else _cut(state, action)
            )
        case actions.Measure() | actions.Sight() | actions.Arc():
            if action.first == action.second:
                yield Violation("same", f"Both ends are {action.first}: pick two different things.", firm=True)
            for thing in (action.first, action.second):
                yield from _measurable(state, thing)
            if isinstance(action, actions.Arc):
                yield from _facing(state, action.first)


# --- units -----------------------------------------------------------------------------------------------------------


def _is_there(state: State, unit: str) -> bool:
    return unit in state.on_table


def _unknown_unit(state: State, unit: str) -> Iterator[Violation]:
    if unit not in state.by_id:
        yield Violation("no-such-unit", f"There is no unit {unit} in this game.", firm=True)


def _on_table(state: State, unit: str) -> Iterator[Violation]:
    if unit not in state.by_id:
        yield from _unknown_unit(state, unit)
    elif not _is_there(state, unit):
        yield Violation("not-on-table", f"{unit} is not on the table: place it first.", firm=True)


def _new_unit(state: State, unit: str) -> Iterator[Violation]:
    if unit in state.by_id or unit in state.ground:
        yield Violation("name-taken", f"Something is called {unit} already: choose another name.", firm=True)
    if len(state.units) >= MOST_UNITS:
        yield Violation("too-many-units", f"The game has {len(state.units)} units, the most that it can.", firm=True)


def _places(state: State, action: actions.Place | actions.Move | actions.Correct) -> Iterator[Violation]:
    at, unit = standings(action), state.by_id.get(action.unit)
    if unit is not None and unit.other_bases and at and len(at) not in (len(unit.at), unit.models):
        yield Violation(
            "several-sizes",
            f"{unit.id} has bases of several sizes: name a place for each of its {len(unit.at) or unit.models} bases, "
            "and take bases off one by one.",
            firm=True,
        )
    yield from _off_table(state, action.unit, at)


def _off_table(state: State, unit: str, at: tuple[Standing, ...]) -> Iterator[Violation]:
    yield from off_table(state.setup, f"{unit} would have a base at", ((one.x, one.y) for one in at), firm=False)


# --- terrain ---------------------------------------------------------------------------------------------------------


def _cut(state: State, action: actions.Cut) -> Iterator[Violation]:
    try:
        pieces = cut_in(state, action)
    except OutlineError as error:
        yield Violation("no-cut", str(error), firm=True)
        return
    if len(state.terrain) + len(pieces) - 1 > MOST_PIECES:
        yield full_table(len(state.terrain))


# --- measuring -------------------------------------------------------------------------------------------------------


def _measurable(state: State, thing: str) -> Iterator[Violation]:
    at = point_of(thing)
    if at is not None:
        yield from off_table(state.setup, "This point is at", [at])
    elif thing not in state.pieces and thing not in state.ground:
        yield from _on_table(state, thing)


def _facing(state: State, unit: str) -> Iterator[Violation]:
    if _is_there(state, unit) and state.by_id[unit].at[0].facing is None:
        yield Violation("no-facing", f"It is not known which way {unit} faces: move it with a facing.", firm=True)
