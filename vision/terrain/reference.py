"""What differs from a reference photo: the bare mat to find terrain, the terrain without units to find units.

Two photos of one table, each with its own frame markers, are compared as maps. Light, white balance and shadows differ
between them, so brightness alone means nothing: a place has changed where its colour has (after a smooth cast is
removed) or where its fine texture is no longer the same. A shadow changes neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.imaging.rims import chromaticity
from vision.terrain.pieces import GroundMaps
from vision.terrain.tracing import Array, Float32, Mask

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class ReferenceConfig:
    """Inches and stops. ``px_per_inch`` of the maps; ``blur_in``: colours are means over it; ``window_in``: sigma of
    the windows in which texture is compared, ``shift_px``: how far the two maps may be apart; ``colour_floor``: least
    standard deviation of an unchanged place's colour, ``shade_colour``: what a stop of shadow adds to it;
    ``at``, ``slope``: distance in standard deviations at which the share is one half, and how fast it rises;
    ``least_texture``: likeness of the mat's texture in both photos below which texture says nothing."""

    px_per_inch: float = 8.0
    blur_in: float = 0.12
    window_in: float = 0.25
    shift_px: int = 1
    colour_floor: float = 0.04
    shade_colour: float = 0.12
    at: float = 4.0
    slope: float = 1.2
    least_texture: float = 0.35


def changed_between(
    image: Pixels,
    view: TableView,
    reference: Pixels,
    reference_view: TableView,
    table_size_in: tuple[float, float],
    config: ReferenceConfig | None = None,
) -> tuple[Float32, Mask]:
    """Share (rows, columns) of having changed since the reference photo, on a map of the table at
    ``config.px_per_inch``, and where either photo does not show the table (there the share is 0)."""
    config = config or ReferenceConfig()
    ppi = config.px_per_inch
    maps, hidden = [], []
    for photo, its_view in ((image, view), (reference, reference_view)):
        maps.append(rectified_map(photo, its_view, table_size_in, px_per_inch=ppi))
        hidden.append(~visible_mask(its_view, MapScale(*table_size_in, px_per_inch=ppi)))
    unseen = hidden[0] | hidden[1]
    return change_share(maps[0], maps[1], config, hidden=unseen), unseen


def change_share(
    photo_map: Pixels, reference_map: Pixels, config: ReferenceConfig | None = None, *, hidden: Mask | None = None
) -> Float32:
    """Share (rows, columns), 0 to 1, of each place of having changed between two maps (rows, columns, 3) of one table,
    blue-green-red, of ``config.px_per_inch``; 0 where ``hidden``. ValueError where the maps differ in size."""
    config = config or ReferenceConfig()
    if photo_map.shape != reference_map.shape or photo_map.ndim != 3:
        raise ValueError(f"The maps must be alike, (rows, columns, 3): {photo_map.shape} and {reference_map.shape}.")
    unseen = np.zeros(photo_map.shape[:2], bool) if hidden is None else hidden
    if unseen.all():
        return np.zeros(unseen.shape, np.float32)
    far = np.hypot(
        _by_colour(photo_map, reference_map, unseen, config), _by_texture(photo_map, reference_map, unseen, config)
    )
    share = 1 / (1 + np.exp(np.clip(config.slope * (config.at - far), -30, 30)))
    return np.where(unseen, np.float32(0), share).astype(np.float32)


def combine(maps: GroundMaps, change: Float32, *, hidden: Mask | None = None) -> GroundMaps:
    """The maps with every share pulled to 0 where nothing differs from the bare mat.

    ``change`` (rows, columns): what :func:`change_share` gives against an empty table, at any scale of the same table;
    it counts for nothing where ``hidden`` (of its shape).
    """
    factor = np.clip(2 * np.asarray(change, np.float32), 0, 1)
    if hidden is not None:
        factor = np.where(hidden, np.float32(1), factor)
    columns, rows = maps.scale.size
    if factor.shape != (rows, columns):
        factor = cv2.resize(factor, (columns, rows), interpolation=cv2.INTER_AREA)
    return replace(maps, share=(maps.share * factor[None]).astype(np.float32))


def _by_colour(photo: Pixels, reference: Pixels, unseen: Mask, config: ReferenceConfig) -> Float32:
    """Distance of the colours in standard deviations, a smooth cast between the photos taken off."""
    sigma = max(0.3, config.blur_in * config.px_per_inch)
    soft = [np.asarray(cv2.GaussianBlur(m, (0, 0), sigma), np.uint8) for m in (photo, reference)]
    apart = chromaticity(soft[0]) - chromaticity(soft[1])
    darker = np.abs(_stops(soft[0]) - _stops(soft[1]))
    darker = np.abs(darker - np.float32(np.median(darker[~unseen])))
    total = np.zeros(unseen.shape, np.float32)
    for k in (0, 1):
        plane = apart[..., k] - _smooth_cast(apart[..., k], unseen)
        noise = max(config.colour_floor, 1.48 * float(np.median(np.abs(plane[~unseen]))))
        total += (plane / (noise + config.shade_colour * darker)) ** 2
    return np.sqrt(total)


def _stops(picture: Pixels) -> Float32:
    stops = np.log2(np.arange(766, dtype=np.float32) / 3 + 10)
    return np.asarray(stops[picture.astype(np.int32).sum(axis=2)], np.float32)


def _smooth_cast(plane: Float32, unseen: Mask) -> Float32:
    """A parabola over the table through most of a plane, ignoring things that cover less than half of it."""
    rows, columns = plane.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    step = max(1, round(np.sqrt(plane.size / 4000)))
    seen = ~unseen[::step, ::step]
    A: Array = terms[::step, ::step][seen].astype(np.float64)
    b: Array = plane[::step, ::step][seen].astype(np.float64)
    fit: Array = np.zeros(6)
    fit[0] = float(np.median(b))
    for _ in range(12):
        off = b - A @ fit
        scale = max(0.01, 1.48 * float(np.median(np.abs(off))))
        weight = 1 / (1 + (off / (2 * scale)) ** 2) ** 2
        hold = 0.02 * len(b) * np.diag([0, 1, 1, 1, 1, 1.0])
        weighted = (A * weight[:, None]).T
        fit = np.asarray(np.linalg.solve(weighted @ A + hold + 1e-9 * np.eye(6), weighted @ b), np.float64)
    return np.asarray(terms @ fit.astype(np.float32), np.float32)


def _by_texture(photo: Pixels, reference: Pixels, unseen: Mask, config: ReferenceConfig) -> Float32:
    """Distance of the textures: how much less alike they are than the mat's is, and how much stronger or weaker."""
    ppi = config.px_per_inch
    window = config.window_in * ppi
    fine = []
    for picture in (photo, reference):
        light = _stops(picture)
        fine.append(light - cv2.GaussianBlur(light, (0, 0), max(1.0, 0.15 * ppi)))
    mean = lambda m: cv2.GaussianBlur(m, (0, 0), window)  # noqa: E731
    power = [mean(f * f) for f in fine]
    reach = range(-config.shift_px, config.shift_px + 1)
    best = np.full(unseen.shape, -1.0, np.float32)
    for down in reach:
        for right in reach:
            moved = np.roll(fine[1], (down, right), axis=(0, 1))
            best = np.maximum(best, mean(fine[0] * moved) / np.sqrt(power[0] * power[1] + 1e-8))
    usual = float(np.median(best[~unseen]))
    unlike = np.float32(0)
    if usual > config.least_texture:
        spread = max(0.06, 1.48 * float(np.median(np.abs(best[~unseen] - usual))))
        unlike = np.maximum(0, (usual - best) / max(spread, 0.2 * usual))
    stronger = np.log2((power[0] + 1e-5) / (power[1] + 1e-5))
    stronger = stronger - np.float32(np.median(stronger[~unseen]))
    scatter = max(0.35, 1.48 * float(np.median(np.abs(stronger[~unseen]))))
    return np.asarray(np.hypot(1.3 * unlike, 0.8 * np.abs(stronger) / scatter), np.float32)
