"""The terrain of an observation, carried to the next photo through JSON."""

import json
from typing import Any

import pytest

from tabletop.errors import SceneError
from tabletop.questions.settling import settle
from tabletop.reconcile.ground_before import ground_of, with_ground
from tabletop.referee.judging import expected_from
from tabletop.tables.scene import scene_from_json
from tabletop.tables.tablefile import parse_table
from tests.support.doubtful_tables import seen
from tests.support.ground_scenes import maps_of, way
from vision.model.expected import ExpectedTerrain, TerrainEvidence
from vision.pipeline.questions import questions_of
from vision.terrain.joint_ground import join_ground
from vision.terrain.pieces import terrain_from

TABLE = parse_table("[table]\nwidth = 36\ndepth = 36\n")
SQUARE = ((3.0, 12.0), (9.0, 12.0), (9.0, 17.0), (3.0, 17.0))
RIVER = ExpectedTerrain(
    "t4", "river", SQUARE, 0.0, None, 0.62, 0.2, TerrainEvidence(2, 1.5, (("river", 0.62), ("road", 0.38)))
)
HILL = ExpectedTerrain(
    "t5",
    "hill",
    ((20, 20), (30, 20), (30, 30), (20, 30)),
    0.8,
    ((22, 22), (28, 22), (28, 28)),
    0.9,
    0.3,
    TerrainEvidence(1, 0.7, (("hill", 0.9), ("nothing", 0.1))),
)
PLACE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0))


def told(*pieces: ExpectedTerrain, **more: Any) -> dict[str, Any]:
    observation, expected = seen(terrain=pieces, **more)
    questions = [question.to_json() for question in questions_of(observation, expected)]
    data: dict[str, Any] = json.loads(json.dumps({**observation.to_json(), "questions": questions}))
    return data


def test_what_a_photo_says_of_terrain_comes_through_json() -> None:
    data = told(RIVER, HILL, bare=(PLACE,), unseen=(SQUARE,))
    scene_from_json(data)
    expected = expected_from(with_ground(TABLE, data))
    assert expected.ground == (RIVER, HILL)
    folded = {**data, "terrain": data["terrain"][:1], "possible_terrain": data["terrain"][1:]}
    assert expected_from(with_ground(TABLE, folded)).ground == (RIVER, HILL), "what is not confirmed counts on"
    assert (expected.bare, expected.unseen, expected.terrain) == ((PLACE,), (SQUARE,), ())
    assert expected_from(with_ground(TABLE, told(RIVER, turns=(2,)))).ground == (), "it may be turned"


def test_joined_terrain_comes_through_json_as_it_is() -> None:
    maps = maps_of([("river", way([(0, 18), (12, 20), (36, 18)], 2.5))])
    joint = join_ground(terrain_from(maps), maps, join_ground(terrain_from(maps), maps).pieces)
    back = expected_from(with_ground(TABLE, told(*joint.pieces, unseen=joint.unseen))).ground
    again = join_ground(terrain_from(maps), maps, back)
    straight = join_ground(terrain_from(maps), maps, joint.pieces)
    assert [(p.id, p.kind) for p in again.pieces] == [(p.id, p.kind) for p in straight.pieces]
    assert again.pieces[0].confidence == pytest.approx(straight.pieces[0].confidence, abs=0.005)
    assert again.pieces[0].evidence is not None and again.pieces[0].evidence.photos == 3


def test_old_observations_count_as_one_plain_photo() -> None:
    data = told(RIVER)
    for row in data["terrain"]:
        del row["evidence"]
    (piece,) = expected_from(with_ground(TABLE, data)).ground
    assert piece.evidence == TerrainEvidence(1, 1.0, (("river", 0.62), ("nothing", 0.38)))


def test_answers_of_players_are_carried_as_their_word() -> None:
    data = told(RIVER, HILL)
    (question,) = [q["id"] for q in data["questions"] if q["ask"] == "kind" and q["about"] == "t4"]
    named = ground_of(settle(data, {question: "marsh"}))
    assert [(p.piece.kind, p.confidence, p.stated) for p in named.pieces] == [
        ("marsh", 1.0, True),
        ("hill", 0.9, False),
    ]
    nothing = ground_of(settle(data, {question: None}))
    assert [p.piece.id for p in nothing.pieces] == ["t5"] and nothing.bare == (SQUARE,)


def test_a_file_that_draws_its_terrain_and_a_table_of_another_size_take_nothing_over() -> None:
    drawn = parse_table(
        "[table]\nwidth = 36\ndepth = 36\n[[terrain]]\nid = 'a'\nkind = 'hill'\npolygon = [[1,1],[5,1],[5,5]]\n"
    )
    assert with_ground(drawn, told(RIVER)) is drawn
    other = parse_table("[table]\nwidth = 48\ndepth = 36\n")
    assert with_ground(other, told(RIVER)) is other


@pytest.mark.parametrize(
    ("key", "value"), [("photos", -1), ("weight", "much"), ("chances", [0.5]), ("chances", {"river": -0.5})]
)
def test_evidence_that_is_none_is_refused_in_a_sentence(key: str, value: object) -> None:
    data = told(RIVER)
    data["terrain"][0]["evidence"][key] = value
    with pytest.raises(SceneError, match=r'[Tt]errain "t4"'):
        with_ground(TABLE, data)
