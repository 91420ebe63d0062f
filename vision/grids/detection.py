"""A board of squares found by its lines: a chessboard or a gridded mat on the rectified map of a photo.

The number of squares is known from the game. Edges that run along two perpendicular directions are projected
onto them; a comb with as many teeth as the board has lines finds its size and place in the two profiles. Then every
side of every square is located on the map, and the layout is the one nearest to their places, by least
squares; its covariance is that of the sides' residuals, line by line. An unconvincing board is refused, and so is
one that continues beyond the game's squares, or that might be in several places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

import cv2
import numpy as np
import numpy.typing as npt
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from calibration import TableView
from geometry.hex_layout import HexLayout
from geometry.square_layout import SquareLayout
from geometry.squares import DIRECTIONS, Square, SquareBoard
from vision.grids.square_sides import Sides, measured_sides, refine_layout
from vision.imaging.blur import wide_blur
from vision.imaging.colours import cielab
from vision.imaging.rectify import MapScale, Pixels, rectified_map, visible_mask
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
GridKind = Literal["chessboard", "lines", "tints"]
"""How a board is seen: light and dark squares, lines, or hexes of different colours."""
L = TypeVar("L", bound=SquareLayout | HexLayout, covariant=True)


@dataclass(frozen=True)
class GridConfig:
    """How a board is found.

    ``map_px``, ``most_ppi``: the map's longer side and its finest scale; ``least_part``: smallest squares tried,
    as a part of the largest that fit on the table; ``turns_deg``, ``step_deg``: rotations tried; ``rotations``,
    ``candidates``: how many are followed; ``found``: least share of a board's inner sides that must be where they
    should; ``line``: the same for each single line; ``plain``: the share above which no other candidate is tried;
    ``slipped``: the share above which it is tried a square farther on; ``beyond``: share of the sides next beyond the
    board above which it continues, ``onward``: the same of the sides that extend its inner lines; ``finer``: clearness
    of lines between its own, relative to these, above which its squares are smaller; ``steady``, ``ends``:
    the contrast of a chessboard's rows, relative to that of all, that is least inside it and most outside it;
    ``chequered``: share of the difference between squares that is light and dark in turn above which lines alone are
    not enough.
    """

    map_px: float = 1200.0
    most_ppi: float = 28.0
    least_part: float = 0.35
    turns_deg: float = 45.0
    step_deg: float = 0.5
    rotations: int = 4
    candidates: int = 8
    finer: float = 0.5
    plain: float = 0.75
    slipped: float = 0.4
    found: float = 0.6
    line: float = 0.3
    beyond: float = 0.45
    onward: float = 0.75
    steady: float = 0.4
    ends: float = 0.5
    chequered: float = 0.5


@dataclass(frozen=True, eq=False)
class FoundGrid(Generic[L]):
    """A board as it was found: its layout, the covariance (4, 4) of its origin (x, y in inches), size (inches) and
    rotation (degrees), what kind of board it is, how far (root mean square, inches) the sides that were found are from
    it, and which share of all sides these are."""

    layout: L
    covariance: Array
    kind: GridKind
    residual_in: float
    found: float


@dataclass(frozen=True, eq=False)
class _Judged:
    """A candidate tested side by side, and the reason to reject it (empty: none); ``worth``: how near it came."""

    grid: FoundGrid[SquareLayout]
    fault: str
    worth: float


def find_grid(
    image: Pixels,
    view: TableView,
    table: tuple[float, float],
    board: SquareBoard,
    config: GridConfig = GridConfig(),
) -> FoundGrid[SquareLayout]:
    """The board on the table (width, depth; inches) of a photo: ``image`` as ``view`` took it.

    Square a1 is taken to be the board's corner at the near left, with the columns' row within 45 degrees of the table's
    near edge. Raises GridError where there is no convincing board of so many squares, where it continues beyond them,
    or where it might be in several places.
    """
    ppi = min(config.most_ppi, config.map_px / max(table))
    scale = MapScale(table[0], table[1], ppi)
    flat = rectified_map(image, view, table, px_per_inch=ppi)
    return find_on_map(flat, scale, board, visible_mask(view, scale), config)


def find_on_map(
    flat: Pixels,
    scale: MapScale,
    board: SquareBoard,
    seen: Mask | None = None,
    config: GridConfig = GridConfig(),
    *,
    start: SquareLayout | None = None,
    next_step: str = "Tap two of its squares far apart instead, or give its place in the table file.",
) -> FoundGrid[SquareLayout]:
    """The same on a rectified map (rows, columns, 3) of a ``scale``; ``seen``: which of its pixels the photo shows;
    ``start``: where the board nearly is, if the search covers only that and a few squares around;
    ``next_step``: the next step named in a refusal."""
    lab = even_light(flat, scale)
    judged: list[_Judged] = []
    for layout in _every_candidate(lab, scale, seen, board, config) if start is None else (start,):
        judged.append(_judge_layout(lab, scale, layout, board, config))
        if not judged[-1].fault and judged[-1].grid.found > config.plain:
            break
    if not judged:
        raise GridError(f"{_none(board)}: no lines at equal distances run across the table. {next_step}")
    best = max(judged, key=_order)
    for _ in range(_MOST_SLIPS):
        if not best.fault or best.worth < config.slipped:
            break
        moved = [
            _as_kind(lab, scale, layout, board, best.grid.kind, config) for layout in _shifted_layouts(best, board)
        ]
        judged += moved
        if _order(better := max(moved, key=_order)) <= _order(best):
            break
        best = better
    if best.fault:
        raise GridError(f"{_none(board)}: {best.fault}. {next_step}")
    for other in judged:
        apart = _farthest(best.grid.layout, other.grid.layout, board)
        if not other.fault and apart > _ELSEWHERE * best.grid.layout.size_in:
            raise GridError(
                f"The board of {board.columns} x {board.rows} squares fits in more than one place, {apart:.1f}″ apart: "
                f"the photo does not show which one is right. {next_step}"
            )
    return best.grid


_ELSEWHERE, _MOST_SLIPS = 0.35, 4
_SETTLED_IN = 0.001  # a fit that moves no square by more is done
_HIDDEN = 0.05  # share of lines that terrain may hide
_KINDS: tuple[GridKind, ...] = ("chessboard", "lines")


def _none(board: SquareBoard) -> str:
    return f"No board of {board.columns} x {board.rows} squares was found"


# --- edges -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Edges:
    """Edge points: places (n,) on the table as x + iy, directions (n,) across the edge (unit numbers, sign free), and
    weights (n,)."""

    at: npt.NDArray[np.complex128]
    across: npt.NDArray[np.complex128]
    weight: Array


def even_light(flat: Pixels, scale: MapScale) -> npt.NDArray[np.float32]:
    """The map's lightness and colour (rows, columns, 3) with slow changes of light taken out: shadows and glare."""
    lab = cielab(flat)
    sigma = 1.5 * scale.px_per_inch
    away = lab - wide_blur(lab, sigma)
    strength = np.sqrt(wide_blur((away**2).sum(axis=2), 2 * sigma))
    return np.asarray(away / (strength[..., None] + np.float32(2.0)), np.float32)


def steepest(lab: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The gradient (rows, columns) to the right and down of a picture (rows, columns, channels): at each pixel that of
    the channel that changes most."""
    gx, gy = (cv2.Sobel(lab, cv2.CV_32F, dx, dy, ksize=3) for dx, dy in ((1, 0), (0, 1)))
    best = (gx**2 + gy**2).argmax(axis=2)[..., None]
    right, down = (np.take_along_axis(g, best, axis=2)[..., 0] for g in (gx, gy))
    return right, down


def _edges(lab: npt.NDArray[np.float32], scale: MapScale, seen: Mask | None) -> _Edges:
    """Steps of an evened map at about 12 pixels per inch, the strongest quarter: sides of dark and light squares."""
    shrink = max(1.0, scale.px_per_inch / 12.0)
    small = cv2.GaussianBlur(
        cv2.resize(lab, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), (0, 0), 0.7
    )
    gx, gy = steepest(small)
    return _strongest(gx - 1j * gy, scale, shrink, seen, 0.75)


def ridges(light: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """How surely each pixel (rows, columns) of a picture is on a thin line, light or dark, and the direction across it
    (radians; right to down)."""
    xx, yy, xy = (cv2.Sobel(light, cv2.CV_32F, dx, dy, ksize=3) for dx, dy in ((2, 0), (0, 2), (1, 1)))
    # The second derivative is turned to where it is largest: half of the angle of (xx - yy, 2 xy).
    spread = np.hypot((xx - yy) / 2, xy)
    mean = (xx + yy) / 2
    size = np.abs(mean) + spread - np.abs(np.abs(mean) - spread)
    turn = 0.5 * np.arctan2(2 * xy, xx - yy) + np.where(mean < 0, np.pi / 2, 0.0)
    return np.asarray(size, np.float32), np.asarray(turn, np.float32)


def _ridges(lab: npt.NDArray[np.float32], scale: MapScale, seen: Mask | None) -> _Edges:
    """Thin lines of an evened map, light or dark, the strongest tenth."""
    size, turn = ridges(cv2.GaussianBlur(lab[..., 0], (0, 0), 0.04 * scale.px_per_inch))
    return _strongest(size * np.exp(-1j * turn), scale, 1.0, seen, 0.9)


def _strongest(
    power: npt.NDArray[np.complex128], scale: MapScale, shrink: float, seen: Mask | None, share: float
) -> _Edges:
    """The strongest places (above a ``share`` of all) of a map that is ``shrink`` times smaller: strength times the
    direction across, y away (rows, columns)."""
    size = np.abs(power)
    rim = max(2, round(0.4 * scale.px_per_inch / shrink))
    inside = np.zeros(size.shape, bool)
    inside[rim:-rim, rim:-rim] = True
    if seen is not None:
        whole = cv2.resize(seen.astype(np.uint8), size.shape[::-1], interpolation=cv2.INTER_AREA)
        inside &= cv2.erode(whole, np.ones((2 * rim + 1,) * 2, np.uint8)) > 0
    least, cap = (float(np.quantile(size[inside], q)) if inside.any() else 1.0 for q in (share, 0.25 * share + 0.75))
    rows, columns = np.nonzero(inside & (size > least))
    chosen = np.linspace(0, len(rows) - 1, min(len(rows), _MOST_POINTS)).astype(np.int64)
    rows, columns = rows[chosen], columns[chosen]
    # Spread within their pixels, or the raster's own lines would be the clearest of all.
    spread = np.random.default_rng(_SEED).uniform(0.0, 1.0, (len(rows), 2))
    places = scale.table_from_pixel((np.stack([columns, rows], axis=1) + spread) * shrink - 0.5)
    found = power[rows, columns]
    weight = np.minimum(np.abs(found), cap) / max(cap, 1e-9)
    return _Edges(places @ np.array([1.0, 1.0j]), found / np.maximum(np.abs(found), 1e-12), weight)


# --- candidates ------------------------------------------------------------------------------------------------------


_BIN_IN = 0.05
_MOST_POINTS = 40_000
_SEED = 8
_GATE = math.cos(math.radians(14.0))


def _profiles(edges: _Edges, turn_deg: float, reach: float) -> tuple[Array, Array]:
    """How much edge runs along each line of the two directions of a rotation: sums over places, by ``_BIN_IN`` from
    -``reach``, slow changes taken out."""
    back = complex(np.exp(1j * math.radians(turn_deg)))
    at, across = edges.at * back, edges.across * back
    found = []
    for place, part in ((at.real, across.real), (at.imag, across.imag)):
        chosen = np.abs(part) > _GATE
        spot = np.clip(((place[chosen] + reach) / _BIN_IN).astype(np.int64), 0, int(2 * reach / _BIN_IN))
        total = np.bincount(spot, edges.weight[chosen], minlength=int(2 * reach / _BIN_IN) + 1)
        smooth = uniform_filter1d(total, 3)
        found.append(smooth - uniform_filter1d(total, round(0.9 / _BIN_IN)))
    return found[0], found[1]


def _every_candidate(
    lab: npt.NDArray[np.float32], scale: MapScale, seen: Mask | None, board: SquareBoard, config: GridConfig
) -> Iterator[SquareLayout]:
    """Layouts by steps of colour, then by thin lines."""
    yield from _candidates(_edges(lab, scale, seen), scale, board, config)
    yield from _candidates(_ridges(lab, scale, seen), scale, board, config)


def _candidates(edges: _Edges, scale: MapScale, board: SquareBoard, config: GridConfig) -> Iterator[SquareLayout]:
    """The most promising layouts, each a little apart from the others."""
    if len(edges.at) < 50:
        return
    reach = math.hypot(scale.width_in, scale.depth_in)
    turns = np.arange(-config.turns_deg, config.turns_deg, config.step_deg)
    sharp = np.array([_sharpness(edges, turn, reach) for turn in turns])
    peaks = np.nonzero(sharp == maximum_filter1d(sharp, 5, mode="wrap"))[0]
    found: list[tuple[float, SquareLayout]] = []
    for peak in sorted(peaks, key=lambda k: -sharp[k])[: config.rotations]:
        near = turns[peak] + np.arange(-0.5, 0.51, 0.1)
        turn = float(near[int(np.argmax([_sharpness(edges, one, reach) for one in near]))])
        found += _comb_layouts(edges, turn, reach, scale, board, config)
    kept: list[SquareLayout] = []
    for _, layout in sorted(found, key=lambda one: -one[0]):
        if all(_farthest(layout, other, board) > 0.2 * layout.size_in for other in kept):
            kept.append(layout)
    yield from kept[: config.candidates]


def _sharpness(edges: _Edges, turn_deg: float, reach: float) -> float:
    """How much the edges gather on lines of a rotation."""
    return float(sum((np.maximum(profile, 0.0) ** 2).sum() for profile in _profiles(edges, turn_deg, reach)))


def _comb_layouts(
    edges: _Edges, turn: float, reach: float, scale: MapScale, board: SquareBoard, config: GridConfig
) -> list[tuple[float, SquareLayout]]:
    """Layouts of a rotation by combs of as many teeth as the board has lines, with their scores."""
    profiles = [_cap_profile(profile) for profile in _profiles(edges, turn, reach)]
    largest = 1.03 * min(scale.width_in / board.columns, scale.depth_in / board.rows)
    least = config.least_part * largest
    step = 1 + 2.0 * _BIN_IN / (largest * max(board.columns, board.rows))
    sizes = least * step ** np.arange(0, int(math.log(largest / least) / math.log(step)) + 1)
    scores = []
    for size in sizes:
        best = [
            _comb(profile, size, count) for profile, count in zip(profiles, (board.columns, board.rows), strict=True)
        ]
        scores.append((best[0][0] + best[1][0], float(size), best[0][1], best[1][1]))
    order = sorted(range(len(scores)), key=lambda k: -scores[k][0])
    found: list[tuple[float, SquareLayout]] = []
    taken: list[float] = []
    for k in order:
        score, size, x, y = scores[k]
        if any(abs(size / other - 1) < 0.02 for other in taken):
            continue
        taken.append(size)
        forward = complex(np.exp(-1j * math.radians(turn)))
        origin = complex(x - reach + size / 2, y - reach + size / 2) * forward
        found.append((score, SquareLayout(size, (origin.real, origin.imag), turn)))
        if len(found) == 4:
            break
    return found


def _cap_profile(profile: Array) -> Array:
    """A profile in which no single line outweighs many: capped, and of spread 1."""
    high = np.maximum(profile, 0.0)
    cap = float(np.quantile(high[high > 0], 0.97)) if (high > 0).any() else 1.0
    limited = np.minimum(profile, cap)
    return np.asarray(limited / max(1e-9, float(limited.std())))


def _comb(profile: Array, size: float, count: int) -> tuple[float, float]:
    """The best place of ``count + 1`` teeth so far apart, and its score: teeth on lines, none between."""
    bins = size / _BIN_IN
    length = len(profile) - int(bins * count) - 2
    if length < 1:
        return 0.0, 0.0
    places = np.lib.stride_tricks.sliding_window_view(profile, length)
    teeth = np.arange(count + 1)
    on = places[np.rint(teeth * bins).astype(np.int64)].sum(axis=0)
    off = places[np.rint((teeth[:-1] + 0.5) * bins).astype(np.int64)].sum(axis=0)
    score = on / (count + 1) - off / count
    best = int(score.argmax())
    return float(score[best]), (best + 0.5) * _BIN_IN


def _shifted_layouts(one: _Judged, board: SquareBoard) -> Iterator[SquareLayout]:
    """A candidate moved by a square in every direction: frames and borders make combs slip."""
    layout = one.grid.layout
    for x, y in layout.centres(DIRECTIONS):
        yield replace(layout, origin=(float(x), float(y)))


def _farthest(a: SquareLayout, b: SquareLayout, board: SquareBoard) -> float:
    """How far, at most, the same corner square is apart in two layouts (inches)."""
    ends = [Square(col, row) for col in (0, board.columns - 1) for row in (0, board.rows - 1)]
    return float(np.linalg.norm(a.centres(ends) - b.centres(ends), axis=1).max())


# --- judging ---------------------------------------------------------------------------------------------------------


def _order(one: _Judged) -> tuple[bool, float]:
    return not one.fault, one.worth


def _judge_layout(
    lab: npt.NDArray[np.float32], scale: MapScale, layout: SquareLayout, board: SquareBoard, config: GridConfig
) -> _Judged:
    """A candidate fitted to its sides, as a chessboard and as lines, and the better of the two."""
    both = [_as_kind(lab, scale, layout, board, kind, config) for kind in _KINDS]
    return max(both, key=_order)


def _as_kind(
    lab: npt.NDArray[np.float32],
    scale: MapScale,
    layout: SquareLayout,
    board: SquareBoard,
    kind: GridKind,
    config: GridConfig,
) -> _Judged:
    """A candidate fitted to its sides, step by step; one of which hardly any are seen is left as it is."""
    found, share = layout, 0.0
    for _ in range(4):
        sides = measured_sides(lab, scale, found, (board.columns, board.rows), kind)
        fit = refine_layout(found, sides)
        share = float(fit.inlier[sides.is_within].mean())
        if share < 0.5 * config.found or _farthest(fit.layout, found, board) < _SETTLED_IN:
            break
        found = fit.layout
    grid = FoundGrid(fit.layout, fit.covariance, kind, fit.residual_in, share)
    turns = _contrast(lab, scale, fit.layout, board) if kind == "chessboard" else None
    worth = share if turns is None or np.quantile(turns[0], 0.2) >= config.steady else 0.0
    return _Judged(grid, _fault(lab, scale, grid, board, sides, fit.inlier, turns, config), worth)


def _fault(
    lab: npt.NDArray[np.float32],
    scale: MapScale,
    grid: FoundGrid[SquareLayout],
    board: SquareBoard,
    sides: Sides,
    inlier: Mask,
    turns: tuple[list[float], list[float]] | None,
    config: GridConfig,
) -> str:
    """Why a candidate is rejected; empty if it is a board."""
    if grid.found < config.found:
        return f"of the sides of squares that fit best only {grid.found:.0%} were seen"
    shares = np.sort(sides.by_line(inlier))
    worst = float(shares[max(1, int(_HIDDEN * len(shares)))])
    if worst < config.line:
        return f"of some of its lines only {worst:.0%} was seen"
    if turns is not None:
        rows, outside = turns
        if min(rows) < config.steady:
            return "its squares are not light and dark in turn"
        return "it has more squares than the game" if max(outside) > config.ends else ""
    if _chequered(lab, scale, grid.layout, board) > config.chequered:
        return "its squares are light and dark in turn, and not as many as the game has"
    ends, onward = sides.ends(inlier), sides.onward(inlier)
    if min(ends) < config.line:
        return f"of the lines in its outermost squares only {min(ends):.0%} was seen"
    # As much beyond one edge as inside the opposite one: moved by a row the board would fit as well.
    moved = any(onward[k] >= min(ends[(k + 2) % 4], config.onward) for k in range(4))
    if moved or max(sides.beyond(inlier)) >= config.beyond:
        return "its lines go on beyond the squares that the game has"
    if any(_finer(lab, scale, grid.layout, board, parts) >= config.finer for parts in (2, 3)):
        return "there are more lines than the game has squares"
    return ""


def _finer(
    lab: npt.NDArray[np.float32], scale: MapScale, layout: SquareLayout, board: SquareBoard, parts: int
) -> float:
    """How clear the sides of ``parts`` times smaller squares are that are none of the board's, in the clearness of
    these; the lesser one of the two directions."""
    near = layout.centres([Square(0, 0)])[0]
    step = layout.centres([Square(1, 0), Square(0, 1)]) - near
    origin = near - (step[0] + step[1]) * (0.5 - 0.5 / parts)
    finer = SquareLayout(layout.size_in / parts, (float(origin[0]), float(origin[1])), layout.rotation_deg)
    return measured_sides(lab, scale, finer, (board.columns * parts, board.rows * parts), "lines").between(parts)


def _chequered(lab: npt.NDArray[np.float32], scale: MapScale, layout: SquareLayout, board: SquareBoard) -> float:
    """How much of the difference between a board's squares is light and dark in turn: 0 to 1."""
    cell, sign = _squares_seen(lab, scale, layout, board)
    inner, signs = cell[1:-1, 1:-1], sign[1:-1, 1:-1, None]
    apart = inner - inner.mean(axis=(0, 1))
    spread = float(np.sqrt((apart**2).sum(axis=2).mean()))
    return float(np.linalg.norm((apart * signs).mean(axis=(0, 1)))) / max(spread, 1e-6)


def _contrast(
    lab: npt.NDArray[np.float32], scale: MapScale, layout: SquareLayout, board: SquareBoard
) -> tuple[list[float], list[float]]:
    """How much light and dark squares take turns in each row and column of a board, in the contrast of all; and in the
    four next ones outside it."""
    cell, sign = _squares_seen(lab, scale, layout, board)
    inner = cell[1:-1, 1:-1], sign[1:-1, 1:-1]
    contrast = (inner[0] * inner[1][..., None]).mean(axis=(0, 1))
    size = float(np.linalg.norm(contrast))
    if size < 1e-6:
        return [0.0], [0.0]
    plain = cell @ (contrast / size)
    turns = []
    for values, signs in ((plain, sign), (plain.T, sign.T)):
        step = (values[:, 1:-1] - (values[:, :-2] + values[:, 2:]) / 2) * signs[:, 1:-1]
        turns.append(np.median(step[:, 1:-1], axis=1) / (2 * size))
    rows, columns = turns
    return [*rows[1:-1], *columns[1:-1]], [rows[0], rows[-1], columns[0], columns[-1]]


def _squares_seen(
    lab: npt.NDArray[np.float32], scale: MapScale, layout: SquareLayout, board: SquareBoard
) -> tuple[Array, npt.NDArray[np.int64]]:
    """The colour of each square (rows, columns, 3) of a board and of those next to it, round their middles, where
    pieces stand; and 1 or -1 (rows, columns) for light and dark ones in turn."""
    wide, deep = board.columns, board.rows
    squares = [Square(col, row) for row in range(-1, deep + 1) for col in range(-1, wide + 1)]
    centres = layout.centres(squares)
    right = layout.centres([Square(1, 0)])[0] - layout.origin
    away = layout.centres([Square(0, 1)])[0] - layout.origin
    ring = [(a, b) for a in (-0.36, -0.18, 0.0, 0.18, 0.36) for b in (-0.36, -0.18, 0.0, 0.18, 0.36)]
    ring = [(a, b) for a, b in ring if max(abs(a), abs(b)) > 0.3]
    points = centres[:, None] + np.array([a * right + b * away for a, b in ring])
    pixels = scale.pixel_from_table(points.reshape(-1, 2)).astype(np.float32).reshape(len(squares), -1, 2)
    colors = cv2.remap(lab, pixels, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cell = np.median(colors, axis=1).reshape(deep + 2, wide + 2, 3)
    return cell, 1 - 2 * ((np.add.outer(np.arange(deep + 2), np.arange(wide + 2))) % 2)
