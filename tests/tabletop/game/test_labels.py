"""Actions in players' words."""

from collections.abc import Mapping
from typing import Any

import pytest

from tabletop.game.actions.fields import Many, OneOf, Rows, Whole, Word
from tabletop.game.actions.labels import UNSAID, Label

UNIT = Word(type="unit", resolve=lambda state, word: word)
KIND = OneOf(values=("lt", "hq"), titles={"lt": "light tanks", "hq": "headquarters"})
FIELDS = {
    "unit": UNIT,
    "side": OneOf(values=("red",)),
    "path": Many(each=UNIT),
    "planes": Whole(),
    "army": Rows(columns={"kind": KIND, "number": Whole()}),
}


@pytest.mark.parametrize(
    ("template", "values", "words", "rest"),
    [
        ("Move {unit}[ to {path}]", {"unit": "A1", "path": ("1-4",)}, "Move A1 to 1-4", "to 1-4"),
        ("Move {unit}[ to {path}]", {"unit": "A1"}, "Move A1", ""),
        ("Move {unit}[ to {path: then }]", {"unit": "B2", "path": ("a", "b")}, "Move B2 to a then b", "B2 to a then b"),
        ("{unit} stays where it is", {"unit": "A1"}, "A1 stays where it is", "stays where it is"),
        ("Army of {side}[, {planes:plane|planes}]", {"side": "red", "planes": 1}, "Army of Italians, 1 plane", None),
        ("Army of {side}[, {planes:plane|planes}]", {"side": "red", "planes": 3}, "Army of Italians, 3 planes", None),
        ("Army[: {army}]", {"army": (("lt", 2), ("hq", 1))}, "Army: light tanks × 2 and headquarters", None),
        ("Army[: {army}]", {}, "Army", ""),
    ],
)
def test_a_label_says_what_is_known_and_no_more(
    template: str, values: Mapping[str, Any], words: str, rest: str | None
) -> None:
    told = Label(template, FIELDS).words(lambda name: values.get(name, UNSAID), {"red": "Italians"}, ("A1",))
    assert told[0] == words and rest in (None, told[1])


def test_a_label_with_a_place_for_no_field_is_refused() -> None:
    with pytest.raises(TypeError, match="unknown field hex"):
        Label("Lay {hex}", FIELDS)
