"""Night Raid from beginning to end: on the command line, on the server, drawn, measured, told, compared with photos."""

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from tabletop.boards import board_of
from tabletop.game import Game
from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.measuring import MeasureError, measure, overlays
from tabletop.open_table import Removed, TurnBegan
from tabletop.reconcile.comparison import look
from tabletop.reconcile.photo_overrides import corrections, put_right
from tabletop.starting.catalogue import offers
from tabletop.starting.new_game import of_scenario
from tabletop.starting.scenarios import ScenarioError, find, list_scenarios, parse_scenario
from tabletop.tables.scene import scene_to_json
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table
from tests.support.example_rulesets import NIGHT_RAID
from tests.support.small_games import SmallGamePlay, do, refuse_scenario

NAME, SCENARIO = NIGHT_RAID.name, NIGHT_RAID.scenario


TEXT = NIGHT_RAID.scenario_file.read_text(encoding="utf-8")


def begun() -> Game:
    return Game.new(ruleset(NAME), find(SCENARIO).setup)


def seen(game: Game, **elsewhere: tuple[float, float] | None) -> dict[str, Any]:
    """The table as a typed scene with some units elsewhere (``None``: gone)."""
    scene: dict[str, Any] = scene_to_json(game.state.scene)
    units = []
    for unit in scene["units"]:
        at = elsewhere.get(unit["id"], unit["bases"][0]["center"])
        if at is not None:
            units.append({**unit, "bases": [{**unit["bases"][0], "center": list(at)}]})
    return {**scene, "units": units}


class TestNightRaid(SmallGamePlay):
    example = NIGHT_RAID
    listed, first = f"{SCENARIO}       The Depot ({NAME})", "Raiders to act."
    move, moved = "move R1 at 6,7", "R1 moved 5.0″."
    action: ClassVar[Mapping[str, Any]] = {"kind": "move", "unit": "R1", "at": {"x": 6, "y": 7}}
    moved_to: ClassVar[Any] = [6.0, 7.0]
    refused = ("move R2 at 12,9", "R2 moves up to 6″, and this is 7.0″.")
    lost = "R1 left the table: shot."
    reported = ("The Raiders went first, with 3 raiders; the Sentries had 2 sentries.", "#### Sentries: Actions")
    wish: ClassVar[Mapping[str, Any]] = {"a": {"unit": "R1"}, "b": {"unit": "B1"}}
    measured = "apart, edge to edge"
    wrong_units = (({"kind": "raidr"}, 'of kind "raidr"; did you mean "raider"'),)
    near, far = (6.0, 6.0), (12.0, 12.0)
    near_words, gone_question = r"move R1.*", r"^B2 is gone"

    def begun(self) -> Game:
        return begun()

    def seen(self, game: Game, **elsewhere: Any) -> dict[str, Any]:
        return seen(game, **elsewhere)

    def check_state_told(self, state: str) -> None:
        assert "R1, raider  6.0, 2.0    0" in state and "move R1 at X,Y facing DEGREES" in state

    def check_board(self, board: Mapping[str, Any], move: Mapping[str, Any]) -> None:
        assert [piece["id"] for piece in board["pieces"]] == ["R1", "R2", "R3", "B1", "B2"]
        assert [ground["kind"] for ground in board["ground"]] == ["town"]
        assert move["fields"]["at"]["region"] and self.place_on_phone(board) == [6.0, 2.0]

    def place_on_phone(self, board: Mapping[str, Any]) -> Any:
        return board["pieces"][0]["center"]

    def place(self, unit: Any) -> Any:
        return unit.at.x, unit.at.y


class TestDefaults:
    def test_the_start_screen_offers_it(self) -> None:
        assert offers()[NAME].title == "Night Raid" and [one.id for one in list_scenarios(NAME)] == [SCENARIO]

    def test_what_is_drawn(self) -> None:
        game = begun()
        do(game, "move R1 at 6,7")
        board = board_of(NAME, game.state)
        piece = next(piece for piece in board.pieces if piece.id == "R1")
        assert piece.center == (6.0, 7.0) and piece.shape == "round" and [b.says for b in piece.badges] == ["acted"]
        assert [side.title for side in board.sides if side.to_act] == ["Raiders"]
        assert {fact.label: fact.value for fact in board.facts}["Turn"] == "1 of 6"

    def test_what_is_measured(self) -> None:
        state = begun().state
        told = overlays(NAME, state, "R1")
        assert [(ring.name, ring.value) for ring in told.ranges] == [("rifle", 8.0)]
        assert [reach.value for reach in told.reach] == [6.0]
        assert measure(NAME, state, {"unit": "R1"}, {"unit": "R2"}).plain.value == pytest.approx(5.0)
        assert measure(NAME, state, {"unit": "B1"}, {"ground": "depot"}).plain.value == pytest.approx(1.5811, abs=1e-3)

    def test_units_that_left_are_told_drawn_and_measured_no_more(self) -> None:
        game = begun()
        do(game, "move R1 at 6,7")
        do(game, "end")
        do(game, "shoot B1 at R1", 6)
        state = game.state
        assert state.units["R1"].gone == "shot" and "R1" not in [p.id for p in board_of(NAME, state).pieces]
        with pytest.raises(MeasureError, match="R1 is not on the table"):
            overlays(NAME, state, "R1")
        assert {v.code for v in game.check(game.parse("shoot B2 at R1"))} == {"no-target"}

    def test_the_last_unit_and_the_last_turn_end_the_game(self) -> None:
        game = begun()
        rules, state = game.ruleset, game.state
        for name in ("B1", "B2"):
            state = rules.apply(state, Removed(name, "shot"))
        assert rules.outcome_of(state, last=False).winner == "red"
        for turn in range(6):
            do(game, "end")
            do(game, "end")
            assert (game.outcome is None) == (turn < 5)
        assert game.outcome is not None and game.outcome.winner == "red"

    def test_a_marker_that_somebody_acted_goes_with_the_next_turn(self) -> None:
        game = begun()
        do(game, "move R1 at 6,7")
        assert {v.code for v in game.check(game.parse("move R1 at 6,8"))} == {"acted"}
        assert "acted" not in game.ruleset.apply(game.state, TurnBegan(2, "red")).units["R1"].markers

    def test_a_point_alone_keeps_the_facing(self) -> None:
        game = begun()
        assert game.parse("correct B1 at 8,11").at == Standing(8.0, 11.0, 180.0)

    def test_the_table_file_has_its_units_and_terrain(self) -> None:
        table = parse_table(table_file_for(NAME, begun().state))
        assert [(unit.id, unit.bases, unit.base.is_round) for unit in table.units][:1] == [("R1", 1, True)]
        assert table.rules == NAME and [piece.id for piece in table.terrain] == ["depot"]

    def test_another_table_gives_bases_and_terrain(self) -> None:
        text = table_file_for(NAME, begun().state)
        scenario = find(SCENARIO)
        larger = parse_table(text.replace("diameter = 1.0", "diameter = 1.5"))
        assert of_scenario(scenario, larger).setup.units[0].base.width == 1.5
        with pytest.raises(ScenarioError, match='no unit is called "R1"'):
            of_scenario(scenario, parse_table(text.replace('"R1"', '"Z1"')))


class TestPhotos:
    def test_the_referee_takes_a_photo_for_the_truth(self) -> None:
        game = begun()
        shown = look(game, seen(game, R2=(12, 12), B2=None))
        assert [one.proposal.what for one in corrections(game, shown)] == ["moved", "removed"]
        put_right(game, shown)
        assert game.state.units["R2"].at.y == 12.0 and game.state.units["B2"].at is not None, "asked, and not answered"


class TestScenario:
    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ('kind = "raider"\nat = [6.0, 2.0, 0.0]', 'kind = "raidr"', r'line \d+: unknown kind "raidr".*"raider"'),
            ("at = [6.0, 2.0, 0.0]", "at = [66.0, 2.0, 0.0]", r"R1.* is at \(66, 2\), off the 24 x 24 table"),
            ("at = [6.0, 2.0, 0.0]", "at = [6.0]", r"must be \[x, y, facing\]"),
            ('id = "R2"', 'id = "R1"', 'the id "R1" stands twice'),
            ('side = "blue"\nkind', 'side = "green"\nkind', 'unknown side "green"'),
            ('[[sides]]\nid = "blue"\ntitle = "Sentries"\n', "", "two sides play"),
            ("turns = 6", "turns = 0", '"turns" in \\[scenario\\] must be'),
            ("turns = 6", "moon = 1", 'unknown key "moon"'),
        ],
    )
    def test_faults_are_told_with_their_lines(self, old: str, new: str, told: str) -> None:
        refuse_scenario(TEXT, old, new, told)

    def test_a_unit_may_have_a_base_of_its_own(self) -> None:
        text = TEXT.replace('id = "R1"', 'id = "R1"\nbase = { shape = "rect", width = 2.0, depth = 1.0 }')
        assert parse_scenario(text).setup.units[0].base.width == 2.0
