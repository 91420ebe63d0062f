"""Terrain drawn and changed with fingers on the game screen: taps make corners, handles move them, the map pans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import shapely

from tests.page.test_game import Room, Seat, room, server
from tests.page.test_measure_game import bare
from tests.support.page_support import POOR_CONTRAST, chromium, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = page_marks

SIDE_IN = 48.0
"""The bare table's width and depth."""


class Ground:
    """A phone at a bare table of 48 by 48 inches, and where its inches are on the screen."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.page = seat, seat.page

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        box = self.page.locator("path.table-edge").last.bounding_box()
        assert box is not None
        return box["x"] + box["width"] * x / SIDE_IN, box["y"] + box["height"] * (1 - y / SIDE_IN)

    def touch(self, x: float, y: float) -> None:
        """A finger on the table."""
        self.page.touchscreen.tap(*self(x, y))

    def tap(self, *places: tuple[float, float]) -> None:
        """Fingers that make corners, one after another, each once the last one counted."""
        corners = "[data-corner]:not([data-corner^=new])"
        for place in places:
            before = self.page.locator(corners).count()
            self.touch(*place)
            self.page.wait_for_function(
                "([corners, before]) => document.querySelectorAll(corners).length !== before", arg=[corners, before]
            )

    def begin(self, title: str, kind: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{title}")).first.tap()
        self.page.wait_for_selector("[data-test=outline-hint]")
        self.seat.tap(f"say-{kind}")
        self.seat.settle()

    def lay(self, words: str) -> None:
        """Terrain by words."""
        self.seat.say(words)
        self.do()

    def do(self) -> list[dict[str, Any]]:
        """Have done what is drawn; the terrain afterwards."""
        self.seat.judged("yes")
        self.seat.does("do-it")
        return self.pieces()

    def pieces(self) -> list[dict[str, Any]]:
        return list(self.seat.fetched()["board"]["ground"])

    def change(self, name: str, x: float, y: float) -> None:
        """Tap a piece that lies there."""
        self.seat.settle()
        self.touch(x, y)
        self.page.wait_for_selector("[data-piece-grip=move]", state="attached")
        assert self.seat.written().startswith(f"reshape {name}")
        self.seat.settle()

    def drag(self, selector: str, to: tuple[float, float]) -> None:
        """A handle by so many pixels."""
        self.seat.drag(self.seat.middle(selector), to)
        self.page.wait_for_selector("[data-test=drag-text]", state="detached")


@pytest.fixture
def ground(room: Room) -> Iterator[Ground]:
    yield Ground(bare(room))


@pytest.mark.slow
def test_a_wood_is_tapped_corner_by_corner_and_corners_are_taken_back(ground: Ground) -> None:
    seat = ground.seat
    ground.begin("Draw terrain", "woods")
    ground.tap((8, 24), (20, 24), (44, 44))
    assert "3 corners" in seat.words("outline-hint")
    seat.tap("drop-point")
    ground.tap((20, 34), (8, 34))
    before = ground(24, 40)[1]
    seat.drag((60, 130), (0, 60))
    ground.seat.settle()
    assert ground(24, 40)[1] - before > 20
    assert "4 corners" in seat.words("outline-hint"), "a pan is no tap"
    seat.picture("terrain-1-drawn")
    (wood,) = ground.do()
    assert (wood["id"], wood["kind"]) == ("woods-1", "woods")
    assert shapely.Polygon(wood["outline"]).area == pytest.approx(120, abs=8)


@pytest.mark.slow
def test_two_corners_make_a_rectangle_that_stays_one(ground: Ground) -> None:
    seat, page = ground.seat, ground.page
    ground.begin("Draw terrain", "woods")
    seat.tap("as-rect")
    ground.tap((10, 26), (24, 34))
    assert float(page.input_value("[data-test=rect-angle]")) == 0
    (wood,) = ground.do()
    assert shapely.Polygon(wood["outline"]).area == pytest.approx(14 * 8, abs=6)
    ground.change("woods-1", 17, 30)
    assert page.get_attribute("[data-test=as-rect]", "aria-pressed") == "true"
    page.fill("[data-test=rect-width]", "12")
    page.press("[data-test=rect-width]", "Tab")
    page.fill("[data-test=rect-angle]", "30")
    page.press("[data-test=rect-angle]", "Tab")
    seat.picture("terrain-2-rectangle")
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
    ground.lay("draw hill ring 10,24 22,24 22,34 10,34 high 2 top 13,27 19,27 19,31 13,31")
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
    seat.picture("terrain-3-turned")
    (round_,) = ground.do()
    left, low, right, high = shapely.Polygon(round_["outline"]).bounds
    assert (right - left, high - low) == pytest.approx((10, 12), abs=0.05), "whole angles are helped to"
    left, low, right, high = shapely.Polygon(round_["hill_top"]).bounds
    assert (right - left, high - low) == pytest.approx((4, 6), abs=0.05)


@pytest.mark.slow
def test_corners_are_put_in_between_taken_out_and_placed_by_numbers_and_keys(ground: Ground) -> None:
    seat, page = ground.seat, ground.page
    page.get_by_role("button", name="Draw terrain").first.tap()
    for said in ("10, 24", "34 24", "34; 40"):
        page.fill("[data-test=typed-point]", said)
        page.press("[data-test=typed-point]", "Enter")
    page.fill("[data-test=typed-point]", "far out")
    page.press("[data-test=typed-point]", "Enter")
    assert page.get_attribute("[data-test=typed-point]", "aria-invalid") == "true"
    seat.tap("say-field")
    (field,) = ground.do()
    assert shapely.Polygon(field["outline"]).equals(shapely.Polygon([(10, 24), (34, 24), (34, 40)]))
    ground.change("field-1", 30, 29)
    slant = field["outline"].index([34, 40])
    new = slant if field["outline"][(slant + 1) % 3] == [10, 24] else (slant - 1) % 3
    ground.drag(f"[data-corner=new-{new}] .corner", (-30, -20))
    page.wait_for_selector("[data-corner='3']", state="attached")
    (wider,) = ground.do()
    assert len(wider["outline"]) == 4 and [34, 40] in wider["outline"]
    ground.change("field-1", 30, 29)
    at = wider["outline"].index([34, 40])
    page.locator(f"[data-corner='{at}']").dispatch_event("click")
    page.wait_for_selector("[data-test=corner-x]")
    page.fill("[data-test=corner-x]", "36")
    page.press("[data-test=corner-x]", "Tab")
    page.wait_for_function("() => document.querySelector('[data-test=corner-x]').value === '36'")
    page.locator(f"[data-corner='{at}']").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('[data-test=corner-x]').value === '35.5'")
    seat.picture("terrain-4-corner")
    assert [35.5, 40] in ground.do()[0]["outline"]
    ground.change("field-1", 30, 29)
    page.locator(f"[data-corner='{at}']").dispatch_event("click")
    seat.tap("remove-corner")
    page.wait_for_selector("[data-corner='3']", state="detached")
    assert page.locator("[data-test=remove-corner]").count() == 0
    (back,) = ground.do()
    assert len(back["outline"]) == 3


@pytest.mark.slow
def test_corners_go_to_what_is_near_unless_that_is_switched_off(ground: Ground) -> None:
    seat, page = ground.seat, ground.page
    ground.lay("draw town ring 10,24 18,24 18,32 10,32")
    ground.begin("Draw terrain", "woods")
    ground.tap((18.5, 32.5), (30, 38), (20, 44))
    wood = next(one for one in ground.do() if one["kind"] == "woods")
    assert [18, 32] in wood["outline"]
    ground.begin("Draw terrain", "field")
    seat.tap("snap")
    assert page.get_attribute("[data-test=snap]", "aria-pressed") == "false"
    ground.tap((18.5, 23.5), (30, 16), (30, 24))
    field = next(one for one in ground.do() if one["kind"] == "field")
    assert [18, 24] not in field["outline"]
    assert min(abs(x - 18) + abs(y - 24) for x, y in field["outline"]) < 2.5


@pytest.mark.slow
def test_a_road_is_tapped_along_its_middle_and_a_piece_is_cut_by_two_taps(ground: Ground) -> None:
    seat, page = ground.seat, ground.page
    ground.begin("Draw a road or river", "road")
    ground.tap((6, 20), (6, 44))
    page.fill("[data-test=field-wide]", "3")
    page.press("[data-test=field-wide]", "Tab")
    (road,) = ground.do()
    assert shapely.Polygon(road["outline"]).area == pytest.approx(72, abs=5)
    ground.lay("draw woods ring 20,26 40,26 40,38 20,38")
    ground.change("woods-1", 30, 32)
    seat.tap("other-cut")
    page.wait_for_selector("[data-piece-grip=move]", state="detached")
    ground.seat.settle()
    ground.tap((30, 22), (30, 42))
    seat.picture("terrain-5-cut")
    parts = [one for one in ground.do() if one["kind"] == "woods"]
    areas = [shapely.Polygon(one["outline"]).area for one in parts]
    assert len(parts) == 2 and sum(areas) == pytest.approx(240, abs=0.01) and min(areas) > 90


@pytest.mark.slow
def test_a_hill_gets_a_height_and_a_top_and_becomes_something_else(ground: Ground) -> None:
    seat, page = ground.seat, ground.page
    ground.lay("draw hill ring 10,24 26,24 26,38 10,38")
    ground.change("hill-1", 12, 26)
    page.fill("[data-test=field-high]", "1.5")
    page.press("[data-test=field-high]", "Tab")
    assert ground.do()[0]["height"] == 1.5
    ground.change("hill-1", 12, 26)
    seat.tap("other-top")
    page.wait_for_selector("[data-piece-grip=move]", state="detached")
    ground.seat.settle()
    ground.tap((15, 28), (22, 28), (22, 34))
    assert len(ground.do()[0]["hill_top"]) == 3
    ground.change("hill-1", 12, 26)
    seat.tap("say-marsh")
    (marsh,) = ground.do()
    assert (marsh["id"], marsh["hill_top"]) == ("marsh-1", None)
    ground.change("marsh-1", 12, 26)
    seat.tap("other-erase")
    assert ground.do() == []


def test_a_crossed_outline_is_answered_with_the_sentence_and_can_be_mended(ground: Ground) -> None:
    seat = ground.seat
    ground.begin("Draw terrain", "marsh")
    ground.tap((8, 24), (24, 40), (24, 24), (8, 40))
    assert "crosses or touches itself near" in seat.judged("doubt")
    seat.tap("drop-point")
    (marsh,) = ground.do()
    assert len(marsh["outline"]) == 3
    seat.faults.clear()  # the browser's own word on the refusals


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_tools_are_large_named_and_readable(room: Room, scheme: str) -> None:
    ground = Ground(bare(room, size={"width": 360, "height": 740}, scheme=scheme))
    seat, page = ground.seat, ground.page

    def check() -> None:
        ground.seat.settle()
        assert page.evaluate(POOR_CONTRAST) == []
        boxes = page.locator(".sheet-body button:visible, .corner.grab, .corner.plus, .grip").evaluate_all(
            "all => all.map(e => [e.closest('[aria-label]:not(.sheet)')?.ariaLabel || e.innerText, "
            "e.getBoundingClientRect().toJSON()])"
        )
        assert boxes
        for name, box in boxes:
            assert name.strip(), "a button without a name for a screen reader"
            assert box["width"] >= 44 and box["height"] >= 40, f"{name}: {box}"

    ground.begin("Draw terrain", "hill")
    ground.tap((8, 24), (32, 24), (20, 40))
    check()
    assert page.locator("[data-corner='2']").get_attribute("aria-label") == "Corner 3: drag, or arrow keys"
    ground.do()
    ground.change("hill-1", 20, 30)
    seat.picture(f"terrain-6-{scheme}")
    check()
