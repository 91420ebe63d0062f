"""Who sees whom: every base of every unit to every enemy base, then two bases to two bases (Line of Sight)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.areas import two_edges
from geometry.blocking import Clearances, clearances
from geometry.sight import SightLines, at_most, meets, per_pair, sight_lines, two_sights, two_sights_by_unit
from geometry.tolerance import NO, OPEN, YES, Answers
from tabletop.rulesets.one_hour_ww2.situation import AREA_KINDS, Situation, kind_of
from tabletop.scene import Terrain, Unit

Array = npt.NDArray[np.float64]
Mode = Literal["direct", "observe"]


@dataclass(frozen=True)
class Obstacle:
    """What stands in some of a unit's sights: its id, what it is and why, how surely, and in how many base sights."""

    id: str
    words: str
    answer: np.int8
    lines: int
    at: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class UnitSight:
    """Sight of one unit to another: clear (three-valued), what blocks, and base by base for drawing."""

    clear: np.int8
    obstacles: tuple[Obstacle, ...]
    lines: tuple[dict[str, Any], ...]


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
    def _unit_pairs(self) -> tuple[tuple[int, int], ...]:
        units = self.situation.units
        return tuple(
            (i, j)
            for i in range(len(units))
            for j in range(i + 1, len(units))
            if units[i].side != units[j].side and (self.asked is None or (i, j) in self.asked or (j, i) in self.asked)
        )

    @cached_property
    def _base_pairs(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        rows = self.situation.rows
        first, second = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
        for i, j in self._unit_pairs:
            a, b = np.arange(rows[i].start, rows[i].stop), np.arange(rows[j].start, rows[j].stop)
            first.append(np.repeat(a, len(b)))
            second.append(np.tile(b, len(a)))
        return np.concatenate(first), np.concatenate(second)

    @cached_property
    def lines(self) -> SightLines:
        """Candidate sights of all base pairs of enemies, the earlier unit first; every sight runs both ways."""
        first, second = self._base_pairs
        return sight_lines(self.situation.bases[first], self.situation.bases[second])

    @cached_property
    def _owner(self) -> npt.NDArray[np.intp]:
        counts = [len(u.bases) for u in self.situation.units]
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def _line_units(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        first, second = self._base_pairs
        return self._owner[first][self.lines.pair], self._owner[second][self.lines.pair]

    @cached_property
    def areas(self) -> tuple[tuple[Terrain, ...], Answers, Answers, Answers]:
        """Area features; whether each line touches one (road surface apart), is too long for it, crosses two edges."""
        features, lines = self.situation.terrain(*AREA_KINDS), self.lines
        shapes = np.array([shapely.polygons(t.polygon) for t in features], dtype=object)
        sigma = np.array([t.sigma for t in features])
        touched = meets(lines, shapes, sigma, touching=True)
        roads = self.situation.roads
        if not shapely.is_empty(roads) and len(features):
            for k in np.flatnonzero(shapely.intersects(shapes, roads)):
                rows = np.flatnonzero(touched[:, k] >= OPEN)
                rest = np.array([shapely.difference(shapes[k], roads)], dtype=object)
                off_road = meets(lines.select(rows), rest, sigma[k : k + 1], touching=False)[:, 0]
                touched[rows, k] = np.minimum(touched[rows, k], off_road)
        too_long = -at_most(lines, self.situation.rules.area_sight_in)[:, None]
        twice = np.full(touched.shape, NO, dtype=np.int8)
        for row, k in np.argwhere((touched >= OPEN) & (too_long <= OPEN)):
            found = two_edges(lines.select(np.array([row])), shapes[k], sigma[k])
            twice[row, k] = min(found, touched[row, k])
        return features, touched, np.minimum(touched, too_long), twice

    @cached_property
    def hills(self) -> tuple[tuple[Terrain, ...], Answers]:
        """Hills, and whether each blocks each line (ruling 4)."""
        situation, lines = self.situation, self.lines
        features = situation.terrain("hill")
        shapes = np.array([shapely.polygons(t.polygon) for t in features], dtype=object)
        tops = np.array(
            [shapely.Polygon() if t.hill_top is None else shapely.polygons(t.hill_top) for t in features], dtype=object
        )
        sigma = np.array([t.sigma for t in features])
        over, over_top = meets(lines, shapes, sigma, touching=False), meets(lines, tops, sigma, touching=False)
        blocked = np.full(over.shape, NO, dtype=np.int8)
        units = range(len(situation.units))
        first, second = self._line_units
        for k, hill in enumerate(features):
            on = np.array([situation.within(u, hill) for u in units], dtype=np.int8)
            top = np.array([situation.on_top(u, hill) for u in units], dtype=np.int8)
            any_on, any_top = np.maximum(on[first], on[second]), np.maximum(top[first], top[second])
            from_below = np.minimum(-any_on, over[:, k])
            across_top = np.minimum(np.minimum(any_on, -any_top), over_top[:, k])
            blocked[:, k] = np.maximum(from_below, across_top)
        return features, blocked

    @cached_property
    def _near(self) -> Clearances:
        """Friends of either side that may block a line, near it."""
        first, second = self._line_units
        counts = self._friend_counts["direct"] | self._friend_counts["observe"]
        asked = counts[first] | counts[second] if len(counts) else None
        return clearances(self.lines, self.situation.bases, asked[:, self._owner] if asked is not None else None)

    @cached_property
    def _near_unassigned(self) -> Clearances:
        return clearances(self.lines, self.situation.scene.unassigned.bases)

    def _friends(self, mode: Mode, forward: bool) -> Answers:
        """Whether friends of the looking side block each line (n,); ``forward``: the pair's first unit looks."""
        situation, near = self.situation, self._near
        blocked = np.full(len(self.lines), NO, dtype=np.int8)
        counts = self._friend_counts[mode]
        looker = self._line_units[0 if forward else 1]
        hit = counts[looker[near.line], self._owner[near.base]]
        np.maximum.at(blocked, near.line[hit], -near.clear[hit])
        sides = situation.scene.unassigned.sides
        if sides and len((loose := self._near_unassigned).line):
            own = np.array([[s is None or s == u.side for s in sides] for u in situation.units], dtype=bool)
            hit = own[looker[loose.line], loose.base]
            np.maximum.at(blocked, loose.line[hit], np.minimum(-loose.clear[hit], OPEN))
        return blocked

    @cached_property
    def _friend_counts(self) -> dict[Mode, npt.NDArray[np.bool_]]:
        """Whether unit b's bases count as blockers for looking unit a (m, m), by mode."""
        units = self.situation.units
        modes: tuple[Mode, ...] = ("direct", "observe")
        return {
            mode: np.array(
                [[a is not b and a.side == b.side and friend_blocks(b, a, mode) for b in units] for a in units],
                dtype=bool,
            ).reshape(len(units), len(units))
            for mode in modes
        }

    @cached_property
    def _counts_plain(self) -> dict[Mode, list[list[bool]]]:
        return {mode: counts.tolist() for mode, counts in self._friend_counts.items()}

    @cached_property
    def _terrain_blocks(self) -> Answers:
        _, _, too_long, twice = self.areas
        every = np.concatenate(
            [too_long, twice, self.hills[1], np.full((len(self.lines), 1), NO, dtype=np.int8)], axis=1
        )
        return every.max(axis=1)

    @cached_property
    def _known(self) -> dict[tuple[str, Mode, bool], Answers]:
        return {}

    def _lines_clear(self, mode: Mode, forward: bool) -> Answers:
        """Whether each line is clear (n,) in one direction: ``forward`` is from the pair's first unit."""
        key = ("lines", mode, forward)
        if key not in self._known:
            self._known[key] = -np.maximum(self._terrain_blocks, self._friends(mode, forward))
        return self._known[key]

    def _bases_clear(self, mode: Mode) -> Answers:
        """Sight from base a to base b (N, N); between friends and within a unit: no."""
        key = ("bases", mode, True)
        if key not in self._known:
            first, second = self._base_pairs
            table = np.full((len(self.situation.bases),) * 2, NO, dtype=np.int8)
            table[first, second] = per_pair(self.lines, self._lines_clear(mode, True))
            table[second, first] = per_pair(self.lines, self._lines_clear(mode, False))
            self._known[key] = table
        return self._known[key]

    def bases_clear(self, looker: int, target: int, mode: Mode = "direct") -> Answers:
        """Sight base by base between two enemy units (m, n); bases of the roster that are not in the scene are open."""
        rows, units = self.situation.rows, self.situation.units
        seen = self._bases_clear(mode)[rows[looker], rows[target]]
        missing = units[looker].missing_bases, units[target].missing_bases
        return np.pad(seen, ((0, missing[0]), (0, missing[1])), constant_values=int(OPEN)) if any(missing) else seen

    @cached_property
    def _all_seen(self) -> tuple[npt.NDArray[np.bool_], Answers]:
        """Which units are complete; for those, unit to unit."""
        units = self.situation.units
        counts = [len(u.bases) for u in units]
        complete = np.array([u.missing_bases == 0 and u.unique is not None for u in units], dtype=bool)
        direct, _ = two_sights_by_unit(self._bases_clear("direct"), counts)
        return complete, direct

    @cached_property
    def _observed(self) -> Answers:
        """Single base to unit, observing, for units that are complete."""
        counts = [len(u.bases) for u in self.situation.units]
        return two_sights_by_unit(self._bases_clear("observe"), counts)[1]

    def direct(self, firer: int, target: int) -> np.int8:
        """Two bases of the firer to two different bases of the target; a single base uses itself (ruling 6)."""
        complete, direct = self._all_seen
        if complete[firer] and complete[target]:
            return np.int8(direct[firer, target])
        return two_sights(self.bases_clear(firer, target))

    def observes(self, observer: int, target: int) -> np.int8:
        """The observer's unique base to any two bases of the target.

        Where its unique base was not seen, any of its bases may stand for it, and the answer is at best open.
        """
        unique, complete = self.situation.units[observer].unique, self._all_seen[0]
        if unique is not None and complete[target]:
            return np.int8(self._observed[self.situation.rows[observer].start + unique, target])
        clear = self.bases_clear(observer, target, "observe")
        if unique is not None:
            return two_sights(clear[[unique]], first=1)
        return min(OPEN, max(two_sights(clear[[row]], first=1) for row in range(len(clear))))

    @cached_property
    def _spans(self) -> dict[tuple[int, int], tuple[int, int]]:
        """First row and end of the lines between each pair of units, the earlier unit first."""
        first, second = self._line_units
        key = first * len(self.situation.units) + second
        starts = np.concatenate([[0], np.flatnonzero(np.diff(key)) + 1]) if len(key) else np.zeros(0, dtype=np.intp)
        ends = [*starts[1:].tolist(), len(key)]
        return {(int(first[a]), int(second[a])): (int(a), int(b)) for a, b in zip(starts.tolist(), ends, strict=False)}

    @cached_property
    def _plain(self) -> tuple[list[int], list[int], list[float], list[Any], list[Any]]:
        """Per line as plain lists: base of the first and the second unit, length, and both edges for drawing."""
        (first, second), lines = self._base_pairs, self.lines
        return (
            first[lines.pair].tolist(),
            second[lines.pair].tolist(),
            lines.length.tolist(),
            lines.edge_first.round(4).tolist(),
            lines.edge_second.round(4).tolist(),
        )

    def explain(self, looker: int, target: int, mode: Mode = "direct") -> UnitSight:
        """The sight between two enemy units with what stands in it, and up to two base-to-base sights to draw.

        An observer's sights start at its unique base alone.
        """
        clear = self.direct(looker, target) if mode == "direct" else self.observes(looker, target)
        forward = looker < target
        start, end = self._spans[(looker, target) if forward else (target, looker)]
        answers = self._lines_clear(mode, forward)[start:end].tolist()
        bases = self._plain[0 if forward else 1], self._plain[1 if forward else 0]
        unique = self.situation.units[looker].unique
        rows = list(range(start, end))
        if mode == "observe" and unique is not None:
            observing = self.situation.rows[looker].start + unique
            rows = [row for row in rows if bases[0][row] == observing]
        blocked = [row for row in rows if answers[row - start] < YES]
        obstacles = () if clear == YES else self._obstacles(blocked, looker, mode)
        chosen: list[int] = []
        for row in sorted(rows, key=lambda row: (-answers[row - start], self._plain[2][row])):
            fresh = mode == "observe" or all(bases[0][row] != bases[0][c] for c in chosen)
            if fresh and all(bases[1][row] != bases[1][c] for c in chosen):
                chosen.append(row)
            if len(chosen) == 2:
                break
        drawn = tuple(self._drawn(row, answers[row - start], forward) for row in chosen)
        return UnitSight(clear, obstacles, drawn)

    def _drawn(self, row: int, answer: int, forward: bool) -> dict[str, Any]:
        edges = self._plain[3][row], self._plain[4][row]
        near, far = edges if forward else edges[::-1]
        verdict = "clear" if answer == YES else "blocked" if answer == NO else "too-close"
        return {"from": near, "to": far, "length": round(self._plain[2][row], 4), "verdict": verdict}

    def _obstacles(self, rows: list[int], looker: int, mode: Mode) -> tuple[Obstacle, ...]:
        """What blocks, or may block, these lines: each thing once, the surest and most frequent first."""
        if not rows:
            return ()
        index = np.array(rows, dtype=np.intp)
        found = [*self._areas_in(index), *self._hills_in(index), *self._friends_in(rows, looker, mode)]
        return tuple(sorted(found, key=lambda o: (-int(o.answer), -o.lines, o.id)))

    def _areas_in(self, rows: npt.NDArray[np.intp]) -> Iterator[Obstacle]:
        features, _, too_long, twice = self.areas
        limit = self.situation.rules.area_sight_in
        if not features:
            return
        either = np.maximum(too_long[rows], twice[rows])
        for k in np.flatnonzero(either.max(axis=0) > NO).tolist():
            what = f'the {features[k].kind} "{features[k].id}"'
            hit = rows[either[:, k] > NO]
            if (too_long[hit, k] == NO).all():
                words = f"{what}: the sight crosses two of its edges"
            else:
                shortest = float(self.lines.length[hit].min())
                words = f'{what}: sight that touches it may be {limit:g}" long, and this is {shortest:.2f}" at least'
            yield _obstacle(features[k].id, words, either[:, k])

    def _hills_in(self, rows: npt.NDArray[np.intp]) -> Iterator[Obstacle]:
        features, blocked = self.hills
        for k in np.flatnonzero(blocked[rows].max(axis=0) > NO).tolist() if features else ():
            yield _obstacle(features[k].id, f'the hill "{features[k].id}"', blocked[rows, k])

    @cached_property
    def _in_the_way(self) -> tuple[list[int], list[tuple[int, int, int, float]]]:
        """Where each line's rows begin; owner, base, answer and margin of bases that are not surely clear."""
        near = self._near
        hit = np.flatnonzero(near.clear < YES)
        starts = np.searchsorted(near.line[hit], np.arange(len(self.lines) + 1)).tolist()
        columns = self._owner[near.base[hit]], near.base[hit], -near.clear[hit], near.margin[hit]
        return starts, list(zip(*(column.tolist() for column in columns), strict=True))

    def _friends_in(self, rows: list[int], looker: int, mode: Mode) -> Iterator[Obstacle]:
        situation, (starts, near) = self.situation, self._in_the_way
        counts = self._counts_plain[mode][looker]
        found: dict[int, list[tuple[int, int, int, float]]] = {}
        for row in rows:
            for entry in near[starts[row] : starts[row + 1]]:
                if counts[entry[0]]:
                    found.setdefault(entry[0], []).append(entry)
        for u, entries in sorted(found.items()):
            friend = situation.units[u]
            words = f'the friendly unit "{friend.id}" ({"dug in" if friend.dug_in else "not dug in"})'
            deepest = min(entries, key=lambda entry: (entry[3], entry[1]))
            place = situation.bases.center[deepest[1]]
            worst = max(entry[2] for entry in entries)
            count = sum(entry[2] == worst for entry in entries)
            yield Obstacle(friend.id, words, np.int8(worst), count, (float(place[0]), float(place[1])))
        yield from self._unnamed_in(rows, looker)

    def _unnamed_in(self, rows: list[int], looker: int) -> Iterator[Obstacle]:
        """Bases of no known unit that may be friends in the way, each once."""
        unassigned = self.situation.scene.unassigned
        if not unassigned.sides or not len((near := self._near_unassigned).line):
            return
        side = self.situation.units[looker].side
        hit = np.isin(near.line, rows) & (near.clear < YES)
        for base in np.unique(near.base[hit]).tolist():
            if unassigned.sides[base] not in (None, side):
                continue
            x, y = unassigned.bases.center[base]
            whose = f"the unnamed {side} base" if unassigned.sides[base] else "the unnamed base, maybe a friend's,"
            answers = np.minimum(-near.clear[hit & (near.base == base)], OPEN).astype(np.int8)
            words = f"{whose} at ({x:.1f}, {y:.1f})"
            yield _obstacle(unassigned.ids[base], words, answers, unassigned.bases.center[base])


def _obstacle(name: str, words: str, answers: Answers, at: Array | None = None) -> Obstacle:
    worst = np.int8(answers.max())
    place = None if at is None else (float(at[0]), float(at[1]))
    return Obstacle(name, words, worst, int((answers == worst).sum()), place)
