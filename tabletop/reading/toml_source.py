"""TOML with line numbers: a player's file read so that every fault can name its line.

``tomllib`` gives the values and checks the syntax; ``line_numbers`` walks the same text for the lines of its keys.
"""

from __future__ import annotations

import bisect
import difflib
import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

from tabletop.errors import Fault
from tabletop.words import or_list

KeyPath = tuple[str | int, ...]

MAX_FILE_BYTES = 1_000_000
MAX_KEY_PARTS = 16
MAX_DEPTH = 32
"""The greatest nesting of lists and inline tables."""
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\n,]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_SCALAR = re.compile(r"[^,\]}\n#]*")
_BASIC_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BASIC_BLOCK = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}', re.DOTALL)
_LITERAL_STRING = re.compile(r"'[^'\n]*'")
_LITERAL_BLOCK = re.compile(r"'''(?:[^']|'(?!''))*'{3,5}", re.DOTALL)
_STRUCTURE = re.compile(
    "|".join((_BASIC_BLOCK.pattern, _LITERAL_BLOCK.pattern, _BASIC_STRING.pattern, _LITERAL_STRING.pattern, r"#[^\n]*"))
    + r"|(?P<sign>[][{}.=,\n])",
    re.DOTALL,
)
_TWICE = re.compile(r"Cannot overwrite a value|Cannot declare .+ twice|Duplicate inline table key .+")
_PLAINER = {
    "Invalid statement": "a line must be a [heading], a key = value pair or a # comment",
    "Invalid value": "after the equals sign goes a number, a text in quotes, a [list] or a { table }",
}
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


class SourceError(Exception):
    """The text is not valid TOML; carries the fault that stops the reading."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


MOST_NAMED = 20
"""The most names that are listed one by one if none is near."""
_LEAST_PART = 4  # letters of a word that is sought in longer names


OTHER_NAMES = {
    "antitank": "atg", "antitank gun": "atg", "at gun": "atg", "pak": "atg",
    "armour": "tank", "armor": "tank", "panzer": "tank", "rifles": "infantry", "foot": "infantry",
    "forest": "woods", "trees": "woods", "village": "town", "building": "town", "house": "town",
    "stream": "river", "swamp": "marsh", "bog": "marsh", "ridge": "hill", "track": "road", "crops": "field",
    "hedge": "wall", "fence": "wall", "rocks": "rock", "scatter": "rock", "boulder": "rock",
    "ruins": "ruin", "shell hole": "crater",
}  # fmt: skip
"""Players' names for a kind of unit or terrain, with the kind's name in a table file."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A closing clause for an unknown word: the nearest known one, also by its other names, else the longer ones that
    contain it, else all of them, unless they are too many.

    >>> did_you_mean("heigth", ["width", "height"])
    'did you mean "height"?'
    >>> did_you_mean("anti-tank", ["infantry", "tank", "atg"])
    'did you mean "atg"?'
    >>> did_you_mean("lancers", ["Lancers of the Valley", "Guards", "Storm Lancers with Shields"])
    'did you mean "Lancers of the Valley" or "Storm Lancers with Shields"?'
    >>> did_you_mean("colour", ["hex", "square"])
    'expected "hex" or "square".'
    >>> did_you_mean("R1", [])
    'there are none yet.'
    """
    words = list(known)
    if not words:
        return "there are none yet."
    folded = {other: name for other, name in OTHER_NAMES.items() if name in words}
    folded |= {w.casefold(): w for w in words}
    near = difflib.get_close_matches(word.casefold(), list(folded), n=1)
    if near:
        return f'did you mean "{folded[near[0]]}"?'
    within = [name for name in words if len(word) >= _LEAST_PART and word.casefold() in name.casefold()]
    if 0 < len(within) <= MOST_NAMED:
        return f"did you mean {either(within)}?"
    if len(words) > MOST_NAMED:
        return "there is no similar one."
    return f"expected {either(words)}."


def either(words: Sequence[str]) -> str:
    """Quoted words joined for a sentence.

    >>> either(["a", "b", "c"])
    '"a", "b" or "c"'
    """
    return or_list([f'"{word}"' for word in words])


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
    """The values of TOML text; raises SourceError with the line of the syntax error, or of what nests too deeply."""
    _bound_structure(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        line = None
        if place:
            line = int(place[1]) if place[1] else text.rstrip().count("\n") + 1
        said = _TOML_PLACE.sub("", message).strip().rstrip(".")
        if _TWICE.fullmatch(said) and line is not None:
            said = _given_twice(said, text.split("\n")[line - 1])
        what = _PLAINER.get(said, said)
        raise SourceError(Fault(line, f"this is not valid TOML: {what[:1].lower()}{what[1:]}.")) from error
    except ValueError as error:  # the one other refusal of tomllib: Python's limit on the digits of an integer
        raise SourceError(Fault(None, "a whole number in the file has thousands of digits.")) from error


def _given_twice(said: str, line: str) -> str:
    """The repeated key or table, from the parser's message or else from the line that repeats it."""
    named = ".".join(re.findall(r"'([^']+)'", said)) or line.split("=")[0].strip(" \t[]\"'")
    return f'the key or table "{named}" is given a second time'


def _bound_structure(text: str) -> None:
    """Reject keys with very many parts and deeply nested lists: their memory grows with the square of their number."""
    parts = depth = 0
    for match in _STRUCTURE.finditer(text):
        sign = match["sign"]
        if sign is None:
            continue
        parts = parts + 1 if sign == "." else 1
        depth += (sign in "[{") - (sign in "]}")
        if parts > MAX_KEY_PARTS:
            fault = f"a key here has more than {MAX_KEY_PARTS} parts with dots between them: shorten it."
        elif depth > MAX_DEPTH:
            fault = f"lists nest too deeply here: at most {MAX_DEPTH} levels are allowed."
        else:
            continue
        raise SourceError(Fault(text.count("\n", 0, match.start()) + 1, fault))


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
        while path and path not in self.found:  # the parents of a known path are known
            self.found[path] = line
            path = path[:-1]

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
