"""Advice over whole turns: every plan is played out from the present state, and the best one leads this turn.

Plans are compared on the same dice, the worse half is dropped again and again, and the best one is then played out
afresh, so that its stated chance owes nothing to its having been chosen. Ending the game at once is one of the plans.
The same state has the same advice. Nothing that is hidden is read: what is unrevealed is diced as the rules have it.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from tabletop.game.computers import WinChance
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.attack_plans import Plan, aims, move, play_out
from tabletop.rulesets.combined_arms.board import COLUMN, NAMES, OFF, ROW
from tabletop.rulesets.combined_arms.data import COMPANIES, POINTS_TO_WIN, ROW_WIDTHS, TURNS
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.state import State
from tabletop.words import and_list

FIRST_GAMES = 8
"""Games that every plan is played out for at first; those that are left get twice as many each time."""
LAST_GAMES = 120
"""Games, with dice of their own, that the chance of the best plan is told from."""
ENDINGS = 240
"""Times that the last tests are rolled to tell what ending the game now is worth."""
_POINT = 0.01
"""What a point of the mean score counts beside the chance to win: enough to part equal chances."""


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


_BASE = Plan()
PLANS: tuple[NamedPlan, ...] = ()


def _plans() -> tuple[NamedPlan, ...]:
    found = []
    for stop, until in ((0, "to the last turn that pays"), (3, "for three turns at most")):
        for companies, who in ((7, "all three companies attack"), (2, "E company attacks alone"), (5, "D and F companies attack")):
            for tanks, with_tanks in ((7, "with armour"), (0, "while armour stays back")):
                plan = Plan(companies=companies, tanks=tanks, stop=-stop if stop else 19)
                found.append(NamedPlan(plan, f"{who} {with_tanks}, {until}"))
    return tuple(found)


PLANS = _plans()


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


def _led(plan: Plan, turn: int) -> Plan:
    """A plan whose end is told in turns from now, with its turn."""
    from dataclasses import replace

    return plan if plan.stop > 0 else replace(plan, stop=min(TURNS, turn - plan.stop))


def advise(state: State, games: int = LAST_GAMES) -> Advised:
    """The best plan from the beginning of, or within, the attackers' move phase."""
    start = Rollout(state)
    seed = seed_of(start)
    may_end = state.turn >= 2 and not state.any_moved
    ending = None
    if may_end:
        ending = _verdict([start.copy(random.Random(seed + n)).finish() for n in range(ENDINGS)])
    left = [(0.0, n, _led(named.plan, state.turn), list[int]()) for n, named in enumerate(PLANS)]
    count, played = FIRST_GAMES, 0
    while True:
        rows = []
        for _, n, plan, scores in left:
            done = len(scores)
            scores += [play_out(start.copy(random.Random(seed + 7919 * k)), plan) for k in range(done, done + count)]
            played += count
            wins = sum(score >= POINTS_TO_WIN for score in scores)
            rows.append((wins / len(scores) + _POINT * fmean(scores), n, plan, scores))
        left = sorted(rows, key=lambda row: (-row[0], row[1]))
        if len(left) == 1 or len(left[0][3]) >= games:
            break
        left = left[: max(1, len(left) // 2)]
        count *= 2
    _, n, plan, _ = left[0]
    fresh = [play_out(start.copy(random.Random(~(seed + 104729 * k))), plan) for k in range(games)]
    found = _verdict(fresh)
    played += games
    if ending is not None and ending.worth >= found.worth:
        return Advised(None, ending, ending, played)
    return Advised(NamedPlan(plan, PLANS[n].words), found, ending, played)


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
    told = [
        f"{and_list(names)} {'goes' if len(names) == 1 else 'go'} for {NAMES[n]} {_where(n)}"
        for n, names in by_target.items()
    ]
    if runners:
        told.append(f"{and_list(list(runners))} {'makes' if len(runners) == 1 else 'make'} for the far edge")
    return "; ".join(told) if told else "hold"


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
