"""A photo of a game of Combat Captain as the truth: the corrections that put every sub-unit where it is seen."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tabletop.changes import Changes
from tabletop.proposals import Proposal
from tabletop.rulesets.combat_captain import acts
from tabletop.rulesets.combat_captain.checks import violations
from tabletop.rulesets.combat_captain.seeing import seen_at
from tabletop.rulesets.combat_captain.state import State
from tabletop.rulesets.combat_captain.words import text

REASON = "the photo is the truth"
SAME_IN, SAME_DEG = 0.25, 8.0
"""Stands within this, and three standard deviations of what was measured, stand where the game has them."""


def corrections(state: State, _sight: object, changes: Changes) -> tuple[Proposal, ...]:
    """Who stands otherwise than by the log, one by one; those that are not seen are asked about."""
    return tuple(one for name in state.setup.plans for one in _sub(state, changes, name))


def _sub(state: State, changes: Changes, name: str) -> Iterator[Proposal]:
    stand, seen = state.stands.get(name), changes.after.rows(name)
    was = None if stand is None else stand.at
    if not seen and was is not None:
        question = f"{name} stands on the table by the log and is not seen: take it off?"
        action = acts.Correct(name, REASON, off=True)
        yield Proposal(name, "removed", action, text(action), violations(state, action), question=question)
        return
    at = seen_at(changes, name)
    if at is None:
        if seen:
            yield Proposal(name, "uncertain", question=f"{len(seen)} stands are named {name}: which of them is it?")
        return
    what, told, far = "new", f"{name} is not on the table by the log and stands here", 0.0
    if was is not None:
        spread = math.sqrt(max(at.covariance[0], at.covariance[2]) + max(was.covariance[0], was.covariance[2]))
        far = math.hypot(at.x - was.x, at.y - was.y)
        turn = 0.0 if at.facing is None or was.facing is None else abs((at.facing - was.facing + 180) % 360 - 180)
        sure_deg = SAME_DEG + 3 * math.hypot(at.facing_sigma, was.facing_sigma)
        if far <= SAME_IN + 3 * spread and turn <= sure_deg:
            return
        what, told = "moved", f'{name} stands {far:.1f}" from where the log has it'
    action = acts.Correct(name, REASON, at)
    against = violations(state, action)
    numbers = {"moved_in": round(far, 3)}
    yield Proposal(name, what, action, text(action), against, certain=True, numbers=numbers, told=told)
