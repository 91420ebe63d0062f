"""Terrain by hex: the rules on shapes made for them, shares in two ways, and what makes a hex uncertain."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.grids.cell_shares import code_chances, measured_shares, places_in
from tabletop.grids.edge_trust import EdgeTrust
from tabletop.grids.placement import BoardPlacement, centre_board
from tabletop.grids.table_terrain import TableTerrain, TerrainPiece
from tabletop.rulesets.combined_arms.board import HEXES, NAMES, NUMBER
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.overlay.terrain import CODING, HexTerrain, terrain_of_hexes

LAID = centre_board(CELLS, (36.0, 36.0), 3.2)
CELL = LAID.layout.polygons(HEXES)
CENTRES = LAID.layout.centres(HEXES)


def hexes(*names: str) -> shapely.Geometry:
    return shapely.union_all([CELL[NUMBER[name]] for name in names])


def piece(kind: str, shape: shapely.Geometry, sigma: float = 0.0, sure: float = 1.0, name: str = "") -> TerrainPiece:
    return TerrainPiece(name or kind, kind, shape, sigma, sure)


def read(*pieces: TerrainPiece, laid: BoardPlacement = LAID) -> dict[str, str]:
    """The hexes that are not plain open ground."""
    found = terrain_of_hexes(TableTerrain(pieces), laid)
    return {h.name: str(h.terrain) for h in found if h.terrain != HexTerrain("open")}


def chances_of(ground: TableTerrain, laid: BoardPlacement) -> np.ndarray:
    return code_chances(ground, laid, CODING)


def ribbon(points: list[tuple[float, float]], width: float) -> shapely.Geometry:
    return shapely.LineString(points).buffer(width / 2, cap_style="flat")


def at(name: str, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
    x, y = CENTRES[NUMBER[name]]
    return float(x) + dx, float(y) + dy


def test_areas_make_the_hexes_that_they_fill_by_half() -> None:
    assert read(piece("woods", hexes("4-3", "4-4"))) == {"4-3": "woods", "4-4": "woods"}
    assert read(piece("hill", hexes("4-3")), piece("woods", hexes("4-3", "5-3"))) == {
        "4-3": "wooded crest",
        "5-3": "woods",
    }
    assert read(piece("town", hexes("7-2"))) == {"7-2": "farm"}
    assert read(piece("marsh", hexes("7-2"))) == {"7-2": "poor going"}
    assert read(piece("field", hexes("7-2"))) == {}
    assert read(piece("hill", hexes("6-2")), piece("town", hexes("6-2"))) == {"6-2": "farm"}
    assert read(piece("hill", hexes("6-2")), piece("marsh", hexes("6-2"))) == {"6-2": "crest"}


@pytest.mark.parametrize(("share", "word"), [(0.49, {}), (0.5, {"4-3": "woods"}), (0.51, {"4-3": "woods"})])
def test_half_counts_and_less_does_not(share: float, word: dict[str, str]) -> None:
    x, y = at("4-3")
    low, high = -1.6, 1.6
    for _ in range(60):  # where an upright cut leaves that share of the hex on its left
        middle = (low + high) / 2
        part = shapely.intersection(CELL[NUMBER["4-3"]], shapely.box(x - 9, y - 9, x + middle, y + 9)).area
        low, high = (middle, high) if part < share * CELL[0].area else (low, middle)
    wood = shapely.intersection(CELL[NUMBER["4-3"]], shapely.box(x - 9, y - 9, x + high, y + 9))
    assert read(piece("woods", wood)) == word


def test_two_small_woods_count_together() -> None:
    half = shapely.box(*[v + d for v, d in zip(at("4-3") * 2, (-9, -9, 0, 9), strict=True)])
    left = shapely.intersection(CELL[NUMBER["4-3"]], half).buffer(-0.15)
    right = shapely.difference(CELL[NUMBER["4-3"]], half).buffer(-0.15)
    assert read(piece("woods", left)) == {}
    assert read(piece("woods", left, name="a"), piece("woods", right, name="b")) == {"4-3": "woods"}


def test_a_road_runs_through_the_hexes_of_its_middle_line() -> None:
    along_row = ribbon([at("4-1", -5), at("4-10", 5)], 0.8)
    assert list(read(piece("road", along_row))) == [f"4-{k}" for k in range(1, 11)]
    up = ribbon([at("1-4", 0.2, -5), at("9-4", 0.2, 5)], 1.5)
    through = [name for name, word in read(piece("road", up)).items() if word == "road"]
    assert through == ["1-4", "2-5", "3-5", "4-6", "5-6", "6-6", "7-5", "8-5", "9-4"]


def test_a_corner_that_is_clipped_is_no_road_hex() -> None:
    x, y = at("5-6")
    top = (x, y + 3.2 / math.sqrt(3.0))
    clip = ribbon([(top[0] - 3, top[1] - 0.15), (top[0] + 3, top[1] - 0.15)], 0.4)
    assert "5-6" not in read(piece("road", clip))


def test_rivers_are_poor_going_but_where_the_road_crosses() -> None:
    river = piece("river", ribbon([at("4-1", -5), at("4-10", 5)], 1.5))
    assert read(river) == {f"4-{k}": "poor going" for k in range(1, 11)}
    road = piece("road", ribbon([at("2-4", 0, -4), at("4-5"), at("6-6", 0, 4)], 1.0))
    crossed = read(river, road)
    assert crossed["4-5"] == "road" and crossed["4-4"] == "poor going"
    bridge = piece("bridge", shapely.box(*[v + d for v, d in zip(at("4-7") * 2, (-0.6, -1.3, 0.6, 1.3), strict=True)]))
    assert read(river, bridge)["4-7"] == "road" and read(river, bridge)["4-6"] == "poor going"


def test_a_road_through_woods_leaves_them_woods() -> None:
    road = piece("road", ribbon([at("4-1", -5), at("4-10", 5)], 0.8))
    assert read(road, piece("woods", hexes("4-3")))["4-3"] == "woods + road"
    assert read(road, piece("marsh", hexes("4-3")))["4-3"] == "road"


wobbly = st.lists(st.floats(0.6, 1.4), min_size=7, max_size=12)


def blob(radii: list[float], x: float, y: float, size: float) -> shapely.Polygon:
    angle = np.linspace(0, 2 * np.pi, len(radii), endpoint=False)
    ring = np.array(radii)[:, None] * size * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return shapely.Polygon(ring + np.array([x, y]))


kinds = st.sampled_from(["woods", "hill", "town", "marsh", "river", "road", "field"])
blobs = st.builds(blob, wobbly, st.floats(8, 28), st.floats(8, 28), st.floats(1.5, 5.0))
grounds = st.lists(st.tuples(kinds, blobs), min_size=1, max_size=4)


@given(grounds)
@settings(max_examples=25)
def test_exact_shares_are_those_of_places_counted(shapes: list[tuple[str, shapely.Polygon]]) -> None:
    ground = TableTerrain(tuple(piece(kind, shape, name=str(n)) for n, (kind, shape) in enumerate(shapes)))
    told = measured_shares(ground, LAID, CODING.kinds)
    places = places_in(LAID)
    for kind in ("woods", "hill", "town", "marsh"):
        inside = np.zeros(places.shape[:2], dtype=bool)
        for other, shape in shapes:
            if other == kind:
                inside |= shapely.contains_xy(shape, places.reshape(-1, 2)).reshape(inside.shape)
        assert np.abs(inside.mean(axis=1) - told.shares[kind]).max() < 0.06


@given(blobs, st.sampled_from(["woods", "town", "marsh", "hill"]), st.floats(0.02, 0.5), st.floats(1.0, 3.0))
@settings(max_examples=10)
def test_growing_sigma_never_removes_a_flag(shape: shapely.Polygon, kind: str, sigma: float, factor: float) -> None:
    before = terrain_of_hexes(TableTerrain((piece(kind, shape, sigma),)), LAID)
    after = terrain_of_hexes(TableTerrain((piece(kind, shape, sigma * factor),)), LAID)
    assert {h.name for h in before if h.uncertain} <= {h.name for h in after if h.uncertain}


def test_the_chance_is_that_of_the_edge_to_lie_past_the_limit() -> None:
    """A straight edge across a hex: the chance that more than half is covered, worked out by hand."""
    x, y = at("5-6")
    for offset in (-0.2, -0.05, 0.1, 0.3):
        wood = shapely.box(x - 9, y - 9, x + offset, y + 9)
        sigma = 0.4
        counted = EdgeTrust().averaged * sigma
        exact = 0.5 * (1 + math.erf(offset / counted / math.sqrt(2.0)))
        chances = chances_of(TableTerrain((piece("woods", wood, sigma),)), LAID)
        assert chances[NUMBER["5-6"], HexTerrain("woods").code] == pytest.approx(exact, abs=0.06)


def test_a_kind_in_doubt_leaves_its_hexes_open_and_only_these() -> None:
    ground = TableTerrain(
        (piece("woods", hexes("4-3"), 0.05, 0.6, "t1"), piece("woods", hexes("7-3"), 0.05, 0.96, "t2"))
    )
    found = {h.name: h for h in terrain_of_hexes(ground, LAID)}
    assert [name for name in NAMES if found[name].uncertain] == ["4-3"]
    assert found["4-3"].open_pieces == ("t1",) and not found["4-3"].edges_open
    assert found["4-3"].terrain == HexTerrain("woods") and found["4-3"].chance == pytest.approx(0.6, abs=0.05)
    assert [str(cell) for cell, _ in found["4-3"].answers] == ["woods", "open"]


def test_far_edges_of_high_things_are_known_worse() -> None:
    trust, eyes = EdgeTrust(), np.array([[18.0, -20.0, 35.0]])
    places, away = np.array([[18.0, 12.0], [18.0, 20.0]]), np.array([[0.0, -1.0], [0.0, 1.0]])
    near, far = trust.sigma_in("woods", 0.3, places, away, eyes)
    assert near == pytest.approx(0.24) and far > 1.5 * near
    both = trust.sigma_in("woods", 0.3, places, away, np.vstack([eyes, [[18.0, 56.0, 35.0]]]))
    assert both == pytest.approx([0.24, 0.24])  # seen from both sides nothing is hidden
    assert (trust.sigma_in("woods", 0.0, places, away, eyes) == 0).all()
    assert trust.sigma_in("hill", 0.1, places, away, np.zeros((0, 3)))[0] == pytest.approx(0.7)
