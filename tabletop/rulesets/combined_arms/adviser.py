"""Advice over whole turns: every plan is played out from the present state, and the best one leads this turn.

Plans are compared on the same dice, the worse half is dropped again and again, and the best one is then played out
afresh, so that its stated chance owes nothing to its having been chosen. Ending the game at once is one of the plans.
The same state has the same advice. Nothing that is hidden is read: what is unrevealed is diced as the rules have it.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean

from tabletop.game.computers import WinChance
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.attack_moves import move
from tabletop.rulesets.combined_arms.attack_plans import Plan, aims
from tabletop.rulesets.combined_arms.board import COLUMN, NAMES, OFF, ROW
from tabletop.rulesets.combined_arms.data import COMPANIES, POINTS_TO_WIN, ROW_WIDTHS, TURNS
from tabletop.rulesets.combined_arms.playing_out import play_out
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.state import State
from tabletop.words import and_list

FIRST_GAMES = 6
"""Games that every plan is played out for at first; those that are left get twice as many each time."""
LAST_GAMES = 100
"""Games, with dice of their own, that the chance of the best plan is told from."""
ENDINGS = 240
"""Times that the last tests are rolled to tell what ending the game now is worth."""
_POINT = 0.02
"""What a point of the mean score counts beside the chance to win. By the chance alone, attacks that lose half the force
for one chance in ten would be led; they score far less on average than to end the game does."""


@dataclass(frozen=True)
class NamedPlan:
    """A plan with the words for it."""

    plan: Plan
    words: str


@dataclass(frozen=True)
class Verdict:
    """What a plan promises: its chance to win with its spread, and the mean score."""

    chance: WinChance
    score: float

    @property
    def worth(self) -> float:
        """By what plans are compared."""
        return self.chance.chance + _POINT * self.score


@dataclass(frozen=True)
class Advised:
    """The best plan for this turn (``None``: end the game), what it promises, what ending now would, and the whole
    number of games played out."""

    plan: NamedPlan | None
    verdict: Verdict
    ending: Verdict | None
    games: int


_SURE, _FAIR, _ANY = 0.15, 0.3, 9.0
"""Losses that others may be expected to inflict where an attack closes in: next to none, some, whatever they be."""
_FOR_A_WHILE, _SHORTLY = 8, 3
"""Turns that an attack is given."""

PLANS: tuple[NamedPlan, ...] = (
    NamedPlan(Plan(peril=_SURE, reach=5.0), "attack only what stands alone and near"),
    NamedPlan(Plan(peril=_FAIR, tank=30.0), "attack what others cover little, armour well back"),
    NamedPlan(Plan(companies=1, peril=_FAIR, stop=-_FOR_A_WHILE), "D company attacks alone, for eight turns at most"),
    NamedPlan(Plan(companies=2, peril=_FAIR, stop=-_FOR_A_WHILE), "E company attacks alone, for eight turns at most"),
    NamedPlan(Plan(companies=4, peril=_FAIR, stop=-_FOR_A_WHILE), "F company attacks alone, for eight turns at most"),
    NamedPlan(Plan(companies=2, peril=_ANY, tanks=0), "E company attacks alone, armour stays out"),
    NamedPlan(Plan(companies=5, peril=_FAIR), "D and F companies attack, E stays out"),
    NamedPlan(Plan(lane=-3.0, keep=0.5), "attack on the left, to the last turn that pays"),
    NamedPlan(Plan(lane=3.0, keep=0.5), "attack on the right, to the last turn that pays"),
    NamedPlan(Plan(), "attack along the whole front, to the last turn that pays"),
    NamedPlan(Plan(stop=-_SHORTLY), "attack for three turns at most, then end the game"),
    NamedPlan(Plan(loss=4.0, pin=0.7, slack=20.0), "attack with care, and leave by the far edge as soon as it counts"),
)
"""The plans that are compared; a negative ``stop`` is so many turns from now."""


def interval(wins: int, games: int) -> WinChance:
    """A chance by so many wins of so many games, with the interval that holds it nineteen times in twenty (Wilson's).

    >>> found = interval(5, 10)
    >>> round(found.low, 2), found.chance, round(found.high, 2)
    (0.24, 0.5, 0.76)
    """
    z = 1.96
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return WinChance(share, max(0.0, middle - spread), min(1.0, middle + spread), games)


def _verdict(scores: Sequence[int]) -> Verdict:
    return Verdict(interval(sum(score >= POINTS_TO_WIN for score in scores), len(scores)), fmean(scores))


def seed_of(game: Rollout) -> int:
    """A seed that is the same for the same position."""
    told = (game.turn, game.at, game.fate, game.facing, game.fresh, game.enemy, game.revealed, game.losses, game.ammo)
    return zlib.crc32(repr(told).encode())


def _dated(plan: Plan, turn: int) -> Plan:
    """A plan whose end is told in turns from now, with its turn."""
    return plan if plan.stop > 0 else replace(plan, stop=min(TURNS + 1, turn - plan.stop))


def advise(state: State) -> Advised:
    """The best plan from the beginning of, or within, the attackers' move phase."""
    start = Rollout(state)
    seed = seed_of(start)
    may_end = state.turn >= 2 and not state.any_moved
    ending = None
    if may_end:
        ending = _verdict([start.copy(random.Random(seed + n)).finish() for n in range(ENDINGS)])
    left = [(_dated(named.plan, state.turn), named.words, list[int]()) for named in PLANS]
    count, played = FIRST_GAMES, 0
    while True:
        for plan, _, scores in left:
            done = len(scores)
            scores += [play_out(start.copy(random.Random(seed + 7919 * k)), plan) for k in range(done, done + count)]
            played += count
        left.sort(key=lambda row: -_verdict(row[2]).worth)
        if len(left) == 1 or len(left[0][2]) >= LAST_GAMES:
            break
        left = left[: len(left) // 2]
        count *= 2
    plan, words, _ = left[0]
    fresh = [play_out(start.copy(random.Random(~(seed + 104729 * k))), plan) for k in range(LAST_GAMES)]
    found = _verdict(fresh)
    played += LAST_GAMES
    if ending is not None and ending.worth >= found.worth:
        return Advised(None, ending, ending, played)
    return Advised(NamedPlan(plan, words), found, ending, played)


def planned_moves(state: State, plan: Plan) -> tuple[actions.Action, ...]:
    """The moves of a turn by a plan, and the end of the phase."""
    game = Rollout(state)
    game.trace = []
    move(game, plan)
    game.end_phase()
    return tuple(action for action, _ in game.trace)


def plan_words(state: State, named: NamedPlan) -> str:
    """A plan in words: who goes for which counter, then what is meant further on."""
    targets, runners = aims(Rollout(state), named.plan)
    by_target: dict[int, list[str]] = {}
    for name, target in zip(COMPANIES, targets, strict=True):
        if target != OFF:
            by_target.setdefault(target, []).append(name)
    told = [named.words]
    told += [
        f"{and_list(names)} {'goes' if len(names) == 1 else 'go'} for {NAMES[n]} {_where(n)}"
        for n, names in by_target.items()
    ]
    if runners:
        told.append(f"{and_list(list(runners))} {'makes' if len(runners) == 1 else 'make'} for the far edge")
    return "; ".join(told)


def _where(n: int) -> str:
    away = COLUMN[n] - (ROW_WIDTHS[ROW[n] - 1] + 1) / 2
    return "by the road" if abs(away) < 1 else "on the left" if away < 0 else "on the right"


def chance_words(verdict: Verdict) -> str:
    """A verdict in words.

    >>> chance_words(Verdict(interval(24, 120), 14.2))
    '20 % to win (14 to 28 %), 14.2 points on average'
    """
    found = verdict.chance
    spread = f"{100 * found.low:.0f} to {100 * found.high:.0f} %"
    return f"{100 * found.chance:.0f} % to win ({spread}), {verdict.score:.1f} points on average"
