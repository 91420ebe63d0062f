"""Things on a table besides the game's terrain and units: dice, cotton, rulers, cards, cups, trays."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import shapely

from synthetic.clutter import SKINS
from synthetic.dice import BRIGHT, PIPS, sides_of
from synthetic.layers import Array, Float32
from synthetic.paint import die_size
from synthetic.patches import Rng
from synthetic.planned import PlannedThing, TablePlan
from synthetic.traced.ground import Ground
from synthetic.traced.meshes import Mesh, ball, box, cylinder, join, quad, rod, turned_solid
from synthetic.traced.scene import Material, Scene, place
from synthetic.traced.trees import flakes

_FACE_PX = 96


def lay_things(scene: Scene, plan: TablePlan, ground: Ground, below: float, top: shapely.Geometry) -> dict[int, float]:
    """Place a plan's things; the height under each by its number. ``top`` is the table's top, ``below`` its height
    beside the mat."""
    makers = {"die": _die, "cotton": _cotton, "ruler": _ruler}
    heights = {}
    for k, thing in enumerate(plan.things):
        on = 0 <= thing.x <= plan.width and 0 <= thing.y <= plan.depth
        z = float(ground.height(np.array([[thing.x, thing.y]]))[0]) if on else below
        heights[k] = z
        rng = np.random.default_rng(thing.seed)
        at = place(thing.x, thing.y, z, thing.turn_rad)
        name = f"{thing.what} {k}"
        if thing.what in makers:
            makers[thing.what](scene, name, thing, at, rng)
        else:
            room = 0.0 if on else float(shapely.distance(top.boundary, shapely.Point(thing.x, thing.y)))
            _clutter(scene, name, room, at, rng)
    return heights


def _bgr(color: tuple[int, int, int]) -> tuple[float, float, float]:
    r, g, b = ((c / 255) ** 2.2 for c in color)
    return b, g, r


def _die(scene: Scene, name: str, thing: PlannedThing, at: Array, rng: Rng) -> None:
    size = die_size(thing)
    body = _bgr(BRIGHT[int(rng.integers(len(BRIGHT)))])
    pips = (0.8, 0.82, 0.84) if sum(body) < 0.9 else (0.02, 0.02, 0.02)
    a, b, c, d = sides_of(thing.value)
    sheet = np.empty((_FACE_PX, 6 * _FACE_PX, 3), np.float32)
    for k, value in enumerate((thing.value, a, b, c, d, 7 - thing.value)):
        face = np.empty((_FACE_PX, _FACE_PX, 3), np.float32)
        face[:] = body
        for u, v in PIPS[value]:
            middle = (round(_FACE_PX * (0.5 + 0.26 * u)), round(_FACE_PX * (0.5 + 0.26 * v)))
            cv2.circle(face, middle, round(0.1 * _FACE_PX), pips, -1, cv2.LINE_AA)
        sheet[:, k * _FACE_PX : (k + 1) * _FACE_PX] = face
    scene.material(name, Material(sheet, rough=0.25, gloss=0.4))
    scene.add(_rounded_cube(size, 0.09 * size), name, places=at[None])


def _rounded_cube(size: float, corner: float) -> Mesh:
    """A cube with its foot at z = 0 and rounded edges; the texture holds its faces side by side: top, sides, bottom."""
    n = 9
    t = np.linspace(-1, 1, n)
    u, v = (g.ravel() for g in np.meshgrid(t, t, indexing="ij"))
    i, j = (g.ravel() for g in np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij"))
    a, b, c, d = i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    one = np.ones_like(u)
    # Sides run anticlockwise as seen from above, as ``sides_of`` has them.
    sheets = [np.column_stack(s) for s in ((u, v, one), (one, u, v), (-u, one, v), (-one, -u, v), (u, -one, v),
                                           (u, -v, -one))]  # fmt: skip
    h, parts = size / 2, []
    for k, sheet in enumerate(sheets):
        p = sheet * h
        core = np.clip(p, -(h - corner), h - corner)
        out = p - core
        length = np.linalg.norm(out, axis=1, keepdims=True)
        p = core + out / np.maximum(length, 1e-9) * np.minimum(corner, length)
        place_u = (k + np.clip((u + 1) / 2, 0.01, 0.99)) / 6
        uv = np.column_stack([place_u, (v + 1) / 2])
        parts.append(
            Mesh(p + np.array([0, 0, h]), faces, uv[faces], np.zeros(len(faces), np.int64), np.ones(len(faces), bool))
        )
    return join(parts)


def _cotton(scene: Scene, name: str, thing: PlannedThing, at: Array, rng: Rng) -> None:
    """A torn piece of cotton wool: soft lumps with wisps all over."""
    white = float(rng.uniform(0.84, 0.91)) if rng.random() < 0.9 else 0.1
    scene.material(name, Material((white, white, white), rough=1.0))
    parts = []
    for _ in range(int(rng.integers(3, 7))):
        lump = ball(float(rng.uniform(0.2, 0.36)), 14, 22)
        out = lump.points / np.linalg.norm(lump.points, axis=1, keepdims=True)
        waves = [np.sin(lump.points @ rng.normal(0, 9 * 1.7**k, 3) + rng.uniform(0, 6)) for k in range(4)]
        swell = sum(0.025 / 1.4**k * wave for k, wave in enumerate(waves))
        points = (lump.points + out * np.asarray(swell)[:, None]) * [1, 1, 0.75]
        x, y = (float(v) for v in rng.normal(0, 0.17, 2))
        parts.append(replace(lump, points=points).moved(x, y, 0.16))
        wisps = np.abs(rng.normal(0, 0.02, (len(points), 1))) * out
        parts.append(flakes(rng, points + wisps, out, 0.035).moved(x, y, 0.16))
    scene.add(join(parts), name, places=at[None])


def _ruler(scene: Scene, name: str, thing: PlannedThing, at: Array, rng: Rng) -> None:
    """A tape measure or a ruler."""
    length, wide = 12.0, float(rng.uniform(0.5, 1.1))
    back = _bgr([(238, 206, 60), (236, 236, 230), (204, 166, 112), (170, 172, 176)][int(rng.integers(4))])
    px = 60
    picture = np.empty((round(length * px), round(wide * px), 3), np.float32)
    picture[:] = back
    columns = picture.shape[1]
    for k in range(1, 96):
        row = round(length * px - k * px / 8)
        reach = columns * (0.5 if k % 8 == 0 else 0.3 if k % 4 == 0 else 0.16)
        picture[row - 1 : row + 1, : round(reach)] = 0.02
        if k % 8 == 0:
            cv2.putText(picture, str(k // 8), (round(0.5 * columns), row - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.02 * columns,
                        (0.02, 0.02, 0.02), 2, cv2.LINE_AA)  # fmt: skip
    scene.material(name, Material(picture, rough=float(rng.uniform(0.2, 0.6)), gloss=0.1))
    a, b, t = wide / 2, length / 2, float(rng.uniform(0.02, 0.1))
    slab = box(wide, length, t - 0.001).tinted(0.97, 0.001)
    top = quad([[-a, -b, t], [a, -b, t], [a, b, t], [-a, b, t]])
    scene.add(join([slab, top]), name, places=at[None])


def _clutter(scene: Scene, name: str, room: float, at: Array, rng: Rng) -> None:
    """A card, a sheet, a cup, a phone, a pencil, a tray, tokens or a pot; ``room``: inches that are free."""
    small = ["card", "tokens", "pot", "card"]
    what = str(rng.choice(["sheet", "cup", "phone", "pencil", "tray", *small] if room > 7 else small))
    color = _bgr(BRIGHT[int(rng.integers(len(BRIGHT)))])
    plain = scene.material(name, Material(color, rough=float(rng.uniform(0.2, 0.8)), gloss=float(rng.uniform(0, 0.4))))
    if what in ("sheet", "card"):
        wide, deep = (8.3, 11.7) if what == "sheet" else (2.5, 3.5)
        scene.material(name, Material(_page(rng, wide, deep), rough=0.7))
        a, b = wide / 2, deep / 2
        mesh = quad([[-a, -b, 0.012], [a, -b, 0.012], [a, b, 0.012], [-a, b, 0.012]])
    elif what == "cup":
        mesh = join([turned_solid([[1e-4, 0], [1.2, 0], [1.5, 3.4], [1.38, 3.4], [1.15, 0.3], [1e-4, 0.3]], 32),
                     turned_solid([[1e-4, 2.6], [1.32, 2.6]], 24).tinted(0.5)]
                    + [rod((1.45 + 0.7 * np.sin(t), 0, 1.8 - 0.9 * np.cos(t)), (1.45 + 0.7 * np.sin(t + 0.5), 0, 1.8 -
                       0.9 * np.cos(t + 0.5)), 0.16) for t in np.arange(0.1, 2.9, 0.5)])  # fmt: skip
    elif what == "phone":
        scene.material(name, Material((0.012, 0.012, 0.013), rough=0.06, gloss=1.0))
        mesh = box(2.9, 5.9, 0.3)
    elif what == "pencil":
        mesh = rod((-3.4, 0, 0.14), (3.2, 0, 0.14), 0.14, count=6)
        scene.material(f"{name} tip", Material(_bgr(SKINS[0]), rough=0.8))
        scene.add(rod((3.2, 0, 0.14), (3.7, 0, 0.14), 0.14, 0.01, 8), f"{name} tip", places=at[None])
    elif what == "tray":
        a, b, rim = float(rng.uniform(3, 5)), float(rng.uniform(2.5, 4)), 0.2
        sides = [box(2 * a, rim, 0.9).moved(0, s * b) for s in (-1, 1)] + [
            box(rim, 2 * b, 0.9).moved(s * a) for s in (-1, 1)
        ]
        mesh = join([box(2 * a, 2 * b, 0.12), *sides])
    elif what == "tokens":
        spots = rng.normal(0, 1.2, (int(rng.integers(3, 9)), 2))
        mesh = join([cylinder(0.45, 0.1, 20).moved(float(x), float(y), 0.101 * k) for k, (x, y) in enumerate(spots)])
    else:
        mesh = join([cylinder(0.6, 1.1, 24), cylinder(0.55, 0.5, 24).moved(z=1.1)])
    scene.add(mesh, plain, places=at[None])


def _page(rng: Rng, wide: float, deep: float) -> Float32:
    """A printed page: heads, lines of words, boxes."""
    px = 50
    page = np.full((round(deep * px), round(wide * px), 3), float(rng.uniform(0.7, 0.85)), np.float32)
    rows, columns = page.shape[:2]
    margin, row = 0.09 * columns, 0.08 * rows
    while row < 0.93 * rows:
        tall = max(2, round(0.07 * px))
        if rng.random() < 0.06:
            deep_px = round(float(rng.uniform(0.5, 1.5)) * px)
            page[round(row) : round(row) + deep_px, round(margin) : round(columns - margin)] = _bgr(
                BRIGHT[int(rng.integers(len(BRIGHT)))]
            )
            row += deep_px + 2 * tall
            continue
        words = np.repeat(rng.random(round(columns - 2 * margin) // 5) < 0.8, 5)
        stop = int(len(words) * (1.0 if rng.random() < 0.75 else rng.uniform(0.2, 0.9)))
        strip = page[round(row) : round(row) + tall, round(margin) : round(margin) + stop]
        strip[:, words[: strip.shape[1]]] = 0.08
        row += 2.3 * tall
    return page
