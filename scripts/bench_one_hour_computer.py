"""How often the strong computer of One-Hour WWII beats another: ``python scripts/bench_one_hour_computer.py``.

Every scenario is played from both sides with the same seeds; a draw counts as half. ``--rules combat`` plays the
scenarios of another ruleset that has levels. ``--against`` names a level, or the folder of another version of this
repository: the opponent is then its player of the same level.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tabletop.game.computers import SIMPLE, StuckError, choose, reaction
from tabletop.game.protocol import Ruleset
from tabletop.game.registry import ruleset
from tabletop.game.selfplay import MOST_ACTIONS
from tabletop.starting.scenarios import find, list_scenarios

SURE = 1.96


class Player:
    """A computer of a level that follows a game by its events, with the processor time that its choices took."""

    def __init__(self, rules: Ruleset[Any, Any, Any], level: str) -> None:
        self.rules, self.level, self.spent_s, self.choices = rules, level, 0.0, 0

    def begin(self, side: str, seed: int) -> None:
        """A new game begins, in which it has a side."""
        self.side, self.rng, self.state = side, random.Random(f"{seed} {side}"), None

    def see(self, events: list[Any]) -> None:
        """Follow what happened."""
        for event in events:
            self.state = self.rules.apply(self.state, event)

    def wish(self) -> Any:
        """Choose an action; ``None`` where it leaves the other side to act."""
        start = time.process_time()
        if self.rules.to_act(self.state) == self.side:
            found = choose(self.rules, self.state, self.side, self.level, self.rng).action
            self.choices += 1
        else:
            choice = reaction(self.rules, self.state, self.side, self.level, self.rng)
            found = None if choice is None else choice.action
        self.spent_s += time.process_time() - start
        return found


class OtherVersion(Player):
    """A computer of another version of this repository, in a separate process."""

    def __init__(self, rules: Ruleset[Any, Any, Any], level: str, tree: Path) -> None:
        super().__init__(rules, level)
        environment = os.environ | {"PYTHONPATH": str(tree)}
        command = [sys.executable, __file__, "--rules", rules.name, "--level", level, "--answer"]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _ask(self, what: str, *given: Any) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        pickle.dump((what, given), self.process.stdin)
        self.process.stdin.flush()
        found, self.spent_s, self.choices = pickle.load(self.process.stdout)
        return found

    def begin(self, side: str, seed: int) -> None:
        """A new game begins, in which it has a side."""
        self._ask("begin", side, seed)

    def see(self, events: list[Any]) -> None:
        """Follow what happened."""
        self._ask("see", events)

    def wish(self) -> Any:
        """Choose an action; ``None`` where it leaves the other side to act."""
        return self._ask("wish")


def answer(player: Player) -> None:
    """Play by what another process says, until it ends."""
    while True:
        try:
            what, given = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        found = getattr(player, what)(*given)
        pickle.dump((found, player.spent_s, player.choices), sys.stdout.buffer)
        sys.stdout.buffer.flush()


def winner(rules: Ruleset[Any, Any, Any], setup: object, players: dict[str, Player], seed: int) -> str | None:
    """Who wins a game; ``None`` for a draw, and for a game that does not end."""
    rng, state = random.Random(seed), None
    events = list(rules.start(setup))
    for side, player in players.items():
        player.begin(side, seed)
    for _ in range(MOST_ACTIONS):
        for player in players.values():
            player.see(events)
        for event in events:
            state = rules.apply(state, event)
        outcome = rules.outcome(state)
        if outcome is not None:
            return outcome.winner
        side = rules.to_act(state) or ""
        wishes = (player.wish() for one, player in sorted(players.items(), key=lambda row: row[0] == side))
        try:
            wish = next(found for found in wishes if found is not None)
        except StuckError:
            return None
        events = list(rules.resolve(state, wish, rules.dice(state, wish).roll(rng)))
    return None


def main() -> None:
    """Play, and write a line for each scenario and side."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--games", type=int, default=13, help="games of each scenario and side")
    asked.add_argument("--seed", type=int, default=1000, help="the first game's seed")
    asked.add_argument("--level", default="strong")
    asked.add_argument("--against", default=SIMPLE, help="a level, or the folder of another version")
    asked.add_argument("--scenario", action="append", help="only this one (may be said again)")
    asked.add_argument("--side", action="append", help="only as this side (may be said again)")
    asked.add_argument("--rules", default="one-hour-ww2", help="the ruleset that is played")
    asked.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    said = asked.parse_args()
    rules, total = ruleset(said.rules), Counter[str]()
    player = Player(rules, said.level)
    if said.answer:
        answer(player)
        return
    tree = Path(said.against)
    other = OtherVersion(rules, said.level, tree) if tree.is_dir() else Player(rules, said.against)
    for scenario in said.scenario or [entry.id for entry in list_scenarios(said.rules)]:
        setup: Any = find(scenario, said.rules).setup
        for side in said.side or setup.sides:
            players = {one: player if one == side else other for one in setup.sides}
            start, found = time.perf_counter(), Counter[str]()
            for seed in range(said.seed, said.seed + said.games):
                won = winner(rules, setup, players, seed)
                found["draw" if won is None else "won" if won == side else "lost"] += 1
            total += found
            row = f"{scenario} {said.level} plays {side}: {_in_words(found)}"
            sys.stdout.write(f"{row}; {(time.perf_counter() - start) / said.games:.1f} s a game\n")
            sys.stdout.flush()
    count = total.total()
    share = (total["won"] + total["draw"] / 2) / count
    spread = SURE * math.sqrt(share * (1 - share) / count)
    sys.stdout.write(f"All {count} games: {_in_words(total)}; {share:.0%} ± {spread:.0%}\n")
    own, theirs = (1e3 * one.spent_s / max(1, one.choices) for one in (player, other))
    sys.stdout.write(f"A choice took {own:.1f} ms of processor time, the opponent's {theirs:.1f} ms\n")


def _in_words(found: Counter[str]) -> str:
    return f"won {found['won']}, drawn {found['draw']}, lost {found['lost']}"


if __name__ == "__main__":
    main()
