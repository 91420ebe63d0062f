"""Night Raid from beginning to end: on the command line, on the server, drawn, measured, told, compared with photos."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.boards import board_of
from tabletop.errors import RulesError
from tabletop.game import Game
from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.measuring import MeasureError, measure, overlays
from tabletop.open_table import Removed, TurnBegan
from tabletop.reconcile.comparison import accept, look
from tabletop.reconcile.photo_overrides import corrections, put_right
from tabletop.starting.catalogue import offers
from tabletop.starting.new_game import of_scenario
from tabletop.starting.scenarios import ScenarioError, find, list_scenarios, parse_scenario
from tabletop.tables.scene import scene_to_json
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table
from tests.support.api_games import Place
from tests.support.cli_runs import run_cli
from tests.support.example_rulesets import NIGHT_RAID

NAME, SCENARIO = NIGHT_RAID.name, NIGHT_RAID.scenario


def begun() -> Game:
    scenario = find(SCENARIO)
    return Game.new(ruleset(NAME), scenario.setup)


def do(game: Game, words: str, *dice: int, **more: Any) -> None:
    game.push(game.parse(words), dice or None, **more)


def seen(game: Game, **elsewhere: tuple[float, float] | None) -> dict[str, Any]:
    """The table as a typed scene with some units elsewhere (``None``: gone)."""
    scene: dict[str, Any] = scene_to_json(game.state.scene)
    units = []
    for unit in scene["units"]:
        at = elsewhere.get(unit["id"], unit["bases"][0]["center"])
        if at is not None:
            units.append({**unit, "bases": [{**unit["bases"][0], "center": list(at)}]})
    return {**scene, "units": units}


class TestCommandLine:
    def test_a_game_from_its_list_to_its_report(self, tmp_path: Path) -> None:
        where = ("--data", tmp_path)
        assert f"{SCENARIO}       The Depot ({NAME})" in run_cli("new", "--list").stdout
        assert "Raiders to act." in run_cli("new", SCENARIO, "--name", "raid", *where).stdout
        assert run_cli("act", "move", "R1", "at", "6,7", *where).stdout.strip() == "R1 moved 5.0″."
        refused = run_cli("act", "move", "R2", "at", "12,9", *where)
        assert refused.exit_code == 1 and "R2 moves up to 6″, and this is 7.0″." in refused.stderr
        assert run_cli("undo", *where).exit_code == 0
        state = run_cli("state", *where).stdout
        assert "R1, raider  6.0, 2.0    0" in state and "move R1 at X,Y facing DEGREES" in state
        for words in ("move R1 at 6,7", "end", "shoot B1 at R1"):
            dice = ("--dice", "5") if words.startswith("shoot") else ()
            assert run_cli("act", *words.split(), *dice, *where).exit_code == 0
        assert run_cli("undo", *where).exit_code == 1, "dice were rolled"
        log = run_cli("log", *where).stdout
        assert "B1 shot at R1, rolled 5 and hit." in log and "R1 left the table: shot." in log
        told = run_cli("aar", "--out", tmp_path / "told", *where)
        assert told.exit_code == 0, told.stderr
        report = (tmp_path / "told" / "report.md").read_text(encoding="utf-8")
        assert "Raiders went first, with 3 raiders; Sentries had 2 sentries." in report
        assert "R1 moved 5.0″." in report and "1 hit (0.3 expected)" in report and "#### Sentries: Actions" in report
        assert run_cli("export", "--geojson", tmp_path / "t.geojson", *where).exit_code == 0

    def test_simple_players_play_it_out(self) -> None:
        played = json.loads(run_cli("play", NAME, "--games", "3", "--json", "-").stdout)
        assert played["rules"] == NAME and sum(played["wins"].values()) == 3

    def test_a_photo_is_compared_and_carried_out(self, tmp_path: Path) -> None:
        where = ("--data", tmp_path / "games")
        run_cli("new", SCENARIO, "--name", "raid", *where)
        photo = tmp_path / "seen.json"
        photo.write_text(json.dumps(seen(begun(), R1=(6.0, 6.0))))
        assert "R1 came 4.0″" in run_cli("see", photo, *where).stdout
        assert run_cli("see", photo, "--accept", *where).exit_code == 0
        assert "R1, raider  6.0, 6.0" in run_cli("state", *where).stdout


class TestServer:
    @pytest.fixture
    def place(self, tmp_path: Path) -> Iterator[Place]:
        made = Place(tmp_path)
        yield made
        made.services.event_store.close()

    def test_a_game_on_a_phone(self, place: Place) -> None:
        host = place.host
        assert {one["id"]: one["rules"] for one in host.get("/api/scenarios")}[SCENARIO] == NAME
        assert NAME in [one["id"] for one in host.get("/api/rulesets")]
        game = host.ask("POST", "/api/games", 201, json={"id": "begin-raid-1", "scenario": SCENARIO})["id"]
        root = f"/api/games/{game}"
        board = host.get(root)["board"]
        assert [piece["id"] for piece in board["pieces"]] == ["R1", "R2", "R3", "B1", "B2"]
        assert [ground["kind"] for ground in board["ground"]] == ["town"]
        options = host.get(f"{root}/options")["options"]
        move = next(one for one in options if one["text"].startswith("move R1"))
        assert move["legal"] and move["fields"]["at"]["region"] and {one["side"] for one in options} == {"red", "blue"}
        judged = host.ask("POST", f"{root}/judge", json={"words": "shoot R1 at B1"})
        assert [one["code"] for one in judged["violations"]] == ["out-of-range"]
        moved = host.command(game, "", action={"kind": "move", "unit": "R1", "at": {"x": 6, "y": 7}})
        assert [one["text"] for one in moved["events"]] == ["R1 moved 5.0″."]
        assert host.get(root)["board"]["units"][0]["acted"] is True
        host.command(game, "", undo=True)
        assert host.get(root)["board"]["pieces"][0]["center"] == [6.0, 2.0]
        assert [one["text"] for one in host.get(f"{root}/log")["events"]][-2] == "R1 moved 5.0″."
        wish = {"a": {"unit": "R1"}, "b": {"unit": "B1"}}
        assert "apart, edge to edge" in host.ask("POST", f"{root}/measure", json=wish)["says"]
        assert host.get(f"{root}/report")
        answer = host.answer("POST", f"{root}/report", json={"format": "markdown"})
        assert answer.status_code == 200


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
        with pytest.raises(MeasureError, match='no unit "R9"; expected "B1"'):
            overlays(NAME, state, "R9")

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

    def test_units_that_can_not_be_are_refused(self) -> None:
        scenario = find(SCENARIO)
        first = scenario.setup.units[0]
        for wrong, told in (
            ({"kind": "raidr"}, 'of kind "raidr"; did you mean "raider"'),
            ({"side": "green"}, 'of side "green"'),
        ):
            setup = type(scenario.setup)(
                **{**vars(scenario.setup), "units": (type(first)(**{**vars(first), **wrong}),)}
            )
            with pytest.raises(RulesError, match=told):
                ruleset(NAME).start(setup)


class TestPhotos:
    def test_a_move_is_judged_by_the_rules(self) -> None:
        game = begun()
        found = {one.unit: one for one in look(game, seen(game, R1=(6, 6), R2=(12, 12))).proposals}
        assert found["R1"].acceptable and found["R1"].words.startswith("move R1")
        assert [v.code for v in found["R2"].violations] == ["too-far"] and not found["R2"].acceptable

    def test_what_is_gone_is_asked_about(self) -> None:
        game = begun()
        (gone,) = look(game, seen(game, B2=None)).proposals
        assert gone.question.startswith("B2 is gone") and gone.action.off

    def test_what_is_accepted_is_played(self) -> None:
        game = begun()
        accept(game, look(game, seen(game, R1=(6, 6))))
        assert (game.state.units["R1"].at.x, game.state.units["R1"].at.y) == (6.0, 6.0)

    def test_the_referee_takes_a_photo_for_the_truth(self) -> None:
        game = begun()
        shown = look(game, seen(game, R2=(12, 12), B2=None))
        assert [one.proposal.what for one in corrections(game, shown)] == ["moved", "removed"]
        put_right(game, shown)
        assert game.state.units["R2"].at.y == 12.0 and game.state.units["B2"].at is not None, "asked, and not answered"


class TestScenario:
    TEXT = NIGHT_RAID.scenario_file.read_text(encoding="utf-8")

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
        assert old in self.TEXT
        with pytest.raises(ScenarioError, match=told):
            parse_scenario(self.TEXT.replace(old, new), "mine.toml")

    def test_a_unit_may_have_a_base_of_its_own(self) -> None:
        text = self.TEXT.replace('id = "R1"', 'id = "R1"\nbase = { shape = "rect", width = 2.0, depth = 1.0 }')
        assert parse_scenario(text).setup.units[0].base.width == 2.0
