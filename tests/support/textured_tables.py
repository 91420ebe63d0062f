"""Photos of a flat table with a texture like a printed mat's, by exact cameras."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Camera, TableView

Pixels = npt.NDArray[np.uint8]

SIZE_IN = (24.0, 24.0)
SIZE_PX = (1200, 900)
_PPI = 40


def mat(seed: int, tile_in: float = 24.0) -> Pixels:
    """A map of the table, 40 pixels an inch, that repeats every ``tile_in`` inches."""
    rng, side = np.random.default_rng(seed), round(tile_in * _PPI)
    grey = np.zeros((side, side), np.float32)
    for cells, strength in ((8, 30.0), (40, 25.0), (200, 25.0)):
        noise = rng.normal(0, 1, (cells, cells)).astype(np.float32)
        grey += strength * cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC)
    times = round(24.0 / tile_in)
    tiled = np.tile(grey, (times, times))
    return np.asarray(np.clip(tiled + 120, 0, 255), np.uint8)


def camera_at(eye: tuple[float, float, float], target: tuple[float, float]) -> TableView:
    """A camera at ``eye`` that looks at a place of the table."""
    forward = np.array([*target, 0.0]) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    R = np.array([right, np.cross(forward, right), forward])
    K = np.array([[1000.0, 0, 599.5], [0, 1000.0, 449.5], [0, 0, 1]])
    return TableView(Camera(K, np.zeros(5), SIZE_PX), R, -R @ np.array(eye))


def photo_of(ground: Pixels, view: TableView, blocks: int = 0, seed: int = 0) -> Pixels:
    """A grey photo (900, 1200) of a map, with so many dark blocks of two inches on it, each somewhere else for another
    seed."""
    rng, ground = np.random.default_rng(seed), ground.copy()
    for x, y in rng.integers(0, 22 * _PPI, (blocks, 2)):
        ground[y : y + 2 * _PPI, x : x + 2 * _PPI] = rng.integers(20, 90)
    ends = np.array([[0, 0], [24, 0], [24, 24], [0, 24]], dtype=np.float64)
    pixels = view.pixel_from_table(np.column_stack([ends, np.zeros(4)]))
    on_map = np.column_stack([ends[:, 0] * _PPI - 0.5, (24 - ends[:, 1]) * _PPI - 0.5])
    H = cv2.getPerspectiveTransform(on_map.astype(np.float32), pixels.astype(np.float32))
    photo = cv2.warpPerspective(
        cv2.GaussianBlur(ground, (0, 0), 0.7), H, SIZE_PX, flags=cv2.INTER_LINEAR, borderValue=70
    )
    return np.asarray(np.clip(photo + rng.normal(0, 2, photo.shape), 0, 255), np.uint8)
