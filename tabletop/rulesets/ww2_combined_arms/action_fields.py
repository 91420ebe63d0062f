"""The fields of actions of WWII Combined Arms: units, sides, kinds of units, and squares named as in chess ("d4")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.game.actions import OneOf, Phrase, Reader, Rows, Whole, Word
from tabletop.game.errors import ActionError
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.ww2_combined_arms.data import KINDS, SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.square_board.actions import square_name


def _letters(words: str) -> str:
    return re.sub(r"[^a-z]", "", words.casefold())


_KIND_NAMES: Mapping[str, str] = {
    **{_letters(kind.letters): kind.id for kind in KINDS.values()},
    **{_letters(kind.title): kind.id for kind in KINDS.values()},
    **{_letters(kind.title).removesuffix("s"): kind.id for kind in KINDS.values()},
    **{_letters(kind.id): kind.id for kind in KINDS.values()},
    **{_letters(kind.id).removesuffix("s"): kind.id for kind in KINDS.values()},
    "infantry": "general", "fort": "fortification", "airfields": "airfield", "mech": "mechanized",
    "fortifications": "fortification",
}  # fmt: skip
"""What kinds of units may be called, in small letters without spaces."""


def unit_name(state: State, word: str) -> str:
    """A unit's name; raises ActionError for one that the game does not have."""
    name = word.upper()
    if name not in state.by_id:
        known = tuple(state.by_id)
        hint = did_you_mean(name, known) if known else "the armies are not made up yet."
        raise ActionError(f'There is no unit "{word}"; {hint}')
    return name


def kind_name(words: str) -> str:
    """A kind of unit by any of its names; raises ActionError.

    >>> kind_name("Light Tank"), kind_name("AA guns"), kind_name("fort")
    ('light-tanks', 'aa-guns', 'fortification')
    """
    name = _KIND_NAMES.get(_letters(words))
    if name is None:
        raise ActionError(f'There is no kind of unit called "{words}"; {did_you_mean(words, tuple(KINDS))}')
    return name


@dataclass(frozen=True, kw_only=True)
class UnitOrNone(Word):
    """A unit, or "none"."""

    def read(self, reader: Reader) -> str:
        return "" if reader.take("none") else Word.read(self, reader)

    def write(self, value: str) -> str:
        return value or "none"


UNIT = Word(placeholder="UNIT", type="unit", resolve=unit_name)
UNIT_OR_NONE = UnitOrNone(always=True, placeholder="UNIT|none", type="unit", resolve=unit_name)
SQUARE = Word(placeholder="SQUARE", type="cell", resolve=square_name)
SIDE = OneOf(placeholder="SIDE", values=SIDES, what="side")
KIND = Phrase(
    placeholder="KIND", resolve=kind_name, values=tuple(KINDS), titles={kind.id: kind.title for kind in KINDS.values()}
)
ARMY = Rows(columns={"kind": KIND, "number": Whole(placeholder="NUMBER", title="number", most=999)})
