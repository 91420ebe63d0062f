"""How long the report of a full table takes: from 12 units against 12 with 12 terrain pieces to 96 against 96 with 48.

Run it from the repository: ``python scripts/bench_report.py``; a number stops it at that many units of a side, as in
``python scripts/bench_report.py 24``. Every unit has three bases. The tables are 48 by 48 inches for any number of
units, so that a sight on a larger one has more in its way; on one last table the largest number of pieces is as sparse
as the smallest. Each is timed as a typed scene (no spread) and as a photo gives it (every base and outline uncertain):
best and median of several runs, in milliseconds of processor time, since other work on the machine counts less there;
the time for each shot, and its ratio to that on the smallest table. A fixed piece of numpy and shapely work is timed
beside them, so that figures from different machines can be compared.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import shapely

from geometry import Bases
from tabletop.rulesets.one_hour_ww2 import KINDS, report
from tabletop.tables.scene import Scene, Terrain, Unit

RUNS, LONG_MS = 9, 1000.0
SIDE_IN = 48.0
SIZES = ((12, 12), (24, 24), (48, 36), (96, 48))  # units of each side, terrain pieces


def table(sigma_in: float, each: int = 12, pieces: int = 12, side_in: float = SIDE_IN, seed: int = 7) -> Scene:
    """A crowded square table with so many units of each side; the same for the same seed."""
    random = np.random.default_rng(seed)
    kinds = [*(["infantry"] * 5), *(["tank"] * 4), "atg", "atg", "mortar"]
    share = side_in / SIDE_IN
    units = []
    for side, y_in, facing in (("blue", 10.0, 0.0), ("red", 36.0, 180.0)):
        for n in range(each):
            kind = kinds[n % len(kinds)]
            x, y = share * (4.0 + 41.8 * n / (each - 1)), share * (y_in + random.uniform(-8, 8))
            turn = facing + random.uniform(-40, 40)
            row = Bases.of([[x, y]], turn, 1.2, 1.0)
            places = row.center + np.array([[-1.3], [0.0], [1.3]]) * row.right
            bases = Bases.of(places, turn, 1.2, 1.0, sigma=sigma_in, facing_sigma=8 * sigma_in)
            units.append(Unit(f"{side}{n}", side, kind, bases, 1, dug_in=n % 3 == 0, ready=n % 4 == 0))
    terrain = []
    for n in range(pieces):
        kind = ("woods", "town", "hill", "field", "road", "river")[n % 6]
        centre, size = random.uniform(6, side_in - 6, 2), random.uniform(2, 5)
        angle = np.sort(random.uniform(0, 2 * np.pi, 24))
        reach = size * random.uniform(0.7, 1.0, 24)
        ring = centre + np.stack([np.cos(angle), np.sin(angle)], axis=1) * reach[:, None]
        terrain.append(Terrain(f"t{n}", kind, ring, sigma=sigma_in))
    assert set(kinds) <= set(KINDS)
    return Scene("one-hour-ww2", side_in, side_in, tuple(units), tuple(terrain))


def time_runs(work: Callable[[], object]) -> tuple[float, float]:
    """Best and median of several runs, milliseconds, of long work fewer; the first run warms up."""
    spent: list[float] = []
    while len(spent) < 1 + (RUNS if not spent or spent[0] < LONG_MS else 3):
        start = time.process_time()
        work()
        spent.append((time.process_time() - start) * 1e3)
    return min(spent[1:]), statistics.median(spent[1:])


def reference_work() -> float:
    """A fixed piece of array work: 768 hulls of four points against 12 outlines of 24 corners, ten times."""
    random = np.random.default_rng(1)
    hulls = shapely.convex_hull(shapely.linestrings(random.uniform(0, 48, (768, 4, 2))))
    rings = shapely.buffer(shapely.points(random.uniform(6, 42, (12, 2))), 4.0, quad_segs=6)
    return float(sum(shapely.intersects(rings[None, :], hulls[:, None]).sum() for _ in range(10)))


def main() -> None:
    """Print the figures."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1][0]
    base_best, base_median = time_runs(reference_work)
    print(f"reference work: best {base_best:.1f} ms, median {base_median:.1f} ms")
    sizes = [(each, pieces, SIDE_IN) for each, pieces in SIZES if each <= most]
    if most >= SIZES[-1][0]:
        sizes.append((*SIZES[-1], SIDE_IN * (SIZES[-1][1] / SIZES[0][1]) ** 0.5))
    for name, sigma_in in (("typed scene", 0.0), ("scene from a photo (0.05 in)", 0.05)):
        print(f"\n{name}\n  units  pieces  table    best ms  median ms  x reference  ms a shot  growth")
        smallest = 0.0
        for each, pieces, side_in in sizes:
            scene = table(sigma_in, each, pieces, side_in)
            best, median = time_runs(lambda scene=scene: report(scene))  # type: ignore[misc]
            shot = median / (2 * each * each)
            smallest = smallest or shot
            print(
                f"  {each:2} v {each:2} {pieces:5} {side_in:5.0f} in {best:10.1f} {median:10.1f} "
                f"{median / base_median:12.2f} {shot:10.3f} {shot / smallest:7.2f}"
            )


if __name__ == "__main__":
    main()
