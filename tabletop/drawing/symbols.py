"""Signs of troops on counters, after military maps: a box with the sign of the kind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from geometry.drawing.scene import PIECES, Area, Disc, Flat, Line, Point

SYMBOLS: Mapping[str, str] = {
    "infantry": "infantry", "foot": "infantry", "general infantry": "infantry", "rifle": "infantry",
    "paratroopers": "airborne", "airborne": "airborne",
    "engineers": "engineers",
    "mechanized infantry": "mechanized", "mechanised infantry": "mechanized", "motorised infantry": "motorised",
    "motorized infantry": "motorised",
    "cavalry": "cavalry",
    "tank": "tank", "tanks": "tank", "light tanks": "light tank", "medium tanks": "tank", "heavy tanks": "heavy tank",
    "gun": "gun", "guns": "gun", "howitzers": "gun", "artillery": "gun",
    "anti-tank guns": "anti-tank", "anti-tank gun": "anti-tank", "atg": "anti-tank",
    "anti-aircraft guns": "anti-aircraft", "anti-aircraft gun": "anti-aircraft",
    "plane": "plane", "planes": "plane", "helicopter": "helicopter", "attack helicopter": "helicopter",
    "attack helicopters": "helicopter",
    "air field": "airfield", "airfield": "airfield", "airstrip": "airfield",
    "fortification": "fort", "headquarters": "hq", "hq": "hq",
    "mine": "mine",
}  # fmt: skip
"""The sign of a kind of unit, by its lower-case name with spaces; other kinds have a larger label instead."""


def symbol_of(kind: str) -> str:
    """The sign of a kind of unit; empty for kinds that have none.

    >>> symbol_of("Anti-Tank Guns"), symbol_of("mechanized_infantry"), symbol_of("camel corps")
    ('anti-tank', 'mechanized', '')
    """
    name = kind.lower().replace("_", " ")
    return SYMBOLS.get(name) or SYMBOLS.get(name.replace("-", " "), "")


def symbol_items(symbol: str, at: Point, wide: float, high: float, cls: str) -> Iterator[Flat]:
    """A sign round a place, inches; ``cls`` paints its lines, ``cls-full`` what is filled."""
    x, y = at
    left, right, bottom, top = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2

    def line(*points: Point) -> Line:
        return Line(tuple((x + dx * wide, y + dy * high) for dx, dy in points), cls, PIECES)

    def oval(rx: float, ry: float) -> Area:
        ways = [2 * math.pi * k / 24 for k in range(24)]
        return Area(tuple((x + rx * wide * math.cos(a), y + ry * high * math.sin(a)) for a in ways), cls, PIECES)

    if symbol == "mine":
        for k in range(8):
            a = math.pi * k / 4
            yield line((0.0, 0.0), (0.46 * high / wide * math.cos(a), 0.46 * math.sin(a)))
        yield Disc(at, 0.28 * high, f"{cls}-full", PIECES)
        return
    if symbol == "plane":
        yield line((0.0, 0.5), (0.0, -0.42))
        yield line((-0.45, 0.02), (0.0, 0.2), (0.45, 0.02))
        yield line((-0.18, -0.46), (0.0, -0.36), (0.18, -0.46))
        return
    yield Area(((left, bottom), (right, bottom), (right, top), (left, top)), cls, PIECES)
    if symbol in ("infantry", "airborne", "mechanized", "motorised"):
        yield line((-0.5, -0.5), (0.5, 0.5))
        yield line((-0.5, 0.5), (0.5, -0.5))
    if symbol in ("tank", "light tank", "heavy tank", "mechanized"):
        yield oval(0.36, 0.32)
    match symbol:
        case "cavalry":
            yield line((-0.5, -0.5), (0.5, 0.5))
        case "airborne":
            yield line((-0.2, -0.42), (-0.1, -0.28), (0.0, -0.42), (0.1, -0.28), (0.2, -0.42))
        case "motorised":
            yield line((0.0, 0.5), (0.0, -0.5))
        case "engineers":
            yield line((-0.25, -0.25), (-0.25, 0.2), (0.25, 0.2), (0.25, -0.25))
            yield line((0.0, 0.2), (0.0, -0.2))
        case "light tank":
            yield line((0.0, 0.12), (0.0, -0.12))
        case "heavy tank":
            for dx in (-0.12, 0.0, 0.12):
                yield line((dx, 0.16), (dx, -0.16))
        case "gun":
            yield Disc(at, 0.2 * high, f"{cls}-full", PIECES)
        case "anti-tank":
            yield line((-0.5, -0.5), (0.0, 0.5), (0.5, -0.5))
        case "anti-aircraft":
            ways = [math.pi * k / 12 for k in range(13)]
            yield line(*((0.5 * math.cos(a), -0.5 + 0.8 * math.sin(a)) for a in ways))
        case "helicopter":
            yield line((-0.36, 0.25), (-0.36, -0.25), (0.36, 0.25), (0.36, -0.25), (-0.36, 0.25))
        case "airfield":
            yield line((-0.38, -0.1), (0.38, -0.1))
            yield line((-0.38, 0.1), (0.38, 0.1))
            yield line((-0.2, 0.0), (0.2, 0.0))
        case "fort":
            yield line(
                (-0.4, -0.3), (-0.4, 0.3), (-0.2, 0.3), (-0.2, 0.05), (0.2, 0.05), (0.2, 0.3), (0.4, 0.3), (0.4, -0.3)
            )
        case "hq":
            yield line((-0.2, -0.35), (-0.2, 0.35))
            flag = ((-0.2, 0.35), (0.28, 0.18), (-0.2, 0.0))
            yield Area(tuple((x + dx * wide, y + dy * high) for dx, dy in flag), f"{cls}-full", PIECES)
