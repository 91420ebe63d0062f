"""What a photo says has happened in a game of Combat Captain: sub-units that stand elsewhere, cotton balls that fell.

Movement is not in the rules that survive: nobody judges how far anything came, and whoever stands elsewhere is put
there. The module is the :class:`tabletop.changes.proposals.Seeing` of these rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tabletop.changes.detection import Changes, UnitChange
from tabletop.changes.proposals import Proposal
from tabletop.identity.table_snapshot import BaseSighting, Marker
from tabletop.open_table.seeing import judge, limits, proposal, sample_piece, seen_at, sighting, unit_proposals
from tabletop.open_table.terrain_proposals import propose_with_terrain
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import NUDGE_IN, State

SURE = 0.8
"""A ball of cotton read with at least this confidence is taken as one."""
COTTON_SIGMA_IN = 0.1
"""How surely a photo says where the edge of a ball of cotton lies, one standard deviation. An observation does not say
how wide the ball is, so that it is taken to be as wide as all of the game (``HouseRules.cotton_in``)."""


def elsewhere(state: State) -> tuple[BaseSighting, ...]:
    """A sample stand of each sub-unit that is not on the table yet."""
    waiting = (stand for stand in state.stands.values() if stand.at is None)
    return tuple(sample_piece(s.id, state.setup.side_of(s.id), s.plan.kind, s.plan.base) for s in waiting)


def propose(state: State, changes: Changes) -> tuple[Proposal, ...]:
    """New terrain, who stands elsewhere now, those without doubts first, and the shells that are due where cotton
    lies."""
    return propose_with_terrain(state, changes, _units_and_shells)


def _units_and_shells(state: State, changes: Changes) -> tuple[Proposal, ...]:
    whose = "whose stand is it?"
    found = unit_proposals(changes, state.setup.plans, whose, lambda change, unit: _unit(state, changes, change, unit))
    ordered = sorted(changes.units, key=lambda change: bool(change.doubts))
    balls = [marker for change in ordered for marker in change.marked if marker.means == "fired"]
    balls += [marker for marker in changes.new_markers if marker.means == "fired"]
    return (*found, *_shells(state, balls))


def _unit(state: State, changes: Changes, change: UnitChange, name: str) -> Iterator[Proposal]:
    at = seen_at(changes, name)
    if change.change == "removed":
        action = actions.Correct(name, off=True, reason="not on the table")
        question = f"{name} is gone: destroyed, taken off, or just lifted?"
        yield proposal(state, name, "removed", action, question=question)
    elif at is None or change.change not in ("new", "moved", "turned", "nudged"):
        return
    elif name not in state.stands:
        action = actions.Correct(name, at, reason="seen on the table")
        question = f"{name} is off the table by the log and stands on it: put it back?"
        yield proposal(state, name, "new", action, question=question)
    else:
        yield _move_proposal(state, change, name, at)


def _move_proposal(state: State, change: UnitChange, name: str, at: Standing) -> Proposal:
    was = state.stands[name].at
    put = actions.Put(name, at)
    if was is None:
        return proposal(state, name, "new", put, told=f"{name} stands on the table")
    far = float(np.hypot(at.x - was.x, at.y - was.y))
    turned = f" and {change.turn_words}" if change.turn_words else ""
    if change.change == "nudged" or (far <= NUDGE_IN and change.change == "moved"):
        question = f"{name} was nudged by {far:.2f}″: leave it, or put it there?"
        return proposal(state, name, "nudged", put, question=question, moved_in=far)
    told = f"{name} came {far:.1f}″{turned}"
    return proposal(state, name, change.change, put, told=told, moved_in=far)


def _shells(state: State, balls: list[Marker]) -> Iterator[Proposal]:
    """A shell for each ball of cotton while off-board artillery falls, as many as are due."""
    help_ = state.support
    if help_ is None or help_.what != "artillery" or help_.left is None:
        return
    for ball in balls[: help_.left]:
        x, y = (round(value, 3) for value in ball.center)
        action = actions.Shell((x, y), sigma_in=COTTON_SIGMA_IN)
        sure = ball.confidence >= SURE
        told = f"A ball of cotton lies at {x:.1f}, {y:.1f}"
        question = "" if sure else f"{told}: is it a shell?"
        yield proposal(state, None, "shell", action, question=question, told=told, moved_in=None)


__all__ = ["elsewhere", "judge", "limits", "propose", "sighting"]
