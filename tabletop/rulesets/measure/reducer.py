"""The state after an event. Nothing is judged here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tabletop.game.actions import Standing
from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.measure import events as ev
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State

ENDED = "The players ended the game."


def apply(state: State | None, event: ev.Event) -> State:
    """The state after an event; the first event takes ``None``."""
    if isinstance(event, ev.Started):
        setup = event.setup
        return State(setup, setup.units, setup.terrain, names=frozenset(piece.id for piece in setup.terrain))
    if state is None:
        raise EventError("the log must begin with a table.")
    match event:
        case ev.TurnBegun():
            return replace(state, turn=event.turn)
        case ev.UnitAdded():
            return replace(state, units=(*state.units, event.unit))
        case ev.UnitPlaced():
            return _with_unit(state, event.unit, at=event.at, has_unique=event.has_unique, rows=())
        case ev.UnitMoved():
            return _with_unit(state, event.unit, at=event.at, rows=_rows(_unit(state, event.unit), event.at))
        case ev.UnitRemoved():
            return _with_unit(state, event.unit, at=(), has_unique=True, rows=())
        case ev.BaseRemoved():
            unit = _unit(state, event.unit)
            at = tuple(place for row, place in enumerate(unit.at, 1) if row != event.base)
            rows = tuple(unit.rows or range(len(unit.at))) if unit.other_bases else ()
            rows = (*rows[: event.base - 1], *rows[event.base :])
            return _with_unit(state, event.unit, at=at, has_unique=unit.has_unique and event.base != 1, rows=rows)
        case ev.UnitNamed():
            return _with_unit(state, event.unit, name=event.name)
        case ev.UnitCorrected():
            return _apply_corrected(state, event)
        case ev.Marked():
            kept = [(name, count) for name, count in _unit(state, event.unit).marks if name != event.marker]
            more = [(event.marker, event.count)] if event.count else []
            return _with_unit(state, event.unit, marks=tuple(sorted(kept + more)))
        case ev.TerrainDrawn():
            return _with_terrain(state, (*state.terrain, event.piece))
        case ev.TerrainChanged():
            return _with_terrain(state, _replace_piece(state, event.terrain, (event.piece,)))
        case ev.TerrainCut():
            return _with_terrain(state, _replace_piece(state, event.terrain, event.pieces))
        case ev.TerrainErased():
            return _with_terrain(state, _replace_piece(state, event.terrain, ()))
        case ev.Ended():
            return replace(state, result=Outcome(event.winner or None, event.reason or ENDED))
        case ev.Measured() | ev.SightChecked() | ev.ArcChecked() | ev.Rolled():
            return state


def _unit(state: State, name: str) -> UnitSetup:
    if name not in state.by_id:
        raise EventError(f'there is no unit "{name}" in this game.')
    return state.by_id[name]


def _with_unit(state: State, unit_id: str, /, **changes: Any) -> State:
    changed = replace(_unit(state, unit_id), **changes)
    return replace(state, units=tuple(changed if unit.id == unit_id else unit for unit in state.units))


def _rows(unit: UnitSetup, at: Sequence[Standing]) -> tuple[int, ...]:
    """Which of its bases a unit has where it gets these places: the same, unless it gets more or fewer."""
    return unit.rows if len(at) == len(unit.at) else ()


def _apply_corrected(state: State, event: ev.UnitCorrected) -> State:
    known = {"side": event.side, "kind": event.kind, "models": event.models, "base": event.base}
    changes: dict[str, Any] = {name: value for name, value in known.items() if value is not None}
    if event.base is not None:
        changes |= {"unique_base": event.base, "other_bases": (), "rows": ()}
    if event.at:
        rows = () if event.base is not None else _rows(_unit(state, event.unit), event.at)
        changes |= {"at": event.at, "has_unique": event.has_unique, "rows": rows}
    return _with_unit(state, event.unit, **changes)


def _replace_piece(state: State, name: str, pieces: Iterable[TerrainPiece]) -> tuple[TerrainPiece, ...]:
    """The terrain with some pieces in the place of one."""
    if name not in state.ground:
        raise EventError(f'there is no terrain "{name}" on this table.')
    return tuple(new for piece in state.terrain for new in (pieces if piece.id == name else (piece,)))


def _with_terrain(state: State, terrain: tuple[TerrainPiece, ...]) -> State:
    return replace(state, terrain=terrain, names=state.names | {piece.id for piece in terrain})
