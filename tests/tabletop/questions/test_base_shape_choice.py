"""Bases of doubtful shape, presence and side, and what a player's answers make of them."""

from typing import Any

import pytest

from tabletop.questions.settling import settle
from tabletop.reconcile.names_from_previous import name_from_previous
from tabletop.tables.scene import scene_from_json
from tests.support.doubtful_tables import ROSTER, ROUND, TANK, line, rival, seen, unit
from vision import ExpectedUnit
from vision.model.expected import OtherShape
from vision.pipeline.questions import questions_of

GUN = ExpectedUnit("G", "red", "atg", 1, ROUND, ROUND)


def told(*rows: dict[str, Any], roster: tuple[ExpectedUnit, ...] = (*ROSTER, GUN)) -> dict[str, Any]:
    observation, expected = seen(*rows, roster=roster)
    asked = [question.to_json() for question in questions_of(observation, expected)]
    return {**observation.to_json(), "questions": asked}


def asked(data: dict[str, Any], ask: str, about: str) -> str:
    return str(next(q["id"] for q in data["questions"] if (q["ask"], q["about"]) == (ask, about)))


LONE = {"at": (20, 20), "side": None, "method": "shape", "facing_known": False, "confidence": 0.9}


def test_naming_a_unit_of_the_other_shape_makes_the_base_of_it() -> None:
    data = told({**LONE, "rivals": [rival(ROUND, 0.3, 20.2, 19.9)]})
    assert data["bases"][0]["shapes"] == [
        {"shape": "round", "width": 1.0, "depth": 1.0, "center": [20.2, 19.9], "chance": 0.3}
    ]
    result = settle(data, {asked(data, "unit", "base1"): "G"})
    base = result["bases"][0]
    assert (base["shape"], base["width"], base["center"]) == ("round", 1.0, [20.2, 19.9])
    assert base["facing"] is None and "facings" not in base and "shapes" not in base
    assert not any(q["ask"] in ("unit", "facing") and q["about"] == "base1" for q in result["questions"])
    assert scene_from_json(result).unit("G").kind == "atg"


def test_a_base_laid_another_way_round_asks_its_facing_anew() -> None:
    data = told({**LONE, "rivals": [rival(TANK, 0.4, 20, 20, 90.0)]})
    result = settle(data, {asked(data, "unit", "base1"): "A3"})
    base = result["bases"][0]
    assert (base["width"], base["depth"]) == (1.75, 2.5) and base["facings"] == [90.0, 270.0]
    question = next(q for q in result["questions"] if q["ask"] == "facing")
    assert [entry["says"] for entry in question["answers"]] == [
        "towards the right side (90°)",
        "towards the left side (270°)",
    ]
    done = settle(result, {question["id"]: 270.0})
    assert done["bases"][0]["facing"] == 270.0


def test_no_more_than_one_base_becomes_the_unique_one() -> None:
    mixed = unit("M", unique_shape=ROUND)
    rows = line(20, 20, side=None, method="shape")
    for k, chance in enumerate((0.3, 0.7, 0.6)):
        rows[k] = {**rows[k], "rivals": [rival(ROUND, chance, *rows[k]["at"])]}
    data = told(*rows, roster=(mixed,))
    result = settle(data, {asked(data, "unit", "base1"): "M"})
    assert [base["shape"] for base in result["bases"]] == ["rect", "round", "rect"]
    assert [base["unique"] for base in result["bases"]] == [False, True, False]


def test_bases_of_several_sizes_get_those_that_their_unit_lacks() -> None:
    several = unit("M", bases=4, other_shapes=(OtherShape(ROUND, 2),))
    rows = [*line(9, 9, 3, method="shape"), *line(15.6, 9, 1, shape=ROUND), *line(9, 30, 1)]
    for k, chance in enumerate((0.2, 0.4, 0.3)):
        rows[k] = {**rows[k], "rivals": [rival(ROUND, chance, *rows[k]["at"])]}
    data = told(*rows, roster=(several, unit("N", bases=1)))
    question = asked(data, "unit", "base5")
    assert offered(data, "base5") == {"M", "N", None}
    result = settle(data, {asked(data, "unit", "base1"): "M"})
    assert [base["shape"] for base in result["bases"][:4]] == ["rect", "round", "rect", "round"]
    assert [base["unique"] for base in result["bases"][:4]] == [None, False, None, False]
    (unique,) = [q for q in result["questions"] if q["ask"] == "unique"]
    assert (unique["covers"], unique["says"]) == ([["base1", "base3"]], "Which base of M is the unique one?")
    assert question not in {q["id"] for q in result["questions"]}, "M is whole, so that it is the base of N"


def test_a_base_that_is_none_goes_before_its_group_is_named() -> None:
    rows = line(20, 20, 3, method="shape", confidence=0.97)
    rows[2]["confidence"] = 0.6
    data = told(*line(5, 30, unit="A1"), *rows)
    group, there = asked(data, "unit", "base4"), asked(data, "there", "base6")
    result = settle(data, {group: "A2", there: None})
    assert [base["unit"] for base in result["bases"]] == ["A1"] * 3 + ["A2"] * 2
    kept = settle(data, {there: "base"})
    assert kept["bases"][5]["confidence"] == 1.0 and not any(q["ask"] == "there" for q in kept["questions"])


def test_a_group_asks_about_another_base_once_its_first_one_is_none() -> None:
    rows = line(20, 20, 3, method="shape", confidence=0.97)
    rows[0]["confidence"] = 0.6
    data = told(*rows)
    result = settle(data, {asked(data, "there", "base1"): None})
    question = next(q for q in result["questions"] if q["ask"] == "unit")
    assert (question["about"], question["covers"]) == ("base2", [["base2", "base3"]])
    assert all(entry["value"] != "base1" for q in result["questions"] for entry in q["answers"])


@pytest.mark.parametrize("answer", ["base", None])
def test_whether_a_base_is_there_can_be_changed(answer: str | None) -> None:
    rows = line(20, 20, 2, method="shape", confidence=0.6)
    data = told(*rows)
    name = asked(data, "there", "base1")
    first = settle(data, {name: "base" if answer is None else None})
    assert len(settle(first, {name: answer})["bases"]) == (1 if answer is None else 2)


def lookalikes(**more: Any) -> list[dict[str, Any]]:
    """Two lines of three that look alike, and another."""
    rows = [*line(3, 20), *line(14, 20), *line(25, 20)]
    return [
        {**row, "side": None, "method": "shape", "alike": 1 if k < 6 else None, **more} for k, row in enumerate(rows)
    ]


def offered(data: dict[str, Any], about: str) -> set[str | None]:
    return {a["value"] for q in data["questions"] if (q["ask"], q["about"]) == ("unit", about) for a in q["answers"]}


def test_one_answer_tells_the_side_of_all_look_alikes() -> None:
    data = told(*lookalikes())
    question = next(q for q in data["questions"] if q["ask"] == "side")
    assert question["says"] == "Whose are the 6 bases that look alike, at (5.2, 20.0) and (16.2, 20.0)?"
    assert [a["value"] for a in question["answers"]] == ["blue", "red", None] and question["id"] == "q1"
    assert offered(data, "base4") == {"A1", "A2", "B1", "B2", None}
    result = settle(data, {"q1": "red"})
    assert [base["side"] for base in result["bases"]] == ["red"] * 6 + [None] * 3
    assert offered(result, "base4") == {"B1", "B2", None} and "A1" in offered(result, "base7")
    assert not any(q["ask"] == "side" for q in result["questions"])
    by_hand = settle(result, {asked(data, "unit", "base4"): "A1"})
    assert {base["side"] for base in by_hand["bases"][3:6]} == {"blue"}


def test_the_look_before_tells_the_side_of_look_alikes() -> None:
    before = told(*[{**row, "side": "red"} for row in line(3, 20, unit="B1", side="red")])
    now = told(*lookalikes())
    result = name_from_previous(before, now)
    assert [base["unit"] for base in result["bases"][:3]] == ["B1"] * 3
    assert [base["side"] for base in result["bases"]] == ["red"] * 6 + [None] * 3
    assert not any(q["ask"] == "side" for q in result["questions"])
    assert offered(result, "base4") == {"B2", None}


def test_look_alikes_that_the_look_before_gives_to_both_sides_are_told_nothing() -> None:
    rows = [*line(3, 20, unit="B1", side="red"), *line(14, 20, unit="A1", side="blue")]
    now = told(*({**row, "alike": 1} for row in lookalikes()))
    result = name_from_previous(told(*rows), now)
    assert [base["side"] for base in result["bases"]] == ["red"] * 3 + ["blue"] * 3 + [None] * 3
