"""Terrain drawn with fingers on the page: taps make corners, handles move them, the map stays free to pan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import shapely

from tests.support.page_support import (  # noqa: F401 - the fixtures
    PHONE,
    POOR_CONTRAST,
    Phone,
    Server,
    chromium,
    page_marks,
    phone,
    server,
)

pytestmark = page_marks


class Ground:
    """Table inches on a phone's screen, taken from two bases whose places are known."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        (tank_x, tank_y), (_, near_y) = self.phone.at("b1"), self.phone.at("b2")
        per_inch = (tank_y - near_y) / (19.875 - 8.0)
        return tank_x + (x - 18.0) * per_inch, tank_y - (y - 8.0) * per_inch

    def tap(self, *places: tuple[float, float]) -> None:
        for place in places:
            self.phone.page.touchscreen.tap(*self(*place))
            self.phone.page.wait_for_timeout(50)


BETWEEN = [(12.0, 13.0), (25.0, 13.0), (25.0, 16.5), (12.0, 16.5)]  # across the tank's sight of "near"


@pytest.fixture
def ground(phone: Phone) -> Iterator[Ground]:
    phone.open_demo()
    phone.choose("tank")
    phone.tap("correct")
    phone.tap("terrain")
    yield Ground(phone)


def begin(ground: Ground, kind: str) -> None:
    ground.phone.tap(f"kind-{kind}")
    ground.phone.page.wait_for_selector("[data-test=draw-hint]")
    ground.phone.settle()


def saved(phone: Phone) -> list[dict[str, Any]]:
    phone.page.wait_for_function("() => !document.querySelector('.bar.saving')")
    phone.settle()
    return phone.table()["terrain"]


def test_a_wood_tapped_between_two_units_changes_the_ruling_and_undo_changes_it_back(ground: Ground) -> None:
    page = ground.phone.page
    begin(ground, "woods")
    ground.tap(*BETWEEN)
    assert page.inner_text("[data-test=draw-hint]") == "Woods: 4 corners"
    page.touchscreen.tap(*ground(*BETWEEN[0]))  # the first corner closes the outline
    page.wait_for_selector("[data-test=notice]")
    assert "near: Yes → No" in page.inner_text("[data-test=notice]")
    (wood,) = saved(ground.phone)
    assert (wood["id"], wood["kind"], wood["method"]) == ("woods-1", "woods", "hand")
    for corner, tapped in zip(wood["polygon"], BETWEEN, strict=True):
        assert corner == pytest.approx(tapped, abs=0.15)
    assert page.locator(".terrain-name").all_inner_texts() == ["woods-1"]
    fill = page.locator("path[data-terrain=woods-1]").get_attribute("fill")
    assert fill == "url(#terrain-woods)" and page.locator("pattern#terrain-woods path").count() > 0
    ground.phone.tap("undo")
    page.wait_for_function("() => document.querySelector('[data-test=notice]')?.innerText.includes('No → Yes')")
    assert saved(ground.phone) == []


def test_points_are_taken_back_and_the_map_pans_and_pinches_while_drawing(ground: Ground) -> None:
    page = ground.phone.page
    begin(ground, "town")
    assert page.locator("[data-test=finish]").is_disabled() and page.locator("[data-test=undo-point]").is_disabled()
    ground.tap((5, 5), (20, 30))
    ground.phone.tap("undo-point")
    assert page.inner_text("[data-test=draw-hint]") == "Town: 1 corner"
    before = ground.phone.at("b1")
    ground.phone.drag((195, 300), (60, 40))
    ground.phone.settle()
    after = ground.phone.at("b1")
    assert after[0] - before[0] > 35 and after[1] - before[1] > 20
    ground.phone.pinch((195, 400), 60, 90)
    assert page.inner_text("[data-test=draw-hint]") == "Town: 1 corner"  # neither was a tap
    ground.tap((10, 5), (10, 9))
    ground.phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    (town,) = saved(ground.phone)
    assert [coordinate for corner in town["polygon"] for coordinate in corner] == pytest.approx(
        [5, 5, 10, 5, 10, 9], abs=0.2
    )


def test_a_tap_on_a_base_while_drawing_is_a_corner(ground: Ground) -> None:
    begin(ground, "field")
    ground.tap((18.0, 8.0), (24.0, 8.0), (18.0, 19.875))
    assert ground.phone.page.inner_text("[data-test=draw-hint]") == "Field: 3 corners"
    ground.phone.tap("cancel-drawing")
    ground.phone.page.wait_for_selector("[data-test=kind-field]")
    assert saved(ground.phone) == []


def test_a_road_is_tapped_along_its_middle_with_a_width(ground: Ground) -> None:
    page = ground.phone.page
    begin(ground, "road")
    page.get_by_role("button", name="Width: Wider").tap()
    page.get_by_role("button", name="Width: Wider").tap()
    ground.tap((4.0, 10.0), (4.0, 24.0))
    ground.phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    (road,) = saved(ground.phone)
    band = shapely.Polygon(road["polygon"])
    assert band.area == pytest.approx(2.5 * 14, abs=0.6)
    assert band.bounds == pytest.approx((2.75, 10, 5.25, 24), abs=0.25)


def test_a_piece_is_tapped_reshaped_changed_and_removed(ground: Ground) -> None:
    page = ground.phone.page
    begin(ground, "hill")
    ground.tap((4, 4), (14, 4), (14, 12), (4, 12))
    ground.phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    saved(ground.phone)
    ground.phone.tap("close-sheet")
    ground.phone.settle()
    ground.tap((9, 8))
    page.wait_for_selector("[data-test=remove-terrain]")
    ground.phone.settle()
    (left, low), (right, high) = ground(4, 4), ground(6, 6)
    ground.phone.drag(ground.phone.middle("[data-corner=polygon-0] .corner"), (right - left, high - low))
    (hill,) = saved(ground.phone)
    assert hill["polygon"][0] == pytest.approx([6, 6], abs=0.3)
    assert hill["polygon"][2] == pytest.approx([14, 12], abs=0.15)
    for _ in range(3):
        page.get_by_role("button", name="Higher").tap()
    assert saved(ground.phone)[0]["height"] == 1.5
    ground.phone.tap("draw-top")
    ground.phone.settle()
    ground.tap((9, 8), (12, 8), (12, 11))
    ground.phone.tap("finish")
    page.wait_for_selector("[data-test=remove-top]")
    assert len(saved(ground.phone)[0]["hill_top"]) == 3
    page.locator("[data-test=kind-marsh]").tap()
    page.wait_for_function("() => document.querySelector('.sheet h2')?.innerText === 'marsh-1'")
    assert [(one["id"], one["hill_top"]) for one in saved(ground.phone)] == [("marsh-1", None)]
    page.locator("[data-test=remove-terrain]").tap()
    page.wait_for_selector("[data-test=kind-woods]:not([aria-pressed])")
    assert saved(ground.phone) == []


def test_a_crossed_outline_is_answered_with_the_sentence_and_can_be_mended(ground: Ground) -> None:
    page = ground.phone.page
    begin(ground, "marsh")
    ground.tap((5, 5), (12, 12), (12, 5), (5, 12))
    ground.phone.tap("finish")
    page.wait_for_selector("[data-test=notice].error")
    assert "crosses or touches itself near" in page.inner_text("[data-test=notice]")
    ground.phone.tap("undo-point")
    ground.phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    assert len(saved(ground.phone)[0]["polygon"]) == 3
    ground.phone.faults.clear()  # the browser's own word on the 422


def test_a_rectangle_stays_one_by_its_middle_size_and_angle(ground: Ground) -> None:
    phone, page = ground.phone, ground.phone.page
    begin(ground, "woods")
    phone.tap("as-rect")
    ground.tap((8, 12), (22, 18))
    assert page.locator("[data-test=finish]").is_enabled()
    phone.tap("finish")
    page.wait_for_selector("[data-test=rect-angle]")
    (wood,) = saved(phone)
    assert wood["rect"]["angle"] == 0 and wood["rect"]["center"] == pytest.approx([15, 15], abs=0.15)
    assert wood["rect"]["size"] == pytest.approx([14, 6], abs=0.25)  # two fingers, a pixel each
    page.fill("[data-test=rect-angle]", "30")
    page.press("[data-test=rect-angle]", "Enter")
    saved(phone)
    page.fill("[data-test=rect-width]", "12")
    page.press("[data-test=rect-width]", "Tab")
    (turned,) = saved(phone)
    assert (turned["rect"]["angle"], turned["rect"]["size"][0]) == (30, 12)
    assert turned["rect"]["center"] == wood["rect"]["center"]
    x, y = phone.middle("[data-corner=polygon-2] .corner")
    phone.drag((x, y), (30, -25))
    (wider,) = saved(phone)
    assert wider["rect"]["angle"] == 30 and wider["rect"]["size"] != turned["rect"]["size"]
    assert wider["polygon"][0] == pytest.approx(turned["polygon"][0], abs=0.02)
    middle, grip = phone.middle("[data-piece-grip=move] .grip"), phone.middle("[data-piece-grip=turn] .grip")
    phone.drag(grip, (-(grip[1] - middle[1]) * -1 - 1, 2 - (grip[1] - middle[1])))  # a quarter round the middle
    (round_,) = saved(phone)
    assert round_["rect"]["angle"] % 15 == 0 and sorted(round_["rect"]["size"]) == sorted(wider["rect"]["size"])
    assert round_["rect"]["center"] == pytest.approx(wider["rect"]["center"], abs=0.002)
    phone.drag(phone.middle("[data-piece-grip=move] .grip"), (40, 30))
    (moved,) = saved(phone)
    assert moved["rect"]["size"] == round_["rect"]["size"] and moved["rect"]["angle"] == round_["rect"]["angle"]
    assert moved["rect"]["center"][0] > round_["rect"]["center"][0] + 2
    phone.tap("undo")
    assert saved(phone)[0]["rect"] == round_["rect"]


def test_a_piece_is_cut_by_two_taps(ground: Ground) -> None:
    phone, page = ground.phone, ground.phone.page
    begin(ground, "woods")
    ground.tap(*BETWEEN)
    phone.tap("finish")
    page.wait_for_selector("[data-test=cut]")
    (before,) = saved(phone)
    phone.tap("cut")
    phone.settle()
    assert page.inner_text("[data-test=draw-hint]").startswith("Tap beside the piece")
    ground.tap((18.0, 11.0), (18.0, 19.0))
    phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    parts = saved(phone)
    assert sorted(one["id"] for one in parts) == ["woods-1", "woods-2"]
    areas = [shapely.Polygon(one["polygon"]).area for one in parts]
    assert sum(areas) == pytest.approx(shapely.Polygon(before["polygon"]).area, abs=0.01) and min(areas) > 15
    phone.tap("undo")
    assert saved(phone) == [before]


def test_corners_are_added_taken_away_and_placed_from_the_keyboard(ground: Ground) -> None:
    phone, page = ground.phone, ground.phone.page
    begin(ground, "field")
    for said in ("6, 6", "20 6", "20; 16"):
        page.fill("[data-test=typed-point]", said)
        page.press("[data-test=typed-point]", "Enter")
    page.fill("[data-test=typed-point]", "far out")
    page.press("[data-test=typed-point]", "Enter")
    assert page.get_attribute("[data-test=typed-point]", "aria-invalid") == "true"
    phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    (field,) = saved(phone)
    assert field["polygon"] == [[6, 6], [20, 6], [20, 16]] and field["rect"] is None
    phone.drag(phone.middle("[data-corner=new-2] .corner"), (-60, -40))
    (wider,) = saved(phone)
    assert len(wider["polygon"]) == 4 and wider["polygon"][:3] == field["polygon"]
    page.locator("[data-corner=polygon-3]").dispatch_event("click")
    page.wait_for_selector("[data-test=corner-x]")
    page.fill("[data-test=corner-x]", "7.5")
    page.press("[data-test=corner-x]", "Tab")
    assert saved(phone)[0]["polygon"][3][0] == 7.5
    page.locator("[data-corner=polygon-0]").focus()
    page.keyboard.press("ArrowLeft")
    assert saved(phone)[0]["polygon"][0] == [5.75, 6]
    phone.tap("remove-corner")
    (back,) = saved(phone)
    assert back["polygon"] == [[5.75, 6], [20, 6], [20, 16]]


def test_fingers_are_helped_to_corners_that_are_there_unless_it_is_switched_off(ground: Ground) -> None:
    phone, page = ground.phone, ground.phone.page
    begin(ground, "town")
    ground.tap((8, 8), (16, 8), (16, 14), (8, 14))
    phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    (town,) = saved(phone)
    phone.tap("close-sheet")
    begin(ground, "woods")
    x, y = town["polygon"][2]
    ground.tap((x + 0.4, y + 0.4), (x + 8, y + 5), (x, y + 9))
    phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    wood = next(one for one in saved(phone) if one["kind"] == "woods")
    assert wood["polygon"][0] == town["polygon"][2]
    phone.tap("snap")
    assert page.get_attribute("[data-test=snap]", "aria-pressed") == "false"
    phone.tap("close-sheet")
    begin(ground, "field")
    ground.tap((x + 0.4, y - 0.6), (x + 8, y - 6), (x + 8, y - 1))
    phone.tap("finish")
    page.wait_for_selector("[data-test=remove-terrain]")
    field = next(one for one in saved(phone) if one["kind"] == "field")
    assert 0.3 < abs(field["polygon"][0][0] - x) + abs(field["polygon"][0][1] - y) < 1.6


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_tools_are_large_named_and_readable(chromium: Any, server: Server, scheme: str) -> None:
    phone = Phone(chromium, server, {"width": 360, "height": 740}, scheme)
    phone.open_demo()
    phone.tap("correct")
    phone.tap("terrain")

    def check() -> None:
        phone.settle()
        assert phone.page.evaluate(POOR_CONTRAST) == []
        boxes = phone.page.locator("button:visible, .corner.grab, .corner.close").evaluate_all(
            "all => all.map(e => [e.closest('[aria-label]:not(.sheet)')?.ariaLabel || e.innerText, "
            "e.getBoundingClientRect().toJSON()])"
        )
        for name, box in boxes:
            assert name.strip(), "a button without a name for a screen reader"
            assert box["width"] >= 44 and box["height"] >= 40, f"{name}: {box}"
            assert box["left"] >= 0 and box["right"] <= 360.5, f"{name}: {box}"

    check()
    begin(Ground(phone), "hill")
    Ground(phone).tap((8, 12), (20, 12), (14, 20))
    check()
    phone.tap("finish")
    phone.page.wait_for_selector("[data-corner=polygon-2] .corner")
    check()
    assert (
        phone.page.locator("[data-corner=polygon-2]").get_attribute("aria-label")
        == "Corner 3 of hill-1: drag to move it"
    )
    phone.close()
