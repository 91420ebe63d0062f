"""The fields of actions of Combat Captain: sub-units, companies and sides by id or name, weapons, players' calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import ConfigDict

from tabletop.game.actions import (
    Choice,
    Degrees,
    Domain,
    Many,
    Named,
    OnePlace,
    Phrase,
    Place,
    Point,
    Reader,
    Reason,
    Rows,
    Whole,
    Word,
)
from tabletop.game.errors import ActionError
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, HELPS, MOST_COVER, WEAPONS
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.state import State

_FIRE_CALL = re.compile(r"(?P<name>[^=\s]+)=(?P<value>short|medium|long|out|seen)|covered|uncovered", re.IGNORECASE)
_HELP_TITLES = {"artillery": "off-board artillery", "strafing": "strafing run", "bombing": "bombing run"}


def _subs(state: State) -> Iterator[tuple[str, str]]:
    return ((plan.id, plan.name) for plan in state.setup.plans.values())


def _companies(state: State) -> Iterator[tuple[str, str]]:
    return ((company.id, company.name) for company in state.setup.companies)


def _units(state: State) -> tuple[tuple[str, str], ...]:
    return (*_subs(state), *_companies(state))


def _sides(state: State) -> Iterator[tuple[str, str]]:
    return ((side, state.setup.side_title(side)) for side in state.setup.sides)


def _winners(state: State) -> tuple[tuple[str, str], ...]:
    return (("draw", ""), *_sides(state))


def _fire_call(state: State, word: str) -> str:
    """A call on a fire as logs write it: ``A1=short``, ``A1=seen``, ``covered``; raises ActionError."""
    match = _FIRE_CALL.fullmatch(word)
    if match is None:
        raise ActionError(f'"{word}" is no call, as A1=short, A1=seen, covered or uncovered are.')
    if match["name"] is None:
        return word.casefold()
    return f"{_called_sub(state, match['name'])}={match['value'].casefold()}"


def _cover_call(state: State, word: str) -> str:
    """A call on the cover of a stand in close combat, as ``B1=covered``; raises ActionError."""
    name, _, call = word.casefold().partition("=")
    if call not in ("covered", "uncovered"):
        raise ActionError(f'"{word}" is no call, as B1=covered and B1=uncovered are.')
    return f"{_called_sub(state, name)}={call}"


def _men_under(state: State, word: str) -> str:
    """How many soldiers of a stand are under a shell, as ``3`` or ``A1=3``; raises ActionError."""
    name, joint, number = word.rpartition("=")
    if not number.isdecimal() or len(number) > 2:
        raise ActionError(f'"{word}" is no number of soldiers, as 3 and A1=3 are.')
    return f"{_called_sub(state, name)}={int(number)}" if joint else str(int(number))


def _called_sub(state: State, name: str) -> str:
    names = {plan.casefold(): plan for plan in state.setup.plans}
    if name.casefold() not in names:
        raise ActionError(
            f'There is no sub-unit "{name}" in this game; {did_you_mean(name, sorted(state.setup.plans))}'
        )
    return names[name.casefold()]


def _help_name(words: str) -> str:
    """What strikes from off the table, by its id or its title; raises ActionError."""
    low = words.casefold()
    for value, title in _HELP_TITLES.items():
        if low in (value, title):
            return value
    raise ActionError(f'There is no help "{words}"; {did_you_mean(low, HELPS)}')


@dataclass(frozen=True)
class Placement:
    """A unit and where it is put; without a facing it keeps the one that it has."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    unit: str
    at: OnePlace


@dataclass(frozen=True, kw_only=True)
class Weapon(Word):
    """A weapon by its short name; whether a sub-unit has it is for the rules to say."""

    def domain(self) -> Domain:
        return Domain(self.type, tuple(Choice(name, name) for name in WEAPONS))


@dataclass(frozen=True, kw_only=True)
class PointOrOff(Point):
    """A point, "at" before it or not; "off" (``None``) where something fell off the table."""

    placeholder: str = "at X,Y"

    def read(self, reader: Reader) -> Any:
        if reader.take("off", "missed"):
            return None
        reader.take("at")
        return reader.point()

    def write(self, value: Any) -> str:
        return "off" if value is None else f"at {super().write(value)}"


@dataclass(frozen=True, kw_only=True)
class OneLine(Reason):
    """A reason with single spaces between its words."""

    def accept(self, state: State, value: Any) -> Any:
        return " ".join(str(value).split())


SUB = Named(placeholder="UNIT", type="unit", what="sub-unit", known=_subs)
TARGET = replace(SUB, placeholder="TARGET", what="target")
SPOTTER = replace(SUB, what="spotter", title="spotter", lead=("spotter",))
COMPANY = Named(placeholder="COMPANY", type="choice", what="company", known=_companies)
UNIT = Named(placeholder="UNIT", type="unit", what="unit", known=_units)
SUBS = Many(each=SUB)
SIDE = Named(placeholder="SIDE", type="side", what="side", known=_sides)
WINNER = Named(placeholder="SIDE|draw", type="side", what="side", known=_winners)
HELP = Phrase(placeholder="|".join(HELPS), resolve=_help_name, values=HELPS, titles=_HELP_TITLES, title="help")
PLACE = Place(title="place")
OTHERS = Rows(
    columns={"unit": UNIT, "at": PLACE},
    make=Placement,
    values=lambda row: (row.unit, row.at),
    title="more of them",
)
FIRERS = Rows(
    columns={
        "sub": UNIT,
        "weapon": Weapon(
            placeholder="WEAPON", type="choice", resolve=lambda state, word: word.casefold(), title="weapon"
        ).with_joint(":"),
    },
    make=Firer,
    values=lambda firer: (firer.sub, firer.weapon),
    title="who fires",
)
DICE = Whole(lead=("dice",), usual=(1, DICE_PER_TURN), title="dice of the company")
FIRE_CALLS = Many(
    each=Word(placeholder="CALL", type="choice", resolve=_fire_call),
    lead=("measured",),
    least=0,
    title="what was measured at the table",
)
COVER_CALLS = replace(FIRE_CALLS, each=Word(placeholder="CALL", type="choice", resolve=_cover_call))
COVER_LEVEL = Whole(usual=(0, MOST_COVER), title="level of cover")
TOUCHING = SUBS.after("with").with_title("touched", "UNIT")
MISSING = SUBS.after("without").with_title("missed", "UNIT")
MEN_UNDER = Many(
    each=Word(placeholder="N|UNIT=N", type="text", resolve=_men_under),
    lead=("men",),
    least=0,
    title="soldiers under the cotton",
)
START = Point(lead=("from", "at"), bare=True)
END = Point(lead=("to",))
HEADING = Degrees(lead=("facing", "heading"))
REASON = OneLine()
