"""A measured game to be drawn: terrain, every base, what is known beside them. Everybody sees the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tabletop.boards.data import Badge, Board, BoardPiece, Fact
from tabletop.boards.data import Unit as BoardUnit
from tabletop.open_table.board_drawing import ground_of, piece_of
from tabletop.rulesets.measure.board_text import marks_of, of_unit
from tabletop.rulesets.measure.event_text import unit_title
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State
from tabletop.small_games.board_drawing import sides_of


def board(
    state: State, viewer: str | None, *, table: tuple[float, float] | None = None, rims: Mapping[str, str] | None = None
) -> Board:
    """The table of a game, which has its own size, so that ``table`` is not asked. Every side may act."""
    setup = state.setup
    return Board(
        width=setup.width,
        depth=setup.depth,
        grid=None,
        cell_size=None,
        sides=sides_of(setup, setup.sides if state.result is None else (), rims),
        units=tuple(_unit(state, unit) for unit in state.units),
        pieces=tuple(piece for unit in state.units for piece in _pieces(state, unit)),
        ground=tuple(ground_of(feature) for feature in state.scene.terrain),
        facts=tuple(_facts(state)),
    )


def _unit(state: State, unit: UnitSetup) -> BoardUnit:
    title = f"{unit_title(state, unit.id)}, {unit.kind}"
    says = of_unit(state, unit.id)
    return BoardUnit(unit.id, unit.side, unit.kind, title, bool(unit.at), None, _badges(unit), False, says)


def _badges(unit: UnitSetup) -> tuple[Badge, ...]:
    return tuple(
        Badge(marker, f"{marker[:1].upper()}{number}" if number > 1 else marker[:1].upper(), words)
        for (marker, number), words in zip(unit.marks, marks_of(unit), strict=True)
    )


def _pieces(state: State, unit: UnitSetup) -> Iterator[BoardPiece]:
    if unit.id not in state.on_table:
        return
    bases = state.bases(unit.id)
    for row in range(len(bases)):
        which = "" if len(bases) == 1 else f", base {row + 1} of {len(bases)}"
        name = f"{unit_title(state, unit.id)}{which}"
        drawn = piece_of(bases, row, unit.id, unit.side, unit.kind, name, is_unique=row == 0)
        yield replace(drawn, badges=_badges(unit)) if row == 0 else drawn


def _facts(state: State) -> Iterator[Fact]:
    yield Fact("Game", state.setup.title)
    yield Fact("Turn", str(state.turn))
    if state.result is not None:
        yield Fact("Winner", state.setup.side_title(state.result.winner) if state.result.winner else "No one")
        yield Fact("Because", state.result.reason)
    for side in state.setup.sides:
        own = [unit for unit in state.units if unit.side == side]
        there = sum(1 for unit in own if unit.at)
        yield Fact(f"{state.setup.side_title(side)} on the table", f"{there} of {len(own)}")
