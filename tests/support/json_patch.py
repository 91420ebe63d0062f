"""JSON Patch (RFC 6902) applied, as the phone page does."""

import copy
from collections.abc import Sequence
from typing import Any


def patched(value: Any, changes: Sequence[dict[str, Any]]) -> Any:
    """The value with the changes made; the value itself stays. Raises LookupError for a place that is not there."""
    whole = {"": copy.deepcopy(value)}
    for change in changes:
        keys = ["", *(key.replace("~1", "/").replace("~0", "~") for key in change["path"].split("/")[1:])]
        into: Any = whole
        for key in keys[:-1]:
            into = into[int(key)] if isinstance(into, list) else into[key]
        _change(into, keys[-1], change)
    return whole[""]


def _change(into: Any, key: str, change: dict[str, Any]) -> None:
    match into, change["op"]:
        case list(), "add":
            if int(key) > len(into):
                raise IndexError(f"There is no place {key} in a list of {len(into)}.")
            into.insert(int(key), copy.deepcopy(change["value"]))
        case list(), "remove":
            del into[int(key)]
        case list(), "replace":
            into[int(key)] = copy.deepcopy(change["value"])
        case dict(), "remove":
            del into[key]
        case dict(), op:
            if (key in into) is (op == "add"):
                raise KeyError(f"{op} {change['path']}")
            into[key] = copy.deepcopy(change["value"])
