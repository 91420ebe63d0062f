"""A game in about four pictures: which ones, in which order, and whose words stand with them."""

import pytest

from tabletop.aar.adapters import report_adapter
from tabletop.aar.compose import result
from tabletop.aar.picture_story import picture_story
from tabletop.aar.story import Story, tell
from tests.support.aar_games import Log, bare, fired
from tests.tabletop.aar.test_report import story_of
from tests.tabletop.aar.test_steps import GAMES, played


def test_four_chapters_tell_the_game(story: Story) -> None:
    chapters = picture_story(story)
    assert [one.title for one in chapters] == ["The sides", "How it opened", "The turning point", "How it ended"]
    assert [one.figure.name for one in chapters] == ["start", "turn-1", "turn-2", "end"]
    sides, opened, turned, ended = (one.text for one in chapters)
    assert sides == " ".join(story.opening)
    assert opened.startswith("Turn 1, ") and "In the whole turn, Blue made" in opened
    assert turned.startswith("Turn 2, Blue: Mortar Fire. ") and " ".join(story.moments[0].sentences) in turned
    assert ended.startswith(f"{result(story)} Blue made 16 hits with 3 shots")


def test_a_game_without_a_turning_point_is_told_in_fewer() -> None:
    log = Log()
    log.add(fired())
    assert [one.title for one in picture_story(story_of(log))] == ["The sides", "How it opened", "How it stands"]
    fresh = picture_story(story_of(Log(bare(), begun=False)))
    assert [one.title for one in fresh] == ["The sides", "How it stands"]
    assert fresh[1].text.startswith("The game has not begun yet.")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_told(name: str) -> None:
    game = played(name)
    chapters = picture_story(tell(game, report_adapter(game.ruleset.name)))
    assert 2 <= len(chapters) <= 4 and all(one.text for one in chapters)
