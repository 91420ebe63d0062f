"""How far white has grown into black in a picture of a marker, measured on the marker itself.

Tone curves, sharpening, glare and ink make every white area of a picture a little larger or smaller than it is, by the
same few tenths of a pixel at every edge. The outer square then comes out too small or too large while its inner
edges, which turn both ways, do not follow: from them the shift is read off and taken back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration._decode import apply_homographies, homographies, sample
from calibration._edges import EdgeConfig, centers_of_slope

Array = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_LEAST_EDGES = 8
_OUTLIER_SIGMAS = 3.0


def white_growth(
    light: npt.NDArray[np.uint16], quad: Array, code: BoolArray, config: EdgeConfig
) -> tuple[float, float]:
    """Pixels by which white has grown at every edge of the marker in ``quad`` (4, 2), and their standard deviation.

    ``code`` (side, side) is what stands inside as seen from the quad's first corner; (0, inf) where too few edges are
    seen.
    """
    cells = len(code) + 2
    grid = np.zeros((cells, cells), dtype=bool)
    grid[1:-1, 1:-1] = code
    places, along, sign, fraction = _inner_edges(grid)
    if len(places) < _LEAST_EDGES:
        return 0.0, np.inf
    H = homographies(quad[None], cells)
    at = apply_homographies(H, places)[0]
    ahead = apply_homographies(H, places + 0.5 * along)[0] - apply_homographies(H, places - 0.5 * along)[0]
    across_cell = np.column_stack([along[:, 1], along[:, 0]])  # one cell the other way, along the edge itself
    tangent = (
        apply_homographies(H, places + 0.5 * across_cell)[0] - apply_homographies(H, places - 0.5 * across_cell)[0]
    )
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
    values = sample(light, base[:, :, None] + (offsets * reach[:, None])[:, None, :, None] * toward[:, None, None])
    where, strength = centers_of_slope(values, offsets, config.centroid_px / reach)
    moved = (where * reach[:, None]).mean(axis=1) * -sign  # along the edge's own axis, first to last column
    lever = sign - 1 + 2 * fraction
    usable = strength.min(axis=1) > config.weak_share * np.median(strength)
    return _slope(lever[usable], moved[usable])


def grown(quads: Array, by_px: Array) -> Array:
    """Quads (n, 4, 2), clockwise, whose edges are moved outward by ``by_px`` (n,)."""
    edge = np.roll(quads, -1, axis=1) - quads
    length = np.linalg.norm(edge, axis=2, keepdims=True)
    outward = np.stack([edge[..., 1], -edge[..., 0]], axis=2) / length
    before, after = np.roll(outward, 1, axis=1), outward
    # the corner moves along both normals at once
    cosine = (before * after).sum(axis=2, keepdims=True)
    return quads + by_px[:, None, None] * (before + after) / (1 + cosine)


def _inner_edges(grid: BoolArray) -> tuple[Array, Array, Array, Array]:
    """Middles of the edges between unlike cells (m, 2) in cells, unit vectors across them, +1 where white comes first
    (else -1), and how far across the black square they lie (0 to 1)."""
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
