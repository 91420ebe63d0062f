"""How long WWII Combined Arms takes: legal actions and hints in positions of played games, counts of sequences.

Run it from the repository: ``python scripts/bench_ww2_combined_arms.py``. It prints medians beside the time of fixed
numpy and shapely work on the same machine, so that figures from different machines can be compared.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench_report import reference_work

from tabletop.rulesets.ww2_combined_arms.hints import hint
from tabletop.rulesets.ww2_combined_arms.perft import perft
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.setup import Limits
from tabletop.rulesets.ww2_combined_arms.state import State
from tests.support.ww2_combined_arms_games import after, placed

EVERY, ACTIONS = 7, 400


def positions(begins: State) -> list[State]:
    """States of a seeded game between simple players, one of every seven actions."""
    rng, state, found = random.Random(1), begins, []
    for count in range(ACTIONS):
        if state.result is not None:
            break
        if count % EVERY == 0:
            found.append(state)
        state = after(state, next(wish for wish in RULES.bot_actions(state, rng) if not RULES.check(state, wish)))
    return found


def timed_ms(work: Callable[[State], object], given: list[State]) -> list[float]:
    """How long the work takes on each of these, every lookup computed again."""
    spent = []
    for state in given:
        fresh = state.but(units=state.units, cities=state.cities, lifted=state.lifted)
        start = time.perf_counter()
        work(fresh)
        spent.append((time.perf_counter() - start) * 1e3)
    return spent


def main() -> None:
    """Print the figures."""
    start = time.perf_counter()
    for _ in range(5):
        reference_work()
    print(f"{'reference work':60} {(time.perf_counter() - start) / 5 * 1e3:8.2f} ms")
    small = placed(("balanced", "armoured"), 1)
    big = placed(("balanced", "armoured"), 1, columns=14, rows=12, limits=Limits(40, 14, 7, 8))
    for name, begins in (("16 units a side on 8 by 8", small), ("40 units a side on 14 by 12", big)):
        given = positions(begins)
        for what, work in (("legal actions", RULES.options), ("a hint", hint)):
            took = timed_ms(work, given)
            words = f"{what}, {name} ({len(given)} positions)"
            print(f"{words:60} {statistics.median(took):8.2f} ms {max(took):8.1f} ms at most")
        most = max(len(RULES.options(state)) for state in given)
        print(f"{'options at most':60} {most:8}")
    for depth in (1, 2, 3):
        start = time.perf_counter()
        count = perft(small, depth)
        print(f"{f'perft {depth} of the first placement: {count}':60} {(time.perf_counter() - start) * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
