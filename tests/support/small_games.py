"""What the tests of the small games of ``docs/adding-a-ruleset.md`` share, whatever their ground."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tabletop.errors import RulesError
from tabletop.game import Game
from tabletop.game.registry import ruleset
from tabletop.measuring import MeasureError, overlays
from tabletop.reconcile.comparison import accept, look
from tabletop.starting.scenarios import ScenarioError, find, parse_scenario
from tests.support.api_games import Place
from tests.support.cli_runs import run_cli
from tests.support.example_rulesets import Example


def do(game: Game, words: str, *dice: int) -> None:
    """Carry out an action, with its dice as rolled."""
    game.push(game.parse(words), dice or None)


def refuse_scenario(text: str, old: str, new: str, told: str) -> None:
    """A scenario with one thing changed is refused, and ``told`` says why."""
    assert old in text
    with pytest.raises(ScenarioError, match=told):
        parse_scenario(text.replace(old, new), "mine.toml")


class SmallGamePlay(ABC):
    """A game of raiders or a patrol (R1, R2) against who guards (B1, B2), from its list to its report.

    ``move`` are R1's words and ``action`` the same as JSON, ``moved`` is what that says; R1 is shot by B1 then.
    """

    example: ClassVar[Example]
    listed: ClassVar[str]
    first: ClassVar[str]
    move: ClassVar[str]
    action: ClassVar[Mapping[str, Any]]
    moved: ClassVar[str]
    moved_to: ClassVar[Any]
    """Where R1 stands then, as :meth:`place_on_phone` says it."""
    refused: ClassVar[tuple[str, str]]
    """A move too far, and why."""
    lost: ClassVar[str]
    reported: ClassVar[tuple[str, ...]]
    """What the report says besides."""
    wish: ClassVar[Mapping[str, Any]]
    measured: ClassVar[str]
    """What is measured, and what that says."""
    wrong_units: ClassVar[tuple[tuple[Mapping[str, Any], str], ...]]
    """What a first unit can't be, and why."""
    near: ClassVar[Any]
    far: ClassVar[Any]
    """Where R1 may get to, and R2 not."""
    near_words: ClassVar[str]
    gone_question: ClassVar[str]
    """Patterns of what a photo makes of R1 there, and of B2 that is gone."""

    @abstractmethod
    def begun(self) -> Game:
        """A game of its scenario."""

    @abstractmethod
    def seen(self, game: Game, **elsewhere: Any) -> dict[str, Any]:
        """The table as a typed scene with some units elsewhere (``None``: gone)."""

    @abstractmethod
    def check_state_told(self, state: str) -> None:
        """What `tabletop state` says before the first move."""

    @abstractmethod
    def check_board(self, board: Mapping[str, Any], move: Mapping[str, Any]) -> None:
        """The board on a phone, and R1's move among its options."""

    @abstractmethod
    def place_on_phone(self, board: Mapping[str, Any]) -> Any:
        """Where R1 stands on the board of a phone."""

    @abstractmethod
    def place(self, unit: Any) -> Any:
        """Where a unit of a state stands, as :attr:`near` says it."""

    # --- on the command line and on the server

    def test_a_game_from_its_list_to_its_report(self, tmp_path: Path) -> None:
        where = ("--data", tmp_path)
        assert self.listed in run_cli("new", "--list").stdout
        assert self.first in run_cli("new", self.example.scenario, "--name", "mine", *where).stdout
        assert run_cli("act", *self.move.split(), *where).stdout.strip() == self.moved
        words, why = self.refused
        refused = run_cli("act", *words.split(), *where)
        assert refused.exit_code == 1 and why in refused.stderr
        assert run_cli("undo", *where).exit_code == 0
        self.check_state_told(run_cli("state", *where).stdout)
        for words in (self.move, "end", "shoot B1 at R1"):
            dice = ("--dice", "5") if words.startswith("shoot") else ()
            assert run_cli("act", *words.split(), *dice, *where).exit_code == 0
        assert run_cli("undo", *where).exit_code == 1, "dice were rolled"
        log = run_cli("log", *where).stdout
        assert "B1 shot at R1, rolled 5 and hit." in log and self.lost in log
        told = run_cli("aar", "--out", tmp_path / "told", *where)
        assert told.exit_code == 0, told.stderr
        report = (tmp_path / "told" / "report.md").read_text(encoding="utf-8")
        for said in (self.moved, "1 hit (0.3 expected)", *self.reported):
            assert said in report
        assert run_cli("export", "--geojson", tmp_path / "t.geojson", *where).exit_code == 0

    def test_simple_players_play_it_out(self) -> None:
        played = json.loads(run_cli("play", self.example.name, "--games", "3", "--json", "-").stdout)
        assert played["rules"] == self.example.name and sum(played["wins"].values()) == 3

    @pytest.fixture
    def server(self, tmp_path: Path) -> Iterator[Place]:
        made = Place(tmp_path)
        yield made
        made.services.event_store.close()

    def test_a_game_on_a_phone(self, server: Place) -> None:
        host, name = server.host, self.example.name
        assert {one["id"]: one["rules"] for one in host.get("/api/scenarios")}[self.example.scenario] == name
        assert name in [one["id"] for one in host.get("/api/rulesets")]
        game = host.ask("POST", "/api/games", 201, json={"id": "begin-mine-1", "scenario": self.example.scenario})["id"]
        root = f"/api/games/{game}"
        board, options = host.get(root)["board"], host.get(f"{root}/options")["options"]
        move = next(one for one in options if one["text"].startswith("move R1"))
        assert move["legal"] and {one["side"] for one in options} == {"red", "blue"}
        self.check_board(board, move)
        judged = host.ask("POST", f"{root}/judge", json={"words": "shoot R1 at B1"})
        assert [one["code"] for one in judged["violations"]] == ["out-of-range"]
        before = self.place_on_phone(board)
        moved = host.command(game, "", action=self.action)
        assert [one["text"] for one in moved["events"]] == [self.moved]
        for after in (host.get(root)["board"], host.get(f"{root}/screen")["game"]["board"]):
            assert after["units"][0]["acted"] is True and self.place_on_phone(after) == self.moved_to
        host.command(game, "", undo=True)
        assert self.place_on_phone(host.get(root)["board"]) == before
        assert [one["text"] for one in host.get(f"{root}/log")["events"]][-2] == self.moved
        assert self.measured in host.ask("POST", f"{root}/measure", json=self.wish)["says"]
        assert host.get(f"{root}/report")
        assert host.answer("POST", f"{root}/report", json={"format": "markdown"}).status_code == 200

    # --- what can't be

    def test_units_that_are_not_there_are_not_measured(self) -> None:
        with pytest.raises(MeasureError, match='no unit "R9"; expected "B1"'):
            overlays(self.example.name, self.begun().state, "R9")

    def test_units_that_can_not_be_are_refused(self) -> None:
        setup = find(self.example.scenario).setup
        first, *rest = setup.units
        for wrong, told in (*self.wrong_units, ({"side": "green"}, 'of side "green"')):
            with pytest.raises(RulesError, match=told):
                ruleset(self.example.name).start(replace(setup, units=(replace(first, **wrong), *rest)))

    # --- photos

    def test_a_move_on_a_photo_is_judged_by_the_rules(self) -> None:
        game = self.begun()
        found = {one.unit: one for one in look(game, self.seen(game, R1=self.near, R2=self.far)).proposals}
        assert found["R1"].acceptable and re.fullmatch(self.near_words, found["R1"].words)
        assert [one.code for one in found["R2"].violations] == ["too-far"] and not found["R2"].acceptable

    def test_what_is_gone_on_a_photo_is_asked_about(self) -> None:
        game = self.begun()
        (gone,) = look(game, self.seen(game, B2=None)).proposals
        assert re.search(self.gone_question, gone.question) and gone.action.off

    def test_what_is_accepted_of_a_photo_is_played(self) -> None:
        game = self.begun()
        accept(game, look(game, self.seen(game, R1=self.near)))
        assert self.place(game.state.units["R1"]) == self.near
