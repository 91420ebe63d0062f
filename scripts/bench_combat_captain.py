"""Measure how long Combat Captain takes to list what may be done, with 40 sub-units on the table.

``python scripts/bench_combat_captain.py`` prints the median and the slowest of the options (odds left lazy), of a whole
list with all its odds, and of a new field of ranges and sights, beside a fixed piece of work on the same machine.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tabletop.game import Game
from tabletop.rulesets.combat_captain.data import Kind
from tabletop.rulesets.combat_captain.field import Field
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.setup import Company, Setup, Shape, Standing, SubUnit, TerrainPiece

PER_SIDE = 20
TABLES = 25
KINDS: tuple[Kind, ...] = ("rifles",) * 6 + ("machine-gun", "mortar", "bazooka", "tank")


def table(rng: random.Random) -> Setup:
    """Two companies a side on 60 by 48 inches, with woods, houses and a hill between them."""
    companies = []
    for side, letters, low, facing in (("red", "AC", 4.0, 0.0), ("blue", "BD", 30.0, 180.0)):
        for number, letter in enumerate(letters):
            subs = []
            for n in range(PER_SIDE // 2):
                kind = KINDS[n]
                x = 3.0 + 28.0 * number + 2.6 * n + rng.uniform(-0.3, 0.3)
                at = Standing(round(x, 2), round(low + rng.uniform(0, 12), 2), facing)
                size = Shape("rect", 1.5, 2.5) if kind == "tank" else Shape("rect", 1.5, 1.0)
                men = 0 if kind == "tank" else 5
                subs.append(SubUnit(f"{letter}{n + 1}", kind, size, men, cover=rng.choice((0, 0, 3)), at=at))
            companies.append(Company(letter, side, tuple(subs), f"{letter}5", 16.0))
    terrain = (
        TerrainPiece("wood", "woods", ((4, 20), (14, 18), (16, 25), (6, 27))),
        TerrainPiece("inn", "town", ((28, 20), (32, 20), (32, 24), (28, 24))),
        TerrainPiece("knoll", "hill", ((40, 18), (50, 17), (52, 25), (42, 26)), 1.0),
    )
    return Setup("A bench", ("red", "blue"), 60.0, 48.0, tuple(companies), terrain=terrain)


def time_ms(work: Callable[[], object]) -> float:
    """Milliseconds of a piece of work."""
    begin = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begin)


def main() -> None:
    """Print the figures."""
    rng = random.Random(7)
    options, with_odds, fields, rows = [], [], [], []
    for _ in range(TABLES):
        game = Game.new(RULES, table(rng))
        game.push(game.parse("begin"))
        state = game.state
        options.append(time_ms(game.options))
        found = game.options()
        rows.append(len(found))
        with_odds.append(time_ms(lambda found=found: [option.to_json(odds=True) for option in found]))  # type: ignore[misc]
        standings = {stand.id: stand.at for stand in state.stands.values() if stand.at is not None}
        fields.append(time_ms(lambda: Field.of(state.setup, standings)._clear))  # noqa: B023
    fixed = time_ms(lambda: sum(i * i for i in range(1_000_000)))
    for name, values in (("options", options), ("all odds besides", with_odds), ("ranges and sights", fields)):
        print(f"{name}: median {statistics.median(values):.1f} ms, slowest {max(values):.1f} ms")
    print(f"rows: median {statistics.median(rows):.0f}; a million squares: {fixed:.1f} ms")


if __name__ == "__main__":
    main()
