"""Frames of a drawn table as a camera on a stand, or in a hand, would send them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from tests.paths import DATA
from tests.support.table_scenes import RED, DrawnBase, draw_table, expected_for, looking_at
from vision import BaseShape, Expected, ExpectedUnit
from vision.live.frames import Frame

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

FOOT = BaseShape(2.0, 1.25, 0.12)
UNIT = ExpectedUnit("a", "red", "infantry", 3, FOOT, FOOT, 3)
VIEW = looking_at(1000, 750, focal=790.0, distance_in=29.0, elevation_deg=60.0)
ROW = (
    DrawnBase(7.0, 9.0, 20.0, FOOT, RED, tag=3),
    DrawnBase(9.0, 8.2, 20.0, FOOT, RED),
    DrawnBase(11.0, 7.4, 20.0, FOOT, RED),
)
MOVED = tuple(replace(base, y=base.y + 3.0) for base in ROW)
STEP_S = 0.25


def expected() -> Expected:
    """The table of these frames: one unit of three red bases, one of them tagged."""
    return expected_for((UNIT,), tags="DICT_4X4_50")


@lru_cache(maxsize=16)
def table(bases: tuple[DrawnBase, ...] = ROW, view: TableView = VIEW, seed: int = 11) -> Pixels:
    return draw_table(view, list(bases), tags="DICT_4X4_50", seed=seed)


@lru_cache(maxsize=2)
def _grain(height: int, width: int) -> npt.NDArray[np.int16]:
    """Sixteenths of a grey level, normal with a spread of 1."""
    grain = np.random.default_rng(8).normal(0.0, 16.0, (height, width, 3))
    return np.asarray(np.round(grain), np.int16)


def noisy(image: Pixels, seed: int, sigma: float = 2.0) -> Pixels:
    height, width = image.shape[:2]
    down, right = np.random.default_rng(seed).integers((height, width))
    grain = np.roll(_grain(height, width), (down, right), axis=(0, 1))
    return np.asarray(cv2.addWeighted(image, 1.0, grain, sigma / 16.0, 0.0, dtype=cv2.CV_8U), np.uint8)


def with_arm(image: Pixels, reach_in: float, view: TableView = VIEW, x_in: float = 12.0) -> Pixels:
    """An arm in a sleeve and a hand that reach ``reach_in`` over the right edge, 1.5″ above the table."""
    if reach_in <= 0:
        return image
    out = image.copy()
    edge = 18.0
    for start, end, half, color in (
        (edge + 12.0, edge - reach_in + 3.0, 1.6, (120, 60, 40)),
        (edge - reach_in + 3.2, edge - reach_in, 1.3, (140, 170, 215)),
    ):
        corners = [[start, x_in - half], [end, x_in - half], [end, x_in + half], [start, x_in + half]]
        at = view.pixel_from_table(np.column_stack([corners, np.full(4, 1.5)]))
        cv2.fillPoly(out, [np.round(at).astype(np.int32)], color, lineType=cv2.LINE_AA)
    return out


def reaches(most_in: float = 12.0, steps: int = 6, rest: int = 2) -> list[float]:
    """How far an arm reaches in, frame by frame, on its way in and out."""
    way = list(np.linspace(0.0, most_in, steps + 1)[1:])
    return [*way, *[most_in] * rest, *way[::-1]]


def frames(
    images: Iterable[Pixels], start_s: float = 0.0, step_s: float = STEP_S, noise: float = 2.0
) -> Iterator[Frame]:
    """Frames of these pictures, one after another, each with its own noise."""
    for k, image in enumerate(images):
        yield Frame(noisy(image, 1000 + k, noise) if noise else image, start_s + k * step_s, f"frame {k}")


def film(*parts: Sequence[Pixels] | Pixels) -> list[Pixels]:
    """Pictures in a row: a single one stays for two and a half seconds."""
    out: list[Pixels] = []
    for part in parts:
        out += [part] * 10 if isinstance(part, np.ndarray) else list(part)
    return out


def visit(before: Pixels, after: Pixels, most_in: float = 12.0, view: TableView = VIEW) -> list[Pixels]:
    """An arm comes, changes the table while it covers the place, and goes."""
    way = reaches(most_in)
    return [with_arm(before if k < len(way) // 2 else after, far, view) for k, far in enumerate(way)]


def in_a_hand(image: Pixels, k: int, sway_px: float = 4.0) -> Pixels:
    """The same table from a camera that a hand holds: shifted and tilted a little, another way for every ``k``."""
    rng = np.random.default_rng(k)
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.normal(0, sway_px, (1, 2)) + rng.normal(0, sway_px / 4, (4, 2))
    turn = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    return np.asarray(cv2.warpPerspective(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def in_shadow(image: Pixels, at_px: float, soft_px: float = 60.0, depth: float = 0.45) -> Pixels:
    """A shadow that lies left of a slanting line ``at_px`` from the picture's left, its edge ``soft_px`` wide."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    shade = 1 - depth / (1 + np.exp(np.clip((columns + 0.4 * rows - at_px) / soft_px, -50, 50)))
    return np.asarray(image * shade[..., None], np.uint8)


def brighter(image: Pixels, times: float) -> Pixels:
    """The same at another exposure."""
    return np.asarray(np.clip(image * times, 0, 255), np.uint8)


TABLE_TOML = (DATA / "small.table.toml").read_text(encoding="utf-8")
"""The table file of this table."""
