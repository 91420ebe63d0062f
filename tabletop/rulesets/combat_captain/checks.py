"""What speaks against an action, all at once: whose step it is, what must be thrown first, and what each kind needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabletop.game.violations import Violation
from tabletop.open_table.table_edge import EDGE_SLACK_IN, off_table
from tabletop.open_table.terrain import terrain_violations
from tabletop.rulesets.combat_captain import actions, checks_combat, checks_fire, checks_support
from tabletop.rulesets.combat_captain.covering import COVER
from tabletop.rulesets.combat_captain.data import (
    DICE_PER_TURN,
    MOST_COVER,
)
from tabletop.rulesets.combat_captain.due import due_words, what_is_due
from tabletop.rulesets.combat_captain.firing import CHART
from tabletop.rulesets.combat_captain.formation import places, standing_at
from tabletop.rulesets.combat_captain.refusals import NOT_BEGUN, firm, in_step, no_company, no_sub_unit
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State
from tabletop.rulesets.combat_captain.withdrawing import withdrawal_violations
from tabletop.words import the

MOST_CHITS = 12


def violations(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """Everything that speaks against an action in this state."""
    if isinstance(action, actions.Correct):
        return tuple(_correct(state, action))
    if state.step == "over":
        return (firm("over", f"The game is over: {state.result.reason if state.result else ''}"),)
    match action:
        case actions.Draw() | actions.Erase():
            return tuple(terrain_violations(state, action, (*state.setup.by_id, *state.setup.plans)))
        case actions.Concede():
            return _side(state, action.side)
        case actions.Declare():
            return () if action.winner == "draw" else _side(state, action.winner)
        case actions.Chit():
            return tuple(_chits(state, action))
    due = what_is_due(state, action)
    if due is not None:
        return (due,)
    return tuple(_JUDGE[type(action)](state, action))


def check(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """As :func:`violations`, worked out once for each action."""
    kept = state.memo
    if action not in kept:
        kept[action] = violations(state, action)
    found: tuple[Violation, ...] = kept[action]
    return found


def _side(state: State, side: str) -> tuple[Violation, ...]:
    known = side in state.setup.sides
    return () if known else (firm("unknown-side", f'There is no side "{side}" in this game.'),)


def _put(state: State, action: actions.Put) -> Iterator[Violation]:
    put = tuple(places(state, action.placements))
    names = [place.sub for place in put]
    if len(set(names)) < len(names):
        yield firm("twice", "Name each sub-unit that is put once.")
        return
    for row in action.placements:
        if row.unit in state.setup.by_id and not state.members(row.unit):
            yield firm("gone", f"{row.unit} has no one left.")
    for place in put:
        if place.sub not in state.stands:
            yield no_sub_unit(state, place.sub)
            continue
        yield from _on_table(state, place.sub, place.at)
        if state.combat is not None:
            yield from checks_combat.local_counter_attack(state, place)


def _on_table(state: State, name: str, at: Standing) -> Iterator[Violation]:
    instead = f"say a place on it, or take {name} off the table"
    yield from off_table(state.setup, f"{name} would stand at", [(at.x, at.y)], slack_in=EDGE_SLACK_IN, instead=instead)


def _cover(state: State, action: actions.Cover) -> Iterator[Violation]:
    if not action.subs or len(set(action.subs)) < len(action.subs):
        yield firm("twice", "Name each sub-unit that takes cover once, and at least one.")
    for name in action.subs:
        if name not in state.stands:
            yield no_sub_unit(state, name)
    if not 0 <= action.level <= MOST_COVER:
        yield firm("level", f"Cover has levels from 0 (none) to {MOST_COVER}, and {action.level} was said.", COVER)


def _save(state: State, action: actions.Save) -> Iterator[Violation]:
    if state.saves is None:
        yield firm("nothing-due", "No hits are waiting to be saved.")


def _settle(state: State, action: actions.Settle) -> Iterator[Violation]:
    yield from checks_combat.at_stage(state, "follow", "settling")
    yield from withdrawal_violations(state)


def _spend(state: State, action: actions.Spend) -> Iterator[Violation]:
    gone = no_company(state, action.company)
    if gone:
        yield gone
        return
    yield from in_step(state, "activations", "spending dice")
    if state.setup.by_id[action.company].side != state.side:
        yield Violation("not-your-turn", f"{action.company} is not of the active side.")
    left = DICE_PER_TURN - state.dice_used(action.company)
    if not 1 <= action.dice <= left:
        text = (
            f"{action.company} has {left} of its {DICE_PER_TURN} dice left in this turn, and {action.dice} were said."
        )
        yield Violation("dice-spent", text, CHART)


def _chits(state: State, action: actions.Chit) -> Iterator[Violation]:
    if action.company not in state.setup.by_id:
        yield firm("unknown-unit", f'There is no company "{action.company}" in this game.')
        return
    after = state.chits[action.company] + action.change
    if action.change == 0:
        yield firm("chits", "Say how many morale markers come or go: +1, -1.")
    elif not 0 <= after <= MOST_CHITS:
        had = state.chits[action.company]
        yield firm("chits", f"{action.company} has {had} morale markers; it can have 0 to {MOST_CHITS}, not {after}.")


def _begin(state: State, action: actions.Begin) -> Iterator[Violation]:
    if state.step != "deploy":
        yield firm("begun", "The first turn has begun.")
        return
    for side in state.setup.sides:
        if not any(s.at is not None and state.setup.side_of(s.id) == side for s in state.stands.values()):
            text = f"No stand of {the(state.setup.side_title(side))} is on the table yet: put one there."
            yield Violation("not-placed", text)


def _end(state: State, action: actions.End) -> Iterator[Violation]:
    if state.step == "deploy":
        yield firm("not-begun", NOT_BEGUN, usage=("begin",))
    yield from checks_combat.fought_out(state)


def _correct(state: State, action: actions.Correct) -> Iterator[Violation]:
    plan = state.setup.plans.get(action.sub)
    if plan is None:
        yield no_sub_unit(state, action.sub)
        return
    given = (action.at, action.men, action.cover)
    if action.sub not in state.stands and (action.off or action.at is None):
        yield no_sub_unit(state, action.sub)
    if action.off and (any(value is not None for value in given) or action.lead):
        yield firm("off", f"{action.sub} can't be taken off the table and set right on it at once.")
    if not action.off and all(value is None for value in given) and not action.lead:
        yield firm("nothing", f"Say what about {action.sub} is to be corrected.")
    if action.men is not None and (not plan.soldiers or not 1 <= action.men <= plan.men):
        text = f"{action.sub} has 1 to {plan.men} soldiers" if plan.soldiers else f"{action.sub} has no soldiers"
        yield firm("men", f"{text}, and {action.men} was said.")
    if action.cover is not None and not 0 <= action.cover <= MOST_COVER:
        yield firm("level", f"Cover has levels from 0 to {MOST_COVER}, and {action.cover} was said.", COVER)
    if action.at is not None:
        yield from _on_table(state, action.sub, standing_at(state, action.sub, action.at))
    touched = state.saves is not None and any(slot.sub == action.sub for slot in state.saves.slots)
    under = state.support is not None and action.sub == state.support.under
    if (action.off or action.men is not None) and (touched or under):
        yield firm("due", due_words(state))


_JUDGE: Mapping[type[Any], Callable[..., Iterator[Violation]]] = {
    actions.Put: _put,
    actions.Cover: _cover,
    actions.Begin: _begin,
    actions.Fire: checks_fire.fire,
    actions.Spend: _spend,
    actions.Save: _save,
    actions.Assault: checks_combat.assault,
    actions.Withdraw: checks_combat.withdraw,
    actions.Melee: lambda state, action: checks_combat.at_stage(state, "melee", "the throw"),
    actions.Retreat: lambda state, action: checks_combat.at_stage(state, "retreat", "withdrawing"),
    actions.Settle: _settle,
    actions.TryEvent: checks_support.try_event,
    actions.Choose: checks_support.choose,
    actions.Arrive: checks_support.arrive,
    actions.Shell: checks_support.shell,
    actions.Strafe: checks_support.strafe,
    actions.Attack: checks_support.attack,
    actions.Return: checks_support.shot_back,
    actions.BreakOff: checks_support.break_off,
    actions.Bomb: checks_support.bomb,
    actions.End: _end,
}
