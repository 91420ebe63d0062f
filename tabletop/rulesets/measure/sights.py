"""What lies between two units: other bases, and terrain that hides what is behind it.

A line runs from the centre of a base to the centre of another. Between two units that line counts which has least in
its way. Terrain in which an end of the line stands is not between them; nor is flat ground (``data.FLAT``), unless
it has a height.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.blocking import clearances
from geometry.shapes import largest_variance
from geometry.sight import SightLines, meets
from geometry.tolerance import NO, OPEN, YES, Answers, judge
from tabletop.boards.data import Point
from tabletop.rulesets.measure.data import FLAT
from tabletop.rulesets.measure.state import State
from tabletop.tables.scene import Terrain

Index = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Between:
    """Something that lies between two units (``answer`` YES), or may (OPEN), and a point of the line there."""

    id: str
    answer: int
    at: Point


@dataclass(frozen=True)
class Clearance:
    """Whether nothing lies between two units (YES, OPEN or NO), the ends of the line that counts, what lies there."""

    answer: int
    line: tuple[Point, Point]
    between: tuple[Between, ...]


def clearance(state: State, first: str, second: str) -> Clearance:
    """What lies between two units on the table."""
    names = list(state.on_table)
    return _clearances(state, first)[names.index(second)]


@lru_cache(maxsize=256)
def _clearances(state: State, first: str) -> tuple[Clearance, ...]:
    """From one unit to each unit on the table, in their order; nothing lies between a unit and itself."""
    units = list(state.on_table.values())
    bases = Bases.concat(unit.bases for unit in units)
    owner = np.repeat(np.arange(len(units)), [len(unit.bases) for unit in units])
    own = [unit.id for unit in units].index(first)
    start, end = (
        grid.ravel() for grid in np.meshgrid(np.flatnonzero(owner == own), np.arange(len(owner)), indexing="ij")
    )
    lines = SightLines.between_centres(bases, start, end)
    blocked = _blocked_by_ground(state, bases, lines, start, end)
    stands = clearances(lines, bases, (owner[None, :] != own) & (owner[None, :] != owner[end][:, None]))
    worst = blocked.max(axis=1, initial=int(NO))
    np.maximum.at(worst, stands.line, -stands.clear)
    found = []
    for other in range(len(units)):
        rows = np.flatnonzero(owner[end] == other)
        row = int(min(rows, key=lambda r: (worst[r], lines.length[r], r)))
        ends = bases.center[[start[row], end[row]]]
        things = []
        for at in np.flatnonzero((stands.line == row) & (stands.clear < YES)).tolist():
            base = int(stands.base[at])
            things.append((units[owner[base]].id, -int(stands.clear[at]), bases.center[base]))
        line = shapely.linestrings(ends)
        for k, terrain in enumerate(_that_hide(state)):
            if blocked[row, k] > NO:
                near = shapely.get_coordinates(shapely.shortest_line(line, shapely.polygons(terrain.polygon)))[0]
                things.append((terrain.id, int(blocked[row, k]), near))
        between = {name: Between(name, answer, (float(at[0]), float(at[1]))) for name, answer, at in things}
        answer = -int(worst[row]) if other != own else int(YES)
        (ax, ay), (bx, by) = ends.tolist()
        found.append(Clearance(answer, ((ax, ay), (bx, by)), tuple(between.values()) if other != own else ()))
    return tuple(found)


def _that_hide(state: State) -> tuple[Terrain, ...]:
    return tuple(piece for piece in state.scene.terrain if piece.height > 0 or piece.kind not in FLAT)


def _blocked_by_ground(
    state: State,
    bases: Bases,
    lines: SightLines,
    start: Index,
    end: Index,
) -> Answers:
    """Whether each piece of terrain lies between the ends of each line (n, k)."""
    terrain = _that_hide(state)
    shapes = np.array([shapely.polygons(piece.polygon) for piece in terrain], dtype=object)
    sigma = np.array([piece.sigma for piece in terrain], dtype=np.float64)
    met = meets(lines, shapes, sigma, touching=False)
    centres, spread = shapely.points(bases.center), np.sqrt(largest_variance(bases.covariance))
    for k, shape in enumerate(shapes):
        inside = shapely.intersects(shape, centres)
        depth = shapely.distance(shapely.boundary(shape), centres)
        within = judge(np.where(inside, depth, -depth), np.hypot(spread, sigma[k]))
        met[:, k] = np.minimum(met[:, k], -np.maximum(within[start], within[end]))
    return met


__all__ = ["NO", "OPEN", "YES", "Between", "Clearance", "clearance"]
