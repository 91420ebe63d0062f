"""Casualties: soldiers off, sub-units removed, what is left of a company consolidated, the nearest leader promoted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.damage import Slot
from tabletop.rulesets.combat_captain.reducer import apply
from tabletop.rulesets.combat_captain.state import Stand, State


def casualties(state: State, kept: Iterable[tuple[Slot, int]], by: str) -> list[ev.Event]:
    """The events of hits that stay on sub-units: losses, then each company consolidated and led again.

    A vehicle, half-track or tank that keeps fewer hits than destroy it keeps nothing of them [Fire Chart].
    """
    found: list[ev.Event] = []

    def happen(event: ev.Event) -> None:
        nonlocal state
        found.append(event)
        state = apply(state, event)

    touched: dict[str, None] = {}
    for slot, hits in kept:
        if not hits:
            continue
        touched[state.company(slot.sub).id] = None
        if hits >= slot.toughness:
            happen(ev.Destroyed(slot.sub, by))
        elif not slot.whole:
            happen(ev.Lost(slot.sub, hits, state.stands[slot.sub].men - hits, by))
    for company in touched:
        for event in consolidation_events(state, company, by):
            happen(event)
    return found


def consolidation_events(state: State, company: str, by: str = "") -> Iterator[ev.Event]:
    """What a company does after losses: it consolidates them on one sub-unit and promotes a new leader."""
    while True:
        short = [stand for stand in state.members(company) if stand.plan.soldiers and stand.losses]
        if len(short) < 2:
            break
        giver, taker = _giver(short), None
        taker = next(stand for stand in short if stand.id != giver.id)
        men = min(giver.men, taker.losses)
        made: list[ev.Event] = [ev.Consolidated(giver.id, taker.id, men)]
        if men == giver.men:
            made.append(ev.Destroyed(giver.id, by))
        for event in made:
            yield event
            state = apply(state, event)
    if (new := heir(state, company)) is not None:
        yield ev.Promoted(company, new)


def _giver(short: list[Stand]) -> Stand:
    """Who bears a company's losses: a rifle squad before heavy weapons, the one with most men missing before others.

    The text wants one sub-unit with missing men and leaves to its player which; this is the usual wish.
    """
    return min(short, key=lambda stand: (stand.plan.kind != "rifles", -stand.losses))


def heir(state: State, company: str) -> str | None:
    """Who is to lead a company whose leader is gone: the sub-unit nearest to where it stood [Leadership Figures]."""
    leader = state.leaders[company]
    members = state.members(company)
    if leader in state.stands or not members:
        return None
    grave = state.graves.get(leader)

    def far(stand: Stand) -> float:
        if grave is None or stand.at is None:
            return math.inf
        return math.hypot(stand.at.x - grave.x, stand.at.y - grave.y)

    return min(members, key=far).id
