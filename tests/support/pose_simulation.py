"""Simulated views of tables with frame markers: exact geometry, then noise, careless layouts, drawn lenses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration import Camera, FrameLayout, FrameMarker, TableView
from calibration.adjustment import AdjustmentConfig
from calibration.lens_prior import LensPrior

Array = npt.NDArray[np.float64]

SIZE = (4032, 3024)
PHONE = Camera.from_parameters([3030, 3030, 2026, 1504, 0.06, -0.085, 6e-4, -4e-4, 0.0], SIZE)


@dataclass(frozen=True, eq=False)
class Detections:
    """What ``solve_table`` needs of detected markers."""

    ids: npt.NDArray[np.int64]
    corners: Array
    sigma_px: Array

    def take(self, rows: list[int]) -> Detections:
        return Detections(self.ids[rows], self.corners[rows], self.sigma_px[rows])

    def with_corners(self, row: int, corners: Array) -> Detections:
        changed = self.corners.copy()
        changed[row] = corners
        return Detections(self.ids, changed, self.sigma_px)


def table_layout(width: float = 36.0, depth: float = 36.0, *, six: bool = False, size: float = 3.0) -> FrameLayout:
    """Four corner markers, or six with the middles of the long sides."""
    h = size / 2
    places = [(h, h), (width - h, h), (width - h, depth - h), (h, depth - h)]
    if six:
        places += [(width / 2, h), (width / 2, depth - h)]
    return FrameLayout("DICT_APRILTAG_36h11", size, tuple(FrameMarker(i, p) for i, p in enumerate(places)))


def look(
    camera: Camera,
    *,
    distance_in: float = 55.0,
    elevation_deg: float = 55.0,
    azimuth_deg: float = 15.0,
    roll_deg: float = 3.0,
    target: tuple[float, float] = (18.0, 16.5),
) -> TableView:
    """A view of a table point from a distance; azimuth 0 looks from the near side along +y."""
    e, a, roll = np.radians([elevation_deg, azimuth_deg, roll_deg])
    forward = -np.array([np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)])
    right = np.array([np.cos(a), np.sin(a), 0.0])
    R = np.stack([right, np.cross(forward, right), forward])
    R = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]) @ R
    eye = np.array([*target, 0.0]) - distance_in * forward
    return TableView(camera, R, -R @ eye)


def drawn_camera(prior: LensPrior, rng: np.random.Generator) -> Camera:
    """A camera from a prior, of those whose distortion does not fold the picture."""
    while True:
        p = prior.mean + prior.root @ rng.normal(size=9)
        r = np.linspace(0, 1.1 * np.hypot(*prior.size) / 2 / p[0], 60)
        if np.all(np.diff(r * (1 + p[4] * r**2 + p[5] * r**4 + p[8] * r**6)) > 0):
            return Camera.from_parameters(p, prior.size)


def laid(
    layout: FrameLayout, marker_id: int, *, shift: tuple[float, float] = (0, 0), turn_deg: float = 0, size: float = 1
) -> Array:
    """Corners (4, 3) of a marker that lies shifted, turned clockwise and sized otherwise than the layout says."""
    corners = layout.corners(marker_id)[:, :2]
    centre = corners.mean(axis=0)
    a = np.radians(turn_deg)
    arms = (corners - centre) @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) * size
    return np.column_stack([centre + np.asarray(shift) + arms, np.zeros(4)])


def see(
    view: TableView,
    layout: FrameLayout,
    rng: np.random.Generator | None = None,
    *,
    carelessness: float = 0.0,
    noise_px: float = 0.08,
    ids: tuple[int, ...] | None = None,
) -> Detections:
    """The markers as seen; without ``rng`` exactly. ``carelessness`` multiplies the layout's spreads."""
    config = AdjustmentConfig()
    seen = [i for i in layout.ids if ids is None or i in ids]
    if rng is None:
        corners = np.array([view.pixel_from_table(layout.corners(i)) for i in seen])
    else:
        printed = np.exp(rng.normal() * config.print_scale_rel)
        corners = np.empty((len(seen), 4, 2))
        for k, i in enumerate(seen):
            shift, turn, size = rng.normal(size=2), rng.normal(), rng.normal()
            real = laid(
                layout,
                i,
                shift=tuple(shift * config.layout_sigma_in * carelessness),
                turn_deg=turn * config.layout_sigma_deg * carelessness,
                size=float(np.exp(size * config.marker_size_rel * carelessness) * printed),
            )
            corners[k] = bled(view.pixel_from_table(real), rng.normal() * config.edge_bleed_px)
        corners += rng.normal(size=corners.shape) * noise_px
    return Detections(np.array(seen), corners.reshape(-1, 4, 2), np.full(len(seen), 0.1))


def bled(quad: Array, outward_px: float) -> Array:
    """A clockwise quad (4, 2) whose edges are moved outward: intersections of the moved lines."""
    along = np.roll(quad, -1, axis=0) - quad
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    offset = np.sum(normal * quad, axis=1) + outward_px
    return np.array([np.linalg.solve([normal[k - 1], normal[k]], [offset[k - 1], offset[k]]) for k in range(4)])


def table_grid(
    width: float = 36.0, depth: float = 36.0, n: int = 5, heights: tuple[float, ...] = (0.0, 0.12, 1.0)
) -> Array:
    """Table points (n * n * heights, 3)."""
    return np.array([(x, y, z) for z in heights for x in np.linspace(0, width, n) for y in np.linspace(0, depth, n)])


def errors(truth: TableView, solved: TableView, points: Array) -> tuple[Array, Array]:
    """Errors (n, 2) in inches of a solved view at table points (n, 3), and its stated covariances (n, 2, 2)."""
    xy, covariance = solved.table_from_pixel(truth.pixel_from_table(points), points[:, 2])
    return xy - points[:, :2], covariance
