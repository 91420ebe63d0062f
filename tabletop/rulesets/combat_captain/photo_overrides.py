"""A photo of a game of Combat Captain as the truth: the corrections that put every sub-unit where it is seen."""

from __future__ import annotations

from tabletop.changes.detection import Changes
from tabletop.changes.proposals import Proposal
from tabletop.open_table.photo_overrides import corrections_of
from tabletop.rulesets.combat_captain.actions import Correct
from tabletop.rulesets.combat_captain.state import State


def corrections(state: State, _sight: object, changes: Changes) -> tuple[Proposal, ...]:
    """Who stands otherwise than by the log, one by one; those that are not seen are asked about."""
    places = ((name, state.stands[name].at if name in state.stands else None) for name in state.setup.plans)
    return corrections_of(state, changes, places, Correct)
