"""Whose a bare base is, by how it looks, on a table painted flat and seen from straight above."""

import cv2
import numpy as np
import pytest

from calibration import Camera, FrameLayout, TableView
from vision.bases.bare_sides import SidesConfig, apart, assign_sides, looks, side_chances
from vision.bases.outline import OutlineFit
from vision.bases.selection import Found
from vision.model.expected import BaseShape, Expected, ExpectedUnit

SHAPE = BaseShape(2.0, 1.25, 0.0)
SANDY, GREY, DUN = (90, 170, 200), (120, 110, 100), (100, 160, 185)
GRASS = (60, 120, 80)
ABOVE = TableView(
    Camera(np.array([[600.0, 0, 300], [0, 600.0, 300], [0, 0, 1]]), np.zeros(5), (600, 600)),
    np.diag([1.0, -1.0, -1.0]),
    np.array([-12.0, 12.0, 24.0]),
)
EXPECTED = Expected(
    24.0,
    24.0,
    FrameLayout("DICT_APRILTAG_36h11", 3.0, ()),
    tuple(ExpectedUnit(f"{side}{k}", side, "infantry", 3, SHAPE, SHAPE) for side in ("blue", "red") for k in range(3)),
)


def base(x: float, y: float, side: str = "", facing: float = 0.0) -> Found:
    fit = OutlineFit(x, y, facing, 0.0, np.eye(3) * 1e-4, (1.0, 1.0, 1.0, 1.0), 1.0, 0.1, 0.0, 50)
    return Found(fit, SHAPE, side)


def photo(bases: list[tuple[Found, tuple[int, int, int]]], *, dark_from_x: float = 99.0, seed: int = 0) -> np.ndarray:
    """The table: grass, bases of a colour each, all of it in half the light from ``dark_from_x`` on."""
    image = np.full((600, 600, 3), GRASS, np.uint8)
    for one, colour in bases:
        ring = np.asarray(one.footprint.exterior.coords)
        at = ABOVE.pixel_from_table(np.column_stack([ring, np.zeros(len(ring))]))
        cv2.fillPoly(image, [np.round(at).astype(np.int32)], colour)
    grain = np.random.default_rng(seed).normal(0, 6, image.shape)
    light = np.where(np.arange(600) / 25.0 < dark_from_x, 1.0, 0.5)[None, :, None]
    return np.clip((image + grain) * light, 0, 255).astype(np.uint8)


def scene(*, dark_from_x: float = 99.0) -> tuple[np.ndarray, list[Found]]:
    known = [(base(4, 4, "blue"), SANDY), (base(4, 12, "blue"), SANDY), (base(20, 4, "red"), GREY)]
    open_ones = [(base(10, 4), SANDY), (base(12.1, 4), SANDY), (base(16, 14), GREY)]
    painted = known + open_ones
    return photo(painted, dark_from_x=dark_from_x), [one for one, _ in painted]


@pytest.mark.parametrize("dark_from_x", [99.0, 11.1])
def test_a_base_is_of_the_side_that_it_looks_like_in_a_shadow_as_well(dark_from_x: float) -> None:
    image, bases = scene(dark_from_x=dark_from_x)
    assert [b.side for b in assign_sides(image, ABOVE, bases, EXPECTED)] == [
        "blue",
        "blue",
        "red",
        "blue",
        "blue",
        "red",
    ]


def test_armies_that_look_alike_stay_open() -> None:
    painted = [(base(4, 4, "blue"), SANDY), (base(20, 4, "red"), SANDY), (base(12, 14), SANDY)]
    told = assign_sides(photo(painted), ABOVE, [one for one, _ in painted], EXPECTED)
    assert told[2].side == ""


def test_what_stands_together_is_told_together() -> None:
    image, bases = scene()
    chances = side_chances(looks(image, ABOVE, bases), bases, EXPECTED, SidesConfig())
    assert chances[3] == chances[4]
    assert all(abs(sum(told.values()) - 1.0) < 1e-9 for told in chances.values())


def test_many_examples_say_more_than_one() -> None:
    """The same difference of looks is surer where each side has shown several units."""
    painted = [(base(4 + 8 * (k % 2), 3 + 5 * (k // 2), side), colour) for k, (side, colour) in enumerate(
        [("blue", SANDY), ("red", DUN)] * 3)] + [(base(20, 20), SANDY)]  # fmt: skip
    image = photo(painted)

    def chance(known: list[int]) -> float:
        some = [painted[k][0] for k in known] + [painted[-1][0]]
        return side_chances(looks(image, ABOVE, some), some, EXPECTED, SidesConfig())[len(known)]["blue"]

    assert 0.5 < chance([0, 1]) < chance([0, 1, 2, 3]) < chance(list(range(6)))


def test_nameless_bases_that_look_alike_and_like_no_others_are_one_group() -> None:
    painted = [
        (base(4, 4), SANDY),
        (base(6.1, 4), SANDY),
        (base(16, 6), SANDY),
        (base(4, 18), GREY),
        (base(16, 18), GREY),
    ]
    told = assign_sides(photo(painted), ABOVE, [one for one, _ in painted], EXPECTED)
    assert [one.alike for one in told] == [1, 1, 1, 2, 2]
    assert all(one.side == "" for one in told)


def test_a_base_outside_the_photo_looks_like_nothing() -> None:
    seen = looks(photo([]), ABOVE, [base(40.0, 40.0), base(8.0, 8.0)])
    assert not seen[0].any()
    assert apart(seen[:1], seen[1:])[0, 0] == 1.0
