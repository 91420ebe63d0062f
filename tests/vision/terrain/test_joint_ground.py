"""Terrain of several photos of one table is one answer."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from tests.support.ground_scenes import blob, box, filled, maps_of, way
from vision.model.expected import ExpectedTerrain
from vision.terrain.joint_ground import NOTHING, JointGround, join_ground, pooled_chances
from vision.terrain.pieces import KINDS, GroundMaps, terrain_from
from vision.terrain.taps import Tap
from vision.terrain.tracing import iou

RIVER = way([(0, 18), (12, 20), (24, 17), (36, 18)], 2.5)
WOOD = blob(10, 28, 4, seed=3)
TOWN = box(26, 28, 6, 5, 20)
EAST = shapely.box(20, 0, 36, 36)
TABLE = [("river", RIVER), ("woods", WOOD), ("town", TOWN)]


def glared(maps: GroundMaps, where: shapely.Geometry, share: float = 1.0) -> GroundMaps:
    return replace(maps, glare=(share * filled(where, maps.scale)).astype(np.float32))


def hidden(maps: GroundMaps, where: shapely.Geometry) -> GroundMaps:
    mask = filled(where, maps.scale) > 0.5
    return replace(maps, share=maps.share * ~mask, hidden=maps.hidden | mask)


def look(maps: GroundMaps, before: JointGround | None = None, **more: object) -> JointGround:
    known, unseen = ((), ()) if before is None else (before.pieces, before.unseen)
    return join_ground(terrain_from(maps), maps, known, (), unseen, **more)  # type: ignore[arg-type]


def of_kind(seen: JointGround, kind: str) -> list[ExpectedTerrain]:
    return [piece for piece in seen.pieces if piece.kind == kind]


def test_the_first_photo_says_what_it_shows_with_the_evidence_beside() -> None:
    maps = maps_of(TABLE)
    alone = terrain_from(maps)
    seen = look(maps)
    assert [replace(p, evidence=None) for p in seen.pieces] == list(alone)
    for piece in seen.pieces:
        assert piece.evidence is not None and piece.evidence.photos == 1
        assert piece.evidence.weight == pytest.approx(1.0)
        assert dict(piece.evidence.chances)[piece.kind] == pytest.approx(piece.confidence)
    assert not seen.notes


def test_a_river_in_glare_stays_a_river() -> None:
    first = look(maps_of(TABLE, peak=0.85))
    shines = glared(maps_of([("road", RIVER), *TABLE[1:]]), RIVER.buffer(2), 0.8)
    assert "road" in {p.kind for p in terrain_from(shines)}
    both = look(shines, first)
    (river,) = of_kind(both, "river")
    assert not of_kind(both, "road") and not both.notes
    assert river.id == of_kind(first, "river")[0].id
    assert river.confidence > 0.75  # glare hardly counts
    again = look(maps_of(TABLE, peak=0.85), both)
    assert of_kind(again, "river")[0].confidence > river.confidence
    assert of_kind(again, "river")[0].evidence.photos == 3  # type: ignore[union-attr]


def test_a_contradiction_in_plain_view_keeps_the_kind_and_is_in_doubt() -> None:
    both = look(maps_of([("road", RIVER), *TABLE[1:]]), look(maps_of(TABLE)))
    (river,) = of_kind(both, "river")
    assert river.confidence < 0.75  # so it is asked
    assert river.evidence is not None
    assert dict(river.evidence.chances)["road"] > 0.25


def test_photos_that_agree_overrule_the_first_and_say_so() -> None:
    seen = look(glared(maps_of([("road", RIVER), *TABLE[1:]], peak=0.7), RIVER.buffer(2), 0.7))
    assert of_kind(seen, "road")
    seen = look(maps_of(TABLE), seen)
    (river,) = of_kind(seen, "river")
    assert river.confidence >= 0.75 and "show that the road" in seen.notes[0] and "is river" in seen.notes[0]


def test_what_is_hidden_now_stays_and_what_was_hidden_is_added() -> None:
    whole = look(maps_of(TABLE))
    west = look(hidden(maps_of(TABLE), EAST), whole)
    for kind, shape in TABLE:
        (piece,) = of_kind(west, kind)
        assert iou(piece.shape, shape.intersection(shapely.box(0, 0, 36, 36))) > 0.9
        assert piece.shape.area == pytest.approx(of_kind(whole, kind)[0].shape.area, rel=0.01), "no larger"
    half = look(hidden(maps_of(TABLE), EAST))
    assert {p.kind for p in half.pieces} == {"river", "woods"}
    assert iou(of_kind(half, "river")[0].shape, RIVER) < 0.7
    full = look(maps_of(TABLE), half)
    assert {p.kind for p in full.pieces} == {"river", "woods", "town"}
    assert iou(of_kind(full, "river")[0].shape, RIVER) > 0.9
    assert of_kind(full, "river")[0].id == of_kind(half, "river")[0].id
    assert len({p.id for p in full.pieces}) == 3


def test_an_outline_covered_by_units_keeps_what_was_seen_of_it() -> None:
    first = look(maps_of(TABLE))
    over = shapely.box(7, 25, 12, 31)
    hole = maps_of(TABLE, holes=[over])
    mask = filled(over, hole.scale) > 0.5
    both = join_ground(terrain_from(hole), hole, first.pieces, covered=mask)
    (wood,) = of_kind(both, "woods")
    assert iou(wood.shape, WOOD) > 0.93


def test_terrain_that_is_gone_is_gone_where_the_mat_is_plainly_seen() -> None:
    first = look(maps_of(TABLE))
    without = maps_of([TABLE[0], TABLE[2]])
    plain = look(without, first)
    assert not of_kind(plain, "woods")
    assert plain.notes[0].startswith("Gone since the photo before: woods at (")
    veiled = look(glared(without, WOOD.buffer(1), 0.95), first)
    assert of_kind(veiled, "woods") and not veiled.notes
    away = look(hidden(without, WOOD.buffer(1)), first)
    assert of_kind(away, "woods")[0].confidence == pytest.approx(of_kind(first, "woods")[0].confidence, abs=0.02)


@pytest.mark.parametrize(("x", "y"), [(9.0, -14.0), (4.5, 0.0), (2.0, 1.0)])
def test_a_wood_that_was_moved_lies_where_it_is_now(x: float, y: float) -> None:
    first = look(maps_of(TABLE))
    moved = shapely.affinity.translate(WOOD, x, y)
    second = look(maps_of([TABLE[0], ("woods", moved), TABLE[2]]), first)
    (wood,) = of_kind(second, "woods")
    assert iou(wood.shape, moved) > 0.9
    assert wood.id == of_kind(first, "woods")[0].id
    far = float(np.hypot(x, y))
    (note,) = [n for n in second.notes if "Moved" in n]
    assert abs(float(note.split(", ")[-1].rstrip("″.")) - far) < 0.3


def test_a_player_word_wins_and_a_photo_that_shows_none_of_it_is_told() -> None:
    maps = maps_of(TABLE)
    stated = ExpectedTerrain("mine", "marsh", tuple(map(tuple, shapely.get_coordinates(WOOD)[:-1])))
    seen = join_ground(terrain_from(maps), maps, (stated,))
    assert stated in seen.pieces and not of_kind(seen, "woods")
    assert seen.notes == (f"This photo shows no marsh at {seen.notes[0].split(' at ')[1].split(', where')[0]}, where a "
                          "player said so; the player's word holds.",)  # fmt: skip
    bare = tuple(map(tuple, shapely.get_coordinates(WOOD.buffer(0.5).exterior)[:-1]))
    told = join_ground(terrain_from(maps), maps, (), (bare,))
    assert {p.kind for p in told.pieces} == {"river", "town"}
    tapped = join_ground(terrain_from(maps), maps, (stated,), taps=[Tap("woods", (10.0, 28.0))])
    (wood,) = of_kind(tapped, "woods")
    assert wood.evidence is not None and wood.evidence.stated and not of_kind(tapped, "marsh")


def test_chances_are_pooled_by_how_plainly_a_place_was_seen() -> None:
    river, road = {"river": 0.9, "road": 0.05, NOTHING: 0.05}, {"river": 0.03, "road": 0.97}
    assert pooled_chances([(1.0, river), (1.0, river)])["river"] > 0.9
    even = pooled_chances([(1.0, river), (1.0, road)])
    assert even["river"] < 0.75 and even["road"] < 0.75
    assert pooled_chances([(1.0, river), (0.2, road)])["river"] > 0.75
    for told in (even, pooled_chances([(0.3, river)])):
        assert sum(told.values()) == pytest.approx(1.0)
    # many alike witnesses are worth two, whether they come one after another or at once
    one = {"river": 0.7, "road": 0.3}
    many = pooled_chances([(1.0, one)] * 50)
    assert many["river"] == pytest.approx(0.49 / 0.58, abs=0.03)
    chances, weight = one, 1.0
    for _ in range(49):
        chances, weight = pooled_chances([(weight, chances), (1.0, one)]), weight + 1.0
    assert chances["river"] == pytest.approx(many["river"], abs=0.03)


def test_a_piece_that_only_one_photo_of_several_shows_is_left_out_at_last() -> None:
    faint = maps_of([*TABLE[:2], ("town", TOWN)], peak=0.75)
    without = maps_of(TABLE[:2])
    share = without.share + 0.2 * filled(TOWN, without.scale) * (np.arange(9) == KINDS.index("town"))[:, None, None]
    without = replace(without, share=share.astype(np.float32))  # not plainly the mat
    seen, found = look(faint), []
    for _ in range(5):
        seen = look(without, seen)
        found.append([p.confidence for p in of_kind(seen, "town")])
    assert found[0] and found[0][0] < 0.75 and not found[-1]
