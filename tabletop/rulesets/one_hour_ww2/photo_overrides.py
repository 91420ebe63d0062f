"""A photo of a game of One-Hour WWII as the truth: the corrections that put every unit where it is seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tabletop.changes.detection import Changes
from tabletop.changes.proposals import TRUTH_REASON, Proposal, proposed_action
from tabletop.identity.table_snapshot import BaseSighting
from tabletop.identity.unit_motion import match_pieces, spread_in, turn_between
from tabletop.open_table.photo_overrides import SAME_DEG, SAME_IN, elsewhere_words, not_seen_words
from tabletop.open_table.seeing import bases_of_pieces
from tabletop.open_table.setup import standings_of
from tabletop.open_table.terrain_proposals import terrain_proposals
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State


def corrections(state: State, _sight: object, changes: Changes) -> tuple[Proposal, ...]:
    """Where units stand otherwise than by the log, unit by unit; those that are not seen are asked about.

    Markers are left as they are: once the two are in step, the photo's own questions settle them.
    """
    units = (one for plan in state.setup.units for one in _unit(state, changes, plan))
    return (*terrain_proposals(state, changes), *units)


def _unit(state: State, changes: Changes, plan: UnitSetup) -> Iterator[Proposal]:
    pieces = [changes.after.pieces[i] for i in changes.after.rows(plan.id)]
    unit = state.unit(plan.id)
    if not pieces and unit is not None:
        action = actions.Correct(plan.id, TRUTH_REASON, off=True)
        yield proposed_action(RULES, state, plan.id, "removed", action, question=not_seen_words(plan.id))
    elif pieces and len(pieces) != len(plan.bases):
        question = f"{len(pieces)} of the {len(plan.bases)} bases of {plan.id} are seen: name the others, or add them."
        yield Proposal(plan.id, "uncertain", question=question)
    elif pieces:
        known = _of_game(changes, plan.id)
        order = _in_order(known, pieces, plan)
        if unit is not None and _stands(known, order):
            return
        action = actions.Correct(plan.id, TRUTH_REASON, standings_of(bases_of_pieces(order)))
        what, told, numbers = (
            "new",
            f"{plan.id} is {state.why_off.get(plan.id, 'not there')} by the log and stands here",
            {},
        )
        if unit is not None:
            far = max(float(np.linalg.norm(a.center - b.center)) for a, b in zip(known, order, strict=True))
            what, told, numbers = "moved", elsewhere_words(plan.id, far), {"moved_in": far}
        yield proposed_action(RULES, state, plan.id, what, action, told=told, numbers=numbers)


def _of_game(changes: Changes, unit_id: str) -> list[BaseSighting]:
    return [changes.before.pieces[i] for i in changes.before.rows(unit_id)]


def _in_order(known: Sequence[BaseSighting], seen: Sequence[BaseSighting], plan: UnitSetup) -> list[BaseSighting]:
    """The seen bases in the order of the unit's own, each nearest to where it was; the unique one in its row."""
    went = dict(match_pieces(known, seen)) if known else {}
    if not went:
        went = dict([(plan.unique, j) for j, piece in enumerate(seen) if piece.unique][:1])
    left = [piece for j, piece in enumerate(seen) if j not in went.values()]
    return [seen[went[i]] if i in went else left.pop(0) for i in range(len(plan.bases))]


def _stands(known: Sequence[BaseSighting], seen: Sequence[BaseSighting]) -> bool:
    """Whether each base stands and faces as the game has it, as far as was measured."""
    for before, after in zip(known, seen, strict=True):
        if float(np.linalg.norm(before.center - after.center)) > SAME_IN + 3 * spread_in(before, after):
            return False
        turned = turn_between(before, after)
        if turned is not None and abs(turned) > SAME_DEG + 3 * math.hypot(before.facing_sigma, after.facing_sigma):
            return False
    return True
