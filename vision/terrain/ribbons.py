"""Roads and rivers: from a map of shares to centrelines with a width.

The ribbon's skeleton gives the way it goes and where it forks; then both edges are read at right angles to it, and a
smooth centreline and width are fitted to them, so that what hides an edge (bases, trees, a bridge) costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
import shapely
from scipy.linalg import solveh_banded

from vision.terrain.skeletons import Bundle, arms_of, fork_at, go_straight, prune_spurs, thin
from vision.terrain.tracing import (
    Array,
    Float32,
    Mask,
    Sheet,
    close_mask,
    distances_along,
    largest,
    resample_line,
    simplify_line,
    without_holes,
)


@dataclass(frozen=True)
class RibbonConfig:
    """Inches unless said otherwise. ``narrowest_in``, ``widest_in``: what may be a ribbon; ``shortest_in``: a piece
    below it is dropped; ``spur_widths``: side arms shorter than this many widths are noise at an edge; ``gap_in``: ends
    that face each other (within ``gap_turn_deg``, where they all but touch within ``near_turn_deg``) are joined
    over it, ``under_gap_in`` where the gap runs under something; where no more than ``partly_shown`` of it is seen,
    their turns together may be ``both_turn_deg``; ``side_gap_in``: an end this near to another ribbon's side runs
    on to it; ``edge_in``: an end this near to the table's edge (beyond half a width) runs on over it;
    ``straight_deg``: arms of a fork that turn less than this are one way; ``step_in``: spacing along the
    centreline; ``bend_in``: waves shorter than this are noise, ``swell_in`` of the width; ``steady``: a width that
    varies by less than this share is constant; the centreline is drawn within ``tolerance_in``, with
    ``most_corners`` at most."""

    narrowest_in: float = 0.3
    widest_in: float = 5.0
    shortest_in: float = 2.0
    spur_widths: float = 1.3
    gap_in: float = 4.0
    gap_turn_deg: float = 40.0
    near_turn_deg: float = 62.0
    both_turn_deg: float = 70.0
    partly_shown: float = 0.85
    under_gap_in: float = 9.0
    side_gap_in: float = 1.0
    edge_in: float = 1.0
    straight_deg: float = 55.0
    step_in: float = 0.25
    bend_in: float = 2.5
    swell_in: float = 12.0
    steady: float = 0.15
    tolerance_in: float = 0.04
    most_corners: int = 24


@dataclass(frozen=True, eq=False)
class Ribbon:
    """A way over the table: its centreline (n, 2) and its width (n,) there, in inches; the outline they make."""

    centreline: Array
    width_in: Array
    polygon: shapely.Polygon

    @property
    def length(self) -> float:
        """How long it is along its middle, in inches."""
        return float(distances_along(self.centreline)[-1])


def ribbons(
    sheet: Sheet, config: RibbonConfig | None = None, *, unseen: Mask | None = None, under: Mask | None = None
) -> list[Ribbon]:
    """The ribbons of a sheet of shares, each from one end to the other; a crossing is two of them, a fork one and an
    arm that ends on it. ``unseen`` marks pixels without a usable share, ``under`` those where a ribbon may
    continue unseen: bridges, towns, woods."""
    config = config or RibbonConfig()
    fitted = [f for way in _ways_of(sheet, config) if (f := _fit_to_edges(way, sheet, config, unseen)) is not None]
    joined = _join_ways(fitted, sheet, config, None if under is None else sheet.like(under))
    ended = [_extend_ends(_tie_ends(way, joined, sheet, config), sheet, config) for way in joined]
    out = [_fitted_again(f, sheet, config, unseen) for f in ended]
    return [ribbon for f in out for ribbon in _to_ribbons(f, config)]


@dataclass(frozen=True, eq=False)
class _Way:
    """A centreline (n, 2) in inches, width at each point, and whether its two ends are tied to a fork."""

    line: Array
    width: Array
    tied: tuple[bool, bool] = (False, False)

    @property
    def length(self) -> float:
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    def reverse(self) -> _Way:
        return _Way(self.line[::-1], self.width[::-1], self.tied[::-1])


def without_small_holes(mask: Mask, area_px: float) -> Mask:
    """Holes of less than an area in pixels filled."""
    holes = without_holes(mask) & ~mask
    count, labels, stats, _ = cv2.connectedComponentsWithStats(holes.astype(np.uint8), connectivity=4)
    small = np.zeros(count, bool)
    small[1:] = stats[1:, cv2.CC_STAT_AREA] < area_px
    return np.asarray(mask | small[labels])


def _large_parts(mask: Mask, area_px: float) -> Mask:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    large = np.zeros(count, bool)
    large[1:] = stats[1:, cv2.CC_STAT_AREA] >= area_px
    return np.asarray(large[labels])


@lru_cache(maxsize=8)  # sheets are traced before the bases on them are known and again after
def _ways_of(sheet: Sheet, config: RibbonConfig) -> tuple[_Way, ...]:
    """The centrelines of the ways that a sheet shows, before they are fitted to its edges."""
    px = sheet.scale.px_per_inch
    mask = without_small_holes(close_mask(sheet.values > 0.5, 0.25 * px), px * px)
    mask = _large_parts(mask, config.narrowest_in * config.shortest_in * 0.5 * px * px)
    if not mask.any():
        return ()
    half_px = cv2.distanceTransform(np.pad(mask, 1, mode="edge").astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    return tuple(_ways(thin(mask), half_px, sheet, config))


def _ways(skeleton: Mask, half_px: Float32, sheet: Sheet, config: RibbonConfig) -> list[_Way]:
    """The skeleton's arms joined through their forks where they go straight on."""
    arms, forks = prune_spurs(*arms_of(skeleton, half_px), config.spur_widths)
    bundles: list[Bundle] = [[(arm, False)] for arm in arms]
    for node in range(len(forks)):
        go_straight(bundles, node, forks, config.straight_deg)
    out = []
    for bundle in bundles:
        line: list[Array] = []
        ends = [fork_at(bundle[0], 0), fork_at(bundle[-1], 1)]
        for place, (arm, backwards) in enumerate(bundle):
            if place == 0 and ends[0] >= 0:
                line.append(forks[ends[0]][None])
            elif place:
                line.append(forks[fork_at((arm, backwards), 0)][None])
            line.append(arm.pixels[::-1] if backwards else arm.pixels)
        if ends[1] >= 0:
            line.append(forks[ends[1]][None])
        points = np.vstack(line)
        across = max(arm.width for arm, _ in bundle) / sheet.scale.px_per_inch
        if len(points) >= 2 and across <= config.widest_in:
            way = _Way(sheet.table(points), np.full(len(points), across), (ends[0] >= 0, ends[1] >= 0))
            out.extend(_cut_ring(way, bundle))
    return out


def _cut_ring(way: _Way, bundle: Bundle) -> list[_Way]:
    """A ring of a way cut into two halves, any other as it is."""
    gap = float(np.linalg.norm(way.line[0] - way.line[-1]))
    if any(way.tied) or len(bundle) > 1 or gap > 0.5 * float(way.width[0]) or way.length < 6 * float(way.width[0]):
        return [way]
    middle = len(way.line) // 2
    ring = np.vstack([way.line, way.line[:1]])
    return [
        _Way(ring[: middle + 1], np.full(middle + 1, way.width[0]), (True, True)),
        _Way(ring[middle:], np.full(len(ring) - middle, way.width[0]), (True, True)),
    ]


# --- centreline and width from the two edges -------------------------------------------------------------------------


def _fit_to_edges(way: _Way, sheet: Sheet, config: RibbonConfig, unseen: Mask | None) -> _Way | None:
    """The way moved to the middle between its edges, twice; ``None`` where it is too short or too thin for one."""
    if way.length < config.shortest_in / 2:
        return None
    for _ in range(2):
        way = _between_edges(way, sheet, config, unseen)
    return way if float(np.median(way.width)) >= config.narrowest_in else None


def _fitted_again(way: _Way, sheet: Sheet, config: RibbonConfig, unseen: Mask | None) -> _Way:
    ends = way.line[[0, -1]]
    way = _between_edges(way, sheet, config, unseen)
    line = way.line.copy()
    line[[0, -1]] = ends if all(way.tied) else np.where(np.array(way.tied)[:, None], ends, line[[0, -1]])
    return replace(way, line=line)


def _between_edges(way: _Way, sheet: Sheet, config: RibbonConfig, unseen: Mask | None) -> _Way:
    line = resample_line(way.line, config.step_in, is_ring=False)
    line = _smooth(line, np.ones(len(line)), config.bend_in / 2, config.step_in)
    width = np.interp(np.linspace(0, 1, len(line)), np.linspace(0, 1, len(way.width)), way.width)
    normal = _normals(line)
    left, right = (_reach(line, sign * normal, width, sheet, unseen) for sign in (1.0, -1.0))
    both = np.isfinite(left) & np.isfinite(right)
    usual = float(np.median((left + right)[both])) if both.sum() >= 3 else float(np.median(width))
    fits = both & (np.abs(left + right - usual) < 0.25 * usual)
    one_left = ~fits & np.isfinite(left) & (np.abs(left - usual / 2) < 0.2 * usual)
    one_right = ~fits & ~one_left & np.isfinite(right) & (np.abs(right - usual / 2) < 0.2 * usual)
    shift = np.zeros(len(line))
    shift[fits] = ((left - right) / 2)[fits]
    shift[one_left] = (left - usual / 2)[one_left]
    shift[one_right] = (usual / 2 - right)[one_right]
    weight = np.where(fits, 1.0, np.where(one_left | one_right, 0.3, 0.003))
    centre = _smooth(line + shift[:, None] * normal, weight, config.bend_in, config.step_in)
    if not fits.any():
        return _Way(centre, np.full(len(line), usual), way.tied)
    read = np.where(fits, left + right, usual)
    swell = _smooth(read[:, None], np.where(fits, 1.0, 0.003), config.swell_in, config.step_in)[:, 0]
    if np.ptp(swell) < config.steady * usual:
        swell = np.full(len(line), usual)
    return _Way(centre, swell, way.tied)


def _reach(line: Array, direction: Array, width: Array, sheet: Sheet, unseen: Mask | None) -> Array:
    """How far (n,) from the centreline the share falls below one half; NaN where it does not, or cannot be seen."""
    step = 0.5 / sheet.scale.px_per_inch
    count = int(np.ceil(0.8 * float(width.max()) / step)) + 2
    away = np.arange(count) * step
    points = line[:, None] + away[None, :, None] * direction[:, None]
    values = sheet.at(points)
    below = values < 0.5
    first = np.argmax(below, axis=1)
    rows = np.arange(len(line))
    good = below[rows, first] & (first > 0)
    before, after = values[rows, np.maximum(first - 1, 0)], values[rows, first]
    out = (first - 1 + (before - 0.5) / np.maximum(before - after, 1e-9)) * step
    edge = line + out[:, None] * direction
    good &= (edge[:, 0] > 0) & (edge[:, 0] < sheet.scale.width_in)
    good &= (edge[:, 1] > 0) & (edge[:, 1] < sheet.scale.depth_in)
    if unseen is not None:
        good &= sheet.like(unseen).at(edge) < 0.25
    return np.where(good, out, np.nan)


def _normals(line: Array) -> Array:
    way = np.gradient(line, axis=0)
    way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    return np.stack([-way[:, 1], way[:, 0]], axis=1)


def _smooth(values: Array, weights: Array, wave_in: float, step_in: float) -> Array:
    """Columns of values (n, k), weighted, without waves shorter than ``wave_in``: the least of squares plus bending."""
    n = len(values)
    if n < 4:
        return values
    stiff = (wave_in / (2 * np.pi * step_in)) ** 4
    bands = np.zeros((3, n))  # second differences, their transpose times themselves, upper form
    for offset, bend in ((0, 1.0), (1, 4.0), (2, 1.0)):
        bands[2, offset : n - 2 + offset] += stiff * bend
    bands[1, 1 : n - 1] -= 2 * stiff
    bands[1, 2:n] -= 2 * stiff
    bands[0, 2:] = stiff
    bands[2] += weights
    return np.asarray(solveh_banded(bands, values * weights[:, None]))


# --- ends ------------------------------------------------------------------------------------------------------------


def _outward(way: _Way, end: int) -> tuple[Array, Array]:
    """The end's place and the direction in which the way would go on."""
    line = way.line if end == 1 else way.line[::-1]
    width = float(np.median(way.width))
    back = np.linalg.norm(line - line[-1], axis=1)
    far = line[max(0, len(line) - 1 - max(2, int(np.sum(back < max(1.0, width)))))]
    to = line[-1] - far
    return line[-1], to / max(float(np.linalg.norm(to)), 1e-9)


def _join_ways(ways: list[_Way], sheet: Sheet, config: RibbonConfig, under: Sheet | None) -> list[_Way]:
    """Free ends that face each other over a gap, joined, nearest first."""
    ways = list(ways)
    while True:
        best: tuple[float, int, int, int, int] | None = None
        ends = []
        for i, way in enumerate(ways):
            wide = float(np.median(way.width))
            for end in (0, 1):
                place, to = _outward(way, end)
                if not way.tied[end] and not _leaves(place, to, wide, sheet, config):
                    ends.append((i, end, place, to, wide))
        for (i, e, p, u, wide_p), (j, f, q, v, wide_q) in combinations(ends, 2):
            gap = q - p
            away = float(np.hypot(gap[0], gap[1]))
            wide = (wide_p + wide_q) / 2
            if i == j or away > config.under_gap_in + wide or (best is not None and away >= best[0]):
                continue
            off = [_angle_deg(u, gap), _angle_deg(v, -gap)]
            shown = 1.0 if under is None else _visible_share(p, q, under)
            facing = (
                shown <= config.partly_shown and max(off) < config.near_turn_deg and sum(off) < config.both_turn_deg
            )
            if away <= config.gap_in + wide or shown <= 0.3:
                near = max(0.0, 1.0 - away / (config.gap_in + wide))
                spare = config.near_turn_deg - config.gap_turn_deg
                facing = facing or max(off) < config.gap_turn_deg + spare * min(1.0, 2 * near)
            elif not facing:
                continue
            close = away < 0.9 * wide and float(-u @ v) > 0.5
            if facing or close:
                best = (away, i, e, j, f)
        if best is None:
            return ways
        _, i, e, j, f = best
        a, b = ways[i] if e == 1 else ways[i].reverse(), ways[j] if f == 0 else ways[j].reverse()
        joined = _Way(np.vstack([a.line, b.line]), np.concatenate([a.width, b.width]), (a.tied[0], b.tied[1]))
        ways = [w for k, w in enumerate(ways) if k not in (i, j)] + [joined]


def _angle_deg(a: Array, b: Array) -> float:
    """The angle between two directions."""
    cosine = float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))


def _visible_share(start: Array, end: Array, under: Sheet) -> float:
    """The share of a straight line that does not run under anything."""
    at = np.linspace(0, 1, 20)[:, None]
    return float(1 - np.mean(under.at(start + at * (end - start))))


def _tie_ends(way: _Way, others: list[_Way], sheet: Sheet, config: RibbonConfig) -> _Way:
    """Free ends that stop short of another way's side, led on to it."""
    for end in (0, 1):
        forward = way if end == 1 else way.reverse()
        width = float(np.median(way.width))
        place, direction = _outward(forward, 1)
        if not forward.tied[1] and not _leaves(place, direction, width, sheet, config):
            ahead = shapely.LineString([place, place + (config.side_gap_in + width) * direction])
            met = [c for o in others if o is not way for c in shapely.get_coordinates(ahead.intersection(_line(o)))]
            if met:
                nearest = min(met, key=lambda p: float(np.linalg.norm(p - place)))
                line = np.vstack([forward.line, nearest])
                forward = _Way(line, np.append(forward.width, forward.width[-1]), (forward.tied[0], True))
        way = forward if end == 1 else forward.reverse()
    return way


def _line(way: _Way) -> shapely.LineString:
    return shapely.LineString(way.line)


def _leaves(place: Array, way: Array, width: float, sheet: Sheet, config: RibbonConfig) -> bool:
    """Whether a way that continues from there soon leaves the table."""
    reach = width / 2 + config.edge_in
    x, y = place + reach * way
    return not (0 < x < sheet.scale.width_in and 0 < y < sheet.scale.depth_in)


def _extend_ends(way: _Way, sheet: Sheet, config: RibbonConfig) -> _Way:
    """Free ends carried to the table's edge where it is near, else to where the share falls off."""
    for end in (0, 1):
        forward = way if end == 1 else way.reverse()
        if not forward.tied[1]:
            forward = _extend_end(forward, sheet, config)
        way = forward if end == 1 else forward.reverse()
    return way


def _extend_end(way: _Way, sheet: Sheet, config: RibbonConfig) -> _Way:
    """The way with its last end carried on."""
    width = float(np.median(way.width))
    inside = _inside(way.line, width, sheet)
    if inside >= 2:
        way = replace(way, line=way.line[: inside + 1], width=way.width[: inside + 1])
    place, direction = _outward(way, 1)
    if _leaves(place, direction, width, sheet, config):
        reach = 2 * width + config.edge_in
    else:
        ahead = np.arange(0, width, 0.5 / sheet.scale.px_per_inch)
        low = np.flatnonzero(sheet.at(place + ahead[:, None] * direction) < 0.5)
        reach = float(ahead[low[0]]) if len(low) else 0.0
    if reach <= 0:
        return way
    steps = np.append(np.arange(config.step_in, reach - 0.1 * config.step_in, config.step_in), reach)
    line = np.vstack([way.line, place + steps[:, None] * direction])
    return replace(way, line=line, width=np.pad(way.width, (0, len(steps)), mode="edge"))


def _inside(line: Array, width: float, sheet: Sheet) -> int:
    """Row of the last point that is a quarter of the width inside the table."""
    size = np.array([sheet.scale.width_in, sheet.scale.depth_in])
    good = np.all((line > 0.25 * width) & (line < size - 0.25 * width), axis=1)
    rows = np.flatnonzero(good)
    return int(rows[-1]) if len(rows) else len(line) - 1


# --- outlines --------------------------------------------------------------------------------------------------------


def _to_ribbons(way: _Way, config: RibbonConfig) -> list[Ribbon]:
    if way.length < config.shortest_in or way.length < 1.2 * float(np.median(way.width)):
        return []
    tolerance = config.tolerance_in
    few = simplify_line(way.line, tolerance, is_ring=False)
    while len(few) > config.most_corners:
        tolerance *= 1.5
        few = simplify_line(way.line, tolerance, is_ring=False)
    along = distances_along(way.line)
    rows = [int(np.argmin(np.linalg.norm(way.line - p, axis=1))) for p in few]
    width = np.interp(along[rows], along, way.width)
    polygon = _band(few, width, tolerance)
    return [] if polygon is None else [Ribbon(few, width, polygon)]


def _band(line: Array, width: Array, tolerance_in: float) -> shapely.Polygon | None:
    """The polygon of a centreline and its width: both sides offset, corners mitred."""
    step = np.diff(line, axis=0)
    step = step / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-12)
    across = np.stack([-step[:, 1], step[:, 0]], axis=1)
    before, after = np.vstack([across[:1], across]), np.vstack([across, across[-1:]])
    mitre = (before + after) / np.maximum(1 + np.sum(before * after, axis=1, keepdims=True), 0.4)
    side = mitre * width[:, None] / 2
    polygon = shapely.Polygon(np.vstack([line + side, (line - side)[::-1]]))
    if polygon.is_valid:
        return polygon
    parts = [
        shapely.LineString(line[k : k + 2]).buffer(float(width[k : k + 2].mean()) / 2, quad_segs=3, cap_style="flat")
        for k in range(len(line) - 1)
    ]
    joints = [shapely.Point(p).buffer(float(w) / 2, quad_segs=3) for p, w in zip(line[1:-1], width[1:-1], strict=True)]
    return largest(shapely.simplify(shapely.union_all(parts + joints), tolerance_in))
