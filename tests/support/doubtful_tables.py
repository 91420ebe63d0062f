"""Observations with doubts in them, made up base by base, and the roster that they are of."""

from typing import Any

import numpy as np

from calibration import FrameLayout
from geometry import Bases
from vision import BaseLabel, BaseShape, Expected, ExpectedUnit, Observation
from vision.model.expected import Rival

FOOT, TANK = BaseShape(2.0, 1.25, 0.12), BaseShape(1.75, 2.5, 0.12)
ROUND = BaseShape(1.0, 1.0, 0.12, is_round=True)


def unit(name: str, side: str = "blue", kind: str = "infantry", **more: Any) -> ExpectedUnit:
    shape = TANK if kind == "tank" else FOOT
    return ExpectedUnit(name, side, kind, more.pop("bases", 3), shape, more.pop("unique_shape", shape), **more)


ROSTER = (unit("A1"), unit("A2"), unit("A3", kind="tank"), unit("B1", "red"), unit("B2", "red"))


def seen(*rows: dict[str, Any], roster: tuple[ExpectedUnit, ...] = ROSTER, **more: Any) -> tuple[Observation, Expected]:
    """Bases given as mappings: at, unit, side, shape, facing, facing_known, unique, confidence, method, rivals,
    sides, alike."""
    kinds = {one.id: one.kind for one in roster}
    labels, shapes = [], [row.get("shape", FOOT) for row in rows]
    for k, row in enumerate(rows):
        labels.append(
            BaseLabel(
                f"base{k + 1}",
                row.get("unit"),
                None,
                row.get("side", "blue"),
                kinds.get(row.get("unit", "")),
                row.get("unique"),
                0.0,
                row.get("confidence", 0.9),
                row.get("method", "outline"),
                row.get("facing_known", True),
                tuple(row.get("rivals", ())),
                tuple(row.get("sides", {}).items()),
                row.get("alike"),
            )
        )
    bases = Bases.of(
        np.array([row["at"] for row in rows], dtype=float).reshape(-1, 2),
        np.array([row.get("facing", 0.0) for row in rows]),
        np.array([s.width for s in shapes]),
        np.array([s.depth for s in shapes]),
        is_round=np.array([s.is_round for s in shapes], dtype=bool),
    )
    expected = Expected(36.0, 36.0, FrameLayout("DICT_APRILTAG_36h11", 2.0, ()), roster)
    return Observation((36.0, 36.0), (), bases, tuple(labels), roster=roster, **more), expected


def rival(shape: BaseShape, chance: float, x: float, y: float, facing: float = 0.0) -> Rival:
    return Rival(shape, chance, (x, y), facing)


def line(x: float, y: float, n: int = 3, **row: Any) -> list[dict[str, Any]]:
    """Bases side by side; of a unit that is named the first is the unique one."""
    named = row.get("unit") is not None
    return [{"at": (x + 2.2 * k, y), **({"unique": k == 0} if named else {}), **row} for k in range(n)]
