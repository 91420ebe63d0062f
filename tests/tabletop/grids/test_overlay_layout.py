"""Where the board lies: given, tapped, fitted to hex-shaped terrain, taken over; and how surely."""

import numpy as np
import pytest
import shapely

from geometry.hex_layout import HexLayout
from tabletop.errors import UsageError
from tabletop.grids import placement
from tabletop.grids.hexes.fit import fitted_to
from tabletop.grids.placement import centre_board, from_taps
from tabletop.grids.table_terrain import TerrainPiece
from tabletop.rulesets.combined_arms.board import HEXES, NUMBER
from tabletop.rulesets.combined_arms.board_placement import CELLS

TABLE = (36.0, 36.0)


def hexes(*names: str) -> list:
    return [HEXES[NUMBER[name]] for name in names]


def test_a_board_is_known_best_between_its_taps() -> None:
    true = centre_board(CELLS, TABLE, 3.0).layout
    named = hexes("1-4", "9-4")
    laid = from_taps(CELLS, named, true.centres(named))
    spread = np.sqrt(np.trace(laid.spread_at(true.centres(hexes("5-6", "9-4", "5-1"))), axis1=1, axis2=2))
    assert spread[0] < spread[1] and spread[0] == pytest.approx(placement.TAP_SIGMA_IN, rel=0.01)
    assert laid.sigma_in >= spread.max() / np.sqrt(2) - 1e-9


def test_the_board_has_to_lie_on_the_table() -> None:
    size = CELLS.largest_size_in(TABLE)
    centre_board(CELLS, TABLE, size).check_fits(TABLE)
    with pytest.raises(UsageError, match=r"hex 5-1 reaches 1\.\d″ over its edge"):
        centre_board(CELLS, TABLE, size * 1.06).check_fits(TABLE)
    corners = centre_board(CELLS, TABLE, size).layout.corners(HEXES).reshape(-1, 2)
    assert corners.min() >= -1e-9 and corners[:, 0].max() == pytest.approx(36.0)


CLUSTERS = (
    ("woods", ("4-3", "4-4", "5-4")),
    ("hill", ("7-5", "7-6", "8-5")),
    ("town", ("3-7",)),
    ("woods", ("2-2", "2-3")),
)


def tiles(layout: HexLayout, noise_in: float, seed: int = 0) -> list[TerrainPiece]:
    """Terrain laid as hex tiles, its outlines read with some noise."""
    rng = np.random.default_rng(seed)
    found = []
    for n, (kind, names) in enumerate(CLUSTERS):
        shape = shapely.union_all(list(layout.polygons(hexes(*names))))
        ring = shapely.get_coordinates(shape.exterior.segmentize(0.7))[:-1]
        found.append(TerrainPiece(f"t{n}", kind, shapely.Polygon(ring + rng.normal(0, noise_in, ring.shape)).buffer(0)))
    return found


@pytest.mark.parametrize(("size", "turn", "noise"), [(2.6, -7.0, 0.1), (3.0, 0.0, 0.2)])
def test_hex_tiles_tell_the_grid(size: float, turn: float, noise: float) -> None:
    middle = HexLayout(size, (0.0, 0.0), turn)
    x, y = np.array([18.4, 17.8]) - middle.centres(HEXES).mean(axis=0)
    true = HexLayout(size, (float(x), float(y)), turn)
    laid = fitted_to(tiles(true, noise), CELLS, TABLE)
    off = np.linalg.norm(laid.layout.centres(HEXES) - true.centres(HEXES), axis=1).max()
    assert off < 0.15 and off < 3 * laid.sigma_in
    assert laid.residual_in is not None and laid.residual_in < 1.5 * noise + 0.02


def test_the_fitted_board_lies_nearest_to_the_middle() -> None:
    true = centre_board(CELLS, TABLE, 2.4).layout
    shifted = HexLayout(2.4, (float(true.centres(hexes("2-3"))[0][0]), float(true.centres(hexes("2-3"))[0][1])))
    on_table = [p for p in tiles(shifted, 0.02) if p.shape.bounds[3] < 36]
    laid = fitted_to(on_table, CELLS, TABLE)
    assert np.abs(laid.layout.centres(HEXES).mean(axis=0) - 18.0).max() < 1.25


def wavy(seed: int) -> list[TerrainPiece]:
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    found = []
    for n in range(4):
        radius = 4 + sum(rng.normal(0, 0.5) * np.cos(k * angle + rng.uniform(0, 6)) for k in (2, 3, 4))
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None] + rng.uniform(8, 28, 2)
        found.append(TerrainPiece(f"t{n}", "woods", shapely.Polygon(ring).buffer(0)))
    return found


def test_terrain_of_other_shapes_is_refused() -> None:
    with pytest.raises(UsageError, match=r"not hex-shaped enough: .* tap two hexes"):
        fitted_to(wavy(1), CELLS, TABLE)


def test_too_little_terrain_is_refused() -> None:
    one = shapely.union_all(list(centre_board(CELLS, TABLE, 3.0).layout.polygons(hexes("4-4"))))
    with pytest.raises(UsageError, match="too little"):
        fitted_to([TerrainPiece("t1", "woods", one)], CELLS, TABLE)
    with pytest.raises(UsageError, match="no terrain"):
        fitted_to([TerrainPiece("t1", "road", one)], CELLS, TABLE)
