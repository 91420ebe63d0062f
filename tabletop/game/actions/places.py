"""Places of bases in actions: "at X,Y facing DEGREES", or "bases X,Y,DEGREES" with the uncertainty of a photo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import (
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic import Field as Schema
from pydantic_core import PydanticCustomError

from tabletop.game.actions.fields import Field, table_number
from tabletop.game.actions.reader import Reader, normal_facing, plain_number
from tabletop.game.domains import Domain
from tabletop.game.errors import ActionError

_MEASURED = 7
"""Numbers of a base with the covariance of its centre and the sigma of its facing."""


@dataclass(frozen=True)
class Standing:
    """The place of a base: its centre, its ``facing`` (``None``: not known) and their uncertainty, from a photo.

    Inches, and degrees clockwise from +y. ``covariance`` of the centre is (xx, xy, yy) in square inches;
    ``facing_sigma`` is in degrees.
    """

    x: float
    y: float
    facing: float | None = 0.0
    covariance: tuple[float, float, float] = (0.0, 0.0, 0.0)
    facing_sigma: float = 0.0


@dataclass(frozen=True)
class Spot:
    """A place as far as a player gives it; ``None`` leaves a value unchanged.

    A short form, which a ruleset's ``complete`` expands to a :class:`Standing` for each base.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    x: float | None = None
    y: float | None = None
    facing: float | None = None


def _standing_json(at: Standing) -> dict[str, Any]:
    """A standing as JSON: always with its facing, unlike a spot; with the uncertainty only if measured."""
    found = asdict(at)
    if at.covariance == (0.0, 0.0, 0.0):
        del found["covariance"]
    if not at.facing_sigma:
        del found["facing_sigma"]
    return found


def _with_facing(value: Any) -> Any:
    if isinstance(value, Mapping) and not {"x", "y", "facing"} <= value.keys() <= Standing.__annotations__.keys():
        raise ValueError("x, y and facing")
    return value


def _one_fault(form: str) -> WrapValidator:
    """One sentence instead of one fault for each form of a place."""

    def check(value: Any, inner: ValidatorFunctionWrapHandler) -> Any:
        try:
            return inner(value)
        except ValidationError as error:
            raise PydanticCustomError("place", f"{form}, in inches and degrees") from error

    return WrapValidator(check)


_Standing = Annotated[Standing, BeforeValidator(_with_facing), PlainSerializer(_standing_json)]

OnePlace: TypeAlias = Annotated[
    _Standing | Spot, Schema(union_mode="left_to_right"), _one_fault("a place is x, y and perhaps facing")
]
"""The value of a :class:`Place`: with x, y and facing it is a Standing, in JSON as well."""

BasePlaces: TypeAlias = Annotated[
    tuple[_Standing, ...] | Spot,
    Schema(union_mode="left_to_right"),
    _one_fault("places are a list of x, y and facing for each base, or x, y and perhaps facing of the whole unit"),
]
"""The value of :class:`Bases`: a Standing for each base, or a Spot for the whole unit."""


def standings(placed: Any) -> tuple[Standing, ...]:
    """Where the bases of an action's ``unit`` are put ``at``, row by row; raises TypeError for a place that was not
    completed."""
    if isinstance(placed.at, Spot):
        raise TypeError(f"The place of {placed.unit} is still a spot: complete the action first.")
    found: tuple[Standing, ...] = placed.at
    return found


def numbers_text(at: Standing) -> str:
    """A base's numbers separated by commas, as after "bases".

    >>> numbers_text(Standing(10, 3.5, None)), numbers_text(Standing(1, 2, 90.0, (0.01, 0.0, 0.01), 1.5))
    ('10,3.5,unknown', '1,2,90,0.01,0,0.01,1.5')
    """
    spread = (*at.covariance, at.facing_sigma)
    numbers = (plain_number(at.x), plain_number(at.y), _facing_text(at.facing))
    return ",".join((*numbers, *(map(plain_number, spread) if any(spread) else ())))


def place_text(at: Standing | Spot) -> str:
    """A place in words: "at X,Y" with its facing, if any, or "bases ..." if it was measured.

    >>> place_text(Standing(10, 3.5, None)), place_text(Spot(10, 3.5)), place_text(Spot(facing=90.0))
    ('at 10,3.5 facing unknown', 'at 10,3.5', 'facing 90')
    """
    if isinstance(at, Standing) and any((*at.covariance, at.facing_sigma)):
        return f"bases {numbers_text(at)}"
    parts = [] if at.x is None or at.y is None else [f"at {plain_number(at.x)},{plain_number(at.y)}"]
    if isinstance(at, Standing) or at.facing is not None:
        parts.append(f"facing {_facing_text(at.facing)}")
    return " ".join(parts)


def _facing_text(facing: float | None) -> str:
    return "unknown" if facing is None else plain_number(facing)


def read_bases(reader: Reader) -> tuple[Standing, ...]:
    """Places of bases, one or more: x, y, facing and optionally their uncertainty, separated by commas or spaces."""
    plain: list[float | None] = []
    bases: list[Standing] = []
    for group in reader.numbers():
        if len(group) == _MEASURED and not plain:
            bases.append(_base(reader, group))
            continue
        plain += group
        if len(plain) % 3 == 0:
            bases += [_base(reader, plain[i : i + 3]) for i in range(0, len(plain), 3)]
            plain = []
    if plain or not bases:
        reader.fail(f'After "bases" goes x,y,facing for each, as 10,3,0 12.5,3,0{reader.instead(plain)}.')
    return tuple(bases)


def _base(reader: Reader, row: Sequence[float | None]) -> Standing:
    x, y, facing, *spread = row
    if x is None or y is None or None in spread:
        reader.fail("Only a base's facing may be unknown.")
    at = Standing(x, y, None if facing is None else normal_facing(facing))
    if not spread:
        return at
    xx, xy, yy, turn = (float(value) for value in spread if value is not None)
    return replace(at, covariance=(xx, xy, yy), facing_sigma=turn)


@dataclass(frozen=True, kw_only=True)
class Place(Field):
    """The place of one base, an :data:`OnePlace`; "at X,Y" alone is a :class:`Spot`, which keeps its facing.

    "facing unknown" and "bases X,Y,unknown" are for a base with an unknown facing. If the place is
    required, "at" is optional.
    """

    placeholder: str = "at X,Y [facing DEGREES]"

    @property
    def openers(self) -> tuple[str, ...]:
        return ("at", "to", "bases", "base")

    @property
    def blank(self) -> str:
        return "at X,Y facing DEGREES"

    def begins(self, reader: Reader) -> bool:
        return bool(reader.rest) and reader.rest[0].casefold() in self.openers

    def read(self, reader: Reader) -> Standing | Spot:
        if reader.take("bases", "base"):
            bases = read_bases(reader)
            if len(bases) != 1:
                reader.fail('After "bases" goes one place for each.')
            return bases[0]
        reader.take("at", "to")
        x, y = reader.point()
        if not reader.take("facing"):
            return Spot(x, y)
        return Standing(x, y, None if reader.take("unknown") else reader.facing())

    def write(self, value: Standing | Spot) -> str:
        return place_text(value)

    def accept(self, state: Any, value: Any) -> Any:
        if value is None:
            return None
        if value.x is None or value.y is None:
            raise ActionError("A place needs both x and y, in inches.")
        return _on_a_table(value)

    def domain(self) -> Domain:
        return Domain("place")


@dataclass(frozen=True, kw_only=True)
class Bases(Place):
    """The places of a unit's bases, :data:`BasePlaces`: "bases" one by one, or the whole unit "at X,Y facing DEGREES".

    "at" and "facing" are a :class:`Spot`, with either or both of them, possibly apart from each other.
    """

    clause = True

    @property
    def openers(self) -> tuple[str, ...]:
        return ("at", "to", "bases", "base", "facing")

    @property
    def names(self) -> tuple[str, ...]:
        return ("at", "bases", "facing")

    def read(self, reader: Reader) -> tuple[Standing, ...] | Spot:  # type: ignore[override]
        if reader.take("bases", "base"):
            return read_bases(reader)
        if reader.take("facing"):
            return Spot(facing=reader.facing())
        reader.take("at", "to")
        x, y = reader.point()
        return Spot(x, y, reader.facing() if reader.take("facing") else None)

    def read_more(self, reader: Reader, value: tuple[Standing, ...] | Spot) -> tuple[Standing, ...] | Spot:
        word = reader.rest[0].casefold()
        more = self.read(reader)
        if not isinstance(value, Spot) or not isinstance(more, Spot):
            reader.fail('Either "bases" base by base, or "at" with "facing", not both.')
        said, added = ({name: v for name, v in vars(spot).items() if v is not None} for spot in (value, more))
        if said.keys() & added.keys():
            reader.fail(f'"{word}" stands twice.')
        return Spot(**said, **added)

    def write(self, value: tuple[Standing, ...] | Spot) -> str:  # type: ignore[override]
        return place_text(value) if isinstance(value, Spot) else f"bases {' '.join(map(numbers_text, value))}"

    def accept(self, state: Any, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(_on_a_table, value))
        if (value.x is None) != (value.y is None):
            raise ActionError("A place needs both x and y, in inches, or neither where a unit only turns.")
        return _on_a_table(value)


def _on_a_table(at: Standing | Spot) -> Standing | Spot:
    """A place from JSON, checked to be within any table's range; raises ActionError."""
    for name in ("x", "y", "facing"):
        if (value := getattr(at, name)) is not None:
            table_number(value)
    if isinstance(at, Standing):
        for value in (*at.covariance, at.facing_sigma):
            table_number(value)
    return at if at.facing is None else replace(at, facing=normal_facing(at.facing))
