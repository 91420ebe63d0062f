"""What actions do with their dice: the events of each, in the order in which they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tabletop.open_table.terrain import terrain_event
from tabletop.rulesets.combat_captain import actions, combat, support
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.casualties import casualties, consolidation_events
from tabletop.rulesets.combat_captain.damage import Slot, hits_kept, kept_chances, saves_needed
from tabletop.rulesets.combat_captain.firing import fire_event, volley
from tabletop.rulesets.combat_captain.formation import places, standing_at
from tabletop.rulesets.combat_captain.reducer import apply
from tabletop.rulesets.combat_captain.state import State
from tabletop.words import capital, with_verb

_ATTACK_ON = Fraction(1, 3)


class _Course:
    """Events as they happen one after another, and the state that they lead to."""

    def __init__(self, state: State) -> None:
        self.state, self.events = state, list[ev.Event]()

    def add(self, *events: ev.Event) -> None:
        for event in events:
            self.events.append(event)
            self.state = apply(self.state, event)


def resolve(
    state: State, action: actions.Action, dice: Sequence[int], overruled: tuple[str, ...]
) -> tuple[ev.Event, ...]:
    """The events of a checked action with its dice as rolled."""
    course = _Course(state)
    _RESOLVE[type(action)](course, action, tuple(dice), overruled)
    return tuple(course.events)


# --- hits ------------------------------------------------------------------------------------------------------------


def _spend(course: _Course, action: actions.Spend, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    total = course.state.spent.get(action.company, 0) + action.dice
    course.add(ev.DiceSpent(action.company, action.dice, total, action.reason))


def _hit(course: _Course, slots: Sequence[Slot], hits: int, cause: Any, by: str) -> None:
    """Hits that fall on sub-units: saves that are due, else their casualties."""
    if not hits or not slots:
        return
    if saves_needed(slots, hits):
        side = course.state.setup.side_of(slots[0].sub)
        course.add(ev.SavesDue(side, tuple(slots), hits, cause, by))
        return
    course.add(*casualties(course.state, zip(slots, hits_kept(slots, hits, ()), strict=True), by))


def _fire(course: _Course, action: actions.Fire, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    shot = volley(course.state, action)
    event = fire_event(shot, dice, overruled)
    course.add(event)
    slot = shot.target.slot(0 if event.automatic else shot.cover, 1 if shot.armour else None)
    _hit(course, (slot,), event.hits, "fire", shot.company.id)


def _save(course: _Course, action: actions.Save, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    saves = course.state.saves
    assert saves is not None
    kept = hits_kept(saves.slots, saves.hits, dice)
    chances = kept_chances(saves.slots, saves.hits)
    mean = float(sum((value * chance for value, chance in chances.items()), Fraction(0)))
    course.add(ev.Saved(dice, kept, mean))
    course.add(*casualties(course.state, zip(saves.slots, kept, strict=True), saves.by))
    help_ = course.state.support
    if saves.cause == "combat":
        _wiped_out(course)
    elif help_ is not None and help_.tape is not None and not help_.crossed:
        course.add(ev.RunEnded())


# --- close combat ----------------------------------------------------------------------------------------------------


def fights(state: State, action: actions.Assault) -> tuple[combat.Fight, combat.Fight]:
    """Both sides of a close combat; only the defender has cover."""
    own, _ = combat.fight(state, action.attacker, action.defender, covered=False, first=action.losses)
    calls = dict(call.split("=") for call in action.calls)
    other, _ = combat.fight(state, action.defender, action.attacker, covered=True, first=action.losses, calls=calls)
    return own, other


def _assault(course: _Course, action: actions.Assault, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    state = course.state
    first = state.setup.rules.penalty_first
    own, other = fights(state, action)
    attack, defend = dice[: own.dice_thrown], dice[own.dice_thrown :]
    on_defender = combat.total(attack, combat.ATTACK, own.chits, first)
    on_attacker = combat.total(defend, combat.DEFEND, other.chits, first)
    means = [
        float(_mean(combat.hit_chances(by.dice_thrown, band, by.chits, first)))
        for by, band in ((own, combat.ATTACK), (other, combat.DEFEND))
    ]
    wins = float(combat.win_chance(own, other, first)[0])
    course.add(
        ev.Assaulted(
            action.attacker,
            action.defender,
            attack,
            defend,
            on_defender,
            on_attacker,
            means[0],
            means[1],
            wins,
            overruled,
        )
    )
    course.add(*casualties(course.state, _hits_kept_by_slot(own.slots, on_attacker), action.defender))
    _hit(course, other.slots, on_defender, "combat", action.attacker)
    if course.state.saves is None:
        _wiped_out(course)


def _hits_kept_by_slot(slots: Sequence[Slot], hits: int) -> Iterable[tuple[Slot, int]]:
    return zip(slots, hits_kept(slots, hits, ()), strict=True)


def _wiped_out(course: _Course) -> None:
    """A close combat that leaves nobody on one side is won without a throw."""
    fight = course.state.combat
    assert fight is not None
    own, other = (bool(course.state.members(name, on_table=True)) for name in (fight.attacker, fight.defender))
    if own and other:
        return
    winner = fight.attacker if own else fight.defender if other else ""
    loser = "" if not winner else fight.defender if own else fight.attacker
    course.add(ev.Won(winner, loser, False))


def _melee(course: _Course, action: actions.Melee, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    state, fight = course.state, course.state.combat
    assert fight is not None
    first = state.setup.rules.penalty_first
    own, other, cover = melee_dice(state)
    chits = state.chits[fight.attacker], state.chits[fight.defender]
    attack, defend = dice[:own], dice[own:]
    attack_total = combat.total(attack, combat.DEFEND, chits[0], first)
    defend_total = combat.total(defend, combat.ATTACK, chits[1], first) + cover
    mean = float(_mean(combat.margins(own, other, cover, chits, first)))
    course.add(ev.Fought(attack, defend, attack_total, defend_total, cover, mean))
    ahead = attack_total > defend_total
    winner, loser = (fight.attacker, fight.defender) if ahead else (fight.defender, fight.attacker)
    course.add(ev.Won(winner, loser, True))


def melee_dice(state: State) -> tuple[int, int, int]:
    """Dice of the attacker and of the defender in the second throw, and the defender's cover points."""
    fight = state.combat
    assert fight is not None
    own, other = (state.members(name, on_table=True) for name in (fight.attacker, fight.defender))
    return (
        sum(combat.dice_of(stand) for stand in own),
        sum(combat.dice_of(stand) for stand in other),
        sum(stand.cover for stand in other),
    )


def _retreat(course: _Course, action: actions.Retreat, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    fight = course.state.combat
    assert fight is not None
    chits = course.state.chits[fight.loser]
    course.add(ev.Withdrew(fight.loser, dice, combat.withdrawal_in(dice, chits), True, overruled))
    for n, why in enumerate(("for withdrawing", "for losing the close combat"), 1):
        course.add(ev.ChitsGiven(fight.loser, 1, chits + n, why))


def _withdraw(course: _Course, action: actions.Withdraw, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    chits = course.state.chits[action.company]
    course.add(ev.Withdrew(action.company, dice, combat.withdrawal_in(dice, chits), False, overruled))
    course.add(ev.ChitsGiven(action.company, 1, chits + 1, "for withdrawing"))


def _settle(course: _Course, action: actions.Settle, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    course.add(ev.Settled())


# --- help from off the table -----------------------------------------------------------------------------------------


def _try_event(course: _Course, action: actions.TryEvent, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    course.add(ev.EventRolled(course.state.side, dice, event_of(sum(dice))))


def event_of(total: int) -> Any:
    """What two dice bring [Random Events].

    >>> [event_of(total) for total in (2, 3, 4, 9, 10, 11, 12)]
    ['opponent', 'low-ammunition', 'nothing', 'nothing', 'artillery', 'strafing', 'bombing']
    """
    known = {2: "opponent", 3: "low-ammunition", 10: "artillery", 11: "strafing", 12: "bombing"}
    return known.get(total, "nothing")


def _choose(course: _Course, action: actions.Choose, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    assert course.state.support is not None
    course.add(ev.Chosen(course.state.support.side, action.what))


def _arrive(course: _Course, action: actions.Arrive, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    help_ = course.state.support
    assert help_ is not None and help_.what is not None
    count = support.count_of(help_.what, dice[0], course.state.planes(help_.side))
    course.add(ev.Arrived(help_.side, help_.what, dice[0], count))


def shell_slots(state: State, action: actions.Shell) -> tuple[Slot, ...]:
    """What a cotton ball strikes: each soldier of the stands that it touches, or a vehicle as a whole."""
    if action.at is None:
        return ()
    near = support.stands_touched(state, action.at, support.width_of(state, action), action.sigma_in)
    names = [name for name in near if name not in action.missing]
    counted = support.men_under(action, names)
    return tuple(
        state.stands[name].slot(state.stands[name].cover, counted.get(name, support.at_risk(state.stands[name])))
        for name in names
    )


def shell_dice(slots: Sequence[Slot]) -> int:
    """The saving dice under a shell: of everything that has cover, which counts all round against what falls."""
    return sum(slot.toughness for slot in slots if slot.cover)


def _shell(course: _Course, action: actions.Shell, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    state = course.state
    slots = shell_slots(state, action)
    kept, at = [], 0
    for slot in slots:
        if not slot.cover:
            kept.append(slot.toughness)
            continue
        own = dice[at : at + slot.toughness]
        at += slot.toughness
        kept.append(sum(face > slot.cover for face in own))
    mean = float(sum((slot.toughness * (1 - Fraction(slot.cover, 6)) for slot in slots), Fraction(0)))
    course.add(
        ev.ShellFell(
            action.at,
            support.width_of(state, action),
            tuple(slot.sub for slot in slots),
            dice,
            tuple(kept),
            mean,
            overruled,
            tuple(slot.toughness for slot in slots) if action.men else (),
        )
    )
    stands = [state.stands[slot.sub] for slot in slots]
    whole = [one.slot(slot.cover) if one.plan.soldiers else slot for one, slot in zip(stands, slots, strict=True)]
    course.add(*casualties(course.state, zip(whole, kept, strict=True), "a shell"))


def _strafe(course: _Course, action: actions.Strafe, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    state = course.state
    end = support.tape(action)
    near = support.stands_crossed(state, action.start, end)
    names = tuple(n for n in near if n not in action.missing and state.stands[n].plan.soldiers)
    course.add(ev.TapeLaid(action.start, end, names, overruled))
    if not names:
        course.add(ev.RunEnded())


def soldiers_attacked(state: State, action: actions.Attack) -> int:
    """How many soldiers of the next stand are thrown for."""
    assert state.support is not None
    men = state.stands[state.support.crossed[0]].men
    return men if action.men is None else action.men


def _attack(course: _Course, action: actions.Attack, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    help_ = course.state.support
    assert help_ is not None
    sub = help_.crossed[0]
    made, shots = sum(face >= 5 for face in dice), dice.count(1)
    course.add(ev.Strafed(sub, dice, made, shots, float(len(dice) * _ATTACK_ON)))
    if not shots:
        _run_on(course, sub, made)


def _run_on(course: _Course, sub: str, made: int) -> None:
    """Casualties of a stand under the tape, and the end of the run where it was the last."""
    stand = course.state.stands[sub]
    _hit(course, (stand.slot(stand.cover),), made, "strafing", "a plane")
    help_ = course.state.support
    if help_ is not None and help_.tape is not None and not help_.crossed:
        course.add(ev.RunEnded())


def _return(course: _Course, action: actions.Return, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    help_ = course.state.support
    assert help_ is not None
    made, effect = support.shot_back(help_.roll, dice)
    course.add(ev.ShotBack(dice, effect, made))  # type: ignore[arg-type]
    if effect == "none":
        _run_on(course, help_.under, made)
        return
    stand = course.state.stands[help_.under]
    _hit(course, (stand.slot(stand.cover),), made, "strafing", "a plane")
    course.add(ev.RunEnded())


def _break_off(course: _Course, action: actions.BreakOff, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    help_ = course.state.support
    course.add(ev.RunEnded(all=help_ is None or help_.tape is None))


def _bomb(course: _Course, action: actions.Bomb, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    hit = dice[0] >= 5
    course.add(ev.Bombed(action.target, dice[0], hit, dice[0] == 1))
    if hit:
        slot = course.state.stands[action.target].slot(0)
        course.add(*casualties(course.state, ((slot, slot.toughness),), "a bomb"))


# --- the rest --------------------------------------------------------------------------------------------------------


def _put(course: _Course, action: actions.Put, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    fight = course.state.combat
    holds = fight is not None and fight.winner == fight.defender
    put = tuple(places(course.state, action.placements))
    own = fight is not None and all(course.state.company(place.sub).id == fight.winner for place in put)
    course.add(ev.Placed(put, "local counter-attack" if holds and own else "", overruled))


def _cover(course: _Course, action: actions.Cover, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    course.add(ev.CoverTaken(action.subs, action.level, action.facing))


def _chit(course: _Course, action: actions.Chit, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    total = course.state.chits[action.company] + action.change
    course.add(ev.ChitsGiven(action.company, action.change, total, action.reason))


def _begin(course: _Course, action: actions.Begin, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    course.add(ev.Begun())


def _end(course: _Course, action: actions.End, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    state, setup = course.state, course.state.setup
    following = {"activations": "combat", "combat": "event"}.get(state.step)
    if following is not None:
        touching = combat.touching_pairs(state) if following == "combat" else ()
        course.add(ev.StepEnded(state.turn, state.side, following, touching))  # type: ignore[arg-type]
        return
    for side in setup.sides:
        if not state.alive(side):
            winner = setup.other(side) if state.alive(setup.other(side)) else None
            course.add(ev.Ended(winner, f"{capital(with_verb(setup.side_title(side), 'has', 'have'))} nobody left."))
            return
    last = state.side == setup.sides[1]
    if last and setup.turns and state.turn >= setup.turns:
        course.add(ev.Ended(setup.otherwise or None, f"Turn {state.turn} was the last, and nobody had won before."))
        return
    course.add(ev.StepEnded(state.turn + last, state.other, "activations"))


def _concede(course: _Course, action: actions.Concede, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    setup = course.state.setup
    course.add(ev.Ended(setup.other(action.side), f"{setup.side_title(action.side)} gave up."))


def _declare(course: _Course, action: actions.Declare, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    winner = None if action.winner == "draw" else action.winner
    reason = action.reason or "The players agreed on it"
    reason = f"{reason[:1].upper()}{reason[1:]}"
    course.add(ev.Ended(winner, reason if reason.endswith((".", "!", "?")) else f"{reason}."))


def _correct(course: _Course, action: actions.Correct, dice: tuple[int, ...], overruled: tuple[str, ...]) -> None:
    company = course.state.company(action.sub).id
    at = None if action.at is None else standing_at(course.state, action.sub, action.at)
    course.add(ev.Corrected(**{**vars(action), "at": at}))
    course.add(*consolidation_events(course.state, company))
    fight = course.state.combat
    if fight is not None and fight.stage == "melee":
        _wiped_out(course)


def _terrain(
    course: _Course, action: actions.Draw | actions.Erase, dice: tuple[int, ...], overruled: tuple[str, ...]
) -> None:
    course.add(terrain_event(action))


def _mean(chances: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


_RESOLVE: Mapping[type[Any], Callable[..., None]] = {
    actions.Put: _put,
    actions.Cover: _cover,
    actions.Begin: _begin,
    actions.Fire: _fire,
    actions.Spend: _spend,
    actions.Save: _save,
    actions.Assault: _assault,
    actions.Withdraw: _withdraw,
    actions.Melee: _melee,
    actions.Retreat: _retreat,
    actions.Settle: _settle,
    actions.TryEvent: _try_event,
    actions.Choose: _choose,
    actions.Arrive: _arrive,
    actions.Shell: _shell,
    actions.Strafe: _strafe,
    actions.Attack: _attack,
    actions.Return: _return,
    actions.BreakOff: _break_off,
    actions.Bomb: _bomb,
    actions.Chit: _chit,
    actions.End: _end,
    actions.Concede: _concede,
    actions.Declare: _declare,
    actions.Correct: _correct,
    actions.Draw: _terrain,
    actions.Erase: _terrain,
}
