"""How well each place of a table is known: the spread of a base if it stood there.

The centre of a base's top is as sure as the camera over the table (its whole covariance), the pixels of its outline and
the height of the surface under it. Several photos of a place count together. The same calculation for a camera that is
not there yet predicts the gain of another photo: its frame markers are assumed to be seen without error, and its spread
to be the one that the adjustment would state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration import Camera, FrameLayout, TableView
from calibration.adjustment import AdjustmentConfig, MarkerSights, adjust
from calibration.lens_prior import LensPrior, exif_prior, focal_px_from_35mm, stored_priors
from vision.imaging.rectify import in_field
from vision.model.heights import HeightConfig
from vision.model.observation import Observation

Array = npt.NDArray[np.float64]

CHI2_95 = 5.991464547


@dataclass(frozen=True)
class TrustConfig:
    """``outline_px``: how well an outline's pixels place a base (one sigma); ``outline_in``: what no pixel cures (its
    paint, its cut); ``height_in``: one sigma of the surface's height; ``thickness_in``: of a base; ``nodes`` along the
    table's longer side; ``edge_px``: as near to the picture's edge nothing is found."""

    outline_px: float = 0.25
    outline_in: float = 0.01
    height_in: float = HeightConfig().flat_sd_in
    thickness_in: float = 0.12
    nodes: int = 41
    edge_px: float = 8.0


@dataclass(frozen=True, eq=False)
class TrustMap:
    """Over a grid of places ``x`` (m,), ``y`` (n,) in inches: the ``covariance`` (n, m, 2, 2) of a base's centre, NaN
    where no photo shows the place, and the least ``px_per_inch`` (n, m) in any direction of the sharpest photo, 0
    there."""

    x: Array
    y: Array
    covariance: Array
    px_per_inch: Array

    @property
    def spread_in(self) -> Array:
        """The longer half axis (n, m) of the 95 % ellipse, inches; infinite where no photo shows the place."""
        seen = np.isfinite(self.covariance).all(axis=(2, 3))
        out = np.full(seen.shape, np.inf)
        out[seen] = np.sqrt(CHI2_95 * np.linalg.eigvalsh(self.covariance[seen])[:, -1])
        return out

    @property
    def worst_in(self) -> float:
        """The spread that 95 % of the table keep below; infinite where more than 5 % is in no photo."""
        return float(np.quantile(self.spread_in, 0.95, method="higher"))

    def at(self, values: Array, places: npt.ArrayLike) -> Array:
        """Values (n, m) of the grid at places (k, 2) on the table, between its nodes by the four nearest."""
        p = np.asarray(places, dtype=np.float64).reshape(-1, 2)
        column = np.clip(np.interp(p[:, 0], self.x, np.arange(len(self.x))), 0, len(self.x) - 1.000001)
        row = np.clip(np.interp(p[:, 1], self.y, np.arange(len(self.y))), 0, len(self.y) - 1.000001)
        i, j = row.astype(int), column.astype(int)
        a, b = row - i, column - j
        parts = (
            ((1 - a) * (1 - b), values[i, j]),
            ((1 - a) * b, values[i, j + 1]),
            (a * (1 - b), values[i + 1, j]),
            (a * b, values[i + 1, j + 1]),
        )
        return np.asarray(
            sum(np.where(weight > 0, np.where(weight > 0, weight, 1.0) * value, 0.0) for weight, value in parts)
        )


def trust_map(views: Sequence[TableView], table: tuple[float, float], config: TrustConfig | None = None) -> TrustMap:
    """How well a base would be known at every place of a table (width, depth) in inches, from photos of it."""
    config = config or TrustConfig()
    x, y = _nodes(table, config)
    covariance, density = _together([_told_of_table(view, table, config) for view in views], len(x) * len(y))
    shape = (len(y), len(x))
    return TrustMap(x, y, covariance.reshape(*shape, 2, 2), density.reshape(shape))


def _nodes(table: tuple[float, float], config: TrustConfig) -> tuple[Array, Array]:
    step = max(table) / (config.nodes - 1)
    x, y = (np.linspace(0.0, side, max(2, round(side / step) + 1)) for side in table)
    return x, y


@lru_cache(maxsize=8)  # a view is used alone and beside others
def _told_of_table(view: TableView, table: tuple[float, float], config: TrustConfig) -> tuple[Array, Array]:
    places = np.column_stack([axis.ravel() for axis in np.meshgrid(*_nodes(table, config))])
    return _told_at(view, places, config)


def trust_of(seen: Observation, config: TrustConfig | None = None) -> TrustMap:
    """How well every place of an observation's table is known. Where the bases found are less certain than computed
    (an unknown hill's height, few pixels of rim), the whole table is taken to be so by their median."""
    trust = trust_map([photo.view for photo in seen.photos], seen.table, config)
    if not len(seen.bases):
        return trust
    reckoned, density = spread_at([photo.view for photo in seen.photos], seen.bases.center, config)
    known = (density > 0) & (np.linalg.det(seen.bases.covariance) > 0)
    if known.sum() < 3:
        return trust
    ratio = np.sqrt(np.linalg.det(seen.bases.covariance[known]) / np.linalg.det(reckoned[known]))
    return replace(trust, covariance=trust.covariance * max(1.0, float(np.median(ratio))))


def spread_at(
    views: Sequence[TableView], places: npt.ArrayLike, config: TrustConfig | None = None
) -> tuple[Array, Array]:
    """The covariance (k, 2, 2) of a base's centre at places (k, 2) and the least pixels per inch (k,) there; see
    :class:`TrustMap`."""
    config = config or TrustConfig()
    flat = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    return _together([_told_at(view, flat, config) for view in views], len(flat))


def _told_at(view: TableView, flat: Array, config: TrustConfig) -> tuple[Array, Array]:
    """The information of one view about places (k, 2): the inverse (k, 2, 2) of a base's covariance, and pixels per
    inch (k,); 0 where it shows nothing."""
    points = np.column_stack([flat, np.full(len(flat), config.thickness_in)])
    information, density = np.zeros((len(flat), 2, 2)), np.zeros(len(flat))
    seen = _in_picture(view, points, config.edge_px)
    if seen.any():
        pixels = view.pixel_from_table(points[seen])
        _, covariance = view.table_from_pixel(
            pixels, config.thickness_in, pixel_sigma_px=config.outline_px, z_sigma_in=config.height_in
        )
        covariance = covariance + config.outline_in**2 * np.eye(2)
        information[seen] = np.linalg.inv(covariance)
        by_point, _ = view.pixel_jacobian(points[seen])
        density[seen] = np.linalg.svd(by_point[:, :, :2], compute_uv=False)[:, -1]
    return information, density


def _together(told: Sequence[tuple[Array, Array]], count: int) -> tuple[Array, Array]:
    information, density = np.zeros((count, 2, 2)), np.zeros(count)
    for one, sharp in told:
        information += one
        density = np.maximum(density, sharp)
    out = np.full((count, 2, 2), np.nan)
    known = density > 0
    out[known] = np.linalg.inv(information[known])
    return out, density


def _in_picture(view: TableView, points: Array, edge_px: float) -> npt.NDArray[np.bool_]:
    """Which table points (n, 3) are inside a view's picture."""
    seen = in_field(view, points)
    pixels = np.full((len(points), 2), -1.0)
    pixels[seen] = view.pixel_from_table(points[seen])
    size = np.array(view.camera.size)
    return np.asarray(seen & np.all((pixels >= edge_px) & (pixels <= size - 1 - edge_px), axis=1))


# --- cameras that are not there yet ----------------------------------------------------------------------------------


def predicted_view(
    view: TableView,
    layout: FrameLayout,
    *,
    pose: tuple[Array, Array] | None = None,
    layout_scale: float = 1.0,
    prior: LensPrior | None = None,
    sigma_px: float | None = None,
) -> TableView | None:
    """The view that the same phone would give from another ``pose`` (R, t): with the covariance that solving it from
    the frame markers in its picture would have; ``None`` with fewer than three in it.

    ``layout_scale``: how far off the markers are, in the adjustment's tolerances; ``prior``: what is known of the lens
    in advance, by default as much as for the view itself; ``sigma_px``: noise of the markers' corners.
    """
    R, t = pose or (view.R, view.t)
    there = replace(view, R=R, t=t)
    ids = [i for i in layout.ids if _in_picture(there, layout.corners(i), 2.0).all()]
    if len(ids) < 3 or there.eye[2] <= 0:
        return None
    corners = np.array([layout.corners(i) for i in ids])
    centers = corners[..., :2].mean(axis=1)
    pixels = there.pixel_from_table(corners.reshape(-1, 3)).reshape(-1, 4, 2)
    noise = view.corner_sigma_px if sigma_px is None else sigma_px
    markers = MarkerSights(
        tuple(ids), pixels, np.full(len(ids), max(noise, 0.02)), centers, corners[..., :2] - centers[:, None]
    )
    known = prior or lens_prior_of(view.camera)
    config = AdjustmentConfig(max_rounds=1)
    fit = adjust(markers, known, R, t, scale=layout_scale, noise=1.0, start=view.camera.parameters, config=config)
    camera = Camera.from_parameters(view.camera.parameters, view.camera.size, covariance=fit.covariance[:9, :9])
    return replace(there, camera=camera, covariance=fit.covariance, markers_seen=tuple(ids), warnings=())


def lens_prior_of(camera: Camera, *, calibrated: bool = False) -> LensPrior:
    """What is known of a camera before a photo, about its solved parameters: as of a stored calibration where it comes
    from one (or ``calibrated``), else as of a phone that states its focal length."""
    if camera.source == "stored" or calibrated:
        stored = camera if camera.source == "stored" else replace(camera, covariance=np.zeros((9, 9)))
        return stored_priors(stored, camera.size)[0]
    focal = float(camera.K[0, 0]) / focal_px_from_35mm(1.0, camera.size)
    return replace(exif_prior(camera.size, focal), mean=camera.parameters)


def layout_scale_of(view: TableView, layout: FrameLayout, table: tuple[float, float]) -> float:
    """How far off its markers are, in the adjustment's tolerances, by the covariance that a view was solved with."""
    if not view.covariance.any():
        return 1.0
    middle = np.array([[table[0] * a, table[1] * b] for a in (0.1, 0.5, 0.9) for b in (0.1, 0.5, 0.9)])
    only_camera = TrustConfig(outline_px=0.0, outline_in=0.0, height_in=0.0)

    def size(one: TableView) -> float:
        covariance, known = spread_at([one], middle, only_camera)
        return float(np.sqrt(np.linalg.det(covariance[known > 0])).mean()) if known.any() else np.inf

    actual, best, off = size(view), 1.0, np.inf
    for scale in AdjustmentConfig().layout_scales:
        again = predicted_view(view, layout, layout_scale=scale)
        if again is not None and abs(np.log(size(again) / actual)) < off:
            best, off = scale, abs(float(np.log(size(again) / actual)))
    return best


def looking_from(
    view: TableView, layout: FrameLayout, table: tuple[float, float], azimuth_deg: float, elevation_deg: float
) -> tuple[Array, Array] | None:
    """The pose (R, t) of the same phone, held level, from a side of the table: as near as its picture still holds the
    table and all frame markers. ``azimuth_deg`` clockwise from +y, from the table's middle to the phone (180: the near
    side); ``None`` where nothing nearer than ten feet does."""
    target = np.array([table[0] / 2, table[1] / 2, 0.0])
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    way = np.array([np.cos(e) * np.sin(a), np.cos(e) * np.cos(a), np.sin(e)])
    right = np.cross(-way, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    R = np.stack([right, np.cross(-way, right), -way])
    corners = [layout.corners(i) for i in layout.ids]
    edge = np.array([[x, y, 0.0] for x in (0.0, table[0]) for y in (0.0, table[1])])
    points = np.concatenate([edge, *corners])
    margin = 0.015 * max(view.camera.size)

    def fits(distance: float) -> bool:
        return bool(_in_picture(replace(view, R=R, t=-R @ (target + distance * way)), points, margin).all())

    low, high = 6.0, 120.0
    if not fits(high):
        return None
    for _ in range(18):
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return R, -R @ (target + high * way)
