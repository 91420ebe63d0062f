"""The events that a checked and completed action makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from geometry.bases import shape_name
from tabletop.game.actions import standings
from tabletop.open_table.setup import Shape
from tabletop.open_table.terrain import terrain_event
from tabletop.rulesets.measure import actions
from tabletop.rulesets.measure import events as ev
from tabletop.rulesets.measure.measuring import arc, gap
from tabletop.rulesets.measure.short_forms import cut_in, new_unit, reshape
from tabletop.rulesets.measure.sights import clearance
from tabletop.rulesets.measure.state import State


def resolve(state: State, action: actions.Action, dice: Sequence[int]) -> tuple[ev.Event, ...]:
    """The events of an action with its dice as rolled."""
    return (_event(state, action, tuple(dice)),)


def _event(state: State, action: actions.Action, dice: tuple[int, ...]) -> ev.Event:
    match action:
        case actions.Add():
            return ev.UnitAdded(replace(new_unit(action), at=standings(action)))
        case actions.Place():
            return ev.UnitPlaced(action.unit, standings(action))
        case actions.Move():
            return _move_event(state, action)
        case actions.Remove():
            return _remove_event(state, action)
        case actions.Name():
            return ev.UnitNamed(action.unit, action.name)
        case actions.Mark():
            return ev.Marked(action.unit, action.marker, action.count)
        case actions.Correct():
            return _correct_event(state, action)
        case actions.Draw() | actions.Erase():
            return terrain_event(action)
        case actions.Reshape():
            return ev.TerrainChanged(action.terrain, reshape(state.ground[action.terrain], action))
        case actions.Cut():
            return ev.TerrainCut(action.terrain, cut_in(state, action))
        case actions.Measure():
            found = gap(state, action.first, action.second)
            return ev.Measured(action.first, action.second, round(found.value, 4), round(found.sigma, 4))
        case actions.Sight():
            seen = clearance(state, action.first, action.second)
            return ev.SightChecked(action.first, action.second, seen.answer, tuple(one.id for one in seen.between))
        case actions.Arc():
            lies = arc(state, action.first, action.second, action.width_deg)
            return ev.ArcChecked(action.first, action.second, action.width_deg, round(lies.off_deg, 2), lies.answer)
        case actions.Roll():
            return ev.Rolled(dice, action.faces, action.reason)
        case actions.Turn():
            return ev.TurnBegun(state.turn + 1)
        case actions.End():
            return ev.Ended(action.winner, action.reason)


def _move_event(state: State, action: actions.Move) -> ev.UnitMoved:
    """A move of the whole unit, or of the one base that it moves."""
    was, at = state.by_id[action.unit].at, standings(action)
    rows = [row for row, (old, new) in enumerate(zip(was, at, strict=False)) if old != new]
    one = rows[0] + 1 if len(was) == len(at) > 1 and len(rows) == 1 else 0
    return ev.UnitMoved(action.unit, at, one)


def _remove_event(state: State, action: actions.Remove) -> ev.Event:
    if action.unit not in state.pieces:
        return ev.UnitRemoved(action.unit, action.reason)
    name, row = state.pieces[action.unit]
    if len(state.by_id[name].at) == 1:
        return ev.UnitRemoved(name, action.reason)
    return ev.BaseRemoved(name, row + 1, action.reason)


def _correct_event(state: State, action: actions.Correct) -> ev.UnitCorrected:
    unit = state.by_id[action.unit]
    base = None
    if action.wide is not None or action.deep is not None or action.is_round or action.is_oval:
        wide = unit.base.width if action.wide is None else action.wide
        deep = wide if action.is_round else (unit.base.depth if action.deep is None else action.deep)
        stays_oval = unit.base.shape == "oval" and (action.wide is None or action.deep is None)
        base = Shape(shape_name(action.is_round, action.is_oval or stays_oval), wide, deep)
    return ev.UnitCorrected(
        action.unit,
        action.side or None,
        action.of_kind or None,
        action.models,
        base,
        standings(action),
        reason=action.reason,
    )
