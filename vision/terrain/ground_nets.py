"""Two nets in a row that read the ground of a table: shares of every kind of terrain, place by place.

The first, ``ground``, is a small U-Net that learnt only from drawn tables. The second (``ground_second``) views the
table with an encoder that started from ImageNet (``sight``), compares the result with the table's own mat, gets the
first net's output as an input, and decides. ``docs/nets.md`` says how they were trained; OpenCV runs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt
from scipy.special import expit

from vision.imaging.nets import GROUND_PPI, both_ways, net, plan_input, weights
from vision.terrain.pieces import KINDS

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

SIGHT_PPI = 2 * GROUND_PPI  # the encoder sees the table this large
STRIDES = (4, 8, 16)  # pixels of that map for one cell of each of its features
_MULTIPLE = 32  # rows and columns at GROUND_PPI that the two are shown are multiples of this
_MIDDLE, _SPREAD = np.float32(127.0), np.float32(128.0)
_MOST_LOG_ODDS = 6.0
_LEAST_SHARE = 1 / (1 + np.exp(_MOST_LOG_ODDS))
_HILLS = [KINDS.index("hill"), len(KINDS)]  # the planes of hills and of their tops


def centred(image: Image) -> Float32:
    """A picture (rows, columns, 3) as the encoder is shown it: (3, rows, columns), blue first, about zero."""
    return np.ascontiguousarray(np.moveaxis((image.astype(np.float32) - _MIDDLE) / _SPREAD, 2, 0))


def log_odds(share: npt.NDArray[np.floating], least: float = _LEAST_SHARE) -> Float32:
    """Shares as log odds; they count as at least ``least`` from 0 and 1, left out as the second net is shown them."""
    kept = np.clip(np.asarray(share, np.float32), np.float32(least), np.float32(1 - least))
    odds = np.subtract(np.float32(1), kept)
    np.divide(kept, odds, out=odds)
    return np.asarray(np.log(odds, out=odds))


@dataclass(frozen=True, eq=False)
class Sight:
    """The encoder's features of a map of the table: one array (n, r, c) for each of ``STRIDES``, its cells that many
    pixels wide, and ``mats``, the features of the mat (n,) at each: the median over the table."""

    features: tuple[Float32, ...]
    mats: tuple[Float32, ...]


def cells_on_table(valid: Mask, cell: int) -> Mask:
    """Which cells of ``cell`` x ``cell`` pixels are wholly on the table, of a map (rows, columns) of it."""
    rows, columns = valid.shape[0] // cell, valid.shape[1] // cell
    return np.asarray(valid[: rows * cell, : columns * cell].reshape(rows, cell, columns, cell).all(axis=(1, 3)))


def second_inputs(sight: Sight, first: Float32, lean: Float32) -> list[Float32]:
    """The input of the second net, one array (n, r, c) for each of ``STRIDES``.

    ``first`` (9, r, c): log odds of the first net, and ``lean`` (3, r, c): by how many inches a point one inch up leans
    right and down, and where there is table; both at ``GROUND_PPI``, half the resolution of the encoder's map.
    """
    out = []
    for stride, seen, mat in zip(STRIDES, sight.features, sight.mats, strict=True):
        parts = [seen, seen - mat[:, None, None]]
        if stride >= 8:
            parts.append(_shrunk(lean, stride // 2))
        if stride != 8:
            parts.append(_shrunk(first, stride // 2))
        out.append(np.ascontiguousarray(np.concatenate(parts), np.float32))
    return out


def _shrunk(planes: Float32, by: int) -> Float32:
    n, rows, columns = planes.shape
    return np.asarray(planes.reshape(n, rows // by, by, columns // by, by).mean(axis=(2, 4)), np.float32)


class Encoder:
    """The encoder from the bytes of its ONNX file; one call at a time, from any thread."""

    def __init__(self, data: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        self._one = Lock()

    def __call__(self, image: Image, valid: Mask) -> Sight:
        """The features of a map (2 r, 2 c, 3) BGR at ``SIGHT_PPI``; ``valid`` (r, c): where there is table, at
        ``GROUND_PPI``. r and c are multiples of 8."""
        names = [f"s{stride}" for stride in STRIDES]
        with self._one:
            self._net.setInput(centred(image)[None])
            features = tuple(np.array(one[0], np.float32) for one in self._net.forward(names))
        mats = []
        for stride, seen in zip(STRIDES, features, strict=True):
            there = seen[:, cells_on_table(valid, stride // 2)]
            mats.append(mat_of(there) if there.size else np.asarray(seen.mean(axis=(1, 2)), np.float32))
        return Sight(features, tuple(mats))


def mat_of(cells: Float32) -> Float32:
    """The features that represent the mat (n,), from features (n, cells) of the table: the median of some thousands."""
    return np.asarray(np.median(cells[:, :: 1 + cells.shape[1] // 3000], axis=1), np.float32)


class Second:
    """The second net from the bytes of its ONNX file."""

    def __init__(self, data: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        self._one = Lock()

    def __call__(self, inputs: list[Float32], first: Float32) -> Float32:
        """Shares (9, r, c), from the output of :func:`second_inputs` and the log odds of the first net (9, r, c)."""
        with self._one:
            for stride, one in zip(STRIDES, inputs, strict=True):
                self._net.setInput(one[None], f"s{stride}")
            self._net.setInput(first[None], "first")
            return np.array(self._net.forward()[0], np.float32)


def lean_and_table(lean: tuple[Float32, Float32], valid: Mask) -> Float32:
    """Lean to the right (1, c) and down (r, 1) and where there is table as planes (3, r, c)."""
    planes = [np.broadcast_to(lean[0], valid.shape), np.broadcast_to(lean[1], valid.shape), valid]
    return np.stack([np.asarray(one, np.float32) * valid for one in planes])


def _filled(planes: Float32, fill: float) -> Float32:
    """Planes (n, r, c) padded to the multiples that the second net needs."""
    rows, columns = planes.shape[1:]
    size = ((0, 0), (0, -rows % _MULTIPLE), (0, -columns % _MULTIPLE))
    return np.pad(planes, size, constant_values=np.float32(fill))


@dataclass(frozen=True, eq=False)
class Said:
    """The nets' reading of a table: ``share`` (9, r, c) of every kind of terrain and of hill tops, and ``looks`` (n, 9,
    r, c): the shares of each view separately. Where these contradict one another, the nets are guessing.
    ``sights``: the encoder's features of the table and of its mirror image."""

    share: Float32
    looks: Float32
    sights: tuple[Sight, ...] = ()


@dataclass(frozen=True, eq=False)
class GroundNets:
    """The encoder and the second net; the first is ``ground``."""

    encoder: Encoder
    second: Second

    @classmethod
    def of_folder(cls, folder: Path) -> GroundNets:
        """Those in a folder that ``scripts/train/ground_trainer.py`` wrote them into."""
        return cls(Encoder((folder / "sight.onnx").read_bytes()), Second((folder / "ground_second.onnx").read_bytes()))

    def __call__(self, plan: Image, fine: Image, lean: tuple[Float32, Float32], valid: Mask) -> Said:
        """The shares of each kind of terrain, at ``GROUND_PPI``.

        ``plan`` (r, c, 3): the table from above, BGR, at ``GROUND_PPI``, and ``fine`` (R, C, 3) the same at
        ``SIGHT_PPI``; ``lean`` (1, c) and (r, 1) from :func:`vision.imaging.nets.lean_of`, ``valid`` (r, c)
        where there is table. The second net runs twice: on the table with the first net's shares, and on its mirror
        image without them. The result is the mean of these two and the first one, in log odds; a hill and its top are
        where the mean or the first one finds them, since a hill that is missed lets fire pass.
        """
        first = both_ways(net("ground"), plan_input(plan, lean, valid))
        sights = self.sight(fine, valid), self.sight(fine[:, ::-1], valid[:, ::-1])
        told = self.decide(sights[0], first, lean, valid)
        silent = np.full_like(first, 0.5)
        alone = self.decide(sights[1], silent, (-lean[0][:, ::-1], lean[1]), valid[:, ::-1])[..., ::-1]
        looks = np.stack([told, alone, first])
        share = np.asarray(expit((log_odds(told) + log_odds(alone) + log_odds(first)) / np.float32(3)))
        share[_HILLS] = np.maximum(share[_HILLS], first[_HILLS])
        return Said(share, looks, sights)

    def sight(self, fine: Image, valid: Mask) -> Sight:
        """The encoder's features of a map (R, C, 3) BGR at ``SIGHT_PPI``; ``valid`` (r, c) at ``GROUND_PPI``."""
        rows, columns = valid.shape
        on_table = np.pad(valid, ((0, -rows % _MULTIPLE), (0, -columns % _MULTIPLE)))
        if fine.shape[:2] != (2 * rows, 2 * columns):
            fine = np.asarray(cv2.resize(fine, (2 * columns, 2 * rows)), np.uint8)
        size = ((0, 2 * (-rows % _MULTIPLE)), (0, 2 * (-columns % _MULTIPLE)), (0, 0))
        return self.encoder(np.pad(fine, size, mode="edge"), on_table)

    def decide(self, sight: Sight, first: Float32, lean: tuple[Float32, Float32], valid: Mask) -> Float32:
        """The joint shares (9, r, c), from the encoder's features and the first net's output."""
        rows, columns = valid.shape
        odds = _filled(log_odds(first), -_MOST_LOG_ODDS)
        inputs = second_inputs(sight, odds, _filled(lean_and_table(lean, valid), 0.0))
        return self.second(inputs, odds)[:, :rows, :columns]


@lru_cache(maxsize=1)
def ground_nets() -> GroundNets:
    """The nets that come with the product, loaded when first asked for."""
    return GroundNets(Encoder(weights("sight")), Second(weights("ground_second")))
