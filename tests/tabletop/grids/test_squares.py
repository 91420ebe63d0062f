"""Dark squares of a known size in a view from above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.tags.dark_squares import find_squares

SIDE = 24.0


def square(x: float, y: float, turned_deg: float, side: float = SIDE) -> np.ndarray:
    """Corners (4, 2), clockwise."""
    a = np.radians(turned_deg)
    across, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([np.array([x, y]) + side / 2 * (i * across + j * down) for i, j in signs])


def picture(squares: list[np.ndarray], dark: int = 40) -> np.ndarray:
    """A light mat with dark specks, four times as fine at first."""
    fine = np.full((4 * 600, 4 * 200), 170, np.uint8)
    for corners in squares:
        cv2.fillPoly(fine, [np.rint((corners + 0.5) * 4 * 16 - 8).astype(np.int32)], dark, shift=4)
    plan = cv2.resize(fine, (200, 600), interpolation=cv2.INTER_AREA)
    specks = np.random.default_rng(4).random(plan.shape) < 0.02
    specks &= cv2.dilate((plan < 165).astype(np.uint8), np.ones((25, 25), np.uint8)) == 0
    plan[specks] = 60
    return np.asarray(plan, dtype=np.uint8)


def misses(found: np.ndarray, corners: np.ndarray) -> float:
    """How far the nearest candidate lies from a square, whichever corner it begins with: its worst corner, pixels."""
    turns = np.stack([np.roll(corners, k, axis=0) for k in range(4)])
    return float(np.linalg.norm(found[:, None] - turns, axis=3).max(axis=2).min())


@pytest.mark.parametrize("largest", [1.0, 1.2])
def test_squares_are_proposed_wherever_they_lie_and_specks_are_not(largest: float) -> None:
    places = [(60.0, 40.0), (140.0, 250.0), (70.0, 257.0), (100.0, 560.0)]  # two of them over a strip's seam
    drawn = [square(x, y, 17.0 * k, SIDE * largest) for k, (x, y) in enumerate(places)]
    found = find_squares(picture(drawn), SIDE, largest)
    assert all(misses(found, corners) < 0.1 * SIDE for corners in drawn)
    middles = np.array([corners.mean(axis=0) for corners in drawn])
    assert np.linalg.norm(found.mean(axis=1)[:, None] - middles, axis=2).min(axis=1).max() < 3


def test_a_square_half_covered_is_proposed_by_the_corners_that_are_seen() -> None:
    drawn = square(100, 300, 30)
    plan = picture([drawn])
    cv2.circle(plan, tuple(np.rint(drawn[0]).astype(int).tolist()), 7, 170, -1)
    assert misses(find_squares(plan, SIDE), drawn) < 0.1 * SIDE


def test_what_is_too_small_proposes_nothing() -> None:
    assert not len(find_squares(picture([square(100, 300, 10, 0.45 * SIDE)]), SIDE))
    assert not len(find_squares(np.full((40, 50), 90, np.uint8), SIDE))
