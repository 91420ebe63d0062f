"""The reasons that Combat gives: the true cause, where the rules have it; and what the referee lets happen anyway."""

import pytest

from tabletop.game import IllegalError
from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.data import KINDS, SAVED_ON
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.saving import PLACES, save_of
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, begun, done, ground, on, standing, standing_game

ALL = on(OPEN, profile="codified", rivers=True, built_up=True, foot=True, motorised=True, cavalry=True,
         helicopters=True)  # fmt: skip


def said(state: State, words: str) -> Violation:
    """The one thing that speaks against an action."""
    (found,) = RULES.check(state, RULES.parse(state, words))
    return found


@pytest.mark.parametrize(
    ("kinds", "unit", "to", "place", "part"),
    [
        ({}, "RT1", "f10", "Movement, Tanks", "3 squares"),
        ({}, "RG1", "f9", "Movement, Guns", "2 squares"),
        ({}, "RF1", "f9", "House rules, 6", "2 squares"),
        ({}, "RC1", "f10", "House rules, 8", "3 squares"),
        ({}, "RH1", "f11", "House rules, 9", "4 squares"),
        ({"woods": "a7 b7 c7 d7 e7 f7 g7 h7 i7 j7 k7 l7"}, "RT1", "f8", "Movement, On hills or in woods", "stop"),
        ({"hill": "f6"}, "RT1", "f8", "Movement, On hills or in woods", "one square"),
        ({"built-up": "f6"}, "RT1", "f8", "House rules, 5", "one square"),
        ({"river": "a7 b7 c7 d7 e7 f7 g7 h7 i7 j7 k7 l7"}, "RT1", "f8", "House rules, 4", "river"),
    ],
)
def test_why_a_square_can_not_be_reached(kinds: dict[str, str], unit: str, to: str, place: str, part: str) -> None:
    state = standing(on(ALL, ground=ground(kinds)), {unit: "f6", "BT1": "a12", "BT2": "l12"})
    found = said(state, f"move {unit} to {to}")
    assert (found.code, found.place) == ("too-far", place) and part in found.text, found
    assert found.numbers["moved"] == 0


def test_pieces_and_own_mines_in_the_way_are_told_of() -> None:
    state = standing(OPEN, {"RT1": "a1", "RT2": "b1", "RT3": "b2", "BT1": "a12"}, mines=("a2",))
    found = said(state, "move RT1 to a3")
    assert (found.code, found.place) == ("too-far", "Deployment, 2") and "in the way" in found.text


def test_where_a_piece_stopped_is_told() -> None:
    terrain = ground({"built-up": "f7", "woods": "c6", "river": "a7 b7 d7", "bridge": "c7"})
    state = standing(on(ALL, ground=terrain), {"RT1": "f6", "RT2": "c6", "BT1": "a12"})
    state = done(done(state, "move RT1 to f7"), "move RT2 to c7")
    town, bridge = said(state, "move RT1 to f8"), said(state, "move RT2 to c8")
    assert town.code == bridge.code == "halted"
    assert town.place == "House rules, 5" and "stopped in f7, a built-up area," in town.text
    assert bridge.place == "Movement, On hills or in woods" and "at the edge of hills and woods" in bridge.text


@pytest.mark.parametrize(
    ("setup", "unit", "place"),
    [
        (ALL, "RG1", "Firing"),
        (ALL, "RF1", "House rules, 6"),
        (ALL, "RM1", "House rules, 7"),
        (ALL, "RC1", "House rules, 8"),
        (ALL, "RH1", "House rules, 9"),
        (on(OPEN, period="late-wwii"), "RT1", "House rules, 13"),
        (on(OPEN, period="late-wwii"), "RG1", "Firing"),
        (on(OPEN, period="mid-cold-war"), "RM1", "House rules, 14"),
        (on(OPEN, more_range=1), "RT1", "Variations of play"),
    ],
)
def test_where_a_range_stands(setup: Setup, unit: str, place: str) -> None:
    state = standing(setup, {unit: "f3", "BT1": "f12"})
    found = said(state, f"fire {unit} at BT1")
    assert (found.code, found.place) == ("range", place)


def test_house_rules_that_stop_a_shot_are_named() -> None:
    one = on(OPEN, woods_one_deep=True, ground=ground({"woods": "f8 f9"}))
    assert said(standing(one, {"RG1": "f6", "BT1": "f9"}), "fire RG1 at BT1").place == "House rules, 3"
    town = on(ALL, ground=ground({"built-up": "f7 f8 f9"}))
    found = said(standing(town, {"RG1": "f6", "BT1": "f9"}), "fire RG1 at BT1")
    assert found.place == "House rules, 5" and "built-up area" in found.text
    over = said(standing(town, {"RG1": "f6", "BT1": "f10"}), "fire RG1 at BT1")
    assert over.place == "House rules, 5" and "over a built-up area" in over.text


@pytest.mark.parametrize("profile", ["original", "codified"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "plane"])
def test_modifiers_add_up_to_the_save_that_is_asked_for(profile: str, kind: str) -> None:
    terrain = ground({"woods": "b4", "hill": "c4", "built-up": "d4", "defence": "e4"})
    seen = set()
    for period in ("", "late-wwi", "post-cold-war"):
        setup = on(ALL, profile=profile, period=period, ground=terrain)
        unit = f"R{KINDS[kind].letter}1"
        for at in ("a4", "b4", "c4", "d4", "e4"):
            state = standing(setup, {unit: at, "BT1": "l12"})
            for state_now in (state, done(done(state, "end"), "end").but(salvos=1)):
                for cause, by in (("fire", "tank"), ("fire", "helicopter"), ("air", "plane"), ("mine", "")):
                    need, modifiers = save_of(state_now, state_now.by_id[unit], cause, by)  # type: ignore[arg-type]
                    total = SAVED_ON - sum(value for _, value in modifiers)
                    assert need == min(6, max(2, total)), (need, modifiers)
                    assert profile == "codified" or 2 < total < 7, modifiers
                    assert {name for name, _ in modifiers} <= set(PLACES)
                    seen |= {name for name, _ in modifiers}
    first = "first salvo of the game" if profile == "original" else "first player's first turn"
    assert {"on a mine", first} <= seen


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
