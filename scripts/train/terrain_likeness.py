"""Terrain by likeness: which kind a place is of, by what the same players' mats and terrain looked like before.

Tables whose terrain is settled are looked at with the encoder that the product's nets share
(:mod:`ground_reader`); a softmax regression learns from cells of a quarter of an inch how each of their
kinds looks there, in itself and against the mat. That takes a second and no training of nets. On a table whose mat it
knows the answer is joined with what the nets say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from ground_reader import STRIDES, Float32, Image, Mask, Sight, log_odds

from vision.imaging.nets import GROUND_PPI
from vision.imaging.rectify import MapScale
from vision.terrain.pieces import KINDS, mask_of

LEARNT = ("town", "woods", "marsh", "field", "river", "road")  # which a place counts as first, where several lie there
NOTHING = "nothing"


@dataclass(frozen=True, eq=False)
class SettledTable:
    """A table whose terrain is known: ``plan`` (2 r, 2 c, 3) BGR from above at ``SIGHT_PPI``, ``shown`` (r, c) where
    the photo shows table, ``size_in`` its width and depth, ``terrain`` the kind and outline in table inches of every
    piece, ``covered`` the outlines of what stood on it."""

    plan: Image
    shown: Mask
    size_in: tuple[float, float]
    terrain: tuple[tuple[str, shapely.Geometry], ...]
    covered: tuple[shapely.Geometry, ...] = ()


@dataclass(frozen=True)
class LikenessConfig:
    """``most_cells``: of each kind that are learnt from, on one table; ``hold``: what a weight costs (its square), in
    cells; ``clear_in``: nearer than this to an outline nothing is learnt; ``trust``: the share that likeness has in log
    odds on a mat that it knows, the nets having the rest; ``known_mat``, ``strange_mat``: distances between mats up to
    which one is known and from which one is strange."""

    most_cells: int = 1500
    hold: float = 0.003
    clear_in: float = 0.15
    trust: float = 0.7
    known_mat: float = 0.35
    strange_mat: float = 0.6


@dataclass(frozen=True, eq=False)
class TerrainLikeness:
    """What was learnt: the ``kinds`` that are told apart, nothing first, ``weights`` (kinds, figures + 1) with the
    constants last, of figures that are shifted by ``middle`` and divided by ``spread``; and the known ``mats``
    (n, m)."""

    kinds: tuple[str, ...]
    weights: Float32
    middle: Float32
    spread: Float32
    mats: Float32

    def shares(self, sight: Sight) -> Float32:
        """The shares (kinds, r, c) of every kind at cells of a quarter of an inch, which add up to 1."""
        figures = cell_figures(sight)
        n, rows, columns = figures.shape
        flat = (figures.reshape(n, -1) - self.middle[:, None]) / self.spread[:, None]
        scores = self.weights[:, :-1] @ flat + self.weights[:, -1:]
        share = np.exp(scores - scores.max(axis=0))
        return np.asarray((share / share.sum(axis=0)).reshape(-1, rows, columns), np.float32)

    def familiarity(self, sight: Sight, config: LikenessConfig | None = None) -> float:
        """How well the mat is known, from 0 for a strange one to 1."""
        config = config or LikenessConfig()
        far = min(mat_distance(mat_figures(sight), mat) for mat in self.mats)
        return float(np.clip((config.strange_mat - far) / (config.strange_mat - config.known_mat), 0.0, 1.0))


def mat_figures(sight: Sight) -> Float32:
    """What a table's mat looks like (m,), as mats are compared."""
    return np.concatenate(sight.mats)


def mat_distance(one: Float32, other: Float32) -> float:
    """How differently two mats look: 0 alike."""
    spread = np.sqrt(np.mean(one**2) * np.mean(other**2))
    return float(np.sqrt(np.mean((one - other) ** 2)) / max(float(np.sqrt(spread)), 1e-6))


def cell_figures(sight: Sight) -> Float32:
    """What the encoder makes of each cell of its finest features (n, r, c), in itself and against the mat."""
    finest = sight.features[0]
    size = (finest.shape[2], finest.shape[1])
    parts = []
    for stride, seen, mat in zip(STRIDES, sight.features, sight.mats, strict=True):
        if stride != STRIDES[0]:
            seen = np.moveaxis(cv2.resize(np.ascontiguousarray(np.moveaxis(seen, 0, 2)), size), 2, 0)
        parts += [seen, seen - mat[:, None, None]]
    return np.asarray(np.concatenate(parts), np.float32)


def cell_kinds(table: SettledTable, rows: int, columns: int, config: LikenessConfig) -> npt.NDArray[np.intp]:
    """What each cell (rows, columns) of a settled table shows: 0 for nothing, 1 + the row in ``LEARNT``; -1 where that
    is not plain, under bridges and bases too."""
    scale = MapScale(*table.size_in, px_per_inch=GROUND_PPI)
    number = np.zeros(table.shown.shape, np.intp)
    for kind in reversed(LEARNT):
        for shape in (shape for k, shape in table.terrain if k == kind):
            number[mask_of(shape.buffer(config.clear_in), scale)] = -1
            number[mask_of(shape.buffer(-config.clear_in), scale)] = 1 + LEARNT.index(kind)
    bridges = [shape for kind, shape in table.terrain if kind == "bridge"]
    for shape in (*bridges, *table.covered):
        number[mask_of(shape.buffer(config.clear_in), scale)] = -1
    number[~table.shown] = -1
    half = STRIDES[0] // 2
    filled = np.full((rows * half, columns * half), -1, np.intp)
    filled[: number.shape[0], : number.shape[1]] = number[: rows * half, : columns * half]
    blocks = filled.reshape(rows, half, columns, half)
    low, high = blocks.min(axis=(1, 3)), blocks.max(axis=(1, 3))
    return np.where(low == high, low, -1)


def learn_terrain(
    tables: Sequence[tuple[SettledTable, Sight]], config: LikenessConfig | None = None, *, seed: int = 1
) -> TerrainLikeness | None:
    """What settled tables teach; ``None`` where none of them shows a piece of terrain that can be learnt.

    ``seed``: of the choice of cells to learn from.
    """
    from scipy.optimize import minimize

    config = config or LikenessConfig()
    rng = np.random.default_rng(seed)
    figures: list[Float32] = []
    numbers: list[npt.NDArray[np.intp]] = []
    for table, sight in tables:
        seen = cell_figures(sight)
        told = cell_kinds(table, seen.shape[1], seen.shape[2], config).ravel()
        flat = seen.reshape(seen.shape[0], -1)
        for number in np.unique(told[told >= 0]):
            cells = np.flatnonzero(told == number)
            cells = rng.permutation(cells)[: config.most_cells * (2 if number == 0 else 1)]
            figures.append(flat[:, cells])
            numbers.append(np.full(len(cells), number))
    number_of = np.concatenate(numbers) if numbers else np.zeros(0, np.intp)
    present = [0, *(n for n in range(1, 1 + len(LEARNT)) if (number_of == n).any())]
    if len(present) < 2 or not (number_of == 0).any():
        return None
    rows = np.concatenate(figures, axis=1).T
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    rows = np.concatenate([(rows - middle) / spread, np.ones((len(rows), 1), np.float32)], axis=1).astype(np.float64)
    right = (number_of[:, None] == np.array(present)).astype(np.float64)
    # Every kind counts as much as any other, the bare mat as much as all of them.
    weight = (right / right.sum(axis=0)).sum(axis=1)
    weight[number_of == 0] *= len(present) - 1
    weight /= weight.sum()

    def cost(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        weights = flat.reshape(len(present), -1)
        scores = rows @ weights.T
        scores -= scores.max(axis=1, keepdims=True)
        share = np.exp(scores)
        share /= share.sum(axis=1, keepdims=True)
        held = weights.copy()
        held[:, -1] = 0.0
        loss = -float(weight @ np.log((share * right).sum(axis=1) + 1e-12)) + config.hold * float((held**2).sum())
        slope = ((share - right) * weight[:, None]).T @ rows + 2 * config.hold * held
        return loss, slope.ravel()

    start = np.zeros(len(present) * rows.shape[1])
    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x.reshape(len(present), -1)
    names = (NOTHING, *(LEARNT[n - 1] for n in present[1:]))
    mats = np.stack([mat_figures(sight) for _, sight in tables])
    return TerrainLikeness(names, found.astype(np.float32), middle.astype(np.float32), spread.astype(np.float32), mats)


def by_likeness(shares: Float32, sight: Sight, known: TerrainLikeness, config: LikenessConfig | None = None) -> Float32:
    """The nets' shares (9, r, c) of a table joined with what likeness to settled tables says of it.

    On a mat that is not known the shares stay as they are. Kinds that the collection has are mostly told by it; those
    that it lacks count for less where it is sure of another. Hills and bridges stay as the nets see them.
    """
    config = config or LikenessConfig()
    trust = config.trust * known.familiarity(sight, config)
    if trust <= 0.0:
        return shares
    rows, columns = shares.shape[1:]
    told = known.shares(sight)
    factor = STRIDES[0] // 2
    size = (told.shape[2] * factor, told.shape[1] * factor)
    fine = np.moveaxis(cv2.resize(np.ascontiguousarray(np.moveaxis(told, 0, 2)), size), 2, 0)[:, :rows, :columns]
    out = shares.copy()
    for kind in LEARNT:
        row = KINDS.index(kind)
        if kind in known.kinds:
            odds = trust * log_odds(fine[known.kinds.index(kind)]) + (1 - trust) * log_odds(shares[row])
            out[row] = 1 / (1 + np.exp(-odds))
        else:
            out[row] = shares[row] * (1 - trust * (1 - fine[0]))
    return out
