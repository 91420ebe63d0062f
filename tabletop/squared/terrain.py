"""What ground each square of a photographed table has, and how surely: outlines, lines and the board moved about.

A kind of area makes a square what it is where it covers half of it or more; a road or river where its middle line runs
through it for a quarter of its side. The chances are those of scenarios drawn with a fixed seed, as for hexes
(docs/overlay.md): every edge is moved by its sigma, roads and rivers aside, the board by its covariance; pieces of
which it is open what they are come and go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.overlay.chances import SCENARIOS, Draws, board_shift, depth_in, inward_from, owners
from tabletop.overlay.edges import MEASURED, EdgeTrust
from tabletop.overlay.ground import HALF, RIVERS, ROADS, SURE_KIND, THROUGH, Ground, Piece
from tabletop.overlay.middles import along
from tabletop.overlay.placed import Array
from tabletop.overlay.standing import SURE
from tabletop.squared.laid import LaidSquares

AREAS = ("marsh", "field", "hill", "crest", "woods", "town")
"""Kinds of ground by area; of several in one square the last one here counts."""
_ACROSS = 7  # sample places along a square's side
_FAR, _WIDEST_IN, _STEPS = 4.5, 0.8, 24
_EVEN = 1e-9
_MARKS = ("road", "river")


@dataclass(frozen=True, order=True)
class SquareGround:
    """What a square has: a kind of ground, and whether a road and a river run through it.

    >>> str(SquareGround("woods", road=True)), SquareGround("open", True, True).marks, SquareGround.of("hill + road")
    ('woods + road', ('road', 'river', 'bridge'), SquareGround(kind='hill', road=True, river=False))
    """

    kind: str = "open"
    road: bool = False
    river: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """The words for cells: a road over a river is a bridge."""
        both = ("bridge",) if self.road and self.river else ()
        return (*(("road",) if self.road else ()), *(("river",) if self.river else ()), *both)

    def __str__(self) -> str:
        words = [word for word in (self.kind if self.kind != "open" else "", *self.marks[:2]) if word]
        return " + ".join(words) or "open"

    @classmethod
    def of(cls, text: str) -> SquareGround:
        """The ground of ``str``; a ValueError for other words."""
        words = [word.strip().casefold() for word in text.split("+")]
        kinds = [word for word in words if word not in _MARKS]
        if len(kinds) > 1 or (kinds and kinds[0] not in ("open", *AREAS)):
            raise ValueError(f"A square is open, {', '.join(AREAS)}, or any of these + road or + river, not {text!r}.")
        return cls(kinds[0] if kinds else "open", "road" in words, "river" in words)


@dataclass(frozen=True)
class SquareReading:
    """A square as it was read: what it has, the chance of that, all answers with their chances (likeliest first), and
    whether a player settled it."""

    name: str
    ground: SquareGround
    chance: float
    answers: tuple[tuple[SquareGround, float], ...]
    settled: bool = False

    @property
    def uncertain(self) -> bool:
        """Whether the word is not the same at 95 %."""
        return self.chance < SURE and not self.settled

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "square": self.name,
            "terrain": self.ground.kind,
            "road": self.ground.road,
            "river": self.ground.river,
            "chance": round(self.chance, 3),
            "uncertain": self.uncertain,
            "answers": [{"value": str(ground), "chance": round(chance, 3)} for ground, chance in self.answers],
            "settled": self.settled,
        }


def terrain_of_squares(
    ground: Ground, laid: LaidSquares, crests: Sequence[BaseGeometry] = (), trust: EdgeTrust = MEASURED
) -> tuple[SquareReading, ...]:
    """The ground of every square of the board, with its chance; ``crests`` are tops of hills where they are told."""
    pieces = [*ground.pieces, *(Piece(f"crest {n}", "crest", shape) for n, shape in enumerate(crests, 1))]
    whole = Ground(tuple(pieces), ground.eyes)
    exact = _exact(whole, laid)
    sampled = exact if _is_certain(whole, laid) else _sampled(whole, laid, trust)
    found = []
    for name, told, codes in zip(map(laid.board.name, laid.board.squares), exact[:, 0], sampled, strict=True):
        values, counts = np.unique(codes, return_counts=True)
        ranked = sorted(zip(counts.tolist(), values.tolist(), strict=True), key=lambda one: (-one[0], one[1] != told))
        answers = tuple((_decoded(code), count / len(codes)) for count, code in ranked)
        best, chance = answers[0]
        found.append(SquareReading(name, best, chance, answers))
    return tuple(found)


def _is_certain(ground: Ground, laid: LaidSquares) -> bool:
    return laid.is_exact and all(not piece.is_open and piece.sigma_in == 0 for piece in ground.pieces)


def _coded(shares: Mapping[str, Array], road: Array, river: Array) -> npt.NDArray[np.int64]:
    """Numbers of grounds (n, scenarios): the kind's place in :data:`AREAS` from 1, times 4, and the lines."""
    kind = np.zeros(road.shape, np.int64)
    for number, name in enumerate(AREAS, 1):
        kind = np.where(shares[name] >= HALF - _EVEN, number, kind)
    return np.asarray(4 * kind + 2 * (road >= THROUGH - _EVEN) + (river >= THROUGH - _EVEN), np.int64)


def _decoded(code: int) -> SquareGround:
    return SquareGround(("open", *AREAS)[code // 4], bool(code & 2), bool(code & 1))


def _exact(ground: Ground, laid: LaidSquares) -> npt.NDArray[np.int64]:
    """The numbers (n, 1) for the outlines as they are told, on the board laid so."""
    cells = laid.layout.polygons(laid.board.squares)
    area = laid.layout.size_in**2
    shares = {}
    for kind in AREAS:
        union = shapely.union_all([piece.shape for piece in ground.of(kind)])
        shares[kind] = (shapely.area(shapely.intersection(cells, union)) / area)[:, None]
    road, river = (
        (shapely.length(shapely.intersection(cells, line)) / laid.layout.size_in)[:, None]
        for line in (ground.roads, ground.rivers)
    )
    return _coded(shares, road, river)


def _sampled(ground: Ground, laid: LaidSquares, trust: EdgeTrust) -> npt.NDArray[np.int64]:
    """The numbers (n, scenarios) with everything moved about."""
    draws = Draws.of(len(ground.pieces))
    there = np.array(
        [u < piece.chance for piece, u in zip(ground.pieces, draws.there, strict=True)], dtype=bool
    ).reshape(draws.there.shape)
    shares = {kind: _share(ground, laid, kind, draws, there, trust) for kind in AREAS}
    road = _through(ground, laid, ground.roads, ROADS, draws, there, trust)
    river = _through(ground, laid, ground.rivers, RIVERS, draws, there, trust)
    return _coded(shares, road, river)


def _places(laid: LaidSquares) -> Array:
    """Places evenly spread over each square (n, m, 2)."""
    steps = (np.arange(_ACROSS) + 0.5) / _ACROSS
    u, v = (grid.ravel()[:, None] for grid in np.meshgrid(steps, steps))
    corners = laid.layout.corners(laid.board.squares)[:, None]
    near, far_left, near_right = corners[:, :, 0], corners[:, :, 1], corners[:, :, 3]
    return np.asarray(near + u * (near_right - near) + v * (far_left - near))


def _share(
    ground: Ground, laid: LaidSquares, kind: str, draws: Draws, there: npt.NDArray[np.bool_], trust: EdgeTrust
) -> Array:
    """The share of each square that pieces of a kind cover, scenario by scenario (n, scenarios)."""
    places = _places(laid)
    squares, count = places.shape[:2]
    found = np.zeros((squares, SCENARIOS))
    rows_of = [row for row, piece in enumerate(ground.pieces) if piece.kind == kind]
    if not rows_of:
        return found
    centres = laid.layout.centres(laid.board.squares)
    reach_board = _FAR * laid.sigma_in
    half = laid.layout.size_in * np.sqrt(0.5)
    near_any = np.zeros(squares, bool)
    for row in rows_of:
        piece = ground.pieces[row]
        reach = _FAR * max(piece.sigma_in, _WIDEST_IN * (piece.sigma_in > 0)) + reach_board + half
        near_any |= depth_in(piece.shape, centres) > -reach
    chosen = np.flatnonzero(near_any)
    covered = np.zeros((len(chosen), count, SCENARIOS), dtype=bool)
    shift = None if laid.is_exact else board_shift(laid, centres[chosen], draws)
    for row in rows_of:
        piece = ground.pieces[row]
        spots = places[chosen].reshape(-1, 2)
        inward = inward_from(piece.shape, spots)
        told = "hill" if kind == "crest" else kind
        sigma = trust.sigma_in(told, piece.sigma_in, spots, -inward, ground.eyes).reshape(len(chosen), count, 1)
        moved = depth_in(piece.shape, spots).reshape(len(chosen), count, 1) + sigma * draws.edge[row]
        if shift is not None:
            moved = moved + np.einsum("hpk,hks->hps", inward.reshape(len(chosen), count, 2), shift)
        covered |= (moved > 0) & there[row]
    found[chosen] = covered.mean(axis=1)
    return found


def _through(
    ground: Ground,
    laid: LaidSquares,
    line: BaseGeometry,
    kinds: tuple[str, ...],
    draws: Draws,
    there: npt.NDArray[np.bool_],
    trust: EdgeTrust,
) -> Array:
    """The length of middle lines in each square in its sides, scenario by scenario (n, scenarios)."""
    size, board = laid.layout.size_in, laid.board
    count = len(board)
    points, lengths = along(line, size / _STEPS)
    rows = [row for row, piece in enumerate(ground.pieces) if piece.kind in kinds]
    if not len(points) or not rows:
        return np.zeros((count, SCENARIOS))
    owner = np.array(rows)[owners([ground.pieces[row] for row in rows], points)]
    sigma = trust.middle * np.array([piece.sigma_in for piece in ground.pieces])[owner]
    moved = points[:, :, None] + sigma[:, None, None] * draws.aside[owner]
    if not laid.is_exact:
        moved = moved - board_shift(laid, points, draws)
    flat = (moved.transpose(0, 2, 1).reshape(-1, 2) - laid.layout.origin) @ np.array([1.0, 1.0j])
    unit = flat * np.exp(1j * np.radians(laid.layout.rotation_deg)) / size
    col, row_of = np.rint(unit.real).astype(np.int64), np.rint(unit.imag).astype(np.int64)
    on = (col >= 0) & (col < board.columns) & (row_of >= 0) & (row_of < board.rows)
    hit = np.where(on, row_of * board.columns + col, count).reshape(len(points), SCENARIOS)
    weight = lengths[:, None] / size * there[owner]
    total = np.bincount((hit * SCENARIOS + np.arange(SCENARIOS)).ravel(), weight.ravel(), (count + 1) * SCENARIOS)
    return np.asarray(total.reshape(-1, SCENARIOS)[:count])


__all__ = ["AREAS", "SURE_KIND", "SquareGround", "SquareReading", "terrain_of_squares"]
