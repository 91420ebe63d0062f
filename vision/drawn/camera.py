"""Photographs of drawn tables: a phone camera with lens distortion over layers, and the frame it keeps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration import Camera, TableView
from vision.drawn.layers import Array, Float32, Layers, Window
from vision.drawn.look import lay, slices


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
    around: tuple[Window, Float32] | None = None,
    room: tuple[float, float, float] = (0.12, 0.13, 0.14),
) -> Float32:
    """Linear light (rows, columns, 3) that the camera receives from the layers.

    ``around``: a wider and coarser window and its colours (r, c, 3), for what lies about the table; ``room`` is the
    light from everywhere else. Slices are ``step`` inches apart.
    """
    # The picture without distortion, a little larger than the true one, so that its edges can be bent into place.
    margin = 1.06
    K = view.camera.K.copy()
    wide = (int(size[0] * margin), int(size[1] * margin))
    K[:2, 2] += (np.array(wide) - size) / 2
    out = np.empty((wide[1], wide[0], 3), np.float32)
    out[:] = room
    for window, flat in ([around] if around else []) + [(layers.window, colors[0])]:
        _spread(out, flat, _homography(K, view, 0.0) @ _from_pixels(window))
    onto = {}
    for z, relief, sheet in slices(layers, colors, step):
        if z not in onto:
            onto = {z: _homography(K, view, z) @ _from_pixels(layers.window)}
        corner = np.array([[1.0, 0, relief.column], [0, 1.0, relief.row], [0, 0, 1.0]])
        lay(out, sheet, onto[z] @ corner)
    return _bent(out, K, view.camera, size)


def _homography(K: Array, view: TableView, z: float) -> Array:
    """Pixels from table places (x, y, 1) at height ``z``."""
    return np.asarray(K @ np.column_stack([view.R[:, 0], view.R[:, 1], view.R[:, 2] * z + view.t]))


def _from_pixels(w: Window) -> Array:
    """Table places (x, y, 1) from a window's pixels (column, row, 1)."""
    return np.array([[1 / w.ppi, 0, w.x0 + 0.5 / w.ppi], [0, -1 / w.ppi, w.y0 + w.depth - 0.5 / w.ppi], [0, 0, 1.0]])


def _spread(picture: Float32, flat: Float32, matrix: Array) -> None:
    """Draw a flat sheet (r, c, 3) over the picture, the part of it before the camera."""
    rows, columns = picture.shape[:2]
    sheet = np.dstack([flat, np.ones(flat.shape[:2], np.float32)])
    seen = cv2.warpPerspective(sheet, matrix, (columns, rows), flags=cv2.INTER_LINEAR)
    # A plane's far side would come out mirrored above the horizon.
    back = np.linalg.inv(matrix)
    ahead = back[2, 0] * np.arange(columns)[None, :] + back[2, 1] * np.arange(rows)[:, None] + back[2, 2]
    share = seen[..., 3:4] * (ahead > 0)[..., None]
    picture *= 1 - share
    picture += seen[..., :3] * (ahead > 0)[..., None]


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
