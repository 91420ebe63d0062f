"""What changed between two JSON values, as a JSON Patch (RFC 6902)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal, NotRequired, TypedDict

from pydantic_core import to_json

_NAMES = ("id", "text")
"""Fields that identify an object of a list."""


class Change(TypedDict):
    """One operation: the new ``value`` at ``path`` (a JSON Pointer, RFC 6901)."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: NotRequired[Any]


def changes(before: Any, after: Any, path: str = "") -> list[Change]:
    """The operations, in order, that make ``after`` of ``before``; none where they are equal.

    Objects of a list are matched by their ``id`` or else their ``text``. A part that is shorter to send whole is
    replaced whole. ``path`` is put before each path.

    >>> units = [{"id": "A", "place": "4-3", "side": "red"}, {"id": "B", "place": "2-2", "side": "red"}]
    >>> before = {"turn": 1, "headline": "Red moves", "units": units}
    >>> changes(before, {**before, "turn": 2, "units": units[1:]})
    [{'op': 'replace', 'path': '/turn', 'value': 2}, {'op': 'remove', 'path': '/units/0'}]
    """
    if to_json(before) == to_json(after):
        return []
    whole = [_replace(path, after)]
    if isinstance(before, dict) and isinstance(after, dict):
        found = list(_object_changes(before, after, path))
    elif _are_objects(before) and _are_objects(after):
        found = list(_list_changes(before, after, path))
    else:  # objects in another order of their keys are equal too
        found = [] if json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True) else whole
    return whole if len(found) > 1 and len(to_json(found)) > len(to_json(whole)) else found


def _object_changes(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[Change]:
    for key in before.keys() - after.keys():
        yield {"op": "remove", "path": f"{path}/{_escape_key(key)}"}
    for key, value in after.items():
        at = f"{path}/{_escape_key(key)}"
        if key in before:
            yield from changes(before[key], value, at)
        else:
            yield {"op": "add", "path": at, "value": value}


def _list_changes(before: Sequence[Any], after: Sequence[Any], path: str) -> Iterator[Change]:
    """From the end to the beginning, so that what is not yet changed keeps its place."""
    matched = SequenceMatcher(None, [_name(one) for one in before], [_name(one) for one in after], autojunk=False)
    for _, start, stop, new_start, new_stop in reversed(matched.get_opcodes()):
        same = min(stop - start, new_stop - new_start)
        for place in reversed(range(start + same, stop)):
            yield {"op": "remove", "path": f"{path}/{place}"}
        for value in reversed(after[new_start + same : new_stop]):
            yield {"op": "add", "path": f"{path}/{start + same}", "value": value}
        for place in range(same):
            yield from changes(before[start + place], after[new_start + place], f"{path}/{start + place}")


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _name(item: Mapping[str, Any]) -> str:
    return next((f"{field} {item[field]}" for field in _NAMES if field in item), to_json(item).decode())


def _replace(path: str, value: Any) -> Change:
    return {"op": "replace", "path": path, "value": value}


def _escape_key(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
