"""The game that the net learns from is the game that is played: the same dice, the same choices."""

import importlib
import random
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tabletop.rulesets.combined_arms.board import COUNT
from tabletop.rulesets.combined_arms.data import TERRAIN
from tabletop.rulesets.combined_arms.features import MOST_COUNTERS, OF_ALL, OF_COUNTER, OF_HEX, OF_UNIT
from tabletop.rulesets.combined_arms.flat import CALL_AT, CALL_TURN, NEXT, Flat, flatten
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.planning import DICE, PLANS, chosen_turn
from tabletop.rulesets.combined_arms.rollout import UNITS, Rollout
from tabletop.rulesets.combined_arms.value_net import value_net
from tests.paths import ROOT
from tests.tabletop.rulesets.combined_arms.test_rollout import laid_out

TRAIN = ROOT / "scripts" / "train"


@pytest.fixture(scope="module")
def training() -> Iterator[tuple[Any, Any]]:
    """The training program's modules, run as they stand: numba, which compiles them, is not needed."""
    plain = ModuleType("numba")
    plain.njit = lambda *given, **_: given[0] if given else lambda function: function  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "numba", plain)
        patched.syspath_prepend(str(TRAIN))
        yield importlib.import_module("attack_game"), importlib.import_module("attack_values")
        for name in ("attack_game", "attack_values"):
            del sys.modules[name]


def same(game: Rollout, flat: Flat) -> bool:
    """Whether a game is what an array says, apart from where an old mortar call came down."""
    one, other = flatten(game), flat.copy()
    other[NEXT] = 0
    if one[CALL_TURN] < 0:
        one[CALL_AT] = other[CALL_AT] = 0
    return bool((one == other).all())


@pytest.mark.slow
def test_both_lead_and_dice_alike(training: tuple[Any, Any]) -> None:
    seed, turns = 1, 2
    bulk, values = training
    state = laid_out(seed)
    game = Rollout(state)
    lines, ground = np.zeros((4, COUNT, COUNT), np.int64), np.zeros((4, COUNT), np.int64)
    bulk.lay_lines(np.array([TERRAIN.index(kind) for kind in state.ground.terrain]), lines, ground)
    assert (lines == game.tables.stacked).all() and (ground == game.tables.grounds).all()
    weights, plans = tuple(value_net().layers), np.array(PLANS[::3])
    hexes, out, found = np.zeros((COUNT, OF_HEX)), np.zeros(2), np.zeros((64, 2), np.int64)
    board = (lines, ground, hexes)
    room = (
        np.zeros((UNITS, OF_UNIT), np.float32),
        np.zeros((MOST_COUNTERS, OF_COUNTER), np.float32),
        np.zeros(OF_ALL, np.float32),
    )
    pins, breaks = np.zeros(COUNT), np.zeros(COUNT)
    for turn in range(turns):
        flat = flatten(game)
        rnd = np.random.default_rng(100 * seed + turn).random(3000)
        game.random = iter(rnd.tolist()).__next__
        values.look_over(flat, lines, ground, hexes)
        dice = np.random.default_rng(turn).random((2, DICE))
        values.plan(
            np.random.default_rng(0), flat, board, room, weights, 0.02, 0.0005, 0.0, plans, dice, 2, 99, flat.copy(),
            found, out, pins, breaks,
        )  # fmt: skip
        made = chosen_turn(game, dice, 2, PLANS[::3]).game
        made.random, game = game.random, made
        assert same(game, flat), f"moves of turn {turn + 1}"
        leader = Leader(game)
        game.begin_fire()
        bulk.begin_fire(flat)
        leader.fire()
        shot, last = values.fire_worth(flat, board, room, weights, 0.02, out, pins, breaks)
        bulk.fire(flat, rnd, lines, ground, pins, breaks, max(shot, 0.0005), max(last, 0.0005))
        assert same(game, flat), f"fire of turn {turn + 1}"
        game.finish_fire()
        game.enemy_phase()
        bulk.finish_fire(flat, rnd, lines)
        bulk.enemy_phase(flat, rnd, lines)
        assert same(game, flat), f"the defenders' phase of turn {turn + 1}"
        if not game.next_turn():
            break
    flat = flatten(game)
    game.random, rest = random.Random(seed).random, random.Random(seed)
    game.uncover()
    bulk.uncover(flat, np.array([rest.random() for _ in range(200)]))
    assert same(game, flat) and game.score(turns) == bulk.score(flat, turns)
