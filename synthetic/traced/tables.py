"""Whole traced photographs: a random table of a family, modelled, lit and rendered, with its truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import shapely

from calibration import TableView
from synthetic.camera import Shot, view_of
from synthetic.develop import Development, develop, jpeg, open_jpeg
from synthetic.layers import Array, Float32
from synthetic.paint import BaseTop, hill_of, outline_of
from synthetic.patches import Rng
from synthetic.phones import choose_viewpoint, random_phone, with_exif
from synthetic.plan import random_plan
from synthetic.planned import Piece, PlannedUnit, TablePlan
from synthetic.tables import DrawnPhoto
from synthetic.traced.cycles import Sight, render
from synthetic.traced.families import FAMILIES, STUFFS, Family, Light
from synthetic.traced.ground import Ground
from synthetic.traced.room import grow_tufts, lay_frame, lay_mat, light_room
from synthetic.traced.scene import Scene
from synthetic.traced.stuffs import material_of
from synthetic.traced.terrain import Builder, bases_of, with_stands
from synthetic.traced.things import lay_things
from synthetic.traced.units import stand_units
from synthetic.truth import spots_within, table_file, told_truth
from synthetic.wishes import Wish, development_for

_SEEN = 0.45  # a piece of which roads and bases leave less to see is left out
_UNEVEN_IN = 0.22  # a base on ground that differs by more than this is on a slope, where no unit is put


@dataclass(frozen=True, eq=False)
class TracedTable:
    """A modelled table before it is rendered: its ``plan`` (without things that found no room), the ``scene`` and where
    the bases' tops are; ``heights`` of the ground under its things by their number."""

    family: str
    light: Light
    plan: TablePlan
    scene: Scene
    tops: list[BaseTop]
    heights: dict[int, float]
    shot: Shot
    view: TableView
    quality: int
    orientation: int


def model_table(
    seed: int, name: str, wish: Wish | None = None, kit: int | None = None, plan: TablePlan | None = None
) -> TracedTable:
    """The modelled table of a seed and a family; the same for the same seed, family and wish.

    ``kit``: tables of the same number use one player's things, the same mat, trees, houses and stuffs. With
    a ``plan`` it is that table, and not a random one.
    """
    wish, family = wish or Wish(), FAMILIES[name]
    number = sum(name.encode())
    # Every choice has its own random generator, so that an option for one thing leaves the others unchanged.
    of_plan, of_phone, of_place, of_light, of_mat, of_terrain, of_units = (
        np.random.default_rng([seed, number, 11, k]) for k in range(7)
    )
    if kit is not None:
        family, of_mat = family.owned(kit), np.random.default_rng([kit, number, 11, 4])
    plan = _furnished(plan or _random_plan(of_plan, wish), family, of_plan)
    focal_35mm, distortion, size, quality, orientation = random_phone(of_phone, wish)
    shot = choose_viewpoint(of_place, plan, size, focal_35mm, distortion, wish)
    view = view_of(shot)
    scene = Scene()
    below, top = lay_mat(scene, plan, family, of_mat)
    plan = replace(plan, things=tuple(t for t in plan.things if top.buffer(-1.6).contains(shapely.Point(t.x, t.y))))
    builder = Builder(scene, plan, family, of_terrain, Ground())
    builder.build()
    for basing in family.basing:
        scene.material(basing, material_of(STUFFS[basing], of_units, 6.0, 60.0))
    units, under = _standing(plan, builder.ground)
    plan = replace(plan, units=units)
    if plan.frame:
        lay_frame(scene, plan, of_mat)
    stand_units(scene, plan, under, family.basing, of_units)
    heights = lay_things(scene, plan, builder.ground, below, top)
    if family.tufts:
        grow_tufts(scene, plan, family.tufts, of_terrain)
    light = family.lights[int(of_light.integers(len(family.lights)))]
    light_room(scene, plan, light, view.eye, of_light)
    tops: list[BaseTop] = []
    for unit in plan.units:
        for k, base in enumerate(unit.bases):
            z = under[unit.id, k]
            flat = outline_of(base)
            top = np.column_stack([flat, np.full(len(flat), z + base.thickness)])
            tops.append(BaseTop(len(tops) + 1, unit, base, z, top))
    return TracedTable(name, light, plan, scene, tops, heights, shot, view, quality, orientation)


def _random_plan(rng: Rng, wish: Wish) -> TablePlan:
    """A table with something on it: of some random ones the first with four areas of terrain of three kinds.

    What is hidden under roads and bases for the most part is left out.
    """
    for _ in range(12):
        plan = random_plan(rng, size=wish.size, rims=wish.rims, tags=wish.tags, frame=wish.frame)
        areas = [piece.kind for piece in plan.pieces if piece.way is None and piece.kind != "bridge"]
        if len(areas) >= 4 and len(set(areas)) >= 3:
            break
    over = [p.shape for p in plan.pieces if p.kind in ("road", "river")] + [bases_of(plan)]
    bare = shapely.box(0, 0, plan.width, plan.depth).difference(shapely.union_all(over))
    seen = [p for p in plan.pieces if p.way is not None or p.shape.intersection(bare).area > _SEEN * p.shape.area
            or p.kind == "bridge"]  # fmt: skip
    return replace(plan, pieces=tuple(seen))


def _furnished(plan: TablePlan, family: Family, rng: Rng) -> TablePlan:
    """The plan with hills of the family's styles, trees and houses."""
    plan = replace(plan, pieces=tuple(_piece_for(piece, family) for piece in plan.pieces))
    return replace(plan, pieces=tuple(with_stands(piece, plan, rng) for piece in plan.pieces))


def _piece_for(piece: Piece, family: Family) -> Piece:
    """The piece, a hill of a style that the family has."""
    if piece.kind != "hill":
        return piece
    for step in range(60):
        changed = replace(piece, seed=piece.seed + step)
        if hill_of(changed).style in family.hill_styles:
            return changed
    return piece


def _standing(plan: TablePlan, ground: Ground) -> tuple[tuple[PlannedUnit, ...], dict[tuple[str, int], float]]:
    """The units with all bases on level ground, and the height under each base, by its unit's name and its number."""
    units: list[PlannedUnit] = []
    heights: dict[tuple[str, int], float] = {}
    for unit in plan.units:
        spans = [ground.under(base) for base in unit.bases]
        if any(high - low > _UNEVEN_IN for low, high in spans):
            continue
        units.append(unit)
        heights |= {(unit.id, k): high for k, (_, high) in enumerate(spans)}
    return tuple(units), heights


def trace(seed: int, family: str, wish: Wish | None = None, *, kit: int | None = None, plan: TablePlan | None = None,
          samples: int = 12, scale: float = 0.9, threads: int = 2) -> DrawnPhoto:  # fmt: skip
    """The traced photograph of a seed and a family, of one player's things where a ``kit`` is named, of a ``plan``
    instead of a random table where there is one; needs Blender's module."""
    wish = wish or Wish()
    table = model_table(seed, family, wish, kit, plan)
    of_picture = np.random.default_rng([seed, 13])
    light = render(table.scene, table.view, samples=samples, scale=scale, threads=threads, seed=seed % 2**31)
    upright = develop(light, development_of(wish, light, of_picture), of_picture)
    stored = cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE) if table.orientation == 6 else upright
    data = jpeg(np.asarray(stored, np.uint8), table.quality)
    image = open_jpeg(data)
    if table.orientation == 6:
        image = np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    name = f"traced-{family}-{seed:04d}"
    truth = truth_of_table(table, name, seed, Sight(table.scene, table.view.eye))
    told = with_exif(data, table.shot.focal_35mm, table.orientation)
    return DrawnPhoto(name, image, truth, table_file(table.plan), table.view, table.shot.focal_35mm, told)


def development_of(wish: Wish, light: Float32, rng: Rng) -> Development:
    """A phone's way with the light, nearer to good pictures than the drawn tables'.

    The light itself is uneven, and the exposure leaves a bright mat short of white.
    """
    how = development_for(wish, rng)
    level = light[::8, ::8].mean(axis=2)
    high, mat = float(np.percentile(level, 97)), float(np.percentile(level, 85))
    exposure = min(float(np.clip(how.exposure, 0.55, 0.95)), float(rng.uniform(0.35, 0.6)) * high / max(mat, 1e-6))
    return replace(how, uneven=0.2 * how.uneven, exposure=exposure, shake_px=0.0)


def truth_of_table(table: TracedTable, name: str, seed: int, sight: Sight) -> dict[str, object]:
    """The truth (JSON) of a modelled table as the camera sees it."""

    def share_seen(outline: Array) -> float:
        spots = spots_within(outline[:, :2])
        if not len(spots):
            return 0.0
        z = float(outline[:, 2].mean()) + 0.006  # over the paper of a tag
        return round(float(1.0 - sight.hidden(np.column_stack([spots, np.full(len(spots), z)])).mean()), 4)

    numbers = {id(thing): k for k, thing in enumerate(table.plan.things)}
    return told_truth(
        table.plan,
        table.tops,
        table.shot,
        table.view,
        name,
        seed,
        table.orientation,
        share_seen=share_seen,
        height=lambda thing: table.heights[numbers[id(thing)]],
        parameters={
            "traced": True,
            "family": table.family,
            "split": FAMILIES[table.family].split,
            "light": table.light,
            "rims": bool(table.plan.rims),
            "frame": table.plan.frame,
        },
    )
