"""TOML with line numbers: a player's file read so that every fault can name its line.

``tomllib`` gives the values and judges the syntax; ``line_numbers`` walks the same text for the places of its keys;
``Section`` reads keys with their types and collects every fault instead of stopping at the first.
"""

from __future__ import annotations

import bisect
import difflib
import math
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

KeyPath = tuple[str | int, ...]

MAX_FILE_BYTES = 1_000_000
MAX_NUMBER = 1e6
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\n,]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_SCALAR = re.compile(r"[^,\]}\n#]*")
_BASIC_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BASIC_BLOCK = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}', re.DOTALL)
_LITERAL_STRING = re.compile(r"'[^'\n]*'")
_LITERAL_BLOCK = re.compile(r"'''(?:[^']|'(?!''))*'{3,5}", re.DOTALL)
_PLAINER = {
    "Cannot overwrite a value": "the key or table is given a second time",
    "Invalid statement": "a line must be a [heading], a key = value pair or a # comment",
    "Invalid value": "after the equals sign goes a number, a text in quotes, a [list] or a { table }",
}
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file: its line (``None`` where no line is to blame) and what was expected."""

    line: int | None
    text: str

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


class SourceError(Exception):
    """The text is no TOML at all; carries the one fault that stops the reading."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A closing clause for an unknown word: the nearest known one, else all of them.

    >>> did_you_mean("heigth", ["width", "height"])
    'did you mean "height"?'
    >>> did_you_mean("colour", ["hex", "square"])
    'expected "hex" or "square".'
    """
    words = list(known)
    folded = {w.casefold(): w for w in words}
    near = difflib.get_close_matches(word.casefold(), list(folded), n=1)
    if near:
        return f'did you mean "{folded[near[0]]}"?'
    return f"expected {either(words)}."


def either(words: Sequence[str]) -> str:
    """Quoted words joined for a sentence.

    >>> either(["a", "b", "c"])
    '"a", "b" or "c"'
    """
    quoted = [f'"{word}"' for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def described(value: object) -> str:
    """A TOML value in a few words, for a fault."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            text = (
                repr(value) if abs(value) < 1e15 or value != value else f"{float(value):g}" if value < 1e300 else "inf"
            )
            return text
        case str():
            return f'the text "{value}"' if len(value) <= 40 else f'the text "{value[:37]}..."'
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a table"
    return f"the {type(value).__name__} {value}"


def decode(source: bytes | str) -> str:
    """The file's text with plain line ends; raises SourceError where it is not UTF-8 or too large."""
    if len(source) > MAX_FILE_BYTES:
        raise SourceError(Fault(None, f"the file has {len(source):,} bytes; at most {MAX_FILE_BYTES:,} are read."))
    if isinstance(source, bytes):
        try:
            text = source.decode("utf-8")
        except UnicodeDecodeError as error:
            line = source.count(b"\n", 0, error.start) + 1
            raise SourceError(Fault(line, "this is not UTF-8 text; save the file as UTF-8 and try again.")) from error
    else:
        text = source
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def parse(text: str) -> dict[str, Any]:
    """The values of TOML text; raises SourceError with the line of the syntax error."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise SourceError(Fault(None, "the file nests lists too deeply to be a table file.")) from error
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        line = None
        if place:
            line = int(place[1]) if place[1] else text.rstrip().count("\n") + 1
        what = _PLAINER.get(_TOML_PLACE.sub("", message).strip().rstrip("."), _TOML_PLACE.sub("", message).strip())
        raise SourceError(Fault(line, f"this is not valid TOML: {what[:1].lower()}{what[1:].rstrip('.')}.")) from error
    except ValueError as error:  # the one other refusal of tomllib: Python's limit on the digits of an integer
        raise SourceError(Fault(None, "a whole number in the file has thousands of digits.")) from error


def line_numbers(text: str) -> dict[KeyPath, int]:
    """Line of every key, table and list element of valid TOML text, by its path.

    >>> line_numbers('[a]\\nb = 1\\n[[c]]\\nd = [\\n 1,\\n 2]\\n')[("c", 0, "d", 1)]
    6
    """
    return _Walker(text).walk()


class _Walker:
    """One pass over text that tomllib has accepted."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.breaks = [i for i, c in enumerate(text) if c == "\n"]
        self.found: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}

    def walk(self) -> dict[KeyPath, int]:
        here: KeyPath = ()
        while self._skip(_BLANK) < len(self.text):
            if self.text.startswith("[", self.at):
                here = self._header()
            else:
                self._pair(here)
        return self.found

    def _line(self) -> int:
        return bisect.bisect_left(self.breaks, self.at) + 1

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise AssertionError(f"unexpected text in valid TOML at line {self._line()}")
        self.at = match.end()
        return self.at

    def _mark(self, path: KeyPath, line: int) -> None:
        for n in range(1, len(path) + 1):
            self.found.setdefault(path[:n], line)

    def _header(self) -> KeyPath:
        line = self._line()
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path: KeyPath = ()
        keys = self._keys()
        for i, key in enumerate(keys):
            path = (*path, key)
            if i < len(keys) - 1 and path in self.counts:
                path = (*path, self.counts[path] - 1)
        if many:
            index = self.counts.get(path, 0)
            self.counts[path] = index + 1
            path = (*path, index)
        self._skip(_SPACE)
        self.at += 2 if many else 1
        self._mark(path, line)
        return path

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip(_SPACE)
            start = self.at
            if self.text[start] == '"':
                self._skip(_BASIC_STRING)
                keys.append(str(tomllib.loads(f"k = {self.text[start : self.at]}")["k"]))
            elif self.text[start] == "'":
                self._skip(_LITERAL_STRING)
                keys.append(self.text[start + 1 : self.at - 1])
            else:
                self._skip(_BARE_KEY)
                keys.append(self.text[start : self.at])
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _pair(self, here: KeyPath) -> None:
        line = self._line()
        path = (*here, *self._keys())
        self._mark(path, line)
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        start = self.text[self.at : self.at + 3]
        if start == '"""':
            self._skip(_BASIC_BLOCK)
        elif start == "'''":
            self._skip(_LITERAL_BLOCK)
        elif start[:1] == '"':
            self._skip(_BASIC_STRING)
        elif start[:1] == "'":
            self._skip(_LITERAL_STRING)
        elif start[:1] == "[":
            self.at += 1
            index = 0
            while self.text[self._skip(_BLANK)] != "]":
                self._mark((*path, index), self._line())
                self._value((*path, index))
                index += 1
            self.at += 1
        elif start[:1] == "{":
            self.at += 1
            while self.text[self._skip(_BLANK)] != "}":
                self._pair(path)
            self.at += 1
        else:
            self._skip(_SCALAR)


@dataclass
class Faults:
    """Faults found so far, with the lines of the file's keys."""

    lines: dict[KeyPath, int] = field(default_factory=dict)
    found: list[Fault] = field(default_factory=list)
    paths: list[KeyPath] = field(default_factory=list)

    def line(self, path: KeyPath) -> int | None:
        """The line of a key, else of the nearest table around it."""
        for n in range(len(path), 0, -1):
            if path[:n] in self.lines:
                return self.lines[path[:n]]
        return None

    def add(self, path: KeyPath, text: str) -> None:
        """Note a fault at a key."""
        self.found.append(Fault(self.line(path), text))
        self.paths.append(path)

    def inside(self, path: KeyPath) -> bool:
        """Whether a fault was noted at a key or anywhere below it."""
        return any(at[: len(path)] == path for at in self.paths)


class Section:
    """One table of the file. Every reader notes a fault and gives ``None`` where the key is missing or wrong."""

    def __init__(self, data: dict[str, Any], path: KeyPath, name: str, faults: Faults, known: Sequence[str]) -> None:
        self.data, self.path, self.name, self.faults = data, path, name, faults
        for key in data:
            if key not in known:
                self.fault(key, f'unknown key "{key}" in {name}; {did_you_mean(key, known)}')

    @property
    def sound(self) -> bool:
        """Whether nothing was wrong in here so far."""
        return not self.faults.inside(self.path)

    def fault(self, key: str | None, text: str, *more: int) -> None:
        """Note a fault at a key of this table (``None``: at the table itself)."""
        self.faults.add(self.path if key is None else (*self.path, key, *more), text)

    def _wrong(self, key: str, wanted: str, value: object) -> None:
        self.fault(key, f'"{key}" in {self.name} must be {wanted}, not {described(value)}.')

    def has(self, key: str) -> bool:
        """Whether the key is given at all."""
        return key in self.data

    def _get(self, key: str, wanted: str, required: bool) -> Any:
        if key not in self.data and required:
            self.fault(None, f'{self.name} lacks "{key}": {wanted}.')
        return self.data.get(key)

    def text(self, key: str, wanted: str, *, required: bool = True) -> str | None:
        """A text that is not empty."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            self._wrong(key, wanted, value)
            return None
        return value

    def choice(self, key: str, words: Sequence[str], wanted: str, *, required: bool = True) -> str | None:
        """One of some words."""
        value = self.text(key, wanted, required=required)
        if value is not None and value not in words:
            self.fault(key, f'unknown {key} "{value}" in {self.name}; {did_you_mean(value, words)}')
            return None
        return value

    def number(
        self, key: str, wanted: str, *, required: bool = True, above: float | None = None, least: float | None = None,
        most: float = MAX_NUMBER,
    ) -> float | None:  # fmt: skip
        """A finite number, within limits."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        good = is_number(value)
        if good and (above is None or value > above) and (least is None or value >= least) and value <= most:
            return float(value)
        if good:
            bounds = [f"more than {above:g}"] if above is not None else []
            bounds += [f"at least {least:g}"] if least is not None else []
            bounds += [f"at most {most:g}"]
            wanted = f"{wanted}, {' and '.join(bounds)}"
        self._wrong(key, wanted, value)
        return None

    def integer(self, key: str, wanted: str, *, required: bool = True, least: int = 0, most: int = 9999) -> int | None:
        """A whole number from ``least`` to ``most``."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self._wrong(key, f"{wanted}, a whole number from {least} to {most}", value)
            return None
        return value

    def integers(self, key: str, wanted: str, *, least: int = 0, most: int = 9999) -> tuple[int, ...]:
        """A list of whole numbers; empty where it is not given."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self._wrong(key, wanted, value)
            return ()
        for i, item in enumerate(value):
            if isinstance(item, bool) or not isinstance(item, int) or not least <= item <= most:
                self.fault(
                    key,
                    f'"{key}" in {self.name} holds {described(item)}; whole numbers from {least} to {most} go there.',
                    i,
                )
                return ()
        return tuple(value)

    def point(self, key: str, wanted: str, *, required: bool = True) -> tuple[float, float] | None:
        """Two finite numbers."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        point = as_point(value)
        if point is None:
            self._wrong(key, f"two numbers ({wanted})", value)
        return point

    def points(self, key: str, wanted: str, *, required: bool = True) -> tuple[tuple[float, float], ...] | None:
        """A list of points."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        if not isinstance(value, list):
            self._wrong(key, wanted, value)
            return None
        points = []
        for i, item in enumerate(value):
            point = as_point(item)
            if point is None:
                self.fault(
                    key,
                    f'point {i + 1} of "{key}" in {self.name} must be two numbers [x, y], not {described(item)}.',
                    i,
                )
                return None
            points.append(point)
        return tuple(points)

    def section(
        self, key: str, name: str, known: Sequence[str], wanted: str, *, required: bool = True
    ) -> Section | None:
        """A table inside this one."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        if not isinstance(value, dict):
            self._wrong(key, wanted, value)
            return None
        return Section(value, (*self.path, key), name, self.faults, known)

    def sections(self, key: str, name: str, known: Sequence[str], *, required: bool = False) -> list[Section]:
        """The tables of a list; each is called by its id where it has one."""
        value = self._get(key, f"one {name} for each", required)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._wrong(key, f"a list of tables, each under {name}", value)
            return []
        return [
            Section(item, (*self.path, key, i), _called(name, item, i), self.faults, known)
            for i, item in enumerate(value)
        ]


def _called(name: str, item: dict[str, Any], index: int) -> str:
    called = item.get("id")
    if isinstance(called, str):
        return f'{name} "{called}"'
    return f"{name} {called}" if isinstance(called, int) else f"{name} number {index + 1}"


def is_number(value: object) -> bool:
    """Whether a TOML value is a finite number of a size that a table can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= MAX_NUMBER and math.isfinite(value)


def as_point(value: object) -> tuple[float, float] | None:
    """Two finite numbers, else ``None``."""
    if isinstance(value, list) and len(value) == 2 and all(map(is_number, value)):
        return float(value[0]), float(value[1])
    return None
