"""Which base of one moment is which of another: by name if read, else by place, else not at all.

A base without a read unit is assigned to a unit only on one of three grounds: it is where that unit's base was (no
one puts back another unit's base to a tenth of an inch), it is beside that unit's read bases and no other unit could
own it, or no other unit of its side and make could have come there. Any base that could be of two units is a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from tabletop.identity.table_snapshot import BaseSighting, Sighting
from tabletop.identity.unit_motion import NEVER, distances, match_pieces, spread_in, turn_between

Array = npt.NDArray[np.float64]

_NOBODY = 1e4  # the cost of leaving bases without a unit: more than the length of any table


@dataclass(frozen=True)
class Limits:
    """The limits of a unit's changes between two moments, in inches; empty if no rules are known.

    ``most_in``: the farthest that a unit of a kind can move at once; ``gap_in``: the widest gap between its bases.
    """

    most_in: Mapping[str, float] = field(default_factory=dict)
    gap_in: Mapping[str, float] = field(default_factory=dict)

    def most(self, kind: str | None) -> float:
        """The farthest that a unit of that kind moves (``None``: any kind); infinite without a rule."""
        if kind is None:
            return max(self.most_in.values(), default=np.inf)
        return self.most_in.get(kind, np.inf)

    def gap(self, kind: str | None) -> float:
        """The widest gap between its bases; 2 inches without a rule."""
        return self.gap_in.get(kind or "", 2.0)


@dataclass(frozen=True)
class IdentifyConfig:
    """``place_in``: how near to its old place an untouched base is, beyond the measurement's error; ``turn_deg``: by
    how much its direction may differ; ``slack_in``: how far beyond the limit a player may have moved a unit that is
    still recognised; ``gap_slack_in``: the same for gaps between bases."""

    place_in: float = 0.12
    turn_deg: float = 8.0
    slack_in: float = 0.5
    gap_slack_in: float = 0.4


@dataclass(frozen=True)
class Doubt:
    """A group of bases (rows) that could be any of several units; without candidates, no known unit fits."""

    rows: tuple[int, ...]
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Naming:
    """The units of the nameless bases: row to unit, the ground for it (``place``, ``beside``, ``only``), doubts.

    ``swapped`` are pairs of alike units that may have changed places: their bases stay nameless, and each is a doubt.
    ``untouched`` pairs rows of bases that are nameless both times and did not move (seen to known); ``gone`` are rows
    of the known sighting's other nameless bases, one tuple for each group.
    """

    names: Mapping[int, str]
    grounds: Mapping[str, str]
    doubts: tuple[Doubt, ...]
    untouched: Mapping[int, int] = field(default_factory=dict)
    gone: tuple[tuple[int, ...], ...] = ()
    swapped: tuple[tuple[str, str], ...] = ()


def name_by(
    known: Sighting,
    seen: Sighting,
    limits: Limits | None = None,
    *,
    elsewhere: Sequence[BaseSighting] = (),
    config: IdentifyConfig | None = None,
) -> Naming:
    """Identify the nameless bases of ``seen`` from a ``known`` sighting of the same table, before it or after.

    ``elsewhere`` has sample bases (with their units) of units that may have come from off the table. Every unit is
    assumed to have moved at most once between the two; if a unit that was read has moved beyond its ``limits``,
    distances exclude no unit.
    """
    search = _Search(known, seen, limits or Limits(), config or IdentifyConfig())
    search.in_place()
    search.turned_in_place()
    search.beside()
    search.elimination(elsewhere)
    gone = tuple(tuple(rows) for rows in search.strangers())
    return Naming(search.names, search.grounds, tuple(search.doubts), search.untouched, gone)


def nobody_named(known: Sighting, seen: Sighting, limits: Limits | None = None) -> Naming:
    """No names at all, and every nameless group a doubt without candidates: for sightings that are out of step."""
    search = _Search(known, seen, limits or Limits(), IdentifyConfig())
    return Naming({}, {}, tuple(Doubt(tuple(rows), ()) for rows in search.groups()))


class _Search:
    """A naming in progress: every step takes bases out of ``free``."""

    def __init__(self, known: Sighting, seen: Sighting, limits: Limits, config: IdentifyConfig) -> None:
        self.known, self.seen, self.config = known, seen, config
        self.limits = Limits({}, limits.gap_in) if _outrun(known, seen, limits, config) else limits
        self.free = set(seen.loose)
        self.makes = _mixed_makes(known)
        self.names: dict[int, str] = {}
        self.grounds: dict[str, str] = {}
        self.doubts: list[Doubt] = []
        self.untouched: dict[int, int] = {}
        self.here: dict[str, list[int]] = {unit: seen.rows(unit) for unit in seen.units}

    def _old(self, unit: str) -> list[BaseSighting]:
        return [self.known.pieces[i] for i in self.known.rows(unit)]

    def _new(self, rows: Sequence[int]) -> list[BaseSighting]:
        return [self.seen.pieces[i] for i in rows]

    def _give(self, rows: Sequence[int], unit: str, ground: str) -> None:
        for row in rows:
            self.names[row] = unit
            self.free.discard(row)
            self.here.setdefault(unit, []).append(row)
        self.grounds[unit] = ground

    def _bases_missing(self, unit: str) -> int:
        return len(self._old(unit)) - len(self.here.get(unit, []))

    def in_place(self) -> None:
        """Assign bases at the former places of a unit's bases."""
        for unit in self.known.units:
            old, mine = self._old(unit), self.here.get(unit, [])
            rows = [*sorted(self.free), *mine]
            if not rows or self._bases_missing(unit) <= 0:
                continue
            still = [(i, rows[j]) for i, j in self._still(old, rows)]
            if any(row not in [r for _, r in still] for row in mine):
                continue
            found = [row for _, row in still if row in self.free]
            others = [g for g in self._groups(sorted(self.free)) if set(g) & set(found)]
            if len(still) == 1 and len(old) > 1 and any(len(g) > 1 for g in others):
                continue
            if found:
                self._give(found, unit, "place")
        old_rows, new_rows = self.known.loose, sorted(self.free)
        if old_rows and new_rows:
            pairs = self._still([self.known.pieces[i] for i in old_rows], new_rows)
            self.untouched = {new_rows[j]: old_rows[i] for i, j in pairs}
            self.free -= set(self.untouched)

    def _still(self, old: Sequence[BaseSighting], rows: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs of old bases and places in ``rows`` that are the same spot."""
        far = distances(old, self._new(rows))
        pairs = []
        for i, j in zip(*linear_sum_assignment(far), strict=True):
            piece = self.seen.pieces[rows[j]]
            turn = turn_between(old[i], piece)
            same_way = turn is None or old[i].is_round or abs(turn) <= self.config.turn_deg
            if far[i, j] <= self.config.place_in + 3 * spread_in(old[i], piece) and same_way:
                pairs.append((int(i), int(j)))
        return pairs

    def turned_in_place(self) -> None:
        """Assign whole units that were only turned: their middle and the distances between their bases are the same."""
        for unit in self.known.units:
            old = self._old(unit)
            if self.here.get(unit) or len(old) < 2:
                continue
            for group in self._groups(sorted(self.free)):
                new = self._new(group)
                if len(group) == len(old) and _all_fit(old, new) and self._same_stand(old, new):
                    self._give(group, unit, "place")
                    break

    def _same_stand(self, old: Sequence[BaseSighting], new: Sequence[BaseSighting]) -> bool:
        middle = np.mean([p.center for p in old], axis=0) - np.mean([p.center for p in new], axis=0)
        noise = max(spread_in(p) for p in (*old, *new))
        if np.linalg.norm(middle) > self.config.place_in + 3 * noise:
            return False
        apart = [np.sort(_pairwise(pieces)) for pieces in (old, new)]
        return bool(np.all(np.abs(apart[0] - apart[1]) <= 2 * self.config.place_in + 4 * noise))

    def beside(self) -> None:
        """Assign bases beside the read ones of the only unit of their make that lacks any."""
        for group in self._groups(sorted(self.free)):
            new = self._new(group)
            lacking = [u for u in self.known.units if self._bases_missing(u) > 0 and _all_fit(self._old(u), new)]
            near = [u for u in lacking if self.here.get(u) and self._touch(group, self.here[u])]
            if len(near) == 1 and len(lacking) == 1 and len(group) <= self._bases_missing(near[0]):
                self._give(group, near[0], "beside")

    def elimination(self, elsewhere: Sequence[BaseSighting]) -> None:
        """Assign groups that can only be one unit, as each unit is in one place: those with the same unit in every
        assignment of the most groups."""
        groups = self._groups(sorted(self.free))
        strangers = [[self.known.pieces[i] for i in rows] for rows in self.strangers()]
        units = [u for u in self.known.units if self._bases_missing(u) > 0]
        reserves: dict[str, list[BaseSighting]] = {}
        for sample in elsewhere:
            if sample.unit is not None and sample.unit not in (*self.known.units, *self.here):
                reserves.setdefault(sample.unit, []).append(sample)
        owners = [*units, *reserves]
        cost = np.full((len(groups), len(owners) + len(strangers) + len(groups)), _NOBODY)
        for g, group in enumerate(groups):
            new = self._new(group)
            cost[g, : len(units)] = [self._way(unit, group) for unit in units]
            cost[g, len(units) : len(owners)] = [
                0.0 if all(any(_like(p, sample) for sample in makes) for p in new) else NEVER
                for makes in reserves.values()
            ]
            for s, old in enumerate(strangers):
                cost[g, len(owners) + s] = self._distance(old, new)
        if not groups:
            return
        chosen = _solve(cost)
        least = _groups_without_owner(cost, chosen)
        for g, group in enumerate(groups):
            free_owner = chosen[g] < len(owners) and cost[g, chosen[g]] < _NOBODY
            other = cost.copy()
            other[g, chosen[g]] = NEVER
            if free_owner and _groups_without_owner(other, _solve(other)) > least:
                self._give(group, owners[chosen[g]], "only")
            else:
                order = np.argsort(cost[g, : len(owners)], kind="stable")
                candidates = [owners[k] for k in order if cost[g, k] < _NOBODY] or self._parts(units, group)
                self.doubts.append(Doubt(tuple(group), tuple(candidates)))

    def _parts(self, units: Sequence[str], group: Sequence[int]) -> list[str]:
        """Units that a part of a group could be, for bases of several units that are too close together to separate."""
        return [unit for unit in units if any(self._way(unit, [row]) < NEVER for row in group)]

    def strangers(self) -> list[list[int]]:
        """Nameless groups (rows) of the known sighting that were touched since."""
        rows = [i for i in self.known.loose if i not in self.untouched.values()]
        return _groups(self.known.pieces, rows, self._together)

    def _way(self, unit: str, group: Sequence[int]) -> float:
        """The least distance that a group would have moved if it were this unit; ``NEVER`` if it can't be."""
        new = self._new(group)
        mine = self.here.get(unit, [])
        if len(group) > self._bases_missing(unit):
            return NEVER
        if mine and not self._touch(group, mine):
            return NEVER
        return self._distance(self._old(unit), new)

    def _distance(self, old: Sequence[BaseSighting], new: Sequence[BaseSighting]) -> float:
        if len(new) > len(old) or not _all_fit(old, new):
            return NEVER
        away = float(distances(old, new).min(axis=0).max())
        noise = max(spread_in(p, q) for p in old for q in new)
        kinds = {p.kind for p in (*old, *new)} - {None}
        reach = max((self.limits.most(kind) for kind in kinds), default=self.limits.most(None))
        return away if away <= reach + self.config.slack_in + 3 * noise else NEVER

    def _touch(self, rows: Sequence[int], others: Sequence[int]) -> bool:
        return any(
            float(np.linalg.norm(self.seen.pieces[a].center - self.seen.pieces[b].center))
            <= self._link_in(self.seen.pieces[a], self.seen.pieces[b])
            for a in rows
            for b in others
        )

    def _link_in(self, a: BaseSighting, b: BaseSighting) -> float:
        """The greatest distance between the centres of neighbours in a unit: their longer sides, a gap and some
        slack."""
        size = (max(a.width, a.depth) + max(b.width, b.depth)) / 2
        return size + self.limits.gap(a.kind or b.kind) + self.config.gap_slack_in

    def _together(self, a: BaseSighting, b: BaseSighting) -> bool:
        """Whether two bases are of one make, or of two makes that a known unit combines, and near enough for one
        unit."""
        if float(np.linalg.norm(a.center - b.center)) > self._link_in(a, b):
            return False
        return a.fits(b) or any(p.fits(a) and q.fits(b) for p, q in self.makes)

    def groups(self) -> list[list[int]]:
        """Nameless bases (rows) that are close together."""
        return self._groups(sorted(self.free))

    def _groups(self, rows: Sequence[int]) -> list[list[int]]:
        return _groups(self.seen.pieces, rows, self._together)


def _groups(
    pieces: Sequence[BaseSighting], rows: Sequence[int], together: Callable[[BaseSighting, BaseSighting], bool]
) -> list[list[int]]:
    """Rows of bases that are linked by closeness, neighbour by neighbour."""
    left, found = list(rows), []
    while left:
        group = [left.pop(0)]
        for row in group:
            near = [other for other in left if together(pieces[row], pieces[other])]
            group += near
            left = [other for other in left if other not in near]
        found.append(sorted(group))
    return found


def _mixed_makes(known: Sighting) -> list[tuple[BaseSighting, BaseSighting]]:
    """Pairs of bases of one unit that are of different makes, without their names."""
    pairs = []
    for unit in known.units:
        pieces = [replace(known.pieces[i], unit=None, unique=None) for i in known.rows(unit)]
        pairs += [(p, q) for p in pieces for q in pieces if not p.fits(q)]
    return pairs


def _all_fit(old: Sequence[BaseSighting], new: Sequence[BaseSighting]) -> bool:
    """Whether the new bases can be matched to different old ones."""
    if len(new) > len(old):
        return False
    fits = np.array([[0.0 if q.fits(p) else 1.0 for q in old] for p in new])
    rows, columns = linear_sum_assignment(fits)
    return bool(fits[rows, columns].sum() == 0)


def _like(piece: BaseSighting, sample: BaseSighting) -> bool:
    return piece.fits(replace(sample, unit=None))


def _pairwise(pieces: Sequence[BaseSighting]) -> Array:
    centers = np.array([p.center for p in pieces])
    i, j = np.triu_indices(len(centers), 1)
    return np.asarray(np.linalg.norm(centers[i] - centers[j], axis=1))


def _solve(cost: Array) -> npt.NDArray[np.intp]:
    rows, columns = linear_sum_assignment(cost)
    return np.asarray(columns[np.argsort(rows)])


def _groups_without_owner(cost: Array, chosen: npt.NDArray[np.intp]) -> int:
    """How many groups an assignment leaves without an owner."""
    return int(np.sum(cost[np.arange(len(cost)), chosen] >= _NOBODY))


def _outrun(known: Sighting, seen: Sighting, limits: Limits, config: IdentifyConfig) -> bool:
    """Whether a unit that was read both times is farther away than one move allows."""
    for unit in seen.units:
        old = [known.pieces[i] for i in known.rows(unit)]
        new = [seen.pieces[i] for i in seen.rows(unit)]
        for i, j in match_pieces(old, new):
            reach = limits.most(old[i].kind or new[j].kind) + config.slack_in + 3 * spread_in(old[i], new[j])
            if np.linalg.norm(old[i].center - new[j].center) > reach:
                return True
    return False
