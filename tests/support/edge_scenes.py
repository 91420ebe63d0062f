"""Drawn photographs of a mat on a table in a room, without markers, for finding the table's edges.

A ray is cast through every pixel: floor, table top, mat and clutter that lies over the edges are flat colours with
grain; the truth is what was drawn.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Camera, TableView
from calibration.lens_prior import exif_prior
from vision.imaging.photo import Photo

Array = npt.NDArray[np.float64]

MATS = ((96, 118, 62), (196, 168, 112), (72, 84, 60), (150, 146, 138), (60, 104, 130), (205, 205, 200))
TABLES = ((112, 72, 44), (176, 140, 98), (220, 218, 212), (60, 52, 48), (140, 110, 76))
FLOORS = ((70, 70, 74), (150, 128, 96), (120, 60, 52), (190, 186, 176))
FOCAL_35MM = 26.0


@dataclass(frozen=True, eq=False)
class EdgeScene:
    """A drawn photo with the ``view`` that took it and the mat's true corners in pixels (4, 2): near-left, near-right,
    far-right, far-left."""

    photo: Photo
    view: TableView
    corners: Array


@dataclass(frozen=True)
class SceneStyle:
    """What is drawn: a ``mat`` (or a bare table top), pieces of ``clutter`` over its edges, ``grain`` of the mat in
    grey levels, camera ``elevation_deg``, how many mat lengths away it stands and how far off the middle it aims;
    ``over`` times oversampled."""

    mat: bool = True
    clutter: int = 6
    grain: float = 10.0
    elevation_deg: tuple[float, float] = (42.0, 85.0)
    nearness: tuple[float, float] = (1.25, 1.7)
    aim_in: float = 1.5
    size: tuple[int, int] = (1200, 900)
    margins_in: tuple[float, float] = (3.0, 12.0)
    planks: bool = True
    over: int = 2
    seen: bool = True


def draw_scene(seed: int, table_in: tuple[float, float] = (36.0, 36.0), style: SceneStyle | None = None) -> EdgeScene:
    """A random scene; all four corners are in view where ``style.seen``."""
    style = style or SceneStyle()
    rng = np.random.default_rng(seed)
    for _ in range(200):
        view = _random_view(rng, table_in, style)
        corners = view.pixel_from_table(_outline(table_in))
        inside = np.all((corners > 12) & (corners < np.array(style.size) - 12), axis=1)
        if not style.seen or inside.all():
            break
    image = _painted(rng, view, table_in, style)
    return EdgeScene(Photo(image, f"drawn-{seed}.png", "", focal_35mm=FOCAL_35MM), view, corners)


def _outline(table_in: tuple[float, float]) -> Array:
    w, d = table_in
    return np.array([[0, 0, 0], [w, 0, 0], [w, d, 0], [0, d, 0]], dtype=np.float64)


def _random_view(rng: np.random.Generator, table_in: tuple[float, float], style: SceneStyle) -> TableView:
    prior = exif_prior(style.size, FOCAL_35MM)
    parameters = prior.mean + prior.root @ np.clip(rng.normal(size=9), -1.5, 1.5)
    w, d = table_in
    elevation, azimuth = np.radians(rng.uniform(*style.elevation_deg)), np.radians(rng.uniform(-180, 180))
    distance = np.hypot(w, d) * parameters[0] / max(style.size) * rng.uniform(*style.nearness)
    target = np.array([w / 2, d / 2, 0.0]) + np.array([*rng.normal(0.0, style.aim_in, 2), 0.0])
    eye = target + distance * np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    ahead = (target - eye) / distance
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    R = np.stack([right, np.cross(ahead, right), ahead])
    roll = np.radians(rng.normal(0.0, 3.0))
    R = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]) @ R
    return TableView(Camera.from_parameters(parameters, style.size), R, -R @ eye)


def _painted(
    rng: np.random.Generator, view: TableView, table_in: tuple[float, float], style: SceneStyle
) -> npt.NDArray[np.uint8]:
    over = style.over
    width, height = style.size
    columns, rows = np.meshgrid(
        (np.arange(width * over) + 0.5) / over - 0.5, (np.arange(height * over) + 0.5) / over - 0.5
    )
    # rays on a coarse grid: the lens bends smoothly
    step = 16
    coarse = view.point_from_pixel(np.stack([columns[::step, ::step], rows[::step, ::step]], 2).reshape(-1, 2), 0.0)
    coarse = np.nan_to_num(coarse.reshape(*columns[::step, ::step].shape, 2), nan=1e4).astype(np.float32)
    small = np.stack(np.meshgrid(np.arange(width * over) / step, np.arange(height * over) / step), 2).astype(np.float32)
    xy = cv2.remap(coarse, small[..., 0], small[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    x, y = xy[..., 0], xy[..., 1]
    w, d = table_in
    mat, top, floor = (np.array(_pick(rng, c), np.float32) for c in (MATS, TABLES, FLOORS))
    while np.abs(mat - top).max() < 45:
        mat = np.array(_pick(rng, MATS), np.float32)
    while np.abs(floor - top).max() < 45:
        floor = np.array(_pick(rng, FLOORS), np.float32)
    picture = np.broadcast_to(floor, (*x.shape, 3)).copy()
    picture += _grain(rng, x.shape, 8.0)
    m = rng.uniform(*style.margins_in, 4) if style.mat else np.zeros(4)
    wood = (x > -m[0]) & (x < w + m[1]) & (y > -m[2]) & (y < d + m[3])
    tone = 1 + (0.06 * rng.normal(size=64)[np.clip((y + 40) / 5, 0, 63).astype(int)] if style.planks else 0 * x)
    seam = np.where(np.mod(y + 40, 5) < 0.06, 0.7, 1.0) if style.planks else 1.0
    wooden = top * (tone * seam)[..., None] + _grain(rng, x.shape, 4.0)
    picture[wood] = wooden[wood]
    on = (x > 0) & (x < w) & (y > 0) & (y < d)
    if style.mat:
        picture[on] = (mat + _grain(rng, x.shape, style.grain))[on]
    road = np.abs(y - d * rng.uniform(0.3, 0.7) - 2 * np.sin(x / 7)) < 1.0
    picture[road & on] = (np.array([150, 124, 84]) + _grain(rng, x.shape, 5.0))[road & on]
    for _ in range(10):
        cx, cy = rng.uniform(1, w - 1), rng.uniform(1, d - 1)
        picture[(np.abs(x - cx) < 1) & (np.abs(y - cy) < 0.6)] = rng.uniform(20, 230, 3)
    for _ in range(style.clutter):
        _drop(rng, picture, x, y, table_in)
    shade = 1 + rng.normal(0, 0.12) * (columns / columns.max() - 0.5) + rng.normal(0, 0.12) * (rows / rows.max() - 0.5)
    picture = cv2.resize(picture * shade[..., None].astype(np.float32), style.size, interpolation=cv2.INTER_AREA)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6) + rng.normal(0, 2.0, picture.shape)
    return np.clip(picture[..., ::-1], 0, 255).astype(np.uint8)


def _pick(rng: np.random.Generator, colours: tuple[tuple[int, int, int], ...]) -> tuple[int, int, int]:
    return colours[int(rng.integers(len(colours)))]


def _grain(rng: np.random.Generator, shape: tuple[int, ...], sigma: float) -> npt.NDArray[np.float32]:
    """Noise at two scales, the same for all three colours."""
    fine = cv2.resize(rng.normal(0, sigma, (shape[0] // 4, shape[1] // 4)).astype(np.float32), shape[1::-1])
    wide = cv2.resize(rng.normal(0, sigma, (shape[0] // 60, shape[1] // 60)).astype(np.float32), shape[1::-1])
    return (fine + wide)[..., None]


def _drop(
    rng: np.random.Generator,
    picture: npt.NDArray[np.float32],
    x: npt.NDArray[np.float32],
    y: npt.NDArray[np.float32],
    table_in: tuple[float, float],
) -> None:
    """A sheet of paper, a mug or a card somewhere over the table's edge."""
    w, d = table_in
    side, along = int(rng.integers(4)), rng.uniform(0, 1)
    cx, cy = ((along * w, 0.0), (w, along * d), (along * w, d), (0.0, along * d))[side]
    cx, cy, angle = cx + rng.normal(0, 0.8), cy + rng.normal(0, 0.8), rng.uniform(0, np.pi)
    u = np.cos(angle) * (x - cx) + np.sin(angle) * (y - cy)
    v = -np.sin(angle) * (x - cx) + np.cos(angle) * (y - cy)
    a, b = rng.uniform(0.5, 2.5, 2)
    inside = (u / a) ** 2 + (v / b) ** 2 < 1 if rng.random() < 0.4 else (np.abs(u) < a) & (np.abs(v) < b)
    picture[inside] = rng.uniform(20, 240, 3)
