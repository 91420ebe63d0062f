"""One-Hour WWII drawn for the after-action report: neutral shapes in table inches, each with a class."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely

from tabletop.aar.picture import (
    ABOVE,
    BELOW,
    GROUND,
    PIECES,
    Area,
    Chip,
    Item,
    Key,
    Line,
    Point,
    Tag,
)
from tabletop.aar.teller import Told
from tabletop.aar.words import opened, shortened
from tabletop.game.errors import EventError
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.setup import Shape, Standing, UnitSetup, standings_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.scene import Unit

_TERRAIN_BELOW = ("hill", "field", "marsh", "river", "woods", "town", "road", "bridge")
_ROUND_CORNERS = 20
_LEAST_ARROW_IN = 0.25
_SHORT_IN = 0.8
_ASIDE_IN = 0.22
_GAP_IN = 0.6

LEGEND = (
    Key(("move-0", "move-1"), "moved", "arrow"),
    Key(("shot-0", "shot-1"), "fired; the number is the hits", "arrow"),
    Key(("indirect-0", "indirect-1"), "observed for a mortar", "arrow"),
    Key(("by-hand",), "set right by hand", "arrow"),
    Key(("grave",), "destroyed", "cross"),
    Key(("hits",), "hits / of them permanent", "chip", "12/5"),
    Key(("dug-in",), "dug in", "chip", "D"),
    Key(("ready",), "ready", "chip", "R"),
    Key(("objective",), "objective, with its holder", "line"),
    Key(("exit",), "exit", "line"),
)


def ground(state: State) -> tuple[Item, ...]:
    """Terrain, objectives with their holders, exits."""
    items: list[Item] = []
    for piece in sorted(state.setup.terrain, key=lambda p: _TERRAIN_BELOW.index(p.kind)):
        items.append(Area(piece.polygon, f"terrain-{piece.kind}", title=f"{piece.kind} {piece.id}"))
        if piece.hill_top:
            items.append(Area(piece.hill_top, "terrain-hill", title=f"top of {piece.id}"))
    for objective in state.setup.objectives:
        items += _objective(state, objective.id)
    for way in state.setup.exits:
        items.append(Line((way.start, way.end), "exit", GROUND, title=way.title or way.id))
        middle = ((way.start[0] + way.end[0]) / 2, (way.start[1] + way.end[1]) / 2)
        items.append(Tag(middle, (Chip(shortened(way.title or way.id), "name"),), (0.1, 0.1), plain=True, size=0.8))
    return tuple(items)


def _objective(state: State, name: str) -> list[Item]:
    objective = next(o for o in state.setup.objectives if o.id == name)
    holder = dict(state.holders).get(name)
    cls = "objective-free" if holder is None else f"holder-{state.setup.sides.index(holder)}"
    title = objective.title or objective.id
    center = shapely.Polygon(objective.polygon).centroid
    x, y = (center.x, center.y)
    half = max(abs(p[0] - x) for p in objective.polygon), max(abs(p[1] - y) for p in objective.polygon)
    held = "held by nobody" if holder is None else f"held by {state.setup.side_title(holder)}"
    return [
        Area(objective.polygon, "objective", GROUND, title=f"{title}, {held}"),
        Tag((x, y), (Chip(shortened(opened(title)), cls, round=True),), half, size=0.8),
    ]


def pieces(state: State) -> tuple[Item, ...]:
    """Units on the table: their bases, their labels with hits and markers."""
    items: list[Item] = []
    for unit in state.units:
        items += _unit(state, unit)
    return tuple(items)


def _unit(state: State, unit: Unit) -> list[Item]:
    plan = _plan(state, unit.id)
    number = state.setup.sides.index(unit.side)
    at = standings_of(unit.bases)
    chips = [Chip(shortened(unit.id, 12), f"chip-{number}")]
    if unit.hits:
        chips.append(Chip(f"{unit.hits}/{unit.permanent}" if unit.permanent else str(unit.hits), "hits"))
    chips += [Chip("D", "dug-in")] if unit.dug_in else []
    chips += [Chip("R", "ready")] if unit.ready else []
    title = f"{unit.id} {plan.name or plan.kind}, {unit.hits} hits"
    return [*_bases(plan, at, f"side-{number}", f"front-{number}", title), _label(plan, at, chips)]


def _label(plan: UnitSetup, at: Sequence[Standing], chips: Sequence[Chip]) -> Tag:
    middle = (sum(s.x for s in at) / len(at), sum(s.y for s in at) / len(at))
    own = tuple(outline(s, shape) for s, shape in zip(at, plan.bases, strict=True))
    corners = [corner for ring in own for corner in ring]
    half = max(abs(x - middle[0]) for x, _ in corners), max(abs(y - middle[1]) for _, y in corners)
    return Tag(middle, tuple(chips), half, own)


def _bases(plan: UnitSetup, at: Sequence[Standing], cls: str, front: str, title: str) -> list[Item]:
    layer = BELOW if cls.startswith(("ghost", "grave")) else PIECES
    items: list[Item] = []
    for row, (standing, shape) in enumerate(zip(at, plan.bases, strict=True)):
        items.append(Area(outline(standing, shape), cls, layer, title if row == plan.unique else ""))
        if front and row == plan.unique and standing.facing is not None:
            items.append(Area(_wedge(standing, shape), front, layer))
    return items


def outline(at: Standing, shape: Shape) -> tuple[Point, ...]:
    """A base's outline on the table."""
    if shape.shape == "round":
        return tuple(
            (at.x + shape.width / 2 * math.cos(a), at.y + shape.width / 2 * math.sin(a))
            for a in (2 * math.pi * k / _ROUND_CORNERS for k in range(_ROUND_CORNERS))
        )
    half = shape.width / 2, shape.depth / 2
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(_turned(at, sx * half[0], sy * half[1]) for sx, sy in corners)


def _wedge(at: Standing, shape: Shape) -> tuple[Point, ...]:
    """A triangle that points to the front of a unit's unique base."""
    size = 0.3 * min(shape.width, shape.depth)
    return tuple(_turned(at, x * size, y * size) for x, y in ((-1.0, -0.5), (1.0, -0.5), (0.0, 1.1)))


def _turned(at: Standing, right: float, ahead: float) -> Point:
    turn = math.radians(at.facing or 0.0)
    return (
        at.x + right * math.cos(turn) + ahead * math.sin(turn),
        at.y - right * math.sin(turn) + ahead * math.cos(turn),
    )


def marks(told: Told) -> tuple[Item, ...]:
    """What an event did, drawn: the way of a move, the line of a shot, a hand that set a unit right."""
    event, before = told.event, told.before
    match event:
        case ev.Fired():
            return _shot(before, event)
        case ev.Moved():
            return _way(before, event.unit, event.at, event.path)
        case ev.Exited():
            way = next((e for e in before.setup.exits if e.id == event.exit), None)
            if way is None:
                return ()
            end = ((way.start[0] + way.end[0]) / 2, (way.start[1] + way.end[1]) / 2)
            return (*_ghost(before, event.unit), _arrow(before, event.unit, (_stood(before, event.unit), end)))
        case ev.Corrected() if event.at and before.unit(event.unit) is not None:
            there = event.at[_plan(before, event.unit).unique]
            points = (_stood(before, event.unit), (there.x, there.y))
            if math.dist(*points) < _LEAST_ARROW_IN:
                return ()
            return (Line(points, "by-hand", arrow=True),)
    return ()


def _shot(before: State, event: ev.Fired) -> tuple[Item, ...]:
    number = before.setup.sides.index(_plan(before, event.unit).side)
    cls = f"indirect-{number}" if event.observer else f"shot-{number}"
    start, end = _aside(_stood(before, event.unit), _stood(before, event.target))
    line = Line((start, end), cls, ABOVE, arrow=True, cut_in=0.5, title=f"{event.unit} at {event.target}")
    made = Chip(str(event.hits), f"made-{number}", round=True)
    return line, Tag(end, (made,), along=(start, end), size=0.85)


def _way(before: State, unit: str, at: Sequence[Standing], path: Sequence[Point]) -> tuple[Item, ...]:
    there = at[_plan(before, unit).unique]
    points = (_stood(before, unit), *[p for p in path if p != (there.x, there.y)], (there.x, there.y))
    if path and math.dist(points[0], points[1]) < 1e-6:
        points = points[1:]
    if len(points) < 2 or max(math.dist(points[0], p) for p in points) < _LEAST_ARROW_IN:
        return ()
    bases = [shapely.Polygon(outline(s, b)) for s, b in zip(at, _plan(before, unit).bases, strict=True)]
    return (*_ghost(before, unit), _arrow(before, unit, _as_far_as(points, _closed(bases))))


def _closed(bases: Sequence[shapely.Polygon]) -> shapely.Geometry:
    """The ground that a unit covers, with the gaps between its bases."""
    return shapely.union_all(bases).buffer(_GAP_IN, join_style="mitre").buffer(-_GAP_IN, join_style="mitre")


def _arrow(before: State, unit: str, points: Sequence[Point]) -> Line:
    """The arrow of a move: under the pieces, or over them where it is too short to be seen so."""
    number = before.setup.sides.index(_plan(before, unit).side)
    layer = ABOVE if shapely.LineString(points).length < _SHORT_IN else BELOW
    return Line(tuple(points), f"move-{number}", layer, arrow=True, title=f"{unit} moved")


def _as_far_as(points: Sequence[Point], bases: shapely.Geometry) -> tuple[Point, ...]:
    """A way up to where it meets the bases at its end; the whole way where little would be left of it."""
    seen = shapely.get_parts(shapely.LineString(points).difference(bases))
    outside = [part for part in seen if shapely.distance(part, shapely.Point(points[0])) < 1e-6]
    if not outside or outside[0].length < _SHORT_IN:
        return tuple(points)
    return tuple((float(x), float(y)) for x, y in outside[0].coords)


def _aside(start: Point, end: Point) -> tuple[Point, Point]:
    """A line of fire moved a little to its right, so that one and its answer are seen apart."""
    far = math.dist(start, end) or 1.0
    dx, dy = _ASIDE_IN * (end[1] - start[1]) / far, -_ASIDE_IN * (end[0] - start[0]) / far
    return (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)


def _ghost(before: State, unit: str) -> list[Item]:
    plan = _plan(before, unit)
    number = before.setup.sides.index(plan.side)
    standing = before.unit(unit)
    return [] if standing is None else _bases(plan, standings_of(standing.bases), f"ghost-{number}", "", "")


def grave(told: Told) -> tuple[Item, ...]:
    """A unit that was destroyed or taken off: its bases in grey, crossed out, with its name."""
    event, before = told.event, told.before
    if not (isinstance(event, ev.Destroyed) or (isinstance(event, ev.Corrected) and event.off)):
        return ()
    unit = before.unit(event.unit)
    if unit is None:
        return ()
    plan = _plan(before, event.unit)
    at = standings_of(unit.bases)
    own = at[plan.unique]
    size = 0.5 * max(plan.bases[plan.unique].width, plan.bases[plan.unique].depth) + 0.25
    ends = [(own.x + size * a, own.y + size * b) for a, b in ((-1, -1), (1, 1), (-1, 1), (1, -1))]
    crosses = [
        Line((start, end), cls, PIECES)
        for cls in ("cross-under", "cross")
        for start, end in ((ends[0], ends[1]), (ends[2], ends[3]))
    ]
    name = _label(plan, at, (Chip(shortened(event.unit, 12), "gone"),))
    return (*_bases(plan, at, "grave", "", f"{event.unit} destroyed"), *crosses, name)


def _plan(state: State, unit: str) -> UnitSetup:
    plan = state.setup.unit(unit)
    if plan is None:
        raise EventError(f'there is no unit "{unit}" in this game.')
    return plan


def _stood(state: State, unit: str) -> Point:
    """Where a unit's unique base stood."""
    found = state.unit(unit)
    if found is None:
        raise EventError(f'there is no unit "{unit}" on the table.')
    center = found.bases.center[found.unique or 0]
    return float(center[0]), float(center[1])
