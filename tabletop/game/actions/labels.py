"""Actions in players' words, as on a page's buttons; typed words look like commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.game.actions.fields import Field, Many
from tabletop.words import count

UNSAID = object()
"""A value that is open or at its default."""

_SEGMENT = re.compile(r"\[([^\]]*)\]|([^\[]+)")
_PART = re.compile(r"\{(\w+)(?::([^}|]*)(?:\|([^}]*))?)?\}|([^{]+)")


@dataclass(frozen=True)
class _Value:
    """The place of a field's value; with ``many`` it is a number of ``one`` or of ``many``, else ``one`` separates
    several values."""

    name: str
    one: str = ""
    many: str = ""


@dataclass(frozen=True)
class _Segment:
    parts: Sequence[str | _Value]
    optional: bool


class Label:
    """A label with places for the values of an action's fields, such as ``Move {unit}[ to {to}]``.

    Text in brackets is left out if one of its values is not given; ``{planes:plane|planes}`` is a number with its noun,
    and ``{path: then }`` lists several values with that separator.
    """

    def __init__(self, template: str, fields: Mapping[str, Field]) -> None:
        self._segments = [
            _Segment(_parts(optional or plain), bool(optional)) for optional, plain in _SEGMENT.findall(template)
        ]
        self._fields = fields
        if strange := [one.name for seg in self._segments for one in _values(seg) if one.name not in fields]:
            raise TypeError(f'The label "{template}" has a place for the unknown field {strange[0]}.')

    def words(
        self, value_of: Callable[[str], Any], titles: Mapping[str, str], apart: Collection[str] = ()
    ) -> tuple[str, str]:
        """The label with an action's values, and the same without its first words and the values ``apart``.

        ``titles`` are the titles of sides, by their ids.
        """
        text: list[str] = []
        rest: list[str] = []
        for segment in self._segments:
            values = {one.name: value_of(one.name) for one in _values(segment)}
            if segment.optional and UNSAID in values.values():
                continue
            for part in segment.parts:
                told = part if isinstance(part, str) else self._told(part, values[part.name], titles)
                is_apart = isinstance(part, _Value) and values[part.name] in apart
                rest.append("" if is_apart or (not text and isinstance(part, str)) else told)
                text.append(told)
        return _tidy(text), _tidy(rest)

    def _told(self, part: _Value, value: Any, titles: Mapping[str, str]) -> str:
        if value is UNSAID:
            return ""
        field = self._fields[part.name]
        if part.many:
            return count(value, part.one, part.many)
        if part.one and isinstance(field, Many):
            return part.one.join(map(field.each.tell, value))
        return titles[value] if isinstance(value, str) and value in titles else field.tell(value)


def _parts(text: str) -> list[str | _Value]:
    return [plain or _Value(name, one, many) for name, one, many, plain in _PART.findall(text)]


def _values(segment: _Segment) -> list[_Value]:
    return [part for part in segment.parts if isinstance(part, _Value)]


def _tidy(parts: Sequence[str]) -> str:
    return " ".join("".join(parts).split()).lstrip(",: ")
