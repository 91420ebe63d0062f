"""Small tables for the One-Hour WWII tests, written as players would type them."""

from __future__ import annotations

import math
from typing import Any

from tabletop.rulesets.one_hour_ww2 import HouseRules, report
from tabletop.scene import Scene, scene_from_json


class Row:
    """Bases of the test units: a line abreast with the unique base in the middle."""

    width, depth, pitch = 1.2, 1.0, 1.6


def base(x: float, y: float, facing: float = 0.0, *, unique: bool = False, **more: Any) -> dict[str, Any]:
    found = {"shape": "rect", "width": Row.width, "depth": Row.depth, "center": [x, y], "facing": facing}
    return found | {"unique": unique} | more


def unit(
    name: str,
    side: str,
    kind: str,
    x: float,
    y: float,
    facing: float = 0.0,
    *,
    bases: int = 3,
    sigma: float = 0.0,
    facing_sigma: float = 0.0,
    **state: Any,
) -> dict[str, Any]:
    """A unit in line: the unique base at (x, y), the others to its right and left."""
    turn = math.radians(facing)
    places = [(x + math.cos(turn) * Row.pitch * n, y - math.sin(turn) * Row.pitch * n) for n in (0, 1, -1)[:bases]]
    spread = {"sigma": sigma, "facing_sigma": facing_sigma}
    rows = [base(*place, facing, unique=n == 0, **spread) for n, place in enumerate(places)]
    return {"id": name, "side": side, "kind": kind, "bases": rows, **state}


def area(name: str, kind: str, x0: float, y0: float, x1: float, y1: float, **more: Any) -> dict[str, Any]:
    """A rectangular terrain feature."""
    return {"id": name, "kind": kind, "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], **more}


def table(units: list[dict[str, Any]], *terrain: dict[str, Any], **more: Any) -> Scene:
    data = {"version": 1, "rules": "one-hour-ww2", "table": {"width": 48, "depth": 60}, "terrain": list(terrain)}
    return scene_from_json(data | {"units": units}, **more)


def judged(scene: Scene, dice: str = "d5", **switches: Any) -> dict[str, Any]:
    return report(scene, dice=dice, rules=HouseRules(**switches))


def shot(scene: Scene, firer: str, target: str, dice: str = "d5", **switches: Any) -> dict[str, Any]:
    """The entry of one shot."""
    (found,) = [s for s in judged(scene, dice, **switches)["shots"] if (s["firer"], s["target"]) == (firer, target)]
    return found
