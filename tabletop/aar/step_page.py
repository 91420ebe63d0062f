"""A story's maps step by step as a page holds them: the shapes and what changes from map to map, and the script that
leafs through them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Any

from geometry.drawing.letters import printable
from geometry.drawing.scene import Area, Disc, Flat, Letters, Line, Look, Sheet
from tabletop.aar.document import StepMaps

_UNITS = 40.0
"""Units per inch: all numbers are whole ones."""
_BASELINE = 0.35  # of the letters' size below their middle
_HALO = 0.18  # of the letters' size


@dataclass(frozen=True)
class PageSteps:
    """The maps for a page: their size, how many there are, the ``data`` as JSON that is safe inside an element, the
    ``script``, and its ``hash``, by which the page allows that script and no other."""

    width: int
    height: int
    count: int
    data: str
    script: str
    hash: str


def page_steps(maps: StepMaps) -> PageSteps:
    """A story's maps for a page."""
    sheet, script = maps.sheet, _script()
    shapes = [_shape(item, sheet) for item in sheet.items]
    names = dict.fromkeys(item.cls for item in sheet.items)
    data = {
        "looks": {name: _paint(sheet.looks[name], sheet) for name in names},
        "shapes": shapes,
        "steps": list(_steps(maps)),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    width, height = round(sheet.width * _UNITS), round(sheet.height * _UNITS)
    return PageSteps(width, height, len(maps.maps), text, script, f"sha256-{digest}")


@cache
def _script() -> str:
    return (files("tabletop.aar") / "templates" / "steps.js").read_text(encoding="utf-8").strip()


def _steps(maps: StepMaps) -> Iterator[dict[str, Any]]:
    before: tuple[int, ...] = ()
    for step in maps.maps:
        says = [printable(sentence) for sentence in step.sentences]
        yield {"title": printable(step.title), "says": says, "cuts": list(_cuts(before, step.shapes))}
        before = step.shapes


def _cuts(before: Sequence[int], after: Sequence[int]) -> Iterator[list[int]]:
    """The edits that turn one list into the other, last first: an index, how many go, and what is inserted."""
    matched = SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, stop, new_start, new_stop in reversed(matched.get_opcodes()):
        if tag != "equal":
            yield [start, stop - start, *after[new_start:new_stop]]


def _paint(look: Look, sheet: Sheet) -> dict[str, Any]:
    """How a look is painted, as attributes of SVG: areas and discs, lines, letters."""
    point = sheet.point_in * _UNITS
    stroke: dict[str, Any] = {}
    if look.stroke:
        stroke = {"stroke": look.stroke, "stroke-width": round(look.width * point, 2)}
        stroke |= {"stroke-linejoin": "round", "stroke-linecap": "butt" if look.dash else "round"}
        if look.dash:
            stroke["stroke-dasharray"] = " ".join(str(round(part * point, 1)) for part in look.dash)
    ink: dict[str, Any] = {"fill": look.ink}
    if look.halo:
        ink |= {"stroke": "#ffffff", "stroke-width": f"{_HALO}em", "stroke-linejoin": "round", "paint-order": "stroke"}
    if look.bold:
        ink["font-weight"] = 600
    return {"fill": look.fill or "none", "stroke": stroke, "ink": ink}


def _shape(item: Flat, sheet: Sheet) -> list[Any]:
    """A shape: its look, and the data of its path, a circle's numbers, or a text's place, size and letters."""

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x - sheet.left) * _UNITS), round((sheet.top - y) * _UNITS)

    match item:
        case Letters():
            x, y = at(*item.at)
            size = round(item.size * sheet.em_in * _UNITS, 1)
            return [item.cls, x, round(y + _BASELINE * size), size, item.anchor, printable(item.text)]
        case Disc():
            return [item.cls, *at(*item.at), round(item.radius_in * _UNITS, 1)]
        case Area() | Line():
            points = [at(*point) for point in item.points]
            return [item.cls, _path(points) + ("z" if isinstance(item, Area) else "")]


def _path(points: Sequence[tuple[int, int]]) -> str:
    """A path from its first point in relative steps.

    >>> _path([(10, 20), (15, 18), (15, 30)])
    'M10 20l5-2 0 12'
    """
    (x, y), *rest = points
    steps = []
    for to_x, to_y in rest:
        steps.append(f"{to_x - x} {to_y - y}".replace(" -", "-"))
        x, y = to_x, to_y
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}"
