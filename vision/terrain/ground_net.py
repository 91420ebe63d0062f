"""What the net that names kinds of terrain says of a table, run by OpenCV as the product would run it, and what it and
the ``ground`` net say together.

The ``ground`` net draws outlines and was trained on drawn tables from nothing. The other looks at half an inch at a
time with an encoder that starts from ImageNet, and compares it with the table's own mat (``kinds_net.py``). Each names
rightly much of what the other mistakes.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.terrain.pieces import KINDS, RIVAL_KINDS

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

CELL_PX = 8
_MULTIPLE = 32
_MIDDLE, _SPREAD = np.float32(127.0), np.float32(128.0)
_WEIGHT = 0.6  # of what either says (in log odds): less than both together, for they err together at times
_SURE = 1.25  # shares of a kind that are likelier than all others together are raised by this
_RIVALS = [KINDS.index(kind) for kind in RIVAL_KINDS]


def centred(image: Image) -> Float32:
    """A picture (rows, columns, 3) as the encoder is shown it: (3, rows, columns), blue first, about zero."""
    return np.ascontiguousarray(np.moveaxis((image.astype(np.float32) - _MIDDLE) / _SPREAD, 2, 0))


class KindsReader:
    """The encoder and the head from the folder that ``kinds_trainer.py`` wrote them into."""

    def __init__(self, folder: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(folder / "kinds.onnx"))
        with np.load(folder / "kinds.npz") as head:
            self._hidden, self._scores = head["hidden"], head["scores"]

    def __call__(self, image: Image, on_table: Mask) -> Float32:
        """The shares of nothing and of each kind, which add up to one, in each cell (rows / 8, columns / 8, 1 + kinds)
        of a picture (rows, columns, 3) from above at 16 pixels per inch; ``on_table`` (rows, columns)."""
        features = self.features(image)
        rows, columns = features.shape[:2]
        whole = cv2.resize(on_table.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA) > 0.95
        return self.shares(features, whole)

    def features(self, image: Image) -> Float32:
        """What the encoder makes of each cell (rows / 8, columns / 8, n)."""
        rows, columns = image.shape[:2]
        tall, wide = -(-rows // _MULTIPLE) * _MULTIPLE, -(-columns // _MULTIPLE) * _MULTIPLE
        padded = cv2.copyMakeBorder(image, 0, tall - rows, 0, wide - columns, cv2.BORDER_REPLICATE)
        self._net.setInput(centred(np.asarray(padded, np.uint8))[None])
        fine, coarse = (np.moveaxis(one[0], 0, 2) for one in self._net.forward(["fine", "coarse"]))
        size = (fine.shape[1], fine.shape[0])
        found = np.concatenate([fine, cv2.resize(np.ascontiguousarray(coarse), size)], axis=2)
        return np.asarray(found[: rows // CELL_PX, : columns // CELL_PX], np.float32)

    def shares(self, features: Float32, on_table: Mask) -> Float32:
        """What features of cells tell; the median of those ``on_table`` (rows, columns) is taken for the mat."""
        mat = np.median(features[on_table], axis=0) if on_table.any() else features.mean(axis=(0, 1))
        n = features.shape[2]
        at_all, to_mat = self._hidden[:, :n], self._hidden[:, n:-1]
        hidden = np.maximum(features @ (at_all + to_mat).T + (self._hidden[:, -1] - to_mat @ mat), 0.0)
        scores = hidden @ self._scores[:, :-1].T + self._scores[:, -1]
        share = np.exp(scores - scores.max(axis=2, keepdims=True))
        return np.asarray(share / share.sum(axis=2, keepdims=True), np.float32)


def together(ground: Float32, kinds: Float32) -> Float32:
    """The ``ground`` net's shares (9, rows, columns) with woods, towns, fields and marsh as both witnesses have them.

    That something of these lies at a place, both say; which of them, mostly the one that knows ImageNet (``kinds``,
    (r, c, 1 + kinds) of the same table). Hills, ways, bridges and tops stay as they are.
    """
    size = (ground.shape[2], ground.shape[1])
    seen = cv2.resize(cv2.GaussianBlur(kinds, (0, 0), 1.0), size, interpolation=cv2.INTER_CUBIC)
    theirs = np.clip(np.moveaxis(seen, 2, 0)[1:], 0.0, 1.0)[_RIVALS] + 1e-3
    ours = ground[_RIVALS]
    any_of_them = _chance(_WEIGHT * (_log_odds(ours.max(axis=0)) + _log_odds(theirs.sum(axis=0))))
    which = np.sqrt(ours / (ours.sum(axis=0) + 1e-3) + 0.05) * (theirs / theirs.sum(axis=0) + 0.02)
    which = which / which.sum(axis=0)
    out = ground.copy()
    out[_RIVALS] = any_of_them * np.where(which > 0.5, np.minimum(1.0, _SURE * which), which)
    return out


def _log_odds(share: Float32) -> Float32:
    kept = np.clip(share, 1e-4, 1 - 1e-4)
    return np.log(kept / (1 - kept))


def _chance(log_odds: Float32) -> Float32:
    return 1 / (1 + np.exp(-log_odds))
