"""What a unit may reach, drawn on the table's map: nested shades, the shortest way to each named place.

The shades differ in lightness alone and have their inches written on their edges, which differ in their strokes, so
that they are told apart in print and by everybody. Terrain shows through them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import shapely

from geometry.drawing.hatching import hatch_area
from geometry.drawing.scene import (
    ABOVE,
    BELOW,
    GROUND,
    Area,
    Chip,
    Disc,
    Flat,
    Item,
    Key,
    Letters,
    Line,
    Look,
    Point,
    Sheet,
    Tag,
)
from tabletop.drawing.boards import ground_items, piece_items
from tabletop.drawing.boards import picture as drawn
from tabletop.drawing.legends import badge_keys
from tabletop.drawing.looks import PAPER, TERRAIN_LOOKS
from tabletop.rulesets.one_hour_ww2 import report_map
from tabletop.rulesets.one_hour_ww2.data import NAME
from tabletop.rulesets.one_hour_ww2.prospects_data import PlaceHope, Prospects, Region
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.words import percent

_SHADE, _EDGE = "#5b3a8c", "#33205a"
_STRENGTH = {"most": 0.14, "mean": 0.30, "least": 0.48, "total": 0.34}
_EDGES = {
    "most": Look(None, _EDGE, 1.1),
    "mean": Look(None, _EDGE, 1.5, (6.0, 3.0)),
    "least": Look(None, _EDGE, 2.2),
    "total": Look(None, _EDGE, 1.8),
}
_FROM_OUTSIDE = ("most", "mean", "least", "total")
_EMS_PER_SIDE = 38.0
_GRID_IN = 6.0
_CROSS_IN = 0.45


def picture(state: State, found: Prospects) -> Sheet:
    """The map with the regions of a unit's totals and the ways to the places that were named."""
    size = (state.setup.width, state.setup.depth)
    em = max(size) / _EMS_PER_SIDE
    seen = report_map.report_board(state)
    ground = ground_items(seen)
    land = [item for item in ground if isinstance(item, Area) and item.cls.startswith("terrain-")]
    regions = sorted(found.regions, key=lambda r: _FROM_OUTSIDE.index(r.name))
    shapes = [(region, _shape(region)) for region in regions]
    items: list[Item | Disc] = [*land, *_shades(shapes, land, size, em)]
    items += [item for item in ground if item not in land]
    items += piece_items(seen, told_by_arrows=True)
    for place in found.places:
        items += _way(found, place)
    sheet = drawn(seen, items, [*_keys(found), *report_map.LEGEND, *badge_keys(NAME)])
    head = Letters((0.0, size[1] + 1.3 * em), title(found), "ink", 1.05, "start")
    return replace(sheet, top=sheet.top + 1.4 * em, items=(*sheet.items, head), looks={**sheet.looks, **_looks()})


def title(found: Prospects) -> str:
    """The picture's title: the unit and its totals."""
    who = f"{found.unit} ({found.kind})"
    if found.rolled:
        return f"{who}: where it may go with {found.most_in}″"
    if found.least_in == found.most_in:
        return f"{who}: {found.most_in}″ whatever it rolls"
    return f"{who}: {found.least_in}″ to {found.most_in}″, {float(found.mean_in):.3g}″ on average"


def description(found: Prospects) -> str:
    """What the picture shows, for people who hear it."""
    shades = [f"{r.total_in:.3g}″" for r in found.regions]
    ways = [
        f"{p.at[0]:.4g},{p.at[1]:.4g}: {'no way' if p.length_in is None else f'{p.length_in:.1f} inches'}"
        for p in found.places
    ]
    return "; ".join(
        f"{what} {', '.join(rows)}" for what, rows in (("In reach with", shades), ("Ways to", ways)) if rows
    )


def _shape(region: Region) -> shapely.Geometry:
    return shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in region.polygons])


# --- shades ----------------------------------------------------------------------------------------------------------


def _shades(
    shapes: Sequence[tuple[Region, shapely.Geometry]], land: Sequence[Area], size: tuple[float, float], em: float
) -> Iterator[Item | Disc]:
    """The shades over the bare table, then over each piece of terrain in its own colour, and their edges on top."""
    if not shapes or shapely.is_empty(shapes[0][1]):
        return
    outer = shapes[0][1]
    for region, shape in shapes:
        yield from _areas(shape, f"reach-{region.name}")
    for line in _grid(size):
        yield from _clip(line, outer)
    for piece in land:
        kind = piece.cls.removeprefix("terrain-")
        outline = shapely.make_valid(shapely.Polygon(piece.points))
        for region, shape in shapes:
            yield from _areas(shapely.intersection(shape, outline), f"reach-{region.name}-{kind}")
        yield from _clip(Line((*piece.points, piece.points[0]), f"edge-{kind}", GROUND), outer)
        for flat in hatch_area(piece, em):
            yield from _clip(flat, outer)
    for region, shape in shapes:
        for ring in _rings(shape):
            yield Line(ring, f"contour-{region.name}", BELOW, title=f"{region.total_in:.3g}″")
        yield from _inches_tag(region, shape)


def _areas(shape: shapely.Geometry, cls: str) -> Iterator[Area]:
    """A shape as outlines without holes: what has some is cut through them."""
    for part in shapely.get_parts(shape):
        if not isinstance(part, shapely.Polygon) or part.area < 1e-6:
            continue
        if not part.interiors:
            yield Area(_points(part.exterior), cls)
            continue
        left, bottom, right, top = part.bounds
        middle = part.interiors[0].centroid.x
        for box in (shapely.box(left, bottom, middle, top), shapely.box(middle, bottom, right, top)):
            yield from _areas(part.intersection(box), cls)


def _rings(shape: shapely.Geometry) -> Iterator[tuple[Point, ...]]:
    for part in shapely.get_parts(shape):
        for ring in shapely.get_rings(part):
            points = _points(ring)
            yield (*points, points[0])


def _points(ring: shapely.LinearRing) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in ring.coords[:-1])


def _clip(flat: Flat, shape: shapely.Geometry) -> Iterator[Flat]:
    """What of the grid or of a hatching lies in a shape."""
    match flat:
        case Line():
            for part in shapely.get_parts(shapely.intersection(shapely.LineString(flat.points), shape)):
                if isinstance(part, shapely.LineString) and part.length > 0:
                    yield replace(flat, points=tuple((float(x), float(y)) for x, y in part.coords), layer=GROUND)
        case Disc():
            if shapely.contains_xy(shape, *flat.at):
                yield flat
        case Area():
            if shapely.intersects(shape, shapely.Polygon(flat.points).centroid):
                yield flat


def _grid(size: tuple[float, float]) -> Iterator[Line]:
    width, depth = size
    for k in range(1, math.ceil(width / _GRID_IN)):
        yield Line(((k * _GRID_IN, 0.0), (k * _GRID_IN, depth)), "grid-over", GROUND)
    for k in range(1, math.ceil(depth / _GRID_IN)):
        yield Line(((0.0, k * _GRID_IN), (width, k * _GRID_IN)), "grid-over", GROUND)


def _inches_tag(region: Region, shape: shapely.Geometry) -> Iterator[Tag]:
    """The inches of a region, at the edge of its largest part where that is farthest from the middle of the part."""
    parts = [part for part in shapely.get_parts(shape) if isinstance(part, shapely.Polygon)]
    if not parts:
        return
    largest = max(parts, key=lambda part: part.area)
    middle = largest.centroid
    at = max(_points(largest.exterior), key=lambda p: math.dist(p, (middle.x, middle.y)))
    yield Tag(at, (Chip(f"{region.total_in:.3g}″", "contour-chip"),), size=0.8)


# --- ways ----------------------------------------------------------------------------------------------------------


def _way(found: Prospects, place: PlaceHope) -> Iterator[Item | Disc]:
    """The shortest way to a place with its inches, or a cross where there is none."""
    x, y = place.at
    name = Chip(f"{x:.4g},{y:.4g}", "place-name")
    if place.length_in is None:
        for cls in ("cross-under", "cross"):
            for sign in (1, -1):
                arm = ((x - _CROSS_IN, y - sign * _CROSS_IN), (x + _CROSS_IN, y + sign * _CROSS_IN))
                yield Line(arm, cls, ABOVE)
        yield Tag(place.at, (name, Chip("no way", "place-way")), (_CROSS_IN, _CROSS_IN))
        return
    cls = "way" if place.hope.chance else "far-way"
    if place.length_in > 0:
        yield Line(place.way, "way-under", ABOVE)
        yield Line(place.way, cls, ABOVE, arrow=True, title=f"shortest way to {x:.4g},{y:.4g}")
    chips = [name, Chip(f"{place.length_in:.1f}″", "place-way")]
    if found.rolled:
        chips.append(Chip("yes" if place.hope.chance else "no", "place-way"))
    else:
        chips.append(Chip(percent(place.hope.chance), "place-way"))
    yield Tag(place.at, tuple(chips), (0.3, 0.3))


def _keys(found: Prospects) -> Iterator[Key]:
    words = {"least": "whatever it rolls", "mean": "with the mean", "most": "with the best roll", "total": "in reach"}
    for region in found.regions:
        yield Key((f"reach-{region.name}",), f"{words[region.name]}, {region.total_in:.3g}″")
    yield Key(("way",), "shortest way of the unique base's centre", "arrow")
    yield Key(("far-way",), "too long", "arrow")
    yield Key(("grid-over",), "6″ grid", "line")


# --- looks -----------------------------------------------------------------------------------------------------------


def _looks() -> dict[str, Look]:
    looks = {
        "grid-over": Look(stroke="#8f86a3", width=0.5),
        "contour-chip": Look("#ffffff", _EDGE, 0.9, ink=_EDGE),
        "way-under": Look(stroke="#ffffff", width=5.5),
        "way": Look(None, "#1b1b1b", 2.4),
        "way-head": Look("#1b1b1b", "#ffffff", 0.8),
        "far-way": Look(None, "#1b1b1b", 2.4, (2.5, 4.0)),
        "far-way-head": Look("#ffffff", "#1b1b1b", 1.2),
        "place-name": Look("#1b1b1b", "#ffffff", 0.8, ink="#ffffff"),
        "place-way": Look("#ffffff", "#1b1b1b", 1.0),
    }
    for name, strength in _STRENGTH.items():
        bare = _mix(PAPER, strength)
        looks[f"reach-{name}"] = Look(bare, bare, 0.5)
        looks[f"contour-{name}"] = _EDGES[name]
        for kind, look in TERRAIN_LOOKS.items():
            fill = _mix(look.fill or PAPER, strength)
            looks[f"reach-{name}-{kind}"] = Look(fill, fill, 0.5)
    for kind, look in TERRAIN_LOOKS.items():
        looks[f"edge-{kind}"] = Look(None, look.stroke, look.width)
    return looks


def _mix(color: str, strength: float) -> str:
    """A colour with so much of the shade over it.

    >>> _mix("#ffffff", 0.0), _mix("#000000", 1.0)
    ('#ffffff', '#5b3a8c')
    """
    pairs = [(int(color[k : k + 2], 16), int(_SHADE[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * strength):02x}" for a, b in pairs)
