"""The play reports replayed: scripts play under the rules, and every number that is reported stands in their logs."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from geometry.ranges import ranges_between
from geometry.tolerance import YES
from tabletop.game import Game
from tabletop.game.records import NOTED, Record
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.actions import Fire
from tabletop.rulesets.one_hour_ww2.chances import permanent_hits
from tabletop.rulesets.one_hour_ww2.firing import shot_violations, volley
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.rulesets.one_hour_ww2.state import State
from tests.support import replays
from tests.support.replays import FOLDER, Replay, files, names


@cache
def replayed(name: str) -> Replay:
    return replays.played(name)


@cache
def told(name: str) -> list[tuple[Record, State]]:
    """Every record of a replay that stands, with the state after it, the last one first."""
    return list(replayed(name).game.states())[::-1]


def noted(game: Game, beginning: str) -> Record:
    (found,) = (r for r in game.records if r.kind == NOTED and str(r.body["text"]).startswith(beginning))
    return found


class Statement:
    """A reported statement of a replay: its events, and the game as it stood before and after them."""

    def __init__(self, name: str, number: str) -> None:
        replay = replayed(name)
        self.game = replay.game
        self.records = replay.statements[number]
        self.events = [self.game.event(record) for record in self.records]
        note = noted(self.game, f"Reported ({number}): ")
        self.before = next(state for record, state in told(name) if record.seq < note.seq)
        last = self.records[-1] if self.records else note
        self.after = next(state for record, state in told(name) if record.seq <= last.seq)

    def of(self, kind: type[Any], unit: str = "") -> list[Any]:
        return [e for e in self.events if isinstance(e, kind) and unit in ("", e.unit)]

    def shots(self, target: str) -> list[ev.Fired]:
        return [e for e in self.of(ev.Fired) if e.target == target]

    def number(self, what: str, unit: str) -> float:
        """A number of the statement: ``what`` it is about ``unit``, which is the target of shots."""
        match what:
            case "hits":
                return sum(shot.hits for shot in self.shots(unit))
            case "die":
                (shot,) = self.shots(unit)
                return shot.roll
            case "add":
                (shot,) = self.shots(unit)
                return shot.add
            case "multiply":
                (found,) = {shot.multiply for shot in self.shots(unit)}
                return found
            case "brought to":
                return self.before.unit(unit).hits + self.number("hits", unit)
            case "total" | "permanent":
                found = self.after.unit(unit)
                return found.hits if what == "total" else found.permanent
            case "corrected":
                (event,) = self.of(ev.Corrected, unit)
                return event.hits
            case "rallied":
                (event,) = self.of(ev.Rallied, unit)
                return event.removed
            case "destroyed":
                return len(self.of(ev.Destroyed, unit))
            case "dug in":
                return len(self.of(ev.DugIn, unit))
            case "moved":
                return len(self.of(ev.Moved, unit))
            case "left":
                return len(self.of(ev.Exited, unit))
            case "total to move" | "change to move":
                (event,) = self.of(ev.MoveRolled, unit)
                return event.total_in - (sum(event.roll) if what == "change to move" else 0)
        raise KeyError(what)


STATIC_DEFENCE: list[tuple[str, int, str, dict[str, float]]] = [
    ("1.1", 1, "", {"moved": 4}),
    ("1.2", 1, "B1", {"moved": 1}),
    ("1.3", 1, "B6", {"moved": 1}),
    ("1.4", 1, "B2", {"add": -2}),
    ("1.5", 1, "R5", {"moved": 1}),
    ("1.6", 1, "B3", {"add": 2 - 2}),
    ("1.7", 1, "R3", {"moved": 1}),
    ("2.1", 2, "", {"moved": 4}),
    ("2.2", 2, "R1", {"change to move": 2 - 4}),
    ("2.3", 2, "R5", {"moved": 1}),
    ("3.1", 3, "R1", {"die": 4, "add": 2, "hits": 6}),
    ("3.2", 3, "R4", {"multiply": 0.5}),
    ("3.3", 3, "R5", {"die": 5, "add": 2, "hits": 7}),
    ("3.4", 3, "B1", {"dug in": 1}),
    ("3.5", 3, "B1", {"multiply": 2 * 0.25}),
    ("3.6", 3, "B1", {"corrected": 4}),
    ("3.7", 3, "B2", {"total": 8}),
    ("4.1", 4, "R1", {"total": 12, "permanent": 5}),
    ("4.2", 4, "R5", {"total": 12, "permanent": 5}),
    ("4.4", 4, "B2", {"destroyed": 1}),
    ("5.1", 5, "R5", {"destroyed": 1}),
    ("5.2", 5, "", {"moved": 3}),
    ("5.3", 5, "B5", {"hits": 5, "total": 5}),
    ("5.3", 5, "B3", {"total": 6}),
    ("6.2", 6, "B6", {"moved": 1}),
    ("6.3", 6, "B5", {"hits": 5, "total": 10}),
    ("6.4", 6, "R3", {"moved": 1}),
    ("7.1", 7, "", {"destroyed": 2}),
    ("7.2", 7, "B5", {"rallied": 4}),
    ("7.3", 7, "R3", {"moved": 1}),
]
"""What the report of scenario 14 says: statement, turn, of which unit (empty: of all that act), what and the number."""

FLANK_ATTACK: list[tuple[str, int, str, dict[str, float]]] = [
    ("1.1", 1, "R2", {"hits": 5}),
    ("1.2", 1, "", {"moved": 2}),
    ("1.3", 1, "R5", {"multiply": 0.5, "hits": 2}),
    ("1.4", 1, "B5", {"moved": 1}),
    ("1.5", 1, "B1", {"dug in": 1}),
    ("1.6", 1, "B3", {"hits": 1}),
    ("1.7", 1, "B2", {"multiply": 0.5, "hits": 6}),
    ("1.8", 1, "R3", {"moved": 1}),
    ("1.9", 1, "", {"dug in": 2}),
    ("2.1", 2, "R2", {"multiply": 0.5, "hits": 8}),
    ("2.2", 2, "R5", {"hits": 5}),
    ("2.3", 2, "B2", {"hits": 8}),
    ("3.1", 3, "R3", {"hits": 11, "total": 11}),
    ("3.3", 3, "R3", {"dug in": 1}),
    ("7.1", 7, "B3", {"destroyed": 1}),
    ("7.2", 7, "R5", {"rallied": 2}),
    ("8.1", 8, "R5", {"brought to": 15, "destroyed": 1}),
    ("8.2", 8, "B5", {"moved": 1}),
    ("9.1", 9, "R2", {"destroyed": 1}),
    ("9.2", 9, "B2", {"moved": 1}),
    ("9.3", 9, "R4", {"die": 3, "add": 2 + 2, "hits": 7}),
    ("9.4", 9, "B4", {"destroyed": 1}),
    ("10.1", 10, "R4", {"destroyed": 1}),
    ("10.2", 10, "B2", {"total": 11}),
    ("11.2", 11, "B5", {"moved": 1}),
    ("11.3", 11, "B2", {"rallied": 5, "total": 6, "permanent": 5}),
    ("12.2", 12, "R6", {"multiply": 2, "destroyed": 0}),
    ("13.1", 13, "R3", {"destroyed": 1}),
    ("13.2", 13, "R6", {"multiply": 2, "destroyed": 1}),
    ("14.1", 14, "", {"moved": 3}),
    ("14.2", 14, "B6", {"die": 2, "add": -2, "multiply": 2, "hits": 0}),
    ("15.1", 15, "B2", {"change to move": 2 - 4}),
    ("15.1", 15, "B6", {"change to move": 2 - 4}),
    ("15.1", 15, "", {"left": 3}),
]
"""What the report of scenario 6 says."""

TABLES = {"flank-attack": FLANK_ATTACK, "static-defence": STATIC_DEFENCE}
ROWS = [(name, *row) for name, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize("name", names())
def test_the_scripts_make_the_logs_that_are_kept(name: str) -> None:
    log = FOLDER / f"{name}.jsonl"
    assert log.read_bytes() == replayed(name).log, f"{log.name} is not the script's: run scripts/replays.py"


@pytest.mark.parametrize("name", ["flank-attack", pytest.param("static-defence", marks=pytest.mark.slow)])
def test_the_reports_are_those_of_the_logs(name: str) -> None:
    """Texts letter by letter; of the pictures, that all are there and no others."""
    made = files(name, replayed(name))
    for path, content in made.items():
        if path.suffix == ".md":
            assert path.read_text(encoding="utf-8").splitlines() == content.decode().splitlines(), (
                f"{path.relative_to(FOLDER)} is not the log's: run scripts/replays.py"
            )
    pictures = {path for path in made if path.suffix == ".svg"}
    assert pictures == set((FOLDER / name / "pictures").iterdir())
    short = (FOLDER / name / "short.md").read_text(encoding="utf-8")
    assert all(f"(pictures/{path.name})" in short for path in pictures)


@pytest.mark.parametrize(("name", "statement", "turn", "unit", "numbers"), ROWS)
def test_reported_numbers(name: str, statement: str, turn: int, unit: str, numbers: dict[str, float]) -> None:
    said = Statement(name, statement)
    assert said.before.turn == turn
    assert {what: said.number(what, unit) for what in numbers} == numbers


def sees(state: State, firer: str, target: str) -> bool:
    return "no-sight" not in {v.code for v in shot_violations(volley(state, Fire(firer, target)))}


def tops_under(situation: Situation, unit: str) -> list[str]:
    """The hills on whose marked tops a unit surely stands."""
    at = situation.index[unit]
    return [hill.id for hill in situation.terrain("hill") if situation.on_top(at, hill) == YES]


def apart_in(state: State, one: str, other: str) -> float:
    first, second = (state.unit(name) for name in (one, other))
    return float(ranges_between(first.bases[[first.unique]], second.bases[[second.unique]]).value[0])


def test_static_defence_ends_as_reported() -> None:
    game = replayed("static-defence").game
    assert game.outcome.winner == "blue" and game.outcome.reason == "The Italians conceded in turn 7."
    assert game.state.turn == 7
    assert sorted(game.state.off) == [
        ("B2", "destroyed", 4), ("R1", "destroyed", 7), ("R2", "destroyed", 7), ("R5", "destroyed", 5),
        ("R6", "destroyed", 7),
    ]  # fmt: skip
    assert [u.kind for u in game.state.units if u.side == "red"] == ["infantry", "infantry"]


def test_static_defence_before_the_first_turn() -> None:
    said = Statement("static-defence", "0.2")
    assert [(tie.objective, len(tie.units), tie.within) for tie in said.after.setup.ties] == [
        ("hill", 2, 12.0), ("town", 2, 12.0),
    ]  # fmt: skip
    red = {u.id: (u.kind, u.dug_in, u.ready) for u in said.after.units if u.side == "red"}
    assert all(dug_in == (kind != "tank") and ready for kind, dug_in, ready in red.values())
    assert tops_under(said.after.situation, "R2") == ["hill"]


def test_static_defence_measures_as_reported() -> None:
    tanks = Statement("static-defence", "1.1").after
    for name in ("B2", "B3", "B4", "B5"):
        assert not sees(tanks, name, "R4") and not sees(tanks, "R4", name)
        assert min(_all_ranges(tanks, name, "R4")) > 4.0
    assert min(min(_all_ranges(tanks, name, "R4")) for name in ("B2", "B3", "B4", "B5")) < 4.2
    infantry = Statement("static-defence", "1.2").after
    assert apart_in(infantry, "B1", "R3") == pytest.approx(5.0)
    assert not sees(infantry, "R3", "B1") and not sees(infantry, "B1", "R3")
    closer = Statement("static-defence", "2.1").after
    assert all(min(_all_ranges(closer, name, "R4")) < 4.0 for name in ("B2", "B3", "B4", "B5"))
    assert sees(Statement("static-defence", "2.2").after, "B6", "R1"), "the guns do not get out of sight"
    lost = Statement("static-defence", "5.2").after
    assert not any(sees(lost, "R4", name) for name in ("B3", "B4", "B5")), "the garrison loses sight of the tanks"
    fresh = Statement("static-defence", "5.3")
    assert min(("B3", "B4", "B5"), key=lambda name: apart_in(fresh.before, "R2", name)) == "B5"
    spared = fresh.before.unit("B3").hits + fresh.number("hits", "B5")
    assert (fresh.before.unit("B5").hits, spared, permanent_hits(spared, 0)) == (0, 11, 5)


def events_in(turn: int) -> list[Any]:
    """What happened in a turn of Flank Attack."""
    game = replayed("flank-attack").game
    return [game.event(record) for record, state in told("flank-attack") if state.turn == turn]


def test_flank_attack_goes_as_reported() -> None:
    begun = Statement("flank-attack", "0.1").after
    assert apart_in(begun, "B1", "R1") == pytest.approx(8.0)
    assert not any(u.dug_in or u.ready or u.hits for u in begun.units)
    closest = Statement("flank-attack", "1.3")
    assert apart_in(closest.before, "B2", "R5") < apart_in(closest.before, "B2", "R4")
    assert {shot.unit for shot in Statement("flank-attack", "1.7").shots("B2")} == {"R4", "R5"}
    assert tops_under(Statement("flank-attack", "1.4").after.situation, "B5") == ["ridge"]
    assert not Statement("flank-attack", "2.1").before.unit("R3").dug_in
    assert "R3" not in {e.target for e in events_in(2) if isinstance(e, ev.Fired)}
    assert not any(isinstance(e, ev.MoveRolled) for turn in (3, 4) for e in events_in(turn))
    assert not any(isinstance(e, ev.Destroyed) for turn in range(1, 7) for e in events_in(turn))
    seventh, halfway, twelfth = (Statement("flank-attack", number).after for number in ("7.2", "10.0", "12.0"))
    assert seventh.unit("B1").hits >= 10 and seventh.unit("R5").hits >= 10
    assert sorted(unit for unit, _, _ in halfway.off) == ["B3", "B4", "R2", "R5"]
    assert {u.id: u.hits for u in twelfth.units if u.side == "blue" and u.id != "B1"} == {"B2": 6, "B5": 4, "B6": 0}


def test_flank_attack_everything_fires_at_the_tanks_on_the_road() -> None:
    said = Statement("flank-attack", "12.3")
    assert {shot.unit for shot in said.shots("B2")} == {u.id for u in said.before.units if u.side == "red"}
    assert all(any(words.endswith("against tank -2") for words in shot.modifiers) for shot in said.shots("B2"))


def test_flank_attack_ends_as_reported() -> None:
    said = Statement("flank-attack", "15.1")
    assert {e.unit for e in said.of(ev.Exited)} == {"B2", "B5", "B6"}
    assert said.before.unit("B2").hits == 11
    state = said.game.state
    assert (state.turn, said.game.outcome.winner) == (15, "blue")
    assert said.game.outcome.reason == "The British brought 3 units off the table by turn 15."
    assert [(u.id, u.hits > 0) for u in state.units if u.side == "blue"] == [("B1", True)]
    assert [(u, turn) for u, why, turn in state.off if why == "destroyed"] == [
        ("B3", 7), ("R5", 8), ("R2", 9), ("B4", 9), ("R4", 10), ("R3", 13), ("R6", 13),
    ]  # fmt: skip


def _all_ranges(state: State, one: str, other: str) -> list[float]:
    """Inches between any two bases of two units."""
    first, second = (state.unit(name).bases for name in (one, other))
    i, j = np.indices((len(first), len(second))).reshape(2, -1)
    return [float(v) for v in ranges_between(first[i], second[j]).value]
