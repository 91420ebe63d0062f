"""A game of WWII Combined Arms to be drawn: squares, counters, what each has done and borne this turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from geometry.squares import Square
from tabletop.boards.data import Badge, Fact, Unit, Zone
from tabletop.grids.squares.board import around
from tabletop.grids.squares.kinds import kind_of as ground_kind
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.board_placement import kinds, marks, number_of, square_of
from tabletop.rulesets.ww2_combined_arms.board_text import STEPS
from tabletop.rulesets.ww2_combined_arms.capabilities import defence
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.rulesets.ww2_combined_arms.state import Unit as Own
from tabletop.small_games.board_drawing import outcome_facts
from tabletop.square_board.board_drawing import SquareBoardDrawing, board_unit
from tabletop.words import capital, count, with_verb


class WW2Drawing(SquareBoardDrawing):
    """A game of WWII Combined Arms, the same for every viewer."""

    state: State

    def acting(self) -> Collection[str | None]:
        return (side_to_act(self.state),)

    # --- squares

    @cached_property
    def kind_of(self) -> Callable[[Square], str]:
        return kinds(self.state)

    @cached_property
    def marks_of(self) -> Callable[[Square], tuple[str, ...]]:
        return marks(self.state)

    def square_contents(self, square: Square) -> Iterator[str]:
        yield ground_kind(self.kind_of(square)).words
        unit = self.state.there.get(number_of(self.state, square))
        if unit is not None:
            yield _title(unit)

    def zones(self) -> Iterator[Zone]:
        """Where the sides set up, as long as they do, and cities that win the game, with who stands on them."""
        state, (layout, _) = self.state, self.lies
        if not state.turn:
            for side in SIDES:
                squares = [square_of(state, n) for n in state.setup.home_squares(side)]
                title = state.setup.side_title(side)
                says = f"{capital(with_verb(title, 'sets', 'set'))} up here."
                for outline in around(layout, squares):
                    yield Zone(f"home-{side}", "deployment", title, outline, side, says)
        for n in state.cities if state.setup.cities_win else ():
            unit, name = state.there.get(n), state.grid.names[n]
            holder = None if unit is None else unit.side
            held = "held by no one" if holder is None else f"held by {state.setup.side_title(holder)}"
            for outline in around(layout, [square_of(state, n)]):
                yield Zone(f"city-{name}", "objective", f"City {name}", outline, holder, f"City {name}, {held}.")

    # --- units

    def units(self) -> Iterator[Unit]:
        for unit in self.state.units:
            place = None if unit.at == OFF else self.state.grid.names[unit.at]
            where = f"on {place}" if place else {"waiting": "to be placed", "lost": "destroyed"}[unit.fate]
            acted, badges = unit.fired if self.state.step == "attack" else unit.moved, tuple(self._badges(unit))
            yield board_unit(unit.id, unit.side, unit.type.title, _title(unit), place, where, badges, acted)

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

    def facts(self) -> Iterator[Fact]:
        state = self.state
        yield Fact("Game", state.setup.title)
        if state.turn:
            yield Fact("Turn", f"{state.turn} of {state.setup.turns}" if state.setup.turns else str(state.turn))
        yield Fact("Phase", capital(STEPS[state.step]))
        if state.result is not None:
            yield from outcome_facts(state.setup, state.result)
        else:
            yield from (Fact("To act", side.title) for side in self.sides if side.to_act)
        for side in SIDES:
            title = state.setup.side_title(side)
            lost = sum(u.side == side and u.fate == "lost" for u in state.units)
            yield Fact(title, f"{count(len(state.on_board[side]), 'unit')} on the board, {lost} destroyed")
            if state.cities and state.setup.cities_win:
                yield Fact(f"Cities of {title}", f"{state.cities_held(side)} of {len(state.cities)}")
        for side, owed in zip(SIDES, state.owed, strict=True):
            if owed:
                yield Fact(f"Reinforcements of {state.setup.side_title(side)}", str(owed))


def _title(unit: Own) -> str:
    return f"{unit.id}, {unit.type.title}"


board = WW2Drawing.of
