"""Which unit an untagged base belongs to: only where no other reading of the table is nearly as good.

Bases of a unit are close together, so the cost of giving a base to a unit is the length of the shortest chain of gaps
that leads to the unit's known base over bases of the same shape and side. The assignment of least total cost is found
once, and once more for each base with its unit forbidden; a name is kept only when that costs clearly more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from scipy.optimize import linear_sum_assignment

from vision.bases.selection import Found
from vision.model.expected import BaseShape, Expected, ExpectedUnit

Array = npt.NDArray[np.float64]
NEVER = 1e6


@dataclass(frozen=True)
class AssignConfig:
    """``gap_in``: the widest usual gap between neighbours in a unit (2″ between tanks, 1″ otherwise, with
    room for careless hands); ``hop_in``: cost of each link of a chain; ``turn_deg``: difference in direction that costs
    as much as an inch; ``nobody_in``: cost of belonging to no unit that is seen; ``margin_in``: by how much the best
    reading must beat the next before a base is named."""

    gap_in: float = 1.25
    tank_gap_in: float = 2.25
    hop_in: float = 0.15
    turn_deg: float = 20.0
    nobody_in: float = 3.0
    margin_in: float = 0.6


def name_bases(
    found: list[Found], tagged: dict[int, tuple[int, bool]], expected: Expected, config: AssignConfig
) -> dict[int, int]:
    """Rows of ``found`` that certainly belong to a unit: row to the unit's row in ``expected.units``.

    ``tagged`` maps rows with a read tag to (unit row, whether it is the unique base). Tagged rows are not repeated
    in the answer.
    """
    free = [i for i in range(len(found)) if i not in tagged]
    anchors: dict[int, list[int]] = {}
    for row, (unit, _) in tagged.items():
        anchors.setdefault(unit, []).append(row)
    slots: list[tuple[int, BaseShape]] = []
    for unit, rows in anchors.items():
        lacked = Counter(expected.units[unit].counts) - Counter(found[row].shape for row in rows)
        slots += [(unit, shape) for shape in lacked.elements()]
    if not free or not slots:
        return _by_elimination(found, tagged, {}, expected, config)
    gaps = _gaps(found)
    units = sorted({unit for unit, _ in slots})
    reach = {unit: _chain_costs(found, gaps, anchors[unit], set(free), expected.units[unit], config) for unit in units}
    cost = np.full((len(free), len(slots) + len(free)), config.nobody_in)
    for a, row in enumerate(free):
        for b, (unit, shape) in enumerate(slots):
            cost[a, b] = reach[unit].get(row, NEVER) if found[row].shape == shape else NEVER
    chosen = solve_assignment(cost)
    least = cost[np.arange(len(free)), chosen].sum()
    named: dict[int, int] = {}
    for a, row in enumerate(free):
        if chosen[a] >= len(slots):
            continue
        unit = slots[chosen[a]][0]
        other = cost.copy()
        other[a, [b for b, slot in enumerate(slots) if slot[0] == unit]] = NEVER
        again = other[np.arange(len(free)), solve_assignment(other)].sum()
        if again - least >= config.margin_in:
            named[row] = unit
    return _by_elimination(found, tagged, named, expected, config)


def solve_assignment(cost: Array) -> npt.NDArray[np.intp]:
    """The column (n,) that each row of costs (n, m), no more rows than columns, gets at the least total cost."""
    rows, columns = linear_sum_assignment(cost)
    return columns[np.argsort(rows)]


def _gaps(found: list[Found]) -> Array:
    """Edge-to-edge gaps between all bases found, inches."""
    areas = np.array([f.footprint for f in found])
    return np.asarray(shapely.distance(areas[:, None], areas[None, :]), dtype=np.float64)


def _chain_costs(
    found: list[Found], gaps: Array, anchors: list[int], free: set[int], unit: ExpectedUnit, config: AssignConfig
) -> dict[int, float]:
    """Cost of every free base that a chain of fitting bases links to the unit's known ones (Dijkstra over few
    nodes)."""
    widest = config.tank_gap_in if unit.kind == "tank" else config.gap_in
    fitting = [i for i in free if found[i].side in (unit.side, "") and found[i].shape in unit.counts]
    best = dict.fromkeys(fitting, NEVER)
    done: set[int] = set()
    lead = found[anchors[0]]
    frontier = dict.fromkeys(anchors, (0.0, 0))
    while frontier:
        here = min(frontier, key=lambda i: frontier[i][0])
        so_far, links = frontier.pop(here)
        done.add(here)
        if here in best:
            best[here] = min(best[here], so_far + _turn_cost(found[here], lead, config))
        if links >= unit.bases - 1:
            continue
        for there in fitting:
            gap = gaps[here, there]
            if there in done or gap > widest * 1.5:
                continue
            step = gap + config.hop_in + max(0.0, gap - widest) * 4
            if there not in frontier or so_far + step < frontier[there][0]:
                frontier[there] = (so_far + step, links + 1)
    return {i: c for i, c in best.items() if c < NEVER}


def _turn_cost(base: Found, lead: Found, config: AssignConfig) -> float:
    """Cost of a direction that differs from the unit's known base; square bases repeat every 90 degrees."""
    if base.shape.is_round or lead.shape.is_round:
        return 0.0
    period = base.shape.period_deg
    turn = abs((base.fit.facing - lead.fit.facing + period / 2) % period - period / 2)
    return float(max(0.0, turn - 5.0) / config.turn_deg)


def _by_elimination(
    found: list[Found],
    tagged: dict[int, tuple[int, bool]],
    named: dict[int, int],
    expected: Expected,
    config: AssignConfig,
) -> dict[int, int]:
    """Bases left over where just one unit of their side and shapes is unseen, and every other such unit is whole.

    They must be together as one unit is, with at most as many of a shape as it has.
    """
    count: dict[int, int] = {}
    for owner, _ in tagged.values():
        count[owner] = count.get(owner, 0) + 1
    for owner in named.values():
        count[owner] = count.get(owner, 0) + 1
    left = [i for i in range(len(found)) if i not in tagged and i not in named]
    out = dict(named)
    for row, unit in enumerate(expected.units):
        if count.get(row):
            continue
        alike = [k for k, u in enumerate(expected.units) if k != row and u.side == unit.side and u.has_any(unit.shapes)]
        if any(count.get(k, 0) < expected.units[k].bases for k in alike):
            continue
        mine = [i for i in left if found[i].side in (unit.side, "") and found[i].shape in unit.counts]
        too_many = Counter(found[i].shape for i in mine) - Counter(unit.counts)
        if not mine or too_many or any(found[i].rivals for i in mine):
            continue
        widest = config.tank_gap_in if unit.kind == "tank" else config.gap_in
        if len(mine) > 1:
            gaps = _gaps([found[i] for i in mine])
            np.fill_diagonal(gaps, np.inf)
            if np.any(gaps.min(axis=1) > widest):
                continue
        out.update(dict.fromkeys(mine, row))
    return out
