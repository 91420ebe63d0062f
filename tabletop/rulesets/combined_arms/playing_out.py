"""Whole games played out by a plan."""

from __future__ import annotations

from tabletop.rulesets.combined_arms.attack_fire import fire
from tabletop.rulesets.combined_arms.attack_moves import move
from tabletop.rulesets.combined_arms.attack_plans import (
    Plan,
    targets_of,
)
from tabletop.rulesets.combined_arms.board import (
    OFF,
)
from tabletop.rulesets.combined_arms.data import (
    TURNS,
)
from tabletop.rulesets.combined_arms.rollout import (
    BOARD,
    WAITING,
    Rollout,
)


def is_over(game: Rollout, plan: Plan) -> bool:
    """Whether a plan ends the game before another turn: it is won as far as can be told, or its time is over."""
    if game.turn < 2:
        return False
    if game.turn >= plan.stop:
        return True
    known = game.score(game.turn - 1)
    if known + 3 * len(game.order) >= plan.enough and known + _hidden(game) >= plan.enough:
        return True
    if game.enemy and max(targets_of(game, plan)) == OFF and not (game.broken > game.exploited and plan.slack > 10):
        return True
    return not any(f in (WAITING, BOARD) for f in game.fate)


def _hidden(game: Rollout) -> float:
    """What the unrevealed counters and guns are worth in points, on average, were the game to end now."""
    platoons = float(game.revealed.bit_count() + game.broken)
    guns = float(game.real_guns.bit_count() + game.guns_broken)
    found = 0.0
    for c in game.order:
        bit = 1 << c
        many = 1 / 6 if platoons >= 2.7 or guns >= 1.8 else 0.0
        maybe = game.maybe_guns & bit
        real = 1.0
        if not game.revealed & bit:
            real = (0.5 if maybe else 1 / 3) - many
            platoons += real
            found += 2 * real
        if maybe:
            more = real * (2 / 3 - many)
            guns += more
            found += more
    return found


def play_out(game: Rollout, plan: Plan) -> int:
    """The score of a game played to its end by a plan, from the beginning of a move phase."""
    while True:
        if is_over(game, plan):
            return game.finish()
        move(game, plan)
        game.end_phase()
        game.begin_fire()
        fire(game)
        game.end_phase()
        game.finish_fire()
        game.enemy_phase()
        if not game.next_turn():
            game.uncover()
            return game.score(TURNS)


__all__ = ["is_over", "play_out"]
