"""The place of a board of squares or hexes in a photo, by its own lines alone: no markers, table edges or camera.

Line segments point to vanishing points. For each two of these the photo is straightened so far that their lines run
along two axes, and combs with as many teeth as the board has lines find its lines on either axis
(:mod:`vision.grids.square_plane`, :mod:`vision.grids.hex_plane`). The pairs of combs that look most like a board are
fitted side by side to what is seen, all eight parameters of the homography, and judged like every board: an
unconvincing board is refused.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from calibration.corners import TableCorners
from geometry.hex_rows import HexRows
from geometry.squares import SquareBoard
from vision.grids.detection import FoundGrid, GridKind
from vision.grids.hex_plane import HexField, hex_candidates
from vision.grids.plane_fit import (
    MOST_K1,
    Candidate,
    Field,
    Layout,
    PlaneFit,
    RadialBend,
    board_map,
    field_ends,
    fit_plane,
    moved_by,
    planes_apart,
    shrunk,
    side_px,
    through,
    to_inches,
)
from vision.grids.plane_search import BoardPlaneConfig
from vision.grids.square_plane import SquareField, square_candidates
from vision.imaging.rectify import Pixels
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BoardPlane:
    """A board, ``field``, in a photo: the ``homography`` (3, 3) from places on the board to pixels as a lens without
    distortion would show them, the ``lens`` that bends these, and the ``grid`` as it was found on its map.

    Places are counted in cells (of hexes: in inches between opposite sides, were these one inch) from the near left
    corner of the rectangle round the board, to the right and away; near is what is lower in the photo.
    """

    field: Field
    homography: Array
    grid: FoundGrid[Layout]
    lens: RadialBend

    def pixels(self, places: npt.ArrayLike) -> Array:
        """The pixels (n, 2) of places (n, 2)."""
        return self.lens.bent(through(self.homography, np.asarray(places, dtype=np.float64)))

    @property
    def corners(self) -> Array:
        """The corners of the rectangle round the board (4, 2) in pixels: near left, near right, far right, far left."""
        return self.pixels(field_ends(self.field.size))

    def table_corners(self, table: tuple[float, float], layout: Layout) -> TableCorners:
        """The corners of the table (width, depth; inches) that holds the board by a ``layout``; where the lens bends
        lines with points on its edges, which show how much."""
        ends = np.array([(0.0, 0.0), (table[0], 0.0), table, (0.0, table[1])])
        to_places = np.asarray(np.linalg.inv(to_inches(self.field, layout)), np.float64)
        slip = max(self.grid.residual_in, _LEAST_SLIP) * side_px(self.corners, self.field.size)
        corners = self.pixels(through(to_places, ends))
        if self.lens.is_straight:
            return TableCorners(corners, np.full(4, slip))
        along = np.linspace(0.0, 1.0, _EDGE_POINTS)[:, None]
        edges = np.concatenate([a + along * (b - a) for a, b in zip(ends, np.roll(ends, -1, axis=0), strict=True)])
        side = np.repeat(np.arange(4), _EDGE_POINTS)
        return TableCorners(
            corners,
            np.full(4, slip),
            edge_pixels=self.pixels(through(to_places, edges)),
            edge_side=side,
            edge_sigma_px=np.full(len(side), slip),
        )


def find_board(image: Pixels, board: SquareBoard | HexRows, config: BoardPlaneConfig | None = None) -> BoardPlane:
    """A board of squares or hexes in an upright photo (rows, columns, 3) of any camera.

    Raises GridError where there is no convincing board of so many cells, where it continues beyond them, or where there
    are two.
    """
    config = config or BoardPlaneConfig()
    small, to_small = shrunk(image, config.search_px / max(image.shape[:2]))
    field: Field
    if isinstance(board, SquareBoard):
        field, candidates = SquareField(board), list(square_candidates(small, board, config))
    else:
        field = HexField(board)
        candidates = list(hex_candidates(small, field, config))
    return choose_plane(image, small, to_small, candidates, field, config)


def choose_plane(
    image: Pixels,
    small: Pixels,
    to_small: Array,
    candidates: Sequence[Candidate],
    field: Field,
    config: BoardPlaneConfig,
) -> BoardPlane:
    """The one candidate, a homography to a ``small`` copy of a picture, that is a board of its picture; raises
    GridError where none is, or where two are."""
    back = np.linalg.inv(to_small)
    likely: list[tuple[GridKind, Candidate]] = []
    for kind in field.kinds:
        best = heapq.nlargest(config.followed, candidates, partial(_likeness, kind))
        likely += ((kind, one) for one in best)
    rough: list[tuple[float, Array, GridKind]] = []
    for kind, one in likely:
        beside = field.size.max() / 2
        if any(share >= config.clear and planes_apart(plane, one.plane, field) < beside for share, plane, _ in rough):
            continue  # only a board elsewhere is still of interest
        fit = fit_plane(small, one.plane, kind, field, config, 4)
        if fit.share >= config.rough:
            rough.append((fit.share, fit.plane, kind))
    faults: list[str] = []
    found: list[BoardPlane] = []
    tried: list[Array] = []
    for share, plane, kind in sorted(rough, key=lambda one: -one[0]):
        if any(planes_apart(plane, other, field) < _ALIKE for other in tried) or len(tried) == config.fitted:
            continue
        tried.append(plane)
        if found and share < _RIVAL * found[0].grid.found:
            break
        try:
            found.append(_judged(image, back @ plane, kind, field, config))
        except GridError as error:
            faults.append(str(error))
    if not found:
        raise GridError(faults[0] if faults else f"No board of {field.words} was found. {_NEXT}")
    whole = max(found, key=lambda one: one.grid.found)
    for other in found:
        if planes_apart(whole.homography, other.homography, field) > _ELSEWHERE:
            raise GridError(
                f"More than one board of {field.words} is in the photo: take one of a single board, or name the "
                "table's corners."
            )
    return whole


def _likeness(kind: GridKind, one: Candidate) -> float:
    return one.likeness[kind]


_NEXT = "Take the photo with the whole board in it, or name the table's corners."
_ALIKE, _ELSEWHERE, _RIVAL = 0.15, 0.35, 0.9
_MOST_SLIPS = 3
_LEAST_SLIP = 0.02  # cells: lenses bend lines, and boards are not flat
_EDGE_POINTS = 9


def _judged(image: Pixels, plane: Array, kind: GridKind, field: Field, config: BoardPlaneConfig) -> BoardPlane:
    """A candidate fitted with all pixels and judged on its map; raises GridError if it is not a board."""
    side = side_px(through(plane, field_ends(field.size)), field.size)
    near, to_near = shrunk(image, 2 * config.ppi / side)  # a map of a finer picture would leave out most of its pixels
    fit = fit_plane(near, to_near @ plane, kind, field, config, 6)
    fit = _unslipped(near, fit, kind, field, config)
    bent = fit_plane(near, fit.plane, kind, field, config, 6, fit.lens)
    fits = [fit]
    if bent.clearness > config.bend_sigmas and abs(bent.lens.k1) < MOST_K1:
        fits.insert(0, bent)
    faults: list[GridError] = []
    found: list[tuple[PlaneFit, FoundGrid[Layout]]] = []
    for one in fits:
        flat, scale = board_map(near, one.plane, field.size, config.margin, config.ppi, one.lens)
        try:
            grid = field.judged(flat, scale, field.layout_at(config.margin), config, _NEXT)
        except GridError as error:
            faults.append(error)
            continue
        found.append((one, grid))
    if not found:
        raise faults[-1]
    best, grid = found[0]
    if len(found) > 1 and grid.residual_in > config.bend_gain * found[1][1].residual_in:
        best, grid = found[1]  # a nearly straight lens gives better results if taken as straight
    whole = best.plane @ moved_by(-config.margin, -config.margin) @ to_inches(field, grid.layout)
    lens = replace(RadialBend.none(image), k1=best.lens.k1)
    return BoardPlane(field, np.linalg.inv(to_near) @ whole, grid, lens)


def _unslipped(image: Pixels, fit: PlaneFit, kind: GridKind, field: Field, config: BoardPlaneConfig) -> PlaneFit:
    """A fitted board, moved by a cell as long as more of its sides are seen there."""
    for _ in range(_MOST_SLIPS):
        moved = [
            fit_plane(image, fit.plane @ moved_by(*slip), kind, field, config, 3) for slip in field.slips(fit, kind)
        ]
        if not moved or field.worth(better := max(moved, key=field.worth)) <= field.worth(fit):
            break
        fit = better
    return fit


__all__ = ["BoardPlane", "BoardPlaneConfig", "RadialBend", "choose_plane", "find_board", "side_px"]
