"""What falls on hexes: fire on infantry and mortar bombs, hex by hex, with odds of the losses [Enemy fire; Mortars]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

from tabletop.game.errors import EventError
from tabletop.game.protocol import Odds
from tabletop.rulesets.combined_arms import defender, mortars
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.combined_arms.data import TRACK
from tabletop.rulesets.combined_arms.events import Modifier
from tabletop.rulesets.combined_arms.reducer import apply
from tabletop.rulesets.combined_arms.state import Pending, State


def modifiers(state: State, pending: Pending, n: int) -> tuple[Modifier, ...]:
    """The die's modifiers for a hex that is to be rolled for; mortars have none."""
    if pending.cause != "enemy fire":
        return ()
    return defender.infantry_modifiers(state, pending.by, n) or ()


def fallen_in_turn(state: State, hexes: Sequence[int], dice: Sequence[int]) -> Iterator[ev.Event]:
    """The events of hexes rolled for one after the other."""
    for n, die in zip(hexes, dice, strict=True):
        pending = state.pending
        if pending is None:
            raise EventError("no hex is under fire.")
        add = modifiers(state, pending, n)
        for event in mortars.hex_fire_events(state, pending.cause, n, pending.by, add, die):
            yield event
            state = apply(state, event)


def odds(state: State, hexes: Sequence[int]) -> Odds:
    """The odds of the losses in hexes that are to be rolled for, all together."""
    pending = state.pending
    if pending is None:
        raise EventError("no hex is under fire.")
    found: dict[int, Fraction] = {0: Fraction(1)}
    spared = Fraction(1)
    words = []
    for n in hexes:
        add = modifiers(state, pending, n)
        chance = Fraction(defender.chances_of(sum(value for _, value in add)), 6)
        each = mortars.losses_each(state, pending.cause, n, pending.by) * len(state.infantry.get(n, ()))
        after: dict[int, Fraction] = {}
        for losses, share in found.items():
            for more, part in ((0, 1 - chance), (each, chance)):
                if part:
                    after[losses + more] = after.get(losses + more, Fraction(0)) + share * part
        found = after
        spared *= 1 - chance
        told = ", ".join(f"{name} {value:+d}" for name, value in add)
        words.append(f"{NAMES[n]}: {told}" if told else f"{NAMES[n]}: 2 or more")
    also = {"pinned": 1 - spared}
    breaking = sum((share for losses, share in found.items() if state.losses + losses >= TRACK), start=Fraction(0))
    if breaking:
        also["a platoon breaks"] = breaking
    return Odds("losses", dict(sorted(found.items())), also, tuple(words))


def bombardment_odds(counters: int) -> Odds:
    """How many of so many counters the preliminary bombardment makes spent: each on 2 or more."""
    p = Fraction(5, 6)
    found = {k: comb(counters, k) * p**k * (1 - p) ** (counters - k) for k in range(counters + 1)}
    return Odds("counters spent", found)
