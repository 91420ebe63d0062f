"""What is measured of a game agrees with the rules' own reports, with plain geometry, and tells nothing hidden."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.arcs import front_margin
from tabletop.boards import board_of
from tabletop.boards.data import plain
from tabletop.errors import TabletopError
from tabletop.game import Game
from tabletop.game.protocol import PUBLIC
from tabletop.measuring import MeasureError, measure, overlays
from tabletop.measuring.apart import Gap
from tabletop.open_table.setup import TerrainPiece
from tabletop.open_table.things import length_of
from tabletop.rulesets.combined_arms import report as hex_report
from tabletop.rulesets.combined_arms.actions import Leave, Move
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.combined_arms.moving import violations
from tabletop.rulesets.combined_arms.state import State as HexState
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.report import report
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.state import State as OpenState
from tabletop.starting.scenarios import find
from tests.support.board_games import HEX, OPEN, hex_state, open_state, posted, twins
from tests.support.combined_arms_tables import state_at
from tests.support.one_hour_games import a_unit, begun, do

SEEDS = st.integers(0, 15)
ACTIONS = st.sampled_from((0, 4, 10, 20))
SIGHT = {"from", "to", "verdict", "points", "outlines", "blocked_by", "blocked_at", "reasons",
         "range", "says", "observer", "observed"}  # fmt: skip
OVERLAYS = {"unit", "side", "says", "ranges", "front", "rear", "threat", "reach", "against", "threatened_by",
            "perhaps_threatened_by", "sights"}  # fmt: skip
MEASUREMENT = {"a", "b", "plain", "rule", "sights", "reasons", "says"}


def drawn(rules: str, state: Any, unit: str, viewer: str = PUBLIC) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(plain(overlays(rules, state, unit, viewer)), allow_nan=False))
    assert found.keys() == OVERLAYS
    for line in found["sights"]:
        whole(line)
    return found


def measured(rules: str, state: Any, a: dict[str, Any], b: dict[str, Any], viewer: str = PUBLIC) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(plain(measure(rules, state, a, b, viewer)), allow_nan=False))
    assert found.keys() == MEASUREMENT
    for line in found["sights"]:
        whole(line)
    return found


def whole(line: dict[str, Any]) -> None:
    assert line.keys() == SIGHT and line["says"].endswith(".")
    assert line["reasons"] and all(reason["text"] for reason in line["reasons"])
    assert any(reason["place"] for reason in line["reasons"])
    assert not (line["verdict"] == "clear" and (line["blocked_by"] or line["blocked_at"]))


def test_a_mortar_shot_that_a_friend_observes_is_told_as_such() -> None:
    scenario = find("flank-attack")
    game = Game.new(RULES, scenario.setup)
    game.push(game.parse("begin"))
    lines = {line["to"]: line for line in drawn("one-hour-ww2", game.state, "B6")["sights"]}
    observed, hidden = lines["R1"], lines["R5"]
    assert (observed["verdict"], observed["observer"], observed["observed"]) == ("blocked", "B1", "clear")
    assert observed["says"].endswith("B1 observes R1 for it.")
    assert (hidden["verdict"], hidden["observer"], hidden["observed"]) == ("blocked", "", None)


def standing(state: OpenState) -> list[str]:
    return list(state.situation.index)


def agrees_with_report(state: OpenState) -> None:
    """Every sight and every range as the report of the same table has it, and measured one by one too."""
    judged = report(state.scene, dice=state.setup.dice, rules=state.setup.rules)
    shots = {(shot["firer"], shot["target"]): shot for shot in judged["shots"]}
    seen = {(line["from"], line["to"]): line for name in standing(state) for line in drawn(OPEN, state, name)["sights"]}
    live = set(standing(state))
    assert seen.keys() == {pair for pair in shots if live.issuperset(pair)}
    for pair, line in seen.items():
        shot = shots[pair]
        assert line["verdict"] == shot["sight"]["verdict"], pair
        assert line["blocked_by"] == shot["sight"]["blocked_by"], pair
        assert line["range"]["value"] == pytest.approx(shot["range"]["value"], abs=1e-4)
        assert line["range"]["sigma"] == pytest.approx(shot["range"]["sigma"], abs=1e-4)
        assert (line["range"]["band"], line["range"]["unit"]) == (shot["range"]["band"], "in")
        assert math.dist(*line["points"]) == pytest.approx(line["range"]["value"], abs=3e-4)
        said = {f"{r['text']} [{r['place']}]" if r["place"] else r["text"] for r in line["reasons"]}
        assert said <= set(shot["reasons"])
        one = measured(OPEN, state, {"unit": pair[0]}, {"unit": pair[1]})
        assert one["sights"][0] == line
        back = one["sights"][-1] if len(one["sights"]) == 2 else line
        assert back["verdict"] == shots[pair[::-1]]["sight"]["verdict"]
        assert back["range"]["band"] == shots[pair[::-1]]["range"]["band"]
        assert one["rule"]["value"] == pytest.approx(shot["range"]["value"], abs=1e-4)
        assert one["rule"]["band"] == shot["range"]["band"]
        assert one["plain"]["value"] <= one["rule"]["value"] + 1e-4
    for row in judged["threatened"]:
        if row["unit"] in live:
            assert drawn(OPEN, state, row["unit"])["threatened_by"] == row["by"]


@settings(max_examples=4)
@given(SEEDS, ACTIONS)
def test_sights_and_ranges_are_those_of_the_report(seed: int, actions: int) -> None:
    agrees_with_report(open_state(seed, actions))


@settings(max_examples=8)
@given(SEEDS, ACTIONS, st.floats(0, 24), st.floats(0, 24))
def test_rings_and_the_front_hold_the_points_that_plain_geometry_says(
    seed: int, actions: int, x: float, y: float
) -> None:
    state = open_state(seed, actions)
    point = shapely.Point(x, y)
    for name in standing(state):
        unit = state.unit(name)
        assert unit is not None and unit.unique is not None
        base = unit.bases[unit.unique]
        found = drawn(OPEN, state, name)
        for ring in found["ranges"]:
            far = measured(OPEN, state, {"unit": name}, {"point": [x, y]})["rule"]["value"]
            if abs(far - ring["value"]) > 0.02:
                inside = any(shapely.Polygon(outline).covers(point) for outline in ring["outlines"])
                assert inside == (far < ring["value"])
        margin = float(front_margin(base, np.array([[x, y]]))[0][0])
        if abs(margin) > 1e-3:
            ahead = any(shapely.Polygon(outline).covers(point) for outline in found["front"]["outlines"])
            behind = any(shapely.Polygon(outline).covers(point) for outline in found["rear"]["outlines"])
            assert (ahead, behind) == (margin > 0, margin < 0)


@settings(max_examples=15)
@given(SEEDS, ACTIONS, st.data())
def test_a_measurement_is_the_plain_distance_and_the_same_from_both_ends(
    seed: int, actions: int, data: st.DataObject
) -> None:
    state = open_state(seed, actions)
    board = board_of(OPEN, state).to_json()
    shapes: dict[tuple[str, Any], Any] = {
        **{("piece", p["id"]): shapely.Polygon(p["outline"]) for p in board["pieces"]},
        **{("ground", g["id"]): shapely.Polygon(g["outline"]) for g in board["ground"]},
        ("point", (3.5, 4.25)): shapely.Point(3.5, 4.25),
        ("point", (24.0, 0.0)): shapely.Point(24.0, 0.0),
    }
    for unit in board["units"]:
        own = [shapely.Polygon(p["outline"]) for p in board["pieces"] if p["unit"] == unit["id"]]
        if own:
            shapes["unit", unit["id"]] = shapely.union_all(own)
    ends = data.draw(st.lists(st.sampled_from(sorted(shapes, key=str)), min_size=2, max_size=2, unique=True))
    a, b = ({kind: list(name) if kind == "point" else name} for kind, name in ends)
    found, back = measured(OPEN, state, a, b), measured(OPEN, state, b, a)
    plain = found["plain"]
    assert plain["value"] == pytest.approx(shapely.distance(shapes[ends[0]], shapes[ends[1]]), abs=0.01)
    assert plain["value"] == pytest.approx(back["plain"]["value"], abs=2e-4)
    if plain["value"] > 0.01:
        assert math.dist(*plain["line"]) == pytest.approx(plain["value"], abs=1e-3)
        for end, place in zip(ends, plain["line"], strict=True):
            assert shapely.distance(shapes[end], shapely.Point(place)) < 0.01
    assert (found["rule"] is None) == (back["rule"] is None)


def test_reach_says_what_keeps_a_unit_from_moving_and_what_it_rolled() -> None:
    game = begun(a_unit("B1", "blue", "tank", 6, 6), a_unit("R1", "red", "tank", 20, 20))
    before = drawn(OPEN, game.state, "R1")
    assert before["against"] and [row["name"] for row in before["reach"]] == ["best", "surely"]
    do(game, "end; move B1", 3, 3, 3)
    rolled = drawn(OPEN, game.state, "B1")
    assert not rolled["against"] and [(row["name"], row["value"]) for row in rolled["reach"]] == [("rolled", 11.0)]


def test_a_wood_and_a_friend_stand_in_the_way() -> None:
    game = begun(
        a_unit("B1", "blue", "tank", 10, 4),
        a_unit("B2", "blue", "infantry", 9, 8, bases=3),
        a_unit("R1", "red", "tank", 10, 20, 180.0),
        a_unit("R2", "red", "infantry", 30, 4, 180.0),
        terrain=(TerrainPiece("w", "woods", ((20, 2), (24, 2), (24, 8), (20, 8))),),
    )
    lines = {line["to"]: line for line in drawn(OPEN, game.state, "B1")["sights"]}
    assert lines["R1"]["blocked_by"] == ["B2"] and lines["R1"]["verdict"] == "blocked"
    (x, y) = lines["R1"]["blocked_at"][0]
    assert y == 8.0 and any(x == pytest.approx(p) for p in (9, 11.1, 13.2))
    assert lines["R2"]["blocked_by"] == ["w"] and lines["R2"]["blocked_at"][0][0] == pytest.approx(20.0, abs=0.1)
    assert "the woods" in lines["R2"]["says"] and lines["R2"]["reasons"][0]["place"] == "Line of Sight"
    both = measured(OPEN, game.state, {"unit": "B1"}, {"unit": "R1"})
    assert [(s["from"], s["verdict"]) for s in both["sights"]] == [("B1", "blocked"), ("R1", "clear")]


def test_what_was_measured_loosely_is_yellow_and_tells_its_spread() -> None:
    spread = tuple(Standing(20 + n * 1.7, 20, 180.0, (0.04, 0.0, 0.04), 2.0) for n in range(2))
    game = begun(
        a_unit("B1", "blue", "tank", 20, 4),
        replace(a_unit("R1", "red", "tank", 20, 20, 180.0), at=spread),
        terrain=(TerrainPiece("w", "woods", ((21.75, 10), (26, 10), (26, 12), (21.75, 12))),),
    )
    (line,) = drawn(OPEN, game.state, "B1")["sights"]
    assert line["verdict"] == "too-close" and line["range"]["sigma"] > 0.15
    assert "too close to call" in line["says"] and "±" in line["says"]


def test_a_round_base_is_measured_as_a_circle() -> None:
    game = begun(a_unit("B1", "blue", "infantry", 6, 6, bases=1, round_bases=True), a_unit("R1", "red", "tank", 20, 20))
    found = measured(OPEN, game.state, {"piece": "B1.1"}, {"point": [6, 12]})
    assert found["plain"]["value"] == pytest.approx(6 - 0.8, abs=1e-4)
    assert found["plain"]["line"][0] == pytest.approx([6, 6.8])


def test_what_cannot_be_measured_on_an_open_table_is_refused_in_a_sentence() -> None:
    game = begun(a_unit("B1", "blue", "tank", 6, 6), a_unit("R1", "red", "tank", 20, 20))
    do(game, "correct R1 off because lifted; correct B1 hits 3")
    for given_, words in (
        ({"unit": "B9"}, 'There is no unit "B9"'),
        ({"unit": "R1"}, "R1 was taken off the table"),
        ({"piece": "B1.7"}, 'There is no base on the table "B1.7"; did you mean "B1.'),
        ({"point": [37, 3]}, r"The point at 37.0, 3.0 is off the table, which is 36″ by 36″."),
        ({"point": [math.nan, 3]}, "A point is two finite numbers"),
        ({"point": "3,4"}, "A point is two finite numbers"),
        ({"cell": "4-3"}, "An open table has no cells"),
        ({"ground": "w"}, 'There is no piece of ground "w"; there are none.'),
        ({"unit": "B1"}, "Both ends are B1: pick two different things."),
        ({"unit": 3}, "A unit is named by a text"),
        ({}, "Each end of a measurement is one thing"),
        ({"unit": "B1", "piece": "B1.1"}, "Each end of a measurement is one thing"),
        ({"base": "B1"}, "Each end of a measurement is one thing"),
    ):
        with pytest.raises(MeasureError, match=words) as refused:
            measure(OPEN, game.state, {"unit": "B1"}, given_)
        assert isinstance(refused.value, TabletopError) and str(refused.value).endswith((".", "?"))
    with pytest.raises(MeasureError, match="R1 was taken off the table"):
        overlays(OPEN, game.state, "R1")
    wrecked = replace(game.state, units=tuple(replace(unit, hits=15) for unit in game.state.units))
    with pytest.raises(MeasureError, match="B1 has 15 hits"):
        overlays(OPEN, wrecked, "B1")
    assert measured(OPEN, wrecked, {"unit": "B1"}, {"point": [6, 20]})["rule"]["value"] > 12


def hex_agrees(state: HexState) -> None:
    """Lines of fire as the report has them, from both ends, and measured one by one too."""
    rows = {(row["from"], row["to"]): row for row in hex_report.lines(state)}
    seen = set()
    for platoon in (p for p in state.platoons if p.at >= 0):
        for line in drawn(HEX, state, platoon.id)["sights"]:
            row = rows.get((NAMES[platoon.at], line["to"]))
            if row is None:
                assert (line["verdict"], line["range"]["band"]) == ("blocked", "out") and line["range"]["value"] > 5
                continue
            seen.add((row["from"], row["to"]))
            assert (line["verdict"], line["range"]["value"]) == (row["own_fire"], row["range"])
            one = measured(HEX, state, {"unit": platoon.id}, {"unit": line["to"]})
            assert (one["sights"][0]["verdict"], one["rule"]["value"]) == (row["own_fire"], row["range"])
            back = one["sights"][-1] if len(one["sights"]) == 2 else one["sights"][0]
            assert back["verdict"] == row["terrain"]
    assert seen == rows.keys()
    for counter in state.enemy:
        for line in drawn(HEX, state, NAMES[counter.at])["sights"]:
            row = rows.get((NAMES[state.by_id[line["to"]].at], line["from"]))
            assert line["verdict"] == (row["terrain"] if row else "blocked")


@settings(max_examples=4)
@given(SEEDS, ACTIONS)
def test_lines_of_fire_are_those_of_the_report(seed: int, actions: int) -> None:
    hex_agrees(hex_state(seed, actions))


@settings(max_examples=5)
@given(SEEDS)
def test_hexes_in_reach_are_those_that_the_rules_let_a_platoon_enter(seed: int) -> None:
    state = hex_state(seed, 0)
    for platoon in (p for p in state.platoons if p.fate in ("board", "waiting")):
        found = drawn(HEX, state, platoon.id)["reach"]
        cells = {cell["id"]: cell for row in found for cell in row["cells"] if cell["leaves"] is None}
        for name in NAMES:
            legal = not violations(state, Move(platoon.id, (name,)))
            assert legal == (name in cells and cells[name]["moves"] == 1), (platoon.id, name)
        leaving = any(cell["leaves"] for row in found for cell in row["cells"])
        if platoon.fate == "board" and not leaving:
            assert violations(state, Leave(platoon.id))


def test_a_crest_a_wood_and_a_rifle_platoon_stand_in_the_way() -> None:
    state = state_at(
        {"A1": "3-4 0", "D1": "4-4", "E1": "3-5"},
        {"5-5": "real", "3-8": "potential", "8-3": "potential"},
        {"3-6": "woods", "3-7": "crest"},
        smoke=["3-7"],
    )
    lines = {line["to"]: line for line in drawn(HEX, state, "A1")["sights"]}
    assert lines["5-5"]["range"] == {"value": 2.0, "sigma": 0.0, "unit": "hexes", "band": "in range"}
    assert lines["8-3"]["range"]["value"] == 5.0 and lines["8-3"]["blocked_by"] == ["4-4"]
    assert lines["3-8"]["verdict"] == "blocked" and lines["3-8"]["blocked_by"] == ["3-5", "3-6", "3-7"]
    assert [reason["text"] for reason in lines["3-8"]["reasons"]] == [
        "3-5 lies fully between and blocks: rifle platoon E1.",
        "3-6 lies fully between and blocks: woods.",
        "3-7 lies fully between and blocks: crest and smoke.",
    ]
    back = measured(HEX, state, {"unit": "3-8"}, {"unit": "A1"})["sights"][0]
    assert back["blocked_by"] == ["3-6", "3-7"] and back["from"] == "3-8"
    found = drawn(HEX, state, "A1")
    assert set(found["front"]["cells"]).isdisjoint(found["rear"]["cells"])
    assert set(found["front"]["cells"]) | set(found["rear"]["cells"]) == set(found["ranges"][1]["cells"])
    assert found["ranges"][0]["cells"] == ["2-3", "2-4", "3-3", "3-5", "4-4", "4-5"]


def test_a_platoon_still_to_enter_has_its_ways_in_and_one_that_is_gone_has_nothing() -> None:
    state = state_at({"D1": "1-1"}, only=False)
    state = state.but(platoons=tuple(replace(p, fate="broken", at=-1) if p.id == "D1" else p for p in state.platoons))
    found = drawn(HEX, state, "E1")
    assert not found["sights"] and {c["id"] for c in found["reach"][0]["cells"]} == {f"1-{n}" for n in range(1, 8)}
    with pytest.raises(MeasureError, match="D1 is broken, so that there is nothing of it"):
        overlays(HEX, state, "D1")


def test_what_cannot_be_measured_on_a_board_is_refused_in_a_sentence() -> None:
    state = state_at({"D1": "1-1"}, {"5-5": "potential"}, only=False)
    for given_, words in (
        ({"unit": "5-6"}, 'There is no platoon or counter "5-6"'),
        ({"unit": "E1"}, "E1, rifle platoon, is still to enter"),
        ({"piece": "counter 5-6"}, 'There is no piece on the board "counter 5-6"; did you mean "counter 5-5"'),
        ({"cell": "10-1"}, 'There is no cell "10-1"; did you mean'),
        ({"ground": "w"}, "A board of hexes has no ground"),
        ({"point": [49, 1]}, "is off the table"),
    ):
        with pytest.raises(MeasureError, match=words):
            measure(HEX, state, {"unit": "D1"}, given_)
    assert measure(HEX, state, {"unit": "D1"}, {"point": [49, 1]}, table=(60.0, 48.0)).rule is None
    off = measured(HEX, state, {"unit": "D1"}, {"point": [0.5, 0.5]})
    assert off["rule"] is None and not off["sights"] and off["plain"]["value"] > 5


@pytest.mark.parametrize("viewer", [PUBLIC, "attacker", "armour"])
def test_nothing_measured_tells_which_counters_are_real(viewer: str) -> None:
    one, two = twins(posted())
    names = [*(p.id for p in one.platoons if p.fate in ("waiting", "board")), *(NAMES[c.at] for c in one.enemy)]
    for name in names:
        assert drawn(HEX, one, name, viewer) == drawn(HEX, two, name, viewer)
    platoon = next(p for p in one.platoons if p.at >= 0)
    for piece in board_of(HEX, one, viewer).pieces:
        if piece.id != platoon.id:
            ends = {"unit": platoon.id}, {"piece": piece.id}
            assert measured(HEX, one, *ends, viewer) == measured(HEX, two, *ends, viewer)


@pytest.mark.parametrize(
    ("names", "begins"),
    [("r0 and b1", "r0 and b1 are 2.00″ apart"), ("the woods and b1", "The woods and b1 are 2.00″ apart")],
)
def test_a_length_names_units_as_their_table_file_does(names: str, begins: str) -> None:
    assert length_of(Gap(2.0, 0.0, (0, 0), (2, 0)), names).says.startswith(begins)
