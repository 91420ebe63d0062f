"""What no sequence of events may ever make of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabletop.rulesets.combat_captain.data import MOST_COVER, MOST_PLANES
from tabletop.rulesets.combat_captain.state import State

if TYPE_CHECKING:
    pass


def invariant_violations(state: State) -> tuple[str, ...]:
    """What is wrong with a state that no sequence of events should make; empty where nothing is."""
    setup, found = state.setup, []
    gone = [name for name, _, _ in state.gone]
    if sorted([*state.stands, *gone]) != sorted(setup.plans):
        found.append(f"The sub-units that fight on {sorted(state.stands)} and those gone {gone} are not the forces.")
    for stand in state.stands.values():
        if stand.plan.soldiers and not 1 <= stand.men <= stand.plan.men:
            found.append(f"{stand.id} has {stand.men} of {stand.plan.men} soldiers.")
        if stand.fired < 0 or not 0 <= stand.cover <= MOST_COVER:
            found.append(f"{stand.id} has spent {stand.fired} dice on fire and is in cover {stand.cover}.")
    for company in setup.companies:
        members = state.members(company.id)
        if sum(bool(stand.losses) for stand in members if stand.plan.soldiers) > 1:
            found.append(f"{company.id} has several sub-units with men missing.")
        if members and state.leaders[company.id] not in state.stands:
            found.append(f"{company.id} is led by {state.leaders[company.id]}, who is gone.")
        if state.chits[company.id] < 0:
            found.append(f"{company.id} has {state.chits[company.id]} morale markers.")
    if any(not 0 <= lost <= MOST_PLANES for lost in state.planes_lost.values()):
        found.append(f"Planes lost: {dict(state.planes_lost)}.")
    if state.support is not None and any(name not in state.stands for name in state.support.crossed):
        found.append("A tape lies over a stand that is gone.")
    if state.saves is not None and any(slot.sub not in state.stands for slot in state.saves.slots):
        found.append("A stand that is gone is to save.")
    if (state.step == "over") != (state.result is not None):
        found.append("A game is over exactly when it has an outcome.")
    return tuple(found)
