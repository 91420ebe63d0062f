"""An evening of one drawn table: photographs between which units move, each from another place in another light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from synthetic.layers import Array
from synthetic.noise import rounded_rectangle
from synthetic.plan import random_plan
from synthetic.planned import PlannedUnit, TablePlan, frame_spots, square
from synthetic.tables import DrawnPhoto, draw_views
from synthetic.wishes import Wish

_TABLES_TRIED = 60


@dataclass(frozen=True)
class MoveConfig:
    """How units move between two photographs: each with the chance ``share``, one at the least, by ``march_in`` inches
    and a turn of about ``turn_deg``; a share ``nudged`` of the moved ones moves by ``nudge_in`` only, as by a sleeve.
    A unit that finds no room after ``tries`` stays."""

    share: float = 0.3
    march_in: tuple[float, float] = (1.0, 8.0)
    turn_deg: float = 25.0
    nudged: float = 0.12
    nudge_in: tuple[float, float] = (0.1, 0.6)
    tries: int = 40


def draw_sequence(seed: int, count: int, wish: Wish | None = None, config: MoveConfig | None = None
                  ) -> list[DrawnPhoto]:  # fmt: skip
    """``count`` photographs of one table, one after another, by one phone; names end in ``-1``, ``-2`` and so on.

    The table has a hill with a unit on it, which its table file does not mention. Between two photographs some units
    move; camera and light differ each time; terrain, dice and clutter stay. ``parameters.moved`` of a truth names
    the units that moved since the photograph before, ``parameters.nudged`` those of them that moved slightly.
    """
    wish, config = wish or Wish(), config or MoveConfig()
    plan, rng = hilly_plan(seed, wish), np.random.default_rng([seed, 8])
    out: list[DrawnPhoto] = []
    moved: tuple[str, ...] = ()
    nudged: tuple[str, ...] = ()
    for k in range(count):
        if k:
            plan, moved, nudged = with_moves(plan, rng, config)
        [photo] = draw_views(seed, 1, wish, plan=plan, moment=k)
        name = f"{photo.name}-{k + 1}"
        told = {**photo.truth["parameters"], "moved": list(moved), "nudged": list(nudged)}
        out.append(replace(photo, name=name, truth={**photo.truth, "name": name, "parameters": told}))
    return out


def hilly_plan(seed: int, wish: Wish) -> TablePlan:
    """A random table, within the options, with a base on a hill: the first such table of the seed, or the last one
    tried."""
    for k in range(_TABLES_TRIED):
        rng = np.random.default_rng([seed, 9, k])
        plan = random_plan(rng, size=wish.size, rims=wish.rims, tags=wish.tags, frame=wish.frame)
        hills = shapely.union_all([p.shape.buffer(-1.0) for p in plan.pieces if p.kind == "hill"])
        if any(hills.covers(shapely.Point(b.x, b.y)) for u in plan.units for b in u.bases):
            break
    return plan


def with_moves(
    plan: TablePlan, rng: np.random.Generator, config: MoveConfig
) -> tuple[TablePlan, tuple[str, ...], tuple[str, ...]]:
    """The table after a turn, the units that moved, and those of them that were only nudged."""
    if not plan.units:
        return plan, (), ()
    going = rng.random(len(plan.units)) < config.share
    going[int(rng.integers(len(plan.units)))] = True
    units = list(plan.units)
    moved, nudged = [], []
    for k in np.flatnonzero(going):
        slightly = bool(rng.random() < config.nudged)
        others = [area for j, unit in enumerate(units) if j != k for area in _areas(unit)]
        there = _moved(units[k], plan, others, rng, slightly, config)
        if there is None:
            continue
        units[k] = there
        moved.append(there.id)
        if slightly:
            nudged.append(there.id)
    return replace(plan, units=tuple(units)), tuple(moved), tuple(nudged)


def _moved(
    unit: PlannedUnit,
    plan: TablePlan,
    others: Sequence[shapely.Geometry],
    rng: np.random.Generator,
    slightly: bool,
    config: MoveConfig,
) -> PlannedUnit | None:
    """A unit after moving as one, clear of other bases, frame markers, dice and clutter; ``None`` if there is no
    room."""
    kept = [square(x, y, 1.25 * plan.marker_size) for x, y in frame_spots(plan.width, plan.depth, plan.marker_size)]
    laid = [square(t.x, t.y, 1.0) for t in plan.things if t.what == "die"]
    taken = shapely.union_all([*others, *(kept if plan.frame else []), *laid])
    table = shapely.box(0.3, 0.3, plan.width - 0.3, plan.depth - 0.3)
    places = np.array([[b.x, b.y] for b in unit.bases])
    middle = places.mean(axis=0)
    for _ in range(config.tries):
        far = float(rng.uniform(*(config.nudge_in if slightly else config.march_in)))
        way, turn = float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.1 if slightly else 1.0)) * config.turn_deg
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        clockwise = np.array([[c, s], [-s, c]])
        step = far * np.array([np.sin(way), np.cos(way)])
        spots: Array = (places - middle) @ clockwise.T + middle + step
        bases = tuple(
            replace(b, x=float(x), y=float(y), facing=float((b.facing + turn) % 360))
            for b, (x, y) in zip(unit.bases, spots, strict=True)
        )
        there = replace(unit, bases=bases)
        areas = _areas(there)
        if all(table.covers(a) for a in areas) and not any(a.intersects(taken) for a in areas):
            return there
    return None


def _areas(unit: PlannedUnit) -> list[shapely.Geometry]:
    """The outlines of a unit's bases."""
    return [
        shapely.Polygon(rounded_rectangle((b.x, b.y), (b.width, b.depth), -np.radians(b.facing), 0.01))
        for b in unit.bases
    ]
