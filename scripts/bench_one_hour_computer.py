"""How often the strong computer of One-Hour WWII beats the simple one: ``python scripts/bench_one_hour_computer.py``.

Every scenario is played from both sides with the same seeds; a draw counts as half. ``--rules combat`` plays the
scenarios of another ruleset whose computers have levels.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter

from tabletop.game.computers import SIMPLE
from tabletop.game.registry import ruleset
from tabletop.game.selfplay import play
from tabletop.starting.scenarios import find, list_scenarios

SURE = 1.96


def main() -> None:
    """Play, and write a line for each scenario and side."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--games", type=int, default=13, help="games of each scenario and side")
    asked.add_argument("--seed", type=int, default=1000, help="the first game's seed")
    asked.add_argument("--level", default="strong")
    asked.add_argument("--against", default=SIMPLE)
    asked.add_argument("--scenario", action="append", help="only this one (may be said again)")
    asked.add_argument("--rules", default="one-hour-ww2", help="the ruleset that is played")
    said = asked.parse_args()
    rules, total = ruleset(said.rules), Counter[str]()
    for scenario in said.scenario or [entry.id for entry in list_scenarios(said.rules)]:
        setup = find(scenario, said.rules).setup
        for side in setup.sides:
            players = {one: said.level if one == side else said.against for one in setup.sides}
            start, found, acts = time.perf_counter(), Counter[str](), 0
            for seed in range(said.seed, said.seed + said.games):
                game = play(rules, setup, players, seed)
                found["draw" if game.winner is None else "won" if game.winner == side else "lost"] += 1
                acts += game.actions
            spent = time.perf_counter() - start
            total += found
            row = f"{scenario} {said.level} plays {side}: {_in_words(found)}"
            sys.stdout.write(f"{row}; {spent / said.games:.1f} s a game, {spent / acts:.2f} s an act\n")
            sys.stdout.flush()
    count = total.total()
    share = (total["won"] + total["draw"] / 2) / count
    spread = SURE * math.sqrt(share * (1 - share) / count)
    sys.stdout.write(f"All {count} games: {_in_words(total)}; {share:.0%} ± {spread:.0%}\n")


def _in_words(found: Counter[str]) -> str:
    return f"won {found['won']}, drawn {found['draw']}, lost {found['lost']}"


if __name__ == "__main__":
    main()
