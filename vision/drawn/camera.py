"""Photographs of drawn tables: a phone camera with lens distortion over layers, and the frame it keeps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration import Camera, TableView
from vision.drawn.develop import Development, Image, develop
from vision.drawn.layers import Array, Float32, Layers
from vision.drawn.look import heights_of, slice_at


@dataclass(frozen=True)
class Shot:
    """Where a phone stood and what it is: ``azimuth_deg`` of the camera as seen from the aim, clockwise from +y;
    ``elevation_deg`` of the line of sight (90: straight down); ``distance_in`` from the aim; ``roll_deg``; ``aim`` on
    the table in inches; ``size`` of the picture; ``focal_35mm``; ``distortion`` in OpenCV's order."""

    azimuth_deg: float
    elevation_deg: float
    distance_in: float
    roll_deg: float
    aim: tuple[float, float]
    size: tuple[int, int]
    focal_35mm: float
    distortion: tuple[float, float, float, float, float]


def view_of(shot: Shot) -> TableView:
    """The true camera and pose of a shot."""
    width, height = shot.size
    focal = shot.focal_35mm * float(np.hypot(width, height)) / float(np.hypot(36.0, 24.0))
    parameters = np.array([focal, focal, (width - 1) / 2, (height - 1) / 2, *shot.distortion])
    camera = Camera.from_parameters(parameters, shot.size)
    az, el = np.radians(shot.azimuth_deg), np.radians(min(shot.elevation_deg, 89.9))
    away = np.array([np.sin(az) * np.cos(el), np.cos(az) * np.cos(el), np.sin(el)])
    eye = np.array([*shot.aim, 0.0]) + shot.distance_in * away
    forward = -away
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(np.radians(shot.roll_deg)), np.sin(np.radians(shot.roll_deg))
    R = np.array([c * right + s * down, -s * right + c * down, forward])
    return TableView(camera=camera, R=R, t=-R @ eye)


def photograph(
    layers: Layers,
    colors: tuple[Float32, Float32, Float32],
    view: TableView,
    size: tuple[int, int],
    *,
    step: float = 0.1,
    surround: tuple[float, float, float] = (0.12, 0.13, 0.14),
) -> Float32:
    """Linear light (rows, columns, 3) that the camera receives from the layers; ``surround`` is the room's."""
    width, height = size
    # The picture without distortion, a little larger than the true one, so that its edges can be bent into place.
    margin = 1.06
    K = view.camera.K.copy()
    wide = (int(width * margin), int(height * margin))
    K[:2, 2] += (np.array(wide) - size) / 2
    out = np.empty((wide[1], wide[0], 3), np.float32)
    out[:] = surround
    w = layers.window
    to_plan = np.array([[w.ppi, 0, -w.x0 * w.ppi - 0.5], [0, -w.ppi, (w.y0 + w.depth) * w.ppi - 0.5], [0, 0, 1.0]])
    ground, top, side = colors
    flags = cv2.INTER_LINEAR
    first = np.dstack([ground, np.ones(ground.shape[:2], np.float32)])
    for z in [0.0, *heights_of(layers, step)]:
        H = K @ np.column_stack([view.R[:, 0], view.R[:, 1], view.R[:, 2] * z + view.t]) @ np.linalg.inv(to_plan)
        if z == 0.0:
            sheet = first
        else:
            color, share = slice_at(layers, ground, top, side, float(z), step)
            if color is None or share is None:
                continue
            sheet = np.dstack([color, share])
        box = _box(H, sheet, wide)
        if box is None:
            continue
        x0, y0, x1, y1, part = box
        shift = np.array([[1.0, 0, -x0], [0, 1.0, -y0], [0, 0, 1.0]])
        moved = shift @ H @ np.array([[1.0, 0, part[0]], [0, 1.0, part[1]], [0, 0, 1.0]])
        piece = np.ascontiguousarray(sheet[part[1] : part[3], part[0] : part[2]])
        seen = cv2.warpPerspective(piece, moved, (x1 - x0, y1 - y0), flags=flags)
        share = seen[..., 3:4]
        out[y0:y1, x0:x1] = out[y0:y1, x0:x1] * (1 - share) + seen[..., :3]
    return _bent(out, K, view.camera, size)


def _box(
    H: Array, sheet: Float32, size: tuple[int, int]
) -> tuple[int, int, int, int, tuple[int, int, int, int]] | None:
    """The part of the picture (x0, y0, x1, y1) that a sheet's filled part reaches, and that part of the sheet."""
    filled = sheet[..., 3] > 0
    rows, columns = np.flatnonzero(filled.any(axis=1)), np.flatnonzero(filled.any(axis=0))
    if not len(rows):
        return None
    left, right, upper, lower = columns[0], columns[-1] + 1, rows[0], rows[-1] + 1
    corners = np.array(
        [[left - 1, upper - 1, 1], [right, upper - 1, 1], [right, lower, 1], [left - 1, lower, 1]], float
    )
    p = corners @ H.T
    if np.any(p[:, 2] <= 1e-6):
        return 0, 0, size[0], size[1], (int(left), int(upper), int(right), int(lower))
    xy = p[:, :2] / p[:, 2:]
    x0, y0 = np.maximum(np.floor(xy.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(xy.max(axis=0)).astype(int) + 2, size)
    if x0 >= x1 or y0 >= y1:
        return None
    return int(x0), int(y0), int(x1), int(y1), (int(left), int(upper), int(right), int(lower))


def _bent(picture: Float32, K: Array, camera: Camera, size: tuple[int, int]) -> Float32:
    """The picture with the lens's distortion, cut to its size."""
    width, height = size
    step = 16
    columns, rows = np.arange(0, width + step, step), np.arange(0, height + step, step)
    nodes = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    straight = cv2.undistortPoints(nodes, camera.K, camera.dist).reshape(-1, 2)
    places = straight * [K[0, 0], K[1, 1]] + K[:2, 2]
    grid = places.reshape(len(rows), len(columns), 2).astype(np.float32)
    # Nodes lie ``step`` pixels apart; bilinear in between, as the lens is smooth.
    gx, gy = np.meshgrid(np.arange(width, dtype=np.float32) / step, np.arange(height, dtype=np.float32) / step)
    where = cv2.remap(grid, gx, gy, cv2.INTER_LINEAR)
    return np.asarray(cv2.remap(picture, where, None, cv2.INTER_LINEAR), dtype=np.float32)


def taken(light: Float32, how: Development, rng: np.random.Generator) -> Image:
    """The phone's picture of the light that it received."""
    return develop(light, how, rng)
