"""Combined Arms in the after-action report: luck, the score sheet, maps, and what stays secret."""

import json
import re
from dataclasses import replace

import pytest

from geometry.drawing.svg import svg_text
from tabletop.aar.compose import full_report, result, short_report
from tabletop.aar.data import story_json
from tabletop.aar.html import html_page
from tabletop.aar.markdown import markdown_text
from tabletop.aar.story import tell
from tabletop.game import Game
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.report_adapter import REPORT
from tabletop.rulesets.combined_arms.scoring import finish_event, score
from tabletop.rulesets.combined_arms.setup import Setup
from tests.support.combined_arms_logs import MODES, Log, golden, golden_story


def test_an_early_end_leaves_no_empty_turn_behind() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    log.add(ev.PhaseBegan("enemy", 3), ev.PhaseBegan("move", 4))
    log.add(ev.PhaseBegan("final", 3))
    log.add(finish_event(log.game.state))
    story = log.story
    assert [turn.number for turn in story.turns] == [3]
    assert story.outcome is not None and result(story).startswith("The Defenders won. The attackers scored")


def test_an_unfinished_game_says_so_and_shows_the_score_so_far() -> None:
    story = Log().story
    assert result(story) == "The game is not finished: the log ends in turn 3."
    assert [sheet.title for sheet in story.sheets] == [
        "Score sheet as the log leaves it", "The score at the end of every turn",
    ]  # fmt: skip
    fresh = tell(Game.new(RULES, Setup()), REPORT)
    assert result(fresh) == "The game has not begun yet." and fresh.sheets == ()
    assert markdown_text(full_report(fresh)).count("![") == 2


def points(text: str) -> int:
    return int(text.replace("−", "-"))


@pytest.mark.parametrize("mode", MODES)
def test_the_score_sheet_adds_up_to_the_outcome(mode: str) -> None:
    story, game = golden_story(mode), golden(mode)
    sheet, running = story.sheets
    *lines, total, needed = sheet.rows
    scored = re.search(r"scored (−?\d+), and (\d+) win", story.outcome.reason if story.outcome else "")
    assert scored is not None
    assert sum(points(row[2]) for row in lines) == points(total[2]) == points(scored[1])
    assert needed[2] == scored[2]
    for row in running.rows:
        assert sum(map(points, row[1:-1])) == points(row[-1])
    assert [row[0] for row in running.rows] == [*(str(n) for n in range(1, game.state.turn + 1)), "end"]
    assert points(running.rows[-1][-1]) == points(scored[1]) == sum(line[2] for line in game.state.score)
    assert (running.header[-2] == "handicap") == (game.state.handicap > 0)


def test_changes_weigh_the_points_that_they_move() -> None:
    for mode in MODES:
        for entry in golden_story(mode).entries:
            moved = sum(change.share for change in entry.changes)
            if entry.changes and entry.event and entry.record.kind not in ("tested", "shown"):
                assert moved == pytest.approx(abs(score(entry.event.after) - score(entry.event.before)) / 20)


def test_a_broken_platoon_with_guns_weighs_its_points_and_its_swing() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    shot = ev.Shot("E1", "6-4", 6, (("range", -1),), 5, "broken", 7, (4 / 6, 2 / 6, 2 / 6))
    seqs = log.add(shot, ev.PhaseBegan("enemy", 3), ev.Rallied("5-6"))
    (moment,) = log.story.moments
    assert moment.seqs == tuple(seqs[:1]) and moment.sentences == log.story.entries[2].sentences
    assert moment.weight == pytest.approx(3 / 20 + 2 / 20), "2 + 1 points more, where 2/6 of 3 are made on average"
    assert moment.why == (
        "the platoon and guns in 6-4 broken, +3 points (15 %) and +2.0 points against the average, of the 20 points"
        " that win (10 %)"
    )


def test_platoons_out_of_ammunition_leave_without_points() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    log.add(ev.Shot("D1", "6-4", 2, (("range", -2),), 0, "none", 0, (0.5, 0.0, 0.0), True))
    (loss,) = log.story.losses
    assert (loss.change.what, loss.change.kind, loss.change.share) == ("D1", "left", 0.0)
    assert log.story.moments == ()


def test_what_became_of_every_counter() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    log.add(ev.Shot("E1", "6-4", 6, (("range", -1),), 5, "broken", 7, (4 / 6, 2 / 6, 2 / 6)))
    log.add(ev.PhaseBegan("enemy", 3), ev.Tested("7-2", "guns", 5, (), 5, True, "next to a platoon"))
    log.add(ev.Tested("8-8", "platoon", 1, (), 1, False, "next to a platoon"), actor="defender")
    log.add(ev.Moved("A1", ("4-5", "9-4"), left="exploited"))
    rows = {force.unit: (force.hits, force.fate, force.there) for force in log.story.forces}
    assert rows["6-4"] == ("-", "real, broken turn 3; guns broken turn 3", False)
    assert rows["7-2"] == ("fresh", "real, found turn 3; real guns, found turn 3", True)
    assert rows["8-8"] == ("-", "nobody there, turn 3", False)
    assert rows["5-6"] == ("spent", "real", True)
    assert rows["A1"] == ("-", "exploited, turn 3", False)
    assert rows["F1"] == ("-", "withdrawn", False) and rows["F2"] == ("-", "never entered", False)
    assert rows["D1"] == ("fresh", "in 4-3", True)
    assert len(rows) == 14 + 4


def test_a_shot_after_the_target_broke_has_no_luck() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    broke = ev.Shot("E1", "6-4", 6, (("range", -1),), 5, "broken", 7, (4 / 6, 2 / 6, 2 / 6))
    log.add(broke, replace(broke, unit="D1", die=1, score=0, effect="none"))
    story = log.story
    assert story.luck_of("fire", "attacker").throws == 1
    assert story.luck_of("breaking", "attacker").luck == pytest.approx(3 - 1.0)
    assert story.entries[-1].sentences[0].endswith("with nothing left there to hit.")


def test_guns_that_an_earlier_shot_broke_make_no_more_points() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    chances = (4 / 6, 2 / 6, 2 / 6)
    log.add(
        ev.Shot("A1", "6-4", 5, (("range", -1),), 4, "guns broken", 6, (4 / 6, 2 / 6, 0.0)),
        ev.Shot("E1", "6-4", 6, (("range", -1),), 5, "broken", 7, chances),
    )
    first, second = (entry.throws[1] for entry in log.story.entries[2:])
    assert (first.actual, first.expected) == (1, pytest.approx(2 / 6))
    assert (second.actual, second.expected) == (2, pytest.approx(4 / 6))


def forged(game: Game, most: int) -> tuple[Game, Game]:
    """The game's first records as they are, and with another secret: other dice, other counters real."""
    records = list(game.records[:most])
    other = []
    for record in records:
        if record.kind == "mustered" and record.body["counts"]:
            record = replace(record, body={**record.body, "dice": [4, 3] if record.body["dice"] != [4, 3] else [6, 1]})
        if record.kind == "posted":
            shown = [NAMES[c.at] for c in game.state.enemy if not c.revealed]
            record = replace(record, body={"platoons": shown[:3] or ["9-1"], "atgs": shown[:1]})
        other.append(record)
    return Game(RULES, records), Game(RULES, other)


def everything(game: Game) -> list[str]:
    """The report in both forms with all its pictures, and the story as data."""
    story = tell(game, REPORT)
    found = [json.dumps(story_json(story))]
    for document in (full_report(story), short_report(story)):
        found += [html_page(document), markdown_text(document)]
        found += [svg_text(figure.sheet, title=figure.alt) for figure in document.figures]
    return found


def test_games_that_differ_only_in_what_is_secret_have_the_same_report() -> None:
    game, other = forged(golden("enemy-player"), 12)
    assert game.state.secret != other.state.secret and game.outcome is None
    assert everything(game) == everything(other)


def test_sealed_bids_stay_sealed_until_both_are_in() -> None:
    bids = Setup(mode="enemy-player", bidding=True)
    first, second = Log(bids), Log(bids)
    first.add(ev.Offered(1, 3), actor="player 1")
    second.add(ev.Offered(1, 9), actor="player 1")
    assert everything(first.game) == everything(second.game)


def test_what_was_secret_is_told_once_the_game_is_over() -> None:
    secret = golden("enemy-player").state.secret
    last = golden_story("enemy-player").entries[-1].sentences[-1]
    assert last.startswith(f"The defenders had rolled for {secret.platoons} real platoons and {secret.atgs} with")
    assert all(NAMES[n] in last for n in (*secret.platoon_hexes, *secret.atg_hexes))
