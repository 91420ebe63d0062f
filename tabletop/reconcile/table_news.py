"""News on a watched table: real changes between the last reported observation and a new one.

An observation of an unchanged table differs from the previous one by measurement errors, and sometimes by a base that
one of them missed. So a change counts if it is more than a nudge and, if the pictures were compared, if they differ
there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from tabletop.changes.detection import Changes, UnitChange, changes_between
from tabletop.identity.matching import Limits
from tabletop.identity.table_snapshot import BaseSighting, Marker, sighting_from_json

Array = npt.NDArray[np.float64]
Touched = Callable[[Sequence[float]], bool]


@dataclass(frozen=True)
class WatchingConfig:
    """``near_in``: a change this near to a place that looks different is taken to belong to it; ``same_die_in``: a die
    this near to the former place of one is the same die; ``doubt_bases`` and ``doubt_share``: if this many bases, and
    this share of all, are gone at once, something may cover them."""

    near_in: float = 0.75
    same_die_in: float = 0.4
    doubt_bases: int = 4
    doubt_share: float = 0.35


@dataclass(frozen=True)
class DieChange:
    """A die that ``came``, ``went`` or has another value, at ``center`` in inches: its values before and after,
    ``None`` if unknown.

    >>> str(DieChange((3.0, 4.0), 5, 6))
    'The die at (3.0, 4.0) shows 6 (before: 5).'
    """

    center: tuple[float, float]
    before: int | None
    after: int | None
    came: bool = False
    went: bool = False

    def __str__(self) -> str:
        x, y = self.center
        at = f"at ({x:.1f}, {y:.1f})"
        if self.came:
            return f"A die lies {at}" + ("." if self.after is None else f": {self.after}.")
        if self.went:
            return f"The die {at} is gone" + ("." if self.before is None else f" (it showed {self.before}).")
        return f"The die {at} shows {self.after} (before: {self.before})."


@dataclass(frozen=True, eq=False)
class TableNews:
    """The real changes between two observations: ``changes`` holds only units that really changed; dice; ``doubt``, a
    sentence if too much is gone at once to be believed immediately."""

    changes: Changes
    dice: tuple[DieChange, ...] = ()
    markers: tuple[Marker, ...] = ()
    doubt: str = ""

    def __bool__(self) -> bool:
        return bool(self.changes.units or self.dice or self.markers)

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        dice = [{**asdict(die), "center": list(die.center)} for die in self.dice]
        return {**self.changes.to_json(), "dice": dice}


def news_between(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    places: Sequence[Array] | None = None,
    limits: Limits | None = None,
    *,
    elsewhere: Sequence[BaseSighting] = (),
    config: WatchingConfig | None = None,
) -> TableNews:
    """The real changes between two observations (the contract's mappings) of one table.

    ``places`` are outlines (n, 2) in inches of the areas that look different, ``None`` if the pictures can't be
    compared. In that case a missing base of a unit that is still seen may be hidden from the new viewpoint and does not
    count. Raises SceneError if the two are not of one table.
    """
    config = config or WatchingConfig()
    touched = _touches(places, config.near_in)
    changes = changes_between(
        sighting_from_json(before, "the observation before"),
        sighting_from_json(after, "the new observation"),
        limits,
        elsewhere=elsewhere,
    )
    real = tuple(u for u in changes.units if _is_real(u, changes, touched, compared=places is not None))
    loose = tuple(m for m in changes.new_markers if touched(m.center))
    dice = tuple(d for d in _dice_changes(before, after, config.same_die_in) if touched(d.center))
    return TableNews(replace(changes, units=real, markers=loose), dice, loose, _doubt(changes, config))


def _touches(places: Sequence[Array] | None, near_in: float) -> Touched:
    """Whether a point is in or near one of the places; always true if they are not known."""
    if places is None:
        return lambda point: True
    hulls = [shapely.MultiPoint(np.asarray(outline)).convex_hull for outline in places]
    return lambda point: any(hull.distance(shapely.Point(*point)) <= near_in for hull in hulls)


def _is_real(unit: UnitChange, changes: Changes, touched: Touched, *, compared: bool) -> bool:
    """Whether a unit changed by more than measurement errors."""
    if unit.change not in ("stayed", "nudged"):
        return any(touched(point) for point in (*unit.before.tolist(), *unit.after.tolist()))
    if compared and any(touched(point) for point in _came_or_went(unit, changes)):
        return True
    old = changes.before.markers or ()
    gone = [m.center for m in old if m.unit == unit.unit and m.means in unit.unmarked]
    return any(touched(point) for point in (*gone, *(m.center for m in unit.marked)))


def _came_or_went(unit: UnitChange, changes: Changes) -> Iterator[list[float]]:
    """The places of a unit's bases that only one of the observations has."""
    for base in unit.bases:
        one = base.before if base.after is None else base.after if base.before is None else None
        seen = changes.before if base.after is None else changes.after
        yield from (piece.center.tolist() for piece in seen.pieces if one is not None and piece.id == one)


def _doubt(changes: Changes, config: WatchingConfig) -> str:
    was = len(changes.before.pieces)
    gone = sum(base.after is None for unit in changes.units for base in unit.bases)
    if gone < max(config.doubt_bases, config.doubt_share * was):
        return ""
    return f"{gone} of {was} bases can't be seen any more; looking again in case something covers them."


def _dice_changes(before: Mapping[str, Any], after: Mapping[str, Any], same_in: float) -> Iterator[DieChange]:
    """Dice that came, went or show another value; one that can't be read in either is ignored."""
    left = [(tuple(d["center"]), d["value"]) for d in before.get("dice", ())]
    for die in after.get("dice", ()):
        center, value = tuple(die["center"]), die["value"]
        near = min(left, key=lambda old: math.dist(old[0], center), default=None)
        if near is None or math.dist(near[0], center) > same_in:
            yield DieChange(center, None, value, came=True)
            continue
        left.remove(near)
        if near[1] is not None and value is not None and near[1] != value:
            yield DieChange(center, near[1], value)
    for center, value in left:
        yield DieChange(center, value, None, went=True)
