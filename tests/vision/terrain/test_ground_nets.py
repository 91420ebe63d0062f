"""The two nets for terrain, without PyTorch: how they are shown a table, of whatever size."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imaging.nets import lean_of
from vision.terrain.ground_nets import (
    STRIDES,
    GroundNets,
    Sight,
    cells_on_table,
    centred,
    lean_and_table,
    log_odds,
    mat_of,
    second_inputs,
)

PLANES, WIDTHS = 9, (24, 40, 112)


def lean_over(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    return lean_of(columns, rows, (columns / 2, 1.5 * rows), 40.0, 8.0)


def test_a_picture_is_centred_with_blue_first() -> None:
    out = centred(np.full((4, 6, 3), (127, 255, 0), np.uint8))
    assert out.shape == (3, 4, 6) and out[:, 0, 0] == pytest.approx([0.0, 1.0, -127 / 128])


def test_log_odds_are_kept_within_bounds() -> None:
    odds = log_odds(np.array([0.0, 0.5, 0.9, 1.0]))
    assert odds[1] == 0.0 and odds[2] == pytest.approx(np.log(9), rel=1e-5)
    assert -7.0 < odds[0] < -5.0 and odds[3] == pytest.approx(-odds[0], rel=1e-3)


def test_a_cell_counts_where_all_of_it_is_on_the_table() -> None:
    valid = np.ones((16, 24), bool)
    valid[7, 9] = False
    cells = cells_on_table(valid, 4)
    assert cells.shape == (4, 6) and cells.sum() == 23 and not cells[1, 2]


def test_most_of_a_table_is_its_mat() -> None:
    cells = np.tile(np.array([[2.0], [5.0]], np.float32), (1, 1000))
    cells[:, 100:400] = 50.0
    assert mat_of(cells).tolist() == [2.0, 5.0]


def test_the_second_net_is_shown_differences_from_the_mat_and_what_the_first_says() -> None:
    rng = np.random.default_rng(3)
    rows, columns = 32, 64
    features = tuple(
        rng.random((n, 2 * rows // stride, 2 * columns // stride)).astype(np.float32)
        for n, stride in zip(WIDTHS, STRIDES, strict=True)
    )
    sight = Sight(features, tuple(np.full(n, 0.25, np.float32) for n in WIDTHS))
    first = rng.random((PLANES, rows, columns)).astype(np.float32)
    lean = lean_and_table(lean_over(rows, columns), np.ones((rows, columns), bool))
    quarter, eighth, sixteenth = second_inputs(sight, first, lean)
    assert quarter.shape == (2 * 24 + PLANES, 16, 32)
    assert eighth.shape == (2 * 40 + 3, 8, 16)
    assert sixteenth.shape == (2 * 112 + 3 + PLANES, 4, 8)
    assert np.allclose(quarter[24:48], features[0] - 0.25)
    assert quarter[48, 3, 5] == pytest.approx(first[0, 6:8, 10:12].mean())
    assert np.allclose(sixteenth[-PLANES - 1], 1.0)  # where there is table


class _Shapes:
    """Nets that answer with what they were shown."""

    def __init__(self) -> None:
        self.valid: np.ndarray | None = None
        self.image: np.ndarray | None = None

    def sight(self, image: np.ndarray, valid: np.ndarray) -> Sight:
        self.image, self.valid = image, valid
        rows, columns = valid.shape
        made = tuple(
            np.zeros((n, 2 * rows // s, 2 * columns // s), np.float32) for n, s in zip(WIDTHS, STRIDES, strict=True)
        )
        return Sight(made, tuple(np.zeros(n, np.float32) for n in WIDTHS))

    def shares(self, inputs: list[np.ndarray], first: np.ndarray) -> np.ndarray:
        assert [one.shape[1] * s for one, s in zip(inputs, STRIDES, strict=True)] == [2 * first.shape[1]] * 3
        return first


@pytest.mark.parametrize(("rows", "columns"), [(64, 96), (70, 101), (31, 33)])
def test_tables_of_any_size_are_filled_up_and_cut_again(rows: int, columns: int) -> None:
    said = _Shapes()
    nets = GroundNets(said.sight, said.shares)  # type: ignore[arg-type]
    valid = np.ones((rows, columns), bool)
    plan = np.full((2 * rows, 2 * columns, 3), 90, np.uint8)
    first = np.full((PLANES, rows, columns), 0.5, np.float32)
    out = nets.decide(nets.sight(plan, valid), first, lean_over(rows, columns), valid)
    assert out.shape == (PLANES, rows, columns) and not out.any()  # even odds
    assert said.valid is not None and said.image is not None
    assert said.valid.shape[0] % 32 == 0 and said.valid.sum() == rows * columns
    assert said.image.shape[:2] == (2 * said.valid.shape[0], 2 * said.valid.shape[1]) and (said.image == 90).all()
