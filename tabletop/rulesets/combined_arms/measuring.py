"""Combined Arms measured: ranges in hexes, forward arcs, where platoons may move, lines of fire.

Lines of fire and distances follow from what lies open on the board alone, so that nothing hidden can be told by them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import shapely

from tabletop.boards import board_of
from tabletop.boards.data import Board, Outline, Point
from tabletop.measuring.asking import MeasureEnd, no_such
from tabletop.measuring.cells import CellEnd, CellMeasure
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
from tabletop.measuring.outlines import outlines_of
from tabletop.rulesets.combined_arms.actions import Move
from tabletop.rulesets.combined_arms.board import (
    ARC,
    DISTANCE,
    IN_RANGE,
    INDEX,
    NAMES,
    NEIGHBOURS,
    NUMBER,
    OFF,
    REAR,
    members,
)
from tabletop.rulesets.combined_arms.board_drawing import layout_of
from tabletop.rulesets.combined_arms.canvas import Canvas, canvas
from tabletop.rulesets.combined_arms.data import ATTACKER, CORNER_WORDS, DEFENDER, KIND_TITLES, NAME, RANGE
from tabletop.rulesets.combined_arms.moving import violations, ways
from tabletop.rulesets.combined_arms.sights import sight
from tabletop.rulesets.combined_arms.state import Counter, Platoon, State
from tabletop.words import and_list, capital

_PLACE = "Fire attacks, 1st paragraph"
_BETWEEN = "Fire attacks, 1st paragraph; Figure 5"
_MOVING = ("wrong-phase", "gone", "spent")
_LEAVES = {"withdrew": "withdraws over the rear edge", "exploited": "exploits beyond the far edge"}
_GONE = {"exploited": "is exploiting beyond the far edge", "broken": "is broken", "withdrawn": "has withdrawn"}


# --- one unit --------------------------------------------------------------------------------------------------------


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """All that is drawn of a platoon, or of the counter in a hex; a platoon still to enter has its ways in alone.

    Raises MeasureError for one that is not in the game any more.
    """
    on = canvas(layout_of(state))
    counter = state.counters.get(NUMBER.get(unit, OFF))
    if counter is not None:
        sights = [_sight(state, on, _of_counter(counter), _of_platoon(p)) for p in state.platoons if p.at != OFF]
        says = _sees(f"the counter in {unit}", sights)
        return Overlays(unit, DEFENDER, says, _rings(on, counter.at, unit), sights=tuple(sights))
    platoon = _platoon(state, unit)
    reach, against = tuple(_reach(state, on, platoon)), tuple(_against(state, platoon))
    if platoon.at == OFF:
        return Overlays(unit, ATTACKER, f"{unit} is still to enter.", reach=reach, against=against)
    own = _of_platoon(platoon)
    sights = [_sight(state, on, own, _of_counter(c)) for c in state.enemy]
    front, rear = _arc(on, platoon)
    return Overlays(
        unit=unit,
        side=ATTACKER,
        says=_sees(unit, sights),
        ranges=_rings(on, platoon.at, unit),
        front=front,
        rear=rear,
        reach=reach,
        against=against,
        sights=tuple(sights),
    )


def _platoon(state: State, name: str) -> Platoon:
    """A platoon that is on the board or still to enter."""
    platoon = state.by_id.get(name)
    if platoon is None:
        raise no_such("platoon or counter", name, (*state.by_id, *(NAMES[c.at] for c in state.enemy)))
    if platoon.fate not in ("waiting", "board"):
        raise MeasureError(f"{name} {_GONE.get(platoon.fate, f'is {platoon.fate}')}, so that there is nothing of it.")
    return platoon


def _sees(name: str, sights: Iterable[SightLine]) -> str:
    seen = [line.to for line in sights if line.verdict != "blocked"]
    return f"From {name} lines of fire go to {and_list(seen) or 'no enemy'}."


def _rings(on: Canvas, at: int, name: str) -> tuple[Ring, ...]:
    said = ("adjacent", 1, f"Hexes next to {name}."), ("range", RANGE, f"Hexes within {RANGE} of {name}.")
    rings = []
    for title, hexes, says in said:
        inside = [n for n in IN_RANGE[at] if DISTANCE[at][n] <= hexes]
        rings.append(Ring(title, float(hexes), "hexes", _around(on, [at, *inside]), says, _names(inside)))
    return tuple(rings)


def _names(hexes: Iterable[int]) -> tuple[str, ...]:
    return tuple(NAMES[n] for n in sorted(hexes))


def _around(on: Canvas, hexes: Iterable[int]) -> tuple[Outline, ...]:
    every = tuple(hexes)
    return outlines_of(on.whole(every)) if every else ()


def _arc(on: Canvas, platoon: Platoon) -> tuple[Area | None, Area | None]:
    """Forward arc and the rest within range of armour; infantry has none."""
    if platoon.facing is None:
        return None, None
    ahead = tuple(members(ARC[platoon.at][platoon.facing]))
    behind = tuple(n for n in IN_RANGE[platoon.at] if n not in ahead)
    corner = f"corner {platoon.facing} ({CORNER_WORDS[platoon.facing]})"
    return (
        Area(_around(on, ahead), f"The forward arc of {platoon.id}, which faces {corner}.", _names(ahead)),
        Area(_around(on, behind), f"Outside the forward arc of {platoon.id}.", _names(behind)),
    )


# --- reach -----------------------------------------------------------------------------------------------------------


def _reach(state: State, on: Canvas, platoon: Platoon) -> Iterator[Reach]:
    """Hexes that a fresh platoon may move to, each with the fewest moves and all facings; no dice are needed."""
    found: dict[tuple[int, str], list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for way in ways(state, platoon):
        at = way.hexes[-1] if way.hexes else platoon.at
        found[at, way.leaves].append((len(way.hexes) + bool(way.leaves), way.facings))
    cells = []
    for (at, leaves), each in sorted(found.items()):
        moves = min(count for count, _ in each)
        facings = sorted({facing for _, own in each for facing in own})
        turned = tuple(on.layout.facing_deg(facing) % 360.0 for facing in facings)
        far = "one hex" if moves == 1 else f"{moves} hexes by road"
        way_out = f" and {_LEAVES[leaves]}" if leaves else ""
        facing = f", to face corner {' or '.join(map(str, facings))}" if facings else ""
        says = f"{platoon.id} moves to {NAMES[at]}{way_out}: {far}{facing}."
        cells.append(CellReach(NAMES[at], moves, says, turned, leaves or None))
    if cells:
        most = max(cell.moves for cell in cells)
        inside = [cell.id for cell in cells if cell.leaves is None]
        places = [
            *([f"to {and_list(inside)}"] if inside else []),
            *(["off the board"] if len(inside) < len(cells) else []),
        ]
        says = f"{platoon.id} may move {' or '.join(places)}."
        yield Reach("surely", float(most), "hexes", 1.0, says, cells=tuple(cells))


def _against(state: State, platoon: Platoon) -> Iterator[Reason]:
    """What keeps a platoon from moving now, wherever to."""
    to = REAR[0] if platoon.at == OFF else NEIGHBOURS[platoon.at][0]
    for violation in violations(state, Move(platoon.id, (NAMES[to],))):
        if violation.code in _MOVING:
            yield Reason(violation.text, violation.place)


# --- lines of fire ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Seat:
    """Who looks or is looked at: an id and words for it, a hex, and the side whose it is (``None``: nobody's)."""

    name: str
    words: str
    at: int
    side: str | None = None


def _of_platoon(platoon: Platoon) -> _Seat:
    return _Seat(platoon.id, platoon.id, platoon.at, ATTACKER)


def _of_counter(counter: Counter) -> _Seat:
    name = NAMES[counter.at]
    return _Seat(name, f"the counter in {name}", counter.at, DEFENDER)


def _sight(state: State, on: Canvas, looker: _Seat, target: _Seat) -> SightLine:
    """The line of fire; the attackers' fire is blocked by their own rifle platoons too, but never on their own."""
    own = looker.side == ATTACKER and target.side != ATTACKER
    seen = sight(state, looker.at, target.at, own=own)
    in_way = () if seen.line == "clear" else (*seen.fully, *seen.partly)
    far = f"{seen.range} {'hex' if seen.range == 1 else 'hexes'}"
    who = f"{looker.words} to {target.words}"
    ends = on.centres[looker.at], on.centres[target.at]
    how = {"clear": "is clear", "partial": "is partly blocked", "blocked": "is blocked"}[seen.line]
    by = f" by {and_list(_names(in_way))}" if in_way else "" if _reaches(seen.range) else " (out of range)"
    return SightLine(
        from_=looker.name,
        to=target.name,
        verdict=seen.line,
        points=ends,
        range=Range(float(seen.range), 0.0, "hexes", _band(seen.range)),
        says=f"The line of fire from {who} {how}{by}: {far}.",
        reasons=tuple(_reasons(state, looker, target, seen.fully, seen.partly, own=own)),
        outlines=tuple(on.rings[n] for n in in_way),
        blocked_by=tuple(NAMES[n] for n in in_way),
        blocked_at=tuple(_onto(on.centres[n], *ends) for n in in_way),
    )


def _reaches(hexes: int) -> bool:
    return hexes <= RANGE


def _band(hexes: int) -> str:
    if not hexes:
        return "same hex"
    return "adjacent" if hexes == 1 else "in range" if _reaches(hexes) else "out"


def _reasons(
    state: State, looker: _Seat, target: _Seat, fully: tuple[int, ...], partly: tuple[int, ...], *, own: bool
) -> Iterator[Reason]:
    far = DISTANCE[looker.at][target.at]
    if not _reaches(far):
        yield Reason(
            f"{capital(target.words)} is {far} hexes from {looker.words}; lines of fire reach {RANGE}.", _PLACE
        )
        return
    for n in fully:
        yield Reason(f"{NAMES[n]} lies fully between and blocks: {_what(state, n, own=own)}.", _BETWEEN)
    for n in partly:
        yield Reason(f"{NAMES[n]} lies partly between: {_what(state, n, own=own)}.", _BETWEEN)
    if len(partly) > 1 and not fully:
        yield Reason("Two hexes partly between block as one fully between does.", _BETWEEN)
    elif len(partly) == 1 and not fully:
        yield Reason("One hex partly between takes 1 off.", _BETWEEN)
    if not fully and not partly:
        yield Reason(f"Nothing that blocks lies between {looker.words} and {target.words}.", _PLACE)


def _what(state: State, n: int, *, own: bool) -> str:
    """What in a hex blocks."""
    found = [state.ground.terrain[n]] if state.ground.cover >> n & 1 else []
    found += ["smoke"] if n in state.smoke else []
    if own and state.rifles >> n & 1 and not found:
        found += [f"rifle platoon {p.id}" for p in state.by_hex[n] if p.kind == "rifle"]
    return and_list(found)


def _onto(p: Point, a: Point, b: Point) -> Point:
    """The point of a line nearest to another point."""
    line = shapely.LineString([a, b])
    at = shapely.line_interpolate_point(line, shapely.line_locate_point(line, shapely.Point(p)))
    return float(at.x), float(at.y)


# --- two things ------------------------------------------------------------------------------------------------------


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things, in inches on the table and in hexes, and the line of fire; raises MeasureError."""
    on, board = canvas(layout_of(state)), board_of(NAME, state, viewer, table=table)

    def sights(a: CellEnd[str], b: CellEnd[str]) -> tuple[SightLine, ...]:
        if a.cell == b.cell:
            return ()
        one, other = (_Seat(thing.end.id, thing.name, NUMBER[str(thing.cell)], thing.unit) for thing in (a, b))
        return both_ways(_sight(state, on, one, other), _sight(state, on, other, one))

    def hex_name(at: Point) -> str | None:
        n = INDEX.get(on.layout.hex_at([at])[0], OFF)
        return None if n == OFF else NAMES[n]

    return CellMeasure(
        board,
        "hex",
        lambda asked: _unit_end(state, board, asked),
        hex_name,
        lambda a, b: DISTANCE[NUMBER[a]][NUMBER[b]],
        sights,
        lambda _end, hexes: _band(hexes),
    ).between(first, second)


def _unit_end(state: State, board: Board, asked: MeasureEnd) -> CellEnd[str]:
    """The end that a platoon or a counter makes, or one piece on the board; its unit is its side."""
    name = asked.name
    if asked.kind == "piece":
        pieces = [piece for piece in board.pieces if piece.id == name]
        if not pieces:
            raise no_such("piece on the board", name, (piece.id for piece in board.pieces))
        own = next(unit for unit in board.units if unit.id == pieces[0].unit)
        says = pieces[0].says
    else:
        if state.counters.get(NUMBER.get(name, OFF)) is None and _platoon(state, name).at == OFF:
            kind = KIND_TITLES[state.by_id[name].kind]
            raise MeasureError(f"{name}, {kind}, is still to enter: it is not on the board.")
        pieces = [piece for piece in board.pieces if piece.unit == name]
        own = next(unit for unit in board.units if unit.id == name)
        says = own.says
    called = name if own.side == ATTACKER or " " in name else f"the counter in {name}"
    return CellEnd.of(pieces, own.place, own.side, name, says, called)
