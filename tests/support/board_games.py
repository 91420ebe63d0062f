"""Games in the midst of play for what is drawn and measured of them, and twins that differ only in what is hidden."""

import random
from functools import lru_cache
from typing import Any

from tabletop.game import Game
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.rulesets.combined_arms.play import RULES as HEX_RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Secret
from tabletop.rulesets.combined_arms.state import State as HexState
from tabletop.rulesets.one_hour_ww2.play import RULES as OPEN_RULES
from tabletop.rulesets.one_hour_ww2.state import State as OpenState
from tests.paths import DATA
from tests.support.one_hour_games import random_setup
from tests.support.ruleset_contract import counted_ids, quiet_clock
from tests.tabletop.rulesets.combined_arms.test_contract import short_position

OPEN, HEX = "one-hour-ww2", "combined-arms"
HEX_LOG = "golden/combined-arms-solitaire.jsonl"
OPEN_LOGS = ("replays/flank-attack.jsonl", "replays/static-defence.jsonl")
BOARD = {
    "2-6": "woods", "4-3": "woods", "4-7": "crest", "5-2": "woods", "5-8": "farm", "6-4": "crest", "6-7": "woods",
    "7-3": "wooded crest", "7-7": "farm", "8-3": "woods", "8-6": "crest",
}  # fmt: skip


@lru_cache(maxsize=4)
def told(name: str) -> tuple[Any, ...]:
    """Every state of a game in the tests' data, in order."""
    game = game_from_log(read_log((DATA / name).read_bytes(), name))
    return tuple(after for _, _, after, _ in game.history())


def _played(game: Game, seed: int, actions: int) -> Any:
    rng = random.Random(seed)
    for _ in range(actions):
        if game.outcome is not None:
            break
        game.push(
            next(wish for wish in game.ruleset.random_actions(game.state, rng) if wish in game.legal_actions), rng=rng
        )
    return game.state


@lru_cache(maxsize=128)
def open_state(seed: int, actions: int) -> OpenState:
    """A small random game of One-Hour WWII after so many actions."""
    setup = random_setup(random.Random(seed))
    state: OpenState = _played(Game.new(OPEN_RULES, setup, clock=quiet_clock, ids=counted_ids()), seed, actions)
    return state


@lru_cache(maxsize=128)
def hex_state(seed: int, actions: int) -> HexState:
    """A short random game of Combined Arms after so many actions."""
    setup = short_position(random.Random(seed))
    state: HexState = _played(Game.new(HEX_RULES, setup, clock=quiet_clock, ids=counted_ids()), seed, actions)
    return state


@lru_cache(maxsize=8)
def posted(actions: int = 12, seed: int = 3) -> HexState:
    """A game with a player for the enemy, so many actions after the defenders are set out in secret."""
    setup = Setup(mode="enemy-player", board=tuple(BOARD.items()))
    game = Game.new(HEX_RULES, setup, clock=quiet_clock, ids=counted_ids())
    rng = random.Random(seed)
    while game.state.turn < 1:
        game.push(next(wish for wish in HEX_RULES.bot_actions(game.state, rng) if wish in game.legal_actions), rng=rng)
    for _ in range(actions):
        game.push(next(wish for wish in HEX_RULES.bot_actions(game.state, rng) if wish in game.legal_actions), rng=rng)
    state: HexState = game.state
    return state


def twins(state: HexState) -> tuple[HexState, HexState]:
    """Two games that differ only in which unrevealed counters are real."""
    hidden = [c for c in state.enemy if not c.revealed]
    armed = [c.at for c in hidden if c.atg == "potential"]
    shown = frozenset(c.at for c in state.enemy if c.revealed)
    one = Secret(3, 1, shown | {c.at for c in hidden[::2]}, frozenset(armed[:1]))
    two = Secret(5, 2, shown | {c.at for c in hidden[1::2]}, frozenset(armed[-1:]))
    assert one.platoon_hexes != two.platoon_hexes
    return state.but(secret=one), state.but(secret=two)
