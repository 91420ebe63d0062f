"""A game of One-Hour WWII step by step: who may do what when, what the dice do, what is lost by what, who wins."""

import itertools
import json
import random
from dataclasses import replace

import pytest

from tabletop.game import Game, IllegalError
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.one_hour_ww2.actions import Fire, Place
from tabletop.rulesets.one_hour_ww2.calls import CALLS
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import Objective, Setup, Standing, Zone
from tests.support.one_hour_games import a_unit, begun, codes, do, random_setup

MIDDLE = Objective("middle", "the crossroads", ((14.0, 14.0), (22.0, 14.0), (22.0, 22.0), (14.0, 22.0)))


def duel(**more: object) -> Game:
    """A blue tank and mortar, a red tank and infantry 10 inches ahead of them, all facing each other."""
    return begun(
        a_unit("B1", "blue", "tank", 10, 10),
        a_unit("B2", "blue", "mortar", 16, 6),
        a_unit("R1", "red", "tank", 11.7, 21.8, 180),
        a_unit("R2", "red", "infantry", 18, 20, 180),
        **more,
    )


def test_the_unit_that_rolled_is_put_down_before_anything_else() -> None:
    game = duel()
    do(game, "end")
    do(game, "move B1", 2, 2, 2)
    assert {"pending"} <= codes(game, "end")
    assert {"pending"} <= codes(game, "move B2")
    assert codes(game, "place B2 at 16,7 facing 0") == {"not-rolled"}
    do(game, "stay B1")
    assert codes(game, "end") == set()


def test_all_faults_come_at_once_each_with_its_code_place_and_numbers() -> None:
    game = begun(a_unit("B1", "blue", "infantry", 4, 4), a_unit("R1", "red", "infantry", 28, 30, 180))
    found = game.check(Fire("B1", "R1"))
    assert {v.code for v in found} == {"wrong-step", "out-of-range"}
    far = next(v for v in found if v.code == "out-of-range")
    assert far.place == "Fire, Ranges"
    assert far.numbers["reach_in"] == 12.0
    assert 30 < far.numbers["range_in"] < 36


def test_there_must_be_something_to_rally() -> None:
    game = duel()
    do(game, "correct B1 hits 5 permanent 5")
    do(game, "end; end")
    assert codes(game, "rally B1") == {"nothing-to-rally"}


def test_options_say_where_a_unit_may_be_deployed() -> None:
    west, east, own = (((x, 0.0), (x + 9.0, 0.0), (x + 9.0, 6.0)) for x in (0.0, 20.0, 30.0))
    units = [
        replace(a_unit(name, side, "tank", 5, 5), at=())
        for name, side in (("B1", "blue"), ("B2", "blue"), ("R1", "red"))
    ]
    zones = (Zone("blue", west), Zone("blue", east), Zone("blue", own, ("B2",)))
    game = Game.new(RULES, Setup("A case", ("blue", "red"), 36.0, 24.0, tuple(units), zones=zones))
    deploy = {option.unit: option for option in game.options() if option.kind == "deploy"}
    assert [option.text for option in deploy.values()] == [f"deploy {u.id} at X,Y facing DEGREES" for u in units]
    regions = {name: option.to_json()["fields"]["at"]["region"] for name, option in deploy.items()}
    table = ((0.0, 0.0), (36.0, 0.0), (36.0, 24.0), (0.0, 24.0))
    expected = {"B1": (west, east), "B2": (own,), "R1": (table,)}
    assert regions == {name: [[list(point) for point in ring] for ring in rings] for name, rings in expected.items()}


def test_the_open_place_of_a_move_is_filled_in_as_json() -> None:
    game = duel()
    do(game, "end")
    do(game, "move B1", 3, 3, 3)
    (option,) = [option for option in game.options() if option.kind == "place"]
    row = option.to_json()
    assert (row["text"], row["action"]) == ("place B1 at X,Y facing DEGREES", {"kind": "place", "unit": "B1"})
    assert row["fields"] == {"at": {"type": "place"}}
    data = {**row["action"], "at": {"x": 10, "y": 11, "facing": 30}}
    game.push(RULES.action_from_json(game.state, data))
    assert game.records[-1].action == RULES.text(RULES.action_from_json(game.state, data))
    assert tuple(game.state.unit("B1").bases.center[0]) == (10, 11)


def test_a_shot_too_close_to_call_goes_on_when_players_measured_or_called_it() -> None:
    doubtful = tuple(Standing(10 + 1.7 * n, 10, 0.0, (0.01, 0.0, 0.01)) for n in range(2))
    unit = a_unit("B1", "blue", "infantry", 10, 10)
    unit = type(unit)(**{**unit.__dict__, "at": doubtful})
    game = begun(unit, a_unit("R1", "red", "infantry", 10, 23, 180))
    do(game, "end")
    shot = game.parse("fire B1 at R1")
    (found,) = game.check(shot)
    assert (found.code, found.answer) == ("out-of-range", "too-close")
    with pytest.raises(IllegalError):
        game.push(shot, (4,))
    game.push(shot, (4,), measured=True)
    assert game.records[-1].body["overruled"] == ["out-of-range"]
    game.pop(referee=True)
    game.push(Fire("B1", "R1", calls=("in-reach",)), (4,))
    assert "overruled" not in game.records[-1].body


def test_choices_of_what_is_too_close_settle_it() -> None:
    """Each choice, added to the action's JSON, settles the circumstance that it was offered for.

    Of these tables each is asked what the others are not.
    """
    near = begun(a_unit("B1", "blue", "tank", 10, 10), a_unit("R1", "red", "tank", 10, 15.8, 180)).state.setup
    apart, hilly = (random_setup(random.Random(seed)) for seed in (15, 43))
    settled = set()
    for setup, cover in ((near, "woods"), (apart, "town"), (hilly, "hill")):
        game = Game.new(RULES, _blurred(setup, cover))
        do(game, "begin; end")
        for unit, enemy in itertools.product(game.state.units, repeat=2):
            shot = Fire(unit.id, enemy.id)
            for found in game.check(shot) if unit.side != enemy.side else ():
                assert bool(found.choices) == (found.answer == "too-close"), found
                for choice in found.choices:
                    data = {**RULES.action_to_json(shot), found.field: [choice.value]}
                    left = game.check(RULES.action_from_json(game.state, json.loads(json.dumps(data))))
                    assert (found.code, found.choices) not in [(v.code, v.choices) for v in left]
                    assert "contradicted-call" not in {v.code for v in left}
                    settled.add(str(choice.value))
    assert settled == set(CALLS)


def _blurred(setup: Setup, cover: str) -> Setup:
    """The same table as a poor photo has it, and cover whose edge is just about that of R1's bases."""
    spread = (0.06, 0.0, 0.06)
    units = tuple(
        replace(u, hits=0, permanent=0, at=tuple(replace(s, covariance=spread, facing_sigma=6.0) for s in u.at))
        for u in setup.units
    )
    (red,) = (u for u in units if u.id == "R1")
    margin = max(red.bases[0].width, red.bases[0].depth) / 2 + 0.1
    (left, low), (right, high) = (
        (edge(s.x for s in red.at) + by, edge(s.y for s in red.at) + by) for edge, by in ((min, -margin), (max, margin))
    )
    around = ((left, low), (right, low), (right, high), (left, high))
    piece = TerrainPiece("cover", cover, around, hill_top=around if cover == "hill" else None)
    return replace(setup, units=units, terrain=tuple(replace(t, sigma=0.4) for t in (*setup.terrain, piece)))


def test_a_call_against_what_is_sure_is_refused() -> None:
    game = duel()
    do(game, "end")
    assert {v.code for v in game.check(Fire("B1", "R1", calls=("close",)))} == {"contradicted-call"}
    assert {v.code for v in game.check(Fire("B1", "R1", calls=("nearly",)))} == {"unknown-call"}


def test_the_referee_may_overrule_but_not_conjure() -> None:
    game = duel()
    game.push(game.parse("fire B1 at R1"), (4,), overrule=True)
    assert game.records[-1].actor == "referee"
    assert game.records[-1].body["overruled"] == ["wrong-step"]
    with pytest.raises(IllegalError):
        game.push(Fire("B1", "B2"), (4,), overrule=True)


def test_corrections_are_events_and_can_be_taken_back() -> None:
    game = duel()
    before = RULES.view(game.state)
    do(game, "correct R1 hits 7 dug-in yes ready yes at 20,20 facing 90 because the table was knocked")
    unit = game.state.unit("R1")
    assert (unit.hits, unit.dug_in, unit.ready) == (7, True, True)
    assert unit.bases.center[0].tolist() == [20.0, 20.0]
    assert game.records[-1].actor == "referee"
    assert game.records[-1].body["reason"] == "the table was knocked"
    game.pop()
    assert RULES.view(game.state) == before


def test_a_unit_corrected_to_have_moved_has_acted_and_the_other_way_round() -> None:
    game = duel()
    do(game, "end; correct B1 moved yes")
    assert codes(game, "fire B1 at R1") == {"acted"}
    do(game, "correct B1 moved no")
    assert codes(game, "fire B1 at R1") == set()
    do(game, "correct R1 fired yes")
    assert game.state.acted == frozenset(), "the other side has no phase to act in"


def test_the_reason_of_an_overruling_is_kept_and_goes_with_it() -> None:
    game = duel()
    game.push(game.parse("fire B1 at R1"), (4,), overrule=True, reason="the cat sat on the clock")
    assert [r.kind for r in game.records[-2:]] == ["fired", "noted"]
    assert game.records[-1].body == {"text": "the cat sat on the clock"}
    game.pop(referee=True)
    assert game.state.unit("R1").hits == 0


def test_who_waits_for_a_unit_that_is_taken_off_waits_no_more() -> None:
    game = duel()
    do(game, "end; move B1", 2, 2, 2)
    do(game, "correct B1 off")
    assert codes(game, "end") == codes(game, "move B2") == set()


def test_a_unit_taken_off_by_mistake_can_be_put_back() -> None:
    game = duel()
    places = game.state.unit("R1").bases.center.copy()
    do(game, "correct R1 off because picked up")
    assert game.state.why_off == {"R1": "removed"}
    assert codes(game, "correct R1 hits 3") == {"gone"}
    do(game, "correct R1 bases 11.7,21.8,180 13.4,21.8,180")
    assert game.state.unit("R1").bases.center == pytest.approx(places)
    assert game.state.why_off == {}


def test_an_objective_with_both_sides_in_it_is_nobodys_and_an_empty_one_stays_with_the_last() -> None:
    game = begun(
        a_unit("B1", "blue", "tank", 16, 16),
        a_unit("R1", "red", "infantry", 19, 25, 180),
        objectives=(MIDDLE,),
    )
    assert game.state.holders == (("middle", "blue"),)
    do(game, "correct R1 at 19,20 facing 180; end; end; end")
    assert game.state.holders == (("middle", None),)
    do(game, "correct B1 at 4,4 facing 0; end; end; end")
    assert game.state.holders == (("middle", "red"),)
    do(game, "correct R1 at 30,30 facing 0; end; end; end")
    assert game.state.holders == (("middle", "red"),)


def test_place_wants_as_many_places_as_the_unit_has_bases() -> None:
    game = duel()
    do(game, "end")
    do(game, "move B1", 3, 3, 3)
    assert {v.code for v in game.check(Place("B1", (Standing(10, 12),)))} == {"bases"}
