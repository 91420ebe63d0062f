"""The words of one action, read from the front: names, numbers, places in inches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Never

from tabletop.game.errors import ActionError
from tabletop.reading.toml_source import did_you_mean

LARGEST = 1e6
"""The largest number of inches or degrees in an action."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_BETWEEN_NUMBERS = re.compile(r"(?<=[\d.])\s*,\s*(?=[-+.\d]|unknown\b)|(?<=unknown)\s*,\s*(?=[-+.\d])", re.IGNORECASE)
_INCH_SIGN = re.compile(r"(?<=[\d.])(?:\"|″|''|in|inch|inches)$", re.IGNORECASE)
_ANSWERS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


def split_words(text: str) -> list[str]:
    """A text's words; numbers separated by commas and spaces become one word.

    >>> split_words("place B1 at 10, 8.5 facing 90")
    ['place', 'B1', 'at', '10,8.5', 'facing', '90']
    """
    joined = _BETWEEN_NUMBERS.sub(",", text)
    return [word.rstrip(",") or word for word in joined.split()]


@dataclass
class Reader:
    """The unread words of one action, and the state in which they are read.

    ``usage`` shows how the action is written, for messages. ``stops`` are words that end a list of values, ``joints``
    join values in one word. Unreadable words raise ActionError with the expected form.
    """

    state: Any
    usage: str
    rest: list[str]
    stops: Collection[str] = ()
    joints: Collection[str] = ()

    def fail(self, problem: str) -> Never:
        """Reject the words, and show how the action is written."""
        raise ActionError(problem, f"Usage: {self.usage}.")

    def expect_end(self) -> None:
        """Check that all words have been read."""
        if self.rest:
            self.fail(f'"{" ".join(self.rest)}" at the end is not understood.')

    @property
    def at_stop(self) -> bool:
        """Whether no words are left, or the next one belongs to another field."""
        return not self.rest or self.rest[0].casefold() in self.stops

    def take(self, *spellings: str) -> bool:
        """Consume the next words if they match one of these spellings, and return whether they did."""
        for spelling in spellings:
            n = len(spelling.split())
            if " ".join(self.rest[:n]).casefold() == spelling:
                del self.rest[:n]
                return True
        return False

    def split(self, joints: Collection[str]) -> None:
        """Split words at the texts that join values, into separate words."""
        self.joints = joints
        self.rest[:] = self._pieces(self.rest)

    def _pieces(self, words: list[str]) -> list[str]:
        if not self.joints:
            return words
        pattern = f"({'|'.join(map(re.escape, self.joints))})"
        return [piece for word in words for piece in re.split(pattern, word) if piece]

    def _normal(self, name: str) -> str:
        """A name in the form in which words are read."""
        return " ".join(self._pieces(split_words(name)))

    def word(self, what: str) -> str:
        """The next word; ``what`` names it in the message if it is missing."""
        if self.at_stop:
            self.fail(f"Which {what}?")
        return self.rest.pop(0)

    def read_name(self, what: str, known: Iterable[tuple[str, str]]) -> str:
        """The id of the thing that the next words name, by its id or its title; the longest match counts."""
        pairs = [(self._normal(name), self._normal(title), name) for name, title in known]
        if not self.rest:
            self.fail(f"Which {what}?")
        for n in range(len(self.rest), 0, -1):
            words = " ".join(self.rest[:n])
            low = words.casefold()
            for names in (
                {name for key, _, name in pairs if key == words},
                {name for key, _, name in pairs if key.casefold() == low},
                {name for _, title, name in pairs if title.casefold() == low},
            ):
                if len(names) > 1:
                    self.fail(f'"{words}" may be {" or ".join(sorted(names))}: give the {what}\'s id.')
                if names:
                    del self.rest[:n]
                    return names.pop()
        if not pairs:
            self.fail(f"This game has no {what}.")
        self.fail(
            f'There is no {what} "{self.rest[0]}" in this game; {did_you_mean(self.rest[0], [p[2] for p in pairs])}'
        )

    def answer(self) -> bool:
        """Yes or no, if it comes next; a marker without an answer means yes."""
        if self.rest and self.rest[0].casefold() in _ANSWERS:
            return _ANSWERS[self.rest.pop(0).casefold()]
        return True

    def whole(self, name: str, *, signed: bool = False, digits: int = 4) -> int:
        """The next whole number, of at most ``digits`` digits, after ``name``."""
        if not self.rest or not re.fullmatch(rf"{'[+-]?' if signed else ''}\d{{1,{digits}}}", self.rest[0]):
            self.fail(f'After "{name}" goes a whole number{self.instead()}.')
        return int(self.rest.pop(0))

    def numbers(self) -> list[list[float | None]]:
        """The next numbers, word by word (``None``: unknown); a word holds one or, with commas, more.

        An inch sign behind a number (24", 24″ or 24in) is optional.
        """
        groups: list[list[float | None]] = []
        while self.rest and all(_NUMBER.fullmatch(p) or p.casefold() == "unknown" for p in _bare(self.rest[0])):
            parts = _bare(self.rest.pop(0))
            groups.append([float(p) if _NUMBER.fullmatch(p) else None for p in parts])
            if any(value is not None and abs(value) > LARGEST for value in groups[-1]):
                self.fail(f"{','.join(parts)} is far off every table.")
        return groups

    def known_numbers(self) -> list[float]:
        """The next numbers, none of them unknown."""
        values = [value for group in self.numbers() for value in group]
        if None in values:
            self.fail("Only the facing of one of several bases may be unknown.")
        return [value for value in values if value is not None]

    def point(self) -> tuple[float, float]:
        """A place in inches."""
        values = self.known_numbers()
        if len(values) != 2:
            self.fail(f'After "at" goes a place in inches, as 10,3.5{self.instead(values)}.')
        return values[0], values[1]

    def path(self) -> tuple[tuple[float, float], ...]:
        """Places in inches, one or more."""
        values = self.known_numbers()
        if not values or len(values) % 2:
            self.fail(f'After "via" go places in inches, as 10,5 12,6{self.instead(values)}.')
        return tuple(zip(values[::2], values[1::2], strict=True))

    def facing(self) -> float:
        """Degrees, from 0 to below 360."""
        values = self.known_numbers()
        if len(values) != 1:
            self.fail(f'After "facing" go degrees clockwise, 0 is up the table{self.instead(values)}.')
        return normal_facing(values[0])

    def instead(self, values: Sequence[float | None] = ()) -> str:
        """The end of a sentence that quotes the words found instead."""
        if values:
            text = ",".join("unknown" if value is None else plain_number(value) for value in values)
            return f", not {text}" + (f" {self.rest[0]}" if self.rest else "")
        return f', not "{self.rest[0]}"' if self.rest else ""


def _bare(word: str) -> list[str]:
    """The parts of a word between its commas, without inch signs."""
    return [_INCH_SIGN.sub("", part) for part in word.split(",")]


def plain_number(value: float) -> str:
    """A number without an exponent and without a needless point, exact.

    >>> plain_number(10.0), plain_number(1e-08), plain_number(7.25)
    ('10', '0.00000001', '7.25')
    """
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0")


def normal_facing(facing_deg: float) -> float:
    """The same facing from 0 to below 360 degrees."""
    return facing_deg if 0 <= facing_deg < 360 else facing_deg % 360.0 % 360.0
