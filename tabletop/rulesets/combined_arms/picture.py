"""The board of Combined Arms as a picture in the look of a printed game: SVG, PNG and PDF are made from its sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from geometry.drawing.scene import PIECES, Area, Flat, Item, Key, Point, Sheet
from geometry.hex_layout import HexLayout
from tabletop.boards.data import Board
from tabletop.drawing.hexes import (
    cloud,
    frame,
    glyph,
    ground_of,
    hex_ring,
    mat,
    pieces_of,
    symbol,
    target_items,
    wedge,
)
from tabletop.drawing.looks import DANGER_COLORS
from tabletop.drawing.maps import HEX_EMS, heading, hex_map
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.combined_arms.board_drawing import board
from tabletop.rulesets.combined_arms.board_text import STEPS
from tabletop.rulesets.combined_arms.canvas import BOARD, canvas
from tabletop.rulesets.combined_arms.data import TERRAIN
from tabletop.rulesets.combined_arms.picture_tracks import BELOW_BOARD, track_items
from tabletop.rulesets.combined_arms.sample_counters import platoon_items, sample
from tabletop.rulesets.combined_arms.state import Platoon, State

_HEADER = 0.75


def report_board(state: State, layout: HexLayout = BOARD) -> Board:
    """The board as everybody sees it, unturned unless a ``layout`` says otherwise; a target of smoke is told from one
    of high explosive."""
    seen = board(state, PUBLIC, layout=layout)
    smoke = state.call is not None and state.call.ammo == "smoke"
    marks = (replace(mark, kind="mortar-smoke") if smoke and mark.kind == "mortar" else mark for mark in seen.marks)
    return replace(seen, marks=tuple(marks))


def board_items(state: State, *, danger: Mapping[int, float] | None = None) -> tuple[Item, ...]:
    """The board with everything that lies open on it, in inches, its near left corner at 0.

    ``danger`` shades hexes (numbers) by a value of 0 or more each. What is secret is never drawn.
    """
    seen = report_board(state)
    values = {NAMES[n]: value for n, value in (danger or {}).items()}
    return (*ground_of(seen, values), *pieces_of(seen, seen.pieces))


def board_sheet(
    state: State, *, title: str, marks: Sequence[Item] = (), danger: Mapping[int, float] | None = None
) -> Sheet:
    """The whole game on one sheet: the board with ``marks`` on it, its tracks, platoons off the board, a legend."""
    on = canvas(BOARD)
    seen = report_board(state)
    left, bottom, right, top = box = frame(seen)
    whole = (left, bottom - BELOW_BOARD * on.size, right, top + _HEADER * on.size)
    items = [
        mat(whole),
        *heading((left, right), top, _HEADER * on.size, on.size, title, _when(state)),
        *track_items(state, box, on),
        *board_items(state, danger=danger),
        *marks,
    ]
    return hex_map(whole, on.size, seen.sides, items, LEGEND)


def _when(state: State) -> str:
    """The turn and its phase."""
    if state.step == "over":
        return f"end of turn {state.turn}"
    if not state.turn:
        return "before turn 1"
    return f"turn {state.turn}: {STEPS[state.step]}"


# --- the legend; drawings in ems -------------------------------------------------------------------------------------


_KEY = HEX_EMS
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
    yield _key(("potential-1",), "potential defenders", [*sample("potential", "?", at, _SIDE, _KEY, side=1)], _SIDE)
    yield _key(("symbol-1",), "defenders", [*sample("platoon", "X", at, _SIDE, _KEY, side=1)], _SIDE)
    at = (0.65, 0.0)
    yield _key(("guns-1-potential",), "potential guns", [*sample("potential guns", "AT?", at, 1.3, _KEY, side=1)], 1.3)
    yield _key(("guns-1",), "anti-tank guns", [*sample("guns", "AT", at, 1.3, _KEY, side=1)], 1.3)
    yield _key(("mortar-0",), "attackers' mortar target", [*target_items((0.6, 0), _KEY, 0, "HE", "")], 1.2)
    yield _key(("mortar-1",), "defenders' mortar target", [*target_items((0.6, 0), _KEY, 1, "HE", "")], 1.2)
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
