"""Terrain drawn and changed with fingers on the game screen: taps make corners, handles move them, the map pans."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import shapely

from tests.page.test_accessible import needs_axe, wrong_with
from tests.page.test_game import Room, Seat, room, server
from tests.page.test_measure_game import bare, did, does_it
from tests.support.page_support import chromium, expect, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = page_marks

SIDE_IN = 48.0
"""The bare table's width and depth."""


class Ground:
    """A phone at a bare table of 48 by 48 inches, and where its inches are on the screen."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.page = seat, seat.page
        self.corners = self.page.locator("[data-corner]:not([data-corner^=new])")

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        box = self.page.locator("path.table-edge").last.bounding_box()
        assert box is not None
        return box["x"] + box["width"] * x / SIDE_IN, box["y"] + box["height"] * (1 - y / SIDE_IN)

    def touch(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(*self(x, y))
        self.seat.settle()

    def tap(self, *places: tuple[float, float]) -> None:
        """Fingers that make corners, one after another, each once the last one counted."""
        for place in places:
            before = self.corners.count()
            self.touch(*place)
            expect(self.corners).not_to_have_count(before)

    def begin(self, title: str, kind: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{title}")).first.tap()
        self.seat.tap(f"say-{kind}")
        self.seat.settle()

    def do(self) -> list[dict[str, Any]]:
        """Have done what is drawn; the terrain afterwards."""
        does_it(self.seat)
        return self.pieces()

    def pieces(self) -> list[dict[str, Any]]:
        return list(self.seat.fetched()["board"]["ground"])

    def change(self, name: str, x: float, y: float) -> None:
        """Tap a piece that lies there."""
        self.seat.settle()
        self.touch(x, y)
        expect(self.page.locator("[data-piece-grip=move]").first).to_be_attached()
        expect(self.seat.at("words")).to_have_value(re.compile(f"^reshape {name}"))
        self.seat.settle()

    def draws(self, what: str) -> None:
        """Begin to draw on a piece that was tapped."""
        self.seat.tap(what)
        expect(self.page.locator("[data-piece-grip=move]")).to_have_count(0)
        self.seat.settle()

    def drag(self, selector: str, to: tuple[float, float]) -> None:
        """A handle by so many pixels."""
        self.seat.drag(self.seat.middle(selector), to)
        expect(self.seat.at("drag-text")).to_have_count(0)
        self.seat.settle()


@pytest.fixture
def ground(room: Room) -> Iterator[Ground]:
    yield Ground(bare(room))


def test_a_wood_is_tapped_corner_by_corner_and_a_crossed_outline_is_mended(ground: Ground) -> None:
    seat = ground.seat
    ground.begin("Draw terrain", "woods")
    ground.tap((8, 24), (20, 34), (20, 24), (8, 34))
    expect(seat.at("judgement")).to_contain_text("crosses or touches itself near")
    seat.tap("drop-point")
    seat.tap("drop-point")
    seat.tap("drop-point")
    ground.tap((20, 24), (20, 34), (8, 34))
    before = ground(24, 40)[1]
    seat.drag((60, 130), (0, 60))
    seat.settle()
    assert ground(24, 40)[1] - before > 20
    expect(seat.at("outline-hint")).to_contain_text("4 corners")  # a pan is no tap
    (wood,) = ground.do()
    assert (wood["id"], wood["kind"]) == ("woods-1", "woods")
    assert shapely.Polygon(wood["outline"]).area == pytest.approx(120, abs=8)
    seat.faults.clear()  # the browser's own word on the refusals


@pytest.mark.slow
def test_two_corners_make_a_rectangle_that_stays_one(ground: Ground) -> None:
    seat = ground.seat
    ground.begin("Draw terrain", "woods")
    seat.tap("as-rect")
    seat.settle()
    ground.tap((10, 26), (24, 34))
    expect(seat.at("rect-angle")).to_have_value("0")
    (wood,) = ground.do()
    assert shapely.Polygon(wood["outline"]).area == pytest.approx(14 * 8, abs=6)
    ground.change("woods-1", 17, 30)
    expect(seat.at("as-rect")).to_have_attribute("aria-pressed", "true")
    seat.enter("rect-width", "12")
    seat.enter("rect-angle", "30")
    (turned,) = ground.do()
    box = shapely.Polygon(turned["outline"])
    assert box.area == pytest.approx(12 * 8, abs=4) and box.centroid.x == pytest.approx(17, abs=0.3)
    assert box.area == pytest.approx(box.minimum_rotated_rectangle.area, rel=2e-3)
    ground.change("woods-1", 17, 30)
    ground.drag("[data-corner='2'] .corner", (24, -20))
    (wider,) = ground.do()
    shape = shapely.Polygon(wider["outline"])
    assert shape.area != pytest.approx(box.area, abs=2)
    assert shape.area == pytest.approx(shape.minimum_rotated_rectangle.area, rel=2e-3)


@pytest.mark.slow
def test_grips_move_and_turn_a_whole_hill_with_its_top(ground: Ground) -> None:
    seat = ground.seat
    did(seat, "draw hill ring 10,24 22,24 22,34 10,34 high 2 top 13,27 19,27 19,31 13,31")
    (hill,) = ground.pieces()
    ground.change("hill-1", 12, 25)
    ground.drag("[data-piece-grip=move] .grip", (70, 0))
    (moved,) = ground.do()
    by = moved["outline"][0][0] - hill["outline"][0][0]
    assert by > 4
    for name in ("outline", "hill_top"):
        assert shapely.Polygon(moved[name]).area == pytest.approx(shapely.Polygon(hill[name]).area, rel=1e-3)
        shift = shapely.Polygon(moved[name]).centroid.x - shapely.Polygon(hill[name]).centroid.x
        assert shift == pytest.approx(by, abs=0.02)
    ground.change("hill-1", 12 + by, 25)
    middle, grip = seat.middle("[data-piece-grip=move] .grip"), seat.middle("[data-piece-grip=turn] .grip")
    far = middle[1] - grip[1]
    ground.drag("[data-piece-grip=turn] .grip", (far, far))  # a quarter round the middle
    (round_,) = ground.do()
    left, low, right, high = shapely.Polygon(round_["outline"]).bounds
    assert (right - left, high - low) == pytest.approx((10, 12), abs=0.05), "whole angles are helped to"
    left, low, right, high = shapely.Polygon(round_["hill_top"]).bounds
    assert (right - left, high - low) == pytest.approx((4, 6), abs=0.05)


@pytest.mark.slow
def test_corners_are_put_in_between_taken_out_and_placed_by_numbers_and_keys(ground: Ground) -> None:
    seat, page = ground.seat, ground.page
    page.get_by_role("button", name="Draw terrain").first.tap()
    for said in ("10, 24", "34 24", "34; 40", "far out"):
        seat.at("typed-point").fill(said)
        seat.at("typed-point").press("Enter")
        seat.settle()
    expect(ground.corners).to_have_count(3)
    expect(seat.at("typed-point")).to_have_attribute("aria-invalid", "true")
    seat.tap("say-field")
    (field,) = ground.do()
    assert shapely.Polygon(field["outline"]).equals(shapely.Polygon([(10, 24), (34, 24), (34, 40)]))
    ground.change("field-1", 30, 29)
    slant = field["outline"].index([34, 40])
    new = slant if field["outline"][(slant + 1) % 3] == [10, 24] else (slant - 1) % 3
    ground.drag(f"[data-corner=new-{new}] .corner", (-30, -20))
    expect(ground.corners).to_have_count(4)
    (wider,) = ground.do()
    assert len(wider["outline"]) == 4 and [34, 40] in wider["outline"]
    ground.change("field-1", 30, 29)
    at = wider["outline"].index([34, 40])
    page.locator(f"[data-corner='{at}']").dispatch_event("click")
    seat.enter("corner-x", "36")
    expect(seat.at("corner-x")).to_have_value("36")
    page.locator(f"[data-corner='{at}']").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(seat.at("corner-x")).to_have_value("35.5")
    assert [35.5, 40] in ground.do()[0]["outline"]
    ground.change("field-1", 30, 29)
    page.locator(f"[data-corner='{at}']").dispatch_event("click")
    seat.tap("remove-corner")
    expect(ground.corners).to_have_count(3)
    expect(seat.at("remove-corner")).to_have_count(0)
    (back,) = ground.do()
    assert len(back["outline"]) == 3


@pytest.mark.slow
def test_corners_go_to_what_is_near_unless_that_is_switched_off(ground: Ground) -> None:
    seat = ground.seat
    did(seat, "draw town ring 10,24 18,24 18,32 10,32")
    ground.begin("Draw terrain", "woods")
    ground.tap((18.5, 32.5), (30, 38), (20, 44))
    wood = next(one for one in ground.do() if one["kind"] == "woods")
    assert [18, 32] in wood["outline"]
    ground.begin("Draw terrain", "field")
    seat.tap("snap")
    expect(seat.at("snap")).to_have_attribute("aria-pressed", "false")
    ground.tap((18.5, 23.5), (30, 16), (30, 24))
    field = next(one for one in ground.do() if one["kind"] == "field")
    assert [18, 24] not in field["outline"]
    assert min(abs(x - 18) + abs(y - 24) for x, y in field["outline"]) < 2.5


@pytest.mark.slow
def test_a_road_is_tapped_along_its_middle_and_a_piece_is_cut_by_two_taps(ground: Ground) -> None:
    seat = ground.seat
    ground.begin("Draw a road or river", "road")
    ground.tap((6, 20), (6, 44))
    seat.enter("field-wide", "3")
    (road,) = ground.do()
    assert shapely.Polygon(road["outline"]).area == pytest.approx(72, abs=5)
    did(seat, "draw woods ring 20,26 40,26 40,38 20,38")
    ground.change("woods-1", 30, 32)
    ground.draws("other-cut")
    ground.tap((30, 22), (30, 42))
    parts = [one for one in ground.do() if one["kind"] == "woods"]
    areas = [shapely.Polygon(one["outline"]).area for one in parts]
    assert len(parts) == 2 and sum(areas) == pytest.approx(240, abs=0.01) and min(areas) > 90


@pytest.mark.slow
def test_a_hill_gets_a_name_a_height_and_a_top_and_becomes_something_else(ground: Ground) -> None:
    seat = ground.seat
    did(seat, "draw hill ring 10,24 26,24 26,38 10,38")
    ground.change("hill-1", 12, 26)
    seat.enter("field-high", "1.5")
    seat.enter("field-name", "knoll")
    (hill,) = ground.do()
    assert (hill["id"], hill["height"]) == ("knoll", 1.5)
    ground.change("knoll", 12, 26)
    ground.draws("other-top")
    ground.tap((15, 28), (22, 28), (22, 34))
    assert len(ground.do()[0]["hill_top"]) == 3
    ground.change("knoll", 12, 26)
    seat.tap("say-marsh")
    (marsh,) = ground.do()
    assert (marsh["kind"], marsh["hill_top"]) == ("marsh", None)
    ground.change(marsh["id"], 12, 26)
    seat.tap("other-erase")
    assert ground.do() == []


@needs_axe
@pytest.mark.slow
def test_the_tools_are_large_named_and_readable(room: Room) -> None:
    ground = Ground(bare(room, size={"width": 360, "height": 740}, scheme="light"))
    handles = ground.page.locator(".corner.grab, .corner.plus, .grip")

    def check(what: str) -> None:
        found = wrong_with(ground.seat, what)
        assert not found, found
        boxes = handles.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
        assert boxes and all(box["width"] >= 44 and box["height"] >= 40 for box in boxes), boxes

    ground.begin("Draw terrain", "hill")
    ground.tap((8, 24), (32, 24), (20, 40))
    check("drawn")
    expect(ground.page.locator("[data-corner='2']")).to_have_attribute("aria-label", "Corner 3: drag, or arrow keys")
    ground.do()
    ground.change("hill-1", 20, 30)
    check("changed")
