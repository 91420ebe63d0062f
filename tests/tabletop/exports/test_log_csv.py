"""The log as a table for spreadsheets: what its rows say, that no cell is a formula, and what is hidden."""

import csv
import io
from pathlib import Path

import pytest

from tabletop.exports.log_csv import COLUMNS, log_csv
from tabletop.game import Game
from tabletop.game.core import REFEREE
from tabletop.game.game_view import GameView
from tabletop.game.registry import ruleset
from tabletop.starting.scenarios import find
from tests.support.cli_runs import run_cli


def rows(content: bytes) -> list[dict[str, str]]:
    assert content.startswith(b"\xef\xbb\xbf") and content.endswith(b"\r\n")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def played() -> Game:
    game = Game.new(ruleset("measure"), find("bare-table").setup)
    for words in ("add Wächter for blue models 3 at 20,10", "add lancers for red at 26,30", "roll 2 because morale"):
        game.push(game.parse(words), dice=(3, 5) if words.startswith("roll") else ())
    return game


def test_an_event_is_a_row_in_words_and_values() -> None:
    game = played()
    game.pop(referee=True)
    game.note('=HYPERLINK("x")\nsecond line', actor="blue")
    table = rows(log_csv(GameView(game)))
    assert tuple(table[0]) == COLUMNS and [row["number"] for row in table] == [str(n + 1) for n in range(len(table))]
    roll = next(row for row in table if row["event"] == "rolled")
    assert (roll["dice"], roll["taken back"], roll["turn"]) == ("3, 5", "yes", "1")
    assert roll["text"] == "2 dice rolled (morale): 3, 5, 8 in all." and roll["action"] == "roll 2 because morale"
    added = next(row for row in table if row["unit"] == "Wächter")
    assert added["text"].startswith("Wächter (unit, Blue) joined the game") and added["taken back"] == ""
    note = next(row for row in table if row["event"] == "noted")
    assert note["text"] == 'Blue noted: =HYPERLINK("x") second line' and note["actor"] == "Blue"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "  =", "\n="])
def test_no_cell_is_a_formula(start: str) -> None:
    game = Game.new(ruleset("measure"), find("bare-table").setup)
    game.push(game.parse("add guard for blue at 20,10"))
    game.push(game.parse(f"name guard as x{start}1+1"))
    body = dict(game.records[-1].body)
    name = next(key for key, value in body.items() if value == f"x{start}1+1" or str(value).startswith("x"))
    unsafe = [*game.records[:-1], game.records[-1]]
    object.__setattr__(unsafe[-1], "action", f"{start}cmd|calc!A1")
    object.__setattr__(unsafe[-1], "body", {**body, name: f"{start}1+1"})
    cells = [cell for row in rows(log_csv(GameView(Game(game.ruleset, unsafe)))) for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "-", "@")]
    assert any(cell.startswith("'") and "cmd|calc!A1" in cell for cell in cells)


def test_the_command_line_writes_it(tmp_path: Path) -> None:
    kept = ("--data", tmp_path / "games")
    run_cli("new", "first-game", *kept)
    out = tmp_path / "log.csv"
    told = run_cli("log", "--csv", out, *kept)
    assert told.exit_code == 0 and told.stdout == f"1 event in rows in {out}.\n"
    (row,) = rows(out.read_bytes())
    assert row["actor"] == REFEREE and row["side"] and row["event"] == "started"
    refused = run_cli("log", "--csv", "-", *kept)
    assert refused.exit_code == 2 and "A table goes into a file: name one with --csv." in refused.stderr
