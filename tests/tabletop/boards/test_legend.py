"""What signs mean: everything that a game's boards draw stands in its legend, and the legend says nothing else."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tabletop.boards import Board, board_of
from tabletop.boards.legend import Legend, legend_of
from tabletop.game.parts import PARTS
from tests.paths import ROOT
from tests.support.example_rulesets import BRIDGE_GUARD
from tests.support.golden_games import FOLDER, begun, read

GAMES = sorted(PARTS)
OWN_MARKERS = {"measure"}
"""Games in which players mark units as they like."""
MOST, EVERY = 40, 8
"""So many actions of each golden game are played, and the boards after every so many are looked at."""


def badges_in(folder: Path) -> Iterator[tuple[str, str | None]]:
    """The ids of badges that a package's files make, and their text where it is always the same."""
    for path in sorted(folder.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Badge":
                name, text = call.args[:2]
                if isinstance(name, ast.Constant):
                    yield str(name.value), str(text.value) if isinstance(text, ast.Constant) else None


@cache
def golden_boards() -> dict[str, list[Board]]:
    """Boards as everybody and as nobody but the host sees them, by the rules."""
    found: dict[str, list[Board]] = defaultdict(list)
    for path in sorted(FOLDER.glob("*.txt")):
        rules, scenario, turns = read(path.read_text(encoding="utf-8"))
        game = begun(rules, scenario)
        for number, turn in enumerate(turns[:MOST]):
            turn.done_in(game)
            if number % EVERY == 0:
                found[rules] += [board_of(rules, game.state), board_of(rules, game.state, None)]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_badges_are_those_that_the_ruleset_makes(name: str) -> None:
    made = dict(badges_in(ROOT.joinpath(*PARTS[name].package.split("."))))
    known = {badge.id: badge.text for badge in legend_of(name).badges}
    assert known.keys() == made.keys()
    assert {key: text for key, text in known.items() if made[key] is not None} == {
        key: text for key, text in made.items() if text is not None
    }
    assert bool(known) != (name in OWN_MARKERS)


@pytest.mark.parametrize("name", GAMES)
def test_boards_of_whole_games_show_nothing_else(name: str) -> None:
    legend, boards = legend_of(name), golden_boards()[name]
    assert len(boards) >= 10
    ground = {one.kind for one in legend.ground}
    marks, units = {one.kind for one in legend.marks}, {one.kind for one in legend.units}
    for board in boards:
        assert {one.kind for one in board.ground} | {cell.kind for cell in board.cells} <= ground
        assert {mark for cell in board.cells for mark in cell.marks} | {mark.kind for mark in board.marks} <= marks
        if name not in OWN_MARKERS:
            assert {unit.kind for unit in board.units} <= units
            there = {badge.id for unit in board.units for badge in unit.badges}
            there |= {badge.id for piece in board.pieces for badge in piece.badges}
            assert there <= {badge.id for badge in legend.badges}


def test_a_ruleset_without_the_file_has_an_empty_legend(tmp_path: Path) -> None:
    with BRIDGE_GUARD.joined(tmp_path):
        assert legend_of(BRIDGE_GUARD.name) == Legend()
    legend_of.cache_clear()
