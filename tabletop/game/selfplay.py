"""Whole games without people, for statistics: seeded, so that the same seed plays the same games."""

from __future__ import annotations

import random
import statistics as statistics_of
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.game.computers import SIMPLE, StuckError, choose, first_legal, reaction
from tabletop.game.protocol import Ruleset, state_after

RANDOM = "random"
"""The player with random legal actions; other players are computers, named by their level."""

MOST_ACTIONS = 5000


@dataclass(frozen=True)
class Played:
    """A game that was played: the winning side (``None``: a draw), why, turns and actions; ``score`` are the points
    of a game that counts them. One that did not end (``over``) is a draw."""

    winner: str | None
    reason: str
    turns: int
    actions: int
    score: int | None = None
    over: bool = True


def play(rules: Ruleset[Any, Any, Any], setup: object, players: Mapping[str, str], seed: int) -> Played:
    """Play one game to its end, without a log. ``players`` maps sides to ``random`` or a computer's level; the same
    seed gives the same game.

    A game that does not end within ``MOST_ACTIONS`` actions, or in which no one has anything legal to do, is a draw.
    """
    rng, state = random.Random(seed), None
    for event in rules.start(setup):
        state = rules.apply(state, event)
    for count in range(MOST_ACTIONS):
        outcome = rules.outcome(state)
        if outcome is not None:
            view = rules.view(state)
            return Played(outcome.winner, outcome.reason, int(view.get("turn", 0)), count, _points(view))
        try:
            wish = _wish(rules, state, players, rng)
        except StuckError:
            return _broken_off(rules.view(state), count, "no one has anything legal to do")
        state = state_after(rules, state, wish, rules.dice(state, wish).roll(rng))
    return _broken_off(rules.view(state), MOST_ACTIONS, f"not over after {MOST_ACTIONS} actions")


def _broken_off(view: Mapping[str, Any], count: int, why: str) -> Played:
    return Played(None, why, int(view.get("turn", 0)), count, _points(view), over=False)


def _wish(rules: Ruleset[Any, Any, Any], state: Any, players: Mapping[str, str], rng: random.Random) -> Any:
    """The next action. Simple and random players also act for the other side in their turn; if any side has a better
    player, each side acts alone."""
    side = rules.to_act(state) or ""
    if set(players.values()) <= {RANDOM, SIMPLE}:
        plans = rules.random_actions if players[side] == RANDOM else rules.bot_actions
        return first_legal(rules, state, plans(state, rng))
    for other, level in players.items():
        if other != side and level != RANDOM:
            found = reaction(rules, state, other, level, rng)
            if found is not None:
                return found.action
    if players[side] == RANDOM:
        return first_legal(rules, state, rules.random_actions(state, rng))
    return choose(rules, state, side, players[side], rng).action


def statistics(
    rules: Ruleset[Any, Any, Any], setup: object, players: Mapping[str, str], games: int, seed: int
) -> dict[str, Any]:
    """Many games' results as JSON: wins with their reasons, lengths; game n has the seed ``seed + n``.

    If the game counts points, there are ``win_rate`` and ``scores`` too (:func:`distribution`). Ctrl-C ends it
    with the games finished by then, if any.
    """
    start = time.perf_counter()
    played: list[Played] = []
    try:
        while len(played) < games:
            played.append(play(rules, setup, players, seed + len(played)))
    except KeyboardInterrupt:
        if not played:
            raise
    games = len(played)
    spent = time.perf_counter() - start
    wins = Counter(game.winner or "draw" for game in played)
    points = [game.score for game in played if game.score is not None]
    scored: dict[str, Any] = {}
    if points:
        scored["win_rate"] = {side: wins.get(side, 0) / games for side in players}
        scored["scores"] = distribution(points)
    return {
        "version": 1,
        "rules": rules.name,
        "players": dict(players),
        "games": games,
        "seed": seed,
        "wins": {side: wins.get(side, 0) for side in [*players, "draw"]},
        "not_over": sum(not game.over for game in played),
        "mean_turns": sum(game.turns for game in played) / games,
        "mean_actions": sum(game.actions for game in played) / games,
        "games_per_second": round(games / spent, 3) if spent else None,
        **scored,
        "results": [
            {
                "seed": seed + n,
                "winner": game.winner,
                "reason": game.reason,
                "turns": game.turns,
                "actions": game.actions,
                "over": game.over,
                **({} if game.score is None else {"score": game.score}),
            }
            for n, game in enumerate(played)
        ],
    }


def distribution(points: Sequence[int]) -> dict[str, Any]:
    """The distribution of scores: mean, standard deviation (of these games), least, quartiles, most, and counts.

    Quartiles are interpolated between neighbouring scores.

    >>> found = distribution([12, 18, 20, 20])
    >>> found["mean"], found["quartiles"], found["histogram"]
    (17.5, [16.5, 19.0, 20.0], {'12': 1, '18': 1, '20': 2})
    """
    several = [*points, *points] if len(points) == 1 else points
    return {
        "mean": statistics_of.fmean(points),
        "sd": statistics_of.pstdev(points),
        "least": min(points),
        "quartiles": statistics_of.quantiles(several, n=4, method="inclusive"),
        "most": max(points),
        "histogram": {str(value): count for value, count in sorted(Counter(points).items())},
    }


def _points(view: Mapping[str, Any]) -> int | None:
    """The total of a view's score sheet; ``None`` if the game counts no points."""
    rows = view.get("score")
    return None if rows is None else sum(points for _, _, points in rows)
