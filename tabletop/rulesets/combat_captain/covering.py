"""Cover: which way it faces, and whether it holds against those who fire [Save rolls]."""

from __future__ import annotations

from collections.abc import Sequence

from geometry.tolerance import TOLERANCE
from tabletop.rulesets.combat_captain.data import ALL_ROUND_COVER, COVER_ARC_DEG, NO, OPEN, YES
from tabletop.rulesets.combat_captain.state import Stand, State

COVER = "Fire Chart, Save rolls"
_TIE_DEG = 1e-7


def covers(state: State, stand: Stand, enemy: str) -> int:
    """Whether a sub-unit's cover holds against an enemy stand: YES, OPEN or NO.

    Levels 4 and 5 hold all round. Levels 1 to 3 hold over 270 degrees, 135 to either side of where the cover faces (the
    players say where; else as the stand does): the text names the width and not the way, and the quarter that is open
    is the rear.
    """
    if not stand.cover:
        return NO
    if stand.cover >= ALL_ROUND_COVER:
        return YES
    at = stand.at
    facing = stand.cover_facing
    sigma = 0.0
    if facing is None:
        if at is None or at.facing is None:
            return OPEN
        facing, sigma = at.facing, at.facing_sigma
    bearing, turn = state.field.bearing(stand.id, enemy)
    off = abs((bearing - facing + 180.0) % 360.0 - 180.0)
    margin = COVER_ARC_DEG / 2 - off
    slack = TOLERANCE.sureness * (sigma**2 + turn**2) ** 0.5
    if slack <= _TIE_DEG:
        return YES if margin >= -_TIE_DEG else NO
    return YES if margin >= slack else NO if margin <= -slack else OPEN


def cover_against(state: State, stand: Stand, enemies: Sequence[str], called: str | None = None) -> tuple[int, bool]:
    """The level at which a sub-unit saves against enemies who strike together, and whether that is too close to call.

    Its cover holds only where it holds against every one of them: fire from behind it defeats it. ``called``: what the
    players found (``covered``, ``uncovered``). Left open, it counts as covered.
    """
    if not stand.cover:
        return 0, False
    answer = min((covers(state, stand, enemy) for enemy in enemies), default=YES)
    if answer == OPEN and called is not None:
        answer = YES if called == "covered" else NO
    return (0 if answer == NO else stand.cover), answer == OPEN
