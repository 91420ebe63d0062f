"""The room about a traced table: mat, table top, floor, frame markers, lamps and what glossy things mirror."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import shapely

from synthetic.layers import Array, Float32, Window
from synthetic.patches import Rng, pick
from synthetic.planned import TablePlan, frame_places
from synthetic.traced import trees
from synthetic.traced.families import STUFFS, Family, Light
from synthetic.traced.meshes import box, quad
from synthetic.traced.scene import Lamp, Material, Scene, place
from synthetic.traced.stuffs import Stuff, material_of, surface_of
from synthetic.traced.units import printed

MAT_IN = 0.08  # thickness of a mat: the table's top is so far below it
_TABLES = {
    "oak": Stuff("planks", ("8a5f3c", "7a5232"), 5.0, 0.004, 0.4, 0.2),
    "walnut": Stuff("planks", ("4f3626", "432c1e"), 7.0, 0.004, 0.35, 0.25),
    "ash": Stuff("planks", ("b8a184", "ab9376"), 40.0, 0.003, 0.4, 0.15),
    "white": Stuff("painted", ("d8d7d2", "d2d0cb"), 0.1, 0.001, 0.35, 0.3),
    "black cloth": Stuff("cloth", ("1d1d20", "19191c"), 0.04, 0.004, 0.95),
    "red cloth": Stuff("cloth", ("6f2a2a", "662424"), 0.05, 0.005, 0.95),
}
_FLOORS = {
    "carpet": Stuff("felt", ("5a5a5e", "525256"), 0.1, 0.03, 0.98),
    "brown carpet": Stuff("felt", ("6f5f4c", "675744"), 0.1, 0.03, 0.98),
    "boards": Stuff("planks", ("9a7048", "86603c"), 6.0, 0.02, 0.4, 0.2),
    "slabs": Stuff("tiles", ("a8a49c", "9c988f", "77736c"), 12.0, 0.03, 0.4, 0.2),
}


def lay_mat(scene: Scene, plan: TablePlan, family: Family, rng: Rng) -> tuple[float, shapely.Geometry]:
    """The mat on a table over a floor; the height of the table's top beside the mat, and its outline."""
    stuff = STUFFS[family.mat]
    bare = stuff.recipe == "planks"  # the game is played on the table itself
    apron = np.exp(rng.uniform(np.log(1.0), np.log(8.0), 4)) if not bare else rng.uniform(2, 8, 4)
    x0, y0, x1, y1 = -apron[0], -apron[1], plan.width + apron[2], plan.depth + apron[3]
    low = 0.0 if bare else -MAT_IN
    window = (Window(float(x0), float(y0), float(x1 - x0), float(y1 - y0), 32.0) if bare
              else Window(0.0, 0.0, plan.width, plan.depth, 48.0))  # fmt: skip
    made = surface_of(stuff, window, rng)
    scene.material("mat", Material(made.color, made.relief, (window.width, window.depth), (window.x0, window.y0),
                                   stuff.rough, stuff.gloss))  # fmt: skip
    a, b, w, d = window.x0, window.y0, window.width, window.depth
    sheet = quad([[a, b, 0], [a + w, b, 0], [a + w, b + d, 0], [a, b + d, 0]], (w, d))
    scene.add(replace(sheet, uv=sheet.points[sheet.faces][..., :2]), "mat")
    if not bare:
        edge = pick(rng, ("1c1c1c", "4a4236", "8a8274", "2f3a28"))
        scene.material("mat edge", Material(edge, rough=0.9))
        scene.add(box(w, d, MAT_IN - 0.003).moved(w / 2, d / 2, -MAT_IN), "mat edge")
        name = str(rng.choice(list(_TABLES)))
        scene.material("table", material_of(_TABLES[name], rng, 24.0, 24.0))
        top = quad([[x0, y0, low], [x1, y0, low], [x1, y1, low], [x0, y1, low]])
        scene.add(replace(top, uv=top.points[top.faces][..., :2]), "table")
    else:
        scene.materials["table"] = scene.materials["mat"]
    edge_box = box(float(x1 - x0), float(y1 - y0), 1.2)
    scene.add(edge_box.moved(float(x0 + x1) / 2, float(y0 + y1) / 2, low - 1.205), "table")
    floor = _FLOORS[str(rng.choice(list(_FLOORS)))]
    scene.material("floor", material_of(floor, rng, 48.0, 12.0))
    f = 250.0
    ground = quad([[-f, -f, -29], [f, -f, -29], [f, f, -29], [-f, f, -29]])
    scene.add(replace(ground, uv=ground.points[ground.faces][..., :2]), "floor")
    _chairs(scene, plan, apron, rng)
    return low, shapely.box(x0, y0, x1, y1)


def _chairs(scene: Scene, plan: TablePlan, apron: Array, rng: Rng) -> None:
    """Chairs about the table."""
    wood = float(rng.uniform(0.04, 0.4))
    scene.material("chair", Material((0.6 * wood, 0.8 * wood, wood), rough=0.5, gloss=0.1))
    for side in range(4):
        if rng.random() < 0.45:
            continue
        t = float(rng.uniform(0.2, 0.8))
        x = {0: t * plan.width, 1: plan.width + apron[2] + 9, 2: t * plan.width, 3: -apron[0] - 9}[side]
        y = {0: -apron[1] - 9, 1: t * plan.depth, 2: plan.depth + apron[3] + 9, 3: t * plan.depth}[side]
        at = place(float(x), float(y), -29.0, side * np.pi / 2 + float(rng.normal(0, 0.3)))
        seat = box(17, 17, 1).moved(z=17)
        back = box(17, 1, 5).moved(0, -8, 29)
        legs = [box(1.4, 1.4, 17 + 17 * (b < 0)).moved(a, b) for a in (-7.5, 7.5) for b in (-7.8, 7.5)]
        for part in (seat, back, *legs):
            scene.add(part, "chair", places=at[None])


def lay_frame(scene: Scene, plan: TablePlan, rng: Rng) -> None:
    """The frame markers: sheets of paper on the mat's corners, a cell of white round each."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, x, y in frame_places(plan):
        bits = (cv2.aruco.generateImageMarker(dictionary, number, 8, borderBits=1) > 0).astype(np.float32)
        bits = np.pad(bits, 1, constant_values=1.0)
        half = plan.marker_size * 10 / 8 / 2
        name = scene.material(f"marker {number}", printed(bits, rng))
        z = 0.0015  # the thickness of paper is not in the truth
        sheet = quad(
            [[x - half, y - half, z], [x + half, y - half, z], [x + half, y + half, z], [x - half, y + half, z]]
        )
        scene.add(sheet, name)


def grow_tufts(scene: Scene, plan: TablePlan, share: float, rng: Rng) -> None:
    """Tufts of long grass on the open mat."""
    count = rng.poisson(share * plan.width * plan.depth / 12)
    taken = shapely.union_all(
        [p.shape for p in plan.pieces]
        + [shapely.Point(b.x, b.y).buffer(0.7 * max(b.width, b.depth)) for u in plan.units for b in u.bases]
        + [shapely.Point(x, y).buffer(plan.marker_size) for _, x, y in frame_places(plan)]
        + [shapely.Point(t.x, t.y).buffer(0.8) for t in plan.things]
    )
    at = rng.uniform([0.5, 0.5], [plan.width - 0.5, plan.depth - 0.5], (count, 2))
    at = at[~shapely.contains_xy(taken.buffer(0.15), at[:, 0], at[:, 1])] if count else at
    if not len(at):
        return
    scene.material("tufts", trees.grass_palette(rng, ("6f8238", "8a9448", "a09a58", "5a6e30")))
    for k in range(2):
        mesh = trees.tuft(rng)
        own = [place(x, y, -0.01, float(rng.uniform(0, 6.3)), float(rng.uniform(0.12, 0.35))) for x, y in at[k::2]]
        if own:
            scene.add(mesh, "tufts", places=np.array(own))


def light_room(scene: Scene, plan: TablePlan, light: Light, eye: Array, rng: Rng) -> None:
    """Lamps of a kind over the table, and the room about it."""
    aim = (plan.width / 2, plan.depth / 2, 0.0)
    turn = float(rng.uniform(0, 2 * np.pi))

    def lamp(elevation: float, away: float, size: tuple[float, float], color: tuple[float, float, float],
             round_to: float = turn) -> None:  # fmt: skip
        e = np.radians(elevation)
        at = (aim[0] + away * np.cos(e) * np.cos(round_to), aim[1] + away * np.cos(e) * np.sin(round_to),
              away * np.sin(e))  # fmt: skip
        scene.lamps.append(Lamp((float(at[0]), float(at[1]), float(at[2])), aim, size, color))

    warm, cool = (0.62, 0.82, 1.0), (1.0, 0.92, 0.84)
    if light == "room":
        lamp(float(rng.uniform(55, 80)), 70, (30, 30), (0.7, 0.75, 0.8))
        lamp(float(rng.uniform(40, 65)), 90, (24, 24), (0.3, 0.34, 0.38), turn + float(rng.uniform(1.5, 4)))
        level = 0.32
    elif light == "lamp":
        size = float(rng.uniform(2.5, 6))
        lamp(float(rng.uniform(35, 70)), float(rng.uniform(45, 75)), (size, size), warm)
        level = 0.16
    elif light == "window":
        lamp(float(rng.uniform(22, 42)), 95, (45, 60), cool)
        level = 0.22
    elif light == "coloured":
        tints = [(1.0, 0.5, 0.35), (0.35, 0.55, 1.0), (0.9, 0.4, 0.9), (0.5, 0.9, 0.5)]
        first, second = rng.permutation(4)[:2]
        lamp(float(rng.uniform(40, 65)), 60, (8, 8), tints[int(first)])
        lamp(float(rng.uniform(35, 60)), 70, (10, 10), tints[int(second)], turn + 2.4)
        lamp(75, 70, (30, 30), (0.35, 0.35, 0.35), turn + 1.0)
        level = 0.14
    else:
        spot = np.array(aim[:2]) + rng.normal(0, 0.22, 2) * [plan.width, plan.depth]
        beyond = np.append(spot - eye[:2], eye[2])
        at = np.append(spot, 0.0) + 62 * beyond / np.linalg.norm(beyond)
        size = float(rng.uniform(6, 16))
        scene.lamps.append(Lamp((float(at[0]), float(at[1]), float(at[2])), aim, (size, 0.6 * size), (0.9, 0.95, 1.0)))
        level = 0.3
    tint = np.exp(rng.normal(0, 0.06, 3))
    scene.room = (level * float(tint[0]), level * float(tint[1]), level * float(tint[2]))
    scene.surroundings = _surroundings(rng, scene.room)


def _surroundings(rng: Rng, level: tuple[float, float, float]) -> Float32:
    """The room all round (r, c, 3), floor at the bottom: walls, a ceiling, windows, shelves."""
    rows, columns = 64, 128
    picture = np.ones((rows, columns, 3), np.float32)
    height = np.linspace(1, -1, rows)[:, None, None]
    picture *= np.where(height > 0.45, 1.5, np.where(height > -0.1, 0.75, 0.4)).astype(np.float32)
    for _ in range(int(rng.integers(2, 6))):
        a, c = int(rng.integers(4, 30)), int(rng.integers(columns - 14))
        bright = float(rng.choice([0.2, 0.4, 3.0, 5.0]))
        picture[a : a + int(rng.integers(6, 16)), c : c + int(rng.integers(5, 14))] = bright
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.float32)
    return np.asarray(picture / picture[: rows // 2].mean() * np.array(level, np.float32), np.float32)
