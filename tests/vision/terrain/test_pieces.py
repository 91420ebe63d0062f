"""Terrain pieces from maps of shares: outlines, overlaps, ids, confidence, gaps."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.tables.scene import scene_from_json
from tests.support.ground_scenes import PX, blob, box, filled, maps_of, way
from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.pieces import KINDS, GroundMaps, mask_of, pieces_of, terrain_from
from vision.terrain.tracing import iou

TABLE = shapely.box(0, 0, 36, 36)
CLEAR = [
    ("woods", blob(7, 28, 3.2, 1)),
    ("woods", blob(28, 6, 3.5, 2)),
    ("town", blob(19, 23, 4, 3)),
    ("field", box(29, 29, 6, 4, 25)),
    ("field", blob(6, 5, 2.2, 5)),
    ("marsh", blob(31, 18, 2.6, 6)),
    ("hill", blob(11, 14, 3.8, 7)),
    ("hill top", blob(11, 14, 2.1, 7)),
    ("road", way([(0, 20), (8, 20), (18, 24), (22, 30), (20, 37)], 1.7)),
    ("road", way([(18, 24), (20, 16), (17, 8), (18, -1)], 1.5)),
    ("river", way([(-1, 10), (9, 9), (18, 6), (26, 11), (37, 12)], 2.0)),
    ("bridge", box(17.3, 6.4, 2.4, 3.2, 5)),
]


def shape_of(pieces: tuple[ExpectedTerrain, ...], kind: str) -> shapely.Geometry:
    return shapely.union_all([shapely.Polygon(p.polygon) for p in pieces if p.kind == kind])


def truth_of(shapes: list[tuple[str, shapely.Polygon]], kind: str) -> shapely.Geometry:
    return shapely.union_all([s for k, s in shapes if k == kind]).intersection(TABLE)


def check_usable(pieces: tuple[ExpectedTerrain, ...], size: tuple[float, float] = (36.0, 36.0)) -> None:
    """What every list of pieces owes: ids in order, few corners on the table, no crossings, honest numbers."""
    assert [p.id for p in pieces] == [f"t{k}" for k in range(1, len(pieces) + 1)]
    for p in pieces:
        ring = np.array(p.polygon)
        assert 3 <= len(ring) <= 90
        assert shapely.Polygon(ring).is_valid
        assert ring.min() >= 0 and ring[:, 0].max() <= size[0] and ring[:, 1].max() <= size[1]
        assert 0 <= p.confidence <= 1 and p.sigma_in >= 0.05
    entries = [{"id": p.id, "kind": p.kind, "polygon": [list(q) for q in p.polygon]} for p in pieces]
    table = {"width": size[0], "depth": size[1]}
    scene_from_json({"version": 1, "table": table, "units": [], "terrain": entries})


@pytest.mark.parametrize(("blur_in", "noise"), [(0.12, 0.0), (0.2, 0.05)])
def test_every_kind_is_drawn_as_it_lies(blur_in: float, noise: float) -> None:
    pieces = terrain_from(maps_of(CLEAR, blur_in=blur_in, noise=noise))
    check_usable(pieces)
    for kind in KINDS:
        assert iou(shape_of(pieces, kind), truth_of(CLEAR, kind)) > 0.95, kind
    assert [p.kind for p in pieces].count("woods") == 2
    assert [p.kind for p in pieces].count("road") == 2  # one through the town, one that ends on it
    hill = next(p for p in pieces if p.kind == "hill")
    assert hill.hill_top is not None
    assert iou(shapely.Polygon(hill.hill_top), truth_of(CLEAR, "hill top")) > 0.95
    assert all(7 <= len(p.polygon) <= 40 for p in pieces if p.kind in ("woods", "town", "hill", "marsh"))


def test_a_straight_field_and_a_bridge_have_four_corners() -> None:
    pieces = terrain_from(maps_of(CLEAR, noise=0.03))
    corners = sorted(len(p.polygon) for p in pieces if p.kind in ("field", "bridge"))
    assert corners[:2] == [4, 4] and corners[2] > 7


def test_sigma_is_the_blur_and_confidence_the_share() -> None:
    narrow, wide = (terrain_from(maps_of([("woods", blob(18, 18, 5))], blur_in=b, peak=0.9)) for b in (0.15, 0.5))
    assert narrow[0].sigma_in == pytest.approx(0.17, abs=0.04)
    assert wide[0].sigma_in == pytest.approx(0.5, abs=0.1)
    assert narrow[0].confidence == pytest.approx(0.9, abs=0.04)


def test_ids_go_from_far_to_near_and_left_to_right() -> None:
    shapes = [("woods", blob(x, y, 2)) for x, y in ((28, 6), (6, 30), (26, 29), (8, 7))]
    middles = [shapely.Polygon(p.polygon).centroid for p in terrain_from(maps_of(shapes))]
    assert [(m.x > 18, m.y > 18) for m in middles] == [(False, True), (True, True), (False, False), (True, False)]


def test_gaps_under_bases_are_bridged() -> None:
    shapes = [("woods", blob(20, 22, 4, 3)), ("road", way([(0, 10), (18, 12), (37, 8)], 1.7))]
    bases = [box(20, 22, 2.2, 1.25, 20), box(8, 10.6, 1.5, 2.5, 10), box(23.2, 23.5, 2, 1.25, 60)]
    maps = maps_of(shapes, noise=0.03, holes=bases)
    covered = mask_of(shapely.union_all([b.buffer(0.1) for b in bases]), maps.scale)
    for kind, least in (("woods", 0.93), ("road", 0.93)):
        assert iou(shape_of(terrain_from(maps), kind), truth_of(shapes, kind)) > least
        assert iou(shape_of(terrain_from(maps, covered=covered), kind), truth_of(shapes, kind)) > 0.95
    assert len(terrain_from(maps)) == 2


def test_what_lies_under_bases_alone_is_no_terrain() -> None:
    bases = [box(10 + 2.1 * k, 20, 2.0, 2.4, 0) for k in range(3)]
    together = shapely.union_all([b.buffer(0.15) for b in bases])
    maps = maps_of([("marsh", together), ("woods", blob(27, 10, 3.5, 3)), ("woods", blob(9, 7, 3.0, 4))])
    covered = mask_of(shapely.union_all([*bases, box(27, 10, 4.2, 2.4, 0)]), maps.scale)
    assert sorted(p.kind for p in terrain_from(maps)) == ["marsh", "woods", "woods"]
    assert [p.kind for p in terrain_from(maps, covered=covered)] == ["woods", "woods"]


def test_a_road_goes_on_across_a_bridge_that_hides_it() -> None:
    road, bridge = way([(0, 18), (18, 19), (37, 17)], 1.6), box(18, 19, 3.5, 2.2, 2)
    river = way([(17, -1), (18, 19), (20, 37)], 2.0)
    cut = shapely.difference(road, bridge), shapely.difference(river, bridge)
    shapes = [("road", p) for p in shapely.get_parts(cut[0])] + [("river", p) for p in shapely.get_parts(cut[1])]
    pieces = terrain_from(maps_of([*shapes, ("bridge", bridge)]))
    assert sorted(p.kind for p in pieces) == ["bridge", "river", "road"]
    assert iou(shape_of(pieces, "road"), road.intersection(TABLE)) > 0.95
    assert iou(shape_of(pieces, "river"), river.intersection(TABLE)) > 0.95


@given(slant=st.floats(-50, 50), road_wide=st.floats(1.2, 2.2), river_wide=st.floats(1.2, 3.0), shift=st.floats(-5, 5))
@settings(max_examples=6, deadline=None)
def test_a_road_that_is_seen_across_a_river_has_a_bridge_there(
    slant: float, road_wide: float, river_wide: float, shift: float
) -> None:
    lean = float(np.tan(np.radians(slant)))
    road = way([(-1, 18), (37, 18)], road_wide)
    river = way([(18 + shift - 19 * lean, -1), (18 + shift + 19 * lean, 37)], river_wide)
    pieces = terrain_from(maps_of([("road", road), ("river", shapely.difference(river, road))]))
    assert sorted(p.kind for p in pieces) == ["bridge", "river", "road"]
    bridge = next(p for p in pieces if p.kind == "bridge")
    deck, wet = shapely.Polygon(bridge.polygon), road.intersection(river)
    assert deck.intersection(wet).area > 0.97 * wet.area
    assert abs(deck.centroid.x - 18 - shift) < 0.3 and abs(deck.centroid.y - 18) < 0.15
    assert deck.area < 2.2 * wet.area + 4 and bridge.sigma_in >= 0.2
    ford = terrain_from(maps_of([("road", shapely.difference(road, river)), ("river", river)]))
    assert {p.kind for p in ford} == {"river", "road"}


@pytest.mark.parametrize("looks", ["river", "road"])
@pytest.mark.parametrize(("start", "end"), [(-0.1, 0.25), (0.3, 0.62), (0.6, 1.1)])
def test_a_stretch_in_the_glare_keeps_the_kind_of_its_course(looks: str, start: float, end: float) -> None:
    other = {"river": "road", "road": "river"}[looks]
    course, across = way([(-1, 10), (12, 14), (24, 12), (37, 15)], 1.9), way([(17, -1), (20, 20), (19, 37)], 1.6)
    strip = shapely.box(36 * start, -5, 36 * end, 45)
    shapes = [(looks, shapely.difference(course, strip)), (other, shapely.intersection(course, strip))]
    parts = [(kind, p) for kind, shape in shapes for p in shapely.get_parts(shape)]
    pieces = terrain_from(maps_of(parts))
    assert [p.kind for p in pieces] == [looks]
    assert iou(shape_of(pieces, looks), course.intersection(TABLE)) > 0.93
    crossed = terrain_from(maps_of([*parts, (other, across)]))
    assert iou(shape_of(crossed, looks), course.intersection(TABLE)) > 0.85
    assert iou(shape_of(crossed, other), across.intersection(TABLE)) > 0.85


def test_crossing_roads_are_two_and_a_ring_has_no_hole() -> None:
    crossing = [("road", way([(0, 10), (18, 14), (37, 9)], 1.7)), ("road", way([(12, 37), (18, 14), (22, -1)], 1.7))]
    pieces = terrain_from(maps_of(crossing))
    assert len(pieces) == 2
    assert iou(shape_of(pieces, "road"), truth_of(crossing, "road")) > 0.95
    ring = shapely.Point(18, 18).buffer(9).difference(shapely.Point(18, 18).buffer(7.4))
    values = filled(shapely.Polygon(ring.exterior), MapScale(36, 36, PX)) - filled(
        shapely.Polygon(ring.interiors[0]), MapScale(36, 36, PX)
    )
    pieces = pieces_of("road", values, MapScale(36, 36, PX))
    check_usable(pieces)
    assert iou(shape_of(pieces, "road"), ring) > 0.93


def test_neighbours_that_overlap_a_little_are_parted() -> None:
    shapes = [("woods", blob(14, 18, 4, 1)), ("field", box(20, 18, 7, 6, 0))]
    maps = maps_of(shapes)
    pieces = terrain_from(maps)
    assert sorted(p.kind for p in pieces) == ["field", "woods"]
    assert shape_of(pieces, "woods").intersection(shape_of(pieces, "field")).area < 0.5


def test_specks_and_weak_shares_are_no_terrain() -> None:
    shapes = [("woods", blob(10, 10, 0.4)), ("road", box(20, 20, 1, 0.8, 0))]
    assert terrain_from(maps_of(shapes)) == ()
    assert terrain_from(maps_of([("woods", blob(10, 10, 4))], peak=0.6)) == ()
    assert terrain_from(maps_of([])) == ()


def test_what_the_photo_does_not_show_is_carried_on_a_little_only() -> None:
    maps = maps_of([("river", way([(-1, 18), (18, 18), (37, 18)], 2.0)), ("woods", blob(18, 8, 4))])
    maps.hidden[:, : round(6 * PX)] = True
    maps.share[:, maps.hidden] = 0.5
    pieces = terrain_from(maps)
    assert sorted(p.kind for p in pieces) == ["river", "woods"]
    assert terrain_from(replace(maps, hidden=np.ones_like(maps.hidden))) == ()


def test_hill_heights_are_given_in_the_order_of_ids() -> None:
    maps = maps_of([("hill", blob(9, 27, 4)), ("hill", blob(27, 9, 4))])
    assert [p.height for p in terrain_from(maps)] == [0.0, 0.0]
    assert [p.height for p in terrain_from(maps, hill_heights=0.5)] == [0.5, 0.5]
    assert [p.height for p in terrain_from(maps, hill_heights=(1.0, 2.0))] == [1.0, 2.0]


@settings(max_examples=4)
@given(seed=st.integers(0, 10_000), scale=st.floats(3.0, 12.0))
def test_any_map_gives_usable_terrain(seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    share = np.stack([np.kron(random.random((6, 6)), np.ones((16, 16))) for _ in range(len(KINDS) + 1)])
    size = MapScale(96 / scale, 96 / scale, scale)
    pieces = terrain_from(GroundMaps(share.astype(np.float32), size, random.random((96, 96)) < 0.05))
    check_usable(pieces, (96 / scale, 96 / scale))


def test_maps_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"need share \(9, 288, 288\)"):
        GroundMaps(np.zeros((8, 288, 288), np.float32), MapScale(36, 36, PX), np.zeros((288, 288), bool))
