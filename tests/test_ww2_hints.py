"""Hints of WWII Combined Arms: legal, the same each time, honest about their depth, and better than chance."""

from __future__ import annotations

import random

import pytest

from tabletop.hinting import Advice
from tabletop.rulesets.ww2_combined_arms import acts
from tabletop.rulesets.ww2_combined_arms.deeds import destinations
from tabletop.rulesets.ww2_combined_arms.hints import MOST_PLANS, MOST_POSITIONS, advised, hint
from tabletop.rulesets.ww2_combined_arms.lookahead import material, scene, squares_for, worth
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tests.ww2_combined_arms_games import after, begun, crowded, placed, said, small_setup, standing, states_of


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
            assert found.action == found.line[0]
            following = state
            for action in found.line:
                if following.pressed or following.result is not None:
                    break
                assert not RULES.check(following, action), (seed, found)
                following = after(following, action)
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


def test_attacks_concentrate_on_what_can_be_driven_back() -> None:
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 howitzers c3, R2 howitzers d3, R3 howitzers e3, B1 general d6, B2 at-guns e6"),
        "end",
    )
    found = hint(state)
    assert found is not None
    assert found.line == (acts.Attack("R1", "B2"), acts.Attack("R2", "B2"), acts.Attack("R3", "B2"))
    alone = said(standing("R9 hq a1, B9 hq h8, R1 howitzers c3, B1 general d6"), "end")
    assert hint(alone).action == acts.End()  # type: ignore[union-attr]


def test_a_unit_that_must_retreat_goes_out_of_reach() -> None:
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 howitzers c4, R2 howitzers d4, R3 howitzers e4, R4 medium-tanks b6,"
                 " B1 light-tanks d6"),
        "end", "attack R1 at B1", "attack R2 at B1", "attack R3 at B1",
    )  # fmt: skip
    found = hint(state)
    assert found is not None and isinstance(found.action, acts.Retreat)
    assert found.action.to in ("e6", "e7")


def test_a_hint_says_how_far_it_looked() -> None:
    state = placed(("balanced", "armoured"), 1)
    found = hint(state)
    assert found is not None
    assert 100 < found.looked_at < 2 * MOST_POSITIONS
    assert "moves of this turn ahead" in found.words and str(found.looked_at) in found.words
    advice = advised(state)
    assert isinstance(advice, Advice)
    assert advice.line[0] == RULES.text(found.action) and advice.says.endswith(".")
    fight = hint(said(state, "end"))
    assert fight is not None and fight.looked_at <= MOST_PLANS and "end of this phase" in fight.words
    assert advised(begun(Setup())) is None


@pytest.mark.parametrize("seed", range(4))
def test_who_follows_hints_beats_chance(seed: int) -> None:
    """Both have the same armies; the random player's moves are drawn from all legal ones."""
    rng, state = random.Random(seed), placed(("balanced", "balanced"), seed, turns=60)
    strong = ("red", "blue")[seed % 2]
    while state.result is None:
        if RULES.to_act(state) == strong:
            wish = next(w for w in RULES.plans(state, rng) if not RULES.check(state, w))
        else:
            wish = next(w for w in RULES.wishes(state, rng) if not RULES.check(state, w))
        if isinstance(wish, acts.Concede | acts.Correct):
            continue
        state = after(state, wish)
    assert state.result.winner == strong


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
