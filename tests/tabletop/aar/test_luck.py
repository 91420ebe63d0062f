"""Luck, losses and deciding moments against figures worked out by hand, and against a second, plain count."""

from dataclasses import replace

import pytest

from tabletop.aar.compose import full_report, short_report
from tabletop.aar.document import Para, Table
from tabletop.aar.figures import luck_figure, running_luck
from tabletop.aar.luck import extreme_throws, luck_sentences
from tabletop.aar.story import Story, tell
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.report_adapter import REPORT, strength
from tests.support.aar_games import SETUP, Log, fired, played_log, random_game
from tests.tabletop.aar.test_report import story_of


def test_luck_is_what_was_made_less_what_is_made_on_average() -> None:
    log = Log()
    log.step(1, "blue", "actions")
    log.add(fired(hits=7, expected=5.5))
    log.add(fired("R2", "B2", 3, 1, expected=1.5, reaction=True), actor="red")
    log.step(1, "red", "mortar")
    log.step(2, "blue", "mortar")
    log.add(fired("B3", "R3", 2, 0, expected=1.5))
    log.add(fired("B1", "R2", 2, 4, expected=5.5))
    told = story_of(log)
    first, whole = told.luck_of("fire", "blue", 1), told.luck_of("fire", "blue")
    assert (first.throws, first.actual, first.expected, first.luck) == (1, 7, 5.5, 1.5)
    assert (whole.throws, whole.actual, whole.expected, whole.luck) == (3, 11, 12.5, -1.5)
    assert told.luck_of("fire", "red").luck == -0.5
    assert told.luck_of("fire", "red", 2).throws == 0
    assert running_luck(told, "blue", [1, 2]) == [1.5, -1.5]
    assert luck_figure(told).caption.endswith("At the end: Blue −1.5 and Red −0.5.")
    (best, worst), found = extreme_throws(told, "fire", "blue"), [e.throw for e in told.entries if e.throw]
    assert (best.throw, worst.throw) == (found[0], found[2]), "of the two that were as bad, the first"
    assert [entry.throw for entry in extreme_throws(told, "fire", "red")] == [found[1]], "no good one"
    assert extreme_throws(told, "move", "blue") == ()


def test_good_and_bad_luck_are_not_set_off_against_each_other() -> None:
    log = Log()
    log.step(1, "blue", "actions")
    log.add(fired(hits=10, expected=5.5))
    log.add(fired("B3", "R3", 2, 0, expected=4.5))
    log.add(ev.MoveRolled("B2", (5, 5), 12), ev.MoveRolled("B2", (2, 2), 6))
    told = story_of(log)
    assert luck_sentences(told) == (
        "Luck of Blue, fire: as many hits as expected (4.5 above in good throws, 4.5 below in bad ones); movement:"
        " as many inches as expected (3.0 inches above in good throws, 3.0 inches below in bad ones).",
    )
    (sentence,) = luck_sentences(told)
    assert sentence in {b.text for b in short_report(told).blocks if isinstance(b, Para)}
    (by_turn,) = [table.rows for table in tables(told) if table.title.startswith("Fire by")]
    assert by_turn[0] == ("1", "Blue", "2", "10", "10.0", "+4.5", "−4.5", "±0.0", "±0.0")
    assert [table.rows for table in tables(told) if table.title.startswith("The best")] == [
        (
            ("Fire", "Blue", "1", "B1", "+4.5", "10", "5.5"),
            ("Fire", "Blue", "1", "B3", "−4.5", "0", "4.5"),
            ("Movement", "Blue", "1", "B2", "+3.0", "12", "9.0"),
            ("Movement", "Blue", "1", "B2", "−3.0", "6", "9.0"),
        )
    ]


def tables(told: Story) -> list[Table]:
    return [block for block in full_report(told).blocks if isinstance(block, Table)]


def test_movement_and_rallies_are_counted_apart_from_fire() -> None:
    log = Log()
    log.step(1, "blue", "actions")
    log.add(ev.MoveRolled("B2", (4, 5), 11))
    log.add(ev.MoveRolled("B1", (2, 3, 3), 6, ('threatened -4"',)))
    log.add(ev.MoveRolled("R2", (3,), 1, ('dug in -4"',)), actor="red")
    log.add(ev.Rallied("R3", 5, 5, 3.5), actor="red")
    told = story_of(log)
    moves = told.luck_of("move", "blue")
    assert (moves.throws, moves.actual, moves.expected) == (2, 17, 9.0 + 8.5)
    assert told.luck_of("move", "red").expected == pytest.approx(1.5), "1 die of 3.5 on average, 2 more, 4 less"
    rally = told.luck_of("rally", "red")
    assert (rally.throws, rally.actual, rally.expected) == (1, 5, 3.5)
    assert told.luck_of("fire", "blue").throws == 0


def test_a_roll_that_nobody_noted_has_no_luck() -> None:
    log = Log()
    log.add(ev.MoveRolled("B2", (), 11))
    assert story_of(log).luck == ()


def test_a_lucky_kill_weighs_the_unit_and_the_swing() -> None:
    log = Log()
    log.step(1, "blue", "actions")
    seqs = log.add(fired(hits=8, roll=5, expected=5.5), ev.Destroyed("R1", "B1"))
    (moment,) = story_of(log).moments
    left = (15 - 7) + 15 + (15 - 11)
    assert moment.weight == pytest.approx(1 / 3 + 2.5 / left)
    assert moment.why == (
        "R1, 1 of 3 units that Red had on the table (33.3 %) and +2.5 hits against the average, of the 27 hits that Red"
        " could still take (9.3 %)"
    )
    assert moment.seqs == tuple(seqs) and moment.kinds == ("lost", "swing")
    assert moment.sentences[-1] == "1st Troop (B1) destroyed tank R1 (Red)."


def test_objectives_weigh_whole_from_the_enemy_and_half_from_nobody() -> None:
    log = Log()
    log.step(1, "blue", "rally")
    log.add(ev.Held("ford", "blue"), ev.StepEnded(1, "red", "rally"))
    log.add(ev.Held("ford", "red"), ev.StepEnded(2, "blue", "rally"))
    log.add(ev.Held("ford", None), ev.StepEnded(2, "red", "rally"))
    assert [(m.number, m.clock.turn, m.weight) for m in story_of(log).moments] == [
        (1, 1, 0.5),
        (2, 1, 0.25),
        (3, 2, 0.25),
    ]


def test_an_exit_weighs_by_the_units_that_must_leave() -> None:
    log = Log()
    log.add(ev.MoveRolled("B1", (5, 5, 5), 17))
    log.add(ev.Exited("B1", "lane", 12.0, 17.0))
    told = story_of(log)
    assert told.moments[0].weight == 0.5 and "must take off to win" in told.moments[0].why
    (loss,) = told.losses
    assert (loss.turn, loss.change.kind, loss.change.what) == (1, "left", "B1")


def test_losses_name_the_unit_that_did_it_and_its_shot() -> None:
    told = story_of(played_log())
    first, second = told.losses
    assert first.change.text == "Mortar B3 destroyed tank R1 (Red)." and first.change.by == "B3"
    assert first.last.startswith("Mortar B3 fired at tank R1")
    assert second.change.text == "Correction of infantry R3 (miscounted): taken off the table."
    assert second.last == second.change.text


def test_forces_at_the_end() -> None:
    rows = {force.unit: force for force in story_of(played_log()).forces}
    assert (rows["B1"].hits, rows["B1"].fate, rows["B1"].name) == ("2", "on the table", "1st Troop")
    assert (rows["R1"].fate, rows["R1"].there) == ("destroyed, turn 2", False)
    assert rows["R3"].fate == "taken off by hand, turn 2"
    assert rows["R2"].fate == "on the table, dug in"


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_the_turns_luck_adds_up_to_the_games(seed: int) -> None:
    told = tell(random_game(seed), REPORT)
    for kind in REPORT.throws:
        for side in told.sides:
            rows = [told.luck_of(kind.id, side.id, turn.number) for turn in told.turns]
            whole = told.luck_of(kind.id, side.id)
            assert sum(row.throws for row in rows) == whole.throws
            assert sum(row.luck for row in rows) == pytest.approx(whole.luck, abs=1e-9)


def test_strength_counts_hits_up_to_the_houses_limit() -> None:
    state = Log().game.state
    assert (strength(state, "blue"), strength(state, "red")) == (45, 27)
    house = replace(SETUP, rules=replace(SETUP.rules, destroyed_at=12))
    assert strength(Log(house).game.state, "red") == 5 + 12 + 1
