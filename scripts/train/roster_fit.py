"""A roster's bases laid where maps show tops and outlines best: one way for every map that is compared."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from features import Float32, Image, Lean, Mask

from vision.bases.search import Candidate, SearchConfig, find_candidates
from vision.bases.selection import footprint
from vision.imaging.nets import plan_input
from vision.imaging.rectify import MapScale
from vision.model.expected import BaseShape, Expected

_BESIDE_IN = 0.15
_OVERLAP = 0.15  # share of a base that may be under another


def edges(image: Image, lean: Lean, valid: Mask, px_per_inch: float) -> Float32:
    """What fits need who know nothing of bases but their shapes: edges of brightness and colour, taken for outlines;
    everywhere may be top."""
    colours = plan_input(image, lean, valid)[3:6]
    steep = np.zeros(valid.shape, np.float32)
    for plane in colours:
        soft = cv2.GaussianBlur(plane, (0, 0), 0.05 * px_per_inch)
        slope = np.hypot(cv2.Scharr(soft, cv2.CV_32F, 1, 0), cv2.Scharr(soft, cv2.CV_32F, 0, 1))
        steep = np.maximum(steep, np.asarray(slope, np.float32))
    # An edge stands out from the texture of its table, and is thin.
    ridge = steep * (steep >= 0.85 * np.asarray(cv2.dilate(steep, np.ones((3, 3), np.uint8))))
    usual = float(np.percentile(ridge[valid & (ridge > 0)], 80)) if (valid & (ridge > 0)).any() else 1.0
    line = np.clip(ridge / (2 * usual), 0, 1) * valid
    return np.stack([valid.astype(np.float32), np.asarray(line, np.float32), np.zeros(valid.shape, np.float32)])


def lay_roster(share: Float32, scale: MapScale, expected: Expected) -> npt.NDArray[np.float64]:
    """Centres (n, 2) of the roster's shapes laid where shares of tops and outlines (k, rows, columns) say it most.

    Each shape is laid as often as the roster has it, the best first, none over another.
    """
    left = expected.shape_counts
    shapes = tuple(left)
    top, edge = (np.ascontiguousarray(plane) for plane in share[:2])
    fits = find_candidates(edge, scale, shapes, SearchConfig())
    worth = [c.score + 0.35 * (_within(top, scale, c, shapes) - 0.5 * _around(top, scale, c, shapes)) for c in fits]
    centres: list[tuple[float, float]] = []
    taken: list[shapely.Polygon] = []
    for k in np.argsort(-np.array(worth), kind="stable"):
        one, shape = fits[k], shapes[fits[k].shape]
        if left[shape] <= 0 or not (0 <= one.x <= expected.width and 0 <= one.y <= expected.depth):
            continue
        area = footprint(shape, one.x, one.y, one.facing)
        if taken and np.max(shapely.area(shapely.intersection(area, np.array(taken)))) > _OVERLAP * area.area:
            continue
        left[shape] -= 1
        taken.append(area)
        centres.append((one.x, one.y))
    return np.array(centres).reshape(-1, 2)


def _within(top: Float32, scale: MapScale, one: Candidate, shapes: tuple[BaseShape, ...]) -> float:
    """Mean share of top over a grid on a base, out to four fifths of its half sides."""
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, 5), np.linspace(-0.8, 0.8, 5))
    shape = shapes[one.shape]
    return _mean(top, scale, one, np.column_stack([x.ravel() * shape.width, y.ravel() * shape.depth]) / 2)


def _around(top: Float32, scale: MapScale, one: Candidate, shapes: tuple[BaseShape, ...]) -> float:
    """Mean share of top a little outside of a base."""
    shape = shapes[one.shape]
    w, d = shape.width / 2 + _BESIDE_IN, shape.depth / 2 + _BESIDE_IN
    if shape.is_round:
        turn = np.arange(24) * np.pi / 12
        return _mean(top, scale, one, w * np.column_stack([np.cos(turn), np.sin(turn)]))
    ring = np.asarray(shapely.box(-w, -d, w, d).exterior.segmentize(0.4).coords)[:-1]
    return _mean(top, scale, one, ring)


def _mean(plane: Float32, scale: MapScale, one: Candidate, points: npt.NDArray[np.float64]) -> float:
    """The plane's mean at points (n, 2) right and ahead of a base's centre; off the map there is nothing."""
    turn = np.radians(one.facing)
    c, s = np.cos(turn), np.sin(turn)
    place = np.column_stack([points[:, 0] * c + points[:, 1] * s, points[:, 1] * c - points[:, 0] * s])
    at = np.rint(scale.pixel_from_table(place + np.array([one.x, one.y]))).astype(np.intp)[:, ::-1]
    inside = np.all((at >= 0) & (at < plane.shape), axis=1)
    return float(plane[tuple(at[inside].T)].sum() / len(at))
