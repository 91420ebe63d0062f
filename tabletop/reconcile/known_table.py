"""Whether a photo seems to show a different table than its game's: the game's knowledge of its table, and the distance
that its rules let units move since the previous photo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tabletop.boards import board_of
from tabletop.boards.data import Cell
from tabletop.changes.proposals import KNOWN, seeing_of
from tabletop.game.core import Game
from tabletop.game.records import SEEN
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.table_terrain import CELL_PIECES
from tabletop.identity.other_table import OtherTableConfig, seems_other_table
from tabletop.identity.table_snapshot import HAND_OUTLINE, BaseSighting, Sighting
from tabletop.tables.scene import Terrain

_BESIDE = 0.5
"""How far a base may be from its cell's middle, in sizes of a cell."""


@runtime_checkable
class CellSight(Protocol):
    """A sight of a board."""

    @property
    def placement(self) -> BoardPlacement:
        """The placement of its cells."""

    def standing(self, state: Any) -> Mapping[str, tuple[str, int]]:
        """The cells, by name, of the units on the board by the game, and the most cells that each goes in a move."""


def other_table(game: Game, sight: object, ways: Sequence[Sighting]) -> str:
    """The evidence in words that a photo shows a different table than the game's in each of its possible orientations
    ``ways``; empty if it may show that table, or can't be compared: one side's secret, a board being set up."""
    if not ways:
        return ""
    rules, state, moves = game.ruleset.name, game.state, moves_since_photo(game)
    if rules in KNOWN:
        judging = seeing_of(rules)
        known, elsewhere, limits = judging.sighting(state), judging.elsewhere(state), judging.limits(state.setup.dice)
        found = [seems_other_table(known, one, elsewhere, lambda base: moves * limits.most(base.kind)) for one in ways]
    elif isinstance(sight, CellSight) and not getattr(sight, "is_secret", False):
        cells = board_of(rules, state, layout=sight.placement.layout).cells
        standing = {unit: (at, moves * most) for unit, (at, most) in sight.standing(state).items()}
        found = [other_board(cells, standing, sight.placement, one) for one in ways]
    else:
        return ""
    return found[0] if all(found) else ""


def moves_since_photo(game: Game) -> int:
    """The number of moves that a unit may have made since the last kept photo, or since the game began: one for each
    turn since then."""
    last = next((record.seq for record in reversed(game.records) if record.kind == SEEN), 1)
    return max(1, game.state.turn - game.state_after(last).turn + 1)


def other_board(
    cells: Sequence[Cell], standing: Mapping[str, tuple[str, int]], placement: BoardPlacement, seen: Sighting
) -> str:
    """The evidence in words that a photo shows another game than the one on a board of ``cells``; ``standing``: the
    cells of its units, and how many cells each may have gone. If no unit was read, nameless bases count."""
    pieces = [_base_in(unit, placement.centre(at)) for unit, (at, _) in standing.items() if unit in seen.units]
    if not seen.units:  # the photo may miss some: take as many units as it has bases, the nearest ones
        ways = {unit: _away_in(np.array(placement.centre(at)), seen) for unit, (at, _) in standing.items()}
        near = sorted(ways, key=lambda unit: ways[unit])[: len(seen.pieces)]
        pieces = [_base_in(unit, placement.centre(standing[unit][0])) for unit in near]
    far = {unit: (most + _BESIDE) * placement.layout.size_in for unit, (_, most) in standing.items()}
    known = replace(seen, pieces=tuple(pieces), terrain=tuple(_terrain(cells, seen)), may_stand={})
    shown = replace(seen, terrain=()) if placement.chequered else seen
    return seems_other_table(
        known, shown, [p for p in seen.pieces if p.unit], lambda base: far[base.id], _config(placement)
    )


def _config(placement: BoardPlacement) -> OtherTableConfig:
    """How distances are measured on a board: on squares, a diagonal step is one step."""
    if placement.cells.grid == "hex":
        return OtherTableConfig(nameless=True)
    turn = np.radians(placement.layout.rotation_deg)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return OtherTableConfig(nameless=True, norm=lambda way: float(np.abs(axes @ way).max()), disc=4.0)


def _away_in(at: np.ndarray[tuple[int, ...], np.dtype[np.float64]], seen: Sighting) -> float:
    """The distance to the nearest base in a photo, in inches; infinite without one."""
    return min((float(np.linalg.norm(piece.center - at)) for piece in seen.pieces), default=float("inf"))


def _base_in(unit: str, at: tuple[float, float]) -> BaseSighting:
    """A unit's base in the middle of its cell, of any make."""
    at_middle, sure = np.array(at), np.zeros((2, 2))
    return BaseSighting(unit, unit, None, None, None, False, 0.0, 0.0, at_middle, sure, method=HAND_OUTLINE)


def _terrain(cells: Sequence[Cell], seen: Sighting) -> Iterator[Terrain]:
    """The terrain of the table file, else the terrain of each cell in the game."""
    drawn = [piece for piece in seen.terrain if piece.shown is not None]
    yield from drawn
    for cell in () if drawn else cells:
        for kind in CELL_PIECES.get(cell.kind, ()):
            yield Terrain(f"{cell.id} {kind}", kind, np.array(cell.outline))
