"""The foot of a piece of terrain from a line that a player draws: around it, along it, or around everything visible.

A line around the foot, moved in by the player's usual margin, is at least as exact as any cut by colour. So the line
decides; colours only say how far out the whole line runs, and a tap inside or outside, or a redrawn part, corrects it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely
from shapely import affinity

from calibration import TableView
from vision.imaging.rectify import MapScale
from vision.model.drawing_margin import AT_TAP_SIGMA, USUAL_MARGIN, DrawingMargin, margin_at_tap
from vision.model.expected import Outline
from vision.terrain.finger_colours import LineColourConfig, margin_evidence
from vision.terrain.pieces import TerrainError
from vision.terrain.taps import DrawnLine, Fix
from vision.terrain.tracing import (
    Array,
    TraceConfig,
    distances_along,
    largest,
    on_table,
    rectangle,
    resample_line,
    simplify_line,
    smoothed_ring,
    tidy,
)

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class FingerConfig:
    """Lengths are shares of the piece's size. ``drawn_points``: a line of as many is drawn by a finger and smoothed by
    ``smooth``, one of fewer has corners that were chosen; ``most_moved``: the line moves in by no more than this share
    of the radius of the largest circle in it, so that thin walls stay; ``least_tap``, ``past_tap``: a correcting tap
    moves the outline by a disc of this radius, and of this many times the tap's depth; ``smooth_tap``: the outline is
    smoothed by this after it;
    ``edge_sigma``, ``fixed_sigma``: how far (one standard deviation) the outline is from the foot's edge, without
    corrections and with; ``along_sigma_in``: the same, in inches, of a line along a wall; ``least_lean``: how far the
    top of a thing as high as the piece is wide must be from its foot in the photo, in shares of the size, for one side
    to be the one behind; ``most_crossed``: a line with a second largest loop of more than this share of the largest
    one's area crosses itself (a finger that overlaps its beginning makes a small one); ``least_on_table``: so much of
    the foot's area is on the table."""

    drawn_points: int = 16
    smooth: float = 0.08
    most_moved: float = 0.4
    least_tap: float = 0.05
    past_tap: float = 1.6
    smooth_tap: float = 0.04
    edge_sigma: float = 0.06
    fixed_sigma: float = 0.045
    along_sigma_in: float = 0.15
    least_lean: float = 0.25
    most_crossed: float = 0.15
    least_on_table: float = 0.5
    colours: LineColourConfig = field(default_factory=LineColourConfig)


@dataclass(frozen=True, eq=False)
class FootOutline:
    """A foot's ``outline`` in table inches and how far (one standard deviation) its edge may be from it; ``margin``:
    how far out the line was drawn, by its corrections, in shares of the piece's size (``None``: no tap corrected
    it)."""

    outline: Outline
    sigma_in: float
    margin: float | None = None


def size_of(ring: npt.ArrayLike) -> float:
    """The size of a piece by a line (n, 2) around it: half the diagonal of the box about it, in the line's own unit.

    >>> size_of([(0, 0), (6, 0), (6, 8), (0, 8)])
    5.0
    """
    return 0.5 * float(np.hypot(*np.ptp(np.asarray(ring, np.float64), axis=0)))


def foot_outline(
    line: DrawnLine,
    table_size_in: tuple[float, float],
    view: TableView | None = None,
    image: Image | None = None,
    margin: DrawingMargin = USUAL_MARGIN,
    config: FingerConfig | None = None,
) -> FootOutline:
    """The foot that a player's line means, on the table.

    ``view``: the photo's camera, which a line in pixels needs; ``image``: that upright BGR photo, for the colours;
    ``margin``: the player's. Raises TerrainError if the line encloses nothing, is off the table, or needs something
    that the photo can't show.
    """
    config = config or FingerConfig()
    points = np.asarray(line.points, np.float64)
    if view is None and line.in_pixels:
        raise TerrainError(f"{line.says} is in pixels, and the photo's camera is unknown: draw it in inches.")
    scale = MapScale(*table_size_in, px_per_inch=1.0)
    if line.width_in is not None:
        way = points if view is None or not line.in_pixels else _table_points(points, view, line)
        return _along(way, line, scale, config)
    if len(points) < 3:
        raise TerrainError(f"{line.says} has {len(points)} points: draw around the piece's foot with three or more.")
    # a finger's errors are in the photo, where it draws
    on_photo = points if view is None or line.in_pixels else view.pixel_from_table(_on_ground(points))
    fixes = [replace(fix, at=_photo_place(fix.at, view, line)) for fix in line.fixes]
    up = np.zeros(2) if view is None else _up(on_photo, view, config)
    if _crosses(on_photo, config):
        raise TerrainError(f"{line.says} crosses itself: draw once around one piece.")
    whole = foot_on_photo(on_photo, fixes, None if view is None else image, up, margin, config)
    if whole is None:
        raise TerrainError(f"{line.says} encloses nothing: draw around the piece's foot once.")
    shape, seen_margin = whole
    for part in line.redrawn:
        again = np.array([_photo_place(place, view, line) for place in part])
        shape = redraw(shape, again)
    ring = shapely.get_coordinates(shape.exterior)[:-1]
    on_ground = ring if view is None else _table_points(ring, view, line)
    foot = largest(shapely.make_valid(shapely.Polygon(on_ground)))
    if foot is not None and line.is_rectangle:
        foot = rectangle(on_ground)
    if foot is not None and line.all_visible:
        foot = _cut_to_foot(foot, line, view)
    outline = None if foot is None else on_table(_simple(foot, line), scale)
    if foot is None or outline is None:
        raise TerrainError(f"{line.says} is off the table: draw around a piece that is on it.")
    if shapely.Polygon(outline).area < config.least_on_table * foot.area:
        raise TerrainError(f"{line.says} leaves the table: draw around the part that is on it.")
    sigma = config.fixed_sigma if line.fixes or line.redrawn else config.edge_sigma
    return FootOutline(outline, round(sigma * size_of(shapely.get_coordinates(foot.exterior)), 4), seen_margin)


def foot_on_photo(
    points: Array,
    fixes: tuple[Fix, ...] | list[Fix] = (),
    image: Image | None = None,
    up: npt.ArrayLike = (0.0, -1.0),
    margin: DrawingMargin = USUAL_MARGIN,
    config: FingerConfig | None = None,
) -> tuple[shapely.Polygon, float | None] | None:
    """The foot in the unit of a line around it (n, 2), usually pixels of the photo, and the margin of the line by the
    taps (``None`` without); nothing where the line encloses nothing.

    ``fixes``: correcting taps in the same unit; ``up``: which way things rise in the upright BGR ``image``, (0, 0)
    where it was taken from straight above. A tap says how far out the whole line runs, and moves the outline past it
    where that is not enough.
    """
    config = config or FingerConfig()
    drawn = largest(shapely.make_valid(shapely.Polygon(points))) if len(points) >= 3 else None
    if drawn is None:
        return None
    drawn = shapely.orient_polygons(drawn)
    size = size_of(points)
    ring = resample_line(
        shapely.get_coordinates(drawn.exterior)[:-1], drawn.length / config.colours.points, is_ring=True
    )
    calm = smoothed_ring(ring, config.smooth * size)
    if len(points) >= config.drawn_points:
        drawn = largest(shapely.make_valid(shapely.Polygon(calm))) or drawn
    depths = [_depth(drawn, fix.at) / size for fix in fixes]
    by_taps = float(np.mean([margin_at_tap(depth) for depth in depths])) if depths else None
    out = _margin_of(calm, image, size, np.asarray(up, np.float64), margin, by_taps, config)
    round_in = float(shapely.length(shapely.maximum_inscribed_circle(drawn)))
    foot = largest(drawn.buffer(-min(out * size, config.most_moved * round_in))) or drawn
    for fix in fixes:
        if foot.contains(shapely.Point(*fix.at)) != fix.inside:
            foot = _moved_past(foot, fix, size, config)
    return foot, by_taps


def _crosses(points: Array, config: FingerConfig) -> bool:
    """Whether a closed line (n, 2) makes loops beside each other, as an eight does."""
    loops = shapely.get_parts(shapely.polygonize([shapely.node(shapely.linearrings(points))]))
    areas = sorted((float(loop.area) for loop in loops), reverse=True)
    return len(areas) > 1 and areas[1] > config.most_crossed * areas[0]


def _margin_of(
    ring: Array,
    image: Image | None,
    size: float,
    up: Array,
    margin: DrawingMargin,
    by_taps: float | None,
    config: FingerConfig,
) -> float:
    """The margin of one line: the mean of what the player's habit, the colours and the taps make likely."""
    margins = np.arange(0.0, 0.3, 0.01)
    log = -0.5 * ((margins - margin.mean) / margin.spread) ** 2
    if by_taps is not None:
        log -= 0.5 * ((margins - by_taps) / AT_TAP_SIGMA) ** 2
    if image is not None:
        way = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        turn = 1.0 if shapely.is_ccw(shapely.linearrings(ring)) else -1.0
        outward = turn * np.stack([way[:, 1], -way[:, 0]], axis=1)
        log += margin_evidence(image, ring, outward, size, margins, up, config.colours)
    chance = np.exp(log - log.max())
    return float(chance @ margins / chance.sum())


def _depth(shape: shapely.Polygon, at: tuple[float, float]) -> float:
    """How far inside a shape's edge a place is, negative outside."""
    place = shapely.Point(*at)
    away = float(shape.exterior.distance(place))
    return away if shape.contains(place) else -away


def _moved_past(foot: shapely.Polygon, fix: Fix, size: float, config: FingerConfig) -> shapely.Polygon:
    radius = max(config.least_tap * size, config.past_tap * abs(_depth(foot, fix.at)))
    disc = shapely.Point(*fix.at).buffer(radius)
    moved = largest(foot.union(disc) if fix.inside else foot.difference(disc))
    if moved is None:
        return foot
    ring = resample_line(shapely.get_coordinates(moved.exterior)[:-1], moved.length / 128, is_ring=True)
    return largest(shapely.make_valid(shapely.Polygon(smoothed_ring(ring, config.smooth_tap * size)))) or moved


def redraw(foot: shapely.Polygon, part: Array) -> shapely.Polygon:
    """An outline with a part of it drawn again (n, 2): the part joins it where its ends are nearest, in place of the
    nearer of the two ways between."""
    ring = shapely.get_coordinates(shapely.orient_polygons(foot).exterior)
    along = distances_along(ring)
    edge = shapely.LineString(ring)
    ends = [float(edge.project(shapely.Point(*place))) for place in (part[0], part[-1])]
    found = []
    for first, last, middle in ((ends[0], ends[1], part), (ends[1], ends[0], part[::-1])):
        # the way of the outline that is kept, from the end of the new part round to its beginning
        kept = _way(ring, along, last, first)
        dropped = shapely.LineString(_way(ring, along, first, last))
        away = float(np.mean([dropped.distance(shapely.Point(*place)) for place in middle]))
        shape = largest(shapely.make_valid(shapely.Polygon(np.vstack([kept, middle]))))
        if shape is not None:
            found.append((away + 0.05 * dropped.length, shape))
    return min(found, key=lambda one: one[0])[1] if found else foot


def _way(ring: Array, along: Array, first: float, last: float) -> Array:
    """The points of a closed ring from one distance along it forward to another."""
    if last <= first:
        last += along[-1]
    far = np.concatenate([along[:-1], along + along[-1]])
    twice = np.vstack([ring[:-1], ring])
    ends = np.stack([np.interp([first, last], far, twice[:, k]) for k in (0, 1)], axis=1)
    between = twice[(far > first) & (far < last)]
    return np.vstack([ends[:1], between, ends[1:]])


def _along(way: Array, line: DrawnLine, scale: MapScale, config: FingerConfig) -> FootOutline:
    """A strip of the stated width along a line (n, 2) in inches."""
    width = line.width_in or 0.0
    if len(way) < 2 or distances_along(way)[-1] < 0.1:
        raise TerrainError(f"{line.says} has no length: draw it from one end of the piece to the other.")
    straight = simplify_line(way, 0.5 * width, is_ring=False) if len(way) > 2 else way
    middle = shapely.LineString(straight)
    band = middle.buffer(width / 2, cap_style="flat", join_style="mitre")
    if not middle.is_simple or shapely.get_num_interior_rings(band) > 0:
        raise TerrainError(f"{line.says} meets itself: draw it in two pieces.")
    strip = largest(band)
    outline = None if strip is None else on_table(strip, scale)
    if outline is None:
        raise TerrainError(f"{line.says} is off the table: draw along a piece that is on it.")
    return FootOutline(outline, config.along_sigma_in)


def _cut_to_foot(seen: shapely.Polygon, line: DrawnLine, view: TableView | None) -> shapely.Polygon | None:
    """The foot of a piece of known height that covers ``seen`` of the table's plane in the photo.

    A post hides the table from its foot to where a ray over its top meets the plane: a place belongs to the foot where
    both ends are hidden.
    """
    if view is None or not 0 < line.height_in < 0.8 * view.eye[2]:
        raise TerrainError(
            f"{line.says} is around everything visible: give the piece's height as well, lower than the camera is."
        )
    x, y, z = (float(v) for v in view.eye)
    back = (z - line.height_in) / z
    tops = affinity.scale(seen, back, back, origin=(x, y))
    return largest(shapely.intersection(seen, tops))


def _simple(foot: shapely.Polygon, line: DrawnLine) -> shapely.Polygon:
    """The outline with few corners; chosen corners and rectangles as they are."""
    if line.is_rectangle or len(foot.exterior.coords) < 12:
        return foot
    return tidy(shapely.get_coordinates(foot.exterior)[:-1], TraceConfig(smooth_in=0.0)) or foot


def _up(points: Array, view: TableView, config: FingerConfig) -> Array:
    """Which way (2,) things rise in the photo at a piece, a unit vector; (0, 0) where the camera looks down on it."""
    middle = points.mean(axis=0)
    ground = view.point_from_pixel([middle, middle + np.array([size_of(points), 0.0])], 0.0)
    if not np.isfinite(ground).all():
        return np.zeros(2)
    high = min(float(np.linalg.norm(ground[1] - ground[0])), 0.5 * float(view.eye[2]))
    foot, top = view.pixel_from_table([(*ground[0], 0.0), (*ground[0], high)])
    lean = float(np.linalg.norm(top - foot))
    return (top - foot) / lean if lean > config.least_lean * size_of(points) else np.zeros(2)


def _on_ground(points: Array) -> Array:
    return np.column_stack([points, np.zeros(len(points))])


def _photo_place(at: tuple[float, float], view: TableView | None, line: DrawnLine) -> tuple[float, float]:
    if view is None or line.in_pixels:
        return at
    x, y = view.pixel_from_table([(*at, 0.0)])[0]
    return float(x), float(y)


def _table_points(pixels: Array, view: TableView, line: DrawnLine) -> Array:
    ground = view.point_from_pixel(pixels, 0.0)
    if not np.isfinite(ground).all():
        raise TerrainError(f"{line.says} runs above the table's horizon: draw around the foot, on the table.")
    return ground
