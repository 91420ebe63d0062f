"""The rectified map: the photo as seen from straight above, one scale everywhere, +y up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Camera, TableView

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

_CELL_PX = 8  # the lens and perspective are computed at nodes this far apart and interpolated between them
_MOST_SAMPLES = 4  # per side of a map pixel
_OUTSIDE_PX = -1e6
_STRIP_PX = 1 << 20  # samples taken at once: few enough that their memory is used again and again
_NO_SECOND_MAP = np.empty((0, 0), np.float32)
_FIELD_SLACK = 1.1  # beyond this share of the picture's own field the lens model is not trusted


@dataclass(frozen=True)
class MapScale:
    """Extent of a map of the table: ``width_in`` by ``depth_in`` of table with ``margin_in`` of ground all round, at
    ``px_per_inch``. Pixel (0, 0) is the centre of the top-left pixel; rows run from the far side to the near side.

    >>> scale = MapScale(36.0, 24.0, px_per_inch=10.0, margin_in=1.0)
    >>> scale.size
    (380, 260)
    >>> scale.pixel_from_table([[0.0, 0.0]]).tolist()
    [[9.5, 249.5]]
    >>> scale.table_from_pixel([[9.5, 249.5]]).tolist()
    [[0.0, 0.0]]
    """

    width_in: float
    depth_in: float
    px_per_inch: float = 24.0
    margin_in: float = 0.0

    def __post_init__(self) -> None:
        if not (self.width_in > 0 and self.depth_in > 0 and self.px_per_inch > 0 and self.margin_in >= 0):
            raise ValueError(
                f"A map of {self.width_in} x {self.depth_in} inches at {self.px_per_inch} pixels per inch with a "
                f"margin of {self.margin_in} cannot be: sizes and scale must be above 0, the margin 0 or more."
            )

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return (
            max(1, round((self.width_in + 2 * self.margin_in) * self.px_per_inch)),
            max(1, round((self.depth_in + 2 * self.margin_in) * self.px_per_inch)),
        )

    def pixel_from_table(self, points: npt.ArrayLike) -> Array:
        """Map pixels (n, 2) of table points (n, 2) in inches."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        x = (p[:, 0] + self.margin_in) * self.px_per_inch - 0.5
        y = (self.depth_in + self.margin_in - p[:, 1]) * self.px_per_inch - 0.5
        return np.stack([x, y], axis=1)

    def table_from_pixel(self, pixels: npt.ArrayLike) -> Array:
        """Table points (n, 2) in inches of map pixels (n, 2)."""
        p = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        x = (p[:, 0] + 0.5) / self.px_per_inch - self.margin_in
        y = self.depth_in + self.margin_in - (p[:, 1] + 0.5) / self.px_per_inch
        return np.stack([x, y], axis=1)

    @property
    def places(self) -> Array:
        """Table points (rows, columns, 2) in inches of all map pixels."""
        width, height = self.size
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        return self.table_from_pixel(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(height, width, 2)


def rectified_map(
    image: Pixels,
    view: TableView,
    table_size_in: tuple[float, float],
    *,
    px_per_inch: float = 24.0,
    z: float = 0.0,
    margin_in: float = 0.0,
    outside_bgr: tuple[int, int, int] = (128, 128, 128),
) -> Pixels:
    """The plane at height ``z`` inches, seen from above: (rows, columns, 3) or (rows, columns) uint8 like ``image``.

    ``image`` is the upright photo of ``view`` (the same pixel count). Lens distortion is undone. Where the photo is
    denser than the map each map pixel is the mean of several samples, so that thin marks neither flicker nor vanish.
    Ground that the photo does not show has the colour ``outside_bgr``. :class:`MapScale` with the same numbers converts
    between map pixels and inches.
    """
    if (image.shape[1], image.shape[0]) != view.camera.size:
        raise ValueError(
            f"The picture has {image.shape[1]} x {image.shape[0]} pixels but its camera was solved for "
            f"{view.camera.size[0]} x {view.camera.size[1]}: give the upright picture that the camera was solved on."
        )
    scale = MapScale(table_size_in[0], table_size_in[1], px_per_inch, margin_in)
    nodes = _nodes(view, scale, z, image.shape[1], image.shape[0])
    least, most = _photo_px_per_map_px(nodes)
    shrink = max(1, int(least))
    source = reduce_image(image, shrink)
    shrunk = ((nodes + 0.5) / shrink - 0.5).astype(np.float32)
    samples = int(np.clip(math.ceil(most / shrink - 0.25), 1, _MOST_SAMPLES))
    return _sample_map(source, shrunk, scale.size, samples, outside_bgr)


def reduce_image(image: Pixels, factor: int) -> Pixels:
    """The picture ``factor`` times smaller; rows and columns that don't fill a pixel are left out."""
    if factor <= 1:
        return image
    rows, columns = image.shape[0] // factor, image.shape[1] // factor
    whole = image[: rows * factor, : columns * factor]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def reduced_to(image: Pixels, long_side_px: int) -> tuple[Pixels, float]:
    """The picture with its longer side reduced to ``long_side_px``, as it is where that is no longer, and by how much;
    reduced pixel (x + 0.5) * factor - 0.5."""
    factor = max(image.shape[:2]) / long_side_px
    if factor <= 1.0:
        return image, 1.0
    size = (round(image.shape[1] / factor), round(image.shape[0] / factor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def visible_mask(view: TableView, scale: MapScale, z: float = 0.0) -> npt.NDArray[np.bool_]:
    """Which places (rows, columns) of a map of the plane at height ``z`` inches the photo shows."""
    width, height = view.camera.size
    nodes = _nodes(view, scale, z, width, height)
    from_edges = np.minimum(nodes, (width - 1, height - 1) - nodes).astype(np.float32)  # across and down, pixels
    rows, columns = nodes.shape[:2]
    size = (columns * _CELL_PX, rows * _CELL_PX)
    fine = cv2.resize(from_edges, size, interpolation=cv2.INTER_LINEAR)
    inside = (fine[_CELL_PX : _CELL_PX + scale.size[1], _CELL_PX : _CELL_PX + scale.size[0]] >= -0.5).all(axis=2)
    return np.asarray(inside, dtype=np.bool_)


def _nodes(view: TableView, scale: MapScale, z: float, width: int, height: int) -> Array:
    """Photo pixels (rows, columns, 2) of a coarse grid over the map, one cell wider than the map on every side."""
    columns, rows = (math.ceil(n / _CELL_PX) + 2 for n in scale.size)
    at = lambda n: (np.arange(-1, n - 1) + 0.5) * _CELL_PX - 0.5  # noqa: E731
    x, y = np.meshgrid(at(columns), at(rows))
    flat = scale.table_from_pixel(np.stack([x.ravel(), y.ravel()], axis=1))
    points = np.column_stack([flat, np.full(len(flat), z)])
    pixels = np.full((len(points), 2), _OUTSIDE_PX)
    seen = in_field(view, points)
    pixels[seen] = view.pixel_from_table(points[seen])
    return pixels.reshape(rows, columns, 2)


def in_field(view: TableView, points: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which table points (n, 3) are before the camera and not so far outside its picture that the lens model folds."""
    p = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    camera = p @ view.R.T + view.t
    depth = camera[:, 2]
    ahead = depth > 1e-3
    safe = np.where(ahead, depth, 1.0)
    radius = np.hypot(camera[:, 0], camera[:, 1]) / safe
    return ahead & (radius <= _FIELD_SLACK * _field_radius(view.camera))


def _field_radius(camera: Camera) -> float:
    """The largest undistorted radius at depth 1 that the picture's corners reach."""
    w, h = camera.size
    corners = camera.undistort([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]])
    return float(np.hypot(corners[:, 0], corners[:, 1]).max())


def _photo_px_per_map_px(nodes: Array) -> tuple[float, float]:
    """Least and greatest density of the photo under the map; 1, 1 where the map is outside the photo."""
    seen = nodes[..., 0] > _OUTSIDE_PX / 2
    steps = []
    for axis in (0, 1):
        step = np.linalg.norm(np.diff(nodes, axis=axis), axis=-1) / _CELL_PX
        both = seen[1:] & seen[:-1] if axis == 0 else seen[:, 1:] & seen[:, :-1]
        steps.append(step[both])
    every = np.concatenate(steps)
    return (float(every.min()), float(every.max())) if len(every) else (1.0, 1.0)


def _sample_map(
    source: Pixels, nodes: npt.NDArray[np.float32], size: tuple[int, int], samples: int, outside: tuple[int, int, int]
) -> Pixels:
    """The map in strips, each ``samples`` times finer and then averaged."""
    width, height = size
    cell = _CELL_PX * samples
    out = np.empty((height, width, *source.shape[2:]), np.uint8)
    border = [float(v) for v in outside] if source.ndim == 3 else [float(np.mean(outside))]
    rows, columns = nodes.shape[:2]
    step = 32  # rows of nodes at once
    if cell & (cell - 1) == 0:  # then nodes are interpolated without rounding, and short strips make the same map
        step = max(4, min(step, _STRIP_PX // (columns * cell * cell)))
    for top in range(0, rows - 2, step):
        part = nodes[top : min(rows, top + step + 2)]
        fine = cv2.resize(part, (columns * cell, part.shape[0] * cell), interpolation=cv2.INTER_LINEAR)
        fine = fine[cell : -cell if part.shape[0] > 2 else None, cell : cell + width * samples]
        first = top * _CELL_PX
        last = min(height, first + fine.shape[0] // samples)
        fine = fine[: (last - first) * samples]
        strip = cv2.remap(
            source, fine, _NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border
        )
        if samples > 1:
            strip = cv2.resize(strip, (width, last - first), interpolation=cv2.INTER_AREA)
        out[first:last] = strip
    return out
