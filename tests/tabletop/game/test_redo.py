"""Doing again what was taken back: just as it was, until something else is done."""

import random

import pytest

from tabletop.game import Game, UndoError
from tabletop.game.records import taken_back
from tabletop.starting.scenarios import find


def measured(*said: str) -> Game:
    scenario = find("bare-table")
    from tabletop.game.registry import ruleset

    game = Game.new(ruleset(scenario.rules), scenario.setup)
    for words in said:
        game.push(game.parse(words), rng=random.Random(3))
    return game


def units(game: Game) -> list[str]:
    return [unit.id for unit in game.state.units]


def test_actions_come_back_one_by_one_the_last_taken_back_first() -> None:
    game = measured("add A1 for blue at 10,10", "add A2 for blue at 20,10", "move A2 to 20,14")
    whole = game.state.to_json()
    for _ in range(3):
        game.pop()
    assert units(game) == []
    assert [rows[0].action.split()[:2] for rows in taken_back(game.records)] == [
        ["move", "A2"],
        ["add", "A2"],
        ["add", "A1"],
    ]
    assert game.redo()[0].action.startswith("add A1")
    assert game.redo()[0].action.startswith("add A2")
    game.pop()
    game.redo()
    game.redo()
    assert game.state.to_json() == whole
    with pytest.raises(UndoError, match="nothing to do again"):
        game.redo()
    assert Game(game.ruleset, game.records).state.to_json() == whole, "the log tells the same"
    for played in (game, measured("add A1 for blue at 10,10", "add A2 for blue at 20,10", "move A2 to 20,14")):
        for seq in range(1, played.seq + 1):
            then = Game(played.ruleset, played.records[:seq]).state
            assert played.state_after(seq).to_json() == then.to_json(), "as it was then, whatever was taken back since"


def test_anything_else_that_is_done_leaves_nothing_to_do_again() -> None:
    game = measured("add A1 for blue at 10,10", "add A2 for blue at 20,10")
    game.pop()
    game.pop()
    game.note("A caption changes nothing.", actor="blue")
    assert len(taken_back(game.records)) == 2
    game.push(game.parse("add B1 for red at 30,30"))
    assert taken_back(game.records) == ()


def test_dice_stay_as_they_fell_and_the_referee_alone_brings_them_back() -> None:
    game = measured("add A1 for blue at 10,10", "roll 3 because morale")
    fell = game.records[-1].body["dice"]
    game.pop(referee=True, reason="all agreed")
    with pytest.raises(UndoError, match="only the referee does it again"):
        game.redo()
    (again,) = game.redo(referee=True)
    assert again.body["dice"] == fell and again.actor == game.records[-3].actor
