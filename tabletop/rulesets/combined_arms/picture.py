"""The board of Combined Arms as a picture in the look of a printed game: SVG, PNG and PDF are made from its sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from geometry.hex_layout import HexLayout
from tabletop.aar.maps import HEX_EMS, hex_map
from tabletop.aar.picture import DANGER_COLORS, GROUND, PIECES, TOP, Area, Flat, Item, Key, Letters, Line, Point, Sheet
from tabletop.aar.teller import Side
from tabletop.rulesets.combined_arms.board_text import STEPS
from tabletop.rulesets.combined_arms.data import SIDES, TERRAIN
from tabletop.rulesets.combined_arms.picture_counters import (
    call_items,
    cloud,
    guard_items,
    guns_items,
    piece_items,
    platoon_items,
    symbol,
    wedge,
)
from tabletop.rulesets.combined_arms.picture_ground import BOARD, Canvas, canvas, glyph, ground_items, hex_ring
from tabletop.rulesets.combined_arms.picture_marks import arc_items
from tabletop.rulesets.combined_arms.picture_tracks import BELOW_BOARD, track_items
from tabletop.rulesets.combined_arms.state import Counter, Platoon, State

_MARGIN = 0.45  # round the board, in hex sizes
_HEADER = 0.75


def board_items(
    state: State, layout: HexLayout = BOARD, *, arcs: bool = False, danger: Mapping[int, float] | None = None
) -> tuple[Item, ...]:
    """The board with everything that lies open on it, in inches.

    ``layout`` says where the board lies (its own picture: the near left corner at 0). ``arcs`` draws the forward arcs
    of armour; ``danger`` shades hexes (numbers) by a value of 0 or more each. What is secret is never drawn.
    """
    on = canvas(layout)
    items: list[Item] = [*ground_items(state.ground, on, danger), *piece_items(state, on)]
    if arcs:
        for platoon in state.armour:
            items += arc_items(platoon.at, platoon.facing or 0, layout)
    return tuple(items)


def frame(layout: HexLayout = BOARD) -> tuple[float, float, float, float]:
    """The box (left, bottom, right, top; inches) round the board with its margin."""
    on = canvas(layout)
    left, bottom, right, top = on.outline.bounds
    room = _MARGIN * on.size
    return left - room, bottom - room, right + room, top + room


def board_map(state: State, items: Iterable[Item], layout: HexLayout = BOARD) -> Sheet:
    """A map of the board: any ``items`` on a mat, and a legend of what occurs."""
    box = frame(layout)
    return hex_map(box, layout.size_in, _sides(state), [_mat(box), *items], LEGEND)


def board_sheet(
    state: State,
    *,
    title: str,
    marks: Sequence[Item] = (),
    arcs: bool = False,
    danger: Mapping[int, float] | None = None,
) -> Sheet:
    """The whole game on one sheet: the board with ``marks`` on it, its tracks, platoons off the board, a legend."""
    on = canvas(BOARD)
    left, bottom, right, top = box = frame()
    whole = (left, bottom - BELOW_BOARD * on.size, right, top + _HEADER * on.size)
    items = [
        _mat(whole),
        Letters((left + 0.25 * on.size, top + 0.32 * on.size), title, "sheet-title", 0.34 * HEX_EMS, "start", TOP),
        Letters((right - 0.25 * on.size, top + 0.32 * on.size), _when(state), "sheet-when", 0.26 * HEX_EMS, "end", TOP),
        *track_items(state, box, on),
        *board_items(state, arcs=arcs, danger=danger),
        *marks,
    ]
    return hex_map(whole, on.size, _sides(state), items, LEGEND)


def _mat(box: tuple[float, float, float, float]) -> Area:
    left, bottom, right, top = box
    return Area(((left, bottom), (right, bottom), (right, top), (left, top)), "hex-mat", GROUND)


def _sides(state: State) -> list[Side]:
    return [Side(side, state.setup.side_title(side)) for side in SIDES]


def _when(state: State) -> str:
    """The turn and its phase."""
    if state.step == "over":
        return f"end of turn {state.turn}"
    if not state.turn:
        return "before turn 1"
    return f"turn {state.turn}: {STEPS[state.step]}"


# --- the legend; drawings in ems -------------------------------------------------------------------------------------


_KEY = Canvas(HexLayout(HEX_EMS, (0.0, 0.0)))
_HEX, _SIDE = 1.9, 1.5
_HERE: Point = (_HEX / 2, 0.0)


def _legend() -> Iterator[Key]:
    for kind in TERRAIN:
        cls = f"hex-{kind.replace(' ', '-')}"
        yield _key((cls,), f"{kind} ground" if kind == "open" else kind, [_hex(cls), *glyph(kind, _HERE, _HEX)])
    yield _key(("hex-unknown",), "not rolled for yet", [_hex("hex-unknown")])
    band = [(0.17, "road-side"), (0.13, "road-bed")]
    road = [Area(((0, -h * _HEX), (_HEX, -h * _HEX), (_HEX, h * _HEX), (0, h * _HEX)), cls) for h, cls in band]
    yield _key(("road-bed",), "road", road)
    yield _key(("letters-0-fresh",), "fresh", [*platoon_items(Platoon("D1"), (_SIDE / 2, 0), _SIDE, _KEY)])
    yield _key(("letters-0-spent",), "spent", [*platoon_items(Platoon("D1", fresh=False), (_SIDE / 2, 0), _SIDE, _KEY)])
    for troops, words in (("rifle", "rifles"), ("mmg", "machine guns"), ("armour", "armour")):
        yield _key(("symbol-0", "symbol-0-thin"), words, [*symbol(troops, (0.75, 0), 1.4, 0.9, "symbol-0")], 1.5)
    yield _key(("facing",), "faces this corner", [_hex("hex-open"), Area(wedge(_HERE, _HEX, 60.0), "facing", PIECES)])
    at = (_SIDE / 2, 0.0)
    yield _key(("potential-1",), "potential defenders", [*guard_items(Counter(0), at, _SIDE, _KEY)], _SIDE)
    yield _key(("symbol-1",), "defenders", [*guard_items(Counter(0, revealed=True), at, _SIDE, _KEY)], _SIDE)
    at = (0.65, 0.0)
    yield _key(("guns-1-potential",), "potential guns", [*guns_items(Counter(0, atg="potential"), at, 1.3, _KEY)], 1.3)
    yield _key(("guns-1",), "anti-tank guns", [*guns_items(Counter(0, atg="real"), at, 1.3, _KEY)], 1.3)
    yield _key(("mortar-0",), "attackers' mortar target", [*call_items((0.6, 0), _KEY, 0, "HE", "")], 1.2)
    yield _key(("mortar-1",), "defenders' mortar target", [*call_items((0.6, 0), _KEY, 1, "HE", "")], 1.2)
    yield _key(("smoke",), "smoke", [_hex("hex-open"), Area(cloud(_HERE, _HEX), "smoke")])
    yield _key(
        ("hex-barred",),
        "closed to attackers",
        [Area(((0, -0.2), (1.4, -0.2), (1.4, 0.2), (0, 0.2)), "hex-barred")],
        1.4,
    )
    arrow = ((0.0, -0.35), (0.8, -0.35), (0.4, 0.35))
    yield _key(("hex-entry",), "entry", [Area(arrow, "hex-entry")], 0.8)
    yield _key(("hex-exit",), "exploiting", [Area(arrow, "hex-exit")], 0.8)
    for line, words in (("clear", "clear line of fire"), ("partial", "partly blocked"), ("blocked", "blocked")):
        yield _key((f"sight-{line}",), words, [Line(((0.0, 0.0), (2.4, 0.0)), f"sight-{line}")], 2.4)
    yield _key(("sight-partial-hex",), "partly blocks", [_hex("sight-partial-hex")])
    yield _key(("sight-blocked-hex",), "blocks", [_hex("sight-blocked-hex")])
    yield Key(("arc",), "forward arc", "line")
    yield Key(("move-0",), "moved", "arrow")
    yield Key(("shot-0",), "attackers fired", "arrow")
    yield Key(("shot-1",), "defenders fired", "arrow")
    yield _key(("burst",), "under fire", [_hex("burst")])
    yield Key(("grave",), "lost", "cross")
    shades = tuple(f"danger-{n}" for n in range(1, len(DANGER_COLORS) + 1))
    steps = [
        Area(((0.9 * k, -0.45), (0.9 * k + 0.9, -0.45), (0.9 * k + 0.9, 0.45), (0.9 * k, 0.45)), cls)
        for k, cls in enumerate(shades)
    ]
    yield _key(shades, "danger, the worst darkest", steps, 0.9 * len(shades))


def _hex(cls: str) -> Area:
    return Area(hex_ring(_HERE, _HEX), cls)


def _key(classes: tuple[str, ...], text: str, drawing: Sequence[Flat], wide: float = _HEX) -> Key:
    return Key(classes, text, drawing=tuple(drawing), wide_em=wide)


LEGEND: tuple[Key, ...] = tuple(_legend())
"""What everything on a map of the board is; entries show where they occur."""
