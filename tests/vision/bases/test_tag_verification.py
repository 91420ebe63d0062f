"""Tags half hidden by a figure: recognised on the right base, in the right direction, or not at all."""

import numpy as np
import pytest

from calibration import TableView
from tests.support.table_scenes import DrawnBase, Sheet, expected_for, looking_at
from vision import BaseShape, ExpectedUnit
from vision.bases.outline import OutlineFit
from vision.bases.selection import Found
from vision.bases.tag_verification import recognise_tags

FOOT = BaseShape(2.0, 1.25, 0.12)
SQUARE = BaseShape(1.6, 1.6, 0.12)
TAGS = "DICT_4X4_50"
VIEW = looking_at(1000, 800, focal=1900.0, distance_in=29.0, elevation_deg=60.0)


def unit(name: str, tag: int, shape: BaseShape = FOOT, side: str = "red") -> ExpectedUnit:
    return ExpectedUnit(name, side, "infantry", 3, shape, shape, tag, (), (0.0, -0.1))


def found(base: DrawnBase, off: float = 0.0, side: str = "red") -> Found:
    """The base as an outline fit leaves it: half a turn is open."""
    fit = OutlineFit(
        base.x + off, base.y, (base.facing + 180.0) % 360.0, 0.0, np.eye(3) * 1e-4, (0.9,) * 4, 0.9, 0.3, 0.0, 60
    )
    return Found(fit, base.shape, side)


def picture(bases: list[DrawnBase], hidden: float = 0.0, view: TableView = VIEW, tags: str = TAGS) -> np.ndarray:
    """Bases with their tags; ``hidden`` inches of each tag's right side lie under a figure."""
    sheet = Sheet(view, seed=21)
    for base in bases:
        sheet.base(base)
        if base.tag is None:
            continue
        a = np.radians(base.facing)
        ahead, right = np.array([np.sin(a), np.cos(a)]), np.array([np.cos(a), -np.sin(a)])
        middle = np.array([base.x, base.y]) - 0.1 * ahead
        signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * 0.35
        corners = middle + signs[:, :1] * right + signs[:, 1:] * ahead
        sheet.marker(tags, base.tag, np.column_stack([corners, np.full(4, 0.13)]), 0.13)
        if hidden:
            edge = [
                middle + s * right + t * ahead
                for s, t in ((0.5, 0.5), (0.5, -0.5), (0.35 - hidden, -0.5), (0.35 - hidden, 0.5))
            ]
            sheet.polygon(np.column_stack([np.array(edge), np.full(4, 0.14)]), (88, 96, 70))
    return sheet.picture()


@pytest.mark.parametrize(("facing", "hidden"), [(0.0, 0.0), (200.0, 0.12)])
def test_the_right_tag_and_direction(facing: float, hidden: float) -> None:
    bases = [DrawnBase(7.0, 9.0, facing, FOOT, tag=3), DrawnBase(11.0, 9.0, facing, FOOT)]
    expected = expected_for((unit("a", 3), unit("b", 8)), tags=TAGS)
    got = recognise_tags(picture(bases, hidden), VIEW, [found(b, 0.02) for b in bases], set(), expected)
    assert [(r.row, r.unit) for r in got] == [(0, 0)]
    assert abs((got[0].facing - facing + 180) % 360 - 180) < 2.0


def test_square_bases_have_four_directions() -> None:
    base = DrawnBase(9.0, 9.0, 100.0, SQUARE, tag=5)
    start = found(base)
    turned = Found(OutlineFit(9.0, 9.0, 10.0, 0.0, start.fit.covariance, (0.9,) * 4, 0.9, 0.3, 0.0, 60), SQUARE, "red")
    got = recognise_tags(picture([base]), VIEW, [turned], set(), expected_for((unit("a", 5, SQUARE),), tags=TAGS))
    assert len(got) == 1
    assert abs((got[0].facing - 100.0 + 180) % 360 - 180) < 2.0


def test_no_tag_is_recognised_where_there_is_none() -> None:
    bases = [DrawnBase(7.0, 9.0, 0.0, FOOT), DrawnBase(11.0, 9.0, 0.0, FOOT)]
    expected = expected_for((unit("a", 3), unit("b", 8)), tags=TAGS)
    assert recognise_tags(picture(bases), VIEW, [found(b) for b in bases], set(), expected) == []


@pytest.mark.parametrize("dictionary", [TAGS, "DICT_APRILTAG_25h9", "tag25h9"])
def test_a_strange_tag_is_not_taken_for_the_only_one_missing(dictionary: str) -> None:
    base = DrawnBase(9.0, 9.0, 0.0, FOOT, tag=17)
    expected = expected_for((unit("a", 3),), tags=dictionary)
    assert recognise_tags(picture([base], tags=dictionary), VIEW, [found(base)], set(), expected) == []


def test_tags_already_read_other_sides_and_shapes_are_left_alone() -> None:
    base = DrawnBase(9.0, 9.0, 0.0, FOOT, tag=3)
    image = picture([base])
    assert recognise_tags(image, VIEW, [found(base)], {3}, expected_for((unit("a", 3),), tags=TAGS)) == []
    assert (
        recognise_tags(image, VIEW, [found(base, side="blue")], set(), expected_for((unit("a", 3),), tags=TAGS)) == []
    )
    square = expected_for((unit("a", 3, SQUARE),), tags=TAGS)
    assert recognise_tags(image, VIEW, [found(base)], set(), square) == []


def test_two_tags_alike_on_two_bases_are_doubtful() -> None:
    bases = [DrawnBase(7.0, 9.0, 0.0, FOOT, tag=3), DrawnBase(11.0, 9.0, 0.0, FOOT, tag=3)]
    expected = expected_for((unit("a", 3),), tags=TAGS)
    assert recognise_tags(picture(bases), VIEW, [found(b) for b in bases], set(), expected) == []


def test_a_base_at_the_picture_edge_is_passed_over() -> None:
    view = looking_at(600, 500, focal=1900.0, distance_in=29.0, elevation_deg=60.0)
    base = DrawnBase(30.0, 9.0, 0.0, FOOT, tag=3)
    image = np.full((500, 600, 3), 90, np.uint8)
    assert recognise_tags(image, view, [found(base)], set(), expected_for((unit("a", 3),), tags=TAGS)) == []
