"""One-Hour WWII's actions in words and as JSON: what is understood, what is refused and how; both say all of one."""

import json
import math
import string
from typing import Any

import jsonschema_rs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.formation import ahead_margin, gaps
from tabletop.game import ActionError
from tabletop.open_table.setup import Shape, bases_of, standings_of
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.actions import ACTIONS
from tabletop.rulesets.one_hour_ww2.calls import CALLS
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import Exit, Setup, Standing, UnitSetup
from tabletop.rulesets.one_hour_ww2.short_forms import abreast
from tabletop.rulesets.one_hour_ww2.state import State, apply
from tests.support.letters import LETTERS

SMALL, BIG = Shape("rect", 1.0, 1.0), Shape("rect", 1.75, 2.5)
TRIO = (SMALL, BIG, BIG)
ROW = (Standing(10.0, 3.0, 0.0), Standing(8.125, 3.0, 0.0), Standing(11.875, 3.0, 0.0))


def game() -> State:
    """Blue's B1 and B3 and Red's R2 stand on the table; the rest are to be deployed."""
    units = (
        UnitSetup("B1", "blue", "tank", TRIO, name="Kleist's tanks", at=ROW),
        UnitSetup("B2", "blue", "infantry", TRIO),
        UnitSetup("B3", "blue", "infantry", (SMALL,), at=(Standing(20.0, 3.0, 350.0),)),
        UnitSetup("R2", "red", "atg", TRIO, name="The gun", at=tuple(Standing(s.x, 30.0, 180.0) for s in ROW)),
        UnitSetup("Guard 1", "red", "infantry", TRIO, name="Guards"),
        UnitSetup("Guard 2", "red", "infantry", TRIO, name="Guards"),
    )
    exits = (
        Exit("road", "blue", "the north road", (18.0, 36.0), (20.0, 36.0)),
        Exit("ford", "red", "", (0, 0), (1, 0)),
    )
    setup = Setup("A test", ("blue", "red"), 36.0, 36.0, units, exits=exits, side_titles=("Panzers", ""))
    return apply(None, ev.Started(setup))


STATE = game()


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("begin", actions.Begin()),
        ("  END  ", actions.End()),
        ("end step", actions.End()),
        ("concede blue", actions.Concede("blue")),
        ("Concede PANZERS", actions.Concede("blue")),
        ("fire B1 at R2", actions.Fire("B1", "R2")),
        ("Fire b1 AT r2", actions.Fire("B1", "R2")),
        ("fire b1 r2, observed by B3", actions.Fire("B1", "R2", "B3")),
        ("fire kleist's  tanks at the gun observer b3", actions.Fire("B1", "R2", "B3")),
        ("fire b1 at r2 measured Close on-rear", actions.Fire("B1", "R2", "", ("close", "on-rear"))),
        (
            "fire B1 at R2 measured close observed by B3 measured seen",
            actions.Fire("B1", "R2", "B3", ("close", "seen")),
        ),
        ("move guard 2", actions.Move("Guard 2")),
        ("rally B1", actions.Rally("B1")),
        ("ready B1", actions.Ready("B1")),
        ("dig-in B2", actions.DigIn("B2")),
        ("dig in B2", actions.DigIn("B2")),
        ("digin B2", actions.DigIn("B2")),
        ("leave B1 by road", actions.Leave("B1", "road")),
        ("leave B1 by The North Road", actions.Leave("B1", "road")),
        ("leave B1", actions.Leave("B1", "road")),
        ("stay B1", actions.Place("B1", ROW)),
        ("place B3 bases 20,4,0", actions.Place("B3", (Standing(20, 4, 0),))),
        ("place B3 bases 20, 4 ,0 via 20,3.5", actions.Place("B3", (Standing(20, 4, 0),), ((20.0, 3.5),))),
        (
            "place B3 bases 20 4 -.5 via 1 2 3 4",
            actions.Place("B3", (Standing(20, 4, 359.5),), ((1.0, 2.0), (3.0, 4.0))),
        ),
        ("place B3 bases 20,4,unknown", actions.Place("B3", (Standing(20, 4, None),))),
        (
            "place B3 bases 20,4,90,0.01,-0.002,0.02,1.5",
            actions.Place("B3", (Standing(20, 4, 90, (0.01, -0.002, 0.02), 1.5),)),
        ),
        ("place B1 at 10,3", actions.Place("B1", ROW)),
        ("place B1 to 10 3", actions.Place("B1", ROW)),
        ("place B1 via 10,5 12,6 at 10,3 facing 360", actions.Place("B1", ROW, ((10.0, 5.0), (12.0, 6.0)))),
        (
            "place B1 at 20,8 facing 90",
            actions.Place("B1", (Standing(20, 8, 90), Standing(20, 9.875, 90), Standing(20, 6.125, 90))),
        ),
        ("place B3 at 21,3.25", actions.Place("B3", (Standing(21, 3.25, 350),))),
        ("place B3 facing -10", actions.Place("B3", (Standing(20, 3, 350),))),
        ("deploy B3 at 5,5 facing 45 dug in", actions.Deploy("B3", (Standing(5, 5, 45),), dug_in=True)),
        ("deploy B3 ready at 5,5 dug-in no", actions.Deploy("B3", (Standing(5, 5, 350),), ready=True)),
        ("correct B1 hits 5 permanent 0", actions.Correct("B1", hits=5, permanent=0)),
        ("correct B1 off because it fell off the table", actions.Correct("B1", "it fell off the table", off=True)),
        ("correct B1 off because  Jo,  our host, said so ", actions.Correct("B1", "Jo,  our host, said so", off=True)),
        (
            "correct b1 dug_in yes ready no moved y fired N because a die, 3, was misread",
            actions.Correct("B1", "a die, 3, was misread", dug_in=True, ready=False, moved=True, fired=False),
        ),
        ("correct B3 at 21,4 hits 3", actions.Correct("B3", at=(Standing(21, 4, 350),), hits=3)),
        ("correct B3 bases 21,4,0", actions.Correct("B3", at=(Standing(21, 4, 0),))),
    ],
)
def test_words_are_understood(words: str, action: actions.Action) -> None:
    assert RULES.parse(STATE, words) == action


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Say what to do, as in: fire B1 at R2."),
        ("mvoe B1", 'did you mean "move"?'),
        ("begin now", '"now" at the end is not understood. Usage: begin.'),
        ("move", "Which unit? Usage: move UNIT."),
        ("move B9", 'There is no unit "B9" in this game; expected "B1", "B2", "B3"'),
        ("move gaurd 1", 'There is no unit "gaurd" in this game'),
        ("move guards", "may be Guard 1 or Guard 2: give the unit's id"),
        ("move B1 10", '"10" at the end is not understood'),
        ("fire B1", "Which target? Usage: fire UNIT at TARGET"),
        ("B1 fire at R2", "The verb comes first: fire B1."),
        ("undo", '"undo" is a separate command: tabletop undo.'),
        ("fire B1 at R2 measured", "Call is missing. Usage: fire"),
        ("fire B1 at R2 measured clos", '"clos" is no call; did you mean "close"?'),
        ("fire B1 at R2 hard", '"hard" is not understood here; expected "observed by" or "measured".'),
        ("concede green", 'There is no side "green" in this game; expected "blue" or "red".'),
        ("leave B1 by raod", 'did you mean "road"?'),
        ("stay B2", "B2 is not on the table"),
        ("place B1", '"at" is missing'),
        ("place B2 facing 90", '"at" is missing'),
        ("place B1 at 10,3 via 1,2 3", 'After "via" go places in inches, as 10,5 12,6, not 1,2,3'),
        ("place B1 at 10,3 ready", '"ready" is not understood here'),
        ("deploy B1 at 10,3 via 3,4", '"via" is not understood here'),
        ("correct B1", "Nothing is said about it. Usage: correct"),
        ("correct B1 because", "Nothing is said about it. Usage: correct"),
        ("correct B1 hits -1", 'a whole number, not "-1"'),
    ],
)
def test_words_are_refused_with_what_was_expected(words: str, told: str) -> None:
    with pytest.raises(ActionError) as refused:
        RULES.parse(STATE, words)
    assert told in str(refused.value)
    assert str(refused.value)[-1] in ".?"


def test_an_id_that_differs_in_case_only_is_found_by_its_exact_spelling() -> None:
    units = tuple(UnitSetup(name, "blue", "tank", TRIO) for name in ("a1", "A1", "at"))
    state = apply(None, ev.Started(Setup("", ("blue", "red"), 36, 36, units)))
    assert RULES.parse(state, "move A1") == actions.Move("A1")
    assert RULES.parse(state, "fire AT at a1") == actions.Fire("at", "a1")
    with pytest.raises(ActionError, match="This game has no exit"):
        RULES.parse(state, "leave A1 by road")


@pytest.mark.parametrize("kind", ["infantry", "tank"])
@pytest.mark.parametrize("facing", [0.0, 271.5])
@pytest.mark.parametrize(("count", "unique"), [(1, 0), (2, 1), (3, 0), (3, 2), (5, 1)])
def test_a_unit_deployed_by_one_place_stands_in_good_order(kind: str, facing: float, count: int, unique: int) -> None:
    shapes = [SMALL if row == unique else BIG for row in range(count)]
    shapes[-1] = Shape("round", 0.98, 0.98)
    unit = UnitSetup("X", "blue", kind, tuple(shapes), unique=unique)
    at = abreast(unit, 12.0, 9.0, facing)
    bases = bases_of(unit.bases, at)
    assert (at[unique].x, at[unique].y) == (12.0, 9.0)
    assert {place.facing for place in at} == {facing}
    margin, _ = ahead_margin(bases, unique)
    assert (np.asarray(margin) <= 1e-3).all()
    apart = gaps(bases)[0] + np.diag([math.inf] * count)
    assert (apart > 0.4).all()
    if count > 1:
        assert (apart.min(axis=0) < 0.6).all()


NUMBERS = st.floats(-60, 60, allow_nan=False).map(lambda value: value + 0.0)
SPREADS = st.floats(0, 1)
PLACES = st.builds(
    Standing,
    NUMBERS,
    NUMBERS,
    st.none() | st.floats(0, 360, exclude_max=True),
    st.just((0.0, 0.0, 0.0)) | st.tuples(SPREADS, NUMBERS, SPREADS),
    SPREADS,
)
ROWS = st.lists(PLACES, min_size=1, max_size=4).map(tuple)
PATHS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4).map(tuple)
UNITS = st.sampled_from([unit.id for unit in STATE.setup.units])
FLAGS = st.none() | st.booleans()
COUNTS = st.none() | st.integers(0, 40)
REASONS = st.text(LETTERS, max_size=30).map(str.strip)
SCHEMA = jsonschema_rs.validator_for(ACTIONS.schema())
WISHES = st.one_of(
    st.builds(actions.Deploy, UNITS, ROWS, st.booleans(), st.booleans()),
    st.sampled_from([actions.Begin(), actions.End()]),
    st.builds(
        actions.Fire, UNITS, UNITS, st.just("") | UNITS, st.lists(st.sampled_from(list(CALLS)), max_size=3).map(tuple)
    ),
    st.builds(actions.Place, UNITS, ROWS, PATHS),
    st.builds(actions.Leave, UNITS, st.sampled_from(["road", "ford"])),
    *(st.builds(verb, UNITS) for verb in (actions.Move, actions.Rally, actions.Ready, actions.DigIn)),
    st.builds(actions.Concede, st.sampled_from(["blue", "red"])),
    st.builds(
        actions.Correct, UNITS, REASONS, st.just(()) | ROWS, COUNTS, COUNTS, FLAGS, FLAGS, FLAGS, FLAGS, st.booleans()
    ).filter(lambda act: RULES.text(act).split(" because ")[0] != f"correct {act.unit}"),
)


@given(WISHES, st.booleans())
def test_words_say_all_of_an_action(action: actions.Action, shout: bool) -> None:
    words = RULES.text(action)
    if shout and not isinstance(action, actions.Correct):
        words = f"  {words.upper()} ".replace(" ", "  ")
    assert RULES.parse(STATE, words) == action
    told = words.partition(" because ")[0]
    assert not set(told) & set("'\"\\$&|;<>()*?[]{}#!~`\n")


@given(WISHES)
def test_json_says_all_of_an_action(action: actions.Action) -> None:
    data = json.loads(json.dumps(RULES.action_to_json(action), allow_nan=False))
    assert SCHEMA.is_valid(data)
    assert RULES.action_from_json(STATE, data) == action


@pytest.mark.parametrize(
    ("words", "data"),
    [
        ("stay B1", {"kind": "stay", "unit": "B1"}),
        ("leave B1", {"kind": "leave", "unit": "B1"}),
        ("place B1 at 20,8 facing 90", {"kind": "place", "unit": "B1", "at": {"x": 20, "y": 8, "facing": 90}}),
        ("place B3 at 21,3.25", {"kind": "place", "unit": "B3", "at": {"x": 21, "y": 3.25}}),
        ("place B3 facing -10", {"kind": "place", "unit": "B3", "at": {"facing": -10}}),
        ("deploy B2 at 5,5", {"kind": "deploy", "unit": "B2", "at": {"x": 5, "y": 5}}),
        (
            "deploy B2 at 5,5 facing 45 ready",
            {"kind": "deploy", "unit": "B2", "at": {"x": 5, "y": 5, "facing": 45}, "ready": True},
        ),
        ("correct B1 at 21,4 hits 3", {"kind": "correct", "unit": "B1", "at": {"x": 21, "y": 4}, "hits": 3}),
        ("correct guard 1 at 21,4", {"kind": "correct", "unit": "Guard 1", "at": {"x": 21, "y": 4}}),
    ],
)
def test_short_forms_as_json_stand_for_what_their_words_do(words: str, data: dict[str, Any]) -> None:
    assert SCHEMA.is_valid(data)
    action = RULES.action_from_json(STATE, data)
    assert action == RULES.parse(STATE, words)
    assert RULES.action_from_json(STATE, RULES.action_to_json(action)) == action


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"kind": "move"}, 'The action "move" needs "unit". Usage: move UNIT.'),
        ({"kind": "move", "unit": "B9"}, 'There is no unit "B9" in this game; expected "B1"'),
        ({"kind": "move", "unit": 3}, "can't have that unit"),
        ({"kind": "fire", "unit": "B1", "target": "R9"}, 'There is no unit "R9"'),
        ({"kind": "fire", "unit": "B1", "target": "R2", "observer": "B9"}, 'There is no unit "B9"'),
        ({"kind": "fire", "unit": "B1", "target": "R2", "calls": ["clos"]}, '"clos" is no call; did you mean "close"?'),
        ({"kind": "leave", "unit": "B1", "exit": "raod"}, 'There is no exit "raod" in this game; did you mean "road"?'),
        ({"kind": "concede", "side": "green"}, 'There is no side "green"'),
        ({"kind": "stay", "unit": "B2"}, "B2 is not on the table"),
        ({"kind": "place", "unit": "B1"}, 'The action "place" needs "at".'),
        ({"kind": "place", "unit": "B1", "at": {}}, 'Where is B1 put? "at" is missing. Usage: place'),
        ({"kind": "place", "unit": "B1", "at": {"x": 3}}, "A place needs both x and y"),
        ({"kind": "place", "unit": "B2", "at": {"facing": 90}}, '"at" is missing'),
        ({"kind": "place", "unit": "B1", "at": [{"x": 1, "y": 2, "facing": 3, "z": 4}]}, "places are a list of"),
        ({"kind": "place", "unit": "B1", "at": {"x": 1, "y": 2}, "path": [[1, 2, 3]]}, "can't have that path"),
        ({"kind": "place", "unit": "B1", "at": {"x": 1, "y": 2}, "path": [[1, 1e9]]}, "far off every table"),
        ({"kind": "correct", "unit": "B1"}, "Nothing is said about it. Usage: correct UNIT"),
        ({"kind": "correct", "unit": "B1", "reason": "so"}, "Nothing is said about it."),
        ({"kind": "correct", "unit": "B1", "hits": -1}, "hits is -1; it goes from 0 to 9999."),
        ({"kind": "correct", "unit": "B1", "dug_in": "perhaps"}, "can't have that dug_in"),
    ],
)
def test_json_is_refused_with_what_was_expected(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ActionError) as refused:
        RULES.action_from_json(STATE, data)
    assert told in str(refused.value)


SOUP = "fire move place at facing via bases B1 R2 10,3 10 3 , -4 by road dug in ready because off hits guard 1"


@given(st.lists(st.sampled_from(SOUP.split(" ")) | st.text(string.printable, max_size=6), max_size=8))
def test_any_words_make_an_action_or_a_sentence(words: list[str]) -> None:
    try:
        action = RULES.parse(STATE, " ".join(words))
    except ActionError as refused:
        assert str(refused).endswith((".", "?"))
    else:
        assert RULES.parse(STATE, RULES.text(action)) == action


def test_staying_is_being_put_down_where_one_stands() -> None:
    """To the last digit: a unit that may move 0 inches may still stay."""
    third = UnitSetup("X", "blue", "tank", (SMALL,), at=(Standing(1 / 3, 2 / 3, 100 / 3, (0.01, 0.0, 0.01), 2.0),))
    state = apply(None, ev.Started(Setup("", ("blue", "red"), 36, 36, (third,))))
    assert RULES.parse(state, "stay X") == actions.Place("X", third.at)
    for unit in STATE.units:
        assert RULES.parse(STATE, f"stay {unit.id}") == actions.Place(unit.id, standings_of(unit.bases))
