"""The withdrawal after a lost close combat: how far each stand has gone, and what keeps the combat from being settled.

The rules that survive say four dice [Combat resolution] and not by which way: the way is the shortest one on the table
round the stands of the enemy, for a disc of half the stand's narrower side; by those that it starts or ends beside it
only may not go through. Who comes to the table's edge need go no farther.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from geometry.paths import Ground
from geometry.shapes import half_least, polygons_of
from geometry.tolerance import TOLERANCE, judge_one
from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain import combat
from tabletop.rulesets.combat_captain.control import overlaps
from tabletop.rulesets.combat_captain.data import NO, OPEN, YES
from tabletop.rulesets.combat_captain.events import Place
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import NUDGE_IN, Stand, State, with_place
from tabletop.words import inches

_CLEAR_IN = 0.5
"""How far who throws nothing is put out of contact."""
_TURNS_DEG = (0, 15, -15, 30, -30, 45, -45, 60, -60, 90, -90, 120, -120, 150, -150, 180)


def withdrawal_violations(state: State) -> Iterator[Violation]:
    """What keeps a close combat from being settled: a loser who touches the winner still, or has not gone as far as it
    threw; what is too close to call is asked."""
    fight = state.combat
    if fight is None or not fight.fled or not state.setup.rules.withdrawals_judged:
        return
    touch, gap, _ = combat.contact(state, fight.winner, fight.loser)
    if touch > NO:
        how = f"still touches {fight.winner}" if touch == YES else f"may still touch {fight.winner}: look, and say"
        text = f"{fight.loser} {how}; the nearest stands are {gap:.2f}″ apart. Put it where it withdrew to."
        found = "no" if touch == YES else "too-close"
        yield Violation("touching", text, combat.PLACE, {"gap_in": round(gap, 3)}, found)  # type: ignore[arg-type]
    short = {stand.id: went for stand in _withdrawn(state) if (went := _went(state, stand))[0] < YES}
    if short:
        name = min(short, key=lambda each: short[each][1])
        sure, way = min(answer for answer, _ in short.values()), short[name][1]
        others = f" {len(short) - 1} more are too near." if len(short) > 1 else ""
        text = (
            f"{fight.loser} is to withdraw {fight.inches}″: {name} stands {inches(way, [fight.inches])} by the shortest"
            f" way from where it fought.{others}"
        )
        if sure == OPEN:
            text = f"Whether {name} went the {fight.inches}″ that {fight.loser} is to withdraw is too close to call."
        numbers = {"went_in": round(way, 3), "withdraws_in": float(fight.inches)}
        found = "no" if sure == NO else "too-close"
        yield Violation("too-near", text, combat.PLACE, numbers, found)  # type: ignore[arg-type]


def places_back(state: State) -> tuple[Place, ...]:
    """Places for a loser that is still to withdraw, in the formation that it has: straight away from the winner, else
    as near to that as it may; none where none of those do or nothing is to be done."""
    fight = state.combat
    if fight is None or not any(withdrawal_violations(state)):
        return ()
    start = dict(fight.fled)
    stands = [stand for stand in _withdrawn(state) if stand.id in start]
    winners = [stand.at for stand in state.members(fight.winner, on_table=True) if stand.at is not None]
    if not stands or not winners:
        return ()
    middle = [sum(getattr(start[stand.id], axis) for stand in stands) / len(stands) for axis in ("x", "y")]
    enemy = [sum(getattr(at, axis) for at in winners) / len(winners) for axis in ("x", "y")]
    away = math.atan2(middle[0] - enemy[0], middle[1] - enemy[1])
    spread = max(sum(start[stand.id].covariance[::2]) for stand in stands)
    reach = max(float(fight.inches), _CLEAR_IN) + TOLERANCE.sureness * math.sqrt(spread)
    for turn in _TURNS_DEG:
        heading = away + math.radians(turn)
        step = reach * math.sin(heading), reach * math.cos(heading)
        found = tuple(_moved(state, stand, start[stand.id], step) for stand in stands)
        after = state
        for place in found:
            after = with_place(after, place.sub, place.at)
        if not any(withdrawal_violations(after)) and not overlaps(after, tuple(place.sub for place in found)):
            return found
    return ()


def _withdrawn(state: State) -> tuple[Stand, ...]:
    assert state.combat is not None
    return state.members(state.combat.loser, on_table=True)


def _moved(state: State, stand: Stand, start: Standing, step: tuple[float, float]) -> Place:
    """A stand so far from where it fought, or at the table's edge."""
    half = math.hypot(stand.plan.base.width, stand.plan.base.depth) / 2
    x = min(max(start.x + step[0], half), state.setup.width - half)
    y = min(max(start.y + step[1], half), state.setup.depth - half)
    return Place(stand.id, Standing(round(x, 4), round(y, 4), start.facing))


def _went(state: State, stand: Stand) -> tuple[int, float]:
    """Whether a stand of the loser has gone as far as it is to, and how far it is by the shortest way, in inches."""
    fight, field = state.combat, state.field
    assert fight is not None and stand.at is not None
    start = next((at for name, at in fight.fled if name == stand.id), None)
    if start is None:
        return YES, 0.0
    width, depth = state.setup.width, state.setup.depth
    x0, y0, x1, y1 = shapely.bounds(polygons_of(field.bases[[field.index[stand.id]]])[0])
    straight = math.hypot(stand.at.x - start.x, stand.at.y - start.y)
    if min(x0, y0, width - x1, depth - y1) <= NUDGE_IN and straight > NUDGE_IN:
        return YES, straight
    spread = math.sqrt(sum(at.covariance[0] + at.covariance[2] for at in (stand.at, start)) / 2)
    if judge_one(straight + NUDGE_IN - fight.inches, spread) == YES:
        return YES, straight  # no way is shorter, and the search for one round the stands takes long
    radius = float(half_least(field.bases[[field.index[stand.id]]])[0])
    near = shapely.multipoints([(start.x, start.y), (stand.at.x, stand.at.y)])
    enemies = [n for n in field.ids if state.setup.side_of(n) != state.setup.side_of(stand.id)]
    bodies = list(polygons_of(field.bases[[field.index[name] for name in enemies]])) if enemies else []
    close = [bool(shapely.dwithin(body, near, radius + state.setup.rules.contact_in)) for body in bodies]
    ground = Ground.of(
        (0.0, 0.0, width, depth),
        (),
        radius,
        hard=[body for body, is_close in zip(bodies, close, strict=True) if not is_close],
        plain=[body for body, is_close in zip(bodies, close, strict=True) if is_close],
    )
    way = straight
    ends = (start.x, start.y), (stand.at.x, stand.at.y)
    if ground.walk(ends).blocked_at is not None:
        enough = fight.inches + NUDGE_IN + TOLERANCE.sureness * spread
        found = ground.near(ends[0], enough).length(*ends)
        way = found if math.isfinite(found) else straight
    return int(judge_one(way + NUDGE_IN - fight.inches, spread)), way
