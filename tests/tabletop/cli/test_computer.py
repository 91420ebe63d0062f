"""``tabletop new --computer``, ``computer``, ``act next | proposed | impossible`` and ``hint``."""

import json
from pathlib import Path

import pytest

from tests.tabletop.cli.test_game import Desk


@pytest.fixture
def table(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_side_is_played_by_the_computer_with_dice_as_players_roll_them(table: Desk) -> None:
    told = table.says("new first-game --computer blue:strong")
    assert "The computer plays Blue (strong)." in told and "say `tabletop act proposed`" in told
    assert "Blue, played by the computer: Fire B2 at R2." in table.says("act proposed")
    assert table.json("state")["computers"]["wanted"]["action"] == "fire B2 at R2"
    asked = table.says("act next", 0)
    assert "tabletop act proposed --dice N" in asked
    assert "needs dice" in table.says("act proposed", 1)
    assert "made 6 hits" in table.says("act proposed --dice 4")
    assert "Not possible on the table: " in table.says("act impossible")


def test_who_plays_is_shown_and_changed(table: Desk) -> None:
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
def test_what_can_not_be_begins_nothing(table: Desk, words: str, why: str) -> None:
    assert why in table.says(words, 2)
    assert "There is no game yet" in table.says("games")


def test_its_secrets_are_shown_to_nobody(table: Desk) -> None:
    told = table.says("new first-skirmish --computer red")
    assert "decides something in secret. Say `tabletop act next`." in told
    assert "army red" not in table.says("act next").casefold()
    assert "The computer plays side red" in table.says("state --as red", 2)
    assert "army ..." in json.dumps(table.json("log"))


def test_a_hint_is_what_the_strong_player_would_do(table: Desk) -> None:
    table.says("new first-game")
    table.says("act begin")
    table.says("act end")
    assert "Fire B2 at R2." in table.says("hint") and "`fire B2 at R2`" in table.says("hint")
    table.says("new bare-table")
    assert "No search advises" in table.says("hint", 2)
