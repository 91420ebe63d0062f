"""How well a known shape explains the output of the ``bases`` net, and the places where such a base may be.

For every place the net gives how surely it is a base's top, its outline, its middle. A fitted base claims its
top, its outline and its middle to be such: its worth is the sum of their odds (in logarithms) over everything
it claims, so that a shape that explains more wins over one that fits as well but explains less, and a long rectangle
over three bases that touch loses to the three. Places count by area: scores are square inches of log odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.rectify import MapScale
from vision.imaging.rims import Array, Float32, float32
from vision.model.expected import BaseShape
from vision.terrain.tracing import sample_bilinear

HEART = 0.45  # side of the middle that the net is taught, in sides of its base
EDGE_PX = 2.0  # width of the outline that it is taught, pixels of its map


@dataclass(frozen=True)
class ShapesConfig:
    """``top``, ``edge``, ``middle``: for each plane the offset of its log odds, and then their least and greatest
    value (measured on drawn tables: the net is overconfident, most of all about hidden parts);
    ``angle_step_deg``: spacing of the directions tried; ``gate``: log odds of top that start a place to search, as
    much of it as ``least_place`` of the smallest shape; ``least_share``: proposals worth less than this share of what
    their shape can be worth are dropped; ``apart_in``, ``apart_deg``: proposals of one shape nearer than both are one;
    ``per_in2``: of each shape so many are kept per square inch of top, and half as many per direction; ``steps_in``,
    ``turns_deg``, ``rounds``: moves tried, coarse to fine."""

    top: tuple[float, float, float] = (0.0, -3.3, 4.0)
    edge: tuple[float, float, float] = (1.2, -2.7, 3.5)
    middle: tuple[float, float, float] = (2.0, -1.7, 4.0)
    angle_step_deg: float = 10.0
    gate: float = -1.1
    least_place: float = 0.3
    least_share: float = 0.12
    apart_in: float = 0.2
    apart_deg: float = 8.0
    per_in2: float = 6.0
    steps_in: tuple[float, ...] = (0.1, 0.05, 0.025)
    turns_deg: tuple[float, ...] = (4.0, 2.0, 1.0)
    rounds: int = 4


@dataclass(frozen=True, eq=False)
class Odds:
    """Log odds (rows, columns) of top, outline and middle against their absence, on a map or on a cut of it that begins
    at the map's pixel ``origin``."""

    top: Float32
    edge: Float32
    middle: Float32
    scale: MapScale
    origin: tuple[int, int] = (0, 0)


@dataclass(frozen=True, eq=False)
class Laid:
    """A shape (its row in the list searched) at ``pose`` (x, y inches, facing radians), worth ``score``."""

    shape: int
    pose: Array
    score: float


def odds_of(
    top: Float32,
    edge: Float32,
    middle: Float32,
    scale: MapScale,
    config: ShapesConfig,
    origin: tuple[int, int] = (0, 0),
) -> Odds:
    """The net's shares, 0 to 1, converted to evidence, on a map or on a cut of it that begins at ``origin``."""

    def worth(share: Float32, how: tuple[float, float, float]) -> Float32:
        safe = np.clip(share, 1e-3, 1 - 1e-3)
        return float32(np.clip(np.log(safe / (1 - safe)) + how[0], how[1], how[2]))

    return Odds(worth(top, config.top), worth(edge, config.edge), worth(middle, config.middle), scale, origin)


def without(odds: Odds, outlines: Sequence[Array], config: ShapesConfig) -> Odds:
    """The odds where bases that are known (outlines (n, 2) in inches) leave no room for another's top or middle."""
    if not outlines:
        return odds
    top, middle = odds.top.copy(), odds.middle.copy()
    for ring in outlines:
        pixels = [np.round((odds.scale.pixel_from_table(ring) - odds.origin) * 16).astype(np.int32)]
        cv2.fillPoly(top, pixels, config.top[1], shift=4)
        cv2.fillPoly(middle, pixels, config.middle[1], shift=4)
    return Odds(top, odds.edge, middle, odds.scale, odds.origin)


def near(odds: Odds, x: float, y: float, reach_in: float) -> Odds:
    """The part of the odds within ``reach_in`` of a place."""
    column, row = odds.scale.pixel_from_table([[x, y]])[0] - odds.origin
    reach = reach_in * odds.scale.px_per_inch
    rows, columns = odds.top.shape
    x0, y0 = int(np.clip(column - reach, 0, columns - 2)), int(np.clip(row - reach, 0, rows - 2))
    cut = (slice(y0, max(y0 + 2, int(row + reach) + 1)), slice(x0, max(x0 + 2, int(column + reach) + 1)))
    origin = odds.origin[0] + x0, odds.origin[1] + y0
    return Odds(odds.top[cut], odds.edge[cut], odds.middle[cut], odds.scale, origin)


@lru_cache(maxsize=128)
def _points(shape: BaseShape) -> tuple[Array, Array, Array]:
    """Points (n, 2), right and ahead of a base's middle, that represent its top, its outline and its middle."""
    half = np.array([shape.width, shape.depth]) / 2
    if shape.is_smooth:
        rings = (np.arange(5) + 0.5) / 5
        turn = np.arange(16) * 2 * np.pi / 16
        around = np.column_stack([np.sin(turn), np.cos(turn)])
        # Rings of like area: the same number of points on each.
        disc = np.concatenate([np.sqrt(r) * around for r in rings]) * half
        line = np.arange(40) * 2 * np.pi / 40
        return disc, np.column_stack([np.sin(line), np.cos(line)]) * half, disc * HEART
    cells = (np.arange(9) + 0.5) / 9 * 2 - 1
    square = np.stack(np.meshgrid(cells, cells), axis=-1).reshape(-1, 2)
    few = (np.arange(6) + 0.5) / 6 * 2 - 1
    heart = np.stack(np.meshgrid(few, few), axis=-1).reshape(-1, 2)
    along = (np.arange(14) + 0.5) / 14 * 2 - 1
    one = np.ones(14)
    ring = np.concatenate([np.column_stack(p) for p in ((along, one), (one, along), (along, -one), (-one, along))])
    return square * half, ring * half, heart * half * HEART


@lru_cache(maxsize=128)
def _all_points(shape: BaseShape) -> Array:
    """The points of top, outline and middle, one after the other."""
    return np.concatenate(_points(shape))


@lru_cache(maxsize=128)
def _weights(shape: BaseShape, px_per_inch: float) -> tuple[float, Array, float]:
    """Square inches that a point of the top, each of the outline's points and one of the middle represent."""
    top, edge, middle = _points(shape)
    band = EDGE_PX / px_per_inch
    if shape.is_smooth:
        area = np.pi * shape.width * shape.depth / 4
        lines = np.linalg.norm(np.roll(edge, -1, axis=0) - np.roll(edge, 1, axis=0), axis=1) / 2 * band
    else:
        area = shape.width * shape.depth
        sides = np.array([shape.width, shape.depth, shape.width, shape.depth])
        lines = np.repeat(sides * band / (len(edge) / 4), len(edge) // 4)
    return area / len(top), lines, area * HEART**2 / len(middle)


def read(plane: Float32, odds: Odds, pose: Array, points: Array) -> Array:
    """A plane's values (n, k) at points (k, 2) of a shape at n poses (n, 3); ``odds`` has its scale and origin."""
    return _sampled(plane, _pixels(odds, pose, points))


def _pixels(odds: Odds, pose: Array, points: Array) -> Float32:
    """Positions (2, n, k) of points (k, 2), right and ahead of the middle, on a map at n poses: columns and rows."""
    scale, (x0, y0) = odds.scale, odds.origin
    # Turned, moved and converted to pixels by one product for each axis.
    local = np.ones((3, len(points)))
    local[:2] = points.T * scale.px_per_inch
    across, down = np.empty((2, len(pose), 3))
    across[:, 0], across[:, 1] = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    down[:, 0], down[:, 1] = across[:, 1], -across[:, 0]
    across[:, 2] = (pose[:, 0] + scale.margin_in) * scale.px_per_inch - 0.5 - x0
    down[:, 2] = (scale.depth_in + scale.margin_in - pose[:, 1]) * scale.px_per_inch - 0.5 - y0
    pixels = np.empty((2, len(pose), len(points)), np.float32)
    pixels[0], pixels[1] = across @ local, down @ local
    return pixels


def _sampled(plane: Float32, pixels: Float32) -> Array:
    return sample_bilinear(plane, pixels.reshape(2, -1).T).reshape(pixels.shape[1:])


def score(odds: Odds, shape: BaseShape, pose: Array) -> Array:
    """The evidence that a shape at each pose (n, 3) explains, in square inches of log odds (n,)."""
    top, edge, _ = _points(shape)
    a, lines, b = _weights(shape, odds.scale.px_per_inch)
    pixels = _pixels(odds, pose, _all_points(shape))
    line, heart = len(top), len(top) + len(edge)
    return np.asarray(
        a * _sampled(odds.top, pixels[:, :, :line]).sum(axis=1)
        + _sampled(odds.edge, pixels[:, :, line:heart]) @ lines
        + b * _sampled(odds.middle, pixels[:, :, heart:]).sum(axis=1)
    )


def outline_points(shape: BaseShape) -> tuple[Array, npt.NDArray[np.intp]]:
    """Points (n, 2), right and ahead, on a shape's outline, and the quarter of it (0 to 3) that each is in."""
    points = _points(shape)[1]
    return points, np.arange(len(points)) * 4 // len(points)


def most_worth(shape: BaseShape, px_per_inch: float, config: ShapesConfig) -> float:
    """The greatest possible worth of a shape."""
    top, _, middle = _points(shape)
    a, lines, b = _weights(shape, px_per_inch)
    return float(a * len(top) * config.top[2] + lines.sum() * config.edge[2] + b * len(middle) * config.middle[2])


def refine_poses(odds: Odds, shape: BaseShape, pose: Array, config: ShapesConfig) -> tuple[Array, Array]:
    """Poses (n, 3) moved to where they explain most nearby, and their scores (n,)."""
    pose = pose.copy()
    best = score(odds, shape, pose)
    for step, turn in zip(config.steps_in, config.turns_deg, strict=True):
        moves = np.array([[step, 0, 0], [-step, 0, 0], [0, step, 0], [0, -step, 0]])
        if not shape.is_round:
            moves = np.concatenate([moves, [[0, 0, np.radians(turn)], [0, 0, -np.radians(turn)]]])
        going = np.arange(len(pose))
        back = np.full(len(pose), -1)
        for _ in range(config.rounds):
            # The way back, to where it was worse, need not be tried.
            move, who = np.nonzero(np.arange(len(moves))[:, None] != back)
            value = np.full((len(moves), len(going)), -np.inf)
            value[move, who] = score(odds, shape, pose[going[who]] + moves[move])
            k = value.argmax(axis=0)
            most = value[k, np.arange(len(going))]
            better = most > best[going]
            # A pose that no move improves stays, and need not be tried again.
            going, k = going[better], k[better]
            if not len(going):
                break
            pose[going] += moves[k]
            best[going] = most[better]
            back = k ^ 1  # moves come in pairs, each beside its opposite
    return pose, best


Box = tuple[int, int, int, int, float]
"""Where something shows top, in map pixels (x0, y0, x1, y1), and how many square inches of it."""
Rough = list[tuple[float, float, float, float]]
"""Where a shape may be: (column, row, facing radians, score) each."""


def proposals(
    odds: Odds,
    shapes: tuple[BaseShape, ...],
    config: ShapesConfig,
    searched: dict[Box, tuple[Odds, list[Rough]]] | None = None,
) -> list[Laid]:
    """Everything that a base of these shapes may explain, moved to where it explains most; best first.

    ``searched``: results of an earlier search for the same shapes in its boxes, reused where the odds are unchanged;
    the results of this search are written into it.
    """
    searched = {} if searched is None else searched
    rough: list[Rough] = [[] for _ in shapes]
    smallest = min(s.width * s.depth for s in shapes)
    reach = 0.3 * max(float(np.hypot(s.width, s.depth)) for s in shapes) + 0.15
    for box in _places(odds, reach, config.least_place * smallest, config):
        x0, y0, x1, y1, area = box
        cut = (slice(y0, y1), slice(x0, x1))
        here = Odds(odds.top[cut], odds.edge[cut], odds.middle[cut], odds.scale)
        if box not in searched or not _alike(here, searched[box][0]):
            searched[box] = here, _in_place(here, shapes, 3 + round(config.per_in2 * area), config)
        for index, rows in enumerate(searched[box][1]):
            rough[index] += [(c + x0, r + y0, angle, value) for c, r, angle, value in rows]
    out: list[Laid] = []
    for index, (shape, rows) in enumerate(zip(shapes, rough, strict=True)):
        if not rows:
            continue
        raw = np.array(rows)
        pose = np.column_stack([odds.scale.table_from_pixel(raw[:, :2]), raw[:, 2]])
        pose, value = refine_poses(odds, shape, pose, config)
        for k in _apart(pose, value, shape, config):
            out.append(Laid(index, pose[k], float(value[k])))
    return sorted(out, key=lambda laid: -laid.score)


def _alike(a: Odds, b: Odds) -> bool:
    return all(np.array_equal(x, y) for x, y in ((a.top, b.top), (a.edge, b.edge), (a.middle, b.middle)))


def _apart(pose: Array, value: Array, shape: BaseShape, config: ShapesConfig) -> list[int]:
    """Rows that do not nearly coincide with a better one."""
    period = np.radians(shape.period_deg)
    kept: list[int] = []
    for k in np.argsort(-value):
        if kept:
            close = np.hypot(*(pose[kept, :2] - pose[k, :2]).T) < config.apart_in / 2
            turn = np.abs((pose[kept, 2] - pose[k, 2] + period / 2) % period - period / 2)
            if np.any(close & (shape.is_round | (turn < np.radians(config.apart_deg) / 2))):
                continue
        kept.append(int(k))
    return kept


def _places(odds: Odds, reach: float, least_in2: float, config: ShapesConfig) -> list[Box]:
    """Boxes round everything that shows top."""
    ppi = odds.scale.px_per_inch
    strong = (odds.top > config.gate).astype(np.uint8)
    join = max(3, round(0.25 * ppi) | 1)
    joined = cv2.dilate(strong, np.ones((join, join), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    support = np.bincount(labels.ravel(), weights=strong.ravel(), minlength=count)
    pad, rows, columns = round(reach * ppi), *odds.top.shape
    boxes = []
    for i in range(1, count):
        if support[i] < least_in2 * ppi**2:
            continue
        x, y, w, h = (int(v) for v in stats[i, :4])
        box = max(0, x - pad), max(0, y - pad), min(columns, x + w + pad), min(rows, y + h + pad)
        boxes.append((*box, float(support[i]) / ppi**2))
    return boxes


def _in_place(odds: Odds, shapes: tuple[BaseShape, ...], most: int, config: ShapesConfig) -> list[Rough]:
    """For each shape the ``most`` best places in one box, near doubles left out."""
    rows, columns = odds.top.shape
    ppi = odds.scale.px_per_inch
    raw: list[Rough] = [[] for _ in shapes]
    planes = np.dstack([odds.top, odds.edge, odds.middle])
    floor = (config.top[1], config.edge[1], config.middle[1])
    for facing in np.arange(0.0, 90.0, config.angle_step_deg) if any(not s.is_round for s in shapes) else ():
        c, s = np.cos(np.radians(facing)), np.sin(np.radians(facing))
        turn = np.array([[c, s, 0.0], [-s, c, 0.0]])
        across, down = int(np.ceil(columns * c + rows * s)) + 2, int(np.ceil(columns * s + rows * c)) + 2
        turn[:, 2] = [(across - 1) / 2, (down - 1) / 2] - turn[:, :2] @ [(columns - 1) / 2, (rows - 1) / 2]
        turned = float32(cv2.warpAffine(planes, turn, (across, down), flags=cv2.INTER_LINEAR, borderValue=floor))
        back = cv2.invertAffineTransform(turn)
        split = cv2.split(turned)
        for index, shape in enumerate(shapes):
            if shape.is_round:
                continue
            sizes = [(shape.width, shape.depth, facing)]
            if abs(shape.width - shape.depth) > 0.02:
                sizes.append((shape.depth, shape.width, facing + 90.0))
            least = config.least_share * most_worth(shape, ppi, config)
            for wide, deep, angle in sizes:
                value = _upright(split, wide * ppi, deep * ppi) / ppi**2
                for column, row, worth in _peaks(value, least, 2 + most // 2):
                    at = back @ [column, row, 1.0]
                    raw[index].append((float(at[0]), float(at[1]), float(np.radians(angle)), worth))
    for index, shape in enumerate(shapes):
        if shape.is_round:
            least = config.least_share * most_worth(shape, ppi, config)
            value = _round(planes, shape.width * ppi) / ppi**2
            raw[index] = [(float(c), float(r), 0.0, v) for c, r, v in _peaks(value, least, most)]
    return [_best(rows_of, shape, ppi, most, config) for rows_of, shape in zip(raw, shapes, strict=True)]


def _best(raw: Rough, shape: BaseShape, ppi: float, most: int, config: ShapesConfig) -> Rough:
    if not raw:
        return raw
    rows = np.array(raw)
    period = np.radians(shape.period_deg)
    kept: list[int] = []
    for k in np.argsort(-rows[:, 3]):
        if kept:
            close = np.hypot(*(rows[kept, :2] - rows[k, :2]).T) < config.apart_in * ppi
            turn = np.abs((rows[kept, 2] - rows[k, 2] + period / 2) % period - period / 2)
            if np.any(close & (shape.is_round | (turn < np.radians(config.apart_deg)))):
                continue
        kept.append(int(k))
        if len(kept) >= most:
            break
    return [raw[k] for k in kept]


def _upright(planes: Sequence[npt.ArrayLike], wide: float, deep: float) -> Float32:
    """Sums of odds (pixels) that an upright rectangle explains, for each centre; ``planes``: top, outline, middle."""
    top, edge, middle = (float32(plane) for plane in planes)
    total = _box(top, wide, deep)
    total += _box(middle, wide * HEART, deep * HEART)
    w, d = max(1, round(wide)), max(1, round(deep))
    half_w, half_d = round(wide / 2), round(deep / 2)
    level = cv2.blur(edge, (w, 1), borderType=cv2.BORDER_REPLICATE) * np.float32(EDGE_PX * wide)
    plumb = cv2.blur(edge, (1, d), borderType=cv2.BORDER_REPLICATE) * np.float32(EDGE_PX * deep)
    rows, columns = edge.shape
    level = float32(cv2.copyMakeBorder(level, half_d, half_d, 0, 0, cv2.BORDER_REPLICATE))
    plumb = float32(cv2.copyMakeBorder(plumb, 0, 0, half_w, half_w, cv2.BORDER_REPLICATE))
    for part in (level[:rows], level[2 * half_d :], plumb[:, :columns], plumb[:, 2 * half_w :]):
        total += part
    return total


def _box(plane: Float32, wide: float, deep: float) -> Float32:
    w, d = max(1, round(wide)), max(1, round(deep))
    out = float32(cv2.blur(plane, (w, d), borderType=cv2.BORDER_REPLICATE))
    out *= np.float32(wide * deep)
    return out


def _round(planes: Float32, wide: float) -> Float32:
    """Sums of odds (pixels) that a circle explains, for each centre."""
    size = int(np.ceil(wide / 2)) * 2 + 5
    axis = np.arange(size) - (size - 1) / 2
    away = np.hypot(axis[:, None], axis)

    def disc(radius: float) -> Float32:
        return float32(np.clip(radius + 0.5 - away, 0, 1))

    kernels = (disc(wide / 2), disc(wide / 2 + EDGE_PX / 2) - disc(wide / 2 - EDGE_PX / 2), disc(wide / 2 * HEART))
    out = [
        cv2.filter2D(np.ascontiguousarray(planes[..., k]), cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
        for k, kernel in enumerate(kernels)
    ]
    return float32(out[0] + out[1] + out[2])


def _peaks(value: Float32, least: float, most: int) -> list[tuple[int, int, float]]:
    """Local maxima (column, row, value) above ``least``, best first."""
    if value.max() <= least:
        return []
    top = (value >= cv2.dilate(value, np.ones((5, 5), np.uint8))) & (value > least)
    rows, columns = np.nonzero(top)
    found: npt.NDArray[np.float32] = value[rows, columns]
    return [(int(columns[i]), int(rows[i]), float(found[i])) for i in np.argsort(-found)[:most]]
