"""Drawn test tables: the same for the same seed, with a truth that is exact, and as they were wished for."""

import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.markers import find_markers
from synthetic.camera import Shot, photograph, view_of
from synthetic.layers import KINDS, Layers, Window
from synthetic.look import plan_view
from synthetic.paint import outline_of
from synthetic.plan import random_plan
from synthetic.planned import TablePlan, frame_places
from synthetic.tables import DrawnPhoto, draw
from synthetic.wishes import Wish
from tabletop.referee.judging import expected_from
from tabletop.tables.tablefile import load_table
from vision.tags.reading import find_tags

SMALL = Wish(size=(24.0, 24.0), megapixels=1.2, tags=True, frame=True, shadow=False, hand=False)
CLEAR = replace(SMALL, elevation_deg=60, blur_px=0.4, shake_px=0, noise=0.002, light="bright", jpeg=95)


@pytest.mark.slow
def test_the_same_seed_and_wish_draw_the_same_picture() -> None:
    wish = replace(SMALL, megapixels=0.5)
    first, again = draw(5, wish), draw(5, wish)
    assert first.data == again.data and first.truth == again.truth and first.table == again.table
    assert first.image.shape in ((612, 816, 3), (816, 612, 3))


def offs(photo: DrawnPhoto, folder: Path) -> tuple[np.ndarray, np.ndarray, int]:
    """How far frame markers' corners, and tags in full view, are read from where the truth has them, in pixels; how
    many tags that nothing covers are not read."""
    gray = cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY)
    frame = {m["id"]: np.column_stack([m["corners"], np.zeros(4)]) for m in photo.truth["frame_markers"]}
    found = find_markers(gray, "DICT_APRILTAG_36h11", frame)
    assert sorted(found.ids.tolist()) == sorted(frame) == [0, 1, 2, 3]
    markers = [c - photo.view.pixel_from_table(frame[int(k)]) for k, c in zip(found.ids, found.corners, strict=True)]
    photo.write(folder)
    bases = {b["tag_id"]: b for u in photo.truth["units"] for b in u["bases"] if b["tag_id"] is not None}
    tags = find_tags(gray, photo.view, expected_from(load_table(folder / f"{photo.name}.table.toml")))
    away = [
        np.mean(c - photo.view.pixel_from_table(bases[int(k)]["tag"]["corners"]), axis=0)
        for k, c in zip(tags.ids, tags.corners, strict=True)
        if bases[int(k)]["tag"]["visible_fraction"] > 0.98
    ]
    assert away
    seen_clearly = {k for k, b in bases.items() if b["tag"]["visible_fraction"] == 1.0}
    return np.abs(markers), np.abs(away), len(seen_clearly - set(tags.ids.tolist()))


def test_frame_markers_and_tags_lie_where_the_true_camera_puts_them(tmp_path: Path) -> None:
    markers, tags, missed = offs(draw(12, replace(CLEAR, megapixels=2.0)), tmp_path)
    assert np.median(markers) < 0.15 and np.percentile(markers, 95) < 0.4
    assert len(tags) >= 4 and np.median(tags) < 0.15 and missed <= 1


def test_a_block_is_seen_exactly_where_its_top_is() -> None:
    window = Window(0.0, 0.0, 10.0, 8.0, 40.0)
    shots = [Shot(az, el, 24.0, 3.0, (5.0, 4.0), (900, 675), 26.0, (0.05, -0.07, 0, 0, 0))
             for az, el in ((180, 75), (200, 45), (95, 30))]  # fmt: skip
    for shot in shots:
        layers = Layers.empty(window)
        layers.ground[:] = 0.0
        x, y = window.places()
        block = (np.abs(x - 5.0) < 1.5) & (np.abs(y - 4.0) < 1.0)
        # A block whose top is white within a black rim, so that its side is black.
        layers.ground_z[block], layers.base[block] = 0.75, 1
        layers.ground[(np.abs(x - 5.0) < 1.2) & (np.abs(y - 4.0) < 0.7)] = 1.0
        layers.levels.append(0.75)
        view = view_of(shot)
        seen = photograph(layers, (layers.ground, layers.top, layers.side), view, room=(0.0, 0.0, 0.0))[..., 1]
        top = np.array([[3.8, 3.3, 0.75], [6.2, 3.3, 0.75], [6.2, 4.7, 0.75], [3.8, 4.7, 0.75]])
        outline = shapely.Polygon(view.pixel_from_table(top))
        rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]]
        middle = np.array([(columns * seen).sum(), (rows * seen).sum()]) / seen.sum()
        assert np.abs(middle - [outline.centroid.x, outline.centroid.y]).max() < 0.15
        assert seen.sum() == pytest.approx(outline.area, rel=0.01)


def test_what_stands_hides_what_lies_behind_it() -> None:
    window = Window(0.0, 0.0, 12.0, 12.0, 16.0)
    layers = Layers.empty(window)
    x, y = window.places()
    tower = (np.abs(x - 6) < 0.5) & (np.abs(y - 4) < 0.5)
    layers.high[tower] = 3.0
    layers.top[tower], layers.side[tower] = (0, 0, 1), (0, 1, 0)
    eye = (6.0, -14.0, 20.0)
    seen = plan_view(layers, (layers.ground, layers.top, layers.side), eye)

    def at(x_in: float, y_in: float) -> list[float]:
        column, row = np.rint(window.pixels([[x_in, y_in]])[0]).astype(int)
        return [round(float(v), 2) for v in seen[row, column]]

    # A place of the top at 3 inches is seen where the ray through it comes down: 20 / 17 as far from the eye's foot.
    lean = 20.0 / 17.0
    assert at(6.0, -14.0 + lean * 18.0) == [0, 0, 1]
    assert at(6.0, 4.5) == [0, 1, 0] and at(6.0, 3.0) == at(1.0, 1.0) == [0.3, 0.3, 0.3]
    assert at(6.0, -14.0 + lean * 18.5 + 0.2) == [0.3, 0.3, 0.3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "wish",
    [
        Wish(elevation_deg=90, megapixels=0.6, light="dim"),
        Wish(azimuth_deg=10, distortion=-0.1, light="warm", megapixels=0.6),
        Wish(elevation_deg=25, rims=True, tags=False, frame=False, megapixels=0.6, jpeg=40),
    ],
    ids=["above", "bent", "bare"],
)
def test_wishes_are_honoured(wish: Wish) -> None:
    photo = draw(21, replace(wish, size=(24.0, 24.0)))
    truth, table = photo.truth, tomllib.loads(photo.table)
    assert photo.image.shape[0] * photo.image.shape[1] == pytest.approx(0.6e6, rel=0.01)
    assert truth["table"] == {"width": 24.0, "depth": 24.0} and table["table"]["width"] == 24.0
    eye = photo.view.eye - [12.0, 12.0, 0.0]
    if wish.elevation_deg is not None:
        assert np.degrees(np.arctan2(eye[2], np.hypot(eye[0], eye[1]))) == pytest.approx(wish.elevation_deg, abs=3.0)
    if wish.azimuth_deg is not None:
        assert np.degrees(np.arctan2(eye[0], eye[1])) == pytest.approx(wish.azimuth_deg, abs=5.0)
    if wish.distortion is not None:
        assert truth["camera"]["distortion"][0] == wish.distortion
    if wish.tags is False:
        assert truth["unit_tags"] is None and "tags" not in table and all("tag" not in u for u in table["units"])
    if wish.frame is False:
        assert truth["frame_markers"] == [] and "frame" not in table
    if wish.rims:
        assert set(truth["rims"]) == {"blue", "red"} and all("rim" in side for side in table["sides"])
    corners = photo.view.pixel_from_table([[x, y, 0.0] for x in (0, 24) for y in (0, 24)])
    assert corners.min() > 0 and np.all(corners.max(axis=0) < photo.image.shape[1::-1])


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"elevation_deg": 20}, "elevation_deg 20 is not drawn: wish for 25 to 90 degrees."),
        ({"megapixels": 48}, "megapixels 48"),
        ({"distortion": 0.5}, "distortion 0.5"),
        ({"jpeg": 101}, "jpeg 101"),
        ({"size": (5.0, 36.0)}, "A table of 5 x 36 inches"),
        ({"rim_colors": ("#101010", "white")}, 'A rim of "white"'),
        ({"rim_colors": ("#101010", "#ffffff"), "rims": False}, "Rims of a colour are painted"),
        ({"light": "green"}, 'Light "green"'),
        ({"orientation": 3}, "EXIF orientation 3"),
        ({"dice": "twenty-sided"}, 'Dice "twenty-sided" are not drawn: wish for plain, marbled, six, one, prints.'),
    ],
)
def test_what_is_not_drawn_is_refused_in_one_sentence(wish: dict, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        Wish(**wish)
    assert words in str(caught.value) and "\n" not in str(caught.value) and str(caught.value).endswith(".")


def bases_of(plan: TablePlan) -> list[shapely.Polygon]:
    return [shapely.Polygon(outline_of(b)) for u in plan.units for b in u.bases]


@given(st.integers(0, 10**6), st.sampled_from([(24.0, 24.0), (72.0, 48.0)]))
@settings(max_examples=10, deadline=None)
def test_random_plans_can_be_laid_on_a_real_table(seed: int, size: tuple[float, float]) -> None:
    plan = random_plan(np.random.default_rng(seed), size=size, tags=True, frame=True)
    bases, table = bases_of(plan), shapely.box(0, 0, *size)
    overlap = [a.intersection(b).area / min(a.area, b.area) for k, a in enumerate(bases) for b in bases[:k]]
    assert max(overlap, default=0.0) < 0.15
    assert all(table.buffer(1.0).contains(b) for b in bases)
    half = plan.marker_size / 2
    frame = shapely.union_all([shapely.box(x - half, y - half, x + half, y + half) for _, x, y in frame_places(plan)])
    assert table.contains(frame) and all(b.intersection(frame).area < 0.02 * b.area for b in bases)
    tags = [b.tag for u in plan.units for b in u.bases if b.tag is not None]
    assert len(set(tags)) == len(tags) and max(tags, default=0) < 100
    ids = [u.id for u in plan.units]
    assert len(set(ids)) == len(ids)
    for unit in plan.units:
        assert sum(b.unique for b in unit.bases) == 1 and len({(b.width, b.depth) for b in unit.bases}) == 1
        assert all(b.tag is not None for b in unit.bases if b.unique)
    for piece in plan.pieces:
        assert piece.kind in KINDS and piece.shape.area > 0
        assert piece.shape.intersection(table).area > 0.2 * piece.shape.area
        if piece.kind not in ("road", "river", "bridge"):
            assert not piece.shape.intersects(frame)
    dice = [t for t in plan.things if t.what == "die"]
    assert all(1 <= t.value <= 6 for t in dice)
    assert all(not b.contains(shapely.Point(t.x, t.y)) for b in bases for t in dice)
