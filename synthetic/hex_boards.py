"""Boards of hexes on drawn tables: gridded mats and boards of coloured hexes, and their true layouts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from geometry.hex_layout import HexLayout
from geometry.hex_rows import HexRows
from geometry.hexes import DIRECTIONS
from synthetic.layers import Float32, Layers
from synthetic.mats import random_mat
from synthetic.noise import ribbon
from synthetic.patches import noise_in, part, shade_color, texture_window, tone
from synthetic.planned import UNIT_KINDS, Piece, PlannedBase, PlannedHexes, PlannedUnit, TablePlan

HexBoardKind = Literal["lines", "tints"]

_INKS = ("1c1c1c", "2a2620", "3a3a34", "f0efe8", "4a3a2a", "e0d8c0", "7a2f2a", "2f4a6a")
_SHEETS = ("7a8f52", "c8b48a", "4f6b3a", "9a9a92", "e4dfd0", "8a7a5a", "3f5f3a", "6f8a9a")
_TINTS = ("6a8a3a", "c8a860", "4a6a34", "9a7a52", "8a8a84", "b8c47a", "3f6a7a", "a4543a")


@dataclass(frozen=True)
class HexTruth:
    """The truth of a drawn board of hexes: its rows, their layout, how they are drawn, the hex of each unit,
    and the ground of hexes that have any terrain pieces."""

    rows: HexRows
    layout: HexLayout
    kind: HexBoardKind
    units: dict[str, str]
    ground: dict[str, str] = field(default_factory=dict)


def random_hex_board(
    seed: int,
    kind: HexBoardKind,
    rows: HexRows,
    *,
    more: int = 0,
    tags: bool | None = None,
    units: int | None = None,
    ground: bool = False,
) -> tuple[TablePlan, HexTruth]:
    """A random table with a board of hexes on it, to be drawn with ``draw_views(seed, count, wish, plan=...)``.

    ``more`` draws so many rings of hexes more round the board, as on a mat that is larger than the game. ``tags``:
    whether units carry them, ``units``: how many there are (``None``: by chance); ``ground``:
    whether it has woods and hills.
    """
    rng = np.random.default_rng([seed, 13, len(rows), len(kind)])
    low, high = (2.4, 4.0) if len(rows) <= 40 else (1.4, 2.2)
    size_in, marker = float(rng.uniform(low, high)), float(rng.uniform(2.0, 2.8))
    turn_deg = float(np.clip(rng.normal(0.0, 3.0), -9.0, 9.0))
    plain = HexLayout(size_in, (0.0, 0.0), turn_deg)
    every = set(rows.hexes)
    for _ in range(more):
        every |= {one + step for one in every for step in DIRECTIONS}
    corners = plain.corners(sorted(every)).reshape(-1, 2)
    planned = _look(rng, kind, size_in)
    margin = 1.25 * marker + planned.border_in + 0.3 + float(rng.uniform(0.0, 2.5))
    across = corners.max(axis=0) - corners.min(axis=0)
    width, depth = (float(math.ceil(v + 2 * margin)) for v in across)
    middle = np.array([width, depth]) / 2 + rng.uniform(-0.4, 0.4, 2)
    x, y = middle - (corners.max(axis=0) + corners.min(axis=0)) / 2
    layout = replace(plain, origin=(float(x), float(y)))
    planned = replace(planned, hexes=tuple(sorted(every)), origin=layout.origin, rotation_deg=turn_deg)
    many = int(rng.integers(0, len(rows) // 3)) if units is None else units
    placed, stands, tag_size = _units(rng, rows, layout, many, bool(rng.random() < 0.6) if tags is None else tags)
    mat_seed = int(rng.integers(2**31))
    while random_mat(np.random.default_rng(mat_seed)).grid_in != 0:
        mat_seed += 1
    pieces = _road(rng, rows, layout) if kind == "lines" and rng.random() < 0.3 else ()
    lies, names = _ground(rng, rows, layout) if ground else ((), {})
    paints = (("blue", (0.42, 0.16, 0.06)), ("red", (0.04, 0.03, 0.40)))
    plan = TablePlan(
        width, depth, mat_seed, (*lies, *pieces), placed, (), paints, tag_size, marker, True, hexes=planned
    )
    return plan, HexTruth(rows, layout, kind, stands, names)


def _look(rng: np.random.Generator, kind: HexBoardKind, size_in: float) -> PlannedHexes:
    """How a board is made."""
    ink, sheet = tone(_INKS[int(rng.integers(len(_INKS)))]), tone(_SHEETS[int(rng.integers(len(_SHEETS)))])
    tints: tuple[tuple[float, float, float], ...] = ()
    own, line_in = bool(rng.random() < 0.6), float(rng.uniform(0.03, 0.12))
    if kind == "tints":
        own, line_in = True, line_in if rng.random() < 0.5 else 0.0
        tints = tuple(tone(_TINTS[k]) for k in rng.permutation(len(_TINTS))[: int(rng.integers(4, 8))])
    return PlannedHexes(
        (), size_in, (0.0, 0.0), 0.0, sheet, ink, tints, line_in, float(rng.uniform(0.45, 1.0)),
        float(rng.choice([0.0, 0.3, 1.0])) if own else 0.0, own, float(rng.uniform(0.0, 0.4)),
        dots=str(rng.choice(["none", "centres", "corners"])), seed=int(rng.integers(2**31)),
    )  # fmt: skip


def _road(rng: np.random.Generator, rows: HexRows, layout: HexLayout) -> tuple[Piece, ...]:
    """A road along one of the rows."""
    row = int(rng.integers(1, len(rows.widths) + 1))
    ends = layout.centres([rows.hex(row, 1), rows.hex(row, rows.widths[row - 1])])
    wide_in = 0.35 * layout.size_in
    line = np.linspace(ends[0], ends[1], 40)
    return (Piece("road", ribbon(line, wide_in), int(rng.integers(2**31)), way=line, width=wide_in),)


def _ground(rng: np.random.Generator, rows: HexRows, layout: HexLayout) -> tuple[tuple[Piece, ...], dict[str, str]]:
    """Woods and hills, each on a hex and some of those round it; hills first."""
    pieces: list[Piece] = []
    ground: dict[str, str] = {}
    for _ in range(6):
        kind, middle = str(rng.choice(["woods", "hill"])), rows.hexes[int(rng.integers(len(rows)))]
        ring = [one for one in (middle + step for step in DIRECTIONS) if one in rows and rng.random() < 0.7]
        here = [middle, *ring]
        if any(rows.name(one) in ground for one in here):
            continue
        ground |= {rows.name(one): kind for one in here}
        shape = shapely.union_all(list(layout.polygons(here)), grid_size=1e-6).simplify(1e-4)
        spots = layout.centres(here) + rng.uniform(-0.3, 0.3, (len(here), 2)) * layout.size_in
        stands = spots[rng.random(len(here)) < 0.5] if kind == "woods" else None
        height = float(rng.choice([0.25, 0.5])) if kind == "hill" else 0.0
        outline = np.array(shape.exterior.coords)[:-1]
        pieces.append(Piece(kind, outline, int(rng.integers(2**31)), height=height, slope=0.1, stands=stands))
    return tuple(sorted(pieces, key=lambda piece: piece.kind != "hill")), ground


def _units(
    rng: np.random.Generator, rows: HexRows, layout: HexLayout, many: int, tags: bool
) -> tuple[tuple[PlannedUnit, ...], dict[str, str], float]:
    """Units of one base, each near the middle of a separate hex."""
    base_in = float(np.round(rng.uniform(0.4, 0.6) * layout.size_in, 2))
    is_round = bool(rng.random() < 0.4)
    tag_size = float(np.floor(100 * base_in * (0.6 if is_round else 0.8)) / 100)
    out, stands = [], {}
    for k, spot in enumerate(rng.permutation(len(rows))[:many].tolist()):
        here, name = rows.hexes[spot], f"{'B' if k % 2 else 'R'}{k // 2 + 1}"
        x, y = layout.centres([here])[0] + np.clip(rng.normal(0.0, 0.05, 2), -0.13, 0.13) * layout.size_in
        facing = float(rng.choice([0.0, 180.0]) + rng.normal(0, 10) + layout.rotation_deg)
        base = PlannedBase(base_in, base_in, 0.12, is_round, float(x), float(y), facing, True, k if tags else None)
        side, kind = "blue" if k % 2 else "red", str(rng.choice(UNIT_KINDS))
        out.append(PlannedUnit(name, side, kind, (base,), (0.0, 0.0), int(rng.integers(2**31))))
        stands[name] = rows.name(here)
    return tuple(out), stands, tag_size


# --- painting --------------------------------------------------------------------------------------------------------


def paint_hexes(layers: Layers, board: PlannedHexes, rng: np.random.Generator) -> None:
    """Paint a board of hexes flat on the table."""
    layout = HexLayout(board.size_in, board.origin, board.rotation_deg)
    corners = layout.corners(board.hexes).reshape(-1, 2)
    low, high = corners.min(axis=0) - board.border_in - 0.2, corners.max(axis=0) + board.border_in + 0.2
    window = layers.window
    (left, upper), (right, lower) = window.pixels([[low[0], high[1]], [high[0], low[1]]])
    rows = slice(max(0, int(upper)), min(window.shape[0], int(lower) + 2))
    columns = slice(max(0, int(left)), min(window.shape[1], int(right) + 2))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    here = part(layers, rows, columns)
    own, on, beside, to_side, to_corner, to_middle = _places(here, board)
    ppi = here.window.ppi
    field = np.clip((np.where(on, 1.0, -1.0) * to_side * board.size_in) * ppi + 0.5, 0, 1).astype(np.float32)
    half = board.line_in / 2
    line = np.clip((half - to_side * board.size_in) * ppi + 0.5, 0, 1) * min(1.0, 2 * half * ppi) * (on | beside)
    if board.dots != "none":
        away, least = (to_middle, 0.05) if board.dots == "centres" else (to_corner, 0.06)
        dot = np.clip((max(least, 0.02 * board.size_in) - away * board.size_in) * ppi + 0.5, 0, 1)
        line = np.maximum(line, dot * (on | (beside & (board.dots == "corners"))))
    line = (line * board.strength).astype(np.float32)
    shape = here.window.shape[::-1]
    grain = cv2.resize(noise_in(rng, texture_window(here.window), 0.8, 3, 0.7), shape).astype(np.float32)
    light, dark = np.asarray(board.light, np.float32), np.asarray(board.dark, np.float32)
    ground = np.broadcast_to(light, (*here.window.shape, 3)).astype(np.float32)
    if board.tints:
        ground = np.where(field[..., None] > 0.5, np.asarray(board.tints, np.float32)[own], ground)
    color = shade_color(ground + line[..., None] * (dark - ground), (0.06 * grain).astype(np.float32))
    if not board.covers:
        here.cover(line, np.broadcast_to(dark, ground.shape).astype(np.float32), board.gloss)
        return
    x, y = here.window.places()
    sheet = np.minimum(np.minimum(x - low[0], high[0] - x), np.minimum(y - low[1], high[1] - y)) - 0.2
    hides = np.clip(np.maximum(sheet * ppi + 0.5, field if board.border_in == 0 else 0.0), 0, 1)
    if board.border_in == 0:  # cut along the hexes
        hides = np.maximum(field, line)
    here.cover(hides.astype(np.float32), np.clip(color, 0, 1), board.gloss)


def _places(
    here: Layers, board: PlannedHexes
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Float32, Float32, Float32]:
    """For each pixel the number of the tint of its hex, whether this is the board's, or the one across the nearest
    side, and how far the nearest side, the nearest corner and the hex's middle are, in sizes."""
    x, y = here.window.places()
    turn = np.exp(1j * np.radians(board.rotation_deg)) / board.size_in
    unit = ((x - board.origin[0]) + 1j * (y - board.origin[1])) * turn
    row = math.sqrt(3.0) / 2
    r0 = unit.imag / row
    q0 = unit.real - r0 / 2
    s0 = -q0 - r0
    q, r, s = np.rint(q0), np.rint(r0), np.rint(s0)
    dq, dr, ds = np.abs(q - q0), np.abs(r - r0), np.abs(s - s0)
    q = np.where((dq > dr) & (dq > ds), -r - s, q)
    r = np.where((dr >= dq) & (dr > ds), -q - s, r)
    off = unit - (q + r * complex(0.5, row))
    ways = np.array([step.q + step.r * complex(0.5, row) for step in DIRECTIONS])
    along = np.stack([(off * way.conjugate()).real for way in ways])
    side = along.argmax(axis=0)
    steps = np.array([(step.q, step.r) for step in DIRECTIONS])
    known = {(one.q, one.r): n for n, one in enumerate(board.hexes)}
    tint = np.random.default_rng(board.seed).integers(0, max(1, len(board.tints)), len(known) + 1)
    first = np.array([min(one[k] for one in known) - 2 for k in (0, 1)])
    last = np.array([max(one[k] for one in known) + 2 for k in (0, 1)])
    table = np.full(tuple(last - first + 1), -1)
    for (a, b), n in known.items():
        table[a - first[0], b - first[1]] = n

    def number(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        i = np.clip(a - first[0], 0, table.shape[0] - 1).astype(int)
        j = np.clip(b - first[1], 0, table.shape[1] - 1).astype(int)
        return np.asarray(table[i, j])

    own, across = number(q, r), number(q + steps[side, 0], r + steps[side, 1])
    corner = np.min([np.abs(off - np.exp(1j * np.radians(90 - 60 * k)) / math.sqrt(3.0)) for k in range(6)], axis=0)
    return (
        tint[own], own >= 0, across >= 0, (0.5 - along.max(axis=0)).astype(np.float32),
        corner.astype(np.float32), np.abs(off).astype(np.float32),
    )  # fmt: skip
