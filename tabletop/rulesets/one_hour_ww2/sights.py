"""Who sees whom: every base of every unit to every enemy base, then two bases to two bases (Line of Sight)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.areas import two_edges
from geometry.blocking import Clearances, clearances
from geometry.sight import SightLines, at_most, meets, per_pair, sight_lines, two_sights
from geometry.tolerance import NO, OPEN, YES, Answers
from tabletop.rulesets.one_hour_ww2.situation import AREA_KINDS, Situation, kind_of
from tabletop.scene import Terrain, Unit

Array = npt.NDArray[np.float64]
Mode = Literal["direct", "observe"]


@dataclass(frozen=True)
class Obstacle:
    """What stands in some of a unit's sights: its id, what it is, why it blocks, and how surely."""

    id: str
    words: str
    answer: np.int8
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
    """All sights between enemies of a situation."""

    situation: Situation

    @cached_property
    def _unit_pairs(self) -> tuple[tuple[int, int], ...]:
        units = self.situation.units
        return tuple(
            (i, j) for i in range(len(units)) for j in range(i + 1, len(units)) if units[i].side != units[j].side
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
        return clearances(self.lines, self.situation.bases)

    @cached_property
    def _near_unassigned(self) -> Clearances:
        return clearances(self.lines, self.situation.scene.unassigned.bases)

    def _friends(self, mode: Mode, forward: bool) -> Answers:
        """Whether friends of the looking side block each line (n,); ``forward``: the pair's first unit looks."""
        situation, near = self.situation, self._near
        blocked = np.full(len(self.lines), NO, dtype=np.int8)
        counts = self._friend_counts(mode)
        looker = self._line_units[0 if forward else 1]
        hit = counts[looker[near.line], self._owner[near.base]]
        np.maximum.at(blocked, near.line[hit], -near.clear[hit])
        loose, sides = self._near_unassigned, situation.scene.unassigned.sides
        if len(loose.line):
            own = np.array([[s is None or s == u.side for s in sides] for u in situation.units], dtype=bool)
            hit = own[looker[loose.line], loose.base]
            np.maximum.at(blocked, loose.line[hit], np.minimum(-loose.clear[hit], OPEN))
        return blocked

    def _friend_counts(self, mode: Mode) -> npt.NDArray[np.bool_]:
        """Whether unit b's bases count as blockers for looking unit a (m, m)."""
        units = self.situation.units
        return np.array(
            [[a is not b and a.side == b.side and friend_blocks(b, a, mode) for b in units] for a in units], dtype=bool
        ).reshape(len(units), len(units))

    @cached_property
    def _terrain_blocks(self) -> Answers:
        _, _, too_long, twice = self.areas
        every = np.concatenate(
            [too_long, twice, self.hills[1], np.full((len(self.lines), 1), NO, dtype=np.int8)], axis=1
        )
        return every.max(axis=1)

    @cached_property
    def _lines_clear(self) -> dict[tuple[Mode, bool], Answers]:
        modes: tuple[Mode, ...] = ("direct", "observe")
        return {
            (mode, forward): -np.maximum(self._terrain_blocks, self._friends(mode, forward))
            for mode in modes
            for forward in (True, False)
        }

    @cached_property
    def _bases_clear(self) -> dict[Mode, Answers]:
        """Sight from base a to base b (N, N) by mode; between friends and within a unit: no."""
        first, second = self._base_pairs
        out: dict[Mode, Answers] = {}
        for mode in ("direct", "observe"):
            table = np.full((len(self.situation.bases),) * 2, NO, dtype=np.int8)
            table[first, second] = per_pair(self.lines, self._lines_clear[mode, True])
            table[second, first] = per_pair(self.lines, self._lines_clear[mode, False])
            out[mode] = table
        return out

    def bases_clear(self, looker: int, target: int, mode: Mode = "direct") -> Answers:
        """Sight base by base between two enemy units (m, n); bases of the roster that are not in the scene are open."""
        rows, units = self.situation.rows, self.situation.units
        seen = self._bases_clear[mode][rows[looker], rows[target]]
        return np.pad(
            seen, ((0, units[looker].missing_bases), (0, units[target].missing_bases)), constant_values=int(OPEN)
        )

    def direct(self, firer: int, target: int) -> np.int8:
        """Two bases of the firer to two different bases of the target; a single base uses itself (ruling 6)."""
        return two_sights(self.bases_clear(firer, target))

    def observes(self, observer: int, target: int) -> np.int8:
        """The observer's unique base to any two bases of the target.

        Where its unique base was not seen, any of its bases may stand for it, and the answer is at best open.
        """
        clear, unit = self.bases_clear(observer, target, "observe"), self.situation.units[observer]
        if unit.unique is not None:
            return two_sights(clear[[unit.unique]], first=1)
        return min(OPEN, max(two_sights(clear[[row]], first=1) for row in range(len(clear))))

    @cached_property
    def _spans(self) -> dict[tuple[int, int], npt.NDArray[np.intp]]:
        """Rows of the lines between each pair of units, the earlier unit first."""
        first, second = self._line_units
        m = len(self.situation.units)
        key = first * m + second
        cuts = np.flatnonzero(np.diff(key)) + 1
        parts = np.split(np.arange(len(key)), cuts) if len(key) else []
        return {(int(first[p[0]]), int(second[p[0]])): p for p in parts}

    def explain(self, looker: int, target: int, mode: Mode = "direct") -> UnitSight:
        """The sight between two enemy units with what stands in it, and up to two base-to-base sights to draw.

        An observer's sights start at its unique base alone.
        """
        clear = self.direct(looker, target) if mode == "direct" else self.observes(looker, target)
        forward = looker < target
        rows = self._spans[(looker, target) if forward else (target, looker)]
        unit = self.situation.units[looker]
        own = self._base_pairs[0 if forward else 1][self.lines.pair[rows]] - self.situation.rows[looker].start
        if mode == "observe" and unit.unique is not None:
            rows, own = rows[own == unit.unique], own[own == unit.unique]
        answers = self._lines_clear[mode, forward][rows]
        obstacles = () if clear == YES else self._obstacles(rows[answers < YES], looker, mode)
        other = self._base_pairs[1 if forward else 0][self.lines.pair[rows]]
        order = np.lexsort((self.lines.length[rows], -answers))
        chosen: list[int] = []
        for n in order:
            if all(other[n] != other[c] and (own[n] != own[c] or mode == "observe") for c in chosen):
                chosen.append(int(n))
            if len(chosen) == 2:
                break
        drawn = tuple(self._drawn(int(rows[n]), np.int8(answers[n]), forward) for n in chosen)
        return UnitSight(clear, obstacles, drawn)

    def _drawn(self, row: int, answer: np.int8, forward: bool) -> dict[str, Any]:
        edges = self.lines.edge_first[row], self.lines.edge_second[row]
        near, far = edges if forward else edges[::-1]
        return {
            "from": near.round(4).tolist(),
            "to": far.round(4).tolist(),
            "length": round(float(self.lines.length[row]), 4),
            "verdict": {YES: "clear", NO: "blocked", OPEN: "too-close"}[answer],
        }

    def _obstacles(self, rows: npt.NDArray[np.intp], looker: int, mode: Mode) -> tuple[Obstacle, ...]:
        """What blocks, or may block, these lines: each thing once, the surest and most frequent first."""
        situation = self.situation
        found: dict[str, tuple[int, int, Obstacle]] = {}

        def add(key: str, answers: Answers, words: str, at: tuple[float, float] | None = None) -> None:
            worst = np.int8(answers.max()) if len(answers) else NO
            if worst > NO:
                count = int((answers == worst).sum())
                found[key] = (-int(worst), -count, Obstacle(key, words, worst, at))

        features, _, too_long, twice = self.areas
        limit = situation.rules.area_sight_in
        for k, feature in enumerate(features):
            either = np.maximum(too_long[rows, k], twice[rows, k])
            if either.size and either.max() > NO:
                hit = rows[either > NO]
                shortest = float(self.lines.length[hit].min())
                what = f'the {feature.kind} "{feature.id}"'
                if np.all(too_long[hit, k] == NO):
                    words = f"{what}: the sight crosses two of its edges"
                else:
                    words = (
                        f'{what}: sight that touches it may be {limit:g}" long, and this is {shortest:.2f}" at least'
                    )
                add(feature.id, either, words)
        hills, blocked = self.hills
        for k, hill in enumerate(hills):
            add(hill.id, blocked[rows, k], f'the hill "{hill.id}"')
        counts, near = self._friend_counts(mode)[looker], self._near
        inside = np.isin(near.line, rows)
        for u in np.flatnonzero(counts):
            hit = inside & (self._owner[near.base] == u)
            if hit.any():
                friend = situation.units[u]
                state = "dug in" if friend.dug_in else "not dug in"
                place = situation.bases.center[near.base[hit][int(np.argmin(near.margin[hit]))]]
                add(
                    friend.id,
                    -near.clear[hit],
                    f'the friendly unit "{friend.id}" ({state})',
                    (float(place[0]), float(place[1])),
                )
        loose, sides = self._near_unassigned, situation.scene.unassigned
        for n in np.flatnonzero(np.isin(loose.line, rows)):
            base = int(loose.base[n])
            if sides.sides[base] in (None, situation.units[looker].side):
                x, y = (float(v) for v in sides.bases.center[base])
                words = f"an unnamed base at ({x:.1f}, {y:.1f}), which may be a friend's"
                add(sides.ids[base], np.minimum(-loose.clear[n : n + 1], OPEN), words, (x, y))
        return tuple(entry[2] for entry in sorted(found.values(), key=lambda e: (e[0], e[1], e[2].id)))
