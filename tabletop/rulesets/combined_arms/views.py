"""A game as one side may see it, as JSON; what is secret reaches nobody else [Enemy player variant]."""

from __future__ import annotations

from typing import Any

from tabletop.errors import SceneError
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, OFF
from tabletop.rulesets.combined_arms.data import DEFENDER
from tabletop.rulesets.combined_arms.scoring import score_lines
from tabletop.rulesets.combined_arms.state import Secret, State


def hides(state: State) -> bool:
    """Whether somebody knows something now that others may not see.

    Bids are sealed until both are in; the defenders' real counters are secret until the game is over.
    """
    if state.step == "over":
        return False
    return state.secret is not None or (state.step == "bids" and state.bids != (None, None))


def hidden_by(state: State) -> tuple[str, ...]:
    """Who knows, or is about to decide, what others may not see: both players while bids are sealed, the defenders
    until the game is over; nobody where the rules play the defenders."""
    if state.step == "over" or state.setup.mode != "enemy-player":
        return ()
    return ("player 1", "player 2") if state.step == "bids" else (DEFENDER,)


def sees_secret(state: State, side: str | None) -> bool:
    """Whether a side may see which counters are real; ``None`` sees everything."""
    return side in (None, DEFENDER) or not hides(state)


def seen_secret(state: State, side: str | None) -> Secret | None:
    """What the defenders alone know, where a side may see it."""
    return state.secret if sees_secret(state, side) else None


def seen_bids(state: State, side: str | None) -> tuple[int | str | None, ...]:
    """The bids of players 1 and 2: ``sealed`` where a side may not see one, ``None`` where there is none yet."""
    return tuple(
        "sealed" if bid is not None and not _sees_bid(state, n, side) else bid for n, bid in enumerate(state.bids)
    )


def view(state: State, side: str | None = None) -> dict[str, Any]:
    """The state as JSON: contract section 6's position with what a game adds."""
    return {**position_json(state), **_game_json(state), **_secret_json(state, side)}


def position_json(state: State) -> dict[str, Any]:
    """The position as the contract's section 6 has it."""
    ground = state.ground
    call = state.enemy_call
    return {
        "version": 1,
        "rules": "combined-arms",
        "turn": state.turn,
        "board": {NAMES[n]: kind for n, kind in enumerate(ground.terrain) if kind != "open"},
        "road": [NAMES[n] for n in sorted(ground.road)],
        "platoons": [
            {
                "id": p.id,
                "hex": NAMES[p.at],
                "state": "fresh" if p.fresh else "spent",
                **({"facing": p.facing} if p.facing is not None else {}),
            }
            for p in state.platoons
            if p.at != OFF
        ],
        "enemy": [
            {"hex": NAMES[c.at], "revealed": c.revealed, "state": "fresh" if c.fresh else "spent", "atg": c.atg}
            for c in state.enemy
        ],
        "smoke": [NAMES[n] for n in state.smoke],
        "enemy_mortar": None if call is None else NAMES[call.at],
        "losses": state.losses,
        "ammo": state.ammo,
    }


def kept_position(state: State) -> dict[str, Any]:
    """The position as a file that a game can begin from again; raises SceneError before turn 1."""
    if state.turn < 1:
        raise SceneError("There is no position before turn 1: first lay out the board and set out the defenders.")
    gone = [p.id for p in state.platoons if p.fate not in ("waiting", "board")]
    return {**position_json(state), **({"off": gone} if gone else {})}


def _game_json(state: State) -> dict[str, Any]:
    setup, call, pending = state.setup, state.call, state.pending
    tally = state.tally
    return {
        "mode": setup.mode,
        "easier": setup.easier,
        "step": state.step,
        "turned": state.turned,
        "off_board": {p.id: p.fate for p in state.platoons if p.at == OFF},
        "spent_off_board": [p.id for p in state.platoons if p.at == OFF and not p.fresh],
        "known": state.ground.known.bit_count(),
        "smoke_rounds": state.smoke_rounds,
        "mortar": None if call is None else {"hex": NAMES[call.at], "ammo": call.ammo, "turn": call.turn},
        "enemy_mortar_turn": None if state.enemy_call is None else state.enemy_call.turn,
        "fired_on": [NAMES[n] for n in state.fired_on],
        "moved": state.any_moved,
        "fired": state.any_fired,
        "under_fire": None
        if pending is None
        else {"cause": pending.cause, "hexes": [NAMES[n] for n in pending.hexes], "by": _name(pending.by)},
        "to_break": [{"hex": NAMES[row.at], "count": row.count} for row in state.owed],
        "declared": [list(row) for row in state.declared],
        "declared_on": _name(state.declared_on),
        "claims": list(state.claims),
        "granted": state.granted,
        **({"sent": list(state.sent)} if state.setup.messages else {}),
        "stage": {
            "mortars": state.mortar_stage,
            "barrage": state.barrage,
            "activated": [c.at for c in state.enemy if state.activated >> c.at & 1],
            "acted": list(state.acted),
            "drawn": [state.chosen.armour, [NAMES[n] for n in state.chosen.cluster]],
        },
        "tally": {
            "placed": tally.placed,
            "phantoms": tally.phantoms,
            "platoons_found": state.platoons_found,
            "guns_found": state.guns_found,
            "platoons_broken": tally.platoons_broken,
            "guns_broken": tally.atgs_broken,
            "guns_false": tally.guns_false,
        },
        "handicap": state.handicap,
        "defending": state.defending,
        "hidden_by": list(hidden_by(state)),
        "score": [list(row) for row in (state.score or score_lines(state))],
        "outcome": None if state.result is None else {"winner": state.result.winner, "reason": state.result.reason},
    }


def _secret_json(state: State, side: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"bids": list(seen_bids(state, side))} if state.setup.bidding else {}
    secret = seen_secret(state, side)
    if secret is not None:
        found["secret"] = {
            "platoons": secret.platoons,
            "guns": secret.atgs,
            "platoon_hexes": sorted(NAMES[n] for n in secret.platoon_hexes),
            "gun_hexes": sorted(NAMES[n] for n in secret.atg_hexes),
        }
    return found


def _sees_bid(state: State, player: int, side: str | None) -> bool:
    return side is None or state.step != "bids" or side == f"player {player + 1}"


def _name(n: int) -> str | None:
    return None if n == OFF else NAMES[n]


def event_view(state: State, event: ev.Event, side: str | None) -> dict[str, Any]:
    """An event's body as a side may see it in the game as it stands now; what it may not see is left out."""
    body = ev.CODEC.to_json(event)[1]
    match event:
        case ev.Offered() if not _sees_bid(state, event.player - 1, side):
            return {"player": event.player}
        case ev.Mustered() if not sees_secret(state, side):
            return {"counts": event.counts}
        case ev.Posted() if not sees_secret(state, side):
            return {}
    return body
