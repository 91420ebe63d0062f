"""Combined Arms on the command line: an evening in each mode with real dice, positions and their report, statistics."""

import json
import re
import statistics
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tabletop.game.selfplay import distribution
from tests.support.cli_runs import Ran, run_cli
from tests.tabletop.cli.test_game import TABLE, Desk

BOARD = {"2-6": "woods", "4-3": "crest", "4-7": "crest", "5-8": "farm", "6-4": "woods", "7-7": "farm", "8-3": "woods"}
POSITION: dict[str, Any] = {
    "version": 1,
    "rules": "combined-arms",
    "turn": 20,
    "board": {"6-4": "woods", "4-3": "crest"},
    "platoons": [
        {"id": "E2", "hex": "4-3", "state": "fresh"},
        {"id": "A1", "hex": "4-5", "state": "fresh", "facing": 0},
        {"id": "E1", "hex": "5-3", "state": "fresh"},
        {"id": "F1", "hex": "3-3", "state": "spent"},
    ],
    "enemy": [{"hex": "6-4", "revealed": False, "state": "fresh", "atg": "potential"}],
    "losses": 7,
}


def written(desk: Desk, data: object, name: str = "position.json") -> Path:
    path = desk.folder / name
    path.write_text(json.dumps(data))
    return path


def one_line(text: str) -> str:
    """A text without the breaks of a terminal's lines."""
    return " ".join(text.split())


def in_the_middle(desk: Desk, *more: str) -> None:
    desk.does(f"new combined-arms --position {written(desk, POSITION)} --name evening", *more)


def test_an_evening_alone_with_dice_of_wood(desk: Desk) -> None:
    told = desk.does("new combined-arms")
    assert 'Game "combined-arms" has begun.' in told and 'Usage: "survey"' in told
    asked = desk.refuses("act survey", status=1)
    assert "Roll 140 ordinary dice (1,2,3,4,5,6) and say --dice N,N,N,N,N,N,N,N,N,N,N,N,... (140 of them)" in asked
    assert "3-3 is farm (6 and 6)." in desk.does("act survey 3-3 --dice 6,6")
    desk.does("act lay 4-2 wooded crest")
    dice = ["3,4"] * 60 + ["5,5"] * 8  # 60 open hexes, then 8 of woods at the far end
    assert "68 hexes: 60 open and 8 woods" in desk.does("act survey --dice", ",".join(dice))
    assert "9 potential platoons took position" in desk.does("act occupy")
    assert desk.json("state")["state"]["turn"] == 1
    assert "A1 entered at 1-4 and moved to 2-4, facing top." in desk.does("act move A1 to 1-4 2-4 then move D1 to 1-3")
    assert "D1 is spent" in desk.refuses("act move D1 to 2-3", status=1)
    desk.does("act end")
    assert "No platoon is fresh." in desk.does("state")
    assert "No mortars for the defenders" in desk.does("act end")
    assert desk.json("state")["state"]["turn"] == 2
    assert desk.does("undo").startswith("Taken back: end.")
    assert desk.json("state")["state"]["step"] == "fire"
    log = desk.does("log").splitlines()
    assert log[0].split(maxsplit=1)[1].startswith("Combined Arms was laid out. The rules play the defenders.")
    assert log[-1].endswith("Attackers took back events 9 to 12.")


def test_the_board_is_drawn_and_written(desk: Desk, tmp_path: Path) -> None:
    in_the_middle(desk)
    scene, svg, png = tmp_path / "p.json", tmp_path / "b.svg", tmp_path / "b.png"
    assert desk.does(f"state -q --scene {scene} --picture {svg}") == ""
    desk.does(f"state -q --picture {png}")
    assert svg.read_text().startswith("<svg") and png.read_bytes().startswith(b"\x89PNG")
    assert "neither a .svg nor a .png" in desk.refuses(f"state --picture {tmp_path / 'b.gif'}", status=2)
    again = json.loads(scene.read_text())
    assert again["platoons"] and again["enemy"] == [POSITION["enemy"][0]]
    assert run_cli("report", scene, "--json", "-").exit_code == 0
    before = desk.json("state")["state"]
    desk.does(f"new combined-arms --position {scene} --name again")
    assert desk.json("state")["state"] == before
    desk.does("new flank-attack")
    before = png.read_bytes()
    desk.does(f"state -q --picture {png}")
    assert png.read_bytes().startswith(b"\x89PNG") and png.read_bytes() != before


def test_a_table_file_lays_the_board_and_a_reading_does_too(desk: Desk) -> None:
    table = desk.folder / "meadow.table.toml"
    grid = '[overlay]\ngrid = "{}"\nsize = 3.0\norigin = [9.0, 4.0]\nrotation = 5.0\n'
    text = TABLE.replace("depth = 36.0", 'depth = 36.0\nrules = "combined-arms"')
    table.write_text(text + grid.format("hex"))
    assert 'Game "meadow" has begun.' in desk.does(f"new --table {table}")
    laid = {"size_in": 3.0, "origin": [9.0, 4.0], "rotation_deg": 5.0}
    assert desk.game("meadow").records[0].body["setup"]["layout"] == laid
    reading = {"layout": {"size": 3.0, "origin": [9.0, 4.0], "rotation": 5.0, "sigma": 0.1}, "uncertain": ["4-3"]}
    read = written(desk, {"version": 1, "rules": "combined-arms", "board": BOARD, "overlay": reading})
    desk.does(f"new combined-arms --position {read} --name read")
    assert desk.game("read").records[0].body["setup"]["layout"] == laid
    read = written(desk, {"version": 1, "rules": "combined-arms", "overlay": {"layout": {"size": "wide"}}})
    assert "size, origin and rotation in numbers" in desk.refuses(f"new combined-arms --position {read}", status=2)
    table.write_text(text + grid.format("square"))
    assert 'needs grid = "hex"' in desk.refuses(f"new --table {table}", status=2)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("new combined-arm", 'There is no scenario "combined-arm"'),
        ("new combined-arms --mode solo", 'There is no mode "solo"'),
        ("new combined-arms --bid", 'mode = "enemy-player"'),
        ("new combined-arms --handicap 3", 'mode = "enemy-player"'),
        ("new combined-arms --mode enemy-player --bid --handicap 3", "not both"),
        ("new combined-arms --mode enemy-player --handicap 99", "0 to 50"),
        ("new combined-arms --mode enemy-player --position {middle}", "begins with its secret deployment"),
        ("new combined-arms --dice d5", "ordinary dice"),
        ("new combined-arms --scene {middle}", "--position takes them"),
        ("new combined-arms --position {folder}/none.json", "There is no file"),
        ("new combined-arms --position {wrong}", "Hex 4-3 holds 'wood', which is no terrain; did you mean \"woods\"?"),
        ("new flank-attack --easier", "--easier belongs to a game of combined-arms"),
        ("new flank-attack --handicap 0", "--handicap belongs to a game of combined-arms"),
    ],
)
def test_a_game_that_cannot_begin_leaves_nothing_behind(desk: Desk, words: str, told: str) -> None:
    middle, wrong = written(desk, POSITION), written(desk, {"board": {"4-3": "wood"}}, "wrong.json")
    assert told in desk.refuses(words.format(middle=middle, wrong=wrong, folder=desk.folder), status=2)
    assert not desk.data.exists()


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ("act attack 6-4", 2, '"attack" is no action of Combined Arms'),
        ("act move A1", 2, "move PLATOON to HEX [HEX] [facing CORNER] [off]"),
        ("act move E9 to 4-4", 2, 'There is no platoon "E9"'),
        ("act move A1 to 4-44", 2, "row 4 has hexes 1 to 10"),
        ("act fire E2 at 6-4", 1, "Platoons fire in the friendly fire phase."),
        ("act defend", 1, "The defenders need no roll now."),
        ("act show", 1, "The rules decide for the defenders in this game"),
        ("state --as umpire", 2, 'There is no side "umpire"'),
        ("log --all", 2, "--all belongs to --out"),
    ],
)
def test_what_can_not_be_done_is_said(desk: Desk, words: str, status: int, told: str) -> None:
    in_the_middle(desk)
    assert told in one_line(desk.refuses(words, status=status))


def report(desk: Desk, data: object, *more: str) -> Ran:
    return run_cli("report", written(desk, data), *more)


def test_the_report_on_a_position_has_the_contracts_keys(desk: Desk) -> None:
    told = report(desk, POSITION, "--json", "-")
    found = json.loads(told.stdout)
    assert (told.exit_code, found["version"], found["rules"]) == (0, 1, "combined-arms")
    assert found == json.loads(report(desk, POSITION, "--rules", "combined-arms", "--json", "-").stdout)
    pairs = {(row["from"], row["to"]): row for row in found["lines"]}
    assert set(pairs) == {("3-3", "6-4"), ("4-3", "6-4"), ("4-5", "6-4"), ("5-3", "6-4")}
    assert all(set(row) >= {"from", "to", "range", "terrain", "own_fire"} for row in found["lines"])
    fire = {row["platoon"]: row for row in found["fire"]}
    assert set(fire) == {"A1", "E1", "E2"}, "F1 is spent"
    assert (fire["E2"]["modifier"], fire["E2"]["spent"], fire["E2"]["broken"]) == (-1, 0.6667, 0.0)
    (payoff,) = found["payoffs"]
    assert payoff["enemy"] == "6-4" and payoff["hexes"] and payoff["payoff"] > 0


@pytest.mark.parametrize(
    ("change", "arguments", "told"),
    [
        ({}, ["--rules", "one-hour-ww2"], 'position of combined-arms, but "one-hour-ww2" were chosen'),
        ({}, ["--rules", "combined-arm"], 'did you mean "combined-arms"?'),
        ({}, ["--dice", "d5"], "leave --dice out"),
        ({"rules": "one-hour-ww2"}, ["--rules", "combined-arms"], 'for the rules "one-hour-ww2"'),
        ({"units": []}, [], "tabletop overlay makes one"),
        ({"platoons": [{"id": "A1", "hex": "6-4", "facing": 0}]}, [], "both stand in 6-4"),
    ],
)
def test_a_position_that_is_none_is_refused(
    desk: Desk, change: dict[str, Any], arguments: list[str], told: str
) -> None:
    out = desk.folder / "report.json"
    refused = report(desk, {**POSITION, **change}, *arguments, "--json", str(out))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert told in refused.stderr and refused.stderr.count("\n") == 1
    assert not out.exists()


def test_statistics_tell_how_scores_are_spread(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    told = run_cli("play", "combined-arms", "--games", 5, "--seed", 3, "--json", file)
    assert told.exit_code == 0, told.output
    found = json.loads(file.read_text())
    scores = [row["score"] for row in found["results"]]
    assert found["scores"]["mean"] == pytest.approx(statistics.fmean(scores))
    assert (found["scores"]["least"], found["scores"]["most"]) == (min(scores), max(scores))
    assert {int(k): v for k, v in found["scores"]["histogram"].items()} == {s: scores.count(s) for s in set(scores)}
    assert found["win_rate"]["attacker"] == found["wins"]["attacker"] / 5 == sum(s >= 20 for s in scores) / 5
    assert (found["mode"], found["easier"], found["players"]["defender"]) == ("solitaire", False, "rules")
    assert found["games_per_second"] > 0
    assert told.stdout.startswith("Combined Arms: 5 games, seeds from 3.\n  Attackers (simple) ")
    bars = re.findall(r"^ +(-?\d+)  #+ (\d+)$", told.stdout, re.MULTILINE)
    assert [(str(s), str(scores.count(s))) for s in sorted(set(scores))] == bars
    again = json.loads(run_cli("play", "combined-arms", "--games", 2, "--seed", 4, "--json", "-").stdout)
    assert again["results"] == found["results"][1:3], "the same seed plays the same game"


def test_quartiles_are_those_of_the_sorted_scores() -> None:
    assert distribution([7])["quartiles"] == [7.0, 7.0, 7.0]
    scores = [3, 1, 4, 1, 5, 9, 2, 6]
    ordered = sorted(scores)

    def at(share: Fraction) -> Fraction:
        place = share * (len(ordered) - 1)
        low = int(place)
        return ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])

    assert distribution(scores)["quartiles"] == [at(Fraction(n, 4)) for n in (1, 2, 3)]
