"""How long a game's answers take: six units a side with three bases each, twelve terrain pieces on 36 by 36 inches.

Run it from the repository: ``python scripts/bench_game.py``. It prints medians beside the time of a fixed piece of
numpy and shapely work on the same machine, so that figures from different machines can be compared.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from bench_report import reference_work

from tabletop.game import Game
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.reaching import reach_region
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing, UnitSetup

RUNS = 15
KINDS = ("infantry", "infantry", "tank", "tank", "atg", "mortar")
LAND = ("woods", "town", "hill", "river", "road", "marsh")


def setup(seed: int, sigma_in: float = 0.0) -> Setup:
    """A crowded table; the same for the same seed."""
    rng = np.random.default_rng(seed)
    units, terrain = [], []
    spread = (sigma_in**2, 0.0, sigma_in**2)
    for side, y_in, facing in (("blue", 7.0, 0.0), ("red", 27.0, 180.0)):
        for n, kind in enumerate(KINDS):
            x, y = 2.0 + 6.0 * n, y_in + rng.uniform(-4, 4)
            at = tuple(Standing(x + 1.7 * k, y, facing, spread) for k in range(3))
            units.append(UnitSetup(f"{side[0].upper()}{n}", side, kind, (Shape("rect", 1.2, 1.0),) * 3, "", 1, at))
    for n in range(12):
        centre, size = rng.uniform((4, 12), (32, 24)), rng.uniform(1.5, 4)
        angle = np.linspace(0, 2 * np.pi, 9, endpoint=False) + rng.uniform(-0.3, 0.3, 9)
        ring = centre + np.stack([np.cos(angle), np.sin(angle)], axis=1) * (size * rng.uniform(0.7, 1.0, 9))[:, None]
        terrain.append(TerrainPiece(f"t{n}", LAND[n % 6], tuple((float(x), float(y)) for x, y in ring), sigma=sigma_in))
    return Setup("Benchmark", ("blue", "red"), 36.0, 36.0, tuple(units), terrain=tuple(terrain))


def fresh(seed: int, step: str, sigma_in: float) -> Game:
    """A game in its first turn, in that step."""
    game = Game.new(RULES, setup(seed, sigma_in))
    game.push(game.parse("begin"))
    while game.state.step != step:
        game.push(game.parse("end"))
    return game


def median_ms(make: Callable[[int], Any], work: Callable[[Any], object]) -> float:
    """Median of several runs, each on an input that nothing was worked out about before."""
    work(make(0))
    spent = []
    for seed in range(1, RUNS + 1):
        given = make(seed)
        start = time.perf_counter()
        work(given)
        spent.append((time.perf_counter() - start) * 1e3)
    return statistics.median(spent)


def main() -> None:
    """Print the figures."""
    base = median_ms(lambda seed: seed, lambda _: reference_work())
    print(f"{'reference work':64} {base:8.1f} ms")
    for name, sigma in (("typed table", 0.0), ("table from a photo (0.05 in)", 0.05)):
        for step in ("mortar", "actions", "rally"):
            took = median_ms(lambda seed, s=step, g=sigma: fresh(seed, s, g), lambda game: game.options())  # type: ignore[misc]
            print(f"{f'legal actions with reasons, {step} step, {name}':64} {took:8.1f} ms {took / base:7.2f} x")
        each = median_ms(
            lambda seed, g=sigma: fresh(seed, "actions", g),  # type: ignore[misc]
            lambda game: [reach_region(game.state, u, 12.0) for u in game.state.units if u.side == "blue"],
        ) / len(KINDS)
        print(f"{f'reach region of a unit, {name}':64} {each:8.1f} ms {each / base:7.2f} x")
    start, actions = time.perf_counter(), 0
    for seed in range(3):
        rng, game = random.Random(seed), fresh(seed, "mortar", 0.0)
        while game.outcome is None and game.state.turn <= 2:
            wish = next(w for w in RULES.random_actions(game.state, rng) if w in game.legal_actions)
            game.push(wish, rng=rng)
            actions += 1
    each = (time.perf_counter() - start) / actions * 1e3
    print(f"{'random play, an action judged and carried out':64} {each:8.1f} ms")


if __name__ == "__main__":
    main()
