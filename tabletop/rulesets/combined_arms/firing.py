"""The attackers' fire: who may fire on what, the modifiers, the odds before committing, and what dice make of it.

All modifiers of platoons that fire on one hex are worked out as they commit themselves [Fire attacks].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import prod

from tabletop.game.protocol import D6, Odds
from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import (
    ARC,
    DISTANCE,
    IN_RANGE,
    NAMES,
    NEAR,
    NUMBER,
    OFF,
    WITHIN_2,
    facings_towards,
    turn_between,
)
from tabletop.rulesets.combined_arms.data import BREAK, HIT, RANGE, TRACK, company
from tabletop.rulesets.combined_arms.events import Effect, Modifier
from tabletop.rulesets.combined_arms.sights import own_line, sight
from tabletop.rulesets.combined_arms.state import Counter, Platoon, State

PLACE = "Fire attacks"
EFFECTS: tuple[Effect, ...] = ("none", "spent", "guns broken", "broken")
"""What a shot does, from nothing to the most; an action's odds count them from 0."""


@dataclass(frozen=True)
class Volley:
    """Platoons committed to fire on one hex, in order, with the facing that armour turns to."""

    target: int
    units: tuple[Platoon, ...]
    facings: tuple[int | None, ...]

    @property
    def all_adjacent(self) -> bool:
        """Whether all firers are next to the target, so that they may close in."""
        return all(DISTANCE[unit.at][self.target] == 1 for unit in self.units)


def volley(state: State, target: str, units: Sequence[str], facings: Sequence[int | None] = ()) -> Volley:
    """The platoons of an action; armour without a facing turns as little as it must."""
    at = NUMBER[target]
    wished = [*facings, *([None] * (len(units) - len(facings)))]
    platoons = tuple(state.by_id[name] for name in units)
    return Volley(at, platoons, tuple(_facing_to_fire(p, at, w) for p, w in zip(platoons, wished, strict=True)))


def _facing_to_fire(unit: Platoon, target: int, wished: int | None) -> int | None:
    if unit.is_infantry or unit.at == OFF or wished is not None:
        return wished
    own = 0 if unit.facing is None else unit.facing
    if target not in IN_RANGE[unit.at] or ARC[unit.at][own] >> target & 1:
        return own
    return min(facings_towards(unit.at, target), key=lambda f: (turn_between(f, own), f))


def modifiers(state: State, unit: Platoon, target: int) -> tuple[Modifier, ...]:
    """The die's modifiers for one platoon's fire on a hex [Fire attacks, 2nd paragraph]."""
    found: list[Modifier] = []
    distance = DISTANCE[unit.at][target]
    counter = state.counters[target]
    if unit.kind == "armour" and not _threats(state) & WITHIN_2[unit.at]:
        found.append(("hatches open", 1))
    if not counter.revealed and _unrevealed_bonus(state, target):
        found.append(("unrevealed", 1))
    if own_line(state, unit.at, target) == "partial":
        found.append(("partly blocked", -1))
    if distance > 1 and _friends_close(state, unit, target):
        found.append(("friends close to the target", -1))
    by_range = distance // 2 if unit.kind == "mmg" else distance
    if by_range:
        found.append(("range", -by_range))
    return tuple(found)


def _threats(state: State) -> int:
    """Hexes with a defenders' counter, their mortars' target among them."""
    call = state.enemy_call
    return state.enemy_hexes if call is None else state.enemy_hexes | 1 << call.at


def _unrevealed_bonus(state: State, target: int) -> bool:
    """Against an unrevealed counter: where no platoon is next to it, or always against an enemy's player."""
    return not state.solitaire_defence or not NEAR[target] & state.platoon_hexes


def _friends_close(state: State, unit: Platoon, target: int) -> bool:
    """Whether a rifle platoon is next to the target that the firer must take care of."""
    close = state.rifles & NEAR[target]
    if not close:
        return False
    mine = company(unit.id)
    if not mine:
        return True
    return any(
        p.kind == "rifle" and company(p.id) != mine
        for at, here in state.by_hex.items()
        if close >> at & 1
        for p in here
    )


def total(found: Sequence[Modifier]) -> int:
    """The sum of modifiers."""
    return sum(value for _, value in found)


def effect(counter: Counter, unit: Platoon, score: int, *, all_adjacent: bool) -> Effect:
    """What a score does to a counter as it stands [Fire attacks, 2nd paragraph].

    What is unrevealed can't be broken: nobody knows that anything is there.
    """
    if score < HIT:
        return "none"
    if all_adjacent and score >= BREAK and counter.revealed:
        if unit.is_infantry:
            return "broken"
        if counter.atg == "real":
            return "guns broken"
    return "spent"


def chances(state: State, shots: Volley, unit: Platoon) -> tuple[Fraction, Fraction, Fraction]:
    """One platoon's chances to make the target spent (or keep it so), to break its guns, to break its platoon."""
    counter = state.counters[shots.target]
    add = total(modifiers(state, unit, shots.target))
    spent = guns = broken = 0
    for die in D6:
        made = effect(counter, unit, die + add, all_adjacent=shots.all_adjacent)
        spent += made != "none"
        broken += made == "broken"
        guns += made in ("guns broken", "broken") and counter.atg == "real"
    return Fraction(spent, 6), Fraction(guns, 6), Fraction(broken, 6)


def resolve(state: State, shots: Volley, dice: Sequence[int]) -> tuple[ev.Shot, ...]:
    """The events of a volley with its dice, shot by shot in the order of committing, redundant ones too."""
    found: list[ev.Shot] = []
    counter: Counter | None = state.counters[shots.target]
    ammo = state.ammo
    for unit, facing, die in zip(shots.units, shots.facings, dice, strict=True):
        add = modifiers(state, unit, shots.target)
        score = die + total(add)
        made: Effect = "none"
        if counter is not None:
            made = effect(counter, unit, score, all_adjacent=shots.all_adjacent)
            counter = _after(counter, made)
        withdrew = False
        if unit.kind == "rifle":
            ammo = (ammo + 1) % TRACK
            withdrew = ammo == 0
        spent, guns, broken = chances(state, shots, unit)
        turned = facing if facing != unit.facing else None
        each = (float(spent), float(guns), float(broken))
        found.append(ev.Shot(unit.id, NAMES[shots.target], die, add, score, made, ammo, each, withdrew, turned))
    return tuple(found)


def _after(counter: Counter, made: Effect) -> Counter | None:
    if made == "broken":
        return None
    if made == "guns broken":
        return Counter(counter.at, False, True, "removed")
    return counter


def odds(state: State, shots: Volley) -> Odds:
    """What a volley does at most: 0 nothing, 1 makes spent, 2 breaks the guns, 3 breaks the platoon."""
    counter = state.counters[shots.target]
    made = []
    for unit in shots.units:
        add = total(modifiers(state, unit, shots.target))
        made.append(tuple(effect(counter, unit, die + add, all_adjacent=shots.all_adjacent) for die in D6))
    at_most = _at_most(tuple(made))
    each = [at_most[0], *(b - a for a, b in pairwise(at_most))]
    found = {level: chance for level, chance in enumerate(each) if chance}
    pinned = 1 - at_most[0]
    out = Fraction(0)
    rifles = sum(unit.kind == "rifle" for unit in shots.units)
    if state.ammo + rifles >= TRACK:
        out = Fraction(1)
    also = {"spent": pinned, "broken": 1 - at_most[2], "out of ammunition": out}
    if counter.atg == "real":
        also["guns broken"] = 1 - at_most[1]
    return Odds(
        "effect",
        found,
        {name: chance for name, chance in also.items() if chance or name == "spent"},
        _words(state, shots),
    )


@lru_cache(maxsize=1024)
def _at_most(made: tuple[tuple[Effect, ...], ...]) -> tuple[Fraction, ...]:
    """The chances that shots do no more than each of the effects; ``made``: what each shot does by its die."""
    counts = [[sum(EFFECTS.index(one) <= level for one in shot) for shot in made] for level in range(len(EFFECTS))]
    return tuple(Fraction(prod(level), 6 ** len(made)) for level in counts)


def _words(state: State, shots: Volley) -> tuple[str, ...]:
    found = []
    for unit in shots.units:
        told = ", ".join(f"{name} {value:+d}" for name, value in modifiers(state, unit, shots.target))
        found.append(f"{unit.id}: {told or 'plain'}")
    return tuple(found)


# --- what speaks against it ------------------------------------------------------------------------------------------


def violations(state: State, shots: Volley) -> tuple[Violation, ...]:
    """All that speaks against a volley."""
    return (*against_target(state, shots.target), *_against_units(state, shots))


def against_target(state: State, target: int) -> Iterator[Violation]:
    """What speaks against firing on a hex at all."""
    name = NAMES[target]
    if state.step != "fire":
        yield Violation("wrong-phase", "Platoons fire in the friendly fire phase.", "Sequence of play")
    if target not in state.counters:
        yield Violation("no-target", f"No enemy counter is in {name}.", PLACE, firm=True)
    if target in state.fired_on:
        text = f"{name} was fired on already: all who fire on a hex commit themselves first."
        yield Violation("already-fired-on", text, PLACE)


def _against_units(state: State, shots: Volley) -> Iterator[Violation]:
    if not shots.units:
        yield Violation("nobody", f"Say who fires, as in: fire D1 M1 at {NAMES[shots.target]}.", PLACE, firm=True)
    names = [unit.id for unit in shots.units]
    for name in dict.fromkeys(n for n in names if names.count(n) > 1):
        yield Violation("twice", f"{name} fires once a turn.", PLACE, firm=True)
    for unit, facing in zip(shots.units, shots.facings, strict=True):
        yield from against_unit(state, unit, shots.target, facing)
    companies = sorted({company(unit.id) for unit in shots.units} - {""})
    if len(companies) > 1:
        text = f"Rifle platoons of {' and '.join(companies)} company can't fire on one hex."
        yield Violation("two-companies", text, PLACE)


def against_unit(state: State, unit: Platoon, target: int, facing: int | None) -> Iterator[Violation]:
    """What speaks against one platoon's firing on a hex."""
    name = NAMES[target]
    if unit.at == OFF:
        yield Violation("not-on-board", f"{unit.id} is not on the board.", PLACE, firm=True)
        return
    if not unit.fresh:
        yield Violation("spent", f"{unit.id} is spent; only fresh platoons fire.", PLACE)
    distance = DISTANCE[unit.at][target]
    if distance > RANGE:
        text = f"{name} is {distance} hexes from {unit.id}; {RANGE} is the most."
        yield Violation("out-of-range", text, PLACE, {"range": distance})
        return
    if distance == 0:
        yield Violation("same-hex", f"{unit.id} stands in {name} itself.", PLACE, firm=True)
        return
    if own_line(state, unit.at, target) == "blocked":
        yield Violation(
            "blocked", f"The line from {unit.id} to {name} is blocked: {blockers(state, unit.at, target)}.", PLACE
        )
    if unit.is_infantry:
        if facing is not None:
            yield Violation("no-facing", f"{unit.id} is infantry, which has no facing.", "The units", firm=True)
    elif facing is None or not ARC[unit.at][facing] >> target & 1:
        corners = " or ".join(map(str, facings_towards(unit.at, target)))
        text = f"{name} is outside {unit.id}'s forward arc at corner {facing}; it must face {corners}."
        yield Violation("out-of-arc", text, PLACE)


def blockers(state: State, a: int, b: int) -> str:
    """What is in the way of a line, in words."""
    found = sight(state, a, b, own=True)
    at = found.fully or found.partly
    return " and ".join(f"{_thing(state, n)} in {NAMES[n]}" for n in at) + ("" if found.fully else ", each in part")


def _thing(state: State, n: int) -> str:
    if state.ground.cover >> n & 1:
        kind = state.ground.terrain[n]
        return kind if kind == "woods" else f"a {kind}"
    if n in state.smoke:
        return "smoke"
    return next(p.id for p in state.by_hex[n] if p.kind == "rifle")


def targets(state: State, unit: Platoon) -> tuple[int, ...]:
    """The hexes that a fresh platoon on the board may fire on in the fire phase, as if it fired alone."""
    if unit.at == OFF or not unit.fresh:
        return ()
    return tuple(
        c.at
        for c in state.enemy
        if 1 <= DISTANCE[unit.at][c.at] <= RANGE
        and c.at not in state.fired_on
        and own_line(state, unit.at, c.at) != "blocked"
    )
