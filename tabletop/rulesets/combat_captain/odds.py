"""Exact odds of every throw before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tabletop.game.protocol import NO_DICE, Dice, Odds
from tabletop.rulesets.combat_captain import actions, combat, support
from tabletop.rulesets.combat_captain.checks import check
from tabletop.rulesets.combat_captain.damage import kept_chances, saves_needed
from tabletop.rulesets.combat_captain.data import FACES, WITHDRAWAL_DICE
from tabletop.rulesets.combat_captain.firing import fire_event, fire_odds, volley
from tabletop.rulesets.combat_captain.resolving import (
    event_of,
    fights,
    melee_dice,
    shell_dice,
    shell_slots,
    soldiers_attacked,
)
from tabletop.rulesets.combat_captain.state import State

_SIXTH = Fraction(1, 6)


def dice(state: State, action: actions.Action) -> Dice:
    """The dice that an action needs now; none where nothing is thrown, or for one that can't be judged."""
    return NO_DICE if any(v.firm for v in check(state, action)) else _dice(state, action)


def dice_suffice(state: State, action: actions.Action, dice: Sequence[int]) -> bool:
    """Whether the dice of those who fire make 100 points or more, which kill without another die [Fire Chart]."""
    if not isinstance(action, actions.Fire) or any(v.firm for v in check(state, action)):
        return False
    shot = volley(state, action)
    return len(dice) == sum(shot.throws) and fire_event(shot, dice, ()).automatic


def odds(state: State, action: actions.Action) -> Odds | None:
    """The exact odds of an action; ``None`` for one without dice, or that can't be judged."""
    return _odds(state, action) if dice(state, action).count else None


def _dice(state: State, action: actions.Action) -> Dice:
    count = 0
    match action:
        case actions.Fire():
            count = volley(state, action).dice
        case actions.Save() if state.saves is not None:
            count = saves_needed(state.saves.slots, state.saves.hits)
        case actions.Assault():
            count = sum(fight.dice_thrown for fight in fights(state, action))
        case actions.Melee() if state.combat is not None:
            count = sum(melee_dice(state)[:2])
        case actions.Withdraw() | actions.Retreat():
            count = WITHDRAWAL_DICE
        case actions.TryEvent():
            count = 2
        case actions.Arrive() | actions.Bomb():
            count = 1
        case actions.Shell():
            count = shell_dice(shell_slots(state, action))
        case actions.Attack() if state.support is not None and state.support.crossed:
            count = soldiers_attacked(state, action)
        case actions.Return() if state.support is not None:
            count = state.support.roll.count(1)
    return Dice(count, FACES) if count else NO_DICE


def _odds(state: State, action: actions.Action) -> Odds | None:
    match action:
        case actions.Fire():
            return fire_odds(state, volley(state, action))
        case actions.Save():
            return _save(state)
        case actions.Assault():
            return _assault(state, action)
        case actions.Melee():
            return _melee(state)
        case actions.Withdraw() | actions.Retreat():
            assert isinstance(action, actions.Withdraw) or state.combat is not None
            who = action.company if isinstance(action, actions.Withdraw) else state.combat.loser  # type: ignore[union-attr]
            return Odds("inches", combat.withdrawal_chances(state.chits[who]))
        case actions.TryEvent():
            return _event()
        case actions.Arrive():
            return _arrive(state)
        case actions.Bomb():
            also = {"plane lost": _SIXTH}
            return Odds("destroyed", {0: Fraction(2, 3), 1: Fraction(1, 3)}, also)
        case actions.Shell():
            return _shell(state, action)
        case actions.Attack():
            return _attack(state, action)
        case actions.Return():
            assert state.support is not None
            found, breaks, crashes = support.shot_back_chances(state.support.roll)
            return Odds("casualties", dict(sorted(found.items())), {"breaks off": breaks, "crashes": crashes})
    return None


def _save(state: State) -> Odds:
    saves = state.saves
    assert saves is not None
    chances = kept_chances(saves.slots, saves.hits)
    whole = sum(slot.toughness for slot in saves.slots)
    words = tuple(f"{slot.sub} saves with {slot.cover} or less" for slot in saves.slots if slot.cover)
    lost = sum((chance for kept, chance in chances.items() if kept >= whole), Fraction(0))
    return Odds("hits", chances, {"destroyed": lost} if len(saves.slots) == 1 else {}, words)


def _assault(state: State, action: actions.Assault) -> Odds:
    first = state.setup.rules.penalty_first
    own, other = fights(state, action)
    wins, holds = combat.win_chance(own, other, first)
    on_own = combat.hit_chances(other.dice_thrown, combat.DEFEND, other.chits, first)
    mean = float(sum((value * chance for value, chance in on_own.items()), Fraction(0)))
    words = (
        f"{own.dice_thrown} dice against {other.dice_thrown}",
        f"{mean:.1f} hits on {action.attacker} on average",
        f"{action.attacker} wins {float(wins):.1%} of such combats in the end",
    )
    also = {"attacker wins": wins, "defender wins": holds}
    return Odds("hits", combat.hit_chances(own.dice_thrown, combat.ATTACK, own.chits, first), also, words)


def _melee(state: State) -> Odds:
    fight = state.combat
    assert fight is not None
    own, other, cover = melee_dice(state)
    chits = state.chits[fight.attacker], state.chits[fight.defender]
    chances = combat.margins(own, other, cover, chits, state.setup.rules.penalty_first)
    wins = sum((chance for margin, chance in chances.items() if margin > 0), Fraction(0))
    words = (f"{own} odd dice against {other} even ones and {cover} for cover",)
    return Odds("margin", chances, {"attacker wins": wins, "defender wins": 1 - wins}, words)


def _event() -> Odds:
    totals: dict[int, Fraction] = {}
    named: dict[str, Fraction] = {}
    for a in FACES:
        for b in FACES:
            totals[a + b] = totals.get(a + b, Fraction(0)) + _SIXTH**2
            named[event_of(a + b)] = named.get(event_of(a + b), Fraction(0)) + _SIXTH**2
    return Odds("total", dict(sorted(totals.items())), {name.replace("-", " "): p for name, p in named.items()})


def _arrive(state: State) -> Odds:
    help_ = state.support
    assert help_ is not None and help_.what is not None
    found: dict[int, Fraction] = {}
    for face in FACES:
        count = support.count_of(help_.what, face, state.planes(help_.side))
        found[count] = found.get(count, Fraction(0)) + _SIXTH
    return Odds("shells" if help_.what == "artillery" else "planes", found)


def _shell(state: State, action: actions.Shell) -> Odds:
    slots = shell_slots(state, action)
    found: Mapping[int, Fraction] = {0: Fraction(1)}
    for slot in slots:
        stays = 1 - Fraction(slot.cover, len(FACES))
        found = _together(found, support.binomial(slot.toughness, stays))
    words = tuple(f"{slot.sub}: cover {slot.cover}" for slot in slots)
    return Odds("losses", dict(sorted(found.items())), words=words)


def _attack(state: State, action: actions.Attack) -> Odds:
    count = soldiers_attacked(state, action)
    back = 1 - Fraction(5, 6) ** count
    return Odds("casualties", support.binomial(count, Fraction(1, 3)), {"shot at": back})


def _together(one: Mapping[int, Fraction], other: Mapping[int, Fraction]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for a, p in one.items():
        for b, q in other.items():
            if p * q:
                found[a + b] = found.get(a + b, Fraction(0)) + p * q
    return found
