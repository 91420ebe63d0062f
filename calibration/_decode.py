"""Reading the cells of square markers: the codes of a dictionary, sampling, and the decision.

Only this module knows the layout inside a marker: a border of one black cell round ``side`` x ``side`` code
cells, printed on paper that is white for at least half a cell around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dictionaries import marker_dictionary, marker_grids

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

SAMPLES_PER_CELL = 4
CELL_SHARE = 0.5  # the middle share of a cell's side that is sampled
QUIET_OFFSET = 0.4  # cells outside the black square at which the white paper is sampled
QUIET_LEVEL = 0.35  # how far from black to white the paper must reach, so that shaded paper still counts


@dataclass(frozen=True, eq=False)
class Codebook:
    """The codes of one dictionary: ``codes`` (n, 4, side * side), True is white; the second index is the printed corner
    that the sampled grid has at its top left. ``distance`` is the smallest number of cells in which two of them differ.
    """

    name: str
    side: int
    codes: BoolArray
    distance: int

    def __len__(self) -> int:
        return len(self.codes)

    def tolerated_errors(self, chance: float) -> int:
        """Most wrong cells that can be forgiven: below half the distance, and so few that a random pattern passes for a
        code with at most this chance (or none at all).

        >>> codebook("DICT_APRILTAG_36h11").tolerated_errors(2e-4), codebook("DICT_4X4_100").tolerated_errors(2e-4)
        (2, 0)
        """
        errors = 0
        while errors + 1 <= (self.distance - 1) // 2 and self.accidental(errors + 1) <= chance:
            errors += 1
        return errors

    def accidental(self, errors: int) -> float:
        """The chance that a random pattern is within so many wrong cells of some code in some turn."""
        cells = self.side**2
        return float(len(self) * 4 * sum(comb(cells, k) for k in range(errors + 1)) / 2.0**cells)


@lru_cache(maxsize=8)
def codebook(name: str) -> Codebook:
    """The codes of a dictionary; ValueError for an unknown name."""
    grids = marker_grids(marker_dictionary(name))
    count, side, _ = grids.shape
    codes = np.stack([np.rot90(grids, turn, axes=(1, 2)).reshape(count, -1) for turn in range(4)], axis=1)
    return Codebook(name, side, codes, _smallest_distance(codes))


def _smallest_distance(codes: BoolArray) -> int:
    """Least Hamming distance between any two codes in any turn, and between a code and its own turned self."""
    n, _, cells = codes.shape
    signs = np.where(codes, 1.0, -1.0).astype(np.float32)
    agreement = np.einsum("ic,jtc->ijt", signs[:, 0], signs, optimize=True)
    distance = (cells - agreement) / 2
    distance[np.arange(n), np.arange(n), 0] = cells
    return round(float(distance.min()))


def homographies(corners: Array, size: float) -> Array:
    """(n, 3, 3) maps from a square of ``size`` (top left at 0, 0; clockwise) to quads ``corners`` (n, 4, 2)."""
    n = len(corners)
    source = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    A = np.zeros((n, 8, 8))
    x, y = source[:, 0], source[:, 1]
    u, v = corners[..., 0], corners[..., 1]
    A[:, 0::2, 0], A[:, 0::2, 1], A[:, 0::2, 2] = x, y, 1.0
    A[:, 1::2, 3], A[:, 1::2, 4], A[:, 1::2, 5] = x, y, 1.0
    A[:, 0::2, 6], A[:, 0::2, 7] = -u * x, -u * y
    A[:, 1::2, 6], A[:, 1::2, 7] = -v * x, -v * y
    b = np.empty((n, 8))
    b[:, 0::2], b[:, 1::2] = u, v
    solution = np.linalg.solve(A, b[..., None])[..., 0]
    H = np.concatenate([solution, np.ones((n, 1))], axis=1).reshape(n, 3, 3)
    return H @ np.diag([1.0 / size, 1.0 / size, 1.0])


def apply_homographies(H: Array, points: Array) -> Array:
    """Points (m, 2) through each of H (n, 3, 3): (n, m, 2)."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ H.transpose(0, 2, 1)
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def sample(gray: npt.NDArray[np.uint8] | npt.NDArray[np.uint16], points: Array) -> Array:
    """Grey values at points (..., 2) in pixels, between pixels linearly, beyond the picture its edge."""
    count = points.size // 2
    columns = min(count, 16384)  # remap wants fewer than 32768
    if not count:
        return np.zeros(points.shape[:-1])
    maps = np.zeros((2, -(-count // columns) * columns), np.float32)
    maps[:, :count] = points.reshape(-1, 2).T
    x, y = maps.reshape(2, -1, columns)
    values = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(-1)[:count].astype(np.float64).reshape(points.shape[:-1])


@dataclass(frozen=True, eq=False)
class Cells:
    """Grey levels of the cells of n candidate quads: the code (n, side * side), the black border
    (n, 4 * side + 4) and the paper around it (n, 4 * side + 8)."""

    code: Array
    border: Array
    quiet: Array


def _border_places(side: int, offset: float) -> Array:
    """Centres, in cells, on the ring of cells ``offset`` from the black square's outer edge (negative: outside)."""
    low, high = offset, side + 2 - offset
    along = np.arange(side + 2) + 0.5
    inner = along[1:-1] if offset > 0 else along
    ring = [np.column_stack([inner, np.full(len(inner), low)]), np.column_stack([inner, np.full(len(inner), high)])]
    ring += [np.column_stack([np.full(len(inner), low), inner]), np.column_stack([np.full(len(inner), high), inner])]
    corners = np.array([[low, low], [high, low], [high, high], [low, high]])
    return np.concatenate([*ring, corners])


def sample_cells(gray: npt.NDArray[np.uint8], corners: Array, side: int) -> Cells:
    """The cells of quads (n, 4, 2) in pixels, clockwise."""
    H = homographies(corners, side + 2)
    middle = np.arange(side) + 1.5
    x, y = np.meshgrid(middle, middle)
    centres = np.concatenate([np.column_stack([x.ravel(), y.ravel()]), _border_places(side, 0.5)])
    step = (np.arange(SAMPLES_PER_CELL) + 0.5) / SAMPLES_PER_CELL - 0.5
    dx, dy = np.meshgrid(step * CELL_SHARE, step * CELL_SHARE)
    spread = np.column_stack([dx.ravel(), dy.ravel()])
    places = (centres[:, None] + spread).reshape(-1, 2)
    values = sample(gray, apply_homographies(H, places)).reshape(len(corners), len(centres), -1).mean(axis=2)
    quiet = sample(gray, apply_homographies(H, _border_places(side, -QUIET_OFFSET)))
    return Cells(values[:, : side * side], values[:, side * side :], quiet)


@dataclass(frozen=True, eq=False)
class Rings:
    """How n quads' black borders and the paper round them look: ``contrast`` (n,) grey levels, share of border cells
    that are black and of paper places that are white, and which of them can be trusted."""

    contrast: Array
    border_right: Array
    quiet_right: Array
    black_ok: BoolArray
    white_ok: BoolArray
    black_places: Array
    white_places: Array


def read_rings(cells: Cells, side: int) -> Rings:
    """Judge border and paper against each other, place by place, so that a shadow's edge may run across."""
    white_places, black_places = _border_places(side, -QUIET_OFFSET), _border_places(side, 0.5)
    white_level, black_level = np.median(cells.quiet, axis=1), np.median(cells.border, axis=1)
    level = (white_level + black_level) / 2
    white_ok, black_ok = cells.quiet > level[:, None], cells.border < level[:, None]
    white_near = _spread(white_places, black_places, cells.quiet, white_ok)
    black_near = _spread(black_places, white_places, cells.border, black_ok)
    border_right = (cells.border < (white_near + black_level[:, None]) / 2).mean(axis=1)
    quiet_level = black_near + QUIET_LEVEL * (white_level[:, None] - black_near)
    quiet_right = (cells.quiet > quiet_level).mean(axis=1)
    return Rings(white_level - black_level, border_right, quiet_right, black_ok, white_ok, black_places, white_places)


@dataclass(frozen=True, eq=False)
class Decoded:
    """The decision for n quads: ``id`` (-1: none), ``turn`` (printed corner at the quad's first corner), ``errors``
    (wrong cells), ``margin`` (0 to 1: how far the least certain right cell is from the threshold, in half
    contrasts)."""

    id: IntArray
    turn: IntArray
    errors: IntArray
    margin: Array


def decode(
    cells: Cells, book: Codebook, *, tolerated: int, least_contrast: float, ring_share: float, least_margin: float = 0.0
) -> Decoded:
    """The code that each quad carries, or -1.

    Black and white are judged against the square's own border and the paper round it, interpolated to every cell, so
    that a shadow's edge may run across. A quad is refused where its border is not black against the paper
    (``ring_share`` of both rings must be right), where the contrast is below ``least_contrast`` grey levels, or where
    more than ``tolerated`` code cells are wrong; a cell nearer to the threshold than ``least_margin`` half contrasts
    counts as half a wrong one.
    """
    if not len(cells.code):
        empty = np.zeros(0, dtype=np.int64)
        return Decoded(empty, empty, empty, np.zeros(0))
    side, n = book.side, len(cells.code)
    rings = read_rings(cells, side)
    good = (rings.contrast >= least_contrast) & (np.minimum(rings.border_right, rings.quiet_right) >= ring_share)
    middle = np.arange(side) + 1.5
    x, y = np.meshgrid(middle, middle)
    inside = np.column_stack([x.ravel(), y.ravel()])
    local_white = _spread(rings.white_places, inside, cells.quiet, rings.white_ok)
    local_black = _spread(rings.black_places, inside, cells.border, rings.black_ok)
    local_level = (local_white + local_black) / 2
    local_half = np.maximum((local_white - local_black) / 2, 1e-6)
    soft = np.clip((cells.code - local_level) / local_half, -1.0, 1.0)
    bits = soft > 0
    flat = book.codes.reshape(-1, side * side)
    agreement = np.where(bits, 1.0, -1.0).astype(np.float32) @ np.where(flat, 1.0, -1.0).astype(np.float32).T
    best = agreement.argmax(axis=1)
    errors = np.rint((side * side - agreement[np.arange(n), best]) / 2).astype(np.int64)
    signed = soft * np.where(flat[best], 1.0, -1.0)
    margin = np.where(signed > 0, signed, 1.0).min(axis=1)
    doubtful = ((signed > 0) & (signed < least_margin)).sum(axis=1)
    good &= 2 * errors + doubtful <= 2 * tolerated
    return Decoded(np.where(good, best // 4, -1), best % 4, errors, margin)


def _spread(ring: Array, places: Array, values: Array, usable: BoolArray) -> Array:
    """Values (n, r) known on a ring, carried to places (m, 2) by inverse squared distance: (n, m)."""
    distance2 = ((places[:, None] - ring[None]) ** 2).sum(axis=2) + 0.25
    weights = usable[:, None, :] / distance2[None]
    total = np.maximum(weights.sum(axis=2), 1e-9)
    return (weights * values[:, None, :]).sum(axis=2) / total
