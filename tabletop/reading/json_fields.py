"""Reading plain values from parsed JSON: each returns the value or raises one sentence with the place and the fault."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from geometry.drawing.letters import is_one_line
from tabletop.errors import SceneError

MAX_DEPTH = 64
LARGEST = 1e6  # inches, degrees or hits: nothing on a table is larger, and arithmetic with larger values loses digits


def repeated_name(pairs: Sequence[tuple[str, Any]]) -> str | None:
    """The first name that is repeated in the same braces of a JSON text; ``None`` if none is."""
    names = [name for name, _ in pairs]
    return None if len(set(names)) == len(names) else next(name for name in names if names.count(name) > 1)


def nests_too_deeply(value: object) -> bool:
    """Whether lists and mappings of parsed JSON nest more than :data:`MAX_DEPTH` deep.

    >>> nests_too_deeply({"a": [[1, 2], [3]]})
    False
    """
    layer: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        layer = [one for one in layer if isinstance(one, Mapping | list)]
        if not layer:
            return False
        layer = [inner for one in layer for inner in (one.values() if isinstance(one, Mapping) else one)]
    return True


def parse_json(source: bytes, name: str) -> Any:
    """The JSON in a file's bytes; raises SceneError with a message that begins with the file's ``name``."""
    try:
        data = json.loads(source, object_pairs_hook=_once_each)
    except json.JSONDecodeError as error:
        raise SceneError(
            f"{name}, line {error.lineno}: this is not valid JSON ({error.msg}, column {error.colno})."
        ) from error
    except UnicodeDecodeError as error:
        raise SceneError(f"{name} is not JSON: it is not text in UTF-8.") from error
    except RecursionError as error:
        raise SceneError(f"{name} nests lists too deeply to be read.") from error
    except ValueError as error:
        raise SceneError(f"{name} holds a number with too many digits to be read.") from error
    if nests_too_deeply(data):
        raise SceneError(f"{name} nests lists too deeply to be read.")
    return data


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = repeated_name(pairs)
    if twice is not None:
        raise SceneError(f'"{twice}" is repeated in the same braces of the file; keep one of the two.')
    return dict(pairs)


def mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SceneError(f"{where} must be a mapping of names to values in braces, not {kind_of(value)}.")
    return value


def sequence(value: object, where: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise SceneError(f"{where} must be a list, not {kind_of(value)}.")
    return value


def known_keys(raw: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in raw:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            advice = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}."
            raise SceneError(f"{where} has an unknown key {key!r}; {advice}")


def need(raw: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in raw:
        raise SceneError(f"{where} lacks {key!r}; add it.")
    return raw[key]


def number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SceneError(f"{where} must be a number, not {kind_of(value)}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise SceneError(f"{where} must be a finite number, not {value}.")
    if abs(value) > LARGEST:
        raise SceneError(f"{where} must be at most {LARGEST:,.0f} either way, and is more.")
    return float(value)


def positive(value: object, where: str) -> float:
    found = number(value, where)
    if found <= 0:
        raise SceneError(f"{where} must be more than 0 inches, not {found:g}.")
    return found


def not_negative(value: object, where: str) -> float:
    found = number(value, where)
    if found < 0:
        raise SceneError(f"{where} must not be below 0, and is {found:g}.")
    return found


def count(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        raise SceneError(f"{where} must be a whole number from 0 to {LARGEST:,.0f}, not {kind_of(value)}.")
    return value


def flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise SceneError(f"{where} must be true or false, not {kind_of(value)}.")
    return value


def name(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise SceneError(f"{where} must be a name, not {kind_of(value)}.")
    if not is_one_line(value):
        raise SceneError(f"{where} must be a name on one line, not {value[:40]!r}.")
    return value


def text_or_none(value: object, where: str) -> str | None:
    return None if value is None else name(value, where)


def point(value: object, where: str) -> tuple[float, float]:
    pair = sequence(value, where)
    if len(pair) != 2:
        raise SceneError(f"{where} must be two numbers in inches, not {len(pair)}.")
    return number(pair[0], where), number(pair[1], where)


def kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return "empty text" if not value.strip() else f"the text {value[:40]!r}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}" if abs(value) <= LARGEST else "a number that is too large"
    return {"dict": "a mapping", "list": "a list"}.get(type(value).__name__, f"a {type(value).__name__}")
