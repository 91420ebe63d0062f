"""Slow, plain sights of One-Hour WWII: every line is tried against every base and every piece of terrain.

It answers what :class:`tabletop.rulesets.one_hour_ww2.sights.Sights` answers, with nothing left out beforehand and
nothing brought together: one pair of units after the other, one line after the other. Facing edges, the two-edges rule
and the count of bases are the product's own; they have references of their own.
"""

from functools import cache
from typing import Any

import numpy as np
import shapely

from geometry import Bases
from geometry.areas import two_edges
from geometry.shapes import outline_sigma
from geometry.sight import SightLines, per_pair, sight_lines, two_sights
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge
from tabletop.rulesets.one_hour_ww2.data import AREA_KINDS
from tabletop.rulesets.one_hour_ww2.obstacles import Obstacle, Obstacles
from tabletop.rulesets.one_hour_ww2.sights import Mode, UnitSight, friend_blocks
from tabletop.rulesets.one_hour_ww2.situation import Situation


def clearance(line: SightLines, base: Bases) -> tuple[float, float]:
    """Signed clearance of one base from one line and its sigma, inches: the widest gap over the separating axes."""
    hull = line.inset_ends(0.0, 0.0)[0]
    sides = np.array([hull[j] - hull[i] for i in range(4) for j in range(i + 1, 4)])
    own = base.center - hull if base.is_round[0] else np.concatenate([base.right, base.forward])
    axes = np.concatenate([np.stack([sides[:, 1], -sides[:, 0]], axis=1), own])
    sizes = np.linalg.norm(axes, axis=1)
    axes = axes[sizes > 0] / sizes[sizes > 0, None]
    along, middle = hull @ axes.T, axes @ base.center[0]
    across = abs(axes @ base.right[0]) * base.width / 2 + abs(axes @ base.forward[0]) * base.depth / 2
    reach = base.width / 2 if base.is_round[0] else across
    gap = np.maximum(middle - reach - along.max(axis=0), along.min(axis=0) - middle - reach)
    return float(gap.max()), _sigma(line, base, axes[gap.argmax()])


def _sigma(line: SightLines, base: Bases, axis: np.ndarray) -> float:
    start, end = line.edge_first[0].mean(axis=0), line.edge_second[0].mean(axis=0)
    along = end - start
    share = min(1.0, max(0.0, float((base.center[0] - start) @ along) / max(float(along @ along), 1e-30)))
    variance = float(outline_sigma(base)[0]) ** 2
    for part, spread, covariance in (
        (1 - share, line.spread_first[0], line.covariance_first[0]),
        (share, line.spread_second[0], line.covariance_second[0]),
    ):
        turned = max(0.0, spread**2 - float(np.linalg.eigvalsh(covariance)[-1]))
        variance += part**2 * min(spread**2, float(axis @ covariance @ axis) + turned)
    return float(np.sqrt(variance))


def met(line: SightLines, shape: shapely.Geometry, sigma_in: float, *, touching: bool) -> np.int8:
    """Whether one line meets one shape: by the hulls drawn in and drawn out, whatever their distance."""
    if shapely.is_empty(shape):
        return NO
    grace = -TOLERANCE.length_in if touching else TOLERANCE.length_in
    amounts = [TOLERANCE.sureness * float(np.hypot(s[0], sigma_in)) for s in (line.spread_first, line.spread_second)]
    drawn = []
    for sign in (1.0, -1.0):
        ends = line.inset_ends(*(grace if a <= TOLERANCE.length_in else sign * a for a in amounts))[0]
        drawn.append(bool(shapely.intersects(shape, shapely.convex_hull(shapely.linestrings(ends)))))
    return YES if all(drawn) else OPEN if any(drawn) else NO


class PlainSights:
    """Sights between the enemies of a situation."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.lines = cache(self._lines)
        self.in_line = cache(self._in_line)
        self.clear = cache(self._clear)

    def _lines(self, i: int, j: int) -> SightLines:
        """The lines from unit i to unit j, base by base; i stands before j in the scene."""
        first, second = self.situation.units[i].bases, self.situation.units[j].bases
        rows = np.repeat(np.arange(len(first)), len(second)), np.tile(np.arange(len(second)), len(first))
        return sight_lines(first[rows[0]], second[rows[1]])

    def _in_line(self, i: int, j: int, n: int, looker: int, mode: Mode) -> list[tuple[str, str, np.int8, Any, Any]]:
        """What may stand in one line: id, kind of obstacle, answer, what its words need, and its depth and base."""
        line = self.lines(i, j).select(np.array([n]))
        return [*self._ground(line, i, j), *self._bases(line, i, j, looker, mode)]

    def _ground(self, line: SightLines, i: int, j: int) -> list[tuple[str, str, np.int8, Any, Any]]:
        situation, found = self.situation, []
        too_long = np.int8(-judge(situation.rules.area_sight_in - line.length, line.length_sigma)[0])
        roads = [shapely.polygons(t.polygon) for t in situation.scene.terrain if t.kind == "road"]
        ways = shapely.union_all(roads)
        for t in situation.scene.terrain:
            shape = shapely.polygons(t.polygon)
            if t.kind in AREA_KINDS:
                touched = met(line, shape, t.sigma, touching=True)
                if shapely.intersects(shape, ways):
                    touched = min(touched, met(line, shapely.difference(shape, ways), t.sigma, touching=False))
                beyond, twice = min(touched, too_long), NO
                if touched > NO and too_long < YES:
                    twice = min(two_edges(line, shape, t.sigma), touched)
                found.append((t.id, t.kind, max(beyond, twice), (beyond, float(line.length[0])), None))
            elif t.kind == "hill":
                top = shapely.Polygon() if t.hill_top is None else shapely.polygons(t.hill_top)
                on = max(situation.within(u, t) for u in (i, j))
                on_top = max(situation.on_top(u, t) for u in (i, j))
                over, over_top = (met(line, part, t.sigma, touching=False) for part in (shape, top))
                answer = max(min(np.int8(-on), over), min(on, np.int8(-on_top), over_top))
                found.append((t.id, "hill", answer, None, None))
        return [entry for entry in found if entry[2] > NO]

    def _bases(
        self, line: SightLines, i: int, j: int, looker: int, mode: Mode
    ) -> list[tuple[str, str, np.int8, Any, Any]]:
        units, unassigned, found = self.situation.units, self.situation.scene.unassigned, []
        for u, friend in enumerate(units):
            own = u not in (i, j) and friend.side == units[looker].side and friend_blocks(friend, units[looker], mode)
            for k in range(len(friend.bases)) if own else ():
                margin, sigma = clearance(line, friend.bases[k])
                answer = np.int8(-judge(margin, sigma))
                found.append((friend.id, "friend", answer, friend.dug_in, (margin, k, friend.bases.center[k])))
        for k, side in enumerate(unassigned.sides):
            if side in (None, units[looker].side):
                answer = min(OPEN, np.int8(-judge(*clearance(line, unassigned.bases[k]))))
                place = unassigned.bases.center[k]
                found.append((unassigned.ids[k], "unnamed", answer, side, (0.0, k, place)))
        return [entry for entry in found if entry[2] > NO]

    def _line_clear(self, i: int, j: int, n: int, looker: int, mode: Mode) -> np.int8:
        return np.int8(-max((entry[2] for entry in self.in_line(i, j, n, looker, mode)), default=NO))

    def _clear(self, looker: int, target: int, mode: Mode) -> np.ndarray:
        """Sight base by base between two units, as :meth:`Sights.bases_clear`."""
        i, j = sorted((looker, target))
        units, lines = self.situation.units, self.lines(i, j)
        answers = np.array([self._line_clear(i, j, n, looker, mode) for n in range(len(lines))], dtype=np.int8)
        clear = per_pair(lines, answers).reshape(len(units[i].bases), len(units[j].bases))
        clear = clear if looker == i else clear.T
        missing = units[looker].missing_bases, units[target].missing_bases
        return np.pad(clear, ((0, missing[0]), (0, missing[1])), constant_values=int(OPEN))

    def direct(self, firer: int, target: int) -> np.int8:
        """Two bases of the firer to two different ones of the target."""
        return two_sights(self.clear(firer, target, "direct"))

    def observes(self, observer: int, target: int) -> np.int8:
        """The observer's unique base to any two bases of the target."""
        clear, unique = self.clear(observer, target, "observe"), self.situation.units[observer].unique
        if unique is not None:
            return two_sights(clear[[unique]], first=1)
        return min(OPEN, max(two_sights(clear[[row]], first=1) for row in range(len(clear))))

    def observers_of(self, target: int) -> np.ndarray:
        units = self.situation.units
        enemies = [unit.side != units[target].side for unit in units]
        return np.array([self.observes(u, target) if enemy else NO for u, enemy in enumerate(enemies)], dtype=np.int8)

    def explain(self, looker: int, target: int, mode: Mode = "direct") -> UnitSight:
        """The sight between two enemy units, what stands in it, and up to two of its lines."""
        clear = self.direct(looker, target) if mode == "direct" else self.observes(looker, target)
        i, j = sorted((looker, target))
        lines, unique = self.lines(i, j), self.situation.units[looker].unique
        first, second = np.divmod(lines.pair, len(self.situation.units[j].bases))
        near, far = (first, second) if looker == i else (second, first)
        rows = [n for n in range(len(lines)) if mode == "direct" or unique in (None, near[n])]
        answers = {n: self._line_clear(i, j, n, looker, mode) for n in rows}
        chosen: list[int] = []
        for n in sorted(rows, key=lambda n: (-int(answers[n]), float(lines.length[n]))):
            same = any(far[n] == far[c] or (mode == "direct" and near[n] == near[c]) for c in chosen)
            if len(chosen) < 2 and not same:
                chosen.append(n)
        every = [entry for n in rows for entry in self.in_line(i, j, n, looker, mode)]
        obstacles = [] if clear == YES else self._obstacles(every)
        drawn = tuple(_drawn(lines, n, answers[n], looker == i) for n in chosen)
        return UnitSight(clear, _by_column(obstacles), drawn)

    def _obstacles(self, every: list[tuple[str, str, np.int8, Any, Any]]) -> list[Obstacle]:
        """Each thing once: the surest first, then what is in most lines, then by id."""
        told = []
        for kind, name in dict.fromkeys((kind, name) for name, kind, *_ in every):
            entries = [entry for entry in every if (entry[1], entry[0]) == (kind, name)]
            worst = max(entry[2] for entry in entries)
            lines = sum(entry[2] == worst for entry in entries)
            place = None
            if entries[0][4] is not None:
                x, y = min((entry[4] for entry in entries), key=lambda depth: depth[:2])[2]
                place = (float(x), float(y))
            told.append(Obstacle(name, self._words(name, kind, entries, place), worst, lines, place))
        return sorted(told, key=lambda obstacle: (-int(obstacle.answer), -obstacle.lines, obstacle.id))

    def _words(self, name: str, kind: str, entries: list[Any], place: tuple[float, float] | None) -> str:
        if kind == "hill":
            return f'the hill "{name}"'
        if kind == "friend":
            return f'the friendly unit "{name}" ({"dug in" if entries[0][3] else "not dug in"})'
        if kind == "unnamed":
            assert place is not None
            whose = f"the unnamed {entries[0][3]} base" if entries[0][3] else "the unnamed base, maybe a friend's,"
            return f"{whose} at ({place[0]:.1f}, {place[1]:.1f})"
        if all(beyond == NO for _, _, _, (beyond, _), _ in entries):
            return f'the {kind} "{name}": the sight crosses two of its edges'
        limit, shortest = self.situation.rules.area_sight_in, min(length for *_, (_, length), _ in entries)
        return (
            f'the {kind} "{name}": sight that touches it may be {limit:g}″ long, and this is {shortest:.2f}″ at least'
        )


def _by_column(obstacles: list[Obstacle]) -> Obstacles:
    sure = sum(obstacle.answer == YES for obstacle in obstacles)
    columns = ([obstacle[k] for obstacle in obstacles] for k in range(5))
    return Obstacles(sure, *columns)


def _drawn(lines: SightLines, n: int, answer: np.int8, forward: bool) -> dict[str, Any]:
    edges = [edge[n].round(4).tolist() for edge in (lines.edge_first, lines.edge_second)]
    near, far = edges if forward else edges[::-1]
    verdict = {YES: "clear", NO: "blocked", OPEN: "too-close"}[answer]
    return {"from": near, "to": far, "length": round(float(lines.length[n]), 4), "verdict": verdict}
