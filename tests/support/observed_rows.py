"""Observations as their files hold them, made up base by base."""

from collections.abc import Sequence
from typing import Any


def base_row(name: str, center: Sequence[float], *, sigma: float = 0.02, **more: Any) -> dict[str, Any]:
    """A base that was seen well and belongs to nobody yet."""
    return {
        "id": name, "unit": None, "side": None, "kind": None, "unique": None, "tag": None, "shape": "rect",
        "width": 1.0, "depth": 1.0, "center": [float(x) for x in center], "z": 0.0, "facing": 0.0, "facing_sigma": 0.5,
        "covariance": [[sigma**2, 0.0], [0.0, sigma**2]], "confidence": 0.99, "method": "tag", **more,
    }  # fmt: skip


def observation(*bases: dict[str, Any], size: tuple[float, float] = (36.0, 36.0), **more: Any) -> dict[str, Any]:
    table = {"width": size[0], "depth": size[1]}
    return {
        "version": 1, "units": "inches", "table": table, "photos": [], "bases": list(bases), "terrain": [], "dice": [],
        "markers": [], "questions": [], "warnings": [], **more,
    }  # fmt: skip


def photo_from_above(width: int, height: int) -> dict[str, Any]:
    """The row of a photo of a 24 by 24 inch table from 100 inches over its middle: 100 pixels an inch, x to the right,
    cut at its right and lower edge."""
    lens = [[10000.0, 0.0, 1200.0], [0.0, 10000.0, 1200.0], [0.0, 0.0, 1.0]]
    turned = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]
    return {"K": lens, "dist": [], "R": turned, "t": [-12.0, 12.0, 100.0], "width": width, "height": height}
