"""Whole test photographs: a random table, painted, lit and photographed from a random place, with its exact truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import TableView
from synthetic.camera import Shot, photograph, view_of
from synthetic.develop import Image, develop, jpeg, open_jpeg
from synthetic.layers import Array, Float32, Layers, Window
from synthetic.look import Light, Shade, light_layers
from synthetic.mats import paint_outside
from synthetic.paint import fits, paint
from synthetic.phones import choose_viewpoint, random_phone, with_exif
from synthetic.plan import random_plan
from synthetic.planned import HAND_IN, TablePlan
from synthetic.truth import table_file, truth_of
from synthetic.ways import glare
from synthetic.wishes import Wish, development_for, dice_for, hand_for, light_for, outlines_for, rims_for, shade_for

__all__ = ["DrawnPhoto", "Wish", "draw", "draw_views"]

_MARGIN_IN = 3.0  # of table top that is painted as finely as the mat


@dataclass(frozen=True, eq=False)
class DrawnPhoto:
    """A drawn photograph: upright BGR ``image``, its ``truth`` (JSON, as for the given test photographs), the
    ``table`` file (TOML), the true ``view`` and the JPEG ``data`` that the image was read back from."""

    name: str
    image: Image
    truth: dict[str, Any]
    table: str
    view: TableView
    focal_35mm: float
    data: bytes

    def write(self, folder: Path) -> None:
        """NAME.jpg (with the focal length in its EXIF), NAME.json and NAME.table.toml in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.jpg").write_bytes(self.data)
        (folder / f"{self.name}.json").write_text(json.dumps(self.truth, indent=1) + "\n", encoding="utf-8")
        (folder / f"{self.name}.table.toml").write_text(self.table, encoding="utf-8")


def draw(seed: int, wish: Wish | None = None) -> DrawnPhoto:
    """The drawn photograph of a seed: the same seed and wish give the same picture, bit for bit on one machine."""
    return draw_views(seed, 1, wish)[0]


def draw_views(
    seed: int, count: int, wish: Wish | None = None, *, plan: TablePlan | None = None, moment: int = 0
) -> list[DrawnPhoto]:
    """Several photographs of one drawn table by one phone in one light, from different places.

    With a ``plan`` it is that table, and not a random one. At another ``moment`` the phone and the mat are the same;
    the light, the places it is held at and who is in the way are others.
    """
    wish = wish or Wish()
    # Every choice has its own random generator, so that an option for one thing leaves the others unchanged.
    of_plan, of_phone, of_dice = (np.random.default_rng([seed, 7, k]) for k in (0, 1, 7))
    of_place, of_light, of_picture, of_shade, of_hand = (
        np.random.default_rng([seed, 7, k, moment] if moment else [seed, 7, k]) for k in range(2, 7)
    )
    plan = plan or random_plan(of_plan, size=wish.size, rims=wish.rims, tags=wish.tags, frame=wish.frame)
    plan = dice_for(wish, outlines_for(wish, rims_for(wish, plan)), of_dice)
    hand = hand_for(wish, plan, of_hand)
    if hand is not None:
        plan = replace(plan, things=(*plan.things, hand))
    focal_35mm, distortion, size, quality, orientation = random_phone(of_phone, wish)
    shots = [choose_viewpoint(of_place, plan, size, focal_35mm, distortion, wish) for _ in range(count)]
    window = _window(plan, shots)
    plan = replace(plan, things=tuple(t for t in plan.things if t.what == "hand" or fits(t, window)))
    layers, tops = paint(plan, window, int(of_plan.integers(2**31)))
    x, y = window.places()
    # The surroundings of the mat are dull there, as they are drawn further out.
    layers.gloss[(x < 0) | (x > plan.width) | (y < 0) | (y > plan.depth)] = 0.0
    light, shade = light_for(wish, of_light), shade_for(wish, plan, of_shade)
    how = development_for(wish, of_picture)
    colors = light_layers(layers, light, of_light, shade)
    around = _surroundings(plan, light, shade)
    out = []
    for k, shot in enumerate(shots):
        view = view_of(shot)
        shine = glare(layers, (float(view.eye[0]), float(view.eye[1]), float(view.eye[2])), light, of_light)
        shiny = (colors[0] + shine[..., None], colors[1], colors[2]) if shine.any() else colors
        received = photograph(layers, shiny, view, around=around)
        upright = develop(received, how, of_picture)
        del received, shiny
        stored = cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE) if orientation == 6 else upright
        data = jpeg(np.asarray(stored, np.uint8), quality)
        image = open_jpeg(data)
        if orientation == 6:
            image = np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8)
        name = f"drawn-{seed:04d}" + (f"-{k + 1}" if count > 1 else "")
        truth = truth_of(plan, layers, tops, shot, view, name, seed, orientation)
        told = with_exif(data, focal_35mm, orientation)
        out.append(DrawnPhoto(name, image, truth, table_file(plan), view, focal_35mm, told))
    return out


def _window(plan: TablePlan, shots: list[Shot]) -> Window:
    """The table and a margin, at the pixels per inch that the pictures mostly show, as far as memory allows."""
    low, high = np.full(2, -_MARGIN_IN), np.array([plan.width, plan.depth]) + _MARGIN_IN
    for thing in plan.things:
        if thing.what == "hand":  # with its arm
            reach = HAND_IN / 2 * np.abs([np.sin(thing.turn_rad), np.cos(thing.turn_rad)]) + 2.5
            middle = np.array([thing.x, thing.y])
            low, high = np.minimum(low, middle - reach), np.maximum(high, middle + reach)
    wide, deep = (float(side) for side in high - low)
    million = max(shot.size[0] * shot.size[1] for shot in shots) / 1e6
    most = np.sqrt((2.0 + 0.17 * million) * 1e6 / (wide * deep))
    ppi = float(np.clip(min(max(_scale(shot, plan) for shot in shots), most), 10.0, 80.0))
    return Window(float(low[0]), float(low[1]), wide, deep, ppi)


def _scale(shot: Shot, plan: TablePlan) -> float:
    """Pixels per inch across the line of sight, the median over the table."""
    view = view_of(shot)
    places = np.array(
        [[x, y, 0.0] for x in (0.0, plan.width / 2, plan.width) for y in (0.0, plan.depth / 2, plan.depth)]
    )
    each: list[Array] = []
    for half in ([0.5, 0, 0], [0, 0.5, 0]):
        ends = view.pixel_from_table(places + half), view.pixel_from_table(places - half)
        each.append(np.linalg.norm(ends[0] - ends[1], axis=1))
    return float(np.median(np.max(each, axis=0)))


def _surroundings(plan: TablePlan, light: Light, shade: Shade | None) -> tuple[Window, Float32]:
    """The table's surroundings, coarsely, as the lamp and the room light them."""
    wide = Window(-40.0, -40.0, plan.width + 80, plan.depth + 80, 8.0)
    around = Layers.empty(wide)
    paint_outside(around, np.random.default_rng(plan.mat_seed + 3), (plan.width, plan.depth))
    taken = np.zeros(wide.shape, np.float32) if shade is None else shade.over(wide)
    sky, sun = np.array(light.sky, np.float32), np.array(light.sun, np.float32) * np.float32(light.towards[2])
    shone = sky * (1 - np.float32(0.35) * taken)[..., None] + sun * (1 - taken)[..., None]
    return wide, np.asarray(around.ground * shone, np.float32)
