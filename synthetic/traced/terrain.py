"""Pieces of terrain modelled: hills, woods, towns, fields, marshes, roads, rivers and bridges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import shapely

from synthetic.layers import Array, Float32, Window
from synthetic.noise import blob, soft_step
from synthetic.paint import hill_of, outline_of
from synthetic.patches import Rng, noise_in
from synthetic.planned import Piece, TablePlan
from synthetic.traced import houses, trees
from synthetic.traced.families import STUFFS, Family
from synthetic.traced.ground import Ground, hill_bends, hill_rise, plate_rise
from synthetic.traced.meshes import Mesh, box, join, quad, relief, steep, strip
from synthetic.traced.scene import Material, Scene, place
from synthetic.traced.stuffs import Stuff, material_of, surface_of

_PPI = 40.0  # of the pictures of terrain
_WAY_UNIT = 12.0  # inches along a road or river after which its picture is repeated


def bases_of(plan: TablePlan) -> shapely.Geometry:
    """The ground under bases."""
    return shapely.union_all([shapely.Polygon(outline_of(base)) for unit in plan.units for base in unit.bases])


def with_stands(piece: Piece, plan: TablePlan, rng: Rng) -> Piece:
    """The piece with trees or houses on free ground: clear of bases, roads and one another."""
    if piece.kind not in ("woods", "town"):
        return piece
    woods = piece.kind == "woods"
    inner = piece.shape.buffer(-float(rng.uniform(0.2, 0.5)) if woods else -0.75)
    apart, clear = (float(rng.uniform(0.6, 1.2)), 0.2) if woods else (float(rng.uniform(1.6, 2.4)), 0.65)
    roads = [p.shape.buffer(0.4 if woods else 0.7) for p in plan.pieces if p.kind in ("road", "bridge")]
    inner = inner.difference(shapely.union_all([bases_of(plan).buffer(clear), *roads]))
    most = max(1, int(float(rng.uniform(0.3, 0.9)) * piece.shape.area / (apart**2 if woods else 1.8 * apart**2)))
    out: list[Array] = []
    if not inner.is_empty:
        x0, y0, x1, y1 = inner.bounds
        for spot in rng.uniform([x0, y0], [x1, y1], (most * 12 + 30, 2)):
            if len(out) == most:
                break
            far = all(float(np.linalg.norm(spot - other)) > apart for other in out)
            if far and shapely.contains_xy(inner, *spot):
                out.append(spot)
    return replace(piece, stands=np.array(out).reshape(-1, 2))


@dataclass(eq=False)
class Builder:
    """Puts a plan's terrain into a scene, piece by piece; ``ground`` grows with it."""

    scene: Scene
    plan: TablePlan
    family: Family
    rng: Rng
    ground: Ground

    def __post_init__(self) -> None:
        family = self.family
        self.bases = bases_of(self.plan)
        kinds = {"woods": family.woods, "town": family.towns, "field": family.fields, "marsh": family.marshes}
        # A collection has one make of each kind, mostly.
        self.chosen = {kind: self._one(names) for kind, names in kinds.items()}
        self.chosen |= {"road": self._one(family.roads), "river": self._one(family.rivers)}
        self.hill = self._one(family.hills)
        self.cliff = self._one(family.hills[-1:] if self.rng.random() < 0.6 else (self.hill,))
        self.tree_kinds = [str(k) for k in self.rng.permutation(family.trees)[: int(self.rng.integers(1, 4))]]
        self.tree_meshes: dict[str, list[Mesh]] = {}
        self.house_kind = self._one(family.houses)
        self.loose = bool(self.rng.random() < 0.25)  # woods are flock strewn on the mat, not plates
        self.ragged = bool(self.rng.random() < 0.5)  # roads are strewn or painted, not strips
        self.banks = float(self.rng.uniform(0.06, 0.16)) if self.rng.random() < 0.6 else 0.0
        self._houses_ready = False

    def _one(self, names: tuple[str, ...]) -> str:
        return str(names[int(self.rng.integers(len(names)))])

    def build(self) -> None:
        """Put every piece of the plan down, lowest first."""
        for k, piece in enumerate(self.plan.pieces):
            makers = {"hill": self._hill, "road": self._road, "river": self._river, "bridge": self._bridge}
            makers.get(piece.kind, self._area)(f"{piece.kind} {k}", piece)

    # --- pictures ----------------------------------------------------------------------------------------------------

    def _laid(self, name: str, stuff: Stuff, shape: shapely.Geometry, turn: bool = False) -> str:
        """The material of a stuff over a piece's own extent."""
        x0, y0, x1, y1 = shape.bounds
        window = Window(x0, y0, max(x1 - x0, 0.5), max(y1 - y0, 0.5), _PPI)
        made = surface_of(stuff, window, self.rng)
        return self.scene.material(name, Material(made.color, made.relief, (window.width, window.depth), (x0, y0),
                                                  stuff.rough, stuff.gloss))  # fmt: skip

    def _shared(self, name: str, unit: float = 8.0) -> str:
        """A stuff's material for all pieces of it, repeated."""
        key = f"shared {name}"
        if key not in self.scene.materials:
            self.scene.material(key, material_of(STUFFS[name], self.rng, unit, _PPI))
        return key

    # --- hills -------------------------------------------------------------------------------------------------------

    def _hill(self, name: str, piece: Piece) -> None:
        hill = hill_of(piece)
        shape = piece.shape
        rise = hill_rise(hill)
        mesh = relief(shape, hill_bends(hill), lambda at, depth: rise(at, depth, self.ground.height(at)), 0.5)
        own = "mat" if self.hill == self.family.mat else self._laid(name, STUFFS[self.hill], shape)
        side = own
        slots = np.zeros(len(mesh.faces), np.int64)
        uv = mesh.uv
        if hill.style in ("stepped", "cliff"):
            walls = steep(mesh, 0.9)
            slots[walls] = 1
            side = self._shared(self.cliff, 6.0)
            a, b, c = (mesh.points[mesh.faces[:, k]] for k in range(3))
            normal = np.abs(np.cross(b - a, c - a))
            along = np.where((normal[:, 0] > normal[:, 1])[:, None], mesh.points[mesh.faces][..., 1],
                             mesh.points[mesh.faces][..., 0])  # fmt: skip
            upright = np.stack([along, mesh.points[mesh.faces][..., 2]], axis=-1)
            uv = np.where(walls[:, None, None], upright, uv)
        self.scene.add(Mesh(mesh.points, mesh.faces, uv, slots, mesh.smooth), own, side)
        self.ground.lay(shape, rise)

    # --- areas -------------------------------------------------------------------------------------------------------

    def _area(self, name: str, piece: Piece) -> None:
        shape = piece.shape.intersection(shapely.box(0, 0, self.plan.width, self.plan.depth))
        kind = piece.kind
        stuff = STUFFS[self.chosen[kind]]
        thickness = {"woods": 0.09, "town": 0.06, "field": 0.07, "marsh": 0.07}[kind] * float(
            self.rng.uniform(0.6, 1.3)
        )
        bevel = float(self.rng.uniform(0.04, 0.2)) if kind in ("woods", "marsh") else 0.04
        strewn = self.loose and kind in ("woods", "marsh", "field")
        if strewn:
            thickness = 0.012
        rise = plate_rise(thickness, bevel)
        mesh = relief(shape, [bevel], lambda at, depth: rise(at, depth, self.ground.height(at)), 0.9)
        if kind == "field" and stuff.recipe == "rows":
            c, s = np.cos(piece.turn_rad), np.sin(piece.turn_rad)
            material = self._shared(self.chosen[kind])
            uv = mesh.uv @ np.array([[c, -s], [s, c]])
            mesh = Mesh(mesh.points, mesh.faces, uv, mesh.slot, mesh.smooth)
        else:
            material = self._laid(name, stuff, shape)
        if strewn:
            material = self._strewn(f"{name} strewn", material, shape)
        self.scene.add(mesh, material)
        self.ground.lay(shape, rise)
        if kind == "woods":
            self._trees(piece)
        elif kind == "town":
            self._houses(piece)
        elif kind == "field":
            self._crops(name, piece)
        elif kind == "marsh":
            self._pools(name, piece)

    def _strewn(self, name: str, material: str, shape: shapely.Geometry) -> str:
        """The same stuff with a ragged edge, as it is strewn by hand."""
        made = self.scene.materials[material]
        x0, y0, x1, y1 = shape.bounds
        window = Window(x0, y0, max(x1 - x0, 0.5), max(y1 - y0, 0.5), 20.0)
        x, y = window.places()
        at = np.column_stack([x.ravel(), y.ravel()])
        depth = shapely.distance(shapely.points(at), shape.boundary).reshape(window.shape).astype(np.float32)
        share = soft_step(depth + np.float32(0.05) * noise_in(self.rng, window, 0.3, 3), 0.06, 0.08)
        if made.unit != (window.width, window.depth):
            return material
        return self.scene.material(name, replace(made, cover=np.asarray(share, np.float32)))

    def _tree(self, kind: str) -> tuple[Mesh, str]:
        if kind not in self.tree_meshes:
            self.tree_meshes[kind] = [trees.tree(self.rng, kind) for _ in range(3)]
            self.scene.material(f"tree {kind}", trees.palette(self.rng, kind))
        made = self.tree_meshes[kind]
        return made[int(self.rng.integers(len(made)))], f"tree {kind}"

    def _trees(self, piece: Piece) -> None:
        assert piece.stands is not None
        at = piece.stands
        if not len(at):
            return
        z = self.ground.height(at)
        for (x, y), height in zip(at, z, strict=True):
            kind = self.tree_kinds[int(self.rng.integers(len(self.tree_kinds)))]
            mesh, material = self._tree(kind)
            tall = trees.height_of(self.rng, kind)
            turn = float(self.rng.uniform(0, 2 * np.pi))
            self.scene.add(mesh, material, places=place(x, y, float(height) - 0.02, turn, tall)[None])

    def _houses(self, piece: Piece) -> None:
        assert piece.stands is not None
        if not self._houses_ready:
            family, self._houses_ready = self.family, True
            self.scene.material("wall", material_of(STUFFS[self._one(family.walls)], self.rng, 4.0, 60.0, vary=0.15))
            self.scene.material("roof", material_of(STUFFS[self._one(family.roofs)], self.rng, 4.0, 60.0, vary=0.1))
            dark = float(self.rng.uniform(0.015, 0.06))
            self.scene.material("pane", Material((dark, dark, dark), rough=0.15, gloss=0.5))
            wood = float(self.rng.uniform(0.05, 0.5))
            self.scene.material("frame", Material((0.7 * wood, 0.85 * wood, wood), rough=0.7))
        others = piece.stands
        for k, (x, y) in enumerate(others):
            gaps = np.linalg.norm(others - others[k], axis=1)
            near = float(shapely.distance(shapely.Point(x, y), self.bases)) if not self.bases.is_empty else 9.0
            room = min([2.4, 1.6 * near, *(0.8 * g for g in gaps[gaps > 0])])
            wide, deep = room * float(self.rng.uniform(0.8, 1.0)), room * float(self.rng.uniform(0.6, 0.85))
            turn = piece.turn_rad + float(self.rng.choice([0.0, np.pi / 2])) + float(self.rng.normal(0, 0.1))
            z = float(self.ground.height(np.array([[x, y]]))[0])
            mesh = houses.house(self.rng, self.house_kind, wide, deep)
            self.scene.add(mesh, "wall", "roof", "pane", "frame", places=place(x, y, z, turn)[None])

    def _crops(self, name: str, piece: Piece) -> None:
        """Plants in rows on some fields."""
        if self.rng.random() < 0.55:
            return
        key = "crops"
        if key not in self.scene.materials:
            tones = [("8a9a3c", "6f8a34", "a0a04a"), ("b89a4a", "c8ac5c", "a08440"), ("5a7a3a", "4c6a30", "6f8f48")]
            self.scene.material(key, trees.grass_palette(self.rng, tones[int(self.rng.integers(3))]))
        mesh = trees.tuft(self.rng)
        c, s = np.cos(piece.turn_rad), np.sin(piece.turn_rad)
        pace, apart = float(self.rng.uniform(0.28, 0.5)), float(self.rng.uniform(0.12, 0.3))

        u, v = np.meshgrid(np.arange(-9, 9, apart), np.arange(-9, 9, pace))
        middle = piece.outline.mean(axis=0)
        at = middle + np.column_stack([(c * u - s * v).ravel(), (s * u + c * v).ravel()])

        self._strew(mesh, key, at + self.rng.normal(0, 0.03, at.shape), piece.shape.buffer(-0.12), (0.18, 0.4))

    def _strew(self, mesh: Mesh, material: str, at: Array, shape: shapely.Geometry, tall: tuple[float, float],
               most: int = 900) -> None:  # fmt: skip
        """Copies of a plant wherever ``at`` (n, 2) is within a shape and clear of bases."""
        at = at[shapely.contains_xy(shape, at[:, 0], at[:, 1])]
        at = at[shapely.distance(shapely.points(at), self.bases) > 0.1] if len(at) else at
        at = at[:: max(1, int(np.ceil(len(at) / most)))]
        if not len(at):
            return
        z = self.ground.height(at)
        own = [place(x, y, float(h) - 0.01, float(self.rng.uniform(0, 6.3)), float(self.rng.uniform(*tall)))
               for (x, y), h in zip(at, z, strict=True)]  # fmt: skip
        self.scene.add(mesh, material, places=np.array(own))

    def _pools(self, name: str, piece: Piece) -> None:
        """A marsh's pools and reeds."""

        x0, y0, x1, y1 = piece.shape.bounds
        water = self.scene.material(f"{name} water", self._water("river", 4.0))
        pools: list[shapely.Geometry] = []
        for _ in range(int(self.rng.integers(2, 6))):
            center = (float(self.rng.uniform(x0, x1)), float(self.rng.uniform(y0, y1)))
            size = float(self.rng.uniform(0.15, 0.3)) * min(x1 - x0, y1 - y0)
            pool = shapely.make_valid(shapely.Polygon(blob(self.rng, center, (size, 0.7 * size), 0.15)))
            pool = pool.intersection(piece.shape.buffer(-0.3))
            if pool.geom_type != "Polygon" or pool.area < 0.1 or any(pool.intersects(p) for p in pools):
                continue
            pools.append(pool.buffer(0.15))
            self.scene.add(relief(pool, [], lambda at, depth: self.ground.height(at) + 0.012, 0.8), water)
        key = "reeds"
        if key not in self.scene.materials:
            self.scene.material(key, trees.grass_palette(self.rng, ("8a8440", "6f7434", "a89a58")))
        count = int(piece.shape.area * float(self.rng.uniform(1.5, 6)))
        at = self.rng.uniform([x0, y0], [x1, y1], (count, 2))
        self._strew(trees.tuft(self.rng), key, at, piece.shape.buffer(-0.1), (0.25, 0.6), 250)

    # --- ways --------------------------------------------------------------------------------------------------------

    def _band(self, stuff: Stuff, width: float) -> Material:
        """A stuff in a band's own places: along by ``_WAY_UNIT``, across from 0 to 1."""
        window = Window(0.0, 0.0, _WAY_UNIT, width, _PPI)
        made = surface_of(stuff, window, self.rng)
        return Material(made.color, made.relief, rough=stuff.rough, gloss=stuff.gloss, clear=stuff.clear)

    def _water(self, kind: str, width: float) -> Material:
        return self._band(STUFFS[self.chosen[kind]], width)

    def _cut(self, band: Mesh) -> Mesh:
        """A band that ends at the mat's edges: the part beyond is folded onto them."""
        points = band.points.copy()
        points[:, :2] = np.clip(points[:, :2], 0.0, [self.plan.width, self.plan.depth])
        return replace(band, points=points)

    def _road(self, name: str, piece: Piece) -> None:
        assert piece.way is not None
        stuff = STUFFS[self.chosen["road"]]
        thickness = 0.012 if self.ragged else float(self.rng.uniform(0.02, 0.06))
        half = piece.width / 2
        material = self._band(stuff, piece.width)
        if self.ragged:
            window = Window(0.0, 0.0, _WAY_UNIT, piece.width, 30.0)
            _, y = window.places()
            edge = np.minimum(y, piece.width - y).astype(np.float32)
            share: Float32 = soft_step(edge + np.float32(0.04) * noise_in(self.rng, window, 0.3, 3), 0.04, 0.07)
            material = replace(material, cover=share)
        self.scene.material(name, material)
        wet = [p.shape.buffer(-0.15) for p in self.plan.pieces if p.kind == "river"]
        line = shapely.LineString(piece.way).difference(shapely.union_all(wet))
        bevel = min(0.04, 0.1 * half)

        def height(at: Array, offset: Array) -> Array:
            inside = np.abs(offset) < half - 1e-6
            return np.asarray(self.ground.height(at) + np.where(inside, thickness, 0.004))

        across = [-half, -half + bevel, -0.5 * half, 0.0, 0.5 * half, half - bevel, half]
        for part in shapely.get_parts(line):
            if part.geom_type == "LineString" and part.length > 0.3:
                way = shapely.get_coordinates(part.segmentize(0.12))
                self.scene.add(self._cut(strip(way, across, height, _WAY_UNIT)), name)
        self.ground.lay(piece.shape, plate_rise(thickness, bevel))

    def _river(self, name: str, piece: Piece) -> None:
        assert piece.way is not None
        clear = STUFFS[self.chosen["river"]].clear > 0
        half, bank = piece.width / 2, max(self.banks, 0.1) if clear else self.banks
        water = self.scene.material(name, self._water("river", piece.width))
        edge = min(0.28, 0.35 * half) if bank else min(0.03, 0.1 * half)
        earth = self._shared(self.family.basing[-1]) if bank else water
        level = 0.06 if clear else 0.03

        def height(at: Array, offset: Array) -> Array:
            depth = half - np.abs(offset)
            shape = np.interp(depth, [0.0, 0.4 * edge, edge, edge + 0.01], [0.0, bank or level, 0.8 * level, level])
            return np.asarray(self.ground.height(at) + shape)

        way = shapely.get_coordinates(shapely.LineString(piece.way).segmentize(0.15))
        inner = half - edge
        across = [-inner, -0.5 * inner, 0.0, 0.5 * inner, inner]
        self.scene.add(self._cut(strip(way, across, height, _WAY_UNIT)), water)
        if clear:
            bed = self._cut(strip(way, across, lambda at, _: self.ground.height(at) + 0.005, 8.0))
            self.scene.add(replace(bed, uv=bed.points[bed.faces][..., :2]), self._shared(self.family.basing[0]))
        for side in (-1, 1):
            flank = sorted(side * v for v in (half, half - 0.4 * edge, half - 0.7 * edge, inner))
            slope = self._cut(strip(way, flank, height, 8.0))
            uv = slope.points[slope.faces][..., :2] if bank else slope.uv
            self.scene.add(replace(slope, uv=uv), earth)

        def rise(at: Array, depth: Array, below: Array) -> Array:
            shape = np.interp(depth, [0.0, 0.4 * edge, edge, edge + 0.01], [0.0, bank or level, 0.8 * level, level])
            return np.asarray(below + shape)

        self.ground.lay(piece.shape, rise)

    def _bridge(self, name: str, piece: Piece) -> None:
        assert piece.stands is not None
        length, wide, tall = float(piece.stands[0, 0]), piece.width, max(piece.height, 0.12)
        middle = piece.outline.mean(axis=0)
        c, s = np.cos(piece.turn_rad), np.sin(piece.turn_rad)
        hump = 0.35 * tall * float(self.rng.random() < 0.5)

        def deck(along: Array) -> Array:
            return np.asarray(tall - hump * (2 * along / length) ** 2)

        u = np.linspace(-length / 2, length / 2, 15)
        way = np.column_stack([u, np.zeros(15)])
        top = strip(way, [-wide / 2, 0, wide / 2], lambda at, _: deck(at[:, 0]), 1.0)
        top = Mesh(top.points, top.faces, top.points[top.faces][..., [1, 0]], top.slot, top.smooth)
        parts = [top]
        rail = float(self.rng.uniform(0.12, 0.3))
        for a, b in pairwise(u):
            za, zb = deck(np.array([a, b]))
            arch_a, arch_b = (max(0.0, 0.8 * tall * (1 - (2.4 * v / length) ** 4)) for v in (a, b))
            for side in (-1, 1):
                y, inner = side * wide / 2, side * (wide / 2 - 0.09)
                outer = [[a, y, arch_a], [b, y, arch_b], [b, y, zb + rail], [a, y, za + rail]]
                inside = [[b, inner, zb], [a, inner, za], [a, inner, za + rail], [b, inner, zb + rail]]
                cap = [[a, y, za + rail], [b, y, zb + rail], [b, inner, zb + rail], [a, inner, za + rail]]
                size = ((b - a) / 4, rail / 4)
                parts += [quad(f if side < 0 else f[::-1], size) for f in (outer, inside, cap)]
        for end in (-1, 1):
            block = box(0.12, wide, float(deck(np.array([length / 2]))[0])).moved(end * (length / 2 - 0.06))
            parts.append(block)
        mesh = join(parts).moved(float(middle[0]), float(middle[1]), 0.0, piece.turn_rad)
        key = self._shared(self.family.towns[0] if self.rng.random() < 0.5 else self.family.walls[0], 4.0)
        self.scene.add(mesh, key)

        def rise(at: Array, depth: Array, below: Array) -> Array:
            d = at - middle
            return deck(c * d[:, 0] + s * d[:, 1])

        self.ground.lay(piece.shape, rise)
