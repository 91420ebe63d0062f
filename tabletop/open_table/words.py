"""A game on an open table at one moment, as text for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from tabletop.game.registry import ruleset
from tabletop.open_table.rules import OpenTableRules
from tabletop.open_table.state import State, Unit
from tabletop.words import aligned_tables, count

_WIDTH = 80


def in_words(state: State) -> str:
    """The whole state: whose turn it is, every unit side by side, who is off the table."""
    sections = [headline(state), *_forces(state)]
    gone = [f"{unit.id} ({unit.gone})" for unit in state.units.values() if unit.gone]
    if gone:
        sections.append(textwrap.fill(f"Off the table: {', '.join(gone)}.", _WIDTH, subsequent_indent="  "))
    return "\n\n".join(sections)


def headline(state: State) -> str:
    """Whose turn it is, in a line."""
    setup = state.setup
    if state.result is not None:
        won = f"{setup.side_title(state.result.winner)} won" if state.result.winner else "A draw"
        return f"{setup.title}, turn {state.turn}. {won}: {state.result.reason}"
    of = f" of {setup.turns}" if setup.turns else ""
    return f"{setup.title}, turn {state.turn}{of}. {setup.side_title(state.side)} to act."


def next_words(state: State) -> str:
    """Nothing has to be done before anything else."""
    return ""


def next_forms(state: State) -> tuple[str, ...]:
    """Nor typed."""
    return ()


def title(state: State, actor: str) -> str:
    """How people call whoever did something: a side by its title."""
    return state.setup.side_title(actor) if actor in state.setup.sides else actor.capitalize()


def units(state: State) -> tuple[str, ...]:
    """The ids of all units of the game, on the table or not."""
    return tuple(state.units)


def kind_words(state: State, kind: str, number: int = 1) -> str:
    """How people call so many of a kind of units."""
    rules: OpenTableRules = ruleset(state.setup.rules)  # type: ignore[assignment]
    return rules.kind(kind).words(number)


def unit_title(state: State, unit: Unit) -> str:
    """A unit by its name, id and kind."""
    kind = kind_words(state, unit.kind)
    return f"{unit.plan.name} ({unit.id}, {kind})" if unit.plan.name else f"{unit.id}, {kind}"


def marker_words(unit: Unit) -> tuple[str, ...]:
    """A unit's markers, a few words each: "acted", "2 hits"."""
    return tuple(name if number == 1 else count(number, name) for name, number in unit.markers.items())


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line."""
    unit = state.units.get(unit_id)
    if unit is None:
        return f"{unit_id}: not in this game."
    if unit.at is None:
        return f"{unit_title(state, unit)}: {unit.gone or 'not on the table'}."
    place = f"at {_place(unit)} facing {_facing(unit)}"
    return f"{unit_title(state, unit)}: {'; '.join([place, *marker_words(unit)])}."


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """None: nothing is known that players may miss about units that were put down."""
    return ()


def brief(state: State, words: str) -> str:
    """An action as people say it: places to a tenth of an inch, without what a photo measured of them."""
    spoken = []
    rest = words.split()
    while rest:
        word = rest.pop(0)
        if word == "bases" and rest and rest[0].count(",") > 2:
            x, y, facing = rest.pop(0).split(",")[:3]
            turn = facing if facing == "unknown" else f"{float(facing):.0f}"
            spoken += ["at", f"{round(float(x), 1):g},{round(float(y), 1):g}", "facing", turn]
        else:
            spoken.append(word)
    return " ".join(spoken)


def _forces(state: State) -> Iterator[str]:
    tables = []
    for side in state.setup.sides:
        own = [unit for unit in state.units.values() if unit.side == side and not unit.gone]
        rows = [(state.setup.side_title(side), "place", "facing", "markers")]
        rows += [(f"  {unit_title(state, u)}", _place(u), _facing(u), ", ".join(marker_words(u))) for u in own]
        tables.append(rows)
    return aligned_tables(tables)


def _place(unit: Unit) -> str:
    return "not on the table" if unit.at is None else f"{unit.at.x:.1f}, {unit.at.y:.1f}"


def _facing(unit: Unit) -> str:
    if unit.at is None:
        return ""
    return "?" if unit.at.facing is None else f"{unit.at.facing:.0f}"


__all__ = [
    "brief",
    "headline",
    "in_words",
    "kind_words",
    "marker_words",
    "next_forms",
    "next_words",
    "of_unit",
    "remarks",
    "title",
    "unit_title",
    "units",
]
