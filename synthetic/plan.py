"""Random tables: the places of mats, terrain, units and clutter, before anything is painted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import shapely

from synthetic.layers import Array
from synthetic.noise import blob, ribbon, rounded_rectangle, smooth_way
from synthetic.planned import (
    UNIT_KINDS,
    Piece,
    PlannedBase,
    PlannedThing,
    PlannedUnit,
    TablePlan,
    frame_spots,
    square,
)

__all__ = ["Piece", "PlannedBase", "PlannedThing", "PlannedUnit", "TablePlan", "random_plan"]

_ROUND = (0.984, 1.26)  # 25 and 32 mm
_SIZES = ((36.0, 36.0), (36.0, 36.0), (48.0, 36.0), (48.0, 48.0), (72.0, 48.0), (44.0, 30.0), (24.0, 24.0))


def random_plan(
    rng: np.random.Generator,
    *,
    size: tuple[float, float] | None = None,
    rims: bool | None = None,
    tags: bool | None = None,
    frame: bool | None = None,
) -> TablePlan:
    """A random table; what is not stated is left to chance."""
    width, depth = size or _SIZES[int(rng.integers(len(_SIZES)))]
    with_frame = bool(rng.random() < 0.8) if frame is None else frame
    marker = float(rng.uniform(2.2, 3.2))
    kept = [square(x, y, 1.25 * marker) for x, y in frame_spots(width, depth, marker)] if with_frame else []
    pieces = _pieces(rng, width, depth, kept)
    with_rims = bool(rng.random() < 0.4) if rims is None else rims
    with_tags = bool(rng.random() < 0.45) if tags is None else tags
    units, tag_size = _units(rng, width, depth, with_tags, kept, pieces)
    return TablePlan(
        width,
        depth,
        int(rng.integers(2**31)),
        tuple(pieces),
        tuple(units),
        tuple(_things(rng, width, depth, units, pieces, kept)),
        _rims(rng) if with_rims else (),
        tag_size,
        marker,
        with_frame,
    )


# --- terrain ---------------------------------------------------------------------------------------------------------


def _pieces(rng: np.random.Generator, width: float, depth: float, kept: list[shapely.Geometry]) -> list[Piece]:
    """Hills first, then water, areas, roads and bridges, as they are painted; none of them on what is ``kept`` free."""
    if rng.random() < 0.04:
        return []
    area = width * depth / 1296.0
    out: list[Piece] = []
    rivers = [_clear_way(_river, rng, width, depth, kept)] if rng.random() < 0.5 else []
    roads = [_clear_way(_road, rng, width, depth, kept) for _ in range(int(rng.choice([0, 1, 1, 1, 2, 2, 3])))]
    if rivers and roads and rng.random() < 0.7:
        roads[0] = _cross_river(rng, width, depth, kept, rivers[0], roads[0])
    bridges = [b for road in roads for river in rivers for b in _bridges(rng, road, river)]
    inner = shapely.box(0.5, 0.5, width - 0.5, depth - 0.5)
    bridges = [b for b in bridges if inner.contains(b.shape.centroid)]
    wet = shapely.union_all([r.shape for r in rivers]) if rivers else shapely.Polygon()
    taken: list[shapely.Geometry] = [p.shape.buffer(0.4) for p in rivers] + kept
    for kind, most in (("hill", 2.4), ("town", 1.6), ("woods", 2.8), ("field", 2.0), ("marsh", 1.4)):
        for _ in range(rng.poisson(most * 0.5 * area)):
            piece = _area(rng, kind, width, depth, roads)
            clear = shapely.intersection(piece.shape, wet).area < 0.01
            if clear and not any(piece.shape.intersects(t) for t in taken):
                out.append(piece)
                taken.append(piece.shape.buffer(float(rng.uniform(0.0, 1.0))))
                if kind == "hill" and rng.random() < 0.25:
                    out.append(_area(rng, "woods", width, depth, roads, inside=piece))
    first = [p for p in out if p.kind == "hill"]
    rest = [p for p in out if p.kind != "hill"]
    return first + rivers + rest + roads + bridges


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def _way(rng: np.random.Generator, width: float, depth: float, wander: float) -> Array:
    """A smooth line from one edge of the table to another."""
    edges = rng.choice(4, 2, replace=False)

    def on(edge: int) -> Array:
        t = rng.uniform(0.12, 0.88)
        return np.array(
            [(t * width, -1.5), (width + 1.5, t * depth), (t * width, depth + 1.5), (-1.5, t * depth)][edge]
        )

    a, b = on(int(edges[0])), on(int(edges[1]))
    count = int(rng.integers(1, 5))
    along = np.linspace(0, 1, count + 2)[1:-1, None]
    across = np.array([-(b - a)[1], (b - a)[0]]) / max(1e-6, float(np.linalg.norm(b - a)))
    middle = a + along * (b - a) + rng.normal(0, wander, (count, 1)) * across
    middle = np.clip(middle, [2.0, 2.0], [width - 2.0, depth - 2.0])
    return smooth_way(np.vstack([a, middle, b]))


def _clear_way(
    make: Callable[[np.random.Generator, float, float], Piece],
    rng: np.random.Generator,
    width: float,
    depth: float,
    kept: list[shapely.Geometry],
) -> Piece:
    """A road or river that leaves free what is kept, or at the worst runs under it."""
    piece = make(rng, width, depth)
    for _ in range(5):
        if not any(piece.shape.intersects(k) for k in kept):
            break
        piece = make(rng, width, depth)
    return piece


def _cross_river(
    rng: np.random.Generator, width: float, depth: float, kept: list[shapely.Geometry], river: Piece, road: Piece
) -> Piece:
    """The road, or another in its stead that crosses the river, if one is soon found."""
    assert river.way is not None
    for _ in range(4):
        assert road.way is not None
        if shapely.LineString(road.way).crosses(shapely.LineString(river.way)):
            break
        road = _clear_way(_road, rng, width, depth, kept)
    return road


def _road(rng: np.random.Generator, width: float, depth: float) -> Piece:
    way = _way(rng, width, depth, float(rng.uniform(0, 0.12)) * min(width, depth))
    wide = float(np.clip(rng.normal(1.6, 0.45), 0.8, 3.0))
    return Piece("road", ribbon(way, wide), _seed(rng), way=way, width=wide)


def _river(rng: np.random.Generator, width: float, depth: float) -> Piece:
    way = _way(rng, width, depth, float(rng.uniform(0.02, 0.14)) * min(width, depth))
    wide = float(np.clip(rng.normal(2.1, 0.6), 1.0, 4.0))
    return Piece("river", ribbon(way, wide), _seed(rng), way=way, width=wide)


def _bridges(rng: np.random.Generator, road: Piece, river: Piece) -> list[Piece]:
    """A bridge wherever a road crosses a river, mostly."""
    assert road.way is not None and river.way is not None
    cross = shapely.intersection(shapely.LineString(road.way), shapely.LineString(river.way))
    out = []
    for point in shapely.get_parts(cross):
        if point.geom_type != "Point" or rng.random() < 0.1:
            continue
        at = np.array([point.x, point.y])
        k = int(np.argmin(np.linalg.norm(road.way - at, axis=1)))
        ahead = road.way[min(k + 1, len(road.way) - 1)] - road.way[max(k - 1, 0)]
        turn = float(np.arctan2(ahead[1], ahead[0]))
        length = river.width * float(rng.uniform(1.25, 1.8)) + 0.3
        wide = road.width * float(rng.uniform(0.95, 1.35))
        outline = rounded_rectangle((at[0], at[1]), (length, wide), turn, 0.02)
        height = float(rng.uniform(0.08, 0.6))
        out.append(
            Piece("bridge", outline, _seed(rng), width=wide, height=height, turn_rad=turn, stands=np.array([[length]]))
        )
    return out


def _area(
    rng: np.random.Generator,
    kind: str,
    width: float,
    depth: float,
    roads: list[Piece],
    inside: Piece | None = None,
) -> Piece:
    """Woods, a town, a hill, a field or a marsh somewhere on the table."""
    if inside is not None:
        middle = inside.outline.mean(axis=0)
        spread = np.abs(inside.outline - middle).max(axis=0)
        center = (float(middle[0]), float(middle[1]))
        radii = (float(spread[0] * rng.uniform(0.35, 0.6)), float(spread[1] * rng.uniform(0.35, 0.6)))
    else:
        size = float({"hill": rng.uniform(2.5, 7.5), "town": rng.uniform(2.0, 5.0)}.get(kind, rng.uniform(1.6, 5.5)))
        radii = (size, size * float(rng.uniform(0.5, 1.0)))
        center = (float(rng.uniform(0.06, 0.94) * width), float(rng.uniform(0.06, 0.94) * depth))
        if kind == "town" and roads and rng.random() < 0.7:
            way = roads[int(rng.integers(len(roads)))].way
            assert way is not None
            spot = way[int(rng.uniform(0.15, 0.85) * len(way))]
            center = (float(spot[0]), float(spot[1]))
    square = {"field": 0.5, "town": 0.35, "woods": 0.08, "marsh": 0.03, "hill": 0.03}[kind]
    turn = float(rng.uniform(0, np.pi))
    if rng.random() < square:
        corner = float(rng.uniform(0.02, 1.2))
        outline = rounded_rectangle(center, (radii[0] * 1.8, radii[1] * 1.8), turn, corner)
    else:
        outline = blob(rng, center, radii, float(rng.choice([0.0, 0.05, 0.1, 0.16])))
    if rng.random() < 0.93:
        # Most people keep their pieces on the table.
        low, high = outline.min(axis=0), outline.max(axis=0)
        shift = np.maximum(0.2 - low, 0) + np.minimum(np.array([width, depth]) - 0.2 - high, 0)
        outline = outline + shift
    height = float(rng.choice([0.4, 0.5, 0.75, 1.0, 1.0, 1.5, 2.0])) if kind == "hill" else 0.0
    levels = int(rng.choice([1, 1, 2, 2, 3])) if kind == "hill" else 1
    slope = float(rng.choice([0.06, 0.1, 0.3, 0.7, 1.2])) if kind == "hill" else 0.0
    stands = _stands(rng, kind, outline, roads) if kind in ("woods", "town") else None
    return Piece(kind, outline, _seed(rng), height=height, levels=levels, slope=slope, turn_rad=turn, stands=stands)


def _stands(rng: np.random.Generator, kind: str, outline: Array, roads: list[Piece]) -> Array:
    """Places of trees or houses inside an outline, apart from each other and off the roads."""
    shape = shapely.make_valid(shapely.Polygon(outline))
    inner = shape.buffer(-float(rng.uniform(0.2, 0.6)) if kind == "woods" else -float(rng.uniform(0.6, 1.4)))
    if inner.is_empty:
        return np.empty((0, 2))
    apart = float(rng.uniform(0.7, 1.5)) if kind == "woods" else float(rng.uniform(1.7, 2.8))
    share = float(rng.uniform(0.05, 0.75)) if kind == "woods" else float(rng.uniform(0.1, 0.8))
    most = max(1, int(share * shape.area / apart**2))
    if kind == "woods" and rng.random() < 0.06:
        most = 0
    low, high = outline.min(axis=0), outline.max(axis=0)
    tries = rng.uniform(low, high, (most * 6 + 8, 2))
    blocked = shapely.union_all([r.shape.buffer(0.5) for r in roads]) if roads else shapely.Polygon()
    out: list[Array] = []
    for place in tries[shapely.contains_xy(inner, tries[:, 0], tries[:, 1])]:
        if len(out) >= most:
            break
        if kind == "town" and shapely.contains_xy(blocked, *place):
            continue
        if all(np.linalg.norm(place - other) > apart for other in out):
            out.append(place)
    return np.array(out).reshape(-1, 2)


# --- units -----------------------------------------------------------------------------------------------------------


def _rims(rng: np.random.Generator) -> tuple[tuple[str, tuple[float, float, float]], ...]:
    """Two rim paints that differ clearly in hue."""
    paints = {
        "blue": (0.42, 0.16, 0.06),
        "red": (0.04, 0.03, 0.40),
        "green": (0.10, 0.33, 0.05),
        "yellow": (0.05, 0.50, 0.62),
        "white": (0.75, 0.75, 0.75),
        "black": (0.03, 0.03, 0.03),
        "orange": (0.03, 0.22, 0.65),
        "purple": (0.32, 0.06, 0.25),
    }
    names = ["blue", "red"] if rng.random() < 0.4 else list(rng.choice(list(paints), 2, replace=False))
    vary = rng.uniform(0.6, 1.3, (2, 3))
    return tuple(
        (side, (float(c[0]), float(c[1]), float(c[2])))
        for side, name, v in zip(("blue", "red"), names, vary, strict=True)
        for c in [np.clip(np.array(paints[name]) * v, 0.02, 0.9)]
    )


def _units(
    rng: np.random.Generator,
    width: float,
    depth: float,
    tags: bool,
    kept: list[shapely.Geometry],
    pieces: list[Piece],
) -> tuple[list[PlannedUnit], float]:
    """Two sides' units in formation, none over another or over what is ``kept`` free; many hold a piece of terrain."""
    held = [p.outline.mean(axis=0) for p in pieces if p.kind not in ("river", "road")]
    size = float(rng.choice([0.5, 0.6, 0.6, 0.75, 0.9]))
    rounds = bool(rng.random() < 0.25)
    scale = float(rng.choice([0.8, 1.0, 1.0, 1.25]))
    forms = {
        "infantry": (2.0 * scale, 1.25 * scale),
        "tank": (1.75 * scale, 2.5 * scale),
        "atg": (1.6 * scale, 1.6 * scale),
        "mortar": (1.6 * scale, 1.6 * scale),
    }
    if rng.random() < 0.4:
        # Another collection: other sizes.
        forms = {k: (float(rng.uniform(0.8, 2.6)), float(rng.uniform(0.8, 2.6))) for k in forms}
    least = min(min(form) for form in forms.values())
    widest = 0.9 * min(least, _ROUND[0] / np.sqrt(2)) if rounds else 0.9 * least  # a tag fits on its base
    size = min(size, float(np.floor(100 * widest)) / 100)
    every = bool(rng.random() < 0.3)
    thickness = float(rng.choice([0.06, 0.1, 0.12, 0.12, 0.16]))
    out: list[PlannedUnit] = []
    placed = list(kept)
    tag = 0
    for k in range(int(rng.integers(4, 17))):
        side = "blue" if k % 2 else "red"
        kind = str(rng.choice(UNIT_KINDS, p=[0.5, 0.25, 0.12, 0.13]))
        w, d = forms[kind]
        round_base = rounds and kind in ("mortar", "infantry")
        if round_base:
            w = d = float(rng.choice(_ROUND))
        count = int(rng.choice([1, 2, 3, 3, 3, 4]))
        post = held[int(rng.integers(len(held)))] if held and rng.random() < 0.4 else None
        spots = _formation(rng, count, w, d, width, depth, placed, post)
        if spots is None:
            continue
        bases = []
        lead = int(rng.integers(count))
        for i, (x, y, facing) in enumerate(spots):
            unique = i == lead
            number = None
            if tags and (unique or every):
                number, tag = tag, tag + 1
            bases.append(PlannedBase(w, d, thickness, round_base, x, y, facing, unique, number))
        rear = -max(0.0, d / 2 - size / 2 - float(rng.uniform(0.08, 0.2)))
        out.append(PlannedUnit(f"{side[0]}{k}", side, kind, tuple(bases), (0.0, rear), _seed(rng)))
    return out, size


def _formation(
    rng: np.random.Generator,
    count: int,
    w: float,
    d: float,
    width: float,
    depth: float,
    placed: list[shapely.Geometry],
    post: Array | None,
) -> list[tuple[float, float, float]] | None:
    """Places (x, y, facing) of a unit's bases, in line, column, wedge or loose, about a ``post`` (x, y) or anywhere;
    ``None`` where there is no room."""
    for _ in range(12):
        facing = (
            float(rng.choice([0.0, 90.0, 180.0, 270.0]) + rng.normal(0, 14))
            if rng.random() < 0.6
            else float(rng.uniform(0, 360))
        )
        angle = np.radians(facing)
        ahead = np.array([np.sin(angle), np.cos(angle)])
        right = np.array([np.cos(angle), -np.sin(angle)])
        gap = float(rng.choice([0.0, 0.02, 0.1, 0.4]))
        shape = str(rng.choice(["line", "line", "column", "wedge", "loose"]))
        offsets = []
        for i in range(count):
            if shape == "line":
                offsets.append(((i - (count - 1) / 2) * (w + gap), 0.0))
            elif shape == "column":
                offsets.append((0.0, (i - (count - 1) / 2) * (d + gap)))
            elif shape == "wedge":
                offsets.append(((i - (count - 1) / 2) * (w + gap) / 1.9, (d + gap) * (0.5 if i % 2 else -0.5)))
            else:
                offsets.append((float(rng.normal(0, 1.2 * w)), float(rng.normal(0, 1.2 * d))))
        center = rng.uniform([1.5, 1.5], [width - 1.5, depth - 1.5]) if post is None else post + rng.normal(0, 1.5, 2)
        spots, shapes = [], []
        for ox, oy in offsets:
            x, y = center + right * (ox + rng.normal(0, 0.03)) + ahead * (oy + rng.normal(0, 0.03))
            spots.append((float(x), float(y), float((facing + rng.normal(0, 3)) % 360)))
            turn = -np.radians(spots[-1][2])
            shapes.append(shapely.Polygon(rounded_rectangle((x, y), (w - 0.06, d - 0.06), turn, 0.01)))
        table = shapely.box(-0.8, -0.8, width + 0.8, depth + 0.8)
        inside = all(0.3 < x < width - 0.3 and 0.3 < y < depth - 0.3 for x, y, _ in spots)
        inside = inside and all(table.contains(s) for s in shapes)
        free = not any(a.intersects(b) for a in shapes for b in placed)
        apart = not any(a.intersects(b) for i, a in enumerate(shapes) for b in shapes[:i])
        if inside and free and apart:
            placed += shapes
            return spots
    return None


def _things(
    rng: np.random.Generator,
    width: float,
    depth: float,
    units: list[PlannedUnit],
    pieces: list[Piece],
    kept: list[shapely.Geometry],
) -> list[PlannedThing]:
    """Dice beside units and elsewhere, cotton, rulers, paper and cups on and round the table.

    Dice are on open ground: not on bases, under trees or in houses. Large things are clear of units and terrain.
    """
    bases = [square(b.x, b.y, max(b.width, b.depth) * 1.3) for u in units for b in u.bases]
    stood = [shapely.Point(place).buffer(1.6 if p.kind == "town" else 0.8)
             for p in pieces if p.stands is not None and p.kind in ("woods", "town") for place in p.stands]  # fmt: skip
    small = shapely.union_all([*bases, *stood, *kept, *(p.shape for p in pieces if p.kind == "bridge")])
    large = shapely.union_all([*bases, *kept, *(p.shape for p in pieces)])
    out: list[PlannedThing] = []

    def lay(what: str, spots: Array, taken: shapely.Geometry, room: float, value: int = 0) -> None:
        far = shapely.distance(shapely.points(spots), taken) > room
        others = np.array([[t.x, t.y] for t in out]).reshape(-1, 2)
        far &= np.all(np.linalg.norm(spots[:, None] - others, axis=2) > 0.9, axis=1)
        turn, seed = float(rng.uniform(0, 2 * np.pi)), _seed(rng)
        if far.any():
            x, y = spots[int(np.argmax(far))]
            out.append(PlannedThing(what, float(x), float(y), turn, seed, value))

    for _ in range(rng.poisson(3)):
        if units and rng.random() < 0.6:
            unit = units[int(rng.integers(len(units)))].bases[0]
            spots = np.array([unit.x, unit.y]) + rng.normal(0, 1.8, (12, 2))
        else:
            spots = rng.uniform(-2.5, [width + 2.5, depth + 2.5], (12, 2))
        lay("die", spots, small, 0.35, int(rng.integers(1, 7)))
    for what, mean, reach, taken, room in (
        ("cotton", 1.2, -1.0, small, -1.0),
        ("ruler", 0.5, -3.0, large, 0.7),
        ("clutter", 1.2, 6.0, large, 1.5),
    ):
        for _ in range(rng.poisson(mean)):
            lay(what, rng.uniform(-reach, [width + reach, depth + reach], (12, 2)), taken, room)
    return out
