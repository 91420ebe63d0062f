"""WWII Combined Arms in words, drawn, measured, laid on a table, and read from scenarios."""

import json
from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from geometry.square_layout import SquareLayout
from geometry.squares import Square
from tabletop.errors import RulesError
from tabletop.game.parts import part
from tabletop.grids.placement import state_laid_at
from tabletop.measuring.asking import measure_end
from tabletop.measuring.data import Overlays
from tabletop.measuring.errors import MeasureError
from tabletop.reading.toml_source import line_numbers, parse
from tabletop.rulesets.ww2_combined_arms import board_text
from tabletop.rulesets.ww2_combined_arms.board_drawing import board
from tabletop.rulesets.ww2_combined_arms.capabilities import destinations
from tabletop.rulesets.ww2_combined_arms.measuring import between, overlays
from tabletop.rulesets.ww2_combined_arms.own_table import own_table
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.report_map import board_sheet
from tabletop.rulesets.ww2_combined_arms.scenario import CHOICES, apply_options, read_scenario
from tabletop.rulesets.ww2_combined_arms.scenario import describe_options as told_choices
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.starting.scenarios import Scenario, ScenarioError
from tests.paths import DATA, ROOT
from tests.support.ww2_combined_arms_games import begun, placed, said, standing

FIGHT = "R9 hq a1, R1 howitzers c4, R2 howitzers d4, R3 howitzers e4, B9 hq h8, B1 light-tanks d6, B2 airfield g7"


def fight() -> State:
    return said(standing(FIGHT), "end", "attack R1 at B1", "attack R2 at B1")


def test_words_tell_damage_retreats_and_what_is_next() -> None:
    state = fight()
    told = board_text.in_words(state)
    assert "Damage this turn: B1 2 of 3." in told
    wide = placed(("balanced", "armoured"), 1, columns=26, rows=26)
    assert max(map(len, board_text.in_words(wide).splitlines())) <= 80
    assert "R1ho" in told and "R3HO" in told
    assert "R3 may attack" in board_text.next_words(state)
    assert "has attacked" in board_text.of_unit(state, "R1")
    nothing = said(standing("R9 hq a1, B9 hq h8"), "end")
    assert board_text.next_words(nothing) == "No unit has a target. The turn ends after that."
    assert board_text.next_words(standing("R9 hq a1, B9 hq h8")) == "No unit can move. The attack phase comes next."
    assert board_text.next_forms(nothing) == ("attack UNIT at TARGET", "end")
    pressed = said(state, "attack R3 at B1")
    assert "B1 light tanks must retreat" in board_text.next_words(pressed)
    moved = said(standing("R9 hq a1, B9 hq h8, R1 light-tanks d4, B1 general d6"), "move R1 to d5")
    assert board_text.remarks(moved, ["R1", "R1", "nobody"]) == ("R1 is in contact with B1.",)
    assert board_text.title(state, "red") == "Red" and board_text.title(state, "referee") == "Referee"
    assert board_text.brief(state, "end") == "end" and "R1" in board_text.units(state)


def test_the_board_shows_everything_to_everybody() -> None:
    state = fight()
    seen = board(state, None)
    assert seen == board(state, "red") == board(state, "public")
    json.dumps(seen.to_json())
    assert (seen.grid, len(seen.cells), len(seen.pieces)) == ("square", 64, 7)
    target = next(piece for piece in seen.pieces if piece.id == "B1")
    assert [(b.id, b.text) for b in target.badges] == [("damage", "2")]
    assert next(unit for unit in seen.units if unit.id == "R1").acted
    assert [side.id for side in seen.sides if side.to_act] == ["red"]
    pressed = board(said(state, "attack R3 at B1"), None)
    assert [side.id for side in pressed.sides if side.to_act] == ["blue"]
    assert "must-retreat" in {b.id for piece in pressed.pieces for b in piece.badges}


def test_cities_and_home_rows_are_zones() -> None:
    state = begun(Setup(city_squares=("d4", "e5"), first="red"))
    zones = {zone.id: zone for zone in board(state, None).zones}
    assert set(zones) == {"home-red", "home-blue", "city-d4", "city-e5"}
    held = board(standing("R9 hq a1, B9 hq h8, B1 general e5", city_squares=("d4", "e5")), None)
    assert {zone.id: zone.holder for zone in held.zones} == {"city-d4": None, "city-e5": "blue"}
    assert next(cell for cell in held.cells if cell.id == "d4").marks == ("city", "objective")


def test_a_board_is_drawn_where_it_lies() -> None:
    state = state_laid_at(fight(), SquareLayout(3.0, (5.0, 4.0), 90.0))
    piece = next(p for p in board(state, None).pieces if p.id == "R1")
    at = SquareLayout(3.0, (5.0, 4.0), 90.0).centres([Square(2, 3)])[0]
    assert piece.center == pytest.approx(tuple(at))
    assert part(RULES.name, "cells")(state).names[0] == "a1"


def test_the_sheet_and_the_table_file_have_all_units() -> None:
    state = fight()
    sheet = board_sheet(state, title="A fight")
    assert {item.text for item in sheet.items if hasattr(item, "text")} >= {"A fight", "R1", "B9", "a", "8"}
    table, notes = own_table(state, 0.12)
    assert {unit.id for unit in table.units} == set(state.by_id)
    assert table.overlay is not None and table.overlay.grid == "square" and notes
    before, _ = own_table(begun(Setup()), 0.12, (30.0, 30.0))
    assert len(before.units) == 32 and (before.width_in, before.depth_in) == (30.0, 30.0)


def test_overlays_tell_reach_range_and_threats() -> None:
    state = standing(FIGHT)
    tanks = overlays(state, "B1", None)
    assert tanks.threatened_by == ("R1", "R2", "R3")
    assert {cell.id for cell in tanks.reach[0].cells} == {
        state.grid.names[n] for n in destinations(state, state.by_id["B1"])
    }
    assert "not-yours" not in tanks.says and tanks.against
    guns = overlays(state, "R1", None)
    assert [ring.name for ring in guns.ranges] == ["contact", "range"]
    assert [line.to for line in guns.sights if line.verdict == "clear"] == ["B1"]
    assert json.loads(TypeAdapter(Overlays).dump_json(guns))["unit"] == "R1"
    pressed = said(fight(), "attack R3 at B1")
    assert {cell.id for cell in overlays(pressed, "B1", None).reach[0].cells} == {"c6", "c7", "d7", "e6", "e7"}
    with pytest.raises(MeasureError, match="no unit"):
        overlays(state, "R7", None)


def test_anti_aircraft_cover_is_measured_too() -> None:
    state = standing("R9 hq a1, R1 airfield d4, B9 hq h8, B1 aa-guns d6, B2 general e6")
    line = next(s for s in overlays(state, "R1", None).sights if s.to == "B2")
    assert (line.verdict, line.blocked_by) == ("blocked", ("B1",))
    assert "cover" in {ring.name for ring in overlays(state, "B1", None).ranges}
    assert overlays(state, "B2", None).threatened_by == ()


def test_two_things_are_measured_in_squares_and_inches() -> None:
    state = standing(FIGHT)
    found = between(state, measure_end({"unit": "R1"}), measure_end({"unit": "B1"}), None)
    assert found.rule is not None and (found.rule.value, found.rule.unit, found.rule.band) == (
        2.0,
        "squares",
        "in range",
    )
    assert len(found.sights) == 1 or found.sights[0].verdict != found.sights[1].verdict
    cell = between(state, measure_end({"cell": "a1"}), measure_end({"cell": "h1"}), None)
    assert cell.rule is not None and cell.rule.value == 7 and cell.plain.value == pytest.approx(12.0)
    point = between(state, measure_end({"point": [2.0, 2.0]}), measure_end({"piece": "R1"}), None)
    assert point.rule is not None and point.rule.value == 3
    off = between(state, measure_end({"point": [0.1, 0.1]}), measure_end({"unit": "R1"}), None)
    assert off.rule is None
    for wrong in ({"cell": "j9"}, {"unit": "R7"}, {"ground": "wood"}, {"point": [99.0, 1.0]}):
        with pytest.raises(MeasureError):
            between(state, measure_end(wrong), measure_end({"unit": "R1"}), None)


GOOD = (DATA / "bridgehead.scenario.toml").read_text(encoding="utf-8")


def read(text: str) -> Scenario:
    return read_scenario(parse(text), line_numbers(text), "mine.toml")


def faults(text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(ScenarioError) as caught:
        read(text)
    return [(fault.line, fault.text) for fault in caught.value.faults]


def test_a_file_says_all_that_a_game_begins_from() -> None:
    setup = read(GOOD).setup
    assert (setup.columns, setup.rows, setup.home, setup.first, setup.turns) == (10, 12, 3, "blue", 20)
    assert (setup.table, setup.layout.size_in) == ((30.0, 36.0), 2.5)
    assert (setup.limits.units, setup.limits.tanks, setup.limits.types, setup.limits.alike) == (12, 4, 6, 3)
    assert (setup.city_squares, setup.city_victory, setup.cities) == (("d6", "g7"), "held", 0)
    assert (setup.difficult, setup.elites, setup.experience, setup.every) == (True, 2, 5, 3)
    assert setup.terrain == (("e4", "marsh"), ("a6", "woods"), ("j7", "woods")) or set(setup.terrain) == {
        ("e4", "marsh"), ("a6", "woods"), ("j7", "woods")
    }  # fmt: skip
    assert setup.side_title("red") == "Attackers" and setup.side_title("blue") == "Blue"
    assert len(setup.units) == 13 and setup.units[-1].id == "B1" and setup.units[-1].at == "e12"
    assert begun(setup).step == "elites"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("columns = 10", "columns = 30", "4 to 26"),
        ("columns = 10", "colums = 10", "columns"),
        ("home = 3", "home = 6", "1 to 5 rows"),
        ('first = "blue"', 'first = "green"', "expected"),
        ("cities = true", 'cities = "yes"', "true or false"),
        ("cities = true", "cities = false", "keep one of the two"),
        ('squares = ["D6", "g7"]', 'squares = ["z6"]', "no square"),
        ('squares = ["D6", "g7"]', "squares = 4", "list of squares"),
        ('city_victory = "held"', 'city_victory = "hold"', 'did you mean "held"'),
        ('woods = ["a6", "j7"]', 'wods = ["a6"]', 'did you mean "woods"'),
        ("general = 2", "general = 4", "army has 12 units"),
        ("general = 2", "generals = 2", 'did you mean "general"'),
        ('kind = "hq"\nat', 'kind = "fort"\nat', "fort"),
        ('id = "b1"', 'id = "b 1"', "letters and digits"),
        ('at = "E12"', 'at = "E13"', "no square"),
        ("size = 2.5", "size = -1", "more than 0"),
        ('title = "Bridgehead"', "", "title"),
    ],
)
def test_faults_name_their_lines(old: str, new: str, told: str) -> None:
    assert old in GOOD
    found = faults(GOOD.replace(old, new, 1))
    assert any(told in text for _, text in found), found
    assert all(line is not None for line, _ in found)


def test_the_example_of_the_page_is_a_scenario() -> None:
    page = (ROOT / "docs" / "ww2-combined-arms.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    assert read(example).setup.side_title("red") == "Attackers"


def test_choices_switch_the_optional_rules() -> None:
    setup = Setup()
    every = {
        choice.id: {"turns": "12", "first": "blue", "city-victory": "held"}.get(choice.id, "yes") for choice in CHOICES
    }
    changed = apply_options(setup, every)
    assert told_choices(changed) == every
    assert (changed.cities, changed.elites, changed.experience, changed.every) == (4, 2, 5, 3)
    assert told_choices(setup) == {choice.id: choice.default for choice in CHOICES}
    assert apply_options(changed, told_choices(setup)) == setup
    named = replace(setup, city_squares=("d4",))
    assert apply_options(named, {"cities": "yes"}) == named
    with pytest.raises(RulesError):
        squares = ("a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4", "a5", "b5", "c5", "d5", "e5")
        apply_options(replace(setup, terrain=tuple((name, "woods") for name in squares)), {"cities": "yes"})
