"""Small pictures of boards: every bundled scenario has one that shows its ground, its sides and where they set up."""

import xml.etree.ElementTree as ET

import pytest

from geometry.drawing.scene import Letters
from geometry.drawing.svg import svg_text
from tabletop.boards import board_of
from tabletop.drawing.previews import preview
from tabletop.game import Game
from tabletop.game.registry import ruleset
from tabletop.starting.scenarios import ListedScenario, find, list_scenarios

MOST_BYTES = 24_000


@pytest.mark.parametrize("listed", list_scenarios(), ids=lambda one: one.id)
def test_every_scenario_has_a_small_picture(listed: ListedScenario) -> None:
    scenario = find(listed.id, listed.rules)
    board = board_of(scenario.rules, Game.new(ruleset(scenario.rules), scenario.setup).state)
    sheet = preview(board)
    assert (sheet.width, sheet.height) == (board.width, board.depth)
    classes = {item.cls for item in sheet.items}
    assert classes <= sheet.looks.keys()
    assert not any(isinstance(item, Letters) for item in sheet.items)
    for number, side in enumerate(board.sides):
        there = any(piece.side == side.id for piece in board.pieces)
        sets_up = any(zone.kind == "deployment" and zone.holder == side.id for zone in board.zones)
        assert (f"side-{number}" in classes) == there
        assert (f"zone-{number}" in classes) == sets_up
    assert {f"terrain-{piece.kind}" for piece in board.ground} <= classes
    text = svg_text(sheet, title=scenario.title)
    assert len(text) < MOST_BYTES and ET.fromstring(text).tag.endswith("svg")
