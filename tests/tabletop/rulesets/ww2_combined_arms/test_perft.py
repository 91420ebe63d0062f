"""All legal actions of WWII Combined Arms, counted and compared with a slow second reading of the rules."""

import random
from typing import Any

import pytest

from tabletop.rulesets.ww2_combined_arms.options import legal
from tabletop.rulesets.ww2_combined_arms.perft import perft
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.state import State
from tests.reference import ww2_combined_arms as slow
from tests.support.ww2_combined_arms_games import crowded, placed, small_setup, states_of


def read(state: State) -> slow.Position:
    asked = ("difficult", "experience", "every", "city_victory", "turns")
    return slow.position(RULES.view(state), **{name: getattr(state.setup, name) for name in asked})


def words(state: State) -> set[str]:
    found = [RULES.text(action) for action in legal(state)]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize(
    ("red", "blue", "seed", "counts"),
    [
        ("balanced", "armoured", 1, (62, 3427)),
        ("artillery", "balanced", 2, (45, 1804)),
        ("armoured", "artillery", 3, (64, 3727)),
    ],
)
def test_the_counts_of_the_placements_are_these(red: str, blue: str, seed: int, counts: tuple[int, int]) -> None:
    state = placed((red, blue), seed)
    assert (perft(state, 1), perft(state, 2)) == counts


def test_random_games_are_followed_action_by_action() -> None:
    """Every state of games with any optional rules: the same legal actions, and the same state after the one chosen;
    move phases, attacks, retreats and reinforcements alike."""
    seen: dict[str, int] = {}
    for seed in range(200):
        rng = random.Random(seed)
        setup = small_setup(rng)
        setup = setup if setup.units else crowded(setup, rng)
        reference: slow.Position | None = None
        last: str | None = None
        for state, action in states_of(setup, seed, 60):
            if state.step in ("cities", "first", "elites"):
                break
            reference = read(state) if reference is None or last is None else slow.play(reference, last)
            assert same(reference) == same(read(state)), (seed, last)
            assert words(state) == slow.actions(reference), (seed, last)
            where = "retreat" if state.pressed else state.step
            seen[where] = seen.get(where, 0) + 1
            last = None if action is None else RULES.text(action)
    assert min(seen[step] for step in ("move", "attack", "retreat", "reinforce", "over")) >= 20, seen


def same(p: slow.Position) -> dict[str, Any]:
    """What two readings of a game must agree in; a game that is over has a winner in one and a step in the other."""
    over = p["winner"] is not None or p["phase"] == "over"
    left = {key: value for key, value in p.items() if key not in ("phase", "winner", "retreating", "para4")}
    left["units"] = {unit: {key: value for key, value in u.items() if key != "by"} for unit, u in p["units"].items()}
    return {
        **left,
        "over": over,
        **({} if over else {"phase": p["phase"], "retreating": p["retreating"], "para4": sorted(p["para4"])}),
    }


def test_crowded_states_have_the_same_two_plies() -> None:
    """Full armies in close fight: two plies from attack phases and retreats."""
    checked = retreats = 0
    for seed in range(25):
        rng = random.Random(100 + seed)
        setup = crowded(small_setup(rng), rng)
        for state, _ in states_of(setup, seed, 40):
            if (state.step == "attack" and rng.random() < 0.15) or state.pressed:
                assert perft(state, 2) == slow.perft(read(state), 2)
                checked += 1
                retreats += bool(state.pressed)
    assert checked > 30 and retreats > 5, (checked, retreats)
