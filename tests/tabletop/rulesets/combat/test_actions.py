"""Combat's actions in words and as JSON, what may stand in those that are left open, and answers to refusals."""

import json
import random
from typing import Any

import pytest

from tabletop.game import ActionError
from tabletop.game.protocol import Option
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, begun, codes, done, on, rolled, small_setup, standing

BATTLE = standing(OPEN, {"RT1": "f6", "RG2": "a5", "BT1": "f8", "BG2": "a11"})
ARMED = done(begun(on(OPEN, pieces=10)), "army red tanks 8 guns 1 planes 1 mines 2")


@pytest.mark.parametrize(
    ("words", "data"),
    [
        ("lay c4 woods", {"square": "c4", "terrain": "woods"}),
        ("army red planes 1 tanks 4 foot 3 mines 4", {"side": "red", "planes": 1, "tanks": 4, "foot": 3, "mines": 4}),
        ("place RT1 c3 mine d3", {"pieces": [["RT1", "c3"], ["mine", "d3"]]}),
        ("deploy blue", {"side": "blue"}),
        ("deploy blue number 417", {"side": "blue", "number": 417}),
        ("unplace RT1", {"unit": "RT1"}),
        ("unplace c3", {"square": "c3"}),
        ("headquarters c3", {"square": "c3"}),
        ("ready red", {"side": "red"}),
        ("toss", {}),
        ("first blue", {"side": "blue"}),
        ("move RT1 to d5", {"unit": "RT1", "to": "d5"}),
        ("move RT1 to d5 via c4 d4", {"unit": "RT1", "to": "d5", "via": ["c4", "d4"]}),
        ("fire RT1 at BG2", {"unit": "RT1", "target": "BG2"}),
        ("fire RT1 at BG2 hit", {"unit": "RT1", "target": "BG2", "card": "hit"}),
        ("strike RP1 at BG2 miss", {"unit": "RP1", "target": "BG2", "card": "miss"}),
        ("fly RP1 to l1", {"unit": "RP1", "to": "l1"}),
        ("save", {}),
        ("reinforce foot at c3", {"type": "foot", "square": "c3"}),
        ("end", {}),
        ("concede red", {"side": "red"}),
        (
            "correct RT1 to c3 fired no moved 0 because it was pushed",
            {"unit": "RT1", "to": "c3", "fired": False, "moved": 0, "reason": "it was pushed"},
        ),
        ("correct RT1 off", {"unit": "RT1", "off": True}),
        ("correct deck 3 0 because counted again", {"deck": [3, 0], "reason": "counted again"}),
    ],
)
def test_every_action_in_words_and_as_json(words: str, data: dict[str, Any]) -> None:
    action, whole = RULES.parse(BATTLE, words), {"kind": words.split()[0], **data}
    assert RULES.text(action) == words
    assert json.loads(json.dumps(RULES.action_to_json(action))) == whole
    assert RULES.action_from_json(BATTLE, whole) == action


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("LAY C4 Airstrip", "lay c4 airstrip"),
        ("army Red mines 2 infantry 3 gun 1 tank 0 helicopter 2", "army red guns 1 foot 3 helicopters 2 mines 2"),
        ("place MINE A3 rt1 B3", "place mine a3 RT1 b3"),
        ("deploy RED number 0", "deploy red"),
        ("unplace rt1", "unplace RT1"),
        ("move rt1 F7", "move RT1 to f7"),
        ("move rt1 F7 Via G6", "move RT1 to f7 via g6"),
        ("fire rt1 bt1 HIT", "fire RT1 at BT1 hit"),
        ("fire rt1 at F8", "fire RT1 at BT1"),
        ("fly rp1 a1", "fly RP1 to a1"),
        ("reinforce tanks a1", "reinforce tank at a1"),
        ("reinforce Infantry at a1", "reinforce foot at a1"),
        ("correct rt1 off moved 3 Fired NO to c3", "correct RT1 to c3 fired no moved 3 off"),
        ("correct DECK 3 2", "correct deck 3 2"),
    ],
)
def test_other_ways_to_say_the_same(words: str, canonical: str) -> None:
    assert RULES.text(RULES.parse(BATTLE, words)) == canonical


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"kind": "lay", "square": "c4", "terrain": "lava"}, "no terrain of Combat"),
        ({"kind": "lay", "square": "z99", "terrain": "woods"}, "z99"),
        ({"kind": "army", "side": "green"}, "no side"),
        ({"kind": "army", "side": "red", "tanks": -1}, "tanks is -1"),
        ({"kind": "army", "side": "red", "tnaks": 1}, 'did you mean "tanks"'),
        ({"kind": "place", "pieces": []}, "at least 1"),
        ({"kind": "place", "pieces": [["RX1", "c3"]]}, '"RX1" is no piece'),
        ({"kind": "place", "pieces": [["RT1"]]}, "pieces"),
        ({"kind": "deploy", "side": "red", "number": 1_000_000_000}, "from 0 to 999999999"),
        ({"kind": "move", "unit": "RT17", "to": "c4"}, '"RT17" is no piece'),
        ({"kind": "move", "unit": "RT1", "to": ""}, "square"),
        ({"kind": "fire", "unit": "RT1", "target": "BT1", "card": "joker"}, "card"),
        ({"kind": "fire", "unit": "RT1", "target": "c9"}, "No piece stands in c9"),
        ({"kind": "reinforce", "type": "ships", "square": "c3"}, "no kind of piece"),
        ({"kind": "correct", "unit": "RT1"}, "Nothing is said about it"),
        ({"kind": "correct", "unit": "RT1", "moved": 13}, "from 0 to 12"),
        ({"kind": "correct", "deck": [3]}, "deck"),
    ],
)
def test_wrong_names_and_numbers_as_json_are_refused_in_a_sentence(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ActionError, match=told) as caught:
        RULES.action_from_json(BATTLE, data)
    assert str(caught.value).endswith((".", "?"))


@pytest.mark.parametrize("words", ["unplace", "unplace RT1 c3"])
def test_either_a_piece_or_a_square_is_taken_up(words: str) -> None:
    assert codes(ARMED, words) == {"nothing"}


@pytest.mark.parametrize("words", ["correct deck 3 3 off", "correct RT1 deck 3 3", "correct deck 3 3 moved 2"])
def test_the_deck_is_set_right_alone(words: str) -> None:
    assert codes(BATTLE, words) == {"what"}


@pytest.mark.parametrize("as_json", [False, True])
def test_a_target_s_square_is_looked_up_on_open_boards_alone(as_json: bool) -> None:
    def read(state: State) -> actions.Action:
        if as_json:
            return RULES.action_from_json(state, {"kind": "fire", "unit": "RT1", "target": "f8"})
        return RULES.parse(state, "fire RT1 at f8")

    assert read(BATTLE) == actions.Fire("RT1", "BT1")
    apart = on(OPEN, days=2, turns_a_day=1, apart_at_night=True)
    night = done(done(standing(apart, {"RT1": "f6", "BT1": "f8"}), "end"), "end")
    deploying = done(done(ARMED, "deploy red"), "army blue tanks 10 mines 2")
    assert night.apart and deploying.step == "deploy"
    for state in (night, deploying):
        with pytest.raises(ActionError, match='"f8" is no piece'):
            read(state)


def test_a_piece_s_name_is_read_whether_the_game_has_it_or_not() -> None:
    for state in (begun(OPEN), ARMED, BATTLE):
        assert RULES.action_from_json(state, {"kind": "unplace", "unit": "bt9"}) == actions.Unplace("BT9")
        assert RULES.parse(state, "unplace bt9") == actions.Unplace("BT9")


def is_legal(state: State, option: Option, value: Any) -> bool:
    """Whether an option is a legal action of its side with this in its one open field, as a page would send it."""
    (name,) = option.open_fields
    action = RULES.action_from_json(state, option.to_json()["action"] | {name: value})
    return not RULES.check(state, action) and RULES.actor(state, action).startswith(option.side)


def check_squares(state: State, option: Option) -> None:
    """An open square has exactly those choices with which the action is legal."""
    field = option.to_json()["fields"][option.open_fields[0]]
    if field["type"] == "rows":
        piece, squares = (field["parts"][name].get("choices", []) for name in ("piece", "square"))
        values: dict[str, Any] = {name: [[piece[0]["value"], name]] for name in state.field.names}
    else:
        squares, values = field.get("choices", []), dict(zip(state.field.names, state.field.names, strict=True))
    legal = {name for name, value in values.items() if is_legal(state, option, value)}
    assert {one["value"] for one in squares} == legal, option.text


@pytest.mark.parametrize("seed", range(2))
def test_open_squares_are_those_that_are_legal(seed: int) -> None:
    rng = random.Random(seed)
    state, asked = begun(small_setup(rng, mines=2, period="")), 0
    for _ in range(60):
        if RULES.outcome(state) is not None:
            break
        for option in RULES.options(state):
            if option.kind in ("place", "reinforce") and option.open_fields:
                check_squares(state, option)
                asked += 1
        wish = next(wish for wish in RULES.random_actions(state, rng) if not RULES.check(state, wish))
        state = rolled(state, wish, rng)
    assert asked


def test_an_army_and_a_deployment_are_left_open_within_what_was_agreed() -> None:
    setup = on(OPEN, pieces=10, foot=True)
    rows = {option.text: option.to_json() for option in RULES.options(begun(setup))}
    fields = rows["army red planes COUNT tanks COUNT guns COUNT foot COUNT mines COUNT"]["fields"]
    assert {name: (field["least"], field["most"]) for name, field in fields.items()} == {
        "planes": (0, 2), "tanks": (0, 16), "guns": (0, 16), "foot": (0, 20), "mines": (0, 4),
    }  # fmt: skip
    terrain = rows["lay SQUARE TERRAIN"]["fields"]["terrain"]["choices"]
    assert [one["value"] for one in terrain] == ["open", "hill", "crest", "woods", "road", "airstrip"]
    wet = RULES.options(begun(on(setup, rivers=True, built_up=True)))
    assert len(wet[0].to_json()["fields"]["terrain"]["choices"]) == 10
    rows = {option.text: option.to_json() for option in RULES.options(ARMED)}
    assert rows["deploy red number COUNT"]["fields"]["number"]["least"] == 1
    assert rows["place RT1 SQUARE"]["unit"] == "RT1" and "place mine SQUARE" in rows


def test_a_piece_that_is_not_on_the_board_is_put_where_the_refusal_says() -> None:
    lost = done(BATTLE, "correct BT1 off")
    (refusal,) = RULES.check(lost, RULES.parse(lost, "correct BT1 fired no"))
    data = RULES.action_to_json(RULES.parse(lost, "correct BT1 fired no"))
    assert (refusal.code, refusal.field) == ("off-board", "to")
    squares = {choice.value for choice in refusal.choices}
    assert "f8" in squares and not squares & {"f6", "a5", "a11"} and len(squares) == 12 * 12 - 3
    for square in random.Random(1).sample(sorted(map(str, squares)), 3):
        settled = RULES.action_from_json(lost, data | {refusal.field: square})
        assert not RULES.check(lost, settled)
