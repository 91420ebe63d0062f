"""A game in one array of whole numbers, for what is worked out for many positions alike.

The places of the array are named here. ``AT``, ``FATE``, ``FACE`` and ``FRESH`` begin a number for each platoon;
``ENEMY``, ``ENEMY_FRESH``, ``REVEALED``, ``GUNS`` and ``FIRED_ON`` one for each hex.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabletop.rulesets.combined_arms.board import COUNT
from tabletop.rulesets.combined_arms.rollout import UNITS, Rollout

AT, FATE, FACE, FRESH = 0, UNITS, 2 * UNITS, 3 * UNITS
ENEMY = 4 * UNITS
ENEMY_FRESH, REVEALED, GUNS, FIRED_ON = (ENEMY + k * COUNT for k in range(1, 5))
(
    TURN,
    LOSSES,
    AMMO,
    CALL_AT,
    CALL_TURN,
    ENEMY_CALL_AT,
    ENEMY_CALL_TURN,
    BROKEN,
    GUNS_BROKEN,
    OWN_BROKEN,
    EXPLOITED,
    NEXT,
) = range(ENEMY + 5 * COUNT, ENEMY + 5 * COUNT + 12)
"""``NEXT`` is for whoever deals random numbers."""
SIZE = NEXT + 1
NO_GUNS, MAYBE, REAL, REMOVED = range(4)
"""What is known of the anti-tank guns with a counter."""

Flat = NDArray[np.int64]


def flatten(game: Rollout) -> Flat:
    """A game as one array."""
    found = np.zeros(SIZE, np.int64)
    found[AT:FATE], found[FATE:FACE], found[FACE:FRESH] = game.at, game.fate, game.facing
    found[FRESH:ENEMY] = [game.fresh >> unit & 1 for unit in range(UNITS)]
    for c in game.order:
        found[ENEMY + c] = 1
        found[ENEMY_FRESH + c] = game.fresh_enemy >> c & 1
        found[REVEALED + c] = game.revealed >> c & 1
        found[GUNS + c] = (
            MAYBE
            if game.maybe_guns >> c & 1
            else REAL
            if game.real_guns >> c & 1
            else REMOVED
            if game.no_guns >> c & 1
            else NO_GUNS
        )
    found[FIRED_ON : FIRED_ON + COUNT] = [game.fired_on >> n & 1 for n in range(COUNT)]
    found[TURN:NEXT] = (
        game.turn, game.losses, game.ammo, game.call_at, game.call_turn, game.enemy_call_at, game.enemy_call_turn,
        game.broken, game.guns_broken, game.own_broken, game.exploited,
    )  # fmt: skip
    return found
