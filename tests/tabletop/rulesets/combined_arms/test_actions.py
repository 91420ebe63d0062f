"""Actions of Combined Arms in words and as JSON: short forms, refusals, and the choices that answer a refusal."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tabletop.game import ActionError, Game
from tabletop.game.hints import dangers
from tabletop.rulesets.combined_arms.actions import (
    Action,
    Bid,
    Call,
    Correct,
    Declare,
    Fire,
    Firer,
    Leave,
    Move,
    Post,
    Show,
    Survey,
)
from tabletop.rulesets.combined_arms.board import NUMBER
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Owed, Secret, State
from tests.support.combined_arms_tables import do, game_at, state_at

STATE = state_at({"D1": "3-4", "A1": "2-4 0"}, {"6-4": ""})


@pytest.mark.parametrize(
    ("words", "meant", "text"),
    [
        ("move d1 4.4", Move("D1", ("4-4",)), "move D1 to 4-4"),
        ("MOVE A1 to 3-5 4-6 facing 0", Move("A1", ("3-5", "4-6"), 0), "move A1 to 3-5 4-6 facing 0"),
        ("move D1 off", Leave("D1"), "leave D1"),
        ("move A1 to 1-4 OFF", Leave("A1", ("1-4",)), "leave A1 via 1-4"),
        ("leave A1 via r1h4", Leave("A1", ("1-4",)), "leave A1 via 1-4"),
        ("survey", Survey(), "survey"),
        ("post 4-3 6-2 guns 4-3", Post(("4-3", "6-2"), ("4-3",)), "post 4-3 6-2 guns 4-3"),
        ("post 4-3 guns", Post(("4-3",)), "post 4-3"),
        ("call SMOKE 4-4", Call("4-4", "smoke"), "call smoke 4-4"),
        ("fire d1 a1:5 AT 6-4", Fire("6-4", (Firer("D1"), Firer("A1", 5))), "fire D1 A1:5 at 6-4"),
        ("declare a1:0 at 6-4", Declare("A1", "6-4", 0), "declare A1:0 at 6-4"),
        ("bid 2 50", Bid(2, 50), "bid 2 50"),
        ("show guns", Show(guns=True), "show guns"),
        (
            "correct a1 ammo 2 revealed no fresh yes to 4-4 facing 3 because so it was",
            Correct("A1", to="4-4", fresh=True, facing=3, revealed=False, ammo=2, reason="so it was"),
            "correct A1 to 4-4 facing 3 ammo 2 fresh yes revealed no because so it was",
        ),
        ("correct 6-4 off atg REMOVED", Correct(hex="6-4", atg="removed", off=True), "correct 6-4 atg removed off"),
        ("correct losses 7", Correct(losses=7), "correct losses 7"),
    ],
)
def test_words_json_and_words_again(words: str, meant: Action, text: str) -> None:
    assert RULES.parse(STATE, words) == meant
    assert RULES.text(meant) == text
    assert RULES.parse(STATE, text) == meant
    data = json.loads(json.dumps(RULES.action_to_json(meant)))
    assert data["kind"] == text.split()[0]
    assert RULES.action_from_json(STATE, data) == meant


def test_a_move_off_the_board_as_json_leaves_it() -> None:
    data = {"kind": "move", "unit": "A1", "path": ["1-4"], "off": True}
    assert RULES.action_from_json(STATE, data) == Leave("A1", ("1-4",))
    assert RULES.action_to_json(Leave("A1", ("1-4",))) == {"kind": "leave", "unit": "A1", "path": ["1-4"]}


def test_names_as_json_are_read_as_in_words() -> None:
    fire = {"kind": "fire", "target": "r6h4", "firers": [{"unit": "d1"}, {"unit": "a1", "facing": 5}]}
    assert RULES.action_from_json(STATE, fire) == Fire("6-4", (Firer("D1"), Firer("A1", 5)))


@pytest.mark.parametrize(
    ("words", "data", "told"),
    [
        ("move D9 to 4-4", {"kind": "move", "unit": "D9", "path": ["4-4"]}, 'no platoon "D9"'),
        ("move D1 to 4-14", {"kind": "move", "unit": "D1", "path": ["4-14"]}, "row 4 has hexes 1 to 10"),
        ("move A1", {"kind": "move", "unit": "A1"}, "Say where A1 moves to. Usage: move PLATOON to HEX"),
        ("move A1 facing 3 off", {"kind": "move", "unit": "A1", "facing": 3, "off": True}, "faces no corner"),
        ("face A1 6", {"kind": "face", "unit": "A1", "facing": 6}, "no corner of a hex"),
        ("fire A1:9 at 6-4", {"kind": "fire", "target": "6-4", "firers": [{"unit": "A1", "facing": 9}]}, "no corner"),
        ("fire at 6-4", {"kind": "fire", "target": "6-4", "firers": []}, "Platoon"),
        ("aim", {"kind": "aim", "hex": ""}, "hex"),
        ("post", {"kind": "post", "platoons": []}, "Hex"),
        ("call gas 4-4", {"kind": "call", "ammo": "gas", "hex": "4-4"}, "he|smoke|ammo"),
        ("call 4-4", {"kind": "call", "hex": "4-4"}, "he|smoke"),
        ("lay 4-4 swamp", {"kind": "lay", "hex": "4-4", "terrain": "swamp"}, "no terrain of Combined Arms"),
        ("bid 3 5", {"kind": "bid", "player": 3, "points": 5}, "player"),
        ("claim G", {"kind": "claim", "role": "G"}, "no role"),
        ("concede both", {"kind": "concede", "side": "both"}, "no side"),
        ("correct", {"kind": "correct"}, "what to set right"),
        ("correct because so", {"kind": "correct", "reason": "so"}, "what to set right"),
        ("correct D1 6-4 losses 2", {"kind": "correct", "unit": "D1", "hex": "6-4", "losses": 2}, "either D1 or 6-4"),
        ("correct 6-4 atg odd", {"kind": "correct", "hex": "6-4", "atg": "odd"}, "no state of guns"),
        ("end now", {"kind": "end", "now": True}, "now"),
    ],
)
def test_what_can_not_be_is_refused_in_words_and_as_json(words: str, data: dict[str, Any], told: str) -> None:
    with pytest.raises(ActionError, match=told):
        RULES.parse(STATE, words)
    with pytest.raises(ActionError, match=told):
        RULES.action_from_json(STATE, data)


def test_numbers_out_of_range_are_judged_by_the_rules_and_not_offered() -> None:
    bidding = Game.new(RULES, Setup(mode="enemy-player", bidding=True))
    for game, words, name, most in (
        (bidding, "bid 1 51", "points", 50),
        (game_at({"D1": "3-4"}), "correct losses 8", "losses", 7),
        (game_at({"D1": "3-4"}), "correct ammo 8", "ammo", 7),
    ):
        (violation,) = game.check(game.parse(words))
        assert violation.firm and f"0 to {most}" in violation.text
        (field,) = (info for info in RULES.actions.fields(words.split()[0]) if info.name == name)
        assert (field.domain.least, field.domain.most) == (0, most)


def settled(state: State, words: str, code: str) -> list[set[str]]:
    """What speaks against an action with each choice of one of its violations put in."""
    action = RULES.parse(state, words)
    (violation,) = (v for v in RULES.check(state, action) if v.code == code)
    assert violation.field and violation.choices
    found = []
    for choice in violation.choices:
        data = RULES.action_to_json(action)
        data[violation.field] = choice.value
        found.append({v.code for v in RULES.check(state, RULES.action_from_json(state, data))})
    return found


class TestChoicesThatSettle:
    def test_the_corner_that_armour_faces_after_its_move(self) -> None:
        state = state_at({"A1": "3-4 0"})
        assert settled(state, "move A1 to 4-4 facing 3", "facing") == [set(), set()]

    def test_the_corner_that_armour_fires_from(self) -> None:
        game = game_at({"A1": "3-5 0"}, {"5-6": "real"}, mode="co-operative")
        do(game, "end")
        assert settled(game.state, "declare A1:3 at 5-6", "out-of-arc") == [set()]

    def test_the_corner_of_armour_that_is_put_on_the_board(self) -> None:
        state = state_at({"D1": "3-4"}, only=False)
        assert settled(state, "correct A1 to 4-4", "facing") == [set()] * 6

    def test_the_platoon_that_breaks(self) -> None:
        state = replace(state_at({"D1": "3-4", "D2": "3-4", "E1": "2-3"}), owed=(Owed(NUMBER["3-4"], 1),))
        assert settled(state, "break E1", "not-there") == [set(), set()]


class TestOpenOptions:
    def test_a_secret_deployment_of_ones_own_is_asked_for_by_counters(self) -> None:
        state = state_at({}, {"4-3": "potential", "4-8": "", "6-2": "", "8-3": ""})
        state = replace(state, setup=replace(state.setup, mode="enemy-player"), step="post", secret=Secret(2, 1))
        sample, own, *_ = RULES.options(state)
        assert not sample.open_fields and sample.legal and sample.advice.startswith("only a suggestion")
        assert own.text == "post HEX guns HEX" and own.side == "defender"
        fields = own.to_json()["fields"]
        assert {one["value"] for one in fields["platoons"]["choices"]} == {"4-3", "4-8", "6-2", "8-3"}
        assert (fields["platoons"]["least"], fields["platoons"]["most"], fields["platoons"]["many"]) == (2, 2, True)
        assert [one["value"] for one in fields["atgs"]["choices"]] == ["4-3"]
        data = {"kind": "post", "platoons": ["4-3", "6-2"], "atgs": ["4-3"]}
        assert RULES.actions.verb(RULES.action_from_json(state, data)) == own.kind

    def test_terrain_laid_with_models_is_asked_for(self) -> None:
        game = Game.new(RULES, Setup())
        (lay,) = (option for option in RULES.options(game.state) if option.kind == "lay")
        fields = lay.to_json()["fields"]
        assert len(fields["hex"]["choices"]) == 70 and "1-4" not in {one["value"] for one in fields["hex"]["choices"]}
        assert "wooded crest" in {one["value"] for one in fields["terrain"]["choices"]}


class TestDangersOfAnAction:
    def test_nothing_of_other_actions_nor_where_anything_is_hidden(self) -> None:
        game = game_at({"D1": "1-3"}, {"3-4": "real"})
        assert [dangers(game, game.parse(said)) for said in ("end", "leave D1")] == [(), ()]
        hidden = Game.new(RULES, Setup(mode="enemy-player", bidding=True))
        move = hidden.parse("move D1 to 1-3")
        do(hidden, "bid 1 3")
        assert RULES.hides(hidden.state) and dangers(hidden, move) == ()
