"""The chart of luck by turn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from geometry.drawing.letters import shorten
from geometry.drawing.scene import Disc, Flat, Letters, Line, Point, Sheet
from tabletop.aar.adapter import ReportSide
from tabletop.drawing.looks import looks_for
from tabletop.drawing.maps import POINTS_PER_SIDE


def luck_chart(sides: Sequence[ReportSide], turns: Sequence[int], running: dict[str, list[float]], unit: str) -> Sheet:
    """Running luck by turn: one line a side, from 0 before the first turn; the y axis is in ``unit``."""
    looks = looks_for([s.id for s in sides])
    wide, high = 36.0, 15.0
    em, point = 1.0, 36.0 / POINTS_PER_SIDE
    top = max(1.0, *(abs(v) for values in running.values() for v in values)) if running else 1.0
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if top / s <= 4)
    limit = math.ceil(top / step) * step
    left, right = 2.6, wide - 5.5

    def at(index: int, value: float) -> Point:
        return left + (right - left) * index / max(1, len(turns)), high / 2 + value / limit * (high / 2 - 1.2)

    flat: list[Flat] = []
    for k in range(-limit // step, limit // step + 1):
        y = at(0, k * step)[1]
        flat.append(Line(((left, y), (right, y)), "axis" if k == 0 else "grid"))
        text = f"{k * step:+d}".replace("-", "−") if k else "0"
        flat.append(Letters((left - 0.4, y), text, "soft", 0.85, "end"))
    every = max(1, math.ceil(len(turns) / 15))
    for index, turn in enumerate(turns, 1):
        if index % every == 0 or len(turns) <= 15:
            flat.append(Letters((at(index, 0)[0], 0.1), str(turn), "soft", 0.85))
    flat.append(Letters((left, 0.1), "turn", "soft", 0.85))
    ends = []
    for number, side in enumerate(sides):
        values = [0.0, *running.get(side.id, [])]
        points = tuple(at(index, value) for index, value in enumerate(values))
        flat.append(Line(points, f"plot-{number}", title=side.title))
        flat += [Disc(p, 0.3, f"dot-{number}") for p in points[1:]]
        ends.append((points[-1][1], number, side, values[-1]))
    flat += _ends(sorted(ends), right + 0.7)
    flat.append(Letters((left, high - 0.1), f"{unit} above the average, running total", "soft", 0.85, "start"))
    return Sheet(-0.6, -0.7, wide, high + 0.7, tuple(flat), looks, point, em)


def _ends(ends: list[tuple[float, int, ReportSide, float]], x: float) -> list[Flat]:
    """The sides' names at the ends of their lines, one above the other where they would meet."""
    flat: list[Flat] = []
    last = -math.inf
    for y, _, side, _ in ends:
        last = max(y, last + 1.2)
        flat.append(Letters((x, last), shorten(side.title, 9), "ink", 0.9, "start"))
    return flat
