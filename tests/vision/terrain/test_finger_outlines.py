"""Outlines of terrain from lines that a finger draws on drawn tables: around, along, corrected, learned, refused."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from tests.support.ground_scenes import FELT, blob, box, painted, photographed
from tests.support.table_scenes import looking_at
from vision.model.drawing_margin import USUAL_MARGIN, DrawingMargin, margin_from_json
from vision.model.errors import CollectionError
from vision.terrain.finger_outlines import foot_outline, size_of
from vision.terrain.pieces import TerrainError
from vision.terrain.taps import DrawnLine, Fix, parse_line, parse_tap
from vision.terrain.tracing import iou, resample_line

SIZE = (24.0, 24.0)
VIEW = looking_at(1600, 1200, target=(12.0, 12.0), distance_in=40.0, elevation_deg=55.0)
WOOD = blob(12, 12, 4, seed=3)
TABLE = photographed(VIEW, SIZE, painted([(FELT, 0.08, WOOD)], SIZE, 20.0))


def on_photo(shape: shapely.Polygon) -> shapely.Polygon:
    corners = shapely.get_coordinates(shape.exterior)[:-1]
    return shapely.Polygon(VIEW.pixel_from_table(np.column_stack([corners, np.zeros(len(corners))])))


def finger(
    shape: shapely.Polygon, margin: float, jitter: float = 0.03, kind: str = "woods", seed: int = 0
) -> DrawnLine:
    """A line in pixels around a foot, a share of its size outside."""
    foot = on_photo(shape)
    size = size_of(shapely.get_coordinates(foot))
    around = foot.buffer(margin * size)
    ring = resample_line(shapely.get_coordinates(around.exterior)[:-1], around.length / 60, is_ring=True)
    drawn = ring + np.random.default_rng(seed).normal(0, jitter * size, ring.shape)
    return DrawnLine(kind, tuple((float(x), float(y)) for x, y in drawn), in_pixels=True)


def found(line: DrawnLine, image: np.ndarray | None = None, margin: DrawingMargin = USUAL_MARGIN) -> shapely.Polygon:
    return shapely.Polygon(foot_outline(line, SIZE, VIEW, image, margin).outline)


def test_a_line_around_the_foot_becomes_the_foot() -> None:
    line = finger(WOOD, 0.08)
    as_drawn = shapely.Polygon(VIEW.point_from_pixel(np.array(line.points), 0.0))
    assert iou(as_drawn.buffer(0), WOOD) < 0.8 < 0.92 < iou(found(line), WOOD)
    with pytest.raises(TerrainError, match="draw it in inches"):
        foot_outline(line, SIZE)
    inches = VIEW.point_from_pixel(np.array(line.points), 0.0)
    assert iou(found(DrawnLine("woods", tuple(map(tuple, inches.tolist())))), found(line)) > 0.99


@pytest.mark.parametrize("margin", [0.0, 0.16])
def test_the_photos_colours_say_how_far_out_the_line_is(margin: float) -> None:
    line = finger(WOOD, margin)
    assert iou(found(line, TABLE), WOOD) > iou(found(line), WOOD) + 0.01


def test_a_tap_corrects_the_whole_line_and_teaches_the_players_margin() -> None:
    line, foot = finger(WOOD, 0.16), on_photo(WOOD)
    edge, middle = foot.boundary.interpolate(0.3, normalized=True), foot.centroid
    place = (1.05 * edge.x - 0.05 * middle.x, 1.05 * edge.y - 0.05 * middle.y)
    first = foot_outline(replace(line, fixes=(Fix(place, inside=False),)), SIZE, VIEW)
    margin = first.margin
    assert iou(shapely.Polygon(first.outline), WOOD) > iou(found(line), WOOD) + 0.02
    assert margin is not None and margin > USUAL_MARGIN.mean + 0.03
    learned = USUAL_MARGIN.learned_from([margin] * 8)
    assert iou(found(line, margin=learned), WOOD) > iou(found(line), WOOD) + 0.05
    assert margin_from_json(learned.to_json()).mean == pytest.approx(learned.mean, abs=1e-3)
    for bad in (None, {"mean": 0.1}, {"mean": "a", "spread": 0.1, "lines": 1}, {"mean": 9, "spread": 1, "lines": 1}):
        with pytest.raises(CollectionError, match="drawing margin"):
            margin_from_json(bad)
    # a tap inside what the line left out brings that in
    notch = DrawnLine("woods", ((2, 2), (10, 2), (10, 10), (6, 6), (2, 10)), fixes=(Fix((6, 7.5), inside=True),))
    assert shapely.Polygon(foot_outline(notch, SIZE).outline).contains(shapely.Point(6, 7.5))


def test_a_part_drawn_again_takes_the_place_of_the_nearer_way() -> None:
    line = DrawnLine("hill", ((2, 2), (10, 2), (10, 10), (2, 10)), redrawn=(((9, 4.5), (12, 6), (9, 7.5)),))
    moved = shapely.Polygon(foot_outline(line, SIZE).outline)
    plain = shapely.Polygon(foot_outline(DrawnLine("hill", line.points), SIZE).outline)
    assert moved.contains(shapely.Point(11, 6)) and moved.difference(plain).bounds[0] > 8
    assert plain.difference(moved).area < 0.2


def test_walls_keep_their_width_and_rectangles_their_corners() -> None:
    wall = parse_line("wall wide 0.5 high 1: 4,4 10,4 10,9")
    assert found(wall).area == pytest.approx(5.5, abs=0.3)
    thin = finger(box(12, 12, 8, 0.6, 20), 0.02, jitter=0.005, kind="wall")
    assert found(thin).area > 0.5 * 8 * 0.6
    house = finger(box(12, 12, 5, 3, 20), 0.08, kind="town")
    outline = foot_outline(replace(house, is_rectangle=True), SIZE, VIEW).outline
    assert len(outline) == 4 and iou(shapely.Polygon(outline), box(12, 12, 5, 3, 20)) > 0.9


def test_all_that_is_seen_of_a_piece_of_known_height_is_cut_to_its_foot() -> None:
    foot, high = box(12, 12, 5, 3, 20), 2.5
    corners = shapely.get_coordinates(foot.exterior)[:-1]
    ends = [VIEW.pixel_from_table(np.column_stack([corners, np.full(4, z)])) for z in (0.0, high)]
    seen = shapely.MultiPoint(np.vstack(ends)).convex_hull
    text = " ".join(f"{x:.1f},{y:.1f}px" for x, y in shapely.get_coordinates(seen.exterior)[:-1])
    exact = DrawingMargin(0.0, 0.001)
    assert iou(found(parse_line(f"town: {text}"), margin=exact), foot) < 0.65
    assert iou(found(parse_line(f"town high {high} visible: {text}"), margin=exact), foot) > 0.9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("woods: 30,2 34,2 34,9", "off the table: draw around a piece that is on it"),
        ("woods: 3,2 3,2 3,2", "encloses nothing"),
        ("wall wide 1: 3,2 3,2", "has no length"),
        ("wall wide 0.5: 3,2 9,8 9,2 3,8", "meets itself: draw it in two pieces"),
        ("wall wide 0.5: 3,2 9,2 9,8 3,8 3,2", "meets itself"),
        ("woods: 3,2 9,8 9,2 3,8", "crosses itself"),
        ("woods: -9,2 3,2 3,9 -9,9", "leaves the table"),
        ("woods: 100,-900px 800,-900px 800,-1500px", "horizon"),
        ("hill high 60 visible: 3,2 9,2 9,9", "give the piece's height"),
        ("wood: 1,1 2,2 3,1", "no known kind of terrain"),
        ("woods: 1,1 2,2", "needs 3 to 2000 places"),
        ("woods: 1,1 2,2 3", 'has "3" where a place belongs'),
        ("woods: 1,1 2,2 3,1px", "mixes inches and pixels"),
        ("woods wide: 1,1 2,2", "use wide INCHES"),
        ("woods visible: 1,1 2,2 3,1", "say how high"),
        ("wall wide 1 box: 1,1 2,2 3,1", "leave box and visible out"),
        ("wall wide 1: 1,1 2,2 out 3,1", "leave in and out away"),
        ("woods 1,1 2,2 3,1", "can't be read: write KIND"),
        ("woods@12", "write KIND@X,Y"),
        ("wood@12,7", "no known kind of terrain"),
        ("woods@40,7", "lies off the table, which is 24 x 24 inches"),
        ("wall@4,7", "no tap finds a wall. Draw around it"),
    ],
)
def test_lines_and_taps_that_mean_no_piece_are_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(TerrainError, match=says):
        parse_tap(text, SIZE) if "@" in text else found(parse_line(text), TABLE)
