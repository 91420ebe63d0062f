"""What is written on a picture, in a reader's unit."""

from __future__ import annotations

from dataclasses import replace

from geometry.drawing.scene import Disc, Item, Key, Letters, Tag
from tabletop.units import LengthUnit, in_unit


def item_in(item: Item, unit: LengthUnit) -> Item:
    """An item with the lengths in its letters and titles in a unit."""
    match item:
        case Disc():
            return item
        case Letters():
            return replace(item, text=in_unit(item.text, unit))
        case Tag():
            return tag_in(item, unit)
    return replace(item, title=in_unit(item.title, unit))


def tag_in(tag: Tag, unit: LengthUnit) -> Tag:
    """A label with its lengths in a unit."""
    return replace(tag, chips=tuple(replace(chip, text=in_unit(chip.text, unit)) for chip in tag.chips))


def key_in(key: Key, unit: LengthUnit) -> Key:
    """An entry of a legend with its lengths in a unit."""
    return replace(key, text=in_unit(key.text, unit), letters=in_unit(key.letters, unit))
