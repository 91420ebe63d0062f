"""The two nets for terrain, without PyTorch: how they are shown a table, of whatever size."""

import numpy as np
import pytest

from vision.imaging.nets import lean_of
from vision.terrain.ground_nets import (
    STRIDES,
    GroundNets,
    Sight,
    lean_and_table,
    second_inputs,
)

PLANES, WIDTHS = 9, (24, 40, 112)


def lean_over(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    return lean_of(columns, rows, (columns / 2, 1.5 * rows), 40.0, 8.0)


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
