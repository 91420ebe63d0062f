"""Mortars of both sides: what they may target, where the bombs come down, what a hex suffers [Mortars]."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tabletop.game.errors import EventError
from tabletop.game.protocol import D6
from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import COUNT, DISTANCE, NAMES, NEAR, ROW, scatter_hexes
from tabletop.rulesets.combined_arms.data import HIT, RANGE, TRACK, Ammo
from tabletop.rulesets.combined_arms.events import Modifier
from tabletop.rulesets.combined_arms.sights import beside, enemy_spotters, own_spotters
from tabletop.rulesets.combined_arms.state import Cause, State

PLACE = "Mortars"
HE: Ammo = "he"
SMOKE: Ammo = "smoke"


def against_call(state: State, target: int, ammo: Ammo) -> Iterator[Violation]:
    """What speaks against calling the attackers' mortars down on a hex."""
    name = NAMES[target]
    if state.step != "fire":
        yield Violation("wrong-phase", "Mortars are called at the beginning of the friendly fire phase.", PLACE)
    call = state.call
    if call is not None and call.turn == state.turn:
        yield Violation("called", f"The mortars fire on {NAMES[call.at]} this turn already.", PLACE)
    elif state.any_fired or state.declared:
        yield Violation("too-late", "Mortars are called before any platoon fires.", PLACE)
    if call is not None and call.turn == state.turn - 1 and DISTANCE[call.at][target] > 1:
        text = f"The mortars fired on {NAMES[call.at]} last turn: without a pause only on it or the hexes next to it."
        yield Violation("walking", text, PLACE)
    if not own_spotters(state, target):
        text = f"No fresh infantry away from the enemy has {name} in a line of fire of 1 to {RANGE} hexes."
        yield Violation("not-spotted", text, PLACE)
    if ammo == SMOKE:
        if not state.smoke_rounds:
            yield Violation("no-smoke", "All smoke has been fired.", PLACE)
        if state.platoon_hexes >> target & 1:
            yield Violation("friends-there", f"A platoon of yours is in {name}.", PLACE)
        return
    if target not in state.counters:
        yield Violation("no-target", f"No enemy counter is in {name}; only smoke may land there.", PLACE)
    if beside(state.platoon_hexes, target):
        yield Violation("friends-near", f"A platoon of yours is next to {name}.", PLACE)


def call_targets(state: State, ammo: Ammo) -> tuple[int, ...]:
    """The hexes that the attackers' mortars may be called down on now."""
    call = state.call
    if state.step != "fire" or state.any_fired or state.declared or (call is not None and call.turn == state.turn):
        return ()
    if ammo == SMOKE and not state.smoke_rounds:
        return ()
    hexes = range(COUNT) if ammo == SMOKE else tuple(state.counters)
    found = []
    for n in hexes:
        if call is not None and DISTANCE[call.at][n] > 1:
            continue
        if state.platoon_hexes >> n & 1 or (ammo == HE and beside(state.platoon_hexes, n)):
            continue
        if own_spotters(state, n):
            found.append(n)
    return tuple(found)


def enemy_targets(state: State) -> tuple[int, ...]:
    """The hexes that the defenders' mortars may be called down on: spotted infantry not next to their counters."""
    return tuple(n for n in state.infantry if not state.near_enemy >> n & 1 and enemy_spotters(state, n))


def idle(state: State) -> ev.MortarsTried | None:
    """Why the defenders' mortars are not rolled for this turn; ``None`` where they are."""
    if enemy_mortars_rest(state):
        return ev.MortarsTried(0, enemy_mortars_need(state), False, "they fired last turn")
    if not enemy_targets(state):
        return ev.MortarsTried(0, enemy_mortars_need(state), False, "nothing in sight that they may fire on")
    return None


def aim_event(state: State, at: int, because: str = "") -> ev.Aimed:
    """The event of the defenders' mortars called down on a hex."""
    return ev.Aimed(NAMES[at], len(state.infantry[at]), infantry_beside(state, at), because)


def enemy_mortars_rest(state: State) -> bool:
    """Whether the defenders' mortars fired last turn, so that they may not now."""
    call = state.enemy_call
    return call is not None and call.turn == state.turn - 1


def enemy_mortars_need(state: State) -> int:
    """The least die that makes the defenders' mortars available [Enemy decisions, 1st paragraph].

    6 once more of the attackers' platoons than of the defenders' are broken, else 5.
    """
    own = sum(p.fate == "broken" for p in state.platoons)
    return 6 if own > state.tally.platoons_broken else 5


def infantry_beside(state: State, n: int) -> int:
    """How many infantry platoons stand next to a hex."""
    return sum(len(here) for at, here in state.infantry.items() if NEAR[n] >> at & 1)


def best_targets(state: State) -> tuple[int, ...]:
    """The defenders' mortar targets that no printed priority parts: most infantry in the hex, then most next to it,
    then closest to the enemy's edge (the highest hexrow)."""
    found = enemy_targets(state)
    if not found:
        return ()
    ranks = {n: (len(state.infantry[n]), infantry_beside(state, n), ROW[n]) for n in found}
    best = max(ranks.values())
    return tuple(n for n in found if ranks[n] == best)


def to_roll(state: State, hexes: tuple[int, ...]) -> tuple[int, ...]:
    """Of the hexes that bombs come down in, those with anything to be hit: infantry or a defenders' counter."""
    return tuple(n for n in hexes if n in state.infantry or n in state.counters)


def scatter_event(state: State, cause: Cause, die: int) -> ev.Scattered:
    """Where the bombs of a call come down."""
    call = state.call if cause == "mortars" else state.enemy_call
    if call is None or cause == "enemy fire":
        raise EventError("no mortars were called.")
    hexes = scatter_hexes(call.at, die)
    rolls = to_roll(state, hexes) if call.ammo == HE else ()
    return ev.Scattered(
        cause, NAMES[call.at], call.ammo, die, tuple(NAMES[n] for n in hexes), tuple(NAMES[n] for n in rolls)
    )


# --- what a hex suffers, from mortars and from fire alike ------------------------------------------------------------


def losses_each(state: State, cause: Cause, n: int, by: int) -> int:
    """Losses of every infantry platoon in a hex that is hit: 2 from defenders next to it, else 1."""
    return 2 if cause == "enemy fire" and DISTANCE[by][n] == 1 else 1


def hex_fire_events(
    state: State, cause: Cause, n: int, by: int, add: tuple[Modifier, ...], die: int
) -> tuple[ev.Event, ...]:
    """What a die makes of a hex: platoons spent, losses on the track, platoons that break of themselves."""
    score = die + sum(value for _, value in add)
    hit = score >= HIT
    here = state.infantry.get(n, ())
    each = losses_each(state, cause, n, by) * len(here)
    expected = float(Fraction(sum(d + score - die >= HIT for d in D6), 6) * each)
    losses = each if hit else 0
    passes = (state.losses + losses) // TRACK
    owed = min(passes, len(here))
    counter = state.counters.get(n)
    spent_counter = hit and cause != "enemy fire" and counter is not None and counter.fresh
    forced = owed == len(here)
    fell = ev.Fell(
        cause, NAMES[n], die, add, score, hit,
        tuple(p.id for p in here if p.fresh) if hit else (),
        spent_counter, losses, (state.losses + losses) % TRACK, expected,
        NAMES[by] if by >= 0 else "", 0 if forced else owed,
    )  # fmt: skip
    return (fell, *(ev.Broke(p.id, NAMES[n]) for p in here)) if owed and forced else (fell,)
