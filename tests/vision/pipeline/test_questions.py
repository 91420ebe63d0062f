"""Questions of an observation: what is asked, in what order, and what is never offered."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.doubtful_tables import FOOT, ROSTER, ROUND, TANK, line, rival, seen, unit
from vision import BaseShape, ExpectedUnit
from vision.bases.placed import PlacedBase
from vision.model.expected import ExpectedTerrain, OtherShape, TerrainEvidence
from vision.model.observation import Question, SeenDie, SeenMarker
from vision.pipeline.first_questions import with_questions
from vision.pipeline.observed_bases import assemble_observation
from vision.pipeline.questions import KINDS, questions_of


def about(questions: tuple[Question, ...], ask: str) -> list[Question]:
    return [q for q in questions if q.ask == ask]


WHOLE = [*line(5, 30, unit="A1"), *line(5, 5, unit="B1", side="red"), *line(15, 5, unit="B2", side="red")]


def test_a_whole_table_is_asked_nothing() -> None:
    tanks = line(20, 30, unit="A3", shape=TANK)
    assert questions_of(*seen(*WHOLE, *tanks, *line(20, 20, unit="A2"))) == ()


def test_three_nameless_bases_in_a_line_are_one_question() -> None:
    observation, expected = seen(*WHOLE, *line(20, 20))
    (question,) = about(questions_of(observation, expected), "unit")
    assert question.covers == (("base10", "base11", "base12"),)
    assert [a.value for a in question.answers] == ["A2", None]
    assert question.says == "Which unit are the 3 blue bases at (22.2, 20.0)?"
    assert set(question.others) == {"A1", "A3", "B1", "B2"}


def test_nearness_orders_units_that_lack_a_base() -> None:
    rows = [*line(5, 20, 2, unit="A1"), *line(20, 20, 2, unit="A2"), {"at": (9.6, 20.0)}]
    (question,) = about(questions_of(*seen(*rows)), "unit")
    assert [a.value for a in question.answers if a.value] == ["A1", "A2"]
    assert question.answers[0].chance > 0.9


def test_six_in_a_row_are_cut_until_units_fit() -> None:
    rows = [{"at": (4 + 2.2 * k + (0.8 if k > 2 else 0), 20.0)} for k in range(6)]
    asked = about(questions_of(*seen(*rows)), "unit")
    assert sorted(len(q.covers[0]) for q in asked) == [3, 3]


def test_a_unit_without_its_unique_base_is_asked_which() -> None:
    rows = [{**row, "unique": None} for row in line(20, 20, unit="A1")]
    (question,) = about(questions_of(*seen(*rows)), "unique")
    assert [a.value for a in question.answers] == ["base1", "base2", "base3"]
    assert [a.chance for a in question.answers] == pytest.approx([1 / 3] * 3)
    partly = about(questions_of(*seen(*rows[:2])), "unique")[0]
    assert partly.answers[-1].value is None or partly.answers[0].value is None


def test_the_unique_base_of_a_nameless_group_is_asked_after_its_unit() -> None:
    questions = questions_of(*seen(*line(20, 20)))
    which, unique = about(questions, "unit")[0], about(questions, "unique")[0]
    assert unique.after == which.id and unique.covers == which.covers


@pytest.mark.parametrize(("facing", "says"), [(8.0, "near side"), (60.0, "near left"), (330.0, "near right")])
def test_half_turns_are_asked_towards_the_enemy_first(facing: float, says: str) -> None:
    rows = [*line(20, 30, unit="A1", facing=facing, facing_known=False), *line(20, 5, unit="B1", side="red")]
    (question,) = about(questions_of(*seen(*rows)), "facing")
    assert question.covers == (("base1", "base2", "base3"),)
    turned = (facing + 180.0) % 360.0
    assert [a.value for a in question.answers] == [turned, facing]
    assert says in question.answers[0].says and f"({turned:.0f}°)" in question.answers[0].says


def test_half_turns_follow_the_unit_before_the_enemy_and_nobody_orders_nothing() -> None:
    known = line(20, 30, unit="A1", facing=0.0)
    known[2] = {**known[2], "facing_known": False, "facing": 181.0}
    (question,) = about(questions_of(*seen(*known, *line(20, 5, unit="B1", side="red"))), "facing")
    assert question.answers[0].value == 1.0
    alone = about(questions_of(*seen(*line(20, 30, unit="A1", facing_known=False))), "facing")[0]
    assert alone.answers[0].chance == alone.answers[1].chance == 0.5


def test_a_square_base_has_four_ways_and_a_round_one_none() -> None:
    square = BaseShape(1.6, 1.6, 0.12)
    roster = (ExpectedUnit("G", "blue", "atg", 1, square, square),)
    rows = [{"at": (9, 9), "shape": square, "unit": "G", "facing_known": False, "facing": 10.0}]
    (question,) = about(questions_of(*seen(*rows, roster=roster)), "facing")
    assert {a.value for a in question.answers} == {10.0, 100.0, 190.0, 280.0}
    round_one = [{"at": (9, 9), "shape": ROUND, "unit": "G", "facing_known": False}]
    assert not about(questions_of(*seen(*round_one, roster=roster)), "facing")


def test_dice_and_markers_that_are_open_are_asked() -> None:
    dice = (SeenDie((5.0, 28.4), None, 0.6), SeenDie((30.0, 18.0), 3, 0.9))
    markers = (
        SeenMarker("A1", "hits", (5.0, 28.4), 0.6, "dice", None, (0,)),
        SeenMarker(None, "fired", (6, 6.5), 0.9, "cotton"),
    )
    questions = questions_of(
        *seen(*WHOLE, *line(20, 20, unit="A2"), *line(20, 30, unit="A3", shape=TANK), dice=dice, markers=markers)
    )
    (value,) = about(questions, "value")
    assert value.about == "die1" and {a.value for a in value.answers} == {1, 2, 3, 4, 5, 6, None}
    (whose,) = about(questions, "whose")
    assert whose.about == "marker2" and whose.answers[0].value == "B1"


def test_a_die_whose_face_speaks_for_a_number_offers_that_first() -> None:
    dice = (SeenDie((20.0, 18.0), None, 0.8, (0.05, 0.1, 0.1, 0.15, 0.4, 0.2)),)
    (question,) = about(questions_of(*seen(*WHOLE, dice=dice)), "value")
    assert [a.value for a in question.answers[:3]] == [5, None, 6]
    assert sum(a.chance for a in question.answers) == pytest.approx(1.0)
    assert question.answers[1].chance == pytest.approx(0.2), "that it is no die: what its chance leaves"


def test_what_symbols_stand_for_is_asked_once_for_dice_that_look_alike() -> None:
    def bears(x: float, look: int) -> SeenDie:
        return SeenDie((x, 18.0), None, 0.96, (0.5, 0.0, 0.0, 0.0, 0.0, 0.5), symbol=True, symbols_asked=look)

    dice = (bears(20.0, 0), SeenDie((22.0, 18.0), 6, 0.95), bears(24.0, 0), bears(26.0, 1))
    first, other = about(questions_of(*seen(*WHOLE, dice=dice)), "value")
    assert first.covers == (("die1", "die3"),) and other.covers == (("die4",),)
    assert first.says == "What does the symbol on the 2 dice at (20.0, 18.0) and (24.0, 18.0) stand for?"
    assert {a.value for a in first.answers} == {6, 1, None}
    assert sum(a.chance for a in first.answers) == pytest.approx(1.0)


def test_terrain_that_photos_contradict_each_other_on_is_asked_with_what_they_say_together() -> None:
    square = ((3.0, 12.0), (9.0, 12.0), (9.0, 17.0), (3.0, 17.0))
    told = TerrainEvidence(3, 2.2, (("river", 0.55), ("road", 0.4), ("nothing", 0.05)))
    river = ExpectedTerrain("t1", "river", square, confidence=0.55, evidence=told)
    sure = replace(river, id="t2", confidence=0.96)
    (question,) = about(questions_of(*seen(*WHOLE, terrain=(river, sure))), "kind")
    assert [(a.value, a.chance) for a in question.answers[:3]] == [("river", 0.55), ("road", 0.4), (None, 0.05)]
    assert sum(a.chance for a in question.answers) == pytest.approx(1.0)
    assert {a.value for a in question.answers} == {*KINDS, None}


def test_units_out_of_sight_are_one_question() -> None:
    (question,) = about(questions_of(*seen(*WHOLE)), "presence")
    assert question.covers == (("A2", "A3"),) and question.answers[0].value == "off"
    assert question.says == "Where are A2 and A3?"


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.floats(1, 35),
            st.floats(1, 35),
            st.sampled_from(["blue", "red", None]),
            st.sampled_from([FOOT, TANK, ROUND]),
        ),
        max_size=9,
    ),
    st.integers(0, 3),
    st.floats(0, 180),
)
def test_no_impossible_unit_is_ever_offered(rows: list[Any], named: int, facing: float) -> None:
    """Every unit offered has the side, the shape and as many bases left; chances never pass 1; ranks go down; every
    nameless base is asked about exactly once."""
    listed = [
        *line(3, 33, named, unit="A1"),
        *(
            {"at": (x, y), "side": s, "shape": shape, "facing": facing, "facing_known": False}
            for x, y, s, shape in rows
        ),
    ]
    observation, expected = seen(*listed)
    questions = questions_of(observation, expected)
    by_id = {label.id: i for i, label in enumerate(observation.labels)}
    units = {u.id: u for u in ROSTER}
    for question in questions:
        chances = [a.chance for a in question.answers]
        assert sum(chances) <= 1 + 1e-9 and chances == sorted(chances, reverse=True) and min(chances) >= 0
        assert len({a.value for a in question.answers}) == len(question.answers)
        assert Question.from_json(question.to_json()).to_json() == question.to_json()
        if question.ask != "unit":
            continue
        group = [by_id[name] for name in question.covers[0]]
        for answer in question.answers:
            if answer.value is None:
                continue
            who = units[str(answer.value)]
            assert len(group) <= who.bases - (named if who.id == "A1" else 0)
            for i in group:
                assert observation.labels[i].side in (None, who.side)
                assert (observation.bases.width[i], observation.bases.depth[i]) == (who.shape.width, who.shape.depth)
    covered = [name for q in about(questions, "unit") for name in q.covers[0]]
    assert sorted(covered) == sorted(label.id for label in observation.labels if label.unit is None)
    assert [q.id for q in questions] == [f"q{k + 1}" for k in range(len(questions))]


def test_of_several_sizes_as_many_are_offered_as_a_unit_has_and_the_unique_one_is_of_its_own() -> None:
    several = unit("M", bases=4, other_shapes=(OtherShape(ROUND, 2),))
    rows = [*line(9, 9, 2), *line(13.4, 9, 2, shape=ROUND)]
    questions = questions_of(*seen(*rows, roster=(several,)))
    (which,), (unique,) = about(questions, "unit"), about(questions, "unique")
    assert (which.answers[0].value, which.covers[0]) == ("M", ("base1", "base2", "base3", "base4"))
    assert unique.covers == (("base1", "base2"),) and {a.value for a in unique.answers} == {"base1", "base2"}
    for group in (line(9, 9, 3), line(9, 9, 3, shape=ROUND)):
        asked = about(questions_of(*seen(*group, roster=(several,))), "unit")
        assert all(len(question.covers[0]) < 3 for question in asked)


GUNS = (*ROSTER, ExpectedUnit("G", "red", "atg", 1, ROUND, ROUND))


def test_a_shape_in_doubt_offers_the_units_of_every_shape_by_its_chance() -> None:
    base = {"at": (20, 20), "side": None, "method": "shape", "rivals": [rival(ROUND, 0.3, 20, 20)]}
    (question,) = about(questions_of(*seen(base, roster=GUNS)), "unit")
    assert question.says == "Which unit is the base at (20.0, 20.0) (2.00 x 1.25″ or 1.00″ round)?"
    chances = {a.value: a.chance for a in question.answers}
    # Infantry would lack two more of its bases and there are four such units; the gun would be whole.
    assert chances["A1"] / chances["G"] == pytest.approx(0.7 * 0.6 / 0.3)
    says = next(a.says for a in question.answers if a.value == "G")
    assert says == "G, atg (1.00″ round), not seen elsewhere"


def test_a_single_base_is_asked_whether_it_is_the_unique_one() -> None:
    question = about(questions_of(*seen({"at": (20, 20)})), "unique")[0]
    assert question.says == "Is the base at (20.0, 20.0) the unique one of its unit?"
    assert [(a.value, a.says) for a in question.answers] == [(None, "no, another one"), ("base1", "yes")]


def test_a_base_that_may_be_none_is_asked_about() -> None:
    rows = line(20, 20, method="shape", confidence=0.97)
    rows[2]["confidence"] = 0.6
    (there,) = about(questions_of(*seen(*WHOLE, *rows)), "there")
    assert there.says == "Is there a base at (24.4, 20.0)?" and there.covers == (("base12",),)
    assert [(a.value, a.chance) for a in there.answers] == [("base", 0.6), (None, 0.4)]
    assert not about(questions_of(*seen(*WHOLE, *line(20, 20, method="shape", confidence=0.97))), "there")
    assert len(about(questions_of(*seen(*WHOLE, *line(20, 20, method="shape", confidence=0.93))), "there")) == 3
    named = line(20, 20, unit="A2", method="shape", confidence=0.95)
    assert len(about(questions_of(*seen(*WHOLE, *named)), "there")) == 3, "no question about their unit settles it"


def test_a_lonely_base_that_may_be_none_is_one_question() -> None:
    questions = questions_of(*seen(*WHOLE, {"at": (20, 20), "method": "shape", "confidence": 0.6}))
    (question,) = about(questions, "unit")
    assert not about(questions, "there")
    assert question.answers[-1].value is None or question.answers[0].value is None
    assert next(a.chance for a in question.answers if a.value is None) == pytest.approx(0.4)


def test_what_may_be_no_base_is_the_first_to_leave_a_group_too_large() -> None:
    rows = line(20, 20, 4, method="shape", confidence=0.95)
    rows[1]["confidence"] = 0.6
    rows[0]["at"] = (20.0, 20.3)
    groups = sorted(len(q.covers[0]) for q in about(questions_of(*seen(*WHOLE, *rows)), "unit"))
    assert groups[:1] == [1]


def test_how_bases_look_orders_the_units_of_both_sides() -> None:
    rows = [{**row, "side": None, "sides": {"blue": 0.2, "red": 0.8}} for row in line(20, 20)]
    (question,) = about(questions_of(*seen(*rows)), "unit")
    assert [a.value for a in question.answers[:4]] == ["B1", "B2", "A1", "A2"]
    assert question.answers[0].chance == pytest.approx(4 * question.answers[2].chance)


def test_look_alikes_in_one_place_are_asked_with_their_unit() -> None:
    rows = [{**row, "side": None, "alike": 1} for row in line(20, 20)]
    assert not about(questions_of(*seen(*rows)), "side")


@pytest.mark.parametrize(
    ("more", "sure"), [({}, 0.94), ({"presence": 0.6}, 0.6), ({"unit": 0}, 0.99), ({"method": "outline"}, 0.99)]
)
def test_a_shape_alone_that_may_be_a_print_or_token_is_never_certain(more: dict[str, Any], sure: float) -> None:
    spread = np.diag([0.01, 0.01, 1e-4])
    placed = PlacedBase(
        np.array([9.0, 9.0]), 0.0, False, spread, 0.0, 0.02, ROUND, None, None, None, None, 0.9, "shape", presence=0.99
    )
    observed = assemble_observation((), seen()[1], [replace(placed, **more)], [], [1.0])
    assert observed.labels[0].confidence == sure


def patch(name: str, x: float, y: float, size: float = 2.0, nothing: float = 0.1) -> ExpectedTerrain:
    """A square that may be a wood."""
    corners = ((x, y), (x + size, y), (x + size, y + size), (x, y + size))
    told = TerrainEvidence(1, 1.0, (("woods", 0.9 - nothing), ("town", 0.1), ("nothing", nothing)))
    return ExpectedTerrain(name, "woods", corners, confidence=0.9 - nothing, evidence=told)


def test_six_questions_come_first_and_what_they_leave_is_possible() -> None:
    """Terrain between near enemies comes before far terrain, and near enemies before far ones."""
    far, near = line(30, 34, unit="A1"), line(20, 5, unit="B1", side="red")
    nameless = [*line(20, 12), *line(3, 34, 3, shape=ROUND), {"at": (3, 3), "method": "shape", "confidence": 0.5}]
    pieces = [patch(f"t{k}", 1.0 + 4 * k, 18.0) for k in range(6)]
    pieces += [patch("between", 21.0, 8.0), patch("corner", 33.0, 1.0, 0.5), patch("unlikely", 1, 30, nothing=0.6)]
    found = with_questions(*seen(*far, *near, *nameless, terrain=tuple(pieces)))
    assert len(found.questions) == 6 and [q.id for q in found.questions] == [f"q{k}" for k in range(1, 7)]
    about_first = [q.about for q in found.questions]
    units = [q.about for q in (*found.questions, *found.further) if q.ask == "unit"]
    assert about_first[0] == "between" and "corner" not in about_first and units[:2] == ["base7", "base13"]
    assert not {q.after for q in found.questions} - {None} and {q.after for q in found.further} - {None}
    assert {p.id for p in found.terrain} == {q.about for q in found.questions if q.ask == "kind"}
    assert {p.id for p in found.possible} == {p.id for p in pieces[:-1]} - {p.id for p in found.terrain}
    assert {p.id for p in found.possible} == {q.about for q in found.further if q.ask == "kind"}
    assert found.to_json()["possible_terrain"][0]["id"] == found.possible[0].id


def test_on_a_table_without_units_the_largest_pieces_are_asked_about_first() -> None:
    pieces = tuple(patch(f"t{k}", 4.0 * k, 4.0, size=0.5 + 0.3 * k) for k in range(8))
    sure = replace(patch("sure", 20, 20), confidence=0.96)
    found = with_questions(*seen(terrain=(*pieces, sure), roster=()))
    assert [q.about for q in found.questions] == ["t7", "t6", "t5", "t4", "t3", "t2"]
    assert {p.id for p in found.possible} == {"t0", "t1"} and sure in found.terrain
