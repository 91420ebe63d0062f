"""Frames of a drawn table as a camera on a stand, or in a hand, would send them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from tests.table_scenes import FRAME, RED, DrawnBase, draw_table, expected_for, looking_at
from vision import BaseShape, Expected, ExpectedUnit
from vision.frames import Frame

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
    """The table with some bases, without hands."""
    return draw_table(view, list(bases), tags="DICT_4X4_50", seed=seed)


def noisy(image: npt.NDArray[np.generic], seed: int, sigma: float = 2.0) -> Pixels:
    """The same with noise of its own."""
    noise = np.random.default_rng(seed).normal(0.0, sigma, image.shape)
    return np.asarray(np.clip(image.astype(np.float64) + noise, 0, 255), np.uint8)


def with_arm(image: Pixels, reach_in: float, view: TableView = VIEW, x_in: float = 12.0) -> Pixels:
    """An arm in a sleeve and a hand that reach ``reach_in`` over the right edge, 1.5" above the table."""
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


__all__ = ["FRAME", "MOVED", "ROW", "VIEW", "expected", "film", "frames", "noisy", "reaches", "table", "visit"]
