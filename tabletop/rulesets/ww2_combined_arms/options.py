"""What may be done now: all legal actions, options with reasons, random players, invariants."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.game.domains import Domain
from tabletop.game.option_maker import OptionMaker
from tabletop.game.protocol import Option
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS
from tabletop.rulesets.ww2_combined_arms.armies import random_army, ready_made
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import (
    damage,
    defence,
    destinations,
    in_range,
    is_covered,
    may_attack,
    reach,
    retreats,
    targets,
)
from tabletop.rulesets.ww2_combined_arms.checks import free_middle, side_to_act, side_to_place, violations
from tabletop.rulesets.ww2_combined_arms.data import AIRFIELD, BASES, HQ, KINDS, OTHER, SIDES
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State, Unit

_Options = OptionMaker[State]
REINFORCING = tuple(kind for kind in KINDS if kind not in BASES)


# --- all legal actions of a turn -------------------------------------------------------------------------------------


def legal(state: State) -> Iterator[actions.Action]:
    """Every legal action of the side that has the next choice, from the first turn on; giving up and what only a
    referee does are left out. In a fixed order."""
    names = state.grid.names
    if state.step == "over" or state.step in BEFORE:
        return
    if state.pressed:
        unit = state.by_id[state.pressed]
        yield from (actions.Retreat(unit.id, names[n]) for n in retreats(state, unit))
        return
    if state.step == "reinforce":
        free = [n for n in state.setup.back_row(state.acting) if n not in state.there]
        yield from (actions.Reinforce(kind, names[n]) for kind in REINFORCING for n in free)
        yield actions.Hold()
        return
    for unit in state.on_board[state.acting]:
        if state.step == "move":
            yield from (actions.Move(unit.id, names[n]) for n in destinations(state, unit))
        else:
            yield from (actions.Attack(unit.id, enemy.id) for enemy in targets(state, unit))
    yield actions.End()


# --- options ---------------------------------------------------------------------------------------------------------


def options(state: State) -> tuple[Option, ...]:
    """Everything that may be wished now; what is not legal carries its reasons."""
    if state.step == "over":
        return ()
    make = OptionMaker(ACTIONS, state, violations, side=side_to_act(state) or "")
    found = list(_candidates(make))
    if state.step not in BEFORE:
        found += [make(actions.Concede(side), side, legal=True) for side in SIDES]
    return tuple(found)


def _candidates(make: _Options) -> Iterator[Option]:
    state = make.state
    match "pressed" if state.pressed else state.step:
        case "pressed" | "reinforce":
            yield from (make(action, target=getattr(action, "to", None), legal=True) for action in legal(state))
        case "cities":
            yield make(actions.Draw(), legal=True)
            for name in (state.grid.names[n] for n in free_middle(state)):
                yield make(actions.City(name), target=name, legal=True)
        case "armies":
            yield from _armies(make)
        case "first":
            yield from (make(actions.First(side), side, legal=True) for side in SIDES)
        case "elites":
            own = (unit for unit in state.units if unit.side == make.side)
            yield from (make(actions.Elite(make.side, unit.id), legal=not unit.elite) for unit in own)
            yield make(actions.Elite(make.side), legal=True)
        case "place":
            yield from _place(make)
        case "move":
            yield from _move(make)
        case "attack":
            yield from _attack(make)


def _armies(make: _Options) -> Iterator[Option]:
    state = make.state
    for side in SIDES:
        if state.has_army(side):
            continue
        yield from (make(army, side, legal=True) for army in ready_made(side, state.setup.limits))
        advice = "kinds of units and how many of each"
        yield make.open(actions.Army, {"side": side}, {"units": None}, side, advice=advice)


def _place(make: _Options) -> Iterator[Option]:
    """The first unit of each type that waits, on every free square: units of a type are alike; or all that wait."""
    state = make.state
    first: dict[tuple[str, bool], Unit] = {}
    for unit in state.waiting(make.side):
        first.setdefault((unit.kind, unit.elite), unit)
    free = [state.grid.names[n] for n in state.setup.home_squares(make.side) if n not in state.there]
    for unit in first.values():
        yield from (make(actions.Place(unit.id, name), unit=unit.id, target=name, legal=True) for name in free)
    yield make(actions.Deploy(make.side), advice="the rest of the side, where they will do", legal=True)
    number = {"number": Domain("number", least=1, most=actions.MOST_NUMBERS)}
    advice = "the same by a number, each of which gives another placement"
    yield make.open(actions.Deploy, {"side": make.side}, number, advice=advice)


def _move(make: _Options) -> Iterator[Option]:
    state, names = make.state, make.state.grid.names
    for unit in state.on_board[state.acting]:
        if unit.moved or not unit.type.move:
            blocked = next((n for n in state.grid.near[unit.at] if n not in state.there), None)
            if blocked is not None:
                yield make(actions.Move(unit.id, names[blocked]), unit=unit.id, target=names[blocked], legal=False)
            continue
        allowed = set(destinations(state, unit))
        for n in sorted(reach(state, unit)):
            yield make(actions.Move(unit.id, names[n]), unit=unit.id, target=names[n], legal=n in allowed)
    yield make(actions.End(), legal=True)


def _attack(make: _Options) -> Iterator[Option]:
    state = make.state
    enemies = state.on_board[OTHER[state.acting]]
    for unit in state.on_board[state.acting]:
        ready = may_attack(state, unit)
        for enemy in enemies:
            if in_range(state, unit, enemy):
                fine = ready and not is_covered(state, unit, enemy)
                advice = then(state, unit, enemy) if fine else ""
                yield make(actions.Attack(unit.id, enemy.id), unit=unit.id, target=enemy.id, advice=advice, legal=fine)
    yield make(actions.End(), legal=True)


def then(state: State, unit: Unit, enemy: Unit) -> str:
    """What an attack would bring its target to."""
    limit = defence(state, enemy)
    total = enemy.damage + damage(unit, enemy)[0]
    if total < limit:
        return f"then {total} of {limit} damage"
    if enemy.kind in BASES or enemy.retreated or not retreats(state, enemy):
        return "destroys it"
    return "drives it back"


# --- random players --------------------------------------------------------------------------------------------------


def random_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """Actions worth trying now, in random order, legal or not; the last one is legal."""
    if state.step == "over":
        return
    if state.step in BEFORE:
        yield from _setup_actions(state, rng)
        return
    if rng.random() < 0.004:
        yield actions.Concede(rng.choice(SIDES))
    if rng.random() < 0.03:
        yield _correction(state, rng)
    if rng.random() < 0.2:
        yield from _mistakes(state, rng)
    found = list(legal(state))
    if state.step == "move" and not state.pressed and rng.random() < 0.25:
        yield actions.End()
    *others, last = found
    if state.step == "attack" or rng.random() < 0.9:
        rng.shuffle(others)
        yield from others
    yield last


def _setup_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    names, side = state.grid.names, side_to_act(state) or SIDES[0]
    match state.step:
        case "cities":
            if rng.random() < 0.1:
                yield actions.City(rng.choice(names))
            if rng.random() < 0.2:
                yield actions.City(names[rng.choice(free_middle(state))])
            yield actions.Draw()
        case "armies":
            if rng.random() < 0.3:
                yield actions.Army(side, tuple((kind, rng.randint(0, 6)) for kind in rng.sample(list(KINDS), 4)))
            yield random_army(side, state.setup.limits, rng)
        case "first":
            yield actions.First(rng.choice(SIDES))
        case "elites":
            yield actions.Elite(side, rng.choice(state.units).id)
            yield actions.Elite(side)
        case _:
            if rng.random() < 0.2:
                yield actions.Place(rng.choice(state.units).id, rng.choice(names))
            if rng.random() < 0.1:
                yield actions.Deploy(rng.choice(SIDES), rng.randint(0, 9))
            side = side_to_place(state)
            unit = rng.choice(state.waiting(side))
            free = [n for n in state.setup.home_squares(side) if n not in state.there]
            yield actions.Place(unit.id, names[rng.choice(free)])


def _mistakes(state: State, rng: random.Random) -> Iterator[actions.Action]:
    unit, other = rng.choice(state.units).id, rng.choice(state.units).id
    square = rng.choice(state.grid.names)
    yield rng.choice(
        (
            actions.Move(unit, square),
            actions.Attack(unit, other),
            actions.Retreat(unit, square),
            actions.Reinforce(rng.choice(list(KINDS)), square),
            actions.Hold(),
            actions.Draw(),
            actions.First(SIDES[0]),
        )
    )


def _correction(state: State, rng: random.Random) -> actions.Correct:
    unit = rng.choice(state.units)
    if unit.at == OFF:
        return actions.Correct(unit.id, to=rng.choice(state.grid.names), reason="it stood there all along")
    if rng.random() < 0.4:
        return actions.Correct(unit.id, damage=rng.randrange(7), reason="miscounted")
    if rng.random() < 0.2 and unit.kind != HQ:
        return actions.Correct(unit.id, off=True)
    return actions.Correct(unit.id, elite=not unit.elite)


# --- invariants ------------------------------------------------------------------------------------------------------


def invariant_violations(state: State) -> tuple[str, ...]:
    """Invariants that a state breaks, in words."""
    found = []
    standing = [u for u in state.units if u.at != OFF]
    if len(state.there) < len(standing):
        found.append("Two units stand on one square.")
    if len(state.by_id) < len(state.units):
        found.append("Two units have one name.")
    for u in standing:
        if u.fate != "board":
            found.append(f"{u.id} is {u.fate} and on square {u.at}.")
        if u.damage >= defence(state, u) and state.pressed != u.id and state.step != "over":
            found.append(f"{u.id} has {u.damage} damage and has not retreated.")
        if u.moved and (u.kind in BASES or u.side != state.acting):
            found.append(f"{u.id} moved.")
        if u.fired and u.side != state.acting:
            found.append(f"{u.id} attacked in the enemy's turn.")
        if u.fired and u.moved and u.kind == AIRFIELD:
            found.append(f"The airfield {u.id} moved and attacked.")
        if u.retreated and u.kind in BASES:
            found.append(f"The base {u.id} retreated.")
    for u in state.units:
        if u.at == OFF and u.fate == "board":
            found.append(f"{u.id} is on the board, but on no square.")
    for side in SIDES:
        if sum(u.kind == HQ for u in state.units if u.side == side) > 1:
            found.append(f"{side} has more than one headquarters.")
    if state.pressed:
        pressed = state.by_id[state.pressed]
        if not retreats(state, pressed):
            found.append(f"{pressed.id} must retreat and can't.")
        if pressed.damage < defence(state, pressed):
            found.append(f"{pressed.id} must retreat and has {pressed.damage} damage alone.")
    if len(set(state.cities)) < len(state.cities):
        found.append("Two cities lie on one square.")
    if min(state.owed) < 0:
        found.append("More reinforcements came than were due.")
    return tuple(found)
