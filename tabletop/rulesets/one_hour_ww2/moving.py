"""Moves judged: the dice, what changes the total, how far every base went and by what way, and where the unit ends.

Readings where the rules are silent:

- every base's own shortest legal way counts; for the unique base a way that was told counts as walked;
- the total may be spent in the best way that the rules leave: plainly; for an ATG with 4 inches off and leave to enter
  the edge of woods, in or out; or, wholly by road, with 4 inches more;
- a move that ends within the threat range of an enemy base is an assault, and has no road bonus;
- whether a unit is threatened is judged before it moves; where that is too close to call it is not counted, and an ATG
  or mortar must be measured;
- a unit may always stay as it stands, whatever its total.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from geometry.shapes import variance_along
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge_one
from tabletop.game.protocol import Answer, Dice, Violation
from tabletop.rulesets.one_hour_ww2.acts import Leave, Place
from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, MOVE_DICE, PENALTY_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.data import DICE
from tabletop.rulesets.one_hour_ww2.ending import HAND_IN, assaults, ending_violations
from tabletop.rulesets.one_hour_ww2.ground import Mode, ground, in_the_way, looseness, moving_radius, on_road, roads
from tabletop.rulesets.one_hour_ww2.setup import Exit, Point, Standing, bases_of
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.rulesets.one_hour_ww2.standing import threats
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.scene import Unit

Array = npt.NDArray[np.float64]

MOVES, THREATENED, EDGES, ROADS = "Movement Actions", "Movement, Threatened units", "Movement, Woods", "Movement, Roads"
STILL_IN = 1e-4
"""Places are kept to a ten-thousandth of an inch: a base that went no farther has not moved."""


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


def threatened(state: State, unit: Unit) -> np.int8:
    """Whether an enemy base stands within the threat range of any base of a unit, as the table is now."""
    surely, perhaps = _threats(state.situation)
    return YES if unit.id in surely else OPEN if unit.id in perhaps else NO


@lru_cache(maxsize=16)
def _threats(situation: Situation) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    surely, perhaps = ({entry["unit"]: entry["by"] for entry in entries} for entries in threats(situation))
    return surely, perhaps


def move_violations(state: State, unit: Unit) -> list[Violation]:
    """What keeps a unit from moving by the rules of movement alone: threatened ATGs and mortars."""
    answer = threatened(state, unit)
    if answer == NO or kind_of(unit).struck_as not in ("atg", "mortar"):
        return []
    names, limit = (
        " and ".join(_threats(state.situation)[0 if answer == YES else 1][unit.id]),
        state.setup.rules.threat_in,
    )
    kind = {"atg": "an ATG", "mortar": "a mortar"}[kind_of(unit).struck_as]
    if answer == YES:
        text = f'{unit.id} is threatened by {names} within {limit:g}", and {kind} may not move then.'
    else:
        text = (
            f"Whether {unit.id} is threatened by {names} is too close to call: measure whether they are within "
            f'{limit:g}", since {kind} may not move then.'
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
    answer = threatened(state, unit)
    if answer == YES and kind_of(unit).struck_as in ("atg", "mortar"):
        return -ROAD_IN, (*because, "threatened: may not move")
    if answer == YES:
        total -= PENALTY_IN
        because.append(f'threatened -{PENALTY_IN}"')
    elif answer == OPEN:
        because.append("threatened or not is too close to call: not counted")
    return total, tuple(because)


# --- putting down ----------------------------------------------------------------------------------------------------


def rigid(unit: Unit, x: float, y: float, facing: float) -> tuple[Standing, ...]:
    """Places of a unit's bases with its unique base's centre at (x, y), facing so many degrees, formation kept.

    They are exactly there: no spread. A base whose facing is not known keeps it unknown. Where the unique base is not
    known, the first one stands for it.
    """
    own, bases = unit.unique or 0, unit.bases
    if abs(x - bases.center[own, 0]) + abs(y - bases.center[own, 1]) == 0 and facing == bases.facing[own]:
        turn, moved = 0.0, bases.center
    else:
        turn = float(facing - bases.facing[own])
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        offset = bases.center - bases.center[own]
        moved = np.array([x, y]) + offset @ np.array([[c, -s], [s, c]])
    known = np.isfinite(bases.facing_sigma)
    return tuple(
        Standing(
            float(moved[i, 0]), float(moved[i, 1]), float(bases.facing[i] + turn) % 360.0 % 360.0 if known[i] else None
        )
        for i in range(len(bases))
    )


def place_violations(state: State, action: Place) -> tuple[list[Violation], Walk]:
    """All that speaks against putting a unit down so, and how it went there. The unit and the places must be there.

    Where its movement is not rolled it has no inches.
    """
    before, plan = state.unit(action.unit), state.setup.unit(action.unit)
    if before is None or plan is None or len(action.at) != len(plan.bases):
        raise ValueError(f"{action.unit} is not on the table, or has another number of bases than {len(action.at)}.")
    after = replace(before, bases=bases_of(plan.bases, action.at))
    found, walk = _walked(state, before, _Goals(after, None, action.path))
    return [*found, *ending_violations(state, before, after)], walk


def leave_violations(state: State, action: Leave) -> tuple[list[Violation], Walk]:
    """All that speaks against a unit's leaving by an exit: each base's centre must get to its stretch of the edge."""
    unit = state.unit(action.unit)
    if unit is None:
        raise ValueError(f"{action.unit} is not on the table.")
    by = next((e for e in state.setup.exits if e.id == action.exit), None)
    if by is None or by.side != unit.side:
        own = [f"{e.title} ({e.id})" for e in state.setup.exits if e.side == unit.side]
        known = f"its exits are {', '.join(own)}" if own else "its side has no exits"
        text = f'{unit.id} can\'t leave by "{action.exit}": {known}.'
        return [Violation("no-exit", text, "Scenario, exits")], Walk()
    return _walked(state, unit, _Goals(None, by, ()))


@dataclass(frozen=True, eq=False)
class _Goals:
    """Where a move leads: the unit as it stands then, or the exit that it leaves by; the way told, if any."""

    after: Unit | None
    by: Exit | None
    path: tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class _Leg:
    """One base's way in one mode: inches (inf: none), the points to draw, its spread, and where it is blocked."""

    length_in: float
    points: Array
    sigma_in: float = 0.0
    blocked_at: Array | None = None


@dataclass(frozen=True, eq=False)
class _Terms:
    """One way to spend the total: each base's leg, and how the whole is judged."""

    mode: Mode
    allowed_in: float
    legs: tuple[_Leg, ...]
    answers: tuple[np.int8, ...]
    assault: np.int8 = NO

    @property
    def answer(self) -> np.int8:
        return min(*self.answers, np.int8(-self.assault))

    @property
    def over_in(self) -> float:
        return max(leg.length_in - self.allowed_in for leg in self.legs)


def _walked(state: State, unit: Unit, goals: _Goals) -> tuple[list[Violation], Walk]:
    pending = state.pending
    total = pending.total_in if pending is not None and pending.unit == unit.id else 0
    best: _Terms | None = None
    for terms in _all_terms(state, unit, goals, total):
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


def _all_terms(state: State, unit: Unit, goals: _Goals, total: int) -> Iterator[_Terms]:
    """The ways to spend a total, the plain one first."""
    yield _terms(state, unit, goals, "open", max(0.0, float(total)))
    if kind_of(unit).struck_as == "atg" and any(t.kind == "woods" for t in state.terrain):
        yield _terms(state, unit, goals, "edge", max(0.0, float(total - PENALTY_IN)))
    if _may_go_by_road(state, unit, goals):
        assault = NO if goals.after is None else assaults(state, goals.after)
        if assault < YES:
            yield replace(_terms(state, unit, goals, "road", max(0.0, float(total + ROAD_IN))), assault=assault)


def _may_go_by_road(state: State, unit: Unit, goals: _Goals) -> bool:
    places = [unit.bases.center] if goals.after is None else [unit.bases.center, goals.after.bases.center]
    return roads(state.terrain) is not None and bool(on_road(state.terrain, np.concatenate(places)).all())


def _terms(state: State, unit: Unit, goals: _Goals, mode: Mode, allowed_in: float) -> _Terms:
    legs = tuple(_leg(state, unit, goals, mode, i) for i in range(len(unit.bases)))
    answers = tuple(_enough(state, unit, goals, mode, allowed_in, i, leg) for i, leg in enumerate(legs))
    return _Terms(mode, allowed_in, legs, answers)


def _leg(state: State, unit: Unit, goals: _Goals, mode: Mode, i: int, ease_in: float = 0.0) -> _Leg:
    start = unit.bases.center[i]
    if goals.after is not None and not (goals.path and i == unit.unique):
        goal = goals.after.bases.center[i]
        if float(np.linalg.norm(goal - start)) <= STILL_IN:
            return _Leg(0.0, np.stack([start, goal]))
    field = ground(state, unit, float(moving_radius(unit.bases)[i]), mode, by=goals.by, ease_in=ease_in)
    if goals.by is not None:
        length, place = field.length_to_region(start, _beyond(state, goals.by))
        if place is None:
            return _Leg(math.inf, np.stack([start, _nearest(goals.by, start)]))
        found = field.path(start, place)
        points = np.stack([start, place]) if found is None else found.points
        return _Leg(length, points, _spread(state, unit, goals, i, points))
    assert goals.after is not None
    if goals.path and i == unit.unique:
        points = _told(start, goals.path, goal := goals.after.bases.center[i])
        walked = field.blocked(points)
        return _Leg(walked.length_in, points, _spread(state, unit, goals, i, points), walked.blocked_at)
    way = field.path(start, goal)
    if way is None and ease_in < HAND_IN:
        return _leg(state, unit, goals, mode, i, HAND_IN)
    if way is None:
        return _Leg(math.inf, np.stack([start, goal]))
    return _Leg(way.length_in, way.points, _spread(state, unit, goals, i, way.points))


def _told(start: Array, path: tuple[Point, ...], goal: Array) -> Array:
    """A way as told, from where the unique base stood to where it ends."""
    points = np.concatenate([start[None], np.array(path, dtype=np.float64).reshape(-1, 2), goal[None]])
    keep = np.append(True, np.linalg.norm(np.diff(points, axis=0), axis=1) > STILL_IN)
    keep[-1] = True
    kept: Array = points[keep]
    return kept


def _spread(state: State, unit: Unit, goals: _Goals, i: int, points: Array) -> float:
    """Sigma of a way's length: its ends along their first and last step, and what it bends round at every turn."""
    steps = np.diff(points, axis=0)
    size = np.linalg.norm(steps, axis=1)
    steps = steps[size > 0] / size[size > 0][:, None]
    if not len(steps):
        return 0.0
    variance = float(variance_along(unit.bases.covariance[i], steps[0]))
    if goals.after is not None:
        variance += float(variance_along(goals.after.bases.covariance[i], steps[-1]))
    bend = float(np.arccos(np.clip((steps[1:] * steps[:-1]).sum(axis=1), -1.0, 1.0)).sum()) if len(steps) > 1 else 0.0
    loose = looseness(state, unit) * bend if bend > 0 and not (goals.path and i == unit.unique) else 0.0
    return math.hypot(math.sqrt(variance), loose)


def _enough(state: State, unit: Unit, goals: _Goals, mode: Mode, allowed_in: float, i: int, leg: _Leg) -> np.int8:
    """Whether a base's way is within what it has; open where only what is surely forbidden leaves it a way."""
    answer = NO if leg.blocked_at is not None else judge_one(allowed_in - leg.length_in, leg.sigma_in)
    if answer > NO:
        return answer
    own = float(np.sqrt(np.trace(unit.bases.covariance[i])))
    ending = 0.0 if goals.after is None else float(np.sqrt(np.trace(goals.after.bases.covariance[i])))
    doubt = TOLERANCE.sureness * math.hypot(looseness(state, unit), own, ending)
    if doubt <= TOLERANCE.length_in:
        return NO
    eased = _leg(state, unit, goals, mode, i, doubt)
    if eased.blocked_at is not None or judge_one(allowed_in - eased.length_in, eased.sigma_in) == NO:
        return NO
    return OPEN


def _beyond(state: State, by: Exit) -> shapely.Geometry:
    """The ground just outside a stretch of the table's edge; its inner side is the stretch."""
    (ax, ay), (bx, by_) = by.start, by.end
    low_x, high_x, low_y, high_y = min(ax, bx), max(ax, bx), min(ay, by_), max(ay, by_)
    if high_x - low_x < high_y - low_y:
        return (
            shapely.box(low_x - 1, low_y, high_x, high_y)
            if low_x <= 0
            else shapely.box(low_x, low_y, high_x + 1, high_y)
        )
    return (
        shapely.box(low_x, low_y - 1, high_x, high_y) if low_y <= 0 else shapely.box(low_x, low_y, high_x, high_y + 1)
    )


def _nearest(by: Exit, start: Array) -> Array:
    line = shapely.linestrings([by.start, by.end])
    return np.asarray(shapely.get_coordinates(shapely.shortest_line(shapely.points(start), line))[-1])


# --- words -----------------------------------------------------------------------------------------------------------


def _walk_violations(
    state: State, unit: Unit, goals: _Goals, terms: _Terms, lengths: tuple[float, ...]
) -> Iterator[Violation]:
    for i, leg in enumerate(terms.legs):
        answer = terms.answers[i]
        if answer == YES:
            continue
        if leg.blocked_at is not None:
            yield _blocked(state, unit, i, leg, answer)
        if not math.isfinite(leg.length_in):
            yield _no_way(state, unit, goals, i, leg, answer)
        over = lengths[i] - terms.allowed_in
        if over > TOLERANCE.length_in or (answer == OPEN and math.isfinite(leg.length_in) and leg.blocked_at is None):
            yield _too_far(unit, i, leg, lengths[i], terms, answer)
    if terms.assault == OPEN and all(answer == YES for answer in terms.answers):
        limit = state.setup.rules.threat_in
        text = (
            f'{unit.id} needs the {ROAD_IN}" that a move wholly by road gains, and whether it would end within '
            f'{limit:g}" of the enemy, as an assault, is too close to call: measure it.'
        )
        numbers = {"moved_in": max(lengths), "allowed_in": terms.allowed_in, "within_in": limit}
        yield Violation("assault", text, ROADS, numbers, "too-close")


def _too_far(unit: Unit, i: int, leg: _Leg, length_in: float, terms: _Terms, answer: np.int8) -> Violation:
    over = length_in - terms.allowed_in
    why = {"open": "", "edge": f' ({PENALTY_IN}" are lost in woods)', "road": f' (by road, with {ROAD_IN}" more)'}[
        terms.mode
    ]
    least = "" if math.isfinite(leg.length_in) else "at least "
    measured = f"base {i + 1} would move {least}{_inches(length_in, leg.sigma_in)}"
    if answer == NO:
        text = f'{unit.id}: {measured}, and has {terms.allowed_in:g}"{why}: {_short(over)} too far.'
    else:
        text = f'{unit.id}: {measured} of {terms.allowed_in:g}"{why}: too close to call, so measure it.'
    numbers = {
        "base": float(i + 1),
        "moved_in": length_in,
        "allowed_in": terms.allowed_in,
        "over_in": over,
        "sigma_in": leg.sigma_in,
    }
    place = {"open": MOVES, "edge": EDGES, "road": ROADS}[terms.mode]
    return Violation("too-far", text, place, numbers, _answer(answer))


def _blocked(state: State, unit: Unit, i: int, leg: _Leg, answer: np.int8) -> Violation:
    assert leg.blocked_at is not None
    x, y = (float(v) for v in leg.blocked_at)
    radius = float(moving_radius(unit.bases)[i])
    what = in_the_way(state, unit, radius + STILL_IN, leg.blocked_at[None]) or ["the table's edge"]
    text = f"{unit.id}: the way told for its unique base enters {what[0]} at ({x:.1f}, {y:.1f})."
    if answer == OPEN:
        text = f"{unit.id}: whether the way told for its unique base enters {what[0]} is too close to call."
    return Violation("no-way", text, "Movement, Terrain", {"base": i + 1.0, "x_in": x, "y_in": y}, _answer(answer))


def _no_way(state: State, unit: Unit, goals: _Goals, i: int, leg: _Leg, answer: np.int8) -> Violation:
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
    return f'{_short(length_in)} ± {max(spread, 0.01):.2f}"' if spread > TOLERANCE.length_in else _short(length_in)


def _short(length_in: float) -> str:
    """An inch length to a hundredth, or as finely as it takes to show that it is more than nothing."""
    decimals = next((n for n in (2, 3, 4, 5) if length_in >= 10.0**-n or length_in <= 0), 6)
    return f'{length_in:.{decimals}f}"'


def _answer(answer: np.int8) -> Answer:
    return "too-close" if answer == OPEN else "no"
