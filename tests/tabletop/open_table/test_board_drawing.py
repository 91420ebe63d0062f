"""What is drawn of bases on an open table: how sure their places are."""

import math

import numpy as np
import pytest

from tabletop.game.actions import Standing
from tabletop.open_table.board_drawing import ellipse_of, piece_of
from tabletop.open_table.setup import Shape, bases_of

SQUARE = (Shape("rect", 1, 1),)


@pytest.mark.parametrize(
    "covariance", [(0.04, 0.0, 0.01), (0.01, 0.0, 0.04), (0.05, 0.03, 0.04), (0.05, -0.03, 0.04), (0.02, 0.0, 0.02)]
)
def test_every_point_of_an_ellipse_is_as_likely_and_95_of_100_places_are_inside(
    covariance: tuple[float, float, float],
) -> None:
    xx, xy, yy = covariance
    found = ellipse_of(bases_of(SQUARE, (Standing(10, 8, 30, covariance),)), 0)
    assert found is not None and found.long >= found.short and 0 <= found.bearing < 180
    turn = math.radians(found.bearing)
    ahead, right = np.array([math.sin(turn), math.cos(turn)]), np.array([math.cos(turn), -math.sin(turn)])
    spread = np.array([[xx, xy], [xy, yy]])
    places = np.random.default_rng(7).multivariate_normal([0, 0], spread, 20_000)
    inside = (places @ ahead / found.long) ** 2 + (places @ right / found.short) ** 2 <= 1
    assert inside.mean() == pytest.approx(0.95, abs=0.006)
    along, across = found.long * ahead, found.short * right
    likely = [float(way @ np.linalg.solve(spread, way)) for way in (along, across, (along + across) / math.sqrt(2))]
    assert likely == pytest.approx([likely[0]] * 3)


@pytest.mark.parametrize("covariance", [(0.0, 0.0, 0.0), (0.0001, 0.0, 0.0002)])
def test_what_is_too_small_to_be_seen_is_not_drawn(covariance: tuple[float, float, float]) -> None:
    bases = bases_of(SQUARE, (Standing(10, 8, 30, covariance),))
    assert ellipse_of(bases, 0) is None
    assert piece_of(bases, 0, "A1", "red", "horse", "A1", is_unique=True).ellipse is None


@pytest.mark.parametrize(
    ("shape", "facing", "says"),
    [("round", None, "A1, at 10.0, 8.0."), ("round", 30, "facing 30."), ("rect", None, "facing not known, drawn as a")],
)
def test_the_facing_of_a_round_base_is_told_only_where_it_is_known(shape: str, facing: float | None, says: str) -> None:
    bases = bases_of((Shape(shape, 1, 1),), (Standing(10, 8, facing),))
    assert says in piece_of(bases, 0, "A1", "red", "horse", "A1", is_unique=True).says


def test_an_oval_is_drawn_as_one_and_as_a_disc_where_its_facing_is_not_known() -> None:
    known, open_ = (
        piece_of(bases_of((Shape("oval", 4, 2),), (at,)), 0, "A", "red", "tank", "A", is_unique=True)
        for at in (Standing(10, 8, 90), Standing(10, 8, None))
    )
    assert known.shape == "oval" and (known.width, known.depth) == (4, 2)
    ring = np.array(known.outline) - [10, 8]  # its depth is along x
    assert np.hypot(ring[:, 0] / 1, ring[:, 1] / 2) == pytest.approx(1.0)
    assert np.hypot(*(np.array(open_.outline) - [10, 8]).T) == pytest.approx(1.0) and "drawn as a disc" in open_.says
