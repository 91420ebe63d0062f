"""Typed actions of Combat Captain: other ways to say them, short forms, JSON, answers to what is too close to call."""

from dataclasses import replace
from typing import Any

import pytest

from tabletop.game import ActionError, Game
from tabletop.game.actions import Spot, Standing
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.action_fields import Placement
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.play import RULES
from tests.support.answers import settle
from tests.support.combat_captain_games import a_company, a_sub, begun, codes, do, facing_off, meeting


def two_sides() -> Game:
    """Able Company of a squad, a tank and a mortar, a company of which one waits off the table, and one enemy squad."""
    able = a_company(
        "A",
        "red",
        (
            replace(a_sub("A1", "rifles", 20, 12.5), name="First squad"),
            a_sub("A2", "tank", 24, 12.5, 30.0),
            a_sub("A3", "mortar", 28, 10, None),
        ),
    )
    waiting = a_company("C", "red", (a_sub("C1", "vehicle", 5, 5, armed=False), a_sub("C2", "rifles", 0, 0, at=None)))
    blue = a_company("B", "blue", (replace(a_sub("B1", "rifles", 20, 20, 180.0), name="Wood: men"),))
    return begun(replace(able, name="Able Company"), waiting, blue, side_titles=("Red Army", ""))


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("place a1 to 3 4", "put A1 at 3,4 facing 0"),
        ("deploy first SQUAD 3, 4 facing -90", "put A1 at 3,4 facing 270"),
        ("put A2 at 3,4", "put A2 at 3,4 facing 30"),
        ("put A3 at 3,4", "put A3 at 3,4 facing unknown"),
        ("put A2 base 3 4 unknown", "put A2 at 3,4 facing unknown"),
        ("put able company 30,10", "put A1 at 30,10 facing 0 A2 at 34,10 facing 30 A3 at 38,7.5 facing unknown"),
        ("put A at 30,10 facing 90", "put A1 at 30,10 facing 90 A2 at 30,6 facing 120 A3 at 27.5,2 facing unknown"),
        ("put C at 30,10", "put C1 at 30,10 facing 0 C2 at 31.9,10 facing 0"),
        ("cover A1, A2 level 2 facing 370", "cover A1 A2 level 2 facing 10"),
        ("fire able company on Wood: men", "fire A1 A2:mg A3 at B1 dice 3"),
        ("fire A1 A2:MG at B1 stationary", "fire A1 A2:mg at B1 dice 3 stationary"),
        ("fire A1 at B1 measured a1=SHORT measured Covered", "fire A1 at B1 dice 3 measured A1=short covered"),
        ("fire C at B1 dice 2", "fire C at B1 dice 2"),
        ("fire A at C1 dice 2", "fire A1 A2 A3 at C1 dice 2"),
        ("assault able company on b", "assault A at B"),
        ("assault A B losses a2 first squad measured b1=Covered", "assault A at B losses A2 A1 measured B1=covered"),
        ("choose Off-board Artillery", "choose artillery"),
        ("choose strafing run", "choose strafing"),
        ("shell missed", "shell off"),
        ("shell 3 4 with a1 without B1 with A2", "shell at 3,4 with A1 A2 without B1"),
        ("strafe at 3,4 facing 90", "strafe from 3,4 to 39,4"),
        ("strafe 3,4 heading 0 with A1", "strafe from 3,4 to 3,40 with A1"),
        ("strafe from 3,4 to 3,400", "strafe from 3,4 to 3,40"),
        ("break off", "break-off"),
        ("breakoff", "break-off"),
        ("end the step", "end"),
        ("End Step", "end"),
        ("concede red army", "concede red"),
        ("win Draw because the  pub closes", "victory draw because the pub closes"),
        ("chit able company 2", "chit A +2"),
        ("correct A2 to 3,4 leads", "correct A2 at 3,4 facing 30 lead"),
        ("correct C2 men 2 at 3,4", "correct C2 at 3,4 facing 0 men 2"),
    ],
)
def test_what_may_be_said_otherwise_is_kept_in_one_way(words: str, canonical: str) -> None:
    game = two_sides()
    action = game.parse(words)
    assert RULES.text(action) == canonical
    assert game.parse(canonical) == action


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("fire A A1 at B1", "one company, or sub-units of it"),
        ("fire A C at B1", "one company, or sub-units of it"),
        ("shell off across 2", "Nothing more is to be said of a shell that fell off"),
        ("strafe from 3,4 to 5,5 facing 3", "not both"),
        ("assault A at B measured B1=covered B1=uncovered", "B1: called more than once"),
        ("assault A at B measured covered", "no call"),
        ("fire A1 at B1 measured Z9=short", 'no sub-unit "Z9"'),
        ("put A1 bases 1,2,3 4,5,6", "one place for each"),
        ("chit A two", 'A whole number of morale markers is needed, not "two"'),
        ("fire A1 at Z9", "no target"),
        ("cover A1 3", '"level" is missing'),
        ("strafe from 3,4", "facing"),
        ("measure A1", "is no action of"),
        ("fire A1 at B1 measured quite", "call"),
    ],
)
def test_what_says_two_things_at_once_is_refused(words: str, problem: str) -> None:
    with pytest.raises(ActionError, match=problem):
        two_sides().parse(words)


def test_short_forms_as_json_become_what_they_stand_for() -> None:
    game = two_sides()
    for data, words in (
        ({"kind": "put", "unit": "A2", "at": {"x": 3, "y": 4}}, "put A2 at 3,4"),
        ({"kind": "put", "unit": "A", "at": {"x": 30, "y": 10}}, "put A at 30,10"),
        ({"kind": "put", "unit": "A", "at": {"x": 30, "y": 10, "facing": 90}}, "put A at 30,10 facing 90"),
        (
            {"kind": "put", "unit": "A1", "at": {"x": 3, "y": 4}, "others": [{"unit": "C", "at": {"x": 9, "y": 9}}]},
            "put A1 at 3,4 C at 9,9",
        ),
        ({"kind": "fire", "firers": [{"sub": "A"}], "target": "B1"}, "fire A at B1"),
        ({"kind": "fire", "firers": [{"sub": "A2", "weapon": "MG"}], "target": "B1"}, "fire A2:mg at B1"),
        (
            {"kind": "fire", "firers": [{"sub": "A2", "weapon": None}], "target": "B1", "dice": 1},
            "fire A2 at B1 dice 1",
        ),
        ({"kind": "strafe", "start": [3, 4], "heading": 90}, "strafe from 3,4 facing 90"),
        ({"kind": "shell", "at": None}, "shell off"),
        ({"kind": "correct", "sub": "A2", "at": {"x": 3, "y": 4}}, "correct A2 at 3,4"),
    ):
        assert RULES.action_from_json(game.state, data) == game.parse(words), words


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"kind": "put", "unit": "Z", "at": {"x": 1, "y": 2}}, 'no unit "Z"'),
        ({"kind": "put", "unit": "A1", "at": {"facing": 90}}, "needs both x and y"),
        ({"kind": "put", "unit": "A1", "at": {"x": 1, "y": 2}, "others": [{"unit": "A2"}]}, "needs .*at"),
        ({"kind": "fire", "firers": [{"sub": "Z9"}], "target": "B1"}, 'no unit "Z9"'),
        ({"kind": "fire", "firers": [{"sub": "A1", "gun": 3}], "target": "B1"}, "firers.0.gun"),
        ({"kind": "fire", "firers": [{"sub": "A1"}], "target": "Z9"}, 'no target "Z9"'),
        ({"kind": "fire", "firers": [{"sub": "A1"}], "target": "B1", "calls": ["quite"]}, '"quite" is no call'),
        ({"kind": "fire", "firers": [{"sub": "A1"}], "target": "B1", "spotter": "Z9"}, 'no spotter "Z9"'),
        ({"kind": "assault", "attacker": "A", "defender": "Z"}, 'no company "Z"'),
        ({"kind": "choose", "what": "fireworks"}, "can't have that what"),
        ({"kind": "shell"}, 'needs "at"'),
        ({"kind": "shell", "at": None, "width_in": 1.0}, "Nothing more is to be said"),
        ({"kind": "strafe", "start": [3, 4]}, "Where does the tape end"),
        ({"kind": "concede", "side": "green"}, 'no side "green"'),
        ({"kind": "chit", "company": "A", "change": 100}, "it goes from -99 to 99"),
    ],
)
def test_wrong_names_and_values_as_json_are_refused_in_a_sentence(data: dict[str, Any], problem: str) -> None:
    game = two_sides()
    with pytest.raises(ActionError, match=problem) as caught:
        RULES.action_from_json(game.state, data)
    assert str(caught.value).endswith((".", "?"))


def test_a_company_as_such_may_be_judged_before_it_is_completed() -> None:
    game = two_sides()
    assert RULES.check(game.state, actions.Put("A", Spot(30, 10))) == ()
    assert {v.code for v in RULES.check(game.state, actions.Fire((Firer("A"),), "B1"))} == {"nobody"}
    assert {v.code for v in RULES.check(game.state, actions.Fire((), "B1"))} == {"nobody"}
    assert RULES.actor(game.state, actions.Put("B", Spot(1, 1))) == "blue"
    assert {v.code for v in RULES.check(game.state, actions.Strafe((1, 2)))} >= {"tape"}
    put = actions.Put("A1", Standing(3, 4), (Placement("A", Spot(30, 10)),))
    assert {v.code for v in RULES.check(game.state, put)} == {"twice"}


def test_a_company_with_nobody_left_is_not_put() -> None:
    game = two_sides()
    do(game, "correct C1 off; correct C2 at 1,1 facing 0; correct C2 off")
    assert codes(game, "put C at 3,4") == {"gone"}


def test_a_unit_that_may_be_put_is_asked_for_a_place_on_the_table() -> None:
    game = two_sides()
    option = next(one for one in game.options() if one.text == "put A2 at X,Y facing DEGREES")
    row = option.to_json()
    assert row["action"] == {"kind": "put", "unit": "A2"}
    assert row["fields"]["at"]["type"] == "place"
    assert row["fields"]["at"]["region"] == [[[0, 0], [48, 0], [48, 48], [0, 48]]]
    whole = {**row["action"], "at": {"x": 3, "y": 4}}
    assert RULES.text(RULES.action_from_json(game.state, whole)) == "put A2 at 3,4 facing 30"


def test_a_counter_attack_is_offered_no_farther_than_it_may_go() -> None:
    game = meeting((a_sub("A1", "rifles", 20, 18.9),), (a_sub("B1", "rifles", 20, 20, 180.0),))
    do(game, "assault A at B", 1, 1)
    do(game, "melee", 2, 2)
    do(game, "retreat", 1, 1, 1, 1)
    regions = {
        o.unit: o.to_json()["fields"]["at"]["region"] for o in game.options() if o.kind == "put" and o.open_fields
    }
    (ring,) = regions["B1"]
    assert all(abs((x - 20) ** 2 + (y - 20) ** 2 - 36) < 1e-6 for x, y in ring)
    assert regions["A1"] == [[[0, 0], [48, 0], [48, 48], [0, 48]]]
    for facing, far in ((0.0, 5.9), (0.0, 6.1)):
        put = RULES.action_from_json(
            game.state, {"kind": "put", "unit": "B1", "at": {"x": 20, "y": 20 - far, "facing": facing}}
        )
        assert {v.code for v in game.check(put)} == ({"too-far"} if far > 6 else set())


def test_shells_and_tapes_are_asked_for_their_points() -> None:
    game = facing_off(a_sub("A1", "rifles", 20, 12.5))
    do(game, "end; end; event", 4, 6)
    do(game, "arrive", 2)
    rows = {o.text: o.to_json() for o in game.options()}
    assert rows["shell at X,Y"]["fields"]["at"]["type"] == "point"
    assert rows["shell off"]["action"] == {"kind": "shell", "at": None}
    tape = facing_off(a_sub("A1", "rifles", 20, 12.5))
    do(tape, "end; end; event", 5, 6)
    do(tape, "arrive", 2)
    rows = {o.text: o.to_json() for o in tape.options()}
    assert set(rows["strafe from X,Y to X,Y"]["fields"]) == {"start", "end"}


def test_sight_too_close_to_call_is_settled_by_who_looked() -> None:
    house = TerrainPiece("house", "town", ((18.0, 15.0), (22.0, 15.0), (22.0, 16.0), (18.0, 16.0)))
    loose = Standing(25.6, 9.0, 0.0, (0.2, 0.0, 0.2))
    game = facing_off(a_sub("A1", "mortar", 20, 10), a_sub("A2", "rifles", 0, 0, at=loose), terrain=(house,))
    words = "fire A1 at B1 spotter A2 dice 1"
    asked = [v for v in game.check(game.parse(words)) if v.code == "open-sight"]
    assert [[choice.value for choice in v.choices] for v in asked] == [["A2=seen"]]
    assert game.check(settle(game, words, "A2 sees B1")) == ()


def test_cover_too_close_to_call_is_settled_one_way_or_the_other() -> None:
    loose = Standing(20, 20, 45.0, (0.0, 0.0, 0.0), 5.0)  # 135 degrees off whoever is below it, give or take
    under = (a_sub("B1", "rifles", 0, 0, at=loose, cover=3),)
    fire = facing_off(a_sub("A1", "rifles", 20, 12.5), other=under)
    assault = meeting((a_sub("A1", "rifles", 20, 18.9),), (*under, a_sub("B2", "rifles", 30, 30, 180.0)))
    for game, words, covered, uncovered in (
        (fire, "fire A1 at B1 dice 1", "covered", "uncovered"),
        (assault, "assault A at B", "B1=covered", "B1=uncovered"),
    ):
        (asked,) = game.check(game.parse(words))
        assert (asked.code, asked.answer, asked.field) == ("open-cover", "too-close", "calls")
        for title, value in ((" faces ", covered), ("does not face", uncovered)):
            action = settle(game, words, title)
            assert action.calls == (value,)
            assert game.check(action) == ()


def test_what_cotton_and_a_tape_touch_is_settled_stand_by_stand() -> None:
    def comes(*roll: int) -> Game:
        other = (a_sub("B1", "rifles", 20, 20, 180.0), a_sub("B2", "rifles", 20, 22.1, 180.0))
        loose = tuple(replace(sub, at=replace(sub.at, covariance=(0.01, 0.0, 0.01))) for sub in other)  # type: ignore[type-var]
        game = facing_off(a_sub("A1", "rifles", 20, 12.5), other=loose)
        do(game, "end; end; event", *roll)
        do(game, "arrive", 2)
        return game

    shell = "shell at 20,21.05 spread 0.1"
    tape = "strafe from 20.75,10 to 20.75,30"
    for game, words, what in ((comes(4, 6), shell, "cotton"), (comes(5, 6), tape, "tape")):
        asked = [v for v in game.check(game.parse(words)) if v.code == "open-touch"]
        assert [[(c.value, c.field) for c in v.choices] for v in asked] == [
            [("B1", ""), ("B1", "missing")],
            [("B2", ""), ("B2", "missing")],
        ]
        action = settle(game, words, f"The {what} touches B1", f"The {what} misses B2")
        assert (action.touching, action.missing) == (("B1",), ("B2",))
        assert game.check(action) == ()
        both = settle(game, words, f"The {what} touches B1", f"The {what} touches B2")
        assert (both.touching, game.check(both)) == (("B1", "B2"), ())
