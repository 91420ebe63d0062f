"""Kinds of ground of a board of squares: words, letters, colours; each is told from the others without its colour.

A ruleset may have kinds of its own: they are told by their name and drawn as open ground with their first letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.aar.picture import Look

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
"""By the names that cells carry (:attr:`tabletop.boards.data.Cell.kind`)."""

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
"""What else a square may have on it, by the words that cells carry (:attr:`tabletop.boards.data.Cell.marks`)."""


def kind_of(name: str) -> Kind:
    """How a kind is told and drawn; one that is not known is told by its name.

    >>> kind_of("woods").letter, kind_of("vineyard").letter
    ('w', 'v')
    """
    return KINDS.get(name) or Kind(name[:1] or ".", KINDS[OPEN].fill, KINDS[OPEN].ink, name)


def style(name: str) -> str:
    """A kind as the end of a class: no spaces; a kind that has no look of its own is drawn as open ground.

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


def _looks() -> dict[str, Look]:
    found = {}
    for name, kind in KINDS.items():
        end = style(name)
        found[f"square-{end}"] = Look(kind.fill, "#cfc8ad", 0.4)
        found[f"square-{end}-dark"] = Look(darker(kind.fill), "#cfc8ad", 0.4)
        found[f"terrain-{end}"] = Look(None, kind.ink, 0.9)
        found[f"hatch-{end}"] = Look(kind.ink, kind.ink, 0.8)
        found[f"letter-{end}"] = Look(ink=darker(kind.ink, 0.25), halo=True)
    return found


LOOKS: Mapping[str, Look] = _looks() | {
    "square-mat": Look("#e6dfc9", "#8d8467", 1.2),
    "square-frame": Look(None, "#3b3b3b", 2.4),
    "square-name": Look(ink="#57523c"),
    "road-side": Look("#a48a55"),
    "road-bed": Look("#fbf3da"),
    "river-side": Look("#4c86b5"),
    "river-bed": Look("#c4dcf0"),
    "river-wave": Look(None, "#4c86b5", 0.8),
    "bridge-deck": Look("#d9ccb4", "#6d5a37", 1.0),
    "runway": Look("#c9cab8", "#565b48", 0.9),
    "runway-line": Look(None, "#ffffff", 1.2, (4.0, 3.0)),
    "crest-line": Look(None, "#5d574c", 1.5),
    "mine": Look("#2b2b2b", "#ffffff", 0.8),
    "mine-horn": Look(None, "#2b2b2b", 1.6),
    "hq": Look("#ffffff", "#1b1b1b", 1.3),
    "hq-pole": Look(None, "#1b1b1b", 1.6),
    "square-objective": Look(None, "#1b1b1b", 1.6, (4.0, 3.0)),
    "square-star": Look("#e7b13a", "#5d4200", 0.9),
    "square-house": Look("#b4523b", "#54241a", 0.8),
    "burst": Look(None, "#8a2b12", 2.2),
    "square-lit": Look(None, "#1f7a3a", 2.6),
    "square-line": Look(None, "#3b3b3b", 2.0, (7.0, 4.0)),
    "square-line-words": Look(ink="#3b3b3b", halo=True),
    "counter-shadow": Look("#8b856f"),
    "counter-none": Look("#8a8f98", "#3b3b3b", 1.0, ink="#ffffff"),
    "counter-hidden": Look(None, "#ffffff", 1.2, (2.5, 2.0)),
    "counter-hidden-1": Look(None, "#1b1b1b", 1.0, (2.5, 2.0)),
    "counter-acted": Look("#1b1b1b", "#ffffff", 0.6),
    "counter-badge": Look("#ffe9a8", "#1b1b1b", 0.8, ink="#1b1b1b"),
    "symbol-0": Look(None, "#ffffff", 1.2),
    "symbol-1": Look(None, "#1b1b1b", 1.2),
    "symbol-2": Look(None, "#ffffff", 1.2),
    "symbol-0-full": Look("#ffffff", "#ffffff", 0.8),
    "symbol-1-full": Look("#1b1b1b", "#1b1b1b", 0.8),
    "symbol-2-full": Look("#ffffff", "#ffffff", 0.8),
    "sheet-title": Look(ink="#2b2b2b"),
    "sheet-when": Look(ink="#5c5c5c"),
}
"""How everything on a picture of squares is painted, beside what all reports have."""
