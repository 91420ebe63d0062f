"""The chances of deciding moments, measured: ``python scripts/bench_playing_out.py LOG``.

For some seeds the most decisive moments of a game of One-Hour WWII and the seconds that they took; with ``--real``, for
the beginnings of some turns, how often the first side wins when the quick player plays out and when the strong computer
plays both sides by the real rules.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from pathlib import Path

from tabletop.aar.adapters import report_adapter
from tabletop.aar.chances import count_chances, with_chances
from tabletop.aar.steps import report_events
from tabletop.aar.story import tell
from tabletop.game.computers import choose, reaction
from tabletop.game.core import Game
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.rulesets.one_hour_ww2.computer import STRONG
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.playing_out import winners_of
from tabletop.rulesets.one_hour_ww2.state import State

SURE = 1.96
QUICK = 400


def main() -> None:
    """Count, and write a line for each moment and each turn."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("log", type=Path)
    asked.add_argument("--seed", type=int, action="append", help="count the moments with this seed (may be said again)")
    asked.add_argument("--most", type=int, default=8, help="moments that are printed for each")
    asked.add_argument("--real", type=int, default=0, help="games by the real rules from the beginning of each turn")
    asked.add_argument("--turn", type=int, action="append", help="a turn that they are played from")
    asked.add_argument("--first", type=int, default=5000, help="the seed of the first of them")
    said = asked.parse_args()
    game = game_from_log(read_log(said.log.read_bytes(), said.log.name))
    for seed in said.seed or ():
        _moments(game, seed, said.most)
    for turn in said.turn or ():
        _turn(game, turn, said.real, said.first)


def _moments(game: Game, seed: int, most: int) -> None:
    story, start = tell(game, report_adapter(RULES.name)), time.process_time()
    chances = count_chances(story, RULES.name, seed=seed)
    _write(f"seed {seed}: {time.process_time() - start:.0f} s of one core")
    for moment in with_chances(story, chances).moments[:most]:
        _write(f"  {moment.number}. turn {moment.clock.turn}: {moment.sentences[0][:60]}: {moment.why}")


def _turn(game: Game, turn: int, games: int, first: int) -> None:
    begins = (
        event.after
        for event in report_events(game)
        if event.after.turn == turn and event.after.step == "mortar" and event.after.side == event.after.setup.sides[0]
    )
    state = next(begins)
    quick = float((winners_of([state], QUICK, first) == 0).mean())
    start = time.perf_counter()
    won = [_winner(state, first + n) for n in range(games)].count(state.setup.sides[0])
    share = won / max(1, games)
    spread = SURE * math.sqrt(share * (1 - share) / max(1, games))
    spent = (time.perf_counter() - start) / max(1, games)
    real = f"{STRONG} by the real rules {won} of {games} ({share:.0%} ± {spread:.0%}), {spent:.1f} s a game"
    _write(f"turn {turn}: quick player {quick:.0%} of {QUICK}; {real}")


def _winner(state: State, seed: int) -> str | None:
    """Who wins where the strong computer plays on for both sides."""
    rng = random.Random(seed)
    while (outcome := RULES.outcome(state)) is None:
        side = RULES.to_act(state) or ""
        other = next(s for s in state.setup.sides if s != side)
        found = reaction(RULES, state, other, STRONG, rng) or choose(RULES, state, side, STRONG, rng)
        for event in RULES.resolve(state, found.action, RULES.dice(state, found.action).roll(rng)):
            state = RULES.apply(state, event)
    return outcome.winner


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
