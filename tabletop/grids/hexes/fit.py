"""The layout fitted to hex-shaped terrain: size, place and turn of the grid with hexsides along the outlines.

The outlines do not show the board's first hex: the board is placed nearest to the middle of the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from scipy.optimize import least_squares

from geometry.hex_layout import HexLayout
from tabletop.errors import UsageError
from tabletop.grids.cells import Cells
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.table_terrain import TerrainPiece

Array = npt.NDArray[np.float64]

KINDS = ("woods", "town", "field", "marsh", "hill")
"""Kinds of terrain that may be hex-shaped; roads and rivers never follow hexsides."""


@dataclass(frozen=True)
class FitConfig:
    """``least_part``: the smallest hexes considered, as a part of the largest with which the board fits on the table;
    ``step_in``: the distance between places along the outlines; ``stride_in``: the length over which an outline's
    direction is taken; ``straight``: the six-fold concentration of the outlines' directions at which they show the
    turn; ``misfit``: the greatest distance from the hexsides, as a part of that of random places; ``rival``: the factor
    within which the misfit of another size leaves the size open; ``sides``: the least length of outlines, in
    hexsides."""

    least_part: float = 0.4
    step_in: float = 0.2
    stride_in: float = 0.8
    straight: float = 0.3
    misfit: float = 0.45
    rival: float = 1.15
    sides: float = 16.0


_ANYWHERE = math.sqrt(
    1.0 / 24.0
)  # root mean square distance from a hex's sides, in its sizes, of places anywhere in it
_PHASES, _SIZES = 8, 1.025
_NEAR_DEG = np.arange(-4.0, 4.1, 2.0)
_ANY_DEG = np.arange(-30.0, 29.9, 3.0)
_AXES = np.array([[1.0, 0.0], [0.5, math.sqrt(0.75)], [-0.5, math.sqrt(0.75)]])


def fitted_to(
    pieces: Sequence[TerrainPiece], cells: Cells, table: tuple[float, float], config: FitConfig = FitConfig()
) -> BoardPlacement:
    """The board of hexes placed so that the outlines of hex-shaped terrain follow its hexsides, as near to the middle
    of the table (inches) as the grid allows; its covariance is that of the least-squares solution.

    Raises UsageError for terrain that is not hex-shaped, too little, or leaves the size open.
    """
    shapes = [piece.shape for piece in pieces if piece.kind in KINDS]
    points = _along(shapes, config.step_in)
    rather = "tap two hexes instead (--tap-hex)."
    if not len(points):
        raise UsageError(f"There is no terrain to fit a hex grid to: {rather}")
    turn_deg, straight = _turn_of(shapes, config.stride_in)
    largest = cells.largest_size_in(table)
    turns = turn_deg + _NEAR_DEG if straight >= config.straight else _ANY_DEG
    starts = _search(points, turns, largest * config.least_part, largest * 1.01)
    refined = [_refine(points, start) for start in starts]
    best = sorted((one for one in refined if one[0][2] <= 1.02 * largest), key=lambda one: one[1]) or refined
    (origin_x, origin_y, size, turn), misfit = best[0]
    if misfit > config.misfit:
        raise UsageError(
            f"The terrain is not hex-shaped enough: for hexes of {size:.2f}″ its outlines lie "
            f"{misfit * _ANYWHERE * size:.2f}″ from the hexsides (root mean square), and anything lies "
            f"{_ANYWHERE * size:.2f}″ from them; {rather}"
        )
    length = sum(shape.length for shape in shapes)
    if length < config.sides * size / math.sqrt(3.0):
        raise UsageError(
            f"The hex-shaped terrain is too little: {length:.0f}″ of outline, and {config.sides:g} sides of hexes of "
            f"{size:.2f}″ are the least; {rather}"
        )
    rivals = [one for one in best[1:] if abs(one[0][2] / size - 1) > 0.04 and one[1] < config.rival * misfit]
    if rivals:
        raise UsageError(f"Hexes of {size:.2f}″ and of {rivals[0][0][2]:.2f}″ fit the terrain about as well: {rather}")
    covariance = _covariance(points, best[0][0], config.step_in)
    layout = HexLayout(size, (origin_x, origin_y), turn)
    return _in_the_middle(
        BoardPlacement(cells, layout, covariance, "hex-shaped terrain", misfit * _ANYWHERE * size), table
    )


def _along(shapes: Sequence[shapely.Geometry], step_in: float) -> Array:
    """Places (n, 2) all along outlines."""
    found = [np.zeros((0, 2))]
    for ring in shapely.get_parts([shape.boundary for shape in shapes]):
        count = max(3, int(ring.length / step_in))
        at = shapely.line_interpolate_point(ring, np.arange(count) / count, normalized=True)
        found.append(shapely.get_coordinates(at))
    return np.concatenate(found)


def _turn_of(shapes: Sequence[shapely.Geometry], stride_in: float) -> tuple[float, float]:
    """The turn of the hexsides clockwise from an unturned grid (degrees, -30 to 30), and how strongly the outlines
    follow their three directions (0 to 1)."""
    total, weight = 0j, 0.0
    for ring in shapely.get_parts([shape.boundary for shape in shapes]):
        along = np.arange(0.0, ring.length, stride_in / 4)
        here = shapely.get_coordinates(shapely.line_interpolate_point(ring, along))
        there = shapely.get_coordinates(shapely.line_interpolate_point(ring, (along + stride_in) % ring.length))
        way = (there - here) @ np.array([1.0, 1.0j])
        length = np.abs(way)
        sound = length > 1e-9
        total += complex((length[sound] * (way[sound] / length[sound]) ** 6).sum())
        weight += float(length.sum())
    # a side of an unturned hex points to +y, and the sixth power of that direction is -1
    return -math.degrees(np.angle(-total)) / 6.0, abs(total) / weight


def _to_sides(points: Array, x: Array, y: Array, size: Array, turn_deg: Array) -> Array:
    """Distances, in sizes, of points (n, 2) from the nearest hexside of grids (m,): (m, n)."""
    turn = np.exp(1j * np.radians(turn_deg))
    there = (points[None] @ np.array([1.0, 1.0j]) - (x + 1j * y)[:, None]) * (turn / size)[:, None]
    r = there.imag / math.sqrt(0.75)
    q = there.real - r / 2
    cube = np.stack([q, r, -q - r])
    whole = np.rint(cube)
    off = np.abs(whole - cube)
    worst = off.argmax(axis=0)
    a, b = whole[0], whole[1]
    a = np.where(worst == 0, -whole[1] - whole[2], a)
    b = np.where(worst == 1, -whole[0] - whole[2], b)
    rest = there - (a + b * complex(0.5, math.sqrt(0.75)))
    reach = np.abs(rest.real[..., None] * _AXES[:, 0] + rest.imag[..., None] * _AXES[:, 1]).max(axis=-1)
    return np.asarray(0.5 - reach)


def _search(points: Array, turns_deg: Array, least: float, most: float) -> list[Array]:
    """The most promising grids (x, y, size, turn), of different sizes."""
    sizes = least * _SIZES ** np.arange(0, math.log(most / least) / math.log(_SIZES) + 1)
    middle = points.mean(axis=0)
    some = points[:: max(1, len(points) // 160)]
    steps = (np.arange(_PHASES) + 0.5) / _PHASES
    found: list[tuple[float, Array]] = []
    for size in sizes:
        for turn in turns_deg:
            right = np.exp(-1j * math.radians(turn)) * size
            phase = (steps[:, None] + steps[None] * complex(0.5, math.sqrt(0.75))).ravel() * right
            x, y = middle[0] + phase.real, middle[1] + phase.imag
            away = _to_sides(some, x, y, np.full(len(x), size), np.full(len(x), turn))
            misfit = np.sqrt((away**2).mean(axis=1))
            k = int(misfit.argmin())
            found.append((float(misfit[k]), np.array([x[k], y[k], size, turn])))
    found.sort(key=lambda one: one[0])
    kept: list[Array] = []
    for _, grid in found:
        if all(abs(grid[2] / other[2] - 1) > 0.03 for other in kept):
            kept.append(grid)
    return kept[:6]


def _refine(points: Array, start: Array) -> tuple[tuple[float, float, float, float], float]:
    """Refine a grid so that the outlines follow its hexsides best; also returns its misfit (1: as at random)."""

    def away(grid: Array) -> Array:
        return _to_sides(points, grid[:1], grid[1:2], grid[2:3], grid[3:4])[0]

    scale = np.array([start[2], start[2], start[2], 60.0])
    done = least_squares(away, start, x_scale=scale, loss="soft_l1", f_scale=0.1)
    x, y, size, turn = (float(v) for v in done.x)
    return (x, y, size, turn), float(np.sqrt((away(done.x) ** 2).mean())) / _ANYWHERE


def _covariance(points: Array, grid: tuple[float, float, float, float], step_in: float) -> Array:
    """The covariance (4, 4) of a fitted grid; places along one hexside are correlated and count as one."""
    at = np.array(grid)
    size = grid[2]
    steps = np.array([1e-4 * size, 1e-4 * size, 1e-4 * size, 1e-3])

    def side_errors(g: Array) -> Array:
        return _to_sides(points, g[:1], g[1:2], g[2:3], g[3:4])[0] * g[2]

    jacobian = np.stack(
        [(side_errors(at + d) - side_errors(at - d)) / (2 * h) for d, h in zip(np.diag(steps), steps, strict=True)]
    )
    variance = float((side_errors(at) ** 2).mean())
    together = max(1.0, size / math.sqrt(3.0) / step_in)
    return np.asarray(np.linalg.pinv(jacobian @ jacobian.T) * variance * together)


def _in_the_middle(placement: BoardPlacement, table: tuple[float, float]) -> BoardPlacement:
    """The same grid, not turned by sixths, with the board's first hex chosen so that its middle is nearest to the
    table's."""
    cells, layout = placement.cells, placement.layout
    turn = (layout.rotation_deg + 30.0) % 60.0 - 30.0
    plain = HexLayout(layout.size_in, layout.origin, turn)
    offset = cells.centres(plain).mean(axis=0) - plain.origin
    wished = np.array(table) / 2 - offset
    first = plain.hex_at([wished])[0]
    x, y = plain.centres([first])[0]
    moved = HexLayout(layout.size_in, (float(x), float(y)), turn)
    shifts = np.eye(4)
    shifts[:2] = placement.shifts_at([[x, y]])[0]
    covariance = shifts @ placement.covariance @ shifts.T
    return BoardPlacement(cells, moved, covariance, placement.source, placement.residual_in)
