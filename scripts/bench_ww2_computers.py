"""How the computer players of WWII Combined Arms compare: seeded games from both sides.

Run it from the repository: ``python scripts/bench_ww2_computers.py strong simple --games 100 --seed 5000``. Each set-up
(ready-made armies drawn by lot, placed by the simple player, who goes first drawn too) is played twice, each player
once as red; a game in which no headquarters has fallen after 50 turns is drawn. It prints who won how often with the
interval that holds the true share nineteen times in twenty, how long games last, and the time that each player takes
for an action and for a turn. ``--weights fear=0`` and ``--effort replies=0`` change the first player, a searching one,
to measure what a part of it is worth: ``strong strong --weights fear=0``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tabletop.game.computers import choose
from tabletop.rulesets.ww2_combined_arms.data import NAME, SIDES
from tabletop.rulesets.ww2_combined_arms.judging import WEIGHTS
from tabletop.rulesets.ww2_combined_arms.planning import EFFORTS, Planner
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State
from tabletop.starting.scenarios import find
from tests.support.ww2_combined_arms_games import after, begun

TURNS = 50


def set_up(scenario: str, rng: random.Random) -> State:
    """A game with both armies set up by the simple player."""
    setup = find(scenario, NAME).setup
    state = begun(replace(setup, turns=TURNS, first=rng.choice(SIDES)))
    while state.step in BEFORE:
        action = next(iter(RULES.bot_actions(state, rng)))
        state = after(state, action, RULES.dice(state, action).roll(rng))
    return state


class Match:
    """Games between two players, and their cost."""

    def __init__(self, players: tuple[str, str], scenario: str, changed: Planner | None = None) -> None:
        self.players, self.scenario, self.changed = players, scenario, changed
        self.won = [0, 0]
        self.drawn = 0
        self.turns: list[int] = []
        self.action_s: tuple[list[float], list[float]] = ([], [])
        self.turn_s: tuple[list[float], list[float]] = ([], [])

    def play(self, game: int, seed: int) -> None:
        """Play game number ``game``: of two games with one set-up the second has the sides changed."""
        rng = random.Random(seed + game // 2)
        state, red = set_up(self.scenario, rng), game % 2
        spent = [0.0, 0.0]
        while state.result is None:
            side, turn = RULES.to_act(state) or "", (state.turn, state.acting)
            which = red if side == SIDES[0] else 1 - red
            start = time.process_time()
            if which == 0 and self.changed is not None:
                action = self.changed.plan(state, side).line[0]
            else:
                action = choose(RULES, state, side, self.players[which], rng).action
            took = time.process_time() - start
            self.action_s[which].append(took)
            spent[which] += took
            state = after(state, action)
            if turn != (state.turn, state.acting):
                for n in (0, 1):
                    if spent[n]:
                        self.turn_s[n].append(spent[n])
                spent = [0.0, 0.0]
        self.turns.append(state.turn)
        if state.result.winner is None:
            self.drawn += 1
        else:
            self.won[red if state.result.winner == SIDES[0] else 1 - red] += 1

    def report(self) -> str:
        """The results so far in lines."""
        games = len(self.turns)
        low, high = wilson(self.won[0], games)
        lines = [
            f"{self.players[0]} against {self.players[1]}: {self.won[0]} won, {self.won[1]} lost, {self.drawn} drawn of"
            f" {games} ({100 * low:.0f} to {100 * high:.0f} %), median {statistics.median(self.turns):.0f} turns"
        ]
        for name, actions, turns in zip(self.players, self.action_s, self.turn_s, strict=True):
            lines.append(
                f"  {name}: an action {1e3 * statistics.fmean(actions):.0f} ms in the mean, {max(actions):.2f} s at"
                f" most; a turn {statistics.fmean(turns):.2f} s, {max(turns):.2f} s at most (processor time)"
            )
        return "\n".join(lines)


def wilson(won: int, games: int) -> tuple[float, float]:
    """Wilson's interval of a share, nineteen times in twenty."""
    z, share = 1.96, won / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5
    return middle - half, middle + half


def main() -> None:
    """Play the games and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs=2, help="two levels")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=5000, help="the first set-up's")
    parser.add_argument("--scenario", default="chessboard")
    parser.add_argument("--weights", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--effort", nargs="*", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    changed = None
    if given.weights or given.effort:
        effort = replace(
            EFFORTS[given.players[0]], **{n: int(v) for n, v in (pair.split("=") for pair in given.effort)}
        )
        weights = replace(WEIGHTS, **{n: float(v) for n, v in (pair.split("=") for pair in given.weights)})
        changed = Planner(effort, weights)
        print(*given.weights, *given.effort)
    match = Match((given.players[0], given.players[1]), given.scenario, changed)
    for game in range(given.games):
        match.play(game, given.seed)
    print(match.report(), flush=True)


if __name__ == "__main__":
    main()
