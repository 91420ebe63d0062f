"""Who sees whom: every base of every unit to every enemy base, then two bases to two bases (Line of Sight)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import islice
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.areas import two_edges
from geometry.blocking import clearances
from geometry.sight import SightLines, at_most, meets, per_pair, sight_lines, two_sights, two_sights_by_unit
from geometry.tolerance import NO, OPEN, YES, Answers
from tabletop.referee.report_rows import LineRow, SightVerdict
from tabletop.rulesets.one_hour_ww2.data import AREA_KINDS
from tabletop.rulesets.one_hour_ww2.obstacles import NOTHING, InTheWay, Obstacles, Runs, objects
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.tables.scene import Terrain, Unit

Bools = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]
Mode = Literal["direct", "observe"]


@dataclass(frozen=True, eq=False)
class UnitSight:
    """Sight of one unit to another: clear (three-valued), what blocks, and base by base for drawing."""

    clear: np.int8
    obstacles: Obstacles
    lines: tuple[LineRow, ...]


def friend_blocks(friend: Unit, firer: Unit, mode: Mode) -> bool:
    """Whether a friend in the way blocks (Firing actions, Friendly units; Line of Sight).

    Direct fire passes a dug-in friend if the firer is dug in as well or is a tank. An observer only looks: any dug-in
    friend leaves its sight free.
    """
    if not friend.dug_in:
        return True
    if mode == "observe":
        return False
    return not (firer.dug_in or kind_of(firer).fires_as == "tank")


@dataclass(frozen=True, eq=False)
class Sights:
    """Sights between enemies of a situation: all of them, or those of the pairs of units in ``asked`` (rows)."""

    situation: Situation
    asked: frozenset[tuple[int, int]] | None = None

    @cached_property
    def _unit_pairs(self) -> tuple[Index, Index]:
        """Rows of the units of each pair of enemies (p,), the earlier unit first."""
        units, sides = self.situation.units, self.situation.sides
        first, second = np.triu_indices(len(units), 1)
        kept = sides[first] != sides[second]
        if self.asked is not None:
            asked = np.zeros((len(units), len(units)), dtype=bool)
            for i, j in self.asked:
                asked[i, j] = asked[j, i] = True
            kept &= asked[first, second]
        return first[kept], second[kept]

    @cached_property
    def _pair_of(self) -> dict[tuple[int, int], int]:
        """Which pair two units are, the earlier one first."""
        first, second = self._unit_pairs
        return {pair: row for row, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}

    @cached_property
    def _base_pairs(self) -> tuple[Index, Index, Index]:
        """Bases of each pair of enemy bases (q,), the earlier unit's first, and the pair of units that they are of."""
        (first, second), owner = self._unit_pairs, self.situation.owner
        starts = np.searchsorted(owner, np.arange(len(self.situation.units)))
        counts = np.bincount(owner, minlength=len(self.situation.units))
        sizes = counts[first] * counts[second]
        pair = np.repeat(np.arange(len(sizes)), sizes)
        step = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        of_first, of_second = np.divmod(step, counts[second][pair])
        return starts[first][pair] + of_first, starts[second][pair] + of_second, pair

    @cached_property
    def lines(self) -> SightLines:
        """Candidate sights of all base pairs of enemies, the earlier unit first; every sight runs both ways."""
        first, second, _ = self._base_pairs
        return sight_lines(self.situation.bases[first], self.situation.bases[second])

    @cached_property
    def _line_pairs(self) -> Index:
        """The pair of units (n,) that each line is of."""
        return self._base_pairs[2][self.lines.pair]

    @cached_property
    def _line_units(self) -> tuple[Index, Index]:
        first, second = self._unit_pairs
        return first[self._line_pairs], second[self._line_pairs]

    @cached_property
    def areas(self) -> tuple[tuple[Terrain, ...], Answers, Answers, Answers]:
        """Area features; whether each line touches one (road surface apart), is too long for it, crosses two edges."""
        situation, lines = self.situation, self.lines
        features = situation.terrain(*AREA_KINDS)
        shapes = objects([situation.shapes[t.id] for t in features])
        sigma = np.array([t.sigma for t in features])
        touched = meets(lines, shapes, sigma, touching=True)
        by_road, off_road = self._overlaps[:2]
        touched[:, by_road] = np.minimum(touched[:, by_road], off_road)
        too_long = -at_most(lines, self.situation.rules.area_sight_in)[:, None]
        twice = np.full(touched.shape, NO, dtype=np.int8)
        for row, k in np.argwhere((touched >= OPEN) & (too_long <= OPEN)):
            found = two_edges(lines.select(np.array([row])), shapes[k], sigma[k])
            twice[row, k] = min(found, touched[row, k])
        return features, touched, np.minimum(touched, too_long), twice

    @cached_property
    def _overlaps(self) -> tuple[Index, Answers, Answers, Answers]:
        """Rows of the area features with road in them; whether each line overlaps what is left of each of those off the
        road (n, k), each hill, and each hill's top. A touch alone is no overlap."""
        situation = self.situation
        areas, hills = situation.terrain(*AREA_KINDS), situation.terrain("hill")
        shapes = objects([situation.shapes[t.id] for t in areas])
        by_road = np.flatnonzero(shapely.intersects(shapes, situation.roads))
        rest = shapely.difference(shapes[by_road], situation.roads)
        tops = [shapely.Polygon() if t.hill_top is None else shapely.polygons(t.hill_top) for t in hills]
        every = objects([*rest, *(situation.shapes[t.id] for t in hills), *tops])
        sigma = np.array([t.sigma for t in (*(areas[k] for k in by_road.tolist()), *hills, *hills)])
        over = meets(self.lines, every, sigma, touching=False)
        first, last = len(rest), len(rest) + len(hills)
        return by_road, over[:, :first], over[:, first:last], over[:, last:]

    @cached_property
    def hills(self) -> tuple[tuple[Terrain, ...], Answers]:
        """Hills, and whether each blocks each line (ruling 4)."""
        situation = self.situation
        features = situation.terrain("hill")
        over, over_top = self._overlaps[2:]
        blocked = np.full(over.shape, NO, dtype=np.int8)
        first, second = self._line_units
        for k, hill in enumerate(features):
            on, top = situation.units_within(hill), situation.units_on_top(hill)
            any_on, any_top = np.maximum(on[first], on[second]), np.maximum(top[first], top[second])
            from_below = np.minimum(-any_on, over[:, k])
            across_top = np.minimum(np.minimum(any_on, -any_top), over_top[:, k])
            blocked[:, k] = np.maximum(from_below, across_top)
        return features, blocked

    @cached_property
    def _friends_near(self) -> _Friends:
        """Bases of friends of either side that may block a line, whether or not they count for who looks."""
        (first, second), owner = self._unit_pairs, self.situation.owner
        counts = self._friend_counts["direct"] | self._friend_counts["observe"]
        asked = (counts[first] | counts[second])[:, owner]
        near = clearances(self.lines, self.situation.bases, asked, self._line_pairs)
        rows = np.flatnonzero(near.clear < YES)
        line, base = near.line[rows], near.base[rows]
        sides = self.situation.sides
        of_first = sides[owner[base]] == sides[self._line_units[0][line]]
        return _Friends(line, base, owner[base], -near.clear[rows], near.margin[rows], of_first)

    def _friends_in(self, mode: Mode, forward: bool) -> _Friends:
        """Those that count as blockers for who looks; ``forward``: the pair's first unit looks."""
        key = ("friends", mode, forward)
        if key not in self._memo:
            friends, looker = self._friends_near, self._line_units[0 if forward else 1]
            rows = np.flatnonzero(friends.of_first == forward)
            counts = self._friend_counts[mode][looker[friends.line[rows]], friends.owner[rows]]
            self._memo[key] = friends[rows[counts]]
        return self._memo[key]

    @cached_property
    def _unnamed_near(self) -> tuple[Index, Index]:
        """Lines, and bases of no known unit that may stand in them."""
        near = clearances(self.lines, self.situation.scene.unassigned.bases)
        rows = np.flatnonzero(near.clear < YES)
        return near.line[rows], near.base[rows]

    def _unnamed_in(self, forward: bool) -> tuple[Index, Index]:
        """Those lines and bases of no known unit where the base may be a friend's of who looks."""
        sides, looker = self.situation.scene.unassigned.sides, self._line_units[0 if forward else 1]
        if not sides:
            return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
        line, base = self._unnamed_near
        own = np.array([[s is None or s == u.side for s in sides] for u in self.situation.units], dtype=bool)
        counts = own[looker[line], base]
        return line[counts], base[counts]

    def _blocked_by_bases(self, mode: Mode, forward: bool) -> Answers:
        """Whether bases of friends block each line (n,); ``forward``: the pair's first unit looks."""
        friends, blocked = self._friends_in(mode, forward), np.full(len(self.lines), NO, dtype=np.int8)
        blocked[friends.line] = OPEN
        blocked[self._unnamed_in(forward)[0]] = OPEN
        blocked[friends.line[friends.answer == YES]] = YES
        return blocked

    @cached_property
    def _friend_counts(self) -> dict[Mode, Bools]:
        """Whether unit b's bases count as blockers for looking unit a (m, m), by mode."""
        units, sides = self.situation.units, self.situation.sides
        friends = (sides[:, None] == sides) & ~np.eye(len(units), dtype=bool)
        open_ground = np.array([not u.dug_in for u in units], dtype=bool)
        hidden = next((u for u in units if u.dug_in), None)
        modes: tuple[Mode, ...] = ("direct", "observe")
        counts = {}
        for mode in modes:
            if_dug_in = np.array([hidden is not None and friend_blocks(hidden, u, mode) for u in units], dtype=bool)
            counts[mode] = friends & (open_ground | if_dug_in[:, None])
        return counts

    @cached_property
    def _terrain_blocks(self) -> Answers:
        _, _, too_long, twice = self.areas
        every = np.concatenate(
            [too_long, twice, self.hills[1], np.full((len(self.lines), 1), NO, dtype=np.int8)], axis=1
        )
        return every.max(axis=1)

    @cached_property
    def _memo(self) -> dict[tuple[str, Mode, bool], Any]:
        return {}

    def _lines_clear(self, mode: Mode, forward: bool) -> Answers:
        """Whether each line is clear (n,) in one direction: ``forward`` is from the pair's first unit."""
        key = ("lines", mode, forward)
        if key not in self._memo:
            self._memo[key] = -np.maximum(self._terrain_blocks, self._blocked_by_bases(mode, forward))
        return self._memo[key]

    def _bases_clear(self, mode: Mode) -> Answers:
        """Sight from base a to base b (N, N); between friends and within a unit: no."""
        key = ("bases", mode, True)
        if key not in self._memo:
            first, second, _ = self._base_pairs
            table = np.full((len(self.situation.bases),) * 2, NO, dtype=np.int8)
            table[first, second] = per_pair(self.lines, self._lines_clear(mode, True))
            table[second, first] = per_pair(self.lines, self._lines_clear(mode, False))
            self._memo[key] = table
        return self._memo[key]

    def bases_clear(self, looker: int, target: int, mode: Mode = "direct") -> Answers:
        """Sight base by base between two enemy units (m, n); bases of the roster that are not in the scene are open."""
        rows, units = self.situation.rows, self.situation.units
        seen = self._bases_clear(mode)[rows[looker], rows[target]]
        missing = units[looker].missing_bases, units[target].missing_bases
        return np.pad(seen, ((0, missing[0]), (0, missing[1])), constant_values=int(OPEN)) if any(missing) else seen

    @cached_property
    def _complete(self) -> list[bool]:
        """Whether all bases of each unit are in the scene."""
        return [unit.missing_bases == 0 for unit in self.situation.units]

    @cached_property
    def _sees(self) -> Answers:
        """Unit to unit, for units that are complete."""
        counts = [len(u.bases) for u in self.situation.units]
        return two_sights_by_unit(self._bases_clear("direct"), counts)[0]

    @cached_property
    def _observes(self) -> Answers:
        """Single base to unit, observing, for units that are complete."""
        counts = [len(u.bases) for u in self.situation.units]
        return two_sights_by_unit(self._bases_clear("observe"), counts)[1]

    def direct(self, firer: int, target: int) -> np.int8:
        """Two bases of the firer to two different bases of the target; a single base uses itself (ruling 6)."""
        if self._complete[firer] and self._complete[target]:
            return np.int8(self._sees[firer, target])
        return two_sights(self.bases_clear(firer, target))

    def observes(self, observer: int, target: int) -> np.int8:
        """The observer's unique base to any two bases of the target.

        Where its unique base was not seen, any of its bases may stand for it, and the answer is at best open.
        """
        unique = self.situation.units[observer].unique
        if unique is not None and self._complete[target]:
            return np.int8(self._observes[self.situation.rows[observer].start + unique, target])
        clear = self.bases_clear(observer, target, "observe")
        if unique is not None:
            return two_sights(clear[[unique]], first=1)
        return min(OPEN, max(two_sights(clear[[row]], first=1) for row in range(len(clear))))

    def observers_of(self, target: int) -> Answers:
        """Whether each enemy of a unit (m, of all units) observes it; see :meth:`observes`."""
        answers = self._observes[self._unique_rows, target]
        for u in range(len(answers)) if not self._complete[target] else self._without_unique:
            answers[u] = self.observes(u, target)
        return answers

    @cached_property
    def _without_unique(self) -> list[int]:
        return [row for row, unit in enumerate(self.situation.units) if unit.unique is None]

    @cached_property
    def _unique_rows(self) -> Index:
        """The base that each unit observes with, where it is known."""
        return np.array(
            [r.start + (u.unique or 0) for u, r in zip(self.situation.units, self.situation.rows, strict=True)]
        )

    def explain(self, looker: int, target: int, mode: Mode = "direct") -> UnitSight:
        """The sight between two enemy units with what stands in it, and up to two base-to-base sights to draw.

        An observer's sights start at its unique base alone.
        """
        clear = self.direct(looker, target) if mode == "direct" else self.observes(looker, target)
        forward = looker < target
        pair = self._pair_of[(looker, target) if forward else (target, looker)]
        if mode == "direct":
            obstacles = NOTHING if clear == YES else self._in_the_way[forward].of(pair)
            return UnitSight(clear, obstacles, self._drawings[forward][pair])
        obstacles = NOTHING if clear == YES else self._in_observers_way(pair, forward)
        rows = self._choose(mode, forward)[pair]
        return UnitSight(clear, obstacles, tuple(self._draw(rows[rows >= 0], mode, forward)))

    def _lines_that_count(self, mode: Mode, forward: bool) -> Bools:
        """The lines (n,) that a unit sees by: an observer's start at its unique base, where that is known."""
        key = ("counted", mode, forward)
        if mode == "direct":
            return np.ones(len(self.lines), dtype=bool)
        if key not in self._memo:
            unknown = np.array([u.unique is None for u in self.situation.units], dtype=bool)
            looker, base = self._line_units[0 if forward else 1], self._base_pairs[0 if forward else 1]
            self._memo[key] = unknown[looker] | (self._unique_rows[looker] == base[self.lines.pair])
        return self._memo[key]

    # --- what is drawn ---

    @cached_property
    def _drawings(self) -> dict[bool, list[tuple[LineRow, ...]]]:
        """The sights to draw of each pair of units, by whether the first unit looks."""
        drawn = {}
        for forward in (True, False):
            chosen = self._choose("direct", forward)
            lines = iter(self._draw(chosen[chosen >= 0], "direct", forward))
            drawn[forward] = [tuple(islice(lines, count)) for count in (chosen >= 0).sum(axis=1).tolist()]
        return drawn

    def _choose(self, mode: Mode, forward: bool) -> Index:
        """For each pair of units up to two lines (p, 2) between different bases: the clearest, then the shortest.

        -1 where there is no second one. An observer's lines start at its one base.
        """
        key = ("chosen", mode, forward)
        if key in self._memo:
            return self._memo[key]
        lines, pair, clear = self.lines, self._line_pairs, self._lines_clear(mode, forward)
        near, far = (of[lines.pair] for of in self._base_pairs[:2][:: 1 if forward else -1])
        rows = np.flatnonzero(self._lines_that_count(mode, forward))
        rows = rows[np.lexsort((lines.length[rows], -clear[rows], pair[rows]))]
        chosen = np.full((len(self._pair_of), 2), -1)
        chosen[pair[rows[::-1]], 0] = rows[::-1]
        best = chosen[pair[rows], 0]
        fresh = far[rows] != far[best]
        if mode == "direct":
            fresh &= near[rows] != near[best]
        chosen[pair[rows[fresh][::-1]], 1] = rows[fresh][::-1]
        self._memo[key] = chosen
        return chosen

    def _draw(self, rows: Index, mode: Mode, forward: bool) -> list[LineRow]:
        """Some lines as JSON has them."""
        lines, clear = self.lines, self._lines_clear(mode, forward)
        edges = [lines.edge_first, lines.edge_second][:: 1 if forward else -1]
        columns = [edge[rows].round(4).tolist() for edge in edges]
        columns += [lines.length[rows].tolist(), clear[rows].tolist()]
        return [_line_json(*line) for line in zip(*columns, strict=True)]

    # --- what stands in the way ---

    @cached_property
    def _in_the_way(self) -> dict[bool, InTheWay]:
        """What blocks, or may block, the sight of each pair of units (its number), by whether the first unit looks.

        Terrain stands in the way from both ends.
        """
        every = np.arange(len(self.lines))
        ground = self._list_areas(every), self._list_hills(every)
        listed = {}
        for forward in (True, False):
            bases = (
                self._list_friends(self._friends_in("direct", forward)),
                self._list_unnamed(*self._unnamed_in(forward)),
            )
            listed[forward] = InTheWay.join([*ground, *bases])
        return listed

    def _in_observers_way(self, pair: int, forward: bool) -> Obstacles:
        """What blocks, or may block, the sight of an observer: one end of one pair of units."""
        first, last = self._line_pairs.searchsorted((pair, pair + 1))
        counted = self._lines_that_count("observe", forward)
        rows = np.flatnonzero(counted[first:last]) + first
        friends, (line, base) = self._friends_in("observe", forward), self._unnamed_in(forward)
        friends = friends[slice(*friends.line.searchsorted((first, last)))]
        friends = friends[counted[friends.line]]
        own = counted[line] & (line >= first) & (line < last)
        ground = self._list_areas(rows), self._list_hills(rows)
        return InTheWay.join([*ground, self._list_friends(friends), self._list_unnamed(line[own], base[own])]).of(pair)

    def _list_areas(self, rows: Index) -> InTheWay:
        """Area features in some lines."""
        features, _, too_long, twice = self.areas
        limit = self.situation.rules.area_sight_in
        either = np.maximum(too_long[rows], twice[rows])
        n, k = np.nonzero(either > NO)
        line = rows[n]
        runs = Runs.of(self._line_pairs[line] * len(features) + k)
        pair, thing = np.divmod(runs.number, max(1, len(features)))
        what = [f'the {t.kind} "{t.id}"' for t in features]
        crossed = (runs.surest(too_long[line, k])[0] == NO).tolist()
        shortest = runs.least(self.lines.length[line]).tolist()
        words = [
            f"{what[n]}: the sight crosses two of its edges"
            if only_crossed
            else f"{what[n]}: sight that touches it may be {limit:g}″ long, and this is {least:.2f}″ at least"
            for n, only_crossed, least in zip(thing.tolist(), crossed, shortest, strict=True)
        ]
        names = [t.id for t in features]
        return InTheWay(names, pair, thing, *runs.surest(either[n, k]), objects(words), _nowhere(len(pair)))

    def _list_hills(self, rows: Index) -> InTheWay:
        """Hills in some lines."""
        features, blocked = self.hills
        n, k = np.nonzero(blocked[rows] > NO)
        runs = Runs.of(self._line_pairs[rows[n]] * len(features) + k)
        pair, thing = np.divmod(runs.number, max(1, len(features)))
        words = objects([f'the hill "{t.id}"' for t in features])[thing]
        names = [t.id for t in features]
        return InTheWay(names, pair, thing, *runs.surest(blocked[rows[n], k]), words, _nowhere(len(pair)))

    def _list_friends(self, friends: _Friends) -> InTheWay:
        """Friends, each where its base stands that reaches farthest in."""
        units = self.situation.units
        runs = Runs.of(self._line_pairs[friends.line] * len(units) + friends.owner)
        pair, thing = np.divmod(runs.number, max(1, len(units)))
        names = [u.id for u in units]
        words = [f'the friendly unit "{u.id}" ({"dug in" if u.dug_in else "not dug in"})' for u in units]
        places = self._places[runs.first_of_least(friends.margin, friends.base)]
        return InTheWay(names, pair, thing, *runs.surest(friends.answer), objects(words)[thing], places)

    @cached_property
    def _places(self) -> npt.NDArray[np.object_]:
        """The middle of each base as a pair of numbers."""
        return objects([(x, y) for x, y in self.situation.bases.center.tolist()])

    def _list_unnamed(self, line: Index, base: Index) -> InTheWay:
        """Bases of no known unit that may be friends, in the lines that they stand in; at most open."""
        unassigned = self.situation.scene.unassigned
        runs = Runs.of(self._line_pairs[line] * len(unassigned.ids) + base)
        pair, thing = np.divmod(runs.number, max(1, len(unassigned.ids)))
        places = [(x, y) for x, y in unassigned.bases.center.tolist()]
        words = []
        for side, (x, y) in zip(unassigned.sides, places, strict=True):
            whose = f"the unnamed {side} base" if side else "the unnamed base, maybe a friend's,"
            words.append(f"{whose} at ({x:.1f}, {y:.1f})")
        answers = runs.surest(np.full(len(line), OPEN, dtype=np.int8))
        return InTheWay(unassigned.ids, pair, thing, *answers, objects(words)[thing], objects(places)[thing])


@dataclass(frozen=True, eq=False)
class _Friends:
    """Bases of friends in lines, row by row (n,): the line, the base and the unit that it is of, how surely it blocks
    (open or yes), its clearance in inches, and whether it is of the line's first side."""

    line: Index
    base: Index
    owner: Index
    answer: Answers
    margin: npt.NDArray[np.float64]
    of_first: Bools

    def __getitem__(self, rows: Index | Bools | slice) -> _Friends:
        return _Friends(*(getattr(self, column.name)[rows] for column in fields(self)))


def _nowhere(count: int) -> npt.NDArray[np.object_]:
    return np.full(count, None, dtype=object)


def _line_json(start: list[list[float]], end: list[list[float]], length_in: float, answer: int) -> LineRow:
    verdict: SightVerdict = "clear" if answer == YES else "blocked" if answer == NO else "too-close"
    return {"from": start, "to": end, "length": round(length_in, 4), "verdict": verdict}
