"""Small things beside units: the table from above in colour, where they can be, which unit they belong to.

A thing belongs to the unit with the nearest base, edge to edge, and to none where two units are about as near:
players decide about a thing between two units.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from geometry import Bases
from geometry.ranges import ranges_between
from vision.imaging.photo import Photo
from vision.imaging.rectify import MapScale, in_field, reduce_image
from vision.imaging.rims import Array, Float32, Image, float32
from vision.model.expected import Expected
from vision.model.heights import HeightConfig, surface_prior

FLOOR_LEVEL = 8.0
_CELL_PX = 16
_LOG2 = np.log2(np.arange(256, dtype=np.float32) + np.float32(FLOOR_LEVEL))
_FROM_LOGS = np.array([[0, -1, 1], [1, -1, 0], [1 / 3, 1 / 3, 1 / 3]], np.float32)


@dataclass(frozen=True)
class BesideConfig:
    """``map_ppi``: pixels per inch of the map, fewer where it would pass ``map_megapixels``; ``map_z_in``: its height,
    half of a small thing's; ``marker_margin``: white paper round a frame marker, in sizes of its black square;
    ``reach_in``: greatest distance of a marker from its unit's bases; ``clearly_in``: how much nearer it must be to its
    unit than to any other base."""

    map_ppi: float = 22.0
    map_megapixels: float = 1.4
    map_z_in: float = 0.3
    marker_margin: float = 0.3
    reach_in: float = 2.0
    clearly_in: float = 0.75


class TablePlan:
    """The table from above at ``config.map_z_in``, shared by all that look for small things on it."""

    def __init__(self, photo: Photo, view: TableView, expected: Expected, config: BesideConfig | None = None) -> None:
        self.image, self.view, self.expected = photo.image, view, expected
        self.config = config or BesideConfig()
        self.z = self.config.map_z_in
        self.eye = view.eye
        area = expected.width * expected.depth
        ppi = min(self.config.map_ppi, float(np.sqrt(self.config.map_megapixels * 1e6 / area)))
        self.scale = MapScale(expected.width, expected.depth, px_per_inch=ppi)
        self.map = self._from_above(self.image, self.scale, self.z)

    def _from_above(self, image: Image, scale: MapScale, z: float) -> Image:
        """The plane at height ``z`` from above, one sample a pixel: enough for small things, and quickly made.

        Where the photo is more than twice as dense as the map it is halved first. The lens and perspective are computed
        on every sixteenth pixel and interpolated; beyond the photo's own field the map is black.
        """
        middle = np.array([[self.expected.width / 2, self.expected.depth / 2, z]])
        along = [self.view.pixel_from_table(middle + step) for step in ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0))]
        dense = min(float(np.linalg.norm(p - self.view.pixel_from_table(middle))) * 10 for p in along)
        shrink = 2 if dense >= 2 * scale.px_per_inch else 1
        source = reduce_image(image, shrink)
        width, height = scale.size
        at = lambda n: (np.arange(-(-n // _CELL_PX) + 2) - 0.5) * _CELL_PX - 0.5  # noqa: E731
        x, y = np.meshgrid(at(width), at(height))
        nodes = scale.table_from_pixel(np.column_stack([x.ravel(), y.ravel()]))
        points = np.column_stack([nodes, np.full(len(nodes), z)])
        pixels = np.full((len(points), 2), -1e6)
        seen = in_field(self.view, points)
        pixels[seen] = self.view.pixel_from_table(points[seen])
        coarse = ((pixels + 0.5) / shrink - 0.5).reshape(*x.shape, 2).astype(np.float32)
        fine = cv2.resize(coarse, None, fx=_CELL_PX, fy=_CELL_PX, interpolation=cv2.INTER_LINEAR)
        fine = fine[_CELL_PX : _CELL_PX + height, _CELL_PX : _CELL_PX + width]
        return np.asarray(cv2.remap(source, fine, np.empty(0, np.float32), cv2.INTER_LINEAR), np.uint8)

    @cached_property
    def colors(self) -> Float32:
        """Colours of the map, see :func:`colors_of`."""
        return colors_of(self.map)

    def prepare(self) -> None:
        """Work out colours and printed places before they are asked for."""
        _ = self.colors, self.printed_mask

    def odd(self, length_in: float) -> int:
        """The odd number of map pixels nearest to a length, at least 3."""
        return max(3, round(length_in * self.scale.px_per_inch) | 1)

    def surface(self, x: float, y: float) -> float:
        """Height in inches of the surface at a place, by the terrain's outlines."""
        return surface_prior(x, y, self.expected.terrain, HeightConfig()).mean_in

    def at_height(self, points: Array, z: float | Array, seen_at: Array | None = None) -> Array:
        """Points (n, 2) at height ``z``, one or (n,), that the camera sees where it sees ``points`` (n, 2) of the map,
        or at heights ``seen_at`` (n,)."""
        share = np.asarray((self.eye[2] - z) / (self.eye[2] - (self.z if seen_at is None else seen_at)))
        return np.asarray(self.eye[:2] + (points - self.eye[:2]) * share[..., None])

    def on_map(self, points: Array) -> Array:
        """The map's points (n, 2) where the camera sees table points (n, 3)."""
        eye = self.eye
        return np.asarray(eye[:2] + (points[:, :2] - eye[:2]) * (eye[2] - self.z) / (eye[2] - points[:, 2:]))

    @cached_property
    def printed_mask(self) -> npt.NDArray[np.bool_]:
        """Map pixels (rows, columns) that the frame markers and the paper round them take."""
        taken = np.zeros(self.map.shape[:2], np.uint8)
        for marker in self.expected.frame.markers:
            corners = self.expected.frame.corners(marker.id)
            middle = corners.mean(axis=0)
            paper = middle + (corners - middle) * (1 + 2 * self.config.marker_margin)
            pixels = self.scale.pixel_from_table(self.on_map(paper)[:, :2])
            cv2.fillConvexPoly(taken, np.rint(pixels).astype(np.int32), 1)
        return taken.astype(bool)

    def patch(self, center: Array, z: float, half_in: float, px_per_inch: float) -> Image:
        """The photo round a point of the plane at height ``z``, from above and at its own sharpness: a square picture
        (n, n, 3) of ``half_in`` to every side, its middle the point."""
        n = round(2 * half_in * px_per_inch)
        return self.patches(np.array([[*center, z]]), np.array([n / px_per_inch]), np.zeros(1), n)[0]

    def patches(self, centers: Array, width_in: Array, angle_deg: Array, n_px: int) -> list[Image]:
        """Square pictures (n_px, n_px, 3) of the photo from above round points (k, 3), each ``width_in`` (k,) wide in
        the level plane through its point, its rows turned anticlockwise by ``angle_deg`` (k,)."""
        edge = width_in / 2 * (n_px - 1) / n_px
        angle = np.radians(angle_deg)
        along = (edge * [np.cos(angle), np.sin(angle), 0 * angle]).T
        up = (edge * [-np.sin(angle), np.cos(angle), 0 * angle]).T
        square = np.stack([centers + i * along + j * up for i, j in ((-1, 1), (1, 1), (1, -1), (-1, -1))], axis=1)
        seen = self.view.pixel_from_table(square.reshape(-1, 3)).astype(np.float32).reshape(-1, 4, 2)
        here = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (n_px - 1)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        turns = [cv2.getPerspectiveTransform(here, there) for there in seen]
        return [np.asarray(cv2.warpPerspective(self.image, t, (n_px, n_px), flags=flags), np.uint8) for t in turns]


def colors_of(bgr: Image) -> Float32:
    """Log-chromaticity and lightness (rows, columns, 3) of a BGR picture: log2(R/G), log2(B/G) and the mean log2 level,
    in stops."""
    return float32(cv2.transform(cv2.LUT(bgr, _LOG2), _FROM_LOGS))


def gaps(center: npt.ArrayLike, diameter_in: npt.ArrayLike, bases: Bases) -> Array:
    """Inches (n, m) from edge to edge between round things, ``center`` (n, 2) and ``diameter_in`` (n,) or one for all,
    and bases (m); 0 where they touch or overlap."""
    at = np.asarray(center, dtype=np.float64).reshape(-1, 2)
    n, m = len(at), len(bases)
    width = np.broadcast_to(np.asarray(diameter_in, dtype=np.float64), (n,))
    if not n * m:
        return np.zeros((n, m))
    things = Bases.of(np.repeat(at, m, axis=0), 0.0, np.repeat(width, m), is_round=True)
    return ranges_between(things, bases[np.tile(np.arange(m), n)]).value.reshape(n, m)


def nearest_unit(
    away: Array,
    units: tuple[str | None, ...],
    *,
    reach_in: float = BesideConfig.reach_in,
    clearly_in: float = BesideConfig.clearly_in,
) -> tuple[str | None, ...]:
    """The unit that each thing is beside, from its gaps to all bases (n, m); None where that is not clear.

    ``units`` names each base's unit, None where it is unknown. A thing is a unit's where the nearest of all bases is
    the unit's, at most ``reach_in`` away, and every base of another unit, or of none, is farther by ``clearly_in``.

    >>> rows = Bases.of([[0, 0], [4, 0]], 0, 1, 1)
    >>> nearest_unit(gaps([[0.9, 0], [2, 0], [9, 9]], 0.5, rows), ("A1", "A2"))
    ('A1', None, None)
    """
    out = []
    for row in away:
        mine = units[int(row.argmin())] if len(row) else None
        others = [gap for gap, unit in zip(row.tolist(), units, strict=True) if unit != mine]
        clear = mine is not None and row.min() <= reach_in and min(others, default=np.inf) - row.min() >= clearly_in
        out.append(mine if clear else None)
    return tuple(out)


def only_unit(away: Array, units: tuple[str | None, ...], reach_in: float) -> tuple[str | None, ...]:
    """The one unit that has bases within ``reach_in`` of each thing, from its gaps to all bases (n, m); None for no
    unit or several, or if a base near it has no unit.

    >>> only_unit(np.array([[0.2, 1.0, 3.0], [0.2, 3.0, 1.0]]), ("A1", "A1", "B1"), 1.5)
    ('A1', None)
    """
    out = []
    for row in away:
        near = {unit for gap, unit in zip(row.tolist(), units, strict=True) if gap <= reach_in}
        out.append(near.pop() if len(near) == 1 else None)
    return tuple(out)
