"""Labels on pictures: how wide letters are, and where a label has room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tabletop.aar.picture import TOP, Area, Flat, Letters, Line, Look, Point, Tag

Array = npt.NDArray[np.float64]
Box = tuple[float, float, float, float]

PAD_EM = 0.32
CHIP_EM = 1.25
_NARROW, _WIDE = set("iljtfr.,:;'|!()[] /1"), set("mwMWGOQ")


def chip_width(text: str, size: float) -> float:
    """About how wide a text is, in ems, for the sans-serif faces of browsers, PDF readers and pictures.

    >>> chip_width("A1", 1.0) < chip_width("W1", 1.0)
    True
    """
    wide = sum(0.4 if c in _NARROW else 0.95 if c in _WIDE else 0.74 if c.isupper() else 0.64 for c in text)
    return wide * size


def place_tags(
    tags: Sequence[Tag],
    boxes: Sequence[Box],
    strokes: Sequence[Sequence[Point]],
    bounds: Box,
    em: float,
    looks: dict[str, Look],
) -> list[Flat]:
    """Boxes and letters for every tag: units' labels first, then those that slide along a line, then optional ones.

    A label goes where it covers least of the ``boxes`` and of labels placed before, crosses few ``strokes``, stays in
    ``bounds`` and near what it names; a leader joins the two where they are apart.
    """
    blocked = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    dots = np.array([p for stroke in strokes for p in _sampled(stroke, 0.4 * em)], dtype=np.float64).reshape(-1, 2)
    taken: list[Box] = []
    leaders: list[Flat] = []
    letters: list[Flat] = []
    order = sorted(tags, key=lambda t: (t.optional, t.along is not None))
    for tag in order:
        wide = sum(_wide(tag, text) for text in (chip.text for chip in tag.chips)) * em
        size = (wide, CHIP_EM * tag.size * em)
        candidates = _inside(np.array(list(_candidates(tag, size))), bounds)
        covered = _covered(candidates, blocked, np.array(taken).reshape(-1, 4), dots, size, tag)
        best = int(np.argmin(covered + candidates[:, 4]))
        if tag.optional and covered[best] > 0.05:
            continue
        box = (*(float(v) for v in candidates[best, :4]),)
        taken.append(box)  # type: ignore[arg-type]
        near = (min(max(tag.at[0], box[0]), box[2]), min(max(tag.at[1], box[1]), box[3]))
        gap = max(abs(near[0] - tag.at[0]) - tag.half_in[0], abs(near[1] - tag.at[1]) - tag.half_in[1])
        if tag.along is None and gap > 0.7 * em:
            leaders.append(Line((near, tag.at), "leader", TOP))
        letters += _drawn(tag, box[0], box[1], size[1], em)
    return leaders + letters


def _wide(tag: Tag, text: str) -> float:
    pad = 0.1 if tag.plain else PAD_EM
    return max(chip_width(text, tag.size) + 2 * pad * tag.size, 0.0 if tag.plain else CHIP_EM * tag.size)


def _drawn(tag: Tag, left: float, bottom: float, high: float, em: float) -> list[Flat]:
    flat: list[Flat] = []
    x = left
    for chip in tag.chips:
        wide = _wide(tag, chip.text) * em
        if not tag.plain:
            flat.append(Area(_rounded(x, bottom, x + wide, bottom + high, chip.round), chip.cls, TOP))
        flat.append(Letters((x + wide / 2, bottom + high / 2), chip.text, chip.cls, tag.size))
        x += wide
    return flat


def _rounded(left: float, bottom: float, right: float, top: float, full: bool) -> tuple[Point, ...]:
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


def _sampled(points: Sequence[Point], step: float) -> list[Point]:
    found = []
    for (ax, ay), (bx, by) in pairwise(points):
        count = max(1, math.ceil(math.hypot(bx - ax, by - ay) / step))
        found += [(ax + (bx - ax) * k / count, ay + (by - ay) * k / count) for k in range(count + 1)]
    return found


def _candidates(tag: Tag, size: tuple[float, float]) -> list[tuple[float, float, float, float, float]]:
    """Boxes (left, bottom, right, top) with a small cost for lying less well."""
    w, h = size
    found = []
    if tag.along is not None:
        (ax, ay), (bx, by) = tag.along
        for k in range(41):
            share = 0.12 + 0.76 * k / 40
            x, y = ax + (bx - ax) * share, ay + (by - ay) * share
            found.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2, 0.35 * abs(share - 0.55)))
        return found
    x, y = tag.at
    for far, cost in ((0.1 * h, 0.0), (0.6 * h, 0.15), (1.3 * h, 0.4), (2.3 * h, 0.8), (3.6 * h, 1.2)):
        rx, ry = tag.half_in[0] + w / 2 + far, tag.half_in[1] + h / 2 + far
        for k in range(24):
            angle = math.radians(90 + 15 * k)
            ux, uy = math.cos(angle), math.sin(angle)
            reach = min(rx / max(abs(ux), 1e-9), ry / max(abs(uy), 1e-9))
            cx, cy = x + ux * reach, y + uy * reach
            turned = abs(ux) * 0.05 + (0.03 if uy < 0 else 0.0)
            found.append((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, cost + turned))
    return found


def _inside(candidates: Array, bounds: Box) -> Array:
    """Candidates pushed into the bounds, at a cost for how far."""
    left, bottom, right, top = bounds
    dx = np.maximum(0.0, left - candidates[:, 0]) - np.maximum(0.0, candidates[:, 2] - right)
    dy = np.maximum(0.0, bottom - candidates[:, 1]) - np.maximum(0.0, candidates[:, 3] - top)
    moved = candidates + np.column_stack([dx, dy, dx, dy, 0.25 * (np.abs(dx) + np.abs(dy))])
    return np.asarray(moved)


def _covered(boxes: Array, blocked: Array, taken: Array, dots: Array, size: tuple[float, float], tag: Tag) -> Array:
    """What each box would hide: bases, labels before it, lines of fire."""
    area = size[0] * size[1]
    hidden = (1.6 * _overlap(boxes, blocked) + 8.0 * _overlap(boxes, taken)) / area
    if len(dots) and tag.along is None:
        inside = (
            (dots[None, :, 0] > boxes[:, None, 0])
            & (dots[None, :, 0] < boxes[:, None, 2])
            & (dots[None, :, 1] > boxes[:, None, 1])
            & (dots[None, :, 1] < boxes[:, None, 3])
        )
        hidden = hidden + 0.08 * inside.sum(axis=1)
    return np.asarray(hidden)


def _overlap(boxes: Array, others: Array) -> Array:
    """Area that each box (n, 4+) shares with all others (m, 4)."""
    if not len(others):
        return np.zeros(len(boxes))
    w = np.minimum(boxes[:, None, 2], others[None, :, 2]) - np.maximum(boxes[:, None, 0], others[None, :, 0])
    h = np.minimum(boxes[:, None, 3], others[None, :, 3]) - np.maximum(boxes[:, None, 1], others[None, :, 1])
    return np.asarray((np.maximum(w, 0) * np.maximum(h, 0)).sum(axis=1))
