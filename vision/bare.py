"""Bases without painted rims, as the ``bases`` net shows them: fitted one by one where no other base was found.

The net says of every place of the map how surely it belongs to a base's top, to its outline, to its middle. A known
shape is laid over that where its outline runs on outline and its inside on top, moved until it fits best. Which side a
bare base belongs to, no rim tells: it stays open unless its shape is one side's alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from vision.expected import BaseShape, Expected
from vision.ground import leaning, photographed
from vision.nets import BASES_PPI, net, plan_input
from vision.outline import OutlineFit
from vision.pick import Found
from vision.rectify import MapScale, rectified_map
from vision.rims import Array, Float32, Image, float32
from vision.search import Candidate, SearchConfig, find_candidates


@dataclass(frozen=True)
class BareConfig:
    """``map_ppi``: pixels per inch that the net is shown, fewer where the map would pass ``map_megapixels``;
    ``margin_in``: how far the map reaches past the table; ``least_score``: a fit below is no base,
    ``painted_score`` the same on a table of painted rims; ``least_top``: share of top that its inside must show;
    ``least_coverage``: share of its outline that must lie on outline; ``overlap``: share of a base that may lie
    under another; ``steps_in``, ``turns_deg``: moves tried, coarse to fine; ``beside_in``: how far inside and
    outside of an outline the top is asked for; ``sigma_in``, ``sigma_deg``: spread of a fit that shows its whole
    outline; ``unsure``: by how much more, as a share, for one that shows none; what lacks of ``sound_coverage`` adds
    ``doubtful_in`` times as much (it may be another shape, or half of one)."""

    map_ppi: float = BASES_PPI
    map_megapixels: float = 0.55
    margin_in: float = 0.5
    least_score: float = 0.42
    painted_score: float = 0.95
    least_top: float = 0.5
    least_coverage: float = 0.45
    overlap: float = 0.15
    steps_in: tuple[float, ...] = (0.08, 0.04, 0.02)
    turns_deg: tuple[float, ...] = (4.0, 2.0, 1.0)
    rounds: int = 3
    beside_in: float = 0.12
    sigma_in: float = 0.035
    sigma_deg: float = 1.5
    unsure: float = 5.0
    sound_coverage: float = 0.85
    doubtful_in: float = 0.8
    search: SearchConfig = field(default_factory=SearchConfig)


@dataclass(frozen=True, eq=False)
class BaseMaps:
    """The net's shares (rows, columns), 0 to 1: tops of bases, their outlines, their middles; the plane is at height
    ``z`` inches."""

    top: Float32
    edge: Float32
    middle: Float32
    scale: MapScale
    z: float


def base_maps(image: Image, view: TableView, expected: Expected, config: BareConfig | None = None) -> BaseMaps:
    """What the net shows of the whole table; ``image`` is the upright BGR photo of ``view``."""
    config = config or BareConfig()
    margin, size = config.margin_in, (expected.width, expected.depth)
    area = (size[0] + 2 * margin) * (size[1] + 2 * margin)
    ppi = min(config.map_ppi, float(np.sqrt(config.map_megapixels * 1e6 / area)))
    z = float(np.median([u.shape.height for u in expected.units])) if expected.units else 0.0
    scale = MapScale(*size, px_per_inch=ppi, margin_in=margin)
    plan = rectified_map(image, view, size, px_per_inch=ppi, z=z, margin_in=margin)
    shown = photographed(view, scale, z)
    share = net("bases")(plan_input(plan, leaning(view, scale), shown))
    top, edge, middle = (np.ascontiguousarray(plane * shown) for plane in share)
    return BaseMaps(top, edge, middle, scale, z)


def find_bare(
    maps: BaseMaps,
    expected: Expected,
    known: list[Found],
    config: BareConfig | None = None,
    *,
    painted: bool = False,
) -> list[Found]:
    """Bases that ``known`` ones do not cover, at most as many of each shape as the roster still lacks, best first.

    ``painted``: every side's rims are painted and were looked for, so that what is left must show itself more clearly.
    Their ``side`` is "" where more than one side has that shape; their surface is taken to be the table (z = 0).
    """
    config = config or BareConfig()
    wanted = _wanted(expected, known)
    shapes = tuple(wanted)
    if not shapes:
        return []
    edge = maps.edge.copy()
    for base in known:
        _wipe(edge, base, maps.scale)
    candidates = find_candidates(edge, maps.scale, shapes, config.search)
    fits = [f for f in _fitted(maps, edge, shapes, candidates, config) if f is not None]
    areas = [b.footprint for b in known]
    out: list[Found] = []
    left = dict(wanted)
    least = config.painted_score if painted else config.least_score
    for found, score in sorted(fits, key=lambda f: -f[1]):
        if score < least or left[found.shape] <= 0 or not _on_table(found, expected):
            continue
        area = found.footprint
        if areas and np.max(shapely.area(shapely.intersection(area, np.array(areas)))) > config.overlap * area.area:
            continue
        left[found.shape] -= 1
        areas.append(area)
        sides = {u.side for u in expected.units if found.shape in (u.shape, u.unique_shape)}
        out.append(Found(found.fit, found.shape, sides.pop() if len(sides) == 1 else ""))
    return out


def _wanted(expected: Expected, known: list[Found]) -> dict[BaseShape, int]:
    """How many bases of each shape the roster has beyond the known ones."""
    count: dict[BaseShape, int] = {}
    for unit in expected.units:
        count[unit.unique_shape] = count.get(unit.unique_shape, 0) + 1
        count[unit.shape] = count.get(unit.shape, 0) + unit.bases - 1
    for base in known:
        count[base.shape] = count.get(base.shape, 0) - 1
    return {shape: n for shape, n in count.items() if n > 0}


def _wipe(edge: Float32, base: Found, scale: MapScale) -> None:
    """Take a known base's own outline out of the map."""
    ring = np.asarray(base.footprint.buffer(-0.1).exterior.coords)
    cv2.fillPoly(edge, [np.round(scale.pixel_from_table(ring) * 16).astype(np.int32)], 0.0, shift=4)


def _on_table(found: Found, expected: Expected) -> bool:
    return 0 <= found.fit.x <= expected.width and 0 <= found.fit.y <= expected.depth


def _fitted(
    maps: BaseMaps, edge: Float32, shapes: tuple[BaseShape, ...], candidates: list[Candidate], config: BareConfig
) -> list[tuple[Found, float] | None]:
    """Every candidate moved to where it fits best, and its score; nothing for those that are no base."""
    soft = float32(cv2.GaussianBlur(edge, (0, 0), 0.04 * maps.scale.px_per_inch + 0.3))
    out: list[tuple[Found, float] | None] = []
    for index, shape in enumerate(shapes):
        rows = [c for c in candidates if c.shape == index]
        if not rows:
            continue
        pose = np.array([[c.x, c.y, np.radians(c.facing)] for c in rows])
        best = _score(maps, soft, shape, pose, config)
        for step, turn in zip(config.steps_in, config.turns_deg, strict=True):
            moves = np.array(
                [[step, 0, 0], [-step, 0, 0], [0, step, 0], [0, -step, 0], [step, step, 0], [-step, -step, 0]]
                + ([] if shape.is_round else [[0, 0, np.radians(turn)], [0, 0, -np.radians(turn)]])
            )
            going = np.arange(len(pose))
            for _ in range(config.rounds):
                at = pose[going]
                tried = np.stack([_score(maps, soft, shape, at + move, config) for move in moves])
                k = tried.argmax(axis=0)
                most = tried[k, np.arange(len(going))]
                better = most > best[going]
                # what no move betters stays where it is, and need not be tried again
                going = going[better]
                pose[going] += moves[k[better]]
                best[going] = most[better]
                if not len(going):
                    break
        inside, cover, sides = _support(maps, soft, shape, pose)
        for row in range(len(rows)):
            good = best[row] >= config.least_score and inside[row] >= config.least_top
            if good and cover[row] >= config.least_coverage:
                out.append(
                    (Found(_as_fit(shape, pose[row], cover[row], sides[row], config), shape, ""), float(best[row]))
                )
    return out


def _as_fit(shape: BaseShape, pose: Array, cover: float, sides: Array, config: BareConfig) -> OutlineFit:
    worse = 1.0 + config.unsure * (1.0 - float(cover))
    place = config.sigma_in * worse + config.doubtful_in * max(0.0, config.sound_coverage - float(cover))
    turn = np.radians(config.sigma_deg * worse)
    four = (float(sides[0]), float(sides[1]), float(sides[2]), float(sides[3]))
    covariance = np.diag([place**2, place**2, turn**2])
    facing = float(np.degrees(pose[2]) % 360.0)
    return OutlineFit(float(pose[0]), float(pose[1]), facing, 0.0, covariance, four, float(cover), 0.0, 0.0, 0)


@lru_cache(maxsize=256)
def _ring(shape: BaseShape, grow: float, count: int = 14) -> tuple[Array, npt.NDArray[np.intp]]:
    """Points (n, 2), right and ahead, on the outline grown by ``grow`` inches, and the side (0 to 3) of each."""
    if shape.is_round:
        turn = np.arange(4 * count) * 2 * np.pi / (4 * count)
        radius = max(0.05, shape.width / 2 + grow)
        return radius * np.column_stack([np.sin(turn), np.cos(turn)]), (np.arange(4 * count) * 4 // (4 * count))
    w, d = max(0.05, shape.width / 2 + grow), max(0.05, shape.depth / 2 + grow)
    along = np.linspace(-0.92, 0.92, count)
    one = np.ones(count)
    points = np.concatenate(
        [
            np.column_stack(p)
            for p in ((along * w, d * one), (w * one, -along * d), (-along * w, -d * one), (-w * one, along * d))
        ]
    )
    return points, np.repeat(np.arange(4), count)


def _read(plane: Float32, scale: MapScale, pose: Array, points: Array) -> Array:
    """The plane's values (n, k) at points (k, 2) of a shape at n poses."""
    c, s = np.cos(pose[:, 2])[:, None], np.sin(pose[:, 2])[:, None]
    x = pose[:, :1] + points[None, :, 0] * c + points[None, :, 1] * s
    y = pose[:, 1:2] - points[None, :, 0] * s + points[None, :, 1] * c
    read = cv2.remap(
        plane,
        float32((x + scale.margin_in) * scale.px_per_inch - 0.5),
        float32((scale.depth_in + scale.margin_in - y) * scale.px_per_inch - 0.5),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
    )
    return np.asarray(read, dtype=np.float64)


def _score(maps: BaseMaps, edge: Float32, shape: BaseShape, pose: Array, config: BareConfig) -> Array:
    """How well outlines (n,) lie: on outline all round, top within, less of it without, no outline within."""
    half = min(shape.width, shape.depth) / 2
    ring, count = _ring(shape, 0.0)[0], len(_ring(shape, 0.0)[0])
    line = _read(edge, maps.scale, pose, np.concatenate([ring, *(_ring(shape, -half * k)[0] for k in (0.45, 0.7))]))
    sides = np.concatenate([_ring(shape, grow)[0] for grow in (-config.beside_in, config.beside_in)])
    top = _read(maps.top, maps.scale, pose, sides)
    on, core = line[:, :count].mean(axis=1), line[:, count:].mean(axis=1)
    within, without = top[:, :count].mean(axis=1), top[:, count:].mean(axis=1)
    return np.asarray(on + 0.35 * (within - 0.5 * without) - 0.8 * core)


def _support(maps: BaseMaps, edge: Float32, shape: BaseShape, pose: Array) -> tuple[Array, Array, Array]:
    """Share of top within (n,), share of the outline that is seen (n,) and of each of its sides (n, 4)."""
    half = min(shape.width, shape.depth) / 2
    inside = _read(maps.top, maps.scale, pose, np.concatenate([_ring(shape, -half * k)[0] for k in (0.25, 0.6)]))
    points, side = _ring(shape, 0.0)
    seen = _read(edge, maps.scale, pose, points) > 0.25
    sides = np.stack([seen[:, side == k].mean(axis=1) for k in range(4)], axis=1)
    return inside.mean(axis=1), seen.mean(axis=1), sides


__all__ = ["BareConfig", "BaseMaps", "base_maps", "find_bare"]
