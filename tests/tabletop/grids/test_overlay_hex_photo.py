"""The grid fitted to hex terrain that a drawn photograph shows: the whole way from pixels to the board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from geometry.hex_layout import HexLayout
from synthetic import tables
from synthetic.plan import random_plan
from synthetic.planned import Piece, TablePlan
from tabletop.grids.hexes.fit import fitted_to
from tabletop.grids.placement import centre_board
from tabletop.grids.table_terrain import terrain_of
from tabletop.referee.judging import observe_photos
from tabletop.rulesets.combined_arms.board import HEXES, NUMBER
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.overlay.terrain import terrain_of_hexes
from tabletop.tables.tablefile import load_table

TABLE = (36.0, 36.0)
MIDDLE = centre_board(CELLS, TABLE, 3.1).layout
TRUE = HexLayout(3.1, (MIDDLE.origin[0] + 0.4, MIDDLE.origin[1] - 0.3), 1.5)
TILES = (
    ("field", ("3-2", "3-3", "4-2")),
    ("woods", ("6-6", "6-7", "7-6")),
    ("field", ("7-2", "7-3")),
    ("woods", ("4-7", "5-8")),
)


def tile(n: int, kind: str, names: tuple[str, ...]) -> Piece:
    """A piece of terrain cut as hexes, trees on it where it is a wood."""
    cells = [HEXES[NUMBER[name]] for name in names]
    shape = shapely.union_all(list(TRUE.polygons(cells))).buffer(1e-6)
    rng = np.random.default_rng(n)
    trees = np.concatenate([TRUE.centres(cells) + rng.uniform(-0.8, 0.8, (len(cells), 2)) for _ in range(3)])
    ring = shapely.get_coordinates(shape.exterior.segmentize(0.4))[:-1]
    return Piece(kind, ring, 100 + n, stands=trees if kind == "woods" else None)


@pytest.mark.slow
def test_hex_tiles_on_a_photo_tell_the_grid_within_what_is_stated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_tiles(rng: np.random.Generator, **wished: Any) -> TablePlan:
        plan = random_plan(rng, **wished)
        pieces = tuple(tile(n, kind, names) for n, (kind, names) in enumerate(TILES))
        return replace(plan, pieces=pieces, units=(), things=())

    monkeypatch.setattr(tables, "random_plan", with_tiles)
    drawn = tables.draw(63, tables.Wish(size=TABLE, frame=True, megapixels=8))
    drawn.write(tmp_path)
    table = load_table(tmp_path / f"{drawn.name}.table.toml")
    seen = observe_photos([tmp_path / f"{drawn.name}.jpg"], table).observation
    ground = terrain_of(seen.to_json())
    laid = fitted_to(ground.pieces, CELLS, TABLE)
    off = np.linalg.norm(laid.layout.centres(HEXES) - TRUE.centres(HEXES), axis=1).max()
    assert off < 3 * laid.sigma_in and off < 0.5
    woods = {name for kind, names in TILES if kind == "woods" for name in names}
    read = terrain_of_hexes(ground, laid)
    assert {h.name for h in read if h.terrain.word == "woods" and not h.uncertain} <= woods
    assert woods <= {h.name for h in read if h.terrain.word == "woods" or h.uncertain}
