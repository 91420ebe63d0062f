"""The words of one action, read from the front: names of units and other things, numbers, places, bases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Never

from tabletop.game.errors import ActionError
from tabletop.rulesets.one_hour_ww2.setup import Point, Standing
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.toml_source import did_you_mean

_LARGEST = 1e6
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_BETWEEN_NUMBERS = re.compile(r"(?<=[\d.])\s*,\s*(?=[-+.\d]|unknown\b)|(?<=unknown)\s*,\s*(?=[-+.\d])", re.IGNORECASE)
_ANSWERS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
_SPREAD = 7  # numbers of a base with its covariance and its facing's sigma


def split(words: str) -> list[str]:
    """Words one by one; numbers with commas and spaces between them become one word."""
    joined = _BETWEEN_NUMBERS.sub(",", words)
    return [word.rstrip(",") or word for word in joined.split()]


@dataclass
class Reader:
    """The words of one action that are still to be read, from the front; ``form`` tells how it is said.

    What can't be read raises ActionError with what was expected.
    """

    state: State
    form: str
    rest: list[str]

    def fail(self, problem: str) -> Never:
        """Refuse the words, with the way to say it."""
        raise ActionError(f"{problem} Say: {self.form}.")

    def done(self) -> None:
        """All words must have been read."""
        if self.rest:
            self.fail(f'"{" ".join(self.rest)}" at the end is not understood.')

    def take(self, *spellings: str) -> bool:
        """Whether the next words are one of these; they are taken then."""
        for spelling in spellings:
            n = len(spelling.split())
            if " ".join(self.rest[:n]).casefold() == spelling:
                del self.rest[:n]
                return True
        return False

    def named(self, what: str, known: Iterable[tuple[str, str]]) -> str:
        """The id of the thing that the next words name, by its id or its title; the longest match counts."""
        pairs = [(" ".join(split(name)), " ".join(split(title)), name) for name, title in known]
        if not self.rest:
            self.fail(f"Which {what}?")
        for n in range(len(self.rest), 0, -1):
            said = " ".join(self.rest[:n])
            low = said.casefold()
            for found in (
                {name for key, _, name in pairs if key == said},
                {name for key, _, name in pairs if key.casefold() == low},
                {name for _, title, name in pairs if title.casefold() == low},
            ):
                if len(found) > 1:
                    self.fail(f'"{said}" may be {" or ".join(sorted(found))}: give the {what}\'s id.')
                if found:
                    del self.rest[:n]
                    return found.pop()
        if not pairs:
            self.fail(f"This game has no {what}.")
        self.fail(
            f'There is no {what} "{self.rest[0]}" in this game; {did_you_mean(self.rest[0], [p[2] for p in pairs])}'
        )

    def unit(self, what: str = "unit") -> str:
        """The id of the unit that is named next."""
        return self.named("unit" if self.rest else what, ((u.id, u.name) for u in self.state.setup.units))

    def answer(self) -> bool:
        """Yes or no as it is said next; a marker that is only named is there."""
        if self.rest and self.rest[0].casefold() in _ANSWERS:
            return _ANSWERS[self.rest.pop(0).casefold()]
        return True

    def whole(self, name: str) -> int:
        """The whole number that stands next, after ``name``."""
        if not self.rest or not re.fullmatch(r"\d{1,4}", self.rest[0]):
            self.fail(f'After "{name}" goes a whole number{self._found()}.')
        return int(self.rest.pop(0))

    def numbers(self) -> list[list[float | None]]:
        """The numbers that come next, word by word (``None``: unknown); a word holds one or, with commas, more."""
        groups: list[list[float | None]] = []
        while self.rest and all(_NUMBER.fullmatch(p) or p.casefold() == "unknown" for p in self.rest[0].split(",")):
            parts = self.rest.pop(0).split(",")
            groups.append([float(p) if _NUMBER.fullmatch(p) else None for p in parts])
            if any(value is not None and abs(value) > _LARGEST for value in groups[-1]):
                self.fail(f"{','.join(parts)} is far off every table.")
        return groups

    def known(self) -> list[float]:
        """The numbers that come next, none of them unknown."""
        given = [value for group in self.numbers() for value in group]
        if None in given:
            self.fail("Only the facing of one of several bases may be unknown.")
        return [value for value in given if value is not None]

    def point(self) -> Point:
        """A place in inches."""
        given = self.known()
        if len(given) != 2:
            self.fail(f'After "at" goes a place in inches, as 10,3.5{self._found(given)}.')
        return given[0], given[1]

    def path(self) -> tuple[Point, ...]:
        """Places in inches, one or more."""
        given = self.known()
        if not given or len(given) % 2:
            self.fail(f'After "via" go places in inches, as 10,5 12,6{self._found(given)}.')
        return tuple(zip(given[::2], given[1::2], strict=True))

    def facing(self) -> float:
        """Degrees, from 0 to below 360."""
        given = self.known()
        if len(given) != 1:
            self.fail(f'After "facing" go degrees clockwise, 0 is up the table{self._found(given)}.')
        return turned(given[0])

    def bases(self) -> tuple[Standing, ...]:
        """Places of bases, one or more: x, y, facing and perhaps how surely."""
        plain: list[float | None] = []
        found: list[Standing] = []
        for group in self.numbers():
            if len(group) == _SPREAD and not plain:
                found.append(self._standing(group))
                continue
            plain += group
            if len(plain) % 3 == 0:
                found += [self._standing(plain[i : i + 3]) for i in range(0, len(plain), 3)]
                plain = []
        if plain or not found:
            self.fail(f'After "bases" goes x,y,facing for each, as 10,3,0 12.5,3,0{self._found(plain)}.')
        return tuple(found)

    def _standing(self, row: Sequence[float | None]) -> Standing:
        x, y, facing, *spread = row
        if x is None or y is None or None in spread:
            self.fail("Only a base's facing may be unknown.")
        at = Standing(x, y, None if facing is None else turned(facing))
        if not spread:
            return at
        xx, xy, yy, turn = (float(value) for value in spread if value is not None)
        return replace(at, covariance=(xx, xy, yy), facing_sigma=turn)

    def _found(self, given: Sequence[float | None] = ()) -> str:
        """What stands there instead, for the end of a sentence."""
        if given:
            told = ",".join("unknown" if value is None else plain(value) for value in given)
            return f", not {told}" + (f" {self.rest[0]}" if self.rest else "")
        return f', not "{self.rest[0]}"' if self.rest else ""


def plain(value: float) -> str:
    """A number without an exponent and without a needless point, exact.

    >>> plain(10.0), plain(1e-08), plain(7.25)
    ('10', '0.00000001', '7.25')
    """
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0")


def turned(facing_deg: float) -> float:
    """The same facing from 0 to below 360 degrees."""
    return facing_deg if 0 <= facing_deg < 360 else facing_deg % 360.0 % 360.0
