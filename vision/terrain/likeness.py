"""Terrain by likeness: which kind a place is of, by what the same players' mats and terrain looked like before.

Tables with settled terrain are cut into cells (:mod:`vision.terrain.ground_sight`). A softmax regression learns how
each kind of these players looks there, two further ones recognize hills and their tops; that takes a second or two and
no training of nets. On a table with a known mat the answer is combined with the net's; on any other the net's stays
unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from vision.imaging.nets import GROUND_PPI
from vision.imaging.rectify import MapScale
from vision.model.collection import COVERS, TerrainCells, cells_of_figures
from vision.model.expected import ExpectedTerrain
from vision.terrain.ground_nets import log_odds
from vision.terrain.ground_sight import CELL_PX, HUES, TEXTURE_COUNT, Float32, GroundSight
from vision.terrain.odds import listed, with_chances
from vision.terrain.pieces import KINDS, GroundMaps, mask_of

Array = npt.NDArray[np.float64]
_TOP = len(KINDS)  # the plane of the hill tops
_BARE = 1  # the group of cells without cover and hill
_LEAST_SHARE = 0.003
_FOUND, _CORE_IN = 0.5, 0.25  # least mean share at which likeness finds a piece, the edge left out


@dataclass(frozen=True)
class LikenessConfig:
    """``most_cells``, ``most_bare``: that are learnt from on one table, of each cover on hills and off, of the bare;
    ``clear_in``: nearer than this to an outline nothing is learnt; ``hold``: what a weight costs (its square), in
    cells; ``least_hill_cells``: with fewer, hills stay as the net sees them; ``trust``: the share that likeness has in
    log odds on a mat that it knows, the nets having the rest; ``unlike``: log odds that a kind loses where none of
    it was learnt and a place looks bare, at half trust; ``hue_stops``, ``texture_stops``, ``net_share``: scales of
    the difference of two mats, in hue, in texture, and in the net's shares; ``known_mat``, ``strange_mat``:
    distances in these up to which one is known and from which one is strange (of traced tables one mat in other light
    is 0.27 to 1.03 away from itself, and the two most similar mats of different players are 0.59 apart: naming a
    collection says that the table is of it, and only a mat that can't be it is excluded);
    ``most_rows``: cells learnt from at most, of all tables; ``doubtful``: where not all is settled, the net's share of
    any kind above which a place is not learnt as bare; ``iterations`` of the regression at most."""

    most_cells: int = 700
    most_bare: int = 4000
    clear_in: float = 0.15
    hold: float = 0.01
    least_hill_cells: int = 50
    trust: float = 0.5
    unlike: float = 1.5
    hue_stops: float = 0.45
    texture_stops: float = 0.5
    net_share: float = 0.6
    known_mat: float = 1.1
    strange_mat: float = 1.4
    most_rows: int = 14000
    doubtful: float = 0.3
    iterations: int = 150


@dataclass(frozen=True, eq=False)
class SettledGround:
    """The settled terrain of a table: ``pieces``, the kind and outline in table inches of each that is certain,
    ``tops``, the tops of the hills among them, ``doubtful``: outlines of unconfirmed pieces, ``covered``: outlines of
    what hides the ground. ``whole``: there is no other terrain; else bare ground is only learnt where the net
    sees none."""

    pieces: tuple[tuple[str, shapely.Geometry], ...]
    tops: tuple[shapely.Geometry, ...] = ()
    doubtful: tuple[shapely.Geometry, ...] = ()
    covered: tuple[shapely.Geometry, ...] = ()
    whole: bool = True


def cells_of(
    sight: GroundSight,
    table_size_in: tuple[float, float],
    ground: SettledGround,
    config: LikenessConfig | None = None,
    *,
    seed: int = 1,
) -> TerrainCells | None:
    """The lessons of a settled table, looked at with ``each_view``; ``None`` where it shows no cell of any terrain that
    is certain, or no bare one. ``seed``: of the choice of cells."""
    config = config or LikenessConfig()
    cover, hill, top = _labels(sight, table_size_in, ground, config)
    rng = np.random.default_rng(seed)
    groups = np.where(cover < 0, -1, 3 * cover + hill + 1)
    chosen = [
        rng.permutation(np.flatnonzero(groups == group))[: config.most_bare if group == _BARE else config.most_cells]
        for group in np.unique(groups[groups >= 0])
    ]
    if len(chosen) < 2 or not (groups == _BARE).any():
        return None
    rows = np.concatenate(chosen)
    view = rng.integers(0, len(sight.views), len(rows))
    flat = [figures.reshape(len(figures), -1) for figures in sight.views]
    figures = np.stack([flat[v][:, row] for v, row in zip(view, rows, strict=True)])
    return cells_of_figures(figures, cover[rows], hill[rows], top[rows], sight.mat)


def _labels(
    sight: GroundSight, table_size_in: tuple[float, float], ground: SettledGround, config: LikenessConfig
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """The content of every cell (cells,): its cover, a hill, a hill's top; -1 where that is not plain."""
    scale = MapScale(*table_size_in, px_per_inch=GROUND_PPI)
    cover = np.zeros(sight.shown.shape, np.int8)
    hill, top = cover.copy(), cover.copy()
    if not ground.whole:
        suspected = sight.shares > config.doubtful
        hill[suspected[KINDS.index("hill")]] = -1
        top[suspected[_TOP]] = -1
        cover[suspected[[KINDS.index(kind) for kind in COVERS[1:]]].any(axis=0)] = -1

    def draw(plane: npt.NDArray[np.int8], shape: shapely.Geometry, value: int) -> None:
        plane[mask_of(shape.buffer(config.clear_in), scale)] = -1
        plane[mask_of(shape.buffer(-config.clear_in), scale)] = value

    for kind in reversed(COVERS[1:]):
        for shape in (shape for k, shape in ground.pieces if k == kind):
            draw(cover, shape, COVERS.index(kind))
    for shape in (shape for kind, shape in ground.pieces if kind == "hill"):
        draw(hill, shape, 1)
        if not ground.tops:
            top[mask_of(shape.buffer(config.clear_in), scale)] = -1
    for shape in ground.tops:
        draw(top, shape, 1)
    unknown = ~sight.shown
    for shape in (*ground.doubtful, *ground.covered):
        unknown |= mask_of(shape.buffer(config.clear_in), scale)
    for plane in (cover, hill, top):
        plane[unknown] = -1
    rows, columns = sight.figures.shape[1:]
    return tuple(_cells(plane, rows, columns).ravel() for plane in (cover, hill, top))  # type: ignore[return-value]


def _cells(plane: npt.NDArray[np.int8], rows: int, columns: int) -> npt.NDArray[np.int8]:
    """The value of a map at each cell (rows, columns), -1 where its places differ."""
    blocks = plane[: rows * CELL_PX, : columns * CELL_PX].reshape(rows, CELL_PX, columns, CELL_PX)
    low, high = blocks.min(axis=(1, 3)), blocks.max(axis=(1, 3))
    return np.where(low == high, low, -1).astype(np.int8)


@dataclass(frozen=True, eq=False)
class TerrainLikeness:
    """A learnt likeness: the rows of ``covers`` that it distinguishes, nothing first, with their ``weights`` (covers,
    f + 1), those of hills and of their tops (2, f + 1) where such were learnt; the constants last, of figures that are
    shifted by ``middle`` and divided by ``spread``."""

    covers: tuple[int, ...]
    weights: Array
    hill: Array | None
    top: Array | None
    middle: Float32
    spread: Float32

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of terrain that it knows."""
        told = tuple(COVERS[row] for row in self.covers[1:])
        return told if self.hill is None else (*told, "hill")

    def shares(self, sight: GroundSight) -> dict[str, Float32]:
        """The share (r, c) of each known kind in the cells of a table, of "nothing" where some cover is known,
        and of "hill top" where known."""
        count, rows, columns = sight.figures.shape
        flat = ((sight.figures.reshape(count, -1).T - self.middle) / self.spread).astype(np.float64)
        told = _softmax(flat, self.weights)
        out = {COVERS[row]: told[:, k] for k, row in enumerate(self.covers)} if len(self.covers) > 1 else {}
        for name, weights in (("hill", self.hill), ("hill top", self.top)):
            if weights is not None:
                out[name] = _softmax(flat, weights)[:, 1]
        return {name: share.reshape(rows, columns).astype(np.float32) for name, share in out.items()}


def mat_distance(one: Float32, other: Float32, config: LikenessConfig | None = None) -> float:
    """How differently two mats look: 0 alike, 1 and more not the same."""
    config = config or LikenessConfig()
    off, first = one - other, HUES + TEXTURE_COUNT
    size = float(np.sqrt(np.sqrt(np.mean(one[first:] ** 2) * np.mean(other[first:] ** 2))))
    hue = float(np.abs(off[:HUES]).max()) / config.hue_stops
    texture = float(np.sqrt(np.mean(off[HUES:first] ** 2))) / config.texture_stops
    seen = float(np.sqrt(np.mean(off[first:] ** 2))) / max(size, 1e-6) / config.net_share
    return max(hue, texture, seen)


def familiarity(sight: GroundSight, table: TerrainCells, config: LikenessConfig | None = None) -> float:
    """How surely a table has the mat of a settled one, from 0 for a strange one to 1."""
    config = config or LikenessConfig()
    if sight.mat.shape != table.mat.shape or len(sight.figures) != table.levels.shape[1]:
        return 0.0
    far = mat_distance(sight.mat, table.mat, config)
    return float(np.clip((config.strange_mat - far) / (config.strange_mat - config.known_mat), 0.0, 1.0))


def learn_terrain(
    tables: Sequence[TerrainCells], config: LikenessConfig | None = None, *, seed: int = 1
) -> TerrainLikeness:
    """The likeness learnt from the cells of settled tables; ``seed``: of the choice of cells where there are many."""
    config = config or LikenessConfig()
    figures = np.concatenate([table.figures for table in tables])
    cover = np.concatenate([table.cover for table in tables])
    hill, top = (np.concatenate([getattr(table, name) for table in tables]) for name in ("hill", "top"))
    if len(cover) > config.most_rows:
        some = np.random.default_rng(seed).permutation(len(cover))[: config.most_rows]
        figures, cover, hill, top = figures[some], cover[some], hill[some], top[some]
    middle, spread = figures.mean(axis=0), figures.std(axis=0) + np.float32(1e-3)
    rows = ((figures - middle) / spread).astype(np.float64)
    present = [int(row) for row in np.unique(cover[cover >= 0])]
    weights = _learnt_softmax(rows, np.searchsorted(present, cover), _cover_worth(cover, present), config)
    two = [_learnt_two(rows, told, config) for told in (hill, top)]
    return TerrainLikeness(tuple(present), weights, two[0], two[1], middle, spread)


def _cover_worth(cover: npt.NDArray[np.int8], present: Sequence[int]) -> Array:
    """The weight of each cell (n,), adding up to 1: every kind as much as any other, bare ground as much as all."""
    worth = np.zeros(len(cover))
    for row in present:
        mine = cover == row
        worth[mine] = (max(1, len(present) - 1) if row == 0 else 1) / mine.sum()
    return worth / worth.sum()


def _learnt_two(rows: Array, told: npt.NDArray[np.int8], config: LikenessConfig) -> Array | None:
    """The weights (2, f + 1) of a question with two answers, where both have been seen often enough."""
    counts = [int((told == answer).sum()) for answer in (0, 1)]
    if min(counts) < config.least_hill_cells:
        return None
    plain = told >= 0
    worth = np.where(told[plain] == 1, 0.5 / counts[1], 0.5 / counts[0])
    return _learnt_softmax(rows[plain], told[plain].astype(np.intp), worth, config)


def _learnt_softmax(rows: Array, answer: npt.NDArray[np.intp], worth: Array, config: LikenessConfig) -> Array:
    """The weights (k, f + 1), constants last, that give each row (n, f) its answer (n,) best; each counts ``worth``."""
    from scipy.optimize import minimize

    answers = int(answer.max()) + 1
    right = np.eye(answers)[answer]

    def cost(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(answers, -1)
        share = _softmax(rows, weights)
        loss = -float(worth @ np.log((share * right).sum(axis=1) + 1e-12))
        loss += config.hold * float((weights[:, :-1] ** 2).sum())
        off = (share - right) * worth[:, None]
        slope = np.column_stack([off.T @ rows + 2 * config.hold * weights[:, :-1], off.sum(axis=0)])
        return loss, slope.ravel()

    start = np.zeros(answers * (rows.shape[1] + 1))
    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": config.iterations})
    return np.asarray(found.x, np.float64).reshape(answers, -1)


def _softmax(rows: Array, weights: Array) -> Array:
    """Shares (n, k), adding up to 1, of rows (n, f) by weights (k, f + 1)."""
    scores = rows @ weights[:, :-1].T + weights[:, -1]
    share = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(share / share.sum(axis=1, keepdims=True))


def maps_by_likeness(
    maps: GroundMaps, sight: GroundSight, tables: Sequence[TerrainCells], config: LikenessConfig | None = None
) -> GroundMaps:
    """The nets' maps of a table combined with the likeness to settled ``tables``; unchanged where none of these has
    its mat.

    For kinds that the tables of that mat showed, both count. Other kinds count for less where likeness is sure that the
    ground is bare. ``net`` and ``likeness`` keep each one's shares, likeness 1 for kinds that it does not know.
    """
    config = config or LikenessConfig()
    sure = [familiarity(sight, table, config) for table in tables]
    same_mat = [table for table, known in zip(tables, sure, strict=True) if known > 0.0]
    if not same_mat:
        return maps
    trust, known = config.trust * max(sure), learn_terrain(same_mat, config)
    size = (maps.share.shape[2], maps.share.shape[1])
    told = {
        name: np.asarray(cv2.resize(share, size, interpolation=cv2.INTER_LINEAR), np.float32)
        for name, share in known.shares(sight).items()
    }
    share, alike = maps.share.copy(), np.ones_like(maps.share)
    for row, kind in enumerate((*KINDS, "hill top")):
        seen = sight.shares[row]
        if kind in told:
            odds = trust * log_odds(told[kind], _LEAST_SHARE) + (1 - trust) * log_odds(seen, _LEAST_SHARE)
            share[row] = 1 / (1 + np.exp(-odds))
            alike[row] = told[kind]
        elif kind not in ("hill", "hill top"):
            odds = log_odds(seen, _LEAST_SHARE) - np.float32(2 * trust * config.unlike) * told.get(
                "nothing", np.float32(0)
            )
            share[row] = 1 / (1 + np.exp(-odds))
    shown = ~maps.hidden
    joint, alone = (np.asarray(one * shown, np.float32) for one in (share, alike))
    return replace(maps, share=joint, net=maps.share, likeness=alone)


def chances_of_both(
    pieces: Sequence[ExpectedTerrain],
    maps: GroundMaps,
    *,
    covered: npt.NDArray[np.bool_] | None = None,
    kinds: Collection[str] = KINDS,
) -> tuple[ExpectedTerrain, ...]:
    """Traced pieces with the chance that each of some ``kinds`` is there and of its kind
    (:func:`vision.terrain.odds.with_chances`).

    Where likeness was used, the chance is computed from the net's own shares, so that a piece that only likeness
    has found needs confirmation; and a piece that the net sees and likeness does not find is no surer than that.
    """
    if maps.net is None or maps.likeness is None:
        return with_chances(pieces, maps, covered=covered, kinds=kinds)
    by_net = replace(maps, share=maps.net, net=None, likeness=None)
    weighed = with_chances(pieces, by_net, covered=covered, kinds=kinds)
    return tuple(_no_surer(piece, maps.likeness, maps) for piece in weighed)


def _no_surer(piece: ExpectedTerrain, likeness: Float32, maps: GroundMaps) -> ExpectedTerrain:
    inside = mask_of(piece.shape.buffer(-_CORE_IN), maps.scale) & ~maps.hidden
    if not inside.any():
        inside = mask_of(piece.shape, maps.scale) & ~maps.hidden
    borne_out = float(likeness[KINDS.index(piece.kind)][inside].mean()) if inside.any() else 1.0
    if borne_out >= _FOUND or borne_out >= piece.confidence:
        return piece
    evidence = piece.evidence
    if evidence is not None:
        rest = (1.0 - borne_out) / (1.0 - piece.confidence)
        chances = {kind: borne_out if kind == piece.kind else chance * rest for kind, chance in evidence.chances}
        evidence = replace(evidence, chances=listed(chances))
    return replace(piece, confidence=round(borne_out, 4), evidence=evidence)
