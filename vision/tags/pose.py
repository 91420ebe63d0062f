"""A unit tag's pose: the place of its base, and its height by its apparent size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.model.expected import BaseShape
from vision.model.heights import SizeWitness

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TagPlaceConfig:
    """``paper_in``: thickness of a tag on its base; ``glue_in``, ``glue_deg``: how exactly a tag sits where the roster
    says; ``noise_px``: least corner noise."""

    paper_in: float = 0.01
    glue_in: float = 0.02
    glue_deg: float = 0.8
    noise_px: float = 0.07


@dataclass(frozen=True, eq=False)
class TagPose:
    """The base under a tag: centre (inches), facing (degrees) and covariance (3, 3) of x, y, facing (radians)."""

    x: float
    y: float
    facing: float
    covariance: Array


def tag_pose(
    view: TableView,
    corners: Array,
    sigma_px: float,
    size_in: float,
    offset_in: tuple[float, float],
    shape: BaseShape,
    z: float,
    config: TagPlaceConfig,
) -> TagPose:
    """The base with these tag corners (4, 2) px, its surface at height ``z``: the square of the tag's size that
    fits best in the plane of the base's top, moved to the base's centre."""
    top = z + shape.height + config.paper_in
    seen = view.point_from_pixel(corners, top)
    half = size_in / 2
    model = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    centre = seen.mean(axis=0)
    local = seen - centre
    # Rigid fit; facing turns clockwise from +y, so model (right, forward) maps to (cos, -sin), (sin, cos).
    cross = float((local[:, 1] * model[:, 0] - local[:, 0] * model[:, 1]).sum())
    dot = float((local * model).sum())
    angle = np.arctan2(-cross, dot)
    right, forward = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    base = centre - offset_in[0] * right - offset_in[1] * forward
    per_px = _inches_per_pixel(view, centre, top)
    noise = max(sigma_px, config.noise_px) * per_px
    turn = float(np.hypot(noise / (np.sqrt(2.0) * size_in), np.radians(config.glue_deg)))
    place = noise / 2.0
    lever = offset_in[0] * forward - offset_in[1] * right
    covariance = np.zeros((3, 3))
    covariance[:2, :2] = (place**2 + config.glue_in**2) * np.eye(2)
    to_turn = np.array([[1.0, 0.0, lever[0]], [0.0, 1.0, lever[1]], [0.0, 0.0, 1.0]])
    covariance[2, 2] = turn**2
    covariance = to_turn @ covariance @ to_turn.T
    return TagPose(float(base[0]), float(base[1]), float(np.degrees(angle) % 360.0), covariance)


def tag_witness(
    view: TableView, corners: Array, sigma_px: float, size_in: float, shape: BaseShape, config: TagPlaceConfig
) -> SizeWitness:
    """The height of the surface under a tagged base that the tag's apparent size asks for."""
    steps = np.array([0.0, 0.5])
    sides = []
    for z in steps:
        seen = view.point_from_pixel(corners, z + shape.height + config.paper_in)
        sides.append(_side(seen))
    slope = (sides[1] - sides[0]) / (steps[1] - steps[0])
    height = (size_in - sides[0]) / slope
    centre = view.point_from_pixel(corners, shape.height).mean(axis=0)
    per_px = _inches_per_pixel(view, centre, shape.height)
    # The mean of both diagonals over the square root of two: four corners, each along its own diagonal.
    noise = max(sigma_px, config.noise_px) / np.sqrt(2.0) * per_px
    return SizeWitness(float(height), float(abs(noise / slope)), float(2.0 * per_px / abs(slope)))


def _side(quad: Array) -> float:
    """Side of the square with a quadrilateral's mean diagonal."""
    return float((np.linalg.norm(quad[2] - quad[0]) + np.linalg.norm(quad[3] - quad[1])) / (2 * np.sqrt(2.0)))


def _inches_per_pixel(view: TableView, at: Array, z: float) -> float:
    p = view.pixel_from_table([[at[0], at[1], z], [at[0] + 0.1, at[1], z], [at[0], at[1] + 0.1, z]])
    a, b = (p[1] - p[0]) / 0.1, (p[2] - p[0]) / 0.1
    return float(1.0 / np.sqrt(max(1e-12, abs(a[0] * b[1] - a[1] * b[0]))))
