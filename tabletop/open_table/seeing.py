"""What a photo says has happened in a game on an open table: units that stand elsewhere, came or went.

A unit that moved is moved by the ruleset's action of a unit and a place, which its rules judge; where they have none,
or the unit came or went, the referee's ``correct`` is offered. The module is the
:class:`tabletop.changes.proposals.Seeing` of such rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from geometry import Bases
from tabletop.changes.detection import Changes, UnitChange
from tabletop.changes.proposals import MoveRuling, Proposal, proposed_action
from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.identity.matching import Limits
from tabletop.identity.table_snapshot import BaseSighting, Sighting, sighting_from_scene
from tabletop.open_table.actions import Correct
from tabletop.open_table.setup import Shape, standings_of
from tabletop.open_table.state import State
from tabletop.open_table.terrain_proposals import propose_with_terrain
from tabletop.small_games.actions import move_of


def limits(dice: str | None = None) -> Limits:
    """None: how far anything may move is judged by the move itself."""
    return Limits()


def judge(changes: Changes, dice: str | None = None) -> Mapping[str, MoveRuling]:
    """Nothing: without a game no move is judged."""
    return {}


def sighting(state: State) -> Sighting:
    """The table as the game knows it."""
    return sighting_from_scene(state.scene, "the game")


def elsewhere(state: State) -> tuple[BaseSighting, ...]:
    """A sample base of each unit that is still to come onto the table."""
    units = (unit for unit in state.units.values() if unit.at is None and not unit.gone)
    return tuple(sample_piece(unit.id, unit.side, unit.kind, unit.plan.base) for unit in units)


def sample_piece(unit: str, side: str, kind: str, base: Shape) -> BaseSighting:
    """The one base of a unit that stands nowhere yet."""
    return BaseSighting(
        id=unit,
        unit=unit,
        side=side,
        kind=kind,
        unique=True,
        is_round=base.shape == "round",
        width=base.width,
        depth=base.depth,
        center=np.zeros(2),
        covariance=np.zeros((2, 2)),
        is_oval=base.shape == "oval",
    )


def sample_pieces(unit: str, side: str, kind: str, bases: Iterable[Shape]) -> tuple[BaseSighting, ...]:
    """A base of each make of a unit of several that is not on the table yet; which is the unique one is open."""
    return tuple(replace(sample_piece(unit, side, kind, base), unique=None) for base in dict.fromkeys(bases))


def propose(state: State, changes: Changes) -> tuple[Proposal, ...]:
    """New terrain, then who stands elsewhere now, those without doubts first."""
    return propose_with_terrain(state, changes, _units)


def _units(state: State, changes: Changes) -> tuple[Proposal, ...]:
    whose = "whose base is it?"
    return unit_proposals(changes, state.units, whose, lambda change, unit: _unit(state, changes, change, unit))


def unit_proposals(
    changes: Changes,
    known: Container[str],
    whose: str,
    propose_unit: Callable[[UnitChange, str], Iterable[Proposal]],
) -> tuple[Proposal, ...]:
    """What became of every unit, those without doubts first: what is in doubt is asked, and of units that are not
    ``known`` ``whose`` bases they are; of each other one what ``propose_unit`` makes of its change and its name."""
    found: list[Proposal] = []
    for change in sorted(changes.units, key=lambda change: bool(change.doubts)):
        name = change.unit
        if change.doubts or name is None:
            found.append(Proposal(name, change.change, question=" ".join(change.doubts)))
        elif name not in known:
            found.append(Proposal(name, "unknown", question=f"{name} is not in this game: {whose}"))
        else:
            found += propose_unit(change, name)
    return tuple(found)


def _unit(state: State, changes: Changes, change: UnitChange, name: str) -> Iterator[Proposal]:
    at, was = seen_at(changes, name), state.units[name].at
    if change.change == "removed":
        action = Correct(name, off=True, reason="not on the table")
        yield proposal(state, name, "removed", action, question=f"{name} is gone: taken off, or just lifted?")
    elif at is None or change.change not in ("new", "moved", "turned", "nudged"):
        return
    elif was is None:
        action = Correct(name, at, reason="seen on the table")
        yield proposal(state, name, "new", action, question=f"{name} stands on the table: put it there?")
    else:
        far = math.hypot(at.x - was.x, at.y - was.y)
        move = move_of(ruleset(state.setup.rules), "place", name, at)
        if change.change == "nudged":
            question = f"{name} was nudged by {far:.2f}″: leave it, or put it there?"
            action = Correct(name, at, reason="nudged")
            yield proposal(state, name, "nudged", action, question=question, moved_in=far)
            return
        turned = f" and {change.turn_words}" if change.turn_words else ""
        told = f"{name} came {far:.1f}″{turned}"
        if move is None:
            action = Correct(name, at, reason="seen on the table")
            yield proposal(state, name, change.change, action, question=f"{told}: put it there?", moved_in=far)
        else:
            yield proposal(state, name, change.change, move, told=told, moved_in=far)


def proposal(
    state: Any,
    unit: str | None,
    what: str,
    action: Any,
    *,
    question: str = "",
    told: str = "",
    moved_in: float | None = 0.0,
) -> Proposal:
    """An action with its words and what the rules have against it; it is certain unless something is asked.

    ``moved_in``: how far the unit came (``None``: that is not told).
    """
    numbers = {} if moved_in is None else {"moved_in": round(moved_in, 3)}
    rules = ruleset(state.scene.rules)
    return proposed_action(rules, state, unit, what, action, question=question, told=told, numbers=numbers)


def seen_at(changes: Changes, name: str) -> Standing | None:
    """Where the one base of a unit is seen; ``None`` where none or several are."""
    rows = changes.after.rows(name)
    if len(rows) != 1:
        return None
    return standings_of(bases_of_pieces([changes.after.pieces[rows[0]]]))[0]


def bases_of_pieces(pieces: Sequence[BaseSighting]) -> Bases:
    """Bases as sighted, row by row."""
    return Bases(
        center=np.array([p.center for p in pieces]),
        facing=np.array([p.facing or 0.0 for p in pieces]),
        width=np.array([p.width for p in pieces]),
        depth=np.array([p.depth for p in pieces]),
        is_round=np.array([p.is_round for p in pieces]),
        covariance=np.array([p.covariance for p in pieces]),
        facing_sigma=np.array([math.inf if p.facing is None else p.facing_sigma for p in pieces]),
        is_oval=np.array([p.is_oval for p in pieces], dtype=bool),
    )
