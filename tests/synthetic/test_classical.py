"""The classical way that the nets are compared with: its features, its shares, and the tables of the comparison."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from calibration import FrameLayout
from tests.paths import ROOT
from tests.support.table_scenes import looking_at
from vision import Expected
from vision.imaging.nets import both_ways, lean_of, net, plan_input
from vision.imaging.rectify import MapScale
from vision.model.expected import BaseShape, ExpectedUnit
from vision.terrain.ground_nets import SIGHT_PPI
from vision.terrain.pieces import KINDS, mask_of

sys.path.insert(0, str(ROOT / "scripts" / "train"))
import classical
import compare
import features as places
import roster_fit
import samples
from classical import Forest, centre_shares, drawn_places, learnt, overlaps, settling_samples
from features import features, guided_filter
from sampled import Sample, kept_aside, load_sample

PPI = 8.0
FOOT, HEIGHT = (40.0, 150.0), 45.0


def picture(rows: int = 72, columns: int = 96, seed: int = 1) -> np.ndarray:
    """A green mat with noise, a brown patch and a finely speckled one, BGR."""
    rng = np.random.default_rng(seed)
    image = np.full((rows, columns, 3), (70, 130, 90), np.float64) + rng.normal(0, 4, (rows, columns, 3))
    image[10:34, 12:40] *= (0.5, 0.7, 1.1)
    image[36:60, 50:82] += rng.normal(0, 45, (24, 32, 1))
    return np.clip(image, 0, 255).astype(np.uint8)


def shown(image: np.ndarray, valid: np.ndarray | None = None) -> dict[str, np.ndarray]:
    rows, columns = image.shape[:2]
    valid = np.ones((rows, columns), bool) if valid is None else valid
    planes, names = features(image, lean_of(columns, rows, FOOT, HEIGHT, PPI), valid, PPI)
    return dict(zip(names, planes, strict=True))


@pytest.mark.parametrize("module", [places, classical, compare])
def test_what_the_docstrings_show_is_so(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


@pytest.mark.slow
def test_samples_for_the_second_net_show_the_same_tables_finer(tmp_path: Path) -> None:
    made = samples.samples_for("sight", 5)
    assert len(made) == samples.LOOKS
    np.savez(tmp_path / "1-0.npz", **made[0])
    sample = load_sample(tmp_path / "1-0.npz")
    assert sample.image.shape == (384, 384, 3) and sample.planes.shape == (9, 384, 384)
    assert sample.px_per_inch == SIGHT_PPI


# --- features --------------------------------------------------------------------------------------------------------


def test_features_are_named_once_and_finite() -> None:
    image = picture()
    planes, names = features(image, lean_of(96, 72, FOOT, HEIGHT, PPI), np.ones((72, 96), bool), PPI)
    assert planes.shape == (len(names), 72, 96) and planes.dtype == np.float32
    assert len(set(names)) == len(names) > 60
    assert np.isfinite(planes).all()


@pytest.mark.parametrize("value", [0, 90, 255])
def test_flat_pictures_have_no_texture(value: int) -> None:
    there = shown(np.full((40, 48, 3), value, np.uint8))
    assert all(np.isfinite(plane).all() for plane in there.values())
    for name in ("spread of brightness over 0.7 in", "edges over 0.8 in", "stripes of 0.35 in"):
        assert there[name] == pytest.approx(np.log2(0.03), abs=0.05)
    assert np.all(there["share of flat"] > 0.999)


def test_no_table_at_all_is_no_error() -> None:
    there = shown(picture(), np.zeros((72, 96), bool))
    assert all(np.isfinite(plane).all() for plane in there.values())


def test_what_lies_off_the_table_is_not_looked_at() -> None:
    valid = np.ones((72, 96), bool)
    valid[:, 60:] = False
    image = picture()
    other = image.copy()
    other[:, 60:] = 255 - other[:, 60:]
    a, b = shown(image, valid), shown(other, valid)
    for name in a:
        assert np.array_equal(a[name][valid], b[name][valid]), name


def test_a_picture_in_the_mirror_has_the_same_features_in_the_mirror() -> None:
    image = picture()
    rows, columns = image.shape[:2]
    valid = np.ones((rows, columns), bool)
    lean = lean_of(columns, rows, FOOT, HEIGHT, PPI)
    planes, names = features(image, lean, valid, PPI)
    flipped = (-lean[0][:, ::-1].copy(), lean[1])
    mirrored, _ = features(np.ascontiguousarray(image[:, ::-1]), flipped, valid, PPI)
    for name, plane, other in zip(names, planes, mirrored, strict=True):
        sign = -1.0 if name == "lean right" else 1.0
        # The mat's median is of every seventh pixel, and those are others in the mirror.
        assert np.percentile(np.abs(sign * other[:, ::-1] - plane), 99) < 0.02, name


def test_speckles_and_colour_show_where_they_are() -> None:
    there = shown(picture())
    patch, speckled, mat = np.s_[16:28, 18:34], np.s_[42:54, 58:74], np.s_[60:70, 4:30]
    assert there["red to green over 0.12 in"][patch].min() > there["red to green over 0.12 in"][mat].max() + 0.3
    fine = there["change at 0.06 in over 0.4 in"]
    assert fine[speckled].min() > fine[mat].max() + 1.0
    assert abs(float(np.median(there["brightness"][mat]))) < 0.1


@pytest.mark.parametrize("gain", [0.6, 1.3])
def test_features_against_the_mat_hardly_depend_on_the_light(gain: float) -> None:
    image = picture()
    other = np.clip(image * gain, 0, 255).astype(np.uint8)
    a, b = shown(image), shown(other)
    for name in ("brightness over 0.4 in", "red to green over 0.4 in", "blue to green over 0.4 in"):
        assert float(np.median(np.abs(a[name] - b[name]))) < 0.1, name


def test_the_colour_beside_is_read_along_the_lean() -> None:
    image = np.full((64, 64, 3), 100, np.uint8)
    image[:24] = 200
    # Seen from below the map: things lean upwards, so what lies further along the lean lies higher in the map.
    planes, names = features(image, lean_of(64, 64, (32.0, 400.0), 45.0, PPI), np.ones((64, 64), bool), PPI)
    there = dict(zip(names, planes, strict=True))
    assert np.all(there["brightness 1.2 in along the lean"][28:31, 20:44] > 0.5)
    assert np.all(np.abs(there["brightness -1.2 in along the lean"][28:60, 20:44]) < 0.05)


def test_smoothing_goes_no_further_than_the_colour() -> None:
    rng = np.random.default_rng(4)
    image = np.full((60, 80, 3), (60, 120, 90), np.uint8)
    image[:, 40:] = (40, 70, 140)
    true = np.full((1, 60, 80), 0.3, np.float32)
    true[:, :, 40:] = 0.7
    noisy = (true + rng.uniform(-0.3, 0.3, true.shape)).astype(np.float32)
    smooth = guided_filter(noisy, image, 4.0)
    assert np.abs(smooth - true).mean() < 0.4 * np.abs(noisy - true).mean()
    blurred = cv2.blur(noisy[0], (9, 9))
    beside = np.s_[:, 38:42]
    assert np.abs(smooth[0] - true[0])[beside].mean() < 0.7 * np.abs(blurred - true[0])[beside].mean()
    same = np.full((2, 60, 80), 0.3, np.float32)
    assert guided_filter(same, image, 4.0) == pytest.approx(same, abs=1e-4)


# --- the forest ------------------------------------------------------------------------------------------------------


class Brown:
    """Says that what is redder than the mat is on the plane; feature 4 is red to green."""

    def predict_proba(self, rows: np.ndarray) -> np.ndarray:
        yes = np.clip(rows[:, 4], 0, 1)
        return np.stack([1 - yes, yes], axis=1)


def sample() -> Sample:
    image = picture()
    planes = np.zeros((3, 72, 96), bool)
    planes[0, 10:34, 12:40] = True
    planes[1, 40:44, 50:54] = True
    valid = np.ones((72, 96), bool)
    valid[:, 90:] = False
    return Sample(image, planes & valid, valid, lean_of(96, 72, FOOT, HEIGHT, PPI), PPI)


@pytest.mark.parametrize("reach_in", [0.0, 0.2])
def test_a_forest_says_shares_on_the_table_alone_and_comes_back_from_its_file(tmp_path: Path, reach_in: float) -> None:
    forest = Forest("bases", (Brown(), Brown(), Brown()), (0.3, 0.5, 0.8), reach_in)
    one = sample()
    share = forest(one.image, one.lean, one.valid, PPI)
    assert share.shape == one.planes.shape
    assert share.min() >= 0 and share.max() <= 1
    assert np.all(share[:, ~one.valid] == 0)
    patch = np.s_[14:30, 16:36]
    assert np.all(share[0][patch] > 0.5)
    assert np.all(share[0][patch] >= share[1][patch]) and np.all(share[1][patch] >= share[2][patch])
    classical.save_forest(forest, tmp_path / "forest.gz")
    again = classical.load_forest(tmp_path / "forest.gz")
    assert (again.task, again.cuts, again.smoothing_in) == ("bases", (0.3, 0.5, 0.8), reach_in)
    assert np.array_equal(again(one.image, one.lean, one.valid, PPI), share)


def test_trees_asked_at_every_other_pixel_say_the_same_there_and_something_between_elsewhere() -> None:
    image = picture(71, 95)
    valid = np.ones((71, 95), bool)
    lean = lean_of(95, 71, FOOT, HEIGHT, PPI)
    full = Forest("bases", (Brown(),), (0.5,), 0.0).raw(image, lean, valid, PPI)[0]
    few = Forest("ground", (Brown(),), (0.5,), 0.0).raw(image, lean, valid, PPI)[0]
    assert few[::2, ::2] == pytest.approx(full[::2, ::2], abs=1e-6)
    assert few[:70:2, 1:94:2] == pytest.approx((full[:70:2, :93:2] + full[:70:2, 2::2]) / 2, abs=0.02)
    assert few[1:70:2, ::2] == pytest.approx((full[:69:2, ::2] + full[2::2, ::2]) / 2, abs=0.02)


@given(st.floats(0.05, 0.95), st.lists(st.floats(0, 1, width=32), min_size=2, max_size=20))
def test_a_cut_becomes_one_half_and_the_order_stays(cut: float, values: list[float]) -> None:
    share = np.sort(np.array([values], np.float32))
    out = centre_shares(share, (cut,))
    assert np.all(np.diff(out) >= 0)
    clear = np.abs(share - cut) > 1e-4
    assert np.array_equal((out > 0.5)[clear], (share > cut)[clear])


def test_overlaps_are_counted_as_one_by_one() -> None:
    rng = np.random.default_rng(2)
    share = rng.uniform(0, 1, (2, 30, 40)).astype(np.float32)
    planes, valid = rng.random((2, 30, 40)) < 0.3, rng.random((30, 40)) < 0.8
    both, either = overlaps(share, planes, valid)
    for c in (0, 7, len(classical._CUTS) - 1):
        said = share >= classical._CUTS[c]
        assert both[:, c].tolist() == (said & planes & valid).sum(axis=(1, 2)).tolist()
        assert either[:, c].tolist() == ((said | planes) & valid).sum(axis=(1, 2)).tolist()


def test_rare_planes_are_drawn_often_and_weighed_back() -> None:
    one = sample()
    at, weight = drawn_places(one, 40_000, np.random.default_rng(1))
    for plane in one.planes[:2]:
        true = plane[one.valid].mean()
        drawn = plane.ravel()[at]
        assert drawn.mean() > 0.2 > true
        assert float((drawn * weight).sum() / weight.sum()) == pytest.approx(true, rel=0.1)
    assert one.valid.ravel()[at].all()
    none = Sample(one.image, one.planes & False, one.valid & False, one.lean, PPI)
    assert drawn_places(none, 10, np.random.default_rng(1))[0].size == 0


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


# --- comparing -------------------------------------------------------------------------------------------------------


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


def seen_table() -> tuple[compare.Seen, shapely.Polygon]:
    """A photo of a green table with one dark wood, with its truth."""
    view = looking_at(800, 600, focal=620.0, distance_in=27.0, elevation_deg=75.0)
    wood = shapely.Polygon([[4, 5], [12, 5], [13, 11], [5, 12]])
    image = np.full((600, 800, 3), (70, 130, 90), np.uint8)
    outline = view.pixel_from_table(np.column_stack([shapely.get_coordinates(wood), np.zeros(5)]))
    cv2.fillPoly(image, [np.round(outline * 16).astype(np.int32)], (30, 60, 30), cv2.LINE_AA, 4)
    shape = BaseShape(2.0, 1.25, 0.12)
    expected = Expected(18.0, 18.0, no_frame(), (ExpectedUnit("r0", "red", "infantry", 1, shape, shape),))
    truth = {
        "terrain": [{"kind": "woods", "polygon": shapely.get_coordinates(wood).tolist()}],
        "units": [{"bases": [{"centre": [9.0, 15.0]}]}],
    }
    return compare.Seen(image, view, expected, truth), wood


def no_frame() -> FrameLayout:
    return FrameLayout("", 0.0, ())


def dark(image: np.ndarray, lean: object, valid: np.ndarray, ppi: float) -> np.ndarray:
    """Woods where it is dark."""
    out = np.zeros((9, *valid.shape), np.float32)
    out[KINDS.index("woods")] = image[..., 1] < 95
    return out


def nothing(image: np.ndarray, lean: object, valid: np.ndarray, ppi: float) -> np.ndarray:
    return np.zeros((9, *valid.shape), np.float32)


def test_terrain_of_a_photo_is_scored_by_place_and_by_piece() -> None:
    seen, wood = seen_table()
    sums = {"dark": compare.Terrain(), "nothing": compare.Terrain()}
    compare.add_terrain(sums, {"dark": dark, "nothing": nothing}, seen)
    rows = {row[0]: row for row in compare.terrain_rows(sums)}
    assert list(rows) == [*KINDS, "all"]
    assert rows["woods"][1] == f"1 ({wood.area:.0f})"
    assert all(
        float(rows[kind][k]) > 0.95 and float(rows[kind][k + 1]) == 0 for kind in ("woods", "all") for k in (2, 4)
    )
    assert rows["woods"][6:] == ["1", "0", "0 + 0 of 1", "0 + 0 of 0"]
    assert rows["marsh"][2:] == ["-", "-", "-", "-", "0", "0", "0 + 0 of 0", "0 + 0 of 0"]
    assert len({len(row) for row in rows.values()}) == 1


def test_bases_are_found_in_maps_that_show_them_and_not_in_empty_ones() -> None:
    seen, _ = seen_table()

    def drawn(image: np.ndarray, lean: object, valid: np.ndarray, ppi: float) -> np.ndarray:
        scale = MapScale(18.0, 18.0, ppi, 0.5)
        base = shapely.box(8.0, 14.375, 10.0, 15.625)
        whole, outer, inner, middle = (mask_of(base.buffer(by), scale) for by in (0, 0.06, -0.06, -0.4))
        return np.stack([whole, outer & ~inner, middle]).astype(np.float32)

    sums = {"drawn": compare.Bases(), "empty": compare.Bases()}
    compare.add_bases(sums, {"drawn": drawn, "empty": empty}, seen)
    rows = compare.bases_rows(sums)
    assert rows[0][:3] == ["drawn", "1 of 1 (100 %)", "0 of 1"]
    assert rows[1] == ["empty", "0 of 1 (0 %)", "0 of 0", "-"]
    assert sums["drawn"].error_in[0] < 0.1


def test_edges_alone_lie_on_the_outline_of_what_stands_out() -> None:
    rng = np.random.default_rng(3)
    image = np.clip(np.full((120, 120, 3), (70, 130, 90)) + rng.normal(0, 2, (120, 120, 3)), 0, 255).astype(np.uint8)
    image[40:70, 40:80] = (40, 60, 130)
    valid = np.ones((120, 120), bool)
    top, edge, middle = roster_fit.edges(image, lean_of(120, 120, FOOT, HEIGHT, 16.0), valid, 16.0)
    assert np.all(top == 1) and np.all(middle == 0)
    assert edge[40:70, 38:42].max(axis=1).min() > 0.5
    assert edge[50:60, 50:70].mean() < 0.2


@pytest.mark.parametrize("task", ["ground", "bases"])
def test_a_net_file_reads_as_the_product_reads_its_own(task: str) -> None:
    path = ROOT / "vision" / "data" / f"{task}.onnx"
    image, valid = picture(64, 96), np.ones((64, 96), bool)
    valid[:, :20] = False
    lean = lean_of(96, 64, FOOT, HEIGHT, PPI)
    shown = plan_input(image, lean, valid)
    own = (both_ways(net(task), shown) if task == "ground" else net(task)(shown)) * valid
    assert own.max() > 0
    assert np.array_equal(compare.FileNet(path, task).read(image, lean, valid, PPI), own)


def test_the_true_camera_puts_the_picture_where_it_was_taken() -> None:
    view = looking_at(800, 600)
    camera = view.camera
    told = {
        "K": camera.K.tolist(),
        "distortion": camera.dist.tolist(),
        "R": view.R.tolist(),
        "t": view.t.tolist(),
    }
    again = compare.view_of({"camera": told}, (600, 800, 3))
    points = np.array([[1.0, 2.0, 0.0], [15.0, 12.0, 0.5]])
    assert again.pixel_from_table(points) == pytest.approx(view.pixel_from_table(points), abs=1e-6)
