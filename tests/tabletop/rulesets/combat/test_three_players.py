"""Two against one [Rules for four players, "facilitating two against three games"], and hill counters [Firing]."""

from __future__ import annotations

import pytest

from geometry.squares import DIRECTIONS
from tabletop.game import Game
from tabletop.rulesets.combat import board_text, seats
from tabletop.rulesets.combat.board import field_of
from tabletop.rulesets.combat.data import COMPASS
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.setup_faults import faults_of
from tabletop.rulesets.combat.views import hidden_by
from tests.support.combat_games import OPEN, codes, done, ground, on, standing

PIECES = {"RT1": "b5", "RT2": "k5", "BT1": "b9", "BT2": "k9"}


# --- three players ---------------------------------------------------------------------------------------------------


def test_one_player_commands_both_corps_against_two() -> None:
    state = standing(on(OPEN, players=3, alone="red"), PIECES)
    assert seats.roles(state) == ("side red", "side blue", "command blue-left", "command blue-right")
    told, titles = [], []
    for _ in range(4):
        told.append(RULES.view(state)["acting"])
        titles.append(board_text.acting_title(state))
        state = done(state, "end")
    assert told == ["red", "blue-left", "red", "blue-right"]
    assert titles == ["Red with its right corps", "Blue's left corps", "Red with its left corps", "Blue's right corps"]
    assert RULES.actor(state, RULES.parse(state, "move RT2 to k6")) == "red"
    assert "side red" in seats.roles(state) and "red" in seats.stands_for(state, "side red")


def test_the_one_player_moves_a_corps_at_a_time() -> None:
    state = standing(on(OPEN, players=3, alone="red"), PIECES)
    assert codes(state, "move RT2 to k6") == set() and codes(state, "move RT1 to b6") == {"other-sector"}
    (found,) = RULES.check(state, RULES.parse(state, "move RT1 to b6"))
    assert "moves in that corps' turn" in found.text


def test_who_hides_something_is_who_plays() -> None:
    state = standing(on(OPEN, players=3, alone="red", mines=4), PIECES)
    assert hidden_by(state) == ("red", "blue", "blue-left", "blue-right")


def test_numbers_of_players_that_can_not_be_are_told() -> None:
    found = dict(faults_of(on(OPEN, players=5)))
    assert found[("players",)] == "Two, three or four players command, and not 5."
    assert ("alone",) in dict(faults_of(on(OPEN, players=3, alone="green")))


# --- hill counters ---------------------------------------------------------------------------------------------------


def hill(*counters: tuple[str, str]) -> Setup:
    return on(OPEN, ground=ground({"hill": "e5"}), hill_counters=counters)


def test_no_shot_leaves_a_hill_by_a_side_that_a_counter_bars_nor_comes_in_by_it() -> None:
    pieces = {"RG1": "e5", "BT1": "e8", "BT2": "h5"}
    free, barred = standing(hill(), pieces), standing(hill(("e5", "n")), pieces)
    assert codes(free, "fire RG1 at BT1") == codes(free, "fire RG1 at BT2") == set()
    assert codes(barred, "fire RG1 at BT1") == {"line-counter"} and codes(barred, "fire RG1 at BT2") == set()
    (found,) = RULES.check(barred, RULES.parse(barred, "fire RG1 at BT1"))
    assert found.text == "A hill counter in e5 bars shots to and from the north of it."
    after = done(barred, "end")
    assert codes(after, "fire BT1 at RG1") >= {"line-counter"}
    assert "BT1" not in {option.target for option in RULES.options(barred) if option.kind == "fire" and option.legal}


@pytest.mark.parametrize("way", range(8))
def test_a_line_is_barred_both_ways_and_in_no_other_direction(way: int) -> None:
    """Against every square two away from the hill: the field says the same of a line from either end."""
    field = field_of(hill(("e5", list(COMPASS)[way])))
    at = field.number["e5"]
    cell = field.cells[at]
    for other, step in enumerate(DIRECTIONS):
        there = field.at(cell + step + step)
        lines = field.line(at, there), field.line(there, at)
        assert {line.against for line in lines} == ({"counter"} if other == way else {""})
        assert (there in field.lines(at)) is (other != way) is (at in field.lines(there))


def test_counters_are_laid_on_hills_while_the_battlefield_is_arranged_and_taken_away_again() -> None:
    game = Game.new(RULES, hill())
    assert {v.code for v in game.check(game.parse("lay d5 counter-ne"))} == {"no-hill"}
    game.push(game.parse("lay e5 counter-ne"))
    assert game.state.setup.hill_counters == (("e5", "ne"),)
    assert RULES.view(game.state)["battlefield"]["hill_counters"] == [["e5", "ne"]]
    game.push(game.parse("lay e5 crest"))
    assert game.state.setup.hill_counters == (("e5", "ne"),)
    game.push(game.parse("lay e5 counter-ne"))
    assert game.state.setup.hill_counters == ()
    game.push(game.parse("lay e5 counter-s"))
    game.push(game.parse("lay e5 woods"))
    assert game.state.setup.hill_counters == ()


def test_counters_that_can_not_be_are_told() -> None:
    texts = [text for path, text in faults_of(hill(("d5", "n"), ("e5", "up"))) if path == ("hill_counters",)]
    assert texts[0] == "A hill counter lies in d5, where no hill is." and '"up"' in texts[1]
