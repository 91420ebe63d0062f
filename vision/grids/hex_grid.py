"""A board of hexes found by its lines on the rectified map of a photo with a known camera."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration import TableView
from geometry.hex_layout import HexLayout
from geometry.hex_rows import HexRows
from vision.grids.board_plane import BoardPlane, choose_plane
from vision.grids.detection import FoundGrid
from vision.grids.hex_plane import HexField, hex_candidates
from vision.grids.plane_fit import shrunk
from vision.grids.plane_search import BoardPlaneConfig, edge_points
from vision.imaging.colours import cielab
from vision.imaging.rectify import MapScale, Pixels, rectified_map
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]

NEXT = "Tap two of its hexes far apart instead, or give its place in the table file."
_TURNS = 3
_STEP_DEG = 0.5
_OFF = 0.06  # hexes: how far a board may be from a regular grid on the table's plane
_BEND_DEG = 1.0


def find_hex_grid(
    image: Pixels,
    view: TableView,
    table: tuple[float, float],
    rows: HexRows,
    config: BoardPlaneConfig | None = None,
) -> FoundGrid[HexLayout]:
    """The board of hexes on the table (width, depth; inches) of a photo: ``image`` as ``view`` took it.

    Row 1 is the near one, unless the board looks the same otherwise. Raises GridError where
    there is no convincing board of so many hexes, where it continues beyond them, or where there are two.
    """
    config = config or BoardPlaneConfig()
    grid = config.grid
    ppi = min(grid.most_ppi, grid.map_px / max(table))
    scale = MapScale(table[0], table[1], ppi)
    flat = rectified_map(image, view, table, px_per_inch=ppi)
    small, to_small = shrunk(flat, config.search_px / max(flat.shape[:2]))
    field = HexField(rows)
    candidates = [one for turn in _likely_turns(small) for one in hex_candidates(small, field, config, _points(turn))]
    try:
        found = choose_plane(flat, small, to_small, candidates, field, config)
    except GridError as error:
        raise GridError(str(error).partition(". ")[0] + f". {NEXT}") from error
    return _on_table(found, field, scale)


def _likely_turns(small: Pixels) -> list[float]:
    """The directions (degrees, 0 to 60) along which, and at 60 degrees to them, most edges of a map run."""
    edges = edge_points(cielab(small))
    angle = np.degrees(np.arctan2(edges.across[:, 0], -edges.across[:, 1])) % 60.0
    count = round(60.0 / _STEP_DEG)
    bins = np.bincount((angle / _STEP_DEG).astype(np.int64) % count, edges.weight, minlength=count)
    wide = round(_BEND_DEG / _STEP_DEG)
    smooth = np.sum([np.roll(bins, k) for k in range(-wide, wide + 1)], axis=0)
    found: list[float] = []
    for best in np.argsort(-smooth):
        turn = (float(best) + 0.5) * _STEP_DEG
        if all(min(abs(turn - other), 60.0 - abs(turn - other)) > 4 * _BEND_DEG for other in found):
            found.append(turn)
        if len(found) == _TURNS:
            break
    return found


def _points(turn_deg: float) -> list[Array]:
    """Three vanishing points (3,) at infinity, 60 degrees apart."""
    angles = np.radians(turn_deg + 60.0 * np.arange(3))
    return [np.array([np.cos(a), np.sin(a), 0.0]) for a in angles]


def _on_table(found: BoardPlane, field: HexField, scale: MapScale) -> FoundGrid[HexLayout]:
    """A board on a map as a layout in inches."""
    hexes = field.rows.hexes
    centres = scale.table_from_pixel(found.pixels(field.hexes.unit.centres(hexes)))
    layout = HexLayout.fit(hexes, centres)
    off = float(np.linalg.norm(layout.centres(hexes) - centres, axis=1).max())
    if off > _OFF * layout.size_in:
        raise GridError(
            f"No board of {field.words} was found: the best candidate is not a regular grid on the table, off by "
            f"{off:.1f}″. {NEXT}"
        )
    units = np.diag([layout.size_in] * 3 + [1.0])
    spread = units @ found.grid.covariance @ units
    spread[:2, :2] += off**2 / 4 * np.eye(2)
    residual = found.grid.residual_in * layout.size_in
    grid = found.grid
    return FoundGrid(layout, np.asarray(spread), grid.kind, residual, grid.found)
