"""WWII Combined Arms measured: ranges in squares, where units may move or retreat, who may attack whom and who covers.

A distance is the king's, in squares; nothing is uncertain once a unit stands on a square, so every sigma is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from geometry.square_layout import SquareLayout
from tabletop.boards.data import Point
from tabletop.grids.squares.board import around, place_in
from tabletop.measuring.asking import MeasureEnd, no_such
from tabletop.measuring.cells import CellEnd
from tabletop.measuring.data import (
    Area,
    CellReach,
    Measurement,
    Overlays,
    Range,
    Reach,
    Reason,
    Ring,
    SightLine,
    both_ways,
)
from tabletop.measuring.errors import MeasureError
from tabletop.rulesets.ww2_combined_arms.actions import Move
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.board_drawing import board as drawn
from tabletop.rulesets.ww2_combined_arms.board_placement import square_of
from tabletop.rulesets.ww2_combined_arms.capabilities import (
    damage,
    destinations,
    in_range,
    is_covered,
    move_of,
    reach,
    retreats,
)
from tabletop.rulesets.ww2_combined_arms.checks import violations
from tabletop.rulesets.ww2_combined_arms.data import AA_GUNS, AIRFIELD, OTHER
from tabletop.rulesets.ww2_combined_arms.state import State, Unit
from tabletop.square_board.measuring import lies_of, square_measure, square_ring
from tabletop.words import and_list, count

_PLACE = "Fire Phase"
_ABILITIES = "Unit Special Abilities"
_MOVING = ("wrong-phase", "not-yours", "moved", "base")


# --- one unit --------------------------------------------------------------------------------------------------------


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """All that is drawn of a unit: its range, the squares that it covers or may get to, whom it reaches and who reaches
    it. Raises MeasureError for one that is not on the board."""
    own = _there(state, unit)
    lies = lies_of(state.setup)
    enemies = state.on_board[OTHER[own.side]]
    sights = tuple(_sight(state, lies, own, enemy) for enemy in enemies)
    seen = [line.to for line in sights if line.verdict == "clear"]
    threats = tuple(e.id for e in enemies if in_range(state, e, own) and not is_covered(state, e, own))
    soon = tuple(e.id for e in enemies if e.id not in threats and _may_come(state, e, own))
    told = f"Enemies that {_title(own)} can attack from here: {and_list(seen) or 'none'}."
    told += f" Enemies that can attack it: {and_list(list(threats)) or 'none'}."
    return Overlays(
        unit=unit,
        side=own.side,
        says=told,
        ranges=tuple(_rings(state, lies, own)),
        threat=_threat(state, lies, own),
        reach=tuple(_reach(state, own)),
        against=tuple(_against(state, own)),
        sights=sights,
        threatened_by=threats,
        perhaps_threatened_by=soon,
    )


def _there(state: State, name: str) -> Unit:
    unit = state.by_id.get(name)
    if unit is None:
        raise no_such("unit", name, state.by_id)
    if unit.at == OFF:
        gone = "is destroyed" if unit.fate == "lost" else "is still to be placed"
        raise MeasureError(f"{_title(unit)} {gone}, so there is nothing to measure.")
    return unit


def _title(unit: Unit) -> str:
    return f"{unit.id} ({unit.type.title})"


def _rings(state: State, lies: SquareLayout, own: Unit) -> Iterator[Ring]:
    far = own.type.range
    for name, squares in (("contact", 1), ("range", far)) if far > 1 else (("contact", 1),):
        inside = tuple(state.grid.within(own.at, squares))
        says = f"Squares in contact with {own.id}." if squares == 1 else f"Squares within {squares} of {own.id}."
        yield _ring(state, lies, own, name, squares, inside, says)
    if own.kind == AA_GUNS:
        inside = (own.at, *state.grid.near[own.at])
        says = f"{own.id} keeps airfields from attacking whoever of its side stands here."
        yield _ring(state, lies, own, "cover", 1, inside, says)


def _ring(state: State, lies: SquareLayout, own: Unit, name: str, far: int, inside: Iterable[int], says: str) -> Ring:
    squares = [square_of(state, n) for n in inside]
    return square_ring(state.grid.board, lies, name, far, squares, says, square_of(state, own.at))


def _threat(state: State, lies: SquareLayout, own: Unit) -> Area | None:
    """All squares that the unit could attack after its move of a turn; an airfield does not do both."""
    stands = {own.at} if own.kind == AIRFIELD else {own.at, *destinations(state, own.but(moved=False))}
    squares = {n for at in stands for n in state.grid.within(at, own.type.range)}
    if not squares:
        return None
    says = f"Squares that {own.id} could attack within one turn."
    outlines = around(lies, [square_of(state, n) for n in squares])
    return Area(outlines, says, tuple(state.grid.names[n] for n in sorted(squares)))


def _may_come(state: State, enemy: Unit, own: Unit) -> bool:
    """Whether an enemy that can't attack a unit now could in its own turn, moving first."""
    if enemy.kind == AIRFIELD:
        return False
    stands = destinations(state, enemy.but(moved=False))
    return any(state.grid.distance(n, own.at) <= enemy.type.range for n in stands)


def _reach(state: State, own: Unit) -> Iterator[Reach]:
    """The squares that a unit may move to this turn, or retreat to where it must."""
    names = state.grid.names
    if state.pressed == own.id:
        squares = retreats(state, own)
        cells = tuple(CellReach(names[n], 1, f"{own.id} retreats to {names[n]}.") for n in squares)
        told = and_list([names[n] for n in squares])
        yield Reach("surely", 1.0, "squares", 1.0, f"{own.id} may retreat to {told}.", cells=cells)
        return
    steps = reach(state, own)
    squares = destinations(state, own.but(moved=False))
    cells = tuple(
        CellReach(names[n], steps[n], f"{own.id} moves to {names[n]}, {count(steps[n], 'square')}.") for n in squares
    )
    if cells:
        most = move_of(state, own)
        says = f"{own.id} may move up to {count(most, 'square')}, to {and_list([cell.id for cell in cells])}."
        yield Reach("surely", float(most), "squares", 1.0, says, cells=cells)


def _against(state: State, own: Unit) -> Iterator[Reason]:
    """What keeps a unit from moving now, wherever to."""
    to = next((n for n in state.grid.near[own.at] if n not in state.there), None)
    if to is None or state.pressed:
        return
    for violation in violations(state, Move(own.id, state.grid.names[to])):
        if violation.code in _MOVING:
            yield Reason(violation.text, violation.place)


# --- who reaches whom ------------------------------------------------------------------------------------------------


def _sight(state: State, lies: SquareLayout, own: Unit, target: Unit) -> SightLine:
    """Whether a unit can attack another from where both stand, and what it would do."""
    far = state.grid.distance(own.at, target.at)
    covered = is_covered(state, own, target)
    clear = far <= own.type.range and not covered
    guns = [u for u in state.on_board[target.side] if u.kind == AA_GUNS and state.grid.distance(u.at, target.at) <= 1]
    in_way = guns if covered else []
    can = "can attack" if clear else "can't attack"
    return SightLine(
        from_=own.id,
        to=target.id,
        verdict="clear" if clear else "blocked",
        points=(_centre(state, lies, own.at), _centre(state, lies, target.at)),
        range=Range(float(far), 0.0, "squares", _band(own, far)),
        says=f"{_title(own)} {can} {_title(target)}: {count(far, 'square')}.",
        reasons=tuple(_reasons(state, own, target, far)),
        blocked_by=tuple(u.id for u in in_way),
        blocked_at=tuple(_centre(state, lies, u.at) for u in in_way),
    )


def _centre(state: State, lies: SquareLayout, n: int) -> Point:
    return place_in(lies, square_of(state, n))


def _band(own: Unit | None, far: int) -> str:
    if far == 1:
        return "contact"
    if own is None:
        return "apart" if far else "same square"
    return "in range" if far <= own.type.range else "out"


def _reasons(state: State, own: Unit, target: Unit, far: int) -> Iterator[Reason]:
    if far > own.type.range:
        yield Reason(f"{target.id} is {count(far, 'square')} away; {own.id} has range {own.type.range}.", _PLACE)
        return
    if is_covered(state, own, target):
        yield Reason(f"Anti-aircraft guns keep airfields from attacking {target.id}.", _ABILITIES)
        return
    done, because = damage(own, target)
    why = {"elite": "Elite Units", "": _PLACE}.get(because, _ABILITIES)
    yield Reason(f"{own.id} does {done} damage to {target.id}.", why)


# --- two things ------------------------------------------------------------------------------------------------------


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things, in inches on the table and in squares, and whether one can attack the other; raises
    MeasureError."""
    board = drawn(state, viewer, table=table)
    lies = lies_of(state.setup, table)

    def sights(a: CellEnd[Unit], b: CellEnd[Unit]) -> tuple[SightLine, ...]:
        if a.unit is None or b.unit is None or a.unit.side == b.unit.side:
            return ()
        return both_ways(_sight(state, lies, a.unit, b.unit), _sight(state, lies, b.unit, a.unit))

    found = square_measure(
        board,
        state.grid.board,
        lies,
        partial(_there, state),
        sights,
        band=lambda a, squares: _band(a.unit, squares),
        within="on",
    )
    return found.between(first, second)
