"""Golden playthroughs: games as text files, re-run line by line.

A file says which scenario is played and holds, for every action, its words and dice as given, the sentence of every
event that it made, and a digest of the state after it. Combined Arms has no scenarios: its mode stands for one.
``python scripts/goldens.py`` writes the files anew from their own actions, so that version control shows what a change
of the rules changed. Of games whose log lies beside their file, the log and both after-action reports are kept too.
"""

import hashlib
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tabletop.aar.adapters import report_adapter
from tabletop.aar.compose import full_report, short_report
from tabletop.aar.markdown import markdown_text
from tabletop.aar.story import tell
from tabletop.errors import TabletopError
from tabletop.game import Game, Record
from tabletop.game.jsonl import LogHeader, game_from_log, read_log, write_log
from tabletop.game.registry import ruleset
from tabletop.rulesets.combined_arms.data import NAME as COMBINED_ARMS
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.starting.scenarios import find
from tests.paths import DATA

FOLDER = DATA / "golden"
REPORTED = tuple(sorted(path.stem for path in FOLDER.glob("*.jsonl")))
"""The games whose log and reports are kept."""
SIMPLE = 0.85
"""How often the simple player has a say in a game of Combined Arms; else it is a random one's."""


class GoldenError(TabletopError):
    """A golden file can't be read, or one of its actions can't be done any more."""


@dataclass(frozen=True)
class Turn:
    """An action as given: its words, the dice that were rolled for it, and its line in the file (0: in none)."""

    words: str
    dice: tuple[int, ...] = ()
    line: int = 0

    def done_in(self, game: Game) -> tuple[Record, ...]:
        """Do it; raises GoldenError with its line and what speaks against it."""
        try:
            return tuple(game.push(game.parse(self.words), self.dice or None))
        except TabletopError as error:
            raise GoldenError(f'line {self.line}: "{self.words}" can\'t be done: {error}') from error


def begun(rules: str, scenario: str) -> Game:
    """A game as it begins, with ids and times that are always the same."""
    if rules == COMBINED_ARMS:
        setup: object = Setup(mode=scenario, bidding=scenario == "enemy-player")  # type: ignore[arg-type]
    else:
        setup = find(scenario, rules).setup
    ids = (f"{scenario}-{n:04d}" for n in count(1))
    return Game.new(ruleset(rules), setup, clock=lambda: "2026-05-02T14:00:00+00:00", ids=lambda: next(ids))


def told(rules: str, scenario: str, turns: Iterable[Turn]) -> str:
    """The text of a game: what every action did."""
    played, game = ruleset(rules), begun(rules, scenario)
    lines = [f"# {rules} {scenario}", f"= {digest(played, game)}"]
    for turn in turns:
        before = game.state
        rolled = f" [{' '.join(str(face) for face in turn.dice)}]" if turn.dice else ""
        lines.append(f"> {turn.words}{rolled}")
        for record in turn.done_in(game):
            event = game.event(record)
            lines.append(f"  {record.actor}: {played.event_text(before, event)}")
            before = played.apply(before, event)
        lines.append(f"= {digest(played, game)}")
    return "\n".join(lines) + "\n"


def digest(rules: Any, game: Game) -> str:
    """A short digest of everything in a game's state."""
    view = json.dumps(rules.view(game.state), sort_keys=True)
    return hashlib.sha256(view.encode()).hexdigest()[:16]


def read(text: str) -> tuple[str, str, tuple[Turn, ...]]:
    """Ruleset, scenario and actions of a golden file; raises GoldenError with the line that can't be read."""
    first, *lines = text.splitlines() or [""]
    head = first.split()
    if len(head) != 3 or head[0] != "#":
        raise GoldenError(f'line 1: "{first}" does not say what is played: write "# RULES SCENARIO".')
    turns = []
    for number, line in enumerate(lines, 2):
        if line.startswith("> "):
            words, _, dice = line[2:].partition(" [")
            faces = dice.rstrip("]").split()
            if not all(face.isdecimal() for face in faces):
                raise GoldenError(f'line {number}: "[{dice}" are no dice: write them as [4 2].')
            turns.append(Turn(words, tuple(map(int, faces)), number))
    return head[1], head[2], tuple(turns)


def reports(name: str) -> dict[Path, bytes]:
    """What is kept of a game besides its text: its log, and both reports that the log makes."""
    rules, scenario, turns = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    game = begun(rules, scenario)
    for turn in turns:
        turn.done_in(game)
    log = write_log(LogHeader(rules, ruleset(rules).version, name, "", "2026-05-02T14:00:00+00:00"), game.records)
    story = tell(game_from_log(read_log(log, name)), report_adapter(rules))
    return {
        FOLDER / f"{name}.jsonl": log,
        FOLDER / f"{name}.full.md": markdown_text(full_report(story)).encode(),
        FOLDER / f"{name}.short.md": markdown_text(short_report(story)).encode(),
    }


def random_turns(rules: str, scenario: str, seed: int, most: int) -> list[Turn]:
    """Actions of a game between random players; in Combined Arms the simple player's come between."""
    played, rng = ruleset(rules), random.Random(seed)
    game = begun(rules, scenario)
    turns: list[Turn] = []
    while game.outcome is None and len(turns) < most:
        simple = rules == COMBINED_ARMS and rng.random() < SIMPLE
        wishes = played.bot_actions(game.state, rng) if simple else played.random_actions(game.state, rng)
        wish = next(w for w in wishes if w in game.legal_actions)
        dice = played.dice(game.state, wish).roll(rng)
        turns.append(Turn(played.text(wish), dice))
        game.push(wish, dice or None)
    return turns
