"""What speaks against what is done in the close combats: meeting, running from a charge, following up."""

from __future__ import annotations

import math
from collections.abc import Iterator

from geometry.tolerance import TOLERANCE, judge_one
from tabletop.game.domains import Choice
from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain import actions, combat
from tabletop.rulesets.combat_captain.covering import COVER
from tabletop.rulesets.combat_captain.data import (
    COUNTER_ATTACK_IN,
    NO,
    YES,
)
from tabletop.rulesets.combat_captain.events import Place
from tabletop.rulesets.combat_captain.refusals import firm, in_step, no_company
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State
from tabletop.words import inches


def local_counter_attack(state: State, place: Place) -> Iterator[Violation]:
    """A winning defender goes at most 6 inches forward, the local counter-attack [Combat resolution]."""
    fight = state.combat
    assert fight is not None
    company = state.company(place.sub).id
    if company not in (fight.winner, fight.loser):
        text = f"Only {fight.winner} and {fight.loser} are put now; others wait until that close combat is settled."
        yield Violation("not-in-combat", text, combat.PLACE)
    start = counter_attack_from(state, place.sub)
    if start is None:
        return
    far = math.hypot(place.at.x - start.x, place.at.y - start.y)
    variance = sum(at.covariance[0] + at.covariance[2] for at in (place.at, start)) / 2
    answer = judge_one(COUNTER_ATTACK_IN - far, math.sqrt(variance))
    if answer < YES:
        text = (
            f"{place.sub} would end {inches(far, [COUNTER_ATTACK_IN])} from where it fought; a local counter-attack"
            f" goes up to {COUNTER_ATTACK_IN:g}″."
        )
        found = "no" if answer == NO else "too-close"
        yield Violation("too-far", text, combat.PLACE, {"far_in": round(far, 3)}, found)  # type: ignore[arg-type]


def counter_attack_from(state: State, sub: str) -> Standing | None:
    """Where a sub-unit fought that makes a local counter-attack now; ``None`` for all others."""
    fight, stand = state.combat, state.stands[sub]
    if fight is None or stand.at is None or state.company(sub).id != fight.winner or fight.winner != fight.defender:
        return None
    return next((at for name, at in fight.stood if name == sub), stand.at)


def assault(state: State, action: actions.Assault) -> Iterator[Violation]:
    gone = [v for v in (no_company(state, name) for name in (action.attacker, action.defender)) if v]
    yield from gone
    yield from in_step(state, "combat", "close combat")
    if gone or state.step == "deploy":
        return
    attacker, defender = (state.setup.by_id[name] for name in (action.attacker, action.defender))
    if attacker.side == defender.side:
        yield firm("own-side", f"{attacker.id} and {defender.id} are of one side.")
        return
    if attacker.side != state.side:
        text = f"The attacker is the active player, {state.setup.side_title(state.side)}: name its company first."
        yield firm("attacker", text, combat.PLACE)
    members = {stand.id for name in (attacker.id, defender.id) for stand in state.members(name, on_table=True)}
    for name in action.losses:
        if name not in members:
            yield firm("unknown-unit", f"{name} is in neither company of this close combat.")
    yield from _contact(state, attacker.id, defender.id)
    if (attacker.id, defender.id) in state.fought:
        yield Violation("fought", f"{attacker.id} and {defender.id} have fought in this phase.", combat.PLACE)
    yield from _cover_calls(state, action)


def _cover_calls(state: State, action: actions.Assault) -> Iterator[Violation]:
    """Cover of defenders that is to be looked along, and calls on cover that can't be."""
    calls = dict(call.split("=") for call in action.calls)
    for name in combat.fight(state, action.defender, action.attacker, covered=True, calls=calls)[1]:
        text = f"Whether the cover of {name} faces {action.attacker} is too close to call: look along it, and say."
        usage = (f"measured {name}=covered", f"measured {name}=uncovered")
        choices = (
            Choice(f"{name}=covered", f"The cover of {name} faces {action.attacker}"),
            Choice(f"{name}=uncovered", f"The cover of {name} does not face {action.attacker}"),
        )
        yield Violation("open-cover", text, COVER, answer="too-close", field="calls", choices=choices, usage=usage)
    defenders = {stand.id: stand for stand in state.members(action.defender, on_table=True)}
    for name, call in calls.items():
        if name not in defenders:
            yield firm("call", f"Cover of {name} settles nothing: {name} does not defend here.")
            continue
        level, is_open = combat.cover_in(state, defenders[name], action.attacker)
        if not is_open and (call == "covered") != bool(level):
            what = f"is in cover {level} that faces" if level else "has no cover that faces"
            text = f"{name} can't be called {call}: it {what} {action.attacker}."
            yield Violation("call", text, COVER)


def _contact(state: State, one: str, other: str) -> Iterator[Violation]:
    answer, gap, sigma = combat.contact(state, one, other)
    if answer == YES:
        return
    if not math.isfinite(gap):
        yield firm("no-contact", f"{one} and {other} are not both on the table.", combat.PLACE)
        return
    spread = f" ± {TOLERANCE.sureness * sigma:.2f}" if sigma else ""
    text = f"No stand of {one} touches one of {other}: the nearest are {gap:.2f}″{spread} apart."
    found = "no" if answer == NO else "too-close"
    numbers = {"gap_in": round(gap, 3)}
    yield Violation("no-contact", text, combat.PLACE, numbers, found)  # type: ignore[arg-type]


def withdraw(state: State, action: actions.Withdraw) -> Iterator[Violation]:
    gone = no_company(state, action.company)
    if gone:
        yield gone
        return
    yield from in_step(state, "combat", "withdrawing from a charge")
    if state.step == "deploy":
        return
    place = "Combat resolution, Questions and Answers"
    if state.setup.by_id[action.company].side == state.side:
        text = f"{action.company} is of the active side; only who is charged may withdraw."
        yield Violation("attacker", text, place)
        return
    if action.company in state.ran:
        text = f"{action.company} has run once in this phase; charged again it has to fight."
        yield Violation("ran", text, place)
    chargers = [c.id for c in state.setup.companies if c.side == state.side and state.members(c.id)]
    touch = {name: combat.contact(state, name, action.company)[0] for name in chargers}
    fresh = [answer for name, answer in touch.items() if (name, action.company) not in state.fought]
    best = max(fresh, default=NO)
    if best == NO and max(touch.values(), default=NO) > NO:
        text = f"{action.company} has fought all that touch it in this phase; it runs before that, or not."
        yield Violation("fought", text, place)
    elif best < YES:
        found = "no" if best == NO else "too-close"
        text = f"No enemy touches {action.company}, so it is not charged."
        yield Violation("no-contact", text, place, answer=found)  # type: ignore[arg-type]


def at_stage(state: State, stage: str, what: str) -> Iterator[Violation]:
    if state.combat is None or state.combat.stage != stage:
        text = f"No close combat is at that: an assault comes before {what}."
        yield firm("no-combat", text, combat.PLACE, usage=("assault COMPANY at COMPANY",))


def left_to_fight(state: State) -> tuple[tuple[str, str], ...]:
    """Companies that touched as the close combats began, touch still, and have not fought yet in this phase."""
    if state.step != "combat":
        return ()
    return tuple(
        pair
        for pair in state.touching
        if pair not in state.fought and all(map(state.members, pair)) and combat.contact(state, *pair)[0] == YES
    )


def fought_out(state: State) -> Iterator[Violation]:
    """Close combats that are due before the step ends: they are resolved, not chosen [Combat resolution]."""
    for one, other in left_to_fight(state):
        text = f"{one} and {other} touch: fight their assault first, or put whoever ran where they stand now."
        yield Violation("to-fight", text, combat.PLACE, usage=(f"assault {one} at {other}",))
