"""Heights by parallax: bases that stayed, bases that moved, look-alikes, ground that was found raised."""

from dataclasses import replace

import numpy as np
import pytest

from vision.bases.parallax import SeenBase, heights_by_ground, heights_by_parallax
from vision.model.earlier import Earlier, EarlierBase, EarlierError, RaisedGround, SightLine, earlier_from_json
from vision.model.expected import BaseShape

TANK = BaseShape(1.75, 2.5, 0.12)
FIRST, SECOND = np.array([18.0, -12.0, 45.0]), np.array([46.0, 10.0, 42.0])
NOISE_IN = 0.02


def line(eye: np.ndarray, place: tuple[float, float], z: float, off: tuple[float, float] = (0.0, 0.0)) -> SightLine:
    """The sight line from an eye to the top of a base at a place and height, read a little ``off``."""
    lean = (eye[:2] - place) / (eye[2] - z - TANK.height)
    return SightLine.of(np.add(place, off), z, lean, NOISE_IN**2 * np.eye(2), 0.0)


def old(place: tuple[float, float], z: float = 0.0, facing: float = 30.0, unit: str | None = "A1") -> EarlierBase:
    sight = line(FIRST, place, z)
    return EarlierBase(sight, False, TANK.width, TANK.depth, (facing,), 0.5, "blue", unit, None)


def new(
    place: tuple[float, float],
    z: float = 0.0,
    facing: float = 30.0,
    unit: str | None = None,
    off: tuple[float, float] = (0.0, 0.0),
    eye: np.ndarray = SECOND,
) -> SeenBase:
    return SeenBase(line(eye, place, z, off), TANK, facing, False, 0.5, "blue", unit, None)


@pytest.mark.parametrize("z", [0.0, 0.5, 1.0, 2.4])
def test_a_base_that_stayed_tells_its_height(z: float) -> None:
    [[told]] = heights_by_parallax([new((20.0, 22.0), z)], Earlier((old((20.0, 22.0), z),)))
    assert told.z == pytest.approx(z, abs=1e-6) and told.sigma_in < 0.06 and np.isinf(told.odds)


def test_the_stated_spread_is_true() -> None:
    rng = np.random.default_rng(5)
    off = []
    for _ in range(400):
        place, z = (float(rng.uniform(6, 30)), float(rng.uniform(6, 30))), float(rng.choice([0.0, 1.0]))
        first, second = rng.normal(0, NOISE_IN, (2, 2))
        before = EarlierBase(
            line(FIRST, place, z, tuple(first)), False, TANK.width, TANK.depth, (30.0,), 0.5, "blue", None, None
        )
        [told] = heights_by_parallax([new(place, z, off=tuple(second))], Earlier((before,)))
        off += [(one.z - z) / one.sigma_in for one in told if np.isinf(one.odds)]
    assert len(off) > 370  # lines that miss each other by chance tell none
    assert np.mean(np.abs(off) < 1.96) >= 0.93 and 0.6 < np.std(off) < 1.1


@pytest.mark.parametrize(
    "moved",
    [
        new((20.3, 22.0), off=(0.0, 0.25)),  # the lines pass each other
        new((20.0, 22.0), facing=75.0),  # it turned
        new((20.0, 22.0), unit="B7"),  # another stands there now
        new((27.0, 22.0)),  # it marched
    ],
)
def test_a_base_that_moved_tells_none(moved: SeenBase) -> None:
    assert heights_by_parallax([moved], Earlier((old((20.0, 22.0)),))) == [()]


def test_two_photos_from_one_place_tell_none() -> None:
    seen = new((20.0, 22.0), 1.0, eye=FIRST + np.array([0.5, 0.3, 0.0]))
    assert heights_by_parallax([seen], Earlier((old((20.0, 22.0), 1.0),))) == [()]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_row_on_a_hill_is_not_taken_for_the_next_ones_on_the_table(count: int) -> None:
    # From the second place each stands, as if on the table, just where the first photo has the next one in the row.
    z = 1.0
    leans = [(eye[:2] - (18.0, 18.0)) / (eye[2] - z - TANK.height) for eye in (FIRST, SECOND)]
    step = z * (leans[0] - leans[1])
    row = [(18.0 + k * float(step[0]), 18.0 + k * float(step[1])) for k in range(count)]
    told = heights_by_parallax([new(at, z) for at in row], Earlier(tuple(old(at, z, unit=None) for at in row)))
    assert all(one.z == pytest.approx(z, abs=0.1) for each in told for one in each if np.isinf(one.odds))
    assert all(any(one.z == pytest.approx(z, abs=0.1) for one in each) for each in told), "each may be where it stood"


def test_a_height_that_may_be_chance_is_told_with_its_odds() -> None:
    before = Earlier((old((20.0, 22.0), 1.0),))
    spread = replace(new((20.0, 22.0), 1.0), facing_sigma_deg=20.0)
    [[open_one]] = heights_by_parallax([spread], before)
    assert open_one.z == pytest.approx(1.0, abs=1e-6) and 10 < open_one.odds < np.inf


def test_what_stays_with_its_unit_is_likelier_to_have_stayed() -> None:
    mate, doubtful = (12.0, 24.0), replace(new((20.0, 22.0), 1.0, unit="A1"), facing_sigma_deg=20.0)
    before = Earlier((old((20.0, 22.0), 1.0), replace(old(mate), facings=(75.0,))))
    [[alone]] = heights_by_parallax([doubtful], before)
    [[together], [other]] = heights_by_parallax([doubtful, new(mate, facing=75.0, unit="A1")], before)
    assert np.isinf(other.odds) and together.odds > 4 * alone.odds


def test_raised_ground_is_found_again_by_another_unit() -> None:
    ground = RaisedGround((20.0, 22.0), 0.9, 1.0, 0.05)
    on, off = heights_by_ground([new((20.3, 22.2), 1.0), new((24.0, 22.0), 0.0)], [ground])
    assert on is not None and off is None
    assert on.z == 1.0 and 0.05 <= on.sigma_in < 0.1


def test_an_observation_keeps_what_heights_take() -> None:
    row = {"id": "base1", "shape": "rect", "width": 1.75, "depth": 2.5, "center": [20.0, 22.0], "z": 1.0, "unit": None,
           "side": "blue", "tag": None, "facing": None, "facings": [30.0, 210.0], "facings_sigma": 0.5,
           "covariance": [[0.0329, 0.0], [0.0, 0.0004]], "z_sigma": 0.3, "lean": [0.6, 0.0],
           "method": "outline"}  # fmt: skip
    [base] = earlier_from_json({"bases": [row, {**row, "method": "hand"}, {**row, "method": "hand-outline"}]}).bases
    assert base.line.at_zero.tolist() == [19.4, 22.0] and base.facings == (30.0, 210.0)
    assert np.allclose(base.line.covariance, [[0.0005, 0.0], [0.0, 0.0004]])
    ground = RaisedGround((3.0, 4.0), 0.5, 1.0, 0.04)
    assert earlier_from_json({"raised": [ground.to_json()]}).raised == (ground,)


@pytest.mark.parametrize("fault", [{"lean": [0.1]}, {"z_sigma": "high"}, {"z_sigma": -1.0}, {"covariance": None}])
def test_what_can_not_be_read_is_said(fault: dict[str, object]) -> None:
    row = {"id": "base1", "shape": "rect", "width": 1.75, "depth": 2.5, "center": [20.0, 22.0], "z": 1.0,
           "covariance": [[0.01, 0.0], [0.0, 0.01]], "z_sigma": 0.3, "lean": [0.6, 0.0], **fault}  # fmt: skip
    with pytest.raises(EarlierError, match=f'"{next(iter(fault))}" .* observe that photo again'):
        earlier_from_json({"bases": [row]})
