"""Where platoons of Combined Arms may go, from the rules alone and slowly. [Movement]"""

import itertools

from tests.reference.combined_arms import (
    Position,
    company,
    enemy_hexes,
    fresh,
    is_armour,
    is_rifle,
    platoon,
    platoons_in,
    terrain,
)
from tests.reference.combined_arms_board import (
    AT,
    HEXES,
    ROAD,
    ROAD_ENDS,
    STEPS,
    Point,
    centre,
    is_side_edge,
    moved,
    neighbours,
    row_of,
)

WITHDRAWN, EXPLOITS = "withdrawn", "exploits"


def barred(hex_: str) -> bool:
    """Side edge hexes of the five middle hexrows."""
    return is_side_edge(hex_) and 3 <= row_of(hex_) <= 7


def may_enter(position: Position, id_: str, hex_: str) -> bool:
    """Whether the hex itself takes the platoon: no enemy, no other company, no ground or armour that stops armour."""
    if barred(hex_) or hex_ in enemy_hexes(position):
        return False
    others = [p["id"] for p in platoons_in(position, hex_) if p["id"] != id_]
    if is_rifle(id_):
        return not any(is_rifle(o) and company(o) != company(id_) for o in others)
    if is_armour(id_):
        rough = terrain(position["board"], hex_) in ("poor going", "woods", "wooded crest")
        return not rough and not any(is_armour(o) for o in others)
    return True


def leaves_to(hex_: str) -> str | None:
    """What leaving the board from this hex is: withdrawing from the near row, exploiting from the far row's middle."""
    if row_of(hex_) == 1:
        return WITHDRAWN
    return EXPLOITS if hex_ in ("9-3", "9-4", "9-5") else None


def beyond(here: Point, ahead: Point) -> str | None:
    """What lies one step on: a hex's name, or leaving the board over its near or far edge, None over a side."""
    if ahead in AT:
        return AT[ahead]
    return leaves_to(AT[here]) if ahead[1] in (0, 30) else None


def road_side(a: Point, b: Point) -> bool:
    """Whether the hexside between two adjacent hexes has the road through it."""
    way = [ROAD_ENDS[0], *(centre(h) for h in ROAD), ROAD_ENDS[1]]
    return any({a, b} == {p, q} for p, q in itertools.pairwise(way))


def ahead_of(facing: int) -> list[Point]:
    """The two steps into an arc about a corner."""
    return [STEPS[facing - 1], STEPS[facing]]


def legal_moves(position: Position, id_: str) -> set[tuple[str, int | None]]:
    """Where a platoon on the board may go this phase, with armour's facing after it; no facing off the board.

    Turning and one hex forward, one hex back with the facing kept, two along the road with the facing kept.
    """
    mover = platoon(position, id_)
    if not fresh(mover):
        return set()
    here: str = mover["hex"]
    found: set[tuple[str, int | None]] = set()
    out = leaves_to(here)
    if out is not None and (id_[0] != "M" or out == WITHDRAWN):
        found.add((out, None))
    if id_[0] == "M":
        return found
    if not is_armour(id_):
        return found | {(h, None) for h in neighbours(here) if may_enter(position, id_, h)}
    kept = mover["facing"]
    for h in neighbours(here):
        if not may_enter(position, id_, h):
            continue
        step = (centre(h)[0] - centre(here)[0], centre(h)[1] - centre(here)[1])
        found |= {(h, facing) for facing in range(6) if step in ahead_of(facing)}
        if step in ahead_of((kept + 3) % 6):
            found.add((h, kept))
    for first, second in itertools.product(ahead_of(kept), repeat=2):
        through = moved(centre(here), first)
        to = moved(through, second)
        if through not in AT or not road_side(centre(here), through) or not road_side(through, to):
            continue
        end = beyond(through, to)
        if end is None or not may_enter(position, id_, AT[through]):
            continue
        if to not in AT:
            found.add((end, None))
        elif may_enter(position, id_, end):
            found.add((end, kept))
    return found


def entry_hexes(position: Position, id_: str) -> set[str]:
    """Hexes that a platoon off the board may come to when it enters: the seven near ones, armour also two by road."""
    near = {h for h in HEXES if row_of(h) == 1 and may_enter(position, id_, h)}
    if is_armour(id_) and ROAD[0] in near and may_enter(position, id_, ROAD[1]):
        return near | {ROAD[1]}
    return near
