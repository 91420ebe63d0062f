"""Solids of triangles in table inches, and the few ways in which all models are put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import shapely
from scipy.spatial import Delaunay

from synthetic.layers import Array

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles: ``points`` (n, 3) in inches, ``faces`` (m, 3) with their front to the outside, texture places ``uv``
    (m, 3, 2) of the corners, the number ``slot`` (m,) of each face's material, and whether it is shaded ``smooth``
    (m,)."""

    points: Array
    faces: Ints
    uv: Array
    slot: Ints
    smooth: npt.NDArray[np.bool_]

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, turn_rad: float = 0.0, scale: float = 1.0) -> Mesh:
        """Scaled, turned anticlockwise about z, then moved."""
        c, s = np.cos(turn_rad) * scale, np.sin(turn_rad) * scale
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, scale]])
        return Mesh(self.points @ matrix.T + [x, y, z], self.faces, self.uv, self.slot, self.smooth)

    def turned(self, matrix: Array) -> Mesh:
        """Turned by a matrix (3, 3)."""
        return Mesh(self.points @ matrix.T, self.faces, self.uv, self.slot, self.smooth)

    def stretched(self, x: float, y: float, z: float) -> Mesh:
        """Scaled along each axis."""
        return Mesh(self.points * [x, y, z], self.faces, self.uv, self.slot, self.smooth)

    def of(self, slot: int) -> Mesh:
        """The same of another material."""
        return Mesh(self.points, self.faces, self.uv, np.full(len(self.faces), slot), self.smooth)

    def tinted(self, u: float, v: float = 0.5) -> Mesh:
        """The whole mesh in the texture's colour at one place."""
        return Mesh(self.points, self.faces, np.broadcast_to([u, v], self.uv.shape).copy(), self.slot, self.smooth)


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(m.points) for m in meshes)])
    return Mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.faces + start for m, start in zip(meshes, starts[:-1], strict=True)]),
        np.concatenate([m.uv for m in meshes]),
        np.concatenate([m.slot for m in meshes]),
        np.concatenate([m.smooth for m in meshes]),
    )


def _made(points: Array, faces: npt.ArrayLike, uv: Array | None = None, smooth: bool = False, slot: int = 0) -> Mesh:
    f = np.asarray(faces, dtype=np.int64).reshape(-1, 3)
    p = np.asarray(points, dtype=np.float64)
    places = p[f][..., :2] if uv is None else uv
    return Mesh(p, f, np.asarray(places, np.float64), np.full(len(f), slot), np.full(len(f), smooth))


def quad(corners: npt.ArrayLike, size: tuple[float, float] = (1.0, 1.0), slot: int = 0) -> Mesh:
    """A flat four-sided face (4, 3), anticlockwise from its lower left; its texture runs from (0, 0) to ``size``."""
    u, v = size
    uv = np.array([[[0, 0], [u, 0], [u, v]], [[0, 0], [u, v], [0, v]]], dtype=np.float64)
    return _made(np.asarray(corners, np.float64), [[0, 1, 2], [0, 2, 3]], uv, slot=slot)


def box(wide: float, deep: float, tall: float, slot: int = 0, unit: float = 1.0) -> Mesh:
    """A box about the z axis with its foot at z = 0; its texture has ``unit`` inches a side."""
    a, b = wide / 2, deep / 2
    low = [[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0]]
    p = np.array([*low, *([x, y, tall] for x, y, _ in low)], dtype=np.float64)
    sides = [((0, 1, 5, 4), wide), ((1, 2, 6, 5), deep), ((2, 3, 7, 6), wide), ((3, 0, 4, 7), deep)]
    parts = [quad(p[list(k)], (w / unit, tall / unit), slot) for k, w in sides]
    parts.append(quad(p[[4, 5, 6, 7]], (wide / unit, deep / unit), slot))
    parts.append(quad(p[[3, 2, 1, 0]], (wide / unit, deep / unit), slot))
    return join(parts)


def turned_solid(profile: npt.ArrayLike, count: int = 12, smooth: bool = True, slot: int = 0) -> Mesh:
    """A solid of revolution about z: ``profile`` (n, 2) of radius and height from bottom to top."""
    rz = np.asarray(profile, dtype=np.float64)
    turn = np.arange(count) * 2 * np.pi / count
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    points = np.concatenate([np.column_stack([r * ring, np.full(count, z)]) for r, z in rz])
    faces, uv = [], []
    for level in range(len(rz) - 1):
        for k in range(count):
            a, b = level * count + k, level * count + (k + 1) % count
            c, d = b + count, a + count
            faces += [[a, b, c], [a, c, d]]
            u, w, v0, v1 = k / count, (k + 1) / count, level / (len(rz) - 1), (level + 1) / (len(rz) - 1)
            uv += [[[u, v0], [w, v0], [w, v1]], [[u, v0], [w, v1], [u, v1]]]
    return _made(points, faces, np.array(uv), smooth, slot)


def cylinder(radius: float, tall: float, count: int = 12, slot: int = 0) -> Mesh:
    """A cylinder with its foot at z = 0, closed at both ends."""
    return turned_solid([[1e-4, 0], [radius, 0], [radius, tall], [1e-4, tall]], count, False, slot)


def ball(radius: float, rings: int = 6, count: int = 10, slot: int = 0) -> Mesh:
    """A ball about the origin."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    return turned_solid(np.column_stack([np.maximum(radius * np.cos(turn), 1e-4), radius * np.sin(turn)]), count,
                        True, slot)  # fmt: skip


def rod(start: npt.ArrayLike, end: npt.ArrayLike, radius: float, thin: float | None = None, count: int = 6,
        slot: int = 0) -> Mesh:  # fmt: skip
    """A rod from one point (3,) to another, ``thin`` its radius at the end."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    ahead = b - a
    length = float(np.linalg.norm(ahead))
    ahead = ahead / max(length, 1e-9)
    side = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    matrix = np.column_stack([side, np.cross(ahead, side), ahead])
    tip = radius if thin is None else thin
    solid = turned_solid([[1e-4, 0], [radius, 0], [tip, length], [1e-4, length]], count, True, slot)
    turned = solid.turned(matrix)
    return Mesh(turned.points + a, turned.faces, turned.uv, turned.slot, turned.smooth)


def relief(
    shape: shapely.Geometry,
    insets: Sequence[float],
    height: Callable[[Array, Array], Array],
    spacing: float,
    foot: float = -0.05,
    fine: float = 0.15,
) -> Mesh:
    """A piece with a height (n,) that depends on places (n, 2) and their distance (n,) to the outline of ``shape``.

    Triangles run exactly along the outline and along the lines at the ``insets`` from it, where the height may bend;
    ``spacing`` is that of points elsewhere, ``fine`` that along the lines. At the outline a skirt goes down to z =
    ``foot``. The texture places are table inches.
    """
    parts = [part for part in shapely.get_parts(shapely.make_valid(shape)) if part.geom_type == "Polygon"]
    return join([_relief(shapely.Polygon(part.exterior), insets, height, spacing, foot, fine) for part in parts])


def _relief(
    shape: shapely.Polygon,
    insets: Sequence[float],
    height: Callable[[Array, Array], Array],
    spacing: float,
    foot: float,
    fine: float,
) -> Mesh:
    rim = _along(shape.exterior, fine)
    if shapely.Polygon(rim).exterior.is_ccw is False:
        rim = rim[::-1]
    places, away = [rim], [np.zeros(len(rim))]
    for inset in sorted({i for i in insets if i > 1e-6}):
        for part in shapely.get_parts(shape.buffer(-inset, quad_segs=16)):
            line = _along(part.exterior, fine) if not part.is_empty else np.empty((0, 2))
            places.append(line)
            away.append(np.full(len(line), inset))
    low, high = rim.min(axis=0), rim.max(axis=0)
    xs, ys = (np.arange(a, b + spacing, spacing) for a, b in zip(low, high, strict=True))
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    grid = grid[shapely.contains_xy(shape, grid[:, 0], grid[:, 1])]
    if len(grid):
        depth = shapely.distance(shapely.points(grid), shape.exterior)
        gap = np.min([np.abs(depth - i) for i in (0.0, *insets)], axis=0)
        keep = gap > 0.35 * min(spacing, fine)
        places.append(grid[keep])
        away.append(depth[keep])
    at, depth = np.concatenate(places), np.concatenate(away)
    faces = Delaunay(at, qhull_options="QJ Pp").simplices.astype(np.int64)
    middle = at[faces].mean(axis=1)
    faces = faces[shapely.contains_xy(shape, middle[:, 0], middle[:, 1])]
    a, b, c = (at[faces[:, k]] for k in range(3))
    turn = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    faces = np.where(turn[:, None] < 0, faces[:, ::-1], faces)[np.abs(turn) > 1e-9]
    top = np.column_stack([at, height(at, depth)])
    n = len(rim)
    skirt = np.column_stack([rim, np.full(n, foot)])
    k = np.arange(n)
    nxt, base = (k + 1) % n, len(top)
    wall = np.concatenate([np.column_stack([base + k, base + nxt, nxt]), np.column_stack([base + k, nxt, k])])
    points = np.concatenate([top, skirt])
    every = np.concatenate([faces, wall])
    smooth = np.concatenate([np.ones(len(faces), bool), np.zeros(len(wall), bool)])
    return Mesh(points, every, points[every][..., :2], np.zeros(len(every), np.int64), smooth)


def _along(ring: shapely.Geometry, step: float) -> Array:
    """Points (n, 2) about ``step`` apart along a ring, its own corners among them."""
    corners = np.asarray(ring.coords, dtype=np.float64)
    out = []
    for a, b in pairwise(corners):
        length = float(np.linalg.norm(b - a))
        if length < 1e-6:
            continue
        count = max(1, int(np.ceil(length / step)))
        out.append(a + (b - a) * (np.arange(count) / count)[:, None])
    thin = np.concatenate(out)
    keep = np.ones(len(thin), bool)
    last = thin[0]
    for k in range(1, len(thin)):
        keep[k] = float(np.abs(thin[k] - last).max()) > 0.02
        last = thin[k] if keep[k] else last
    return thin[keep]


def steep(mesh: Mesh, slope: float = 1.0) -> npt.NDArray[np.bool_]:
    """Which faces (m,) rise by more than ``slope``."""
    a, b, c = (mesh.points[mesh.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    return np.asarray(np.hypot(normal[:, 0], normal[:, 1]) > slope * np.abs(normal[:, 2]))


def strip(way: Array, across: npt.ArrayLike, height: Callable[[Array, Array], Array], unit: float) -> Mesh:
    """A band along a line (n, 2): ``across`` (k,) are the offsets to the left of its points, ascending; ``height`` is a
    function of places (m, 2) and offsets (m,). Its texture runs along by ``unit`` inches, across from 0 to 1."""
    offsets = np.asarray(across, np.float64)[::-1]
    ahead = np.gradient(way, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    left = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    n, k = len(way), len(offsets)
    at = (way[:, None] + left[:, None] * offsets[None, :, None]).reshape(-1, 2)
    points = np.column_stack([at, height(at, np.tile(offsets, n))])
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))]) / unit
    share = (offsets - offsets.min()) / max(1e-9, float(np.ptp(offsets)))
    place = np.column_stack([np.repeat(run, k), np.tile(share, n)])
    i, j = (g.ravel() for g in np.meshgrid(np.arange(n - 1), np.arange(k - 1), indexing="ij"))
    a, b, c, d = i * k + j, i * k + j + 1, (i + 1) * k + j + 1, (i + 1) * k + j
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return _made(points, faces, place[faces], smooth=True)
