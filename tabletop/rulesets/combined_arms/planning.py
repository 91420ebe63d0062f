"""How the strong attackers choose a turn: several plans are led to their moves, and the best of them played on.

A plan draws companies to the nearest counter or to the far edge, more or less; every platoon then goes where the net
and that pull make most of it (:mod:`tabletop.rulesets.combined_arms.leading`). The plans that promise most as the moves
are made are played on with dice until the next turn begins; the best on the mean is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from tabletop.rulesets.combined_arms.data import POINTS_TO_WIN
from tabletop.rulesets.combined_arms.features import WAY_OFF, WAY_TO_COUNTER
from tabletop.rulesets.combined_arms.leading import NO_PULL, Aims, Leader, Pull
from tabletop.rulesets.combined_arms.rollout import Rollout, Trace
from tabletop.rulesets.combined_arms.value_net import Worth

TOP, SAMPLES = 6, 32
"""How many plans are played on, and how often each."""
DICE = 400
"""Random numbers for a turn that is played on: more than it takes."""
_STRENGTHS = (0.003, 0.01, 0.03)
_GOALS: tuple[Pull, ...] = (
    (1, 0, 0, 0, WAY_TO_COUNTER),
    (0, 1, 0, 0, WAY_TO_COUNTER),
    (0, 0, 1, 0, WAY_TO_COUNTER),
    (1, 1, 1, 1, WAY_TO_COUNTER),
    (1, 1, 1, 1, WAY_OFF),
)
PLANS: tuple[Pull, ...] = (
    NO_PULL,
    (-0.01, -0.01, -0.01, -0.01, WAY_TO_COUNTER),
    *((pull * a, pull * b, pull * c, pull * d, way) for pull in _STRENGTHS for a, b, c, d, way in _GOALS),
)
"""The plans that are tried: nothing but the net; hold back; one company or all to the nearest counter, all to the far
edge, each more or less."""


@dataclass(frozen=True)
class Led:
    """A game after a plan's moves, the steps that led there, and what it is worth then."""

    game: Rollout
    steps: Trace
    value: float


def best_turn(game: Rollout, seed: int) -> Led:
    """The moves of a turn, chosen with dice of that seed; the game is left as it was."""
    return chosen_turn(game, np.random.default_rng(seed).random((SAMPLES, DICE)), TOP, PLANS)


def chosen_turn(game: Rollout, dice: NDArray[np.float64], top: int, plans: Sequence[Pull]) -> Led:
    """The best of some plans; ``top`` of them are played on once with each row of ``dice``, numbers from 0 to 1."""
    leader = Leader(game)
    found: dict[tuple[object, ...], Led] = {}
    for pull in plans:
        after = game.copy()
        steps: Trace = []
        after.trace = steps
        led = leader.over(after)
        led.move(pull)
        after.trace = None
        key = (tuple(after.at), tuple(after.fate), tuple(after.facing), after.fresh)
        if key not in found:
            found[key] = Led(after, steps, led.worth().value)
    best = sorted(found.values(), key=lambda one: -one.value)[:top]
    return best[0] if len(best) == 1 else max(best, key=lambda one: _promise(leader, one.game, dice))


def _promise(leader: Leader, game: Rollout, dice: NDArray[np.float64]) -> float:
    """What a game is worth whose moves are made: the mean of what the next turn begins with."""
    start = game.copy()
    start.begin_fire()
    aims = leader.over(start).aims()
    return fmean(next_turn(leader.over(start.copy(iter(row.tolist()).__next__)), aims).value for row in dice)


def next_turn(leader: Leader, aims: Aims) -> Worth:
    """What the next turn begins with, once the fire that is left and the defenders' phase were played."""
    game = leader.game
    leader.fire(aims)
    game.finish_fire()
    game.enemy_phase()
    if game.next_turn():
        return Leader(game).worth()
    game.uncover()
    score = game.score(game.turn)
    return Worth(score, float(score >= POINTS_TO_WIN))
