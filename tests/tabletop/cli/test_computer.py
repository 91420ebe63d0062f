"""``tabletop new --computer``, ``computer``, ``act next | proposed | impossible`` and ``hint``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli_runs import run_cli


class Table:
    """Commands over one folder of games."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def says(self, words: str, status: int = 0) -> str:
        """What a command says, which must end with that status; line breaks are spaces."""
        ran = run_cli(*words.split(), "--data", self.data)
        assert ran.exit_code == status, ran.output
        return " ".join(ran.output.split())

    def json(self, words: str) -> Any:
        ran = run_cli(*words.split(), "--json", "-", "--data", self.data)
        assert ran.exit_code == 0, ran.output
        return json.loads(ran.stdout)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "games")


def test_a_side_is_played_by_the_computer_with_dice_as_players_roll_them(table: Table) -> None:
    told = table.says("new first-game --computer blue:strong")
    assert "The computer plays Blue (strong)." in told and "say `tabletop act proposed`" in told
    assert "Blue, played by the computer: Fire B2 at R2." in table.says("act proposed")
    assert table.json("state")["computers"]["wanted"]["action"] == "fire B2 at R2"
    asked = table.says("act next", 0)
    assert "tabletop act proposed --dice N" in asked
    assert "needs dice" in table.says("act proposed", 1)
    assert "made 6 hits" in table.says("act proposed --dice 4")
    assert "Not possible on the table: " in table.says("act impossible")


def test_who_plays_is_told_and_changed(table: Table) -> None:
    table.says("new first-game")
    assert table.says("computer") == "People play all sides. Its levels in this game: simple, strong."
    assert "The computer plays Red (strong)." in table.says("computer red:strong")
    assert "noted: The computer plays Red (strong)." in table.says("log")
    assert "People play all sides." in table.says("computer --nobody")
    assert "No computer is to act now" in table.says("act proposed", 2)
    assert "computers" not in table.json("state")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("new first-game --computer green", 'There is no side "green"'),
        ("new first-game --computer red:clever", "expected simple or strong"),
        ("new bare-table --computer red:strong", "expected simple"),
    ],
)
def test_what_can_not_be_begins_nothing(table: Table, words: str, why: str) -> None:
    assert why in table.says(words, 2)
    assert "There is no game yet" in table.says("games")


def test_its_secrets_are_shown_to_nobody(table: Table) -> None:
    told = table.says("new first-skirmish --computer red")
    assert "decides something in secret. Say `tabletop act next`." in told
    assert "army red" not in table.says("act next").casefold()
    assert "The computer plays side red" in table.says("state --as red", 2)
    assert "army ..." in json.dumps(table.json("log"))


def test_a_hint_is_what_the_strong_player_would_do(table: Table) -> None:
    table.says("new first-game")
    table.says("act begin")
    table.says("act end")
    assert "Fire B2 at R2." in table.says("hint") and "`fire B2 at R2`" in table.says("hint")
    table.says("new bare-table")
    assert "No search advises" in table.says("hint", 2)
