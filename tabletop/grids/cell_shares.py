"""The terrain that covers each cell of a board, and its certainty.

Areas count by their share of a cell, roads and rivers by the length of their middle line in it. The certainty of a cell
comes from scenarios: in each one every piece's outline grows or shrinks by one amount (its edge's sigma, along the
whole edge at once, which is the worst case for a cell's share), each road and river is shifted sideways in the same
way, and the board is shifted within its covariance. Pieces of an uncertain kind come and go by their chance. The
scenarios are drawn once, with a fixed seed, in pairs of opposites. docs/overlay.md explains the reasons.

A board's own rules define what a cell with such shares *is*: a :class:`Coding`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from geometry.hexes import Hex, disc
from tabletop.grids.cells import Array
from tabletop.grids.edge_trust import MEASURED, EdgeTrust
from tabletop.grids.middle_lines import points_along
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.table_terrain import RIVERS, ROADS, TableTerrain, TerrainPiece
from tabletop.words import and_list

Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

HALF = 0.5
"""The share of a cell at which it is of a kind."""
THROUGH = 0.25
"""The length of a middle line in a cell, in sizes of the cell, at which a road or river runs through it."""
_EVEN = 1e-9  # a share this near to half is half: so turning the table changes no ruling

SHOWN = 0.75
"""The share of a cell in the picture at which it is read: the rest can hardly change it."""

SCENARIOS = 512
SEED = 20_110
_RINGS = 6  # of sample places round a hex's centre
_ACROSS = 7  # sample places along a square's side
_FAR = 4.5  # sigmas beyond which an outline is not moved
_WIDEST_IN = 0.8  # largest sigma of an edge that does not state a larger one
_STEPS = 24  # pieces of a middle line in a cell's size


@dataclass(frozen=True, eq=False)
class CellShares:
    """The contents of each of a board's cells (rows in the order of the board): ``shares`` (n, ...) of its area by
    kind; ``road`` and ``river``: lengths of the middle lines in sizes of the cell (n, ...)."""

    shares: Mapping[str, Array]
    road: Array
    river: Array

    def half(self, kind: str) -> Flags:
        """Whether a kind covers half of the cell or more."""
        return np.asarray(self.shares[kind] >= HALF - _EVEN)

    @property
    def has_road(self) -> Flags:
        """Whether a road runs through the cell."""
        return np.asarray(self.road >= THROUGH - _EVEN)

    @property
    def has_river(self) -> Flags:
        """Whether a river runs through the cell."""
        return np.asarray(self.river >= THROUGH - _EVEN)


@dataclass(frozen=True)
class Coding:
    """How a board classifies its cells: ``code_of`` returns the codes (n, ...), from 0 to below ``codes``, of cells
    with given shares of the ``kinds``."""

    kinds: tuple[str, ...]
    codes: int
    code_of: Callable[[CellShares], Codes]


# --- exactly, and by scenarios ---------------------------------------------------------------------------------------


def measured_shares(terrain: TableTerrain, placement: BoardPlacement, kinds: Sequence[str]) -> CellShares:
    """Exact shares and lengths (n,) for the outlines as stated, on the board in its placement."""
    cells = placement.polygons
    area = float(shapely.area(cells[0]))
    shares = {}
    for kind in kinds:
        union = shapely.union_all([piece.shape for piece in terrain.of(kind)])
        shares[kind] = shapely.area(shapely.intersection(cells, union)) / area
    lengths = [
        shapely.length(shapely.intersection(cells, line)) / placement.layout.size_in
        for line in (terrain.roads, terrain.rivers)
    ]
    return CellShares(shares, *lengths)


def measured_codes(terrain: TableTerrain, placement: BoardPlacement, coding: Coding) -> Codes:
    """The code of each cell (n,) for the outlines as stated."""
    return coding.code_of(measured_shares(terrain, placement, coding.kinds))


def code_chances(
    terrain: TableTerrain,
    placement: BoardPlacement,
    coding: Coding,
    *,
    all_there: bool = False,
    trust: EdgeTrust = MEASURED,
) -> Array:
    """The chances (n, codes) of each cell's possible codes; rows add up to 1.

    ``all_there``: as if every piece were certain to have its likeliest kind.
    """
    sure = certain_cells(terrain, placement)
    chances = np.zeros((len(placement.cells), coding.codes))
    chances[sure] = np.eye(coding.codes)[measured_codes(terrain, placement, coding)[sure]]
    if not sure.all():
        codes = coding.code_of(_sample_shares(terrain, placement, coding.kinds, all_there, trust))
        for code in range(coding.codes):
            chances[~sure, code] = (codes[~sure] == code).mean(axis=1)
    unseen = unseen_cells(terrain, placement)
    if unseen.any():
        plain = _plain_codes(coding)
        chances[unseen] = 0.0
        chances[np.ix_(np.flatnonzero(unseen), np.array(plain))] = 1.0 / len(plain)
    return chances


def unseen_cells(terrain: TableTerrain, placement: BoardPlacement) -> Flags:
    """The cells (n,) with less than :data:`SHOWN` in a picture: their terrain is unknown."""
    return np.asarray(terrain.is_known_at(places_in(placement)).mean(axis=1) < SHOWN)


def unseen_names(terrain: TableTerrain, placement: BoardPlacement) -> tuple[str, ...]:
    """The names of those cells."""
    return tuple(placement.cells.names[n] for n in np.flatnonzero(unseen_cells(terrain, placement)))


def note_on_unseen(names: Sequence[str]) -> tuple[str, ...]:
    """A sentence that names the cells outside the picture, if any."""
    if not names:
        return ()
    have, them = ("is", "it") if len(names) == 1 else ("are", "them")
    return (f"Outside the picture {have} {and_list(names)}: nothing is known of {them}. Photograph the whole board.",)


def _plain_codes(coding: Coding) -> list[int]:
    """The codes of an empty cell and of cells covered by one kind."""
    every = {kind: np.eye(len(coding.kinds) + 1)[n] for n, kind in enumerate(coding.kinds)}
    none = np.zeros(len(coding.kinds) + 1)
    return sorted(set(coding.code_of(CellShares(every, none, none)).tolist()))


def ranked_codes(chances: Array, measured: int) -> list[tuple[int, float]]:
    """The possible codes of one cell with its chances (codes,), the likeliest first; among equals the measured one."""
    order = sorted(range(len(chances)), key=lambda code: (-chances[code], code != measured))
    return [(code, float(chances[code])) for code in order if chances[code] > 0]


def certain_cells(terrain: TableTerrain, placement: BoardPlacement) -> Flags:
    """The cells (n,) that nothing uncertain reaches: the board and all pieces there are exact."""
    if not placement.is_exact:
        return np.zeros(len(placement.cells), dtype=bool)
    sure = np.ones(len(placement.cells), dtype=bool)
    cells = placement.polygons
    for piece in terrain.pieces:
        if not piece.is_exact:
            sure &= shapely.distance(cells, piece.shape) > _FAR * max(piece.sigma_in, _WIDEST_IN)
    return sure


# --- scenarios -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Draws (..., :data:`SCENARIOS`): standard normal ``edge`` and ``aside`` (2) for each piece and ``board`` (4), and
    which pieces are ``there``."""

    edge: Array
    aside: Array
    board: Array
    there: Flags

    @classmethod
    def of(cls, pieces: Sequence[TerrainPiece], *, all_there: bool = False) -> Scenarios:
        """Scenarios for some pieces, always the same for the same number."""
        rng = np.random.default_rng(SEED)
        half = SCENARIOS // 2
        board = rng.standard_normal((4, half))
        each = rng.standard_normal((len(pieces), 3, half))
        uniform = rng.random((len(pieces), half))
        mirrored = np.concatenate([each, -each], axis=2)
        chance = np.array([1.0 if all_there else piece.chance for piece in pieces])
        return cls(
            mirrored[:, 0],
            mirrored[:, 1:],
            np.concatenate([board, -board], axis=1),
            np.concatenate([uniform, 1.0 - uniform], axis=1) < chance[:, None],
        )


def _sample_shares(
    terrain: TableTerrain, placement: BoardPlacement, kinds: Sequence[str], all_there: bool, trust: EdgeTrust
) -> CellShares:
    """Shares and lengths (n, scenarios) with everything moved about."""
    draws = Scenarios.of(terrain.pieces, all_there=all_there)
    return CellShares(
        {kind: _shares_covered(terrain, placement, kind, draws, trust) for kind in kinds},
        _through(terrain, placement, terrain.roads, ROADS, draws, trust),
        _through(terrain, placement, terrain.rivers, RIVERS, draws, trust),
    )


def _shares_covered(
    terrain: TableTerrain, placement: BoardPlacement, kind: str, draws: Scenarios, trust: EdgeTrust
) -> Array:
    """The share of each cell that pieces of a kind cover, scenario by scenario (n, scenarios)."""
    rows = [row for row, piece in enumerate(terrain.pieces) if piece.kind == kind]
    if not rows:
        return np.zeros((len(placement.cells), SCENARIOS))
    places, centres = places_in(placement), placement.centres
    count = places.shape[1]
    covered = np.zeros((*places.shape[:2], SCENARIOS), dtype=bool)
    radius, far_board = placement.cells.radius_in(placement.layout), _FAR * placement.sigma_in
    for row in rows:
        piece, there = terrain.pieces[row], draws.there[row]
        reach = _FAR * max(piece.sigma_in, _WIDEST_IN * (piece.sigma_in > 0)) + far_board
        near = np.flatnonzero(_depth_in(piece.shape, centres) > -reach - radius)
        depth = _depth_in(piece.shape, places[near].reshape(-1, 2)).reshape(len(near), count)
        inside = (depth > reach).all(axis=1)
        covered[near[inside]] |= there
        near, depth = near[~inside], depth[~inside]
        spots = places[near].reshape(-1, 2)
        inward = _inward_from(piece.shape, spots)
        sigma = trust.sigma_in(kind, piece.sigma_in, spots, -inward, terrain.eyes).reshape(len(near), count, 1)
        moved = depth[:, :, None] + sigma * draws.edge[row]
        if not placement.is_exact:
            shift = _board_shift(placement, centres[near], draws)
            moved += np.einsum("hpk,hks->hps", inward.reshape(len(near), count, 2), shift)
        covered[near] |= (moved > 0) & there
    return np.asarray(covered.mean(axis=1))


def places_in(placement: BoardPlacement) -> Array:
    """Places evenly spread over each cell (n, m, 2): a hexagon of points in a hex, a raster in a square."""
    layout, centres = placement.layout, placement.centres
    if placement.cells.grid == "hex":
        spacing = layout.size_in / np.sqrt(3.0) / (_RINGS + 0.5)
        turned = np.radians(layout.rotation_deg + 30.0)
        right = spacing * np.array([np.cos(-turned), np.sin(-turned)])
        up = spacing * np.array([np.cos(np.pi / 3 - turned), np.sin(np.pi / 3 - turned)])
        return centres[:, None] + np.array([h.q * right + h.r * up for h in disc(Hex(0, 0), _RINGS)])
    steps = (np.arange(_ACROSS) + 0.5) / _ACROSS
    u, v = (grid.ravel()[:, None] for grid in np.meshgrid(steps, steps))
    corners = placement.cells.corners(layout)[:, None]
    near_left, far_left, near_right = corners[:, :, 0], corners[:, :, 1], corners[:, :, 3]
    return np.asarray(near_left + u * (near_right - near_left) + v * (far_left - near_left))


def _through(
    terrain: TableTerrain,
    placement: BoardPlacement,
    line: BaseGeometry,
    kinds: tuple[str, ...],
    draws: Scenarios,
    trust: EdgeTrust,
) -> Array:
    """The length of middle lines in each cell in its sizes, scenario by scenario (n, scenarios)."""
    size, count = placement.layout.size_in, len(placement.cells)
    points, lengths = points_along(line, size / _STEPS)
    rows = [row for row, piece in enumerate(terrain.pieces) if piece.kind in kinds]
    if not len(points) or not rows:
        return np.zeros((count, SCENARIOS))
    owner = np.array(rows)[_owners([terrain.pieces[row] for row in rows], points)]
    sigma = trust.middle * np.array([piece.sigma_in for piece in terrain.pieces])[owner]
    moved = points[:, :, None] + sigma[:, None, None] * draws.aside[owner]
    if not placement.is_exact:
        moved = moved - _board_shift(placement, points, draws)
    flat = moved.transpose(0, 2, 1).reshape(-1, 2)
    held = placement.cells.numbers_at(placement.layout, flat).reshape(len(points), SCENARIOS)
    weight = lengths[:, None] / size * draws.there[owner]
    total = np.bincount((held * SCENARIOS + np.arange(SCENARIOS)).ravel(), weight.ravel(), (count + 1) * SCENARIOS)
    return np.asarray(total.reshape(-1, SCENARIOS)[:count])


def _board_shift(placement: BoardPlacement, at: Array, draws: Scenarios) -> Array:
    """The shift of the board from its stated placement at places (n, 2), scenario by scenario (n, 2, scenarios)."""
    values, vectors = np.linalg.eigh(placement.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(placement.shifts_at(at) @ (root @ draws.board))


def _depth_in(shape: BaseGeometry, points: Array) -> Array:
    """The depth of points (n, 2) inside an outline in inches; below 0 the distance outside."""
    distance = np.asarray(shapely.distance(shape.boundary, shapely.points(points)))
    return np.where(shapely.contains_xy(shape, points), distance, -distance)


def _inward_from(shape: BaseGeometry, points: Array) -> Array:
    """The direction (n, 2) in which points get deeper inside an outline, from the direction to its nearest edge."""
    nearest = shapely.shortest_line(shape.boundary, shapely.points(points))
    ends = shapely.get_coordinates(nearest).reshape(-1, 2, 2)
    away = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.linalg.norm(away, axis=1), 1e-12)
    sign = np.where(shapely.contains_xy(shape, points), 1.0, -1.0)
    return np.asarray(away * (sign / length)[:, None])


def _owners(pieces: list[TerrainPiece], points: Array) -> Codes:
    """For each point the piece that contains it, or else the nearest."""
    away = np.array([shapely.distance(piece.shape, shapely.points(points)) for piece in pieces])
    return np.asarray(away.argmin(axis=0))
