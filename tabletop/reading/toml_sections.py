"""Tables of a TOML file read key by key, with every fault collected instead of stopping at the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from geometry.drawing.letters import is_one_line
from tabletop.errors import Fault
from tabletop.reading.toml_source import KeyPath, did_you_mean
from tabletop.units import PER_INCH, UNIT_NAMES, LengthUnit, in_unit

MAX_NUMBER = 1e6
Word = TypeVar("Word", bound=str)


@dataclass
class Faults:
    """Faults found so far, with the lines of the file's keys and the unit of its lengths."""

    lines: dict[KeyPath, int] = field(default_factory=dict)
    found: list[Fault] = field(default_factory=list)
    paths: list[KeyPath] = field(default_factory=list)
    unit: LengthUnit = "in"

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

    def add_in_unit(self, path: KeyPath, text: str) -> None:
        """Note a fault at a key; its sentence gives lengths in inches, which are converted to the file's unit."""
        self.add(path, in_unit(text, self.unit))

    def inside(self, path: KeyPath) -> bool:
        """Whether a fault was noted at a key or anywhere below it."""
        return any(at[: len(path)] == path for at in self.paths)


_MOST_MEANT = 20
"""The number of unknown keys in a table for which the nearest known one is suggested: the search takes time."""


class Section:
    """One table of the file. Every reader notes a fault and returns ``None`` if the key is missing or wrong."""

    def __init__(self, data: dict[str, Any], path: KeyPath, name: str, faults: Faults, known: Sequence[str]) -> None:
        self.data, self.path, self.name, self.faults = data, path, name, faults
        unknown = [key for key in data if key not in known]
        for n, key in enumerate(unknown):
            meant = f"; {did_you_mean(key, known)}" if n < _MOST_MEANT else "."
            self.fault(key, f'unknown key "{key}" in {name}{meant}')

    @property
    def sound(self) -> bool:
        """Whether no fault was noted in here so far."""
        return not self.faults.inside(self.path)

    def fault(self, key: str | None, text: str, *more: int) -> None:
        """Note a fault at a key of this table (``None``: at the table itself)."""
        self.faults.add(self.path if key is None else (*self.path, key, *more), text)

    def _wrong(self, key: str, wanted: str, value: object) -> None:
        self.fault(key, f'"{key}" in {self.name} must be {wanted}, not {describe_value(value)}.')

    def has(self, key: str) -> bool:
        """Whether the key is given."""
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

    def short_name(self, key: str, wanted: str, most: int = 80) -> str | None:
        """A name of visible characters on one line."""
        value = self.text(key, wanted)
        if value is not None and not (len(value) <= most and is_one_line(value)):
            self.fault(key, f'"{key}" in {self.name} must be a name of at most {most} visible letters.')
            return None
        return value

    def choice(self, key: str, words: Sequence[Word], wanted: str, *, required: bool = True) -> Word | None:
        """One of some words."""
        value = self.text(key, wanted, required=required)
        found = next((word for word in words if word == value), None)
        if value is not None and found is None:
            self.fault(key, f'unknown {key} "{value}" in {self.name}; {did_you_mean(value, words)}')
        return found

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

    def length(
        self, key: str, wanted: str, *, required: bool = True, above: float | None = None, least: float | None = None,
        most: float,
    ) -> float | None:  # fmt: skip
        """A length of the file in inches, within limits; ``wanted`` and the limits are in inches too."""
        per_inch = PER_INCH[self.faults.unit]
        above, least = (None if limit is None else per_inch * limit for limit in (above, least))
        told = self._in_unit(wanted)
        value = self.number(key, told, required=required, above=above, least=least, most=per_inch * most)
        return None if value is None else value / per_inch

    def place(self, key: str, wanted: str, *, required: bool = True) -> tuple[float, float] | None:
        """A point of the file in inches; ``wanted`` says it in inches too."""
        point = self.point(key, self._in_unit(wanted), required=required)
        return None if point is None else self._to_inches(point)

    def corners(self, key: str, wanted: str, *, required: bool = True) -> tuple[tuple[float, float], ...] | None:
        """A list of points of the file in inches; ``wanted`` says it in inches too."""
        points = self.points(key, self._in_unit(wanted), required=required)
        return None if points is None else tuple(map(self._to_inches, points))

    def _in_unit(self, wanted: str) -> str:
        return wanted.replace("inches", UNIT_NAMES[self.faults.unit])

    def _to_inches(self, point: tuple[float, float]) -> tuple[float, float]:
        per_inch = PER_INCH[self.faults.unit]
        return point[0] / per_inch, point[1] / per_inch

    def integer(self, key: str, wanted: str, *, required: bool = True, least: int = 0, most: int = 9999) -> int | None:
        """A whole number from ``least`` to ``most``."""
        value = self._get(key, wanted, required)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self._wrong(key, f"{wanted}, a whole number from {least} to {most}", value)
            return None
        return value

    def flag(self, key: str, wanted: str, default: bool = False) -> bool:
        """True or false; ``default`` if it is not given."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self._wrong(key, f"true or false ({wanted})", value)
            return default
        return value

    def texts(
        self, key: str, wanted: str, what: str = "texts", *, required: bool = False, least: int = 1
    ) -> tuple[str, ...]:
        """A list of ``least`` texts or more, none of them empty; empty if it is not given."""
        value = self._get(key, wanted, required)
        if value is None:
            return ()
        good = isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)
        if not good or len(value) < least:
            self._wrong(key, f"a list of {what} in quotes ({wanted})", value)
            return ()
        return tuple(value)

    def integers(self, key: str, wanted: str, *, least: int = 0, most: int = 9999) -> tuple[int, ...]:
        """A list of whole numbers; empty if it is not given."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self._wrong(key, wanted, value)
            return ()
        for i, item in enumerate(value):
            if isinstance(item, bool) or not isinstance(item, int) or not least <= item <= most:
                self.fault(
                    key,
                    f'"{key}" in {self.name} holds {describe_value(item)}; whole numbers from {least} to {most} go '
                    "there.",
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
                    f'point {i + 1} of "{key}" in {self.name} must be two numbers [x, y], not {describe_value(item)}.',
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

    def sections(
        self,
        key: str,
        name: str,
        known: Sequence[str] | Callable[[dict[str, Any]], Sequence[str]],
        *,
        required: bool = False,
    ) -> list[Section]:
        """The tables of a list; each is called by its id where it has one. ``known`` may depend on the table."""
        value = self._get(key, f"one {name} for each", required)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._wrong(key, f"a list of tables, each under {name}", value)
            return []
        return [
            Section(
                item,
                (*self.path, key, i),
                _item_name(name, item, i),
                self.faults,
                known(item) if callable(known) else known,
            )
            for i, item in enumerate(value)
        ]


def _item_name(name: str, item: dict[str, Any], index: int) -> str:
    called = item.get("id")
    if isinstance(called, str):
        return f'{name} "{called}"'
    return f"{name} {called}" if isinstance(called, int) else f"{name} number {index + 1}"


def is_number(value: object) -> bool:
    """Whether a TOML value is a finite number within the range of table sizes."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= MAX_NUMBER and math.isfinite(value)


def as_point(value: object) -> tuple[float, float] | None:
    """Two finite numbers, else ``None``."""
    if isinstance(value, list) and len(value) == 2 and all(map(is_number, value)):
        return float(value[0]), float(value[1])
    return None


def describe_value(value: object) -> str:
    """A TOML value in a few words, for a fault.

    >>> describe_value(["a"]), describe_value("x"), describe_value(10**20)
    ('a list of 1', 'the text "x"', 'a number of 21 digits')
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() if abs(value) >= 10**15:
            return f"a number of {len(str(abs(value)))} digits"
        case int() | float():
            return repr(value)
        case str():
            return f'the text "{value}"' if len(value) <= 40 else f'the text "{value[:37]}..."'
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a table"
    return f"the {type(value).__name__} {value}"
