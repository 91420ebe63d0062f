"""Where the board of 79 hexes lies on a table, and how surely: given, tapped, or taken over from an earlier reading."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.hexes import Hex
from tabletop.cells import hex_cells
from tabletop.errors import SceneError, UsageError
from tabletop.overlay.placed import Placed, tapped_covariance
from tabletop.rulesets.combined_arms.board import HEXES, ROWS
from tabletop.tablefile import Overlay

Array = npt.NDArray[np.float64]

TAP_SIGMA_IN = 0.1
"""One standard deviation, along x and along y, of where a person points for the centre of a hex."""
CELLS = hex_cells(ROWS)
"""The board's hexes."""

_TAP = re.compile(r"(?P<hex>[^@]+)@\s*(?P<x>[-+0-9.eE]+)\s*,\s*(?P<y>[-+0-9.eE]+)\s*(?P<unit>px|in)?\s*")


@dataclass(frozen=True, eq=False)
class Laid(Placed):
    """A hex layout with the covariance (4, 4) of its origin (x, y in inches), size (inches) and rotation (degrees).

    ``source`` says in a few words where it comes from; ``residual_in`` is how far, root mean square, what it was fitted
    to lies from it, ``None`` where nothing was fitted.

    >>> sure = np.diag([0.01, 0.01, 0.0, 0.0])
    >>> Laid(HexLayout(3.0, (5.0, 5.0)), sure).spread_at([[9.0, 1.0]]).round(3).tolist()
    [[[0.01, 0.0], [0.0, 0.01]]]
    """

    layout: HexLayout

    @property
    def sigma_in(self) -> float:
        """The largest standard deviation, along any direction, of any of the board's hexes, in inches."""
        return self.largest_sigma_in(self.layout.centres(HEXES))


@dataclass(frozen=True)
class HexTap:
    """A hex that a player pointed at: its name, and the place, in inches on the table or (``in_pixels``) in pixels of
    the upright photo."""

    hex: Hex
    place: tuple[float, float]
    in_pixels: bool = False


def parse_tap(text: str) -> HexTap:
    """A tap as it is typed: "1-1@3.5,2.0" in table inches, "9-7@2310,480px" in pixels of the upright photo.

    Raises UsageError.

    >>> parse_tap("1-2@3.5,2.0").place, parse_tap("1-1@310,480px").in_pixels
    ((3.5, 2.0), True)
    """
    match = _TAP.fullmatch(text.strip())
    wanted = 'write hex and place as "1-1@3.5,2.0" (inches) or "1-1@310,480px" (pixels of the upright photo)'
    if match is None:
        raise UsageError(f'--tap-hex "{text}": {wanted}.')
    try:
        place = float(match["x"]), float(match["y"])
    except ValueError as error:
        raise UsageError(f'--tap-hex "{text}": {wanted}.') from error
    if not all(math.isfinite(v) for v in place):
        raise UsageError(f'--tap-hex "{text}": {wanted}.')
    try:
        named = ROWS.parse(match["hex"])
    except ValueError as error:
        raise UsageError(f'--tap-hex "{text}": {error}') from error
    return HexTap(named, place, match["unit"] == "px")


def from_overlay(overlay: Overlay) -> Laid:
    """The layout that a table file gives; what the players say is exact. Raises UsageError for a square grid."""
    if overlay.grid != "hex":
        raise UsageError('The table file\'s [overlay] is a square grid, and this board has hexes: write grid = "hex".')
    return Laid(HexLayout(overlay.size_in, overlay.origin, overlay.rotation_deg), source="the table file")


def from_taps(hexes: Sequence[Hex], places: npt.ArrayLike, spreads: npt.ArrayLike | None = None) -> Laid:
    """The layout in which hexes have their centres at tapped places (n, 2), in table inches: two of them, or more.

    ``spreads`` (n, 2, 2) are the places' own covariances, which :data:`TAP_SIGMA_IN` is added to. The covariance is
    that of the least-squares solution, which is linear in the places. Raises UsageError for fewer than two hexes, the
    same hex twice, and places that coincide.
    """
    at = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    noise = np.zeros((len(at), 2, 2)) if spreads is None else np.asarray(spreads, dtype=np.float64)
    if len(at) < 2 or len(set(hexes)) < len(at):
        raise UsageError(
            f"--tap-hex names {len(set(hexes))} different hexes in {len(at)} taps: tap two different ones, far apart."
        )
    try:
        layout = HexLayout.fitted(hexes, at)
    except ValueError as error:
        raise UsageError(f"--tap-hex: {error}") from error
    covariance = tapped_covariance(Laid(layout), layout.centres(hexes), noise, TAP_SIGMA_IN)
    residual = layout.rms_in(hexes, at) if len(at) > 2 else None
    return Laid(layout, covariance, f"{len(at)} tapped hexes", residual)


def from_json(data: object, where: str) -> Laid:
    """The layout that an earlier reading wrote; raises SceneError."""
    if not isinstance(data, Mapping):
        raise SceneError(f"{where} has no layout: name a file that `tabletop overlay --json` wrote.")
    try:
        origin = data["origin"]
        layout = HexLayout(float(data["size"]), (float(origin[0]), float(origin[1])), float(data["rotation"]))
        residual = data.get("residual")
        return Laid(
            layout,
            np.array(data["covariance"], dtype=np.float64),
            str(data["source"]),
            None if residual is None else float(residual),
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise SceneError(f"{where} has a layout that can't be read: write it again with `tabletop overlay`.") from error


def check_fits(laid: Laid, table: tuple[float, float]) -> None:
    """Raise UsageError where the board reaches over the table's edge by more than :data:`tabletop.cells.SLACK_IN`."""
    CELLS.check_fits(laid.layout, table, laid.source)


def largest_size_in(table: tuple[float, float]) -> float:
    """The largest hexes, unturned, with which the board fits on a table (inches).

    >>> round(largest_size_in((36.0, 36.0)), 2)
    3.27
    """
    return CELLS.largest_size_in(table)


def centred(table: tuple[float, float], size_in: float) -> Laid:
    """The board with hexes of a size, unturned, in the middle of a table (inches).

    >>> [round(v, 3) for v in centred((36.0, 36.0), 3.2).layout.origin]
    [8.4, 6.915]
    """
    middle = HexLayout(size_in, (0.0, 0.0)).centres(HEXES).mean(axis=0)
    x, y = np.array(table) / 2 - middle
    return Laid(HexLayout(size_in, (float(x), float(y))), source="the middle of the table")


def farthest_in(a: Laid, b: Laid) -> float:
    """How far, at most, the same hex of the board lies apart in two layouts (inches)."""
    return float(np.linalg.norm(a.layout.centres(HEXES) - b.layout.centres(HEXES), axis=1).max())
