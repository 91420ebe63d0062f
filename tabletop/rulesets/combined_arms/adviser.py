"""Advice over whole turns: whether to go on, what to move where, and the chance to win.

What positions are worth a net has learnt from games that were played to their end
(:mod:`tabletop.rulesets.combined_arms.value_net`); what ending the game now is worth is rolled out. The
same state has the same advice. Nothing that is hidden is read: what is unrevealed is diced as the rules have it.
"""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Any

from tabletop.game.computers import WinChance
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.board import COLUMN, DISTANCE, EXITS, NAMES, NUMBER, OFF, ROW
from tabletop.rulesets.combined_arms.data import POINTS_TO_WIN, ROW_WIDTHS
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.planning import best_turn
from tabletop.rulesets.combined_arms.rollout import BOARD, WAITING, Rollout
from tabletop.rulesets.combined_arms.state import State
from tabletop.rulesets.combined_arms.value_net import Worth
from tabletop.words import and_list

ENDINGS = 240
"""Times that the last tests are rolled to tell what ending the game now is worth."""
_GIVE, _TAKE = 0.02, 0.2
"""How far a learnt chance may be from the true one, in nineteen of twenty: this and a part of itself."""


@dataclass(frozen=True)
class Verdict:
    """What a way on promises: the chance to win with its spread, and the mean score."""

    chance: WinChance
    score: float

    @property
    def value(self) -> float:
        """By what ways are compared."""
        return Worth(self.score, self.chance.chance).value


@dataclass(frozen=True)
class Advised:
    """What is best for this turn: its ``moves`` with the end of the phase, or the end of the game; what that promises;
    and what ending the game now would, where that may be."""

    moves: tuple[actions.Action, ...]
    verdict: Verdict
    ending: Verdict | None

    @property
    def ends(self) -> bool:
        """Whether the game had best be ended."""
        return self.verdict is self.ending


def rolled(wins: int, games: int) -> WinChance:
    """A chance by so many wins of so many games, with the interval that holds it nineteen times in twenty (Wilson's).

    >>> found = rolled(5, 10)
    >>> round(found.low, 2), found.chance, round(found.high, 2)
    (0.24, 0.5, 0.76)
    """
    z = 1.96
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return WinChance(share, max(0.0, middle - spread), min(1.0, middle + spread))


def learnt(chance: float) -> WinChance:
    """A chance that the net tells, with how far it may be out.

    >>> found = learnt(0.2)
    >>> round(found.low, 2), round(found.high, 2)
    (0.14, 0.26)
    """
    out = _GIVE + _TAKE * min(chance, 1 - chance)
    return WinChance(chance, max(0.0, chance - out), min(1.0, chance + out))


def seed_of(game: Rollout) -> int:
    """A seed that is the same for the same position."""
    told = (game.turn, game.at, game.fate, game.facing, game.fresh, game.enemy, game.revealed, game.losses, game.ammo)
    return zlib.crc32(repr(told).encode())


def advise(state: State) -> Advised:
    """What is best from the beginning of, or within, the attackers' move phase."""
    game = Rollout(state)
    worth = Leader(game).worth()
    going_on = Verdict(learnt(worth.chance), worth.score)
    ending = None
    if state.turn >= 2 and not state.any_moved:
        seed = seed_of(game)
        scores = [game.copy(random.Random(seed + n).random).finish() for n in range(ENDINGS)]
        ending = Verdict(rolled(sum(score >= POINTS_TO_WIN for score in scores), ENDINGS), fmean(scores))
        done = not any(fate in (WAITING, BOARD) for fate in game.fate)
        if done or ending.chance.chance == 1 or ending.value >= going_on.value:
            return Advised((actions.Finish(),), ending, ending)
    steps = best_turn(game, seed_of(game)).steps
    return Advised((*(action for action, _ in steps), actions.End()), going_on, ending)


# --- in words --------------------------------------------------------------------------------------------------------


def plan_words(state: State, moves: tuple[actions.Action, ...]) -> str:
    """The moves of a turn in words: who enters, who closes in on what, who goes forward, back, or off."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        if isinstance(move, actions.Move | actions.Leave):
            groups.setdefault(_purpose(state, move), []).append(move.unit)
    told = [f"{and_list(names)} {what if len(names) > 1 else _of_one(what)}" for what, names in groups.items()]
    return "; ".join(told) or "all stay where they are, to fire"


def _purpose(state: State, move: Any) -> str:
    if isinstance(move, actions.Leave):
        return "leave the board"
    before, after = state.by_id[move.unit].at, NUMBER[move.path[-1]]
    if before == OFF:
        return f"enter {_where(after)}"
    close = [c.at for c in state.enemy if DISTANCE[after][c.at] == 1]
    if close:
        return f"close in on {and_list([NAMES[at] for at in close])}"
    goals = [c.at for c in state.enemy] or list(EXITS)
    was, now = (min(DISTANCE[n][goal] for goal in goals) for n in (before, after))
    if now == was:
        return f"shift {_where(after)}"
    return f"{'go forward' if now < was else 'draw back'} {_where(after)}"


def _of_one(what: str) -> str:
    verb, _, rest = what.partition(" ")
    return f"{'goes' if verb == 'go' else f'{verb}s'} {rest}"


def _where(n: int) -> str:
    away = COLUMN[n] - (ROW_WIDTHS[ROW[n] - 1] + 1) / 2
    return "by the road" if abs(away) < 1 else "on the left" if away < 0 else "on the right"


def chance_words(verdict: Verdict) -> str:
    """A verdict in words.

    >>> chance_words(Verdict(rolled(24, 120), 14.2))
    '20 % to win (14 to 28 %), 14.2 points on average'
    """
    found = verdict.chance
    spread = f"{100 * found.low:.0f} to {100 * found.high:.0f} %"
    return f"{100 * found.chance:.0f} % to win ({spread}), {verdict.score:.1f} points on average"
