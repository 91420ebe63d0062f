"""The fields of actions of Combined Arms: platoons, corners of a hex, and hexes named "4-3", or "r4h3", or "4.3"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tabletop.game.actions import Choice, Domain, Field, Many, OneOf, Phrase, Reader, Whole, Word, YesNo
from tabletop.game.errors import ActionError
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.combined_arms.board import NAMES, number
from tabletop.rulesets.combined_arms.data import CORNER_WORDS, PLATOONS, ROLES_OF_SIX, SIDES, TERRAIN, TRACK
from tabletop.rulesets.combined_arms.setup import MOST_HANDICAP
from tabletop.rulesets.combined_arms.state import State


def hex_name(word: str) -> str:
    """A hex's name as logs write it; raises ActionError with what its row has.

    >>> hex_name("r4h3")
    '4-3'
    """
    try:
        return NAMES[number(word)]
    except (ValueError, KeyError) as error:
        told = str(error) if isinstance(error, ValueError) else f'There is no hex "{word}".'
        raise ActionError(told if told.endswith(".") else f"{told}.") from error


def platoon_name(word: str) -> str:
    """A platoon's name; raises ActionError for one that the game does not have."""
    name = word.upper()
    if name not in PLATOONS:
        raise ActionError(f'There is no platoon "{word}"; {did_you_mean(name, PLATOONS)}')
    return name


def terrain_name(words: str) -> str:
    """A kind of terrain; raises ActionError for one that the board does not have."""
    kind = words.casefold()
    if kind not in TERRAIN:
        raise ActionError(f'"{kind}" is no terrain of Combined Arms; {did_you_mean(kind, TERRAIN)}')
    return kind


def _platoon(state: State, word: str) -> str:
    return platoon_name(word)


def _hex(state: State, word: str) -> str:
    return hex_name(word)


def _is_platoon(word: str) -> bool:
    return word.upper() in PLATOONS


@dataclass(frozen=True, kw_only=True)
class Corner(Field):
    """A corner of a hex, which armour faces: 0 is the top, then clockwise to 5."""

    placeholder: str = "CORNER"

    def read(self, reader: Reader) -> int:
        word = reader.word("corner")
        if not re.fullmatch(r"[0-5]", word):
            raise ActionError(_no_corner(word))
        return int(word)

    def accept(self, state: State, value: int) -> int:
        if value not in range(len(CORNER_WORDS)):
            raise ActionError(_no_corner(value))
        return value

    def domain(self) -> Domain:
        return Domain("corner", CORNER_CHOICES)


def _no_corner(word: str | int) -> str:
    return f'"{word}" is no corner of a hex: 0 is the top, then clockwise to 5.'


CORNER_CHOICES = tuple(Choice(corner, words) for corner, words in enumerate(CORNER_WORDS))
"""The corners as choices."""

PLATOON = Word(placeholder="PLATOON", type="unit", resolve=_platoon, title="platoon")
HEX = Word(placeholder="HEX", type="cell", resolve=_hex, title="hex")
PLATOON_OR_HEX = Word(placeholder="PLATOON", type="unit", resolve=_platoon, title="platoon", is_one=_is_platoon)
"""A platoon in a place where a hex may stand instead."""
HEXES = Many(each=HEX, title="hexes")
TARGET = HEX.after("at").with_title("target", "HEX")
CORNER = Corner(title="corner")
FACING = Corner(lead=("facing",), title="facing at the end")
TURNED = Corner(joint=":", title="turns to")
"""The corner that armour turns to before it fires."""

TERRAIN_KIND = Phrase(placeholder="TERRAIN", resolve=terrain_name, values=TERRAIN)
PLAYER = OneOf(placeholder="PLAYER", values=(1, 2), what="player")
POINTS = Whole(placeholder="POINTS", title="points", most=999, usual=(0, MOST_HANDICAP))
AMMO = OneOf(
    values=("he", "smoke"), titles={"he": "high explosive", "smoke": "smoke"}, what="kind of bomb", title="bombs"
)
ROLE = OneOf(placeholder="ROLE", values=tuple(ROLES_OF_SIX), what="role")
ALL = "all"
"""Whom a message goes to that is for every player."""
SENDER = replace(ROLE, titles={role: f"from {role}" for role in ROLES_OF_SIX})
RECIPIENT = OneOf(
    placeholder="ROLE|all",
    lead=("to",),
    values=(*ROLES_OF_SIX, ALL),
    titles={role: f"to {role}" for role in (*ROLES_OF_SIX, ALL)},
    what="role",
    title="to whom",
)
SIDE = OneOf(placeholder="SIDE", values=SIDES, what="side")
GUNS = OneOf(
    lead=("atg",),
    placeholder="STATE",
    values=("none", "potential", "real", "removed"),
    what="state of guns",
    title="anti-tank guns",
)


def track(name: str) -> Whole:
    """Where the marker of a track stands."""
    return Whole(lead=(name,), title=name, most=999, usual=(0, TRACK - 1))


def yes_or_no(name: str) -> YesNo:
    """Whether it is so, behind its name."""
    return YesNo(lead=(name,), title=name)
