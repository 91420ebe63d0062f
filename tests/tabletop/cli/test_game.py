"""Playing on the command line: every command of a game, what it says, what it writes, and how it refuses."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tabletop.game import Game
from tabletop.game.parts import part
from tabletop.game.store import EventStore
from tests.support.cli_runs import Ran, run_cli

TABLE = """
[table]
width = 36.0
depth = 36.0

[frame]
dictionary = "DICT_APRILTAG_36h11"
marker_size = 3.0
""" + "".join(
    f"[[frame.markers]]\nid = {n}\ncenter = [{x}, {y}]\n"
    for n, (x, y) in enumerate(((1.5, 1.5), (34.5, 1.5), (34.5, 34.5), (1.5, 34.5)))
)
UNIT = """
[[units]]
id = "{id}"
side = "{side}"
kind = "{kind}"
bases = {bases}
base = {{ shape = "rect", width = 1.75, depth = 2.5, height = 0.12 }}
"""
UNITS = (("B1", "blue", "tank"), ("B2", "blue", "infantry"), ("R1", "red", "tank"), ("R2", "red", "infantry"))


class Desk:
    """A data folder and the commands given over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "games"

    def run(self, words: str, *more: object) -> Ran:
        return run_cli(*words.split(), *more, "--data", self.data)

    def does(self, words: str, *more: object) -> str:
        """What a command says that succeeds."""
        result = self.run(words, *more)
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        return result.stdout.rstrip("\n")

    def json(self, words: str, *more: object) -> Any:
        return json.loads(self.does(words, *more, "--json", "-"))

    def says(self, words: str, status: int = 0) -> str:
        """What a command that ends with that status says on both streams; line breaks are spaces."""
        result = self.run(words)
        assert result.exit_code == status, result.output
        return " ".join(result.output.split())

    def refuses(self, words: str, *more: object, status: int) -> str:
        """What a command says that is refused; nothing is written."""
        before = self.log() if self.data.is_dir() else []
        result = self.run(words, *more)
        assert result.exit_code == status, result.output
        assert result.stdout == ""
        assert result.stderr.startswith("tabletop: ")
        assert (self.log() if self.data.is_dir() else []) == before
        return result.stderr.removeprefix("tabletop: ").rstrip("\n")

    def log(self, game: str | None = None) -> list[str]:
        """The kinds of the last used game's events, from the store itself."""
        with closing(EventStore(self.data / "tabletop.sqlite")) as store:
            known = [entry.game for entry in store.games()]
            return [record.kind for record in store.records(game or known[0])] if known else []

    def game(self, name: str) -> Game:
        with closing(EventStore(self.data / "tabletop.sqlite")) as store:
            return store.open_game(name)

    def table(self) -> Path:
        """A table file of two small forces: tanks of one base, infantry of three."""
        units = [UNIT.format(id=id, side=side, kind=kind, bases=1 if kind == "tank" else 3) for id, side, kind in UNITS]
        path = self.folder / "duel.table.toml"
        path.write_text(TABLE + "".join(units))
        return path

    def scene(self, apart_in: float, sigma: float = 0.0) -> Path:
        """The tanks of the table file, facing each other with so much between them."""
        units = []
        for name, side, y, facing in (("B1", "blue", 6.0, 0.0), ("R1", "red", 8.5 + apart_in, 180.0)):
            shape = {"shape": "rect", "width": 1.75, "depth": 2.5, "unique": True}
            place = {"center": [18.0, 0.0 + y], "facing": facing, "sigma": sigma}
            units.append({"id": name, "side": side, "kind": "tank", "bases": [shape | place]})
        path = self.folder / "duel.scene.json"
        path.write_text(json.dumps({"version": 1, "table": {"width": 36, "depth": 36}, "units": units}))
        return path

    def duel(self, apart_in: float, sigma: float = 0.0) -> None:
        """A game of the table file in its first Actions step, the infantry far off."""
        self.does(f"new --table {self.table()} --scene {self.scene(apart_in, sigma)}")
        self.does("act deploy B2 at 4,2 then deploy R2 at 32,34 facing 180 then begin then end")


@pytest.fixture(scope="module")
def first_actions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of scenario 6 in its first Actions step."""
    made = Desk(tmp_path_factory.mktemp("played"))
    made.does("new flank-attack")
    made.does("act begin then end")
    return made.data


@pytest.fixture
def played(desk: Desk, first_actions: Path) -> Desk:
    """Scenario 6 in its first Actions step."""
    shutil.copytree(first_actions, desk.data)
    return desk


def test_a_scenario_begins_and_says_what_to_do_next(desk: Desk) -> None:
    told = desk.does("new Flank-Attack")
    assert 'Game "flank-attack" has begun.' in told
    assert "B6 mortar-tank" in told
    assert 'turn 1 may begin. Usage: "begin".' in told
    assert "tabletop act" in told
    assert (desk.data / "tabletop.sqlite").is_file()
    assert desk.log() == ["started"]


def test_games_are_named_after_their_scenario_or_as_told(desk: Desk) -> None:
    for number, name in (("6", "flank-attack"), ("6", "flank-attack-2"), ("8", "melee")):
        assert desk.json(f"new {number}")["game"] == name
    assert desk.json("new 14 --name sunday.1")["game"] == "sunday.1"
    assert {row["game"] for row in desk.json("games")["games"]} == {
        "flank-attack",
        "flank-attack-2",
        "melee",
        "sunday.1",
    }
    assert 'a game "melee" already' in desk.refuses("new 8 --name melee", status=2)
    assert "not a name for a game" in desk.refuses("new 8 --name", "a b", status=2)


def test_a_table_file_alone_makes_a_game_to_deploy(desk: Desk) -> None:
    told = desk.does(f"new --table {desk.table()}")
    assert 'Game "duel" has begun.' in told
    assert told.count("  to be deployed") == 4
    assert "Still to be deployed: B1, B2, R1, R2." in told
    assert "Still to be deployed" in desk.refuses("act begin", status=1)
    assert "deployed at (10.0, 6.0)" in desk.does("act deploy B2 at 10, 6 facing -90")
    (unit,) = desk.json("state")["state"]["units"]
    assert [base["facing"] for base in unit["bases"]] == [270.0] * 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("new", "tabletop new --list"),
        ("new nowhere", 'There is no scenario "nowhere"'),
        ("new --scene {scene}", "Name a scenario"),
        ("new 6 --scene {folder}/strangers.json", "is in neither force"),
        ("new --table {folder}/missing.toml", "missing.toml"),
        ("new 6 --json {folder}/no/where.json", "make it first"),
    ],
)
def test_a_game_that_cannot_begin_leaves_nothing_behind(desk: Desk, words: str, told: str) -> None:
    scene = desk.scene(10.0)
    (desk.folder / "strangers.json").write_text(scene.read_text().replace("B1", "X1"))
    assert told in desk.refuses(words.format(scene=scene, folder=desk.folder), status=2)
    assert not desk.data.exists()


def test_help_tells_every_way_to_say_an_action() -> None:
    assert "tabletop act help" in run_cli("act", "--help").stdout
    actions = part("ww2-combined-arms", "ruleset").actions
    told = run_cli("act", "help", "--rules", "ww2-combined-arms").stdout
    assert {actions.usage(verb) for verb in actions.verbs} <= {line.strip() for line in told.splitlines()}
    verb = next(verb for verb in actions.verbs if actions.fields(verb))
    one = run_cli("act", "help", verb, "--rules", "ww2-combined-arms").stdout
    assert one.startswith(f"{actions.usage(verb)}\n\n{actions.describe(verb)}\n")
    assert all(f"  {info.name}" in one for info in actions.fields(verb))
    refused = run_cli("act", "help", "fly", "--rules", "ww2-combined-arms")
    assert refused.exit_code == 2 and 'tabletop: "fly" is no action of WWII Combined Arms;' in refused.stderr


def test_an_action_that_needs_dice_tells_odds_and_waits(played: Desk) -> None:
    told = played.refuses("act fire B2 at R4", status=1)
    assert told.splitlines() == [
        "fire B2 at R4 needs dice.",
        "2 hits 50 %, 3 hits 50 %; 2.5 hits on average.",
        "Counted: tank against tank +2, long range ×½.",
        "Roll 1 average die (2,3,3,4,4,5) and say --dice N, or have it rolled: --roll.",
    ]
    asked = played.run("act fire B2 at R4 --json -")
    assert asked.exit_code == 1
    answer = json.loads(asked.stdout)
    assert (answer["done"], answer["legal"], answer["action"]) == (False, True, "fire B2 at R4")
    assert answer["dice"] == {"count": 1, "faces": [2, 3, 3, 4, 4, 5]}
    assert answer["odds"]["chances"] == {"2": 0.5, "3": 0.5}


def test_dice_as_rolled_make_the_event(played: Desk) -> None:
    assert ": a 5 (" in played.does("act FIRE b2 at r4 --dice 5")
    answer = played.json("act move B1 --dice", "3, 4")
    assert [event["kind"] for event in answer["events"]] == ["move-rolled"]
    assert answer["events"][0]["body"]["roll"] == [3, 4]
    assert answer["events"][0]["text"] == "Motor infantry (B1) rolled to move: 3 + 4 + 2 = 9″."
    assert answer["state"]["pending"] == {"unit": "B1", "total_in": 9}
    assert "is to be put down" in played.does("state")
    assert "must be put down first" in played.refuses("act end", status=1)
    assert "B1 moved 4.5″ of 9″, from (12.0, 18.5) to (12.0, 23.0)" in played.does("act place B1 at 12,23 facing 0")
    game = played.game("flank-attack")
    assert answer["game"] == "flank-attack"
    assert [r.actor for r in game.records] == ["referee", "referee", "blue", "blue", "blue", "blue"]
    assert game.records[-1].action.startswith("place B1 bases 12,23,0 ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("act fire B2 at R4 --dice 6", "No die of this game shows 6"),
        ("act move B1 --dice 3", "1 die was given, but 2 dice"),
        ("act end --dice 3", "3 is left over"),
        ("act move B1 --dice x", 'not "x"'),
        ("act move B1 --dice 3,4 --roll", "not both"),
        ("act move B1 --seed 3", "--seed belongs to --roll"),
        ("act mvoe B1", 'did you mean "move"?'),
        ("act move --dise 3 B1", "There is no option --dise"),
        ("act move B1 then end --odds", "one action at a time"),
        ("act end --game other", 'There is no game "other"'),
    ],
)
def test_what_can_not_be_understood_is_exit_status_2(played: Desk, words: str, told: str) -> None:
    assert told in played.refuses(words, status=2)


def test_an_illegal_action_is_told_with_all_its_reasons(played: Desk) -> None:
    told = played.refuses("act fire B1 at R3", status=1)
    assert told.startswith("fire B1 at R3: not legal.\n- ")
    assert "out of reach" in told
    assert "--overrule" in told
    assert "--overrule" not in played.refuses("act place B1 at 12,20", status=1)  # no referee can lift this
    answer = played.run("act rally R1 --json -")
    assert answer.exit_code == 1
    codes = {violation["code"] for violation in json.loads(answer.stdout)["violations"]}
    assert codes == {"not-your-phase", "nothing-to-rally"}
    assert "- There is nothing to rally" in answer.stderr


def test_the_referee_may_overrule(played: Desk) -> None:
    answer = played.json("act ready B1 --overrule")
    assert answer["events"][0]["actor"] == "referee"
    assert answer["events"][0]["body"]["overruled"] == ["wrong-step"]
    assert "may be Ready" in played.refuses("act ready R6", status=1)


def test_what_is_too_close_to_call_waits_for_a_measurement(desk: Desk) -> None:
    desk.duel(24.0, sigma=0.05)
    told = desk.refuses("act fire B1 at R1 --dice 4", status=1)
    assert "too close to call" in told
    assert told.endswith("If you measured and it is legal, add --measured.")
    assert "too close to call" in desk.does("act fire B1 at R1 --odds")
    assert "Too close to call" in desk.does("state")
    assert desk.refuses("act fire B1 at R1 --measured", status=1).startswith("fire B1 at R1 needs dice.")
    assert "Tank B1 fired at tank R1" in desk.does("act fire B1 at R1 --dice 4 --measured")
    assert desk.json("log")["events"][-1]["body"]["overruled"] == ["out-of-range"]


def test_judging_does_nothing(played: Desk) -> None:
    before = played.log()
    assert played.does("act move B1 --check") == "move B1: legal."
    assert "12.5" in played.does("act move B2 --odds")
    assert played.does("act end --odds") == "end: legal.\nIt needs no dice."
    assert played.json("act move B1 --odds")["odds"]["expected"] == pytest.approx(9.0)
    assert "not legal" in played.refuses("act fire B1 at R3 --check", status=1)
    assert "not legal" in played.refuses("act fire B1 at R3 --odds", status=1)
    assert played.log() == before


def test_the_program_rolls_when_asked_and_shows_its_dice(played: Desk) -> None:
    answer = played.json("act move B2 --roll --seed 5")
    rolled = answer["events"][0]["body"]["roll"]
    assert len(rolled) == 3
    assert "rolled to move: {} + {} + {} + 2 = ".format(*rolled) in answer["events"][0]["text"]
    played.does("undo --referee")
    assert played.json("act move B2 --roll --seed 5")["events"][0]["body"]["roll"] == rolled
    played.does("undo --referee")
    assert set(played.json("act move B2 --roll")["events"][0]["body"]["roll"]) <= {2, 3, 4, 5}


def test_several_actions_happen_all_or_none(played: Desk) -> None:
    assert "must be put down first" in played.refuses("act move B1 then end --dice 3,4", status=1)
    assert played.refuses("act fire B2 at R4 then move B1 --dice 4", status=1).startswith("move B1 needs dice.")
    told = played.refuses("act fire B2 at R4 --dice 4 then fire B1 at R3 --dice 5", status=1)
    assert told.endswith("None of the 2 actions was done.")
    told = played.does("act fire B2 at R4 --dice 4 then move B1 --dice 3,4 then stay B1 then end")
    assert told.splitlines()[-3:] == [
        "Motor infantry (B1) rolled to move: 3 + 4 + 2 = 9″.",
        "B1 stayed at (12.0, 18.5), on the road.",
        "Turn 1, British: Rally & Ready step.",
    ]


def test_nothing_is_lost_or_doubled_when_two_act_at_once(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's event comes between reading the game and writing: refused, and only theirs is kept."""
    append = EventStore.append

    def after_another(self: EventStore, game: str, records: Any) -> None:
        monkeypatch.undo()
        played.does("note me first")
        append(self, game, records)

    monkeypatch.setattr(EventStore, "append", after_another)
    result = played.run("act end")
    assert result.exit_code == 2
    assert result.stderr.startswith("tabletop: ")
    assert played.log()[3:] == ["noted"]


def test_a_unit_across_the_edge_of_terrain_is_pointed_out(desk: Desk) -> None:
    desk.does("new melee")
    on, edge = "act correct B1 at 18,18 facing 0", "act correct B2 at 18,22.5 facing 0"
    assert "stands" not in desk.does(on)
    assert desk.does(edge) == (
        "Correction of 2nd infantry (B2): put on the table at (18.0, 22.5), at the edge\n"
        "  of the hill.\n"
        "B2 stands across the edge of hill, so not counted in it.\n"
        "Still to be deployed: B3, B4, B5, B6, R1, R2, R3, R4, R5, R6."
    )
    told = desk.does("state")
    assert "\nOn terrain: B1 on top of hill; B2 across the edge of hill, so not counted in it.\n" in told
    assert "\nB2 infantry (2nd infantry): 0 hits; at 18.0, 22.5 facing 0; across the edge of" in desk.does("state B2")
    assert "\nB3 tank (1st tanks): to be deployed.\n" in desk.does("state B3")


def test_the_state_fits_a_terminal_and_names_everything(played: Desk) -> None:
    told = played.does("state")
    assert told.startswith("Flank Attack, turn 1 of 15. British: Actions step.\n")
    assert all(len(line) <= 80 for line in told.splitlines())
    for unit in ("B1", "B6", "R1", "R6"):
        assert f"\n  {unit} " in told
    assert "\n  move B2        8″ to 17″; 12.5″ on average\n" in told
    assert told.endswith("\n  end            ends the Actions step")
    full = played.does("state --options")
    assert all(len(line) <= 80 for line in full.splitlines())
    legal, _, illegal = full.partition("Not now:")
    assert "concede blue" in legal
    assert "out of reach" in illegal


def test_state_json_is_the_games_own_view(played: Desk) -> None:
    played.does("act fire B2 at R4 --dice 4")
    answer, game = played.json("state"), played.game("flank-attack")
    assert answer["state"] == json.loads(json.dumps(game.ruleset.view(game.state)))
    assert (answer["game"], answer["seq"], answer["to_act"]) == ("flank-attack", game.seq, "blue")
    assert [option["text"] for option in answer["options"]] == [option.text for option in game.options()]
    assert all(option["legal"] == (not option["violations"]) for option in answer["options"])


def test_undo_takes_back_free_actions_and_dice_with_the_referee_only(played: Desk) -> None:
    played.does("act move B1 then place B1 at 12,20 --dice 3,4")
    told = played.does("undo")
    assert told.startswith("Taken back: place B1 at 12,20 facing 0.\n")
    assert "is to be put down" in told
    assert "only the referee" in played.refuses("undo", status=1)
    played.does("undo --referee --because", "a die fell off")
    log = played.does("log")
    assert "[taken back] Motor infantry (B1) rolled to move: 3 + 4 + 2 = 9″." in log
    assert "took back event 4: a die fell off." in log
    assert played.json("state")["state"]["pending"] is None
    gone = [(event["kind"], event["taken_back"]) for event in played.json("log")["events"]]
    assert gone[3:] == [("move-rolled", True), ("moved", True), ("retracted", False), ("retracted", False)]


def test_the_log_tells_the_state_before_every_event(played: Desk) -> None:
    """A shot at a unit whose last hits were taken back counts from those that stand."""
    played.does("act fire B2 at R4 --dice 5")
    played.does("undo --referee")
    played.does("act fire B2 at R4 --dice 3")
    assert played.does("log").splitlines()[-1].endswith("R4 now has 2 hits.")


def test_a_caption_is_kept_with_its_side(played: Desk) -> None:
    assert played.does("note They came at last!") == "British noted: They came at last!"
    assert played.json("note --by RED we held")["event"]["actor"] == "red"
    assert played.does("log").splitlines()[-1].endswith("Italians noted: we held")
    assert "no words to keep" in played.refuses("note", " ", status=2)


def test_a_log_goes_out_is_checked_and_comes_back(played: Desk, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    played.does("act fire B2 at R4 --dice 4")
    assert played.does(f"log --out {file}") == f"4 events written to {file}."
    told = run_cli("log", file).stdout
    assert told.rstrip().endswith("game.jsonl is whole: 4 events.")
    assert told.startswith(played.does("log"))
    assert "here already" in played.refuses(f"load {file}", status=2)
    other = Desk(tmp_path / "other")
    assert "taken in as the game" in other.does(f"load {file}")
    assert other.json("state")["state"] == played.json("state")["state"]
    other.does("act move B1 --dice 3,4")
    assert len(other.log()) == 5
    third = Desk(tmp_path / "third")
    assert third.json(f"load {file} --name mine")["game"] == "mine"
    harmed = file.read_bytes().replace(b'"roll":4', b'"roll":5')
    assert harmed != file.read_bytes()
    file.write_bytes(harmed)
    assert "line 5" in other.refuses(f"load {file} --name harmed", status=2)
    refused = run_cli("log", file)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "game.jsonl, line 5" in refused.stderr


@pytest.mark.parametrize("words", ["state", "act end", "undo", "log", "note so", "state --game x"])
def test_without_any_game_the_way_to_begin_is_told(desk: Desk, words: str) -> None:
    assert desk.refuses(words, status=2) == "There is no game yet: start one with `tabletop new flank-attack`."
    assert "tabletop new flank-attack" in desk.does("games")
    assert not desk.data.exists()


def test_the_game_played_last_is_meant(desk: Desk) -> None:
    desk.does("new 6")
    desk.does("new 8")
    desk.does("act begin --game flank-attack")
    with closing(EventStore(desk.data / "tabletop.sqlite")) as store:
        assert desk.json("state")["game"] == store.games()[0].game
    assert desk.json("state --game melee")["game"] == "melee"


def test_an_action_as_json_does_what_its_words_do(tmp_path: Path) -> None:
    said, sent = Desk(tmp_path / "said"), Desk(tmp_path / "sent")
    for desk in (said, sent):
        desk.does("new flank-attack")
        desk.does("act begin")
    fire = {"kind": "fire", "unit": "B6", "target": "R2"}
    told = said.does("act fire B6 at R2 --dice 4")
    assert sent.does("act", "--json-action", json.dumps({**fire, "dice": [4]})) == told and sent.log() == said.log()
    for more, why in (
        ({"kind": "fires"}, '"fires" is no action of One-Hour WWII'),
        ({**fire, "dice": ["4"]}, "The dice of an action are a list of the faces as rolled"),
        ({**fire, "dice": 4}, 'has no field "dice"'),
        ({**fire, "at": "R2"}, 'has no field "at"'),
        ({"unit": "B6"}, 'needs its "kind"'),
        ([fire], "takes an object"),
    ):
        assert why in sent.refuses("act", "--json-action", json.dumps(more), status=2)
    for text in ("{kind}", "[" * 30_000):
        assert "is not JSON" in sent.refuses("act", "--json-action", text, status=2)
    assert "not both" in sent.refuses("act end", "--json-action", json.dumps(fire), status=2)
    twice = json.dumps({**fire, "dice": [4]})
    assert "The dice are given twice" in sent.refuses("act --dice 3", "--json-action", twice, status=2)
    assert "act help" in sent.refuses("act", status=2)


def test_dice_that_the_program_threw_stay_thrown_when_the_rest_fails(desk: Desk) -> None:
    desk.does("new flank-attack")
    desk.does("act begin then end")
    failed = desk.run("act move B2 then place B2 at 4,35 facing 0 --roll --seed 4")
    assert failed.exit_code == 1
    assert failed.stdout.startswith("1st tanks (B2) rolled ")
    assert "The first action is done, since dice once thrown stand; the rest is not." in failed.stderr
    assert "B2 has " in desk.does("state")
    assert desk.log()[-1] == "move-rolled"
    words = desk.run("act stay B2 then move B3 then explode --roll --seed 4")
    assert words.exit_code == 2
    assert desk.log()[-1] == "move-rolled"
    told = desk.run("act stay B3 then move B5 then explode --dice 2,2,2")
    assert told.exit_code == 2
    assert "B3 has " in desk.does("state"), "B3 is still to be put down"
    assert desk.log()[-1] == "move-rolled", "with dice of their own nothing is kept"
