"""Bases are solid: where two outlines overlap, both are moved apart, the less surely placed one more.

How far each moves depends on its own spread (its outline's, its tag's and its height's); the camera's errors are common
to both. The distance that a base had to move is an error that it had: its spread grows with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration import TableView
from geometry import Bases
from geometry.shapes import half_extent, widest_gaps
from vision.bases.placed import PlacedBase
from vision.model.expected import BaseShape

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ApartConfig:
    """``tolerance_in``: outlines that overlap by less touch; ``most_share``: where they overlap by more than this share
    of the smaller one's narrow side, they are two readings of one spot, which moving apart does not cure;
    ``grown``: this much of the square of a base's move is added to its covariance; ``passes``: how often all
    pairs are tested, as a moved base may meet another."""

    tolerance_in: float = 0.03
    most_share: float = 0.6
    grown: float = 0.5
    passes: int = 3


def moved_apart(placed: Sequence[PlacedBase], view: TableView, config: ApartConfig | None = None) -> list[PlacedBase]:
    """The bases of one photo, with none over another by more than they may."""
    config = config or ApartConfig()
    out = list(placed)
    if len(out) < 2:
        return out
    own = [_own_covariance(base, view) for base in out]
    reach = np.array([np.hypot(p.shape.width, p.shape.depth) / 2 for p in out])
    for _ in range(config.passes):
        centers = np.array([p.center for p in out])
        near = np.linalg.norm(centers[:, None] - centers[None], axis=2) < reach[:, None] + reach[None]
        changed = False
        for i, j in zip(*np.nonzero(np.triu(near, 1)), strict=True):
            push = _push(out[i], out[j], own[i] + own[j], config)
            if push is None:
                continue
            both = np.linalg.inv(own[i] + own[j])
            out[i] = _gave_way(out[i], -own[i] @ both @ push, own[i], config)
            out[j] = _gave_way(out[j], own[j] @ both @ push, own[j], config)
            changed = True
        if not changed:
            break
    return out


def _own_covariance(base: PlacedBase, view: TableView) -> Array:
    """Covariance (2, 2) of a place without the camera's errors."""
    top = base.z + base.shape.height
    pixel = view.pixel_from_table([[*base.center, top]])
    rest = base.covariance[:2, :2] - view.table_from_pixel(pixel, top, z_sigma_in=0.0)[1][0]
    values, vectors = np.linalg.eigh((rest + rest.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0.004**2)) @ vectors.T)


def _push(a: PlacedBase, b: PlacedBase, spread: Array, config: ApartConfig) -> Array | None:
    """The move (2,) of ``b`` against ``a`` after which the two only touch, the most likely one by the ``spread`` of
    their relative place; ``None`` if they touch already, or are at one spot."""
    between = b.center - a.center
    best, least = None, np.inf
    for axis in _axes(a, b, between):
        room = _half_extent(a, axis) + _half_extent(b, axis) - config.tolerance_in
        deep = room - abs(float(between @ axis))
        if deep <= 0:
            return None
        along = spread @ axis / float(axis @ spread @ axis)
        cost = deep**2 / float(axis @ spread @ axis)
        if cost < least:
            best, least = along * deep * (1.0 if between @ axis >= 0 else -1.0), cost
            depth = deep
    narrow = min(a.shape.width, a.shape.depth, b.shape.width, b.shape.depth)
    return None if best is None or depth > config.most_share * narrow else best


def _axes(a: PlacedBase, b: PlacedBase, between: Array) -> list[Array]:
    """Directions (2,) of which one parts two outlines if any does: across the sides of each, from a round one to the
    other's nearest place, and with an oval the one along which they are farthest apart."""
    out = []
    for base, other, way in ((a, b, between), (b, a, -between)):
        if not base.shape.is_round:
            out += list(_sides(base))
            continue
        nearest = np.zeros(2)
        if not other.shape.is_round:
            half = np.array([other.shape.width, other.shape.depth]) / 2
            nearest = np.clip(_sides(other) @ -way, -half, half) @ _sides(other)
        towards = way + nearest
        far = float(np.hypot(*towards))
        if far > 1e-9:
            out.append(towards / far)
    if a.shape.is_oval or b.shape.is_oval:
        one, two = _outline(a), _outline(b)
        out += list(widest_gaps(lambda axis: axis @ between - half_extent(one, axis) - half_extent(two, axis), 1)[1])
    return out


def _outline(base: PlacedBase) -> Bases:
    shape: BaseShape = base.shape
    size = shape.width, shape.depth
    return Bases.of(base.center[None], base.facing, *size, is_round=shape.is_round, is_oval=shape.is_oval)


def _sides(base: PlacedBase) -> Array:
    """To the right and ahead (2, 2) of a base, one direction a row."""
    angle = np.radians(base.facing)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _half_extent(base: PlacedBase, axis: Array) -> float:
    """How far an outline reaches from its middle along a direction."""
    shape: BaseShape = base.shape
    if shape.is_round:
        return shape.width / 2
    across = np.abs(_sides(base) @ axis) * [shape.width / 2, shape.depth / 2]
    return float(np.linalg.norm(across) if shape.is_oval else across.sum())


def _gave_way(base: PlacedBase, step: Array, own: Array, config: ApartConfig) -> PlacedBase:
    """A base after a step (2,) aside: also higher or lower, as far as an error of its height explains the step."""
    covariance = base.covariance.copy()
    covariance[:2, :2] += config.grown * np.outer(step, step)
    z = base.z
    if base.lean is not None:
        z += float(base.z_sigma**2 * base.lean @ np.linalg.solve(own, step))
    return replace(base, center=base.center + step, covariance=covariance, z=z)
