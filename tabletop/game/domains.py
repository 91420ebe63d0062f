"""The possible values of an action's field, as data for a page's control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tabletop.game.wire import AS_SENT

DomainType = Literal[
    "unit", "unit-or-base", "cell", "side", "choice", "number", "inches", "flag", "yes-no", "text", "point", "place",
    "facing", "degrees", "corner", "rows", "ring", "top", "ground", "thing",
]  # fmt: skip
"""The control that fits: a unit to tap, a unit or one of its bases, a cell to tap, a side, one of some choices, a whole
number, a length in inches, an optional word, yes or no, free text, a point in inches, a place (a point and a facing), a
facing, a number of degrees, a corner of a hex, rows of several of these, the outline of a piece of terrain or of a
hill's top, a piece of terrain, and anything that can be measured: a unit, one of its bases, a piece of terrain, or a
point written as "X,Y"."""

Ring = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Choice:
    """One possible value of a field, ready for JSON, and its title for people.

    ``field`` names another field for the value, if a question can be answered by one of several fields.
    """

    __pydantic_config__ = AS_SENT

    value: str | int | float | bool
    title: str
    field: str = ""

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {"value": self.value, "title": self.title, "field": self.field}


@dataclass(frozen=True)
class Domain:
    """The possible values of a field.

    ``choices``: the only possible values, if any are given. ``least`` and ``most`` bound a number, or with ``many`` the
    number of values. ``region``: outlines in table inches that must contain a point or place. ``parts``: for rows, the
    domain of each column by its name (an ``optional`` one may be left out as ``None``); ``rows`` without ``many`` is
    one row. ``keyed``: each row is an object with these names, else a list.
    """

    __pydantic_config__ = AS_SENT

    type: DomainType
    choices: tuple[Choice, ...] = ()
    least: float | None = None
    most: float | None = None
    many: bool = False
    region: tuple[Ring, ...] = ()
    parts: Mapping[str, Domain] | None = None
    optional: bool = False
    keyed: bool = False

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON; values not given are left out."""
        found: dict[str, Any] = {"type": self.type}
        if self.choices:
            found["choices"] = [choice.to_json() for choice in self.choices]
        for name in ("least", "most"):
            if (value := getattr(self, name)) is not None:
                found[name] = value
        if self.many:
            found["many"] = True
        if self.optional:
            found["optional"] = True
        if self.region:
            found["region"] = [[list(point) for point in ring] for ring in self.region]
        if self.parts is not None:
            found["parts"] = {name: part.to_json() for name, part in self.parts.items()}
        if self.keyed:
            found["keyed"] = True
        return found
