"""A measured game to be drawn: terrain, every base, what is known beside them. Everybody sees the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from tabletop.boards.data import Badge, Board, Fact, Piece
from tabletop.boards.data import Unit as BoardUnit
from tabletop.open_table.board_drawing import ground_of, outline_of, sides_of
from tabletop.rulesets.measure.board_text import marks_of, of_unit
from tabletop.rulesets.measure.event_text import called
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State
from tabletop.rulesets.one_hour_ww2.board_drawing import piece_id


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
    title = f"{called(state, unit.id)}, {unit.kind}"
    says = of_unit(state, unit.id)
    return BoardUnit(unit.id, unit.side, unit.kind, title, bool(unit.at), None, _badges(unit), False, says)


def _badges(unit: UnitSetup) -> tuple[Badge, ...]:
    return tuple(
        Badge(marker, f"{marker[:1].upper()}{number}" if number > 1 else marker[:1].upper(), words)
        for (marker, number), words in zip(unit.marks, marks_of(unit), strict=True)
    )


def _pieces(state: State, unit: UnitSetup) -> Iterator[Piece]:
    if unit.id not in state.on_table:
        return
    bases = state.bases(unit.id)
    for row in range(len(bases)):
        known = math.isfinite(bases.facing_sigma[row])
        facing = float(bases.facing[row]) % 360.0 if known else None
        x, y = bases.center[row].tolist()
        turned = f", facing {facing:.0f}" if facing is not None else ", facing not known"
        which = "" if len(bases) == 1 else f", base {row + 1} of {len(bases)}"
        yield Piece(
            id=piece_id(unit.id, row),
            unit=unit.id,
            side=unit.side,
            kind=unit.kind,
            label=unit.id,
            shape="round" if bases.is_round[row] else "rect",
            width=float(bases.width[row]),
            depth=float(bases.depth[row]),
            center=(x, y),
            facing=facing,
            outline=outline_of(bases, row),
            says=f"{called(state, unit.id)}{which}, at {x:.1f}, {y:.1f}{turned}.",
            unique=row == 0,
            badges=_badges(unit) if row == 0 else (),
        )


def _facts(state: State) -> Iterator[Fact]:
    yield Fact("Game", state.setup.title)
    yield Fact("Turn", str(state.turn))
    if state.result is not None:
        yield Fact("Winner", state.setup.side_title(state.result.winner) if state.result.winner else "Nobody")
        yield Fact("Because", state.result.reason)
    for side in state.setup.sides:
        own = [unit for unit in state.units if unit.side == side]
        there = sum(1 for unit in own if unit.at)
        yield Fact(f"{state.setup.side_title(side)} on the table", f"{there} of {len(own)}")
