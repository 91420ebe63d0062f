"""The placement of a board on a table, with its uncertainty: given, tapped, found in a photo, or taken over."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from tabletop.errors import SceneError, UsageError
from tabletop.grids.cells import Array, Cells, Layout, Place
from tabletop.tables.model import Grid, Overlay

TAP_SIGMA_IN = 0.1
"""One standard deviation, along x and along y, of a person's tap on the centre of a cell."""
BY_LINES = "its lines in the photo"
"""The source of a board that was found by its lines."""
MOVED_SHARE = 0.25
"""The share of a cell's size by which a board must move to void the answers about its cells."""

_TAP = re.compile(r"(?P<cell>[^@]+)@\s*(?P<x>[-+0-9.eE]+)\s*,\s*(?P<y>[-+0-9.eE]+)\s*(?P<unit>px|in)?\s*")
_A_GRID = {"hex": "a grid of hexes", "square": "a square grid"}


@dataclass(frozen=True, eq=False)
class BoardPlacement:
    """A board's cells with the layout that places them on a table (inches).

    ``covariance`` (4, 4) is that of the layout's origin (x, y in inches), size (inches) and rotation (degrees), zero if
    given by the players; ``source`` says in a few words where the layout comes from; ``residual_in`` is the root mean
    square error of the fit, ``None`` without one. ``chequered``: the board is a chessboard, with dark and light squares
    that are not terrain. Another shape of covariance is a ValueError.

    >>> from geometry.squares import SquareBoard
    >>> from tabletop.grids.cells import square_cells
    >>> chess = square_cells(SquareBoard(8, 8))
    >>> placement = BoardPlacement(chess, chess.layout(2.0, (5.0, 5.0)), np.diag([0.01, 0.01, 0.0, 0.0]))
    >>> placement.spread_at([[9.0, 1.0]]).round(3).tolist(), round(placement.sigma_in, 3)
    ([[[0.01, 0.0], [0.0, 0.01]]], 0.1)
    """

    cells: Cells
    layout: Layout
    covariance: Array = field(default_factory=lambda: np.zeros((4, 4)))
    source: str = "given"
    residual_in: float | None = None
    chequered: bool = False

    def __post_init__(self) -> None:
        covariance = np.asarray(self.covariance, dtype=np.float64)
        if covariance.shape != (4, 4):
            raise ValueError(f"BoardPlacement.covariance has shape {covariance.shape}, expected (4, 4).")
        object.__setattr__(self, "covariance", covariance)

    @property
    def is_exact(self) -> bool:
        """Whether the layout is exact, as given by the players."""
        return not self.covariance.any()

    @property
    def rotation_sigma_deg(self) -> float:
        """One standard deviation of the rotation, in degrees."""
        return math.sqrt(max(0.0, float(self.covariance[3, 3])))

    @property
    def sigma_in(self) -> float:
        """The largest standard deviation, along any direction, of any of the board's cells, in inches."""
        return math.sqrt(max(0.0, float(np.linalg.eigvalsh(self.spread_at(self.centres)).max())))

    @property
    def centres(self) -> Array:
        """The centres (n, 2) of the board's cells, in inches."""
        return self.cells.centres(self.layout)

    @property
    def polygons(self) -> npt.NDArray[np.object_]:
        """The outlines (n,) of the board's cells as shapely polygons."""
        return self.cells.polygons(self.layout)

    @property
    def frame(self) -> Array:
        """The corners (4, 2) of the rectangle round the board, turned as its grid is, in inches: near left, near right,
        far right, far left."""
        turn = np.exp(1j * np.radians(self.layout.rotation_deg))
        there = self.cells.corners(self.layout).reshape(-1, 2) @ np.array([1.0, 1.0j]) * turn
        (left, right), (near, far) = ((one.min(), one.max()) for one in (there.real, there.imag))
        ends = np.array([complex(left, near), complex(right, near), complex(right, far), complex(left, far)]) / turn
        return np.stack([ends.real, ends.imag], axis=1)

    def centre(self, name: str) -> tuple[float, float]:
        """The centre of the cell of a name, in inches; a ValueError for a name that the board does not have."""
        x, y = self.cells.centres(self.layout, [self.cells.place(name)])[0]
        return float(x), float(y)

    def shifts_at(self, points: npt.ArrayLike) -> Array:
        """The movement of the grid at points (n, 2) with its four parameters: derivatives (n, 2, 4), in inches per
        inch, and per degree for the rotation."""
        at = np.asarray(points, dtype=np.float64).reshape(-1, 2) - self.layout.origin
        moved = np.zeros((len(at), 2, 4))
        moved[:, 0, 0] = moved[:, 1, 1] = 1.0
        moved[:, :, 2] = at / self.layout.size_in
        moved[:, 0, 3], moved[:, 1, 3] = math.radians(1.0) * at[:, 1], -math.radians(1.0) * at[:, 0]
        return moved

    def spread_at(self, points: npt.ArrayLike) -> Array:
        """Covariances (n, 2, 2) in square inches of the grid's position at points (n, 2)."""
        moved = self.shifts_at(points)
        return np.asarray(moved @ self.covariance @ moved.transpose(0, 2, 1))

    def farthest_in(self, other: BoardPlacement) -> float:
        """The greatest distance between the same cell in two placements (inches)."""
        return float(np.linalg.norm(self.centres - other.centres, axis=1).max())

    def lies_elsewhere(self, before: BoardPlacement) -> bool:
        """Whether the board is farther than :data:`MOVED_SHARE` of a cell from its earlier placement."""
        return self.farthest_in(before) > MOVED_SHARE * self.layout.size_in

    def check_fits(self, table: tuple[float, float]) -> None:
        """Raise UsageError if the board reaches over the table's edge by more than
        :data:`tabletop.grids.cells.SLACK_IN`."""
        self.cells.check_fits(self.layout, table, self.source)

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "size": round(self.layout.size_in, 5),
            "origin": [round(v, 5) for v in self.layout.origin],
            "rotation": round(self.layout.rotation_deg, 4),
            "covariance": [[float(f"{v:.6g}") for v in row] for row in self.covariance.tolist()],
            "sigma": round(self.sigma_in, 4),
            "residual": None if self.residual_in is None else round(self.residual_in, 4),
            "source": self.source,
            **({"chequered": self.chequered} if self.cells.grid == "square" else {}),
        }


# --- sources of placements -------------------------------------------------------------------------------------------


def from_overlay(overlay: Overlay, cells: Cells) -> BoardPlacement:
    """The placement in a table file, which is exact. Raises UsageError for another grid."""
    if overlay.grid != cells.grid:
        raise UsageError(
            f"The table file's [overlay] is {_A_GRID[overlay.grid]}, and this board has {cells.words}: write grid = "
            f'"{cells.grid}".'
        )
    layout = cells.layout(overlay.size_in, overlay.origin, overlay.rotation_deg)
    return BoardPlacement(cells, layout, source="the table file")


S = TypeVar("S")


def state_laid_at(state: S, layout: Layout) -> S:
    """The same game on a board in this layout: a dataclass with a ``layout`` in its ``setup`` (``None``: on no known
    table)."""
    whole: Any = state
    found: S = replace(whole, setup=replace(whole.setup, layout=layout))
    return found


def overlay_of(layout: Layout) -> Overlay:
    """A layout in the form of a table file."""
    x, y = layout.origin
    grid: Grid = "hex" if isinstance(layout, HexLayout) else "square"
    return Overlay(grid, layout.size_in, (float(x), float(y)), layout.rotation_deg)


def centre_board(cells: Cells, table: tuple[float, float], size_in: float) -> BoardPlacement:
    """The board with cells of a size, unturned, in the middle of a table (inches).

    >>> from geometry.squares import SquareBoard
    >>> from tabletop.grids.cells import square_cells
    >>> centre_board(square_cells(SquareBoard(8, 8)), (36.0, 36.0), 2.0).layout.origin
    (11.0, 11.0)
    """
    x, y = np.array(table) / 2 - cells.centres(cells.layout(size_in, (0.0, 0.0))).mean(axis=0)
    return BoardPlacement(cells, cells.layout(size_in, (float(x), float(y))), source="the middle of the table")


@dataclass(frozen=True)
class CellTap:
    """A tap by a player: the cell, and the place, in inches on the table or (``in_pixels``) in pixels of the upright
    photo."""

    cell: Place
    place: tuple[float, float]
    in_pixels: bool = False


def tap_option(cells: Cells) -> str:
    """The option of the command line for tapped cells."""
    return "--tap-hex" if cells.grid == "hex" else "--tap"


def parse_tap(text: str, cells: Cells) -> CellTap:
    """Parse a typed tap: "a1@3.5,2.0" in table inches, "9-7@2310,480px" in pixels of the upright photo.

    Raises UsageError.

    >>> from geometry.squares import SquareBoard
    >>> from tabletop.grids.cells import square_cells
    >>> parse_tap("b3@310,480px", square_cells(SquareBoard(8, 8)))
    CellTap(cell=Square(col=1, row=2), place=(310.0, 480.0), in_pixels=True)
    """
    option, first = tap_option(cells), cells.names[0]
    wanted = (
        f'{option} "{text}": write {cells.word} and place as "{first}@3.5,2.0" (inches) or "{first}@310,480px" (pixels '
        "of the upright photo)."
    )
    match = _TAP.fullmatch(text.strip())
    if match is None:
        raise UsageError(wanted)
    try:
        place = float(match["x"]), float(match["y"])
    except ValueError as error:
        raise UsageError(wanted) from error
    if not all(math.isfinite(v) for v in place):
        raise UsageError(wanted)
    try:
        named = cells.place(match["cell"])
    except ValueError as error:
        raise UsageError(f'{option} "{text}": {error}') from error
    return CellTap(named, place, match["unit"] == "px")


def from_taps(
    cells: Cells, tapped: Sequence[Place], points: npt.ArrayLike, spreads: npt.ArrayLike | None = None
) -> BoardPlacement:
    """The placement with the centres of cells at two or more tapped points (n, 2), in table inches.

    ``spreads`` (n, 2, 2) are the points' own covariances, to which :data:`TAP_SIGMA_IN` is added. The covariance is
    that of the least-squares solution, which is linear in the points. Raises UsageError for fewer than two cells, the
    same cell twice, and points that coincide.
    """
    at = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    noise = np.zeros((len(at), 2, 2)) if spreads is None else np.asarray(spreads, dtype=np.float64)
    option = tap_option(cells)
    if len(at) < 2 or len(set(tapped)) < len(at):
        raise UsageError(
            f"{option} names {len(set(tapped))} different {cells.words} in {len(at)} taps: tap two different ones, far "
            "apart."
        )
    try:
        layout = cells.fit(tapped, at)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from error
    centres = cells.centres(layout, tapped)
    covariance = _tapped_covariance(BoardPlacement(cells, layout), centres, noise)
    residual = cells.rms_in(layout, tapped, at) if len(at) > 2 else None
    return BoardPlacement(cells, layout, covariance, f"{len(at)} tapped {cells.words}", residual)


def _tapped_covariance(placement: BoardPlacement, centres: Array, spreads: Array) -> Array:
    """The covariance (4, 4) of a layout fitted to tapped centres (n, 2), with the covariances ``spreads``
    (n, 2, 2) in addition to the hand's own."""
    jacobian = placement.shifts_at(centres).reshape(-1, 4)
    back = np.linalg.pinv(jacobian)
    every = np.zeros((2 * len(centres), 2 * len(centres)))
    for i, spread in enumerate(spreads):
        every[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = spread + TAP_SIGMA_IN**2 * np.eye(2)
    return np.asarray(back @ every @ back.T)


def from_json(data: object, where: str, cells: Cells) -> BoardPlacement:
    """The placement from an earlier reading; raises SceneError."""
    if not isinstance(data, Mapping):
        raise SceneError(f"{where} has no layout: name a file that `tabletop overlay --json` wrote.")
    try:
        origin = data["origin"]
        residual = data.get("residual")
        return BoardPlacement(
            cells,
            cells.layout(float(data["size"]), (float(origin[0]), float(origin[1])), float(data["rotation"])),
            np.array(data["covariance"], dtype=np.float64),
            str(data["source"]),
            None if residual is None else float(residual),
            bool(data.get("chequered", False)),
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise SceneError(
            f"{where} has a layout that can't be read: read the board again.", "Usage: tabletop overlay."
        ) from error
