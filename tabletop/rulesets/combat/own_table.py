"""The table file of a game of Combat: every piece of a side's army a base of its own, the board as squares."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.game.protocol import PUBLIC
from tabletop.grids.squares import own_table as square_boards
from tabletop.grids.squares.own_table import RosterUnit
from tabletop.rulesets.combat.board_placement import kinds, marks
from tabletop.rulesets.combat.data import KINDS, NAME, SIDES
from tabletop.rulesets.combat.figures import box
from tabletop.rulesets.combat.state import State
from tabletop.tables.model import TableFile

SPARE = 3
"""Pieces of each kind beyond an army's, for reinforcements."""


def own_table(
    state: State, base_height_in: float, size_in: tuple[float, float] | None = None
) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and notes for the players.

    The board lies where the game says, else with the largest squares in the middle of ``size_in``. Before the boards
    are joined the whole box of each side stands in the file, so that nothing of an army is told. Raises UsageError
    where the board does not fit.
    """
    return square_boards.own_table(
        NAME,
        state.field.squares,
        SIDES,
        tuple(_units(state)),
        base_height_in,
        size_in,
        layout=state.setup.layout,
        kind_of=kinds(state),
        marks_of=marks(state, PUBLIC),
    )


def _units(state: State) -> Iterator[RosterUnit]:
    if state.step == "deploy":
        yield from (RosterUnit(name, SIDES[name[0] == "B"], kind) for name, kind in box(state.setup))
        return
    for own, side in enumerate(SIDES):
        for kind in state.setup.kinds:
            data = KINDS[kind]
            numbers = [int(p.id[2:]) for p in state.pieces if p.side == own and p.kind == kind]
            for n in range(1, min(data.pool, max(numbers, default=0) + SPARE) + 1):
                yield RosterUnit(f"{side[0].upper()}{data.letter}{n}", side, kind)
