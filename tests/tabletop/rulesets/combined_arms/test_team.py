"""The co-operative game of six, whose commander has no platoons, and of players who write instead of talking."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.errors import RulesError
from tabletop.game import Game
from tabletop.rulesets.combined_arms import seats
from tabletop.rulesets.combined_arms.actions import Message
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tests.support.combined_arms_tables import codes, do, game_at


def team(**more: object) -> Game:
    game = game_at({"D1": "3-4", "A1": "3-5 0", "M1": "2-5"}, {"5-5": ""}, mode="co-operative")
    return Game.new(RULES, replace(game.state.setup, **more))


def test_a_sixth_player_commands_all_and_the_mmgs_have_a_player_of_their_own() -> None:
    five, six = team(), team(commander_apart=True)
    assert seats.roles(five.state) == tuple(f"command {name}" for name in ("armour", "D", "E", "F", "command"))
    assert set(seats.roles(six.state)) - set(seats.roles(five.state)) == {"command support"}
    for said, of_five, of_six in (
        ("move M1 to 2-6", "command", "support"),
        ("call he 5-5", "command", "support"),
        ("move D1 to 3-3", "D", "D"),
        ("end", "command", "command"),
        ("grant D", "command", "command"),
    ):
        assert RULES.actor(five.state, five.parse(said)) == of_five, said
        assert RULES.actor(six.state, six.parse(said)) == of_six, said
    assert "support" not in seats.stands_for(six.state, "command command")
    assert codes(five, "claim support") == ["no-role"]
    do(six, "claim support", "claim D")
    assert "claimed" in codes(six, "move M1 to 2-6")
    do(six, "grant support")
    assert "claimed" not in codes(six, "move M1 to 2-6") and codes(six, "move D1 to 3-3") == ["granted-other"]


def test_messages_are_counted_by_player_and_turn() -> None:
    game = team(messages=2)
    do(game, "message D to all saying go left", "message D to armour saying cover us")
    assert codes(game, "message D to F saying now") == ["messages-sent"]
    assert codes(game, "message F to D saying wait") == []
    assert codes(game, "message F to F saying wait") == ["to-itself"]
    assert codes(game, "message F to D") == ["no-words"]
    assert codes(game, "message support to D saying wait") == ["no-role"]
    assert RULES.actor(game.state, game.parse("message F to D saying wait")) == "F"
    assert game.state.sent == ("D", "D") and RULES.view(game.state)["sent"] == ["D", "D"]
    writers = [option.side for option in game.options() if option.kind == "message"]
    assert writers == ["armour", "E", "F", "command"]
    game.pop()  # words can be taken back
    assert game.state.sent == ("D",)


def test_the_next_turn_brings_messages_anew() -> None:
    from tabletop.rulesets.combined_arms.events import PhaseBegan

    game = team(messages=1)
    do(game, "message D to all saying go left")
    after = RULES.apply(game.state, PhaseBegan("move", 2))
    assert game.state.sent == ("D",) and after.sent == ()


def test_who_talks_writes_no_messages() -> None:
    for game in (team(), game_at({"D1": "3-4"}, {"5-5": ""})):
        assert [v.code for v in game.check(Message("D", "all", "go"))] == ["not-coop"]
        assert not any(option.kind == "message" for option in game.options())
    assert "sent" not in RULES.view(team().state)


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(commander_apart=True), "belong to the game of a team"),
        (Setup(messages=2), "belong to the game of a team"),
        (Setup(mode="co-operative", messages=99), "0 \\(the players talk\\) to 20"),
    ],
)
def test_games_that_can_not_be_are_refused(setup: Setup, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Game.new(RULES, setup)
