"""The base of rulesets for units on a board of squares, one in a square: moves, ranges in squares, set-ups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from geometry.squares import Square, reachable
from tabletop.game.domains import Choice, Domain
from tabletop.game.violations import Violation
from tabletop.small_games.rules import SmallGameRules
from tabletop.square_board.events import Corrected
from tabletop.square_board.setup import Setup, cells
from tabletop.square_board.state import State, Unit
from tabletop.words import count


class SquareBoardRules(SmallGameRules[State]):
    """Rules for units on a board of squares, one in a square, two sides that take turns.

    A subclass adds its ``kinds`` of units, its own actions and events beside
    :data:`~tabletop.square_board.actions.COMMON_ACTIONS` and :data:`~tabletop.square_board.events.CommonEvent`, and for
    these overrides the methods of :class:`tabletop.small_games.rules.SmallGameRules`.
    """

    setup: ClassVar[type] = Setup
    state: ClassVar[type[State]] = State
    unit: ClassVar[type[Unit]] = Unit
    ground: ClassVar[str] = "board"

    # --- what a game may say of its units

    def speed(self, state: State, unit: Unit) -> int | None:
        """How many squares a unit may move in a turn; ``None``: the rules don't say."""
        return None

    def may_enter(self, state: State, unit: Unit, square: str) -> bool:
        """Whether a unit may move into a square, on its way or at its end: nobody else stands there."""
        return state.by_square.get(square, unit).id == unit.id

    def ranges(self, state: State, unit: Unit) -> Mapping[str, int]:
        """The ranges of a unit's weapons by their names, in squares."""
        return {}

    # --- moves

    def reach(self, state: State, unit: Unit) -> Mapping[str, int]:
        """The squares that a unit of a state gets to with its speed, and in how many steps; its own takes 0. None for
        one that is not on the board. Options, checks and photos ask it of every unit again; it is found once."""
        if unit.id not in state.ways:
            state.ways[unit.id] = self._find_ways(state, unit)
        return state.ways[unit.id]

    def _find_ways(self, state: State, unit: Unit) -> Mapping[str, int]:
        board, speed = state.setup.squares, self.speed(state, unit)
        if unit.at is None:
            return {}

        def may_enter(square: Square) -> bool:
            return square in board and self.may_enter(state, unit, board.name(square))

        most = max(board.columns, board.rows) ** 2 if speed is None else speed
        return {board.name(square): n for square, n in reachable(board.parse(unit.at), most, may_enter).items()}

    def move_violations(self, state: State, unit_id: str, to: str) -> Iterator[Violation]:
        """What speaks against a unit's move into a square now."""
        yield from self.unit_violations(state, unit_id)
        yield from self.place_violations(state, to, unit_id)
        unit = state.units[unit_id]
        if unit.at == to:
            yield Violation("stays", f"{unit_id} stands in {to} already.", "Movement")
        elif unit.at is not None and to not in self.reach(state, unit):
            far, speed = state.distance(unit.at, to), self.speed(state, unit)
            moves = f"moves up to {count(speed, 'square')}" if speed is not None else "moves over free squares"
            numbers: dict[str, Any] = {"squares": far} if speed is None else {"squares": far, "speed": speed}
            text = f"{unit_id} {moves}, and no way leads to {to}, {count(far, 'square')} away."
            yield Violation("too-far", text, "Movement", numbers)

    # --- places

    def setup_faults(self, setup: Any) -> Iterator[str]:
        """Those of any small game, and units in squares that there are not or that others hold."""
        yield from super().setup_faults(setup)
        places = [unit.at for unit in setup.units if unit.at is not None]
        for unit in setup.units:
            if unit.at is not None:
                try:
                    setup.squares.parse(unit.at)
                except ValueError as error:
                    yield f'Unit "{unit.id}" can\'t stand in "{unit.at}". {error}'
        if len(set(places)) < len(places):
            yield "Two units of this game stand in the same square; there is room for one."

    def place_text(self, at: Any) -> str:
        """A square by its name."""
        return f"in {at}"

    def place_violations(self, state: State, at: str, unit: str = "") -> Iterator[Violation]:
        """What speaks against a square: another unit stands there."""
        holder = state.by_square.get(at)
        if holder is not None and holder.id != unit:
            yield Violation("taken", f"{holder.id} stands in {at}, and there is room for one.", firm=True)

    def corrected(self, action: Any) -> Corrected:
        """The event of the referee's correction."""
        return Corrected(action.unit, action.at, action.off, action.reason)

    def open_domain(self, state: State, action: type[Any], values: Mapping[str, Any], name: str) -> Domain | None:
        """A square that the unit gets to, or any that is free."""
        unit = state.units.get(values.get("unit", ""))
        if unit is None or unit.at is None:
            names = [name for name in cells(state).names if name not in state.by_square]
        else:
            names = self._ways_on(state, unit)
        return Domain("cell", tuple(Choice(name, name) for name in names))

    def place_to_try(self, state: State, unit: Unit) -> str | None:
        """The first square that a unit gets to; where it gets to none, its own."""
        return next(iter(self._ways_on(state, unit)), unit.at)

    def _ways_on(self, state: State, unit: Unit) -> list[str]:
        """The squares that a unit gets to, without its own."""
        return [name for name in self.reach(state, unit) if name != unit.at]

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """Units that are on the board and gone at once, and two in one square."""
        crowded = (
            f"{unit.id} and {state.by_square[unit.at].id} both stand in {unit.at}."
            for unit in state.on_table()
            if unit.at is not None and state.by_square[unit.at].id != unit.id
        )
        return (*super().invariant_violations(state), *crowded)
