"""Bridge Guard from beginning to end: on the command line, on the server, drawn, measured, told, compared with
photos."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from geometry.square_layout import SquareLayout
from tabletop.boards import board_of
from tabletop.exports.picture import picture_bytes
from tabletop.game import Game
from tabletop.game.parts import part
from tabletop.game.registry import ruleset
from tabletop.grids.placement import state_laid_at
from tabletop.measuring import MeasureError, measure, overlays
from tabletop.square_board import Placed, Removed
from tabletop.starting.scenarios import find, parse_scenario
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table
from tests.support.example_rulesets import BRIDGE_GUARD
from tests.support.small_games import SmallGamePlay, do, refuse_scenario

NAME, SCENARIO = BRIDGE_GUARD.name, BRIDGE_GUARD.scenario
LAYOUT = SquareLayout(2.0, (5.0, 5.0))
TEXT = BRIDGE_GUARD.scenario_file.read_text(encoding="utf-8")


def begun() -> Game:
    """A game whose squares lie on a table."""
    setup = find(SCENARIO).setup
    return Game.new(ruleset(NAME), replace(setup, layout=LAYOUT))


def seen(game: Game, **elsewhere: str | None) -> dict[str, Any]:
    """The table as a typed scene, in the middles of squares, some units elsewhere (``None``: gone)."""
    board, rows = game.state.setup.squares, []
    for unit in game.state.units.values():
        name = elsewhere.get(unit.id, unit.at)
        if name is not None:
            (center,) = LAYOUT.centres([board.parse(name)]).tolist()
            base = {"shape": "rect", "width": 1.0, "depth": 1.0, "center": center, "facing": 0.0, "unique": True}
            rows.append({"id": unit.id, "side": unit.side, "kind": unit.kind, "bases": [base]})
    return {"version": 1, "rules": NAME, "table": {"width": 24.0, "depth": 20.0}, "terrain": [], "units": rows}


class TestBridgeGuard(SmallGamePlay):
    example = BRIDGE_GUARD
    listed, first = f"The Bridge ({NAME})", "Patrol to act."
    move, moved = "move R1 c3", "R1 moved from b1 to c3."
    action: ClassVar[Mapping[str, Any]] = {"kind": "move", "unit": "R1", "to": "c3"}
    moved_to = "c3"
    refused = ("move R2 to e4", "no way leads to e4, 3 squares away.")
    lost = "R1 left the board: shot."
    reported = (
        "The Bridge, on 8 by 6 squares, at most 8 full turns.",
        "Patrol went first, with 2 riders; the Guards had 2 guards.",
    )
    wish: ClassVar[Mapping[str, Any]] = {"a": {"unit": "R1"}, "b": {"cell": "b4"}}
    measured = "That is 3 squares."
    wrong_units = (
        ({"kind": "ridr"}, 'of kind "ridr"; did you mean "rider"'),
        ({"at": "z9"}, '"R1" can\'t stand in "z9". There is no square "z9"'),
        ({"at": "e1"}, "Two units of this game stand in the same square"),
    )
    near, far = "c3", "f5"
    near_words, gone_question = r"move R1 to c3", r"gone: lost, or just lifted\?"

    def begun(self) -> Game:
        return begun()

    def seen(self, game: Game, **elsewhere: Any) -> dict[str, Any]:
        return seen(game, **elsewhere)

    def check_state_told(self, state: str) -> None:
        assert "3  .      .R1" not in state and "1  .      .R1    .      .      .R2" in state
        assert "R1, rider  b1" in state and "~ river" in state

    def check_board(self, board: Mapping[str, Any], move: Mapping[str, Any]) -> None:
        assert board["grid"] == "square" and len(board["cells"]) == 48
        assert [piece["id"] for piece in board["pieces"]] == ["R1", "R2", "B1", "B2"]
        assert next(cell for cell in board["cells"] if cell["id"] == "d4")["kind"] == "bridge"
        squares = [one["value"] for one in move["fields"]["to"]["choices"]]
        assert "c3" in squares and "b4" not in squares and self.place_on_phone(board) == "b1"

    def place_on_phone(self, board: Mapping[str, Any]) -> Any:
        return board["units"][0]["place"]

    def place(self, unit: Any) -> Any:
        return unit.at


class TestDefaults:
    def test_what_is_drawn(self) -> None:
        game = begun()
        do(game, "move R1 c3")
        board = board_of(NAME, game.state)
        unit = next(unit for unit in board.units if unit.id == "R1")
        piece = next(piece for piece in board.pieces if piece.id == "R1")
        assert unit.place == "c3" and unit.says == "R1, rider, in c3, acted." and piece.center == (9.0, 9.0)
        words = {cell.id: cell.says for cell in board.cells}
        assert words["d4"] == "Square d4: bridge." and words["c3"] == "Square c3: open ground, R1, rider."
        assert [side.title for side in board.sides if side.to_act] == ["Patrol"]
        assert {fact.label: fact.value for fact in board.facts}["Turn"] == "1 of 8"

    def test_the_whole_board_is_drawn_on_a_sheet(self) -> None:
        picture = picture_bytes(begun(), ".svg").decode()
        assert "The Bridge, turn 1 of 8. Patrol to act." in picture and ">R1<" in picture

    def test_what_is_measured(self) -> None:
        state = begun().state
        told = overlays(NAME, state, "R1")
        assert [(ring.name, ring.value, len(ring.cells)) for ring in told.ranges] == [("rifle", 3.0, 19)]
        (reach,) = told.reach
        cells = {cell.id: cell.moves for cell in reach.cells}
        assert cells["c3"] == 2 and "d4" in cells and not {"b1", "b4", "e1"} & cells.keys()
        both = measure(NAME, state, {"unit": "R1"}, {"unit": "B1"})
        assert both.rule is not None and (both.rule.value, both.rule.unit) == (4.0, "squares")

    def test_units_that_left_are_told_drawn_and_measured_no_more(self) -> None:
        state = begun().state
        state = ruleset(NAME).apply(state, Removed("R1", "shot"))
        assert "R1" not in [piece.id for piece in board_of(NAME, state).pieces]
        assert "Off the board: R1 (shot)." in part(NAME, "words").in_words(state)
        with pytest.raises(MeasureError, match="R1 is not on the board"):
            overlays(NAME, state, "R1")

    @pytest.mark.parametrize(
        ("words", "codes"),
        [
            ("move R1 to c2", set()),
            ("move R1 to b1", {"stays"}),
            ("move R1 to b5", {"too-far"}),
            ("move R1 to e1", {"taken", "too-far"}),
            ("move B1 to c6", {"not-its-turn"}),
            ("correct R1 to e1", {"taken"}),
            ("correct R1", {"nothing"}),
            ("correct R1 off", set()),
        ],
    )
    def test_what_speaks_against_an_action(self, words: str, codes: set[str]) -> None:
        game = begun()
        if words == "correct R1":
            action = replace(game.parse("correct R1 off"), off=False)
        else:
            action = game.parse(words)
        assert {one.code for one in game.check(action)} == codes

    def test_a_unit_in_a_corner_without_a_way_out_may_not_move(self) -> None:
        setup = find(SCENARIO).setup
        places = {"R1": "a1", "R2": "a2", "B1": "b1", "B2": "b2"}
        units = tuple(replace(unit, at=places[unit.id]) for unit in setup.units)
        game = Game.new(ruleset(NAME), replace(setup, units=units))
        option = next(one for one in game.options() if one.kind == "move" and one.unit == "R1")
        assert [one.code for one in option.violations] == ["stays"]

    def test_two_in_one_square_break_the_invariants(self) -> None:
        rules, state = ruleset(NAME), begun().state
        assert rules.invariant_violations(state) == ()
        crowded = rules.apply(state, Placed("R1", "e1"))
        assert rules.invariant_violations(crowded) == ("R1 and R2 both stand in e1.",)

    def test_the_table_file_has_its_units_and_terrain(self) -> None:
        table = parse_table(table_file_for(NAME, begun().state))
        assert [unit.id for unit in table.units] == ["R1", "R2", "B1", "B2"] and table.rules == NAME
        assert {piece.kind for piece in table.terrain} == {"woods", "river", "bridge"}
        assert table.overlay is not None and table.overlay.origin == LAYOUT.origin


class TestPhotos:
    def test_a_board_laid_on_another_table_is_read_there(self) -> None:
        game = begun()
        state = state_laid_at(game.state, SquareLayout(2.0, (7.0, 5.0)))
        assert state.setup.layout.origin == (7.0, 5.0) and state.units == game.state.units


class TestScenario:
    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ('kind = "rider"\nat = "b1"', 'kind = "ridr"', r'line \d+: unknown kind "ridr".*"rider"'),
            ('at = "b1"', 'at = "j1"', 'stands in "j1", which is no square of this board'),
            ('at = "e1"', 'at = "b1"', "stands in b1, where R1 stands"),
            ("~~~#~~~~", "~~~#~~~", "row 4 of the map has 7 squares, and the first line 8"),
            ("~~~#~~~~", "~~~#~~~?", 'row 4 of the map has "\\?"; . open'),
            ('rules = "bridge-guard"', 'rules = "bridge-guard"\nmoon = 1', 'unknown key "moon"'),
            ('map = """', 'size = 2.0\nmap = """', "says where the board lies by size and origin together"),
        ],
    )
    def test_faults_are_told_with_their_lines(self, old: str, new: str, told: str) -> None:
        refuse_scenario(TEXT, old, new, told)

    def test_a_scenario_may_say_where_its_board_lies(self) -> None:
        text = TEXT.replace("[board]", "[board]\nsize = 1.5\norigin = [4.0, 3.0]")
        setup = parse_scenario(text).setup
        assert setup.layout == SquareLayout(1.5, (4.0, 3.0)) and dict(setup.ground)["d4"] == "bridge"
