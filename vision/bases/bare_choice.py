"""Which of the fitted shapes are on the table together: the set that explains most, solid things not overlapping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from scipy.sparse import coo_array

from vision.bases.bare_shapes import Laid
from vision.bases.selection import footprint
from vision.imaging.rims import Array
from vision.model.expected import BaseShape

_LATTICE_ROW = 1 << 20  # numbers of the lattice's places from one column to the next: more than any table is deep


@dataclass(frozen=True)
class ChoiceConfig:
    """``least_share``: a base must explain this share of the most that its shape can; ``inset_in``: by so much less
    than its outline a base keeps others out, tested every ``lattice_in``; ``alike_share``: by so much the worth of two
    of one shape rises within ``beside_in`` of each other and as far as they are in one line (``askew_deg``);
    ``exchanged``: so many that would take the place of one or two taken ones are tried; ``rounds``: changes
    made at most."""

    least_share: float = 0.2
    inset_in: float = 0.07
    lattice_in: float = 0.22
    alike_share: float = 0.1
    beside_in: float = 0.6
    askew_deg: float = 12.0
    exchanged: int = 60
    rounds: int = 400


def choose_bases(
    laid: Sequence[Laid],
    shapes: tuple[BaseShape, ...],
    full: Sequence[float],
    most: Sequence[int],
    config: ChoiceConfig,
) -> list[int]:
    """Rows of the set of greatest worth: no two overlapping, at most ``most`` of each shape, each of which can be worth
    ``full``."""
    least = config.least_share - config.alike_share
    rows = [k for k, one in enumerate(laid) if one.score > least * full[one.shape]]
    if not rows:
        return []
    some = [laid[k] for k in rows]
    best = np.array([full[one.shape] for one in some])
    worth = np.array([one.score for one in some]) - config.least_share * best
    clash = _clashes(some, shapes, config)
    kinds = np.array([one.shape for one in some])
    picked = best_set(worth, clash, kinds, most, (), config)
    # Bases of a unit are alike: one in line with a taken one is worth more, and all are chosen again.
    areas = outlines_of(some, shapes)
    extra = np.zeros(len(some))
    for a, b in zip(*shapely.STRtree(areas).query(areas[picked], "dwithin", config.beside_in), strict=True):
        a = picked[a]
        if a != b and _alike(some[a], some[b], shapes, config):
            extra[b] += config.alike_share * (shapely.distance(areas[a].buffer(-config.inset_in), areas[b]) > 0)
    worth = worth + best * np.minimum(extra, 2 * config.alike_share)
    picked = best_set(worth, clash, kinds, most, picked, config)
    return [rows[k] for k in picked]


def outlines_of(laid: Sequence[Laid], shapes: tuple[BaseShape, ...]) -> npt.NDArray[np.object_]:
    """The outlines on the table of fitted shapes."""
    rows = [footprint(shapes[k.shape], k.pose[0], k.pose[1], float(np.degrees(k.pose[2]))) for k in laid]
    return np.array(rows, dtype=object)


def _alike(a: Laid, b: Laid, shapes: tuple[BaseShape, ...], config: ChoiceConfig) -> bool:
    if a.shape != b.shape:
        return False
    shape = shapes[a.shape]
    if shape.is_round:
        return True
    period = np.radians(shape.period_deg)
    return bool(abs((a.pose[2] - b.pose[2] + period / 2) % period - period / 2) < np.radians(config.askew_deg))


def _clashes(laid: Sequence[Laid], shapes: tuple[BaseShape, ...], config: ChoiceConfig) -> npt.NDArray[np.bool_]:
    """Which (n, n) cannot be on one table together; none with itself."""
    cells = [_covered_cells(one, shapes[one.shape], config) for one in laid]
    row = np.repeat(np.arange(len(laid)), [len(cell) for cell in cells])
    places, column = np.unique(np.concatenate(cells), return_inverse=True)
    table = coo_array((np.ones(len(row), np.float32), (row, column)), shape=(len(laid), len(places))).tocsr()
    clash = np.asarray((table @ table.T).toarray() > 0)
    np.fill_diagonal(clash, False)
    return clash


def _covered_cells(one: Laid, shape: BaseShape, config: ChoiceConfig) -> npt.NDArray[np.int64]:
    """Places (n,) of a lattice over the table, a number each, under a base without its rim."""
    (x, y, angle), step = one.pose, config.lattice_in
    half_w, half_d = shape.width / 2 - config.inset_in, shape.depth / 2 - config.inset_in
    reach = half_w if shape.is_round else float(np.hypot(half_w, half_d))
    across = np.arange(np.ceil((x - reach) / step), (x + reach) / step + 1e-9)
    along = np.arange(np.ceil((y - reach) / step), (y + reach) / step + 1e-9)
    dx, dy = across[:, None] * step - x, along[None, :] * step - y
    if shape.is_round:
        inside = np.hypot(dx, dy) <= reach
    else:
        right, ahead = dx * np.cos(angle) - dy * np.sin(angle), dx * np.sin(angle) + dy * np.cos(angle)
        across_it, along_it = np.abs(right) / half_w, np.abs(ahead) / half_d
        inside = (np.hypot(across_it, along_it) if shape.is_oval else np.maximum(across_it, along_it)) <= 1
    i, j = np.nonzero(inside)
    return across[i].astype(np.int64) * _LATTICE_ROW + along[j].astype(np.int64)


def best_set(
    worth: Array,
    clash: npt.NDArray[np.bool_],
    kinds: npt.NDArray[np.intp],
    most: Sequence[int],
    start: Sequence[int],
    config: ChoiceConfig,
) -> list[int]:
    """Rows without a clash, at most ``most`` of each kind, such that no exchange improves their total worth.

    Starting from ``start``, one replaces everything that it clashes with, several replace one or two neighbours, as
    long as that is a gain.
    """
    taken = np.zeros(len(worth), dtype=bool)
    taken[list(start)] = True
    limit = np.asarray(most)
    table = clash.astype(np.float32)
    for _ in range(config.rounds):
        change = _one_in(worth, table, taken, kinds, limit)
        if change is None:
            change = _several_in(worth, clash, taken, kinds, limit, config)
        if change is None:
            break
        out, into = change
        taken[out] = False
        taken[into] = True
    return [int(k) for k in np.flatnonzero(taken)]


Change = tuple[list[int], list[int]]


def _one_in(
    worth: Array,
    table: npt.NDArray[np.float32],
    taken: npt.NDArray[np.bool_],
    kinds: npt.NDArray[np.intp],
    limit: npt.NDArray[np.intp],
) -> Change | None:
    """The best exchange of one for everything that it clashes with; where there are too many of its kind, one of these
    is dropped or becomes another kind."""
    rows = np.flatnonzero(taken)
    against = table[:, rows]
    gain = worth - against @ worth[rows]
    gain[rows] = -np.inf
    room = limit - np.bincount(kinds[rows], minlength=len(limit))
    count = against.sum(axis=1)
    gone: dict[int, tuple[int, int | None]] = {}
    for kind in (int(k) for k in np.flatnonzero(room <= 0)):
        ways = []
        for at in np.flatnonzero(kinds[rows] == kind):
            instead = np.flatnonzero((count == 1) & (against[:, at] > 0) & (room[kinds] > 0) & (worth > 0))
            other = int(instead[np.argmax(worth[instead])]) if len(instead) else None
            ways.append((worth[rows[at]] - (0.0 if other is None else worth[other]), int(rows[at]), other))
        # It must go unless the new one clashes with one of its kind anyway.
        alone = (kinds == kind) & (against[:, kinds[rows] == kind].sum(axis=1) == 0)
        if not ways:
            gain[alone] = -np.inf
            continue
        cost, row, other = min(ways, key=lambda way: way[0])
        gain[alone] -= cost
        if other is not None:
            gain[alone & (table[:, other] > 0)] = -np.inf
        gone[kind] = row, other
    best = int(np.argmax(gain))
    if gain[best] <= 1e-9:
        return None
    out, into = [int(k) for k in rows if table[best, k]], [best]
    own = int(kinds[best])
    if own in gone and not any(kinds[k] == own for k in out):
        row, other = gone[own]
        out.append(row)
        into += [] if other is None else [other]
    return out, into


def _several_in(
    worth: Array,
    clash: npt.NDArray[np.bool_],
    taken: npt.NDArray[np.bool_],
    kinds: npt.NDArray[np.intp],
    limit: npt.NDArray[np.intp],
    config: ChoiceConfig,
) -> Change | None:
    """A gainful exchange of several for one that was taken or for two neighbours."""
    rows = np.flatnonzero(taken)
    if not len(rows):
        return None
    against = clash[:, rows]
    count = against.sum(axis=1)
    firsts = against.argmax(axis=1)
    groups = [[k] for k in range(len(rows))]
    pairs = {tuple(np.flatnonzero(against[c])) for c in np.flatnonzero((count == 2) & (worth > 0))}
    groups += [[int(a), int(b)] for a, b in sorted(pairs)]
    used = np.bincount(kinds[rows], minlength=len(limit))
    for group in groups:
        if len(group) == 1:
            free = (count == 1) & (firsts == group[0])
        else:
            free = (count > 0) & (against[:, group].sum(axis=1) == count)
        free[rows] = False
        some = np.flatnonzero(free & (worth > 0))
        some = some[np.argsort(-worth[some], kind="stable")][: config.exchanged]
        if len(some) < 2:
            continue
        out = rows[group]
        left = limit - used + np.bincount(kinds[out], minlength=len(limit))
        into = _pack_greedily(worth[some], clash[np.ix_(some, some)], kinds[some], left)
        if worth[some[into]].sum() > worth[out].sum() + 1e-9:
            return [int(k) for k in out], [int(k) for k in some[into]]
    return None


def _pack_greedily(
    worth: Array, clash: npt.NDArray[np.bool_], kinds: npt.NDArray[np.intp], left: npt.NDArray[np.intp]
) -> list[int]:
    """Rows of the best of the sets that begin with each row and go on with the best that still fits."""
    best: list[int] = []
    most = 0.0
    for first in range(len(worth)):
        room = left - np.bincount(kinds[[first]], minlength=len(left))
        if room[kinds[first]] < 0:
            continue
        open_ = ~clash[first] & (room[kinds] > 0)
        open_[first] = False
        if worth[first] + worth[open_].sum() <= most:
            continue
        rows = [first]
        while open_.any():
            k = int(np.argmax(np.where(open_, worth, -np.inf)))
            rows.append(k)
            room[kinds[k]] -= 1
            open_ &= ~clash[k] & (room[kinds] > 0)
            open_[k] = False
        total = float(worth[rows].sum())
        if total > most:
            best, most = rows, total
    return best
