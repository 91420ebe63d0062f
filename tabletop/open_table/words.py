"""A game on an open table at one moment, as text for a terminal of 80 columns."""

from __future__ import annotations

import re

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

_BASE = re.compile(r"(-?[\d.]+),(-?[\d.]+),(unknown|-?[\d.]+)(?:,|$)")
"""A base's place among the words of an action: x, y and its facing, and perhaps what a photo measured."""


def in_words(state: State) -> str:
    """The whole state: whose turn it is, every unit side by side, who is off the table."""
    forces = forces_words(state, ("place", "facing"), lambda unit: (_place(unit), _facing(unit)))
    return "\n\n".join([headline(state), *forces, *gone_words(state)])


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line."""
    return of_unit_at(state, unit_id, lambda unit: f"at {_place(unit)} facing {_facing(unit)}")


def brief(state: object, words: str) -> str:
    """An action as people say it: places to a tenth of an inch, without what a photo measured; of several the first."""
    said: list[str] = []
    for word in words.split():
        base = _BASE.match(word)
        if base and said and said[-1] == "bases":
            facing = "unknown" if base[3] == "unknown" else f"{float(base[3]):.0f}"
            said[-1:] = ["at", f"{round(float(base[1]), 1):g},{round(float(base[2]), 1):g}", "facing", facing]
        elif not (base and "facing" in said[-2:-1]):
            said.append(word)
    return " ".join(said)


def _place(unit: Unit) -> str:
    return "not on the table" if unit.at is None else f"{unit.at.x:.1f}, {unit.at.y:.1f}"


def _facing(unit: Unit) -> str:
    if unit.at is None:
        return ""
    return "?" if unit.at.facing is None else f"{unit.at.facing:.0f}"


__all__ = ["brief", "headline", "in_words", "next_words", "of_unit", "remarks", "title", "units"]
