"""One-Hour WWII keeps the contract of all rulesets."""

import random
from typing import Any

import numpy as np

from tabletop.game import Game
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.data import KINDS
from tabletop.rulesets.one_hour_ww2.play import RULES
from tests.support.one_hour_games import random_setup
from tests.support.ruleset_contract import RulesetContract


class TestOneHourWW2(RulesetContract):
    """Fewer games than other rulesets: exact geometry judges every shot and walk, which takes ten times as long as
    squares and hexes do."""

    rules = RULES
    games = 30
    few = 2
    kinds_of_action = frozenset({"Begin", "Fire", "Move", "Place", "Leave", "Rally", "Ready", "DigIn", "End"})

    def game(self, seed: int, **more: Any) -> Game:
        """Of set-ups whose first five games use every kind of action."""
        return super().game(seed + 6, **more)

    def small(self, rng: random.Random) -> object:
        return random_setup(rng)

    def result(self, before: Any, made: tuple[Any, ...]) -> int:
        match made[0]:
            case ev.Fired(hits=hits):
                return hits
            case ev.MoveRolled(total_in=total):
                return total
            case ev.Rallied(unit=unit, removed=removed):
                return before.unit(unit).hits - removed
        raise AssertionError(f"{made[0]} has no number that odds are about.")

    def test_every_event_of_random_games_keeps_the_rules(self) -> None:
        kinds = set()
        for seed in range(4):
            game, watcher, before = self.played(seed).game, Watcher(), None
            for record, state in game.states():
                event = game.event(record)
                kinds.add(type(event).__name__)
                if before is not None and before.step != "deploy":
                    watcher.event(before, event, state)
                before = state
        assert {"Fired", "MoveRolled", "Moved", "Rallied", "MadeReady", "DugIn", "StepEnded", "Ended"} <= kinds


class Watcher:
    """Holds the rules' sentences about what an event may change against every event of a game."""

    def __init__(self) -> None:
        self.acted: set[str] = set()
        self.settled: set[str] = set()
        self.in_step = 0

    def event(self, before: Any, event: Any, after: Any) -> None:
        self._markers(before, event, after)
        self._numbers(before, event, after)
        match event:
            case ev.Fired():
                self._fired(before, event)
            case ev.MoveRolled():
                assert before.step == "actions"
                assert event.unit not in self.acted
                assert before.unit(event.unit).side == before.side
                self.acted.add(event.unit)
            case ev.Moved():
                self.in_step += 1
                total = before.pending.total_in
                assert event.allowed_in <= total + 4 * event.by_road + 1e-9
                assert event.by_road or event.allowed_in in (total, max(0, total - 4))
                went = np.linalg.norm(
                    after.unit(event.unit).bases.center - before.unit(event.unit).bases.center, axis=1
                )
                assert all(straight <= way + 1e-3 for straight, way in zip(went, event.lengths_in, strict=True))
                assert max(event.lengths_in) <= event.allowed_in + 1e-3
            case ev.Exited():
                self.in_step += 1
                assert before.pending.unit == event.unit
            case ev.Rallied() | ev.MadeReady() | ev.DugIn():
                assert before.step == "rally"
                assert event.unit not in self.acted | self.settled
                assert before.unit(event.unit).side == before.side
                self.settled.add(event.unit)
            case ev.StepEnded():
                steps = [(side, step) for side in before.setup.sides for step in ("mortar", "actions", "rally")]
                here = steps.index((before.side, before.step))
                assert (event.side, event.step) == steps[(here + 1) % 6]
                assert event.turn == before.turn + (here == 5)
                self.settled, self.in_step = set(), 0
                if event.step == "mortar":
                    self.acted = set()
            case ev.Ended():
                assert (before.side, before.step) == (before.setup.sides[1], "rally")

    def _fired(self, before: Any, event: ev.Fired) -> None:
        unit, target = before.unit(event.unit), before.unit(event.target)
        mortar = KINDS[unit.kind].fires_as == "mortar"
        assert target.side != unit.side
        assert event.hits >= 0
        assert event.range_in <= KINDS[unit.kind].reach_in + 1e-4
        assert before.pending is None
        if event.reaction:
            assert unit.side != before.side
            assert unit.ready
            assert not mortar
            assert before.step == "actions"
            assert self.in_step > 0
        else:
            assert unit.side == before.side
            assert before.step == ("mortar" if mortar else "actions")
            assert event.unit not in self.acted
            self.acted.add(event.unit)
            self.in_step += not mortar

    @staticmethod
    def _markers(before: Any, event: Any, after: Any) -> None:
        for old in before.units:
            new = after.unit(old.id)
            if new is None:
                continue
            own = getattr(event, "unit", None) == old.id
            if old.ready and not new.ready:
                assert own
                assert isinstance(event, ev.Fired | ev.MoveRolled)
            if old.dug_in and not new.dug_in:
                assert own
                assert isinstance(event, ev.MoveRolled)
            if new.ready and not old.ready:
                assert own
                assert isinstance(event, ev.MadeReady)
            if new.dug_in and not old.dug_in:
                assert own
                assert isinstance(event, ev.DugIn)
            for marker in ("fired", "moved"):
                if getattr(old, marker) and not getattr(new, marker):
                    assert isinstance(event, ev.StepEnded)
                    assert (event.side, event.step) == (old.side, "mortar")
            if isinstance(event, ev.Moved) and not own:
                assert (new.bases.center == old.bases.center).all()

    @staticmethod
    def _numbers(before: Any, event: Any, after: Any) -> None:
        for old in before.units:
            new = after.unit(old.id)
            if new is None:
                assert isinstance(event, ev.Destroyed | ev.Exited)
                if isinstance(event, ev.Destroyed):
                    assert old.hits >= before.setup.rules.destroyed_at
                continue
            assert 0 <= new.permanent <= new.hits
            assert new.permanent >= old.permanent
            if new.hits >= 10:
                assert new.permanent == 5
            if new.hits > old.hits:
                assert isinstance(event, ev.Fired)
                assert event.target == new.id
                assert new.hits == old.hits + event.hits
            if new.hits < old.hits:
                assert isinstance(event, ev.Rallied)
                assert event.unit == new.id
                assert old.hits - new.hits <= event.roll
