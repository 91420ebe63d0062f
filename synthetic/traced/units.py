"""Bases with their troops and tags, placed on the ground by the plan."""

from __future__ import annotations

import cv2
import numpy as np
import shapely
import shapely.affinity

from synthetic.figures import tag_bits
from synthetic.layers import Array, Float32
from synthetic.models import dress
from synthetic.patches import Color, Rng, pick
from synthetic.planned import PlannedBase, PlannedUnit, TablePlan
from synthetic.traced import figures
from synthetic.traced.meshes import Mesh, quad
from synthetic.traced.scene import Material, Scene, place

RIM_IN = 0.06  # of painted edge on a base's top
_TOP, _EDGE = 0, 1
_EDGES = ("1c1c1e", "5a3e28", "ac8a62", "80807e", "dedcd4", "465a2c", "3c2e22", "6b5a44")


def local_outline(base: PlannedBase, inset: float = 0.0) -> Array:
    """A base's outline (n, 2) about its middle, its front ahead (+y), anticlockwise, ``inset`` inches in."""
    a, b = base.width / 2 - inset, base.depth / 2 - inset
    if base.shape != "rect":
        turn = np.arange(40) * 2 * np.pi / 40
        return np.column_stack([a * np.cos(turn), b * np.sin(turn)])
    return np.array([[-a, -b], [a, -b], [a, b], [-a, b]])


def base_mesh(base: PlannedBase) -> Mesh:
    """The slab of a base about its middle, standing on z = 0: its top (slot 0), its sides and the edge of its top."""
    outer, inner = local_outline(base), local_outline(base, RIM_IN)
    n, t = len(outer), base.thickness
    rings = [np.column_stack([outer, np.zeros(n)]), np.column_stack([outer, np.full(n, t)]),
             np.column_stack([inner, np.full(n, t)])]  # fmt: skip
    points = np.concatenate([*rings, [[0.0, 0.0, t]]])
    k = np.arange(n)
    nxt = (k + 1) % n
    walls = [np.column_stack(f) for a, b in ((0, n), (n, 2 * n)) for f in (
        (a + k, a + nxt, b + nxt), (a + k, b + nxt, b + k))]  # fmt: skip
    top = np.column_stack([2 * n + k, 2 * n + nxt, np.full(n, 3 * n)])
    faces = np.concatenate([*walls, top])
    slot = np.concatenate([np.full(4 * n, _EDGE), np.full(n, _TOP)])
    return Mesh(points, faces, points[faces][..., :2], slot, np.zeros(len(faces), bool))


def stand_units(scene: Scene, plan: TablePlan, ground: dict[tuple[str, int], float], basing: tuple[str, ...],
                rng: Rng) -> None:  # fmt: skip
    """Place all units; ``ground`` is the height under each base by its unit's name and its number."""
    rims = dict(plan.rims)
    edge = pick(rng, _EDGES)
    for side in dict.fromkeys(unit.side for unit in plan.units):
        scene.material(f"rim {side}", Material(_color(rims.get(side, edge)), rough=0.6))
        scene.material(f"army {side}", figures.paints(dress(rng), rng))
    cover = {side: str(rng.choice(basing)) for side in ("red", "blue")}
    if rng.random() < 0.5:
        cover["blue"] = cover["red"]
    tall = float(rng.uniform(0.45, 0.8))  # of a man, inches
    kept: dict[tuple[str, int], Mesh] = {}
    for unit in plan.units:
        own = np.random.default_rng(unit.seed)
        for number, base in enumerate(unit.bases):
            z = ground[unit.id, number]
            turn = -float(np.radians(base.facing))
            matrix = place(base.x, base.y, z, turn)
            shift = own.uniform(0, 6, 2)
            slab = base_mesh(base)
            slab = Mesh(slab.points, slab.faces, slab.uv + shift, slab.slot, slab.smooth)
            scene.add(slab, cover.get(unit.side, basing[0]), f"rim {unit.side}", places=matrix[None])
            if base.tag is not None:
                _tag(scene, plan, unit, base, matrix, own)
            for name, at, size, facing in _crew(unit, base, plan.tag_size, tall, own):
                key = (name, int(own.integers(6)))
                if key not in kept:
                    kept[key] = figures.FIGURES[name](rng)
                spot = matrix @ place(at[0], at[1], base.thickness, facing, size)
                scene.add(kept[key], f"army {unit.side}", places=spot[None])


def _color(color: tuple[float, float, float] | Color) -> Color:
    return float(color[0]), float(color[1]), float(color[2])


def _tag(scene: Scene, plan: TablePlan, unit: PlannedUnit, base: PlannedBase, matrix: Array, rng: Rng) -> None:
    """A paper tag with its white margin on a base's top."""
    assert base.tag is not None
    bits = tag_bits(base.tag, cv2.aruco.DICT_4X4_100)
    cells = len(bits)
    half = plan.tag_size * cells / (cells - 2) / 2
    x, y = unit.tag_offset
    z = base.thickness + 0.0015
    name = scene.material(f"tag {base.tag}", printed(bits, rng))
    corners = [[x + a * half, y + b * half, z] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    scene.add(quad(corners), name, places=matrix[None])


def printed(bits: Float32, rng: Rng) -> Material:
    """Black and white cells (n, n) as a printer lays them on paper."""
    ink, paper = float(rng.uniform(0.015, 0.05)), float(rng.uniform(0.68, 0.85))
    fine = np.kron(bits, np.ones((16, 16), np.float32))
    return Material(np.repeat((ink + (paper - ink) * fine)[..., None], 3, axis=2), rough=float(rng.uniform(0.4, 0.9)))


def _crew(unit: PlannedUnit, base: PlannedBase, tag: float, tall: float, rng: Rng
          ) -> list[tuple[str, tuple[float, float], float, float]]:  # fmt: skip
    """The figures on a base: which figure, where, how large and turned how far; none of them on the tag."""
    inner = shapely.Polygon(local_outline(base, 0.05))
    if base.tag is not None:
        x, y = unit.tag_offset
        half = 0.66 * tag
        inner = inner.difference(shapely.box(x - half, y - half, x + half, y + half))
    out: list[tuple[str, tuple[float, float], float, float]] = []
    if unit.kind in ("tank", "atg"):
        name, wide, longest = ("tank", 0.5, 1.5) if unit.kind == "tank" else ("gun", 0.5, 1.1)
        for size in np.linspace(min(longest * tall * 2.0, 0.95 * base.depth, 1.9 * base.width), 0.5, 10):
            # A barrel may hang over the edge, the hull may not; no part of either over the tag.
            room = inner.buffer(-wide * size / 2)
            line = shapely.LineString([(0, -0.45 * size + wide * size / 2), (0, 0.45 * size - wide * size / 2)])
            spots = rng.uniform(-0.5, 0.5, (20, 2)) * [base.width, base.depth]
            for spot in (np.zeros(2), *spots):
                if room.contains(shapely.affinity.translate(line, spot[0], spot[1])):
                    out.append((name, (float(spot[0]), float(spot[1])), float(size), float(rng.normal(0, 0.06))))
                    hull = shapely.affinity.translate(line, spot[0], spot[1]).buffer(wide * size / 2)
                    inner = inner.difference(hull)
                    break
            if out:
                break
        if name == "tank":
            return out
    if unit.kind == "mortar":
        inner = _stand(out, "mortar", inner, tall, 0.3, rng, 1)
    _stand(out, "soldier", inner, tall, 0.24, rng, int(rng.integers(2, 9)))
    return out


def _stand(out: list[tuple[str, tuple[float, float], float, float]], name: str, inner: shapely.Geometry, tall: float,
           reach: float, rng: Rng, count: int) -> shapely.Geometry:  # fmt: skip
    """Place up to ``count`` figures within ``inner``; returns the free rest of it."""
    for _ in range(count):
        room = inner.buffer(-reach * tall)
        if room.is_empty:
            break
        low, high = np.array(room.bounds[:2]), np.array(room.bounds[2:])
        spots = rng.uniform(low, high, (25, 2))
        free = spots[shapely.contains_xy(room, spots[:, 0], spots[:, 1])]
        if not len(free):
            break
        x, y = (float(v) for v in free[0])
        out.append((name, (x, y), tall * float(rng.uniform(0.94, 1.06)), float(rng.normal(0, 0.4))))
        inner = inner.difference(shapely.Point(x, y).buffer(reach * tall))
    return inner
