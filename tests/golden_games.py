"""Golden playthroughs: games as text files, re-run line by line.

A file says which scenario is played and holds, for every action, its words and dice as given, the sentence of every
event that it made, and a digest of the state after it. ``python scripts/goldens.py`` writes the files anew from their
own actions, so that version control shows what a change of the rules changed.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabletop.game import Game
from tabletop.game.registry import ruleset
from tabletop.scenarios import find

FOLDER = Path(__file__).parent / "data" / "golden"


@dataclass(frozen=True)
class Turn:
    """An action as given: its words, and the dice that were rolled for it."""

    words: str
    dice: tuple[int, ...] = ()


def told(rules: str, scenario: str, turns: Iterable[Turn]) -> str:
    """The text of a game: what every action did."""
    played = ruleset(rules)
    game = Game.new(played, find(scenario, rules).setup)
    lines = [f"# {rules} {scenario}", f"= {digest(played, game)}"]
    for turn in turns:
        before = game.state
        rolled = f" [{' '.join(str(face) for face in turn.dice)}]" if turn.dice else ""
        lines.append(f"> {turn.words}{rolled}")
        for record in game.push(game.parse(turn.words), turn.dice or None):
            event = game.event(record)
            lines.append(f"  {record.actor}: {played.describe(before, event)}")
            before = played.apply(before, event)
        lines.append(f"= {digest(played, game)}")
    return "\n".join(lines) + "\n"


def digest(rules: Any, game: Game) -> str:
    """A short digest of everything in a game's state."""
    view = json.dumps(rules.view(game.state), sort_keys=True)
    return hashlib.sha256(view.encode()).hexdigest()[:16]


def read(text: str) -> tuple[str, str, tuple[Turn, ...]]:
    """Ruleset, scenario and actions of a golden file."""
    first, *lines = text.splitlines()
    _, rules, scenario = first.split()
    turns = []
    for line in lines:
        if line.startswith("> "):
            words, _, dice = line[2:].partition(" [")
            turns.append(Turn(words, tuple(int(face) for face in dice.rstrip("]").split())))
    return rules, scenario, tuple(turns)


def random_turns(rules: str, scenario: str, seed: int, count: int) -> list[Turn]:
    """Actions of a game between random players."""
    played, rng = ruleset(rules), random.Random(seed)
    game, turns = Game.new(played, find(scenario, rules).setup), []
    while game.outcome is None and len(turns) < count:
        wish = next(w for w in played.wishes(game.state, rng) if w in game.legal_actions)
        dice = played.dice(game.state, wish).rolled(rng)
        turns.append(Turn(played.text(wish), dice))
        game.push(wish, dice or None)
    return turns
