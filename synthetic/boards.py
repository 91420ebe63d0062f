"""Boards of squares on drawn tables: chessboards and gridded mats, units in their squares, and the true layouts."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
import shapely

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from synthetic.layers import Float32, Layers
from synthetic.mats import random_mat
from synthetic.noise import ribbon
from synthetic.patches import noise_in, part, shade_color, texture_window, tone
from synthetic.planned import (
    UNIT_KINDS,
    Piece,
    PlannedBase,
    PlannedBoard,
    PlannedUnit,
    TablePlan,
    frame_spots,
    square,
)

BoardKind = Literal["chessboard", "lines"]

_CHESS = (
    ("e8d9b5", "8a5a34"), ("f0ead6", "3f6b3a"), ("f2f0ea", "26262a"), ("d9c49a", "5a3a26"), ("c9bda8", "8a7a62"),
    ("c23a30", "2a2624"), ("e6e0cc", "7a2f2a"), ("d8d4c8", "4a5a7a"), ("b9a888", "9a8664"),
)  # fmt: skip
_SHEETS = ("7a8f52", "c8b48a", "4f6b3a", "9a9a92", "e4dfd0", "8a7a5a", "3f5f3a", "6f8a9a")
_INKS = ("1c1c1c", "2a2620", "3a3a34", "f0efe8", "4a3a2a", "e0d8c0")


@dataclass(frozen=True)
class BoardTruth:
    """The truth of a drawn board: its squares, their layout, and the square of each unit; ``straddles``
    are units across a side; ``ground`` is the ground of squares that have any terrain pieces."""

    board: SquareBoard
    layout: SquareLayout
    kind: BoardKind
    units: dict[str, str]
    straddles: frozenset[str]
    ground: dict[str, str]


def random_board(
    seed: int,
    kind: BoardKind,
    board: SquareBoard,
    *,
    tags: bool | None = None,
    rims: bool | None = None,
    units: int | None = None,
    more: int = 0,
) -> tuple[TablePlan, BoardTruth]:
    """A random table with a board on it, to be drawn with ``draw_views(seed, count, wish, plan=...)``.

    ``units`` is the number of units on the board, ``tags`` and ``rims`` whether they carry them (``None``: by chance).
    ``more`` draws so many squares more in each direction than the board has, as on a mat that is larger than the game.
    """
    rng = np.random.default_rng([seed, 11, board.columns, board.rows, len(kind)])
    low, high = (1.75, 2.6) if board.columns <= 10 else (1.4, 2.2)
    size_in, marker = float(rng.uniform(low, high)), float(rng.uniform(2.0, 2.8))
    turn_deg = float(np.clip(rng.normal(0.0, 2.5), -7.0, 7.0))
    planned = _look(rng, kind, size_in)
    wide, deep = (board.columns + more) * size_in, (board.rows + more) * size_in
    room = 1.25 * marker + planned.border_in + 0.2 + 0.5 * abs(np.sin(np.radians(turn_deg))) * max(wide, deep)
    margin = room + float(rng.uniform(0.0, 2.5))
    width, depth = (float(np.ceil(v + 2 * margin)) for v in (wide, deep))
    middle = np.array([width, depth]) / 2 + rng.uniform(-0.4, 0.4, 2)
    plain = SquareLayout(size_in, (0.0, 0.0), turn_deg)
    every = SquareBoard(board.columns + more, board.rows + more)
    origin = middle - plain.centres(every.squares).mean(axis=0)
    layout = SquareLayout(size_in, (float(origin[0]), float(origin[1])), turn_deg)
    planned = replace(planned, columns=every.columns, rows=every.rows, origin=layout.origin, rotation_deg=turn_deg)
    pieces, ground = _terrain(rng, board, layout) if kind == "lines" and rng.random() < 0.6 else ((), {})
    many = int(rng.integers(6, 2 * board.columns)) if units is None else units
    with_tags = bool(rng.random() < 0.6) if tags is None else tags
    with_rims = bool(rng.random() < 0.6) if rims is None else rims
    placed, stands, across, tag_size = _units(rng, board, layout, many, with_tags)
    mat_seed = int(rng.integers(2**31))
    while random_mat(np.random.default_rng(mat_seed)).grid_in != 0:
        mat_seed += 1
    paints = (("blue", (0.42, 0.16, 0.06)), ("red", (0.04, 0.03, 0.40)))
    plan = TablePlan(
        width, depth, mat_seed, pieces, placed, (), paints if with_rims else (), tag_size, marker, True, planned
    )
    kept = shapely.union_all([square(x, y, 1.25 * marker) for x, y in frame_spots(width, depth, marker)])
    assert not shapely.union_all(list(layout.polygons(every.squares))).intersects(kept)
    return plan, BoardTruth(board, layout, kind, stands, across, ground)


@dataclass(frozen=True)
class BoardUnit:
    """A unit of one base to be placed in a square: its tag (``None``: it carries none), its offset from the
    square's middle, right and away, in sides of the square, and how it is turned (degrees clockwise)."""

    id: str
    side: str
    kind: str
    square: Square
    tag: int | None = None
    off: tuple[float, float] = (0.0, 0.0)
    facing_deg: float = 0.0


def with_units(plan: TablePlan, layout: SquareLayout, units: Iterable[BoardUnit], base_in: float) -> TablePlan:
    """A table with other units on its board, each on a square base of that side.

    The same unit is painted alike at every place, so that photographs of one evening are of one army.

    >>> plan, truth = random_board(1, "chessboard", SquareBoard(8, 8))
    >>> plan = with_units(plan, truth.layout, [BoardUnit("R1", "red", "tank", Square(0, 0))], 0.8)
    >>> [unit.id for unit in plan.units], len(plan.units[0].bases)
    (['R1'], 1)
    """
    placed = []
    for unit in units:
        here = unit.square
        at, right, away = layout.centres([here, here + Square(1, 0), here + Square(0, 1)])
        x, y = at + unit.off[0] * (right - at) + unit.off[1] * (away - at)
        facing = layout.rotation_deg + unit.facing_deg
        base = PlannedBase(base_in, base_in, 0.12, False, float(x), float(y), facing, True, unit.tag)
        seed = zlib.crc32(unit.id.encode())
        placed.append(PlannedUnit(unit.id, unit.side, unit.kind, (base,), (0.0, 0.0), seed))
    return replace(plan, units=tuple(placed))


def _look(rng: np.random.Generator, kind: BoardKind, size_in: float) -> PlannedBoard:
    """How a board is made."""
    light, dark = (tone(code) for code in _CHESS[int(rng.integers(len(_CHESS)))])
    if kind == "lines":
        ink = tone(_INKS[int(rng.integers(len(_INKS)))])
        light = tone(_SHEETS[int(rng.integers(len(_SHEETS)))])
        own = bool(rng.random() < 0.6)
        strength = float(rng.uniform(0.35, 0.95))
        line, border = float(rng.uniform(0.03, 0.09)), float(rng.choice([0.0, 0.0, 0.3])) if own else 0.0
        return PlannedBoard(
            0, 0, size_in, (0.0, 0.0), 0.0, kind, light, ink, line, strength, border, own, float(rng.uniform(0, 0.3))
        )
    border = float(rng.choice([0.0, 0.15, 0.5, 1.0])) * size_in * 0.6
    return PlannedBoard(
        0, 0, size_in, (0.0, 0.0), 0.0, kind, light, dark, 0.0, float(rng.uniform(0.75, 1.0)), border, True,
        float(rng.uniform(0.0, 0.6)),
    )  # fmt: skip


def _terrain(
    rng: np.random.Generator, board: SquareBoard, layout: SquareLayout
) -> tuple[tuple[Piece, ...], dict[str, str]]:
    """Woods and hills as blocks of squares, roads along rows and columns."""
    pieces: list[Piece] = []
    ground: dict[str, str] = {}
    for _ in range(int(rng.integers(1, 5))):
        kind = str(rng.choice(["woods", "hill"]))
        wide, deep = int(rng.integers(2, 5)), int(rng.integers(2, 5))
        col, row = int(rng.integers(0, board.columns - wide)), int(rng.integers(0, board.rows - deep))
        here = [Square(col + a, row + b) for a in range(wide) for b in range(deep)]
        if any(board.name(one) in ground for one in here):
            continue
        ground |= {board.name(one): kind for one in here}
        ring = shapely.union_all(list(layout.polygons(here)), grid_size=1e-6).simplify(1e-4)
        outline = np.array(ring.exterior.coords)[:-1]
        stands = None
        if kind == "woods":
            spots = layout.centres(here) + rng.uniform(-0.35, 0.35, (len(here), 2)) * layout.size_in
            stands = spots[rng.random(len(here)) < 0.5]
        height = float(rng.choice([0.25, 0.5])) if kind == "hill" else 0.0
        pieces.append(Piece(kind, outline, int(rng.integers(2**31)), height=height, slope=0.1, stands=stands))
    if rng.random() < 0.6:
        col = int(rng.integers(1, board.columns - 1))
        way = layout.centres([Square(col, 0), Square(col, board.rows - 1)])
        wide_in = 0.4 * layout.size_in
        line = np.linspace(way[0], way[1], 40)
        pieces.append(Piece("road", ribbon(line, wide_in), int(rng.integers(2**31)), way=line, width=wide_in))
    return tuple(sorted(pieces, key=lambda piece: piece.kind != "hill")), ground


def _units(
    rng: np.random.Generator, board: SquareBoard, layout: SquareLayout, many: int, tags: bool
) -> tuple[tuple[PlannedUnit, ...], dict[str, str], frozenset[str], float]:
    """Units of one base in squares of their own: most near the middle, some carelessly put across a side."""
    size_in = layout.size_in
    base_in = float(np.round(rng.uniform(0.38, 0.58) * size_in, 2))
    is_round = bool(rng.random() < 0.4)
    tag_size = float(np.floor(100 * base_in * (0.6 if is_round else 0.8)) / 100)
    spots = rng.permutation(len(board))[:many]
    out, stands, across = [], {}, set()
    for k, spot in enumerate(spots.tolist()):
        square_here = board.squares[spot]
        name = f"{'B' if k % 2 else 'R'}{k // 2 + 1}"
        off = np.clip(rng.normal(0.0, 0.05, 2), -0.13, 0.13) * size_in
        if rng.random() < 0.08:
            way = (np.array([1, 0]), np.array([-1, 0]), np.array([0, 1]), np.array([0, -1]))[int(rng.integers(4))]
            off = off * 0.3 + way * size_in * float(rng.uniform(0.36, 0.48))
            across.add(name)
        (x, y), right, away = layout.centres([square_here, square_here + Square(1, 0), square_here + Square(0, 1)])
        at = np.array([x, y]) + off[0] * (right - [x, y]) / size_in + off[1] * (away - [x, y]) / size_in
        facing = float(rng.choice([0.0, 180.0]) + rng.normal(0, 10) + layout.rotation_deg)
        stands[name] = board.name(square_here)
        base = PlannedBase(
            base_in, base_in, 0.12, is_round, float(at[0]), float(at[1]), facing, True, k if tags else None
        )
        side, kind = "blue" if k % 2 else "red", str(rng.choice(UNIT_KINDS))
        out.append(PlannedUnit(name, side, kind, (base,), (0.0, 0.0), int(rng.integers(2**31))))
    return tuple(out), stands, frozenset(across), tag_size


# --- painting --------------------------------------------------------------------------------------------------------


def paint_board(layers: Layers, board: PlannedBoard, rng: np.random.Generator) -> None:
    """Paint a board flat on the table."""
    layout = SquareLayout(board.size_in, board.origin, board.rotation_deg)
    reach = board.border_in / board.size_in
    ends = [Square(col, row) for col in (0, board.columns - 1) for row in (0, board.rows - 1)]
    corners = layout.corners(ends).reshape(-1, 2)
    low, high = corners.min(axis=0) - board.border_in - 0.1, corners.max(axis=0) + board.border_in + 0.1
    window = layers.window
    (left, upper), (right, lower) = window.pixels([[low[0], high[1]], [high[0], low[1]]])
    rows = slice(max(0, int(upper)), min(window.shape[0], int(lower) + 2))
    columns = slice(max(0, int(left)), min(window.shape[1], int(right) + 2))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    here = part(layers, rows, columns)
    x, y = here.window.places()
    a = np.radians(board.rotation_deg)
    u = ((x - board.origin[0]) * np.cos(a) - (y - board.origin[1]) * np.sin(a)) / board.size_in + 0.5
    v = ((x - board.origin[0]) * np.sin(a) + (y - board.origin[1]) * np.cos(a)) / board.size_in + 0.5
    sharp = board.size_in * here.window.ppi
    inside = np.minimum(np.minimum(u, board.columns - u), np.minimum(v, board.rows - v)) * sharp
    whole = np.clip(inside + reach * sharp + 0.5, 0, 1).astype(np.float32)
    field = np.clip(inside + 0.5, 0, 1).astype(np.float32)
    color, share = _paint_board(here, board, u.astype(np.float32), v.astype(np.float32), sharp, field, rng)
    here.cover(whole * share, color, board.gloss)


def _paint_board(
    here: Layers, board: PlannedBoard, u: Float32, v: Float32, sharp: float, field: Float32, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """The board's colour, and how far it hides the mat."""
    rows, columns = here.window.shape
    grain = cv2.resize(noise_in(rng, texture_window(here.window), 0.8, 3, 0.7), (columns, rows)).astype(np.float32)
    light, dark = np.asarray(board.light, np.float32), np.asarray(board.dark, np.float32)
    if board.kind == "chessboard":
        sign = _wave(u, sharp) * _wave(v, sharp)
        part_dark = (0.5 + 0.5 * sign)[..., None] * np.float32(board.strength)
        border = dark * np.float32(0.75)
        color = light + part_dark * (dark - light)
        color = border + field[..., None] * (color - border)
        return _wear_color(color, grain, 0.05), np.ones(u.shape, np.float32)
    near = np.minimum(np.abs(u - np.rint(u)), np.abs(v - np.rint(v))) * sharp
    half = board.line_in / 2 * here.window.ppi
    line = np.clip(half - near + 0.5, 0, 1) * np.float32(board.strength) * min(1.0, 2 * half)
    within = ((u > -0.5 * board.line_in) & (u < board.columns + 0.5 * board.line_in)
              & (v > -0.5 * board.line_in) & (v < board.rows + 0.5 * board.line_in))  # fmt: skip
    line = (line * within).astype(np.float32)
    if not board.covers:
        return np.broadcast_to(dark, (*u.shape, 3)).astype(np.float32), line.astype(np.float32)
    color = np.broadcast_to(light, (*u.shape, 3)) + line[..., None] * (dark - light)
    return _wear_color(color.astype(np.float32), grain, 0.06), np.ones(u.shape, np.float32)


def _wave(u: Float32, sharp: float) -> Float32:
    """+1 in every first square (dark a1), -1 in every second, sharp to a pixel."""
    away = (np.rint(u) - u) * sharp  # to the nearest line, pixels
    step = np.clip(2 * away, -1, 1)
    return np.asarray(step * (1 - 2 * (np.rint(u).astype(np.int64) % 2 == 0)), np.float32)


def _wear_color(color: Float32, grain: Float32, by: float) -> Float32:
    return np.clip(shade_color(color, (by * grain).astype(np.float32)), 0, 1)
