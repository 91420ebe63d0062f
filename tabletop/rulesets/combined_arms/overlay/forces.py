"""Platoons and counters of Combined Arms from the bases that stand on a photographed table.

A roster names the attackers' platoons as the game does (D1 to F3, M1, M2, A1 to A3). What else stands on the board says
by its kind what it is: see :data:`COUNTER_KINDS`. A platoon with a marker "fired" or "moved" beside it is spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.grids.hexes.facing import Facing, facing_of
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import Footing, footing, lead_base, place_of
from tabletop.rulesets.combined_arms.data import KINDS as PLATOON_KINDS
from tabletop.rulesets.combined_arms.data import PLATOONS
from tabletop.words import and_list

COUNTER_KINDS: Mapping[str, str] = {
    "counter": "a potential enemy platoon",
    "platoon": "a revealed enemy platoon",
    "potential-atg": "potential anti-tank guns",
    "atg": "real anti-tank guns",
    "smoke": "smoke",
    "mortar-target": "the enemy mortars' target",
}
"""Kinds of units in a table file besides the attackers' platoons (rifle, mmg, armour), and what they are."""
KINDS = ("rifle", "mmg", "armour", *COUNTER_KINDS)
"""All kinds that a table file for this game may name."""
SPENT_BY = ("fired", "moved")
"""Markers beside a unit that make it spent."""


@dataclass(frozen=True)
class Stander:
    """A platoon or counter on the table: its ``id`` (of a counter without a name that of its base), its kind, where it
    stands, which corner it faces (armour only), whether a marker says that it is spent; ``apart``: other hexes
    that bases of it stand in; ``at``: the place of its base in inches."""

    id: str
    kind: str
    footing: Footing
    at: tuple[float, float]
    facing: Facing | None = None
    spent: bool = False
    apart: tuple[str, ...] = ()

    @property
    def is_platoon(self) -> bool:
        """Whether it is one of the attackers' platoons."""
        return self.id in PLATOON_KINDS


@dataclass(frozen=True)
class Forces:
    """All platoons and counters that are seen, in the order of the game and of the table; ``notes`` in sentences."""

    standers: tuple[Stander, ...] = ()
    notes: tuple[str, ...] = ()


def forces_from(
    bases: Sequence[Mapping[str, Any]], markers: Iterable[Mapping[str, Any]], placement: BoardPlacement
) -> Forces:
    """Who stands where, from the bases and markers of an observation (mappings, checked before)."""
    spent = {str(m.get("unit")) for m in markers if m.get("means") in SPENT_BY and m.get("unit") is not None}
    by_unit: dict[str, list[Mapping[str, Any]]] = {}
    counters: list[tuple[str, Mapping[str, Any]]] = []
    strangers: dict[str, None] = {}
    nameless = 0
    for base in bases:
        unit, kind = base.get("unit"), base.get("kind")
        if unit in PLATOON_KINDS:
            by_unit.setdefault(str(unit), []).append(base)
        elif kind in COUNTER_KINDS:
            alone = unit is not None and sum(b.get("unit") == unit for b in bases) == 1
            counters.append((str(unit) if alone else str(base["id"]), base))
        elif unit is not None:
            strangers[str(unit)] = None
        else:
            nameless += 1
    found = [_platoon(name, by_unit[name], name in spent, placement) for name in PLATOONS if name in by_unit]
    for name, base in counters:
        marked = name in spent or str(base.get("unit")) in spent
        found.append(Stander(name, str(base["kind"]), footing(base, placement), place_of(base), spent=marked))
    return Forces(tuple(found), tuple(_notes(by_unit, strangers, nameless)))


def _platoon(name: str, bases: Sequence[Mapping[str, Any]], spent: bool, placement: BoardPlacement) -> Stander:
    """A platoon by its unique base, or by the one nearest to the middle of all where none is known to be unique."""
    lead = lead_base(bases)
    there = footing(lead, placement)
    others = [footing(base, placement).cell for base in bases if base is not lead]
    apart = tuple(dict.fromkeys(cell for cell in others if cell is not None and cell != there.cell))
    kind = PLATOON_KINDS[name]
    facing = facing_of(lead, placement) if kind == "armour" else None
    return Stander(name, kind, there, place_of(lead), facing, spent, apart)


def _notes(by_unit: Mapping[str, Sequence[Mapping[str, Any]]], strangers: Iterable[str], nameless: int) -> list[str]:
    notes = [
        f'The roster has {name} as "{bases[0]["kind"]}", and it is {PLATOON_KINDS[name]} here: change its kind in the '
        "table file."
        for name, bases in by_unit.items()
        if bases[0].get("kind") not in (None, PLATOON_KINDS[name])
    ]
    unknown = list(strangers)
    if unknown:
        notes.append(
            f"{_short_list(unknown)} {'is' if len(unknown) == 1 else 'are'} left out: platoons are named "
            f"{PLATOONS[0]} to {PLATOONS[-1]}, and enemy counters are of kind {', '.join(COUNTER_KINDS)}."
        )
    if nameless:
        notes.append(
            f"{nameless} {'base' if nameless == 1 else 'bases'} of no known unit {'is' if nameless == 1 else 'are'} "
            "left out: settle whose they are."
        )
    return notes


def _short_list(names: Sequence[str]) -> str:
    most = 6
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more units"
    return and_list(names)
