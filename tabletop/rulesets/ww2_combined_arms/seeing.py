"""What a photo of a table with the board says has happened in a game of WWII Combined Arms.

The board is read as every board of squares is (:mod:`tabletop.grids.squares.seeing`); this module says what the game's
actions are, finds the order in which moves were legal, and asks who attacked a unit that stands a step back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.changes.proposals import Proposal
from tabletop.grids.board_changes import BoardChanges
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares import seeing as square_boards
from tabletop.grids.squares.unit_proposals import Post, RulesSight, SquareGame, SquareSight, correction
from tabletop.grids.standing import OFF_BOARD
from tabletop.identity.observation_rows import Observation
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import retreats
from tabletop.rulesets.ww2_combined_arms.data import DROP_MOVE
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.seen_moves import PlannedAction, could_be, plan_moves
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.tables.model import Overlay

_BY_MOVES = ("moved", "entered")


def posts(state: State) -> tuple[Post, ...]:
    """Every unit where the game has it; those that wait for their placement may come."""
    names = state.grid.names
    return tuple(
        Post(u.id, u.side, u.kind, None if u.at == OFF else names[u.at], u.fate == "waiting" and state.step == "place")
        for u in state.units
    )


def reach(state: State, unit: str) -> frozenset[str]:
    """The squares that one legal action may bring a unit to, whoever of its side makes room before."""
    own = state.by_id[unit]
    return frozenset(name for n, name in enumerate(state.grid.names) if could_be(state, own, n))


def move(state: State, unit: str, to: str) -> actions.Action:
    """The action that takes a unit from square to square: a retreat where it must, else a move."""
    return actions.Retreat(unit, to) if state.pressed == unit else actions.Move(unit, to)


def correct(state: State, unit: str, to: str | None, reason: str) -> actions.Action:
    """The referee's action that puts a unit on a square, without damage there, or takes it off."""
    if to is None:
        return actions.Correct(unit, off=True, reason=reason)
    return actions.Correct(unit, to=to, damage=0 if state.by_id[unit].damage else None, reason=reason)


def enter(state: State, unit: str, to: str) -> actions.Action:
    """The action that places a unit before the first turn."""
    return actions.Place(unit, to)


GAME = SquareGame(RULES, posts, reach, move, correct, enter, farthest=lambda state: DROP_MOVE)


@dataclass(frozen=True, eq=False)
class WW2Sight(RulesSight):
    """A sight of the board, ready to be compared with any state of its game."""

    def against(self, state: State) -> tuple[BoardChanges, Sequence[Proposal]]:
        """The changes square by square; proposals: actions in a legal order, what is against the rules, what is
        asked."""
        changes, proposals = self.sight.against(state)
        targets = {one.unit: one.cells[1] for one in changes.units if one.change in ("moved", "new")}
        known = {name: at for name, at in targets.items() if at and state.by_id[name].fate != "lost"}
        asked = [one for one in proposals if one.what not in _BY_MOVES]
        return changes, (*self._action_proposals(state, known), *asked)

    def _action_proposals(self, state: State, targets: Mapping[str, str]) -> Iterator[Proposal]:
        """Actions of the units' own, then those that stand where none of theirs brings them now."""
        plan = plan_moves(state, {name: state.grid.number[at] for name, at in targets.items()})
        yield from (_move_proposal(state, one) for one in plan)
        done = {one.unit for one in plan}
        for name, to in targets.items():
            unit = state.by_id[name]
            if name in done:
                continue
            told = f"{name} stands on {to}"
            if unit.at != OFF and state.step == "attack" and state.grid.number[to] in retreats(state, unit):
                told += f", one step back from {state.grid.names[unit.at]}"
                yield Proposal(name, "attacked", question=f"{told}: which units attacked it?")
            else:
                where = "is not on the board" if unit.at == OFF else f"is on {state.grid.names[unit.at]}"
                question = f"{told} and {where} by the log: put it there?"
                yield correction(GAME, state, name, "moved", to, "seen on the table", question)


def _move_proposal(state: State, one: PlannedAction) -> Proposal:
    names, unit, to = state.grid.names, state.by_id[one.unit], state.grid.names[one.at]
    if isinstance(one.action, actions.Place):
        what, told = "entered", f"{unit.id} was placed on {to}"
    else:
        verb = "retreated" if isinstance(one.action, actions.Retreat) else "moved"
        what, told = "moved", f"{unit.id} {verb} from {names[unit.at]} to {to}"
    far = {} if unit.at == OFF else {"squares": float(state.grid.distance(unit.at, one.at))}
    return Proposal(
        unit.id, what, one.action, ACTIONS.text(one.action), one.violations, certain=True, numbers=far, told=told
    )


def read_sight(
    state: State, data: object, name: str, board: BoardPlacement | Overlay | None, answers: Mapping[str, Any]
) -> tuple[Observation | None, WW2Sight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives; raises as
    :func:`tabletop.grids.squares.seeing.read_sight`."""
    observed, sight = square_boards.read_sight(GAME, state, data, name, board, answers)
    return observed, WW2Sight(sight)


def squares_seen(state: State, sight: SquareSight) -> dict[str, int | None]:
    """Where the units that are seen stand by the measured places and the answers: a square, ``OFF`` beside the board,
    ``None`` where that is open."""
    found: dict[str, int | None] = {}
    for stander in sight.standers:
        if stander.id not in state.by_id:
            continue
        if stander.is_open and stander.id not in sight.told:
            found[stander.id] = None
        else:
            here = stander.square
            found[stander.id] = OFF if here in (None, OFF_BOARD) else state.grid.number[str(here)]
    return found
