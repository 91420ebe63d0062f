"""Labels on pictures: how wide letters are, and where a label has room."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import shapely

from geometry.drawing.boxes import Array, Box, best_box, overlap, push_inside
from geometry.drawing.letters import chip_width
from geometry.drawing.scene import TOP, Area, Flat, Letters, Line, Point, Tag

Outline = tuple[Point, ...]

PAD_EM = 0.32
CHIP_EM = 1.25
_MOST_BESIDE = 0.5  # share of a name that may be outside its outline
_MOST_STEPS = 24  # places tried across and along that
_RINGS = ((0.1, 0.0), (0.6, 0.15), (1.3, 0.4), (2.3, 0.8), (3.6, 1.2))  # ring in label heights, and its cost


@dataclass(frozen=True, eq=False)
class Ground:
    """Ground that labels should not hide: points of ``pieces`` with the area that each represents, points of lines.

    ``owner`` is the piece of each point; ``known`` finds a piece by its outline.
    """

    points: Array
    areas: Array
    owner: npt.NDArray[np.intp]
    strokes: Array
    known: Mapping[Outline, int]

    @classmethod
    def of(
        cls, pieces: Sequence[Outline], faint: Sequence[Outline], strokes: Sequence[Outline], step_in: float
    ) -> Ground:
        """From the outlines of pieces, of fainter marks that may be hidden sooner, and from lines."""
        rows = [(n, *_fill_outline(outline, 1.0)) for n, outline in enumerate(pieces)]
        rows += [(-1, *_fill_outline(outline, 0.3)) for outline in faint]
        return cls(
            np.array([p for _, points, _ in rows for p in points], dtype=np.float64).reshape(-1, 2),
            np.array([area for _, points, area in rows for _ in points], dtype=np.float64),
            np.array([n for n, points, _ in rows for _ in points], dtype=np.intp),
            np.array([p for line in strokes for p in _sample_line(line, step_in)], dtype=np.float64).reshape(-1, 2),
            {outline: n for n, outline in enumerate(pieces)},
        )

    def hidden_area(self, boxes: Array) -> Array:
        """The area of pieces under each box."""
        return np.asarray((_inside(boxes, self.points) * self.areas).sum(axis=1))

    def nearness(self, boxes: Array, own: Sequence[Outline]) -> tuple[Array, Array]:
        """How far each box is from its own pieces and from all others' (infinite where there are none)."""
        far = _distances(boxes, self.points)
        mine = np.isin(self.owner, [self.known[outline] for outline in own if outline in self.known])
        return _least(far[:, mine]), _least(far[:, ~mine & (self.owner >= 0)])


def place_tags(tags: Sequence[Tag], ground: Ground, bounds: Box, em: float) -> list[Flat]:
    """Boxes and letters for every tag: units' labels first, then labels that slide along a line, then optional ones,
    last the names that are placed on their own pieces.

    A label goes where it hides least of the ``ground`` and of labels placed before, stays in ``bounds``, near the piece
    that it names and nearer to that than to other pieces; a leader joins the two where they are apart.
    """
    taken: list[Box] = []
    leaders: list[Flat] = []
    letters: list[Flat] = []
    for tag in sorted(tags, key=lambda t: (bool(t.inside), t.optional, t.along is not None)):
        wide = sum(_wide(tag, chip.text) for chip in tag.chips) * em
        size = (wide, CHIP_EM * tag.size * em)
        candidates = push_inside(np.array(_candidates(tag, size)).reshape(-1, 5), bounds, 0.25)
        hidden = (1.6 * ground.hidden_area(candidates) + 8.0 * overlap(candidates, np.array(taken).reshape(-1, 4))) / (
            size[0] * size[1]
        )
        if tag.inside:
            candidates, hidden = candidates[hidden == 0], hidden[hidden == 0]
        if not len(candidates):
            continue
        away = np.zeros(len(candidates))
        if tag.along is None:
            away += 0.08 * _inside(candidates, ground.strokes).sum(axis=1)
        if tag.own:
            mine, others = ground.nearness(candidates, tag.own)
            away += 0.25 * mine / em + 0.5 * (others < mine)
        box = best_box(candidates, hidden, away, optional=tag.optional)
        if box is not None:
            taken.append(box)
            leaders += _leader(tag, box, em)
            letters += _draw_tag(tag, box[0], box[1], size[1], em)
    return leaders + letters


def tags_in_place(tags: Sequence[Tag], bounds: Box, em: float) -> list[Flat]:
    """Boxes and letters for every tag at its best place, ignoring everything else: in the middle of its line or
    outline, or right above the piece that it names, within ``bounds``. For a sequence of pictures in which labels
    should stay."""
    return [item for tag in tags for item in _draw_in_place(tag, bounds, em)]


def _draw_in_place(tag: Tag, bounds: Box, em: float) -> list[Flat]:
    wide, high = sum(_wide(tag, chip.text) for chip in tag.chips) * em, CHIP_EM * tag.size * em
    if tag.along is not None:
        (ax, ay), (bx, by) = tag.along
        x, y = (ax + bx) / 2, (ay + by) / 2
    elif tag.inside:
        x, y = _center(tag.inside)
    else:
        x, y = tag.at[0], tag.at[1] + (0.0 if tag.plain else tag.half_in[1] + 0.6 * high)
    left, bottom, right, top = bounds
    x = max(left, min(right - wide, x - wide / 2))
    y = max(bottom, min(top - high, y - high / 2))
    return _draw_tag(tag, x, y, high, em)


def _leader(tag: Tag, box: Box, em: float) -> list[Flat]:
    """A line from a label to the nearest piece that it names, where they are apart."""
    if not tag.own:
        return []
    centers = [_center(outline) for outline in tag.own]
    points = np.array([p for outline in tag.own for p in _fill_outline(outline, 1.0)[0]])
    if float(_distances(np.array([box]), points).min()) < 0.55 * em:
        return []
    ends = [((min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])), (x, y)) for x, y in centers]
    return [Line(min(ends, key=lambda pair: math.dist(*pair)), "leader", TOP)]


def _wide(tag: Tag, text: str) -> float:
    pad = 0.1 if tag.plain else PAD_EM
    return max(chip_width(text, tag.size) + 2 * pad * tag.size, 0.0 if tag.plain else CHIP_EM * tag.size)


def _draw_tag(tag: Tag, left: float, bottom: float, high: float, em: float) -> list[Flat]:
    flat: list[Flat] = []
    x = left
    for chip in tag.chips:
        wide = _wide(tag, chip.text) * em
        if not tag.plain:
            flat.append(Area(_rounded_box(x, bottom, x + wide, bottom + high, chip.round), chip.cls, TOP))
        flat.append(Letters((x + wide / 2, bottom + high / 2), chip.text, chip.cls, tag.size))
        x += wide
    return flat


def _rounded_box(left: float, bottom: float, right: float, top: float, full: bool) -> tuple[Point, ...]:
    """A box with cut corners, or with round ends."""
    r = (0.5 if full else 0.22) * min(top - bottom, right - left)
    steps = 6 if full else 3
    points = []
    for cx, cy, start in (
        (right - r, top - r, 0.0),
        (left + r, top - r, 90.0),
        (left + r, bottom + r, 180.0),
        (right - r, bottom + r, 270.0),
    ):
        for k in range(steps + 1):
            a = math.radians(start + 90.0 * k / steps)
            points.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    return tuple(points)


def _sample_line(points: Sequence[Point], step: float) -> list[Point]:
    found = []
    for (ax, ay), (bx, by) in pairwise(points):
        count = max(1, math.ceil(math.hypot(bx - ax, by - ay) / step))
        found += [(ax + (bx - ax) * k / count, ay + (by - ay) * k / count) for k in range(count + 1)]
    return found


def _candidates(tag: Tag, size: tuple[float, float]) -> Sequence[tuple[float, float, float, float, float]]:
    """Boxes (left, bottom, right, top) with a small cost for a less suitable place."""
    w, h = size
    found = []
    if tag.along is not None:
        (ax, ay), (bx, by) = tag.along
        for k in range(41):
            share = 0.12 + 0.76 * k / 40
            x, y = ax + (bx - ax) * share, ay + (by - ay) * share
            found.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2, 0.35 * abs(share - 0.55)))
        return found
    if tag.inside:
        return _on_outline(tag.inside, size)
    homes = [(tag.at, tag.half_in, 0.0), *((_center(o), _half(o), 0.02) for o in tag.own)]
    for n, ((x, y), half, away) in enumerate(homes):
        for far, cost in _RINGS if n == 0 else _RINGS[:2]:
            rx, ry = half[0] + w / 2 + far * h, half[1] + h / 2 + far * h
            for k in range(24):
                angle = math.radians(90 + 15 * k)
                ux, uy = math.cos(angle), math.sin(angle)
                reach = min(rx / max(abs(ux), 1e-9), ry / max(abs(uy), 1e-9))
                cx, cy = x + ux * reach, y + uy * reach
                turned = abs(ux) * 0.05 + (0.03 if uy < 0 else 0.0)
                found.append((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, cost + turned + away))
    return found


@lru_cache(maxsize=256)
def _on_outline(outline: Outline, size: tuple[float, float]) -> tuple[tuple[float, float, float, float, float], ...]:
    """Boxes centred within an outline that is at least as long as they are wide: boxes deepest inside cost least;
    boxes with more than half outside are left out."""
    w, h = size
    half_x, half_y = _half(outline)
    if max(half_x, half_y) < w / 2:
        return ()
    shape = shapely.Polygon(outline).buffer(0)
    shapely.prepare(shape)
    left, bottom, right, top = shape.bounds
    x, y = (
        grid.ravel()
        for grid in np.meshgrid(
            np.linspace(left, right, 2 + min(_MOST_STEPS, int(2 * (right - left) / h))),
            np.linspace(bottom, top, 2 + min(_MOST_STEPS, int(2 * (top - bottom) / h))),
        )
    )
    on = shapely.contains_xy(shape, x, y)
    x, y = x[on], y[on]
    across, along = (grid.ravel() for grid in np.meshgrid(np.linspace(-0.5, 0.5, 9) * w, np.linspace(-0.5, 0.5, 3) * h))
    beside = 1.0 - shapely.contains_xy(shape, x[:, None] + across, y[:, None] + along).mean(axis=1)
    depth = shapely.distance(shape.boundary, shapely.points(x, y))
    cost = beside + 0.2 * (1.0 - depth / max(depth.max(initial=0.0), 1e-9))
    kept = beside <= _MOST_BESIDE
    return tuple(
        (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, c)
        for cx, cy, c in zip(x[kept].tolist(), y[kept].tolist(), cost[kept].tolist(), strict=True)
    )


def _center(outline: Outline) -> Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def _half(outline: Outline) -> tuple[float, float]:
    """Half the width and height of the box round an outline."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2


def _fill_outline(outline: Outline, weight: float) -> tuple[list[Point], float]:
    """Points that fill a convex outline, and the area that each represents, times a weight."""
    cx, cy = _center(outline)
    ring = [*outline, outline[0]]
    rim = [p for (ax, ay), (bx, by) in pairwise(ring) for p in ((ax, ay), ((ax + bx) / 2, (ay + by) / 2))]
    points = [(cx, cy), *((cx + s * (x - cx), cy + s * (y - cy)) for s in (0.35, 0.7, 0.98) for x, y in rim)]
    area = abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(ring))) / 2
    return points, weight * area / len(points)


def _inside(boxes: Array, points: Array) -> npt.NDArray[np.bool_]:
    """Which points (m, 2) are in which boxes (n, 4+)."""
    x, y = points[None, :, 0], points[None, :, 1]
    return np.asarray(
        (x > boxes[:, None, 0]) & (x < boxes[:, None, 2]) & (y > boxes[:, None, 1]) & (y < boxes[:, None, 3])
    )


def _distances(boxes: Array, points: Array) -> Array:
    """How far each point (m, 2) is from each box (n, 4+)."""
    x, y = points[None, :, 0], points[None, :, 1]
    dx = np.maximum(0.0, np.maximum(boxes[:, None, 0] - x, x - boxes[:, None, 2]))
    dy = np.maximum(0.0, np.maximum(boxes[:, None, 1] - y, y - boxes[:, None, 3]))
    return np.asarray(np.hypot(dx, dy))


def _least(far: Array) -> Array:
    return far.min(axis=1) if far.shape[1] else np.full(len(far), np.inf)
