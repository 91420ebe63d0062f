"""Answers written into an observation: what they change, what follows, what they can't be."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.directions import towards
from tabletop.errors import AnswerError, SceneError
from tabletop.questions.settling import read_answer, refresh, settle
from tabletop.tables.scene import scene_from_json
from tests.support.cli_runs import run_cli as run
from tests.support.doubtful_tables import line, seen
from vision.model.expected import ExpectedTerrain
from vision.model.observation import SeenDie, SeenMarker
from vision.pipeline.questions import questions_of

SQUARE = ((3.0, 12.0), (9.0, 12.0), (9.0, 17.0), (3.0, 17.0))


def doubtful(**more: Any) -> dict[str, Any]:
    """Two nameless blue infantry units, a red one without its unique base, an open die, cotton, terrain, no tank."""
    rows = [
        *line(3, 20, side="blue", facing_known=False, facing=2.0),
        *line(20, 20, side="blue", facing_known=False),
        *({**row, "unique": None} for row in line(3, 5, unit="B1", side="red")),
        *line(20, 5, unit="B2", side="red"),
    ]
    things: dict[str, Any] = {
        "dice": (SeenDie((20.0, 6.6), None, 0.6), SeenDie((21.0, 6.6), 2, 0.9), SeenDie((4.0, 6.6), 3, 0.9)),
        "markers": (
            SeenMarker("B2", "hits", (20.5, 6.6), 0.5, "dice", None, (0, 1)),
            SeenMarker(None, "fired", (10.0, 5.0), 0.9, "cotton"),
        ),
        "terrain": (ExpectedTerrain("t1", "woods", SQUARE, confidence=0.5), ExpectedTerrain("t2", "marsh", SQUARE)),
        "warnings": (
            "The tag of B1 (7) was not read: say which base is its unique one.",
            "6 bases could not be given to a unit with certainty.",
            "Frame marker 3 was not used: positions are less exact near it.",
        ),
        **more,
    }
    observation, expected = seen(*rows, **things)
    data: dict[str, Any] = observation.to_json()
    data["questions"] = [question.to_json() for question in questions_of(observation, expected)]
    return data


DATA = doubtful()
ASKED = {(q["ask"], q["about"]): q["id"] for q in DATA["questions"]}
UNIT, OTHER = ASKED["unit", "base1"], ASKED["unit", "base4"]


def asked(ask: str, about: str) -> str:
    return ASKED[ask, about]


def units(data: dict[str, Any]) -> list[str | None]:
    return [base["unit"] for base in data["bases"]]


def left(data: dict[str, Any]) -> set[str]:
    return {question["id"] for question in data["questions"]}


def test_naming_one_group_settles_the_other_by_elimination() -> None:
    result = settle(DATA, {UNIT: "A2"})
    assert units(result)[:6] == ["A2"] * 3 + ["A1"] * 3
    assert {entry["id"]: entry["by"] for entry in result["settled"]} == {UNIT: "player", OTHER: "elimination"}
    assert {UNIT, OTHER}.isdisjoint(left(result))
    first = result["bases"][0]
    assert (first["side"], first["kind"], first["method"]) == ("blue", "infantry", "player")
    assert not any("could not be given" in warning for warning in result["warnings"])
    assert "Frame marker 3 was not used: positions are less exact near it." in result["warnings"]
    assert scene_from_json(result).unit("A1").kind == "infantry"


def test_what_is_not_answered_is_untouched() -> None:
    before = copy.deepcopy(DATA)
    result = settle(DATA, {asked("kind", "t1"): "field"})
    assert before == DATA
    assert result["bases"] == before["bases"] and result["dice"] == before["dice"]
    assert settle(DATA) == DATA and settle(DATA, {}) == DATA


def test_the_unique_base_of_a_group_is_asked_once_its_unit_is_told() -> None:
    result = settle(DATA, {UNIT: "A2"})
    unique = next(q for q in result["questions"] if q["id"] == asked("unique", "base1"))
    assert unique["after"] is None and unique["says"] == "Which base of A2 is the unique one?"
    done = settle(result, {unique["id"]: "base2"})
    assert [base["unique"] for base in done["bases"][:3]] == [False, True, False]
    assert scene_from_json(done).unit("A2").unique == 1


def test_bases_that_are_no_units_go_with_all_their_questions() -> None:
    result = settle(DATA, {UNIT: None})
    assert len(result["bases"]) == 9
    assert not any(
        {"base1", "base2", "base3"} & {name for ids in q["covers"] for name in ids} for q in result["questions"]
    )
    assert "3 bases could not be given to a unit with certainty." in result["warnings"]


def test_a_facing_is_that_of_the_answers_that_each_base_allows() -> None:
    question = asked("facing", "base1")
    result = settle(DATA, {question: 182.0})
    assert [base["facing"] for base in result["bases"][:3]] == [182.0] * 3
    assert all(base["facing_sigma"] is not None and "facings" not in base for base in result["bases"][:3])
    by_hand = settle(DATA, {question: 95})["bases"][0]
    assert by_hand["facing"] == 95.0 and by_hand["facing_sigma"] == 10.0
    assert settle(DATA, {question: 10.0})["bases"][0]["facing"] == 2.0


def test_a_die_that_is_read_counts_its_hits() -> None:
    result = settle(DATA, {asked("value", "die1"): 4})
    hits = next(m for m in result["markers"] if m["means"] == "hits")
    assert (hits["value"], result["dice"][0]["value"]) == (6, 4)
    gone = settle(DATA, {asked("value", "die1"): None})
    assert [die["id"] for die in gone["dice"]] == ["die2", "die3"]
    assert next(m for m in gone["markers"] if m["means"] == "hits")["value"] == 2


def test_one_answer_on_a_symbol_counts_for_all_dice_that_bear_it() -> None:
    chances = (0.5, 0.0, 0.0, 0.0, 0.0, 0.5)
    bears = (SeenDie((x, 6.6), None, 0.9, chances, symbol=True, symbols_asked=0) for x in (20.0, 4.0))
    data = doubtful(dice=(next(bears), SeenDie((21.0, 6.6), 2, 0.9), next(bears)))
    (question,) = (q for q in data["questions"] if q["ask"] == "value")
    result = settle(data, {question["id"]: 1})
    assert [die["value"] for die in result["dice"]] == [1, 2, 1]
    assert [die.get("symbol", False) for die in result["dice"]] == [True, False, True]
    assert next(m for m in result["markers"] if m["means"] == "hits")["value"] == 3
    assert [die["id"] for die in settle(data, {question["id"]: None})["dice"]] == ["die2"]


def test_a_die_given_to_a_unit_becomes_its_hits_and_cotton_its_fire() -> None:
    result = settle(DATA, {asked("whose", "die3"): "B1", asked("whose", "marker2"): "B2"})
    made = next(m for m in result["markers"] if m["unit"] == "B1")
    assert (made["means"], made["value"], made["dice"]) == ("hits", 3, ["die3"])
    assert next(m for m in result["markers"] if m["id"] == "marker2")["unit"] == "B2"
    nobody = settle(DATA, {asked("whose", "marker2"): None})
    assert [m["id"] for m in nobody["markers"]] == ["marker1"]
    both = settle(DATA, {asked("whose", "die3"): "B2"})
    assert next(m for m in both["markers"] if m["unit"] == "B2")["dice"] == ["die1", "die2", "die3"]


def folded(data: dict[str, Any]) -> dict[str, Any]:
    """The same with what is not certain of the terrain among what players may open."""
    possible, terrain = data["terrain"][:1], data["terrain"][1:]
    split = [[q for q in data["questions"] if (q["ask"] == "kind") is kind] for kind in (False, True)]
    keys = ("questions", "further_questions", "terrain", "possible_terrain")
    return {**data, **dict(zip(keys, [*split, terrain, possible], strict=True))}


@pytest.mark.parametrize("data", [DATA, folded(DATA)])
def test_terrain_is_what_the_players_say(data: dict[str, Any]) -> None:
    assert [piece.is_doubtful for piece in scene_from_json(data).terrain if piece.id == "t1"] == [True]
    result = settle(data, {asked("kind", "t1"): "hill"})
    assert {p["id"]: (p["kind"], p["confidence"]) for p in result["terrain"]}["t1"] == ("hill", 1.0)
    assert not {"possible_terrain", "further_questions"} & result.keys()
    nothing = settle(data, {asked("kind", "t1"): None})
    assert [piece["id"] for piece in nothing["terrain"]] == ["t2"]
    assert nothing["bare"] == [{"polygon": DATA["terrain"][0]["polygon"]}]  # the next photo is told so
    assert "bare" not in settle(nothing, {asked("kind", "t1"): "hill"})
    assert settle(data, {UNIT: "A2"}).get("possible_terrain") == data.get("possible_terrain")


def test_units_out_of_sight_are_asked_of_no_more_once_a_base_is_theirs() -> None:
    result = settle(DATA, {UNIT: "A3"})
    assert "A3" in units(result)
    assert asked("presence", "A3") not in left(result)
    off = settle(DATA, {asked("presence", "A3"): "off"})
    assert off["bases"] == DATA["bases"] and off["settled"][0]["says"] == "A3 is off the table"


def test_an_answer_may_be_changed_and_taken_back_to_what_the_photo_says() -> None:
    first = settle(DATA, {UNIT: "A2"})
    changed = settle(first, {UNIT: "A1"})
    assert units(changed)[:6] == ["A1"] * 3 + ["A2"] * 3
    assert changed == settle(DATA, {UNIT: "A1"})
    assert changed["as_seen"]["bases"] == DATA["bases"]


VALUES: dict[str, list[Any]] = {
    q["id"]: [entry["value"] for entry in q["answers"]] for q in DATA["questions"] if q["ask"] != "unit"
} | {UNIT: ["A1", None], OTHER: ["A2", None]}


@settings(max_examples=12)
@given(st.permutations(sorted(VALUES)), st.data())
def test_settling_is_idempotent_and_takes_answers_in_any_order(order: list[str], data: st.DataObject) -> None:
    chosen = {name: data.draw(st.sampled_from(VALUES[name])) for name in order[: data.draw(st.integers(0, len(order)))]}
    together = settle(DATA, chosen)
    one_by_one = DATA
    for name in order:
        if name in chosen:
            one_by_one = settle(one_by_one, {name: chosen[name]})
    assert one_by_one == together
    assert settle(together, chosen) == together and settle(together) == together
    scene_from_json(together)
    json.dumps(together, allow_nan=False)
    for question in together["questions"]:
        assert question["id"] not in chosen
        chances = [entry["chance"] for entry in question["answers"]]
        assert sum(chances) <= 1.01 and chances == sorted(chances, reverse=True)
        if question["ask"] == "unit":
            for entry in question["answers"]:
                named = sum(unit == entry["value"] for unit in units(together))
                assert entry["value"] is None or named + len(question["covers"][0]) <= 3


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"q99": "A1"}, "There is no question q99"),
        ({UNIT: "Z9"}, "can't be answered with Z9"),
        ({UNIT: "B1"}, "B1 has 3 bases and would have 6"),
        ({UNIT: "A1", OTHER: "A1"}, "A1 has 3 bases and would have 6"),
        ({UNIT: True}, "can't be answered with True"),
        ({ASKED["value", "die1"]: 7}, "can't be answered with 7"),
        ({ASKED["facing", "base1"]: float("nan")}, "can't be answered with nan"),
        ({ASKED["facing", "base1"]: "north"}, "can't be answered with north"),
        ({ASKED["kind", "t1"]: "lake"}, "can't be answered with lake"),
        ({ASKED["unique", "base7"]: "base1"}, "can't be answered with base1"),
        ({UNIT: ["A1"]}, "can't be answered with A1"),
    ],
)
def test_answers_that_can_not_be_are_refused_in_a_sentence(answers: dict[str, Any], said: str) -> None:
    with pytest.raises(AnswerError, match=said):
        settle(DATA, answers)


def test_two_unique_bases_of_one_unit_are_refused() -> None:
    data = doubtful()
    for base in data["bases"][3:5]:
        base["unit"], base["kind"], base["unique"] = "A1", "infantry", base["id"] == "base4"
    for question in data["questions"]:
        if question["about"] == "base4":
            question["covers"] = [["base6"]]
            if question["ask"] == "unique":
                question["answers"].append({"value": "base6", "chance": 0.0, "says": "the last"})
    with pytest.raises(AnswerError, match=r"A1 has its unique base already, .* It is base4"):
        settle(data, {OTHER: "A1", asked("unique", "base4"): "base6"})


def test_ranks_and_none_are_read() -> None:
    question = {"id": "q1", "ask": "units", "answers": [{"value": ["A", "B"]}, {"value": ["B", "A"]}]}
    assert read_answer(question, "#2") == ["B", "A"] and read_answer(question, "B, A") == ["B", "A"]
    for text, said in (("#3", "q1 has 2 answers"), ("x", "is not one")):
        with pytest.raises(AnswerError, match=said):
            read_answer(question | {"ask": "facing"}, text)


def test_broken_questions_are_refused() -> None:
    for change in ({"ask": "colour"}, {"answers": 3}, {"answers": [{"value": 1}]}):
        data = doubtful()
        data["questions"][0] |= change
        with pytest.raises(SceneError):
            settle(data, {data["questions"][0]["id"]: None})
    with pytest.raises(SceneError):
        settle({"version": 1})


def test_names_from_elsewhere_answer_questions_too_and_further_ones_take_their_places() -> None:
    data = folded(doubtful())
    data["questions"] = [q for q in data["questions"] if q["ask"] == "unit"]
    for base in data["bases"][:3]:
        base["unit"], base["kind"] = "A1", "infantry"
    result = refresh(data)
    question = next(q for q in result["questions"] if q["id"] == OTHER)
    assert [entry["value"] for entry in question["answers"]] == ["A2", None]
    assert left(result) == {OTHER, asked("kind", "t1")} and not {"settled", "possible_terrain"} & result.keys()
    assert "3 bases could not be given to a unit with certainty." in result["warnings"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "obs.json"
    path.write_text(json.dumps(DATA))
    return path


def test_the_command_lists_what_is_open(file: Path) -> None:
    said = run("settle", file).stdout
    assert said.startswith(f"{len(DATA['questions'])} questions left open:\n{UNIT}  Which unit are the 3 blue bases")
    assert "A1: infantry, not seen elsewhere" in said and "none: nobody's" in said
    assert f"(once {UNIT} is answered)" in said
    file.write_text(json.dumps(folded(DATA)))
    said = run("settle", file).stdout
    assert f"1 more possible piece of terrain: `tabletop settle {file} --all` lists it." in said
    assert "What is the terrain" not in said and "What is the terrain" in run("settle", file, "--all").stdout
    assert not run("settle", file, "--answer", f"{asked('kind', 't1')}=town").exit_code
    file.write_text(json.dumps({**folded(DATA), "questions": []}))
    said = run("settle", file).stdout
    assert said.startswith("No first questions are open.\n1 more possible piece"), "not that nothing is open"
    file.write_text(json.dumps(folded(DATA)))
    said = run("settle", file, "--answer", f"{UNIT}=A2", "--json", out := file.with_name("out.json")).stdout
    assert f"`tabletop settle {out} --all`" in said, "the file that has the answers"


FIRST = DATA["questions"][0]
BROKEN: list[dict[str, Any]] = [{"further_questions": None}, {"further_questions": ["x"]}, {"possible_terrain": 5},
    {"further_questions": [FIRST | {"id": []}]}, {"questions": [FIRST | {"covers": [5]}]},
    {"as_seen": 7}, {"as_seen": {"possible_terrain": [{}]}}]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN)
def test_lists_that_no_photo_wrote_are_refused_in_a_sentence(broken: dict[str, Any], file: Path) -> None:
    file.write_text(json.dumps({**DATA, **broken}))
    result = run("settle", file, "--answer", f"{UNIT}=A2")
    assert result.exit_code == 2 and "tabletop: The observation: " in result.stderr


def test_the_command_writes_answers_in(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "settled.json"
    result = run("settle", file, "--answer", f"{UNIT}=A2", "--answer", f"{asked('value', 'die1')}=5", "--json", out)
    assert result.exit_code == 0, result.output
    assert json.loads(out.read_text()) == settle(DATA, {UNIT: "A2", asked("value", "die1"): 5})
    assert "A1, by elimination." in result.stdout
    again = run("settle", out, "--answer", f"{UNIT}=#2", "--json", "-")
    assert units(json.loads(again.stdout))[:3] == ["A2"] * 3 or units(json.loads(again.stdout))[:3] == ["A1"] * 3
    assert "Nothing was written" in run("settle", file, "--answer", f"{UNIT}=A2").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--answer", "q1"), "write it as QUESTION=VALUE"),
        (("--answer", "q1=A1", "--answer", "q1=A2"), "answered twice"),
        (("--answer", "q77=A1"), "There is no question q77"),
        (("--answer", f"{UNIT}=Z9"), "can't be answered with Z9"),
    ],
)
def test_the_command_refuses_in_a_sentence(file: Path, arguments: tuple[str, ...], said: str) -> None:
    out = file.parent / "out.json"
    result = run("settle", file, *arguments, "--json", out)
    assert result.exit_code == 2 and said in result.stderr and result.stderr.count("\n") == 1
    assert not out.exists()


def test_a_scene_is_no_observation(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"version": 1, "table": {"width": 36, "depth": 36}, "units": []}))
    assert "is not an observation" in run("settle", path).stderr


def test_all_that_was_seen_turns_with_the_edge_that_is_near_and_back() -> None:
    lens = {"K": np.diag([9.0, 9.0, 1.0]).tolist(), "dist": [0.0] * 5}
    photo = {"file": "a.jpg", "width": 9, "height": 9, **lens, "R": np.eye(3).tolist(), "t": [1.0, 2.0, 30.0]}
    data = {**doubtful(turns=(1, 2, 3)), "photos": [photo]}
    q = {question["ask"]: question for question in data["questions"]}
    turned = settle(data, {"q1": "left"})
    was, now, open_ = data["bases"][9], turned["bases"][9], {one["id"]: one for one in turned["questions"]}
    (x, y), facing = was["center"], q["facing"]["id"]
    assert (now["center"], now["facing"]) == ([y, 36 - x], (was["facing"] + 90) % 360)
    assert turned["terrain"][1]["polygon"][0] == [12.0, 33.0] and turned["dice"][0]["center"] == [6.6, 16.0]
    assert "(6.0, 14.5)" in q["kind"]["says"] and "(14.5, 30.0)" in open_[q["kind"]["id"]]["says"]
    ways, value = open_[facing]["answers"], q["facing"]["answers"][0]["value"]
    assert [a["value"] for a in ways] == [(a["value"] + 90) % 360 for a in q["facing"]["answers"]]
    assert all(towards(a["value"]) in a["says"] for a in ways)
    R, t = (np.array(turned["photos"][0][key]) for key in ("R", "t"))
    assert R @ [*now["center"], 0] + t == pytest.approx(np.array([x + 1, y + 2, 30]))
    back = settle(turned, {"q1": "near"})
    assert back["bases"] == data["bases"] and back["photos"] == data["photos"]
    first, last = settle(data, {"q1": "far"}), settle(data, {facing: value})
    assert settle(first, {facing: (value + 180) % 360})["bases"] == settle(last, {"q1": "far"})["bases"]
    with pytest.raises(AnswerError, match="near, left, far, right"):
        settle(data, {"q1": "north"})


def test_drawn_terrain_does_not_turn_and_bases_stand_on_its_hills() -> None:
    data = doubtful(turns=(1, 2, 3))
    data["questions"][0]["covers"] = [[base["id"] for base in data["bases"]]]
    data["terrain"][1] |= {"kind": "hill", "height": 2.0}
    data["bases"][9] |= {"center": [22.0, 6.0], "lean": [0.1, 0.2], "z": 0.0}
    told = settle(data, {"q1": "left"})
    assert told["terrain"] == data["terrain"] and told["bases"][9]["z"] == 2.0
    assert told["bases"][9]["center"] == pytest.approx([6.0 + 2 * 0.2, 14.0 - 2 * 0.1])
