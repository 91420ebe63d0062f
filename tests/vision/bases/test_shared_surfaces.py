"""Which bases are taken to stand on one surface."""

import numpy as np

from vision.bases.detection import shared_surfaces
from vision.bases.outline import OutlineFit
from vision.bases.selection import Found
from vision.model.expected import BaseShape
from vision.model.heights import HeightConfig

INFANTRY, GUN = BaseShape(2.0, 1.25, 0.12), BaseShape(1.6, 1.6, 0.12)


def base(x: float, side: str, shape: BaseShape = INFANTRY) -> Found:
    return Found(OutlineFit(x, 6.0, 0.0, 0.0, np.eye(3), (1.0,) * 4, 1.0, 0.0, 0.0, 40), shape, side)


def surfaces(bases: list[Found], units: dict[int, int] | None = None) -> set[frozenset[int]]:
    return set(map(frozenset, shared_surfaces(bases, units or {}, HeightConfig())))


def test_bases_of_one_side_and_shape_stand_together() -> None:
    row = [base(5.0, "red"), base(7.1, "red"), base(9.2, "blue"), base(15.0, "red"), base(17.2, "red", GUN)]
    assert surfaces(row) == {frozenset(rows) for rows in ((0, 1), (2,), (3,), (4,))}


def test_one_without_a_side_stands_with_its_neighbours() -> None:
    assert surfaces([base(5.0, "red"), base(7.1, ""), base(9.2, "")]) == {frozenset((0, 1, 2))}
    assert surfaces([base(5.0, "red"), base(7.1, "")], {0: 3}) == {frozenset((0, 1))}


def test_one_without_a_side_joins_no_two_sides() -> None:
    assert surfaces([base(5.0, "red"), base(7.15, ""), base(9.2, "blue")]) == {frozenset((0,)), frozenset((1, 2))}
