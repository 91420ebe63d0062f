"""Marks painted on pixels: over the photo in its own perspective and lens, or over a map."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from geometry.drawing.boxes import Wish, place_boxes
from geometry.drawing.colors import ink_on, rgb
from geometry.drawing.marks import POINTS_PER_SIDE, Label, Marks, Path, Style, subdivide_line
from geometry.drawing.text_pixels import text_patch, text_size
from vision.imaging.rectify import MapScale, in_field

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]
Projector = Callable[[Array, float], tuple[Array, npt.NDArray[np.bool_]]]

_STEP_IN = 0.4  # lines are projected in pieces no longer than this: perspective and lens bend them
_SHIFT = 4  # binary places of a pixel that OpenCV draws with
_DASH_PT = (9.0, 7.0)


def on_photo(
    image: Pixels,
    view: TableView,
    marks: Marks,
    *,
    long_side_px: int | None = None,
    crop_table_in: tuple[float, float] | None = None,
) -> Pixels:
    """A copy of the upright photo with the marks over it, every point projected at its own height.

    ``image`` (height, width, 3) has the camera's pixel count or another one of the same shape. With ``crop_table_in``
    (width, depth) only that table and a little round it is kept; ``long_side_px`` makes a smaller copy before anything
    is drawn, so that lines and letters stay sharp.
    """
    full = view.camera.size
    fx, fy = image.shape[1] / full[0], image.shape[0] / full[1]
    left, top, right, bottom = 0, 0, image.shape[1], image.shape[0]
    if crop_table_in is not None:
        left, top, right, bottom = table_part(view, crop_table_in, (image.shape[1], image.shape[0]))
    canvas = image[top:bottom, left:right]
    factor = 1.0 if long_side_px is None else min(1.0, long_side_px / max(canvas.shape[:2]))
    size = (max(1, round(canvas.shape[1] * factor)), max(1, round(canvas.shape[0] * factor)))
    gx, gy = size[0] / canvas.shape[1], size[1] / canvas.shape[0]
    smaller = np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), np.uint8)

    def project(points: Array, z: float) -> tuple[Array, npt.NDArray[np.bool_]]:
        space = np.column_stack([points, np.full(len(points), z)])
        seen = in_field(view, space)
        pixels = np.zeros((len(points), 2))
        in_photo = (view.pixel_from_table(space[seen]) + 0.5) * (fx, fy) - (left, top)
        pixels[seen] = in_photo * (gx, gy) - 0.5
        return pixels, seen

    _paint(smaller, marks, project)
    return smaller


def table_part(
    view: TableView, table: tuple[float, float], size: tuple[int, int] | None = None
) -> tuple[int, int, int, int]:
    """The part of a photo (left, top, right, bottom) that shows a table of so many inches, with 4 % of the longer side
    round it: in pixels of the photo, or of a copy of ``size`` (width, height). The whole photo if no table is in
    sight."""
    width, height = size or view.camera.size
    factor = width / view.camera.size[0], height / view.camera.size[1]
    w, d = table
    edge = subdivide_line(np.array([[0, 0], [w, 0], [w, d], [0, d]], dtype=np.float64), True, 1.0)
    space = np.column_stack([edge, np.zeros(len(edge))])
    space = space[in_field(view, space)]
    if len(space) < 3:
        return 0, 0, width, height
    pixels = (view.pixel_from_table(space) + 0.5) * factor
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    room = 0.04 * float((high - low).max())
    left, top = (int(v) for v in np.clip(np.floor(low - room), 0, (width - 1, height - 1)))
    right, bottom = (int(v) for v in np.clip(np.ceil(high + room), (left + 1, top + 1), (width, height)))
    return left, top, right, bottom


def on_map(canvas: Pixels, scale: MapScale, marks: Marks) -> Pixels:
    """A copy of a map with the marks over it; ``canvas`` (rows, columns, 3) has the size of ``scale``."""
    if (canvas.shape[1], canvas.shape[0]) != scale.size:
        raise ValueError(f"The map has {canvas.shape[1]} x {canvas.shape[0]} pixels but its scale says {scale.size}.")

    def project(points: Array, z: float) -> tuple[Array, npt.NDArray[np.bool_]]:
        return scale.pixel_from_table(points), np.ones(len(points), dtype=bool)

    drawn = canvas.copy()
    _paint(drawn, marks, project)
    return drawn


def _bgr(color: str) -> tuple[int, int, int]:
    r, g, b = rgb(color)
    return b, g, r


def _paint(canvas: Pixels, marks: Marks, project: Projector) -> None:
    point_px = max(canvas.shape[:2]) / POINTS_PER_SIDE
    obstacles: list[Array] = []
    for path in marks.paths:
        line = subdivide_line(path.points, path.closed, _STEP_IN)
        pixels, seen = project(line, path.z)
        if seen.sum() < 2:
            continue
        if path.keep_clear:
            inside = pixels[seen]
            obstacles.append(np.array([*inside.min(axis=0), *inside.max(axis=0)]))
        if path.style.fill is not None and path.closed:
            _fill(canvas, pixels[seen], path)
        if path.style.width_pt > 0:
            for run in _runs(pixels, seen):
                _stroke(canvas, run, path, point_px)
    _letter(canvas, marks.labels, np.array(obstacles).reshape(-1, 4), project, point_px)


def _runs(pixels: Array, seen: npt.NDArray[np.bool_]) -> list[Array]:
    """The stretches of a line that can be seen."""
    cuts = np.flatnonzero(np.diff(seen.astype(np.int8))) + 1
    parts = zip(np.split(pixels, cuts), np.split(seen, cuts), strict=True)
    return [part for part, visible in parts if visible[0] and len(part) > 1]


def _fixed_point(points: Array) -> npt.NDArray[np.int32]:
    return np.round(np.clip(points, -2e5, 2e5) * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def _fill(canvas: Pixels, ring: Array, path: Path) -> None:
    low = np.maximum(np.floor(ring.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(ring.max(axis=0)).astype(int) + 1, canvas.shape[1::-1])
    if (high <= low).any() or path.style.fill is None:
        return
    part = canvas[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_fixed_point(ring - low)], 255, cv2.LINE_AA, _SHIFT)
    share = mask.astype(np.float32)[..., None] * np.float32(path.style.fill_opacity / 255)
    tint = np.array(_bgr(path.style.fill), np.float32)
    part[:] = (part + (tint - part) * share + 0.5).astype(np.uint8)


def _stroke(canvas: Pixels, run: Array, path: Path, point_px: float) -> None:
    style = path.style
    pieces = _dashes(run, [d * point_px for d in _DASH_PT]) if style.dashed else [run]
    fixed = [_fixed_point(piece) for piece in pieces]
    core = max(1, round(style.width_pt * point_px))
    if style.casing:
        band = max(1, round(0.9 * point_px))
        if not style.calm:
            cv2.polylines(canvas, fixed, False, (0, 0, 0), core + 4 * band, cv2.LINE_AA, _SHIFT)
        cv2.polylines(canvas, fixed, False, (255, 255, 255), core + 2 * band, cv2.LINE_AA, _SHIFT)
    cv2.polylines(canvas, fixed, False, _bgr(style.color), core, cv2.LINE_AA, _SHIFT)


def _dashes(run: Array, pattern: list[float]) -> list[Array]:
    """A line cut into dashes by its length in pixels, the first and last at its ends."""
    steps = np.linalg.norm(np.diff(run, axis=0), axis=1)
    length = np.concatenate([[0.0], np.cumsum(steps)])
    total = float(length[-1])
    dash, gap = pattern
    count = max(1, round((total + gap) / (dash + gap)))
    stretch = (total + gap) / (count * (dash + gap))
    pieces = []
    for i in range(count):
        a = i * (dash + gap) * stretch
        b = min(total, a + dash * stretch)
        at = np.concatenate([[a], length[(length > a) & (length < b)], [b]])
        pieces.append(np.stack([np.interp(at, length, run[:, k]) for k in (0, 1)], axis=1))
    return pieces


def _letter(canvas: Pixels, labels: tuple[Label, ...], obstacles: Array, project: Projector, point_px: float) -> None:
    """Labels, each where there is room."""
    rows, columns = canvas.shape[:2]
    wishes, shown = [], []
    for label in labels:
        angle = np.radians(label.prefer_deg)
        ahead = (np.array(label.at) + 0.1 * np.array([np.sin(angle), np.cos(angle)])).tolist()
        rim = [label.at[0] + label.reach_in, label.at[1]], [label.at[0], label.at[1] + label.reach_in]
        pixels, seen = project(np.array([label.at, ahead, *rim]), label.z)
        if not seen.all() or not (0 <= pixels[0, 0] < columns and 0 <= pixels[0, 1] < rows):
            continue
        first = pixels[1] - pixels[0]
        reach = float(np.linalg.norm(pixels[2:] - pixels[0], axis=1).mean()) if label.reach_in > 0 else 0.0
        wishes.append(
            Wish(
                text_size(label.text, label.size_pt * point_px),
                (float(pixels[0, 0]), float(pixels[0, 1])),
                reach,
                (float(first[0]), float(first[1])),
                label.optional,
            )
        )
        shown.append(label)
    edge = 3 * point_px
    boxes = place_boxes(wishes, obstacles, (edge, edge, columns - edge, rows - edge))
    for label, wish, box in zip(shown, wishes, boxes, strict=True):
        if box is None:
            continue
        if wish.reach > 0 and label.leader:
            near = np.clip(wish.at, (box[0], box[1]), (box[2], box[3]))
            _stroke(canvas, np.array([wish.at, near]), Path(np.zeros((2, 2)), _leader(label)), point_px)
    for label, box in zip(shown, boxes, strict=True):
        if box is not None:
            _stamp(canvas, label, box, point_px)


def _leader(label: Label) -> Style:
    return Style(color=label.color, width_pt=1.0, casing=True)


def _stamp(canvas: Pixels, label: Label, box: tuple[float, float, float, float], point_px: float) -> None:
    ink, ground, border = label.color, "#ffffff", label.color
    if label.solid:
        ink, ground, border = ink_on(label.color), label.color, "#ffffff"
    patch = text_patch(
        label.text,
        label.size_pt * point_px,
        label.color if label.plain else ink,
        None if label.plain else ground,
        ink_on(label.color) if label.plain else border,
    )
    x, y = round(box[0]), round(box[1])
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(canvas.shape[1], x + patch.shape[1]), min(canvas.shape[0], y + patch.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part, layer = canvas[y0:y1, x0:x1], patch[y0 - y : y1 - y, x0 - x : x1 - x]
    share = layer[..., 3:].astype(np.float32) / 255
    part[:] = (part + (layer[..., 2::-1].astype(np.float32) - part) * share + 0.5).astype(np.uint8)
