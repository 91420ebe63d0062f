"""Rosters of BattleScribe (.ros, .rosz) and New Recruit (.json): telling units and models from other entries.

All three have the same contents: a ``roster`` of ``forces`` (also nested) of ``selections``, which nest. The type that
programs give a selection is not enough: data files type units as upgrades, models as upgrades and weapons as models.
The place of an entry, and whether it has a profile with the values of a unit or model, decide.

- Right under a force, entries of the type unit or model, with such a profile, or with models right in them are units.
- In a unit, models are the entries of the type model or with such a profile, at any depth. A number is the total within
  the unit.
- A model in a model counts too (a commander's drones), unless only the outer one has such a profile and the inner one
  has another (a weapon typed as a model). A model without a profile and weapons that holds models with one is only a
  group.
- Any other entry that is typed as a unit or model or has such a profile is reported as left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Protocol

from tabletop.errors import SceneError
from tabletop.imports.base_sizes import base_of
from tabletop.imports.roster_model import SETTINGS, LeftOut, Roster, RosterUnit, one_line, short
from tabletop.tables.model import Base

_DEEPEST = 30
_MOST_ENTRIES = 30_000  # of a roster; large ones have some thousands
_MOST_NUMBER = 9999
_STATS = re.compile(
    r"(?:unit|model|profile|vehicle|walker|warrior|hero|heroe|character|fighter|operative|monster|creature|infantry|"
    r"cavalry|chariot|war ?machine|squad|regiment|troop|ship|aircraft|flyer|knight|titan)s?"
    r"(?: (?:profile|stat|statline|value|characteristic)s?)?"
)
"""Names of the types of profiles that have the values of a unit or model."""
_WEAPON = re.compile(r"(?:(?:ranged|melee|shooting|missile|close combat) )?weapons?")
_BASE_TITLES = {"base", "bases", "basesize", "basesizes", "basemm", "basesizemm"}
_NUMBERED = re.compile(r"([0-9]{1,3})\s*([x×]?)\s+(.+)")


class Node(Protocol):
    """A part of a roster in either form."""

    def text(self, key: str) -> str:
        """A value; empty if the part has none."""

    def parts(self, key: str) -> Sequence[Node]:
        """The parts in one of its lists."""


def read_tree(top: Node, name: str) -> Roster:
    """The roster in a tree; ``name`` is the file's. Raises SceneError."""
    reader = _Reader()
    places = count()
    for force in _forces(top, name, 0):
        for entry in _entries(force, name, 0, places):
            reader.read_entry(entry)
    title = one_line(top.text("name")) or name
    return Roster(title, tuple(reader.units), tuple(reader.left_out), tuple(reader.remarks))


def _forces(node: Node, name: str, depth: int) -> Iterator[Node]:
    _refuse_deep(depth, name)
    for force in node.parts("forces"):
        yield force
        yield from _forces(force, name, depth + 1)


def _entries(node: Node, name: str, depth: int, places: Iterator[int]) -> tuple[_Entry, ...]:
    """The counted selections in a force or a selection; ``places`` numbers those of the roster."""
    _refuse_deep(depth, name)
    rows = [(selection, _number(selection, name)) for selection in node.parts("selections")]
    if any(next(places) >= _MOST_ENTRIES for _ in rows):
        raise SceneError(f"{name} has more than {_MOST_ENTRIES} selections, and no roster does: export a smaller list.")
    return tuple(
        _Entry(
            one_line(row.text("customName") or row.text("name")) or "unit",
            one_line(row.text("name")),
            row.text("type").casefold(),
            number,
            _category(row),
            tuple(one_line(profile.text("typeName")).casefold() for profile in row.parts("profiles")),
            *_bases(row),
            _totals(_entries(row, name, depth + 1, places), number),
        )
        for row, number in rows
        if number
    )


def _totals(inner: tuple[_Entry, ...], number: int) -> tuple[_Entry, ...]:
    """The entries in ``number`` equal parents, with their numbers in total, as BattleScribe writes them. Numbers that
    can't be totals are taken as those in each parent."""
    return inner if all(one.number % number == 0 for one in _nearest(inner)) else _times_all(inner, number)


def _times_all(entries: tuple[_Entry, ...], times: int) -> tuple[_Entry, ...]:
    return tuple(replace(one, number=one.number * times, inner=_times_all(one.inner, times)) for one in entries)


@dataclass(frozen=True)
class _Entry:
    """A selection; ``name`` is the player's, ``own_name`` the game data's, ``profiles`` are their types."""

    name: str
    own_name: str
    type: str
    number: int
    category: str
    profiles: tuple[str, ...]
    bases: tuple[Base, ...]
    unread_bases: tuple[str, ...]
    inner: tuple[_Entry, ...]

    @cached_property
    def has_stats(self) -> bool:
        """Whether one of its profiles has the values of a unit or model."""
        return any(all(map(_STATS.fullmatch, re.split(r" ?[/&,] ?| and ", one))) for one in self.profiles)

    @property
    def is_item(self) -> bool:
        """Whether its profiles belong to something else, such as a weapon."""
        return bool(self.profiles) and not self.has_stats

    @property
    def is_weapon(self) -> bool:
        return self.type not in ("unit", "model") and any(map(_WEAPON.fullmatch, self.profiles))

    @cached_property
    def holds_models(self) -> bool:
        """Whether it holds entries of the type model outside any unit in it."""
        return any(one.type == "model" or (one.type != "unit" and one.holds_models) for one in self.inner)

    @property
    def is_model(self) -> bool:
        return self.type == "model" or (self.type != "unit" and self.has_stats and not self.holds_models)

    @cached_property
    def any_stats(self) -> bool:
        return self.has_stats or any(entry.any_stats for entry in self.inner)

    @cached_property
    def any_model(self) -> bool:
        return self.is_model or self.has_stats or any(entry.any_model for entry in self.inner)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the data's name without numbers and plural endings."""
        plain = self.own_name.casefold()
        return frozenset(word.rstrip("sz") for word in re.findall(r"[^\W\d_]{3,}", plain)) or frozenset((plain,))


@dataclass
class _Reader:
    """The units found so far, entries that are left out, and remarks."""

    units: list[RosterUnit] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def read_entry(self, entry: _Entry) -> None:
        """Add the units of an entry outside any unit."""
        if entry.category.casefold().strip(": ") in SETTINGS and not entry.any_stats:
            self._leave_out(entry, entry.category)
        elif entry.type in ("unit", "model") or entry.has_stats or any(one.is_model for one in entry.inner):
            self._read_unit(entry)
        else:
            for one in entry.inner:
                self.read_entry(one)

    def _read_unit(self, entry: _Entry) -> None:
        parts = _Parts(entry)
        parts.add_model(entry) if entry.type == "model" else parts.add_inner(entry)
        own = list(_without(entry, set(map(id, parts.units))))
        bases = [base for one in own for base in one.bases]
        unread = [text for one in own for text in one.unread_bases]
        models = parts.models or sum(_times(one, entry, 0) * one.number for one in parts.plain)
        if models or entry.profiles or parts.plain or not parts.units:  # else it only groups units
            self.units.append(
                RosterUnit(
                    entry.name,
                    entry.category.casefold() or "unit",
                    models or entry.number,
                    bases[0] if bases else None,
                    counted=models > 0 or entry.number > 1,
                    other_bases=bool(bases) and len({*bases, *unread}) > 1,
                    unread_base="" if bases or not unread else unread[0],
                )
            )
        if parts.models and entry.number > 1 and entry.type != "model":
            self.remarks.append(
                f"{short(entry.name)} is in the list {entry.number} times: its {models} models are the total."
            )
        for left in parts.left_out:
            self._leave_out(left, entry.name)
        for unit in parts.units:
            self._read_unit(unit)

    def _leave_out(self, entry: _Entry, where: str) -> None:
        """Report possible units and models among an entry and the entries in it."""
        if entry.type == "unit" or entry.is_model:
            self.left_out.append(LeftOut(entry.name, entry.number, where))
        for one in entry.inner:
            self._leave_out(one, where)


@dataclass
class _Parts:
    """The contents of one unit: a number of models, separate units, entries that are left out, and ``plain`` ones,
    which are neither."""

    unit: _Entry
    models: int = 0
    units: list[_Entry] = field(default_factory=list)
    left_out: list[_Entry] = field(default_factory=list)
    plain: list[_Entry] = field(default_factory=list)

    def add_inner(self, entry: _Entry, shared: bool = False) -> None:
        """Add the contents of an entry that is not a model; ``shared``: it has the profile of the models in it, so that
        other entries with a profile are their mounts or equipment."""
        for one in entry.inner:
            if one.type == "unit":
                (self.units if one.any_model or not _times(one, self.unit, 0) else self.plain).append(one)
            elif one.is_model and one.type != "model" and shared:
                self.left_out.append(one)
            elif one.is_model:
                self.add_model(one)
            else:
                self.plain.append(one)
                self.add_inner(one, shared or one.has_stats)

    def add_model(self, entry: _Entry) -> None:
        """Add a model and its contents."""
        inner = list(_nearest(entry.inner))
        bearers = [one for one in inner if one.type not in ("unit", "model")]  # of profiles
        if entry.has_stats:
            own = [one for one in bearers if one.words == entry.words and one.number <= entry.number]
        else:
            own = bearers if len(bearers) == 1 and bearers[0].number <= entry.number else []
        mine = set(map(id, own))
        inner = [one for one in inner if id(one) not in mine] + [
            deeper for one in own for deeper in _nearest(one.inner)
        ]
        models = [one for one in inner if one.type == "model"]
        bearers = [one for one in inner if one.type not in ("unit", "model")]
        has_stats = entry.has_stats or bool(own)
        grouping = bool(bearers) or any(one.any_stats for one in models) or _named_after(entry, models)
        armed = any(one.is_weapon for one in entry.inner) and not any(entry.words <= one.words for one in models)
        groups = grouping and not has_stats and not armed
        if not groups:
            self.models += entry.number * _times(entry, self.unit, 1)
        for one in (*models, *bearers):
            if groups or (one.type == "model" and not (has_stats and (one.is_item or one.words == entry.words))):
                self.add_model(one)
            else:
                self.left_out.append(one)
        for one in inner:
            if one.type == "unit":
                (self.left_out if one.is_item and not one.any_model else self.units).append(one)


def _nearest(entries: Sequence[_Entry]) -> Iterator[_Entry]:
    """The outermost entries that are units or models or have such values, in groups too."""
    for one in entries:
        if one.type == "unit" or one.is_model:
            yield one
        else:
            yield from _nearest(one.inner)


def _named_after(entry: _Entry, models: Sequence[_Entry]) -> bool:
    """Whether an entry holds only models, of several kinds, and is named after one of them: "Saint and guards"."""
    kinds = {one.words for one in models}
    return len(kinds) > 1 and len(models) == len(entry.inner) and any(kind <= entry.words for kind in kinds)


def _times(entry: _Entry, unit: _Entry, otherwise: int) -> int:
    """The number of models in the name of an entry of a unit: "10 Guards" in the unit "Guards", "5 Models", "2x Drone"
    for a model."""
    said = _NUMBERED.fullmatch(entry.own_name)
    same = entry.words <= unit.words or unit.words <= entry.words or entry.words == {"model"}
    if said is None or not (same or (said[2] and entry.type == "model")):
        return otherwise
    times = int(said[1])
    return 1 if times == entry.number else times


def _without(entry: _Entry, others: Set[int]) -> Iterator[_Entry]:
    """An entry and the entries in it, except for other units, given by their ``id``."""
    yield entry
    for one in entry.inner:
        if id(one) not in others:
            yield from _without(one, others)


def _bases(node: Node) -> tuple[tuple[Base, ...], tuple[str, ...]]:
    """The bases in a selection's own profiles and rules, and their texts that are not sizes."""
    texts = []
    for profile in node.parts("profiles"):
        values = profile.parts("characteristics")
        named = len(values) == 1 and {_title(profile.text(key)) for key in ("name", "typeName")} & _BASE_TITLES
        texts += [
            one.text("$text") or one.text("value")
            for one in values
            if named or _title(one.text("name")) in _BASE_TITLES
        ]
    for rule in node.parts("rules"):
        title, _, size = rule.text("name").partition(":")
        if _title(title) in _BASE_TITLES:
            texts += [size, rule.text("description")]
    found = [(one_line(text), base_of(text, bare_unit="mm")) for text in texts]
    bases = tuple(base for _, base in found if base is not None)
    return bases, () if bases else tuple(text for text, _ in found if re.search(r"\w", text))


def _title(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())


def _number(node: Node, name: str) -> int:
    text = node.text("number").strip()
    if not text:
        return 1
    if node.text("type").casefold() == "upgrade" and not node.parts("selections") and not node.parts("profiles"):
        return 1  # of an option, never counted
    found = re.fullmatch(r"([0-9]{1,4})(?:\.0+)?", text)
    if found is None:
        raise SceneError(
            f'{name}: "{short(one_line(node.text("name")))}" has the number "{text[:20]}"; a whole number from 0 to '
            f"{_MOST_NUMBER} is expected: correct the list and export it again."
        )
    return int(found[1])


def _category(node: Node) -> str:
    """The main category of a selection, or its only one."""
    every = node.parts("categories")
    main = next(
        (one for one in every if one.text("primary").casefold() == "true"), every[0] if len(every) == 1 else None
    )
    return one_line(main.text("name")) if main is not None else ""


def _refuse_deep(depth: int, name: str) -> None:
    if depth > _DEEPEST:
        raise SceneError(f"{name} nests its selections more than {_DEEPEST} deep, and no roster does.")
