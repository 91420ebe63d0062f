"""A photo of a measured game as the truth: the corrections that put every unit where it is seen."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tabletop.changes.detection import Changes
from tabletop.changes.proposals import TRUTH_REASON, Proposal, proposed_action
from tabletop.open_table.photo_overrides import elsewhere_words, not_seen_words, stands
from tabletop.open_table.terrain_proposals import terrain_proposals
from tabletop.rulesets.measure import actions
from tabletop.rulesets.measure.play import RULES
from tabletop.rulesets.measure.seeing import as_seen, base_removals, seen_at, which_bases
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State


def corrections(state: State, _sight: object, changes: Changes) -> tuple[Proposal, ...]:
    """Who stands otherwise than by the log, unit by unit; those that are not seen are asked about."""
    units = (one for unit in state.units for one in _unit(state, changes, unit))
    return (*terrain_proposals(state, changes), *units)


def _unit(state: State, changes: Changes, unit: UnitSetup) -> Iterator[Proposal]:
    if not changes.after.rows(unit.id):
        if unit.at:
            gone = actions.Remove(unit.id, TRUTH_REASON)
            yield proposed_action(RULES, state, unit.id, "removed", gone, question=not_seen_words(unit.id))
        return
    if seen_at(changes, unit) is None:
        yield Proposal(unit.id, "moved", question=which_bases(unit))
        return
    far = _farthest_in(unit, changes)
    if far is None or far > 0:
        yield _correction(state, changes, unit, far)
    yield from base_removals(state, changes, unit, TRUTH_REASON)


def _correction(state: State, changes: Changes, unit: UnitSetup, far: float | None) -> Proposal:
    action = as_seen(changes, unit, TRUTH_REASON)
    numbers: dict[str, float] = {}
    what, told = "new", f"{unit.id} is not there by the log and stands here"
    if unit.at:
        what = "moved"
        told = f"{unit.id} has another number of bases than by the log"
        if far is not None:
            told, numbers = elsewhere_words(unit.id, far), {"moved_in": far}
    return proposed_action(RULES, state, unit.id, what, action, told=told, numbers=numbers)


def _farthest_in(unit: UnitSetup, changes: Changes) -> float | None:
    """How far the farthest base stands from where the log has it, 0 where all stand there; ``None`` where there are
    more or fewer bases."""
    at = seen_at(changes, unit)
    if at is None or len(at) != len(unit.at):
        return None
    elsewhere = [(was, now) for was, now in zip(unit.at, at, strict=True) if not stands(was, now)]
    return max((max(math.hypot(now.x - was.x, now.y - was.y), 1e-3) for was, now in elsewhere), default=0.0)
