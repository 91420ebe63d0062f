"""Combat Captain measured: weapon ranges, sights with their reasons, control radius, distances as the rules take them.

This game hides nothing, so that every viewer measures alike. Reach is not told: how far anything moves is not in the
surviving pages.
"""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.boards.data import Point
from tabletop.measuring.apart import Gap, gap_between
from tabletop.measuring.asking import MeasureEnd, no_such
from tabletop.measuring.data import (
    Area,
    Length,
    Measurement,
    Overlays,
    Range,
    Reason,
    Ring,
    SightLine,
    Verdict,
    both_ways,
    length_words,
)
from tabletop.measuring.errors import MeasureError
from tabletop.measuring.outlines import points_of, within
from tabletop.open_table.things import Thing, bases_thing, length_of, point_or_ground
from tabletop.rulesets.combat_captain.aiming import RANGES, aim, weapon_words
from tabletop.rulesets.combat_captain.control import PLACE as CONTROL
from tabletop.rulesets.combat_captain.control import Finding, findings
from tabletop.rulesets.combat_captain.data import NO, OPEN, YES
from tabletop.rulesets.combat_captain.field import SIGHT
from tabletop.rulesets.combat_captain.refusals import no_sub_unit
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.words import and_list, capital

_FROM_CENTRE = Reason("Fire is measured from the sub-unit's centre to the nearest point of the enemy stand.", RANGES)
_VERDICTS: dict[int, Verdict] = {YES: "clear", OPEN: "too-close", NO: "blocked"}


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """All that is drawn of a sub-unit on the table; raises MeasureError for one that is not."""
    stand = _on_table(state, unit)
    sights = tuple(_sights(state, stand))
    seen = [sight.to for sight in sights if sight.verdict == "clear"]
    company = state.company(unit)
    told = [f"{unit} sees {and_list(seen) or 'no enemy'}."]
    told += [found.words for found in findings(state, company.id) if unit in found.subs]
    return Overlays(
        unit=unit,
        side=company.side,
        says=" ".join(told),
        ranges=tuple(_rings(state, stand)),
        threat=_control(state, company.id),
        sights=sights,
    )


def _on_table(state: State, unit: str) -> Stand:
    stand = state.stands.get(unit)
    if stand is None or stand.at is None:
        raise MeasureError(no_sub_unit(state, unit).text)
    return stand


def _table(state: State) -> shapely.Geometry:
    return shapely.box(0.0, 0.0, state.setup.width, state.setup.depth)


def _rings(state: State, stand: Stand) -> Iterator[Ring]:
    center = shapely.points(state.field.bases.center[[state.field.index[stand.id]]])
    several = len(stand.plan.weapons) > 1
    for weapon in stand.plan.weapons:
        for band, inches in weapon.limits:
            name = f"{band} ({weapon_words(weapon)})" if several else band
            says = f"{capital(band)} range of {stand.id}'s {weapon_words(weapon)}: {inches:g}″ from its centre."
            yield Ring(name, inches, "in", within(center, inches, _table(state)), says)


def _control(state: State, company: str) -> Area | None:
    """The ground that a company's leader controls."""
    leader = state.leaders[company]
    if leader not in state.field.index:
        return None
    radius = state.setup.by_id[company].radius_in
    center = shapely.points(state.field.bases.center[[state.field.index[leader]]])
    says = f"{leader} controls {company} within {radius:g}″; who stands outside is isolated [{CONTROL}]."
    return Area(within(center, radius, _table(state)), says)


# --- sights ----------------------------------------------------------------------------------------------------------


def _sights(state: State, stand: Stand) -> Iterator[SightLine]:
    own = state.setup.side_of(stand.id)
    for other in state.stands.values():
        if other.at is not None and state.setup.side_of(other.id) != own:
            yield sight_of(state, stand, other)


def sight_of(state: State, stand: Stand, other: Stand) -> SightLine:
    """The sight of a sub-unit to an enemy stand, and the range of its first weapon."""
    field, names = state.field, (stand.id, other.id)
    verdict = _VERDICTS[field.sees(*names)]
    value, sigma = field.range_in(*names)
    band = _band(state, stand, other)
    obstacles = field.obstacles(*names) if verdict != "clear" else ()
    why = [obstacle.words for obstacle in obstacles]
    far = f"{length_words(value, sigma)}{f', {_band_words(band)}' if band else ''}"
    says = {
        "clear": f"{stand.id} sees {other.id} ({far}).",
        "blocked": f"{stand.id} does not see {other.id} ({far}): {'; '.join(why)}.",
        "too-close": f"Whether {stand.id} sees {other.id} ({far}) is too close to call: {'; '.join(why)}.",
    }[verdict]
    reasons = (Reason(f"Range {length_words(value, sigma)}.", RANGES), *(Reason(f"{capital(w)}.", SIGHT) for w in why))
    places = {feature.id: feature.shape for feature in field.features}
    start, end = (field.bases.center[field.index[name]] for name in names)
    line = shapely.linestrings([start, end])
    blocked_at: list[Point] = []
    for obstacle in obstacles:
        if obstacle.at is not None:
            blocked_at.append(obstacle.at)
        elif obstacle.id in places:
            met = shapely.intersection(line, places[obstacle.id])
            if not shapely.is_empty(met):
                near = shapely.shortest_line(met, shapely.points(start))
                blocked_at.append(points_of(shapely.get_coordinates(near)[:1])[0])
    return SightLine(
        from_=stand.id,
        to=other.id,
        verdict=verdict,
        points=(points_of(start[None])[0], points_of(end[None])[0]),
        range=Range(value, sigma, "in", band),
        says=says,
        reasons=reasons,
        blocked_by=tuple(obstacle.id for obstacle in obstacles),
        blocked_at=tuple(blocked_at),
    )


def _band(state: State, stand: Stand, other: Stand) -> str | None:
    if not stand.plan.weapons:
        return None
    bands = aim(state, stand, stand.plan.weapons[0], other).bands
    return bands[0] if len(bands) == 1 else " or ".join(bands)


def _band_words(band: str) -> str:
    return "out of reach" if band == "out" else f"{band} range"


# --- two things ------------------------------------------------------------------------------------------------------


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things on the game's own table; of enemies also the range of fire and the sight, of a
    company's own the leader's control. Raises MeasureError."""
    a, b = _thing(state, first), _thing(state, second)
    plain = length_of(gap_between(a.body, b.body), f"{a.name} and {b.name}")
    told = [plain.says]
    reasons: tuple[Reason, ...] = ()
    rule: Length | None = None
    sights: tuple[SightLine, ...] = ()
    if a.unit and b.unit:
        one, other = state.stands[a.unit], state.stands[b.unit]
        if state.setup.side_of(one.id) != state.setup.side_of(other.id):
            value, sigma = state.field.range_in(one.id, other.id)
            start, end = state.field.line(one.id, other.id)
            rule = length_of(Gap(value, sigma, start, end), f"{one.id} and {other.id}", "from its centre")
            sights = both_ways(sight_of(state, one, other), sight_of(state, other, one))
            reasons = (_FROM_CENTRE, *sights[0].reasons)
            told += [rule.says, *(sight.says for sight in sights)]
        else:
            told += [found.words for found in _order(state, one, other)]
    return Measurement(a.end, b.end, plain, rule, sights, reasons, " ".join(told))


def _order(state: State, one: Stand, other: Stand) -> Iterator[Finding]:
    company = state.company(one.id)
    if state.company(other.id).id == company.id:
        yield from (found for found in findings(state, company.id) if {one.id, other.id} & set(found.subs))


def _thing(state: State, asked: MeasureEnd) -> Thing:
    if asked.kind not in ("unit", "piece"):
        return point_or_ground(asked, (state.setup.width, state.setup.depth), state.setup.features)
    if asked.name not in state.setup.plans:
        raise no_such("sub-unit", asked.name, state.setup.plans)
    stand = _on_table(state, asked.name)
    return bases_thing(state.field.bases[[state.field.index[stand.id]]], stand.id)
