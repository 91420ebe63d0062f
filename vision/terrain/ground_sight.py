"""How a table looks from above, cell by cell, as likeness compares it.

A cell of a quarter of an inch has as figures what the ``ground`` net makes of it on its way to an answer (some of its
inner layers), its colour and texture against the mat at several scales, and the net's own answer in log odds. The net
sees a table differently when it is turned, so the map is shown in four quarter turns, each also mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.imaging.nets import GROUND_PPI, lean_of, net, plan_input, weights
from vision.imaging.rectify import MapScale, rectified_map, visible_mask

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_COLOURS = 9  # figures of a cell's colour, which come before those of its texture
HUES, TEXTURE_COUNT = 2, 10  # figures of a mat's hue and texture
CELL_PX = 2  # of the net's map: a cell is a quarter of an inch
TURNS = 4
_FINE = 2  # how many times finer than the net's map colours and textures are looked at
_LAYERS = tuple(f"/{part}/{part}.1/{part}.1.2/Relu" for part in ("down.1", "down.2", "join.2"))
_MEANS_IN = (0.1, 0.25, 0.75)
_BANDS_IN = (0.045, 0.09, 0.18, 0.35, 0.7)
_POOLS_IN = (0.25, 0.65)
_DARK, _FAINT, _MOST_STOPS = 0.05, 0.01, 2.5
_LEAST_SHARE = 0.005
_ODDS_WEIGHT = 0.5


def sight_version() -> str:
    """What the figures of a cell depend on besides the photo: two that differ can't be compared."""
    return f"1-{sha256(weights('ground')).hexdigest()[:12]}"


@dataclass(frozen=True, eq=False)
class GroundSight:
    """``figures`` (f, r, c) of the cells of a table, the mean of all quarter turns; ``turned``: those of each turn,
    where they were asked for; ``shares`` (9, rows, columns): the net's mean answer; ``shown`` (rows, columns): where
    the photo shows table; ``mat`` (m,): what the mat looks like."""

    figures: Float32
    turned: tuple[Float32, ...]
    shares: Float32
    shown: Mask
    mat: Float32


def look_at_ground(
    image: Image, view: TableView, table_size_in: tuple[float, float], *, each_turn: bool = False
) -> GroundSight:
    """How the table looks in the upright BGR photo of ``view``; ``each_turn``: the figures of each turn are kept."""
    scale = MapScale(*table_size_in, px_per_inch=GROUND_PPI)
    plan = rectified_map(image, view, table_size_in, px_per_inch=GROUND_PPI)
    fine = rectified_map(image, view, table_size_in, px_per_inch=GROUND_PPI * _FINE)
    return look_at_plan(plan, fine, lean_planes(view, scale), visible_mask(view, scale), each_turn=each_turn)


def look_at_plan(
    plan: Image, fine: Image, lean: tuple[Float32, Float32], shown: Mask, *, each_turn: bool = False
) -> GroundSight:
    """The same from the map of a table (rows, columns, 3), a map twice as fine, how far things lean, and where there is
    table."""
    rows, columns = shown.shape
    size = (columns // CELL_PX, rows // CELL_PX)
    colours = _colours(fine, shown, size)
    turned: list[Float32] = []
    mean: Float32 = np.zeros(0, np.float32)
    shares, mats = [], []
    for turn in range(TURNS):
        share, layers = _shown_turned(plan, lean, shown, turn)
        parts = [_resized(layer, size) for layer in layers]
        odds = np.clip(_resized(share, size), _LEAST_SHARE, 1 - _LEAST_SHARE)
        figures = np.concatenate([*parts, colours, _ODDS_WEIGHT * np.log(odds / (1 - odds))]).astype(np.float32)
        part = np.asarray(figures / TURNS, np.float32)
        mean = part if turn == 0 else mean + part
        if each_turn:
            turned.append(figures)
        shares.append(share)
        mats.append(np.concatenate([_median(part, shown) for part in parts[:2]]))
    mat = np.concatenate([_mat_colour(fine, shown), _median(colours[_COLOURS:], shown), np.mean(mats, axis=0)])
    mean_share = np.asarray(np.mean(shares, axis=0), np.float32)
    return GroundSight(mean, tuple(turned), mean_share * shown, shown, mat.astype(np.float32))


def lean_planes(view: TableView, scale: MapScale) -> tuple[Float32, Float32]:
    """How far things lean in a map of the table, as the nets are shown it."""
    columns, rows = scale.size
    foot = scale.pixel_from_table([view.eye[:2]])[0]
    return lean_of(columns, rows, (float(foot[0]), float(foot[1])), float(view.eye[2]), scale.px_per_inch)


def _shown_turned(plan: Image, lean: tuple[Float32, Float32], shown: Mask, turn: int) -> tuple[Float32, list[Float32]]:
    """What the net answers and its inner layers, where the map is shown turned and, as well, mirrored; turned back."""
    right, down = (np.broadcast_to(plane, shown.shape) for plane in lean)
    for _ in range(turn):  # a quarter anticlockwise: what leant down leans right, what leant right leans up
        right, down = np.rot90(down), np.rot90(-right)
    seen = plan_input(np.rot90(plan, turn).copy(), (right, down), np.rot90(shown, turn))
    mirrored = seen[..., ::-1].copy()
    mirrored[6] *= -1
    share, layers = net("ground").with_layers(seen, _LAYERS)
    other_share, other_layers = net("ground").with_layers(mirrored, _LAYERS)
    size = seen.shape[2], seen.shape[1]
    # Where the map's width is no multiple of the layers' cells, its mirror image falls on other cells.
    halves = [
        (one, np.ascontiguousarray(other[..., ::-1]) if size[0] % 32 == 0 else _realigned(other, size))
        for one, other in zip(layers, other_layers, strict=True)
    ]
    means = [(share + other_share[..., ::-1]) / 2, *((a + b) / 2 for a, b in halves)]
    share, *layers = (np.rot90(mean, -turn, axes=(1, 2)).copy() for mean in means)
    return share, layers


def _realigned(mirrored: Float32, size: tuple[int, int]) -> Float32:
    """Features (n, r, c) of a mirror image of a map of ``size`` (columns, rows), mirrored back onto the map's cells."""
    columns = mirrored.shape[2]
    stride = 1 << int(np.ceil(np.log2(size[0] / columns)))
    shift = (columns * stride - size[0]) / stride
    at = np.clip(columns - 1 - np.arange(columns) - shift, 0, columns - 1)
    low = np.floor(at).astype(np.intp)
    part = (at - low).astype(np.float32)
    high = np.minimum(low + 1, columns - 1)
    return np.asarray(mirrored[..., low] * (1 - part) + mirrored[..., high] * part, np.float32)


def _colours(fine: Image, shown: Mask, size: tuple[int, int]) -> Float32:
    """Colour in stops against the mat, over several distances, and how much it changes within octaves of size."""
    inside = cv2.resize(shown.astype(np.uint8), (fine.shape[1], fine.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
    stops = np.log2(fine.astype(np.float32) / np.float32(255) + np.float32(_DARK))
    if inside.any():
        stops -= np.median(stops[inside][::7], axis=0)
    stops = np.clip(stops, -_MOST_STOPS, _MOST_STOPS) * inside[..., None]
    blue, green, red = np.moveaxis(stops, 2, 0)
    light, *hues = [(blue + green + red) / 3, red - green, blue - green]
    px = GROUND_PPI * _FINE
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
