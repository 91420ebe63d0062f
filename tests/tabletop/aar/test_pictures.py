"""The pictures: what is drawn, where labels go, and that all three writers take them."""

import io
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from geometry.drawing.labels import Ground, place_tags
from geometry.drawing.png import png_bytes
from geometry.drawing.scene import Area, Chip, Item, Letters, Line, Sheet, Tag
from geometry.drawing.svg import svg_text
from tabletop.aar.figures import end_figure, luck_figure, start_figure, turn_figure
from tabletop.aar.story import Story
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.report_adapter import REPORT
from tests.support.aar_games import Log, fired, line, played_log
from tests.tabletop.aar.test_report import story_of


def classes(sheet: Sheet) -> list[str]:
    return [item.cls for item in sheet.items]


def words(sheet: Sheet) -> set[str]:
    return {item.text for item in sheet.items if isinstance(item, Letters)}


def marks(told: Story, turn: int = 1) -> list[Item]:
    found: list[Item] = []
    for entry in told.turns[-1].entries if turn < 0 else told.entries:
        if entry.event is not None:
            found += [*REPORT.marks(entry.event), *REPORT.grave(entry.event)]
    return found


def test_a_shot_is_a_line_from_where_the_firer_stood_to_where_the_target_stood() -> None:
    log = Log()
    log.add(fired("B2", "R2", 3, 1))
    log.add(ev.Moved("R2", line(30, 30, 180), (8.0,), 9.0), actor="red")
    shot, made = marks(story_of(log))[:2]
    assert isinstance(shot, Line) and shot.cls == "shot-0" and shot.arrow
    assert shot.points == ((18.22, 6.0), (18.22, 24.0)), "set aside to its right"
    assert isinstance(made, Tag) and made.chips[0].text == "1"


def test_a_move_is_an_arrow_that_ends_where_the_bases_begin() -> None:
    log = Log()
    log.add(ev.MoveRolled("B1", (5, 5, 5), 17), ev.Moved("B1", line(8, 16), (10.0,), 17.0, path=((8, 6), (9, 11))))
    *ghosts, arrow = marks(story_of(log))
    assert {item.cls for item in ghosts if isinstance(item, Area)} == {"ghost-0"} and len(ghosts) == 3
    assert isinstance(arrow, Line)
    assert arrow.points[0] == (8.0, 6.0) and arrow.points[1] == (9.0, 11.0)
    assert arrow.points[-1][1] == pytest.approx(15.5), "the near edge of a base one inch deep"


def test_a_unit_that_stayed_has_no_arrow() -> None:
    log = Log()
    log.add(ev.MoveRolled("B1", (5, 5, 5), 17), ev.Moved("B1", line(8, 6), (0.0,), 17.0))
    assert marks(story_of(log)) == []


def test_a_destroyed_unit_is_crossed_out_where_it_stood_and_at_the_end_too() -> None:
    told = story_of(played_log())
    second = told.turn(2)
    assert second is not None
    for sheet in (turn_figure(told, second).sheet, end_figure(told).sheet):
        assert classes(sheet).count("grave") >= 6 and classes(sheet).count("cross") >= 4
        assert {"R1", "R3"} <= words(sheet)
    assert "cross" not in classes(start_figure(told).sheet)


def test_hits_and_markers_stand_in_the_labels_and_in_the_legend() -> None:
    sheet = start_figure(story_of(Log())).sheet
    assert {"7", "11/5", "D", "R", "B1", "The Farm", "dug in", "ready", "Blue", "Red", "woods", "town"} <= words(sheet)
    assert "moved" not in words(sheet), "the legend shows what occurs"


def test_every_class_that_is_drawn_has_a_look() -> None:
    told = story_of(played_log())
    figures = [start_figure(told), end_figure(told), luck_figure(told), *(turn_figure(told, t) for t in told.turns)]
    for figure in figures:
        assert set(classes(figure.sheet)) <= set(figure.sheet.looks)


def boxes(sheet_items: Iterable[object]) -> list[tuple[float, float, float, float]]:
    found = []
    for item in sheet_items:
        if isinstance(item, Area):
            xs, ys = [p[0] for p in item.points], [p[1] for p in item.points]
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def gap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return math.hypot(max(0.0, a[0] - b[2], b[0] - a[2]), max(0.0, a[1] - b[3], b[1] - a[3]))


places = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=14, unique=True
)  # one unit in a 6 inch square


@settings(max_examples=12)
@given(places, st.integers(1, 3))
def test_labels_of_units_that_stand_apart_do_not_meet(spots: list[tuple[int, int]], chips: int) -> None:
    tags, bases, rings = [], [], []
    for n, (column, row) in enumerate(spots):
        x, y = 3 + 6 * column, 3 + 6 * row
        bases.append((x - 2.0, y - 0.5, x + 2.0, y + 0.5))
        extra = (Chip("12/5", "hits"), Chip("D", "dug-in"))[: chips - 1]
        left, bottom, right, top = bases[-1]
        rings.append(((left, bottom), (right, bottom), (right, top), (left, top)))
        tags.append(Tag((x, y), (Chip(f"A{n}", "chip-0"), *extra), (2.0, 0.5), (rings[-1],)))
    drawn = boxes(place_tags(tags, Ground.of(rings, [], [], 0.4), (0, 0, 36, 36), 0.95))
    assert len(drawn) == len(tags) * chips
    for i, box in enumerate(drawn):
        assert box[0] >= -1e-6 and box[1] >= -1e-6 and box[2] <= 36 + 1e-6 and box[3] <= 36 + 1e-6
        assert all(overlap(box, base) < 1e-6 for base in bases)
        assert all(overlap(box, other) < 1e-6 for other in drawn[:i])
        gaps = [gap(box, base) for base in bases]
        assert gaps[i // chips] <= min(gaps) + 0.5, "a label is nearest to its own unit"


def test_the_hits_of_a_shot_and_its_answer_do_not_hide_each_other() -> None:
    log = Log()
    log.add(fired("B1", "R1", 3, 2))
    log.add(fired("R1", "B1", 3, 4), actor="red")
    tags = [item for item in marks(story_of(log)) if isinstance(item, Tag)]
    first, second = boxes(place_tags(tags, Ground.of([], [], [], 0.4), (0, 0, 36, 36), 0.95))
    assert overlap(first, second) < 1e-6


def test_a_units_label_keeps_its_place_and_a_shots_makes_way() -> None:
    ring = ((9.0, 9.5), (11.0, 9.5), (11.0, 10.5), (9.0, 10.5))
    ground, bounds = Ground.of([ring], [], [], 0.4), (0.0, 0.0, 36.0, 36.0)
    unit = Tag((10.0, 10.0), (Chip("A1", "chip-0"),), (1.0, 0.5), (ring,))
    (alone,) = boxes(place_tags([unit], ground, bounds, 0.95))
    x, y = (alone[0] + alone[2]) / 2, (alone[1] + alone[3]) / 2
    shot = Tag((x, y), (Chip("3", "chip-1"),), along=((x - 4.0, y), (x + 4.0, y)))
    (first, second) = boxes(place_tags([shot, unit], ground, bounds, 0.95))
    assert first == alone and overlap(first, second) < 1e-6


def test_svg_is_well_formed_and_names_nothing_outside() -> None:
    told = story_of(played_log())
    text = svg_text(end_figure(told).sheet, title="A <map> & more", description="x")
    root = ET.fromstring(text)
    assert root.get("aria-label") == "A <map> & more"
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert "href" not in text and "<script" not in text


def test_png_has_the_size_and_the_sides_colours() -> None:
    sheet = start_figure(story_of(Log())).sheet
    with Image.open(io.BytesIO(png_bytes(sheet, width_px=500))) as image:
        assert image.size == (500, round(500 * sheet.height / sheet.width))
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    for color in ("#0a5ca8", "#c8401a"):
        rgb = [int(color[n : n + 2], 16) for n in (1, 3, 5)]
        assert (np.abs(pixels - rgb).max(axis=1) < 12).sum() > 100, color
