"""Terrain told by likeness to settled tables, with features made up: what is learnt, and when it counts."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import shapely

from tests.paths import ROOT
from vision.terrain.pieces import KINDS

sys.path.insert(0, str(ROOT / "scripts" / "train"))
from ground_reader import STRIDES, Sight
from terrain_likeness import (
    LikenessConfig,
    SettledTable,
    TerrainLikeness,
    by_likeness,
    cell_figures,
    cell_kinds,
    learn_terrain,
    mat_distance,
)

SIZE = (24.0, 16.0)  # at 8 pixels per inch (128, 192), of which 64 x 96 quarter-inch cells
ROWS, COLUMNS = 128, 192
WOOD, FIELD = shapely.box(2, 2, 8, 8), shapely.box(14, 6, 20, 12)
LOOKS = {"woods": 3.0, "field": -3.0, "town": 6.0}


def sight_of(*pieces: tuple[str, shapely.Geometry], mat: float = 1.0, seed: int = 1) -> Sight:
    """What an encoder with two features of each size would make of a table: one is the kind's look, one is noise."""
    rng = np.random.default_rng(seed)
    features = []
    for stride in STRIDES:
        rows, columns = 2 * ROWS // stride, 2 * COLUMNS // stride
        x = (np.arange(columns) + 0.5) * stride / 16
        y = SIZE[1] - (np.arange(rows) + 0.5) * stride / 16
        look = np.full((rows, columns), mat)
        for kind, shape in pieces:
            low_x, low_y, high_x, high_y = shape.bounds
            there = ((y > low_y) & (y < high_y))[:, None] & ((x > low_x) & (x < high_x))[None, :]
            look[there] = mat + LOOKS[kind]
        features.append(np.stack([look + rng.normal(0, 0.3, look.shape), rng.normal(0, 1, look.shape)]))
    made = tuple(one.astype(np.float32) for one in features)
    return Sight(made, tuple(np.median(one.reshape(2, -1), axis=1) for one in made))


def settled(*pieces: tuple[str, shapely.Geometry], covered: tuple[shapely.Geometry, ...] = ()) -> SettledTable:
    plan = np.zeros((2 * ROWS, 2 * COLUMNS, 3), np.uint8)
    return SettledTable(plan, np.ones((ROWS, COLUMNS), bool), SIZE, pieces, covered)


@pytest.fixture(scope="module")
def known() -> TerrainLikeness:
    pieces = (("woods", WOOD), ("field", FIELD))
    learnt = learn_terrain([(settled(*pieces), sight_of(*pieces))])
    assert learnt is not None
    return learnt


def nets_say(**shares: float) -> np.ndarray:
    """The nets' shares, everywhere the same."""
    out = np.full((len(KINDS) + 1, ROWS, COLUMNS), 0.02, np.float32)
    for kind, share in shares.items():
        out[KINDS.index(kind)] = share
    return out


def at(x: float, y: float) -> tuple[int, int]:
    return round((SIZE[1] - y) * 8), round(x * 8)


def test_cells_are_learnt_where_they_plainly_show_one_thing() -> None:
    table = settled(("woods", WOOD), ("bridge", shapely.box(10, 2, 11, 3)), covered=(shapely.box(3, 3, 4, 4),))
    cells = cell_kinds(table, 64, 96, LikenessConfig())
    assert cells.shape == (64, 96)
    row, column = (16 - 6) * 4, 5 * 4
    assert cells[row, column] == 2  # woods, second of those that are learnt
    assert cells[4, 60] == 0 and (cells == -1).any()
    assert cells[(16 - 3) * 4 - 2, 3 * 4 + 2] == -1  # under a base
    assert cells[(16 - 2) * 4 - 2, 10 * 4 + 2] == -1  # on a bridge
    assert cells[row, 8 * 4] == -1  # the wood's edge


def test_what_was_settled_is_known_again_elsewhere(known: TerrainLikeness) -> None:
    assert known.kinds == ("nothing", "woods", "field")
    elsewhere = sight_of(("woods", shapely.box(12, 2, 18, 8)), ("field", shapely.box(2, 8, 8, 14)), seed=2)
    share = known.shares(elsewhere)
    assert share.shape == (3, 64, 96) and np.allclose(share.sum(axis=0), 1.0, atol=1e-5)
    assert share[1, (16 - 5) * 4, 15 * 4] > 0.9 and share[2, (16 - 11) * 4, 5 * 4] > 0.9
    assert share[0, (16 - 14) * 4, 20 * 4] > 0.9
    assert known.familiarity(elsewhere) == 1.0


def test_a_kind_that_the_nets_mistake_is_put_right(known: TerrainLikeness) -> None:
    sight = sight_of(("woods", WOOD), ("field", FIELD), seed=3)
    out = by_likeness(nets_say(town=0.8, woods=0.3), sight, known)
    y, x = at(5, 5)
    assert out[KINDS.index("woods"), y, x] > 0.6 > 0.4 > out[KINDS.index("town"), y, x]
    y, x = at(11, 14)  # bare mat: likeness knows no towns, and what it shows is nothing
    assert out[KINDS.index("woods"), y, x] < 0.1
    assert out[KINDS.index("town"), y, x] == pytest.approx(0.8, abs=0.06)


def test_hills_and_bridges_stay_as_the_nets_see_them(known: TerrainLikeness) -> None:
    shares = nets_say(hill=0.7, bridge=0.4)
    out = by_likeness(shares, sight_of(("woods", WOOD), seed=4), known)
    for kind in ("hill", "bridge"):
        assert np.array_equal(out[KINDS.index(kind)], shares[KINDS.index(kind)])
    assert np.array_equal(out[-1], shares[-1])


def test_a_strange_mat_leaves_everything_to_the_nets(known: TerrainLikeness) -> None:
    strange = sight_of(("woods", WOOD), mat=9.0)
    shares = nets_say(town=0.8)
    assert known.familiarity(strange) == 0.0
    assert by_likeness(shares, strange, known) is shares


def test_a_table_without_terrain_teaches_nothing() -> None:
    assert learn_terrain([(settled(), sight_of())]) is None
    assert learn_terrain([]) is None
    both = learn_terrain([(settled(), sight_of()), (settled(("field", FIELD)), sight_of(("field", FIELD)))])
    assert both is not None and both.kinds == ("nothing", "field") and len(both.mats) == 2


def test_the_same_tables_teach_the_same() -> None:
    pieces = (("woods", WOOD),)
    one, two = (learn_terrain([(settled(*pieces), sight_of(*pieces))]) for _ in range(2))
    assert one is not None and two is not None and np.array_equal(one.weights, two.weights)


def test_figures_are_of_one_size_and_mats_differ_by_how_they_look() -> None:
    sight = sight_of()
    assert cell_figures(sight).shape == (2 * 2 * len(STRIDES), 64, 96)
    mats = [np.concatenate(sight_of(mat=m).mats) for m in (1.0, 1.05, 4.0)]
    assert mat_distance(mats[0], mats[0]) == 0.0
    assert mat_distance(mats[0], mats[1]) < 0.2 < mat_distance(mats[0], mats[2])
