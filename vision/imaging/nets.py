"""The two small nets and what they are shown: the table from above, and which way tall things lean at each place.

A net sees three planes of colour, three of colour against that of the mat (in stops), two of lean (by how many inches
the camera shows a point one inch up displaced on the table, to the right and downwards in the map) and one that says
where there is table. It answers with shares from 0 to 1. Both were trained on drawn tables alone
(:mod:`synthetic`); ``docs/nets.md`` says how.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

GROUND_PPI = 8.0
BASES_PPI = 16.0
MULTIPLE = 32  # rows and columns that the nets take are multiples of this
INPUTS = 9
_DARK = np.float32(0.05)
_LEVELS = (np.arange(256) / 255).astype(np.float32)
_STOPS = np.log2(_LEVELS + _DARK)
_MOST_AT_ONCE = 640 * 640
_TILE, _OVERLAP = 512, 48


def lean_of(
    columns: int, rows: int, foot_px: tuple[float, float], eye_height_in: float, px_per_inch: float
) -> tuple[Float32, Float32]:
    """How far, in inches per inch of height, the map shows things leaning right (1, columns) and down (rows, 1).

    ``foot_px``: the map pixel straight under the camera.
    """
    scale = 1.0 / (px_per_inch * max(eye_height_in, 1.0))
    right = (np.arange(columns, dtype=np.float32) - np.float32(foot_px[0])) * np.float32(scale)
    down = (np.arange(rows, dtype=np.float32) - np.float32(foot_px[1])) * np.float32(scale)
    return right[None, :], down[:, None]


def plan_input(image: Image, lean: tuple[Float32, Float32], valid: npt.NDArray[np.bool_]) -> Float32:
    """The input of a net: (INPUTS, rows, columns), everything outside ``valid`` zero.

    Colours are centred on the middle of display levels and scaled by their own spread over the table, so that dark
    and bright pictures look alike; the mat's colour is the table's median.
    """
    rows, columns = valid.shape
    out = np.zeros((INPUTS, rows, columns), np.float32)
    levels = cv2.LUT(image, _LEVELS)
    inside = levels[valid][::7]
    if len(inside):
        gray = inside.mean(axis=1)
        spread = max(0.08, float(gray.std()))
        out[:3] = np.moveaxis((levels - np.float32(np.median(gray))) * np.float32(0.5 / np.sqrt(spread * 0.15)), 2, 0)
        stops = cv2.LUT(image, _STOPS)
        mat = np.log2(np.median(inside, axis=0) + _DARK)
        out[3:6] = np.clip(np.moveaxis(stops - mat.astype(np.float32), 2, 0), -2.5, 2.5)
    out[6] = np.broadcast_to(lean[0], (rows, columns))
    out[7] = np.broadcast_to(lean[1], (rows, columns))
    out[8] = 1.0
    out *= valid
    return out


def weights(name: str) -> bytes:
    """The file of a net that comes with the product."""
    return resources.files("vision").joinpath("data", f"{name}.onnx").read_bytes()


class Runner:
    """Runs an ONNX file on a batch; one at a time, from any thread."""

    def __init__(self, data: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        self._one = Lock()

    def __call__(self, batch: Float32) -> Float32:
        with self._one:
            self._net.setInput(batch)
            return np.array(self._net.forward(), np.float32)


class Net:
    """A trained net from the bytes of an ONNX file: shares (planes, rows, columns) from its input (INPUTS, rows,
    columns).

    Any number of rows and columns is accepted; they are padded with zeros to multiples of ``MULTIPLE``. Larger pictures
    are processed in overlapping tiles so that memory stays small.
    """

    def __init__(self, data: bytes) -> None:
        self._net = Runner(data)

    def __call__(self, shown: Float32) -> Float32:
        rows, columns = shown.shape[1:]
        if rows * columns <= _MOST_AT_ONCE:
            return self._at_once(shown)
        out: Float32 | None = None
        step = _TILE - 2 * _OVERLAP
        for top in range(0, max(1, rows - 2 * _OVERLAP), step):
            for left in range(0, max(1, columns - 2 * _OVERLAP), step):
                tile = shown[:, top : top + _TILE, left : left + _TILE]
                share = self._at_once(np.ascontiguousarray(tile))
                if out is None:
                    out = np.zeros((share.shape[0], rows, columns), np.float32)
                # Every tile keeps its middle; the first and the last keep their outer edges as well.
                a, b = (0 if top == 0 else _OVERLAP), (0 if left == 0 else _OVERLAP)
                out[:, top + a : top + _TILE, left + b : left + _TILE] = share[:, a:, b:]
        assert out is not None
        return out

    def _at_once(self, shown: Float32) -> Float32:
        rows, columns = shown.shape[1:]
        return np.asarray(self._net(_filled_up(shown))[0, :, :rows, :columns], dtype=np.float32)


def _filled_up(shown: Float32) -> Float32:
    """The input of a net as a batch of one (1, INPUTS, r, c), r and c filled up to multiples of ``MULTIPLE``."""
    rows, columns = shown.shape[1:]
    whole = np.zeros((1, INPUTS, -(-rows // MULTIPLE) * MULTIPLE, -(-columns // MULTIPLE) * MULTIPLE), np.float32)
    whole[0, :, :rows, :columns] = shown
    return whole


def both_ways(net: Callable[[Float32], Float32], shown: Float32) -> Float32:
    """The mean of a net's output for a map and for its mirror image: steadier than either."""
    mirrored = shown[..., ::-1].copy()
    mirrored[6] *= -1  # things that lean right in the map lean left in its mirror
    return (net(shown) + net(mirrored)[..., ::-1]) * np.float32(0.5)


@lru_cache(maxsize=2)
def net(name: str) -> Net:
    """The net ``ground`` or ``bases``, loaded when first asked for."""
    return Net(weights(name))
