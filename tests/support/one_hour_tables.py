"""Small tables for the One-Hour WWII tests, written as players would type them."""

import math
from typing import Any

import numpy as np

from geometry import Bases
from tabletop.referee.report_rows import Report, ShotRow
from tabletop.rulesets.one_hour_ww2 import HouseRules, report
from tabletop.tables.scene import Scene, Terrain, Unassigned, Unit, scene_from_json


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


def judged(scene: Scene, dice: str = "d5", **switches: Any) -> Report:
    return report(scene, dice=dice, rules=HouseRules(**switches))


def shot(scene: Scene, firer: str, target: str, dice: str = "d5", **switches: Any) -> ShotRow:
    (found,) = [s for s in judged(scene, dice, **switches)["shots"] if (s["firer"], s["target"]) == (firer, target)]
    return found


def random_table(seed: int, count: int = 5, side_in: float = 16.0) -> Scene:
    """A small crowded table, the same for the same seed: typed exactly, on whole inches, or with spreads as in a photo.

    Round and square bases, units with bases missing or without a known unique one, bases of no unit, hills with and
    without tops, roads through what else there is.
    """
    random = np.random.default_rng(seed)
    on_inches, sigma = seed % 3 == 1, (0.0, 0.0, 0.05, 0.3)[seed % 4]
    sides = ("blue", "red", "green")[: 3 if seed % 5 == 0 else 2]
    units = [_random_unit(random, n, sides[n % len(sides)], side_in, on_inches, sigma) for n in range(count)]
    terrain = [_random_feature(random, n, side_in, on_inches, sigma) for n in range(count)]
    strays = int(random.integers(0, 4))
    places = random.uniform(1, side_in - 1, (strays, 2))
    whose = random.choice(np.array([None, "blue", "red"], dtype=object), strays)
    names = tuple(f"x{n}" for n in range(strays))
    loose = Unassigned(Bases.of(places, 0.0, 1.2, 1.0, sigma=sigma), tuple(whose), names)
    return Scene("one-hour-ww2", side_in, side_in, tuple(units), tuple(terrain), loose)


def _random_unit(random: np.random.Generator, n: int, side: str, side_in: float, on_inches: bool, sigma: float) -> Unit:
    count = int(random.integers(1, 4))
    center, facing = random.uniform(2, side_in - 2, 2), float(random.uniform(0, 360))
    if on_inches:
        center, facing = center.round(), float(random.choice([0, 45, 90, 180, 270]))
    first = Bases.of([center], facing, 1.0, 1.0)
    is_round = np.arange(count) < (count * (random.random() < 0.2))
    turned = 0.0 if on_inches else random.uniform(-20, 20, count)
    bases = Bases.of(
        first.center + (np.arange(count)[:, None] - (count - 1) / 2) * first.right * random.choice([1.3, 2.4]),
        facing + turned,
        1.0 if on_inches else np.where(is_round, 1.0, 1.2),
        1.0,
        is_round=is_round,
        sigma=sigma * random.uniform(0.5, 1.5, count),
        facing_sigma=random.choice([8 * sigma, 20.0, np.inf]) if sigma else 0.0,
    )
    return Unit(
        f"{side}{n}",
        side,
        str(random.choice(["infantry", "tank", "atg", "mortar", "mortar-tank"])),
        bases,
        int(random.integers(0, count)) if random.random() < 0.85 else None,
        hits=int(random.choice([0, 3, 6, 16])),
        dug_in=bool(random.random() < 0.4),
        ready=bool(random.random() < 0.3),
        expected_bases=count + int(random.random() < 0.15),
    )


def _random_feature(random: np.random.Generator, n: int, side_in: float, on_inches: bool, sigma: float) -> Terrain:
    kind = str(random.choice(["woods", "town", "field", "hill", "hill", "road", "river"]))
    center = random.uniform(3, side_in - 3, 2)
    if kind == "road":
        turn = random.uniform(0, np.pi)
        ahead, across = np.array([np.cos(turn), np.sin(turn)]) * side_in / 2, np.array([-np.sin(turn), np.cos(turn)])
        ring = center + np.array([-ahead - across, ahead - across, ahead + across, -ahead + across])
    elif on_inches:
        width, depth = random.integers(1, 6, 2)
        ring = center.round() + np.array([[0, 0], [width, 0], [width, depth], [0, depth]], dtype=float)
    else:
        angle = 2 * np.pi * (np.arange(12) + random.uniform(0, 0.8, 12)) / 12
        reach = random.uniform(1.5, 4) * random.uniform(0.4, 1.0, 12)
        ring = center + np.stack([np.cos(angle), np.sin(angle)], axis=1) * reach[:, None]
    top = ring.mean(axis=0) + (ring - ring.mean(axis=0)) / 2 if kind == "hill" and random.random() < 0.6 else None
    return Terrain(f"t{n}", kind, ring, hill_top=top, sigma=sigma * float(random.choice([0, 1, 2])))
