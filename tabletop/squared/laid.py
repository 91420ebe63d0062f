"""Where a board of squares lies on a table, and how surely: given, tapped, found by its lines, or taken over."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.errors import SceneError, UsageError
from tabletop.overlay.laid import TAP_SIGMA_IN
from tabletop.overlay.placed import Array, Placed, tapped_covariance
from tabletop.tablefile import Overlay

BY_LINES = "its lines in the photo"
"""How a board that was found is told to lie."""
_TAP = re.compile(r"(?P<square>[^@]+)@\s*(?P<x>[-+0-9.eE]+)\s*,\s*(?P<y>[-+0-9.eE]+)\s*(?P<unit>px|in)?\s*")


@dataclass(frozen=True, eq=False)
class LaidSquares(Placed):
    """A layout of squares with its covariance, as :class:`tabletop.overlay.placed.Placed`, and the board laid so.

    ``chequered``: it is a chessboard, whose dark and light squares are no terrain.

    >>> LaidSquares(SquareLayout(2.0, (3.0, 3.0)), board=SquareBoard(8, 8)).is_exact
    True
    """

    layout: SquareLayout
    board: SquareBoard = field(kw_only=True)
    chequered: bool = field(default=False, kw_only=True)

    @property
    def sigma_in(self) -> float:
        """The largest standard deviation, along any direction, of any of the board's squares, in inches."""
        ends = [Square(col, row) for col in (0, self.board.columns - 1) for row in (0, self.board.rows - 1)]
        return self.largest_sigma_in(self.layout.centres(ends))

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {**super().to_json(), "chequered": self.chequered}


@dataclass(frozen=True)
class SquareTap:
    """A square that a player pointed at, and the place, in inches on the table or (``in_pixels``) in pixels of the
    upright photo."""

    square: Square
    place: tuple[float, float]
    in_pixels: bool = False


def parse_tap(text: str, board: SquareBoard) -> SquareTap:
    """A tap as it is typed: "a1@3.5,2.0" in table inches, "h8@2310,480px" in pixels of the upright photo.

    Raises UsageError.

    >>> parse_tap("b3@310,480px", SquareBoard(8, 8))
    SquareTap(square=Square(col=1, row=2), place=(310.0, 480.0), in_pixels=True)
    """
    match = _TAP.fullmatch(text.strip())
    wanted = 'write square and place as "a1@3.5,2.0" (inches) or "a1@310,480px" (pixels of the upright photo)'
    if match is None:
        raise UsageError(f'--tap "{text}": {wanted}.')
    try:
        place = float(match["x"]), float(match["y"])
    except ValueError as error:
        raise UsageError(f'--tap "{text}": {wanted}.') from error
    if not all(math.isfinite(v) for v in place):
        raise UsageError(f'--tap "{text}": {wanted}.')
    try:
        named = board.parse(match["square"])
    except ValueError as error:
        raise UsageError(f'--tap "{text}": {error}') from error
    return SquareTap(named, place, match["unit"] == "px")


def from_overlay(overlay: Overlay, board: SquareBoard) -> LaidSquares:
    """The layout that a table file gives; what the players say is exact. Raises UsageError for a grid of hexes."""
    if overlay.grid != "square":
        raise UsageError(
            'The table file\'s [overlay] is a grid of hexes, and this board has squares: write grid = "square".'
        )
    layout = SquareLayout(overlay.size_in, overlay.origin, overlay.rotation_deg)
    return LaidSquares(layout, source="the table file", board=board)


def from_taps(
    squares: Sequence[Square], places: npt.ArrayLike, board: SquareBoard, spreads: npt.ArrayLike | None = None
) -> LaidSquares:
    """The layout in which squares have their centres at tapped places (n, 2), in table inches: two of them, or more.

    ``spreads`` (n, 2, 2) are the places' own covariances, which :data:`tabletop.overlay.laid.TAP_SIGMA_IN` is added to.
    Raises UsageError for fewer than two squares, the same square twice, and places that coincide.
    """
    at = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    noise = np.zeros((len(at), 2, 2)) if spreads is None else np.asarray(spreads, dtype=np.float64)
    if len(at) < 2 or len(set(squares)) < len(at):
        raise UsageError(
            f"--tap names {len(set(squares))} different squares in {len(at)} taps: tap two different ones, far apart."
        )
    try:
        layout = SquareLayout.fitted(squares, at)
    except ValueError as error:
        raise UsageError(f"--tap: {error}") from error
    centres: Array = layout.centres(squares)
    covariance = tapped_covariance(LaidSquares(layout, board=board), centres, noise, TAP_SIGMA_IN)
    residual = layout.rms_in(squares, at) if len(at) > 2 else None
    return LaidSquares(layout, covariance, f"{len(at)} tapped squares", residual, board=board)


def from_json(data: object, where: str, board: SquareBoard) -> LaidSquares:
    """The layout that an earlier reading wrote; raises SceneError."""
    if not isinstance(data, Mapping):
        raise SceneError(f"{where} has no layout: name a file that `tabletop overlay --json` wrote.")
    try:
        origin = data["origin"]
        layout = SquareLayout(float(data["size"]), (float(origin[0]), float(origin[1])), float(data["rotation"]))
        residual = data.get("residual")
        covariance = np.array(data["covariance"], dtype=np.float64)
        shown = None if residual is None else float(residual)
        chequered = bool(data.get("chequered", False))
        return LaidSquares(layout, covariance, str(data["source"]), shown, board=board, chequered=chequered)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise SceneError(f"{where} has a layout that can't be read: write it again with `tabletop overlay`.") from error


def farthest_in(a: LaidSquares, b: LaidSquares) -> float:
    """How far, at most, the same square of a board lies apart in two layouts (inches)."""
    squares = a.board.squares
    return float(np.linalg.norm(a.layout.centres(squares) - b.layout.centres(squares), axis=1).max())


__all__ = ["BY_LINES", "LaidSquares", "SquareTap", "farthest_in", "from_json", "from_overlay", "from_taps", "parse_tap"]
