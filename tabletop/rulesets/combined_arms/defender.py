"""What the rules have the defenders do, decision by decision, each with its reason [Enemy decisions; Enemy fire]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import ARC, DISTANCE, NAMES, NEAR, ROW
from tabletop.rulesets.combined_arms.data import (
    CHANCES_TO_TEST,
    CLOSE_BREAK,
    HIT,
    PAYOFF_TO_TEST,
    RANGE,
    TURNS,
)
from tabletop.rulesets.combined_arms.events import Modifier
from tabletop.rulesets.combined_arms.sights import enemy_line
from tabletop.rulesets.combined_arms.state import Counter, Platoon, State

FIRE = "Enemy fire"
DECISIONS = "Enemy decisions"


def chances_of(add: int, need: int = HIT) -> int:
    """How many of the six faces reach a score, given the sum of modifiers.

    >>> chances_of(-4), chances_of(0, 5), chances_of(-9)
    (1, 2, 0)
    """
    return min(6, max(0, 7 - (need - add)))


# --- fire on infantry ------------------------------------------------------------------------------------------------


def infantry_modifiers(state: State, at: int, target: int) -> tuple[Modifier, ...] | None:
    """The die's modifiers for fire on infantry in a hex; ``None`` where no line of fire of 1 to 5 hexes leads there."""
    seen = enemy_line(state, at, target)
    if seen == "blocked":
        return None
    found: list[Modifier] = []
    if not state.ground.cover >> target & 1:
        found.append(("in the open", 1))
    if seen == "partial":
        found.append(("partly blocked", -1))
    found.append(("range", -DISTANCE[at][target]))
    return tuple(found)


def hex_payoff(state: State, at: int, target: int) -> int:
    """What fire on one hex promises: 1 for each spent and 2 for each fresh infantry platoon, times the chances out of
    six, trebled at 1 hex [Enemy decisions, 1st paragraph]."""
    add = infantry_modifiers(state, at, target)
    if add is None:
        return 0
    worth = sum(2 if p.fresh else 1 for p in state.infantry[target])
    chances = chances_of(sum(value for _, value in add))
    return worth * chances * (3 if DISTANCE[at][target] == 1 else 1)


@dataclass(frozen=True)
class Clusters:
    """The clusters that a counter could engage: the best payoff, those that have it and no printed priority parts,
    and the next best payoff of any other cluster."""

    payoff: int
    best: tuple[tuple[int, ...], ...]
    next_best: int

    @property
    def any(self) -> bool:
        """Whether there is anything to engage."""
        return self.payoff > 0


NOTHING = Clusters(0, (), 0)


def payoffs(state: State, at: int) -> dict[int, int]:
    """The hexes that fire from a counter's hex could hit infantry in, with their payoffs."""
    found = {}
    row = DISTANCE[at]
    for target in state.infantry:
        if row[target] <= RANGE:
            worth = hex_payoff(state, at, target)
            if worth:
                found[target] = worth
    return found


def clusters(state: State, at: int) -> Clusters:
    """The best cluster of up to three mutually adjacent hexes for a counter, as if it were real and fresh.

    Equal ones are parted by how close their hexes are to the enemy's edge, the closest hex first.
    """
    worth = payoffs(state, at)
    if not worth:
        return NOTHING
    hexes = sorted(worth)
    rows: list[tuple[int, tuple[int, ...]]] = []
    for i, a in enumerate(hexes):
        rows.append((worth[a], (a,)))
        for j in range(i + 1, len(hexes)):
            b = hexes[j]
            if not NEAR[a] >> b & 1:
                continue
            rows.append((worth[a] + worth[b], (a, b)))
            both = NEAR[a] & NEAR[b]
            rows.extend((worth[a] + worth[b] + worth[c], (a, b, c)) for c in hexes[j + 1 :] if both >> c & 1)
    payoff = max(rows)[0]
    equal = [found for value, found in rows if value == payoff]
    best = _closest(equal) if len(equal) > 1 else tuple(equal)
    others = [value for value, found in rows if found not in best and not any(set(found) < set(b) for b in best)]
    return Clusters(payoff, best, max(others, default=0))


def _closest(found: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    every = list(found)
    rank = {each: tuple(sorted((ROW[n] for n in each), reverse=True)) for each in every}
    first = max(rank.values())
    return tuple(each for each in every if rank[each] == first)


# --- fire on armour --------------------------------------------------------------------------------------------------


def armour_modifiers(state: State, at: int, unit: Platoon, *, guns: bool) -> tuple[Modifier, ...] | None:
    """The die's modifiers for fire on armour; ``None`` where it can't be fired on.

    Without guns only an adjacent hex, and 5 breaks; with them a line of fire of 1 to 5 hexes, and 2 breaks.
    """
    distance = DISTANCE[at][unit.at]
    found: list[Modifier] = []
    if not guns:
        if distance != 1:
            return None
        if not in_forward_arc(unit, at):
            found.append(("outside its forward arc", 1))
        if state.rifles >> unit.at & 1:
            found.append(("rifle platoon with it", -1))
        return tuple(found)
    seen = enemy_line(state, at, unit.at)
    if seen == "blocked":
        return None
    if not in_forward_arc(unit, at):
        found.append(("outside its forward arc", 1))
    if seen == "partial":
        found.append(("partly blocked", -1))
    if state.ground.hull_down >> unit.at & 1:
        found.append(("hull down", -1))
    found.append(("range", -distance))
    return tuple(found)


def armour_shot(state: State, at: int, target: str, die: int, because: str = "") -> ev.ArmourShot:
    """The event of fire on armour with its die."""
    guns = state.counters[at].atg == "real"
    unit = state.by_id[target]
    add = armour_modifiers(state, at, unit, guns=guns) or ()
    score = die + sum(value for _, value in add)
    chances = armour_chances(state, at, unit, guns=guns)
    why = because or f"most chances to break, {chances} in 6"
    broken = score >= (HIT if guns else CLOSE_BREAK)
    return ev.ArmourShot(NAMES[at], unit.id, guns, die, add, score, broken, chances / 6, why)


def fire_event(state: State, at: int, cluster: Sequence[int], best: Clusters, because: str = "") -> ev.Engaged:
    """The event of a counter's fire on infantry in a cluster of hexes."""
    worth = payoffs(state, at)
    names = tuple(NAMES[n] for n in cluster)
    return ev.Engaged(NAMES[at], names, sum(worth.get(n, 0) for n in cluster), best.next_best, because)


def in_forward_arc(unit: Platoon, at: int) -> bool:
    """Whether a hex within range lies in armour's forward arc, edges included."""
    return bool(ARC[unit.at][0 if unit.facing is None else unit.facing] >> at & 1)


def armour_chances(state: State, at: int, unit: Platoon, *, guns: bool) -> int:
    """How many of the six faces break armour; 0 where it can't be fired on."""
    add = armour_modifiers(state, at, unit, guns=guns)
    if add is None:
        return 0
    return chances_of(sum(value for _, value in add), HIT if guns else CLOSE_BREAK)


@dataclass(frozen=True)
class Armour:
    """The armour that a counter has most chances to break: the chances out of six, and those that have them and no
    printed priority parts."""

    chances: int
    best: tuple[str, ...]


NO_ARMOUR = Armour(0, ())


def armour_targets(state: State, at: int, *, guns: bool) -> Armour:
    """The armour that a counter would fire on: most chances, then closest to the enemy's edge."""
    if not state.armour:
        return NO_ARMOUR
    found = {p: c for p in state.armour if (c := armour_chances(state, at, p, guns=guns))}
    if not found:
        return NO_ARMOUR
    most = max(found.values())
    row = max(ROW[p.at] for p, c in found.items() if c == most)
    return Armour(most, tuple(p.id for p, c in found.items() if c == most and ROW[p.at] == row))


# --- showing themselves ----------------------------------------------------------------------------------------------


def platoon_test(state: State, counter: Counter) -> str:
    """Why a potential platoon must be tested now; empty where it need not [Enemy decisions, 2nd paragraph]."""
    if counter.revealed:
        return ""
    if state.near_platoons >> counter.at & 1:
        return "next to a platoon"
    if counter.fresh:
        found = clusters(state, counter.at)
        if found.payoff >= PAYOFF_TO_TEST:
            return f"payoff {found.payoff} on {cluster_words(found.best[0])}, and {PAYOFF_TO_TEST} is enough"
    return ""


def guns_test(state: State, counter: Counter) -> str:
    """Why potential anti-tank guns must be tested now; empty where they need not."""
    if counter.atg != "potential":
        return ""
    if state.near_platoons >> counter.at & 1:
        return "next to a platoon"
    if counter.fresh:
        found = armour_targets(state, counter.at, guns=True)
        if found.chances >= CHANCES_TO_TEST:
            return f"{found.chances} chances in 6 to break {found.best[0]}, and {CHANCES_TO_TEST} are enough"
    return ""


def test_modifiers(state: State, counter: Counter, *, guns: bool) -> tuple[Modifier, ...]:
    """The die's modifiers for a test of a platoon or of guns [Enemy decisions, 2nd paragraph]."""
    many = state.guns_found >= 2 or state.platoons_found >= 3
    found: list[Modifier] = []
    if guns:
        if counter.revealed:
            found.append(("platoon is real", 2))
    else:
        if counter.atg == "potential":
            found.append(("guns with it", 1))
        if counter.atg == "removed" and not many:
            found.append(("guns removed", -1))
    if many:
        found.append(("many found already", -1))
    return tuple(found)


def cluster_words(hexes: Iterable[int]) -> str:
    """A cluster as players say it.

    >>> cluster_words([0, 1])
    '1-1+1-2'
    """
    return "+".join(NAMES[n] for n in hexes)


def turn_over(state: State) -> ev.PhaseBegan:
    """The next turn's beginning, or the end after the last one."""
    return ev.PhaseBegan("final", state.turn) if state.turn >= TURNS else ev.PhaseBegan("move", state.turn + 1)
