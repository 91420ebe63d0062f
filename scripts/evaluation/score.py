"""One photo's observation against its truth.

Bases are matched one to one by least total distance, at most :data:`MATCH_IN` apart. A photo without an observation
has missed everything.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from evaluation.matches import BaseRow, FalseBase, SmallThing
from evaluation.questions import Asked, judged_questions
from evaluation.reliability import Statement, statements_of
from evaluation.terrain import TerrainScore, score_terrain
from evaluation.truth import TrueBase, Truth
from tabletop.identity.question import ids_asked
from tabletop.tables.folded_lists import unfolded

MATCH_IN = 0.75
DIE_IN = 0.5
_FAR = 1e6


@dataclass(frozen=True)
class Score:
    """All that one photo's observation got right and wrong."""

    bases: tuple[BaseRow, ...]
    false: tuple[FalseBase, ...]
    range_errors_in: tuple[float, ...]
    dice: tuple[SmallThing, ...]
    cotton: tuple[SmallThing, ...]
    terrain: TerrainScore
    dice_seen: int
    dice_right: int
    ellipse_checked: int
    misread: int
    questions: int
    judged: tuple[Asked, ...]
    statements: tuple[Statement, ...]
    turned: bool

    def figures(self) -> dict[str, Any]:
        """The photo's figures under the usual names of such scores."""
        rows = self.bases
        out: dict[str, Any] = {
            "bases": len(rows),
            "found": sum(r.found for r in rows),
            "invented": len(self.false),
            "tagged": sum(r.tag is not None for r in rows),
            "readable": sum(r.must_read for r in rows),
            "readable_right": sum(r.read for r in rows),
            "misread": self.misread,
            "tagged_found": sum(r.tag is not None and r.found for r in rows),
            "tagged_right": sum(r.tag is not None and r.found and r.seen_tag == r.tag for r in rows),
            "untagged": sum(r.tag is None for r in rows),
            "untagged_found": sum(r.tag is None and r.found for r in rows),
            "wrong_unit": sum(r.seen_unit not in (None, r.unit) for r in rows),
            "wrong_side": sum(r.seen_side not in (None, r.side) for r in rows),
            "named": sum(r.found and r.seen_unit == r.unit for r in rows),
            "ellipse_checked": self.ellipse_checked,
            "ellipse_inside": sum(r.inside for r in rows),
        }
        for name, some in (
            ("tagged", [r for r in rows if r.tag is not None]),
            ("untagged", [r for r in rows if r.tag is None]),
        ):
            errors = [r.error_in for r in some if r.error_in is not None]
            turns = [r.facing_error_deg for r in some if r.facing_error_deg is not None]
            out[f"{name}_error_median"], out[f"{name}_error_p95"] = percentile(errors, 50), percentile(errors, 95)
            out[f"{name}_facing_p95"] = percentile(turns, 95)
        out["range_error_p95"] = percentile(self.range_errors_in, 95)
        out["terrain_iou"] = {kind: round(area.iou, 3) for kind, area in sorted(self.terrain.kinds.items())}
        return out | {
            "dice": sum(d.there for d in self.dice),
            "dice_seen": self.dice_seen,
            "dice_right": self.dice_right,
        }


def percentile(values: Sequence[float], p: float) -> float | None:
    """A percentile, ``None`` of nothing.

    >>> percentile([1.0, 2.0, 4.0], 50), percentile([], 50)
    (2.0, None)
    """
    return float(np.percentile(values, p)) if len(values) else None


def turned_by(a_deg: float, b_deg: float) -> float:
    """The angle between two directions, 0 to 180 degrees.

    >>> turned_by(350, 15)
    25.0
    """
    return abs((a_deg - b_deg + 180.0) % 360.0 - 180.0)


def score_photo(observation: Mapping[str, Any] | None, truth: Truth) -> Score:
    """The score of a photo's observation (contract section 3), ``None`` without one."""
    seen = observation["bases"] if observation else []
    pairs = match_points([base.center for base in truth.bases], [base["center"] for base in seen], MATCH_IN)
    partner = dict(pairs)
    rows = tuple(_row(truth, base, seen[partner[i]] if i in partner else None) for i, base in enumerate(truth.bases))
    taken = set(partner.values())
    told: Mapping[str, Any] = unfolded(observation or {})
    dice = [(d["center"], d["value"]) for d in told.get("dice", [])]
    asked = {
        ask: {name for q in told.get("questions", []) if q["ask"] == ask for name in ids_asked(q)}
        for ask in ("value", "whose")
    }
    seen_dice = [
        _Seen(d["center"], d["value"], d.get("id"), asked["value"], d.get("confidence", 1.0))
        for d in told.get("dice", [])
    ]
    balls = [m for m in told.get("markers", []) if m.get("method") == "cotton"]
    seen_balls = [_Seen(m["center"], m["unit"], m.get("id"), asked["whose"], m.get("confidence", 1.0)) for m in balls]
    true_dice = [(die.center, die.value) for die in truth.dice]
    things = _small_things(true_dice, seen_dice), _small_things(truth.cotton, seen_balls)
    terrain = score_terrain(told.get("terrain", []), truth)
    false = tuple(_false(base) for j, base in enumerate(seen) if j not in taken)
    judged = tuple(judged_questions(told, rows, *things, terrain.seen))
    return Score(
        bases=rows,
        false=false,
        range_errors_in=tuple(_range_errors(rows)),
        dice=tuple(things[0]),
        cotton=tuple(things[1]),
        terrain=terrain,
        dice_seen=len(dice),
        dice_right=sum(
            [shown for at, shown in dice if math.dist(at, center) <= DIE_IN] == [value] for center, value in true_dice
        ),
        ellipse_checked=sum(bool(seen[j].get("covariance")) for j in taken),
        misread=sum(rows[i].seen_tag not in (None, rows[i].tag) for i in partner),
        questions=len((observation or {}).get("questions", [])),
        judged=judged,
        statements=tuple(statements_of(told, rows, false, things[0], terrain.seen, judged)),
        turned=is_turned(told, truth),
    )


TURNED_DEG = 45.0


def is_turned(observation: Mapping[str, Any], truth: Truth) -> bool:
    """Whether another edge of the table was taken for the near one than is: its places are then those of a table turned
    by a quarter or half."""
    for photo in observation.get("photos", [])[:1]:
        across = truth.camera.R.T @ np.array(photo["R"], dtype=np.float64).reshape(3, 3)
        return abs(math.degrees(math.atan2(across[1, 0] - across[0, 1], across[0, 0] + across[1, 1]))) > TURNED_DEG
    return False


def match_points(
    true: Sequence[Sequence[float]], seen: Sequence[Sequence[float]], within_in: float
) -> list[tuple[int, int]]:
    """Pairs (true, seen) of points at most ``within_in`` apart, one to one, of the least total distance.

    >>> match_points([(0, 0), (1, 0)], [(0.6, 0), (9, 9)], 0.75)
    [(1, 0)]
    """
    if not len(true) or not len(seen):
        return []
    gap = np.linalg.norm(np.asarray(true, dtype=np.float64)[:, None] - np.asarray(seen, dtype=np.float64)[None], axis=2)
    cost = np.where(gap <= within_in, gap, _FAR)
    return [(int(i), int(j)) for i, j in zip(*linear_sum_assignment(cost), strict=True) if cost[i, j] <= within_in]


def _row(truth: Truth, base: TrueBase, seen: Mapping[str, Any] | None) -> BaseRow:
    top = (*base.center, base.z + base.height)
    found: dict[str, Any] = {}
    if seen is not None:
        offset = np.subtract(seen["center"], base.center)
        facing, turn = seen.get("facing"), None
        if facing is not None and base.facing is not None and base.shape != "round":
            turn = turned_by(facing, base.facing)
        found = {
            "found": True,
            "seen": seen.get("id"),
            "seen_at": (float(seen["center"][0]), float(seen["center"][1])),
            "seen_tag": seen.get("tag"),
            "seen_unit": seen.get("unit"),
            "seen_side": seen.get("side"),
            "error_in": float(np.hypot(*offset)),
            "normalized_sq": normalized_sq(offset, seen.get("covariance")),
            "facing_error_deg": turn,
            "facing_sigma_deg": seen.get("facing_sigma") if turn is not None else None,
        }
    return BaseRow(
        base.unit, base.side, base.kind, base.shape, (base.width, base.depth), base.center, base.z, base.height,
        base.facing, base.tag, base.readable, base.unique, base.visible,
        truth.camera.pixels_per_inch(top), truth.camera.distance_in(top), bool(truth.camera.in_picture(top)[0]),
        **found,
    )  # fmt: skip


def normalized_sq(offset: Any, covariance: Any) -> float | None:
    """The square of an error (2,) in units of its covariance (2, 2): chi-square with 2 degrees of freedom.

    ``None`` without a covariance; infinite for one that has no inverse.

    >>> normalized_sq([0.3, 0.0], [[0.09, 0.0], [0.0, 1.0]])
    1.0
    """
    if not covariance:
        return None
    try:
        return float(np.asarray(offset) @ np.linalg.solve(np.array(covariance, dtype=np.float64), offset))
    except np.linalg.LinAlgError:
        return math.inf


def _false(base: Mapping[str, Any]) -> FalseBase:
    at = float(base["center"][0]), float(base["center"][1])
    rest = (base.get(key) for key in ("confidence", "method", "tag", "unit", "side"))
    return FalseBase(str(base.get("id")), at, *rest)


def _range_errors(rows: Sequence[BaseRow]) -> list[float]:
    """How far the distance between the centres of any two unique bases is off."""
    found = [(row.at, row.seen_at) for row in rows if row.unique and row.seen_at is not None]
    return [
        abs(math.dist(at, other) - math.dist(seen, seen_other))
        for i, (at, seen) in enumerate(found)
        for other, seen_other in found[:i]
    ]


class _Seen(NamedTuple):
    at: Sequence[float]
    told: Any
    id: str | None
    asked: Collection[str]
    confidence: float

    def thing(self, at: tuple[float, float], there: bool, true: Any) -> SmallThing:
        return SmallThing(at, there, true, True, self.told, self.id in self.asked, self.id, self.confidence)


def _small_things(true: Sequence[tuple[tuple[float, float], Any]], seen: Sequence[_Seen]) -> list[SmallThing]:
    partner = dict(match_points([at for at, _ in true], [one.at for one in seen], DIE_IN))
    there = [
        seen[partner[i]].thing(at, True, value) if i in partner else SmallThing(at, True, value, False, None)
        for i, (at, value) in enumerate(true)
    ]
    taken = set(partner.values())
    false = [
        one.thing((float(one.at[0]), float(one.at[1])), False, None) for j, one in enumerate(seen) if j not in taken
    ]
    return there + false
