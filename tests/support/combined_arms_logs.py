"""Logs of Combined Arms for the report's tests: events as they are, and the golden games."""

from functools import lru_cache

from tabletop.aar.story import Story, tell
from tabletop.game import REFEREE, Game, Record
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.report_adapter import REPORT
from tabletop.rulesets.combined_arms.setup import CounterAt, PlatoonAt, Position, Setup
from tests.support.golden_games import FOLDER, begun, read

MODES = ("solitaire", "co-operative", "enemy-player")
BOARD = (("6-4", "woods"), ("7-2", "crest"), ("5-6", "farm"), ("3-3", "poor going"))
POSITION = Position(
    turn=3,
    platoons=(
        PlatoonAt("D1", "4-3"),
        PlatoonAt("D2", "4-3", "spent"),
        PlatoonAt("E1", "5-4"),
        PlatoonAt("M1", "2-4"),
        PlatoonAt("A1", "4-5", facing=0),
    ),
    enemy=(
        CounterAt("6-4", True, "fresh", "real"),
        CounterAt("7-2", atg="potential"),
        CounterAt("5-6", True, "spent"),
        CounterAt("8-8"),
    ),
    losses=6,
    ammo=6,
    off=("F1",),
)
SETUP = Setup(board=BOARD, position=POSITION)


class Log:
    """A log that is written event by event, and never judged."""

    def __init__(self, setup: Setup = SETUP) -> None:
        self.records: list[Record] = []
        self.add(ev.Started(setup), actor=REFEREE)

    def add(self, *events: ev.Event, actor: str = "attacker") -> list[int]:
        """One action's events; returns their numbers."""
        first = len(self.records) + 1
        for event in events:
            kind, body = ev.CODEC.to_json(event)
            seq = len(self.records) + 1
            self.records.append(Record(seq, f"{seq:06d}", "2026-05-02T14:00:00+00:00", actor, kind, body, first))
        return list(range(first, len(self.records) + 1))

    @property
    def game(self) -> Game:
        return Game(RULES, self.records)

    @property
    def story(self) -> Story:
        return tell(self.game, REPORT)


@lru_cache(maxsize=3)
def golden(mode: str) -> Game:
    rules, scenario, turns = read((FOLDER / f"combined-arms-{mode}.txt").read_text(encoding="utf-8"))
    game = begun(rules, scenario)
    for turn in turns:
        game.push(game.parse(turn.words), turn.dice or None)
    return game


@lru_cache(maxsize=3)
def golden_story(mode: str) -> Story:
    return tell(golden(mode), REPORT)
