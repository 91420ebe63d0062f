"""The table file of a game of Combat: every piece of a side's army a base of its own, the board as squares."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.game.protocol import PUBLIC
from tabletop.grids.squares.own_table import GameTable, RosterUnit
from tabletop.rulesets.combat.board_placement import kinds, marks
from tabletop.rulesets.combat.data import KINDS, NAME, SIDES
from tabletop.rulesets.combat.figures import box
from tabletop.rulesets.combat.state import State

SPARE = 3
"""Pieces of each kind beyond an army's, for reinforcements."""


def _units(state: State) -> Iterator[RosterUnit]:
    """Both armies; before the boards are joined the whole box of each side, so that no army is revealed."""
    if state.step == "deploy":
        yield from (RosterUnit(name, SIDES[name[0] == "B"], kind) for name, kind in box(state.setup))
        return
    for own, side in enumerate(SIDES):
        for kind in state.setup.kinds:
            data = KINDS[kind]
            numbers = [int(p.id[2:]) for p in state.pieces if p.side == own and p.kind == kind]
            for n in range(1, min(data.pool, max(numbers, default=0) + SPARE) + 1):
                yield RosterUnit(f"{side[0].upper()}{data.letter}{n}", side, kind)


own_table = GameTable(_units, kinds, lambda state: marks(state, PUBLIC), NAME)
