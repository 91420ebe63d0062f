"""Whole test photographs: a random table, painted, lit and photographed from a random place, with its exact truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image as PIL_Image

from calibration import TableView
from vision.drawn.camera import Shot, photograph, view_of
from vision.drawn.develop import Image, develop, random_development, through_jpeg
from vision.drawn.layers import Layers, Window
from vision.drawn.look import lit
from vision.drawn.mats import paint_outside
from vision.drawn.paint import paint, random_light
from vision.drawn.plan import TablePlan, random_plan
from vision.drawn.truth import table_file, truth_of
from vision.drawn.ways import glare

_SIZES = {5: (2592, 1944), 8: (3264, 2448), 12: (4032, 3024), 16: (4608, 3456), 24: (5712, 4284)}


@dataclass(frozen=True)
class Wish:
    """What a drawn photograph shall be like; ``None`` is left to chance.

    ``size``: of the table in inches; ``rims``, ``tags``, ``frame``: whether bases have painted rims, unit tags, and the
    table frame markers; ``elevation_deg``: of the camera over the middle of the table, 25 to 90; ``megapixels``: one of
    5, 8, 12, 16, 24 (or any other whole number for smaller pictures); ``jpeg``: its quality.
    """

    size: tuple[float, float] | None = None
    rims: bool | None = None
    tags: bool | None = None
    frame: bool | None = None
    elevation_deg: float | None = None
    megapixels: float | None = None
    jpeg: int | None = None


@dataclass(frozen=True, eq=False)
class DrawnPhoto:
    """A drawn photograph: upright BGR ``image``, its ``truth`` (JSON, as for the given test photographs), the
    ``table`` file (TOML) and the true ``view``."""

    name: str
    image: Image
    truth: dict[str, Any]
    table: str
    view: TableView
    focal_35mm: float

    def write(self, folder: Path) -> None:
        """NAME.jpg (with the focal length in its EXIF), NAME.json and NAME.table.toml in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        picture = PIL_Image.fromarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2RGB))
        exif = PIL_Image.Exif()
        exif.get_ifd(0x8769)[0xA405] = round(self.focal_35mm)  # FocalLengthIn35mmFilm
        exif[0x010F], exif[0x0110] = "Drawn", "Tabletop"
        picture.save(folder / f"{self.name}.jpg", quality=95, exif=exif)
        (folder / f"{self.name}.json").write_text(json.dumps(self.truth, indent=1), encoding="utf-8")
        (folder / f"{self.name}.table.toml").write_text(self.table, encoding="utf-8")


def draw(seed: int, wish: Wish | None = None) -> DrawnPhoto:
    """The drawn photograph of a seed: the same seed and wish give the same picture, bit for bit on one machine.

    Raises ValueError for an elevation outside 25 to 90 degrees.
    """
    return draw_views(seed, 1, wish)[0]


def draw_views(seed: int, count: int, wish: Wish | None = None) -> list[DrawnPhoto]:
    """Several photographs of one drawn table by one phone in one light, from different places."""
    wish = wish or Wish()
    if wish.elevation_deg is not None and not 25.0 <= wish.elevation_deg <= 90.0:
        raise ValueError(f"A camera {wish.elevation_deg} degrees over the table is not drawn; 25 to 90 are.")
    rng = np.random.default_rng([seed, 7])
    plan = random_plan(rng, size=wish.size, rims=wish.rims, tags=wish.tags, frame=wish.frame)
    size = _picture_size(rng, wish)
    phone = float(rng.choice([24.0, 26.0, 26.0, 28.0])) * float(rng.normal(1.0, 0.004))
    bend = float(rng.normal(0.03, 0.04))
    distortion = (
        bend,
        float(-1.4 * bend + rng.normal(0, 0.01)),
        float(rng.normal(0, 3e-4)),
        float(rng.normal(0, 3e-4)),
        0.0,
    )
    shots = [_shot(rng, plan, size, phone, distortion, wish) for _ in range(count)]
    margin = 4.0
    ppi = float(
        np.clip(max(_scale(shot, plan) for shot in shots), 12.0, 2800.0 / (max(plan.width, plan.depth) + 2 * margin))
    )
    window = Window(-margin, -margin, plan.width + 2 * margin, plan.depth + 2 * margin, ppi)
    layers, tops = paint(plan, window, int(rng.integers(2**31)))
    wide = Window(-40.0, -40.0, plan.width + 80, plan.depth + 80, 8.0)
    around = Layers.empty(wide)
    paint_outside(around, np.random.default_rng(plan.mat_seed + 3), (plan.width, plan.depth))
    light = random_light(rng)
    how = random_development(rng)
    colors = lit(layers, light, rng)
    dimmed = around.ground * (np.array(light.sky, np.float32) + np.array(light.sun, np.float32) * light.towards[2])
    out = []
    for k, shot in enumerate(shots):
        view = view_of(shot)
        eye = (float(view.eye[0]), float(view.eye[1]), float(view.eye[2]))
        shiny = (colors[0] + glare(layers, eye, light, rng)[..., None], colors[1], colors[2])
        received = photograph(layers, shiny, view, size, around=(wide, dimmed))
        image = through_jpeg(develop(received, how, rng), wish.jpeg or int(rng.integers(80, 97)))
        name = f"drawn-{seed:04d}" + (f"-{k + 1}" if count > 1 else "")
        truth = truth_of(plan, layers, tops, shot, view, name, seed)
        out.append(DrawnPhoto(name, image, truth, table_file(plan), view, phone))
    return out


def _picture_size(rng: np.random.Generator, wish: Wish) -> tuple[int, int]:
    million = wish.megapixels or int(rng.choice(list(_SIZES)))
    width, height = _SIZES.get(
        int(million), (round(np.sqrt(million * 1e6 * 4 / 3)), round(np.sqrt(million * 1e6 * 0.75)))
    )
    return (height, width) if rng.random() < 0.2 else (width, height)


def _shot(
    rng: np.random.Generator,
    plan: TablePlan,
    size: tuple[int, int],
    focal_35mm: float,
    distortion: tuple[float, float, float, float, float],
    wish: Wish,
) -> Shot:
    """A hand-held viewpoint from which the whole table is in the picture, not much more."""
    elevation = wish.elevation_deg if wish.elevation_deg is not None else float(rng.uniform(25, 90))
    sides = np.array([0.0, 90.0, 180.0, 270.0])
    weights = np.array([plan.width, plan.depth, plan.width, plan.depth]) ** 2
    azimuth = float(rng.choice(sides, p=weights / weights.sum())) + float(rng.normal(0, 15))
    aim = (plan.width / 2 + float(rng.normal(0, 0.8)), plan.depth / 2 + float(rng.normal(0, 0.8)))
    roll = float(rng.normal(0, 3))
    distance = 0.8 * max(plan.width, plan.depth)
    corners = np.array([[x, y, 0.0] for x in (-0.4, plan.width + 0.4) for y in (-0.4, plan.depth + 0.4)])
    while True:
        shot = Shot(azimuth, elevation, distance, roll, aim, size, focal_35mm, distortion)
        view = view_of(shot)
        ahead = (corners @ view.R.T + view.t)[:, 2]
        pixels = view.pixel_from_table(corners)
        if np.all(ahead > 1) and np.all(pixels > 15) and np.all(pixels < np.array(size) - 16):
            return shot
        distance *= 1.03


def _scale(shot: Shot, plan: TablePlan) -> float:
    """Pixels per inch where the table is nearest to the camera."""
    view = view_of(shot)
    places = np.array(
        [[x, y, 0.0] for x in (0.0, plan.width / 2, plan.width) for y in (0.0, plan.depth / 2, plan.depth)]
    )
    right = view.pixel_from_table(places + [0.5, 0, 0]) - view.pixel_from_table(places - [0.5, 0, 0])
    ahead = view.pixel_from_table(places + [0, 0.5, 0]) - view.pixel_from_table(places - [0, 0.5, 0])
    return float(max(np.linalg.norm(right, axis=1).max(), np.linalg.norm(ahead, axis=1).max()))
