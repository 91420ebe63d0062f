"""The state after an event. Nothing is judged here: an event says what happened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF, field_of
from tabletop.rulesets.combat.data import KINDS, PLANE_SAVED_ON, SIDE_TITLES, SIDES, opponent
from tabletop.rulesets.combat.setup import laid_out
from tabletop.rulesets.combat.state import Pending, Piece, State, one_piece


def apply(state: State | None, event: ev.Event) -> State:
    """The state after an event; raises EventError for one that can't follow."""
    if isinstance(event, ev.Started):
        if state is not None:
            raise EventError("a game begins only once.")
        return State(event.setup, field_of(event.setup), hits=event.setup.hits, misses=event.setup.misses)
    if state is None:
        raise EventError("the log must begin with the event that lays the battlefield out.")
    try:
        return _after(state, event)
    except KeyError as error:
        raise EventError(f"there is no {error.args[0]!r} on this battlefield.") from error


def _after(state: State, event: ev.Event) -> State:
    match event:
        case ev.Moved():
            return _moved(state, event)
        case ev.Fired() | ev.Struck():
            return _salvo(state, event)
        case ev.Saved():
            pieces = state.pieces if event.saved else _pieces_without(state, event.unit)
            return state.but(pieces=pieces, pending=state.pending[1:])
        case ev.TurnEnded():
            return state.but(index=state.index + 1, owed=0)
        case ev.RoundBegan():
            return _round_began(state, event)
        case ev.MineExploded():
            return _mine_exploded(state, event)
        case ev.Flew():
            plane = replace(state.by_id[event.unit], at=state.field.number[event.to], fired=True)
            return state.but(pieces=one_piece(state, event.unit, plane))
        case ev.StripEntered():
            return state.but(pieces=_pieces_without(state, *event.planes)) if event.planes else state
        case ev.Broken():
            return state.but(pieces=_pieces_without(state, event.unit), owed=state.owed + event.owed)
        case ev.Reinforced():
            return _reinforced(state, event)
        case ev.Corrected():
            return _corrected(state, event)
        case ev.Ended():
            return state.but(step="over", result=Outcome(event.winner, event.reason), pending=(), owed=0)
        case ev.Conceded():
            result = Outcome(opponent(event.side), f"{SIDE_TITLES[event.side]} gave up.")
            return state.but(step="over", result=result, pending=(), owed=0)
    return _after_deploying(state, event)


def with_side(pair: tuple[Any, Any], side: int, value: Any) -> Any:
    """A pair with one side's part changed."""
    return (value, pair[1]) if side == 0 else (pair[0], value)


def _side(name: str) -> int:
    return SIDES.index(name)


# --- before the boards are joined ------------------------------------------------------------------------------------


def _after_deploying(state: State, event: ev.Event) -> State:
    match event:
        case ev.Laid():
            setup = laid_out(state.setup, event.square, event.terrain)
            return state.but(setup=setup, field=field_of(setup))
        case ev.Armed():
            return _armed(state, event)
        case ev.Placed():
            return _placed(state, event)
        case ev.Unplaced():
            return _unplaced(state, event)
        case ev.Established():
            n = state.field.number[event.square]
            return state.but(headquarters=with_side(state.headquarters, _side(event.side), n))
        case ev.Readied():
            ready = with_side(state.ready, _side(event.side), True)
            return state.but(ready=ready, **({"step": "toss"} if event.joined else {}))
        case ev.Tossed():
            return state.but(first=_side(event.side), index=0, step="play")
    raise EventError(f"{type(event).__name__} is no event of Combat.")


def _armed(state: State, event: ev.Armed) -> State:
    side = _side(event.side)
    others = tuple(p for p in state.pieces if p.side != side)
    stem = SIDES[side][0].upper()
    own = tuple(
        Piece(f"{stem}{KINDS[kind].letter}{n}", side, kind) for kind, most in event.counts for n in range(1, most + 1)
    )
    return state.but(
        pieces=own + others if side == 0 else others + own,
        armed=with_side(state.armed, side, True),
        to_lay=with_side(state.to_lay, side, event.mines),
        laid=with_side(state.laid, side, frozenset()),
    )


def _placed(state: State, event: ev.Placed) -> State:
    field, side = state.field, _side(event.side)
    at = {unit: field.number[square] for unit, square in event.pieces}
    pieces = tuple(_put(state, p, at[p.id]) if p.id in at else p for p in state.pieces) if at else state.pieces
    laid = state.laid[side] | {field.number[square] for square in event.mines}
    return state.but(
        pieces=pieces,
        laid=with_side(state.laid, side, laid),
        to_lay=with_side(state.to_lay, side, state.to_lay[side] - len(event.mines)),
    )


def _put(state: State, piece: Piece, n: int) -> Piece:
    return replace(piece, at=n, fate="board", section=state.field.section(n), on_road=state.field.road[n])


def _unplaced(state: State, event: ev.Unplaced) -> State:
    side = _side(event.side)
    if event.unit:
        piece = replace(state.by_id[event.unit], at=OFF, fate="waiting")
        return state.but(pieces=one_piece(state, event.unit, piece))
    n = state.field.number[event.square]
    if n in state.laid[side]:
        return state.but(
            laid=with_side(state.laid, side, state.laid[side] - {n}),
            to_lay=with_side(state.to_lay, side, state.to_lay[side] + 1),
        )
    return state.but(headquarters=with_side(state.headquarters, side, OFF))


# --- the battle -------------------------------------------------------------------------------------------------------


def _fresh(state: State, piece: Piece) -> Piece:
    if piece.at == OFF:
        return piece
    return replace(
        piece,
        steps=0,
        halted=False,
        fired=False,
        on_road=state.field.road[piece.at],
        section=state.field.section(piece.at),
    )


def _round_began(state: State, event: ev.RoundBegan) -> State:
    pieces = tuple(_fresh(state, p) for p in state.pieces)
    nightfall = event.night == 1 and state.setup.house.apart_at_night
    dusk = pieces if nightfall else state.dusk if event.night else ()
    return state.but(
        turn=event.turn,
        day=event.day,
        hour=event.hour,
        night=event.night,
        index=0,
        step="toss" if event.toss else "play",
        pieces=pieces,
        dusk=dusk,
    )


def _moved(state: State, event: ev.Moved) -> State:
    field, piece = state.field, state.by_id[event.unit]
    way = [field.number[name] for name in event.path]
    began_slow = piece.steps == 0 and field.slow[way[0]]
    moved = replace(
        piece,
        at=way[-1],
        steps=piece.steps + len(way) - 1,
        halted=began_slow or field.slow[way[-1]],
        on_road=piece.on_road and all(field.road[n] for n in way),
    )
    return state.but(pieces=one_piece(state, event.unit, moved))


def _mine_exploded(state: State, event: ev.MineExploded) -> State:
    side = 1 - state.by_id[event.unit].side
    n = state.field.number[event.square]
    return state.but(
        laid=with_side(state.laid, side, state.laid[side] - {n}),
        exploded=(*state.exploded, n),
        pending=(*state.pending, Pending(event.unit, event.need, event.modifiers, "mine", "")),
    )


def _salvo(state: State, event: ev.Fired | ev.Struck) -> State:
    """The state after a shot or an air strike, whose card is out of the deck; a plane that attacked counts as hit."""
    firer, hit, pending = replace(state.by_id[event.unit], fired=True), event.card == "hit", state.pending
    if hit:
        cause: ev.Cause = "fire" if isinstance(event, ev.Fired) else "air"
        pending = (*pending, Pending(event.target, event.need, event.modifiers, cause, event.unit))
    if isinstance(event, ev.Struck):
        firer = replace(firer, struck=state.turn)
        pending = (*pending, Pending(event.unit, PLANE_SAVED_ON, (), "plane", event.target))
    return state.but(
        pieces=one_piece(state, event.unit, firer),
        pending=pending,
        hits=event.hits - hit,
        misses=event.misses - (not hit),
        salvos=state.salvos + 1,
        fired_in=with_side(state.fired_in, firer.side, state.turn),
    )


def _pieces_without(state: State, *units: str) -> tuple[Piece, ...]:
    return tuple(replace(p, at=OFF, fate="lost") if p.id in units else p for p in state.pieces)


def _reinforced(state: State, event: ev.Reinforced) -> State:
    n = state.field.number[event.square]
    side = state.section_to_act[0]
    piece = _put(state, Piece(event.unit, side, event.kind, acts_from=state.turn + 1), n)
    known = event.unit in state.by_id
    pieces = one_piece(state, event.unit, piece) if known else _with(state.pieces, piece)
    return state.but(pieces=pieces, owed=state.owed - 1)


def _with(pieces: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    own = [n for n, p in enumerate(pieces) if p.side == piece.side]
    end = own[-1] + 1 if own else len(pieces)
    return (*pieces[:end], piece, *pieces[end:])


def _corrected(state: State, event: ev.Corrected) -> State:
    changes: dict[str, Any] = {}
    if event.hits is not None:
        changes["hits"] = event.hits
    if event.misses is not None:
        changes["misses"] = event.misses
    if event.unit:
        piece = state.by_id[event.unit]
        if event.off:
            changes["pieces"] = _pieces_without(state, event.unit)
            changes["pending"] = tuple(p for p in state.pending if p.unit != event.unit)
        else:
            changes["pieces"] = one_piece(state, event.unit, _set_right(state, piece, event))
    return state.but(**changes)


def _set_right(state: State, piece: Piece, event: ev.Corrected) -> Piece:
    if event.to is not None:
        n = state.field.number[event.to]
        on_road = piece.on_road and state.field.road[n] if piece.at != OFF else state.field.road[n]
        piece = replace(piece, at=n, fate="board", on_road=on_road, section=state.field.section(n))
    if event.fired is not None:
        piece = replace(piece, fired=event.fired)
    if event.moved is not None:
        halted = bool(event.moved) and state.field.slow[piece.at]
        on_road = piece.on_road if event.moved else state.field.road[piece.at]
        piece = replace(piece, steps=event.moved, halted=halted, on_road=on_road)
    return piece
