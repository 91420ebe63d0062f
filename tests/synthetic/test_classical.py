"""The classical way that the nets are compared with: what it learns from, and how pieces and bases are counted."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import numpy as np
import pytest
import shapely

from tests.paths import ROOT
from vision.terrain.pieces import KINDS

sys.path.insert(0, str(ROOT / "scripts" / "train"))
import classical
import compare
import features as places
import samples
from classical import learnt, settling_samples
from sampled import kept_aside, load_sample


@pytest.mark.parametrize("module", [places, classical, compare])
def test_what_the_docstrings_show_is_so(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_what_settles_or_is_kept_aside_is_not_learnt_from() -> None:
    paths = [Path(f"{k // 2:04d}-{k % 2}.npz") for k in range(4000)]
    aside, settle, learn = kept_aside(paths), settling_samples(paths), learnt(paths)
    assert len(aside) == 200 and not {*aside} & {*learn} and not {*aside} & {*settle}
    assert settle and not {p.name[:4] for p in settle} & {p.name[:4] for p in learn}
    looks = [p.name[5] for p in learn]
    assert len({p.name[:4] for p in learn}) == len(learn) > 1700
    assert abs(looks.count("0") - looks.count("1")) < 0.1 * len(learn)


@pytest.mark.slow
def test_samples_are_read_as_they_are_written(tmp_path: Path) -> None:
    made = samples.bases_samples(5)[1]
    with (tmp_path / "1-0.npz").open("wb") as file:
        np.savez(file, **made)  # type: ignore[arg-type]
    one = load_sample(tmp_path / "1-0.npz")
    assert np.array_equal(one.image, made["image"])
    assert one.planes.shape == (3, *one.valid.shape) == (3, 192, 192)
    assert np.array_equal(np.packbits(one.planes, axis=-1), made["target"])
    rows, said, weight = classical.gather_features([tmp_path / "1-0.npz"], 500, np.random.default_rng(3))
    assert len(rows) == len(said) == len(weight) == 500 and said.shape[1] == 3
    oracle = {"true": lambda image, lean, valid, ppi: one.planes.astype(np.float32), "never": empty}
    told = compare.on_samples("bases", oracle, [tmp_path / "1-0.npz"])
    assert [row[0] for row in told] == ["top", "outline", "middle", "mean"]
    assert [row[2:] for row in told] == [["1.00", "0.00"]] * 4


def empty(image: np.ndarray, lean: object, valid: np.ndarray, ppi: float) -> np.ndarray:
    return np.zeros((3, *valid.shape), np.float32)


def test_pieces_are_found_mistaken_or_invented() -> None:
    kinds = {kind: compare.Told() for kind in KINDS}
    true = [
        ("woods", shapely.box(0, 0, 10, 10)),
        ("field", shapely.box(20, 0, 30, 10)),
        ("hill", shapely.box(0, 0, 4, 4)),
    ]
    told = [
        ("woods", shapely.box(0, 0, 10, 6)),  # found: 60 of 100
        ("woods", shapely.box(21, 0, 29, 10)),  # it is the field
        ("marsh", shapely.box(30.5, 20, 34, 24)),  # there is nothing
        ("hill", shapely.box(0, 0, 1.5, 4)),  # right, but too little of it
    ]
    compare.count_pieces(kinds, told, true)
    woods, field, hill, marsh = (kinds[k] for k in ("woods", "field", "hill", "marsh"))
    assert (woods.pieces, woods.found, woods.told, woods.mistaken, woods.invented) == (1, 1, 2, 1, 0)
    assert (woods.there, woods.both, woods.either) == pytest.approx((100, 60, 180))
    assert (field.pieces, field.found, field.told) == (1, 0, 0)
    assert (marsh.pieces, marsh.told, marsh.mistaken, marsh.invented) == (0, 1, 0, 1)
    assert (hill.found, hill.told, hill.mistaken, hill.invented) == (0, 1, 0, 0)


def test_told_bases_go_to_true_ones_one_to_one() -> None:
    true = np.array([[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]])
    told = np.array([[1.1, 1.0], [1.2, 1.0], [5.0, 5.6], [9.0, 7.0]])
    assert compare.match_distances(told, true) == pytest.approx([0.1, 0.6])
    assert compare.match_distances(np.zeros((0, 2)), true) == []
