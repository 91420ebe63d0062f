"""How a table looks from above, cell by cell, as likeness compares it.

The figures of a cell of a quarter of an inch are the features of the encoder that reads terrain
(:mod:`vision.terrain.ground_nets`), against the mat and in spreads of the table, its colour and texture against the mat
at several scales, and the nets' shares there, in log odds. Each is computed for the table and for its mirror image.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.imaging.nets import GROUND_PPI, lean_of, weights
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.terrain.ground_nets import SIGHT_PPI, STRIDES, GroundNets, Said, Sight, ground_nets, log_odds

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

HUES, TEXTURE_COUNT = 2, 10  # figures of a mat's hue and texture
CELL_PX = 2  # of the nets' map: a cell is a quarter of an inch
_COLOURS = 9  # figures of a cell's colour, which come before those of its texture
_LAYERS = (1, 2)  # of the encoder's features: at an eighth and at a sixteenth of its map
_MEANS_IN = (0.1, 0.25, 0.75)
_BANDS_IN = (0.045, 0.09, 0.18, 0.35, 0.7)
_POOLS_IN = (0.25, 0.65)
_DARK, _FAINT, _MOST_STOPS = 0.05, 0.01, 2.5
_LEAST_SHARE, _LEAST_SPREAD = 0.005, 1e-3
_ODDS_WEIGHT = 0.5


def sight_version() -> str:
    """The version of a cell's figures: figures of different versions can't be compared."""
    return f"2-{sha256(weights('sight') + weights('ground_second')).hexdigest()[:12]}"


@dataclass(frozen=True, eq=False)
class GroundSight:
    """``figures`` (f, r, c) of the cells of a table, the mean of the table and its mirror image; ``views``:
    those of each, if requested; ``shares`` (9, rows, columns): the nets' shares of each kind; ``shown``
    (rows, columns): where the photo shows table; ``mat`` (m,): how the mat looks."""

    figures: Float32
    views: tuple[Float32, ...]
    shares: Float32
    shown: Mask
    mat: Float32


@dataclass(frozen=True, eq=False)
class Laid:
    """A table seen from above: ``plan`` (rows, columns, 3) at ``GROUND_PPI`` and ``fine`` at ``SIGHT_PPI``, both
    BGR; ``shown`` (rows, columns): where the photo shows table; and what the nets have ``said`` about it."""

    plan: Image
    fine: Image
    shown: Mask
    said: Said


def lay_out(image: Image, view: TableView, table_size_in: tuple[float, float], nets: GroundNets | None = None) -> Laid:
    """The table in the upright BGR photo of ``view``, shown to ``nets``, left out the product's."""
    scale = MapScale(*table_size_in, px_per_inch=GROUND_PPI)
    plan, fine = (rectified_map(image, view, table_size_in, px_per_inch=ppi) for ppi in (GROUND_PPI, SIGHT_PPI))
    shown = visible_mask(view, scale)
    return Laid(plan, fine, shown, (nets or ground_nets())(plan, fine, lean_planes(view, scale), shown))


def sight_of(laid: Laid, *, each_view: bool = False) -> GroundSight:
    """How a table looks; ``each_view``: the figures of each view are kept."""
    said, fine, shown = laid.said, laid.fine, laid.shown
    rows, columns = shown.shape
    size = (columns // CELL_PX, rows // CELL_PX)
    colours = _colours(fine, shown, size)
    rest = np.concatenate([colours, _ODDS_WEIGHT * log_odds(_resized(said.share, size), _LEAST_SHARE)])
    views = [
        np.concatenate([_against_mat(sight, shown[:, ::-1] if mirrored else shown, mirrored=mirrored), rest])
        for mirrored, sight in enumerate(said.sights)
    ]
    mats = np.mean([np.concatenate([sight.mats[k] for k in _LAYERS]) for sight in said.sights], axis=0)
    mat = np.concatenate([_mat_colour(fine, shown), _median(colours[_COLOURS:], shown), mats])
    figures = np.asarray(np.mean(views, axis=0), np.float32)
    kept = tuple(views) if each_view else ()
    return GroundSight(figures, kept, said.share * shown, shown, mat.astype(np.float32))


def lean_planes(view: TableView, scale: MapScale) -> tuple[Float32, Float32]:
    """How far things lean in a map of the table, as the nets are shown it."""
    columns, rows = scale.size
    foot = scale.pixel_from_table([view.eye[:2]])[0]
    return lean_of(columns, rows, (float(foot[0]), float(foot[1])), float(view.eye[2]), scale.px_per_inch)


def _against_mat(sight: Sight, shown: Mask, *, mirrored: int) -> Float32:
    """The encoder's features of each cell (n, r, c) of a map with table where ``shown`` (rows, columns): how it
    differs from the mat, in spreads over the table. ``mirrored``: the map was, and its cells are turned back."""
    rows, columns = shown.shape[0] // CELL_PX, shown.shape[1] // CELL_PX
    out = []
    for k in _LAYERS:
        seen = sight.features[k]
        cell = STRIDES[k] // (2 * CELL_PX)  # a feature is so many cells wide
        whole = _resized(seen, (seen.shape[2] * cell, seen.shape[1] * cell))[:, :rows, :columns]
        inside = whole[:, shown[: rows * CELL_PX : CELL_PX, : columns * CELL_PX : CELL_PX]]
        spread = inside.std(axis=1) if inside.size else np.ones(len(whole), np.float32)
        out.append((whole - sight.mats[k][:, None, None]) / (spread + np.float32(_LEAST_SPREAD))[:, None, None])
    figures = np.concatenate(out).astype(np.float32)
    return np.ascontiguousarray(figures[..., ::-1]) if mirrored else figures


def _colours(fine: Image, shown: Mask, size: tuple[int, int]) -> Float32:
    """Colour in stops against the mat, over several distances, and how much it changes within octaves of size."""
    inside = cv2.resize(shown.astype(np.uint8), (fine.shape[1], fine.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
    stops = np.log2(fine.astype(np.float32) / np.float32(255) + np.float32(_DARK))
    if inside.any():
        stops -= np.median(stops[inside][::7], axis=0)
    stops = np.clip(stops, -_MOST_STOPS, _MOST_STOPS) * inside[..., None]
    blue, green, red = np.moveaxis(stops, 2, 0)
    light, *hues = [(blue + green + red) / 3, red - green, blue - green]
    px = SIGHT_PPI
    out = [_blurred(plane, s * px) for plane in (light, *hues) for s in _MEANS_IN]
    levels = [_blurred(light, s * px) for s in _BANDS_IN]
    for finer, coarser in pairwise(levels):
        out += [np.log2(_blurred(np.abs(finer - coarser), s * px) + _FAINT) for s in _POOLS_IN]
    for hue in hues:
        change = np.abs(_blurred(hue, 0.06 * px) - _blurred(hue, 0.3 * px))
        out.append(np.log2(_blurred(change, 0.3 * px) + _FAINT))
    return np.stack([cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in out]).astype(np.float32)


def _mat_colour(fine: Image, shown: Mask) -> Float32:
    """The mat's hue: red and blue against green, in stops, which light changes least."""
    inside = cv2.resize(shown.astype(np.uint8), (fine.shape[1], fine.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
    if not inside.any():
        return np.zeros(2, np.float32)
    blue, green, red = np.log2(np.median(fine[inside][::7].astype(np.float32), axis=0) / 255 + _DARK)
    return np.array([red - green, blue - green], np.float32)


def _blurred(plane: Float32, sigma_px: float) -> Float32:
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma_px), np.float32)


def _resized(planes: Float32, size: tuple[int, int]) -> Float32:
    """Planes (n, rows, columns) at another size (columns, rows)."""
    return np.stack([cv2.resize(np.ascontiguousarray(plane), size, interpolation=cv2.INTER_LINEAR) for plane in planes])


def _median(planes: Float32, shown: Mask) -> Float32:
    """The median (n,) of planes (n, r, c) of cells where there is table."""
    inside = shown[: planes.shape[1] * CELL_PX : CELL_PX, : planes.shape[2] * CELL_PX : CELL_PX]
    if not inside.any():
        return np.zeros(len(planes), np.float32)
    return np.asarray(np.median(planes[:, inside], axis=1), np.float32)
