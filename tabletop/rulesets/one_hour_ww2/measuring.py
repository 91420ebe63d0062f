"""One-Hour WWII measured: ranges from unique bases, front and rear, threat, reach, and who sees whom.

This game hides nothing, so that every viewer measures alike. Verdicts and reasons are those of its shots
(:mod:`tabletop.rulesets.one_hour_ww2.shots`), as the report has them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from geometry.shapes import polygons_of
from geometry.tolerance import YES
from tabletop.boards.data import Point
from tabletop.measuring.apart import Body, gap_between
from tabletop.measuring.asking import MeasureEnd, no_such
from tabletop.measuring.data import (
    Area,
    Measurement,
    Overlays,
    Part,
    Range,
    Reach,
    Reason,
    Ring,
    SightLine,
    both_ways,
    length_words,
    reasons_of,
)
from tabletop.measuring.errors import MeasureError
from tabletop.measuring.outlines import ahead_of, corridor, outlines_of, points_of, within
from tabletop.open_table.setup import piece_id
from tabletop.open_table.things import Thing, bases_thing, length_of, point_or_ground
from tabletop.referee.report_rows import ObserverRow, ThreatRow
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.checks import no_unit, violations
from tabletop.rulesets.one_hour_ww2.data import ranges
from tabletop.rulesets.one_hour_ww2.firing import judge_of
from tabletop.rulesets.one_hour_ww2.reaching import reach_region
from tabletop.rulesets.one_hour_ww2.shots import Judge, JudgedShot
from tabletop.rulesets.one_hour_ww2.sights import UnitSight
from tabletop.rulesets.one_hour_ww2.situation import kind_of, measuring_base
from tabletop.rulesets.one_hour_ww2.standing import threats
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.totals import modes, totals
from tabletop.tables.scene import Unit
from tabletop.words import and_list, percent

_BY_UNIQUE = Reason("The range of a unit is measured from its unique base, between nearest points.", "Fire, Ranges")
_MOVED = ("pending", "acted")


# --- one unit --------------------------------------------------------------------------------------------------------


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """All that is drawn of a unit on the table; raises MeasureError for one that is not."""
    found = _on_table(state, unit)
    if unit not in state.situation.index:
        raise MeasureError(f"{unit} has {found.hits} hits, which takes it off the table: nothing is drawn of it.")
    threatened, perhaps = threats(state.situation)
    sights = tuple(_sights(state, found))
    seen = [sight.to for sight in sights if sight.verdict == "clear"]
    return Overlays(
        unit=unit,
        side=found.side,
        says=f"{unit} sees {and_list(seen) or 'no enemy'}.",
        ranges=tuple(_rings(state, found)),
        front=_front(state, found),
        rear=_rear(state, found),
        threat=_threat(state, found),
        reach=tuple(_reaches(state, found)),
        against=tuple(_against(state, unit)),
        sights=sights,
        threatened_by=_by(threatened, unit),
        perhaps_threatened_by=_by(perhaps, unit),
    )


def _on_table(state: State, unit: str) -> Unit:
    found = state.unit(unit)
    if found is None:
        raise MeasureError(no_unit(state, unit).text)
    return found


def _by(rows: list[ThreatRow], unit: str) -> tuple[str, ...]:
    return tuple(name for row in rows if row["unit"] == unit for name in row["by"])


def _table(state: State) -> shapely.Geometry:
    return shapely.box(0.0, 0.0, state.setup.width, state.setup.depth)


def _rings(state: State, unit: Unit) -> Iterator[Ring]:
    base = polygons_of(measuring_base(unit))
    for name, inches in ranges(unit.kind, state.setup.rules):
        says = f"{name.capitalize()} range of {unit.id}: {inches:g}″ from its unique base."
        yield Ring(name, inches, "in", within(base, inches, _table(state)), says)


def _ahead(state: State, unit: Unit) -> shapely.Geometry | None:
    """The table ahead of a unit's front line; ``None`` where its facing is not known."""
    base = measuring_base(unit)
    if not math.isfinite(base.facing_sigma[0]):
        return None
    return ahead_of(base.center[0], base.right[0], base.forward[0], float(base.depth[0]) / 2, _table(state))


def _front(state: State, unit: Unit) -> Area | None:
    ahead = _ahead(state, unit)
    return None if ahead is None else Area(outlines_of(ahead), f"The front of {unit.id}: ahead of its front line.")


def _rear(state: State, unit: Unit) -> Area | None:
    ahead = _ahead(state, unit)
    if ahead is None:
        return None
    behind = outlines_of(shapely.difference(_table(state), ahead))
    return Area(behind, f"The rear of {unit.id}: behind its front line, where it is fired on from its rear.")


def _threat(state: State, unit: Unit) -> Area:
    inches = state.setup.rules.threat_in
    says = f"Within {inches:g}″ of {unit.id}: enemies with a base in here threaten it, and it threatens them."
    return Area(within(polygons_of(unit.bases), inches, _table(state)), says)


# --- reach -----------------------------------------------------------------------------------------------------------


def _reaches(state: State, unit: Unit) -> Iterator[Reach]:
    odds = totals(state, unit)
    road = ", and 4″ more by road" if "road" in modes(state, unit) else ""
    (least, least_chance), (most, most_chance) = odds[0], odds[-1]
    if state.pending is not None and state.pending.unit == unit.id:
        yield _reach(state, unit, "rolled", most, 1.0, f"{unit.id} has rolled {max(0, most)}″{road}.")
        return
    if least < most:
        said = f"With the best dice {unit.id} gets {max(0, most)}″ far ({percent(float(most_chance), 1)}){road}."
        yield _reach(state, unit, "best", most, float(most_chance), said)
    said = f"Whatever its dice show, {unit.id} gets {max(0, least)}″ far{road}."
    yield _reach(state, unit, "surely", least, 1.0 if least < most else float(least_chance), said)


def _reach(state: State, unit: Unit, name: str, total_in: int, chance: float, says: str) -> Reach:
    rings = reach_region(state, unit, float(total_in))
    areas = tuple(Part(tuple(outer), tuple(map(tuple, holes))) for outer, *holes in rings)
    return Reach(name, max(0.0, float(total_in)), "in", chance, says, areas)  # type: ignore[arg-type]


def _against(state: State, unit: str) -> Iterator[Reason]:
    """What keeps a unit from moving now; nothing where its dice lie."""
    rolled = state.pending is not None and state.pending.unit == unit
    for violation in violations(state, actions.Move(unit)):
        if not (rolled and violation.code in _MOVED):
            yield Reason(violation.text, violation.place)


# --- sights ----------------------------------------------------------------------------------------------------------


def _judge(state: State, looker: Unit, targets: list[Unit]) -> Judge:
    """A judge of one unit's sights; a mortar's friends may observe for it, so that theirs are worked out too."""
    friends = [u for u in state.situation.units if u.side == looker.side]
    lookers = friends if kind_of(looker).fires_as == "mortar" else [looker]
    return judge_of(state, [(one.id, target.id) for one in lookers for target in targets])


def _sights(state: State, unit: Unit) -> Iterator[SightLine]:
    enemies = [u for u in state.situation.units if u.side != unit.side]
    judge = _judge(state, unit, enemies)
    for enemy in enemies:
        yield _sight(judge, unit, enemy)


def _sight(judge: Judge, unit: Unit, enemy: Unit) -> SightLine:
    index = judge.situation.index
    i, j = index[unit.id], index[enemy.id]
    shot = JudgedShot(judge, i, j)
    own = judge.sights.explain(i, j)
    seen = shot.sight.found.own
    value, sigma = shot.range_in
    ranges = judge.situation.ranges
    start, end = points_of(ranges.start[[shot.row]])[0], points_of(ranges.end[[shot.row]])[0]
    outlines = [corridor(line["from"], line["to"]) for line in own.lines]
    blocked_by = tuple(seen["blocked_by"])
    observer = seen["observer"] if "observer" in seen and seen["verdict"] != "clear" else None
    return SightLine(
        from_=unit.id,
        to=enemy.id,
        verdict=seen["verdict"],
        points=(start, end),
        range=Range(value, sigma, "in", shot.band),
        says=_sight_words(shot, own) + (_observer_words(observer, enemy) if observer else ""),
        reasons=reasons_of([*shot.sight.reasons, *shot.reach.reasons, *shot.arcs.reasons]),
        outlines=tuple(outline for outline in outlines if outline is not None),
        blocked_by=blocked_by,
        blocked_at=tuple(_blocked_at(judge, own, start)) if blocked_by else (),
        observer=observer["unit"] if observer else "",
        observed=observer["verdict"] if observer else None,
    )


def _sight_words(shot: JudgedShot, own: UnitSight) -> str:
    situation, seen = shot.judge.situation, shot.sight.found.own
    names = situation.units[shot.i].id, situation.units[shot.j].id
    band = "out of reach" if shot.band == "out" else f"{shot.band} range"
    far = f"{length_words(*shot.range_in)}, {band}"
    why = [o.words for o in own.obstacles if o.answer == YES] or [o.words for o in own.obstacles]
    if seen.get("concealed_and_ready"):
        why = [*why, f"{names[1]} is concealed and Ready"]
    match seen["verdict"]:
        case "clear":
            return f"{names[0]} sees {names[1]} ({far})."
        case "blocked":
            return f"{names[0]} does not see {names[1]} ({far}): {'; '.join(why)}."
    doubt = f": {'; '.join(why)}" if why else ""
    return f"Whether {names[0]} sees {names[1]} ({far}) is too close to call{doubt}."


def _observer_words(observer: ObserverRow, enemy: Unit) -> str:
    if observer["verdict"] == "clear":
        return f" {observer['unit']} observes {enemy.id} for it."
    return f" Whether {observer['unit']} observes {enemy.id} for it is too close to call."


def _blocked_at(judge: Judge, sight: UnitSight, start: Point) -> Iterator[Point]:
    """Where each obstacle stands in the way: the middle of a base, or where the sight meets a piece of ground."""
    polygons = {t.id: shapely.polygons(t.polygon) for t in judge.situation.scene.terrain}
    lines = [line for line in sight.lines if line["verdict"] != "clear"] or list(sight.lines)
    for obstacle in sight.obstacles:
        if obstacle.at is not None:
            yield obstacle.at
            continue
        crossed = [
            shapely.intersection(shapely.convex_hull(shapely.multipoints([*line["from"], *line["to"]])), place)
            for line in lines
            if (place := polygons.get(obstacle.id)) is not None
        ]
        parts = [part for part in crossed if not shapely.is_empty(part)]
        if parts:
            touched = shapely.shortest_line(shapely.union_all(parts), shapely.points(start))
            yield points_of(shapely.get_coordinates(touched)[:1])[0]


# --- two things ------------------------------------------------------------------------------------------------------


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things on the game's own table, and the sight between two enemies' units; raises
    MeasureError."""
    a, b = _thing(state, first), _thing(state, second)
    plain = length_of(gap_between(a.body, b.body), f"{a.name} and {b.name}")
    rule = None
    sights: tuple[SightLine, ...] = ()
    one, other = state.unit(a.unit), state.unit(b.unit)
    if one is not None and other is not None and one.side != other.side:
        sights = _both_sights(state, one, other)
    if a.unit != b.unit:
        gap = gap_between(_measured_body(state, a), _measured_body(state, b))
        band = sights[0].range.band if sights else None
        rule = length_of(gap, f"{a.unit or a.name} and {b.unit or b.name}", "from the unique base", band)
    told = [plain.says, *([rule.says] if rule is not None else []), *(sight.says for sight in sights)]
    reasons = ((_BY_UNIQUE,) if rule is not None else ()) + (sights[0].reasons if sights else ())
    return Measurement(a.end, b.end, plain, rule, sights, reasons, " ".join(told))


def _both_sights(state: State, a: Unit, b: Unit) -> tuple[SightLine, ...]:
    index = state.situation.index
    if a.id not in index or b.id not in index:
        return ()
    return both_ways(_sight(_judge(state, a, [b]), a, b), _sight(_judge(state, b, [a]), b, a))


def _thing(state: State, asked: MeasureEnd) -> Thing:
    if asked.kind == "unit":
        unit = _on_table(state, asked.name)
        return bases_thing(unit.bases, unit.id)
    if asked.kind == "piece":
        return _piece(state, asked.name)
    return point_or_ground(asked, (state.setup.width, state.setup.depth), state.terrain)


def _piece(state: State, name: str) -> Thing:
    """One of a unit's bases."""
    known = {piece_id(unit.id, row): (unit, row) for unit in state.units for row in range(len(unit.bases))}
    if name not in known:
        raise no_such("base on the table", name, known)
    unit, row = known[name]
    of = f", a base of {unit.id}{' (its unique one)' if row == unit.unique else ''}"
    return bases_thing(unit.bases[[row]], unit.id, name, of)


def _measured_body(state: State, thing: Thing) -> Body:
    """The extent that the rules measure: of a unit and of each of its bases its unique base."""
    unit = state.unit(thing.unit)
    return thing.body if unit is None else Body(bases=measuring_base(unit))
