"""A game on an open table at one moment, as text for a terminal of 80 columns."""

from __future__ import annotations

from tabletop.open_table.state import State, Unit
from tabletop.small_games.words import (
    forces_words,
    gone_words,
    headline,
    next_words,
    of_unit_at,
    remarks,
    title,
    units,
)


def in_words(state: State) -> str:
    """The whole state: whose turn it is, every unit side by side, who is off the table."""
    forces = forces_words(state, ("place", "facing"), lambda unit: (_place(unit), _facing(unit)))
    return "\n\n".join([headline(state), *forces, *gone_words(state)])


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line."""
    return of_unit_at(state, unit_id, lambda unit: f"at {_place(unit)} facing {_facing(unit)}")


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


def _place(unit: Unit) -> str:
    return "not on the table" if unit.at is None else f"{unit.at.x:.1f}, {unit.at.y:.1f}"


def _facing(unit: Unit) -> str:
    if unit.at is None:
        return ""
    return "?" if unit.at.facing is None else f"{unit.at.facing:.0f}"


__all__ = ["brief", "headline", "in_words", "next_words", "of_unit", "remarks", "title", "units"]
