"""Rosters of other programs: identified by their content, and converted to units of a table file.

BattleScribe's .ros and .rosz, New Recruit's JSON and text, Army Forge's JSON.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tabletop.errors import SceneError, UsageError
from tabletop.imports.army_forge import is_army_forge, read_army_forge
from tabletop.imports.battlescribe import Node, read_tree
from tabletop.imports.roster_model import MOST_MODELS, MOST_UNITS, Roster, key_of, one_line, short
from tabletop.imports.roster_text import read_text_list
from tabletop.reading import json_fields as read
from tabletop.reading.toml_source import did_you_mean
from tabletop.tables.model import Base, Unit
from tabletop.words import and_list

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_BYTES = 8_000_000
"""The largest unpacked roster; a large one has three megabytes."""
_MOST_FILES = 16  # in a .rosz, which has one
_LONGEST_ID = 40
_MOST_NAMED = 5


def read_roster(source: bytes, name: str) -> Roster:
    """The roster in a file's bytes; ``name`` is the file's. Raises SceneError for an unusable one."""
    if source.startswith(b"PK"):
        source = _unpacked(source, name)
    if len(source) > MOST_BYTES:
        raise SceneError(f"{name} has {len(source) / 1e6:.0f} MB, and a roster has at most {MOST_BYTES // 10**6}.")
    roster = _read_form(source, name)
    if not roster.units:
        names = and_list([f"{short(row.name)} in {short(row.where)}" for row in roster.left_out[:_MOST_NAMED]])
        only = f" besides {names}" if names else ""
        raise SceneError(f"{name} has no units{only}: export the whole list as a roster.")
    if len(roster.units) > MOST_UNITS:
        raise SceneError(f"{name} has {len(roster.units)} units, and a table has at most {MOST_UNITS} of one roster.")
    return roster


def _read_form(source: bytes, name: str) -> Roster:
    start = source.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1]
    if start == b"<":
        return read_tree(_xml(source, name), name)
    if start not in (b"{", b"["):
        return read_text_list(source, name)
    data = read.parse_json(source, name)
    if isinstance(data, Mapping) and is_army_forge(data):
        return read_army_forge(data, name)
    roster = data.get("roster") if isinstance(data, Mapping) else None
    if not isinstance(roster, Mapping):
        raise SceneError(f"{name} is not a roster: export the list as JSON from New Recruit or Army Forge.")
    return read_tree(_JsonNode(roster, name), name)


def units_for_table(roster: Roster, side: str, bases: Mapping[str, Base], taken: set[str]) -> tuple[Unit, ...]:
    """A roster's units as units of a table file's ``side``; ``taken`` are ids in use, to which theirs are added.

    ``bases`` are outlines by the units' names (``key_of``), and the outline of all others by "". Raises UsageError with
    the units that have no base size.
    """
    known = {key_of(unit.name): unit.base for unit in roster.units if unit.base is not None}
    names = {key_of(unit.name): unit.name for unit in roster.units}
    chosen = {key: bases.get(key) or known.get(key) or bases.get("") for key in names}
    unread = {
        key_of(unit.name): f' ("{short(unit.unread_base)}" can\'t be read as a size)'
        for unit in roster.units
        if unit.unread_base
    }
    missing = [key for key, base in chosen.items() if base is None]
    if missing:
        which = and_list([short(names[key]) + unread.get(key, "") for key in missing])
        raise UsageError(
            f"{short(roster.title)} has no base sizes for {which}: say how large they are.",
            f'Usage: --base 32mm for all, or --base "{short(names[missing[0]])}=25x50mm" for one.',
        )
    made = []
    for unit in roster.units:
        base = unit.base if key_of(unit.name) not in bases and unit.base else chosen[key_of(unit.name)]
        assert base is not None
        kind = unit.kind[:_LONGEST_ID]
        made.append(Unit(_free_id(unit.name, taken), side, kind, min(unit.models, MOST_MODELS), base, base))
    return tuple(made)


def check_names(named: Iterable[str], rosters: Sequence[Roster]) -> None:
    """Raise UsageError if a base size was given for a unit that is in no roster; "" names none."""
    known = {key_of(unit.name): short(unit.name) for roster in rosters for unit in roster.units}
    for name in named:
        if key_of(name) not in {"", *known}:
            raise UsageError(f'No unit is called "{short(one_line(name))}"; {did_you_mean(name, list(known.values()))}')


def _free_id(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[\W_]+", "-", name.casefold())[:_LONGEST_ID].strip("-") or "unit"
    found = next(one for n in range(1, len(taken) + 2) if (one := plain if n == 1 else f"{plain}-{n}") not in taken)
    taken.add(found)
    return found


# --- the forms -------------------------------------------------------------------------------------------------------


def _unpacked(source: bytes, name: str) -> bytes:
    """The roster in a .rosz, which is a zip with one .ros in it; reads no more than the limit."""
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as packed:
            rosters = [one for one in packed.infolist() if one.filename.casefold().endswith(".ros")]
            if len(packed.infolist()) > _MOST_FILES or len(rosters) != 1:
                raise SceneError(f"{name} is not a packed roster: it must hold one .ros, not {len(rosters)}.")
            with packed.open(rosters[0]) as file:
                content = file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise SceneError(f"{name} is truncated or damaged: export it again.") from error
    return content


@dataclass(frozen=True)
class _XmlNode:
    element: Element

    def text(self, key: str) -> str:
        if key == "$text":
            return self.element.text or ""
        inner = next((one.text for one in self.element if _tag(one) == key), None)
        return self.element.get(key, inner or "")

    def parts(self, key: str) -> Sequence[Node]:
        lists = [one for one in self.element if _tag(one) == key]
        return [_XmlNode(part) for one in lists for part in one]


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _xml(source: bytes, name: str) -> Node:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException, ElementTree

    try:
        root = ElementTree.fromstring(source, forbid_dtd=True)
    except DefusedXmlException as error:
        raise SceneError(f"{name} declares XML entities, and no roster does: export it again.") from error
    except (ParseError, ValueError, LookupError) as error:
        raise SceneError(f"{name} is truncated or damaged ({error}): export it again.") from error
    if _tag(root) != "roster":
        raise SceneError(f'{name} is a "{_tag(root)[:40]}" and not a roster: export the list as a roster.')
    return _XmlNode(root)


@dataclass(frozen=True)
class _JsonNode:
    raw: Mapping[str, Any]
    name: str = field(repr=False)

    def text(self, key: str) -> str:
        value = self.raw.get(key)
        return "" if value is None or isinstance(value, list | dict) else str(value)

    def parts(self, key: str) -> Sequence[Node]:
        rows = () if self.raw.get(key) is None else read.sequence(self.raw[key], f"{key} of {self.name}")
        return [_JsonNode(read.mapping(row, f"a row of {key} of {self.name}"), self.name) for row in rows]
