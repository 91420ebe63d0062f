"""Kinds of ground of a board of squares: words, letters, colours; each can be recognised without its colour.

A ruleset may define its own kinds: they are described by their name and drawn as open ground with their first letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OPEN = "open"


@dataclass(frozen=True)
class Kind:
    """A kind of ground: its letter in diagrams and small in its squares, its fill on light squares, the ink of its
    pattern."""

    letter: str
    fill: str
    ink: str
    words: str


KINDS: Mapping[str, Kind] = {
    "open": Kind(".", "#f7f4e6", "#b8b08a", "open ground"),
    "woods": Kind("w", "#d6e6c6", "#4f7f45", "woods"),
    "hill": Kind("h", "#f0dfc0", "#a87a3d", "hill"),
    "crest": Kind("^", "#d9d6cf", "#5d574c", "hill crest"),
    "mountain": Kind("M", "#dcd2c6", "#6b5644", "mountain"),
    "town": Kind("t", "#e3ded8", "#6b6660", "built-up area"),
    "city": Kind("C", "#dccfc8", "#7a4638", "city"),
    "road": Kind("=", "#f7f4e6", "#a48a55", "road"),
    "river": Kind("~", "#f7f4e6", "#4c86b5", "river"),
    "bridge": Kind("#", "#f7f4e6", "#6d5a37", "bridge"),
    "defence line": Kind("d", "#ece3d2", "#7a5a3a", "defence line"),
    "airstrip": Kind("a", "#e9ead9", "#6a6f5a", "airstrip"),
    "bocage": Kind("b", "#dfe8c4", "#4f6b2c", "bocage"),
    "rough": Kind(",", "#ece2cb", "#86744c", "rough ground"),
    "marsh": Kind("m", "#cfe5df", "#4b8b80", "marsh"),
    "field": Kind("f", "#f5ebb9", "#b59b2d", "field"),
    "unknown": Kind("_", "#ffffff", "#b8b08a", "ground not known yet"),
}
"""By the names in cells (:attr:`tabletop.boards.data.Cell.kind`)."""

MARKS: Mapping[str, str] = {
    "road": "road",
    "river": "river",
    "bridge": "bridge",
    "crest": "crest",
    "airstrip": "airstrip",
    "city": "city",
    "hq": "headquarters",
    "objective": "objective",
    "mine": "mine",
    "fired-on": "fired on",
}
"""The possible marks of a square, by the words in cells (:attr:`tabletop.boards.data.Cell.marks`)."""


def kind_of(name: str) -> Kind:
    """The words and style of a kind; an unknown one is described by its name.

    >>> kind_of("woods").letter, kind_of("vineyard").letter
    ('w', 'v')
    """
    return KINDS.get(name) or Kind(name[:1] or ".", KINDS[OPEN].fill, KINDS[OPEN].ink, name)


def style(name: str) -> str:
    """A kind as the end of a class: no spaces; a kind without a style is drawn as open ground.

    >>> style("defence line"), style("vineyard")
    ('defence-line', 'open')
    """
    return (name if name in KINDS else OPEN).replace(" ", "-")


def darker(colour: str, share: float = 0.055) -> str:
    """A colour made a little darker, as ``#rrggbb``.

    >>> darker("#ffffff", 0.2)
    '#cccccc'
    """
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(part * (1 - share)):02x}" for part in parts)
