"""Front marks: read at the edge that shows them, and nothing told where several or none do."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import FrameLayout
from tabletop.errors import TableFileError
from tabletop.referee.judging import expected_from
from tabletop.tables.tablefile import parse_table
from tests.vision.bases.test_bare_sides import ABOVE
from vision.bases.front_marks import FrontMarks, with_fronts
from vision.bases.placed import PlacedBase
from vision.model.expected import BaseShape, Expected, ExpectedUnit, Rival

BASE, SQUARE = BaseShape(2.0, 1.25, 0.0), BaseShape(1.5, 1.5, 0.0)
WHITE, YELLOW = (242, 242, 242), (240, 210, 40)
GRASS, EARTH = (60, 120, 80), (70, 110, 140)
NO_FRAME = FrameLayout("DICT_APRILTAG_36h11", 3.0, ())


def area(image: np.ndarray, ring: np.ndarray, colour: tuple[int, int, int]) -> None:
    at = ABOVE.pixel_from_table(np.column_stack([ring, np.zeros(len(ring))]))
    cv2.fillPoly(image, [np.round(at * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def photo(
    shape: BaseShape,
    facing: float,
    *fronts: float,
    colour: tuple[int, int, int] = WHITE,
    ground: tuple[int, int, int] = EARTH,
    light: float = 0.8,
) -> np.ndarray:
    """A base at (12, 12) on grass, with marks at the edges that lie ``fronts`` degrees from its facing."""
    image = np.full((600, 600, 3), GRASS, np.uint8)
    angle = np.radians(facing)
    right, ahead = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [shape.width / 2, shape.depth / 2]
    area(image, 12 + corners[:, :1] * right + corners[:, 1:] * ahead, ground)
    for front in fronts:
        turned = np.radians(facing + front)
        right, ahead = np.array([np.cos(turned), -np.sin(turned)]), np.array([np.sin(turned), np.cos(turned)])
        dab = np.array([[-0.35, 0.0], [0.35, 0.0], [0.35, -0.2], [-0.35, -0.2]]) + np.array([0, shape.depth / 2])
        area(image, 12 + dab[:, :1] * right + dab[:, 1:] * ahead, tuple(reversed(colour)))  # type: ignore[arg-type]
    grain = np.random.default_rng(0).normal(0, 4, image.shape)
    return np.clip((image + grain) * light, 0, 255).astype(np.uint8)


def turn(image: np.ndarray, shape: BaseShape, facing: float, colour: tuple[int, int, int] = WHITE) -> float | None:
    return FrontMarks(image, ABOVE, NO_FRAME).turn(shape, (12.0, 12.0), facing, 0.0, colour)


@settings(max_examples=12)
@given(st.floats(0, 360), st.sampled_from([0.0, 180.0]), st.sampled_from([WHITE, YELLOW]), st.floats(0.55, 1.0))
def test_the_edge_that_shows_the_mark_is_the_front(
    facing: float, front: float, colour: tuple[int, int, int], light: float
) -> None:
    assert turn(photo(BASE, facing, front, colour=colour, light=light), BASE, facing, colour) == front


@pytest.mark.parametrize("front", [0.0, 90.0, 180.0, 270.0])
def test_a_square_base_has_four_edges_to_look_at(front: float) -> None:
    assert turn(photo(SQUARE, 33.0, front), SQUARE, 33.0) == front


def test_no_mark_two_marks_and_a_base_of_that_colour_tell_nothing() -> None:
    assert turn(photo(BASE, 20.0), BASE, 20.0) is None
    assert turn(photo(BASE, 20.0, 0.0, 180.0), BASE, 20.0) is None
    assert turn(photo(BASE, 20.0, ground=(230, 230, 230)), BASE, 20.0) is None
    assert turn(photo(BASE, 20.0, 0.0, colour=YELLOW), BASE, 20.0, (40, 80, 200)) is None


def test_a_round_base_and_one_outside_the_picture_tell_nothing() -> None:
    round_one = BaseShape(1.0, 1.0, 0.0, is_round=True)
    assert turn(photo(BASE, 0.0, 0.0), round_one, 0.0) is None
    marks = FrontMarks(photo(BASE, 0.0, 0.0), ABOVE, NO_FRAME)
    assert marks.turn(BASE, (40.0, 12.0), 0.0, 0.0, WHITE) is None


def placed(**more: object) -> PlacedBase:
    base = PlacedBase(
        np.array([12.0, 12.0]), 200.0, False, np.eye(3) * 1e-4, 0.0, 0.02, BASE, None, None, None, None, 0.9, "shape"
    )
    return replace(base, **more)  # type: ignore[arg-type]


def roster(*fronts: tuple[int, int, int] | None) -> Expected:
    units = tuple(
        ExpectedUnit(f"u{k}", ("blue", "red")[k % 2], "infantry", 3, BASE, BASE, front_mark=front)
        for k, front in enumerate(fronts)
    )
    return Expected(24.0, 24.0, NO_FRAME, units)


def faced(base: PlacedBase, expected: Expected) -> tuple[float, bool]:
    (out,) = with_fronts([base], photo(BASE, 20.0, 0.0), ABOVE, expected)
    return out.facing, out.facing_known


def test_a_nameless_base_is_read_by_the_mark_that_all_its_units_have() -> None:
    assert faced(placed(), roster(WHITE, WHITE)) == (20.0, True)
    assert faced(placed(), roster(WHITE, None)) == (200.0, False)
    assert faced(placed(), roster(None, None)) == (200.0, False)
    assert faced(placed(side="blue"), roster(WHITE, YELLOW)) == (20.0, True)
    assert faced(placed(unit=1), roster(WHITE, YELLOW)) == (200.0, False)


def test_a_pale_mark_is_not_told_from_the_paper_of_a_tag() -> None:
    plain = roster(WHITE)
    tagged = replace(plain, units=tuple(replace(unit, tag=3) for unit in plain.units))
    assert faced(placed(), tagged) == (200.0, False)


def test_what_is_known_already_and_what_may_be_of_another_shape_stays() -> None:
    assert faced(placed(facing_known=True), roster(WHITE)) == (200.0, True)
    other = Rival(SQUARE, 0.3, (12.0, 12.0), 20.0)
    assert faced(placed(rivals=(other,)), roster(WHITE)) == (200.0, False)


TABLE = """
[table]
width = 24
depth = 24

[[sides]]
id = "blue"

[[units]]
id = "A"
side = "blue"
kind = "infantry"
bases = 3
base = { shape = "rect", width = 2.0, depth = 1.25, height = 0.12 }
front_mark = "%s"
"""


def test_the_table_file_names_the_colour() -> None:
    (unit,) = expected_from(parse_table(TABLE % "#f0d228")).units
    assert unit.front_mark == YELLOW
    assert expected_from(parse_table(TABLE.replace('front_mark = "%s"', ""))).units[0].front_mark is None
    with pytest.raises(TableFileError, match=r'line 15: "front_mark" in .* must be a colour such as "#2456c8"'):
        parse_table(TABLE % "yellow")
