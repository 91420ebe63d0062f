"""What is typed wrongly is told in one sentence with the next step; what goes through pipes; what Tab offers."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tabletop.game import selfplay
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import Setup, Victory
from tests.paths import ROOT
from tests.support.cli_runs import run_cli
from tests.support.one_hour_games import a_unit

DEMO = ROOT / "tabletop" / "data" / "demo"
PHOTO, TABLE = DEMO / "demo.jpg", DEMO / "demo.table.toml"
CORNERS = "100,100;900,100;900,700;100,700"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game of One-Hour WWII, begun."""
    folder = tmp_path_factory.mktemp("games")
    for words in (["new", "flank-attack"], ["act", "begin"]):
        assert run_cli(*words, "--data", folder).exit_code == 0
    return folder


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("refere", 'There is no command "refere"; did you mean referee or restore?'),
        ("print banner", 'There is no command "banner" of tabletop print; tabletop print --help lists the commands.'),
        ("--nosuch games", "There is no option --nosuch; see tabletop --help."),
        ("serve --colection x", "There is no option --colection; did you mean --collection?"),
        ("play combat --nosuch", "There is no option --nosuch; see tabletop play --help."),
        ("referee a.jpg", "--table is missing: the table file (TOML): table, frame markers, roster, terrain; see"),
        ("backup", "FILE is missing: the file to write, as club.zip; see tabletop backup --help."),
        ("games --json", "--json needs a FILE after it: write the result as JSON; - is standard output; see tabletop"),
        ("games --quiet=1", "--quiet takes no value: leave out what follows its =."),
        ("play combat --games x", "--games has to be a whole number (how many games); see tabletop play --help."),
        ("play combat --games 0", "--games has to be at least 1"),
        ("play chess", 'No games are played by the rules "chess"'),
        ("play one-hour-ww2 --attacker clever", '"clever" for British; expected "simple", "strong" or "random"'),
        ("play one-hour-ww2 --easier", "--easier belongs to combined-arms"),
        ("play combined-arms --scenario 6", "has no scenarios"),
        ("play combined-arms --mode solo", 'There is no mode "solo"'),
        ("play combined-arms --defender random", "or say --mode enemy-player"),
        ("play combined-arms --mode enemy-player --defender strong", 'expected "simple" or "random"'),
        ("serve --port 99999", "at most 65535"),
        ("log --unit mm", "--unit has to be in or cm (lengths in inches); see tabletop log --help."),
        ("demo x y", 'tabletop demo has no use for "x" and "y": leave them out, or see tabletop demo --help.'),
        ("new nosuch", 'There is no scenario "nosuch"; expected "flank-attack", "melee",'),
        ("new 1", "Several games have a scenario 1: name blue-ridge (combat) or chessboard (ww2-combined-arms)."),
        ("aar nosuch.jsonl", "There is no file nosuch.jsonl"),
        ("play combat --set nosuch=1", "`tabletop new SCENARIO --list` lists them."),
        ("play combined-arms --set a=b", "--set belongs to a scenario, and combined-arms has none: leave it out."),
        ("serve --host 203.0.113.9", "203.0.113.9 is not an address of this machine: leave --host out"),
        ("serve --address club", "club is no address of a server; it looks like http://"),
        ("work --workers 0", "At least one worker is needed: give --workers 1 or more."),
        ("move", "Say where it goes: --to-data FOLDER"),
        ("restore nosuch.zip", "There is no file nosuch.zip: name one that `tabletop backup` wrote."),
        ("collection nosuch", "There is no collection nosuch: `tabletop learn` makes one."),
        ("print board --out b.pdf --board nosuch.toml", "There is no board file nosuch.toml: check its name."),
        ("print markers --out -", "A PDF goes into a file: name one instead of -."),
        (f"report {PHOTO}", "demo.jpg is a photo: `tabletop observe` makes an observation (JSON) of it"),
        (f"report {TABLE}", "demo.table.toml is a table file: name a scene or an observation (JSON) here."),
        (f"observe {PHOTO} --table {TABLE} --picture -", "A picture goes into a file: name one instead of -."),
        (f"observe {PHOTO} --table {PHOTO}", "is a photo: name the table file"),
        (f"observe {PHOTO}", "How large is the table? Give its table file or its size as --table, or name a rectangle"),
        (f"observe {PHOTO} --size 36x36", "--size is that of a rectangle with named corners: add --corners."),
        (f"observe {PHOTO} --corners {CORNERS} --size 36", 'The size "36" can\'t be read: give width x depth as 44x60'),
        (f"observe {PHOTO} --corners {CORNERS} --size A4", "is on a table: say how large that is, for example"),
        (f"observe {PHOTO} --corners {CORNERS} --size 36x36@2,2", "on a table: say how large that is"),
        (f"observe {PHOTO} --corners {CORNERS} --size 30x?", "The corners go round clockwise"),
        (f"see seen.json --corners {CORNERS}", "--corners are those of a photo, and seen.json is another file"),
        ("games --url mysql://x", "keeps games in SQLite or PostgreSQL"),
        ("games --url postgresql+psycopg://u@127.0.0.1:1/x", "Connection refused). See that it is a store"),
    ],
)  # fmt: skip
def test_one_sentence_with_the_next_step(
    typed: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_cli(*typed.split())
    assert ran.exit_code == 2
    assert ran.stdout == "" and list(tmp_path.iterdir()) == []
    assert ran.stderr.startswith("tabletop: ") and ran.stderr.count("\n") == 1, ran.stderr
    assert says in ran.stderr


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("act zap", '"zap" is no action of One-Hour WWII; expected'),
        ("state --json - --scene -", "Only one of the two can go to standard output: name a file for the other."),
        ("log --json - --out -", "Only one of the two can go to standard output: name a file for the other."),
        ("danger A2", "`tabletop danger` supports combined-arms."),
    ],
)
def test_in_a_game_too(typed: str, says: str, place: Path) -> None:
    ran = run_cli(*typed.split(), "--data", place)
    assert ran.exit_code == 2
    assert says in ran.stderr


def pipe(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Standard input that holds a text, through the isolation of a run."""
    monkeypatch.setattr("tabletop.cli.game_input.sys", SimpleNamespace(stdin=SimpleNamespace(buffer=_bytes(text))))
    monkeypatch.setattr("tabletop.cli.rulings.sys", SimpleNamespace(stdin=SimpleNamespace(buffer=_bytes(text))))


def _bytes(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def test_a_log_goes_through_a_pipe(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = run_cli("log", "--out", "-", "--data", place).stdout
    assert json.loads(log.splitlines()[0])["game"] == "flank-attack"
    pipe(monkeypatch, log)
    assert "standard input is whole: 2 events." in run_cli("log", "-").stdout
    pipe(monkeypatch, log)
    assert 'of standard input taken in as the game "flank-attack"' in run_cli("load", "-", "--data", tmp_path).stdout
    pipe(monkeypatch, log)
    assert run_cli("export", "-", "--geojson", tmp_path / "a.geojson").exit_code == 0
    pipe(monkeypatch, log)
    assert "rules" in json.loads(run_cli("aar", "-", "--json", "-").stdout)


def test_a_scene_goes_through_a_pipe(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = run_cli("state", "--scene", "-", "--data", place).stdout
    assert json.loads(scene)["rules"] == "one-hour-ww2"
    pipe(monkeypatch, scene)
    assert json.loads(run_cli("report", "-", "--json", "-").stdout)["shots"]
    pipe(monkeypatch, "")
    assert run_cli("report", "-").stderr.startswith("tabletop: standard input is empty")


SIMPLE: dict[str, str] = {"blue": "simple", "red": "simple"}


def small() -> Setup:
    return Setup(
        "A skirmish",
        ("blue", "red"),
        24.0,
        24.0,
        (
            a_unit("B1", "blue", "tank", 4, 4),
            a_unit("B2", "blue", "mortar", 14, 3),
            a_unit("R1", "red", "infantry", 6, 18, 180),
            a_unit("R2", "red", "atg", 16, 19, 180),
        ),
        terrain=(TerrainPiece("w", "woods", ((8, 9), (14, 9), (14, 12), (8, 12))),),
        victories=(Victory("blue", "destroy", units=1),),
        otherwise="red",
        turns=4,
    )


@pytest.mark.slow
def test_a_game_that_does_not_end_is_a_draw_and_the_others_count(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = selfplay.statistics(RULES, small(), SIMPLE, 4, 7)
    lengths = sorted(row["actions"] for row in whole["results"])
    assert whole["not_over"] == 0 and lengths[0] < lengths[-1]
    assert sum(whole["wins"].values()) == whole["games"] == len(whole["results"]) == 4
    assert [row["seed"] for row in whole["results"]] == [7, 8, 9, 10]
    assert whole["mean_turns"] == sum(row["turns"] for row in whole["results"]) / 4
    monkeypatch.setattr(selfplay, "MOST_ACTIONS", lengths[-1])
    found = selfplay.statistics(RULES, small(), SIMPLE, 4, 7)
    broken = [row for row in found["results"] if not row["over"]]
    assert 0 < len(broken) < 4 and found["not_over"] == len(broken)
    assert {(row["winner"], row["reason"]) for row in broken} == {(None, f"not over after {lengths[-1]} actions")}
    assert sum(found["wins"].values()) == 4 and found["wins"]["draw"] >= len(broken)


def test_ctrl_c_keeps_the_games_that_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seeds, out = selfplay.play, [], tmp_path / "out.json"

    def play(*arguments: object) -> selfplay.Played:
        seeds.append(arguments[-1])
        if len(seeds) > 2:
            raise KeyboardInterrupt
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(selfplay, "play", play)
    ran = run_cli("play", "one-hour-ww2", "--scenario", "first-game", "--games", 9, "--json", out)
    assert ran.exit_code == 130
    assert json.loads(out.read_bytes())["games"] == 2 and ran.stdout.startswith("First Game: 2 games, seeds from 0.")
    assert "stopped after 2 of 9 games" in ran.stderr


def test_play_takes_what_a_scenario_leaves_to_choose() -> None:
    listed = json.loads(run_cli("new", "blue-ridge", "--list", "--json", "-").stdout)["choices"]
    assert "early-wwii" in next(row["values"] for row in listed if row["id"] == "period")
    told = [
        json.loads(run_cli("play", "combat", *more, "--json", "-").stdout)
        for more in ((), ("--set", "pieces=3", "--set", "mines=0"))
    ]
    assert "choices" not in told[0] and told[1]["choices"]["pieces"] == "3"
    assert told[1]["mean_actions"] < told[0]["mean_actions"]


def test_tab_offers_what_goes_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def offered(*words: str) -> list[str]:
        monkeypatch.setenv("_TABLETOP_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["tabletop", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        return run_cli().stdout.split()

    assert offered("re") == ["report", "referee", "restore", "redo"]
    assert offered("new", "blue") == ["blue-ridge"]
    assert offered("act", "--data", str(place), "f") == ["fire"]
    assert offered("act", "--data", str(place), "fire", "B") == [f"B{n}" for n in range(1, 7)]
    assert offered("state", "--data", str(place), "--game", "") == ["flank-attack"]
    assert offered("state", "--data", str(place / "none"), "--game", "") == []
