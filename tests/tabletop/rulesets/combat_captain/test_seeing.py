"""Combat Captain's scenarios, table files, photos, boards, measurements and reports."""

import json
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from tabletop.aar.story import tell
from tabletop.boards.data import plain
from tabletop.changes.detection import changes_between
from tabletop.game import Game
from tabletop.game.parts import part
from tabletop.identity.table_snapshot import Marker, Sighting
from tabletop.measuring.asking import measure_end
from tabletop.measuring.errors import MeasureError
from tabletop.reconcile.comparison import OnTable
from tabletop.rulesets.combat_captain import actions, board_text, photo_overrides, scenario, seeing
from tabletop.rulesets.combat_captain.board_drawing import board
from tabletop.rulesets.combat_captain.measuring import between, overlays
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.report_adapter import NOT_COVERED, REPORT
from tabletop.starting.scenarios import ScenarioError, find, parse_scenario
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table
from tests.paths import DATA
from tests.support.combat_captain_games import a_company, a_sub, begun, do

NAMES = ("crossroads", "ridge-line")


def bundled(name: str) -> Game:
    return Game.new(RULES, find(name, "combat-captain").setup)


@pytest.mark.parametrize("name", NAMES)
def test_bundled_scenarios_begin_with_nobody_out_of_hand(name: str) -> None:
    game = bundled(name)
    do(game, "begin")
    assert board_text.remarks(game.state, game.state.stands) == ()
    assert any(option.kind == "fire" and option.legal for option in game.options())


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_table_file_with_every_sub_unit(name: str) -> None:
    state = bundled(name).state
    table = parse_table(table_file_for("combat-captain", state))
    assert [unit.id for unit in table.units] == list(state.stands)
    assert all(unit.bases == 1 for unit in table.units)


def test_choices_of_a_scenario_are_carried_out() -> None:
    setup = find("crossroads", "combat-captain").setup
    assert scenario.describe_options(setup) == {
        "penalty-first": "no",
        "company-blocks": "yes",
        "lowered-variable": "yes",
        "turns": "8",
    }
    wished = {"penalty-first": "yes", "company-blocks": "no", "lowered-variable": "no", "turns": "5"}
    assert scenario.describe_options(scenario.apply_options(setup, wished)) == wished
    assert {choice.id for choice in scenario.CHOICES} == set(wished)


BROKEN = (DATA / "broken-crossroads.scenario.toml").read_text(encoding="utf-8")


def text_of(name: str) -> str:
    return (files("tabletop") / f"data/scenarios/combat-captain/{name}.toml").read_text(encoding="utf-8")


def refuse(text: str, *told: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "mine.toml")
    for words in told:
        assert words in str(caught.value), words
    return caught.value


def test_a_company_may_have_a_composition_of_its_own() -> None:
    text = text_of("crossroads")
    own = text.replace('composition = "battery"', "composition = {gun = [1, 2]}")
    company = parse_scenario(own, "mine.toml").setup.by_id["B"]
    assert (company.composition, company.makeup) == ("own", (("gun", 1, 2),))
    for wrong, words in (
        ("{gun = 3}", "B has 2 of kind gun; its own composition has 3 of them."),
        ("{gunn = 2}", 'unknown kind "gunn" in the composition; did you mean "gun"?'),
        ("{gun = [2, 1]}", '"gun" in the composition must be a number, or the least and the most of up to'),
    ):
        refuse(text.replace('composition = "battery"', f"composition = {wrong}", 1), words)


def test_a_scenario_says_what_computers_go_for() -> None:
    text = text_of("ridge-line")
    assert [(goal.hold, goal.kind, goal.count) for goal in parse_scenario(text, "mine.toml").setup.goals] == [
        ("ridge", "tank", 2),
        ("ridge", "rifles", 4),
    ]
    for given, wrong, words in (
        ('hold = "ridge"', 'hold = "rigde"', 'there is no terrain "rigde"; did you mean "ridge"?'),
        ('hold = "ridge"', "clear = [30.0]", '"clear" in [[goals]] number 1 must be a point [x, y]'),
        ('hold = "ridge"', "", '[[goals]] number 1 has one of "clear", a point [x, y], and "hold"'),
        ('side = "blue"\nhold', 'side = "blu"\nhold', 'unknown side "blu" of [[goals]] number 1'),
    ):
        assert given in text
        refuse(text.replace(given, wrong, 1), words)


def test_a_scenario_with_faults_names_all_of_them_by_line() -> None:
    refused = refuse(
        BROKEN,
        'unknown side "green" in otherwise of [scenario]',
        'unknown side "blu"',
        'unknown composition "infantri"',
        'unknown kind "gunn" in [[units]] number 1; did you mean "gun"?',
        '"men", but a tank is hit as a whole',
        '"arms" in [[units]] number 2 is for rifles',
        "off the 20 x 20 table",
        'there is no company "C"',
        '"C 1" is no id',
        'lacks "men"',
        '"company_blocks" in [house_rules] must be true or false',
        '"cotton_in" in [house_rules]',
        'the side "blue" has no company',
    )
    assert all(fault.line for fault in refused.faults if "has no company" not in fault.text)


def test_a_company_that_is_not_as_printed_is_a_fault_of_its_scenario() -> None:
    text = text_of("ridge-line").replace('composition = "tanks"', 'composition = "battery"', 1)
    refuse(text, "T is a battery of 0 guns; it has 1 to 3", "T4 is a tank, which has no place in T")


def test_a_scenario_says_how_wide_its_cotton_is_and_what_markers_lower() -> None:
    text = text_of("crossroads") + "\n[house_rules]\ncotton_in = 1.75\nlowered_variable = false\n"
    rules = parse_scenario(text, "mine.toml").setup.rules
    assert (rules.cotton_in, rules.lowered_variable) == (1.75, False)


def two_sides() -> Game:
    return begun(
        a_company("A", "red", [a_sub("A1", "rifles", 10, 10), a_sub("A2", "tank", 16, 10)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 10, 30, 180.0), a_sub("B2", "mortar", 20, 30, at=None)]),
    )


def seen(game: Game, *, moved: dict[str, tuple[float, float]], gone: tuple[str, ...] = (),
         markers: tuple[Marker, ...] = ()) -> Sighting:  # fmt: skip
    known = seeing.sighting(game.state)
    spread = 0.0001 * np.eye(2)
    pieces = tuple(
        replace(
            p, center=np.array(moved.get(p.unit or "", p.center)), covariance=spread, facing_sigma=0.5, method="tag"
        )
        for p in known.pieces
        if p.unit not in gone
    )
    new = [(name, at) for name, at in moved.items() if name not in {p.unit for p in known.pieces}]
    for name, at in new:
        sample = next(piece for piece in seeing.elsewhere(game.state) if piece.unit == name)
        pieces += (
            replace(sample, id=f"{name}.1", center=np.array(at), covariance=spread, facing=0.0, facing_sigma=0.5),
        )
    return Sighting("a photo", known.width, known.depth, None, pieces, markers)


def test_who_stands_elsewhere_is_put_there_and_nobody_judges_how_far() -> None:
    game = two_sides()
    photo = seen(game, moved={"A2": (30.0, 12.0), "B2": (22.0, 31.0)})
    _, proposals = OnTable(part("combat-captain", "seeing"), photo).against(game.state)
    found = {p.unit: p for p in proposals}
    assert set(found) == {"A2", "B2"}
    assert all(p.acceptable for p in found.values())
    assert found["A2"].told == "A2 came 14.1″"
    for proposal in found.values():
        game.push(game.parse(proposal.words))
    assert (at := game.state.stands["A2"].at) and (at.x, at.y, at.covariance[0]) == (30.0, 12.0, 0.0001)
    told = board_text.brief(game.state, f"{found['A2'].words} for bases a,b,c")
    assert told == "put A2 at 30,12 facing 0 for bases a,b,c"


def test_a_nudge_and_a_stand_that_is_gone_are_asked_about() -> None:
    game = two_sides()
    photo = seen(game, moved={"A2": (16.15, 10.0)}, gone=("B1",))
    proposals = seeing.propose(game.state, changes_between(seeing.sighting(game.state), photo, seeing.limits()))
    asked_of = {p.unit: p for p in proposals}
    assert asked_of["B1"].question.startswith("B1 is gone")
    assert all(not p.acceptable for p in proposals)


def test_cotton_is_a_shell_while_artillery_falls_and_nothing_else() -> None:
    game = two_sides()
    cotton = (Marker(None, "fired", (10.2, 30.1)), Marker("B1", "fired", (14.0, 30.0), confidence=0.5))

    def proposed() -> list[str]:
        photo = seen(game, moved={}, markers=cotton)
        known = replace(seeing.sighting(game.state), markers=())
        found = seeing.propose(game.state, changes_between(known, photo, seeing.limits()))
        return [p.words for p in found if p.what == "shell"]

    assert proposed() == []
    do(game, "end; end")
    do(game, "event", 4, 6)
    do(game, "arrive", 1)
    assert len(proposed()) == 1
    action = game.parse("shell at 10.2,30.1 spread 0.1")
    assert game.check(action) == ()
    game.push(action)
    assert "B1" not in game.state.stands


def test_a_photo_as_the_truth_corrects_places_alone() -> None:
    game = two_sides()
    photo = seen(game, moved={"A2": (30.0, 12.0)}, gone=("B1",))
    changes = changes_between(seeing.sighting(game.state), photo, seeing.limits())
    found = {p.unit: p for p in photo_overrides.corrections(game.state, None, changes)}
    assert set(found) == {"A2", "B1"}
    assert isinstance(found["A2"].action, actions.Correct)
    game.push(found["A2"].action)
    assert game.parse(found["A2"].words) == found["A2"].action
    after = changes_between(seeing.sighting(game.state), photo, seeing.limits())
    assert {p.unit for p in photo_overrides.corrections(game.state, None, after)} == {"B1"}


def test_a_board_shows_every_stand_with_its_markers() -> None:
    game = two_sides()
    do(game, "cover A1 level 3 facing 45; chit A +1")
    drawn = board(game.state, None)
    json.dumps(drawn.to_json(), allow_nan=False)
    assert [piece.id for piece in drawn.pieces] == ["A1", "A2", "B1"]
    badges = {badge.id: badge.text for badge in drawn.pieces[0].badges}
    assert badges == {"leader": "L", "morale": "M1", "cover": "C3"}  # nobody is missing
    assert drawn.units[0].badges[0].text == "4"
    assert [unit.on_table for unit in drawn.units] == [True, True, True, False]
    do(game, "end; end")
    do(game, "event", 5, 6)
    do(game, "arrive", 1)
    do(game, "strafe from 10,12 to 10,40")
    assert [(zone.id, zone.outline) for zone in board(game.state, None).zones] == [("tape", ((10, 12), (10, 40)))]


def test_measurements_say_ranges_sights_and_control() -> None:
    game = two_sides()
    found = overlays(game.state, "A2", None)
    json.dumps(plain(found), allow_nan=False)
    assert [(ring.name, ring.value) for ring in found.ranges] == [
        ("short (gun)", 16.0), ("medium (gun)", 32.0), ("long (gun)", 48.0),
        ("short (machine gun)", 8.0), ("medium (machine gun)", 16.0), ("long (machine gun)", 24.0),
    ]  # fmt: skip
    assert found.sights[0].says.startswith("A2 sees B1")
    measured = between(game.state, measure_end({"unit": "A1"}), measure_end({"unit": "B1"}), None)
    assert measured.rule.value == pytest.approx(19.5)
    assert measured.plain.value == pytest.approx(19.0)
    json.dumps(plain(measured), allow_nan=False)
    own = between(game.state, measure_end({"unit": "A1"}), measure_end({"point": [10, 14.5]}), None)
    assert own.plain.value == pytest.approx(4.0)
    for wrong in ({"unit": "B2"}, {"unit": "Z1"}, {"cell": "a1"}, {"ground": "x"}):
        with pytest.raises(MeasureError):
            between(game.state, measure_end({"unit": "A1"}), measure_end(wrong), None)


def test_states_in_words_fit_a_terminal() -> None:
    game = bundled("ridge-line")
    do(game, "begin")
    for text in (board_text.in_words(game.state), board_text.headline(game.state)):
        assert max(map(len, text.splitlines())) <= 80
    assert board_text.of_unit(game.state, "T1").startswith("T1 tank of T: at 20.0, 8.0 facing 0; leads")
    assert board_text.of_unit(game.state, "T") == "Tank company: 4 of 4 sub-units, led by T1."
    do(game, "put T1 at 2,8")
    assert any("strung out" in remark for remark in board_text.remarks(game.state, ["T1"]))
    do(game, "put T2 at 28,8.5")
    assert any("stands on T3" in remark for remark in board_text.remarks(game.state, ["T2"]))


def test_a_report_tells_what_the_rules_do_not_cover_and_counts_luck() -> None:
    game = two_sides()
    do(game, "put A1 at 10,23; put A2 at 14,22")
    do(game, "fire A1 A2:mg at B1 dice 3", *(3,) * 8, 4)
    story = tell(game, REPORT)
    sentences = [line for turn in story.turns for entry in turn.entries for line in entry.sentences]
    assert any("A1 and A2 of A fired at rifle squad B1" in line for line in sentences)
    assert NOT_COVERED in REPORT.opening(game.state)
    assert all('"' not in line for line in sentences)
    throws = [throw for turn in story.turns for entry in turn.entries for throw in entry.throws]
    assert throws[0].kind == "fire"
    assert throws[0].expected > 0
