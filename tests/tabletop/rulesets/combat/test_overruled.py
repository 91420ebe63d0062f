"""What the referee lets happen in Combat all the same happens, and what nobody can let happen is said to be so."""

from __future__ import annotations

import pytest

from tabletop.game import IllegalError
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, begun, done, ground, on, standing_game


def square(state: State, unit: str) -> str:
    return state.name(state.by_id[unit].at)


def test_a_piece_that_stopped_or_is_new_or_another_commander_s_moves_by_the_referee_s_word() -> None:
    woods = standing_game(on(OPEN, ground=ground({"woods": "f7"})), {"RT1": "f6", "BT1": "a12"})
    woods.push(woods.parse("move RT1 to f7"))
    with pytest.raises(IllegalError):
        woods.push(woods.parse("move RT1 to f9"))
    woods.push(woods.parse("move RT1 to f9"), overrule=True)
    assert square(woods.state, "RT1") == "f9"
    road = standing_game(on(OPEN, roads=tuple(f"f{n}" for n in range(2, 11))), {"RG1": "f4", "BT1": "a12"})
    road.push(road.parse("move RG1 to f7"))
    assert [v.code for v in road.check(road.parse("move RG1 to f8"))] == ["spent"]
    road.push(road.parse("move RG1 to f8"), overrule=True)
    assert square(road.state, "RG1") == "f8"
    four = standing_game(on(OPEN, players=4), {"RT1": "b5", "RT2": "k5", "BT1": "b9", "BT2": "k9"})
    four.push(four.parse("move RT1 to b6"), overrule=True)
    assert square(four.state, "RT1") == "b6"


def test_no_word_opens_a_way_that_is_barred() -> None:
    river = on(OPEN, rivers=True, ground=ground({"river": "a7 b7 c7 d7 e7 f7 g7 h7 i7 j7 k7 l7", "woods": "f5"}))
    game = standing_game(river, {"RT1": "f4", "BT1": "a12"})
    game.push(game.parse("move RT1 to f5"))
    found = game.check(game.parse("move RT1 to f9"))
    assert {v.code for v in found} == {"halted", "no-way"}
    with pytest.raises(IllegalError):
        game.push(game.parse("move RT1 to f9"), overrule=True)
    game.push(game.parse("move RT1 to f6 via g5"), overrule=True)
    assert square(game.state, "RT1") == "f6"


def test_mines_beyond_what_was_agreed_or_ahead_of_the_line_are_nobody_s_to_allow() -> None:
    few = begun(on(OPEN, pieces=3, mines=2))
    for state, wish in (
        (few, actions.Army("red", tanks=3, mines=3)),
        (begun(on(OPEN, pieces=3, period="late-wwi")), actions.Army("red", guns=3, mines=1)),
        (done(few, "army red tanks 3 mines 2"), actions.Place((("mine", "f4"),))),
    ):
        (found,) = RULES.check(state, wish)
        assert found.firm and found.code in ("mines", "no-mines", "mine-ahead"), found
