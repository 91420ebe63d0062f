"""Events as JSON and back, the same for every ruleset: a kind by name, and a body of the event's own fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Generic, TypeVar, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tabletop.game.errors import EventError

Event = TypeVar("Event")

_STRICT = ConfigDict(extra="forbid")


class EventCodec(Generic[Event]):
    """The events of one ruleset (``title`` in messages) up to its ``version``.

    ``events`` is the union of their classes, frozen dataclasses, the one that begins a game first:
    ``Started | Moved | TurnEnded``. The kind of an event in the log is derived from its class's name (``turn-ended``);
    a class with events stored under another name declares it: ``stored_as: ClassVar[str] = "turn-over"``.

    Fields at their defaults are left out of a body, except in the event that begins a game: if a later version changes
    a default, a running game must not change. ``parts`` are dataclasses inside events; unknown fields are rejected in
    them too.
    """

    def __init__(self, title: str, version: int, events: UnionType, parts: Sequence[type[Any]] = ()) -> None:
        self.title, self.version = title, version
        classes: tuple[type[Any], ...] = get_args(events)
        self.begins = classes[0]
        self._names = {cls: kind_of(cls) for cls in classes}
        self.kinds: Mapping[str, type[Any]] = {kind: cls for cls, kind in self._names.items()}
        if len(self.kinds) < len(classes):
            raise ValueError(f"Two events of {title} have the same kind.")
        self._adapters: dict[str, TypeAdapter[Any]] = {}
        for cls in (*classes, *parts):
            setattr(cls, "__pydantic_config__", _STRICT)  # noqa: B010 (a dataclass declares no such attribute)

    def to_json(self, event: Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and its body, ready for JSON."""
        kind = self._names[type(event)]
        whole = isinstance(event, self.begins)
        return kind, self._adapter(kind).dump_python(event, mode="json", exclude_defaults=not whole)

    def from_json(self, kind: str, body: Mapping[str, Any], version: int) -> Event:
        """An event from its kind and body; raises EventError for an unknown kind, a newer version, a malformed body."""
        if version > self.version:
            raise EventError(f"it is of version {version}, and this program knows {self.title} up to {self.version}.")
        if kind not in self.kinds:
            raise EventError(f'"{kind}" is no event of {self.title}.')
        try:
            event: Event = self._adapter(kind).validate_python(dict(body))
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(str(part) for part in fault["loc"]) or "its body"
            raise EventError(f'the event "{kind}" is malformed at {where}: {fault["msg"].lower()}.') from error
        return event

    def _adapter(self, kind: str) -> TypeAdapter[Any]:
        """The validator of events of a kind, created when first needed."""
        if kind not in self._adapters:
            self._adapters[kind] = TypeAdapter(self.kinds[kind])
        return self._adapters[kind]


def kind_of(cls: type[Any]) -> str:
    """The kind of an event's class in the log.

    >>> class TurnEnded: pass
    >>> class PutDown: stored_as = "laid"
    >>> kind_of(TurnEnded), kind_of(PutDown)
    ('turn-ended', 'laid')
    """
    own: str | None = getattr(cls, "stored_as", None)
    return own or re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
