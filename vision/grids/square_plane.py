"""Where a board of squares may be in a photo, by combs of as many lines as it has; and the tests that it must pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from geometry.square_layout import SquareLayout
from geometry.squares import DIRECTIONS, SquareBoard
from vision.grids.detection import FoundGrid, GridKind, find_on_map, ridges
from vision.grids.plane_fit import Candidate, PlaneFit, field_ends, through
from vision.grids.plane_search import (
    BoardPlaneConfig,
    axis_profile,
    edge_points,
    find_combs,
    line_segments,
    straightened,
    vanishing_points,
)
from vision.grids.square_sides import Sides, measured_sides
from vision.imaging.blur import wide_blur
from vision.imaging.colours import cielab
from vision.imaging.rectify import MapScale, Pixels

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class SquareField:
    """A board of squares as a :class:`vision.grids.plane_fit.Field`."""

    board: SquareBoard

    @property
    def words(self) -> str:
        """The board in a few words."""
        return f"{self.board.columns} x {self.board.rows} squares"

    @property
    def kinds(self) -> Sequence[GridKind]:
        """Dark and light squares, or lines."""
        return ("chessboard", "lines")

    @property
    def size(self) -> Array:
        """Columns and rows (2,)."""
        return np.array([self.board.columns, self.board.rows], dtype=np.float64)

    @property
    def outline(self) -> Array:
        """Its four corners (4, 2)."""
        return field_ends(self.size)

    def layout_at(self, margin: float) -> SquareLayout:
        """The board's layout on its map."""
        return SquareLayout(1.0, (margin + 0.5, margin + 0.5))

    def sides(self, lab: Floats, scale: MapScale, layout: SquareLayout, kind: GridKind) -> Sides:
        """Its sides as they are seen on an evened map."""
        return measured_sides(lab, scale, layout, (self.board.columns, self.board.rows), kind)

    def slips(self, fit: PlaneFit, kind: GridKind) -> Sequence[tuple[float, float]]:
        """A square to every side; squares that are light and dark in turn can't have slipped."""
        return [(float(step.col), float(step.row)) for step in DIRECTIONS[::2]] if kind == "lines" else []

    def worth(self, fit: PlaneFit) -> float:
        """The share of sides seen."""
        return fit.share

    def judged(
        self, flat: Pixels, scale: MapScale, layout: SquareLayout, config: BoardPlaneConfig, next_step: str
    ) -> FoundGrid[SquareLayout]:
        """The board on its map; raises GridError."""
        return find_on_map(flat, scale, self.board, config=config.grid, start=layout, next_step=next_step)


def square_candidates(small: Pixels, board: SquareBoard, config: BoardPlaneConfig) -> Iterator[Candidate]:
    """Where a board may be in a picture."""
    segments = line_segments(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), config)
    points = vanishing_points(segments, float(max(small.shape)), config)
    lab = cielab(small)
    edges, thin = edge_points(lab), _thin_lines(lab[..., 0])
    smooth = cielab(np.asarray(cv2.GaussianBlur(small, (0, 0), 2.0), np.uint8))
    in_squares, by_lines = _places_in_squares(board), _places_by_lines(board)
    height, width = small.shape[:2]
    for first, second in combinations(points, 2):
        plane = straightened(first, second, (width / 2, height / 2), config)
        if plane is None:
            continue
        axes = [
            find_combs(axis_profile(edges, plane, axis, max(height, width), config), count, (height, width), config)
            for axis, count in ((0, board.columns), (1, board.rows))
        ]
        for right in axes[0]:
            for away in axes[1]:
                scaled = [[right.size, 0.0, right.start], [0.0, away.size, away.start], [0.0, 0.0, 1.0]]
                whole = plane @ np.array(scaled)
                chequers = _chequers(smooth, whole, board, in_squares)
                if chequers is not None:
                    combs = _LINES * (right.score + away.score)
                    lines = _line_contrast(thin, whole, by_lines)
                    yield Candidate(whole, {"chessboard": chequers + combs, "lines": lines})


_LINES = 0.05
"""The weight of a comb's score against the share of light and dark in turn."""


_RING = ((-0.3, -0.3), (-0.3, 0.3), (0.3, -0.3), (0.3, 0.3), (0.0, 0.32), (0.0, -0.32), (0.32, 0.0), (-0.32, 0.0))
_OUTSIDE = 0.02


def _places_in_squares(board: SquareBoard) -> Array:
    """Places (n, 2) round the middles of a board's squares, one of each square after another."""
    columns, rows = np.meshgrid(np.arange(board.columns), np.arange(board.rows))
    return np.stack([np.stack([columns + 0.5 + a, rows + 0.5 + b], axis=-1) for a, b in _RING]).reshape(-1, 2)


def _chequers(lab: Floats, plane: Array, board: SquareBoard, places: Array) -> float | None:
    """How much of the difference between squares is light and dark in turn, by ``places`` in them; ``None`` where the
    board would reach beyond the picture or the horizon."""
    away = np.hstack([places, np.ones((len(places), 1))]) @ plane[2]
    if away.min() <= 0 < away.max() or not away.all():
        return None
    pixels = through(plane, places)
    height, width = lab.shape[:2]
    slack = _OUTSIDE * max(height, width)
    if (pixels < -slack).any() or (pixels > np.array([width, height]) + slack).any():
        return None
    x, y = (pixels[None, :, k].astype(np.float32) for k in (0, 1))
    seen = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
    color = np.median(seen.reshape(len(_RING), board.rows, board.columns, 3), axis=0)
    sign = (1 - 2 * (np.add.outer(np.arange(board.rows), np.arange(board.columns)) % 2))[..., None]
    spread = float(np.sqrt(((color - color.mean(axis=(0, 1))) ** 2).sum(axis=2).mean()))
    return float(np.linalg.norm((color * sign).mean(axis=(0, 1)))) / (spread + 3.0)


def _thin_lines(light: Floats) -> Floats:
    """How much each pixel (rows, columns) of a picture looks like one of a thin line, against what is round it."""
    size, _ = ridges(np.asarray(cv2.GaussianBlur(light, (0, 0), 1.2), np.float32))
    return np.asarray(np.minimum(size / (wide_blur(size, 25.0) + 0.6), 3.0), np.float32)


def _places_by_lines(board: SquareBoard) -> Array:
    """Places (n, 2): a third on a board's inner lines, the others as far along them, a little to either side."""
    along = (-0.3, -0.15, 0.0, 0.15, 0.3)
    places = []
    for beside in (0.0, -_BESIDE, _BESIDE):
        columns, rows = np.arange(1, board.columns) + beside, np.arange(1, board.rows) + beside
        up = (np.arange(board.rows)[:, None] + 0.5 + along).ravel()
        across = (np.arange(board.columns)[:, None] + 0.5 + along).ravel()
        for grid in (np.meshgrid(columns, up), np.meshgrid(across, rows)):
            places.append(np.stack(grid, axis=-1).reshape(-1, 2))
    return np.concatenate(places)


def _line_contrast(thin: Floats, plane: Array, places: Array) -> float:
    """How much more the board's inner lines look like lines than their surroundings, in standard deviations."""
    x, y = (one[None].astype(np.float32) for one in through(plane, places).T)
    seen = cv2.remap(thin, x, y, cv2.INTER_LINEAR)[0]
    on, off = np.split(seen, [len(places) // 3])
    return float((on.mean() - off.mean()) / (on.std() + off.std() + 1e-6))


_BESIDE = 0.16
