"""Whose a base is by a black or white rim, on a table painted flat and seen from straight above."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import FrameLayout, FrameMarker, TableView
from tests.vision.bases.test_bare_sides import ABOVE
from vision.bases.outline import OutlineFit
from vision.bases.plain_rims import assign_plain_rims
from vision.bases.selection import Found
from vision.imaging.rims import RimConfig, paper_white
from vision.model.expected import BaseShape, Expected, ExpectedUnit

SHAPE = BaseShape(2.0, 1.25, 0.0)
BLACK, WHITE, GREY, RED = (16, 16, 16), (240, 240, 240), (128, 128, 128), (32, 32, 176)  # BGR
GRASS, SAND, PAPER = (60, 120, 80), (100, 160, 185), (235, 235, 235)
VIEW = replace(ABOVE, markers_seen=(0,))
FRAME = FrameLayout("DICT_APRILTAG_36h11", 2.0, (FrameMarker(0, (2.0, 2.0)),))


def expected(blue: tuple[int, int, int], red: tuple[int, int, int]) -> Expected:
    units = tuple(ExpectedUnit(side, side, "infantry", 3, SHAPE, SHAPE) for side in ("blue", "red"))
    return Expected(24.0, 24.0, FRAME, units, rims=(("blue", blue[::-1]), ("red", red[::-1])))


def base(x: float, y: float) -> Found:
    return Found(OutlineFit(x, y, 20.0, 0.0, np.eye(3) * 1e-4, (1.0,) * 4, 1.0, 0.1, 0.0, 50), SHAPE, "")


def fill(image: np.ndarray, one: Found, colour: tuple[int, int, int], inset: float = 0.0) -> None:
    ring = np.asarray(one.footprint.buffer(-inset, join_style="mitre").exterior.coords)
    at = VIEW.pixel_from_table(np.column_stack([ring, np.zeros(len(ring))]))
    cv2.fillPoly(image, [np.round(at * 16).astype(np.int32)], colour, shift=4)


def photo(rows: list[tuple[Found, tuple[int, int, int] | None]], light: float = 1.0) -> np.ndarray:
    """Bases of sand on grass, with rims of a colour each or none, and a frame marker on white paper."""
    image = np.full((600, 600, 3), GRASS, np.uint8)
    corners = [VIEW.pixel_from_table([[x, y, 0.0]])[0] for x, y in ((0.6, 0.6), (3.4, 3.4))]
    (x0, y1), (x1, y0) = (corner.astype(int).tolist() for corner in corners)
    image[y0:y1, x0:x1] = PAPER
    for one, colour in rows:
        fill(image, one, SAND if colour is None else colour)
        fill(image, one, SAND, 0.0 if colour is None else 0.1)
    soft = cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.float64)
    return np.clip(soft * light + np.random.default_rng(3).normal(0, 4, image.shape), 0, 255).astype(np.uint8)


PLACES = [(7.0, 7.0), (12.0, 7.0), (17.0, 16.0), (7.0, 16.0)]


def sides(blue: tuple[int, int, int], red: tuple[int, int, int], light: float = 1.0) -> list[str]:
    """What is told of two bases of each side."""
    bases = [base(*at) for at in PLACES]
    image = photo(list(zip(bases, (blue, blue, red, red), strict=True)), light)
    return [one.side for one in assign_plain_rims(image, VIEW, bases, expected(blue, red))]


@pytest.mark.parametrize("light", [0.6, 1.0])
def test_black_and_white_rims_tell_their_sides(light: float) -> None:
    assert sides(BLACK, WHITE, light) == ["blue", "blue", "red", "red"]


def test_a_black_rim_is_told_from_a_red_one_and_the_red_one_is_left_to_its_hue() -> None:
    assert sides(BLACK, RED) == ["blue", "blue", "", ""]


def test_grey_and_two_sides_of_one_paint_are_left_open() -> None:
    assert sides(BLACK, GREY) == ["blue", "blue", "", ""]
    assert sides(GREY, WHITE) == ["", "", "red", "red"]
    assert set(sides(BLACK, BLACK)) == {""}


def test_a_base_without_a_rim_and_one_in_a_shadow_on_one_side_are_left_open() -> None:
    bases = [base(7.0, 7.0), base(14.0, 14.0)]
    image = photo([(one, None) for one in bases])
    shadow = replace(bases[1], fit=replace(bases[1].fit, x=14.2, y=13.8))
    dark = np.zeros_like(image)
    fill(dark, shadow, (1, 1, 1))
    fill(dark, bases[1], (0, 0, 0))
    image = np.where(dark > 0, image // 4, image)
    assert [one.side for one in assign_plain_rims(image, VIEW, bases, expected(BLACK, WHITE))] == ["", ""]


def test_without_white_paper_black_is_told_from_white_alone() -> None:
    bases = [base(*PLACES[0]), base(*PLACES[1])]
    image, unseen = photo([(bases[0], BLACK), (bases[1], WHITE)]), replace(VIEW, markers_seen=())
    assert paper_white(image, unseen, FRAME, RimConfig()) is None

    def told(view: TableView, red: tuple[int, int, int]) -> list[str]:
        return [one.side for one in assign_plain_rims(image, view, bases, expected(BLACK, red))]

    assert told(unseen, WHITE) == ["blue", "red"]
    assert told(unseen, RED) == told(unseen, GREY) == ["", ""]
    assert told(VIEW, RED) == ["blue", ""]
