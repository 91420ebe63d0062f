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
from tests.support.ww2_combined_arms_games import after, begun, crowded, placed, said, small_setup, standing, states_of


@pytest.mark.slow
def test_every_hint_is_legal_and_its_line_too() -> None:
    seen: set[str] = set()
    for seed in range(60):
        rng = random.Random(100 + seed)
        setup = small_setup(rng) if seed % 2 else crowded(small_setup(rng), rng)
        for n, (state, _) in enumerate(states_of(setup, seed, 40)):
            found = hint(state)
            if not state.turn or state.result is not None:
                assert found is None
                continue
            assert found is not None
            if n % 4 == 0 or state.pressed:
                assert hint(state) == found, "the same state has the same advice"
            seen.add(type(found.action).__name__)
            assert found.action == found.plan.line[0]
            following = state
            for action in found.plan.line:
                if following.result is not None:
                    break
                assert not RULES.check(following, action), (seed, found)
                following = after(following, action)
            assert following.pressed == found.plan.waits
    assert seen == {"Move", "Attack", "Retreat", "Reinforce", "End"}


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


def test_a_win_that_is_there_is_taken_before_anything_else() -> None:
    state = standing(
        "R9 hq a1, B9 hq h8, R1 engineers g8, R2 engineers h7, R3 engineers g7, B2 light-tanks d4, R4 howitzers d2,"
        " R5 howitzers e2, R6 howitzers c2"
    )
    found = hint(said(state, "end"))
    assert found is not None
    assert [action.target for action in found.plan.line if isinstance(action, actions.Attack)] == ["B9"] * 3


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


def test_guns_that_cover_the_headquarters_are_driven_off_where_that_wins() -> None:
    """Three howitzers drive the anti-aircraft guns off, then the airfields and two engineers suffice."""
    state = standing(
        "R9 hq a1, B9 hq h8, B1 aa-guns g8, R1 howitzers e6, R2 howitzers e7, R3 howitzers e8, R4 airfield f5,"
        " R5 airfield d7, R6 engineers h7, R7 engineers g7, B2 general f8, B3 general h1, B4 general a8"
    )
    state = said(state, "end")
    for _ in range(8):
        if state.result is not None:
            break
        found = hint(state)
        assert found is not None
        state = after(state, found.action)
    assert state.result is not None and state.result.winner == "red"


def test_who_could_destroy_the_own_headquarters_next_turn_is_driven_back_first() -> None:
    """Three engineers could bring six damage; the howitzers on h4 are worth more, and easier to drive back."""
    state = standing(
        "R9 hq c1, B9 hq h8, B1 engineers b3, B2 engineers c3, B3 engineers d3, B4 howitzers h4, R1 howitzers e2,"
        " R2 howitzers f2, R3 howitzers g3, R4 howitzers f1"
    )
    found = hint(said(state, "end"))
    assert found is not None
    assert {a.target for a in found.plan.line if isinstance(a, actions.Attack)} == {"B3"}


def test_enemies_on_all_cities_are_driven_from_one() -> None:
    cities = ("c4", "d5", "e4", "f5")
    units = (
        "R9 hq a1, B9 hq h8, B1 general c4, B2 general d5, B3 general e4, B4 general f5, R1 howitzers b2,"
        " R2 howitzers c2, R3 howitzers d2, R4 howitzers e2, R5 howitzers a2, B5 howitzers c5"
    )
    state = standing(units, city_squares=cities, city_victory="held")
    while state.acting == "red" and state.result is None:
        found = hint(state)
        assert found is not None
        state = after(state, found.action)
        while state.pressed:
            away = hint(state)
            assert away is not None
            state = after(state, away.action)
    assert state.result is None, "blue did not stand on all four as its turn began"


def test_the_last_free_city_is_not_left_to_the_enemy() -> None:
    state = standing(
        "R9 hq a1, B9 hq h8, B1 general c4, B2 general d5, B3 general e4, B4 general f6, R1 general e6,"
        " R2 howitzers a2, R3 light-tanks g3",
        city_squares=("c4", "d5", "e4", "f5"),
    )
    found = hint(state)
    assert found is not None and "f5" in {a.to for a in found.plan.line if isinstance(a, actions.Move)}


def test_a_type_of_unit_that_nobody_named_a_worth_for_stops_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    assert VALUES.keys() <= KINDS.keys()
    state = placed(("balanced", "armoured"), 2)
    monkeypatch.setattr(lookahead, "VALUES", {"hq": 200.0})
    for now in (state, said(state, "end")):
        found = hint(now)
        assert found is not None and not RULES.check(now, found.action)
    due = standing("R9 hq a1, B9 hq h8, R1 general d4", every=1)
    found = hint(due)
    assert found is not None and isinstance(found.action, actions.Reinforce)
    snipers = Kind("snipers", "snipers", "SN", "infantry", 1, 3, 3)
    assert 0 < lookahead.value_of(snipers) < 10
    assert all(abs(lookahead.value_of(kind) - value) < 2 for name, value in VALUES.items()
               if (kind := KINDS[name]).id != "hq")  # fmt: skip


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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_simple_player_beats_chance(seed: int) -> None:
    """Both have the same armies; the random player's moves are drawn from all legal ones."""
    rng, state = random.Random(seed), placed(("balanced", "balanced"), seed, turns=60)
    strong = ("red", "blue")[seed % 2]
    while state.result is None:
        if RULES.to_act(state) == strong:
            wish = next(w for w in RULES.bot_actions(state, rng) if not RULES.check(state, w))
        else:
            wish = next(w for w in RULES.random_actions(state, rng) if not RULES.check(state, w))
        if isinstance(wish, actions.Concede | actions.Correct):
            continue
        state = after(state, wish)
    assert state.result.winner == strong


@pytest.mark.slow
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
