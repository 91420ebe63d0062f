"""A game as one side may see it, as JSON; what is secret reaches nobody else.

Secret are armies and their deployment until both sides are ready, mines until they are crossed, and what moves while
the boards are apart by night.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import NAME, SIDES
from tabletop.rulesets.combat.firing import deck
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import Piece, State, commands, corps_of


def hidden_by(state: State) -> tuple[str, ...]:
    """Who knows what others may not see: both sides, with more players their corps too, while they deploy, while mines
    may lie, and while the boards are apart; nobody once the game is over."""
    if state.step == "over" or not (state.step == "deploy" or state.setup.mines_each or state.apart):
        return ()
    if state.setup.players == 2:
        return SIDES
    return tuple(name for side in SIDES for name in (side, *commands(state, side)))


def sees(state: State, side: str | None, own: int) -> bool:
    """Whether ``side`` may see all that a side (0 or 1) has; a corps commander sees what the side does."""
    return side is None or state.step == "over" or side.partition("-")[0] == SIDES[own]


def seen_pieces(state: State, side: str | None) -> tuple[Piece, ...]:
    """The pieces as a side may see them, those that were lost too: while the boards are apart the other's stand where
    they stood at nightfall, and while armies deploy there are none of them."""
    if state.step == "deploy":
        return tuple(p for p in state.pieces if sees(state, side, p.side))
    if not state.apart:
        return state.pieces
    known = [sees(state, side, own) for own in (0, 1)]
    return tuple(p if known[p.side] else dusk for p, dusk in zip(state.pieces, state.dusk, strict=True))


def seen_mines(state: State, side: str | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Red's and Blue's mines as a side may see them: its own."""
    return tuple(tuple(sorted(state.laid[own])) if sees(state, side, own) else () for own in (0, 1))  # type: ignore[return-value]


def seen_state(state: State, side: str | None) -> State:
    """The state as a side may take it to be: without pieces, mines and headquarters that it may not see."""
    laid = tuple(frozenset(mines) for mines in seen_mines(state, side))
    known = [state.step != "deploy" or sees(state, side, own) for own in (0, 1)]
    headquarters = tuple(n if there else OFF for n, there in zip(state.headquarters, known, strict=True))
    return state.but(pieces=seen_pieces(state, side), laid=laid, headquarters=headquarters)


@lru_cache(maxsize=64)
def _fixed_part(setup: Setup) -> dict[str, Any]:
    """What does not change in a game."""
    house = vars(setup.house)
    return {
        "profile": setup.profile,
        "period": setup.period,
        "house": [name for name in house if getattr(setup.house, name)],
        "players": setup.players,
        **({"alone": setup.alone} if setup.players == 3 else {}),
        "columns": setup.columns,
        "rows": setup.rows,
        "deployment": setup.deployment,
        "ground": dict(setup.ground),
        "roads": list(setup.roads),
        **({"hill_counters": [list(one) for one in setup.hill_counters]} if setup.hill_counters else {}),
        "airstrips": [{"side": strip.side, "squares": list(strip.squares)} for strip in setup.airstrips],
        "objectives": [
            {"id": goal.id, "kind": goal.kind, "side": goal.side, "squares": list(goal.squares), "pieces": goal.pieces}
            for goal in setup.objectives
        ],
        "days": setup.days,
    }


def view(state: State, side: str | None = None) -> dict[str, Any]:
    """The state as JSON, as a side may see it: what lies open to everybody, and under ``secret`` what the side has
    besides."""
    names = state.field.names
    hits, misses, _ = deck(state)
    pieces = seen_pieces(state, PUBLIC)
    secret = {SIDES[own]: _secret(state, own) for own in (0, 1) if state.step != "over" and sees(state, side, own)}
    secret = {own: known for own, known in secret.items() if known}
    joined = state.step != "deploy"
    return {
        "version": 1,
        "rules": NAME,
        "turn": state.turn,
        "step": state.step,
        "day": state.day,
        "hour": state.hour,
        "night": state.night,
        "battlefield": _fixed_part(state.setup),
        "acting": corps_of(state, *state.section_to_act) if state.step == "play" else None,
        "had_turn": state.index,
        "first": SIDES[state.first],
        "pieces": [_piece(state, p) for p in pieces if p.at != OFF],
        "lost": [p.id for p in pieces if p.fate == "lost"],
        "exploded": _names(names, state.exploded),
        "headquarters": {
            SIDES[own]: names[state.headquarters[own]] for own in (0, 1) if joined and state.headquarters[own] != OFF
        },
        "armed": list(state.armed),
        "ready": list(state.ready),
        "deck": {"hits": hits, "misses": misses},
        "salvos": state.salvos,
        "to_save": [{"unit": p.unit, "need": p.need, "cause": p.cause, "by": p.by} for p in state.pending],
        "owed": state.owed,
        "hidden_by": list(hidden_by(state)),
        "outcome": None if state.result is None else {"winner": state.result.winner, "reason": state.result.reason},
        **({"mines": {SIDES[own]: _names(names, sorted(state.laid[own])) for own in (0, 1)}} if state.result else {}),
        **({"secret": secret} if secret else {}),
    }


def _secret(state: State, own: int) -> dict[str, Any]:
    """What a side alone knows now."""
    found: dict[str, Any] = {}
    names = state.field.names
    if state.step == "deploy" or state.apart:
        mine = [p for p in state.pieces if p.side == own]
        found["pieces"] = [f"{p.id} {names[p.at]}" for p in mine if p.at != OFF]
        waiting = [p.id for p in mine if p.fate == "waiting"]
        if waiting:
            found["to_deploy"] = waiting
    if state.step == "deploy" and state.headquarters[own] != OFF:
        found["headquarters"] = names[state.headquarters[own]]
    if state.setup.mines_each:
        found["mines"] = _names(names, sorted(state.laid[own]))
    if state.to_lay[own] and state.step == "deploy":
        found["mines_to_lay"] = state.to_lay[own]
    return found


def _names(names: tuple[str, ...], numbers: Iterable[int]) -> list[str]:
    return [names[n] for n in numbers]


def _piece(state: State, piece: Piece) -> dict[str, Any]:
    return {
        "id": piece.id,
        "side": SIDES[piece.side],
        "kind": piece.kind,
        "square": state.field.names[piece.at],
        "moved": piece.steps,
        "halted": piece.halted,
        "on_road": piece.on_road,
        "fired": piece.fired,
        "acts_from": piece.acts_from,
        "struck": piece.struck,
        "section": piece.section,
    }


def event_view(state: State, event: ev.Event, side: str | None) -> dict[str, Any]:
    """An event's body as a side may see it in the game as it stands now; what it may not see is left out."""
    match event:
        case ev.Armed() | ev.Placed() | ev.Unplaced() | ev.Established():
            if not sees(state, side, SIDES.index(event.side)):
                return {"side": event.side}
        case ev.Moved() if event.secret and state.apart and event.secret == state.day:
            if not sees(state, side, state.by_id[event.unit].side):
                return {}
    return ev.CODEC.to_json(event)[1]
