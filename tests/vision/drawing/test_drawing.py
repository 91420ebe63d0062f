"""Drawings: every mark where the camera sees it, names where there is room, and an SVG that stands alone."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from calibration import FrameLayout, FrameMarker, TableView
from geometry import Bases
from geometry.drawing.boxes import Wish, place_boxes
from geometry.drawing.colors import rgb
from geometry.drawing.marks import Label, Marks, Path, Style, circle, ellipse, line, polygon, subdivide_line
from tests.support.letters import LETTERS
from tests.support.picture_scenes import view_over
from vision import BaseLabel, BaseShape, Expected, ExpectedTerrain, ExpectedUnit, Observation, PhotoView
from vision.drawing.observation_drawing import (
    CHI2_95,
    DrawingConfig,
    annotated_map,
    annotated_photo,
    map_svg,
    measure_marks,
    observation_marks,
    side_colors,
)
from vision.drawing.raster import on_map, on_photo, table_part
from vision.imaging.rectify import MapScale

TABLE = (36.0, 30.0)
THIN = Style(color="#ffffff", width_pt=0.5, casing=False)


def label(name: str, **changes: object) -> BaseLabel:
    plain = BaseLabel(name, "A1", None, "blue", "tank", False, 0.0, 0.95, "outline")
    return replace(plain, **changes)  # type: ignore[arg-type]


def table_seen(labels: tuple[BaseLabel, ...], bases: Bases, terrain: tuple[ExpectedTerrain, ...] = ()) -> Observation:
    view = view_over()
    return Observation(TABLE, (PhotoView("a.jpg", *view.camera.size, view),), bases, labels, terrain)


WOOD = ExpectedTerrain("t1", "woods", ((3.0, 4.0), (9.0, 4.0), (9.0, 9.0), (4.0, 10.0)))
HILL = ExpectedTerrain("t2", "hill", ((20.0, 20.0), (28.0, 20.0), (24.0, 27.0)), 1.0, ((23, 22), (25, 22), (24, 24)))


@pytest.fixture
def seen() -> Observation:
    bases = Bases.of([[10, 7], [13, 7], [20, 25], [25, 12]], [0, 10, 180, 45], 2.5, 1.75, sigma=0.04, facing_sigma=1)
    labels = (
        label("b1", unique=True, tag=11, method="tag"),
        label("b2"),
        label("b3", unit="B<2>", side="red", unique=True),
        label("b4", unit=None, side="red"),
    )
    return table_seen(labels, bases, (WOOD, HILL))


def dense(points: np.ndarray, closed: bool = True) -> np.ndarray:
    return subdivide_line(np.asarray(points, dtype=float), closed, 0.02)


def drawn_on_black(marks: Marks, view: TableView | None = None) -> np.ndarray:
    """Pixels (n, 2) that a drawing changed on a black photo."""
    view = view or view_over()
    w, h = view.camera.size
    after = on_photo(np.zeros((h, w, 3), np.uint8), view, marks)
    return np.argwhere(after.max(axis=2) > 60)[:, ::-1].astype(float)


def both_ways(first: np.ndarray, second: np.ndarray) -> float:
    """The greatest distance from a point of either set to the other set."""
    return max(cKDTree(first).query(second)[0].max(), cKDTree(second).query(first)[0].max())


@pytest.mark.parametrize("z", [0.0, 0.12, 2.0])
def test_an_outline_lies_where_the_camera_sees_it(z: float) -> None:
    ring = np.array([[6.0, 5.0], [27.0, 6.0], [30.0, 21.0], [9.0, 24.0]])
    changed = drawn_on_black(Marks((polygon(ring, THIN, z=z),)))
    points = dense(ring)
    truth = view_over().pixel_from_table(np.column_stack([points, np.full(len(points), z)]))
    assert both_ways(changed, truth) < 1.6


def test_a_long_line_bends_with_the_lens() -> None:
    view = view_over(dist=(-0.2, 0.03, 0.0, 0.0, 0.0))
    changed = drawn_on_black(Marks((line((1.0, 1.0), (35.0, 1.0), THIN),)), view)
    ends = view.pixel_from_table([[1, 1, 0], [35, 1, 0]])
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    off_chord = np.abs((changed - ends[0]) @ (-along[1], along[0])).max()
    assert off_chord > 3.0  # a straight stroke between the ends would stay within one pixel
    points = dense(np.array([[1.0, 1.0], [35.0, 1.0]]), closed=False)
    assert both_ways(changed, view.pixel_from_table(np.column_stack([points, np.zeros(len(points))]))) < 1.6


def test_the_photo_given_is_not_drawn_on(seen: Observation) -> None:
    photo = np.full((680, 900, 3), 90, np.uint8)
    drawn = annotated_photo(photo, seen)
    assert (photo == 90).all() and (drawn != 90).any() and drawn.shape == photo.shape


def test_a_base_is_drawn_at_the_height_of_its_top(seen: Observation) -> None:
    high = replace(seen, labels=tuple(replace(item, z=2.0) for item in seen.labels))
    roster = ExpectedUnit("A1", "blue", "tank", 3, BaseShape(2.5, 1.75, 0.3), BaseShape(2.5, 1.75, 0.5))
    expected = Expected(*TABLE, FrameLayout("DICT_APRILTAG_36h11", 3.0, ()), (roster,))
    outlines = {p.title: p for p in observation_marks(high, expected=expected).paths if p.title and "base" in p.title}
    assert outlines["base b1 of A1"].z == pytest.approx(2.5)
    assert outlines["base b2 of A1"].z == pytest.approx(2.3)
    assert outlines["base b4, unit unknown"].z == pytest.approx(2.0 + DrawingConfig().thickness_in)


def test_a_crop_keeps_every_mark_on_its_place() -> None:
    """Crop and shrink move all pixels alike: one scale, one shift, nothing else."""
    view = view_over()
    places = np.array([[5.0, 5.0], [30.0, 6.0], [28.0, 25.0], [7.0, 22.0], [18.0, 15.0]])
    dot = Style(width_pt=0, fill="#ffffff", fill_opacity=1.0)
    marks = Marks(tuple(circle(p, 0.3, dot) for p in places))
    small = on_photo(np.zeros((680, 900, 3), np.uint8), view, marks, long_side_px=400, crop_table_in=TABLE)
    assert max(small.shape[:2]) == 400
    _, _, _, centers = cv2.connectedComponentsWithStats((small[..., 0] > 100).astype(np.uint8))
    full = view.pixel_from_table(np.column_stack([places, np.zeros(5)]))
    left, top, right, bottom = table_part(view, TABLE)
    scale = np.array([small.shape[1] / (right - left), small.shape[0] / (bottom - top)])
    told = (full + 0.5 - (left, top)) * scale - 0.5
    assert cKDTree(centers[1:]).query(told)[0].max() < 0.6


def test_marks_behind_the_camera_draw_nothing() -> None:
    view = view_over()
    behind = line((14.0, -60.0), (14.0, -90.0), THIN)
    assert on_photo(np.zeros((680, 900, 3), np.uint8), view, Marks((behind, Label((14, -80), "x")))).max() == 0


def test_on_the_map_marks_lie_at_their_inches(seen: Observation) -> None:
    scale = MapScale(*TABLE, px_per_inch=20.0, margin_in=1.0)
    w, h = scale.size
    ring = seen.bases.corners[0]
    after = on_map(np.zeros((h, w, 3), np.uint8), scale, Marks((polygon(ring, THIN, z=2.0),)))
    changed = np.argwhere(after.max(axis=2) > 60)[:, ::-1].astype(float)
    assert both_ways(changed, scale.pixel_from_table(dense(ring))) < 1.6


def test_paper_and_photo_maps_have_the_stated_scale(seen: Observation) -> None:
    photo = np.full((680, 900, 3), 90, np.uint8)
    for image in (photo, None):
        drawn = annotated_map(image, seen, px_per_inch=12.0, margin_in=1.0)
        assert drawn.shape == (32 * 12, 38 * 12, 3)


def test_a_map_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="10 x 10"):
        on_map(np.zeros((10, 10, 3), np.uint8), MapScale(5.0, 5.0, 10.0), Marks())


def test_what_is_in_doubt_is_dashed(seen: Observation) -> None:
    labels = (
        seen.labels[0],
        replace(seen.labels[1], confidence=0.5),
        replace(seen.labels[2], side=None),
        seen.labels[3],
    )
    paths = observation_marks(replace(seen, labels=labels)).paths
    dashed = {
        p.title.split(",")[0].split(" of ")[0]: p.style.dashed for p in paths if p.title and p.title.startswith("base ")
    }
    assert dashed == {"base b1": False, "base b2": True, "base b3": True, "base b4": True}


def test_a_front_is_marked_only_where_it_is_known(seen: Observation) -> None:
    def fronts(observation: Observation) -> list[Path]:
        return [p for p in observation_marks(observation).paths if p.layer == "bases" and p.title is None]

    assert len(fronts(seen)) == 8  # an edge and an arrow head each
    unknown = replace(seen, labels=tuple(replace(item, facing_known=False) for item in seen.labels))
    assert fronts(unknown) == []
    tip = fronts(seen)[1].points[1]
    assert tip[0] == pytest.approx(10.0) and tip[1] > 7 + 1.75 / 2


def test_names_tell_what_is_known(seen: Observation) -> None:
    words = [item.text for item in observation_marks(seen).labels if item.layer == "names"]
    assert words == ["A1", "B<2>", "?"]
    blind = replace(seen, labels=tuple(replace(item, unique=None) for item in seen.labels))
    assert [i.text for i in observation_marks(blind).labels if i.layer == "names"] == ["A1 ?", "B<2> ?", "?"]


def test_ellipses_have_their_true_size(seen: Observation) -> None:
    covariance = np.array([[0.01, 0.006], [0.006, 0.02]])
    ring = ellipse((3.0, 4.0), covariance * CHI2_95).points - (3.0, 4.0)
    squared = np.einsum("ni,ij,nj->n", ring, np.linalg.inv(covariance), ring)
    assert squared == pytest.approx(np.full(len(ring), CHI2_95))
    drawn = [p for p in observation_marks(seen).paths if p.layer == "ellipses"]
    assert max(np.linalg.norm(p.points - seen.bases.center[0], axis=1).max() for p in drawn[:2]) == pytest.approx(
        0.04 * np.sqrt(CHI2_95), rel=1e-6
    )


def test_a_frame_marker_that_was_not_used_is_shown(seen: Observation) -> None:
    frame = FrameLayout("DICT_APRILTAG_36h11", 3.0, (FrameMarker(0, (1.5, 1.5)), FrameMarker(5, (34.5, 1.5))))
    photo = replace(seen.photos[0], view=replace(seen.photos[0].view, markers_seen=(0,)))
    words = [m.text for m in observation_marks(replace(seen, photos=(photo,)), expected=Expected(*TABLE, frame)).labels]
    assert "marker 5 not used" in words and "marker 0 not used" not in words


@pytest.mark.parametrize(
    ("sides", "rims"),
    [
        (("blue", "red"), ()),
        (("Germans", "Soviets"), ()),
        (("north", "south"), (("north", (50, 80, 136)), ("south", (60, 90, 150)))),
        (("a", "b", "c", "d", "e"), (("a", (138, 34, 38)),)),
    ],
)
def test_sides_have_colours_that_differ(sides: tuple[str, ...], rims: tuple) -> None:
    labels = tuple(label(f"b{i}", side=side) for i, side in enumerate(sides))
    observation = table_seen(labels, Bases.of(np.zeros((len(sides), 2)), 0, 1))
    colors = side_colors(observation, Expected(*TABLE, FrameLayout("D", 3.0, ()), rims=rims))
    assert set(colors) == set(sides)
    values = [np.array(rgb(c)) for c in colors.values()]
    assert min(np.linalg.norm(a - b) for i, a in enumerate(values) for b in values[:i]) > 80


def test_marks_of_others_are_drawn_too(seen: Observation) -> None:
    more = measure_marks([((10.0, 7.0), (20.0, 25.0), "measure 12.0″")])
    photo = np.full((680, 900, 3), 90, np.uint8)
    assert (annotated_photo(photo, seen, more=more) != annotated_photo(photo, seen)).any()
    assert "measure 12.0″" in map_svg(seen, more=more)


def test_a_label_keeps_off_what_is_there() -> None:
    wall = np.array([[0.0, 55.0, 200.0, 100.0]])
    (box,) = place_boxes([Wish((30.0, 10.0), (100.0, 50.0), 5.0, (0.0, 1.0))], wall, (0, 0, 200, 100))
    assert box is not None and box[3] <= 55.0


SVG = "{http://www.w3.org/2000/svg}"


def test_the_svg_stands_alone_and_says_what_it_shows(seen: Observation) -> None:
    text = map_svg(seen, title='Smith & <Sons> "table"')
    root = ET.fromstring(text)
    assert root.findtext(f"{SVG}title") == 'Smith & <Sons> "table"'
    assert "36 by 30 inches" in (root.findtext(f"{SVG}desc") or "")
    assert text.count("http") == 1 and "<script" not in text and "href" not in text and "<image" not in text
    words = [e.text for e in root.iter(f"{SVG}text")]
    for expected in ("A1", "B<2>", "?", "woods", "hill", "blue", "red", "6″ (inches)", "36", "30"):
        assert expected in words
    used = {e.get("fill", "")[5:-1] for e in root.iter() if e.get("fill", "").startswith("url(#")}
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert used <= set(ids) and len(ids) == len(set(ids)) and "kind-woods" in used


def test_one_svg_unit_is_one_inch_counted_from_the_far_edge(seen: Observation) -> None:
    root = ET.fromstring(map_svg(seen))
    paths = {e.findtext(f"{SVG}title"): e.get("d", "") for e in root.iter(f"{SVG}path")}
    numbers = [float(v) for v in paths["base b1 of A1"].strip("MZ").replace("L", " ").split()]
    corners = seen.bases.corners[0]
    assert np.array(numbers).reshape(-1, 2) == pytest.approx(
        np.column_stack([corners[:, 0], 30 - corners[:, 1]]), abs=1e-3
    )
    assert {"woods t1", "hill t2", "top of hill t2", "table edge"} <= set(paths)


@settings(max_examples=5)
@given(st.floats(-20, 60), st.floats(-20, 60), st.text(LETTERS, min_size=1, max_size=8))
def test_any_name_anywhere_makes_a_readable_svg(x: float, y: float, name: str) -> None:
    bases = Bases.of([[x, y]], 0, 1.0, sigma=0.1)
    ET.fromstring(map_svg(table_seen((label("b1", unit=name),), bases), title=name))


def test_a_kind_of_terrain_nobody_knows_is_still_drawn(seen: Observation) -> None:
    root = ET.fromstring(map_svg(replace(seen, terrain=(replace(WOOD, kind="lava pit"),))))
    assert "lava pit" in [e.text for e in root.iter(f"{SVG}text")]
    assert any(e.get("id") == "kind-lava-pit" for e in root.iter())


def test_an_empty_table_is_drawn() -> None:
    nothing = table_seen((), Bases.empty())
    assert annotated_map(None, nothing, px_per_inch=10).std() > 0
    ET.fromstring(map_svg(nothing))
