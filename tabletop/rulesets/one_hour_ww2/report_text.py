"""What only the report says of One-Hour WWII: the beginning in words, and what movement dice make on average."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tabletop.game.errors import EventError
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, PENALTY_IN, movement
from tabletop.rulesets.one_hour_ww2.data import KIND_WORDS, KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.event_text import condition_text, objective_title, place_text, unit_name
from tabletop.rulesets.one_hour_ww2.setup import Setup, Victory
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.words import and_list, capital, count, inches, the

_MANY: Mapping[str, str] = MappingProxyType(
    {
        "infantry": "infantry",
        "mortar": "mortars",
        "atg": "ATGs",
        "tank": "tanks",
        "mortar-tank": "close-support tanks",
    }
)
DICE_WORDS: Mapping[str, str] = MappingProxyType(
    {"d5": "average dice (2, 3, 3, 4, 4, 5)", "d6": "ordinary dice (1 to 6)"}
)
_USUAL = HouseRules()
_THREATENED = ("threatened -", "threatened:")
"""How a roll's ``because`` begins where a threat counted (and not where it was left open)."""


def begin_words(state: State) -> tuple[str, ...]:
    """Where the units stand that are on the table from the beginning, a sentence each."""
    return tuple(
        f"{capital(unit_name(state, unit.id, side=True))} began at"
        f" {place_text(state, unit.id, state.setup.required_unit(unit.id).at)}{condition_text(unit)}."
        for unit in state.units
    )


def mean_total_in(state: State, event: ev.MoveRolled) -> float:
    """The mean of the total that the same dice give, with what changed it (Movement Actions)."""
    unit = state.unit(event.unit)
    if unit is None:
        raise EventError(f'there is no unit "{event.unit}" on the table.')
    calm = max(0, sum(event.roll) + BONUS_IN - PENALTY_IN * unit.dug_in)
    threatened = event.total_in != calm or any(word.startswith(_THREATENED) for word in event.because)
    odds = movement(KINDS[unit.kind], dice=state.setup.dice, dug_in=unit.dug_in, threatened=threatened)
    return float(sum(total * chance for total, chance in odds.items()))


_HOUSE_RULES: Mapping[str, str] = MappingProxyType(
    {
        "destroyed_at": "units are destroyed at {} hits",
        "close_in": "close range is {}",
        "concealed_in": "concealed Ready units are seen at {}",
        "area_sight_in": "sight that touches area terrain reaches {}",
        "threat_in": "units are threatened within {}",
        "facing_deg": "facings may differ by {} degrees",
        "level_in": "bases may stand {} ahead of the unique one",
        "wood_edge_in": "the edge of woods is {} deep",
    }
)


def house_rules_words(rules: HouseRules) -> tuple[str, ...]:
    """The house rules that differ from the usual ones, in a sentence; none where none do.

    >>> house_rules_words(HouseRules(close_in=2.0, close_mortars_fire=True))
    ('House rules: close range is 2″; mortars fire within close range.',)
    """
    told = []
    for name, words in _HOUSE_RULES.items():
        value = getattr(rules, name)
        if value != getattr(_USUAL, name):
            told.append(words.format(inches(value) if name.endswith("_in") else f"{value:g}"))
    if rules.long_range != _USUAL.long_range:
        told.append("long range takes 2 off the die" if rules.long_range == "minus two" else "long range halves")
    if rules.close_mortars_fire != _USUAL.close_mortars_fire:
        told.append("mortars fire within close range")
    if rules.wood_edge_front:
        told.append("a gun at the edge of woods has its front edge on it or outside")
    if rules.ties_any_units:
        told.append("any units of a side may keep its ties to an objective")
    return (f"House rules: {'; '.join(told)}.",) if told else ()


def force_words(setup: Setup, side: str) -> str:
    kinds = [unit.kind for unit in setup.units if unit.side == side]
    order = sorted(dict.fromkeys(kinds), key=list(KIND_WORDS).index)
    return and_list([count(kinds.count(kind), KIND_WORDS[kind], _MANY[kind]) for kind in order]) or "no units"


def victory_words(setup: Setup, victory: Victory) -> str:
    who = the(setup.side_title(victory.side))
    match victory.kind:
        case "exit":
            way = next((e.title or e.id for e in setup.exits if e.id == victory.exit), victory.exit)
            when = f", by the end of turn {victory.by_turn}" if victory.by_turn else ""
            return f"Aim of {who}: {count(victory.units, 'unit')} off the table by {way}{when}."
        case "hold":
            names = [
                objective_title(setup, name) for name in victory.objectives or tuple(o.id for o in setup.objectives)
            ]
            some = 0 < victory.count < len(names)
            what = f"{victory.count} of {len(names)} ({', '.join(names)})" if some else and_list(names)
            when = "at the end of any turn" if victory.at_once else "at the end of the last turn"
            return f"Aim of {who}: to hold {what} {when}."
        case "destroy":
            return f"Aim of {who}: {count(victory.units, 'enemy unit')} destroyed."
