"""Observations of tables that are made up base by base: what a photo would show."""

from collections.abc import Iterable, Sequence
from typing import Any

from tests.support import observed_rows


def seen_base(unit: str | None, center: Sequence[float], **more: Any) -> dict[str, Any]:
    """A base of a unit (``None``: nobody knows whose) that is seen for certain."""
    usual = {"unit": unit, "unique": True, "width": 0.8, "depth": 0.8, "facing_sigma": 1.0}
    return observed_rows.base_row(f"base-{unit}", center, **{**usual, **more})


def observation(bases: Iterable[dict[str, Any]], width: float, depth: float, **more: Any) -> dict[str, Any]:
    """What a photo shows of a table with these bases and nothing else, unless more is said."""
    return observed_rows.observation(*bases, size=(width, depth), **more)
