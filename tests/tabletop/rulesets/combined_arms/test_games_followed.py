"""Whole seeded games of Combined Arms, followed event by event by the tests' own slow referee."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tabletop.game.core import Game
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.events import CODEC
from tabletop.rulesets.combined_arms.play import CombinedArms
from tabletop.rulesets.combined_arms.setup import Setup
from tests.reference.combined_arms_log import Referee, victory_points

GAMES = {"simple": 8, "random": 6}
MOST_ACTIONS = 3000
BY_HAND = (actions.Correct, actions.Concede)
"""What random players may do that no rule has to do with."""
Events = list[tuple[str, dict[str, Any]]]


def played(player: str, seed: int, easier: bool = False) -> Iterator[Events]:
    """The events of every action of a game played out."""
    ruleset = CombinedArms()
    rng, game = random.Random(seed), Game.new(ruleset, Setup(easier=easier))
    plans: Callable[[Any, random.Random], Iterator[Any]] = (
        ruleset.bot_actions if player == "simple" else ruleset.random_actions
    )
    done = 0
    for _ in range(MOST_ACTIONS):
        yield [CODEC.to_json(game.event(record)) for record in game.records[done:]]
        done = len(game.records)
        if game.outcome is not None:
            return
        game.push(next(w for w in plans(game.state, rng) if not isinstance(w, BY_HAND) and not game.check(w)), rng=rng)
    raise AssertionError(f"the game of seed {seed} did not end")


@pytest.mark.slow
@pytest.mark.parametrize("player", GAMES)
def test_games_keep_the_rules(player: str) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(GAMES[player]):
        referee = Referee(easier=seed % 2 == 1)
        for events in played(player, seed, referee.easier):
            referee.follow(events)
        kinds += referee.kinds
    assert kinds["finished"] == GAMES[player]
    assert {"moved", "shot", "called", "scattered", "fell", "tested", "engaged", "lurked", "bombarded"} <= kinds.keys()


@cache
def one_game() -> tuple[Events, ...]:
    """A game to tamper with."""
    return tuple(played("simple", 0))


@pytest.mark.parametrize(
    ("kind", "key", "change"),
    [
        ("occupied", "counters", lambda counters: counters[1:]),
        ("moved", "path", lambda path: [*path[:-1], "9-9"]),
        ("shot", "score", lambda score: score + 1),
        ("shot", "effect", lambda effect: "spent" if effect == "none" else "none"),
        ("called", "hex", lambda hex_: "1-1"),
        ("scattered", "hexes", lambda hexes: hexes[1:]),
        ("bombarded", "dice", lambda dice: dice[1:]),
        ("mortars-tried", "need", lambda need: 11 - need),
        ("fell", "track", lambda track: (track + 1) % 8),
        ("tested", "real", lambda real: not real),
        ("engaged", "payoff", lambda payoff: payoff - 1),
        ("lurked", "counters", lambda counters: counters[1:]),
        ("rallied", "hex", lambda hex_: "1-1"),
        ("finished", "total", lambda total: total + 1),
    ],
)
def test_faults_are_found(kind: str, key: str, change: Callable[[Any], Any]) -> None:
    """The first such event told falsely is noticed, there or later."""
    referee, told = Referee(), False
    with pytest.raises((AssertionError, StopIteration)):
        for events in one_game():
            for n, (name, body) in enumerate(events):
                if name == kind and not told and body.get(key) is not None:
                    events = [*events[:n], (name, {**body, key: change(body[key])}), *events[n + 1 :]]
                    told = True
            referee.follow(events)
    assert told


@pytest.mark.slow
def test_score_of_the_sample_game() -> None:
    """Two platoons left, three and one with ATGs broken, three exploiting, two own broken, after turn 20."""
    assert [victory_points(2, 0, 3, 1, 3, 2, 20, easier) for easier in (False, True)] == [18, 20]
    assert victory_points(2, 0, 1, 0, 3, 0, 10, False) == 2 * 2 + 4 + 2, "two of the three exploit in vain"
    assert victory_points(0, 0, 1, 0, 3, 0, 10, False) == 4 + 6
