"""Outlines drawn by hand: whatever is taken suits the rules, rectangles come back as said, cut pieces lie together."""

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.errors import OutlineError
from tabletop.tables.drawn_terrain import (
    MOST_CORNERS,
    as_rectangle,
    band,
    middle,
    outline,
    parts,
    rectangle,
    turn_points,
)
from tabletop.tables.scene import scene_from_json

_POINTS = st.lists(st.tuples(st.floats(-3, 39), st.floats(-3, 39)), max_size=12)


@settings(max_examples=60)
@given(_POINTS, st.floats(0.25, 12))
def test_whatever_is_taken_is_an_outline_that_the_rules_take(points: list, wide: float) -> None:
    for attempt in (lambda: outline(points, 36.0, 36.0), lambda: band(points, wide, 36.0, 36.0)):
        try:
            taken = attempt()
        except OutlineError:
            continue
        scene = {"version": 1, "table": {"width": 36, "depth": 36}, "units": []}
        scene["terrain"] = [{"id": "t", "kind": "river", "polygon": taken}]
        assert len(scene_from_json(scene).terrain[0].polygon) <= MOST_CORNERS


@given(
    st.tuples(st.floats(8, 28), st.floats(8, 28)),
    st.tuples(st.floats(0.5, 8), st.floats(0.5, 8)),
    st.floats(-720, 720),
)
def test_a_rectangle_comes_back_as_it_was_said(
    center: tuple[float, float], size: tuple[float, float], angle: float
) -> None:
    corners = rectangle(center, size, angle)
    found = as_rectangle(corners)
    assert found is not None
    again = rectangle(*found)
    assert shapely.Polygon(again).symmetric_difference(shapely.Polygon(corners)).area < 0.02
    assert 0 <= found[2] < 90.01 and sorted(found[1]) == pytest.approx(sorted(size), abs=2e-3)
    assert middle(corners) == pytest.approx(center, abs=1e-3)


@given(st.lists(st.tuples(st.floats(2, 34), st.floats(2, 34)), min_size=3, max_size=9), st.floats(-360, 360))
def test_what_is_cut_lies_together_again(points: list[tuple[float, float]], angle: float) -> None:
    hull = shapely.convex_hull(shapely.MultiPoint(points))
    if not isinstance(hull, shapely.Polygon) or hull.area < 4 or hull.minimum_clearance < 0.2:
        return
    whole = outline(list(hull.exterior.coords), 36, 36)
    (x, y), far = middle(whole), 30.0
    line = turn_points([(x, y - far), (x, y + far)], angle, (x, y))
    across = shapely.LineString(line).intersection(shapely.box(-0.9, -0.9, 36.9, 36.9))
    found = [shapely.Polygon(one) for one in parts(whole, list(across.coords), 36, 36)]
    assert len(found) == 2 and found[0].area >= found[1].area
    assert sum(one.area for one in found) == pytest.approx(shapely.Polygon(whole).area, rel=1e-3)
    assert found[0].intersection(found[1]).area < 1e-2
