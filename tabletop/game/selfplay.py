"""Whole games without people, for statistics: seeded, so that the same seed plays the same games."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tabletop.game.core import Game
from tabletop.game.errors import GameError
from tabletop.game.protocol import Ruleset

Player = Literal["simple", "random"]
Plans = Callable[[Any, random.Random], Iterator[Any]]

MOST_ACTIONS = 5000


@dataclass(frozen=True)
class Played:
    """A game that was played out: the winning side (``None``: a draw), why, turns and actions."""

    winner: str | None
    reason: str
    turns: int
    actions: int


def play(rules: Ruleset[Any, Any, Any], setup: object, players: Mapping[str, Player], seed: int) -> Played:
    """Play one game to its end. ``players`` says who plays each side; the same seed gives the same game.

    Raises GameError where a game does not end within ``MOST_ACTIONS`` actions.
    """
    rng, game = random.Random(seed), Game.new(rules, setup)
    plans: dict[Player, Plans] = {"simple": rules.plans, "random": rules.wishes}
    for count in range(MOST_ACTIONS):
        outcome = game.outcome
        if outcome is not None:
            return Played(outcome.winner, outcome.reason, int(rules.view(game.state).get("turn", 0)), count)
        chosen = plans[players[game.to_act or ""]]
        wish = next(wish for wish in chosen(game.state, rng) if not game.check(wish))
        game.push(wish, rng=rng)
    raise GameError(
        f"The game of seed {seed} did not end within {MOST_ACTIONS} actions: give its scenario a last turn."
    )


def statistics(
    rules: Ruleset[Any, Any, Any], setup: object, players: Mapping[str, Player], games: int, seed: int
) -> dict[str, Any]:
    """Many games' results as JSON: who won how often and why, how long they took; game n has the seed ``seed + n``."""
    start = time.perf_counter()
    played = [play(rules, setup, players, seed + n) for n in range(games)]
    spent = time.perf_counter() - start
    wins = Counter(game.winner or "draw" for game in played)
    return {
        "version": 1,
        "rules": rules.name,
        "players": dict(players),
        "games": games,
        "seed": seed,
        "wins": {side: wins.get(side, 0) for side in [*players, "draw"]},
        "mean_turns": sum(game.turns for game in played) / games,
        "mean_actions": sum(game.actions for game in played) / games,
        "games_per_second": round(games / spent, 3) if spent else None,
        "results": [
            {
                "seed": seed + n,
                "winner": game.winner,
                "reason": game.reason,
                "turns": game.turns,
                "actions": game.actions,
            }
            for n, game in enumerate(played)
        ],
    }
