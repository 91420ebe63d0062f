"""Terrain of a photo from what the net says: several photos, papers, taps, heights of hills. The net is made up."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import shapely

from calibration import FrameLayout
from tests.support.ground_scenes import FELT, blob, box, maps_of, painted, photographed
from tests.support.table_scenes import looking_at
from vision.imaging.rectify import MapScale
from vision.model.expected import Expected, ExpectedTerrain
from vision.terrain import ground_sight
from vision.terrain.ground import (
    Reading,
    StandingBase,
    finish_pieces,
    merge_maps,
    read_ground,
)
from vision.terrain.ground_nets import Said
from vision.terrain.ground_sight import lean_planes
from vision.terrain.joint_ground import join_ground
from vision.terrain.pieces import GroundMaps, terrain_from
from vision.terrain.taps import Tap, parse_line

SIZE = (24.0, 24.0)
VIEW = looking_at(1600, 1200, target=(12.0, 12.0), distance_in=40.0, elevation_deg=70.0)
photo_of = partial(photographed, VIEW, SIZE)


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch):
    """Lets a test say what the net answers, whatever it is shown."""

    def answer(*maps: GroundMaps) -> None:
        rest = list(maps)

        def nets(*_shown: object) -> Said:
            share = rest.pop(0).share if len(rest) > 1 else rest[0].share
            return Said(share, share[None])

        monkeypatch.setattr(ground_sight, "ground_nets", lambda: nets)

    return answer


def test_several_photos_fill_each_other_in() -> None:
    wood = blob(12, 12, 4)
    first, second = maps_of([("woods", wood)], SIZE), maps_of([("woods", wood)], SIZE)
    half = np.zeros(first.hidden.shape, bool)
    half[:, : half.shape[1] // 2] = True
    left = GroundMaps(first.share * ~half, first.scale, half)
    right = GroundMaps(second.share * half, second.scale, ~half)
    both = merge_maps([left, right])
    assert not both.hidden.any()
    assert np.allclose(both.share, first.share, atol=1e-6)
    assert merge_maps([left]) is left


def test_lean_points_away_from_the_camera() -> None:
    right, down = lean_planes(VIEW, MapScale(*SIZE, px_per_inch=8.0))
    point = np.array([[20.0, 18.0, 0.0], [20.0, 18.0, 1.0]])
    pixels = VIEW.pixel_from_table(point)
    seen = VIEW.point_from_pixel(pixels, 0.0)
    moved = seen[1] - seen[0]
    column, row = np.rint(MapScale(*SIZE, px_per_inch=8.0).pixel_from_table([[20.0, 18.0]])[0]).astype(int)
    # To first order in height over the camera's own.
    assert right[0, column] == pytest.approx(moved[0], rel=0.05)
    assert -down[row, 0] == pytest.approx(moved[1], rel=0.05)


def test_papers_are_no_terrain(says) -> None:
    paper = box(2, 2, 3, 3, 0)
    says(maps_of([("town", paper), ("woods", blob(14, 14, 4))], SIZE))
    photos = [(np.zeros((1200, 1600, 3), np.uint8), VIEW)]
    assert {t.kind for t in read_ground(photos, SIZE).pieces} == {"town", "woods"}
    assert {t.kind for t in read_ground(photos, SIZE, papers=[shapely.get_coordinates(paper)]).pieces} == {"woods"}


def test_a_tap_takes_the_place_of_what_was_read(says) -> None:
    wood = blob(12, 12, 4, seed=3)
    photo = photo_of(painted([(FELT, 0.08, wood)], SIZE, 20.0))
    says(maps_of([("marsh", wood.buffer(-0.6))], SIZE))
    read = read_ground([(photo, VIEW)], SIZE)
    assert [t.kind for t in read.pieces] == ["marsh"]
    tapped = read_ground([(photo, VIEW)], SIZE, taps=[Tap("woods", (12.0, 12.0)), Tap("woods", (11.0, 12.5))])
    assert [t.kind for t in tapped.pieces] == ["woods"]
    assert len(tapped.notes) == 1 and "woods at (12, 12) is a guess from one tap" in tapped.notes[0]
    shape = shapely.Polygon(tapped.pieces[0].polygon)
    assert shape.intersection(wood).area / shape.union(wood).area > 0.9


def test_taps_and_lines_that_find_nothing_are_notes_and_others_count(says) -> None:
    house = box(12, 12, 5, 4, 20)
    photo = photo_of(painted([(FELT, 0.08, house)], SIZE, 20.0))
    says(maps_of([("town", house)], SIZE))
    corners = " ".join(
        f"{x:.2f},{y:.2f}" for x, y in shapely.get_coordinates(house.buffer(0.3, join_style="mitre"))[:-1]
    )
    given = [Tap("hill", (4.0, 4.0)), parse_line("woods: 30,2 34,2 34,9"), parse_line(f"ruin high 2: {corners}")]
    read = read_ground([(photo, VIEW)], SIZE, taps=given)
    (ruin,) = finish_pieces(read, photo, VIEW, SIZE, []).pieces
    assert (ruin.kind, ruin.height, ruin.confidence) == ("ruin", 2.0, 0.95)
    assert ruin.evidence is not None and ruin.evidence.stated and 0 < ruin.sigma_in < 0.3
    assert ruin.shape.intersection(house).area / ruin.shape.union(house).area > 0.9
    edge, off = read.notes
    assert edge.startswith("No edge of the hill at (4.0") and "off the table" in off
    # once said it holds, whatever the next photo is read as
    later = join_ground(read_ground([(photo, VIEW)], SIZE).pieces, read.maps, (ruin,))
    assert [piece.kind for piece in later.pieces] == ["ruin"] and not later.notes


def test_a_bare_mat_rules_out_what_was_there_before(says) -> None:
    stain, wood = blob(6, 6, 2.5, seed=5), blob(16, 15, 3.5, seed=6)
    before = photo_of(painted([(FELT, 0.08, stain)], SIZE, 20.0))
    after = photo_of(painted([(FELT, 0.08, stain), (FELT, 0.08, wood)], SIZE, 20.0, seed=2))
    says(maps_of([("woods", stain), ("woods", wood)], SIZE))
    assert len(read_ground([(after, VIEW)], SIZE).pieces) == 2
    left = read_ground([(after, VIEW)], SIZE, bare=(before, VIEW)).pieces
    assert len(left) == 1
    assert shapely.Polygon(left[0].polygon).contains(shapely.Point(16, 15))


def standing(x: float, y: float, z: float, sigma: float = 0.05) -> StandingBase:
    return StandingBase(np.array([[x - 1, y - 0.6], [x + 1, y - 0.6], [x + 1, y + 0.6], [x - 1, y + 0.6]]), z, sigma)


def test_a_hill_is_as_high_as_the_bases_on_it() -> None:
    hill, top = blob(12, 12, 6), blob(12, 12, 4)
    reading = Reading(
        maps_of([("hill", hill), ("hill top", top)], SIZE),
        terrain_from(maps_of([("hill", hill), ("hill top", top)], SIZE)),
    )
    photo = photo_of(painted([], SIZE, 20.0))
    bases = [standing(11, 12, 1.0), standing(13, 12.5, 1.1), standing(20, 4, 0.02), standing(12, 10.5, 0.1)]
    (piece,) = finish_pieces(reading, photo, VIEW, SIZE, bases).pieces
    assert piece.kind == "hill" and piece.hill_top
    assert piece.height == pytest.approx(1.05, abs=0.02)
    (unknown,) = finish_pieces(reading, photo, VIEW, SIZE, [standing(20, 4, 0.02)]).pieces
    assert unknown.height == 0.0


def test_before_the_bases_only_hills_are_weighed_until_there_is_something_to_join() -> None:
    shown = [("hill", blob(7, 7, 4)), ("woods", blob(17, 17, 4))]
    picture = np.full((192, 192, 3), (70, 130, 90), np.uint8)
    maps = replace(maps_of(shown, SIZE), picture=picture, looks=maps_of(shown, SIZE).share[None])
    reading = Reading(maps, terrain_from(maps))
    expected = Expected(*SIZE, FrameLayout("DICT_4X4_50", 3.0, ()), (), hill_height_in=1.5)
    alone = {piece.kind: piece for piece in reading.joined(expected)}
    every = {piece.kind: piece for piece in reading.weighed().pieces}
    assert alone["hill"].confidence == every["hill"].confidence and alone["hill"].height == 1.5
    assert alone["woods"].evidence is None and every["woods"].evidence is not None
    known = replace(every["woods"], id="t9", polygon=((1.0, 20.0), (4.0, 20.0), (4.0, 23.0)))
    joined = {piece.id: piece for piece in reading.joined(replace(expected, ground=(known,)))}
    assert all(piece.evidence is not None for piece in joined.values())


def test_what_bases_hide_is_bridged() -> None:
    wood, base = blob(12, 12, 4, lumps=0.0), standing(12, 8.6, 0.0)
    maps = maps_of([("woods", wood)], SIZE, holes=[shapely.Polygon(base.outline)])
    photo = photo_of(painted([], SIZE, 20.0))
    reading = Reading(maps, terrain_from(maps))
    (with_base,) = finish_pieces(reading, photo, VIEW, SIZE, [base]).pieces
    iou = [
        shapely.Polygon(p).intersection(wood).area / shapely.Polygon(p).union(wood).area
        for p in (with_base.polygon, reading.pieces[0].polygon)
    ]
    assert iou[0] >= iou[1] - 0.002
    assert iou[0] > 0.93


def test_photos_are_read_beside_what_players_drew() -> None:
    wood, other, hill = blob(7, 7, 3), blob(17, 7, 3), blob(12, 18, 4)
    maps = maps_of([("marsh", wood), ("woods", other), ("hill", hill)], SIZE)
    rings = (tuple(map(tuple, shapely.get_coordinates(shape)[:-1])) for shape in (wood.buffer(0.3), hill))
    drawn = (ExpectedTerrain("t1", "woods", next(rings)), ExpectedTerrain("crest", "hill", next(rings), 1.0))
    reading = Reading(maps, terrain_from(maps), drawn=drawn)
    assert [(piece.id, piece.kind) for piece in reading.pieces] == [("t2", "woods")]
    before = replace(reading.pieces[0], id="t5", kind="marsh", polygon=drawn[0].polygon, confidence=0.9)
    expected = Expected(*SIZE, FrameLayout("DICT_4X4_50", 3.0, ()), drawn=drawn, ground=(before,))
    photo, high = photo_of(painted([], SIZE, 20.0)), standing(12, 18, 1.0)
    for read in (reading.joined(expected), finish_pieces(reading, photo, VIEW, SIZE, [high], expected).pieces):
        assert [(piece.id, piece.kind) for piece in read] == [("t2", "woods")], (
            "what was read before drawing is not new"
        )


def test_pieces_are_numbered_without_gaps() -> None:
    one = ExpectedTerrain("t7", "woods", ((1, 1), (5, 1), (5, 5)), confidence=0.9)
    two = ExpectedTerrain("woods", "woods", ((10, 10), (15, 10), (15, 15)), confidence=0.7)
    pieces = Reading(maps_of([], SIZE), (one,), (two,)).pieces
    assert [p.id for p in pieces] == ["t1", "t2"]
