"""The contents of any program's roster: units with their models and bases, and the entries that are not imported."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.tables.model import Base
from tabletop.words import and_list, count

MOST_UNITS = 100
MOST_MODELS = 60
"""The most models of one unit."""
SETTINGS = frozenset(
    ("configuration", "army configuration", "battle size", "game options", "game type", "gametype", "allegiance")
)
"""Categories of a roster in small letters that hold no units."""
_LONGEST_SHOWN = 60


@dataclass(frozen=True)
class RosterUnit:
    """A unit of a roster: its name, its kind (the roster's main category of it), its models, and the outline of their
    base, if the roster has it. ``counted``: the roster says how many models there are. ``other_bases``: some of its
    models have bases of another size. ``unread_base`` is the roster's text for the base if that is not a size."""

    name: str
    kind: str
    models: int
    base: Base | None
    counted: bool = True
    other_bases: bool = False
    unread_base: str = ""


@dataclass(frozen=True)
class LeftOut:
    """Entries of a roster that may be models and are not imported; ``where``: the unit or category that has them."""

    name: str
    models: int
    where: str


@dataclass(frozen=True)
class Roster:
    """A roster as read: its player's title, its units in their order, the entries that are not imported, and
    ``remarks``, further sentences about it."""

    title: str
    units: tuple[RosterUnit, ...]
    left_out: tuple[LeftOut, ...] = ()
    remarks: tuple[str, ...] = ()

    def notes(self, name: str, side: str) -> Iterator[str]:
        """Sentences on the imported and the omitted contents of the file ``name`` for a side."""
        models = sum(unit.models for unit in self.units)
        yield f"{name}: {self.title}, {count(len(self.units), 'unit')} with {count(models, 'model')} for {side}."
        for unit in self.units:
            if unit.models > MOST_MODELS:
                yield (
                    f"{short(unit.name)} has {unit.models} models; {MOST_MODELS} are the most of a unit and are kept."
                )
        uncounted = _names(unit for unit in self.units if not unit.counted)
        if uncounted:
            which = and_list(uncounted) if any(unit.counted for unit in self.units) else "any unit"
            yield (
                f"{name} has no number of models for {which}: each gets 1. Change `bases` in the table file where that "
                "is wrong."
            )
        several = _names(unit for unit in self.units if unit.other_bases)
        if several:
            yield f"Models on bases of several sizes are in {and_list(several)}: all get the first size."
        unread = {f'"{short(unit.unread_base)}" of {short(unit.name)}': None for unit in self.units if unit.unread_base}
        if unread:
            yield f"Can't be read as a base size: {and_list(list(unread))}. The base size that was given is used."
        if self.left_out:
            rows = [f"{short(row.name)} ({row.models} in {short(row.where)})" for row in self.left_out]
            yield f"Not imported from {name}: {and_list(rows)}."
        yield from self.remarks


def _names(units: Iterator[RosterUnit]) -> list[str]:
    return list(dict.fromkeys(short(unit.name) for unit in units))


def one_line(text: str) -> str:
    """A name on one line, with only visible letters."""
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


def short(name: str) -> str:
    """A name as messages show it."""
    return name if len(name) <= _LONGEST_SHOWN else f"{name[: _LONGEST_SHOWN - 1].rstrip()}…"


def key_of(name: str) -> str:
    """A key for comparing names: lower case, with all forms of an apostrophe alike.

    >>> key_of("Köhler’s  GUARD") == key_of("köhler's guard")
    True
    """
    plain = unicodedata.normalize("NFKC", one_line(name)).translate(str.maketrans("’‘`´", "''''"))
    return plain.casefold()
