"""Names only where no other reading of the table is nearly as good."""

import numpy as np
import pytest

from tests.support.table_scenes import expected_for
from vision import BaseShape, Expected, ExpectedUnit
from vision.bases.assignment import AssignConfig, name_bases
from vision.bases.outline import OutlineFit
from vision.bases.selection import Found, PickConfig, footprint, pick, shows_base
from vision.model.expected import OtherShape

FOOT = BaseShape(2.0, 1.25, 0.12)
TANK = BaseShape(1.75, 2.5, 0.12)
CONFIG = AssignConfig()


def unit(
    name: str, side: str = "red", kind: str = "infantry", shape: BaseShape = FOOT, tag: int | None = None
) -> ExpectedUnit:
    return ExpectedUnit(name, side, kind, 3, shape, shape, tag)


def found(
    x: float, y: float, facing: float = 0.0, side: str = "red", shape: BaseShape = FOOT, coverage: float = 0.95
) -> Found:
    fit = OutlineFit(x, y, facing, 0.0, np.eye(3) * 1e-4, (coverage,) * 4, coverage, 0.3, 0.0, 60)
    return Found(fit, shape, side)


def roster(*units: ExpectedUnit) -> Expected:
    return expected_for(units)


def test_bases_in_a_row_with_their_tagged_one_are_named() -> None:
    table = roster(unit("a", tag=1), unit("b", tag=2))
    bases = [found(4, 4), found(12, 12), found(6.1, 4), found(8.2, 4), found(12, 10.6), found(12, 13.4)]
    assert name_bases(bases, {0: (0, True), 1: (1, True)}, table, CONFIG) == {2: 0, 3: 0, 4: 1, 5: 1}


@pytest.mark.parametrize("x", [6.2, 6.3, 6.4])
def test_a_base_about_halfway_between_two_like_units_is_not_named(x: float) -> None:
    table = roster(unit("a", tag=1), unit("b", tag=2))
    bases = [found(4, 4), found(8.4, 4), found(x, 4)]
    assert name_bases(bases, {0: (0, True), 1: (1, True)}, table, CONFIG) == {}


def test_side_and_shape_must_fit() -> None:
    table = roster(unit("a", tag=1))
    bases = [found(4, 4), found(6.1, 4, side="blue"), found(4, 6, shape=TANK)]
    assert name_bases(bases, {0: (0, True)}, table, CONFIG) == {}


def test_a_unit_takes_no_more_bases_of_a_size_than_it_has() -> None:
    several = ExpectedUnit("a", "red", "infantry", 3, FOOT, FOOT, 1, other_shapes=(OtherShape(TANK, 1),))
    row = [found(4, 4), found(6.1, 4), found(9.2, 4), found(4, 6.1, shape=TANK), found(4, 9.7, shape=TANK)]
    assert name_bases(row, {0: (0, True)}, roster(several), CONFIG) == {1: 0, 3: 0}
    assert name_bases(row[1:4], {}, roster(several), CONFIG) == {0: 0, 1: 0, 2: 0}
    assert name_bases(row[1:], {}, roster(several), CONFIG) == {}, "it has one base of the other size"


def test_tanks_keep_wider_gaps() -> None:
    gap = 3.6
    tanks = roster(unit("t", kind="tank", shape=TANK, tag=1))
    foot = roster(unit("f", shape=TANK, tag=1))
    bases = [found(4, 4, shape=TANK), found(4 + 1.75 + gap - 1.75, 4, shape=TANK)]
    assert name_bases(bases, {0: (0, True)}, tanks, CONFIG) == {1: 0}
    far = [found(4, 4, shape=TANK), found(4 + 1.75 + 2.0, 4, shape=TANK)]
    assert name_bases(far, {0: (0, True)}, foot, CONFIG) == {}


def test_the_only_unit_left_is_named_by_elimination() -> None:
    table = roster(unit("a", tag=1), unit("b", tag=2))
    whole = [found(4, 4), found(6.1, 4), found(8.2, 4)]
    left = [found(12, 12), found(12, 13.4), found(12, 14.8)]
    assert name_bases(whole + left, {0: (0, True)}, table, CONFIG) == {1: 0, 2: 0, 3: 1, 4: 1, 5: 1}


def test_no_elimination_while_another_like_unit_is_not_whole() -> None:
    table = roster(unit("a", tag=1), unit("b", tag=2))
    bases = [found(4, 4), found(6.1, 4), found(12, 12), found(12, 13.4)]
    assert set(name_bases(bases, {0: (0, True)}, table, CONFIG)) == {1}


def test_pick_keeps_the_better_of_two_that_overlap() -> None:
    good, bad = found(4, 4), found(4.3, 4.2, 10, coverage=0.6)
    assert pick([bad, good], [], {("red", FOOT): 3}, PickConfig()) == [good]


def test_pick_lets_bases_touch_and_respects_what_is_fixed() -> None:
    row = [found(4, 4), found(6.0, 4), found(8.0, 4)]
    assert pick(row, [], {("red", FOOT): 3}, PickConfig()) == row
    assert pick([row[0]], [found(4.2, 4)], {("red", FOOT): 3}, PickConfig()) == []


def test_pick_takes_no_more_than_the_roster_has() -> None:
    many = [found(3.0 * k, 4, coverage=0.95 - 0.05 * k) for k in range(5)]
    assert pick(many, [], {("red", FOOT): 2}, PickConfig()) == many[:2]
    assert pick(many, [], {}, PickConfig()) == []


@pytest.mark.parametrize(
    ("support", "shown"),
    [
        ((0.9, 0.9, 0.9, 0.9), True),
        ((0.9, 0.9, 0.0, 0.0), True),
        ((0.9, 0.0, 0.9, 0.0), False),
        ((0.9, 0.1, 0.1, 0.1), False),
    ],
)
def test_two_sides_that_meet_make_a_base(support: tuple[float, float, float, float], shown: bool) -> None:
    fit = OutlineFit(4, 4, 0, 0.0, np.eye(3), support, float(np.mean(support)), 0.3, 0.0, 60)
    assert shows_base(fit, PickConfig()) is shown


def test_footprint_turns_clockwise() -> None:
    area = footprint(FOOT, 5, 5, 90.0)
    assert area.bounds == pytest.approx((5 - 0.625, 4.0, 5.625, 6.0))
    assert area.area == pytest.approx(2.5)
