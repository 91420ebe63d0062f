"""Games for the report's tests: logs made of events as they are, and games between random players."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tabletop.game import REFEREE, Game, Record
from tabletop.game.records import NOTED, RETRACTED, SEEN
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import Exit, Objective, Setup, Standing, UnitSetup, Victory, Zone

BASE = Shape("rect", 1.2, 1.0)


def line(x: float, y: float, facing: float = 0.0) -> tuple[Standing, ...]:
    """Three bases abreast that face up or down the table, the unique one at (x, y)."""
    return tuple(Standing(x + dx, y, facing) for dx in (0.0, -1.6, 1.6))


def unit(unit_id: str, side: str, kind: str, x: float, y: float, facing: float = 0.0, **more: Any) -> UnitSetup:
    """A unit that stands on the table from the beginning."""
    return UnitSetup(unit_id, side, kind, (BASE,) * 3, at=line(x, y, facing), **more)


SETUP = Setup(
    "The Crossing",
    ("blue", "red"),
    36,
    36,
    (
        unit("B1", "blue", "tank", 8, 6, name="1st Troop"),
        unit("B2", "blue", "infantry", 18, 6),
        unit("B3", "blue", "mortar", 28, 3),
        unit("R1", "red", "tank", 8, 20, 180, hits=7),
        unit("R2", "red", "atg", 18, 24, 180, dug_in=True, ready=True),
        unit("R3", "red", "infantry", 28, 24, 180, hits=11, permanent=5),
    ),
    scenario="14",
    terrain=(
        TerrainPiece("wood", "woods", ((4, 9), (12, 9), (12, 15), (4, 15))),
        TerrainPiece("farm", "town", ((24, 21), (32, 21), (32, 27), (24, 27))),
        TerrainPiece(
            "ridge", "hill", ((14, 27), (22, 27), (22, 33), (14, 33)), 1.0, ((16, 29), (20, 29), (20, 31), (16, 31))
        ),
        TerrainPiece("lane", "road", ((17, 0), (19, 0), (19, 36), (17, 36))),
    ),
    objectives=(
        Objective("farm", "the Farm", ((26, 22), (30, 22), (30, 26), (26, 26))),
        Objective("ford", "the Ford", ((16, 11), (20, 11), (20, 15), (16, 15))),
    ),
    exits=(Exit("lane", "blue", "the lane", (17, 36), (19, 36)),),
    victories=(Victory("blue", "exit", units=2, exit="lane", by_turn=6), Victory("red", "hold")),
    otherwise="red",
    turns=6,
)


def bare(**more: Any) -> Setup:
    """The same forces, to be deployed."""
    return replace(
        SETUP,
        units=tuple(replace(u, at=()) for u in SETUP.units),
        zones=(Zone("blue", ((0, 0), (36, 0), (36, 8), (0, 8))), Zone("red", ((0, 18), (36, 18), (36, 36), (0, 36)))),
        **more,
    )


def fired(unit: str = "B1", target: str = "R1", roll: int = 5, hits: int = 7, **more: Any) -> ev.Fired:
    """A shot, by default a tank's at a tank with average dice: 3 2/3 + 2 on average."""
    usual: dict[str, Any] = {
        "range_in": 10.4,
        "band": "normal",
        "add": 2,
        "multiply": 1.0,
        "modifiers": ("tank against tank +2",),
        "expected": 5.5,
        "chances": ((4, 1 / 6), (5, 1 / 3), (6, 1 / 3), (7, 1 / 6)),
    }
    return ev.Fired(unit, target, roll, hits, **(usual | more))


class Log:
    """A log that is written event by event, and never judged."""

    def __init__(self, setup: Setup = SETUP, *, begun: bool = True) -> None:
        self.records: list[Record] = []
        self.add(ev.Started(setup), actor=REFEREE)
        if begun:
            self.add(ev.Begun(), actor=REFEREE)

    def add(self, *events: ev.Event, actor: str = "blue", photo: str = "") -> list[int]:
        """One action's events; returns their numbers."""
        first = len(self.records) + 1
        for event in events:
            kind, body = ev.CODEC.to_json(event)
            self._put(kind, body, actor, first, photo)
        return list(range(first, len(self.records) + 1))

    def note(self, text: str, actor: str = "blue") -> None:
        self._put(NOTED, {"text": text}, actor, len(self.records) + 1)

    def saw(self, photo: str) -> None:
        self._put(SEEN, {"observation": {}}, "camera", len(self.records) + 1, photo)

    def retract(self, seqs: Sequence[int]) -> None:
        self._put(RETRACTED, {"seqs": list(seqs), "reason": ""}, REFEREE, len(self.records) + 1)

    def step(self, turn: int, side: str, step: ev.Step) -> None:
        self.add(ev.StepEnded(turn, side, step), actor=side)

    def _put(self, kind: str, body: dict[str, Any], actor: str, group: int, photo: str = "") -> None:
        seq = len(self.records) + 1
        at = f"2026-05-02T14:{seq // 60 % 60:02d}:{seq % 60:02d}+00:00"
        self.records.append(Record(seq, f"{seq:016x}", at, actor, kind, body, group, "", photo))

    @property
    def game(self) -> Game:
        return Game(RULES, self.records)


def played_log() -> Log:
    """Two turns with every kind of thing in them."""
    log = Log(begun=False)
    log.add(ev.Begun(), ev.Held("farm", "red"), actor=REFEREE)
    log.step(1, "blue", "actions")
    log.add(fired())
    log.note("What a *shot*!\nSee <b>this</b> & that")
    log.add(ev.MoveRolled("B2", (4, 5), 11))
    log.add(ev.Moved("B2", line(18, 13), (7.0, 7.0, 7.0), 11.0))
    log.add(fired("R2", "B2", 3, 1, expected=1.5, band="long", range_in=12.0, modifiers=(), reaction=True), actor="red")
    log.step(1, "blue", "rally")
    log.add(ev.Held("ford", "blue"), ev.StepEnded(1, "red", "mortar"), actor="blue")
    log.step(1, "red", "actions")
    wrong = log.add(ev.MoveRolled("R1", (2, 2, 2), 8), ev.Moved("R1", line(9, 18, 180), (2.2, 2.2, 2.2), 8.0))
    log.retract(wrong)
    log.step(1, "red", "rally")
    log.add(ev.Rallied("R3", 4, 2, 7 / 6), actor="red")
    log.step(2, "blue", "mortar")
    log.saw("ab" * 32)
    log.add(fired("B3", "R3", 4, 6, add=2, modifiers=("mortar against infantry +2",), observer="B1"), actor="blue")
    log.records[-1] = replace(log.records[-1], photo="cd" * 32)
    shot = fired("B3", "R1", 5, 3, expected=1.5, modifiers=("mortar against tank -2",), overruled=("already-acted",))
    log.add(shot, ev.Destroyed("R1", "B3"), actor=REFEREE)
    log.step(2, "blue", "actions")
    log.add(ev.Corrected("B1", "it was bumped", line(9, 7), hits=2), actor=REFEREE)
    log.add(ev.Corrected("R3", "miscounted", off=True), actor=REFEREE)
    log.step(2, "red", "mortar")
    log.add(ev.Ended("blue", "Red conceded in turn 2."), actor="red")
    return log


@lru_cache(maxsize=8)
def random_game(seed: int, most: int = 80) -> Game:
    """A game between random players, broken off after so many records."""
    rng = random.Random(seed)
    game = Game.new(RULES, SETUP, clock=lambda: "2026-05-02T14:00:00+00:00", ids=iter(map(str, range(10_000))).__next__)
    while game.outcome is None and len(game.records) < most:
        wish = next(wish for wish in RULES.random_actions(game.state, rng) if not game.check(wish))
        game.push(wish, rng=rng)
    return game
