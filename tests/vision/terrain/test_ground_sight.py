"""How a table looks cell by cell, from what nets say that are made up."""

import numpy as np
import pytest

from vision.terrain.ground_nets import STRIDES, Said, Sight, mat_of
from vision.terrain.ground_sight import CELL_PX, HUES, TEXTURE_COUNT, Laid, sight_of

ROWS, COLUMNS = 64, 96
WIDTHS = (2, 3, 4)


def seen_by_encoder(fine: np.ndarray) -> Sight:
    """An encoder whose every feature is the map's own brightness at its resolution."""
    level = fine.mean(axis=2)
    features = []
    for stride, count in zip(STRIDES, WIDTHS, strict=True):
        rows, columns = level.shape[0] // stride, level.shape[1] // stride
        cells = level.reshape(rows, stride, columns, stride).mean(axis=(1, 3))
        features.append(np.repeat(cells[None], count, axis=0).astype(np.float32))
    mats = tuple(mat_of(one.reshape(len(one), -1)) for one in features)
    return Sight(tuple(features), mats)


def look(fine: np.ndarray, shown: np.ndarray):
    share = np.full((9, ROWS, COLUMNS), 0.5, np.float32)
    said = Said(share, share[None], (seen_by_encoder(fine), seen_by_encoder(fine[:, ::-1])))
    return sight_of(Laid(fine[::2, ::2], fine, shown, said), each_view=True)


def test_the_mirror_image_is_turned_back_onto_the_same_cells() -> None:
    rng = np.random.default_rng(4)
    fine = np.repeat(rng.integers(0, 255, (2 * ROWS, 2 * COLUMNS, 1)), 3, axis=2).astype(np.uint8)
    sight = look(fine, np.ones((ROWS, COLUMNS), bool))
    assert sight.figures.shape[1:] == (ROWS // CELL_PX, COLUMNS // CELL_PX) and len(sight.views) == 2
    assert np.allclose(sight.views[0], sight.views[1], atol=1e-3)
    assert np.allclose(sight.figures, sight.views[0], atol=1e-3)
    assert len(sight.mat) == HUES + TEXTURE_COUNT + WIDTHS[1] + WIDTHS[2]


def test_cells_are_told_against_the_mat_in_spreads_of_the_table() -> None:
    fine = np.full((2 * ROWS, 2 * COLUMNS, 3), 90, np.uint8)
    fine[32:96, 32:96] = 150
    darker = (fine // 2).astype(np.uint8)
    one, other = (
        look(picture, np.ones((ROWS, COLUMNS), bool)).figures[: WIDTHS[1] + WIDTHS[2]] for picture in (fine, darker)
    )
    assert one[0, 2, 40] == pytest.approx(0.0, abs=0.05) and one[0, 16, 16] > 1.5
    assert np.allclose(one, other, atol=0.05), "half as much light changes nothing"
