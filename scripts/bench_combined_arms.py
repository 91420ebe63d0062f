"""How long Combined Arms takes, and with ``--adviser`` how well its adviser plays.

Run it from the repository: ``python scripts/bench_combined_arms.py``. It prints medians beside the time of fixed numpy
and shapely work on the same machine, so that figures from different machines can be compared.

``--adviser BOARDS`` has the strong attackers play so many boards instead, with the seeds from ``--seed`` (100000, which
nothing was tuned on), and prints their scores, their time a turn, how their stated chances agree with what came of
them, and how often they score more than the simple attackers on the same boards and dice. ``--adviser stored`` takes
the ten boards of ``combined_arms_boards.json``; ``--processes`` has several boards played at a time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import statistics
import time
from collections.abc import Iterable
from pathlib import Path

from bench_report import reference_work

from tabletop.game import Game
from tabletop.game.computers import choose
from tabletop.game.selfplay import play
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.danger import dangers
from tabletop.rulesets.combined_arms.data import POINTS_TO_WIN
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State

GAMES = 40
EVERY = 9
FIRST_UNTUNED = 100_000
STORED = Path(__file__).parent / "combined_arms_boards.json"
BINS = ((0.0, 0.05), (0.05, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 1.01))
"""Bins of stated chances to win, for which the results are printed."""


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


def laid_out(seed: int, setup: Setup) -> State:
    """A board with its defenders set out, as the first move phase begins."""
    rng, state = random.Random(seed), None
    for event in RULES.start(setup):
        state = RULES.apply(state, event)
    while state is None or state.step != "move":
        assert state is not None
        wish = actions.Survey() if state.step == "terrain" else actions.Occupy()
        for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
            state = RULES.apply(state, event)
    return state


def led_game(state: State, level: str, seed: int) -> tuple[int, list[float], list[float]]:
    """A game led by attackers of a level: the score, the chances stated as turns began, and each turn's seconds."""
    rng, stated, spent, turn = random.Random(seed), list[float](), list[float](), 0
    while RULES.outcome(state) is None:
        start = time.perf_counter()
        side = RULES.to_act(state) or ""
        chosen = choose(RULES, state, side, level, rng)
        if state.step == "move" and state.turn > turn:
            turn = state.turn
            spent.append(time.perf_counter() - start)
            if chosen.chance is not None:
                stated.append(chosen.chance.chance)
        for event in RULES.resolve(state, chosen.action, RULES.dice(state, chosen.action).roll(rng)):
            state = RULES.apply(state, event)
    return sum(points for _, _, points in state.score), stated, spent


def by_both(board: tuple[int, State]) -> tuple[int, int, list[float], list[float]]:
    """The scores of the strong and the simple attackers on a board with its seed, and the strong ones' stated chances
    and seconds, turn by turn."""
    seed, state = board
    score, stated, spent = led_game(state, "strong", seed)
    return score, led_game(state, "simple", seed)[0], stated, spent


def measure_adviser(boards: list[tuple[int, State]], processes: int) -> None:
    """Print how the strong attackers do on some boards, each with its seed."""
    with multiprocessing.Pool(processes) as pool:
        _tell_adviser(boards, pool.imap(by_both, boards))


def _tell_adviser(boards: list[tuple[int, State]], played: Iterable[tuple[int, int, list[float], list[float]]]) -> None:
    scores, beaten, turns, told = list[int](), 0.0, list[float](), list[tuple[float, bool]]()
    for (seed, _), (score, simple, stated, spent) in zip(boards, played, strict=True):
        scores.append(score)
        turns += spent
        beaten += 1.0 if score > simple else 0.5 if score == simple else 0.0
        told += [(chance, score >= POINTS_TO_WIN) for chance in stated]
        print(f"seed {seed}: {score} (simple: {simple})", flush=True)
    count = len(scores)
    won = sum(score >= POINTS_TO_WIN for score in scores) / count
    print(
        f"{count} games: mean {statistics.fmean(scores):.1f}, sd {statistics.pstdev(scores):.1f}, won {100 * won:.1f} %"
    )
    print(f"more than the simple attackers (ties half): {100 * beaten / count:.0f} %")
    print(f"a turn: {statistics.median(turns):.1f} s median, {max(turns):.1f} s at most")
    for low, high in BINS:
        here = [(chance, win) for chance, win in told if low <= chance < high]
        if here:
            mean, came = statistics.fmean(chance for chance, _ in here), statistics.fmean(win for _, win in here)
            print(f"stated {100 * mean:5.1f} %, came {100 * came:5.1f} % ({len(here)} turns)")


def stored_boards() -> list[tuple[int, State]]:
    """The ten boards stored beside this script."""
    rows = json.loads(STORED.read_text(encoding="utf-8"))["boards"]
    return [
        (row["seed"], laid_out(row["seed"], Setup(board=setup_from_position({"board": row["board"]}).board)))
        for row in rows
    ]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--adviser", metavar="BOARDS", help='how many boards the adviser plays, or "stored"')
    parser.add_argument("--seed", type=int, default=FIRST_UNTUNED, help="the first board's seed")
    parser.add_argument("--processes", type=int, default=1, help="how many boards are played at a time")
    asked = parser.parse_args()
    if asked.adviser is None:
        measure_times()
    elif asked.adviser == "stored":
        measure_adviser(stored_boards(), asked.processes)
    else:
        seeds = range(asked.seed, asked.seed + int(asked.adviser))
        measure_adviser([(seed, laid_out(seed, Setup())) for seed in seeds], asked.processes)


def measure_times() -> None:
    """Print how long answers and games take."""
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
    starts = [Rollout(laid_out(seed, Setup())) for seed in range(GAMES)]
    start = time.process_time()
    for game in starts:
        Leader(game).move()
    each = (time.process_time() - start) / GAMES * 1e3
    print(f"{'the moves of a first turn by the strong attackers':56} {each:8.1f} ms {each / base:7.2f} x")
    games = [game.copy(random.Random(seed).random) for seed, game in enumerate(starts)]
    start = time.process_time()
    for game in games:
        while True:
            game.begin_fire()
            game.finish_fire()
            game.enemy_phase()
            if not game.next_turn():
                break
    each = (time.process_time() - start) / GAMES * 1e3
    print(f"{'twenty turns of dice without moves':56} {each:8.1f} ms {each / base:7.2f} x")


if __name__ == "__main__":
    main()
