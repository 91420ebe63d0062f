"""Observations of tables that are made up base by base: what a photo would show."""

from collections.abc import Iterable, Sequence
from typing import Any


def seen_base(unit: str | None, center: Sequence[float], **more: Any) -> dict[str, Any]:
    """A base of a unit (``None``: nobody knows whose) that is seen for certain."""
    x, y = center
    return {
        "id": f"base-{unit}", "unit": unit, "side": None, "kind": None, "unique": True, "tag": None, "shape": "rect",
        "width": 0.8, "depth": 0.8, "center": [float(x), float(y)], "z": 0.0, "facing": 0.0, "facing_sigma": 1.0,
        "covariance": [[4e-4, 0.0], [0.0, 4e-4]], "confidence": 0.99, "method": "tag", **more,
    }  # fmt: skip


def observation(bases: Iterable[dict[str, Any]], width: float, depth: float, **more: Any) -> dict[str, Any]:
    """What a photo shows of a table with these bases and nothing else, unless more is said."""
    return {
        "version": 1, "units": "inches", "table": {"width": width, "depth": depth}, "photos": [], "bases": [*bases],
        "terrain": [], "dice": [], "markers": [], "questions": [], "warnings": [], **more,
    }  # fmt: skip
