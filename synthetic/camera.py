"""Photographs of drawn tables: a phone camera with lens distortion over layers, and the frame it keeps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration import Camera, TableView
from synthetic.layers import Float32, Layers, Window
from synthetic.look import Colors, seen_over
from synthetic.rays import reach_of

_NODE_PX = 8  # pixels between places that are worked out exactly
_FAR_IN = 1e4
_FADE_IN = 0.8  # over which the layers' edge turns into the table's surroundings
_STRIP = 256  # rows of a picture at a time


@dataclass(frozen=True)
class Shot:
    """The place and kind of a phone: ``azimuth_deg`` of the camera as seen from the aim, clockwise from +y;
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
    colors: Colors,
    view: TableView,
    *,
    step: float = 0.1,
    around: tuple[Window, Float32] | None = None,
    room: tuple[float, float, float] = (0.12, 0.13, 0.14),
) -> Float32:
    """Linear light (rows, columns, 3) that the camera receives from the layers.

    ``around``: a wider and coarser window and its colours (r, c, 3), for the table's surroundings; ``room`` is the
    light from everywhere else. Rays go down in steps of at most ``step`` inches.
    """
    over = reach_of(layers, view.eye)
    near = _sheet(layers, colors, view, over, step)
    width, height = view.camera.size
    grid = _places(view)
    out = np.empty((height, width, 3), np.float32)
    across = np.arange(width, dtype=np.float32) / _NODE_PX
    for a in range(0, height, _STRIP):
        b = min(height, a + _STRIP)
        down = np.arange(a, b, dtype=np.float32) / _NODE_PX
        where = cv2.remap(grid, *np.meshgrid(across, down), cv2.INTER_LINEAR)
        seen = cv2.remap(near, _on(over, where), None, cv2.INTER_LINEAR)
        part = out[a:b]
        part[:] = room
        if seen[..., 3].min() < 1.0:
            if around is not None:
                _lay(part, _far(around, where))
            _lay(part, seen)
        else:
            part[:] = seen[..., :3]
    return out


def _sheet(layers: Layers, colors: Colors, view: TableView, over: Window, step: float) -> Float32:
    """What the camera sees over a window of the plane z = 0 (r, c, 4), colours weighted by the share, which is last.

    It fades out at the layers' edge, and is averaged along the line of sight as the picture foreshortens it.
    """
    picture, share = seen_over(layers, colors, view.eye, over, step, _FADE_IN)
    picture *= share[..., None]
    sheet = np.dstack([picture, share])
    middle = np.array([layers.window.x0 + layers.window.width / 2, layers.window.y0 + layers.window.depth / 2, 0.0])
    to_eye = view.eye - middle
    along = int(abs(to_eye[1]) > abs(to_eye[0]))
    turn = np.eye(3)[along] * 0.5
    ends = view.pixel_from_table([middle - turn, middle + turn])
    squeezed = layers.window.ppi / max(1e-6, float(np.linalg.norm(ends[1] - ends[0])))
    sigma = 0.35 * float(np.sqrt(max(0.0, squeezed**2 - 1)))
    if sigma > 0.3:
        size = 2 * int(np.ceil(2.5 * sigma)) + 1
        sheet = cv2.GaussianBlur(sheet, (1, size) if along else (size, 1), sigma)
    return np.asarray(sheet, np.float32)


def _places(view: TableView) -> Float32:
    """Table places (r, c, 2) of every ``_NODE_PX``-th pixel on the plane z = 0, far away above the horizon.

    Bilinear in between: at 8 pixels that is 0.02 pixels off where the horizon is 800 pixels away.
    """
    width, height = view.camera.size
    columns, rows = np.arange(0, width + _NODE_PX, _NODE_PX), np.arange(0, height + _NODE_PX, _NODE_PX)
    nodes = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
    places = np.nan_to_num(view.point_from_pixel(nodes, 0.0), nan=_FAR_IN)
    return np.clip(places, -_FAR_IN, _FAR_IN).reshape(len(rows), len(columns), 2).astype(np.float32)


def _on(w: Window, places: Float32 | cv2.typing.MatLike) -> Float32:
    """A window's columns and rows (r, c, 2) of table places (r, c, 2)."""
    matrix = np.array([[w.ppi, 0, -w.x0 * w.ppi - 0.5], [0, -w.ppi, (w.y0 + w.depth) * w.ppi - 0.5]])
    return np.asarray(cv2.transform(np.asarray(places, np.float32), matrix), np.float32)


def _far(around: tuple[Window, Float32], where: cv2.typing.MatLike) -> Float32:
    """The table's surroundings at places (r, c, 2), weighted by their share (r, c, 4); already coarse."""
    window, flat = around
    sheet = np.dstack([flat, np.ones(flat.shape[:2], np.float32)])
    half = np.ascontiguousarray(np.asarray(where)[::2, ::2])
    seen = cv2.remap(sheet, _on(window, half), None, cv2.INTER_LINEAR)
    rows, columns = np.asarray(where).shape[:2]
    return np.asarray(cv2.resize(seen, (columns, rows)), np.float32)


def _lay(picture: Float32, seen: Float32 | cv2.typing.MatLike) -> None:
    """Draw what is seen (r, c, 4), weighted by its share, over a picture (r, c, 3)."""
    part = np.asarray(seen)
    picture *= 1 - part[..., 3:]
    picture += part[..., :3]
