"""Bases on the board: their hexes, straddling, facings; platoons and counters; answers and the position written."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.errors import AnswerError
from tabletop.grids.hexes.facing import facing_of
from tabletop.grids.placement import BoardPlacement, centre_board
from tabletop.grids.standing import footing
from tabletop.rulesets.combined_arms.board import HEXES, NUMBER
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.overlay.lines_of_fire import lines_of_fire
from tabletop.rulesets.combined_arms.overlay.position import earlier_from, to_json
from tabletop.rulesets.combined_arms.overlay.reading import read_table
from tabletop.rulesets.combined_arms.position import setup_from_position
from tests.support.observed_rows import base_row
from tests.support.observed_rows import observation as seen

LAID = centre_board(CELLS, (36.0, 36.0), 3.2)


def place(name: str, dx: float = 0.0, dy: float = 0.0) -> list[float]:
    x, y = LAID.layout.centres([HEXES[NUMBER[name]]])[0]
    return [float(x) + dx, float(y) + dy]


def base(name: str, dx: float = 0.0, dy: float = 0.0, **more: Any) -> dict[str, Any]:
    return base_row("b1", place(name, dx, dy), **{"facing_sigma": 1.0, **more})


def unit(name: str, kind: str, at: str, dx: float = 0.0, dy: float = 0.0, **more: Any) -> dict[str, Any]:
    return base(at, dx, dy, **{"unit": name, "kind": kind, "side": "x", "id": f"base-{name}", "unique": True, **more})


def box(kind: str, name: str, half: float = 1.7, **more: Any) -> dict[str, Any]:
    (x, y) = place(name)
    ring = [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    return {"id": f"t-{name}", "kind": kind, "polygon": ring, "height": 0.0, "confidence": 1.0, "sigma": 0.0, **more}


def test_a_base_across_a_side_names_both_hexes() -> None:
    there = footing(base("4-3", 1.35), LAID)  # 0.25" of its 1" lie beyond the side
    assert there.cell == "4-3" and there.straddles and not there.is_open
    assert (there.over_cell, there.across) == ("4-4", "4-4") and there.over == pytest.approx(0.25, abs=0.01)
    assert [name for name, _ in there.shares] == ["4-3", "4-4"]
    assert dict(there.shares)["4-4"] == pytest.approx(0.25, abs=0.03)


@given(st.floats(-1.8, 1.8), st.floats(-1.8, 1.8), st.floats(0.01, 0.5), st.floats(1.0, 3.0))
@settings(max_examples=40)
def test_a_larger_spread_never_makes_a_hex_surer(dx: float, dy: float, sigma: float, factor: float) -> None:
    before = footing(base("5-6", dx, dy, sigma=sigma), LAID)
    after = footing(base("5-6", dx, dy, sigma=sigma * factor), LAID)
    assert after.chance <= before.chance and after.cell == before.cell


@pytest.mark.parametrize(
    ("facing", "corner", "error", "is_open"),
    [
        (60.0, 1, 0.0, False),
        (75.0, 1, 15.0, False),
        (84.0, 1, 24.0, True),
        (358.0, 0, -2.0, False),
        (329.0, 5, 29.0, True),
    ],
)
def test_facings_go_to_the_nearest_corner(facing: float, corner: int, error: float, is_open: bool) -> None:
    found = facing_of(base("4-3", facing=facing, facing_sigma=0.5), LAID)
    assert found is not None and found.corner == corner and found.is_open is is_open
    assert found.error_deg == pytest.approx(error)
    if is_open:
        assert found.others[0][0] == (corner + 1) % 6


def test_a_turned_board_turns_its_corners() -> None:
    turned = BoardPlacement(CELLS, type(LAID.layout)(3.2, (8.0, 8.0), 20.0))
    found = facing_of(base("4-3", facing=80.0), turned)
    assert found is not None and (found.corner, round(found.error_deg, 6)) == (1, 0.0)


def test_a_facing_known_up_to_half_a_turn_is_open() -> None:
    found = facing_of(base("4-3", facing=None, facings=[60.0, 240.0], facings_sigma=0.5), LAID)
    assert found is not None and found.is_open
    assert {found.corner, found.others[0][0]} == {1, 4} and found.chance == pytest.approx(0.5, abs=0.01)
    assert facing_of(base("4-3", facing=None), LAID) is None


def table() -> dict[str, Any]:
    return seen(
        unit("E2", "rifle", "2-3"),
        unit("A1", "armour", "3-4", facing=70.0),
        unit("M1", "mmg", "1-2"),
        unit("p1", "counter", "6-4"),
        unit("g1", "potential-atg", "6-4", 0.6, 0.4),
        unit("p2", "platoon", "7-4"),
        unit("s1", "smoke", "5-4"),
        base("8-8", id="b77", kind="counter"),
        terrain=(box("woods", "6-4"), box("hill", "4-4")),
        markers=[{"unit": "E2", "means": "fired", "center": place("2-3"), "confidence": 1.0}],
    )


def test_a_table_becomes_a_position() -> None:
    position = to_json(read_table(table(), LAID))
    assert position["platoons"] == [
        {"id": "E2", "hex": "2-3", "state": "spent"},
        {"id": "M1", "hex": "1-2", "state": "fresh"},
        {"id": "A1", "hex": "3-4", "state": "fresh", "facing": 1},
    ]
    assert position["enemy"] == [
        {"hex": "6-4", "revealed": False, "state": "fresh", "atg": "potential"},
        {"hex": "7-4", "revealed": True, "state": "fresh", "atg": "none"},
        {"hex": "8-8", "revealed": False, "state": "fresh", "atg": "none"},
    ]
    assert position["board"] == {"4-4": "crest", "6-4": "woods"} and position["smoke"] == ["5-4"]
    assert (position["turn"], position["losses"], position["ammo"], position["road"]) == (1, 0, 0, [])
    assert position["overlay"]["questions"] == [] and position["overlay"]["notes"] == []
    setup_from_position({key: value for key, value in position.items() if key != "overlay"})
    told = next(one for one in position["overlay"]["units"] if one["id"] == "A1")
    assert told["facing_error"] == 10.0 and told["straddles"] is None


def test_lines_of_fire_are_those_of_terrain_and_smoke() -> None:
    lines = {(t.start, t.end): t for t in lines_of_fire(read_table(table(), LAID))}
    assert lines["3-4", "6-4"].line == "blocked" and "4-4" in lines["3-4", "6-4"].by
    assert lines["2-3", "6-4"].line in ("clear", "partial", "blocked")
    assert all(pair[0] in ("2-3", "3-4", "1-2") for pair in lines)


def test_what_can_not_be_is_said() -> None:
    reading = read_table(
        seen(
            unit("A1", "armour", "6-4"),
            unit("g1", "atg", "7-7"),
            unit("p1", "counter", "8-4"),
            unit("p2", "counter", "8-4", 0.5),
            unit("x9", "infantry", "4-4"),
            unit("D3", "infantry", "1-1", -4.0),
            terrain=(box("woods", "6-4"),),
        ),
        LAID,
    )
    notes = " ".join(to_json(reading)["overlay"]["notes"])
    for words in (
        "g1 stands in 7-7 without a platoon",
        "8-4 has 2 counters (p1, p2)",
        "x9 is left out",
        'The roster has D3 as "infantry", and it is rifle here',
        "Off the board: D3 (4.4, 6.9).",
        "By the rules this can't be so: Armour A1 stands in 6-4, woods",
    ):
        assert words in notes, notes


def test_a_platoon_of_several_bases_stands_by_its_unique_one() -> None:
    bases = [
        unit("E2", "rifle", "2-3"),
        unit("E2", "rifle", "2-4", id="b2", unique=False),
        unit("E2", "rifle", "2-3", 0.9, id="b3", unique=False),
    ]
    (stander,) = read_table(seen(*bases), LAID).forces.standers
    assert stander.footing.cell == "2-3" and stander.apart == ("2-4",)


def doubtful() -> dict[str, Any]:
    return seen(
        unit("A1", "armour", "3-4", 1.4, facing=88.0),
        unit("A2", "armour", "2-2", facing=None),
        terrain=(
            box("woods", "6-4", 1.3, sigma=0.5),
            box("marsh", "8-4", confidence=0.6, sigma=0.05),
        ),
    )


def test_what_is_open_is_asked_in_the_form_of_a_photos_questions() -> None:
    from vision.model.observation import Question

    reading = read_table(doubtful(), LAID)
    asked = {q["id"]: q for q in reading.questions}
    assert list(asked) == ["t-8-4", "6-4", "A1", "A1 facing", "A2 facing"]
    for question in reading.questions:
        assert Question.from_json(question).to_json() == question
        chances = [answer["chance"] for answer in question["answers"]]
        assert chances == sorted(chances, reverse=True) and sum(chances) == pytest.approx(1.0, abs=0.03)
    assert asked["6-4"]["says"] in ("Hex 6-4: woods or open?", "Hex 6-4: open or woods?")
    assert {a["value"] for a in asked["A1"]["answers"]} >= {"3-4", "3-5"}
    assert [a["value"] for a in asked["A1 facing"]["answers"]] == [1, 2]
    assert len(asked["A2 facing"]["answers"]) == 6
    position = to_json(reading)
    assert next(p for p in position["platoons"] if p["id"] == "A2")["facing"] is None
    assert position["overlay"]["uncertain"] == ["6-4", "8-4"]


def test_answers_settle_and_are_kept() -> None:
    answers = {
        "6-4": "wooded crest + road",
        "t-8-4": "none",
        "A1": "3-5",
        "A1 facing": "#2",
        "A2 facing": "4",
        "1-1": "farm",
    }
    reading = read_table(doubtful(), LAID, answers)
    position = to_json(reading)
    assert reading.questions == () and reading.uncertain == ()
    assert position["board"] == {"1-1": "farm", "6-4": "wooded crest"} and position["road"] == ["6-4"]
    assert [(p["id"], p["hex"], p["facing"]) for p in position["platoons"]] == [("A1", "3-5", 2), ("A2", "2-2", 4)]
    earlier = earlier_from(json.loads(json.dumps(position)), "p.json")
    again = read_table(doubtful(), LAID, {}, earlier.answers)
    assert to_json(again) == position
    changed = to_json(read_table(doubtful(), LAID, {"6-4": "open"}, earlier.answers))
    assert changed["board"] == {"1-1": "farm"} and len(changed["overlay"]["settled"]) == len(answers)


def test_answers_on_what_has_moved_or_gone_count_no_more() -> None:
    position = to_json(read_table(doubtful(), LAID, {"A1": "3-5", "t-8-4": "marsh", "6-4": "woods"}))
    later = seen(unit("A1", "armour", "5-5", 1.4), terrain=())
    reading = read_table(later, LAID, {}, earlier_from(position, "p").answers)
    assert [one.id for one in reading.answers] == ["6-4"]
    notes = " ".join(reading.notes)
    assert "A1 has moved since A1 was answered" in notes and "marsh at" in notes and "not seen any more" in notes


def test_pieces_are_found_again_by_their_place() -> None:
    position = to_json(read_table(doubtful(), LAID, {"t-8-4": "marsh"}))
    renamed = doubtful()
    renamed["terrain"][1]["id"] = "t77"
    reading = read_table(renamed, LAID, {}, earlier_from(position, "p").answers)
    assert [one.id for one in reading.answers] == ["t77"] and "8-4" not in reading.uncertain
    assert to_json(reading)["board"]["8-4"] == "poor going"


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("6-4", "forest", "6-4 can't be 'forest'"),
        ("6-4", "#9", "has 2 answers"),
        ("1-1", "#1", "has no question"),
        ("12-4", "woods", "There is no hex"),
        ("A9", "3-3", "There is no hex, piece of terrain, platoon or facing A9"),
        ("A1", "3-99", "row 3 has hexes 1 to 9"),
        ("A1 facing", "6", "a facing is a corner"),
        ("t-8-4", "mash", 'did you mean "marsh"'),
    ],
)
def test_answers_that_can_not_be(name: str, value: str, what: str) -> None:
    with pytest.raises(AnswerError, match=what.replace("(", r"\(")):
        read_table(doubtful(), LAID, {name: value})


def test_counts_are_carried_over() -> None:
    position = to_json(read_table(table(), LAID))
    position |= {"turn": 7, "losses": 3, "ammo": 5, "off": ["D1"]}
    later = to_json(read_table(table(), LAID), earlier_from(position, "p"))
    assert (later["turn"], later["losses"], later["ammo"], later["off"]) == (7, 3, 5, ["D1"])


def test_terrain_that_fills_no_hex_is_named() -> None:
    reading = read_table(seen(terrain=(box("woods", "6-4", 0.9), box("ruin", "5-4", 1.5))), LAID)
    assert any("makes no hex woods; most of it lies in 6-4" in note for note in reading.notes)
    assert any(note.startswith("This game does not use ruins:") for note in reading.notes)


def test_a_typed_scene_is_read_like_an_observation() -> None:
    piece = {"id": "t1", "kind": "woods", "polygon": box("woods", "6-4")["polygon"]}
    scene = {
        "version": 1, "table": {"width": 36.0, "depth": 36.0}, "terrain": [piece],
        "units": [{"id": "E2", "side": "x", "kind": "rifle", "bases": [
            {"shape": "rect", "width": 1.0, "depth": 1.0, "center": place("2-3"), "facing": 0.0, "unique": True}]}],
    }  # fmt: skip
    position = to_json(read_table(scene, LAID))
    assert position["board"] == {"6-4": "woods"} and position["platoons"][0]["hex"] == "2-3"
