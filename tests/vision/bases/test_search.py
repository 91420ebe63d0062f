"""Candidates: every drawn outline is among them, filled areas and lines are not."""

import cv2
import numpy as np
import pytest

from vision import BaseShape
from vision.bases.search import SearchConfig, find_candidates
from vision.imaging.rectify import MapScale

FRAME = MapScale(18.0, 18.0, px_per_inch=18.0, margin_in=0.75)
FOOT, TANK, ROUND = BaseShape(2.0, 1.25, 0.12), BaseShape(1.75, 2.5, 0.12), BaseShape(1.6, 1.6, 0.12, is_round=True)
OVAL = BaseShape(1.75, 2.5, 0.12, is_oval=True)
SIZE = round(19.5 * 18)


def drawn(*outlines: tuple[float, float, float, BaseShape]) -> np.ndarray:
    image = np.zeros((SIZE, SIZE), np.uint8)
    for x, y, facing, shape in outlines:
        column, row = FRAME.pixel_from_table([[x, y]])[0]
        if shape.is_oval:
            axes = shape.width / 2 * 18, shape.depth / 2 * 18
            box = ((float(column), float(row)), (2 * axes[0], 2 * axes[1]), facing)
            cv2.ellipse(image, box, 255, 2)
            continue
        if shape.is_round:
            cv2.circle(image, (round(float(column)), round(float(row))), round(shape.width / 2 * 18), 255, 2)
            continue
        box = cv2.boxPoints(((float(column), float(row)), (shape.width * 18, shape.depth * 18), facing))
        cv2.polylines(image, [np.round(box).astype(int)], True, 255, 2)
    return (cv2.GaussianBlur(image, (0, 0), 0.7) / 255.0).astype(np.float32)


@pytest.mark.parametrize("facing", [17.0, 130.0])
@pytest.mark.parametrize("shape", [FOOT, TANK, OVAL])
def test_every_direction_is_found(facing: float, shape: BaseShape) -> None:
    best = find_candidates(drawn((7.3, 9.1, facing, shape)), FRAME, (FOOT, TANK, OVAL), SearchConfig())[0]
    assert best.shape == (FOOT, TANK, OVAL).index(shape)
    assert np.hypot(best.x - 7.3, best.y - 9.1) < 0.12
    assert abs((best.facing - facing + 90) % 180 - 90) < 5.0
    assert best.score > 0.8


def test_round_bases() -> None:
    best = find_candidates(drawn((5.0, 12.0, 0.0, ROUND)), FRAME, (FOOT, ROUND), SearchConfig())[0]
    assert best.shape == 1
    assert np.hypot(best.x - 5.0, best.y - 12.0) < 0.1


def test_nothing_on_an_empty_map_or_with_no_shapes() -> None:
    empty = np.zeros((SIZE, SIZE), np.float32)
    assert find_candidates(empty, FRAME, (FOOT,), SearchConfig()) == []
    assert find_candidates(drawn((7, 9, 0, FOOT)), FRAME, (), SearchConfig()) == []


def test_a_road_edge_is_no_base() -> None:
    image = np.zeros((SIZE, SIZE), np.uint8)
    cv2.line(image, (0, 100), (SIZE, 160), 255, 2)
    found = find_candidates((image / 255.0).astype(np.float32), FRAME, (FOOT,), SearchConfig())
    assert all(c.score < 0.6 for c in found)
