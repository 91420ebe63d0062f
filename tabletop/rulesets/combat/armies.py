"""Armies: what is wrong with one, all at once, the cheapest that will do, and some that will."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from tabletop.game.domains import Domain
from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.data import COUNT_FIELDS, KINDS, PERIODS, SIDE_TITLES, SIDES, count_of
from tabletop.rulesets.combat.ground import without_headquarters
from tabletop.words import count

if TYPE_CHECKING:
    from tabletop.rulesets.combat.setup import Setup
    from tabletop.rulesets.combat.state import State

ARMIES, POOL, DEPLOYMENT = "Armies", "Force selection pool", "Deployment"
HEADQUARTERS = "Variations of play, Given objectives"


def room_for_planes(setup: Setup, side: str) -> int:
    """How many planes a side's airstrips hold, one to a square."""
    return sum(len(strip.squares) for strip in setup.airstrips if strip.side == side)


# --- what is wrong ---------------------------------------------------------------------------------------------------


def against_army(state: State, action: actions.Army) -> Iterator[Violation]:
    """Everything that is wrong with an army."""
    yield from why_closed(state, action.side)
    setup, counts = state.setup, dict(action.counts)
    if any(count < 0 for count in counts.values()):
        yield Violation("counts", "An army has no fewer than no pieces of a kind.", ARMIES, firm=True)
    yield from _against_kinds(setup, counts)
    yield from _against_size(setup, counts)
    yield from _against_period(setup, counts)
    room = room_for_planes(setup, action.side)
    if counts.get("plane", 0) > room:
        text = f"The airstrips of {SIDE_TITLES[action.side]} hold {count_of(room, 'plane')}, one to a square."
        yield Violation("no-room", text, DEPLOYMENT, {"planes": counts["plane"], "room": room}, firm=True)
    yield from _against_mines(setup, action.mines)
    for text in without_headquarters(setup):
        yield Violation("no-headquarters", f"{text} Lay one first.", HEADQUARTERS, firm=True)


def why_closed(state: State, side: str) -> Iterator[Violation]:
    """Why a side's deployment is closed."""
    if state.step != "deploy":
        yield Violation("joined", "The boards are joined, so that deployment is over.", DEPLOYMENT, firm=True)
    elif state.ready[SIDES.index(side)]:
        yield Violation("ready", f"{SIDE_TITLES[side]} has said that it is ready.", DEPLOYMENT, firm=True)


def _against_kinds(setup: Setup, counts: Mapping[str, int]) -> Iterator[Violation]:
    for kind, chosen in counts.items():
        data = KINDS[kind]
        if kind not in setup.kinds:
            known = ", ".join(KINDS[one].plural for one in setup.kinds)
            place = PERIODS[setup.period].place if setup.period else data.place
            text = f"{data.plural.capitalize()} may not be chosen here; what may: {known}."
            yield Violation("kind-not-allowed", text, place)
        if chosen > data.pool:
            text = f"The box has {count_of(data.pool, kind)} a side, and {were(chosen)} chosen."
            yield Violation("pool", text, POOL, {"chosen": chosen, "pool": data.pool}, firm=True)


def _against_size(setup: Setup, counts: Mapping[str, int]) -> Iterator[Violation]:
    total = sum(counts.values())
    if not total:
        yield Violation("empty", "An army has one piece at least.", ARMIES, firm=True)
    if setup.pieces and total != setup.pieces:
        text = f"Armies of {setup.pieces} pieces were agreed on, and this one has {total}."
        yield Violation("not-equal", text, ARMIES, {"pieces": total, "agreed": setup.pieces})
    elif total > setup.most_pieces:
        place = "Set up, 3" if setup.house.most_30 else "Variations of play"
        text = f"An army has at most {setup.most_pieces} pieces, and this one has {total}."
        yield Violation("too-many", text, place, {"pieces": total, "most": setup.most_pieces})
    cost = points(counts)
    if setup.points and cost > setup.points:
        text = f"Armies of {setup.points} points were agreed on, and this one costs {cost}."
        yield Violation("points", text, "Points system", {"points": cost, "agreed": setup.points})


def points(counts: Mapping[str, int]) -> int:
    """What an army costs [Points system].

    >>> points({"tank": 4, "plane": 1, "foot": 3})
    20
    """
    return sum(KINDS[kind].points * count for kind, count in counts.items())


def _against_period(setup: Setup, counts: Mapping[str, int]) -> Iterator[Violation]:
    if not setup.period:
        return
    period = PERIODS[setup.period]
    for ratio in period.ratios:
        most = int(ratio.share * counts.get(ratio.of, 0))
        chosen = counts.get(ratio.kind, 0)
        if chosen > most:
            text = (
                f"With {count_of(counts.get(ratio.of, 0), ratio.of)} an army of {period.title} starts with at most "
                f"{count_of(most, ratio.kind)}, and {were(chosen)} chosen."
            )
            yield Violation("ratio", text, period.place, {"chosen": chosen, "most": most})
    for kind, most in period.at_once.items():
        if counts.get(kind, 0) > most:
            text = f"{period.title} allows {count_of(most, kind)} a side at one time, and {were(counts[kind])} chosen."
            yield Violation("at-once", text, period.place, {"chosen": counts[kind], "most": most})


def _against_mines(setup: Setup, mines: int) -> Iterator[Violation]:
    each = setup.mines_each
    if setup.period and not PERIODS[setup.period].mines and mines:
        period = PERIODS[setup.period]
        yield Violation("no-mines", f"{period.title} has no mines, and {were(mines)} chosen.", period.place, firm=True)
    elif mines > each:
        text = f"Each army is allotted {count(each, 'mine')}, and {were(mines)} chosen."
        yield Violation("mines", text, ARMIES, {"chosen": mines, "most": each}, firm=True)
    elif mines != each and setup.profile == "codified":
        text = f"Each side gets an equal number of mines, {each}, and {were(mines)} chosen."
        yield Violation("mines", text, "Set up, 3", {"chosen": mines, "agreed": each})
    if mines < 0:
        yield Violation("mines", "An army has no fewer than no mines.", ARMIES, firm=True)


def were(number: int) -> str:
    """So many, as they were.

    >>> were(1), were(3)
    ('1 was', '3 were')
    """
    return f"{number} {'was' if number == 1 else 'were'}"


# --- armies that will do ---------------------------------------------------------------------------------------------


def most_of(setup: Setup, side: str) -> dict[str, int]:
    """The most pieces of every kind that a side's army may have, by the box, its airstrips and the period."""
    at_once = PERIODS[setup.period].at_once if setup.period else {}
    found = {kind: min(KINDS[kind].pool, at_once.get(kind, KINDS[kind].pool)) for kind in setup.kinds}
    if "plane" in found:
        found["plane"] = min(found["plane"], room_for_planes(setup, side))
    return found


def open_counts(setup: Setup, side: str) -> dict[str, Domain]:
    """What may stand in the fields of a side's army: how many pieces of every kind that may be chosen, and mines.

    >>> from tabletop.rulesets.combat.setup import Setup
    >>> list(open_counts(Setup(period="early-wwi"), "red"))
    ['guns', 'foot', 'cavalry']
    """
    most = most_of(setup, side)
    found = {name: Domain("number", least=0, most=most[kind]) for kind, name in COUNT_FIELDS.items() if kind in most}
    return found | ({"mines": Domain("number", least=0, most=setup.mines_each)} if setup.mines_each else {})


def least_cost(setup: Setup, side: str, counts: Mapping[str, int]) -> int | None:
    """What the cheapest army costs that has these pieces and others up to the agreed number (with none agreed, one at
    least); ``None`` where there is no such army."""
    most = most_of(setup, side)
    wanted = setup.pieces or max(1, sum(counts.values()))
    ratio = next(iter(PERIODS[setup.period].ratios), None) if setup.period else None
    costs = []
    for scarce in range(counts.get(ratio.kind, 0), most[ratio.kind] + 1) if ratio else (0,):
        army = Counter(counts)
        if ratio:
            army[ratio.kind] = scarce
            army[ratio.of] = max(army[ratio.of], math.ceil(scarce / ratio.share))
        left = wanted - sum(army.values())
        if left < 0 or any(count > most.get(kind, 0) for kind, count in army.items()):
            continue
        for kind in sorted(most, key=lambda kind: KINDS[kind].points):
            if ratio is None or kind != ratio.kind:
                more = min(left, most[kind] - army[kind])
                army[kind] += more
                left -= more
        costs += [points(army)] if not left else []
    return min(costs, default=None)


MIXTURES: Mapping[str, Mapping[str, float]] = {
    "balanced": {"tank": 3.0, "gun": 3.0, "plane": 1.0, "foot": 3.0, "motorised": 1.0, "cavalry": 1.0,
                 "helicopter": 1.0},
    "tanks": {"tank": 6.0, "gun": 2.0, "plane": 1.0, "foot": 2.0, "motorised": 2.0, "cavalry": 2.0, "helicopter": 1.0},
    "guns": {"tank": 2.0, "gun": 6.0, "plane": 2.0, "foot": 6.0, "motorised": 1.0, "cavalry": 1.0, "helicopter": 1.0},
}  # fmt: skip
"""Armies that are proposed: how much of each kind, where it is allowed."""


@lru_cache(maxsize=64)
def ready_armies(setup: Setup, side: str) -> tuple[tuple[actions.Army, str], ...]:
    """Armies that will do, each with what its mixture is called, the balanced one first."""
    found: dict[actions.Army, str] = {}
    for name, weights in MIXTURES.items():
        found.setdefault(some_army(setup, side, weights), name)
    return tuple(found.items())


def some_army(setup: Setup, side: str, weights: Mapping[str, float], rng: random.Random | None = None) -> actions.Army:
    """An army within all that was agreed: pieces are taken one by one, each of the kind that is furthest behind its
    weight (with ``rng``, at random by weight), and none that leaves no room for the rest."""
    counts: Counter[str] = Counter()
    while sum(counts.values()) < (setup.pieces or setup.most_pieces):
        free = [kind for kind in setup.kinds if weights.get(kind, 0) > 0 and _one_more(setup, side, counts, kind)]
        if not free:
            break
        if rng is not None:
            counts[rng.choices(free, [weights[kind] for kind in free])[0]] += 1
        else:
            counts[min(free, key=lambda kind: (counts[kind] + 1) / weights[kind])] += 1
    mines = setup.mines_each
    if rng is not None and setup.profile == "original":
        mines = rng.randint(0, mines)
    return actions.Army.of(side, counts, mines)


def _one_more(setup: Setup, side: str, counts: Counter[str], kind: str) -> bool:
    ratios = PERIODS[setup.period].ratios if setup.period else ()
    if any(ratio.kind == kind and counts[kind] + 1 > ratio.share * counts[ratio.of] for ratio in ratios):
        return False
    cost = least_cost(setup, side, counts + Counter([kind]))
    return cost is not None and (not setup.points or cost <= setup.points)
