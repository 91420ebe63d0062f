"""How long the report of a full table takes: 12 units against 12 with 12 terrain pieces, three bases each.

Run it from the repository: ``python scripts/bench_report.py``. It prints the best and the median of several runs for a
typed scene (no spread) and for one as a photo gives it (every base and outline uncertain), beside the time of a fixed
piece of numpy and shapely work on the same machine, so that figures from different machines can be compared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import shapely

from geometry import Bases
from tabletop.rulesets.one_hour_ww2 import KINDS, report
from tabletop.scene import Scene, Terrain, Unit

RUNS = 9


def table(sigma_in: float, seed: int = 7) -> Scene:
    """A crowded 48 by 48 inch table; the same for the same seed."""
    random = np.random.default_rng(seed)
    kinds = [*(["infantry"] * 5), *(["tank"] * 4), "atg", "atg", "mortar"]
    units = []
    for side, y_in, facing in (("blue", 10.0, 0.0), ("red", 36.0, 180.0)):
        for n, kind in enumerate(kinds):
            x, y = 4.0 + 3.8 * n, y_in + random.uniform(-8, 8)
            turn = facing + random.uniform(-40, 40)
            row = Bases.of([[x, y]], turn, 1.2, 1.0)
            places = row.center + np.array([[-1.3], [0.0], [1.3]]) * row.right
            bases = Bases.of(places, turn, 1.2, 1.0, sigma=sigma_in, facing_sigma=8 * sigma_in)
            units.append(Unit(f"{side}{n}", side, kind, bases, 1, dug_in=n % 3 == 0, ready=n % 4 == 0))
    terrain = []
    for n in range(12):
        kind = ("woods", "town", "hill", "field", "road", "river")[n % 6]
        centre, size = random.uniform(6, 42, 2), random.uniform(2, 5)
        angle = np.sort(random.uniform(0, 2 * np.pi, 24))
        reach = size * random.uniform(0.7, 1.0, 24)
        ring = centre + np.stack([np.cos(angle), np.sin(angle)], axis=1) * reach[:, None]
        terrain.append(Terrain(f"t{n}", kind, ring, sigma=sigma_in))
    assert set(kinds) <= set(KINDS)
    return Scene("one-hour-ww2", 48.0, 48.0, tuple(units), tuple(terrain))


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Best and median of several runs, milliseconds; the first run warms up."""
    work()
    spent = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        spent.append((time.perf_counter() - start) * 1e3)
    return min(spent), statistics.median(spent)


def reference_work() -> float:
    """A fixed piece of array work: 768 hulls of four points against 12 outlines of 24 corners, ten times."""
    random = np.random.default_rng(1)
    hulls = shapely.convex_hull(shapely.linestrings(random.uniform(0, 48, (768, 4, 2))))
    rings = shapely.buffer(shapely.points(random.uniform(6, 42, (12, 2))), 4.0, quad_segs=6)
    return float(sum(shapely.intersects(rings[None, :], hulls[:, None]).sum() for _ in range(10)))


def main() -> None:
    """Print the figures."""
    base_best, base_median = timed(reference_work)
    print(f"reference work                 best {base_best:7.1f} ms   median {base_median:7.1f} ms")
    for name, sigma_in in (("typed scene", 0.0), ("scene from a photo (0.05 in)", 0.05)):
        scene = table(sigma_in)
        best, median = timed(lambda scene=scene: report(scene))  # type: ignore[misc]
        print(f"{name:30} best {best:7.1f} ms   median {median:7.1f} ms   {median / base_median:5.2f} x reference")


if __name__ == "__main__":
    main()
