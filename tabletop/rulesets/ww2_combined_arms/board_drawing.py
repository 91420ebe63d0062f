"""A game of WWII Combined Arms to be drawn: squares, counters, what each has done and borne this turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from geometry.square_layout import SquareLayout
from geometry.squares import Square
from tabletop.boards.data import Badge, Board, BoardSide, Fact, Unit, Zone
from tabletop.drawing.looks import side_colors
from tabletop.grids.squares.board import around, cells, lay_board, unit_counter
from tabletop.grids.squares.kinds import kind_of
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.board_placement import kinds, marks, square_of
from tabletop.rulesets.ww2_combined_arms.board_text import STEPS
from tabletop.rulesets.ww2_combined_arms.capabilities import defence
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.rulesets.ww2_combined_arms.state import Unit as Own
from tabletop.words import capital, count


def board(
    state: State,
    viewer: str | None,
    *,
    table: tuple[float, float] | None = None,
    rims: Mapping[str, str] | None = None,
    layout: SquareLayout | None = None,
) -> Board:
    """The board of a game, the same for every viewer: at ``layout``, else where its set-up lays it, else on a table of
    its own."""
    return _ViewedBoard(state, table, rims or {}, layout).board()


@dataclass(frozen=True)
class _ViewedBoard:
    """A game and where it lies."""

    state: State
    table: tuple[float, float] | None
    rims: Mapping[str, str]
    layout: SquareLayout | None

    @cached_property
    def lies(self) -> tuple[SquareLayout, tuple[float, float]]:
        layout = self.layout or self.state.setup.layout
        return lay_board(self.state.grid.board, self.table or self.state.setup.table, layout)

    @cached_property
    def ground(self) -> Callable[[Square], str]:
        return kinds(self.state)

    def board(self) -> Board:
        state = self.state
        layout, (width, depth) = self.lies
        return Board(
            width=width,
            depth=depth,
            grid="square",
            cell_size=layout.size_in,
            sides=tuple(self._sides()),
            units=tuple(self._unit(u) for u in state.units),
            pieces=tuple(
                unit_counter(layout, square_of(state, u.at), self._unit(u), u.id) for u in state.units if u.at != OFF
            ),
            cells=cells(state.grid.board, layout, self.ground, marks(state), self._square_words),
            zones=tuple(self._zones()),
            facts=tuple(self._facts()),
        )

    def _sides(self) -> Iterator[BoardSide]:
        acting = side_to_act(self.state)
        for side, colour in zip(SIDES, side_colors(SIDES), strict=True):
            yield BoardSide(side, self.state.setup.side_title(side), side == acting, self.rims.get(side), colour)

    # --- squares

    def _square_words(self, square: Square) -> str:
        state = self.state
        n = square.row * state.setup.columns + square.col
        told = [kind_of(self.ground(square)).words]
        unit = state.there.get(n)
        told += [_title(unit)] if unit is not None else []
        return f"Square {state.grid.names[n]}: {', '.join(told)}."

    def _zones(self) -> Iterator[Zone]:
        """Where the sides set up, as long as they do, and cities that win the game, with who stands on them."""
        state, (layout, _) = self.state, self.lies
        if not state.turn:
            for side in SIDES:
                squares = [square_of(state, n) for n in state.setup.home_squares(side)]
                title = state.setup.side_title(side)
                for outline in around(layout, squares):
                    yield Zone(f"home-{side}", "deployment", title, outline, side, f"{title} sets up here.")
        for n in state.cities if state.setup.cities_win else ():
            unit, name = state.there.get(n), state.grid.names[n]
            holder = None if unit is None else unit.side
            held = "held by nobody" if holder is None else f"held by {state.setup.side_title(holder)}"
            for outline in around(layout, [square_of(state, n)]):
                yield Zone(f"city-{name}", "objective", f"City {name}", outline, holder, f"City {name}, {held}.")

    # --- units

    def _unit(self, unit: Own) -> Unit:
        place = None if unit.at == OFF else self.state.grid.names[unit.at]
        badges = tuple(self._badges(unit))
        where = f"on {place}" if place else {"waiting": "to be placed", "lost": "destroyed"}[unit.fate]
        told = ", ".join([where, *(badge.says for badge in badges)])
        acted = unit.fired if self.state.step == "attack" else unit.moved
        return Unit(
            unit.id, unit.side, unit.type.title, _title(unit), place is not None, place, badges, acted,
            f"{_title(unit)}, {told}.",
        )  # fmt: skip

    def _badges(self, unit: Own) -> Iterator[Badge]:
        if unit.at == OFF:
            return
        if unit.damage:
            limit = defence(self.state, unit)
            yield Badge("damage", str(unit.damage), f"{unit.damage} damage of {limit}")
        if self.state.pressed == unit.id:
            yield Badge("must-retreat", "!", "must retreat")
        if unit.retreated:
            yield Badge("retreated", "R", "retreated this turn")
        if unit.elite:
            yield Badge("elite", "E", "elite")
        if unit.moved:
            yield Badge("moved", "M", "has moved")
        if unit.fired:
            yield Badge("fired", "F", "has attacked")
        if unit.id in self.state.lifted:
            yield Badge("lifted", "4", "may move 4")

    # --- beside the board

    def _facts(self) -> Iterator[Fact]:
        state = self.state
        yield Fact("Game", state.setup.title)
        if state.turn:
            yield Fact("Turn", f"{state.turn} of {state.setup.turns}" if state.setup.turns else str(state.turn))
        yield Fact("Phase", capital(STEPS[state.step]))
        if state.result is not None:
            winner = state.result.winner
            yield Fact("Winner", state.setup.side_title(winner) if winner else "A draw")
            yield Fact("Because", state.result.reason)
        else:
            yield from (Fact("To act", side.title) for side in self._sides() if side.to_act)
        for side in SIDES:
            title = state.setup.side_title(side)
            lost = sum(u.side == side and u.fate == "lost" for u in state.units)
            yield Fact(title, f"{count(len(state.on_board[side]), 'unit')} on the board, {lost} destroyed")
            if state.cities and state.setup.cities_win:
                held = sum(1 for n in state.cities if (u := state.there.get(n)) is not None and u.side == side)
                yield Fact(f"Cities of {title}", f"{held} of {len(state.cities)}")
        for side, owed in zip(SIDES, state.owed, strict=True):
            if owed:
                yield Fact(f"Reinforcements of {state.setup.side_title(side)}", str(owed))


def _title(unit: Own) -> str:
    return f"{unit.id}, {unit.type.title}"
