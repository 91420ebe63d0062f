"""Where bases of the roster's shapes may be: rectangles and circles of rim evidence in the rectified map.

For each direction the evidence is turned so that the base would be upright; its four edges are then box means along
rows and columns, taken where the outline says. A candidate is a place with edges present and the middle clear.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.rectify import MapScale
from vision.imaging.rims import Float32, float32
from vision.model.expected import BaseShape

Array = npt.NDArray[np.float64]
T = TypeVar("T")

_AT_ONCE = 2


@dataclass(frozen=True)
class SearchConfig:
    """``angle_step_deg``: spacing of the directions tried; ``across_in``: half width of the band in which an edge may
    be; ``least_score``: candidates below are dropped; ``evidence_gate``: least evidence of a place to search;
    ``apart_in`` and ``apart_deg``: candidates of one shape closer than both are one; ``hidden_share``: how far, in
    diagonals, a base may reach past its visible part; ``edge_share``: edges that a direction must have, relative to
    the busiest, to be tried; ``per_place``: kept per place; ``settle_in``: how far a candidate may move to fit best;
    ``full_evidence``: evidence that counts in full then; ``least_share``: of its outline that must be on evidence;
    ``same_in``: settled candidates this near are one."""

    angle_step_deg: float = 6.0
    across_in: float = 0.08
    least_score: float = 0.20
    evidence_gate: float = 0.25
    least_gate_area_in2: float = 0.08
    apart_in: float = 0.25
    apart_deg: float = 10.0
    hidden_share: float = 0.25
    edge_share: float = 0.5
    per_place: int = 60
    settle_in: float = 0.10
    full_evidence: float = 0.35
    least_share: float = 0.5
    same_in: float = 0.12
    round_edges: int = 48


@dataclass(frozen=True)
class Candidate:
    """A possible base: centre in table inches, direction modulo 180 degrees (0 for a round one), its shape's row in the
    list searched, and a score from 0 to 1."""

    x: float
    y: float
    facing: float
    shape: int
    score: float


def find_candidates(
    evidence: Float32, scale: MapScale, shapes: tuple[BaseShape, ...], config: SearchConfig
) -> list[Candidate]:
    """Candidates of all shapes in one side's evidence map, best first."""
    if not shapes:
        return []
    reach = config.hidden_share * max(float(np.hypot(s.width, s.depth)) for s in shapes) + 0.2
    found: list[Candidate] = []
    least_in = 0.6 * min(min(s.width, s.depth) for s in shapes)
    places = _places(evidence, scale, reach, least_in, config)
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:  # most of the work is outside the interpreter's lock
        patches = [evidence[y0:y1, x0:x1] for x0, y0, x1, y1 in places]
        seen = pool.map(lambda patch: _in_patch(patch, scale.px_per_inch, shapes, config), patches)
        for (x0, y0, _, _), here in zip(places, seen, strict=True):
            for column, row, facing, shape, score in here:
                x, y = scale.table_from_pixel([[column + x0, row + y0]])[0]
                found.append(Candidate(float(x), float(y), facing, shape, score))
    return _refine_candidates(evidence, scale, shapes, sorted(found, key=lambda c: -c.score), config)


def _refine_candidates(
    evidence: Float32, scale: MapScale, shapes: tuple[BaseShape, ...], found: list[Candidate], config: SearchConfig
) -> list[Candidate]:
    """Candidates moved to where most of their outline is on evidence, scored by that share; weak and doubled ones
    are dropped."""
    full = np.clip(cv2.dilate(evidence, np.ones((3, 3), np.uint8)) / np.float32(config.full_evidence), 0.0, 1.0)
    sharp = full + cv2.GaussianBlur(evidence, (0, 0), 0.8)
    steps = np.arange(-2, 3) * config.settle_in / 2
    turns = np.radians([-config.angle_step_deg / 2, 0.0, config.angle_step_deg / 2])
    out: list[Candidate] = []
    for index, shape in enumerate(shapes):
        rows = [c for c in found if c.shape == index]
        if not rows:
            continue
        local = _outline_points(shape, config)
        place = np.array([[c.x, c.y, np.radians(c.facing)] for c in rows])
        best, lies = np.zeros(len(rows)), np.full(len(rows), -1.0)
        moved = place.copy()
        for turn in turns if not shape.is_round else (0.0,):
            angle = place[:, 2] + turn
            c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
            px = local[None, :, 0] * c + local[None, :, 1] * s + place[:, :1]
            py = -local[None, :, 0] * s + local[None, :, 1] * c + place[:, 1:2]
            rows_at = [_row(py + dy, scale, full.shape[0]) * full.shape[1] for dy in steps]
            for dx in steps:
                column = _column(px + dx, scale, full.shape[1])
                for dy, row in zip(steps, rows_at, strict=True):
                    at = row + column
                    on_line = sharp.take(at).mean(axis=1)
                    better = np.flatnonzero(on_line > lies)
                    lies[better] = on_line[better]
                    best[better] = full.take(at[better]).mean(axis=1)
                    moved[better] = place[better] + np.array([dx, dy, turn])
        for k in range(len(rows)):
            if best[k] >= config.least_share:
                x, y, angle = moved[k]
                out.append(Candidate(float(x), float(y), float(np.degrees(angle) % 180.0), index, float(best[k])))
    out.sort(key=lambda c: -c.score)
    kept: list[Candidate] = []
    cells: dict[tuple[int, int, int], list[Candidate]] = {}
    for candidate in out:
        cell = (candidate.shape, math.floor(candidate.x / config.same_in), math.floor(candidate.y / config.same_in))
        if not any(_alike(candidate, other, config) for other in _beside(cells, cell)):
            kept.append(candidate)
            cells.setdefault(cell, []).append(candidate)
    return kept


def _row(y: Array, scale: MapScale, rows: int) -> npt.NDArray[np.intp]:
    """The map's rows at table places, the nearest inside the map."""
    at = np.rint((scale.depth_in + scale.margin_in - y) * scale.px_per_inch - 0.5).astype(np.intp)
    return np.clip(at, 0, rows - 1, out=at)


def _column(x: Array, scale: MapScale, columns: int) -> npt.NDArray[np.intp]:
    """The map's columns at table places, the nearest inside the map."""
    at = np.rint((x + scale.margin_in) * scale.px_per_inch - 0.5).astype(np.intp)
    return np.clip(at, 0, columns - 1, out=at)


def _beside(cells: dict[tuple[int, int, int], list[T]], cell: tuple[int, int, int]) -> Iterator[T]:
    """Everything of one shape in a cell and the eight round it."""
    shape, column, row = cell
    for i in (column - 1, column, column + 1):
        for j in (row - 1, row, row + 1):
            yield from cells.get((shape, i, j), ())


def _alike(a: Candidate, b: Candidate, config: SearchConfig) -> bool:
    near = a.shape == b.shape and abs(a.x - b.x) < config.same_in and abs(a.y - b.y) < config.same_in
    return near and half_turn_deg(a.facing, b.facing) < config.apart_deg * 0.6


def half_turn_deg(a: float, b: float) -> float:
    """Angle between two directions that may point either way, degrees 0 to 90."""
    return abs((a - b + 90.0) % 180.0 - 90.0)


def _outline_points(shape: BaseShape, config: SearchConfig) -> Array:
    """Points (n, 2) right and forward of the centre along a shape's outline, a hair inside."""
    inset = 0.02
    w, d = shape.width / 2 - inset, shape.depth / 2 - inset
    if shape.is_smooth:
        turn = np.arange(config.round_edges) * 2 * np.pi / config.round_edges
        return np.column_stack([w * np.cos(turn), d * np.sin(turn)])
    across, along = np.linspace(-w, w, 14), np.linspace(-d, d, 14)
    sides = [(across, np.full(14, d)), (across, np.full(14, -d)), (np.full(14, w), along), (np.full(14, -w), along)]
    return np.concatenate([np.column_stack(side) for side in sides])


def _places(
    evidence: Float32, scale: MapScale, reach: float, least_in: float, config: SearchConfig
) -> list[tuple[int, int, int, int]]:
    """Boxes (x0, y0, x1, y1) in map pixels round everything that could belong to a base: enough evidence, and not all
    of it within ``least_in`` both ways."""
    strong = (evidence > config.evidence_gate).astype(np.uint8)
    join = max(3, round(0.3 * scale.px_per_inch) | 1)
    joined = cv2.dilate(strong, np.ones((join, join), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    support = np.bincount(labels.ravel(), weights=strong.ravel(), minlength=count)
    pad, rows, columns = round(reach * scale.px_per_inch), *evidence.shape
    boxes = []
    for i in range(1, count):
        if support[i] < config.least_gate_area_in2 * scale.px_per_inch**2:
            continue
        x, y, w, h = (int(v) for v in stats[i, :4])
        if max(w, h) - join < least_in * scale.px_per_inch:
            continue
        boxes.append((max(0, x - pad), max(0, y - pad), min(columns, x + w + pad), min(rows, y + h + pad)))
    return boxes


def _in_patch(
    patch: Float32, ppi: float, shapes: tuple[BaseShape, ...], config: SearchConfig
) -> list[tuple[float, float, float, int, float]]:
    """Candidates (column, row, facing, shape, score) in one box, strongest first, near doubles dropped."""
    rows, columns = patch.shape
    raw: list[tuple[float, float, float, int, float]] = []
    if any(not s.is_round and not s.is_oval for s in shapes):
        for facing in _directions(patch, config):
            c, s = np.cos(np.radians(facing)), np.sin(np.radians(facing))
            turn = np.array([[c, s, 0.0], [-s, c, 0.0]])
            across_px, down_px = int(np.ceil(columns * c + rows * s)) + 2, int(np.ceil(columns * s + rows * c)) + 2
            turn[:, 2] = [(across_px - 1) / 2, (down_px - 1) / 2] - turn[:, :2] @ [(columns - 1) / 2, (rows - 1) / 2]
            turned = float32(cv2.warpAffine(patch, turn, (across_px, down_px), flags=cv2.INTER_LINEAR))
            inverse = cv2.invertAffineTransform(turn)
            edges = _Edges(turned, config.across_in * ppi)
            for index, shape in enumerate(shapes):
                if shape.is_smooth:
                    continue
                sizes = [(shape.width, shape.depth, facing)]
                if abs(shape.width - shape.depth) > 0.02:
                    sizes.append((shape.depth, shape.width, facing + 90.0))
                for across, along, angle in sizes:
                    score = edges.upright_score(across * ppi, along * ppi, config.least_score)
                    if score is None:
                        continue
                    for row, column, value in _peaks(score, config.least_score, config.per_place):
                        px, py = inverse @ [column, row, 1.0]
                        raw.append((float(px), float(py), float(angle % 180.0), index, value))
    for index, shape in enumerate(shapes):
        turns = np.arange(0.0, shape.period_deg, config.angle_step_deg) if shape.is_oval else [0.0] * shape.is_round
        for facing in turns:
            score = _ellipse_score(patch, shape.width / 2 * ppi, shape.depth / 2 * ppi, np.radians(facing))
            for row, column, value in _peaks(score, config.least_score, config.per_place):
                raw.append((float(column), float(row), float(facing), index, value))
    raw.sort(key=lambda item: -item[4])
    return _apart(raw, ppi, config)


def _directions(patch: Float32, config: SearchConfig) -> list[float]:
    """Directions (degrees, modulo 90) in which the evidence has edges: the others hold no outline."""
    across, down = cv2.Sobel(patch, cv2.CV_32F, 1, 0), cv2.Sobel(patch, cv2.CV_32F, 0, 1)
    weight, angle = np.hypot(across, down).ravel(), np.degrees(np.arctan2(across, -down)).ravel() % 90.0
    steps = np.arange(0.0, 90.0, config.angle_step_deg)
    fine = np.bincount(
        np.minimum((angle / 90.0 * len(steps) * 3).astype(np.intp), len(steps) * 3 - 1), weight, len(steps) * 3
    )
    # Edges within a step of each direction, round the circle.
    near = np.sum([np.roll(fine, -shift) for shift in range(-3, 4)], axis=0)[::3]
    return [float(step) for step, mass in zip(steps, near, strict=True) if mass >= config.edge_share * near.max()]


class _Edges:
    """How much evidence is along rows and along columns of a turned patch, within ``across_px``; shapes share it."""

    def __init__(self, turned: Float32, across_px: float) -> None:
        band = 2 * max(1, round(across_px)) + 1
        self.turned, self._bands = turned, (np.ones((1, band), np.uint8), np.ones((band, 1), np.uint8))
        self._means: dict[tuple[bool, int], tuple[Float32, float]] = {}
        self._best: dict[tuple[bool, int], Float32] = {}

    def _mean(self, length: int, *, rows: bool) -> tuple[Float32, float]:
        """The mean over ``length`` pixels along rows or columns, and the highest of all."""
        if (rows, length) not in self._means:
            mean = float32(cv2.blur(self.turned, (length, 1) if rows else (1, length)))
            self._means[rows, length] = mean, float(mean.max())
        return self._means[rows, length]

    def _along(self, length: int, *, rows: bool) -> Float32:
        """The mean over ``length`` pixels along rows or columns, the best within the band."""
        if (rows, length) not in self._best:
            self._best[rows, length] = float32(cv2.dilate(self._mean(length, rows=rows)[0], self._bands[rows]))
        return self._best[rows, length]

    def upright_score(self, width_px: float, depth_px: float, least: float) -> Float32 | None:
        """How well an upright rectangle's outline is covered by evidence, for each centre; None if no centre can
        reach ``least``."""
        w, d = max(3, round(width_px)), max(3, round(depth_px))
        half_w, half_d = round(width_px / 2 - 0.5), round(depth_px / 2 - 0.5)
        low, high = sorted((self._mean(w, rows=True)[1], self._mean(d, rows=False)[1]))
        if 0.65 * (2 * high + low) / 3 + 0.35 * low <= least:
            return None
        rows, columns = self.turned.shape
        level = float32(cv2.copyMakeBorder(self._along(w, rows=True), half_d, half_d, 0, 0, cv2.BORDER_CONSTANT))
        plumb = float32(cv2.copyMakeBorder(self._along(d, rows=False), 0, 0, half_w, half_w, cv2.BORDER_CONSTANT))
        front, rear = level[:rows], level[2 * half_d :]
        left, right = plumb[:, :columns], plumb[:, 2 * half_w :]
        score = front + rear
        score += left
        score += right
        weakest = np.minimum(front, rear)
        np.minimum(weakest, left, out=weakest)
        np.minimum(weakest, right, out=weakest)
        score -= weakest
        score *= np.float32(0.65 / 3)
        weakest *= np.float32(0.35)
        score += weakest
        if float(score.max()) <= least:
            return None
        score -= cv2.blur(self.turned, (max(3, round(w * 0.55)), max(3, round(d * 0.55))))
        return score


def _ellipse_score(patch: Float32, half_w: float, half_d: float, facing: float) -> Float32:
    """How well a circle or an oval that faces so (radians) fits the evidence, for each centre."""
    thick = cv2.dilate(patch, np.ones((3, 3), np.uint8))
    size = int(np.ceil(max(half_w, half_d))) * 2 + 3
    yy, xx = np.mgrid[:size, :size] - (size - 1) / 2
    across, along = xx * np.cos(facing) + yy * np.sin(facing), yy * np.cos(facing) - xx * np.sin(facing)
    level, slope = np.hypot(across / half_w, along / half_d), np.hypot(across / half_w**2, along / half_d**2)
    inward = level * (1.0 - level) / np.maximum(slope, 1e-9)
    angle = np.degrees(np.arctan2(along / half_d, across / half_w)) % 360
    ring = (np.abs(inward - 0.5) <= 0.8) & (level > 0.5)
    sectors = []
    for k in range(4):
        kernel = (ring & (angle // 90 == k)).astype(np.float32)
        sectors.append(cv2.filter2D(thick, -1, kernel / max(1.0, kernel.sum())))
    inside = (level < 0.6).astype(np.float32)
    inner = cv2.filter2D(patch, -1, inside / inside.sum())
    total = sum(sectors[1:], sectors[0])
    least = np.minimum(np.minimum(sectors[0], sectors[1]), np.minimum(sectors[2], sectors[3]))
    return (0.65 * (total - least) / 3 + 0.35 * least - inner).astype(np.float32)


def _peaks(score: Float32, least: float, most: int) -> list[tuple[int, int, float]]:
    """Local maxima (row, column, value) above ``least``, strongest first."""
    if float(score.max()) <= least:
        return []
    top = (score >= cv2.dilate(score, np.ones((5, 5), np.uint8))) & (score > least)
    rows, columns = np.nonzero(top)
    values = score[rows, columns]
    order = np.argsort(-values)[:most]
    return [(int(rows[i]), int(columns[i]), float(values[i])) for i in order]


def _apart(
    raw: list[tuple[float, float, float, int, float]], ppi: float, config: SearchConfig
) -> list[tuple[float, float, float, int, float]]:
    """Of candidates of one shape that nearly coincide, the best."""
    kept: list[tuple[float, float, float, int, float]] = []
    apart_px = config.apart_in * ppi
    cells: dict[tuple[int, int, int], list[tuple[float, float, float, int, float]]] = {}
    for item in raw:
        cell = (item[3], math.floor(item[0] / apart_px), math.floor(item[1] / apart_px))
        near = any(
            math.hypot(other[0] - item[0], other[1] - item[1]) <= apart_px
            and half_turn_deg(other[2], item[2]) <= config.apart_deg
            for other in _beside(cells, cell)
        )
        if not near:
            kept.append(item)
            cells.setdefault(cell, []).append(item)
        if len(kept) >= config.per_place * 4:
            break
    return kept
