"""Rosters of BattleScribe (.ros, .rosz) and New Recruit (.json) as units: names, models, bases where they are told.

All three hold the same: a ``roster`` of ``forces`` (also in one another) of ``selections``, which nest. A selection of
the type ``unit`` is a unit, and its models are the selections of the type ``model`` in it, each with its ``number`` of
all in the unit; a ``model`` on its own is a unit too. What else they hold, costs and rules and weapons, is left out.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tabletop.errors import SceneError, UsageError
from tabletop.reading import json_fields as read
from tabletop.tables.model import Base, Unit
from tabletop.tables.table_for_game import BASE_HEIGHT_IN
from tabletop.tables.tablefile import MAX_BASE_IN
from tabletop.words import and_list

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_BYTES = 8_000_000
"""Of a roster, unpacked; a large one has three."""
MOST_UNITS = 100
MOST_MODELS = 60
"""Of one unit."""
_MOST_FILES = 16  # in a .rosz, which has one
_DEEPEST = 30
_LONGEST_NAME = 40
_MM = 25.4
_SIZE = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:mm)?(?:\s*[x×*]\s*(\d+(?:[.,]\d+)?))?\s*(mm|cm|in\b|inch|\"|″)", re.IGNORECASE
)
_PER_UNIT_IN = {"mm": 1 / _MM, "cm": 10 / _MM}


@dataclass(frozen=True)
class RosterUnit:
    """A unit of a roster: its name, its kind (the roster's main category of it), its models, and their base's outline
    where the roster tells it."""

    name: str
    kind: str
    models: int
    base: Base | None


@dataclass(frozen=True)
class Roster:
    """A roster as read: what its player calls it, and its units in their order."""

    title: str
    units: tuple[RosterUnit, ...]


def read_roster(source: bytes, name: str) -> Roster:
    """The roster in a file's bytes; ``name`` is the file's. Raises SceneError with what can't be used."""
    if source.startswith(b"PK"):
        source = _unpacked(source, name)
    if len(source) > MOST_BYTES:
        raise SceneError(f"{name} has {len(source) / 1e6:.0f} MB, and a roster has at most {MOST_BYTES // 10**6}.")
    top = _xml(source, name) if source.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else _json(source, name)
    units = tuple(unit for force in _forces(top, name, 0) for unit in _units(force, name, 0))
    if not units:
        raise SceneError(f"{name} has no units: export the whole list as a roster.")
    if len(units) > MOST_UNITS:
        raise SceneError(f"{name} has {len(units)} units, and a table has at most {MOST_UNITS} of one roster.")
    return Roster(_one_line(top.text("name")) or name, units)


def units_for_table(roster: Roster, side: str, bases: Mapping[str, Base], taken: set[str]) -> tuple[Unit, ...]:
    """A roster's units as those of a table file's ``side``; ``taken`` are ids in use, to which theirs are added.

    ``bases`` are outlines by the units' names in small letters, and that of all others by "". Raises UsageError with
    the units whose bases nobody told.
    """
    known = {unit.name: unit.base for unit in roster.units if unit.base is not None}
    names = dict.fromkeys(unit.name for unit in roster.units)
    told = {name: bases.get(name.casefold()) or known.get(name) or bases.get("") for name in names}
    missing = [name for name, base in told.items() if base is None]
    if missing:
        raise UsageError(
            f"{roster.title} doesn't tell the bases of {and_list(missing)}: say how large they are.",
            f'Usage: --base 32mm for all, or --base "{missing[0]}=25x50mm" for one.',
        )
    made = []
    for unit in roster.units:
        base = told[unit.name]
        assert base is not None
        made.append(Unit(_free_id(unit.name, taken), side, unit.kind, min(unit.models, MOST_MODELS), base, base))
    return tuple(made)


def base_of(text: str) -> Base | None:
    """The outline of a base as people write it; ``None`` where no size stands there.

    One length is round unless the text says square; of two the shorter one is the width. Ovals are rectangles.

    >>> base_of("32mm"), base_of("25 x 50 mm").depth_in > 1.9, base_of("Use model")
    (Base(width_in=1.26, depth_in=1.26, height_in=0.12, is_round=True), True, None)
    """
    found = _SIZE.search(text)
    if found is None:
        return None
    per = _PER_UNIT_IN.get(found[3].lower(), 1.0)
    sizes = sorted(round(float(size.replace(",", ".")) * per, 2) for size in found.group(1, 2) if size)
    if not all(0 < size <= MAX_BASE_IN for size in sizes):
        return None
    is_round = len(sizes) == 1 and "square" not in text.casefold()
    return Base(sizes[0], sizes[-1], BASE_HEIGHT_IN, is_round)


# --- what all forms share --------------------------------------------------------------------------------------------


class _Node(Protocol):
    """A part of a roster in either form."""

    def text(self, key: str) -> str:
        """A value of its own; empty where there is none."""

    def parts(self, key: str) -> Sequence[_Node]:
        """The parts in a list of its."""


def _forces(node: _Node, name: str, depth: int) -> Iterator[_Node]:
    _refuse_deep(depth, name)
    for force in node.parts("forces"):
        yield force
        yield from _forces(force, name, depth + 1)


def _units(node: _Node, name: str, depth: int) -> Iterator[RosterUnit]:
    """The units among the selections of a force or a selection."""
    _refuse_deep(depth, name)
    for selection in node.parts("selections"):
        kind = selection.text("type")
        if kind in ("unit", "model"):
            yield RosterUnit(
                _one_line(selection.text("customName") or selection.text("name")) or "unit",
                _kind(selection),
                (_models(selection, name, depth) if kind == "unit" else 0) or _number(selection, name),
                next(_bases(selection, name, depth), None),
            )
        if kind != "model":
            yield from _units(selection, name, depth + 1) if kind == "upgrade" else _nested(selection, name, depth)


def _nested(unit: _Node, name: str, depth: int) -> Iterator[RosterUnit]:
    """Units within a unit; its models are its own."""
    for selection in unit.parts("selections"):
        if selection.text("type") == "unit":
            yield from _units(_Alone(selection), name, depth + 1)


@dataclass(frozen=True)
class _Alone:
    """A selection as the only one of its list."""

    selection: _Node

    def text(self, key: str) -> str:
        return ""

    def parts(self, key: str) -> Sequence[_Node]:
        return (self.selection,) if key == "selections" else ()


def _models(node: _Node, name: str, depth: int) -> int:
    _refuse_deep(depth, name)
    found = 0
    for selection in node.parts("selections"):
        kind = selection.text("type")
        if kind == "model":
            found += _number(selection, name)
        elif kind != "unit":
            found += _models(selection, name, depth + 1)
    return found


def _bases(node: _Node, name: str, depth: int) -> Iterator[Base]:
    """The bases that the profiles of a selection and of those in it tell."""
    _refuse_deep(depth, name)
    for profile in node.parts("profiles"):
        for one in profile.parts("characteristics"):
            title = one.text("name").casefold()
            if title in ("base", "base size", "bases", "basesize"):
                base = base_of(one.text("$text"))
                if base is not None:
                    yield base
    for selection in node.parts("selections"):
        yield from _bases(selection, name, depth + 1)


def _number(node: _Node, name: str) -> int:
    text = node.text("number") or "1"
    if not re.fullmatch(r"\d{1,4}", text) or int(text) == 0:
        raise SceneError(f'{name}: "{_one_line(node.text("name"))}" has the number "{text[:20]}"; a count is wanted.')
    return int(text)


def _kind(node: _Node) -> str:
    """The main category of a selection."""
    every = node.parts("categories")
    main = next((one for one in every if one.text("primary").casefold() == "true"), None)
    return _one_line(main.text("name") if main is not None else "").casefold() or "unit"


def _one_line(text: str) -> str:
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())[
        :_LONGEST_NAME
    ]


def _free_id(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "unit"
    found = next(one for n in range(1, len(taken) + 2) if (one := plain if n == 1 else f"{plain}-{n}") not in taken)
    taken.add(found)
    return found


def _refuse_deep(depth: int, name: str) -> None:
    if depth > _DEEPEST:
        raise SceneError(f"{name} nests its selections more than {_DEEPEST} deep, and no roster does.")


# --- the forms -------------------------------------------------------------------------------------------------------


def _unpacked(source: bytes, name: str) -> bytes:
    """The roster in a .rosz, which is a zip with one .ros in it; never more of it than a roster has."""
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as packed:
            rosters = [one for one in packed.infolist() if one.filename.casefold().endswith(".ros")]
            if len(packed.infolist()) > _MOST_FILES or len(rosters) != 1:
                raise SceneError(f"{name} is no packed roster: one .ros is to be in it, and there are {len(rosters)}.")
            with packed.open(rosters[0]) as file:
                content = file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise SceneError(f"{name} is no whole packed roster: save it again.") from error
    return content


@dataclass(frozen=True)
class _XmlNode:
    element: Element

    def text(self, key: str) -> str:
        return (self.element.text or "") if key == "$text" else self.element.get(key, "")

    def parts(self, key: str) -> Sequence[_Node]:
        lists = [one for one in self.element if _tag(one) == key]
        return [_XmlNode(part) for one in lists for part in one]


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _xml(source: bytes, name: str) -> _Node:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException, ElementTree

    try:
        root = ElementTree.fromstring(source, forbid_dtd=True)
    except DefusedXmlException as error:
        raise SceneError(f"{name} declares entities of its own, and no roster does: save it again.") from error
    except (ParseError, ValueError, LookupError) as error:
        raise SceneError(f"{name} is no whole roster ({error}): save it again.") from error
    if _tag(root) != "roster":
        raise SceneError(f'{name} is a "{_tag(root)[:40]}" and no roster: export the list as a roster.')
    return _XmlNode(root)


@dataclass(frozen=True)
class _JsonNode:
    raw: Mapping[str, Any]
    name: str = field(repr=False)

    def text(self, key: str) -> str:
        value = self.raw.get(key)
        return "" if value is None or isinstance(value, list | dict) else str(value)

    def parts(self, key: str) -> Sequence[_Node]:
        rows = () if self.raw.get(key) is None else read.sequence(self.raw[key], f"{key} of {self.name}")
        return [_JsonNode(read.mapping(row, f"a row of {key} of {self.name}"), self.name) for row in rows]


def _json(source: bytes, name: str) -> _Node:
    data = read.parse_json(source, name)
    roster = data.get("roster") if isinstance(data, Mapping) else None
    if not isinstance(roster, Mapping):
        raise SceneError(f"{name} is no roster of New Recruit: export the list as JSON there.")
    return _JsonNode(roster, name)
