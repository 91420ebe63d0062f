"""The variant with a player for the enemy: secret forces and where they may stand, showing, and the player's choices.

[Enemy player variant]. What is real is in ``state.secret``; nothing here may tell it to anybody else.
"""

from __future__ import annotations

import random
from collections import Counter as Count
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import defender, mortars
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import COLUMN, NAMES, NEAR, NUMBER, ROW
from tabletop.rulesets.combined_arms.data import ROW_WIDTHS
from tabletop.rulesets.combined_arms.state import Counter, State

PLACE = "Enemy player variant"
_PLATOONS_PER_ROW, _GUNS_PER_ROW = 2, 3
"""Potential platoons, and potential guns, from which on a hexrow should have at least one real."""


def forces(dice: Sequence[int]) -> tuple[int, int] | None:
    """Real platoons and real guns of a throw; ``None`` where it has to be rolled again.

    >>> forces((5, 2)), forces((2, 5)), forces((4, 6))
    ((5, 2), (5, 2), None)
    """
    high, low = max(dice), min(dice)
    return (high, low) if high >= 4 and low <= 3 else None


# --- the secret deployment -------------------------------------------------------------------------------------------


def against_posting(state: State, platoons: Sequence[str], atgs: Sequence[str]) -> Iterator[Violation]:
    """What speaks against noting these counters as the real ones.

    A restriction that this array of potential counters leaves no way to keep is waived.
    """
    secret = state.secret
    if secret is None or state.step != "post":
        yield Violation("wrong-phase", "Real counters are noted after the dice for them.", PLACE, firm=True)
        return
    for name in (*platoons, *atgs):
        if NUMBER[name] not in state.counters:
            yield Violation("no-counter", f"No potential counter is in {name}.", PLACE, firm=True)
            return
    yield from _against_counts(state, platoons, atgs, (secret.platoons, secret.atgs))
    real, guns = [NUMBER[name] for name in platoons], [NUMBER[name] for name in atgs]
    for n in guns:
        if n not in real:
            yield Violation("guns-alone", f"Real guns need a real platoon with them: {NAMES[n]} has none.", PLACE)
        elif state.counters[n].atg != "potential":
            yield Violation("no-guns-there", f"No potential guns are in {NAMES[n]}.", PLACE)
    array = Array.of(state)
    broken = list(_restrictions(array, real, guns))
    if broken:
        waived = _waived_restrictions(array, *required_counts(state))
        yield from (v for v in broken if v.code not in waived)


@dataclass(frozen=True)
class Array:
    """The potential counters' hexes, and those of them with potential guns."""

    hexes: tuple[int, ...]
    guns: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> Array:
        """The array on the board."""
        return cls(tuple(c.at for c in state.enemy), tuple(c.at for c in state.enemy if c.atg == "potential"))


def required_counts(state: State) -> tuple[int, int]:
    """How many platoons and guns must be noted: those rolled, as far as there are counters."""
    secret = state.secret
    if secret is None:
        return 0, 0
    array = Array.of(state)
    return min(secret.platoons, len(array.hexes)), min(secret.atgs, len(array.guns))


def some_posting(state: State, rng: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A secret deployment that keeps all restrictions that can be kept, found by trying.

    Where these tries find none, it is the one that :func:`_waived_restrictions` judges by.
    """
    array, wanted = Array.of(state), required_counts(state)
    platoons, guns, broken = _best_deployment(array, *wanted, rng)
    if broken <= _waived_restrictions(array, *wanted):
        return platoons, guns
    return _best_deployment(array, *wanted, random.Random(_JUDGED_BY))[:2]


_TRIES = 300
_JUDGED_BY = 0
"""The seed of the tries that tell which restrictions an array leaves no way to keep."""


def _best_deployment(
    array: Array, platoons: int, guns: int, rng: random.Random
) -> tuple[tuple[int, ...], tuple[int, ...], frozenset[str]]:
    """The best deployment of some tries, and the restrictions that it breaks."""
    best: tuple[tuple[int, ...], tuple[int, ...], frozenset[str]] | None = None
    for _ in range(_TRIES):
        chosen_guns = _sample_hexes(array.guns, guns, _rich_rows(array.guns, _GUNS_PER_ROW), (), rng)
        real = _sample_hexes(array.hexes, platoons, _rich_rows(array.hexes, _PLATOONS_PER_ROW), chosen_guns, rng)
        broken = frozenset(v.code for v in _restrictions(array, real, chosen_guns))
        if best is None or len(broken) < len(best[2]):
            best = (tuple(sorted(real)), tuple(sorted(chosen_guns)), broken)
        if not broken:
            break
    assert best is not None
    return best


def _sample_hexes(
    hexes: Sequence[int], count: int, rich: Sequence[int], have: Sequence[int], rng: random.Random
) -> list[int]:
    """So many hexes at random, those given among them, the rich rows served first."""
    found = list(have)
    for row in rich:
        here = [n for n in hexes if ROW[n] == row and n not in found]
        if len(found) < count and here and not any(ROW[n] == row for n in found):
            found.append(rng.choice(here))
    rest = [n for n in hexes if n not in found]
    return found + rng.sample(rest, max(0, min(count - len(found), len(rest))))


def _rich_rows(hexes: Sequence[int], least: int) -> list[int]:
    """The hexrows with at least so many of these hexes, the richest first."""
    rows = Count(ROW[n] for n in hexes)
    return sorted((r for r in rows if rows[r] >= least), key=lambda r: (-rows[r], r))


@lru_cache(maxsize=64)
def _waived_restrictions(array: Array, platoons: int, guns: int) -> frozenset[str]:
    """The restrictions that no deployment in this array was found to keep."""
    return _best_deployment(array, platoons, guns, random.Random(_JUDGED_BY))[2]


def _restrictions(array: Array, real: Sequence[int], guns: Sequence[int]) -> Iterator[Violation]:
    """The restrictions on where real counters may be that a choice breaks."""
    yield from _against_neighbours(real)
    yield from _against_sides(array, real)
    yield from _against_rows(array, real, guns)


def _against_counts(
    state: State, platoons: Sequence[str], atgs: Sequence[str], wanted: tuple[int, int]
) -> Iterator[Violation]:
    array = Array.of(state)
    for names, count, most, what in (
        (platoons, wanted[0], len(array.hexes), "platoons"),
        (atgs, wanted[1], len(array.guns), "anti-tank guns"),
    ):
        need = min(count, most)
        if len(set(names)) != len(names):
            yield Violation("twice", f"A hex stands twice among the {what}.", PLACE, firm=True)
        elif len(names) != need:
            yield Violation("wrong-count", f"{need} {what} are real, and {len(names)} are named.", PLACE, firm=True)


def _against_neighbours(real: Sequence[int]) -> Iterator[Violation]:
    """Two or none of the real platoons may be next to another real one."""
    beside = [n for n in real if any(NEAR[n] >> m & 1 for m in real)]
    if len(beside) not in (0, 2):
        names = ", ".join(NAMES[n] for n in beside)
        yield Violation("too-close", f"Only two or none may stand next to another real platoon: {names} do.", PLACE)


def side_of_road(n: int) -> int:
    """-1 left of the road's line, 1 right of it, 0 in the middle."""
    middle = (ROW_WIDTHS[ROW[n] - 1] + 1) / 2
    return (COLUMN[n] > middle) - (COLUMN[n] < middle)


def _against_sides(array: Array, real: Sequence[int]) -> Iterator[Violation]:
    """At least two real platoons on each side of the road, as far as there are counters."""
    for side, word in ((-1, "left"), (1, "right")):
        need = min(2, sum(side_of_road(n) == side for n in array.hexes), len(real))
        got = sum(side_of_road(n) == side for n in real)
        if got < need:
            text = f"At least {need} real platoons stand {word} of the road; these are {got}."
            yield Violation("one-sided", text, PLACE)


def _against_rows(array: Array, real: Sequence[int], guns: Sequence[int]) -> Iterator[Violation]:
    """Each hexrow rich in potential counters should have a real one; where they don't suffice, the richest rows."""
    for what, chosen, potential, least in (
        ("platoon", real, array.hexes, _PLATOONS_PER_ROW),
        ("anti-tank gun", guns, array.guns, _GUNS_PER_ROW),
    ):
        rows = Count(ROW[n] for n in potential)
        rich = _rich_rows(potential, least)
        held = {ROW[n] for n in chosen}
        wanted = min(len(rich), len(chosen))
        best = sorted((rows[r] for r in rich), reverse=True)[:wanted]
        if sorted((rows[r] for r in rich if r in held), reverse=True)[:wanted] == best:
            continue
        row = next(r for r in rich if r not in held)
        text = f"Row {row} has {rows[row]} potential {what}s and needs a real one."
        yield Violation("empty-row", text, PLACE)


# --- the enemy phase -------------------------------------------------------------------------------------------------


def is_real(state: State, at: int) -> bool:
    """Whether the counter in a hex is a real platoon; the enemy's player alone may be told."""
    return state.secret is not None and at in state.secret.platoon_hexes


def has_guns(state: State, at: int) -> bool:
    """Whether real anti-tank guns are in a hex; the enemy's player alone may be told."""
    return state.secret is not None and at in state.secret.atg_hexes


def waits(state: State) -> bool:
    """Whether the enemy's player has a choice or a roll now; it never depends on what is secret."""
    if state.mortar_stage == "to roll":
        return mortars.idle(state) is None
    if state.mortar_stage == "to aim":
        return True
    counter = state.acting_counter
    if counter is None:
        return state.mortar_stage == "called"
    if must_show(state, counter):
        return False
    if not counter.revealed or counter.atg == "potential":
        return True
    return counter.fresh and (bool(armour_choices(state, counter)) or bool(infantry_choices(state, counter)))


def must_show(state: State, counter: Counter) -> bool:
    """Whether a counter is next to a platoon, so that all that is hidden there is shown."""
    hidden = not counter.revealed or counter.atg == "potential"
    return hidden and bool(state.near_platoons >> counter.at & 1)


def forced_event(state: State) -> ev.Event:
    """What happens without any choice of the enemy's player, where :func:`waits` says there is none."""
    if state.mortar_stage == "to roll":
        idle = mortars.idle(state)
        if idle is not None:
            return idle
    counter = state.acting_counter
    if counter is None:
        return defender.turn_over(state)
    if must_show(state, counter):
        return reveal_event(state, counter, guns=True, forced=True)
    if not counter.fresh:
        return ev.Rallied(NAMES[counter.at])
    return ev.Passed(NAMES[counter.at], because="no more that it could hit" if state.acted else "nothing in sight")


def done_with(state: State, counter: Counter) -> ev.Event:
    """The event of a counter that does no more: a spent one becomes fresh."""
    return ev.Passed(NAMES[counter.at]) if counter.fresh else ev.Rallied(NAMES[counter.at])


def reveal_event(state: State, counter: Counter, *, guns: bool, forced: bool = False) -> ev.Shown:
    """What is shown of a counter; its guns too where ``guns`` and there is a counter for them."""
    at = counter.at
    platoon = counter.revealed or is_real(state, at)
    told = has_guns(state, at) if guns and counter.atg == "potential" and platoon else None
    return ev.Shown(NAMES[at], platoon, told, forced)


def armour_choices(state: State, counter: Counter) -> tuple[str, ...]:
    """The armour that a counter may fire on now."""
    if not counter.fresh or "armour" in state.acted:
        return ()
    guns = counter.atg == "real"
    return tuple(p.id for p in state.armour if defender.armour_modifiers(state, counter.at, p, guns=guns) is not None)


def infantry_choices(state: State, counter: Counter) -> tuple[int, ...]:
    """The hexes with infantry that a counter may fire on now."""
    if not counter.fresh:
        return ()
    at = counter.at
    return tuple(n for n in state.infantry if defender.infantry_modifiers(state, at, n) is not None)
