"""How long Combined Arms takes: legal actions with odds in positions of played games, games by the simple attacker.

Run it from the repository: ``python scripts/bench_combined_arms.py``. It prints medians beside the time of fixed numpy
and shapely work on the same machine, so that figures from different machines can be compared.
"""

from __future__ import annotations

import random
import statistics
import time

from bench_report import reference_work

from tabletop.game import Game
from tabletop.game.selfplay import play
from tabletop.rulesets.combined_arms.danger import dangers
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State

GAMES = 40
EVERY = 9


def positions() -> list[State]:
    """States of seeded games, one of every nine actions."""
    found = []
    for seed in range(8):
        rng, game, count = random.Random(seed), Game.new(RULES, Setup()), 0
        while game.outcome is None:
            game.push(next(a for a in RULES.bot_actions(game.state, rng) if not game.check(a)), rng=rng)
            count += 1
            if count % EVERY == 0 and game.outcome is None:
                found.append(game.state)
    return found


def timed_ms(work: object, given: list[State]) -> list[float]:
    """How long the work takes on each of these."""
    spent = []
    for state in given:
        start = time.perf_counter()
        work(state)  # type: ignore[operator]
        spent.append((time.perf_counter() - start) * 1e3)
    return spent


def main() -> None:
    """Print the figures."""
    start = time.perf_counter()
    for _ in range(5):
        reference_work()
    base = (time.perf_counter() - start) / 5 * 1e3
    print(f"{'reference work':56} {base:8.1f} ms")
    given = positions()
    for step in ("move", "fire", "enemy"):
        chosen = [state for state in given if state.step == step]
        took = timed_ms(lambda state: [option.to_json(odds=True) for option in RULES.options(state)], chosen)
        words = f"legal actions with odds, {step} phase ({len(chosen)} positions)"
        print(f"{words:56} {statistics.median(took):8.1f} ms {max(took):8.1f} ms at most")
    took = timed_ms(lambda state: dangers(state, "D1"), given[::4])
    print(f"{'danger of all hexes for a platoon':56} {statistics.median(took):8.1f} ms")
    start = time.process_time()
    for seed in range(GAMES):
        play(RULES, Setup(), {"attacker": "simple", "defender": "simple"}, seed)
    each = (time.process_time() - start) / GAMES * 1e3
    print(f"{'a whole game by the simple attacker':56} {each:8.1f} ms {each / base:7.2f} x")
    print(f"{'games a second on one core':56} {1000 / each:8.1f}")


if __name__ == "__main__":
    main()
