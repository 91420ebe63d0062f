"""How long Combat takes: legal actions of armies of 40 pieces, with odds left for later and worked out, and games.

Run it from the repository: ``python scripts/bench_combat.py``. It prints medians beside the time of fixed numpy and
shapely work on the same machine, so that figures from different machines can be compared.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from bench_report import reference_work

from tabletop.game.selfplay import play
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import State
from tabletop.starting.scenarios import parse_scenario

GAMES = 6
EVERY = 12


def battlefields() -> list[object]:
    """The full-sized bundled battlefields with 40 pieces a side."""
    from importlib import resources

    folder = resources.files("tabletop") / "data" / "scenarios" / "combat"
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        setup = parse_scenario(file.read_bytes(), file.name).setup
        if setup.columns == 20:
            house = replace(setup.house, most_30=False)
            found.append(replace(setup, pieces=34 if setup.headquarters else 40, house=house))
    return found


def positions() -> list[State]:
    """States of games between simple players, one of every dozen of actions."""
    found = []
    for seed, setup in enumerate(battlefields()):
        rng = random.Random(seed)
        state: State | None = None
        for event in RULES.start(setup):
            state = RULES.apply(state, event)
        for count in range(420):
            assert state is not None
            if RULES.outcome(state) is not None:
                break
            if state.step == "play" and not state.pending and count % EVERY == 0:
                found.append(state)
            wish = next(a for a in RULES.bot_actions(state, rng) if not RULES.check(state, a))
            for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
                state = RULES.apply(state, event)
    return found


def timed_ms(work: Callable[[State], object], given: list[State]) -> list[float]:
    """How long the work takes on each of these."""
    spent = []
    for state in given:
        start = time.perf_counter()
        work(state)
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
    rows = [len(RULES.options(state)) for state in given]
    pieces = statistics.median(len(army) for state in given for army in state.armies)
    print(f"{'positions, pieces a side, options (median, most)':56} {len(given)}, {pieces:g}, "
          f"{statistics.median(rows):g}, {max(rows)}")  # fmt: skip
    large = [state for state in given if len(state.armies[state.section_to_act[0]]) >= 30]
    for words, chosen in (("all positions", given), ("positions of 30 pieces or more", large)):
        took = timed_ms(RULES.options, chosen)
        print(f"{f'legal actions, {words} ({len(chosen)})':56} {statistics.median(took):8.1f} ms"
              f" {max(took):8.1f} ms at most")  # fmt: skip
    took = timed_ms(lambda state: [option.to_json(odds=True) for option in RULES.options(state)], given)
    print(f"{'the same with odds, as JSON':56} {statistics.median(took):8.1f} ms")
    took = timed_ms(lambda state: RULES.view(state, "red"), given)
    print(f"{'a view':56} {statistics.median(took):8.1f} ms")
    start = time.process_time()
    for seed, setup in zip(range(GAMES), battlefields() * GAMES, strict=False):
        play(RULES, replace(setup, pieces=20), {"red": "simple", "blue": "simple"}, seed)  # type: ignore[type-var]
    each = (time.process_time() - start) / GAMES * 1e3
    print(f"{'a whole game of 20 pieces a side by simple players':56} {each:8.1f} ms {each / base:7.2f} x")


if __name__ == "__main__":
    main()
