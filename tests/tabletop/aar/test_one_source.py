"""A report says each event in the very words of the command line, the log and the phone."""

from pathlib import Path

import pytest

from geometry.drawing.letters import one_line
from tabletop.aar.adapter import ReportEvent
from tabletop.aar.adapters import report_adapter
from tabletop.aar.story import tell
from tabletop.game.parts import PARTS
from tabletop.game.text_parts import news
from tests.support.golden_games import FOLDER, begun, read


def _shortest(rules: str) -> Path:
    games = [path for path in FOLDER.glob("*.txt") if read(path.read_text(encoding="utf-8"))[0] == rules]
    return min(games, key=lambda path: path.stat().st_size)


@pytest.mark.parametrize("rules", sorted(PARTS))
def test_a_report_says_an_event_as_the_log_does_and_nothing_twice(rules: str) -> None:
    _, scenario, turns = read(_shortest(rules).read_text(encoding="utf-8"))
    game = begun(rules, scenario)
    for turn in turns:
        turn.done_in(game)
    adapter, kinds, short = report_adapter(rules), set(), set()
    for entry in tell(game, adapter).entries:
        event = entry.event
        assert isinstance(event, ReportEvent)
        text = one_line(game.ruleset.event_text(event.before, event.event))
        short.add(news(game, event.event))
        said = [one_line(sentence) for sentence in adapter.sentences(event)]
        assert text not in said[1:] and len(set(said)) == len(said)
        if said and said[0] == text:
            kinds.add(entry.record.kind)
        else:
            assert all(sentence not in text for sentence in said), "a report's own sentences add to the text"
        if not entry.quiet:
            assert list(entry.sentences) == said
    assert len(kinds) >= 5, kinds
    assert (len(short) > 1) == (rules != "measure") and max(map(len, short)) <= 40, "its result in a few words"
