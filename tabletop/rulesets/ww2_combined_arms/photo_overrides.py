"""A photo of a game of WWII Combined Arms as the truth: the corrections that put every unit where it is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.changes.proposals import Proposal
from tabletop.grids.squares.photo_overrides import Overrides
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.seeing import GAME, WW2Sight, squares_seen
from tabletop.rulesets.ww2_combined_arms.seen_moves import plan_moves
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State

_OVERRIDES = Overrides(GAME, within="on")


def corrections(state: State, seen: WW2Sight, _found: object) -> tuple[Proposal, ...]:
    """Where units are otherwise than by the log, in an order in which no two stand on one square; what is not seen, or
    not told for certain, is asked."""
    if state.step in BEFORE:
        return tuple(_before(state, squares_seen(state, seen.sight)))
    return _OVERRIDES.corrections(state, seen.sight)


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
