"""What morale markers do to which dice, the die that comes with all three, and 100 points, as games line by line."""

import pytest

from tabletop.game import Game
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.data import HouseRules
from tests.support.combat_captain_games import a_sub, codes, do, facing_off, last, meeting, told


def fired(game: Game) -> ev.Fired:
    event = last(game, ev.Fired)
    return event


def needed(game: Game, words: str) -> int:
    return game.ruleset.dice(game.state, game.parse(words)).count


@pytest.mark.parametrize(
    ("markers", "points", "hits"), [(0, 12, 3), (1, 11, 2), (2, 10, 1), (5, 7, 0), (9, 6, 0)]
)  # the chart's columns 6, 5, 4 and, from there on, 1
def test_markers_lower_the_variable_die_as_every_other(markers: int, points: int, hits: int) -> None:
    game = facing_off(a_sub("A1", "machine-gun", 20, 12.5), own_chits=markers)
    do(game, "fire A1 at B1 dice 1", 6, 6)
    assert (fired(game).points, fired(game).hits) == (points, hits)


def test_a_variable_die_lowered_below_one_reads_the_first_column() -> None:
    own = tuple(a_sub(f"A{n}", "machine-gun", 10 + 1.8 * n, 14) for n in range(1, 6))
    game = facing_off(*own, own_chits=1)
    do(game, "fire A at B1 dice 3", *(3,) * 20, 1)
    assert (fired(game).points, fired(game).hits) == (70, 6)


def test_a_house_may_leave_the_variable_die_alone() -> None:
    game = facing_off(a_sub("A1", "machine-gun", 20, 12.5), own_chits=2, rules=HouseRules(lowered_variable=False))
    do(game, "fire A1 at B1 dice 1", 6, 6)
    assert (fired(game).points, fired(game).hits) == (10, 3)


def test_markers_are_no_help_with_the_further_die_against_armour() -> None:
    other = (a_sub("B1", "tank", 20, 20), a_sub("B2", "tank", 30, 20))
    game = facing_off(a_sub("A1", "gun", 20, 8), other=other, own_chits=1)
    do(game, "fire A1 at B1 dice 3", 6, 6, 6, 6, 6, 5)  # 20 points, the 6 read as a 5: kill number 4
    assert fired(game).kill_number == 4
    assert "B1" in game.state.stands


def test_a_withdrawal_says_what_markers_took_off_it() -> None:
    game = meeting((a_sub("A1", "rifles", 20, 19),), (a_sub("B1", "rifles", 20, 20, 180.0),), other_chits=1)
    do(game, "withdraw B", 6, 1, 4, 2)
    event = last(game, ev.Withdrew)
    assert event.inches == 5 + 0 + 3 + 1
    assert told(game, ev.Withdrew) == "B withdrew with 6, 1, 4 and 2, less 1 each for its marker: 9″."


def test_the_further_die_comes_with_the_fire_that_spends_the_third() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5), a_sub("A2", "rifles", 22, 12.5))
    assert needed(game, "fire A1 at B1 dice 1") == 1 + 1
    do(game, "fire A1 at B1 dice 1", 1, 1)
    assert needed(game, "fire A1 at B1 dice 1") == 1 + 1
    assert needed(game, "fire A1 at B1 dice 2") == 3 + 1
    assert needed(game, "fire A1 A2 at B1 dice 2") == 3 + 2 + 1
    do(game, "fire A1 A2 at B1 dice 2", 3, 3, 3, 1, 1, 1)
    assert [part.roll for part in fired(game).parts] == [(3, 3, 3), (1, 1)]
    assert codes(game, "fire A1 at B1 dice 1") == {"dice-spent"}
    do(game, "fire A2 at B1 dice 1", 2, 2, 1)


def test_more_dice_never_promise_fewer_hits_and_100_points_are_told_as_the_most_there_are() -> None:
    own = tuple(a_sub(f"A{n}", "machine-gun", 10 + 1.8 * n, 14) for n in range(1, 8))
    game = facing_off(*own)
    means = []
    for dice in (1, 2, 3):
        odds = game.odds(game.parse(f"fire A at B1 dice {dice}"))
        assert sum(odds.chances.values()) == 1
        means.append(odds.expected)
    assert means == sorted(means)
    do(game, "fire A at B1 dice 3", *(6,) * 28, 6)
    assert fired(game).automatic
    assert fired(game).hits == 17  # the last row's
    assert "B1" not in game.state.stands


def third_turn(game: Game) -> None:
    do(game, "; ".join(["end"] * 12))
    assert game.state.turn == 3


def test_each_gun_that_stood_still_adds_its_two_and_one_that_moved_does_not() -> None:
    game = facing_off(a_sub("A1", "gun", 18, 8), a_sub("A2", "gun", 22, 8))
    assert "not-stationary" in codes(game, "fire A1 at B1 dice 1 stationary"), "not before the third turn"
    third_turn(game)
    do(game, "put A2 at 22,9")
    assert codes(game, "fire A1 A2 at B1 dice 1 stationary") == set()
    do(game, "fire A1 A2 at B1 dice 1 stationary", 4, 4, 1)
    assert [part.add for part in fired(game).parts] == [4, 2]
    assert codes(game, "fire A2 at B1 dice 1 stationary") == {"not-stationary"}
    do(game, "put B1 at 22,20")
    assert "not-stationary" in codes(game, "fire A1 at B1 dice 1 stationary"), "the target moved"


def test_a_company_whose_guns_stood_still_is_offered_their_two() -> None:
    game = facing_off(a_sub("A1", "gun", 18, 8), a_sub("A2", "gun", 22, 8), a_sub("A3", "rifles", 20, 12))
    third_turn(game)
    offered = {option.text for option in game.options() if option.kind == "fire" and option.legal}
    assert "fire A1 A2 A3 at B1 dice 3 stationary" in offered
    assert "fire A2 at B1 dice 3 stationary" in offered
    assert "fire A3 at B1 dice 3" in offered
    assert game.ruleset.text(game.parse("fire A at B1 dice 2")) == "fire A1 A2 A3 at B1 dice 2 stationary"
    do(game, "put B1 at 20,21")
    assert not any("stationary" in option.text for option in game.options())
