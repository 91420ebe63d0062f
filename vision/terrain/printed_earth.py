"""Earth that is printed on a mat looks like a field; unlike a field it shows elsewhere on the open mat as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from vision.imaging.colours import cielab
from vision.imaging.nets import GROUND_PPI
from vision.imaging.rectify import MapScale, rectified_map, visible_mask
from vision.model.expected import ExpectedTerrain
from vision.terrain.pieces import mask_of

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PrintedConfig:
    """``kinds``: kinds that a print can look like; ``most_elsewhere``: a piece is a print where the open mat shows its
    colours over more than this share of the piece's own area (on 25 drawn tables: 0.08 at most for true fields, 1.7
    at least for prints); ``blur_in``: how far texture is averaged; ``inset_in``, ``clear_in``, ``edge_in``: how
    much of a piece's border, of the surroundings of other pieces and bases, and of the table's border is left out;
    ``reach``: colours within so many standard deviations are alike; ``floor_lab``: least deviation of lightness and
    of the two colours (CIELAB); ``least_px``: a piece with fewer visible pixels is not judged."""

    kinds: tuple[str, ...] = ("field",)
    most_elsewhere: float = 0.3
    blur_in: float = 0.25
    inset_in: float = 0.25
    clear_in: float = 0.4
    edge_in: float = 1.0
    reach: float = 2.0
    floor_lab: tuple[float, float, float] = (2.0, 1.4, 1.4)
    least_px: int = 30


def without_prints(
    image: Image,
    view: TableView,
    table_size_in: tuple[float, float],
    pieces: Sequence[ExpectedTerrain],
    *,
    covered: shapely.Geometry | None = None,
    config: PrintedConfig | None = None,
) -> tuple[ExpectedTerrain, ...]:
    """The pieces except parts of the mat's print. ``image`` is the upright photo of ``view``;
    ``covered``: where bases and figures hide the table."""
    config = config or PrintedConfig()
    doubtful = [piece for piece in pieces if piece.kind in config.kinds]
    if not doubtful:
        return tuple(pieces)
    scale = MapScale(*table_size_in, px_per_inch=GROUND_PPI)
    plan = rectified_map(image, view, table_size_in, px_per_inch=GROUND_PPI)
    lab = np.asarray(cv2.GaussianBlur(cielab(plan), (0, 0), config.blur_in * GROUND_PPI), np.float32)
    seen = visible_mask(view, scale)
    if covered is not None:
        seen &= ~mask_of(covered.buffer(config.clear_in), scale)
    inner = shapely.box(0, 0, *table_size_in).buffer(-config.edge_in)
    taken = mask_of(shapely.union_all([piece.shape.buffer(config.clear_in) for piece in pieces]), scale)
    mat = lab[seen & ~taken & mask_of(inner, scale)]
    printed = {
        piece.id
        for piece in doubtful
        if _elsewhere(lab[seen & mask_of(piece.shape.buffer(-config.inset_in), scale)], mat, config)
        > config.most_elsewhere
    }
    return tuple(piece for piece in pieces if piece.id not in printed)


def _elsewhere(own: npt.NDArray[np.float32], mat: npt.NDArray[np.float32], config: PrintedConfig) -> float:
    """The area of the mat that looks like a piece, by that of the piece."""
    if len(own) < config.least_px:
        return 0.0
    middle = own.mean(axis=0, dtype=np.float64)
    spread = np.cov(own.T.astype(np.float64)) + np.diag(np.square(config.floor_lab))
    off = mat - middle
    away = np.einsum("ij,ij->i", off @ np.linalg.inv(spread), off)
    return float(np.sum(away < config.reach**2) / len(own))
