"""Painting a planned table into layers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from synthetic import clutter, dice, figures, houses, mats, trees
from synthetic.boards import paint_board
from synthetic.covers import paint_field, paint_marsh, paint_town, paint_woods
from synthetic.hex_boards import paint_hexes
from synthetic.hills import HillStyle, raise_hill, random_hill
from synthetic.layers import KINDS, Array, Layers, Thing, Window
from synthetic.look import Light
from synthetic.mats import Mat
from synthetic.planned import HAND_IN, Piece, PlannedBase, PlannedThing, PlannedUnit, TablePlan, frame_places
from synthetic.ways import paint_river, paint_road

_NEAR_IN = 3.0  # things this far outside a window may still lean or cast their shadow into it
_AREAS = {"woods": paint_woods, "town": paint_town, "field": paint_field, "marsh": paint_marsh}
_FINE = 4  # samples per pixel and side of frame markers
_QUIET_CELLS = 0.9  # of white paper round a frame marker
_DICE_IN = (0.32, 0.47, 0.55, 0.63)
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
    """The layers of a window of the table, and the bases in or near it.

    The same plan, window and seed paint the same picture.
    """
    layers = Layers.empty(window)
    rng = np.random.default_rng(seed)
    size = (plan.width, plan.depth)
    mat = mats.random_mat(np.random.default_rng(plan.mat_seed))
    mats.paint_mat(mat, layers, rng, size)
    if plan.board is not None:
        paint_board(layers, plan.board, np.random.default_rng(plan.mat_seed + 7))
    if plan.hexes is not None:
        paint_hexes(layers, plan.hexes, np.random.default_rng(plan.mat_seed + 7))
    near = shapely.box(window.x0, window.y0, window.x0 + window.width, window.y0 + window.depth).buffer(_NEAR_IN)
    pieces = [p for p in plan.pieces if p.shape.intersects(near)]
    for piece in pieces:
        _ground(layers, piece, mat)
    mats.paint_outside(layers, np.random.default_rng(plan.mat_seed + 3), size)
    x, y = window.places()
    layers.kinds &= (x >= 0) & (x <= size[0]) & (y >= 0) & (y <= size[1])
    if plan.frame:
        _frame(layers, plan, near)
    bases = _bases_mask(window, plan)
    for piece in pieces:
        _stands(layers, piece, plan, bases)
    tops = _units(layers, plan, near, mat)
    for thing in plan.things:
        if near.contains(shapely.Point(thing.x, thing.y)):
            if thing.what == "die":
                layers.levels.append(height_at(layers, thing.x, thing.y) + die_size(thing))
            on = 0.0 if thing.what == "hand" else None
            layers.put(_thing(window.ppi, thing), thing.x, thing.y, on)
    return layers, tops


def die_size(planned: PlannedThing) -> float:
    """How large a planned die is, in inches."""
    return float(np.random.default_rng(planned.seed).choice(_DICE_IN))


def fits(planned: PlannedThing, window: Window) -> bool:
    """Whether a window holds the whole thing."""
    rows, columns = _thing(4.0, planned).high.shape
    half_x, half_y = columns / 8, rows / 8
    across = window.x0 <= planned.x - half_x and planned.x + half_x <= window.x0 + window.width
    return across and window.y0 <= planned.y - half_y and planned.y + half_y <= window.y0 + window.depth


def _thing(ppi: float, planned: PlannedThing) -> Thing:
    """A die, cotton, a ruler or other clutter."""
    rng = np.random.default_rng(planned.seed)
    if planned.what == "die":
        if planned.make is None:
            return dice.die(rng, ppi, die_size(planned), planned.value, planned.turn_rad)
        make = dice.marbled(np.random.default_rng(planned.make), planned.symbol)
        return dice.die(rng, ppi, die_size(planned), planned.value, planned.turn_rad, make=make)
    if planned.what == "print":
        return dice.printed(rng, ppi, planned.turn_rad)
    if planned.what == "hand":
        return clutter.hand(rng, ppi, HAND_IN, float(rng.uniform(1.5, 3.0)), planned.turn_rad)
    if planned.what == "cotton":
        return clutter.cotton(rng, ppi, float(rng.uniform(0.6, 1.3)), float(rng.uniform(0.4, 0.8)))
    if planned.what == "ruler":
        return clutter.ruler(rng, ppi, float(rng.choice([6.0, 12.0, 18.0])), 0.8, planned.turn_rad)
    return clutter.random_clutter(rng, ppi)


def _ground(layers: Layers, piece: Piece, mat: Mat) -> None:
    """A piece's ground; parts beyond the mat's edge are trimmed afterwards."""
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


def _bases_mask(window: Window, plan: TablePlan) -> npt.NDArray[np.uint8]:
    """The pixels of bases and a tenth of an inch round them (r, c)."""
    mask = np.zeros(window.shape, np.uint8)
    for unit in plan.units:
        for base in unit.bases:
            outline = [np.round(window.pixels(outline_of(base)) * 16).astype(np.int32)]
            cv2.fillPoly(mask, outline, 1, shift=4)
            cv2.polylines(mask, outline, True, 1, thickness=max(1, round(0.2 * window.ppi)), shift=4)
    return mask


def _stands(layers: Layers, piece: Piece, plan: TablePlan, bases: npt.NDArray[np.uint8]) -> None:
    """A wood's trees, a town's houses: those with a foot clear of all bases and frame markers."""
    if piece.stands is None or piece.kind not in ("woods", "town"):
        return
    centers = np.array([[b.x, b.y] for u in plan.units for b in u.bases]).reshape(-1, 2)
    reach = np.array([np.hypot(b.width, b.depth) / 2 for u in plan.units for b in u.bases]) + 0.15
    rng = np.random.default_rng(piece.seed + 2)
    ppi = layers.window.ppi
    models = [int(s) for s in rng.integers(2**31, size=int(rng.integers(1, 5)))]
    for x, y in piece.stands:
        own = np.random.default_rng(models[int(rng.integers(len(models)))])
        scattered = piece.kind == "woods" and rng.random() < 0.1
        if np.any(np.hypot(centers[:, 0] - x, centers[:, 1] - y) < reach):
            continue
        if piece.kind == "town":
            thing = houses.random_house(own, ppi)
        else:
            thing = trees.random_scatter(own, ppi) if scattered else trees.random_tree(own, ppi)
        if piece.kind == "woods" or _stands_free(layers.window, thing, float(x), float(y), bases):
            layers.put(thing, float(x), float(y))


def _stands_free(window: Window, thing: Thing, x: float, y: float, taken: npt.NDArray[np.uint8]) -> bool:
    """Whether a thing at a place covers only free ground."""
    (column, row), (h, w) = window.pixels([[x, y]])[0], thing.high.shape
    left, upper = round(column - (w - 1) / 2), round(row - (h - 1) / 2)
    a, b = max(0, upper), min(taken.shape[0], upper + h)
    c, d = max(0, left), min(taken.shape[1], left + w)
    if a >= b or c >= d:
        return True
    there = (slice(a - upper, b - upper), slice(c - left, d - left))
    return not np.any(taken[a:b, c:d] & (thing.high[there] > 0))


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
                base.shape,
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
            outline = outline_of(base)
            top = np.column_stack([outline, np.full(len(outline), z + base.thickness)])
            tops.append(BaseTop(len(tops) + 1, unit, base, z, top))
    return tops


def height_at(layers: Layers, x: float, y: float) -> float:
    """Height of the ground (or of a bridge's deck) at a table place; at the window's edge for one outside."""
    column, row = np.rint(layers.window.pixels([[x, y]])[0]).astype(int)
    rows, columns = layers.window.shape
    return float(layers.ground_z[min(rows - 1, max(0, row)), min(columns - 1, max(0, column))])


def outline_of(base: PlannedBase) -> Array:
    """A base's outline on the table: front left, front right, rear right, rear left; else 24 points around."""
    angle = np.radians(base.facing)
    ahead, right = np.array([np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), -np.sin(angle)])
    if base.shape == "rect":
        local = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    else:
        turn = np.arange(24) * 2 * np.pi / 24
        local = np.column_stack([np.sin(turn), np.cos(turn)])
    local = local * [base.width / 2, base.depth / 2]
    return np.array([base.x, base.y]) + local[:, :1] * right + local[:, 1:] * ahead


def _frame(layers: Layers, plan: TablePlan, near: shapely.Geometry) -> None:
    """The frame markers, flat sheets of paper on the table with a black square of bits."""
    window = layers.window
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    rng = np.random.default_rng(plan.mat_seed + 9)
    white, black = np.float32(rng.uniform(0.7, 0.9)), np.float32(rng.uniform(0.02, 0.06))
    rows, columns = window.shape
    cells = 8.0 / plan.marker_size
    reach = (4 + _QUIET_CELLS) / cells
    for number, x, y in frame_places(plan):
        if not near.contains(shapely.Point(x, y)):
            continue
        bits = cv2.aruco.generateImageMarker(dictionary, number, 8, borderBits=1) > 0
        low, high = window.pixels([[x - reach, y + reach], [x + reach, y - reach]])
        a, b = max(0, int(low[1])), min(rows, int(high[1]) + 2)
        c, d = max(0, int(low[0])), min(columns, int(high[0]) + 2)
        if a >= b or c >= d:
            continue
        # Each pixel is averaged over a grid of finer ones, so that edges are as exact as on the table.
        fine = (np.arange(_FINE) + 0.5) / _FINE - 0.5
        at = np.add.outer(np.arange(c, d), fine).ravel(), np.add.outer(np.arange(a, b), fine).ravel()
        u = (window.x0 + (at[0] + 0.5) / window.ppi - x) * cells + 4
        v = (at[1] + 0.5) / window.ppi * cells + (y - window.y0 - window.depth) * cells + 4
        light = np.ones((len(v), len(u)), np.float32)
        inner = np.ix_((v >= 0) & (v < 8), (u >= 0) & (u < 8))
        light[inner] = bits[np.ix_(v[inner[0].ravel()].astype(int), u[inner[1].ravel()].astype(int))]
        paper = np.outer(np.abs(v - 4) < 4 + _QUIET_CELLS, np.abs(u - 4) < 4 + _QUIET_CELLS).astype(np.float32)
        size, here = (d - c, b - a), (slice(a, b), slice(c, d))
        share = np.asarray(cv2.resize(paper, size, interpolation=cv2.INTER_AREA), np.float32)
        tone = np.asarray(cv2.resize(black + (white - black) * light, size, interpolation=cv2.INTER_AREA), np.float32)
        layers.ground[here] += share[..., None] * (tone[..., None] - layers.ground[here])
        layers.gloss[here] *= 1 - share
        layers.ground_z[here][share > 0] = 0.0
