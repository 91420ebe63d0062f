"""The battlefield as tables over squares by number: terrain, steps, lines of fire, whose half is where.

Squares are numbered row by row from a1. Pieces block no line and slow nobody, so that everything here is worked out
once for a battlefield.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from geometry.squares import DIRECTIONS, Square, SquareBoard, direction, distance, ray
from tabletop.rulesets.combat.data import COMPASS, DEPTH, SHORT_DEPTH, SIDES
from tabletop.rulesets.combat.setup import Setup

OFF = -1
"""The square of a piece that is not on the board."""
HILL, WOODS = "hill", "woods"
_COVER = {"hill": HILL, "crest": HILL, "woods": WOODS, "built-up": WOODS, "defence": WOODS}
_BUILT = ("built-up", "defence")
_FURTHEST = 12


@dataclass(frozen=True)
class Line:
    """A line of fire from one square to another: its length in squares, and why no shot passes (empty: it does) with
    the square that stops it (``OFF``: none)."""

    distance: int
    against: str = ""
    at: int = OFF

    @property
    def clear(self) -> bool:
        """Whether a shot passes."""
        return not self.against


class Field:
    """A set-up's battlefield. ``terrain`` is by square, the house rules' terrain only where they are on; ``steps`` are
    the squares next to each that a piece may step to for the ground alone."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.squares: SquareBoard = setup.squares
        self.cells: tuple[Square, ...] = self.squares.squares
        self.names: tuple[str, ...] = tuple(self.squares.name(cell) for cell in self.cells)
        self.number: dict[str, int] = {name: n for n, name in enumerate(self.names)}
        self.count = len(self.cells)
        terrain = ["open"] * self.count
        for name, kind in setup.ground:
            if kind in ("river", "bridge") and not setup.house.rivers:
                continue
            if kind in _BUILT and not setup.house.built_up:
                continue
            terrain[self.number[name]] = kind
        self.terrain: tuple[str, ...] = tuple(terrain)
        roads = {self.number[name] for name in setup.roads}
        roads |= {self.number[name] for name, kind in setup.ground if kind == "bridge"}
        self.road: tuple[bool, ...] = tuple(n in roads for n in range(self.count))
        self.cover: tuple[str, ...] = tuple(_COVER.get(kind, "") for kind in terrain)
        self.slow: tuple[bool, ...] = tuple(bool(cover) for cover in self.cover)
        self.river: tuple[bool, ...] = tuple(kind == "river" for kind in terrain)
        self.crest: tuple[bool, ...] = tuple(kind == "crest" for kind in terrain)
        ways = list(COMPASS)
        self.barred: dict[int, frozenset[int]] = {
            self.number[name]: frozenset(ways.index(way) for other, way in setup.hill_counters if other == name)
            for name, _ in setup.hill_counters
        }
        """The directions that hill counters bar, by their squares."""
        self.built: tuple[bool, ...] = tuple(kind in _BUILT for kind in terrain)
        self.steps: tuple[tuple[int, ...], ...] = tuple(self._steps(n) for n in range(self.count))
        self.rows_away: tuple[tuple[int, ...], tuple[int, ...]] = tuple(  # type: ignore[assignment]
            tuple(setup.rows_from_base(side, cell) for cell in self.cells) for side in SIDES
        )
        self.base: tuple[frozenset[int], ...] = tuple(
            frozenset(n for n in range(self.count) if not rows[n]) for rows in self.rows_away
        )
        self.halves: tuple[frozenset[int], ...] = tuple(
            frozenset(n for n in range(self.count) if rows[n] < setup.half) for rows in self.rows_away
        )
        self.wooded: frozenset[int] = frozenset(n for n in range(self.count) if self.cover[n] == WOODS)
        self.strips: tuple[frozenset[int], ...] = tuple(
            frozenset(self.number[name] for name in strip.squares) for strip in setup.airstrips
        )
        self.strip_of: dict[int, int] = {n: k for k, squares in enumerate(self.strips) for n in squares}
        self.strip_side: tuple[int, ...] = tuple(SIDES.index(strip.side) for strip in setup.airstrips)
        self._lines: dict[int, dict[int, int]] = {}
        self._features: dict[int, frozenset[int]] = {}

    def at(self, cell: Square) -> int:
        """The number of a square of the board."""
        return cell.row * self.squares.columns + cell.col

    # --- moving

    def _steps(self, n: int) -> tuple[int, ...]:
        """The neighbours that may be entered: no river, nor between two river squares that touch at the corner."""
        cell, found = self.cells[n], []
        for step in DIRECTIONS:
            to = cell + step
            if to not in self.squares or self.river[self.at(to)]:
                continue
            beside = (Square(to.col, cell.row), Square(cell.col, to.row))
            if step.col and step.row and all(self.river[self.at(one)] for one in beside):
                continue
            found.append(self.at(to))
        return tuple(found)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The squares round each, whatever their ground."""
        return tuple(tuple(self.at(cell) for cell in self.squares.around(own)) for own in self.cells)

    # --- whose ground

    def own_half(self, side: int, n: int) -> bool:
        """Whether a square is on a side's half."""
        return self.rows_away[side][n] < self.setup.half

    def behind(self, side: int, n: int) -> bool:
        """Whether a square lies behind a side's deployment line."""
        return self.rows_away[side][n] < self.setup.deployment

    def on_base(self, side: int, n: int) -> bool:
        """Whether a square lies on a side's base line."""
        return self.rows_away[side][n] == 0

    def section(self, n: int) -> int:
        """The left (0) or right (1) section of the battlefield, as Red sees it."""
        return int(self.cells[n].col >= self.setup.columns / 2)

    def feature(self, n: int) -> frozenset[int]:
        """The hill or wood that a square belongs to: all squares of its kind that touch one another; empty in the
        open."""
        if n not in self._features:
            cover, found, edge = self.cover[n], {n}, [n]
            while edge and cover:
                edge = [m for k in edge for m in self.neighbours[k] if self.cover[m] == cover and m not in found]
                found.update(edge)
            self._features[n] = frozenset(found) if cover else frozenset()
        return self._features[n]

    def headquarters(self, side: int, n: int) -> frozenset[int]:
        """The squares of a side's headquarters in a square: its hill or wood, as far as it lies on the side's half."""
        return self.feature(n) & self.halves[side]

    # --- fire

    def depth_in(self, cover: str) -> int:
        """How many squares deep a shot reaches into a hill or woods [Firing; House rules, 3]."""
        return SHORT_DEPTH if cover == WOODS and self.setup.house.woods_one_deep else DEPTH

    def line(self, start: int, to: int) -> Line:
        """The line of fire between two squares, whatever the range.

        Fire goes along a row, a column or a diagonal, into or out of hills and woods, but not over them and not deeper
        than they let it; a built-up area counts as woods. Corners that a diagonal only touches do not matter.
        """
        a, b = self.cells[start], self.cells[to]
        far, where = distance(a, b), direction(a, b)
        if where is None:
            return Line(far, "straight")
        way = [self.at(cell) for cell in ray(a, where, far)]
        return self._judge_line([start, *way], where)

    def _judge_line(self, way: list[int], where: int) -> Line:
        found = self._judge_cover(way)
        at = self._counter_on(way, where) if found.clear and self.barred else OFF
        return found if at == OFF else Line(found.distance, "counter", at)

    def _counter_on(self, way: list[int], where: int) -> int:
        """The square of a hill counter that bars a line in a direction: it leaves the square by the side that the
        counter bars, or comes in by it; none where nothing does."""
        back = (where + len(DIRECTIONS) // 2) % len(DIRECTIONS)
        for k, n in enumerate(way):
            barred = self.barred.get(n, frozenset())
            if (where in barred and k < len(way) - 1) or (back in barred and k):
                return n
        return OFF

    def _judge_cover(self, way: list[int]) -> Line:
        far, first, last = len(way) - 1, self.cover[way[0]], self.cover[way[-1]]
        out, into = self._run(way), self._run(way[::-1])
        if first and out > far:
            return Line(far) if far <= self.depth_in(first) else Line(far, "depth", way[self.depth_in(first) + 1])
        if first and out > self.depth_in(first):
            return Line(far, "out", way[self.depth_in(first)])
        if last and into > self.depth_in(last):
            return Line(far, "depth", way[-into + self.depth_in(last)])
        for n in way[max(out, 1) : far + 1 - max(into, 1)]:
            if self.cover[n]:
                return Line(far, "over", n)
        return Line(far)

    def _run(self, way: list[int]) -> int:
        """How many squares from the start of a way lie in the hill or wood that it starts in; 0 in the open."""
        cover = self.cover[way[0]]
        return next((n for n, square in enumerate(way) if self.cover[square] != cover), len(way)) if cover else 0

    def lines(self, start: int) -> dict[int, int]:
        """Every square that a shot from one reaches by the ground alone, and how far it is."""
        if start not in self._lines:
            found: dict[int, int] = {}
            for where in range(len(DIRECTIONS)):
                way = [start]
                for cell in ray(self.cells[start], where, _FURTHEST):
                    if cell not in self.squares:
                        break
                    way.append(self.at(cell))
                    if self._judge_line(way, where).clear:
                        found[way[-1]] = len(way) - 1
            self._lines[start] = found
        return self._lines[start]


@lru_cache(maxsize=64)
def field_of(setup: Setup) -> Field:
    """The battlefield of a set-up; made once."""
    return Field(setup)
