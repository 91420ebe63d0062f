"""The variant with a player for the enemy: secret forces and where they may stand, showing, and the player's choices.

[Enemy player variant]. What is real is in ``state.secret``; nothing here may tell it to anybody else.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tabletop.game.protocol import Violation
from tabletop.rulesets.combined_arms import defender, mortars
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, NEAR, NUMBER, ROW
from tabletop.rulesets.combined_arms.data import ROW_WIDTHS, TURNS
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
    """What speaks against noting these counters as the real ones."""
    secret = state.secret
    if secret is None or state.step != "post":
        yield Violation("wrong-phase", "Real counters are noted after the dice for them.", PLACE, firm=True)
        return
    for name in (*platoons, *atgs):
        if NUMBER[name] not in state.counters:
            yield Violation("no-counter", f"No potential counter is in {name}.", PLACE, firm=True)
            return
    yield from _against_counts(state, platoons, atgs, (secret.platoons, secret.atgs))
    real = [NUMBER[name] for name in platoons]
    guns = [NUMBER[name] for name in atgs]
    for n in guns:
        if n not in real:
            yield Violation("guns-alone", f"Real guns need a real platoon with them: {NAMES[n]} has none.", PLACE)
        elif state.counters[n].atg != "potential":
            yield Violation("no-guns-there", f"No potential guns are in {NAMES[n]}.", PLACE)
    yield from _against_neighbours(state, real)
    yield from _against_sides(state, real)
    yield from _against_rows(state, real, guns)


def _against_counts(
    state: State, platoons: Sequence[str], atgs: Sequence[str], wanted: tuple[int, int]
) -> Iterator[Violation]:
    for names, count, most, what in (
        (platoons, wanted[0], len(state.enemy), "platoons"),
        (atgs, wanted[1], sum(c.atg == "potential" for c in state.enemy), "anti-tank guns"),
    ):
        need = min(count, most)
        if len(set(names)) != len(names):
            yield Violation("twice", f"A hex stands twice among the {what}.", PLACE, firm=True)
        elif len(names) != need:
            yield Violation("wrong-count", f"{need} {what} are real, and {len(names)} are named.", PLACE, firm=True)


def _against_neighbours(state: State, real: Sequence[int]) -> Iterator[Violation]:
    """Two or none of the real platoons may be next to another real one."""
    beside = [n for n in real if any(NEAR[n] >> m & 1 for m in real)]
    if len(beside) in (0, 2) or not _possible_neighbours(state, len(real)):
        return
    names = ", ".join(NAMES[n] for n in beside)
    yield Violation("too-close", f"Only two or none may stand next to another real platoon: {names} do.", PLACE)


def _possible_neighbours(state: State, count: int) -> bool:
    """Whether any choice of so many counters keeps apart well enough; looked for among all choices of the array."""
    every = [c.at for c in state.enemy]
    return any(_apart(chosen) for chosen in combinations(every, min(count, len(every))))


def _apart(chosen: Iterable[int]) -> bool:
    real = list(chosen)
    return sum(any(NEAR[n] >> m & 1 for m in real) for n in real) in (0, 2)


def side_of_road(n: int) -> int:
    """-1 left of the road's line, 1 right of it, 0 in the middle."""
    middle = (ROW_WIDTHS[ROW[n] - 1] + 1) / 2
    column = int(NAMES[n].split("-")[1])
    return (column > middle) - (column < middle)


def _against_sides(state: State, real: Sequence[int]) -> Iterator[Violation]:
    """At least two real platoons on each side of the road, as far as there are counters."""
    for side, word in ((-1, "left"), (1, "right")):
        there = sum(side_of_road(c.at) == side for c in state.enemy)
        need = min(2, there, len(real))
        got = sum(side_of_road(n) == side for n in real)
        if got < need:
            text = f"At least {need} real platoons stand {word} of the road; these are {got}."
            yield Violation("one-sided", text, PLACE)


def _against_rows(state: State, real: Sequence[int], guns: Sequence[int]) -> Iterator[Violation]:
    """Each hexrow rich in potential counters should have a real one; where they don't suffice, the richest rows."""
    for what, chosen, potential, least in (
        ("platoon", real, [c.at for c in state.enemy], _PLATOONS_PER_ROW),
        ("anti-tank gun", guns, [c.at for c in state.enemy if c.atg == "potential"], _GUNS_PER_ROW),
    ):
        rows = Count(ROW[n] for n in potential)
        rich = sorted((r for r in rows if rows[r] >= least), key=lambda r: -rows[r])
        held = {ROW[n] for n in chosen}
        short = max(0, len(rich) - len(chosen))
        missing = [r for r in rich if r not in held]
        if len(missing) <= short and _richest_held(rows, rich, held, len(rich) - short):
            continue
        row = next(r for r in rich if r not in held)
        text = f"Row {row} has {rows[row]} potential {what}s and needs a real one."
        yield Violation("empty-row", text, PLACE)


def _richest_held(rows: Count[int], rich: Sequence[int], held: set[int], count: int) -> bool:
    """Whether the rows that are held are as rich as the richest ``count`` rows."""
    best = sorted((rows[r] for r in rich), reverse=True)[:count]
    return sorted((rows[r] for r in rich if r in held), reverse=True)[:count] == best


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


def forced(state: State) -> ev.Event:
    """What happens without any choice of the enemy's player, where :func:`waits` says there is none."""
    if state.mortar_stage == "to roll":
        idle = mortars.idle(state)
        if idle is not None:
            return idle
    counter = state.acting_counter
    if counter is None:
        over = state.turn >= TURNS
        return ev.PhaseBegan("final", state.turn) if over else ev.PhaseBegan("move", state.turn + 1)
    if must_show(state, counter):
        return shown(state, counter, guns=True, forced=True)
    if not counter.fresh:
        return ev.Rallied(NAMES[counter.at])
    return ev.Passed(NAMES[counter.at], because="no more that it could hit" if state.acted else "nothing in sight")


def done_with(state: State, counter: Counter) -> ev.Event:
    """The event of a counter that does no more: a spent one becomes fresh."""
    return ev.Passed(NAMES[counter.at]) if counter.fresh else ev.Rallied(NAMES[counter.at])


def shown(state: State, counter: Counter, *, guns: bool, forced: bool = False) -> ev.Shown:
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
