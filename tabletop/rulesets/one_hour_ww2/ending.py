"""How a unit may stand at the end of its move: formation, ground, other units' bases, the table's edge, its ties.

Only what a move makes worse counts: a unit that stood badly before, as it was deployed or found, may stay or better
itself. "Between" a friend's bases is inside their convex hull.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.areas import overlap_margin
from geometry.ranges import ranges_between
from geometry.shapes import half_diagonal, half_extent, outline_sigma, polygons_of
from geometry.tolerance import NO, TOLERANCE, YES, judge, judge_one
from tabletop.game.violations import Answer, Violation
from tabletop.rulesets.one_hour_ww2.ground import hull
from tabletop.rulesets.one_hour_ww2.setup import Objective, Tie
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.rulesets.one_hour_ww2.standing import Finding, findings
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Scene, Unit
from tabletop.words import count

Array = npt.NDArray[np.float64]

UNITS, TERRAIN, PASSING = "Game Conventions, Units", "Movement, Terrain", "Movement, Interpenetration"
TURNING = "Movement, Turning"
_CODES = {"gaps": "formation", "ahead": "formation", "facing": "facing", "ground": "ground"}
HAND_IN = 0.01
"""Bases put side by side by hand, and typed to a hundredth of an inch, do not overlap by this."""
_TIES = "Scenario, units tied to an objective"
_SAME = 2e-4  # what rounding may add to a fault that stood before, in inches or degrees


@dataclass(frozen=True)
class _Fault:
    """A fault and how bad it is: ``excess`` in inches, or in degrees for facings."""

    key: tuple[str, int, str]
    violation: Violation
    excess: float


def ending_violations(state: State, before: Unit, after: Unit) -> list[Violation]:
    """What speaks against a unit's standing as ``after`` where it stood as ``before``; other units as they stand."""
    found = list(_faults(state, after))
    if not found:
        return []
    old = {fault.key: fault.excess for fault in _faults(state, before)}
    return [f.violation for f in found if f.key not in old or f.excess > old[f.key] + _SAME]


def _faults(state: State, unit: Unit) -> Iterator[_Fault]:
    scene = Scene(None, state.setup.width, state.setup.depth, (replace(unit, hits=0),), state.terrain)
    for finding in findings(Situation(scene, state.setup.rules))[0]:
        if finding.code in _CODES and finding.level != "note":
            yield _of_finding(unit, finding)
    yield from _off_table(state, unit)
    yield from _overlaps(state, unit)
    yield from _between_friends(state, unit)
    yield from _ties(state, unit)


def _of_finding(unit: Unit, finding: Finding) -> _Fault:
    code, place = _CODES[finding.code], finding.place.strip("[]")
    numbers = dict(finding.numbers) | ({} if finding.base is None else {"base": finding.base + 1})
    text = f"{unit.id}: {finding.text[:1].lower()}{finding.text[1:]}"
    answer: Answer = "no" if finding.level == "fault" else "too-close"
    where = TURNING if code == "facing" else place
    key = (finding.code, -1 if finding.base is None else finding.base, finding.feature)
    return _Fault(key, Violation(code, text, where, numbers, answer), finding.excess)


def _off_table(state: State, unit: Unit) -> Iterator[_Fault]:
    width, depth = state.setup.width, state.setup.depth
    reach = half_extent(unit.bases, np.eye(2)[:, None]).T
    over = np.maximum(reach - unit.bases.center, unit.bases.center + reach - [width, depth]).max(axis=1)
    sigma = outline_sigma(unit.bases)
    for i in np.flatnonzero(over > -3 * sigma - TOLERANCE.length_in):
        answer = judge_one(-float(over[i]), float(sigma[i]))
        if answer == YES:
            continue
        table = f"the table ({width:g}″ x {depth:g}″)"
        text = f"{unit.id}: base {i + 1} stands {over[i]:.2f}″ off {table}."
        if answer > NO:
            text = f"{unit.id}: whether base {i + 1} is wholly on {table} is too close to call."
        numbers = {"base": float(i + 1), "over_in": float(over[i])}
        yield _Fault(
            ("off-table", int(i), ""), Violation("off-table", text, UNITS, numbers, _answer(answer)), float(over[i])
        )


def _overlaps(state: State, unit: Unit) -> Iterator[_Fault]:
    """Bases that overlap enemy bases, or each other."""
    for other in state.units:
        if other.side == unit.side:
            continue
        depth, sigma = overlaps(unit.bases, other.bases)
        i, j = divmod(int(depth.argmax()), depth.shape[1])
        deepest = float(depth[i, j])
        answer = _overlap(deepest, float(sigma[i, j]))
        if answer > NO:
            what = f"base {i + 1} over a base of {other.id}, and enemy bases can't be entered"
            yield _overlap_fault(unit, "overlap", i, other.id, what, deepest, answer)
    for i in range(len(unit.bases) - 1):
        depth, sigma = overlaps(unit.bases[[i]], unit.bases[slice(i + 1, None)])
        j = int(depth[0].argmax())
        answer = _overlap(float(depth[0, j]), float(sigma[0, j]))
        if answer > NO:
            what = f"bases {i + 1} and {i + j + 2} over each other"
            yield _overlap_fault(unit, "overlap", i, unit.id, what, float(depth[0, j]), answer)


def _overlap(depth_in: float, sigma_in: float) -> np.int8:
    return np.int8(-judge_one(HAND_IN - depth_in, sigma_in)) if np.isfinite(depth_in) else NO


def _overlap_fault(unit: Unit, code: str, base: int, other: str, what: str, depth_in: float, answer: np.int8) -> _Fault:
    place = PASSING
    text = f"{unit.id} would end with {what} ({depth_in:.2f}″)."
    if answer < YES:
        text = f"Whether {unit.id} would end with {what} is too close to call."
    numbers = {"base": float(base + 1), "overlap_in": depth_in}
    return _Fault((code, base, other), Violation(code, text, place, numbers, _answer(answer)), depth_in)


def overlaps(first: Bases, second: Bases) -> tuple[Array, Array]:
    """How far bases (n,) and others (m,) overlap, inches (n, m), and sigmas; -inf where they are surely apart."""
    depth = np.full((len(first), len(second)), -np.inf)
    sigma = np.hypot(outline_sigma(first)[:, None], outline_sigma(second)[None, :])
    reach = half_diagonal(first)[:, None] + half_diagonal(second)[None, :] + 3 * sigma
    apart = np.linalg.norm(first.center[:, None] - second.center[None], axis=2)
    shapes = None
    for i, j in np.argwhere(apart <= reach):
        if first.is_round[i] and second.is_round[j]:
            depth[i, j] = (first.width[i] + second.width[j]) / 2 - apart[i, j]
            continue
        if second.is_round[j]:
            depth[i, j] = overlap_margin(second[[j]], polygons_of(first)[i])[0]
            continue
        shapes = polygons_of(second) if shapes is None else shapes
        depth[i, j] = overlap_margin(first[[i]], shapes[j])[0]
    return depth, sigma


def _between_friends(state: State, unit: Unit) -> Iterator[_Fault]:
    own = outline_sigma(unit.bases)
    middle, reach = unit.bases.center.mean(axis=0), half_diagonal(unit.bases)
    spread = float((np.linalg.norm(unit.bases.center - middle, axis=1) + reach).max())
    for friend in state.units:
        if friend.side != unit.side or friend.id == unit.id:
            continue
        between, sigma = hull(friend.bases), float(outline_sigma(friend.bases).max())
        if shapely.distance(between, shapely.points(middle)) > spread + 3 * (sigma + float(own.max())):
            continue
        depth = overlap_margin(unit.bases, between)
        answers = -judge(HAND_IN - depth, np.hypot(own, sigma))
        i = int(depth.argmax())
        if answers[i] == NO:
            continue
        bare = overlaps(unit.bases[[i]], friend.bases)[0].max() > HAND_IN
        where = f"over a base of {friend.id}" if bare else f"between the bases of {friend.id}"
        what = f"base {i + 1} {where}, which it may only pass through"
        yield _overlap_fault(unit, "interpenetration", i, friend.id, what, float(depth[i]), answers[i])


def tie_violations(state: State, unit: Unit) -> list[Violation]:
    """What speaks against a unit's standing there by its ties to objectives."""
    return [fault.violation for fault in _ties(state, unit)]


def too_few_tied(state: State) -> list[Violation]:
    """The ties that too few units keep as they stand, where any units of a side may keep them."""
    found = []
    for tie in state.setup.ties:
        side = next((plan.side for plan in state.setup.units if plan.id in tie.units), "")
        for goal in (o for o in state.setup.objectives if o.id == tie.objective):
            near = [u.id for u in state.units if u.side == side and within_tie(u, tie, goal)[0] > NO]
            if len(near) < len(tie.units):
                need = f"{count(len(tie.units), 'unit')} of {side} within {tie.within:g}″ of {goal.title}"
                numbers = {"units": float(len(near)), "needed": float(len(tie.units))}
                text = f"There must be {need}, and there {'is' if len(near) == 1 else 'are'} {len(near)}."
                found.append(Violation("tied", text, _TIES, numbers))
    return found


def ties_on(state: State, unit: Unit) -> Iterator[tuple[Tie, Objective]]:
    """The ties that a unit may not break as things stand, each with its objective.

    Where any units of a side may keep a tie (``ties_any_units``), it binds those within reach of the objective as long
    as no more of them are there than it takes.
    """
    for tie in state.setup.ties:
        goal = next((o for o in state.setup.objectives if o.id == tie.objective), None)
        if goal is None:
            continue
        if not state.setup.rules.ties_any_units:
            if unit.id in tie.units:
                yield tie, goal
            continue
        if state.step != "deploy" and unit.side in {plan.side for plan in state.setup.units if plan.id in tie.units}:
            keepers = [u.id for u in state.units if u.side == unit.side and within_tie(u, tie, goal)[0] > NO]
            if unit.id in keepers and len(keepers) <= len(tie.units):
                yield tie, goal


def within_tie(unit: Unit, tie: Tie, goal: Objective) -> tuple[np.int8, float]:
    """Whether a unit stands as near to an objective as a tie has it, and how far from it its unique base is, inches."""
    base = unit.bases[0 if unit.unique is None else unit.unique]
    away = max(0.0, -float(overlap_margin(base, shapely.polygons(goal.polygon))[0]))
    return judge_one(tie.within - away, float(outline_sigma(base)[0])), away


def _ties(state: State, unit: Unit) -> Iterator[_Fault]:
    if unit.unique is None:
        return
    for tie, goal in ties_on(state, unit):
        answer, away = within_tie(unit, tie, goal)
        if answer == YES:
            continue
        text = f"{unit.id} is tied to {goal.title} within {tie.within:g}″, and would stand {away:.2f}″ from it."
        if state.setup.rules.ties_any_units:
            need = f"{count(len(tie.units), 'unit')} of {unit.side} within {tie.within:g}″ of {goal.title}"
            text = f"There must be {need}, and without {unit.id}, {away:.2f}″ from it, there would be too few."
        if answer > NO:
            text = f"Whether {unit.id} would stand within {tie.within:g}″ of {goal.title} is too close to call."
        numbers = {"away_in": away, "allowed_in": tie.within, "over_in": away - tie.within}
        violation = Violation("tied", text, _TIES, numbers, _answer(answer))
        yield _Fault(("tied", -1, tie.objective), violation, away - tie.within)


def assaults(state: State, unit: Unit) -> np.int8:
    """Whether a unit standing there has an enemy base within the threat range of a base of its own, the limit included.

    The rules never say what an assault is; a move that ends so is taken as one (house ruling), and has no road bonus.
    """
    best, limit = NO, state.setup.rules.threat_in
    for other in state.units:
        if other.side == unit.side:
            continue
        n, m = len(unit.bases), len(other.bases)
        i, j = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
        apart = np.linalg.norm(unit.bases.center[i] - other.bases.center[j], axis=1)
        reach = half_diagonal(unit.bases)[i] + half_diagonal(other.bases)[j]
        spread = outline_sigma(unit.bases)[i] + outline_sigma(other.bases)[j]
        near = apart <= limit + reach + 3 * spread + TOLERANCE.length_in
        if near.any():
            found = ranges_between(unit.bases[i[near]], other.bases[j[near]])
            best = max(best, np.int8(judge(limit - found.value, found.sigma).max()))
    return best


def _answer(answer: np.int8) -> Answer:
    """How surely a fault stands (``answer`` is that of the fault, or of what it breaks): open is too close to call."""
    return "too-close" if answer == 0 else "no"
