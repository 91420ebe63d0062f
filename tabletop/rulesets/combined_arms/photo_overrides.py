"""A photo of a game of Combined Arms as the truth: the corrections that put every platoon where it is seen.

Platoons are put where they are measured to stand, whatever the rules make likely. Of the defenders' counters only the
hexes are used, which lie open to everybody; what they are stays with the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.changes.proposals import TRUTH_REASON, Proposal, proposed_action
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.board import NAMES, OFF
from tabletop.rulesets.combined_arms.overlay.forces import Stander
from tabletop.rulesets.combined_arms.platoon_proposals import HexSight
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.state import Platoon, State

_COUNTERS = ("counter", "platoon")


def corrections(state: State, sight: HexSight, _found: object) -> tuple[Proposal, ...]:
    """Where platoons and counters are otherwise than by the log; what is not seen, or not told for certain, is asked.

    Markers and guns are left as they are: once the two are in step, the photo's own questions settle them.
    """
    seen = {one.id: one for one in sight.standers if one.is_platoon}
    found = [one for unit in state.platoons for one in _platoon(state, unit, seen.get(unit.id), sight.told)]
    if sight.counted:
        found += _counters(state, sight)
    return tuple(found)


def _platoon(state: State, unit: Platoon, stander: Stander | None, told: frozenset[str]) -> Iterator[Proposal]:
    if stander is None or stander.footing.cell is None:
        if unit.at != OFF:
            question = f"{unit.id} is in {NAMES[unit.at]} by the log and not on the board: take it off?"
            action = actions.Correct(unit.id, off=True, reason=TRUTH_REASON)
            yield proposed_action(RULES, state, unit.id, "removed", action, question=question)
        return
    footing, facing = stander.footing, stander.facing
    if unit.id not in told and footing.is_doubtful:
        yield Proposal(
            unit.id, "uncertain", question=f"Whether {unit.id} stands in {footing.cell} is open: say so first."
        )
        return
    corner = None if stander.kind != "armour" or facing is None else facing.corner
    if (unit.at != OFF and NAMES[unit.at] == footing.cell) and corner in (None, unit.facing):
        return
    action = actions.Correct(unit.id, to=footing.cell, facing=corner, reason=TRUTH_REASON)
    where = "off the board" if unit.at == OFF else f"in {NAMES[unit.at]}"
    says = f"{unit.id} stands in {footing.cell} and is {where} by the log"
    yield proposed_action(RULES, state, unit.id, "moved", action, told=says)


def _counters(state: State, sight: HexSight) -> Iterator[Proposal]:
    here = {one.footing.cell for one in sight.standers if one.kind in _COUNTERS and one.footing.cell is not None}
    known = {NAMES[at] for at in state.counters}
    for name in sorted(here - known):
        question = f"A counter of the defenders lies in {name}, and the log has none there: add it?"
        action = actions.Correct(hex=name, reason=TRUTH_REASON)
        yield proposed_action(RULES, state, f"counter {name}", "new", action, question=question)
    for name in sorted(known - here):
        question = f"The log has a counter of the defenders in {name}, and none is seen there: take it off?"
        action = actions.Correct(hex=name, off=True, reason=TRUTH_REASON)
        yield proposed_action(RULES, state, f"counter {name}", "removed", action, question=question)
