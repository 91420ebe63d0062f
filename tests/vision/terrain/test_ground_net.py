"""The net that names kinds of terrain, without PyTorch: samples, labels, and what two witnesses say together."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.paths import ROOT
from vision.terrain.pieces import KINDS

sys.path.insert(0, str(ROOT / "scripts" / "train"))
import samples
from kinds_reader import CELL_PX, KindsReader, centred, together
from sampled import PLANES, Sample, load_sample, numbered_cells


def sample_of(*kinds: str, rows: int = 32, columns: int = 48) -> Sample:
    """A sample that kinds cover from its left edge on, 16 pixels each."""
    planes = np.zeros((len(PLANES["ground"]), rows, columns), bool)
    for i, kind in enumerate(kinds):
        planes[PLANES["ground"].index(kind), :, 16 * i : 16 * (i + 1)] = True
    lean = (np.zeros((1, columns), np.float32), np.zeros((rows, 1), np.float32))
    return Sample(np.zeros((rows, columns, 3), np.uint8), planes, np.ones((rows, columns), bool), lean, 16.0)


def number(kind: str) -> int:
    return KINDS.index(kind) + 1


def test_samples_show_the_same_tables_finer(tmp_path: Path) -> None:
    made = samples.samples_for("kinds", 5)
    assert len(made) == samples.LOOKS
    np.savez(tmp_path / "1-0.npz", **made[0])
    sample = load_sample(tmp_path / "1-0.npz")
    assert sample.image.shape == (384, 384, 3) and sample.px_per_inch == samples.KINDS_PPI
    cells, on_table = numbered_cells(sample, CELL_PX)
    assert cells.shape == on_table.shape == (48, 48)
    assert set(np.unique(cells)) <= set(range(-1, len(KINDS) + 1)) and (cells[~on_table] == -1).all()


def test_cells_are_numbered_by_what_covers_them() -> None:
    cells, on_table = numbered_cells(sample_of("woods", "marsh"), CELL_PX)
    assert on_table.all()
    assert cells[0].tolist() == [number("woods")] * 2 + [number("marsh")] * 2 + [0, 0]


def test_a_bridge_counts_over_its_river_and_a_wood_over_its_hill() -> None:
    sample = sample_of("river", "hill")
    sample.planes[PLANES["ground"].index("bridge"), :, :16] = True
    sample.planes[PLANES["ground"].index("woods"), :, 16:32] = True
    assert numbered_cells(sample, CELL_PX)[0][0, ::2].tolist() == [number("bridge"), number("woods"), 0]


def test_a_cell_that_is_partly_covered_or_off_the_table_is_not_learnt() -> None:
    sample = sample_of("field")
    sample.planes[:, :, 12:] = False
    sample.valid[:8] = False
    cells, on_table = numbered_cells(sample, CELL_PX)
    assert (cells[0] == -1).all() and not on_table[0].any()
    assert cells[1].tolist() == [number("field"), -1, 0, 0, 0, 0]


def shares(rows: int = 40, columns: int = 60, **of: float) -> np.ndarray:
    """The ground net's shares, everywhere the same."""
    out = np.zeros((len(KINDS) + 1, rows, columns), np.float32)
    for kind, share in of.items():
        out[KINDS.index(kind)] = share
    return out


def seen(rows: int = 10, columns: int = 15, **of: float) -> np.ndarray:
    """The other net's, everywhere the same."""
    out = np.zeros((rows, columns, len(KINDS) + 1), np.float32)
    for kind, share in of.items():
        out[..., number(kind)] = share
    out[..., 0] = 1.0 - sum(of.values())
    return out


def test_what_both_see_is_surer_and_what_one_sees_alone_is_open() -> None:
    def woods(ground: float, kinds: float) -> float:
        return float(together(shares(woods=ground), seen(woods=kinds))[KINDS.index("woods"), 20, 30])

    assert woods(0.9, 0.9) > 0.9 and woods(0.02, 0.02) < 0.05
    assert 0.3 < woods(0.9, 0.1) < 0.7
    assert woods(0.9, 0.9) > woods(0.9, 0.6) > woods(0.6, 0.6)


def test_a_town_that_was_taken_for_a_wood_is_a_town() -> None:
    out = together(shares(woods=0.9, town=0.05), seen(town=0.9, woods=0.05))
    assert out[KINDS.index("town"), 20, 30] > 0.6 and out[KINDS.index("woods"), 20, 30] < 0.4


def test_hills_and_ways_stay_as_they_are() -> None:
    ground = shares(hill=0.8, road=0.7, river=0.2)
    out = together(ground, seen(woods=0.9))
    for kind in ("hill", "road", "river", "bridge"):
        assert np.array_equal(out[KINDS.index(kind)], ground[KINDS.index(kind)])


class _Answers:
    """An encoder that answers with the mean of each cell's colours."""

    def setInput(self, shown: np.ndarray) -> None:  # noqa: N802 - OpenCV's name
        self.shown = shown

    def forward(self, names: list[str]) -> list[np.ndarray]:
        assert names == ["fine", "coarse"]
        picture = np.moveaxis(self.shown[0], 0, 2)
        return [
            np.moveaxis(cv2.resize(picture, (picture.shape[1] // n, picture.shape[0] // n)), 2, 0)[None]
            for n in (CELL_PX, 2 * CELL_PX)
        ]


@pytest.mark.parametrize("mat", [(60, 120, 90), (200, 210, 220)])
def test_cells_are_told_against_the_tables_own_mat(mat: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.full((70, 101, 3), mat, np.uint8)
    image[16:48, 32:64] = np.array(mat) - 50
    reader = KindsReader.__new__(KindsReader)
    reader._net = _Answers()
    # hidden: how much darker than the mat the fine cell is; scores: that against a quarter
    reader._hidden = np.zeros((1, 13), np.float32)
    reader._hidden[0, 6] = -1.0
    reader._scores = np.array([[0.0, 2.0], [20.0, 0.0]], np.float32)
    told = reader(image, np.ones((70, 101), bool))
    assert told.shape == (8, 12, 2) and np.allclose(told.sum(axis=2), 1.0)
    assert (told[3:5, 5:7, 1] > 0.9).all() and (told[0, :, 1] < 0.2).all()


def test_a_picture_is_centred_with_blue_first() -> None:
    out = centred(np.full((4, 6, 3), (127, 255, 0), np.uint8))
    assert out.shape == (3, 4, 6) and out[:, 0, 0] == pytest.approx([0.0, 1.0, -127 / 128])
