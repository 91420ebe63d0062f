"""Moves judged: the dice, what changes the total, how far every base went and by what way, and where the unit ends.

Readings where the rules are silent:

- every base's own shortest legal way counts; for the unique base a way that was told counts as walked;
- the total may be spent in the best way that the rules leave: plainly; for an ATG with 4 inches off and leave to enter
  the edge of woods (coming straight out costs nothing); or, wholly by road, with 4 inches more;
- a move that ends within the threat range of an enemy base is an assault, and has no road bonus;
- whether a unit is threatened is judged before it moves; where that is too close to call it is not counted, and an ATG
  or mortar must be measured;
- a unit may always stay as it stands, whatever its total.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from geometry.tolerance import NO, OPEN, TOLERANCE, YES
from tabletop.game.actions import standings
from tabletop.game.protocol import Dice
from tabletop.game.violations import Answer, Violation
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.one_hour_ww2.actions import Leave, Place
from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, MOVE_DICE, PENALTY_IN, ROAD_IN, movement
from tabletop.rulesets.one_hour_ww2.data import DICE
from tabletop.rulesets.one_hour_ww2.ending import ending_violations
from tabletop.rulesets.one_hour_ww2.ground import in_the_way, moving_radius
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.rulesets.one_hour_ww2.standing import threats
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.ways import STILL_IN, Goals, Leg, Terms, all_terms
from tabletop.tables.scene import Unit

Array = npt.NDArray[np.float64]

MOVES, THREATENED, EDGES, ROADS = "Movement Actions", "Movement, Threatened units", "Movement, Woods", "Movement, Roads"


@dataclass(frozen=True)
class Walk:
    """How a unit went: each base's way in inches, what it had, whether by road, and the ways to draw, base by base.

    Where there is no legal way, a base's length is the straight one.
    """

    lengths_in: tuple[float, ...] = ()
    allowed_in: float = 0.0
    by_road: bool = False
    paths: tuple[tuple[Point, ...], ...] = ()


# --- dice and totals -------------------------------------------------------------------------------------------------


def is_threatened(state: State, unit: Unit) -> np.int8:
    """Whether an enemy base stands within the threat range of any base of a unit, as the table is now."""
    surely, perhaps = _threats(state.situation)
    return YES if unit.id in surely else OPEN if unit.id in perhaps else NO


@lru_cache(maxsize=16)
def _threats(situation: Situation) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    surely, perhaps = ({entry["unit"]: entry["by"] for entry in entries} for entries in threats(situation))
    return surely, perhaps


def move_violations(state: State, unit: Unit) -> list[Violation]:
    """What keeps a unit from moving by the rules of movement alone: threatened ATGs and mortars."""
    answer = is_threatened(state, unit)
    if answer == NO or kind_of(unit).struck_as not in ("atg", "mortar"):
        return []
    names = " and ".join(_threats(state.situation)[0 if answer == YES else 1][unit.id])
    limit = state.setup.rules.threat_in
    kind = {"atg": "an ATG", "mortar": "a mortar"}[kind_of(unit).struck_as]
    if answer == YES:
        text = f"{unit.id} is threatened by {names} within {limit:g}″, and {kind} may not move then."
    else:
        text = (
            f"Whether {unit.id} is threatened by {names} is too close to call: measure whether they are within "
            f"{limit:g}″, since {kind} may not move then."
        )
    return [Violation("threatened", text, THREATENED, {"within_in": limit}, _answer(answer))]


def move_dice(state: State, unit: Unit) -> Dice:
    """The dice of a unit's move (Movement Actions, table)."""
    return Dice(MOVE_DICE[kind_of(unit).struck_as], DICE[state.setup.dice])


def move_total(state: State, unit: Unit, roll: Sequence[int]) -> tuple[int, tuple[str, ...]]:
    """Inches that a unit may move off roads for a roll, 0 or less where it stays, and what changed them, in words.

    The unit as it is before the roll (which ends its being dug in).
    """
    total, because = sum(roll) + BONUS_IN, []
    if unit.dug_in:
        total -= PENALTY_IN
        because.append(f'dug in -{PENALTY_IN}"')
    answer = is_threatened(state, unit)
    if answer == YES and kind_of(unit).struck_as in ("atg", "mortar"):
        return -ROAD_IN, (*because, "threatened: may not move")
    if answer == YES:
        total -= PENALTY_IN
        because.append(f'threatened -{PENALTY_IN}"')
    elif answer == OPEN:
        because.append("threatened or not is too close to call: not counted")
    return total, tuple(because)


def total_chances(state: State, unit: Unit) -> dict[int, Fraction]:
    """The chance of every number of inches that a unit's dice give off roads, in rising order; 0 where it stays."""
    near = bool(is_threatened(state, unit) == YES)
    return movement(kind_of(unit), dice=state.setup.dice, dug_in=unit.dug_in, threatened=near)


# --- putting down ----------------------------------------------------------------------------------------------------


def place_violations(state: State, action: Place) -> tuple[list[Violation], Walk]:
    """All that speaks against putting a unit down so, and how it went there.

    A unit whose movement is not rolled has no inches. Raises ValueError for a unit that is not on the table, or places
    for another number of bases.
    """
    found, walk = _judge_place(state, action)
    return list(found), walk


@lru_cache(maxsize=8)
def _judge_place(state: State, action: Place) -> tuple[tuple[Violation, ...], Walk]:
    before, plan, at = state.unit(action.unit), state.setup.unit(action.unit), standings(action)
    if before is None or plan is None or len(at) != len(plan.bases):
        raise ValueError(f"{action.unit} is not on the table, or has another number of bases than {len(at)}.")
    after = replace(before, bases=bases_of(plan.bases, at))
    found, walk = _judge_walk(state, before, Goals(after, None, action.path))
    ends = ending_violations(state, before, after)
    return (*(v for v in found if not _told_by(v, ends)), *ends), walk


def _told_by(lacking: Violation, ends: list[Violation]) -> bool:
    """Whether a way is missing only because of where a base ends, which is told besides, and no less surely."""
    return lacking.code == "no-way" and any(
        v.code in ("ground", "overlap", "off-table")
        and v.numbers["base"] == lacking.numbers["base"]
        and v.answer in ("no", lacking.answer)
        for v in ends
    )


def leave_violations(state: State, action: Leave) -> tuple[list[Violation], Walk]:
    """All that speaks against a unit's leaving by an exit: each base's centre must get to its stretch of the edge.

    Raises ValueError for a unit that is not on the table.
    """
    unit = state.unit(action.unit)
    if unit is None:
        raise ValueError(f"{action.unit} is not on the table.")
    by = next((e for e in state.setup.exits if e.id == action.exit), None)
    if by is None or by.side != unit.side:
        own = [f"{e.title} ({e.id})" for e in state.setup.exits if e.side == unit.side]
        known = f"its exits are {', '.join(own)}" if own else "its side has no exits"
        text = f'{unit.id} can\'t leave by "{action.exit}": {known}.'
        return [Violation("no-exit", text, "Scenario, exits")], Walk()
    return _judge_walk(state, unit, Goals(None, by, ()))


def _judge_walk(state: State, unit: Unit, goals: Goals) -> tuple[list[Violation], Walk]:
    pending = state.pending
    total = pending.net_in if pending is not None and pending.unit == unit.id else 0
    best: Terms | None = None
    for terms in all_terms(state, unit, goals, total):
        if best is None or (terms.answer, -terms.over_in) > (best.answer, -best.over_in):
            best = terms
        if best.answer == YES:
            break
    assert best is not None
    lengths = tuple(
        leg.length_in if math.isfinite(leg.length_in) else float(np.linalg.norm(leg.points[-1] - leg.points[0]))
        for leg in best.legs
    )
    paths = tuple(tuple((float(x), float(y)) for x, y in leg.points) for leg in best.legs)
    walk = Walk(lengths, best.allowed_in, best.mode == "road", paths)
    return list(_walk_violations(state, unit, goals, best, lengths)), walk


# --- words -----------------------------------------------------------------------------------------------------------


def _walk_violations(
    state: State, unit: Unit, goals: Goals, terms: Terms, lengths: tuple[float, ...]
) -> Iterator[Violation]:
    for i, leg in enumerate(terms.legs):
        answer = terms.answers[i]
        if answer == YES:
            continue
        if leg.blocked_at is not None:
            yield _blocked_violation(state, unit, i, leg, answer)
        if not math.isfinite(leg.length_in):
            yield _no_way(state, unit, goals, i, leg, answer)
        over = lengths[i] - terms.allowed_in
        if over > TOLERANCE.length_in or (answer == OPEN and math.isfinite(leg.length_in) and leg.blocked_at is None):
            yield _too_far(unit, i, leg, lengths[i], terms, answer)
    if terms.assault == OPEN and all(answer == YES for answer in terms.answers):
        limit = state.setup.rules.threat_in
        text = (
            f"{unit.id} needs the {ROAD_IN}″ that a move wholly by road gains, and whether it would end within "
            f"{limit:g}″ of the enemy, as an assault, is too close to call: measure it."
        )
        numbers = {"moved_in": max(lengths), "allowed_in": terms.allowed_in, "within_in": limit}
        yield Violation("assault", text, ROADS, numbers, "too-close")


def _too_far(unit: Unit, i: int, leg: Leg, length_in: float, terms: Terms, answer: np.int8) -> Violation:
    over = length_in - terms.allowed_in
    why = {"open": "", "edge": f" ({PENALTY_IN}″ are lost in woods)", "road": f" (by road, with {ROAD_IN}″ more)"}[
        terms.mode
    ]
    least = "" if math.isfinite(leg.length_in) else "at least "
    measured = f"base {i + 1} would move {least}{_inches(length_in, leg.sigma_in)}"
    if answer == NO:
        text = f"{unit.id}: {measured}, and has {terms.allowed_in:g}″{why}: {_short(over)} too far."
    else:
        text = f"{unit.id}: {measured} of {terms.allowed_in:g}″{why}: too close to call, so measure it."
    numbers = {
        "base": float(i + 1),
        "moved_in": length_in,
        "allowed_in": terms.allowed_in,
        "over_in": over,
        "sigma_in": leg.sigma_in,
    }
    place = {"open": MOVES, "edge": EDGES, "road": ROADS}[terms.mode]
    return Violation("too-far", text, place, numbers, _answer(answer))


def _blocked_violation(state: State, unit: Unit, i: int, leg: Leg, answer: np.int8) -> Violation:
    assert leg.blocked_at is not None
    x, y = (float(v) for v in leg.blocked_at)
    radius = float(moving_radius(unit.bases)[i])
    what = in_the_way(state, unit, radius + STILL_IN, leg.blocked_at[None]) or ["the table's edge"]
    text = f"{unit.id}: the way told for its unique base enters {what[0]} at ({x:.1f}, {y:.1f})."
    if answer == OPEN:
        text = f"{unit.id}: whether the way told for its unique base enters {what[0]} is too close to call."
    return Violation("no-way", text, "Movement, Terrain", {"base": i + 1.0, "x_in": x, "y_in": y}, _answer(answer))


def _no_way(state: State, unit: Unit, goals: Goals, i: int, leg: Leg, answer: np.int8) -> Violation:
    where = f"to where base {i + 1} would end" if goals.by is None else f"off the table by {goals.by.title}"
    what = in_the_way(state, unit, float(moving_radius(unit.bases)[i]), leg.points)
    why = f": {' and '.join(what)} in the way" if what else ""
    text = f"{unit.id}: there is no way {where}{why}."
    if answer == OPEN:
        text = f"{unit.id}: whether there is a way {where} is too close to call{why}."
    straight = float(np.linalg.norm(leg.points[-1] - leg.points[0]))
    code = "no-way" if goals.by is None else "no-exit"
    return Violation(code, text, "Movement, Terrain", {"base": i + 1.0, "straight_in": straight}, _answer(answer))


def _inches(length_in: float, sigma_in: float) -> str:
    spread = TOLERANCE.sureness * sigma_in
    return f"{_short(length_in)} ± {max(spread, 0.01):.2f}″" if spread > TOLERANCE.length_in else _short(length_in)


def _short(length_in: float) -> str:
    """An inch length to a hundredth, or as finely as it takes to show that it is more than nothing."""
    decimals = next((n for n in (2, 3, 4, 5) if length_in >= 10.0**-n or length_in <= 0), 6)
    return f"{length_in:.{decimals}f}″"


def _answer(answer: np.int8) -> Answer:
    return "too-close" if answer == OPEN else "no"
