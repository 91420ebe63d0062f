"""``tabletop new --computer``, ``computer``, ``act next | proposed | impossible`` and ``hint``."""

import json

import pytest

from tests.tabletop.cli.test_game import Desk


def test_a_side_is_played_by_the_computer_with_dice_as_players_roll_them(desk: Desk) -> None:
    told = desk.says("new first-game --computer blue:strong")
    assert "The computer plays Blue (strong)." in told and "say `tabletop act proposed`" in told
    assert "Blue, played by the computer: Fire B2 at R2." in desk.says("act proposed")
    assert desk.json("state")["computers"]["wanted"]["action"] == "fire B2 at R2"
    asked = desk.says("act next", 0)
    assert "tabletop act proposed --dice N" in asked
    assert "needs dice" in desk.says("act proposed", 1)
    assert "made 6 hits" in desk.says("act proposed --dice 4")
    assert "Not possible on the table: " in desk.says("act impossible")


def test_who_plays_is_shown_and_changed(desk: Desk) -> None:
    desk.says("new first-game")
    assert desk.says("computer") == "People play all sides. Its levels in this game: simple, strong."
    assert "The computer plays Red (strong)." in desk.says("computer red:strong")
    assert "noted: The computer plays Red (strong)." in desk.says("log")
    assert "People play all sides." in desk.says("computer --nobody")
    assert "No computer is to act now" in desk.says("act proposed", 2)
    assert "computers" not in desk.json("state")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("new first-game --computer green", 'There is no side "green"'),
        ("new first-game --computer red:clever", "expected simple or strong"),
        ("new bare-table --computer red:strong", "expected simple"),
    ],
)
def test_what_can_not_be_begins_nothing(desk: Desk, words: str, why: str) -> None:
    assert why in desk.says(words, 2)
    assert "There is no game yet" in desk.says("games")


def test_its_secrets_are_shown_to_nobody(desk: Desk) -> None:
    told = desk.says("new first-skirmish --computer red")
    assert "decides something in secret. Say `tabletop act next`." in told
    assert "army red" not in desk.says("act next").casefold()
    assert "The computer plays side red" in desk.says("state --as red", 2)
    assert "army ..." in json.dumps(desk.json("log"))


def test_a_hint_is_what_the_strong_player_would_do(desk: Desk) -> None:
    desk.says("new first-game")
    desk.says("act begin")
    desk.says("act end")
    assert "Fire B2 at R2." in desk.says("hint") and "`fire B2 at R2`" in desk.says("hint")
    desk.says("new bare-table")
    assert "No search advises" in desk.says("hint", 2)
