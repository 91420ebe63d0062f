"""What lies on the board drawn: printed counters of both sides, smoke, mortar targets."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from tabletop.aar.picture import BELOW, PIECES, Area, Disc, Flat, Item, Line, Point
from tabletop.rulesets.combined_arms.board import NAMES, OFF
from tabletop.rulesets.combined_arms.picture_ground import Canvas
from tabletop.rulesets.combined_arms.state import Call, Counter, Platoon, State

Spot = tuple[float, float, float]
"""Where a counter lies in its hex (x, y from the centre) and its side, in hex sizes."""

GUARD: Spot = (-0.17, 0.0, 0.46)
GUNS: Spot = (0.25, -0.06, 0.34)
_PUFFS = (
    (-0.31, -0.24, 0.12), (-0.16, -0.16, 0.15), (0.06, -0.13, 0.17), (0.24, -0.18, 0.14), (0.34, -0.27, 0.10),
    (-0.14, -0.31, 0.13), (0.06, -0.34, 0.13), (0.2, -0.31, 0.11),
)  # fmt: skip
_SMALL = 0.45  # of a hex's size: counters below it have thin symbols
_KINDS = {"rifle": "rifle platoon", "mmg": "machine guns", "armour": "armour"}


def spots(count: int) -> tuple[Spot, ...]:
    """Places for so many counters in one hex, so that none hides another.

    >>> spots(1), len(spots(4)), spots(2)[0]
    (((0.0, 0.0, 0.52),), 4, (-0.22, 0.0, 0.43))
    """
    if count == 1:
        return ((0.0, 0.0, 0.52),)
    across, side, pitch = (2, 0.43, 0.44) if count == 2 else (2, 0.345, 0.355) if count <= 4 else (3, 0.285, 0.295)
    rows = math.ceil(count / across)
    found = []
    for k in range(count):
        row, column = divmod(k, across)
        here = min(across, count - row * across)
        x = (column - (here - 1) / 2) * pitch
        y = ((rows - 1) / 2 - row) * pitch
        found.append((round(x, 4), round(y, 4), side))
    return tuple(found)


def piece_items(state: State, on: Canvas) -> Iterator[Item]:
    """All counters on the board: platoons, defenders, smoke, mortar targets."""
    for n in state.smoke:
        yield from _smoke(on, n)
    for at in sorted(state.by_hex):
        here = state.by_hex[at]
        for platoon, spot in zip(here, spots(len(here)), strict=True):
            yield from platoon_items(platoon, on.at(at, *spot[:2]), spot[2] * on.size, on)
        for platoon in here:
            if platoon.facing is not None:
                yield facing_item(platoon, on)
    for counter in sorted(state.enemy, key=lambda c: c.at):
        yield from defender_items(counter, on)
    yield from _calls(state, on)


# --- counters --------------------------------------------------------------------------------------------------------


def platoon_items(platoon: Platoon, at: Point, side: float, on: Canvas) -> Iterator[Flat]:
    """One of the attackers' platoons as a counter of a ``side`` (inches)."""
    status = "fresh" if platoon.fresh else "spent"
    where = "" if platoon.at == OFF else f", {NAMES[platoon.at]}"
    title = f"{platoon.id}, {_KINDS[platoon.kind]}, {status}{where}"
    yield from _blank(at, side, "counter-0", status, title)
    x, y = at
    small = "-thin" if side < _SMALL * on.size else ""
    yield from symbol(platoon.kind, (x, y + 0.2 * side), 0.56 * side, 0.3 * side, f"symbol-0{small}")
    yield on.letters((x, y - 0.2 * side), platoon.id, f"letters-0-{status}", 0.42 * side / on.size, PIECES)


def defender_items(counter: Counter, on: Canvas) -> Iterator[Flat]:
    """A defenders' counter in its hex, with its anti-tank guns beside it where there are or may be any."""
    guns = counter.atg in ("potential", "real")
    spot = GUARD if guns else spots(1)[0]
    yield from guard_items(counter, on.at(counter.at, *spot[:2]), spot[2] * on.size, on)
    if guns:
        yield from guns_items(counter, on.at(counter.at, *GUNS[:2]), GUNS[2] * on.size, on)


def guard_items(counter: Counter, at: Point, side: float, on: Canvas) -> Iterator[Flat]:
    """The counter of a potential or real platoon of the defenders."""
    status = "fresh" if counter.fresh else "spent"
    what = "defenders' platoon" if counter.revealed else "potential defenders"
    yield from _blank(at, side, "counter-1", status, f"{what}, {status}, {NAMES[counter.at]}")
    if counter.revealed:
        yield from symbol("rifle", at, 0.62 * side, 0.42 * side, "symbol-1")
    else:
        yield on.letters(at, "?", "potential-1", 0.72 * side / on.size, PIECES)


def guns_items(counter: Counter, at: Point, side: float, on: Canvas) -> Iterator[Flat]:
    """The counter of anti-tank guns, potential or real."""
    real = counter.atg == "real"
    title = f"{'anti-tank guns' if real else 'potential anti-tank guns'}, {NAMES[counter.at]}"
    yield from _blank(at, side, "counter-1", "guns", title)
    if real:
        x, y = at
        yield on.letters((x, y + 0.14 * side), "AT", "guns-1", 0.46 * side / on.size, PIECES)
        yield Line(((x - 0.3 * side, y - 0.22 * side), (x + 0.32 * side, y - 0.22 * side)), "guns-1-barrel", PIECES)
        yield Disc((x - 0.12 * side, y - 0.22 * side), 0.11 * side, "guns-1-wheel", PIECES)
    else:
        yield on.letters(at, "AT?", "guns-1-potential", 0.42 * side / on.size, PIECES)


def symbol(kind: str, at: Point, wide: float, high: float, cls: str) -> Iterator[Flat]:
    """A box with what stands for a kind of troops: a cross, an oval, an arrow."""
    x, y = at
    left, right, bottom, top = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2
    yield Area(((left, bottom), (right, bottom), (right, top), (left, top)), cls, PIECES)
    match kind:
        case "rifle":
            yield Line(((left, bottom), (right, top)), cls, PIECES)
            yield Line(((left, top), (right, bottom)), cls, PIECES)
        case "armour":
            ring = [2 * math.pi * k / 20 for k in range(20)]
            oval = tuple((x + 0.36 * wide * math.cos(a), y + 0.32 * high * math.sin(a)) for a in ring)
            yield Area(oval, cls, PIECES)
        case "mmg":
            low, tip = y - 0.34 * high, y + 0.38 * high
            yield Line(((x, low), (x, tip)), cls, PIECES)
            yield Line(((x - 0.12 * wide, low), (x + 0.12 * wide, low)), cls, PIECES)
            yield Line(((x - 0.12 * wide, y + 0.1 * high), (x, tip), (x + 0.12 * wide, y + 0.1 * high)), cls, PIECES)


def _blank(at: Point, side: float, cls: str, status: str, title: str) -> Iterator[Area]:
    """A counter without its print: shadow, coloured border, face, and the dark corner of a spent one."""
    x, y = at
    yield Area(_square(x + 0.035 * side, y - 0.04 * side, side), "counter-shadow", PIECES)
    yield Area(_square(x, y, side), f"counter-{status}", PIECES, title)
    inner = 0.82 * side
    yield Area(_square(x, y, inner), cls, PIECES)
    if status == "spent":
        h, cut = inner / 2, 0.3 * side
        yield Area(((x + h - cut, y + h), (x + h, y + h), (x + h, y + h - cut)), f"{cls}-corner", PIECES)


def _square(x: float, y: float, side: float) -> tuple[Point, ...]:
    """A square with its corners cut a little."""
    h, c = side / 2, 0.06 * side
    corners = ((-h, -h + c), (-h, h - c), (-h + c, h), (h - c, h), (h, h - c), (h, -h + c), (h - c, -h), (-h + c, -h))
    return tuple((x + dx, y + dy) for dx, dy in corners)


def facing_item(platoon: Platoon, on: Canvas) -> Area:
    """A wedge in the corner that armour faces."""
    ring = wedge(on.centres[platoon.at], on.size, on.layout.facing_deg(platoon.facing or 0))
    return Area(ring, "facing", PIECES, f"{platoon.id} faces this corner")


def wedge(at: Point, size: float, angle_deg: float) -> tuple[Point, ...]:
    """A wedge that points from a hex's centre into its corner; ``size`` is the hex's, in inches."""
    a = math.radians(angle_deg)
    ahead, side = (math.sin(a), math.cos(a)), (math.cos(a), -math.sin(a))
    corners = ((0.565, 0.0), (0.455, 0.085), (0.455, -0.085))
    return tuple(
        (at[0] + size * (far * ahead[0] + off * side[0]), at[1] + size * (far * ahead[1] + off * side[1]))
        for far, off in corners
    )


# --- smoke and mortars -----------------------------------------------------------------------------------------------


def _smoke(on: Canvas, n: int) -> Iterator[Item]:
    yield Area(cloud(on.centres[n], on.size), "smoke", BELOW, f"smoke, {NAMES[n]}")
    yield on.letters(on.at(n, 0.0, -0.27), "SMOKE", "smoke-letters", 0.115, BELOW)


def cloud(at: Point, size: float) -> tuple[Point, ...]:
    """The outline of a cloud in the lower part of a hex; ``size`` is the hex's, in inches."""
    puffs = [shapely.Point(at[0] + dx * size, at[1] + dy * size).buffer(r * size, quad_segs=5) for dx, dy, r in _PUFFS]
    whole = shapely.union_all(puffs)
    return tuple((float(x), float(y)) for x, y in whole.exterior.coords[:-1])


def _calls(state: State, on: Canvas) -> Iterator[Item]:
    if state.call is not None:
        letters = "HE" if state.call.ammo == "he" else "SM"
        yield from call_items(on.at(state.call.at, -0.2, -0.36), on, 0, letters, _call_title(state.call, "attackers'"))
    if state.enemy_call is not None:
        at = on.at(state.enemy_call.at, 0.2, -0.36)
        yield from call_items(at, on, 1, "HE", _call_title(state.enemy_call, "defenders'"))


def _call_title(call: Call, whose: str) -> str:
    return f"target of the {whose} mortars, called in turn {call.turn}, {NAMES[call.at]}"


def call_items(at: Point, on: Canvas, side: int, letters: str, title: str) -> Iterator[Flat]:
    """A round mortar target counter with cross-hairs."""
    x, y = at
    r = 0.105 * on.size
    for dx, dy in ((1.0, 0.0), (0.0, 1.0)):
        line = ((x - 1.35 * r * dx, y - 1.35 * r * dy), (x + 1.35 * r * dx, y + 1.35 * r * dy))
        yield Line(line, f"mortar-{side}-cross", PIECES, title=title)
    yield Disc(at, r, f"mortar-{side}", PIECES)
    yield on.letters(at, letters, f"mortar-{side}", 0.105, PIECES)
