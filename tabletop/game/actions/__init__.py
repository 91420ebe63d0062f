"""Typed actions: one declaration from which text, parser, JSON, schema, help and the page's controls come.

An action is a frozen dataclass. Each of its fields is annotated with a :class:`Field`, which defines how its value is
written and its possible values::

    @action("move")
    @dataclass(frozen=True)
    class Move:
        \"""Move a unit to a free square that it can get to.\"""

        unit: Annotated[str, UNIT]
        to: Annotated[str, SQUARE.after("to")]

An :class:`ActionSet` holds the actions of a ruleset and reads and writes them.
"""

from tabletop.game.actions.action_set import ActionSet, FieldInfo, OpenAction, action, split_dice
from tabletop.game.actions.fields import (
    Angle,
    Degrees,
    Field,
    Flag,
    Inches,
    Many,
    Named,
    OneOf,
    Path,
    Phrase,
    Point,
    Reason,
    Ring,
    Row,
    Rows,
    Whole,
    Word,
    Words,
    YesNo,
)
from tabletop.game.actions.places import BasePlaces, Bases, OnePlace, Place, Spot, Standing, standings
from tabletop.game.actions.reader import Reader, normal_facing, plain_number, split_words
from tabletop.game.domains import Choice, Domain

__all__ = [
    "ActionSet",
    "Angle",
    "BasePlaces",
    "Bases",
    "Choice",
    "Degrees",
    "Domain",
    "Field",
    "FieldInfo",
    "Flag",
    "Inches",
    "Many",
    "Named",
    "OneOf",
    "OnePlace",
    "OpenAction",
    "Path",
    "Phrase",
    "Place",
    "Point",
    "Reader",
    "Reason",
    "Ring",
    "Row",
    "Rows",
    "Spot",
    "Standing",
    "Whole",
    "Word",
    "Words",
    "YesNo",
    "action",
    "normal_facing",
    "plain_number",
    "split_dice",
    "split_words",
    "standings",
]
