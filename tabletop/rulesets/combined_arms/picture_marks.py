"""What goes over the board in a picture: moves, shots, clusters under fire, mortar bombs, losses.

Hexes are numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import shapely

from geometry.drawing.scene import ABOVE, Area, Item
from tabletop.drawing.traces import along, arrow, lost_counter, shot_arrow
from tabletop.rulesets.combined_arms.board import NAMES, scatter_hexes
from tabletop.rulesets.combined_arms.canvas import canvas

_CUT = 0.3  # of a hex's size: how far a shot stays away from the two centres
_ASIDE = 0.05
_END = 0.27


def move_items(
    path: Sequence[int], *, entered: bool = False, left: Literal["", "withdrew", "exploited"] = ""
) -> Iterator[Item]:
    """The way of a platoon along hexes as an arrow, from beyond the edge where it entered, over the edge where it left.

    A path of one hex by itself (a turn on the spot) gives nothing.
    """
    on = canvas()
    points = [on.centres[n] for n in path]
    up = on.layout.facing_deg(0)
    if entered:
        points.insert(0, on.toward(path[0], up + 180.0, 0.85))
    if left:
        points.append(on.toward(path[-1], up if left == "exploited" else up + 180.0, 0.95))
    if len(points) > 1:
        if not left:
            points[-1] = along(points[-1], points[-2], _END * on.size)
        yield arrow(points, "move-0", " to ".join(NAMES[n] for n in path))


def shot_items(a: int, b: int, side: Literal[0, 1]) -> Iterator[Item]:
    """Fire from one hex on another as an arrow, a little to its right, so that an answer lies beside it."""
    on = canvas()
    title = f"fire from {NAMES[a]} on {NAMES[b]}"
    yield from shot_arrow(on.centres[a], on.centres[b], side, title, aside_in=_ASIDE * on.size, cut_in=_CUT * on.size)


def cluster_items(hexes: Sequence[int]) -> Iterator[Item]:
    """Hexes that fire falls on together, in one outline."""
    on = canvas()
    title = " + ".join(NAMES[n] for n in hexes)
    for part in shapely.get_parts(shapely.buffer(on.whole(hexes), -0.06 * on.size, join_style="mitre")):
        yield Area(tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1]), "burst", ABOVE, title)


def scatter_items(target: int, die: int) -> Iterator[Item]:
    """Where mortar bombs aimed at a hex come down with that die: the hexes round a corner, and a burst on it."""
    on = canvas()
    yield from cluster_items(scatter_hexes(target, die))
    x, y = on.rings[target][die - 1]
    star = []
    for k in range(16):
        far = on.size * (0.17 if k % 2 == 0 else 0.08)
        a = 2 * math.pi * k / 16
        star.append((x + far * math.sin(a), y + far * math.cos(a)))
    yield Area(tuple(star), "burst-star", ABOVE, f"bombs on corner {die} of {NAMES[target]}")


def grave_items(name: str, at: int) -> Iterator[Item]:
    """A counter that was lost in a hex, crossed out; ``name`` is what it says."""
    on = canvas()
    yield from lost_counter(on.centres[at], 0.21 * on.size, on.size, name, f"{name} was lost in {NAMES[at]}")
