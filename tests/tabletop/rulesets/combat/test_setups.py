"""Set-ups of Combat that could not be played to their end are refused as they are chosen, and armies are found for all
others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabletop.errors import RulesError
from tabletop.reading.toml_source import line_numbers, parse
from tabletop.rulesets.combat import armies, deploying
from tabletop.rulesets.combat.data import PERIODS
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.scenario import apply_options, describe_options, read_scenario
from tabletop.rulesets.combat.setup import Objective, Setup
from tabletop.rulesets.combat.setup_faults import faults_of
from tests.support.combat_games import OPEN, begun, codes, done, ground, on, rolled, small_setup

SCENARIOS = Path(deploying.__file__).parents[2] / "data" / "scenarios" / "combat"


def bundled(name: str) -> Setup:
    text = (SCENARIOS / f"{name}.toml").read_text(encoding="utf-8")
    setup = read_scenario(parse(text), line_numbers(text), name).setup
    assert isinstance(setup, Setup)
    return setup


@pytest.mark.parametrize(
    ("name", "wished", "told"),
    [
        ("first-skirmish", {"pieces": "40"}, "room for 38 pieces"),
        ("blue-ridge", {"pieces": "15", "points": "20"}, "costs at least 45 points"),
        ("first-skirmish", {"pieces": "8", "points": "7"}, "costs at least 8 points"),
        ("blue-ridge", {"period": "early-wwi", "pieces": "36"}, "no army of 36 pieces"),
        ("blue-ridge", {"period": "late-wwi", "pieces": "40"}, ""),
        ("blue-ridge", {"headquarters": "yes"}, ""),
    ],
)
def test_armies_that_nobody_could_choose_or_deploy_are_refused(name: str, wished: dict[str, str], told: str) -> None:
    if not told:
        assert apply_options(bundled(name), wished)
        return
    with pytest.raises(RulesError, match=told):
        apply_options(bundled(name), wished)


def test_every_side_needs_ground_for_its_headquarters() -> None:
    for kinds, sides in (
        ({"hill": "c3 c4", "woods": "c10 d10"}, []),
        ({"hill": "c3 c4"}, ["Blue"]),
        ({"hill": "c3", "woods": "c4 c9 c10"}, ["Red"]),
        ({"built-up": "c3 c4 c9 c10"}, ["Red", "Blue"]),
    ):
        setup = on(OPEN, headquarters=True, ground=ground(kinds))
        found = [text for path, text in faults_of(setup) if path == ("headquarters",)]
        assert [text.split("'")[0] for text in found] == sides


def test_ground_for_headquarters_is_asked_for_again_once_the_field_was_laid() -> None:
    state = begun(on(OPEN, pieces=3, points=0, headquarters=True, ground=ground({"hill": "c3 c4", "woods": "c9 c10"})))
    assert codes(state, "army red tanks 3 mines 4") == set()
    bare = done(state, "lay c10 open")
    assert codes(bare, "army red tanks 3 mines 4") == {"no-headquarters"} == codes(bare, "army blue tanks 3 mines 4")
    assert codes(done(bare, "lay d9 woods"), "army red tanks 3 mines 4") == set()


def test_no_river_is_laid_wider_than_two_squares_nor_over_all_the_room() -> None:
    state = begun(on(OPEN, rivers=True, pieces=3, points=0))
    for square in ["c4", "c5", "c6", "d4", "d5", "d6", "e4", "e5"]:
        state = done(state, f"lay {square} river")
    assert codes(state, "lay e6 river") == {"wide"} and codes(state, "lay e6 bridge") == set()
    narrow = begun(on(OPEN, rivers=True, columns=2, rows=4, deployment=1, pieces=2, points=0, airstrips=()))
    assert codes(narrow, "lay a1 river") == {"no-room"}


def test_an_objective_lies_on_the_half_of_who_defends_it() -> None:
    for square, fine in (("c7", True), ("c6", False)):
        setup = on(OPEN, objectives=(Objective("road", "road", "blue", (square,)),))
        assert (not list(faults_of(setup))) == fine


def test_players_choose_airstrips_as_objectives() -> None:
    ridge, river = bundled("blue-ridge"), bundled("river-line")
    assert (describe_options(ridge)["airstrips-win"], describe_options(river)["airstrips-win"]) == ("no", "yes")
    won = apply_options(ridge, {"airstrips-win": "yes"})
    assert [(goal.side, goal.squares) for goal in won.objectives] == [(s.side, s.squares) for s in ridge.airstrips]
    assert (
        describe_options(won)["airstrips-win"] == "yes" and apply_options(won, {"airstrips-win": "no"}).objectives == ()
    )
    assert apply_options(river, {"airstrips-win": "yes"}).objectives == river.objectives


@pytest.mark.parametrize("period", ["", *PERIODS])
@pytest.mark.parametrize("pieces", [5, 25])
def test_proposed_armies_have_the_agreed_number_within_the_agreed_points(period: str, pieces: int) -> None:
    base = on(OPEN, period=period, pieces=pieces, points=0, foot=True, motorised=True)
    least = armies.least_cost(base, "red", {})
    assert least is not None
    for points in (0, least, least + 4):
        state = begun(on(base, points=points))
        for weights in armies.MIXTURES.values():
            for rng in (None, random.Random(3)):
                army = armies.some_army(state.setup, "red", weights, rng)
                assert not RULES.check(state, army), (army, points)
                assert sum(count for _, count in army.counts) == pieces


@pytest.mark.parametrize("seed", range(6))
def test_simple_players_deploy_whatever_set_up_is_taken(seed: int) -> None:
    rng = random.Random(seed)
    setup = small_setup(rng)
    wished = {"pieces": str(rng.randint(1, 30)), "points": str(rng.choice((0, 20, 60)))}
    try:
        setup = apply_options(setup, wished)
    except RulesError:
        return
    state = begun(setup)
    for _ in range(20):
        if state.step != "deploy":
            break
        action = next(action for action in RULES.bot_actions(state, rng) if not RULES.check(state, action))
        state = rolled(state, action, rng)
    assert state.step == "toss"
    assert all(len(army) == setup.pieces for army in state.armies)
    assert RULES.invariant_violations(state) == ()
