"""The light in a picture, measured from the picture: how bright, how even, and its cast.

Level and evenness are of the table's open mat, the cast of the white of its printed markers: a green mat is no green
light.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

from evaluation.truth import Truth

_CELL_IN = 1.0
_SPOTS = 5
_FEWEST_CELLS = 30
_FEWEST_WHITE = 40
_GAMMA = 2.2


@dataclass(frozen=True)
class Light:
    """``level``: mean grey of the open mat, 0 to 255. ``contrast``: its brightest parts by its darkest, in linear
    light. ``cast``: red by blue of white paper, in linear light, ``None`` without any."""

    level: float
    contrast: float
    cast: float | None

    @property
    def words(self) -> dict[str, str]:
        """The light in words.

        >>> Light(60.0, 2.5, 1.3).words
        {'level': 'dim', 'evenness': 'uneven', 'cast': 'warm'}
        """
        return {
            "level": "dim" if self.level < 70 else "bright" if self.level > 140 else "ordinary",
            "evenness": "even" if self.contrast < 2 else "uneven" if self.contrast < 4 else "hard shadows",
            "cast": "not measured (no white paper)" if self.cast is None
            else "warm" if self.cast > 1.15 else "cool" if self.cast < 0.87 else "neutral",
        }  # fmt: skip


def measure_light(image: npt.NDArray[np.uint8], truth: Truth) -> Light | None:
    """The light in a picture (h, w, 3), blue-green-red; ``None`` where no part of the table is in it."""
    nx, ny = (max(1, int(side / _CELL_IN)) for side in (truth.width, truth.depth))
    steps = (np.arange(_SPOTS) + 0.5) / _SPOTS
    x = (np.arange(nx)[:, None] + steps).ravel() * truth.width / nx
    y = (np.arange(ny)[:, None] + steps).ravel() * truth.depth / ny
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    colours = _sample_colours(image, truth, grid.reshape(-1, 2)).reshape(nx, _SPOTS, ny, _SPOTS, 3)
    cells = colours.mean(axis=(1, 3)).reshape(-1, 3)
    middles = grid.reshape(nx, _SPOTS, ny, _SPOTS, 2).mean(axis=(1, 3)).reshape(-1, 2)
    there = ~np.isnan(cells).any(axis=1)
    if not there.any():
        return None
    bare = there & ~_is_covered(truth, middles)
    grey = cells[bare if bare.sum() >= _FEWEST_CELLS else there] @ np.array([0.114, 0.587, 0.299])
    low, high = np.percentile(_linear(grey), (5, 95))
    return Light(float(grey.mean()), float(high / max(low, 1e-4)), _cast(image, truth))


def _linear(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray((values / 255.0) ** _GAMMA)


def _sample_colours(
    image: npt.NDArray[np.uint8], truth: Truth, points: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The colours (n, 3) at table points (n, 2), not a number outside the picture."""
    flat = np.column_stack([points, np.zeros(len(points))])
    pixels = np.round(truth.camera.project(flat))
    h, w = image.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] < w) & (pixels[:, 1] < h)
    out = np.full((len(points), 3), np.nan)
    column, row = pixels[inside].astype(np.int64).T
    out[inside] = image[row, column]
    return out


def _is_covered(truth: Truth, points: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which points have something on them or close by."""
    things = [piece.shape.buffer(_CELL_IN) for piece in truth.terrain]
    things += [shapely.Point(b.center).buffer(np.hypot(b.width, b.depth) / 2 + _CELL_IN) for b in truth.bases]
    things += [shapely.Point(die.center).buffer(_CELL_IN) for die in truth.dice]
    things += [shapely.Polygon(m["corners"]).buffer(_CELL_IN) for m in truth.raw.get("frame_markers", [])]
    return np.asarray(shapely.intersects_xy(shapely.union_all(things), points))


def _cast(image: npt.NDArray[np.uint8], truth: Truth) -> float | None:
    """Red by blue of the brighter parts of the printed markers."""
    whites = []
    for marker in truth.raw.get("frame_markers", []):
        a, b, _, d = np.array(marker["corners"], dtype=np.float64)[:, :2]
        steps = (np.arange(24) + 0.5) / 24
        spots = a + steps[:, None, None] * (b - a) + steps[None, :, None] * (d - a)
        colours = _sample_colours(image, truth, spots.reshape(-1, 2))
        colours = colours[~np.isnan(colours).any(axis=1)]
        if len(colours) >= _FEWEST_WHITE:
            grey = colours.mean(axis=1)
            whites.append(colours[grey >= np.percentile(grey, 85)])
    if not whites:
        return None
    blue, _, red = _linear(np.concatenate(whites)).mean(axis=0)
    return float(red / max(blue, 1e-4))
