"""Play many whole games of Combined Arms at random and check each: ``python scripts/random_games.py --games 10000``.

Every game must end without an exception, keep the ruleset's invariants after every action, show nothing hidden in its
public view, and replay from its log's JSON to the state that it ended in. Prints the faults as JSON; exit status 1
if there are any.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from typing import Any

from tabletop.game import Game
from tabletop.rulesets.combined_arms.board import COUNT
from tabletop.rulesets.combined_arms.data import Mode
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State

MODES: tuple[Mode, ...] = ("solitaire", "solitaire", "co-operative", "enemy-player")
MOST_ACTIONS = 5000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    faults: list[str] = []
    counted: Counter[str] = Counter()
    actions = 0
    start = time.process_time()
    for seed in range(asked.seed, asked.seed + asked.games):
        game, found = play_game(seed)
        faults += [f"seed {seed}: {fault}" for fault in found]
        actions += len({record.group for record in game.records})
        outcome = game.outcome
        counted[f"{game.state.setup.mode}: {outcome.winner if outcome else 'no end'}"] += 1
    spent = time.process_time() - start
    report = {
        "games": asked.games,
        "first_seed": asked.seed,
        "actions": actions,
        "ended": dict(sorted(counted.items())),
        "faults": faults[:20],
        "games_per_second": round(asked.games / spent, 1),
    }
    print(json.dumps(report, indent=2))
    return 1 if faults else 0


def play_game(seed: int) -> tuple[Game, list[str]]:
    """A game played out at random, and its faults."""
    rng = random.Random(seed)
    mode = rng.choice(MODES)
    setup = Setup(mode=mode, easier=rng.random() < 0.5, bidding=mode == "enemy-player" and rng.random() < 0.5)
    game, faults = Game.new(RULES, setup), []
    for _ in range(MOST_ACTIONS):
        if game.outcome is not None:
            break
        wish = next(w for w in RULES.random_actions(game.state, rng) if not game.check(w))
        game.push(wish, rng=rng)
        faults += [*RULES.invariant_violations(game.state), *find_leaks(game.state)]
    else:
        faults.append(f"it did not end within {MOST_ACTIONS} actions.")
    if RULES.view(replay_log(game)) != RULES.view(game.state):
        faults.append("it replays to another state.")
    return game, faults


def find_leaks(state: State) -> list[str]:
    """Hidden information in the public view."""
    faults = []
    if len(state.ground.terrain) != COUNT:
        faults.append(f"the board has {len(state.ground.terrain)} hexes.")
    if RULES.hides(state):
        told = RULES.view(state, "public")
        if "secret" in told or any(isinstance(bid, int) for bid in told.get("bids", []) if state.step == "bids"):
            faults.append("its public view shows hidden information.")
    return faults


def replay_log(game: Game) -> State:
    """The state that the log's JSON makes."""
    state: Any = None
    for record in game.records:
        body = json.loads(json.dumps(dict(record.body)))
        state = RULES.apply(state, RULES.event_from_json(record.kind, body, RULES.version))
    found: State = state
    return found


if __name__ == "__main__":
    sys.exit(main())
