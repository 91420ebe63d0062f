"""Positions of Combined Arms in a line or two, and games that go on from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.game import Game
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.data import PLATOONS
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.combined_arms.reducer import apply
from tabletop.rulesets.combined_arms.state import State
from tests.support.ruleset_contract import counted_ids, quiet_clock


def at(
    platoons: Mapping[str, str] | None = None,
    enemy: Mapping[str, str] | None = None,
    board: Mapping[str, str] | None = None,
    *,
    only: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """A position: ``platoons`` as {"A1": "3-4 spent 0"}, ``enemy`` as {"6-4": "real fresh atg"}.

    A counter's words: ``real`` (revealed), ``spent``, and ``atg`` (real guns), ``potential`` or ``removed`` ones.
    With ``only``, platoons that are not named are gone for good.
    """
    rows = []
    for name, said in (platoons or {}).items():
        where, *words = said.split()
        row: dict[str, Any] = {"id": name, "hex": where, "state": "spent" if "spent" in words else "fresh"}
        corners = [word for word in words if word.isdigit()]
        rows.append(row | ({"facing": int(corners[0])} if corners else {}))
    counters = []
    for where, said in (enemy or {}).items():
        words = said.split()
        guns = next((guns for word, guns in _GUNS.items() if word in words), "none")
        state = "spent" if "spent" in words else "fresh"
        counters.append({"hex": where, "revealed": "real" in words, "state": state, "atg": guns})
    gone = [name for name in PLATOONS if name not in (platoons or {})] if only else []
    return {"turn": 5, "board": dict(board or {}), "platoons": rows, "enemy": counters, "off": gone, **more}


_GUNS = {"atg": "real", "potential": "potential", "removed": "removed"}


def state_at(*args: Any, **more: Any) -> State:
    return apply(None, ev.Started(setup_from_position(at(*args, **more))))


def game_at(*args: Any, mode: Any = "solitaire", easier: bool = False, **more: Any) -> Game:
    setup = setup_from_position(at(*args, **more), mode=mode, easier=easier)
    return Game.new(RULES, setup, clock=quiet_clock, ids=counted_ids())


def do(game: Game, *said: str, dice: Sequence[int] = ()) -> list[Any]:
    """Do things by their words; the dice are for the last of them. Returns the events."""
    made: list[Any] = []
    for n, words in enumerate(said):
        rolled = tuple(dice) if n == len(said) - 1 else ()
        made += [game.event(record) for record in game.push(game.parse(words), rolled)]
    return made


def in_fire(state: State) -> State:
    """The same position in its fire phase."""
    return replace(state, step="fire")


def codes(game: Game, said: str) -> list[str]:
    """What speaks against an action, by its codes."""
    return [violation.code for violation in game.check(game.parse(said))]
