"""A photo placed by the look of its table: points on the table's surface that an earlier photo, of known camera, shows
are found again in it, so that neither markers nor corners are needed.

Features of the earlier photo are known by their places on the table. They are matched with those of the new photo in
two steps: roughly, where the camera may have moved around the table, and then on maps of the table from above, where
both photos look alike. Anything that moved, or that is above the table's surface, disagrees with the rest and is left
out. A placement counts only if its points are spread over the table and no other placement explains the photo nearly
as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from calibration import Camera, TableView
from calibration.corners import table_sigma_in
from calibration.lens_prior import LensPrior, LensPriorConfig, lens_guesses, stored_priors
from calibration.points import PointFit, PointFitConfig, fit_points
from vision.imaging.photo import Photo
from vision.imaging.rectify import MapScale, rectified_map, reduce_image, reduced_to, visible_mask
from vision.model.reference import TableReference

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

_MIRROR = (1.0, -1.0)


@dataclass(frozen=True)
class AppearanceConfig:
    """``rough_px``: longer side of the pictures compared first, with at most ``rough_features`` each; ``slants``: how
    much maps are compressed to look as from the table's sides. A match must be ``ratio`` times nearer than the next at
    another place, ``apart_in`` away, or ``same_in`` on maps, and there at most ``most_unlike``. ``map_pixels``: size of
    the maps, at most ``px_per_inch``, with at most ``fine_features``; matches on them are at most ``gate_in`` inches
    apart, and ``near_in`` once the camera is known. Refused: fewer than ``least_rough`` or ``least_points`` that agree,
    points in less than ``least_spread`` of ``cells`` by ``cells`` parts of the table that both photos show (in each
    ``least_agree`` of the matches must agree), noise above ``most_noise_in``, and a table that may be placed otherwise:
    ``most_rival`` of the points agree on another placement, or ``most_shifted`` of them look more like a place
    elsewhere, shifted alike."""

    rough_px: tuple[int, ...] = (1400, 450)
    rough_features: int = 2000
    slants: tuple[float, ...] = (0.5,)
    ratio: float = 0.85
    most_unlike: float = 0.7
    same_in: float = 0.1
    apart_in: float = 1.0
    rough_off_px: float = 5.0
    px_per_inch: float = 36.0
    map_pixels: int = 2_000_000
    fine_features: int = 6000
    gate_in: float = 1.5
    near_in: float = 0.3
    off_in: float = 0.06
    least_rough: int = 12
    least_points: int = 40
    cells: int = 6
    least_spread: float = 0.35
    least_agree: float = 0.25
    most_noise_in: float = 0.05
    most_rival: float = 0.5
    most_shifted: float = 0.08
    points: PointFitConfig = field(default_factory=PointFitConfig)
    lens: LensPriorConfig = field(default_factory=LensPriorConfig)


@dataclass(frozen=True, eq=False)
class Placement:
    """A photo's ``view`` by the look of the table in the ``reference``; ``spread``: the share of the parts of the table
    that both photos show in which points agree."""

    view: TableView
    reference: str
    spread: float


@dataclass(frozen=True, eq=False)
class _Features:
    """Points of a picture with their descriptors: ``at`` (n, 2), ``rows`` (n, 128) float32."""

    at: Array
    rows: npt.NDArray[np.float32]

    @classmethod
    def of(cls, gray: Pixels, most: int, mask: Pixels | None = None) -> _Features:
        """The features of a grey picture, at most so many, where ``mask`` is not 0."""
        sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.02, enable_precise_upscale=True)
        keys, rows = sift.detectAndCompute(gray, mask)
        if rows is None or not len(keys):
            return cls(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
        rows = np.sqrt(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-9))
        return cls(np.array([key.pt for key in keys], dtype=np.float64), np.asarray(rows, np.float32))

    @classmethod
    def joined(cls, parts: Sequence[_Features]) -> _Features:
        """All features of several pictures."""
        return cls(np.concatenate([p.at for p in parts]), np.concatenate([p.rows for p in parts]))


class _Look:
    """A reference prepared for comparing: its features by place, roughly and on its map."""

    def __init__(self, reference: TableReference, config: AppearanceConfig) -> None:
        self.reference, self.config = reference, config
        width, depth = reference.size_in
        ppi = min(config.px_per_inch, float(np.sqrt(config.map_pixels / (width * depth))))
        self.scale = MapScale(width, depth, ppi)

    @cached_property
    def map(self) -> Pixels:
        """The table from above."""
        reference = self.reference
        return rectified_map(reference.gray, reference.view, reference.size_in, px_per_inch=self.scale.px_per_inch)

    @cached_property
    def mask(self) -> Pixels:
        """255 where the map shows the table, uncovered."""
        mask = np.where(visible_mask(self.reference.view, self.scale), 255, 0).astype(np.uint8)
        for polygon in self.reference.covered:
            cv2.fillPoly(mask, [np.round(self.scale.pixel_from_table(polygon)).astype(np.int32)], 0)
        return mask

    @cached_property
    def as_photographed(self) -> _Features:
        """Features of the photo itself, by place."""
        features = _rough_features(self.reference.gray, self.config)
        places = self.reference.view.point_from_pixel(features.at, 0.0)
        pixels = np.nan_to_num(self.scale.pixel_from_table(places), nan=-1.0).round()
        width, height = self.scale.size
        inside = np.all((pixels >= 0) & (pixels < (width, height)), axis=1)
        kept = np.flatnonzero(inside)
        column, row = pixels[kept].astype(np.int64).T
        kept = kept[self.mask[row, column] > 0]
        return _Features(places[kept], features.rows[kept])

    @cached_property
    def from_all_sides(self) -> _Features:
        """Features of the map as it is and as it looks from the table's sides and corners, by place."""
        config, parts = self.config, []
        for long_side in config.rough_px:
            flat, factor = reduced_to(self.map, long_side)
            mask = _u8(cv2.resize(self.mask, flat.shape[::-1], interpolation=cv2.INTER_NEAREST))
            for slant, degrees in ((1.0, 0.0), *((s, d) for s in config.slants for d in (0.0, 45.0, 90.0, 135.0))):
                found = _slanted(flat, mask, slant, np.radians(degrees), config.rough_features)
                pixels = (found.at + 0.5) * factor - 0.5
                parts.append(_Features(self.scale.table_from_pixel(pixels), found.rows))
        return _Features.joined(parts)

    @cached_property
    def fine(self) -> _Features:
        """Features of the map, by place."""
        found = _Features.of(self.map, self.config.fine_features, self.mask)
        return _Features(self.scale.table_from_pixel(found.at), found.rows)


def place_by_look(
    photo: Photo,
    references: Sequence[TableReference],
    camera: Camera | None = None,
    config: AppearanceConfig | None = None,
) -> Placement | None:
    """Where the camera of a photo was, by the first of the earlier photos that clearly shows the same table; ``None``
    where none does. ``camera``: a stored calibration of the phone."""
    config = config or AppearanceConfig()
    looks = [_Look(reference, config) for reference in references]
    seen = _rough_features(photo.gray, config)
    for known in ("as_photographed", "from_all_sides"):
        for look in looks:
            H = _rough(seen, getattr(look, known), max(photo.size) / config.rough_px[0], config)
            placed = None if H is None else _refine(photo, look, H, camera, config)
            if placed is not None:
                return placed
    return None


def _rough_features(gray: Pixels, config: AppearanceConfig) -> _Features:
    """Features of a photo, reduced to several sizes, in its pixels."""
    parts = []
    for long_side in config.rough_px:
        small, factor = reduced_to(gray, long_side)
        found = _Features.of(small, config.rough_features)
        parts.append(_Features((found.at + 0.5) * factor - 0.5, found.rows))
    return _Features.joined(parts)


def _slanted(flat: Pixels, mask: Pixels, slant: float, turn: float, most: int) -> _Features:
    """Features of a map as it looks when it is compressed along one direction, in the map's pixels."""
    A = np.diag([1.0, slant]) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    height, width = flat.shape
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ A.T
    low = ends.min(axis=0)
    size = tuple(int(n) for n in np.ceil(ends.max(axis=0) - low))
    to = np.column_stack([A, -low])
    picture = _u8(cv2.warpAffine(flat, to, size, flags=cv2.INTER_LINEAR))
    shown = cv2.erode(cv2.warpAffine(mask, to, size, flags=cv2.INTER_NEAREST), np.ones((9, 9), np.uint8))
    found = _Features.of(picture, most, _u8(shown))
    return _Features((found.at + low) @ np.linalg.inv(A).T, found.rows)


def _rough(seen: _Features, known: _Features, factor: float, config: AppearanceConfig) -> Array | None:
    """The homography (3, 3) from table places to photo pixels on which most matches agree."""
    if min(len(seen.at), len(known.at)) < config.least_rough:
        return None
    rows, places = _matches(seen, known, config)
    if len(rows) < config.least_rough:
        return None
    off = config.rough_off_px * max(factor, 1.0)
    H, inside = _homography(places, seen.at[rows], off)
    if H is None or inside.sum() < config.least_rough:
        return None
    left = ~inside
    if left.sum() >= config.least_rough:
        rival, others = _homography(places[left], seen.at[rows[left]], off)
        if rival is not None and others.sum() > config.most_rival * inside.sum():
            there = cv2.perspectiveTransform(places[inside][:, None], np.linalg.inv(rival) @ H)[:, 0]
            if np.median(np.linalg.norm(there - places[inside], axis=1)) > config.apart_in:
                return None
    return H


def _matches(seen: _Features, known: _Features, config: AppearanceConfig) -> tuple[npt.NDArray[np.int64], Array]:
    """Rows of ``seen`` and the place of each that is clearly most alike."""
    k = min(6, len(known.at))
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(seen.rows, known.rows, k=k)
    index = np.array([[m.trainIdx for m in row] for row in pairs])
    distance = np.array([[m.distance for m in row] for row in pairs])
    places = known.at[index]
    away = np.linalg.norm(places - places[:, :1], axis=2) > config.apart_in
    other = np.where(away, distance, np.inf).min(axis=1)
    # Without another place among the nearest, the last of them bounds how far one is.
    other = np.where(np.isfinite(other), other, distance[:, -1] / 0.999)
    clear = np.flatnonzero(distance[:, 0] < config.ratio * other) if k > 1 else np.arange(0)
    single = np.flatnonzero(~away.any(axis=1))
    rows = np.union1d(clear, single)
    return rows, places[rows, 0]


def _homography(places: Array, pixels: Array, off_px: float) -> tuple[Array | None, npt.NDArray[np.bool_]]:
    """The homography (3, 3) on which most pairs agree within ``off_px``, and which do."""
    nothing = None, np.zeros(len(places), np.bool_)
    if len(places) < 4:
        return nothing
    # Places with y away from the viewer are mirrored in a picture, and USAC samples no mirrored pairs (OpenCV 4.14).
    H, inside = cv2.findHomography(
        (places * _MIRROR).astype(np.float32), pixels.astype(np.float32), cv2.USAC_MAGSAC, off_px, maxIters=20000,
        confidence=0.9999,
    )  # fmt: skip
    if H is None or not np.all(np.isfinite(H)):
        return nothing
    return np.asarray(H * [*_MIRROR, 1.0]), np.asarray(inside, np.bool_).ravel()


def _refine(photo: Photo, look: _Look, H: Array, camera: Camera | None, config: AppearanceConfig) -> Placement | None:
    """The placement near a homography, where enough of the table's surface agrees on one camera."""
    scale = look.scale
    ppi, (width, height) = scale.px_per_inch, scale.size
    to_map = np.array([[ppi, 0, -0.5], [0, -ppi, scale.depth_in * ppi - 0.5], [0, 0, 1]])
    H_map = H @ np.linalg.inv(to_map)
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ H_map.T
    if not (np.all(corners[:, 2] > 0) or np.all(corners[:, 2] < 0)):
        return None  # the horizon would cross the table
    area = cv2.contourArea((corners[:, :2] / corners[:, 2:]).astype(np.float32))
    shrink = max(1, int(np.sqrt(area / (width * height)) + 0.3))
    gray = reduce_image(photo.gray, shrink)
    half = 0.5 / shrink - 0.5
    to_small = np.array([[1 / shrink, 0, half], [0, 1 / shrink, half], [0, 0, 1]]) @ H_map
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(gray, to_small, scale.size, flags=flags)
    shown = cv2.warpPerspective(np.full(gray.shape, 255, np.uint8), to_small, scale.size, flags=flags)
    found = _Features.of(_u8(flat), config.fine_features, _u8(np.where(shown == 255, 255, 0)))
    pixels = cv2.perspectiveTransform(found.at[:, None], H_map)[:, 0] if len(found.at) else found.at
    near = _fit(photo, look, found, pixels, config.gate_in, camera, config)
    if near is None:
        return None
    view = near.fit.view
    flat = rectified_map(photo.gray, view, look.reference.size_in, px_per_inch=ppi)
    both = _u8(np.where(visible_mask(view, scale), look.mask, 0))
    found = _Features.of(flat, config.fine_features, both)
    places = scale.table_from_pixel(found.at)
    pixels = view.pixel_from_table(np.column_stack([places, np.zeros(len(places))]))
    fitted = _fit(photo, look, found, pixels, config.near_in, camera, config)
    return None if fitted is None else _checked(fitted, look, both, config)


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A fit of points: ``fit``, the reference's ``places`` (n, 3) and the photo's features, ``rows`` (n, 128), that it
    used."""

    fit: PointFit
    places: Array
    rows: npt.NDArray[np.float32]

    def shifted_share(self, known: _Features, config: AppearanceConfig) -> float:
        """The share of the points that look more like a place elsewhere, all shifted alike: high where a table repeats
        itself, as equal tiles do."""
        alike = self.rows @ known.rows.T
        away = np.linalg.norm(known.at[None] - self.places[:, None, :2], axis=2)
        here = np.where(away < config.near_in, alike, -1.0).max(axis=1)
        alike[away <= config.apart_in] = -1.0
        best = alike.argmax(axis=1)
        lost = alike[np.arange(len(best)), best] > here
        shifts = np.round((known.at[best] - self.places[:, :2])[lost] / config.apart_in)
        _, counts = np.unique(shifts, axis=0, return_counts=True)
        return float(counts.max(initial=0)) / len(best)


def _fit(
    photo: Photo,
    look: _Look,
    found: _Features,
    pixels: Array,
    gate_in: float,
    camera: Camera | None,
    config: AppearanceConfig,
) -> _Fitted | None:
    """The camera by features ``found`` on a map of the photo, which are at ``pixels`` in it."""
    known = look.fine
    if min(len(found.at), len(known.at)) < config.least_points:
        return None
    there = look.scale.table_from_pixel(found.at)
    rows, places = _near_matches(found.rows, there, known, gate_in, config)
    if len(rows) < config.least_points:
        return None
    ppi = look.scale.px_per_inch
    H, inside = _homography(places * ppi, look.scale.pixel_from_table(there[rows]), config.off_in * ppi)
    if H is None:
        return None
    inside &= _supported(places, inside, look.scale, config)
    if inside.sum() < config.least_points:
        return None
    places = np.column_stack([places[inside], np.zeros(int(inside.sum()))])
    seen = pixels[rows[inside]]
    best: PointFit | None = None
    for priors in _lenses(photo, look.reference, camera, config):
        for prior in priors:
            start = _start(seen, places, prior)
            fit = None if start is None else fit_points(seen, places, prior, *start, config.points)
            if fit is not None and (best is None or fit.log_evidence > best.log_evidence):
                best = fit
        if best is not None:
            break
    return None if best is None else _Fitted(best, places, found.rows[rows[inside]])


def _cells(places: Array, scale: MapScale, config: AppearanceConfig) -> npt.NDArray[np.int64]:
    """The parts of the table (n,) that places (n, 2) are in, row by row."""
    n = config.cells
    column, row = (places[:, :2] / (scale.width_in, scale.depth_in) * n).clip(0, n - 1e-9).astype(np.int64).T
    return np.asarray(row * n + column, np.int64)


def _supported(
    places: Array, inside: npt.NDArray[np.bool_], scale: MapScale, config: AppearanceConfig
) -> npt.NDArray[np.bool_]:
    """Which matches (n,) are in parts of the table where enough of all matches agree; where the ground has changed, a
    few agree by chance."""
    cells, count = _cells(places, scale, config), config.cells**2
    agree = np.bincount(cells, weights=inside, minlength=count)
    share = agree / np.maximum(np.bincount(cells, minlength=count), 1)
    return np.asarray(((agree >= 2) & (share >= config.least_agree))[cells], np.bool_)


def _near_matches(
    rows: npt.NDArray[np.float32], there: Array, known: _Features, gate_in: float, config: AppearanceConfig
) -> tuple[npt.NDArray[np.int64], Array]:
    """Rows of features that are at places ``there``, and of each the place where a known one near it looks alike."""
    neighbours = cKDTree(known.at).query_ball_point(there, gate_in)
    counts = np.array([len(near) for near in neighbours])
    row = np.repeat(np.arange(len(rows)), counts)
    other = np.concatenate([np.asarray(near, np.int64) for near in neighbours] or [np.zeros(0, np.int64)])
    alike = np.einsum("nk,nk->n", rows[row], known.rows[other]) if len(row) else np.zeros(0)
    order = np.lexsort((-alike, row))
    row, other, distance = row[order], other[order], np.sqrt(np.maximum(2.0 - 2.0 * alike[order], 0.0))
    first = np.flatnonzero(np.diff(row, prepend=-1))
    best = np.repeat(other[first], counts[row[first]])
    elsewhere = np.linalg.norm(known.at[other] - known.at[best], axis=1) > config.same_in
    second = np.minimum.reduceat(np.where(elsewhere, distance, np.inf), first) if len(first) else np.zeros(0)
    good = (distance[first] < config.most_unlike) & (distance[first] < config.ratio * second)
    return row[first[good]], known.at[other[first[good]]]


def _lenses(
    photo: Photo, reference: TableReference, camera: Camera | None, config: AppearanceConfig
) -> list[Sequence[LensPrior]]:
    """Groups of priors: the stored camera's, the lens of the earlier photo if it may be the same, EXIF's, any."""
    guesses = lens_guesses(photo.size, camera, photo.focal_35mm, config.lens)
    mine, other = max(photo.size) / min(photo.size), reference.view.camera.size
    if camera is None and abs(max(other) / min(other) / mine - 1) < 0.01:
        guesses[0] = (*stored_priors(reference.view.camera, photo.size, config.lens), *guesses[0])
    return guesses


def _start(pixels: Array, places: Array, prior: LensPrior) -> tuple[Array, Array] | None:
    fx, fy, cx, cy, *dist = prior.mean
    K = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    ok, w, t = cv2.solvePnP(places, pixels, K, np.array(dist), flags=cv2.SOLVEPNP_SQPNP)
    if not ok:
        return None
    return np.asarray(cv2.Rodrigues(w)[0], np.float64), np.asarray(t, np.float64).ravel()


def _checked(fitted: _Fitted, look: _Look, both: Pixels, config: AppearanceConfig) -> Placement | None:
    """The placement, with what the earlier photo's own uncertainty adds, if its points are many, exact and spread."""
    fit, places, scale = fitted.fit, fitted.places, look.scale
    view = fit.view
    n = config.cells
    hit = np.bincount(_cells(places, scale, config), minlength=n * n).reshape(n, n) > 0
    shown = cv2.resize(both[::-1].astype(np.float32), (n, n), interpolation=cv2.INTER_AREA) > 0.5 * 255
    spread = float(hit[shown].mean()) if shown.any() else 0.0
    by_point, _ = view.pixel_jacobian(places)
    px_per_inch = np.sqrt(np.abs(np.linalg.det(by_point[:, :, :2])))
    noise_in = float(np.median(np.linalg.norm(fit.residuals, axis=1) / px_per_inch))
    if len(places) < config.least_points or spread < config.least_spread or noise_in > config.most_noise_in:
        return None
    if fitted.shifted_share(look.fine, config) > config.most_shifted:
        return None
    reference = look.reference.view
    to_place, by_view = reference.pixel_jacobian(places)
    moved = -np.linalg.solve(to_place[:, :, :2], by_view)  # (n, 2, 15): places by the earlier view's parameters
    passed = np.einsum("vnj,njk->vk", fit.by_place[:, :, :2], moved)
    covariance = view.covariance + passed @ reference.covariance @ passed.T
    view = replace(view, covariance=(covariance + covariance.T) / 2)
    within = 2 * table_sigma_in(view, look.reference.size_in)
    said = f"The table was placed by its look in {look.reference.name}; places are uncertain by up to {within:.2f}″."
    return Placement(replace(view, warnings=(said,)), look.reference.name, spread)


def _u8(image: npt.ArrayLike) -> Pixels:
    return np.asarray(image, dtype=np.uint8)


__all__ = ["AppearanceConfig", "Placement", "place_by_look"]
