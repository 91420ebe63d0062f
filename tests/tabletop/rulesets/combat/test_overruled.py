"""What the referee lets happen in Combat all the same happens, and what nobody can let happen is said to be so."""

from __future__ import annotations

import random

import pytest

from tabletop.game import IllegalError
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.data import KINDS, TERRAIN
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, begun, done, ground, on, small_setup, standing_game


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


@pytest.mark.parametrize("seed", range(24))
def test_whatever_may_be_overruled_goes_through(seed: int) -> None:
    rng = random.Random(seed)
    state: State | None = None
    for event in RULES.start(small_setup(rng)):
        state = RULES.apply(state, event)
    lifted = 0
    for _ in range(200):
        assert state is not None
        if RULES.outcome(state) is not None:
            break
        wishes = list(RULES.random_actions(state, rng))
        own = state.armies[state.section_to_act[0]] if state.step == "play" else ()
        moves = [actions.Move(piece.id, rng.choice(state.field.names)) for piece in own]
        for wish in (*wishes, *moves):
            found = RULES.check(state, wish)
            if found and not any(v.firm for v in found):
                after = state
                for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng), [v.code for v in found]):
                    after = RULES.apply(after, event)
                assert RULES.invariant_violations(after) == (), (RULES.text(wish), found)
                lifted += 1
        wish = next(wish for wish in wishes if not RULES.check(state, wish))
        for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
            state = RULES.apply(state, event)
    assert lifted


def any_action(state: State, rng: random.Random) -> actions.Action:
    """An action of any kind with names, squares and numbers that may be wrong."""

    def square_() -> str:
        return rng.choice([*state.field.names, "z9", ""])

    def unit() -> str:
        return rng.choice([*(p.id for p in state.pieces), "RT1", "BT9", "XX1", ""])

    side, card = rng.choice(["red", "blue", "green"]), rng.choice(["", "hit", "miss"])
    type_, maybe, deck = rng.choice([*KINDS]), rng.choice([None, 0, 3, 99]), rng.choice([None, (0, 0), (3, 99)])
    to, fired = rng.choice([None, square_()]), rng.choice([None, True])
    made: list[actions.Action] = [
        actions.Lay(square_(), rng.choice([*TERRAIN, "road", "airstrip", "x"])),
        actions.Army.of(side, {type_: rng.randint(-1, 5), "tank": rng.randint(0, 3)}, rng.randint(-2, 5)),
        actions.Place(tuple((rng.choice([unit(), "mine"]), square_()) for _ in range(rng.randint(0, 3)))),
        actions.Deploy(side),
        actions.Unplace(rng.choice([unit(), ""]), rng.choice([square_(), ""])),
        actions.Establish(square_()),
        actions.Ready(side),
        actions.Toss(),
        actions.First(side),
        actions.Move(unit(), square_(), tuple(square_() for _ in range(rng.randint(0, 2)))),
        actions.Fire(unit(), unit(), card),
        actions.Strike(unit(), unit(), card),
        actions.Fly(unit(), square_()),
        actions.Save(),
        actions.Reinforce(rng.choice([type_, "x"]), square_()),
        actions.End(),
        actions.Concede(side),
        actions.Correct(unit(), to, rng.random() < 0.3, fired, maybe, deck),
    ]
    return rng.choice(made)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_any_action_whatever_is_judged(seed: int) -> None:
    """No name, square or number makes the check fail; what nothing firm speaks against can be carried out."""
    rng = random.Random(seed)
    state = begun(small_setup(rng))
    for _ in range(150):
        if RULES.outcome(state) is not None:
            break
        for action in (any_action(state, rng) for _ in range(4)):
            found = RULES.check(state, action)
            assert RULES.text(action) and RULES.actor(state, action)
            assert all(v.text and v.place for v in found), found
            if not any(v.firm for v in found):
                after = state
                for event in RULES.resolve(state, action, RULES.dice(state, action).roll(rng)):
                    after = RULES.apply(after, event)
                assert RULES.invariant_violations(after) == (), RULES.text(action)
        wish = next(wish for wish in RULES.random_actions(state, rng) if not RULES.check(state, wish))
        for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
            state = RULES.apply(state, event)
