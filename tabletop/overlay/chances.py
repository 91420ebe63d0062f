"""How sure each hex's terrain is: outlines, lines and the board itself moved about as far as they may be out.

For every scenario each piece's outline grows or shrinks by one amount (its edge's sigma, all of it together, which is
the worst case for a hex's share), each road and river lies as much aside, and the board lies as its own covariance
says. Pieces of which it is open what they are come and go by their chance. The scenarios are drawn once, with a fixed
seed, in pairs of opposites.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from scipy.spatial import cKDTree
from shapely.geometry.base import BaseGeometry

from geometry.hexes import Hex, disc
from tabletop.overlay.edges import MEASURED, EdgeTrust
from tabletop.overlay.ground import AREAS, CELLS, RIVERS, ROADS, Ground, Measured, Piece, measured
from tabletop.overlay.laid import Laid
from tabletop.overlay.middles import along
from tabletop.overlay.placed import Placed
from tabletop.rulesets.combined_arms.board import HEXES

Array = npt.NDArray[np.float64]

SCENARIOS = 512
SEED = 20_110
_RINGS = 6  # of sample places round a hex's centre
_FAR = 4.5  # sigmas beyond which an outline is not moved
_WIDEST_IN = 0.8  # sigma that no edge passes but by stating so
_STEPS = 24  # pieces of a middle line in a hex's size


@dataclass(frozen=True, eq=False)
class Draws:
    """Scenarios: standard normal ``edge`` and ``aside`` (2) for each piece, ``board`` (4), uniform ``there``."""

    edge: Array
    aside: Array
    board: Array
    there: Array

    @classmethod
    def of(cls, pieces: int) -> Draws:
        """Scenarios for so many pieces, always the same."""
        rng = np.random.default_rng(SEED)
        half = SCENARIOS // 2
        board = rng.standard_normal((4, half))
        each = rng.standard_normal((pieces, 3, half))
        there = rng.random((pieces, half))
        mirrored = np.concatenate([each, -each], axis=2)
        return cls(
            mirrored[:, 0],
            mirrored[:, 1:],
            np.concatenate([board, -board], axis=1),
            np.concatenate([there, 1.0 - there], axis=1),
        )


def cell_chances(ground: Ground, laid: Laid, *, all_there: bool = False, trust: EdgeTrust = MEASURED) -> Array:
    """The chance of each of the twelve cells for each hex of the board, (79, 12); rows add up to 1.

    ``all_there``: as if every piece were certain to be what it is taken for.
    """
    codes = _sampled(ground, laid, all_there, trust).codes()
    counts = np.zeros((len(HEXES), len(CELLS)))
    for code in range(len(CELLS)):
        counts[:, code] = (codes == code).sum(axis=1)
    chances = counts / SCENARIOS
    sure = sure_hexes(ground, laid)
    chances[sure] = np.eye(len(CELLS))[measured(ground, laid.layout).codes()[sure]]
    return chances


def sure_hexes(ground: Ground, laid: Laid) -> npt.NDArray[np.bool_]:
    """The hexes (79,) that nothing uncertain reaches: neither the board nor any piece there is less than exact."""
    if not laid.is_exact:
        return np.zeros(len(HEXES), dtype=bool)
    sure = np.ones(len(HEXES), dtype=bool)
    cells = laid.layout.polygons(HEXES)
    for piece in ground.pieces:
        if piece.is_open or piece.sigma_in > 0:
            sure &= shapely.distance(cells, piece.shape) > _FAR * max(piece.sigma_in, _WIDEST_IN)
    return sure


def _sampled(ground: Ground, laid: Laid, all_there: bool, trust: EdgeTrust) -> Measured:
    """Shares and lengths (79, scenarios)."""
    pieces = ground.pieces
    draws = Draws.of(len(pieces))
    there = np.ones_like(draws.there, dtype=bool) if all_there else np.array(
        [u < piece.chance for piece, u in zip(pieces, draws.there, strict=True)], dtype=bool
    ).reshape(draws.there.shape)  # fmt: skip
    shares = {kind: _share(ground, laid, kind, draws, there, trust) for kind in (*AREAS, "river")}
    road = _through(ground, laid, ground.roads, ROADS, draws, there, trust)
    river = _through(ground, laid, ground.rivers, RIVERS, draws, there, trust)
    return Measured(shares, road, river)


def places_in(laid: Laid) -> Array:
    """Places evenly spread over each hex (79, m, 2): a hexagon of points."""
    layout = laid.layout
    spacing = layout.size_in / np.sqrt(3.0) / (_RINGS + 0.5)
    turned = np.radians(layout.rotation_deg + 30.0)
    right = spacing * np.array([np.cos(-turned), np.sin(-turned)])
    up = spacing * np.array([np.cos(np.pi / 3 - turned), np.sin(np.pi / 3 - turned)])
    offsets = np.array([h.q * right + h.r * up for h in disc(Hex(0, 0), _RINGS)])
    return layout.centres(HEXES)[:, None] + offsets


def _share(
    ground: Ground, laid: Laid, kind: str, draws: Draws, there: npt.NDArray[np.bool_], trust: EdgeTrust
) -> Array:
    """The share of each hex that pieces of a kind cover, scenario by scenario (79, scenarios)."""
    places = places_in(laid)
    hexes, count = places.shape[:2]
    covered = np.zeros((hexes, count, SCENARIOS), dtype=bool)
    far_board = _FAR * laid.sigma_in
    shift = board_shift(laid, laid.layout.centres(HEXES), draws)
    for row, piece in enumerate(ground.pieces):
        if piece.kind != kind:
            continue
        depth = depth_in(piece.shape, places.reshape(-1, 2)).reshape(hexes, count)
        reach = _FAR * max(piece.sigma_in, _WIDEST_IN * (piece.sigma_in > 0)) + far_board
        inside, near = (depth > reach).all(axis=1), (depth > -reach).any(axis=1)
        covered[inside] |= there[row]
        rows = np.flatnonzero(near & ~inside)
        spots = places[rows].reshape(-1, 2)
        inward = inward_from(piece.shape, spots)
        sigma = trust.sigma_in(kind, piece.sigma_in, spots, -inward, ground.eyes).reshape(len(rows), count, 1)
        moved = depth[rows, :, None] + sigma * draws.edge[row]
        if not laid.is_exact:
            moved = moved + np.einsum("hpk,hks->hps", inward.reshape(len(rows), count, 2), shift[rows])
        covered[rows] |= (moved > 0) & there[row]
    return np.asarray(covered.mean(axis=1))


def board_shift(laid: Placed, at: Array, draws: Draws) -> Array:
    """How far the board lies from where it is told at places (n, 2), scenario by scenario (n, 2, scenarios)."""
    values, vectors = np.linalg.eigh(laid.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(laid.shifts_at(at) @ (root @ draws.board))


def depth_in(shape: BaseGeometry, points: Array) -> Array:
    """How deep points (n, 2) lie inside an outline in inches; below 0 how far outside."""
    distance = np.asarray(shapely.distance(shape.boundary, shapely.points(points)))
    return np.where(shapely.contains_xy(shape, points), distance, -distance)


def inward_from(shape: BaseGeometry, points: Array) -> Array:
    """The direction (n, 2) in which points come to lie deeper inside an outline, by that to its nearest edge."""
    nearest = shapely.shortest_line(shape.boundary, shapely.points(points))
    ends = shapely.get_coordinates(nearest).reshape(-1, 2, 2)
    away = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.linalg.norm(away, axis=1), 1e-12)
    sign = np.where(shapely.contains_xy(shape, points), 1.0, -1.0)
    return np.asarray(away * (sign / length)[:, None])


def _through(
    ground: Ground,
    laid: Laid,
    line: BaseGeometry,
    kinds: tuple[str, ...],
    draws: Draws,
    there: npt.NDArray[np.bool_],
    trust: EdgeTrust,
) -> Array:
    """The length of middle lines in each hex in its sizes, scenario by scenario (79, scenarios)."""
    size = laid.layout.size_in
    found = np.zeros((len(HEXES), SCENARIOS))
    points, lengths = along(line, size / _STEPS)
    rows = [row for row, piece in enumerate(ground.pieces) if piece.kind in kinds]
    if not len(points) or not rows:
        return found
    owner = np.array(rows)[owners([ground.pieces[row] for row in rows], points)]
    sigma = trust.middle * np.array([piece.sigma_in for piece in ground.pieces])[owner]
    moved = points[:, :, None] + sigma[:, None, None] * draws.aside[owner] - board_shift(laid, points, draws)
    every = tuple(dict.fromkeys(h for one in HEXES for h in disc(one, 1)))
    number = {h: n for n, h in enumerate(HEXES)}
    rank = np.array([number.get(h, len(HEXES)) for h in every])
    _, nearest = cKDTree(laid.layout.centres(every)).query(moved.transpose(0, 2, 1).reshape(-1, 2))
    hit = rank[nearest].reshape(len(points), SCENARIOS)
    weight = lengths[:, None] / size * there[owner]
    spots = hit * SCENARIOS + np.arange(SCENARIOS)
    total = np.bincount(spots.ravel(), weight.ravel(), (len(HEXES) + 1) * SCENARIOS)
    return np.asarray(total.reshape(-1, SCENARIOS)[: len(HEXES)])


def owners(pieces: list[Piece], points: Array) -> npt.NDArray[np.int64]:
    """For each point the piece that it lies in, or else the nearest."""
    away = np.array([shapely.distance(piece.shape, shapely.points(points)) for piece in pieces])
    return np.asarray(away.argmin(axis=0))
