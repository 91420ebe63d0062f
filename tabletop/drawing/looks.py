"""Styles of pictures of a game: the sides, pieces, terrain, cells and marks, by the class of a shape.

The two sides differ in hue (blue against vermilion or similar, distinct for all common kinds of colour blindness) and
also without colour: the first is solid, the second is outlined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from geometry.drawing.scene import Look
from tabletop.grids.squares.kinds import KINDS, darker, style

INK, SOFT, PAPER = "#1b1b1b", "#5c5c5c", "#fbfaf5"

_NAMED = {
    "blue": "#0a5ca8",
    "red": "#c8401a",
    "green": "#00795a",
    "grey": "#5a6068",
    "gray": "#5a6068",
    "black": "#2b2b2b",
    "white": "#8a8f98",
    "yellow": "#a97b00",
    "orange": "#c96a00",
    "purple": "#8b3f86",
    "brown": "#7a4a21",
}
_IN_ORDER = ("#0a5ca8", "#c8401a")

TERRAIN_LOOKS = {
    "woods": Look("#d3e6c7", "#4f7f45", 0.9),
    "town": Look("#dddad6", "#6b6660", 0.9),
    "hill": Look("#efdfc5", "#a87a3d", 0.9),
    "road": Look("#f1e3bd", "#b79a5b", 0.6),
    "river": Look("#c4dcf0", "#4c86b5", 0.8),
    "bridge": Look("#d9ccb4", "#6d5a37", 1.2),
    "field": Look("#f5ebb9", "#b59b2d", 0.8),
    "marsh": Look("#cfe5df", "#4b8b80", 0.8),
    "wall": Look("#cfc6b4", "#5e5344", 0.9),
    "rock": Look("#d5d3cf", "#75716a", 0.9),
    "crater": Look("#e3d5c0", "#8a6a44", 0.8),
    "ruin": Look("#e0d6ce", "#7d5f52", 0.9),
}

DANGER_COLORS = ("#fdeedd", "#fad0aa", "#f2ab78", "#e2844e", "#cb5f30")
_FRESH, _SPENT, _GUNS = "#1f7a3a", "#c79a5b", "#7a4a21"

HEX_LOOKS = {
    "hex-mat": Look("#e6dfc9", "#8d8467", 1.2),
    "hex-open": Look("#f6f2d8", "#b8b08a", 0.7),
    "hex-poor-going": Look("#e4e3bb", "#b8b08a", 0.7),
    "hex-crest": Look("#eddcb8", "#b8b08a", 0.7),
    "hex-woods": Look("#cfe2bd", "#b8b08a", 0.7),
    "hex-wooded-crest": Look("#d8cf9c", "#b8b08a", 0.7),
    "hex-farm": Look("#f4e0cd", "#b8b08a", 0.7),
    "hex-unknown": Look("#ffffff", "#b8b08a", 0.7),
    "hex-edge": Look(None, "#3b3b3b", 2.4),
    "hex-barred": Look("#8a3b2a"),
    "hex-exit": Look("#3b3b3b"),
    "hex-entry": Look("#ffffff", "#3b3b3b", 0.9),
    "hex-name": Look(ink="#57523c", halo=True),
    "road-side": Look("#a48a55"),
    "road-bed": Look("#fbf3da"),
    "crest-line": Look(None, "#7d5320", 1.5),
    "crest-tick": Look(None, "#7d5320", 0.9),
    "tree": Look("#5f9050", "#2f5426", 0.6),
    "tuft": Look(None, "#7b8a3f", 0.9),
    "furrow": Look(None, "#d3b78f", 0.6),
    "roof": Look("#b4523b", "#54241a", 0.7),
    "roof-ridge": Look(None, "#54241a", 0.6),
    "counter-shadow": Look("#8b856f"),
    "counter-0": Look("#fdf9ea", "#2b2b2b", 0.5),
    "counter-1": Look("#4b5557", "#1b1b1b", 0.5),
    "counter-fresh": Look(_FRESH, "#1b1b1b", 0.5),
    "counter-spent": Look(_SPENT, "#1b1b1b", 0.5),
    "counter-guns": Look(_GUNS, "#1b1b1b", 0.5),
    "counter-0-corner": Look("#6b4715"),
    "counter-1-corner": Look("#f0d9ae"),
    "symbol-0": Look(None, "#1b1b1b", 1.0),
    "symbol-0-thin": Look(None, "#1b1b1b", 0.6),
    "symbol-1": Look(None, "#ffffff", 1.0),
    "potential-1": Look(ink="#ffffff"),
    "guns-1": Look(ink="#ffffff"),
    "guns-1-potential": Look(ink="#ffffff"),
    "guns-1-barrel": Look(None, "#ffffff", 1.8),
    "guns-1-wheel": Look("#4b5557", "#ffffff", 1.2),
    "letters-0-fresh": Look(ink="#0f4a24"),
    "letters-0-spent": Look(ink="#70490f"),
    "facing": Look(_FRESH, "#1b1b1b", 0.6),
    "smoke": Look("#f1f1f1", "#7d7d7d", 0.9),
    "smoke-letters": Look(ink="#4a4a4a"),
    "mortar-0": Look("#fdf9ea", "#1b1b1b", 1.2, ink="#1b1b1b"),
    "mortar-1": Look("#4b5557", "#1b1b1b", 1.2, ink="#ffffff"),
    "mortar-0-cross": Look(None, "#1b1b1b", 1.2),
    "mortar-1-cross": Look(None, "#1b1b1b", 1.2),
    "burst": Look(None, "#8a2b12", 2.2),
    "burst-star": Look("#e7b13a", "#8a2b12", 1.0),
    "danger-letters": Look(ink="#5a1405", halo=True),
    "track-box": Look("#fdf9ea", "#6b6650", 0.9, ink="#6b6650"),
    "track-here": Look("#3b3b3b", "#1b1b1b", 0.9, ink="#ffffff"),
    "track-late": Look("#e8d3c6", "#6b6650", 0.9, ink="#6b6650"),
    "track-tray": Look("#f3eedd", "#6b6650", 0.9),
    "track-title": Look(ink="#3b3b3b"),
    "track-score": Look(ink="#1b1b1b"),
    "sheet-title": Look(ink="#2b2b2b"),
    "sheet-when": Look(ink="#5c5c5c"),
} | {f"danger-{n}": Look(color, "#b8b08a", 0.7) for n, color in enumerate(DANGER_COLORS, 1)}
"""Styles that maps of hexes add: their ground, printed counters (light for the first side, dark for the second),
lines of fire and tracks. A spent counter differs by its border and a dark corner, so that it shows without colour."""


def side_colors(sides: Sequence[str]) -> tuple[str, ...]:
    """A dark colour for each side: its name's where it is a colour's, else by order; no two alike.

    >>> side_colors(["red", "axis"])
    ('#c8401a', '#0a5ca8')
    """
    chosen: list[str] = []
    for number, side in enumerate(sides):
        wishes = [_NAMED.get(side.lower(), _IN_ORDER[number % 2]), *_IN_ORDER, *_NAMED.values()]
        chosen.append(next(color for color in wishes if color not in chosen))
    return tuple(chosen)


def looks_for(sides: Sequence[str]) -> dict[str, Look]:
    """How every class looks in a game of these sides; a side's classes end in its number."""
    looks = {
        "table": Look(PAPER, "#3b3b3b", 1.4),
        "grid": Look(stroke="#e2dfd4", width=0.6),
        "ink": Look(ink=INK, bold=False),
        "soft": Look(ink=SOFT, halo=True, bold=False),
        "name": Look(ink="#4a4a4a", halo=True, bold=False),
        "ground-name": Look("#fbfaf5", ink="#4a4a4a", bold=False),
        "cross": Look(stroke="#1b1b1b", width=2.6),
        "cross-under": Look(stroke="#ffffff", width=5.0),
        "grave": Look("#e4e2dc", "#6a6a6a", 1.0),
        "grave-letters": Look(ink="#3b3b3b", halo=True),
        "grave-cross": Look(None, "#6a6a6a", 2.0),
        "zone": Look(None, "#5c5c5c", 1.2, (6.0, 4.0)),
        "gone": Look("#ffffff", "#6a6a6a", 1.0, ink="#4a4a4a"),
        "objective": Look(None, "#1b1b1b", 1.6, (4.0, 3.0)),
        "objective-free": Look("#ffffff", "#1b1b1b", 1.2),
        "exit": Look(stroke="#1b1b1b", width=4.5),
        "by-hand": Look(stroke="#6a6a6a", width=1.4, dash=(2.0, 3.0)),
        "by-hand-head": Look("#6a6a6a"),
        "leader": Look(stroke="#3b3b3b", width=0.8),
        "axis": Look(stroke="#5c5c5c", width=0.9),
    }
    for kind, look in TERRAIN_LOOKS.items():
        looks[f"terrain-{kind}"] = look
        looks[f"hatch-{kind}"] = Look(look.stroke, look.stroke, 0.7)
    for number, color in enumerate(side_colors(sides)):
        solid = number % 2 == 0
        looks |= {
            f"side-{number}": Look(color, "#ffffff", 0.7) if solid else Look("#ffffff", color, 2.0),
            f"front-{number}": Look("#ffffff") if solid else Look(color),
            f"chip-{number}": (
                Look(color, "#ffffff", 0.8, ink="#ffffff") if solid else Look("#ffffff", color, 1.6, ink=INK)
            ),
            f"number-{number}": Look(ink="#ffffff" if solid else INK),
            f"ghost-{number}": Look(None, color, 0.9, (2.5, 2.5)),
            f"move-{number}": Look(None, color, 2.6),
            f"move-{number}-head": Look(color),
            f"shot-{number}": Look(None, color, 1.3),
            f"shot-{number}-head": Look(color),
            f"indirect-{number}": Look(None, color, 1.3, (5.0, 3.5)),
            f"indirect-{number}-head": Look(color),
            f"made-{number}": Look("#ffffff", color, 1.3, ink=INK),
            f"holder-{number}": Look(color, "#ffffff", 1.0, ink="#ffffff")
            if solid
            else Look("#ffffff", color, 2.2, ink=INK),
            f"plot-{number}": Look(None, color, 2.2, None if solid else (5.0, 3.0)),
            f"dot-{number}": Look(color, "#ffffff", 0.8) if solid else Look("#ffffff", color, 1.6),
        }
    return looks


def _square_looks() -> dict[str, Look]:
    found = {}
    for name, kind in KINDS.items():
        end = style(name)
        found[f"square-{end}"] = Look(kind.fill, "#cfc8ad", 0.4)
        found[f"square-{end}-dark"] = Look(darker(kind.fill), "#cfc8ad", 0.4)
        found[f"terrain-{end}"] = Look(None, kind.ink, 0.9)
        found[f"hatch-{end}"] = Look(kind.ink, kind.ink, 0.8)
        found[f"letter-{end}"] = Look(ink=darker(kind.ink, 0.25), halo=True)
    return found


SQUARE_LOOKS: Mapping[str, Look] = _square_looks() | {
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
"""Styles of pictures of squares, in addition to the common ones."""
