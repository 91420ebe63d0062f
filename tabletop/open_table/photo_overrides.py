"""A photo of a game on an open table as the truth: the corrections that put every unit of one base where it is seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tabletop.changes.detection import Changes
from tabletop.changes.proposals import TRUTH_REASON, Proposal
from tabletop.game.actions import Standing
from tabletop.open_table.actions import Correct
from tabletop.open_table.seeing import proposal, seen_at
from tabletop.open_table.state import State
from tabletop.open_table.terrain_proposals import terrain_proposals

SAME_IN, SAME_DEG = 0.25, 8.0
"""Bases within this, and three standard deviations of what was measured, stand where the game has them."""


def corrections(state: State, _sight: object, changes: Changes) -> tuple[Proposal, ...]:
    """Who stands otherwise than by the log, unit by unit; those that are not seen are asked about."""
    places = ((unit.id, unit.at) for unit in state.units.values())
    return corrections_of(state, changes, places, Correct)


def corrections_of(
    state: Any, changes: Changes, places: Iterable[tuple[str, Standing | None]], correct: Callable[..., Any]
) -> tuple[Proposal, ...]:
    """The same for any ruleset whose units have one base each: ``places`` are where its log has them, and ``correct``
    makes the action of a unit, ``at`` or ``off``, and ``reason``."""
    units = (one for name, was in places for one in _unit(state, changes, name, was, correct))
    return (*terrain_proposals(state, changes), *units)


def stands(was: Standing, now: Standing) -> bool:
    """Whether a base that is seen ``now`` stands and faces as the log has it, as far as was measured."""
    spread = math.sqrt(max(now.covariance[0], now.covariance[2]) + max(was.covariance[0], was.covariance[2]))
    turn = 0.0 if now.facing is None or was.facing is None else abs((now.facing - was.facing + 180) % 360 - 180)
    sure_deg = SAME_DEG + 3 * math.hypot(now.facing_sigma, was.facing_sigma)
    return math.hypot(now.x - was.x, now.y - was.y) <= SAME_IN + 3 * spread and turn <= sure_deg


def not_seen_words(unit: str) -> str:
    """What is asked of a unit that stands there by the log alone."""
    return f"{unit} stands on the table by the log and is not seen: take it off?"


def elsewhere_words(unit: str, far_in: float) -> str:
    """What is told of a unit that stands elsewhere than by the log."""
    return f"{unit} stands {far_in:.1f}″ from where the log has it"


def _unit(
    state: Any, changes: Changes, name: str, was: Standing | None, correct: Callable[..., Any]
) -> Iterator[Proposal]:
    seen, at = changes.after.rows(name), seen_at(changes, name)
    if not seen and was is not None:
        action = correct(name, off=True, reason=TRUTH_REASON)
        yield proposal(state, name, "removed", action, question=not_seen_words(name), moved_in=None)
    if at is None:
        if seen:
            yield Proposal(name, "uncertain", question=f"{len(seen)} bases are named {name}: which of them is it?")
        return
    what, told, far = "new", f"{name} is not on the table by the log and stands here", 0.0
    if was is not None:
        if stands(was, at):
            return
        far = math.hypot(at.x - was.x, at.y - was.y)
        what, told = "moved", elsewhere_words(name, far)
    yield proposal(state, name, what, correct(name, at=at, reason=TRUTH_REASON), told=told, moved_in=far)
