"""How far white has grown into black in a picture of a marker, measured on the marker itself.

Tone curves, sharpening, glare and ink make every white area of a picture a little larger or smaller than it is, by the
same few tenths of a pixel at every edge. The outer square then comes out too small or too large while its inner
edges, which turn both ways, do not follow: from them the shift is read off and taken back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration._decode import homographies
from calibration._edges import EdgeConfig, steepest

Array = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_LEAST_EDGES = 8
_OUTLIER_SIGMAS = 3.0


def white_growth(
    light: npt.NDArray[np.uint16], quads: Array, codes: BoolArray, config: EdgeConfig
) -> tuple[Array, Array]:
    """Pixels (n,) by which white has grown at every edge of the markers in ``quads`` (n, 4, 2), and their standard
    deviation (n,).

    ``codes`` (n, side, side) are the cells inside as seen from each quad's first corner; (0, inf) where too few edges
    are seen.
    """
    cells = codes.shape[1] + 2
    grids = np.pad(codes, ((0, 0), (1, 1), (1, 1)))
    edges = [_inner_edges(grid) for grid in grids]
    counts = np.array([len(sign) for _, _, sign, _ in edges])
    growth, sigma = np.zeros(len(quads)), np.full(len(quads), np.inf)
    if not counts.sum():
        return growth, sigma
    places, along, sign, fraction = (np.concatenate(parts) for parts in zip(*edges, strict=True))
    H = np.repeat(homographies(quads, cells), counts, axis=0)
    at = _through(H, places)
    ahead = _through(H, places + 0.5 * along) - _through(H, places - 0.5 * along)
    across_cell = along[:, ::-1]  # one cell the other way, along the edge itself
    tangent = _through(H, places + 0.5 * across_cell) - _through(H, places - 0.5 * across_cell)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    normal *= np.sign((normal * ahead).sum(axis=1))[:, None]
    cell = np.abs((normal * ahead).sum(axis=1))
    reach = np.clip(config.reach_cells[1] * cell, config.least_reach_px[1], config.most_reach_px[1])
    offsets = np.linspace(-1, 1, 2 * config.profile_points + 1)
    steps = np.array([-0.25, 0.0, 0.25])
    base = at[:, None] + steps[None, :, None] * tangent[:, None]
    # profiles run from black to white
    toward = normal * -sign[:, None]
    where, strength = steepest(light, base, offsets, reach, toward, config)
    moved = (where * reach[:, None]).mean(axis=1) * -sign  # along the edge's own axis, first to last column
    lever, weakest, end = sign - 1 + 2 * fraction, strength.min(axis=1), np.cumsum(counts)
    for i in np.flatnonzero(counts >= _LEAST_EDGES):
        rows = slice(end[i] - counts[i], end[i])
        usable = weakest[rows] > config.weak_share * np.median(strength[rows])
        growth[i], sigma[i] = _slope(lever[rows][usable], moved[rows][usable])
    return growth, sigma


def _through(H: Array, points: Array) -> Array:
    """Points (m, 2), each through its own of H (m, 3, 3)."""
    mapped = np.einsum("mij,mj->mi", H[:, :, :2], points) + H[:, :, 2]
    return mapped[:, :2] / mapped[:, 2:]


def grow_quads(quads: Array, by_px: Array) -> Array:
    """Quads (n, 4, 2), clockwise, with their edges moved outward by ``by_px`` (n,)."""
    edge = np.roll(quads, -1, axis=1) - quads
    length = np.linalg.norm(edge, axis=2, keepdims=True)
    outward = np.stack([edge[..., 1], -edge[..., 0]], axis=2) / length
    before, after = np.roll(outward, 1, axis=1), outward
    # the corner moves along both normals at once
    cosine = (before * after).sum(axis=2, keepdims=True)
    return quads + by_px[:, None, None] * (before + after) / (1 + cosine)


def _inner_edges(grid: BoolArray) -> tuple[Array, Array, Array, Array]:
    """Middles of the edges between unlike cells (m, 2) in cells, unit vectors across them, +1 where white comes first
    (else -1), and how far across the black square they are (0 to 1)."""
    cells = len(grid)
    found = []
    for transposed in (False, True):
        g = grid.T if transposed else grid
        rows, columns = np.nonzero(g[:, 1:] != g[:, :-1])
        for r, c in zip(rows, columns, strict=True):
            sign = 1.0 if g[r, c] else -1.0
            place, along = (c + 1.0, r + 0.5), (1.0, 0.0)
            if transposed:
                place, along = place[::-1], along[::-1]
            found.append((*place, *along, sign, (c + 1.0) / cells))
    table = np.array(found, dtype=np.float64).reshape(-1, 6)
    return table[:, :2], table[:, 2:4], table[:, 4], table[:, 5]


def _slope(lever: Array, moved: Array) -> tuple[float, float]:
    """Robust least-squares slope of moved = slope * lever, and its standard deviation."""
    kept = np.abs(lever) > 0.25
    if kept.sum() < _LEAST_EDGES:
        return 0.0, np.inf
    slope = float(np.median(moved[kept] / lever[kept]))
    usable = kept
    for _ in range(4):
        residual = moved - slope * lever
        spread = max(1.4826 * float(np.median(np.abs(residual[kept]))), 0.02)
        kept = usable & (np.abs(residual) <= _OUTLIER_SIGMAS * spread)
        if kept.sum() < _LEAST_EDGES:
            return 0.0, np.inf
        slope = float((lever[kept] * moved[kept]).sum() / (lever[kept] ** 2).sum())
    residual = moved[kept] - slope * lever[kept]
    variance = float((residual**2).sum()) / (kept.sum() - 1) / float((lever[kept] ** 2).sum())
    return slope, float(np.sqrt(variance))
