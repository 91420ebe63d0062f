"""What has to be done next: in words for everybody, with its forms for those who type."""

import re
from pathlib import Path

import pytest

from tabletop.game.jsonl import game_from_log, read_log
from tabletop.game.text_parts import board, next_typed
from tabletop.rulesets.measure import board_text
from tests.paths import ROOT
from tests.support.measure_games import a_table, a_unit

FORM = re.compile(r"\bX,Y\b|\b(UNIT|SUB|SIDE|TARGET|DEGREES)\b|--\w|\btype\b")
"""What only who types has to know: placeholders and flags."""
DATA = ROOT / "tests" / "data"


def test_what_is_next_is_told_without_forms_and_typed_with_them() -> None:
    bare, waiting = a_table().state, a_table([a_unit("A", "blue")]).state
    assert board_text.next_words(bare) == "No units yet: add a unit."
    assert next_typed(board_text, bare).endswith('Usage: "add A1 for SIDE wide 1 at X,Y".')
    assert board_text.next_words(waiting) == "1 unit not on the table yet: a photo places them, or place them by hand."
    assert next_typed(board_text, waiting).endswith('Usage: "place UNIT at X,Y facing DEGREES".')


@pytest.mark.parametrize(
    "log", [DATA / "golden/combat-captain-crossroads.jsonl", DATA / "replays/static-defence.jsonl"]
)
def test_no_form_is_told_in_a_whole_game_on_an_open_table(log: Path) -> None:
    game = game_from_log(read_log(log.read_bytes(), log.name))
    words = board(game)
    states = [state for _, state in game.states()]
    told = {words.next_words(state) for state in states} - {""}
    assert told and not [one for one in told if FORM.search(one)], told
    assert any("Usage: " in next_typed(words, state) for state in states)
