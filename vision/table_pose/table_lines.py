"""Straight edges of a small copy of a photo, and how colours step across them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LinesConfig:
    """Pixels of the small copy. Segments at least ``least_segment_px`` long within ``line_px`` of one another
    make a line, of which the ``most_lines`` longest are used. Colours ``step_px`` wide on both sides are compared, up
    to ``bow_px`` beside the line, and step where they differ by ``least_step`` (CIELAB) and by ``least_of_side`` of
    the usual step along the side, in the side's own direction. ``strip_px``: from and to where colours are read beside
    a side; ``inset``: share of a side left out at either end. A side's ``end`` is so much of it, and bare where colours
    step along less than ``least_at_end`` of that. ``band``: how deep, in the size of a rectangle, colours on both sides
    of its sides are compared; a band of which less than ``least_band`` is in view is not."""

    least_segment_px: float = 22.0
    line_px: float = 2.5
    most_lines: int = 44
    step_px: int = 4
    bow_px: int = 3
    least_step: float = 4.0
    least_of_side: float = 0.35
    strip_px: tuple[int, int] = (5, 14)
    inset: float = 0.04
    end: float = 0.1
    least_at_end: float = 0.25
    band: float = 0.12
    least_band: float = 0.15


def candidate_lines(lab: npt.NDArray[np.float32], config: LinesConfig) -> Array:
    """Lines (n, 3) with n . (x, y, 1) = 0 and unit normals, longest support first."""
    found = []
    for channel, gain in ((0, 2.55), (1, 4.0), (2, 4.0)):
        plane = cv2.GaussianBlur(lab[..., channel], (0, 0), 1.0)
        plane = np.clip((plane - np.median(plane)) * gain + 128, 0, 255).astype(np.uint8)
        segments = cv2.createLineSegmentDetector().detect(plane)[0]
        if segments is not None:
            found.append(np.asarray(segments, dtype=np.float64).reshape(-1, 4))
    segments = np.concatenate([*found, np.zeros((0, 4))])
    length = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
    keep = length >= config.least_segment_px
    order = np.argsort(-length[keep])
    segments, length = segments[keep][order], length[keep][order]
    return _merge_segments(segments, length, config)


def _merge_segments(segments: Array, length: Array, config: LinesConfig) -> Array:
    """Segments (m, 4), longest first, gathered into lines."""
    ends = segments.reshape(-1, 2, 2)
    lines: list[tuple[float, Array]] = []
    left = np.ones(len(segments), dtype=bool)
    for k in range(len(segments)):
        if not left[k]:
            continue
        line = _through(ends[k], np.ones(2))
        members = np.zeros(len(segments), dtype=bool)
        for _ in range(3):
            off = np.abs(ends @ line[:2] + line[2]).max(axis=1)
            members = left & (off < config.line_px)
            members[k] = True
            line = _through(ends[members].reshape(-1, 2), np.repeat(length[members], 2))
        lines.append((_covered_length(ends[members] @ _along(line)), line))
        left &= ~members
    lines.sort(key=lambda item: -item[0])
    return np.array([line for _, line in lines[: config.most_lines]]).reshape(-1, 3)


def _through(points: Array, weight: Array) -> Array:
    """The line (3,) nearest to points (n, 2)."""
    middle = weight @ points / weight.sum()
    spread = (points - middle).T * weight @ (points - middle)
    normal = np.linalg.eigh(spread)[1][:, 0]
    return np.array([*normal, -normal @ middle])


def _along(line: Array) -> Array:
    """The direction (2,) of a line (3,)."""
    return np.array([-line[1], line[0]])


def _covered_length(spans: Array) -> float:
    """Length covered by intervals (n, 2), in any order, overlaps counted once."""
    total, reach = 0.0, -np.inf
    for low, high in sorted((min(a, b), max(a, b)) for a, b in spans):
        total += max(0.0, high - max(low, reach))
        reach = max(reach, high)
    return total


@dataclass(frozen=True)
class SideSupport:
    """How colours step along a side: the shares of it along which they step ``one_way`` and ``back``, and at how many
    of its ends hardly any does, ``bare_ends``; what is not in view does not count."""

    one_way: float = 0.0
    back: float = 0.0
    bare_ends: int = 0


class TableLines:
    """Candidate lines and how colours step across them, place by place along each."""

    def __init__(self, lab: npt.NDArray[np.float32], lines: Array, config: LinesConfig) -> None:
        self.size = (lab.shape[1], lab.shape[0])
        self.lab, self.lines, self.config = lab, lines, config
        self.steps = [_steps_across(lab, line, config) for line in lines]
        self.strips = [_strips_beside(lab, line, config) for line in lines]
        self._known: dict[tuple[int, ...], SideSupport] = {}

    def intersection(self, i: int, j: int) -> Array | None:
        """Where two lines meet (2,)."""
        p = np.cross(self.lines[i], self.lines[j])
        return None if abs(p[2]) < 1e-3 else p[:2] / p[2]

    def support(self, line: int, first: Array, last: Array) -> SideSupport:
        """How colours step along a side between two points."""
        key = (line, *(round(float(v)) for v in (*first, *last)))
        if key not in self._known:
            self._known[key] = self._support(line, first, last)
        return self._known[key]

    def unlikeness(self, corners: Array, sides: tuple[int, int, int, int]) -> tuple[float, Array]:
        """How much the colours along the inside of the four sides and in the middle differ, against their difference
        from the outside (a table top with a mat on it is not all of one piece), and the colour inside (3,); infinitely
        much where a side is out of view."""
        inside, outside = np.zeros((4, 3)), np.zeros((4, 3))
        for k in range(4):
            first, last = corners[k], corners[(k + 1) % 4]
            middle = corners.mean(axis=0)
            line, (along, left, right) = self.lines[sides[k]], self.strips[sides[k]]
            within = self._within(sides[k], along, first, last)
            if not within.any():
                return np.inf, np.zeros(3)
            if line[:2] @ middle + line[2] < 0:
                left, right = right, left
            inside[k], outside[k] = np.median(right[within], axis=0), np.median(left[within], axis=0)
        common = np.median(inside, axis=0)
        strays = np.linalg.norm(inside - common, axis=1)
        steps = np.maximum(np.linalg.norm(outside - common, axis=1), self.config.least_step)
        middle_strays = float(np.linalg.norm(self._middle_colour(corners) - common))
        return float(max(np.max(strays / steps), middle_strays / np.median(steps))), common

    def difference(self, corners: Array, k: int) -> float:
        """How much the colours on the two sides of a rectangle's side differ, 0 (alike) to 1: the total variation
        between their histograms, in bands as deep as a share of the rectangle; 1 where the picture ends there."""
        first, last = corners[k], corners[(k + 1) % 4]
        away = np.array([first[1] - last[1], last[0] - first[0]]) / np.linalg.norm(last - first)
        deep = self.config.band * math.sqrt(cv2.contourArea(corners.astype(np.float32)))
        along = np.linspace(self.config.inset, 1 - self.config.inset, _ALONG)[:, None, None] * (last - first)
        bands = []
        for way in (away, -away):
            places = first + along + np.linspace(self.config.strip_px[0] - 2, deep, _DEEP)[:, None] * way
            x, y = np.rint(places.reshape(-1, 2)).astype(int).T
            seen = (x >= 0) & (y >= 0) & (x < self.size[0]) & (y < self.size[1])
            if seen.mean() < self.config.least_band:
                return 1.0
            bands.append(_histogram(self.lab[y[seen], x[seen]]))
        return float(np.abs(bands[0] - bands[1]).sum() / 2)

    def _middle_colour(self, corners: Array) -> Array:
        """The usual colour (3,) of the middle of a rectangle."""
        s, t = (g.ravel()[:, None] for g in np.meshgrid(np.linspace(0.2, 0.8, 25), np.linspace(0.2, 0.8, 25)))
        a, b, c, d = corners
        at = (1 - s) * (1 - t) * a + s * (1 - t) * b + s * t * c + (1 - s) * t * d
        rows, columns = self.lab.shape[:2]
        x, y = np.clip(np.rint(at), 0, [columns - 1, rows - 1]).astype(int).T
        return np.asarray(np.median(self.lab[y, x], axis=0), dtype=np.float64)

    def _within(self, line: int, along: Array, first: Array, last: Array) -> npt.NDArray[np.bool_]:
        """Which places along a line belong to the side between two points."""
        way = _along(self.lines[line])
        low, high = sorted((float(first @ way), float(last @ way)))
        inset = self.config.inset * (high - low)
        return np.asarray((along > low + inset) & (along < high - inset))

    def _support(self, line: int, first: Array, last: Array) -> SideSupport:
        along, steps = self.steps[line]
        inside = self._within(line, along, first, last)
        if inside.sum() < 0.25 * np.linalg.norm(last - first):  # half of the side is out of view
            return SideSupport()
        mean = np.median(steps[inside], axis=0)
        size = float(np.linalg.norm(mean))
        if size < self.config.least_step:
            return SideSupport()
        least = max(self.config.least_step, self.config.least_of_side * size)
        toned = steps @ mean / size
        here = toned[inside]
        bare = self._bare_ends(line, first, last, np.abs(toned) > least)
        return SideSupport(float(np.mean(here > least)), float(np.mean(here < -least)), bare)

    def _bare_ends(self, line: int, first: Array, last: Array, steps: npt.NDArray[np.bool_]) -> int:
        """At how many ends of a side colours step, either way, at hardly any of the places along its line."""
        way = _along(self.lines[line])
        place = (self.steps[line][0] - first @ way) / ((last - first) @ way)
        bare = 0
        for low, high in ((0.01, 0.01 + self.config.end), (0.99 - self.config.end, 0.99)):
            here = steps[(place > low) & (place < high)]
            bare += len(here) > 3 and here.mean() < self.config.least_at_end
        return int(bare)


_ALONG, _DEEP = 90, 24
_BINS = np.array([9, 10, 10])
_FROM, _TO = np.array([0.0, -60.0, -60.0]), np.array([100.0, 60.0, 60.0])


def _histogram(colours: npt.NDArray[np.float32]) -> Array:
    """Shares of colours (n, 3) by their place in CIELAB, each spread over neighbouring bins."""
    places = np.clip((colours - _FROM) / (_TO - _FROM) * _BINS, 0, _BINS - 1).astype(int)
    counts = np.bincount(np.ravel_multi_index(places.T, _BINS), minlength=_BINS.prod())
    found = counts.reshape(_BINS).astype(np.float64)
    for axis, count in enumerate(found.shape):
        below, above = (np.clip(np.arange(count) + step, 0, count - 1) for step in (-1, 1))
        found = found / 2 + (found.take(below, axis) + found.take(above, axis)) / 4
    return np.asarray(found / found.sum(), dtype=np.float64)


def _steps_across(lab: npt.NDArray[np.float32], line: Array, config: LinesConfig) -> tuple[Array, Array]:
    """Places along a line in view, two pixels apart (s,), and the step of colour across it there (s, 3), looked for up
    to ``bow_px`` beside it."""
    margin = config.step_px + config.bow_px
    along, places = _places(lab, line, margin)
    offsets = np.arange(-margin, margin + 1)
    grid = (places[:, None] + offsets[:, None] * line[:2]).astype(np.float32)
    if not len(grid):
        return along, np.zeros((0, 3))
    values = cv2.remap(lab, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
    # two stations to each side along the line, against texture
    values = cv2.blur(values, (1, 5)) if len(values) > 5 else values
    total = np.concatenate([np.zeros_like(values[:, :1]), np.cumsum(values, axis=1)], axis=1)
    w = config.step_px
    centre = np.arange(w, len(offsets) - w)
    after = (total[:, centre + w + 1] - total[:, centre + 1]) / w
    before = (total[:, centre] - total[:, centre - w]) / w
    step = after - before
    strongest = np.argmax(np.linalg.norm(step, axis=2), axis=1)
    return along, np.asarray(step[np.arange(len(step)), strongest], dtype=np.float64)


def _strips_beside(lab: npt.NDArray[np.float32], line: Array, config: LinesConfig) -> tuple[Array, Array, Array]:
    """Places along a line in view (s,), and the mean colours of the strips beside it, where its normal does not point
    to (s, 3) and where it does (s, 3)."""
    along, places = _places(lab, line, config.strip_px[1])
    offsets = np.arange(config.strip_px[0], config.strip_px[1] + 1)
    if not len(places):
        return along, np.zeros((0, 3)), np.zeros((0, 3))
    sides = []
    for way in (-line[:2], line[:2]):
        grid = (places[:, None] + offsets[:, None] * way).astype(np.float32)
        sides.append(cv2.remap(lab, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR).mean(axis=1).astype(np.float64))
    return along, sides[0], sides[1]


def _places(lab: npt.NDArray[np.float32], line: Array, margin: int) -> tuple[Array, Array]:
    """Places two pixels apart on a line, ``margin`` inside the picture: along it (s,) and as points (s, 2)."""
    height, width = lab.shape[:2]
    way = _along(line)
    reach = float(np.hypot(width, height))
    along = np.arange(-reach, reach, 2.0) + float(np.array([width, height]) / 2 @ way)
    places = -line[2] * line[:2] + along[:, None] * way
    inside = np.all((places > margin) & (places < np.array([width, height]) - 1 - margin), axis=1)
    return along[inside], places[inside]
