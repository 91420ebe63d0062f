"""Fields of actions: how each value is written and read, and its possible values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from tabletop.game.actions.reader import LARGEST, Reader, normal_facing, plain_number, split_words
from tabletop.game.domains import Choice, Domain, DomainType
from tabletop.game.errors import ActionError
from tabletop.reading.toml_source import did_you_mean
from tabletop.words import and_list, capital

_CORNERS = 3
"""The fewest corners of an outline."""

State = Any
Pairs = Iterable[tuple[str, str]]


def table_number(value: float) -> float:
    """Inches or degrees from JSON, checked to be within any table's range; raises ActionError."""
    if not abs(value) <= LARGEST:
        raise ActionError(f"{value:g} is far off every table.")
    return value


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of an action; each kind of value has its own subclass.

    ``lead`` are the words before the value, the first of them in the written form. A field without a lead, or with an
    optional one (``bare``), is recognised by its position; one with a lead that is optional in its action is a clause,
    and clauses come in any order after the others. ``title`` is the field's name for people (empty: its own name);
    ``placeholder`` represents the value in the form of the action.
    """

    clause: ClassVar[bool] = False
    """Whether it is always a clause."""

    lead: tuple[str, ...] = ()
    bare: bool = False
    title: str = ""
    placeholder: str = ""
    always: bool = False
    """Whether it is written even at its default."""
    joint: str = ""
    """The text that joins it to the previous field in one word, such as the colon of ``A1:5``. Such a field is
    optional."""

    def after(self, *lead: str, bare: bool = False) -> Self:
        """The same field after one of these words; ``bare``: they are optional."""
        return replace(self, lead=lead, bare=bare)

    def with_title(self, title: str, placeholder: str = "") -> Self:
        """The same field with another title, and another placeholder (empty: the title in capitals)."""
        return replace(self, title=title, placeholder=placeholder or title.upper().replace(" ", "-"))

    def with_joint(self, joint: str) -> Self:
        """The same field, joined to the one before it in one word."""
        return replace(self, joint=joint)

    @property
    def joints(self) -> tuple[str, ...]:
        """All texts that join its values in one word."""
        return (self.joint,) if self.joint else ()

    @property
    def usage(self) -> str:
        """How it is written, without its lead."""
        return self.placeholder

    @property
    def called(self) -> str:
        """The name of a value for people."""
        return self.title or self.placeholder.casefold()

    @property
    def blank(self) -> str:
        """The placeholder of a value that is not given yet."""
        return self.usage

    def blank_in(self, domain: Domain) -> str:
        """The placeholder of a value of a domain that is not given yet."""
        return self.blank

    @property
    def openers(self) -> tuple[str, ...]:
        """The words that begin it if it is a clause."""
        return self.lead

    @property
    def names(self) -> tuple[str, ...]:
        """The openers that are listed when a clause is not understood."""
        return self.openers[:1]

    def begins(self, reader: Reader) -> bool:
        """Whether it comes next as a clause; if so, its lead is consumed."""
        return reader.take(*self.openers)

    def read(self, reader: Reader) -> Any:
        """Read the next value; raises ActionError with the expected form."""
        raise NotImplementedError

    def read_more(self, reader: Reader, value: Any) -> Any:
        """Read the value of a repeated clause, after ``value``; raises ActionError if it may not be repeated."""
        reader.fail(f'"{self.openers[0]}" stands twice.')

    def write(self, value: Any) -> str:
        """The value in words; :meth:`read` reads it back."""
        return str(value)

    def tell(self, value: Any) -> str:
        """The value in players' words."""
        return self.write(value)

    def accept(self, state: State, value: Any) -> Any:
        """A value from JSON, as :meth:`read` would return it; raises ActionError for an impossible one."""
        return value

    def fits(self, reader: Reader) -> bool:
        """Whether the next word may belong to this field, if it is optional."""
        return not reader.at_stop

    def domain(self) -> Domain:
        """The possible values."""
        raise NotImplementedError

    def listed_values(self, state: State) -> tuple[Any, ...] | None:
        """The values that options list for it in a state; ``None``: they can't be listed, such as points."""
        choices = self.domain().choices
        return tuple(choice.value for choice in choices) or None


@dataclass(frozen=True, kw_only=True)
class Word(Field):
    """A name of one word: ``resolve`` returns its id in a state, or raises ActionError.

    ``is_one``: whether a word is such a name, if the field is optional.
    """

    type: DomainType
    resolve: Callable[[State, str], str]
    is_one: Callable[[str], bool] | None = None

    def read(self, reader: Reader) -> str:
        return self.resolve(reader.state, reader.word(self.called))

    def accept(self, state: State, value: Any) -> Any:
        return self.resolve(state, value)

    def fits(self, reader: Reader) -> bool:
        return not reader.at_stop and (self.is_one is None or self.is_one(reader.rest[0]))

    def domain(self) -> Domain:
        return Domain(self.type)


@dataclass(frozen=True, kw_only=True)
class Named(Field):
    """A thing in the game by its id or its title, which may have several words; ``known`` lists ids and titles.

    ``offered``: the ids that options list (``None``: every known one).
    """

    type: DomainType
    what: str
    known: Callable[[State], Pairs]
    offered: Callable[[State], Iterable[str]] | None = None

    def read(self, reader: Reader) -> str:
        return reader.read_name(self.title or self.what if not reader.rest else self.what, self.known(reader.state))

    def accept(self, state: State, value: Any) -> Any:
        ids = [name for name, _ in self.known(state)]
        if value in ids:
            return value
        raise ActionError(f'There is no {self.what} "{value}" in this game; {did_you_mean(str(value), ids)}')

    def domain(self) -> Domain:
        return Domain(self.type)

    def listed_values(self, state: State) -> tuple[Any, ...] | None:
        return tuple(name for name, _ in self.known(state)) if self.offered is None else tuple(self.offered(state))


@dataclass(frozen=True, kw_only=True)
class Phrase(Field):
    """A name of one word or several, such as "light tanks": the longest one that ``resolve`` accepts.

    ``values`` are its possible results, and ``titles`` their titles.
    """

    resolve: Callable[[str], str]
    values: tuple[str, ...] = ()
    titles: Mapping[str, str] = None  # type: ignore[assignment]

    def tell(self, value: Any) -> str:
        return (self.titles or {}).get(value, self.write(value))

    def read(self, reader: Reader) -> str:
        words = [reader.word(self.called)]
        while not reader.at_stop and not re.fullmatch(r"[+-]?\d+", reader.rest[0]):
            words.append(reader.rest.pop(0))
        for n in range(len(words), 0, -1):
            try:
                value = self.resolve(" ".join(words[:n]))
            except ActionError:
                continue
            reader.rest[:0] = words[n:]
            return value
        return self.resolve(" ".join(words))

    def accept(self, state: State, value: Any) -> Any:
        return self.resolve(value)

    def domain(self) -> Domain:
        titles = self.titles or {}
        return Domain("choice", tuple(Choice(value, titles.get(value, value)) for value in self.values))


@dataclass(frozen=True, kw_only=True)
class OneOf(Field):
    """One of a few words: ``spellings`` are the values by their accepted words, ``titles`` their titles."""

    values: tuple[Any, ...]
    spellings: Mapping[str, Any] = None  # type: ignore[assignment]
    titles: Mapping[Any, str] = None  # type: ignore[assignment]
    what: str = "choice"

    @property
    def usage(self) -> str:
        return self.placeholder or "|".join(map(str, self.values))

    def tell(self, value: Any) -> str:
        return (self.titles or {}).get(value, self.write(value))

    def read(self, reader: Reader) -> Any:
        word = reader.word(self.title or self.what)
        known = {str(value).casefold(): value for value in self.values} | dict(self.spellings or {})
        if word.casefold() not in known:
            reader.fail(f'"{word}" is no {self.what}; {did_you_mean(word.casefold(), list(map(str, self.values)))}')
        return known[word.casefold()]

    def accept(self, state: State, value: Any) -> Any:
        if value in self.values:
            return value
        raise ActionError(f'"{value}" is no {self.what}; {did_you_mean(str(value), list(map(str, self.values)))}')

    def fits(self, reader: Reader) -> bool:
        known = {str(value).casefold() for value in self.values} | set(self.spellings or {})
        return not reader.at_stop and reader.rest[0].casefold() in known

    def domain(self) -> Domain:
        titles = self.titles or {}
        return Domain("choice", tuple(Choice(value, titles.get(value, str(value))) for value in self.values))


@dataclass(frozen=True, kw_only=True)
class Whole(Field):
    """A whole number; ``signed``: written with its sign, and below 0 too.

    ``usual``: the range that a page offers, if the rules judge every number with their own reason.
    """

    least: int = 0
    most: int = 9999
    usual: tuple[int, int] | None = None
    signed: bool = False
    placeholder: str = "N"

    def read(self, reader: Reader) -> int:
        if not (self.lead or self.joint or self.fits(reader)):
            if self.signed:
                reader.fail(f"A whole number of {self.called} is needed{reader.instead()}.")
            reader.fail(f"{capital(self.called)} is missing; it is a whole number{reader.instead()}.")
        name = self.lead[0] if self.lead else self.title
        return self._within(reader.whole(name, signed=self.signed, digits=max(4, len(str(self.most)) + 1)))

    def write(self, value: Any) -> str:
        return f"{value:+d}" if self.signed else str(value)

    def accept(self, state: State, value: Any) -> Any:
        return value if value is None else self._within(value)

    def _within(self, value: int) -> int:
        if not self.least <= value <= self.most:
            name = self.title or (self.lead[0] if self.lead else "the number")
            raise ActionError(f"{name} is {value}; it goes from {self.least} to {self.most}.")
        return value

    def fits(self, reader: Reader) -> bool:
        return not reader.at_stop and re.fullmatch(r"[+-]?\d{1,4}", reader.rest[0]) is not None

    def domain(self) -> Domain:
        least, most = self.usual or (self.least, self.most)
        return Domain("number", least=least, most=most)


@dataclass(frozen=True, kw_only=True)
class Inches(Field):
    """A length in inches, from ``least`` to ``most`` if given."""

    unit: ClassVar[DomainType] = "inches"
    placeholder: str = "INCHES"
    least: float | None = None
    most: float | None = None

    def read(self, reader: Reader) -> float:
        values = reader.known_numbers()
        if len(values) != 1:
            reader.fail(f'After "{self.lead[0]}" goes a number of {self.unit}{reader.instead(values)}.')
        return self._within(values[0])

    def write(self, value: Any) -> str:
        return plain_number(value)

    def accept(self, state: State, value: Any) -> Any:
        return None if value is None else self._within(table_number(value))

    def _within(self, value: float) -> float:
        least, most = self.least, self.most
        if (least is not None and value < least) or (most is not None and value > most):
            ends = (("at least", least), ("at most", most))
            room = " and ".join(f"{word} {plain_number(end)}" for word, end in ends if end is not None)
            raise ActionError(f"{self.title or self.lead[0]} is {plain_number(value)} {self.unit}; it may be {room}.")
        return value

    def domain(self) -> Domain:
        return Domain(self.unit, least=self.least, most=self.most)


@dataclass(frozen=True, kw_only=True)
class Angle(Inches):
    """A number of degrees, from ``least`` to ``most`` if given, that is not a facing."""

    unit: ClassVar[DomainType] = "degrees"
    placeholder: str = "DEGREES"


@dataclass(frozen=True, kw_only=True)
class Flag(Field):
    """An optional word; with ``takes_answer``, "no" after it negates it."""

    clause = True

    word: str
    spellings: tuple[str, ...] = ()
    takes_answer: bool = False

    @property
    def openers(self) -> tuple[str, ...]:
        return (self.word, *self.spellings)

    @property
    def usage(self) -> str:
        return self.word

    def read(self, reader: Reader) -> bool:
        return reader.answer() if self.takes_answer else True

    def write(self, value: Any) -> str:
        return self.word

    def domain(self) -> Domain:
        return Domain("flag")


@dataclass(frozen=True, kw_only=True)
class YesNo(Field):
    """Yes or no after a word; the word alone means yes."""

    placeholder: str = "yes|no"

    def read(self, reader: Reader) -> bool:
        return reader.answer()

    def write(self, value: Any) -> str:
        return "yes" if value else "no"

    def domain(self) -> Domain:
        return Domain("yes-no")


@dataclass(frozen=True, kw_only=True)
class Reason(Field):
    """Free words up to the end, after "because"."""

    clause = True

    lead: tuple[str, ...] = ("because",)
    placeholder: str = "WORDS"

    def read(self, reader: Reader) -> str:
        words, reader.rest[:] = " ".join(reader.rest), []
        return words.strip()

    def accept(self, state: State, value: Any) -> Any:
        return str(value).strip()

    def domain(self) -> Domain:
        return Domain("text")


@dataclass(frozen=True, kw_only=True)
class Words(Field):
    """Free words, one or more, up to the next clause."""

    placeholder: str = "WORDS"

    def read(self, reader: Reader) -> str:
        words = [reader.word(self.called)]
        while not reader.at_stop:
            words.append(reader.rest.pop(0))
        return " ".join(words)

    def accept(self, state: State, value: Any) -> Any:
        """The words as they would be read back, so that a form and a typed line give the same value."""
        words = " ".join(split_words(str(value)))
        if not words:
            raise ActionError(f"Which {self.called}?")
        return words

    def domain(self) -> Domain:
        return Domain("text")


@dataclass(frozen=True, kw_only=True)
class Point(Field):
    """A point in table inches."""

    placeholder: str = "X,Y"

    def read(self, reader: Reader) -> tuple[float, float]:
        return reader.point()

    def write(self, value: Any) -> str:
        return f"{plain_number(value[0])},{plain_number(value[1])}"

    def accept(self, state: State, value: Any) -> Any:
        return None if value is None else tuple(map(table_number, value))

    def domain(self) -> Domain:
        return Domain("point")


@dataclass(frozen=True, kw_only=True)
class Path(Field):
    """Points in table inches, ``least`` or more."""

    placeholder: str = "X,Y X,Y ..."
    least: int = 1

    def read(self, reader: Reader) -> tuple[tuple[float, float], ...]:
        return reader.path()

    def write(self, value: Any) -> str:
        return " ".join(f"{plain_number(x)},{plain_number(y)}" for x, y in value)

    def accept(self, state: State, value: Any) -> Any:
        return tuple(tuple(map(table_number, point)) for point in value)

    def domain(self) -> Domain:
        return Domain("point", many=True, least=self.least if self.least > 1 else None)


@dataclass(frozen=True, kw_only=True)
class Ring(Path):
    """The corners of an outline in table inches, three or more; the last is joined to the first."""

    placeholder: str = "X,Y X,Y X,Y ..."

    def read(self, reader: Reader) -> tuple[tuple[float, float], ...]:
        corners = reader.path()
        if len(corners) < _CORNERS:
            reader.fail(f"An outline has {_CORNERS} corners or more, and {len(corners)} are given.")
        return corners

    def accept(self, state: State, value: Any) -> Any:
        if len(value) < _CORNERS:
            raise ActionError(f"An outline has {_CORNERS} corners or more, and {len(value)} are given.")
        return super().accept(state, value)

    def domain(self) -> Domain:
        return Domain("ring", least=_CORNERS)


@dataclass(frozen=True, kw_only=True)
class Degrees(Field):
    """A facing in degrees clockwise from +y, from 0 to below 360."""

    placeholder: str = "DEGREES"

    def read(self, reader: Reader) -> float:
        return reader.facing()

    def write(self, value: Any) -> str:
        return plain_number(value)

    def accept(self, state: State, value: Any) -> Any:
        return value if value is None else normal_facing(table_number(value))

    def domain(self) -> Domain:
        return Domain("facing")


@dataclass(frozen=True, kw_only=True)
class Many(Field):
    """Several values of one field, in order, with nothing between them."""

    each: Field
    least: int = 1
    most: int | None = None

    @property
    def usage(self) -> str:
        return f"{self.placeholder or self.each.usage} ..."

    @property
    def blank(self) -> str:
        return self.placeholder or self.each.blank

    def read(self, reader: Reader) -> tuple[Any, ...]:
        values = []
        while not reader.at_stop:
            values.append(self.each.read(reader))
        if len(values) < self.least:
            reader.fail(f"{capital(self.each.called)} is missing.")
        return tuple(values)

    def read_more(self, reader: Reader, value: tuple[Any, ...]) -> tuple[Any, ...]:
        return value + self.read(reader)

    def write(self, value: Any) -> str:
        return " ".join(map(self.each.write, value))

    def tell(self, value: Any) -> str:
        return and_list([self.each.tell(one) for one in value])

    def accept(self, state: State, value: Any) -> Any:
        _check_least(value, self.least, self.each.called)
        return tuple(self.each.accept(state, one) for one in value)

    @property
    def joints(self) -> tuple[str, ...]:
        return self.each.joints

    def fits(self, reader: Reader) -> bool:
        return self.each.fits(reader)

    def domain(self) -> Domain:
        return replace(self.each.domain(), many=True, least=self.least, most=self.most)


def _as_tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _blank_columns(columns: Mapping[str, Field], parts: Mapping[str, Domain]) -> str:
    """The placeholder of a row that is not given yet; a column with a single choice is filled in already."""

    def blank(name: str, column: Field) -> str:
        choices = parts[name].choices if name in parts else ()
        return column.write(choices[0].value) if len(choices) == 1 else column.blank

    blanks = ((blank(name, column), column.joint) for name, column in columns.items())
    return join_pieces((f"[{joint}{text}]" if joint else text, bool(joint)) for text, joint in blanks)


@dataclass(frozen=True, kw_only=True)
class Row(Field):
    """One value of each of several fields, in order: ``deck HITS MISSES``. The value is a tuple."""

    columns: Mapping[str, Field]

    @property
    def usage(self) -> str:
        return " ".join(column.usage for column in self.columns.values())

    @property
    def blank(self) -> str:
        return _blank_columns(self.columns, {})

    def blank_in(self, domain: Domain) -> str:
        return _blank_columns(self.columns, domain.parts or {})

    def read(self, reader: Reader) -> tuple[Any, ...]:
        return tuple(column.read(reader) for column in self.columns.values())

    def write(self, value: Any) -> str:
        return " ".join(column.write(one) for column, one in zip(self.columns.values(), value, strict=True))

    def accept(self, state: State, value: Any) -> Any:
        if value is None:
            return None
        return tuple(column.accept(state, one) for column, one in zip(self.columns.values(), value, strict=True))

    def domain(self) -> Domain:
        return Domain("rows", parts={name: column.domain() for name, column in self.columns.items()})


@dataclass(frozen=True, kw_only=True)
class Rows(Field):
    """Rows of values, each of the same fields in order: ``UNIT SQUARE UNIT SQUARE``.

    A column that is joined to the previous one (``A1:5``) is optional, and ``None`` if left out. ``make`` builds a row
    from its values, and ``values`` splits one (both: the identity, for tuples).
    """

    columns: Mapping[str, Field]
    least: int = 1
    make: Callable[..., Any] = _as_tuple
    values: Callable[[Any], tuple[Any, ...]] = tuple

    @property
    def joints(self) -> tuple[str, ...]:
        return tuple(joint for column in self.columns.values() for joint in column.joints)

    @property
    def usage(self) -> str:
        return f"{self.blank} [{self.blank} ...]"

    @property
    def blank(self) -> str:
        return _blank_columns(self.columns, {})

    def blank_in(self, domain: Domain) -> str:
        return _blank_columns(self.columns, domain.parts or {})

    def read(self, reader: Reader) -> tuple[Any, ...]:
        rows = []
        while not reader.at_stop:
            rows.append(self.make(*(self._read_column(reader, column) for column in self.columns.values())))
        if len(rows) < self.least:
            reader.fail(f"{capital(next(iter(self.columns.values())).called)} is missing.")
        return tuple(rows)

    def _read_column(self, reader: Reader, column: Field) -> Any:
        return None if column.joint and not reader.take(column.joint) else column.read(reader)

    def tell(self, value: Any) -> str:
        columns = tuple(self.columns.values())
        rows = (zip(columns, self.values(row), strict=True) for row in value)
        return and_list([" ".join(filter(None, (_tell_column(*cell) for cell in row))) for row in rows])

    def write(self, value: Any) -> str:
        columns, text = tuple(self.columns.values()), ""
        for row in value:
            for column, one in zip(columns, self.values(row), strict=True):
                if not column.joint:
                    text += f" {column.write(one)}"
                elif one is not None:
                    text += column.joint + column.write(one)
        return text[1:]

    def accept(self, state: State, value: Any) -> Any:
        columns = tuple(self.columns.values())
        _check_least(value, self.least, columns[0].called)
        return tuple(
            self.make(
                *(
                    None if column.joint and one is None else column.accept(state, one)
                    for column, one in zip(columns, self.values(row), strict=True)
                )
            )
            for row in value
        )

    def domain(self) -> Domain:
        parts = {name: replace(column.domain(), optional=bool(column.joint)) for name, column in self.columns.items()}
        return Domain("rows", many=True, least=self.least, parts=parts, keyed=self.make is not _as_tuple)


def _tell_column(column: Field, value: Any) -> str:
    """A value of a row in players' words: a number counts the preceding value, and is left out if it is 1."""
    if value is None or (isinstance(column, Whole) and value == 1):
        return ""
    return f"× {value}" if isinstance(column, Whole) else column.tell(value)


def join_pieces(pieces: Iterable[tuple[str, bool]]) -> str:
    """Pieces of a text joined by spaces, but without one before pieces marked as joined.

    >>> join_pieces([("E2", False), ("A1", False), (":5", True)])
    'E2 A1:5'
    """
    return "".join(text if joined else f" {text}" for text, joined in pieces).lstrip()


def _check_least(values: Any, least: int, called: str) -> None:
    if len(values) < least:
        raise ActionError(f"{capital(called)}: at least {least} of them, not {len(values)}.")
