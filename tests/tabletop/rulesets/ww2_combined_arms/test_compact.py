"""The compact position that turns are searched on agrees with the rules: moves, targets, retreats, what attacks do."""

import random
from itertools import pairwise

from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import defence, destinations, retreats, targets
from tabletop.rulesets.ww2_combined_arms.compact import (
    Frame,
    Position,
    bears,
    bits,
    exits,
    hit,
    masks,
    retreat,
    target_squares,
)
from tabletop.rulesets.ww2_combined_arms.compact import destinations as compact_destinations
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tests.support.ww2_combined_arms_games import crowded, small_setup, states_of


def same(frame: Frame, position: Position, state: State) -> None:
    expected = Position.of(state)
    for name in ("at", "held", "there", "damage", "moved", "fired", "retreated", "lifted"):
        assert getattr(position, name) == getattr(expected, name), name


def agree(state: State) -> int:
    """How many answers of a state were compared."""
    frame, position, found = Frame(state), Position.of(state), 0
    for n, unit in enumerate(state.units):
        if unit.at == OFF:
            continue
        found += 1
        assert bears(frame, position, n) == defence(state, unit) - unit.damage
        assert list(bits(exits(frame, position, n))) == list(retreats(state, unit))
        if unit.side != state.acting:
            continue
        if state.step == "move":
            assert list(bits(compact_destinations(frame, position, n))) == list(destinations(state, unit))
        if state.step == "attack":
            assert [position.there[at] for at in bits(target_squares(frame, position, n))] == [
                state.units.index(target) for target in sorted(targets(state, unit), key=lambda u: u.at)
            ]
    return found


def follow(frame: Frame, position: Position, state: State, action: actions.Action) -> None:
    number, side = state.grid.number, SIDES.index(state.acting)
    match action:
        case actions.Move():
            unit = frame.names.index(action.unit)
            position.put(side, unit, number[action.to])
            position.moved |= 1 << unit
        case actions.Attack():
            ways = hit(frame, position, frame.names.index(action.unit), frame.names.index(action.target))
            assert ways is None or len(list(bits(ways))) > 1
        case actions.Retreat():
            retreat(frame, position, frame.names.index(action.unit), number[action.to])
        case actions.End() if state.step == "attack":
            position.begin_turn(frame, 1 - side)


def test_small_games_with_all_optional_rules() -> None:
    compared = followed = 0
    for seed in range(60):
        rng = random.Random(seed)
        setup = small_setup(rng) if seed % 3 else crowded(small_setup(rng), rng)
        games = [row for row in states_of(setup, seed, 60) if row[0].turn and row[0].result is None]
        for (state, action), (after, _) in pairwise(games):
            compared += agree(state)
            if len(after.units) > len(state.units) or any(
                a.elite != b.elite for a, b in zip(state.units, after.units, strict=True)
            ):
                continue  # A reinforcement or an elite unit more: a frame of its own.
            frame, position = Frame(state), Position.of(state)
            assert action is not None
            follow(frame, position, state, action)
            same(frame, position, after)
            followed += 1
    assert compared > 2000 and followed > 400


def test_squares_grow_by_the_kings_move() -> None:
    grid = masks(14, 12)
    for n in range(14 * 12):
        for most in range(5):
            assert grid.grown(1 << n, most) == grid.within[most][n]
            assert grid.ways(1 << n, most, grid.full) == grid.within[most][n] ^ 1 << n
