"""A photo of a game of WWII Combined Arms as the truth: the corrections that put every unit where it is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.changes.proposals import Proposal
from tabletop.grids.squares.seeing import REASON, correction
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.data import HQ
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.reducer import apply
from tabletop.rulesets.ww2_combined_arms.seeing import GAME, WW2Sight, squares_seen
from tabletop.rulesets.ww2_combined_arms.seen_moves import plan_moves
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State


def corrections(state: State, seen: WW2Sight, _found: object) -> tuple[Proposal, ...]:
    """Where units are otherwise than by the log, in an order in which no two stand on one square; what is not seen, or
    not told for certain, is asked. Units that stand on one another's squares are taken off for a moment."""
    squares = squares_seen(state, seen.sight)
    if state.step in BEFORE:
        return tuple(_before(state, squares))
    return (*_questions(state, squares), *_put(state, squares))


def _before(state: State, squares: Mapping[str, int | None]) -> Iterator[Proposal]:
    """Units are placed as they are seen; what is placed elsewhere is taken back by the players."""
    known = {name: at for name, at in squares.items() if at is not None and at != OFF}
    for one in plan_moves(state, {name: at for name, at in known.items() if state.by_id[name].fate == "waiting"}):
        yield Proposal(
            one.unit, "new", one.action, ACTIONS.text(one.action), one.violations, certain=not one.violations
        )
    for name, at in known.items():
        unit, names = state.by_id[name], state.grid.names
        if OFF != unit.at != at:
            told = f"{name} stands on {names[at]} and was placed on {names[unit.at]}"
            yield Proposal(name, "moved", question=f"{told}: take the placement back, or move it back.")


def _questions(state: State, squares: Mapping[str, int | None]) -> Iterator[Proposal]:
    for unit in state.units:
        at = squares.get(unit.id, OFF)
        if at is None:
            yield Proposal(unit.id, "uncertain", question=f"On which square {unit.id} stands is open: say so first.")
        elif at == OFF != unit.at:
            question = f"{unit.id} is on {state.grid.names[unit.at]} by the log and not on the board: take it off?"
            yield correction(GAME, state, unit.id, "removed", None, REASON, question)


def _put(state: State, squares: Mapping[str, int | None]) -> Iterator[Proposal]:
    """Corrections one after another, each judged after those before it."""
    left = {name: at for name, at in squares.items() if at is not None and at != OFF and at != state.by_id[name].at}
    names, after = state.grid.names, state
    while left and after.step != "over":
        free = next((name for name, at in left.items() if at not in after.there), None)
        if free is None and (circle := _in_a_circle(after, left)) is not None:
            found = correction(GAME, after, circle, "removed", None, "lifted to make room")
        else:
            name = free or next(iter(left))
            unit, to = state.by_id[name], names[left.pop(name)]
            was = "off the board" if unit.at == OFF else f"on {names[unit.at]}"
            told = f"{name} stands on {to} and is {was} by the log"
            found = correction(GAME, after, name, "moved", to, REASON, told=told)
        yield found
        if isinstance(found.action, actions.Correct) and not found.violations:
            for event in RULES.resolve(after, found.action, ()):
                after = apply(after, event)


def _in_a_circle(state: State, left: Mapping[str, int]) -> str | None:
    """A unit to lift where all that are left stand on one another's squares; no headquarters, which would end the
    game."""
    standing = (name for name in left if state.by_id[name].at != OFF and state.by_id[name].kind != HQ)
    return next((name for name in standing if any(at == state.by_id[name].at for at in left.values())), None)
