"""The phones that photographs are taken with: lens, size of the picture, where they are held, what their files say."""

from __future__ import annotations

import numpy as np
from PIL import Image as PIL_Image

from synthetic.camera import Shot, view_of
from synthetic.planned import TablePlan
from synthetic.wishes import Wish

_SIZES = {5: (2592, 1944), 8: (3264, 2448), 12: (4032, 3024), 16: (4608, 3456), 24: (5712, 4284)}
_EXIF_IFD, _FOCAL_LENGTH_35MM, _ORIENTATION, _MAKE, _MODEL = 0x8769, 0xA405, 0x0112, 0x010F, 0x0110


def random_phone(
    rng: np.random.Generator, wish: Wish
) -> tuple[float, tuple[float, float, float, float, float], tuple[int, int], int, int]:
    """Focal length, distortion, the upright picture's size, JPEG quality and EXIF orientation."""
    focal_35mm = float(rng.choice([24.0, 26.0, 26.0, 28.0])) * float(rng.normal(1.0, 0.004))
    bend, second = float(rng.normal(0.03, 0.04)), float(rng.normal(0, 0.01))
    bend = float(np.clip(bend, -0.15, 0.15)) if wish.distortion is None else float(wish.distortion)
    slip = rng.normal(0, 3e-4, 2)
    distortion = (bend, -1.4 * bend + second, float(slip[0]), float(slip[1]), 0.0)
    million = float(rng.choice(list(_SIZES)))
    tall, quality = bool(rng.random() < 0.2), int(rng.integers(80, 97))
    million = million if wish.megapixels is None else float(wish.megapixels)
    plain = (round(np.sqrt(million * 1e6 * 4 / 3)), round(np.sqrt(million * 1e6 * 0.75)))
    width, height = _SIZES.get(int(million), plain) if million == int(million) else plain
    orientation = wish.orientation or 1
    # A phone held upright stores a turned picture.
    size = (height, width) if tall or orientation == 6 else (width, height)
    return focal_35mm, distortion, size, quality if wish.jpeg is None else wish.jpeg, orientation


def choose_viewpoint(
    rng: np.random.Generator,
    plan: TablePlan,
    size: tuple[int, int],
    focal_35mm: float,
    distortion: tuple[float, float, float, float, float],
    wish: Wish,
) -> Shot:
    """A hand-held viewpoint from which the whole table is in the picture, not much more."""
    elevation, azimuth = float(rng.uniform(25, 90)), float(rng.normal(0, 15))
    weights = np.array([plan.width, plan.depth, plan.width, plan.depth]) ** 2
    azimuth += float(rng.choice([0.0, 90.0, 180.0, 270.0], p=weights / weights.sum()))
    elevation = elevation if wish.elevation_deg is None else wish.elevation_deg
    azimuth = azimuth if wish.azimuth_deg is None else wish.azimuth_deg
    aim = (plan.width / 2 + float(rng.normal(0, 0.8)), plan.depth / 2 + float(rng.normal(0, 0.8)))
    roll = float(rng.normal(0, 3))
    distance = 0.8 * max(plan.width, plan.depth)
    corners = np.array([[x, y, 0.0] for x in (-0.4, plan.width + 0.4) for y in (-0.4, plan.depth + 0.4)])
    edge = 0.004 * max(size)
    while True:
        shot = Shot(azimuth, elevation, distance, roll, aim, size, focal_35mm, distortion)
        view = view_of(shot)
        ahead = (corners @ view.R.T + view.t)[:, 2]
        pixels = view.pixel_from_table(corners)
        if np.all(ahead > 1) and np.all(pixels > edge) and np.all(pixels < np.array(size) - 1 - edge):
            return shot
        distance *= 1.03


def with_exif(data: bytes, focal_35mm: float, orientation: int) -> bytes:
    """A JPEG file with EXIF: who made it, its focal length and orientation."""
    exif = PIL_Image.Exif()
    exif[_MAKE], exif[_MODEL], exif[_ORIENTATION] = "Drawn", "Tabletop", orientation
    exif.get_ifd(_EXIF_IFD)[_FOCAL_LENGTH_35MM] = round(focal_35mm)
    payload = exif.tobytes()
    segment = b"\xff\xe1" + (len(payload) + 2).to_bytes(2, "big") + payload
    return data[:2] + segment + data[2:]
