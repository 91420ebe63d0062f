"""What a photo says has happened in a game of Combat Captain: sub-units that stand elsewhere, cotton balls that fell.

Movement is not in the rules that survive: nobody judges how far anything came, and whoever stands elsewhere is put
there. The module is the :class:`tabletop.proposals.Seeing` of these rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from tabletop.changes import Changes, UnitChange
from tabletop.identify import Limits
from tabletop.proposals import MoveRuling, Proposal
from tabletop.rulesets.combat_captain import acts
from tabletop.rulesets.combat_captain.checks import violations
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import NUDGE_IN, State
from tabletop.rulesets.combat_captain.words import text
from tabletop.rulesets.one_hour_ww2.judged_moves import bases_of_pieces
from tabletop.rulesets.one_hour_ww2.setup import standings_of
from tabletop.sightings import Marker, Piece, Sighting, sighting_from_scene

SURE = 0.8
"""A ball of cotton read with at least this confidence is taken as one."""
COTTON_SIGMA_IN = 0.1
"""How surely a photo says where the edge of a ball of cotton lies, one standard deviation. An observation does not say
how wide the ball is, so that it is taken to be as wide as all of the game (``HouseRules.cotton_in``)."""


def limits(dice: str | None = None) -> Limits:
    """None: these rules do not say how far anything moves."""
    return Limits()


def judge(changes: Changes, dice: str | None = None) -> Mapping[str, MoveRuling]:
    """Nothing: no move is judged."""
    return {}


def sighting(state: State) -> Sighting:
    """The table as the game knows it."""
    return sighting_from_scene(state.scene, "the game")


def elsewhere(state: State) -> tuple[Piece, ...]:
    """A sample stand of each sub-unit that is not on the table yet."""
    found = []
    for stand in state.stands.values():
        if stand.at is not None:
            continue
        base = stand.plan.base
        found.append(
            Piece(
                id=stand.id,
                unit=stand.id,
                side=state.setup.side_of(stand.id),
                kind=stand.plan.kind,
                unique=True,
                is_round=base.shape == "round",
                width=base.width,
                depth=base.depth,
                center=np.zeros(2),
                covariance=np.zeros((2, 2)),
            )
        )
    return tuple(found)


def propose(state: State, changes: Changes) -> tuple[Proposal, ...]:
    """Who stands elsewhere now, those without doubts first; and the shells that are due where cotton lies."""
    ordered = sorted(changes.units, key=lambda change: bool(change.doubts))
    found = [one for change in ordered for one in _unit(state, changes, change)]
    balls = [marker for change in ordered for marker in change.marked if marker.means == "fired"]
    balls += [marker for marker in changes.new_markers if marker.means == "fired"]
    return (*found, *_shells(state, balls))


def _proposal(state: State, unit: str, what: str, action: acts.Action, *, certain: bool, question: str = "",
              told: str = "", moved_in: float = 0.0) -> Proposal:  # fmt: skip
    against = violations(state, action)
    numbers = {"moved_in": round(moved_in, 3)}
    return Proposal(unit, what, action, text(action), against, certain, question, numbers, told=told)


def _unit(state: State, changes: Changes, change: UnitChange) -> Iterator[Proposal]:
    name = change.unit
    if change.doubts or name is None:
        yield Proposal(name, change.change, question=" ".join(change.doubts))
        return
    if name not in state.setup.plans:
        yield Proposal(name, "unknown", question=f"{name} is not in this game: whose stand is it?")
        return
    at = seen_at(changes, name)
    if change.change == "removed":
        action = acts.Correct(name, "not on the table", off=True)
        question = f"{name} is gone: destroyed, taken off, or just lifted?"
        yield _proposal(state, name, "removed", action, certain=False, question=question)
    elif at is None or change.change not in ("new", "moved", "turned", "nudged"):
        return
    elif name not in state.stands:
        action = acts.Correct(name, "seen on the table", at)
        question = f"{name} is off the table by the log and stands on it: put it back?"
        yield _proposal(state, name, "new", action, certain=False, question=question)
    else:
        yield _moved(state, change, name, at)


def _moved(state: State, change: UnitChange, name: str, at: Standing) -> Proposal:
    was = state.stands[name].at
    put = acts.Put((acts.Place(name, at),))
    if was is None:
        return _proposal(state, name, "new", put, certain=True, told=f"{name} stands on the table")
    far = float(np.hypot(at.x - was.x, at.y - was.y))
    turned = f" and {change.turn_words}" if change.turn_words else ""
    if change.change == "nudged" or (far <= NUDGE_IN and change.change == "moved"):
        question = f'{name} was nudged by {far:.2f}": leave it, or put it there?'
        return _proposal(state, name, "nudged", put, certain=False, question=question, moved_in=far)
    told = f'{name} came {far:.1f}"{turned}'
    return _proposal(state, name, change.change, put, certain=True, told=told, moved_in=far)


def seen_at(changes: Changes, name: str) -> Standing | None:
    """Where the one stand of a sub-unit is seen."""
    rows = changes.after.rows(name)
    if len(rows) != 1:
        return None
    return standings_of(bases_of_pieces([changes.after.pieces[rows[0]]]))[0]


def _shells(state: State, balls: list[Marker]) -> Iterator[Proposal]:
    """A shell for each ball of cotton while off-board artillery falls, as many as are due."""
    help_ = state.support
    if help_ is None or help_.what != "artillery" or help_.left is None:
        return
    for ball in balls[: help_.left]:
        x, y = (round(value, 3) for value in ball.center)
        action = acts.Shell((x, y), sigma_in=COTTON_SIGMA_IN)
        sure = ball.confidence >= SURE
        told = f"A ball of cotton lies at {x:.1f}, {y:.1f}"
        question = "" if sure else f"{told}: is it a shell?"
        against = violations(state, action)
        yield Proposal(None, "shell", action, text(action), against, sure, question, told=told)
