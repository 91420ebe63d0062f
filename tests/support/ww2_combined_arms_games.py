"""Games of WWII Combined Arms for the tests: small ones drawn at random, armies, placements, states in mid-game."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tabletop.rulesets.ww2_combined_arms.actions import Action
from tabletop.rulesets.ww2_combined_arms.armies import army_of_pattern
from tabletop.rulesets.ww2_combined_arms.data import SIDES, TERRAIN
from tabletop.rulesets.ww2_combined_arms.options import REINFORCING, legal
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.setup import Limits, Setup, UnitAt, name_units
from tabletop.rulesets.ww2_combined_arms.state import State
from tests.support import ruleset_contract


def small_setup(rng: random.Random) -> Setup:
    """A game on a small board that random players finish in some dozen actions, with any of the optional rules."""
    columns, rows = rng.randint(4, 6), rng.randint(5, 7)
    setup = Setup(
        columns=columns,
        rows=rows,
        home=rng.randint(1, 2),
        limits=Limits(units=4, tanks=rng.randint(1, 2), types=2, alike=rng.randint(1, 2)),
        cities=rng.choice((0, 2, 3, 4)),
        city_victory=rng.choice(("at-once", "held", "no")),
        difficult=rng.random() < 0.6,
        elites=rng.randint(0, 2),
        experience=rng.choice((0, 1, 2)),
        every=rng.choice((0, 1, 2)),
        first=rng.choice(("", *SIDES)),
        turns=rng.randint(2, 4),
    )
    squares = [name for n, name in enumerate(setup.grid.names) if n not in setup.grid.middle]
    terrain = tuple((name, rng.choice(TERRAIN)) for name in rng.sample(squares, 3))
    setup = replace(setup, terrain=terrain)
    return replace(setup, units=close_units(rng, setup)) if rng.random() < 0.7 else setup


def close_units(rng: random.Random, setup: Setup, each: int = 4) -> tuple[UnitAt, ...]:
    """Units of both sides anywhere on the board, so that they fight at once."""
    squares = rng.sample(setup.grid.names, 2 * each)
    kinds = {side: ["hq", *(rng.choice((*REINFORCING, "fortification")) for _ in range(each - 1))] for side in SIDES}
    return tuple(
        UnitAt(f"{side[0].upper()}{n}", side, kind, squares.pop(), n > 1 and rng.random() < 0.15)
        for side in SIDES
        for n, kind in enumerate(kinds[side], 1)
    )


def crowded(setup: Setup, rng: random.Random) -> Setup:
    """The same game with five units a side anywhere on the board, begun at once."""
    return replace(setup, units=close_units(rng, setup, 5), cities=0, first="red", elites=0)


def placed(patterns: Sequence[str], seed: int, **more: Any) -> State:
    """Red's first turn with full armies of these patterns, red's and blue's, placed at random."""
    rng, units = random.Random(seed), []
    setup = Setup(first="red", **more)
    for side, pattern in zip(SIDES, patterns, strict=True):
        army = army_of_pattern(side, pattern, setup.limits)
        assert army is not None
        squares = rng.sample(setup.home_squares(side), setup.limits.units)
        for (name, kind), n in zip(name_units(side, Counter(dict(army.units))), squares, strict=True):
            units.append(UnitAt(name, side, kind, setup.grid.names[n]))
    return begun(replace(setup, units=tuple(units)))


def begun(setup: Setup) -> State:
    state: State = ruleset_contract.begun(RULES, setup)
    return state


def standing(units: str, **more: Any) -> State:
    """Red's first turn with units told in words, "R1 hq a1, B1 hq h8 elite": a name, a kind, a square; red goes first
    unless told otherwise."""
    found = []
    for words in units.split(","):
        name, kind, at, *elite = words.split()
        found.append(UnitAt(name, "red" if name[0] == "R" else "blue", kind, at, bool(elite)))
    return begun(Setup(**{"first": "red", "units": tuple(found), **more}))


def said(state: State, *lines: str) -> State:
    """The state after legal actions in words."""
    for line in lines:
        action = RULES.parse(state, line)
        against = RULES.check(state, action)
        assert not against, (line, [str(v) for v in against])
        state = after(state, action)
    return state


def after(state: State, action: Action, dice: Sequence[int] = ()) -> State:
    new: State = ruleset_contract.after(RULES, state, action, dice)
    return new


def states_of(setup: Setup, seed: int, most: int = 400) -> Iterator[tuple[State, Action | None]]:
    """A game between random players who do nothing but what is legal, state by state with the action that comes next;
    they attack more often than they end a phase."""
    rng, state = random.Random(seed), begun(setup)
    for _ in range(most):
        found = list(legal(state))
        if not found:
            break
        last = found.pop()
        action = rng.choice(found) if found and rng.random() < 0.93 else last
        yield state, action
        state = after(state, action)
    yield state, None
