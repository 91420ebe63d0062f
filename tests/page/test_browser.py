"""The page in a headless Chromium the size of a phone, touched with fingers.

The photo's bases are canned (see api_support), so every ruling and every inch is known; one test at the end reads the
bundled photograph by the program itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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


def test_a_bad_photo_is_answered_with_the_sentence(phone: Phone, tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"To whom it may concern")
    phone.open_demo()
    phone.tap("photo")
    phone.page.set_input_files("[data-test=pick-photo]", tmp_path / "letter.jpg")
    phone.page.wait_for_selector("[data-test=notice].error")
    assert "letter.jpg is not a picture" in phone.page.inner_text("[data-test=notice]")
    assert phone.page.locator("[data-base]").count() == 4  # the table still stands
    phone.faults.clear()  # the browser's own word on the 422


def test_a_tap_on_a_unit_shows_its_ranges_and_judges_every_enemy(phone: Phone) -> None:
    phone.open_demo()
    x, y = phone.at("b1")
    phone.page.touchscreen.tap(x, y)
    phone.page.wait_for_selector(".shots")
    assert phone.page.locator(".ring").count() >= 3  # close, normal, long
    assert phone.page.locator(".threat").count() >= 1 and phone.page.locator(".front-line").count() == 1
    assert "yes" in phone.row("near").split() and "no" in phone.row("far").split()
    order = phone.page.locator(".shots > li").evaluate_all("rows => rows.map(row => row.dataset.test)")
    assert order == ["shot-near", "shot-far"]
    # not by colour alone: every verdict has its mark, and its word for a screen reader
    label = phone.page.locator("[data-test=shot-near] .shot-head").get_attribute("aria-label")
    assert label.startswith("near: Yes")
    assert phone.page.locator("[data-test=shot-near] svg.verdict-icon.yes").count() == 1
    names = phone.page.locator(".leaflet-marker-icon[aria-label]").evaluate_all(
        "icons => icons.map(icon => icon.getAttribute('aria-label'))"
    )
    assert "near, Infantry, Yes" in names and "far, Infantry, No" in names


def test_a_shot_tells_its_reasons(phone: Phone) -> None:
    phone.open_demo()
    phone.choose("tank")
    phone.page.locator("[data-test=shot-far] .shot-head").tap()
    reasons = phone.page.locator("[data-test=shot-far] .reasons li").all_inner_texts()
    game = phone.page.url.rsplit("/", 1)[-1]
    report = phone.page.evaluate("game => fetch(`/api/tables/${game}/report`).then(answer => answer.json())", game)
    shot = next(one for one in report["shots"] if (one["firer"], one["target"]) == ("tank", "far"))
    assert len(reasons) == len(shot["reasons"])
    assert all(words.split(" [")[0] in reason for words, reason in zip(shot["reasons"], reasons, strict=True))
    assert phone.page.locator("path.shot.no").count() == 1  # the measured range, drawn


def test_fingers_pan_and_pinch_the_map(phone: Phone) -> None:
    phone.open_demo()
    left, _, width, _ = phone.shape("b1")
    phone.pinch((195, 400), 40, 120)
    _, _, wider, _ = phone.shape("b1")
    assert wider / width == pytest.approx(3.0, rel=0.15)
    left, top, _, _ = phone.shape("b1")
    phone.drag((60, 250), (70, -40))
    phone.settle()
    after_left, after_top, _, _ = phone.shape("b1")
    assert after_left - left > 40 and after_top - top < -20
    phone.tap("fit")
    phone.settle()
    assert phone.shape("b1")[2] == pytest.approx(width, rel=0.02)
    assert phone.table()["undo"]["kind"] == "photo"  # looking changes nothing


def test_dragging_a_base_corrects_it_and_changes_the_ruling(phone: Phone) -> None:
    phone.open_demo()
    phone.choose("tank")
    phone.tap("correct")
    phone.settle()
    per_inch = phone.shape("b2")[2] / 2.0
    before = phone.at("b2")
    phone.drag(before, (0, -14.5 * per_inch))
    phone.page.wait_for_selector("[data-test=notice]")
    assert "near: Yes → No" in phone.page.inner_text("[data-test=notice]")
    moved = phone.base("b2")
    assert moved["center"][1] == pytest.approx(34.375, abs=0.25) and moved["center"][0] == pytest.approx(18, abs=0.1)
    assert moved["method"] == "hand"
    phone.tap("undo")
    phone.page.wait_for_function("() => document.querySelector('[data-test=notice]')?.innerText.includes('No → Yes')")
    assert phone.base("b2")["center"] == [18.0, 19.875]


def test_a_long_press_takes_hold_of_a_base(phone: Phone) -> None:
    phone.open_demo()
    per_inch = phone.shape("b2")[2] / 2.0
    x, y = phone.at("b2")
    phone.touch("touchStart", (x, y))
    phone.page.wait_for_selector("[data-test=done]")
    for i in range(1, 9):
        phone.touch("touchMove", (x + 5 * per_inch * i / 8, y))
        phone.page.wait_for_timeout(16)
    phone.page.wait_for_function("() => document.querySelector('[data-test=drag-text]')?.innerText === 'moved 5.0″'")
    phone.touch("touchEnd")
    phone.page.wait_for_function("() => !document.querySelector('.bar.saving')")
    phone.settle()
    assert phone.base("b2")["center"][0] == pytest.approx(23.0, abs=0.25)


def test_the_handle_turns_a_base(phone: Phone) -> None:
    phone.open_demo()
    phone.choose("tank")
    phone.tap("correct")
    phone.page.touchscreen.tap(*phone.at("b1"))
    phone.page.wait_for_selector("[data-grip=turn] .grip")
    phone.settle()
    handle, centre = phone.middle("[data-grip=turn] .grip"), phone.at("b1")
    reach = centre[1] - handle[1]  # the tank faces the far side: its handle is straight above
    assert abs(handle[0] - centre[0]) < 2 and reach > 40
    phone.drag(handle, (reach, reach), steps=12)  # a quarter turn clockwise
    phone.page.wait_for_function("() => !document.querySelector('.bar.saving')")
    phone.settle()
    assert phone.base("b1")["facing"] == pytest.approx(90, abs=3)


def test_a_stray_base_is_given_to_a_unit_by_taps(phone: Phone) -> None:
    phone.open_demo()
    phone.page.touchscreen.tap(*phone.at("b4"))
    phone.page.wait_for_selector("[data-test=give-far]")
    assert phone.page.locator("[data-test=give-tank]").count() == 0  # its rims are red
    phone.tap("give-far")
    phone.page.wait_for_selector("[data-test=unique]")
    assert phone.base("b4")["unit"] == "far" and phone.base("b4")["unique"] is False


def test_a_missing_base_is_added_and_removed_again(phone: Phone) -> None:
    phone.open_demo()
    phone.tap("correct")
    phone.tap("units")
    phone.tap("unit-gun")
    phone.page.wait_for_selector("[data-test=remove-base]")
    assert [base["unit"] for base in phone.table()["bases"]][-1] == "gun"
    phone.page.locator("[data-test=remove-base]").tap()
    phone.page.wait_for_selector("[data-test=remove-base]", state="detached")
    assert len(phone.table()["bases"]) == 4


def test_markers_change_the_odds(phone: Phone) -> None:
    phone.open_demo()
    phone.choose("tank")
    before = phone.page.inner_text("[data-test=shot-near] .shot-numbers small")
    phone.choose("near")
    phone.tap("tab-state")
    phone.tap("mark-dug_in")
    phone.page.wait_for_selector("[data-test=mark-dug_in][aria-pressed=true]")
    phone.tap("tab-out")
    phone.choose("tank")
    assert phone.page.inner_text("[data-test=shot-near] .shot-numbers small") != before


@pytest.mark.parametrize("size", [PHONE, {"width": 1024, "height": 768}])
def test_everything_to_touch_is_large_enough_and_on_the_screen(
    chromium: Any, server: Server, size: dict[str, int]
) -> None:
    phone = Phone(chromium, server, size)
    phone.open_demo()
    phone.choose("tank")
    boxes = phone.page.locator("button, label:has(input), summary").evaluate_all(
        "all => all.map(e => [e.getAttribute('aria-label') || e.innerText, e.getBoundingClientRect().toJSON()])"
    )
    assert len(boxes) > 10
    for name, box in boxes:
        assert name.strip(), "a button without a name for a screen reader"
        assert box["width"] >= 44 and box["height"] >= 40, f"{name}: {box}"
        assert box["left"] >= 0 and box["right"] <= size["width"] + 0.5, f"{name}: {box}"
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
    phone.close()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_words_stand_out_from_their_ground_in_both_themes(chromium: Any, server: Server, scheme: str) -> None:
    phone = Phone(chromium, server, scheme=scheme)
    phone.open_demo()
    assert phone.page.evaluate("() => document.documentElement.dataset.theme") == scheme
    phone.choose("tank")
    assert phone.page.evaluate(POOR_CONTRAST) == []
    phone.page.tap("[data-test=theme]")
    assert phone.page.evaluate("() => document.documentElement.dataset.theme") != scheme
    phone.page.reload()
    phone.page.wait_for_selector("[data-test=correct]")
    assert phone.page.evaluate("() => document.documentElement.dataset.theme") != scheme  # remembered
    phone.close()


def test_two_phones_see_the_same_table(chromium: Any, server: Server) -> None:
    mine, other = Phone(chromium, server), Phone(chromium, server)
    mine.open_demo()
    other.page.goto(mine.page.url)
    other.page.wait_for_selector("[data-test=correct]")
    mine.choose("tank")
    other.page.evaluate(
        "path => fetch(path, {method: 'DELETE'})", f"/api/tables/{mine.page.url.rsplit('/', 1)[-1]}/bases/b2"
    )
    mine.page.wait_for_selector("[data-test=shot-near]", state="detached", timeout=15_000)
    assert mine.page.locator("[data-base]").count() == 3
    mine.close()
    other.close()


def test_the_sheet_follows_the_finger_and_the_next_tap_counts(phone: Phone) -> None:
    phone.open_demo()
    phone.choose("tank")
    height = phone.page.locator("[data-test=sheet]").bounding_box()["height"]
    phone.drag(phone.middle(".sheet-handle"), (0, -300))
    phone.tap("tab-state")
    phone.page.wait_for_selector("[data-test=mark-dug_in]")
    phone.settle()
    assert phone.page.locator("[data-test=sheet]").bounding_box()["height"] > height + 200
    phone.drag(phone.middle(".sheet-handle"), (0, 600))
    phone.settle()
    assert phone.page.locator("[data-test=sheet]").bounding_box()["height"] < height - 100


def test_steps_in_quick_succession_all_count(phone: Phone) -> None:
    phone.open_demo()
    phone.tap("correct")
    phone.page.touchscreen.tap(*phone.at("b2"))
    right = phone.page.get_by_role("button", name="Right by 0.1 inch")
    right.wait_for()
    for _ in range(5):
        right.tap()
    phone.page.wait_for_function("() => !document.querySelector('.bar.saving')")
    phone.settle()
    assert phone.base("b2")["center"] == [18.5, 19.875]
