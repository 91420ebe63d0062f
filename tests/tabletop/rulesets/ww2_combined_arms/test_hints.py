"""Hints of WWII Combined Arms, and what the simple player judges by: legal, the same each time, honest about their
depth."""

from __future__ import annotations

import random

import pytest

from tabletop.game.hints import Advice
from tabletop.rulesets.ww2_combined_arms import actions, lookahead
from tabletop.rulesets.ww2_combined_arms.capabilities import destinations
from tabletop.rulesets.ww2_combined_arms.data import KINDS, Kind
from tabletop.rulesets.ww2_combined_arms.hints import advice, hint
from tabletop.rulesets.ww2_combined_arms.lookahead import VALUES, material, scene, siege, squares_for, worth
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tests.support.ww2_combined_arms_games import after, begun, placed, said, small_setup, standing, states_of


def test_a_hint_takes_the_headquarters_where_it_can() -> None:
    state = standing("R9 hq a1, B9 hq h8, R1 engineers g6, R2 engineers g7, R3 engineers h6, B1 general a8")
    state = said(state, "end")
    assert hint(state) is not None
    near = standing("R9 hq a1, B9 hq h8, R1 engineers f6, R2 engineers g7, R3 engineers h6, B1 general a8")
    for _ in range(12):
        if near.result is not None:
            break
        found = hint(near)
        assert found is not None
        near = after(near, found.action)
    assert near.result is not None and near.result.winner == "red"


def test_no_move_is_advised_where_the_attacks_win_already() -> None:
    units = "R9 hq a1, B9 hq h8, R1 engineers g8, R2 engineers h7, R4 general d2, R5 howitzers e2, B2 general d4"
    found = hint(standing(f"{units}, R3 engineers g7"))
    assert found is not None and found.plan.line == (actions.End(),)
    near = hint(standing(f"{units}, R3 engineers f7"))
    assert near is not None and near.plan.line == (actions.Move("R3", "g7"), actions.End())
    cities = standing("R9 hq a1, B9 hq h8, R1 general d4, R2 light-tanks e3, R4 general a3, B1 general c6",
                      city_squares=("d4", "e5"))  # fmt: skip
    city = hint(cities)
    assert city is not None and "e5" in {a.to for a in city.plan.line if isinstance(a, actions.Move)}


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("R1 general h2", 6),
        ("R1 general a2, R2 general b2, R3 general b1", 0),
        ("R1 general a2, R2 general b2", 2),
        ("R1 general a2, R2 general b2, R3 general b1, B4 howitzers d4", 1),
    ],
)
def test_who_can_get_at_the_headquarters_next_turn(own: str, expected: int) -> None:
    """Engineers two squares away do 2 damage each, and want a square beside it; howitzers fire over all."""
    state = standing(f"R9 hq a1, B9 hq h8, B1 engineers c2, B2 engineers c1, B3 engineers a3, {own}")
    threats, done = siege(*scene(state, "red"))
    assert done == expected and bool(threats) == bool(expected)


def test_a_type_of_unit_that_nobody_named_a_worth_for_has_one() -> None:
    assert VALUES.keys() <= KINDS.keys()
    assert 0 < lookahead.value_of(Kind("snipers", "snipers", "SN", "infantry", 1, 3, 3)) < 10
    assert all(abs(lookahead.value_of(KINDS[name]) - value) < 2 for name, value in VALUES.items() if name != "hq")


def test_attacks_concentrate_on_what_can_be_driven_back() -> None:
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 howitzers c3, R2 howitzers d3, R3 howitzers e3, B1 general d6, B2 at-guns e6"),
        "end",
    )
    found = hint(state)
    assert found is not None
    assert found.plan.line == (actions.Attack("R1", "B2"), actions.Attack("R2", "B2"), actions.Attack("R3", "B2"))
    alone = said(standing("R9 hq a1, B9 hq h8, R1 howitzers c3, B1 general d6"), "end")
    assert hint(alone).action == actions.End()  # type: ignore[union-attr]


def test_a_unit_that_must_retreat_goes_out_of_reach() -> None:
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 howitzers c4, R2 howitzers d4, R3 howitzers e4, R4 medium-tanks b6,"
                 " B1 light-tanks d6"),
        "end", "attack R1 at B1", "attack R2 at B1", "attack R3 at B1",
    )  # fmt: skip
    found = hint(state)
    assert found is not None and isinstance(found.action, actions.Retreat)
    assert found.action.to in ("e6", "e7")


def test_a_hint_says_how_far_it_looked_and_why() -> None:
    state = placed(("balanced", "armoured"), 1)
    found = hint(state)
    assert found is not None
    assert found.plan.looked_at > 200
    assert (
        "looking ahead through this turn and the enemy's reply" in found.words
        and str(found.plan.looked_at) in found.words
    )
    given = advice(state)
    assert isinstance(given, Advice)
    assert given.line[0] == RULES.text(found.action) and found.plan.why in given.says and given.says.endswith(".")
    fight = hint(said(state, "end"))
    assert fight is not None and "through this phase" in fight.words
    assert advice(begun(Setup())) is None


def test_the_light_copy_moves_as_the_rules_do() -> None:
    for seed in range(30):
        for state, _ in states_of(small_setup(random.Random(seed)), seed, 20):
            if state.step != "move" or not state.turn:
                continue
            on, at = scene(state, state.acting)
            for n in on.mine:
                unit = state.by_id[on.names[n]]
                assert sorted(squares_for(on, at, n)) == list(destinations(state, unit))
            assert worth(on, at) == worth(on, at)
            assert material(state, "red") == pytest.approx(-material(state, "blue"))
