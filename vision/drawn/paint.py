"""Painting a planned table into layers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import shapely

from vision.drawn import clutter, figures, houses, mats, trees
from vision.drawn.covers import paint_field, paint_marsh, paint_town, paint_woods
from vision.drawn.hills import HillStyle, raise_hill, random_hill
from vision.drawn.layers import KINDS, Array, Layers, Thing, Window
from vision.drawn.look import Light
from vision.drawn.mats import Mat
from vision.drawn.plan import Piece, PlannedBase, PlannedThing, PlannedUnit, TablePlan
from vision.drawn.ways import paint_river, paint_road

_NEAR_IN = 3.0  # things this far outside a window may still lean or cast their shadow into it
_AREAS = {"woods": paint_woods, "town": paint_town, "field": paint_field, "marsh": paint_marsh}
_CREWS: dict[str, figures.Kind] = {"infantry": "infantry", "tank": "tank", "atg": "gun", "mortar": "mortar"}


@dataclass(frozen=True, eq=False)
class BaseTop:
    """Where a painted base is: its number in ``Layers.base``, its unit and plan, the height of the ground under it,
    and the corners (n, 3) of its top in table inches."""

    number: int
    unit: PlannedUnit
    base: PlannedBase
    z: float
    top: Array


def random_light(rng: np.random.Generator) -> Light:
    """A room's lamps or a window, at random."""
    azimuth, height = float(rng.uniform(0, 2 * np.pi)), float(np.radians(rng.uniform(25, 85)))
    strength, warm = float(rng.uniform(0.3, 1.6)), float(rng.normal(0, 0.08))
    return Light(
        (float(np.cos(azimuth) * np.cos(height)), float(np.sin(azimuth) * np.cos(height)), float(np.sin(height))),
        float(rng.choice([0.0, 0.15, 0.4, 0.7])),
        (strength * float(np.exp(-warm)), strength, strength * float(np.exp(warm))),
        (1.0, 0.95, 0.9),
    )


def paint(plan: TablePlan, window: Window, seed: int) -> tuple[Layers, list[BaseTop]]:
    """The layers of a window of the table, and the bases that stand in or near it.

    The same plan, window and seed paint the same picture.
    """
    layers = Layers.empty(window)
    rng = np.random.default_rng(seed)
    size = (plan.width, plan.depth)
    mat = mats.random_mat(np.random.default_rng(plan.mat_seed))
    mats.paint_mat(mat, layers, rng, size)
    near = shapely.box(window.x0, window.y0, window.x0 + window.width, window.y0 + window.depth).buffer(_NEAR_IN)
    pieces = [p for p in plan.pieces if p.shape.intersects(near)]
    for piece in pieces:
        _ground(layers, piece, mat)
    mats.paint_outside(layers, np.random.default_rng(plan.mat_seed + 3), size)
    x, y = window.places()
    layers.kinds &= (x >= 0) & (x <= size[0]) & (y >= 0) & (y <= size[1])
    for piece in pieces:
        _stands(layers, piece, plan)
    tops = _units(layers, plan, near, mat)
    for thing in plan.things:
        if near.contains(shapely.Point(thing.x, thing.y)):
            layers.put(_thing(window.ppi, thing), thing.x, thing.y)
    if plan.frame:
        _frame(layers, plan, near)
    return layers, tops


def _thing(ppi: float, planned: PlannedThing) -> Thing:
    """A die, cotton, a ruler or other clutter."""
    rng = np.random.default_rng(planned.seed)
    if planned.what == "die":
        size = float(rng.choice([0.32, 0.47, 0.55, 0.63]))
        return clutter.die(rng, ppi, size, planned.value, planned.turn_rad)
    if planned.what == "cotton":
        return clutter.cotton(rng, ppi, float(rng.uniform(0.6, 1.3)), float(rng.uniform(0.4, 0.8)))
    if planned.what == "ruler":
        return clutter.ruler(rng, ppi, float(rng.choice([6.0, 12.0, 18.0])), 0.8, planned.turn_rad)
    return clutter.random_clutter(rng, ppi)


def _ground(layers: Layers, piece: Piece, mat: Mat) -> None:
    """A piece's ground; what passes the mat's edge is trimmed afterwards."""
    rng = np.random.default_rng(piece.seed)
    if piece.kind in _AREAS:
        _AREAS[piece.kind](layers, piece.outline, rng, mat)
    elif piece.kind == "hill":
        raise_hill(layers, piece.outline, rng, mat, hill_of(piece))
    elif piece.kind in ("road", "river"):
        assert piece.way is not None
        (paint_road if piece.kind == "road" else paint_river)(layers, piece.way, piece.width, rng, mat)
    elif piece.kind == "bridge":
        assert piece.stands is not None
        middle = piece.outline.mean(axis=0)
        length = float(piece.stands[0, 0])
        deck = houses.bridge(rng, layers.window.ppi, length, piece.width, piece.height, piece.turn_rad - np.pi / 2)
        layers.put(deck, float(middle[0]), float(middle[1]), 0.0)
        _mark(layers, "bridge", piece.outline)


def hill_of(piece: Piece) -> HillStyle:
    """How a planned hill is made; the same every time."""
    return random_hill(np.random.default_rng(piece.seed + 1), piece.outline)


def _mark(layers: Layers, kind: str, outline: Array) -> None:
    mask = np.zeros(layers.window.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(layers.window.pixels(outline) * 16).astype(np.int32)], 1, shift=4)
    layers.kinds[KINDS.index(kind)] |= mask > 0


def _stands(layers: Layers, piece: Piece, plan: TablePlan) -> None:
    """A wood's trees, a town's houses: those that do not stand where a base does."""
    if piece.stands is None or piece.kind not in ("woods", "town"):
        return
    bases = [b for u in plan.units for b in u.bases]
    centers = np.array([[b.x, b.y] for b in bases]).reshape(-1, 2)
    reach = np.array([np.hypot(b.width, b.depth) / 2 for b in bases]) + (0.15 if piece.kind == "woods" else 1.0)
    rng = np.random.default_rng(piece.seed + 2)
    ppi = layers.window.ppi
    models = [int(s) for s in rng.integers(2**31, size=int(rng.integers(1, 5)))]
    for x, y in piece.stands:
        if np.any(np.hypot(centers[:, 0] - x, centers[:, 1] - y) < reach):
            continue
        own = np.random.default_rng(models[int(rng.integers(len(models)))])
        if piece.kind == "woods":
            thing = trees.random_scatter(rng, ppi) if rng.random() < 0.1 else trees.random_tree(own, ppi)
        else:
            thing = houses.random_house(own, ppi)
        layers.put(thing, float(x), float(y))


def _units(layers: Layers, plan: TablePlan, near: shapely.Geometry, mat: Mat) -> list[BaseTop]:
    """Both sides' bases, each side dressed alike."""
    window, rims = layers.window, dict(plan.rims)
    tops: list[BaseTop] = []
    style = np.random.default_rng(plan.mat_seed + 5)
    looks = {}
    for side in ("blue", "red"):
        ground = (mat.ground, mat.second, None)[int(style.integers(3))]
        any_cover = str(style.choice(["grass", "sand", "earth", "mixed", "plain"]))
        looks[side] = (
            figures.dress(style),
            ground,
            any_cover,
            int(style.integers(2**31)),
            float(style.uniform(0.03, 0.11)),
        )
    for unit in plan.units:
        colors, ground, cover, edge_seed, rim_width = looks[unit.side]
        rng = np.random.default_rng(unit.seed)
        for base in unit.bases:
            if not near.contains(shapely.Point(base.x, base.y)):
                continue
            z = height_at(layers, base.x, base.y)
            middle = window.pixels([[base.x, base.y]])[0]
            kept = np.random.default_rng(edge_seed)
            edge = figures.pick(kept, figures.EDGES) if kept.random() < 0.6 else None
            drawn = figures.base(
                rng,
                window.ppi,
                "round" if base.is_round else "rect",
                base.width,
                base.depth,
                base.thickness,
                -float(np.radians(base.facing)),
                _CREWS[unit.kind] if rng.random() < 0.93 else "none",
                rims.get(unit.side),
                base.tag,
                plan.tag_size,
                unit.tag_offset,
                rim_width=rim_width,
                dictionary=cv2.aruco.DICT_4X4_100,
                cover=cover,  # type: ignore[arg-type]
                cover_color=None if ground is None else np.asarray(ground, np.float32),
                edge_color=edge,
                colors=colors,
                middle_px=(float(middle[0]), float(middle[1])),
            )
            layers.levels.append(z + base.thickness)
            drawn.stand(layers, base.x, base.y, len(tops) + 1, z)
            top = np.column_stack([outline_of(base), np.full(24 if base.is_round else 4, z + base.thickness)])
            tops.append(BaseTop(len(tops) + 1, unit, base, z, top))
    return tops


def height_at(layers: Layers, x: float, y: float) -> float:
    """Height of the ground (or of a bridge's deck) at a table place; at the window's edge for one outside."""
    column, row = np.rint(layers.window.pixels([[x, y]])[0]).astype(int)
    rows, columns = layers.window.shape
    return float(layers.ground_z[min(rows - 1, max(0, row)), min(columns - 1, max(0, column))])


def outline_of(base: PlannedBase) -> Array:
    """A base's outline on the table: front left, front right, rear right, rear left; 24 points round a round one."""
    angle = np.radians(base.facing)
    ahead, right = np.array([np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), -np.sin(angle)])
    if base.is_round:
        turn = np.arange(24) * 2 * np.pi / 24
        local = base.width / 2 * np.column_stack([np.sin(turn), np.cos(turn)])
    else:
        local = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * [base.width / 2, base.depth / 2]
    return np.array([base.x, base.y]) + local[:, :1] * right + local[:, 1:] * ahead


def frame_places(plan: TablePlan) -> list[tuple[int, float, float]]:
    """Number and centre of each frame marker: the corners, and the long sides' middles of long tables."""
    half = plan.marker_size / 2
    xs = [half, plan.width - half]
    if plan.width >= 60:
        xs.insert(1, plan.width / 2)
    return [(k, x, y) for k, (x, y) in enumerate((x, y) for y in (half, plan.depth - half) for x in xs)]


def _frame(layers: Layers, plan: TablePlan, near: shapely.Geometry) -> None:
    """The frame markers, sheets of paper with a black square of bits."""
    window = layers.window
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    rng = np.random.default_rng(plan.mat_seed + 9)
    white, black = np.float32(rng.uniform(0.7, 0.9)), np.float32(rng.uniform(0.02, 0.06))
    for number, x, y in frame_places(plan):
        if not near.contains(shapely.Point(x, y)):
            continue
        bits = cv2.aruco.generateImageMarker(dictionary, number, 8, borderBits=1) > 0
        px, py = window.places()
        cells = 8.0 / plan.marker_size
        u, v = (px - np.float32(x)) * cells + 4, 4 - (py - np.float32(y)) * cells
        paper = (u > -0.9) & (u < 8.9) & (v > -0.9) & (v < 8.9)
        rows, columns = np.nonzero(paper)
        cell_u, cell_v = np.floor(u[rows, columns]).astype(int), np.floor(v[rows, columns]).astype(int)
        printed = (cell_u >= 0) & (cell_u < 8) & (cell_v >= 0) & (cell_v < 8)
        light = np.where(printed, bits[np.clip(cell_v, 0, 7), np.clip(cell_u, 0, 7)], True)
        layers.ground[rows, columns] = np.where(light, white, black)[:, None]
        layers.gloss[rows, columns] = 0.0
