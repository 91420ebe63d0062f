"""A game without rules on the game screen: units added, terrain drawn and changed, distances kept, all by touch."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from api.app.program import Program
from api.auth.access import Role
from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, room, server
from tests.support.api_support import PHOTO, TABLE, row, stored_table
from tests.support.page_support import Phone, Server, chromium, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = page_marks


def bare(room: Room, **more: Any) -> Seat:
    scenario = find("bare-table")
    return room.sit(room._start(scenario.rules, scenario.setup, scenario.title), **more)


def did(seat: Seat, words: str) -> None:
    """An action typed, judged legal, and done."""
    seat.say(words)
    seat.judged("yes")
    seat.does("do-it")


def tap_table(seat: Seat, x: float, y: float) -> None:
    """A finger on a place of the table, by its shares of the board's free part."""
    box = seat.page.locator(".board").bounding_box()
    assert box is not None
    seat.page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])
    seat.settle()


@pytest.mark.slow
def test_a_bare_table_is_filled_and_measured_by_touch(room: Room) -> None:
    seat = bare(room)
    assert seat.words("next") == "No units yet: add a unit."
    assert seat.page.get_by_role("button", name="Add a unit").count()
    assert seat.page.get_by_role("button", name="Roll dice").count()
    assert not seat.page.get_by_text("under fire").count(), "another game's roll"
    seat.picture("1-bare")
    did(seat, "add A1 for blue models 2 at 12,20 facing 0")
    did(seat, "add B1 for red round wide 1.5 at 30,30 facing 180")

    seat.page.get_by_role("button", name="Draw terrain").first.tap()
    seat.page.wait_for_selector("[data-test=outline-hint]")
    seat.tap("say-woods")
    for x, y in ((0.4, 0.2), (0.6, 0.2), (0.6, 0.32), (0.4, 0.32)):
        tap_table(seat, x, y)
    assert "4 corners" in seat.words("outline-hint")
    seat.judged("yes")
    seat.picture("2-drawing")
    seat.does("do-it")
    woods = seat.fetched()["board"]["ground"][0]
    assert (woods["id"], woods["kind"], len(woods["outline"])) == ("woods-1", "woods", 4)
    seat.picture("3-drawn")

    seat.page.get_by_role("button", name="Measure and keep").first.tap()
    seat.page.wait_for_selector("[data-test=missing]")
    seat.tap_on("[data-lead=A1]")
    seat.tap_on("[data-lead=B1]")
    assert seat.written() == "measure A1 to B1"
    seat.judged("yes")
    seat.does("do-it")
    assert "apart, edge to edge" in seat.told
    seat.picture("4-measured")


@pytest.mark.slow
def test_terrain_that_lies_there_is_reshaped_renamed_and_taken_off(room: Room) -> None:
    seat = bare(room)
    did(seat, "draw hill ring 10,10 20,10 20,20 10,20 high 2")
    seat.picture("5-terrain")
    tap_table(seat, 0.31, 0.36)  # on the hill
    seat.page.wait_for_selector("[data-test=outline-hint]")
    seat.tap("as-rect")
    assert "4 corners" in seat.words("outline-hint")
    seat.page.locator("[data-corner='0']").dispatch_event("click")
    seat.tap("remove-corner")
    seat.page.fill("[data-test=field-name]", "knoll")
    seat.page.keyboard.press("Enter")
    seat.judged("yes")
    seat.picture("6-reshaped")
    seat.does("do-it")
    (hill,) = seat.fetched()["board"]["ground"]
    assert (hill["id"], hill["kind"], hill["height"], len(hill["outline"])) == ("knoll", "hill", 2.0, 3)
    seat.tap("other-actions")
    seat.tap("option-erase-knoll")
    seat.judged("yes")
    seat.does("do-it")
    assert not seat.fetched()["board"]["ground"]


@pytest.mark.slow
def test_what_was_taken_back_is_done_again_until_something_else_is_done(room: Room) -> None:
    seat = bare(room)
    for words in ("add A1 for blue at 12,20", "add B1 for red at 30,30"):
        did(seat, words)
    assert not seat.shows("redo")
    seat.does("undo")
    seat.page.wait_for_selector("[data-test=redo]")
    seat.does("undo")
    assert not seat.fetched()["board"]["units"]
    seat.picture("redo")
    assert seat.page.get_attribute("[data-test=redo]", "aria-label").startswith("Redo: Do again: Add a unit: A1")
    seat.does("redo")
    seat.does("redo")
    seat.page.wait_for_selector("[data-test=redo]", state="detached")
    assert [unit["id"] for unit in seat.fetched()["board"]["units"]] == ["A1", "B1"]
    seat.does("undo")
    seat.page.wait_for_selector("[data-test=redo]")
    did(seat, "turn")
    seat.page.wait_for_selector("[data-test=redo]", state="detached")


@pytest.mark.slow
def test_how_sure_a_place_is_is_said_with_a_correction(room: Room) -> None:
    seat = bare(room)
    did(seat, "add A1 for blue at 12,20")
    seat.unit("A1")
    seat.page.locator("[data-test^=option-correct-A1]").first.tap()
    seat.page.wait_for_selector("[data-test=more-fields], [data-test=field-sigma]")
    assert "Fill in what changes." in seat.words("missing"), "nothing is asked of the server before that"
    if seat.shows("more-fields"):
        seat.tap("more-fields")
    seat.page.wait_for_selector("text='Its place give or take, inches'")
    seat.page.fill("[data-test=field-sigma]", "0.5")
    seat.page.keyboard.press("Tab")
    seat.judged("yes")
    seat.picture("11-sigma")
    seat.does("do-it")
    assert "with a sigma of 0.5″" in seat.told


@pytest.mark.slow
def test_how_sure_the_places_of_a_picked_unit_are_is_drawn_over_map_and_photo(room: Room) -> None:
    seat = bare(room)
    for words in (
        "add A1 for blue models 3 wide 2 deep 1 at 12,20 facing 0",
        "correct A1 sigma 0.5",
        "add B1 for red at 24,30",
        "correct B1 sigma 1",
        "add C1 for red at 36,30",
    ):
        did(seat, words)
    assert not seat.page.locator("path.ellipse").count(), "24 units would clutter the map"
    seat.unit("A1")
    seat.page.wait_for_selector("path.ellipse")
    drawn = seat.page.locator("path.ellipse")
    assert drawn.count() == 3
    wide = seat.page.evaluate(
        """() => ['path.ellipse', '[data-lead=A1]'].map(one => document.querySelector(one).getBBox().width)"""
    )
    assert wide[0] / wide[1] == pytest.approx(2 * 0.5 * math.sqrt(5.991) / 2, rel=0.04)
    seat.picture("12-ellipses")
    seat.unit("B1")
    seat.page.wait_for_function("document.querySelectorAll('path.ellipse').length === 1")
    seat.unit("C1")
    seat.page.wait_for_selector("path.ellipse", state="detached")


@pytest.mark.slow
def test_one_base_of_a_unit_is_moved_and_taken_off_by_touch(room: Room) -> None:
    seat = bare(room)
    did(seat, "add A1 for blue models 3 wide 2 deep 1 at 12,20 facing 0")
    before = {name: seat.piece(name)["center"] for name in ("A1.1", "A1.2", "A1.3")}
    seat.unit("A1")
    seat.page.locator("[data-test^=option-move-A1]").first.tap()
    ghosts = ".ghost-piece:not(.nose)"
    seat.page.wait_for_function("ghosts => document.querySelectorAll(ghosts).length === 3", arg=ghosts)
    seat.tap("base-2")
    seat.page.wait_for_function("ghosts => document.querySelectorAll(ghosts).length === 1", arg=ghosts)
    assert seat.page.locator("path.base.chosen.body").get_attribute("data-piece") == "A1.2"
    seat.page.wait_for_selector("[data-grip=move] .grip")
    tap_table(seat, 0.6, 0.2)
    seat.judged("yes")
    assert "This base moves 21.0″" in seat.words("judgement")
    tapped = float(seat.page.input_value("[data-test=place-y]"))
    seat.drag(seat.middle("[data-grip=move] .grip"), (0, 40))
    seat.page.wait_for_function(
        "was => Number(document.querySelector('[data-test=place-y]').value) < was - 1", arg=tapped
    )
    seat.judged("yes")
    seat.picture("13-one-base")
    seat.does("do-it")
    assert seat.told.startswith("Base 2 of A1 moved")
    after = {name: seat.piece(name)["center"] for name in before}
    assert math.dist(before.pop("A1.2"), after.pop("A1.2")) > 3
    assert before == after, "the others stay"

    seat.unit("A1")
    seat.page.locator("[data-test^=option-remove-A1]").first.tap()
    seat.judged("yes")
    seat.tap("base-3")
    seat.tap_on("[data-piece='A1.1']")  # another one of the same unit is meant
    seat.page.wait_for_selector("[data-test=base-1][aria-pressed=true]")
    seat.judged("yes")
    seat.does("do-it")
    assert seat.told == "A1 lost a base; 2 left."


NAMED = """wanted => [...document.querySelectorAll('[data-ground]')].map(name => {
    const ground = document.querySelector(`path.terrain[aria-label*=" ${name.dataset.ground}"]`);
    const box = name.getBoundingClientRect();
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const under = at.matrixTransform(ground.getScreenCTM().inverse());
    return name.dataset.ground + (ground.isPointInFill(under) ? '' : ' beside it');
}).sort().join() === wanted"""
HIDING = """() => {
    const box = one => one.getBoundingClientRect();
    const others = [...document.querySelectorAll('path.base.body, [data-labels]')].map(box);
    return [...document.querySelectorAll('[data-ground]')].filter(name => others.some(({left, right, top, bottom}) => {
        const own = box(name);
        return own.left < right && left < own.right && own.top < bottom && top < own.bottom;
    })).map(name => name.dataset.ground);
}"""
"""Whether those pieces of terrain, and no others, have their name on the map, and its middle lies on them."""


def test_terrain_has_its_name_where_it_hides_no_unit_and_no_units_name(room: Room) -> None:
    seat = bare(room)
    for words in (
        "draw woods ring 6,26 22,26 22,44 6,44",
        "draw river ring 30,4 44,4 44,44 38,44 38,10 30,10 as stream",  # its middle is beside it
        "draw field ring 2,2 3,2 3,3 2,3 as patch",
        "draw hill ring 4,8 20,8 20,18 4,18 high 2 as knoll",
    ):
        did(seat, words)
    seat.tap("fit")  # the map went along with what was drawn
    seat.page.wait_for_function(NAMED, arg="knoll,stream,woods-1")
    seat.say("add A1 for blue at 12,12")  # its name stands above it, on the hill's
    seat.judged("yes")
    seat.does("do-it")
    seat.tap("fit")
    seat.page.wait_for_function(NAMED, arg="knoll,stream,woods-1")
    assert seat.page.evaluate(HIDING) == [], "the hill's name makes room"
    seat.picture("14-names")


@pytest.mark.slow
def test_a_stored_table_opens_on_the_game_screen(room: Room) -> None:
    services = room.server.services
    table = stored_table(services, name="club.table.toml")
    near = row("b1", "near", "red", "infantry", [12.0, 20.0], facing=90.0)
    assert services.store.append(table, 2, "add", {"base": near})
    seat = bare(room)
    seat.page.goto(seat.url)
    seat.page.wait_for_selector(f"[data-test=open-{table}]")
    seat.picture("7-home")
    seat.tap(f"open-{table}")
    seat.page.wait_for_selector("[data-test=game] [data-lead=near]")
    seat.picture("8-opened")
    assert "turn 1" in seat.words("headline")


@pytest.mark.slow
def test_a_guest_of_a_stored_table_comes_in_by_it_and_plays(room: Room) -> None:
    services = room.server.services
    table = stored_table(services, name="guests.table.toml")
    near = row("b1", "near", "red", "infantry", [12.0, 20.0], facing=90.0)
    assert services.store.append(table, 2, "add", {"base": near})
    seat = bare(room)
    guest = Seat(room.browser, room.server, host=False)
    room.seats.append(guest)
    guest.join(services.seats.invite(table, [Role.parse("side blue")]).token, "Ben")
    guest.page.goto(guest.url)
    guest.tap(f"open-{table}")
    guest.page.wait_for_selector("[data-test=game] [data-lead=near]")
    assert not seat.page.locator("[data-lead=near]").count(), "another game"
    guest.game = guest.page.url.rsplit("/", 1)[-1]
    guest.say("move near to 14,20")
    guest.judged("yes")
    guest.does("do-it")
    guest.page.goto(guest.url)
    guest.page.wait_for_selector(f"[data-test=open-{guest.game}]")
    assert not guest.shows(f"open-{table}"), "it is listed once, as a game"


@pytest.mark.slow
def test_a_table_file_opens_and_a_picked_photo_of_it_is_read_and_put_right(room: Room, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(TABLE)
    (tmp_path / "IMG_1.jpg").write_bytes(PHOTO)
    seat = bare(room)
    seat.page.goto(seat.url)
    seat.page.set_input_files("[data-test=table-file]", tmp_path / "club.toml")
    seat.page.wait_for_selector("[data-test=game] [data-test=headline]")
    seat.game = seat.page.url.rsplit("/", 1)[-1]
    assert {unit["id"] for unit in seat.fetched()["board"]["units"]} == {"tank", "near", "far", "gun"}
    seat.tap("photo")
    seat.page.wait_for_selector("[data-test=game-pick-photo]", state="attached")
    seat.page.set_input_files("[data-test=game-pick-photo]", tmp_path / "IMG_1.jpg")
    seat.page.wait_for_selector("[data-test=on-photo]", timeout=60_000)
    seat.picture("9-photo")

    seat.page.wait_for_selector("[data-test=tap-base]")
    seat.settle()
    units = [base["unit"] for base in seat.fetched("/look")["outlines"]]
    box = seat.page.locator("path.seen-base").nth(units.index("near")).bounding_box()
    sheet = seat.page.locator(".sheet").bounding_box()
    assert box is not None and sheet is not None and box["y"] + box["height"] < sheet["y"], "it is to be seen"
    seat.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    seat.page.wait_for_selector("[data-test=seen-base]")
    assert "A base of near" in seat.words("seen-base")
    for name, value in (("x", "12"), ("width", "3"), ("depth", "2")):
        seat.page.fill(f"[data-test=seen-{name}]", value)
        seat.page.keyboard.press("Tab")
    seat.picture("9-outline")
    seat.tap("keep-base")
    seat.page.wait_for_selector("[data-test=seen-base]", state="detached")
    seat.tap("tab-moves")
    seat.tap("accept-certain")
    seat.page.wait_for_selector("[data-test=accept-certain]", state="detached")
    (near,) = [piece for piece in seat.fetched()["board"]["pieces"] if piece["unit"] == "near"]
    assert (near["center"][0], near["width"], near["depth"]) == (12.0, 3.0, 2.0), "what was put right"


def test_the_demonstration_opens_with_its_units_where_the_photo_shows_them(room: Room) -> None:
    seat = bare(room)
    seat.page.goto(seat.url)
    seat.tap("demo")
    seat.page.wait_for_selector("[data-test=game] [data-lead=near]", timeout=60_000)
    seat.game = seat.page.url.rsplit("/", 1)[-1]
    assert len(seat.fetched()["board"]["pieces"]) == 4
    seat.page.wait_for_selector("[data-test=on-photo]")
    seat.picture("10-demonstration")


@pytest.mark.slow
def test_the_bundled_photograph_end_to_end(chromium: Any, tmp_path: Path) -> None:
    with Server(tmp_path, Program()) as running:
        phone = Phone(chromium, running)
        phone.page.goto(phone.url)
        phone.tap("demo")
        phone.page.wait_for_selector("[data-test=busy]")  # progress is shown
        phone.page.wait_for_selector("[data-test=game] [data-piece]", state="attached", timeout=60_000)
        assert phone.page.locator("[data-piece]").count() >= 25
        phone.close()
