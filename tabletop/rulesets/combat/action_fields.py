"""The fields of actions of Combat: pieces, squares, sides, kinds of pieces, salvo cards.

Reading an action asks nothing that is hidden: a piece's name is read alike whether the game has that piece or not, and
a target's square is looked up only while all pieces lie open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabletop.game.actions import OneOf, Reader, Row, Whole, Word
from tabletop.game.errors import ActionError
from tabletop.rulesets.combat.data import (
    BY_LETTER,
    COMPASS,
    COUNT_FIELDS,
    COUNTER,
    KINDS,
    MINE,
    MOST_NUMBERS,
    ROAD,
    SIDE_TITLES,
    SIDES,
    STRIP,
    TERRAIN,
    TERRAIN_TITLES,
)
from tabletop.square_board.actions import square_name

if TYPE_CHECKING:
    from tabletop.rulesets.combat.state import State

_UNIT = re.compile(rf"([RB])([{''.join(BY_LETTER)}])([1-9][0-9]?)")
_MOST_COUNTED = 999
"""The highest number of pieces, mines or cards that is read; what the game has is the rules' to judge."""


def is_unit_name(word: str) -> bool:
    """Whether a word is a piece's name, as far as its letters tell.

    >>> is_unit_name("rt3"), is_unit_name("c4")
    (True, False)
    """
    return _UNIT.fullmatch(word.upper()) is not None


def unit_name(state: object, word: str) -> str:
    """A piece's name, whether the game has that piece or not; raises ActionError.

    >>> unit_name(None, "rt3")
    'RT3'
    """
    match = _UNIT.fullmatch(word.upper())
    if match is None or int(match[3]) > BY_LETTER[match[2]].pool:
        kinds = ", ".join(f"{kind.letter} {kind.title}" for kind in KINDS.values())
        raise ActionError(
            f'"{word}" is no piece: R or B for the side, a letter for the kind ({kinds}) and a number, as in RT3.'
        )
    return match[0]


def target_name(state: State, word: str) -> str:
    """A target's name, also by its square where the boards lie open; raises ActionError."""
    if is_unit_name(word) or state.step != "play" or state.apart:
        return unit_name(state, word)
    n = state.field.number[square_name(state, word)]
    if n not in state.by_square:
        raise ActionError(f"No piece stands in {state.name(n)}.")
    return state.by_square[n].id


def _piece_or_mine(state: object, word: str) -> str:
    return MINE if word.casefold() == MINE else unit_name(state, word)


@dataclass(frozen=True, kw_only=True)
class Count(Whole):
    """How many of something, behind its name; shown as COUNT where it is still to be said."""

    most: int = _MOST_COUNTED

    @property
    def blank(self) -> str:
        return "COUNT"


@dataclass(frozen=True, kw_only=True)
class CorrectedUnit(Word):
    """The piece that is set right, which stays away only where the deck is."""

    def fits(self, reader: Reader) -> bool:
        return not (reader.rest and reader.rest[0].casefold() in DECK.lead)


def _count_field(lead: tuple[str, ...], title: str, most: int = _MOST_COUNTED) -> Count:
    return Count(lead=lead, title=title, most=most)


_OTHER_NAMES: Mapping[str, str] = {"foot": "infantry"}
"""What else a kind of piece may be called."""

UNIT = Word(placeholder="UNIT", title="piece", type="unit", resolve=unit_name, is_one=is_unit_name)
PIECE_OR_MINE = Word(placeholder="UNIT", title="piece", type="unit", resolve=_piece_or_mine)
TARGET = Word(placeholder="TARGET", title="target", type="unit", lead=("at",), bare=True, resolve=target_name)
SIDE = OneOf(placeholder="SIDE", values=SIDES, titles=SIDE_TITLES, what="side")
COUNTERS: Mapping[str, str] = {f"{COUNTER}{way}": f"a hill counter, {name}" for way, name in COMPASS.items()}
TERRAIN_LAID = OneOf(
    placeholder="TERRAIN",
    title="terrain",
    values=(*TERRAIN, ROAD, STRIP, *COUNTERS),
    titles={**TERRAIN_TITLES, ROAD: "a road", STRIP: "an airstrip", **COUNTERS},
    what="terrain of Combat",
)
KIND = OneOf(
    placeholder="KIND",
    title="kind of piece",
    values=tuple(KINDS),
    spellings={name: kind for names in (COUNT_FIELDS, _OTHER_NAMES) for kind, name in names.items()},
    titles={kind.id: kind.title for kind in KINDS.values()},
    what="kind of piece",
)
COUNTS: Mapping[str, Count] = {
    kind: _count_field(tuple(dict.fromkeys((name, kind, _OTHER_NAMES.get(kind, kind)))), KINDS[kind].plural)
    for kind, name in COUNT_FIELDS.items()
}
"""How many pieces of a kind an army has, by the kind."""
MINES = _count_field(("mines", "mine"), "mines")
WHOLE_DEPLOYMENT = _count_field(("number",), "number", MOST_NUMBERS)
CARD = OneOf(values=("hit", "miss"), title="card", titles={"hit": "a hit", "miss": "a miss"}, what="salvo card")
DECK = Row(
    lead=("deck",),
    title="cards left in the deck",
    columns={
        "hits": Whole(placeholder="HITS", title="hits", most=_MOST_COUNTED),
        "misses": Whole(placeholder="MISSES", title="misses", most=_MOST_COUNTED),
    },
)
CORRECTED = CorrectedUnit(placeholder="UNIT", title="piece", type="unit", resolve=unit_name)
