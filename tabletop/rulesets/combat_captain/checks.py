"""What speaks against an action, all at once: whose step it is, what must be thrown first, and what each kind needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from geometry.tolerance import TOLERANCE, judge_one
from tabletop.game.protocol import Violation
from tabletop.rulesets.combat_captain import acts, combat, support
from tabletop.rulesets.combat_captain.covering import COVER
from tabletop.rulesets.combat_captain.data import (
    COUNTER_ATTACK_IN,
    DICE_PER_TURN,
    MOST_COVER,
    NO,
    OPEN,
    TAPE_IN,
    YES,
)
from tabletop.rulesets.combat_captain.firing import CHART, Volley, may_fire, stationary_violations, volley
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State, Support
from tabletop.toml_source import did_you_mean

STEP_NAMES = {
    "deploy": "the set-up",
    "activations": "the activations",
    "combat": "the close combats",
    "event": "the random event",
    "over": "after the end of the game",
}
MOST_CHITS = 12
_HAND_IN = 0.5


def violations(state: State, action: acts.Action) -> tuple[Violation, ...]:
    """Everything that speaks against an action in this state."""
    if isinstance(action, acts.Correct):
        return tuple(_correcting(state, action))
    if state.step == "over":
        return (firm("over", f"The game is over: {state.result.reason if state.result else ''}"),)
    match action:
        case acts.Concede():
            return _side(state, action.side)
        case acts.Declare():
            return () if action.winner == "draw" else _side(state, action.winner)
        case acts.Chit():
            return tuple(_chits(state, action))
    due = _due(state, action)
    if due is not None:
        return (due,)
    return tuple(_JUDGE[type(action)](state, action))


def firm(code: str, text: str, place: str = "") -> Violation:
    """A violation that not even a referee can lift."""
    return Violation(code, text, place, firm=True)


def due_words(state: State) -> str:
    """What has to be thrown or done before anything else, in a sentence; empty where the side is free to choose."""
    setup = state.setup
    if state.saves is not None:
        hits = "1 hit" if state.saves.hits == 1 else f"{state.saves.hits} hits"
        return f'{setup.side_title(state.saves.side)}: {hits} to be saved, "save".'
    fight, help_ = state.combat, state.support
    if fight is not None:
        match fight.stage:
            case "retreat":
                return f'{fight.loser} lost the close combat and is to withdraw: "retreat".'
            case "follow":
                held = fight.winner == fight.defender
                far = f' up to {COUNTER_ATTACK_IN:g}" forward' if held else " into the ground that was left"
                return f'{fight.winner} won and may be put{far}; then "settle".'
        return f'{fight.attacker} and {fight.defender} are to throw who wins: "melee".'
    if help_ is None:
        return ""
    who = setup.side_title(help_.side)
    if help_.what is None:
        return f'{who} to choose: "choose artillery", "choose strafing" or "choose bombing".'
    if help_.left is None:
        return f'{who} to throw how many come: "arrive".'
    if help_.under:
        return f'The plane of {who} is shot at from {help_.under}: "return".'
    if help_.tape is not None and not help_.crossed:
        return f'Nobody is left under the tape of {who}: "break-off".'
    if help_.tape is not None:
        return f'The plane of {who} comes to {help_.crossed[0]}: "attack", or "break-off".'
    many = f"{help_.left} left"
    match help_.what:
        case "artillery":
            return f'{who}: shells, {many}: "shell at X,Y" for each.'
        case "strafing":
            return f'{who}: planes to strafe, {many}: "strafe from X,Y to X,Y", or "break-off".'
    return f'{who}: planes with bombs, {many}: "bomb TARGET", or "break-off".'


def _due(state: State, action: acts.Action) -> Violation | None:
    """What keeps an action waiting: dice that are due, a combat or help from off the table that is not finished."""
    text = due_words(state)
    fits: tuple[type[object], ...] = ()
    help_, fight = state.support, state.combat
    if state.saves is not None:
        fits = (acts.Save,)
    elif fight is not None:
        stages = {"retreat": (acts.Retreat,), "follow": (acts.Put, acts.Cover, acts.Settle)}
        fits = stages.get(fight.stage, (acts.Melee,))
    elif help_ is not None:
        fits = _of_help(help_)
    if text and not isinstance(action, fits):
        return firm("due", text)
    return None


def _of_help(help_: Support) -> tuple[type[object], ...]:
    if help_.what is None:
        return (acts.Choose,)
    if help_.left is None:
        return (acts.Arrive,)
    if help_.under:
        return (acts.Return,)
    if help_.tape is not None:
        return (acts.Attack, acts.BreakOff)
    return (_HELP[help_.what], acts.BreakOff)


_HELP: Mapping[str, type[object]] = {"artillery": acts.Shell, "strafing": acts.Strafe, "bombing": acts.Bomb}


# --- names -----------------------------------------------------------------------------------------------------------


def missing(state: State, name: str) -> Violation:
    """Why there is no such sub-unit to act or be struck."""
    if name not in state.setup.plans:
        known = sorted(state.setup.plans)
        return firm("unknown-unit", f'There is no sub-unit "{name}" in this game; {did_you_mean(name, known)}')
    why = next((why for gone, why, _ in state.gone if gone == name), None)
    if why is None:
        return firm("not-placed", f'{name} is not on the table: put it there first ("put {name} at X,Y").')
    return firm("gone", f"{name} {'was destroyed' if why == 'destroyed' else 'was taken off the table'}.")


def _side(state: State, side: str) -> tuple[Violation, ...]:
    known = side in state.setup.sides
    return () if known else (firm("unknown-side", f'There is no side "{side}" in this game.'),)


def _no_company(state: State, name: str) -> Violation | None:
    if name in state.setup.by_id:
        if state.members(name):
            return None
        return firm("gone", f"{name} has nobody left.")
    return firm("unknown-unit", f'There is no company "{name}" here; {did_you_mean(name, sorted(state.setup.by_id))}')


def _in_step(state: State, step: str, what: str) -> Iterator[Violation]:
    if state.step == "deploy":
        yield firm("not-begun", 'The first turn has not begun: put everybody where they stand, then "begin".')
    elif state.step != step:
        yield Violation("wrong-step", f"This is {STEP_NAMES[state.step]}; {what} comes with {STEP_NAMES[step]}.")


# --- putting, cover --------------------------------------------------------------------------------------------------


def _put(state: State, action: acts.Put) -> Iterator[Violation]:
    names = [place.sub for place in action.places]
    if not names or len(set(names)) < len(names):
        yield firm("twice", "Name each sub-unit that is put once, and at least one.")
        return
    for place in action.places:
        if place.sub not in state.stands:
            yield missing(state, place.sub)
            continue
        yield from _on_table(state, place.sub, place.at)
        if state.combat is not None:
            yield from _following(state, place)


def _on_table(state: State, name: str, at: Standing) -> Iterator[Violation]:
    setup = state.setup
    inside = min(at.x, setup.width - at.x, at.y, setup.depth - at.y)
    if not math.isfinite(inside) or inside < -_HAND_IN:
        size = f'{setup.width:g}" by {setup.depth:g}"'
        yield firm("off-table", f"{name} would stand at {at.x:.1f}, {at.y:.1f}, off the table of {size}.")


def _following(state: State, place: acts.Place) -> Iterator[Violation]:
    """A winning defender goes at most 6 inches forward, the local counter-attack [Combat resolution]."""
    fight, stand = state.combat, state.stands[place.sub]
    assert fight is not None
    company = state.company(place.sub).id
    if company not in (fight.winner, fight.loser):
        text = f"Only {fight.winner} and {fight.loser} are put now; others wait until that close combat is settled."
        yield Violation("not-in-combat", text, combat.PLACE)
    if company != fight.winner or fight.winner != fight.defender or stand.at is None:
        return
    far = math.hypot(place.at.x - stand.at.x, place.at.y - stand.at.y)
    variance = sum(at.covariance[0] + at.covariance[2] for at in (place.at, stand.at)) / 2
    answer = judge_one(COUNTER_ATTACK_IN - far, math.sqrt(variance))
    if answer < YES:
        text = f'{place.sub} would go {far:.1f}" forward; a local counter-attack goes up to {COUNTER_ATTACK_IN:g}".'
        found = "no" if answer == NO else "too-close"
        yield Violation("too-far", text, combat.PLACE, {"far_in": round(far, 3)}, found)  # type: ignore[arg-type]


def _cover(state: State, action: acts.Cover) -> Iterator[Violation]:
    if not action.subs or len(set(action.subs)) < len(action.subs):
        yield firm("twice", "Name each sub-unit that takes cover once, and at least one.")
    for name in action.subs:
        if name not in state.stands:
            yield missing(state, name)
    if not 0 <= action.level <= MOST_COVER:
        yield firm("level", f"Cover has levels from 0 (none) to {MOST_COVER}, and {action.level} was said.", COVER)


# --- fire ------------------------------------------------------------------------------------------------------------


def fire_faults(state: State, action: acts.Fire) -> list[Violation]:
    """What keeps a fire from being judged at all: names that are not there, and who can't fire together."""
    found: list[Violation] = []
    target = state.stands.get(action.target)
    if target is None or target.at is None:
        found.append(missing(state, action.target))
    company = state.setup.by_id.get(action.company)
    if company is None:
        return [*found, firm("unknown-unit", f'There is no company "{action.company}" in this game.')]
    if target is not None and state.setup.side_of(target.id) == company.side:
        found.append(firm("own-side", f"{target.id} is of {company.id}'s own side."))
    names = [firer.sub for firer in action.firers]
    if len(set(names)) < len(names):
        found.append(firm("twice", "Name each sub-unit that fires once."))
    if not names:
        found.append(firm("nobody", f"Nobody of {company.id} stands on the table with a weapon to fire."))
    if not 1 <= action.dice <= DICE_PER_TURN:
        found.append(firm("dice", f"A unit has {DICE_PER_TURN} dice; fire takes 1 to {DICE_PER_TURN} of them.", CHART))
    for firer in action.firers:
        stand = state.stands.get(firer.sub)
        if stand is None or stand.at is None:
            found.append(missing(state, firer.sub))
            continue
        if state.company(firer.sub).id != company.id:
            text = f"{firer.sub} is of {state.company(firer.sub).id}; only sub-units of one unit fire together."
            found.append(firm("other-unit", text, CHART))
        if not stand.plan.weapons:
            found.append(firm("unarmed", f"{firer.sub} has no weapon."))
        elif firer.weapon and firer.weapon not in {weapon.name for weapon in stand.plan.weapons}:
            has = ", ".join(weapon.name for weapon in stand.plan.weapons)
            found.append(firm("unarmed", f'{firer.sub} has no weapon "{firer.weapon}"; it has {has}.'))
    return found


def _fire(state: State, action: acts.Fire) -> Iterator[Violation]:
    faults = fire_faults(state, action)
    yield from faults
    yield from _in_step(state, "activations", "fire")
    if not faults and state.step != "deploy":
        yield from fire_violations(state, volley(state, action))


def fire_violations(state: State, shot: Volley) -> Iterator[Violation]:
    """What speaks against a fire that can be judged: its turn, its dice, each sub-unit's range, sight and effect."""
    action = shot.action
    if state.setup.by_id[action.company].side != state.side:
        text = f"{state.setup.side_title(state.side)} is active, and {action.company} is of the other side."
        yield Violation("not-your-turn", text)
    most = may_fire(state)
    for one in shot.aims:
        left = most - one.stand.fired
        if action.dice > left:
            low = " with low ammunition" if state.short else ""
            spent = f", and has spent {one.stand.fired}" if one.stand.fired else ""
            text = f"{one.stand.id} may spend {most} dice of its unit on fire in a turn{low}{spent}."
            yield Violation("dice-spent", text, support.EVENTS if state.short else CHART)
    for one in shot.aims:
        yield from one.violations
    yield from shot.violations
    yield from stationary_violations(state, action, shot.aims)
    yield from _calling(shot)


def _calling(shot: Volley) -> Iterator[Violation]:
    names = {one.stand.id: one for one in shot.aims}
    for call in shot.action.calls:
        name, _, value = call.partition("=")
        if value and name not in names:
            yield firm("call", f'"{call}" settles nothing: {name} does not fire here.')
        elif value and value != "seen" and value not in names[name].bands:
            ways = " or ".join(names[name].bands)
            yield Violation("call", f'"{call}" can\'t be: {name} was measured at {ways}.')


def _save(state: State, action: acts.Save) -> Iterator[Violation]:
    if state.saves is None:
        yield firm("nothing-due", "No hits are waiting to be saved.")


# --- close combat ----------------------------------------------------------------------------------------------------


def _assault(state: State, action: acts.Assault) -> Iterator[Violation]:
    gone = [v for v in (_no_company(state, name) for name in (action.attacker, action.defender)) if v]
    yield from gone
    yield from _in_step(state, "combat", "close combat")
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
    if combat.fight(state, defender.id, attacker.id, covered=True)[1]:
        text = f"Whether the cover of {defender.id} faces {attacker.id} is too close to call: look along it."
        yield Violation("open-cover", text, COVER, answer="too-close")


def _contact(state: State, one: str, other: str) -> Iterator[Violation]:
    answer, gap, sigma = combat.contact(state, one, other)
    if answer == YES:
        return
    if not math.isfinite(gap):
        yield firm("no-contact", f"{one} and {other} are not both on the table.", combat.PLACE)
        return
    spread = f" ± {TOLERANCE.sureness * sigma:.2f}" if sigma else ""
    text = f'No stand of {one} touches one of {other}: the nearest are {gap:.2f}"{spread} apart.'
    found = "no" if answer == NO else "too-close"
    numbers = {"gap_in": round(gap, 3)}
    yield Violation("no-contact", text, combat.PLACE, numbers, found)  # type: ignore[arg-type]


def _withdraw(state: State, action: acts.Withdraw) -> Iterator[Violation]:
    gone = _no_company(state, action.company)
    if gone:
        yield gone
        return
    yield from _in_step(state, "combat", "withdrawing from a charge")
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
    if any(action.company in pair for pair in state.fought):
        yield Violation("fought", f"{action.company} has fought in this phase; it runs before, or not.", place)
    chargers = [c.id for c in state.setup.companies if c.side == state.side and state.members(c.id)]
    answers = [combat.contact(state, name, action.company)[0] for name in chargers]
    best = max(answers, default=NO)
    if best < YES:
        found = "no" if best == NO else "too-close"
        text = f"Nobody touches {action.company}, so that it is not charged."
        yield Violation("no-contact", text, place, answer=found)  # type: ignore[arg-type]


def _stage(state: State, stage: str, what: str) -> Iterator[Violation]:
    if state.combat is None or state.combat.stage != stage:
        yield firm(
            "no-combat", f'No close combat is at that: "assault UNIT at UNIT" comes before {what}.', combat.PLACE
        )


# --- help from off the table -----------------------------------------------------------------------------------------


def _try_event(state: State, action: acts.TryEvent) -> Iterator[Violation]:
    yield from _in_step(state, "event", "a random event")
    if state.tried:
        yield Violation("tried", "The random event of this turn has been thrown for.", support.EVENTS)


def _helped(state: State, *whats: str) -> Iterator[Violation]:
    help_ = state.support
    if help_ is None or (whats and help_.what not in whats):
        yield firm("no-help", "No such help from off the table is on its way.", support.EVENTS)


def _choose(state: State, action: acts.Choose) -> Iterator[Violation]:
    yield from _helped(state)
    if state.support is not None and state.support.what is not None:
        yield firm("chosen", f"It is {state.support.what} that comes; nothing is left to choose.", support.EVENTS)


def _arrive(state: State, action: acts.Arrive) -> Iterator[Violation]:
    yield from _helped(state, "artillery", "strafing", "bombing")


def _shell(state: State, action: acts.Shell) -> Iterator[Violation]:
    found = list(_helped(state, "artillery"))
    yield from found
    if found or action.at is None:
        return
    if not (0 < action.width_in <= 6) or not 0 <= action.sigma_in <= 6:
        yield firm("width", f'A cotton ball is more than 0 and at most 6" wide, and {action.width_in:g}" was said.')
        return
    near = support.touched(state, action.at, action.width_in, action.sigma_in)
    yield from _looked(state, near, action.touching, action.missing, "the cotton", support.ARTILLERY)


def _strafe(state: State, action: acts.Strafe) -> Iterator[Violation]:
    found = list(_helped(state, "strafing"))
    yield from found
    far = math.dist(action.start, action.end)
    if far > TAPE_IN + 1e-3:
        text = f'The tape is {TAPE_IN:g}" long, and from there to there it is {far:.1f}".'
        yield firm("tape", text, support.STRAFING)
    elif far < 1e-6:
        yield firm("tape", "A tape needs two different points, or a point and a facing.", support.STRAFING)
    elif not found:
        near = support.crossed(state, action.start, action.end)
        yield from _looked(state, near, action.touching, action.missing, "the tape", support.STRAFING)


def _looked(
    state: State, near: dict[str, int], touching: tuple[str, ...], missed: tuple[str, ...], what: str, place: str
) -> Iterator[Violation]:
    """What is too close to call and nobody looked at, and calls that can't be."""
    for name in (*touching, *missed):
        if name not in state.stands:
            yield missing(state, name)
        elif name in touching and name in missed:
            yield firm("call", f"{name} can't be both touched and missed.")
        elif name in touching and name not in near:
            yield Violation("call", f"{name} is surely clear of {what}.", place)
        elif name in missed and near.get(name) == YES:
            yield Violation("call", f"{name} is surely under {what}.", place)
    for name, answer in near.items():
        if answer == OPEN and name not in touching and name not in missed:
            text = (
                f'Whether {what} touches {name} is too close to call: look, and say "with {name}" or "without {name}".'
            )
            yield Violation("open-touch", text, place, answer="too-close")


def _attack(state: State, action: acts.Attack) -> Iterator[Violation]:
    help_ = state.support
    if help_ is None or not help_.crossed or help_.tape is None:
        yield firm("no-help", "No plane flies along a tape now.", support.STRAFING)
        return
    men = state.stands[help_.crossed[0]].men
    if action.men is not None and not 1 <= action.men <= men:
        yield firm(
            "men", f"{help_.crossed[0]} has {men} soldiers; the tape crosses 1 to {men} of them.", support.STRAFING
        )


def _return(state: State, action: acts.Return) -> Iterator[Violation]:
    if state.support is None or not state.support.under:
        yield firm("no-help", "Nobody has shot back at a plane.", support.STRAFING)


def _break_off(state: State, action: acts.BreakOff) -> Iterator[Violation]:
    yield from _helped(state, "artillery", "strafing", "bombing")


def _bomb(state: State, action: acts.Bomb) -> Iterator[Violation]:
    yield from _helped(state, "bombing")
    target = state.stands.get(action.target)
    if target is None or target.at is None:
        yield missing(state, action.target)
    elif state.support is not None and state.setup.side_of(target.id) == state.support.side:
        yield Violation("own-side", f"{target.id} is of the plane's own side.", support.BOMBING)


# --- the rest --------------------------------------------------------------------------------------------------------


def _chits(state: State, action: acts.Chit) -> Iterator[Violation]:
    if action.company not in state.setup.by_id:
        yield firm("unknown-unit", f'There is no company "{action.company}" in this game.')
        return
    after = state.chits[action.company] + action.change
    if action.change == 0:
        yield firm("chits", "Say how many morale markers come or go: +1, -1.")
    elif not 0 <= after <= MOST_CHITS:
        had = state.chits[action.company]
        yield firm("chits", f"{action.company} has {had} morale markers; it can have 0 to {MOST_CHITS}, not {after}.")


def _begin(state: State, action: acts.Begin) -> Iterator[Violation]:
    if state.step != "deploy":
        yield firm("begun", "The first turn has begun.")
        return
    for side in state.setup.sides:
        if not any(s.at is not None and state.setup.side_of(s.id) == side for s in state.stands.values()):
            text = f'{state.setup.side_title(side)} has nobody on the table yet: "put SUB at X,Y".'
            yield Violation("not-placed", text)


def _end(state: State, action: acts.End) -> Iterator[Violation]:
    if state.step == "deploy":
        yield firm("not-begun", 'The first turn has not begun: put everybody where they stand, then "begin".')


def _correcting(state: State, action: acts.Correct) -> Iterator[Violation]:
    plan = state.setup.plans.get(action.sub)
    if plan is None:
        yield missing(state, action.sub)
        return
    given = (action.at, action.men, action.cover)
    if action.sub not in state.stands and (action.off or action.at is None):
        yield missing(state, action.sub)
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
        yield from _on_table(state, action.sub, action.at)
    touched = state.saves is not None and any(slot.sub == action.sub for slot in state.saves.slots)
    under = state.support is not None and action.sub == state.support.under
    if (action.off or action.men is not None) and (touched or under):
        yield firm("due", due_words(state))


_JUDGE: Mapping[type[Any], Callable[..., Iterator[Violation]]] = {
    acts.Put: _put,
    acts.Cover: _cover,
    acts.Begin: _begin,
    acts.Fire: _fire,
    acts.Save: _save,
    acts.Assault: _assault,
    acts.Withdraw: _withdraw,
    acts.Melee: lambda state, action: _stage(state, "melee", "the throw"),
    acts.Retreat: lambda state, action: _stage(state, "retreat", "withdrawing"),
    acts.Settle: lambda state, action: _stage(state, "follow", "settling"),
    acts.TryEvent: _try_event,
    acts.Choose: _choose,
    acts.Arrive: _arrive,
    acts.Shell: _shell,
    acts.Strafe: _strafe,
    acts.Attack: _attack,
    acts.Return: _return,
    acts.BreakOff: _break_off,
    acts.Bomb: _bomb,
    acts.End: _end,
}
