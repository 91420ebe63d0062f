"""A game without rules on the game screen: units added, terrain drawn and changed, distances kept, all by touch."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from api.auth.access import Role
from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, room, server
from tests.support.api_support import PHOTO, TABLE, row, stored_table
from tests.support.page_support import chromium, expect, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]


def bare(room: Room, *words: str, **more: Any) -> Seat:
    """A phone at a bare table of which this was said."""
    scenario = find("bare-table")
    seat = room.sit(room._start(scenario.rules, scenario.setup, scenario.title), **more)
    for one in words:
        did(seat, one)
    return seat


def did(seat: Seat, words: str) -> None:
    """An action typed, judged legal, and done."""
    seat.say(words)
    does_it(seat)


def does_it(seat: Seat) -> None:
    seat.judged("yes")
    seat.does("do-it")


def tap_table(seat: Seat, x: float, y: float) -> None:
    """A finger on a place of the table, by its shares of the board's free part."""
    box = seat.page.locator(".board").bounding_box()
    assert box is not None
    seat.page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])
    seat.settle()


def test_a_bare_table_is_filled_and_measured_by_touch(room: Room) -> None:
    seat = bare(room)
    expect(seat.at("next")).to_have_text("No units yet: add a unit.")
    for button in ("Add a unit", "Roll dice"):
        expect(seat.page.get_by_role("button", name=button).first).to_be_visible()
    expect(seat.page.get_by_text("under fire")).to_have_count(0)  # another game's roll
    did(seat, "add A1 for blue models 2 at 12,20 facing 0")
    did(seat, "add B1 for red round wide 1.5 at 30,30 facing 180")

    seat.page.get_by_role("button", name="Measure and keep").first.tap()
    expect(seat.at("missing")).to_be_visible()
    seat.tap_on("[data-lead=A1]")
    seat.tap_on("[data-lead=B1]")
    expect(seat.at("words")).to_have_value("measure A1 to B1")
    does_it(seat)
    expect(seat.result).to_contain_text("apart, edge to edge")


def test_what_was_taken_back_is_done_again_until_something_else_is_done(room: Room) -> None:
    seat = bare(room, "add A1 for blue at 12,20", "add B1 for red at 30,30")
    redo = seat.page.locator("[data-test=redo]")
    expect(redo).to_have_count(0)
    seat.does("undo")
    expect(redo).to_be_visible()
    seat.does("undo")
    expect(redo).to_have_attribute("aria-label", re.compile("^Redo: Do again: Add a unit: A1"))
    assert not seat.fetched()["board"]["units"]
    seat.does("redo")
    seat.does("redo")
    expect(redo).to_have_count(0)
    assert [unit["id"] for unit in seat.fetched()["board"]["units"]] == ["A1", "B1"]
    seat.does("undo")
    expect(redo).to_be_visible()
    did(seat, "turn")
    expect(redo).to_have_count(0)


def test_how_sure_places_are_is_said_with_a_correction_and_drawn_for_a_picked_unit(room: Room) -> None:
    seat = bare(
        room,
        "add A1 for blue models 3 wide 2 deep 1 at 12,20 facing 0",
        "add B1 for red at 24,30",
        "correct B1 sigma 1",
        "add C1 for red at 36,30",
    )
    ellipses = seat.page.locator("path.ellipse")
    seat.unit("A1")
    seat.page.locator("[data-test^=option-correct-A1]").first.tap()
    expect(seat.at("missing")).to_contain_text("Change at least one value.")  # the server is not asked before
    seat.settle()
    if seat.shows("more-fields"):
        seat.tap("more-fields")
    expect(seat.page.get_by_text("Its place give or take, inches")).to_be_visible()
    seat.enter("field-sigma", "0.5")
    does_it(seat)
    expect(seat.result).to_contain_text("with a sigma of 0.5″")

    seat.unit("A1")
    expect(ellipses).to_have_count(3)
    seat.settle()
    ellipse, base = seat.page.evaluate(
        """() => ['path.ellipse', '[data-lead=A1]'].map(one => document.querySelector(one).getBBox().width)"""
    )
    assert ellipse / base == pytest.approx(2 * 0.5 * math.sqrt(5.991) / 2, rel=0.04)
    seat.unit("B1")
    expect(ellipses).to_have_count(1)
    seat.unit("C1")
    expect(ellipses).to_have_count(0)


def test_one_base_of_a_unit_is_moved_and_taken_off_by_touch(room: Room) -> None:
    seat = bare(room, "add A1 for blue models 3 wide 2 deep 1 at 12,20 facing 0")
    before = {name: seat.piece(name)["center"] for name in ("A1.1", "A1.2", "A1.3")}
    seat.unit("A1")
    seat.page.locator("[data-test^=option-move-A1]").first.tap()
    ghosts = seat.page.locator(".ghost-piece:not(.nose)")
    expect(ghosts).to_have_count(3)
    seat.tap("base-2")
    expect(ghosts).to_have_count(1)
    expect(seat.page.locator("path.base.chosen.body")).to_have_attribute("data-piece", "A1.2")
    seat.settle()
    tap_table(seat, 0.6, 0.2)
    expect(seat.at("judgement")).to_contain_text("This base moves 21.0″")
    tapped = float(seat.at("place-y").input_value())
    seat.drag(seat.middle("[data-grip=move] .grip"), (0, 40))
    seat.page.wait_for_function(
        "was => Number(document.querySelector('[data-test=place-y]').value) < was - 1", arg=tapped
    )
    seat.settle()
    does_it(seat)
    expect(seat.result).to_have_text(re.compile("^Base 2 of A1 moved"))
    after = {name: seat.piece(name)["center"] for name in before}
    assert math.dist(before.pop("A1.2"), after.pop("A1.2")) > 3
    assert before == after, "the others stay"

    seat.unit("A1")
    seat.page.locator("[data-test^=option-remove-A1]").first.tap()
    seat.judged("yes")
    seat.tap("base-3")
    seat.tap_on("[data-piece='A1.1']")  # another one of the same unit is meant
    expect(seat.at("base-1")).to_have_attribute("aria-pressed", "true")
    does_it(seat)
    expect(seat.result).to_have_text("A1 lost a base; 2 left.")


NAMED = """wanted => [...document.querySelectorAll('[data-ground]')].map(name => {
    const ground = document.querySelector(`path.terrain[aria-label*=" ${name.dataset.ground}"]`);
    const box = name.getBoundingClientRect();
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const under = at.matrixTransform(ground.getScreenCTM().inverse());
    return name.dataset.ground + (ground.isPointInFill(under) ? '' : ' beside it');
}).sort().join() === wanted"""
"""Whether those pieces of terrain, and no others, have their name on the map, and its middle lies on them."""


def test_terrain_has_its_name_on_it_where_there_is_room(room: Room) -> None:
    seat = bare(
        room,
        "draw woods ring 6,26 22,26 22,44 6,44",
        "draw river ring 30,4 44,4 44,44 38,44 38,10 30,10 as stream",  # its middle is beside it
        "draw field ring 2,2 3,2 3,3 2,3 as patch",
        "add A1 for blue at 12,36",
    )
    seat.tap("fit")  # the map went along with what was drawn
    seat.page.wait_for_function(NAMED, arg="stream,woods-1")


def test_a_guest_of_a_stored_table_comes_in_by_it_and_plays(room: Room) -> None:
    services = room.server.services
    table = stored_table(services, name="guests.table.toml")
    near = row("b1", "near", "red", "infantry", [12.0, 20.0], facing=90.0)
    assert services.store.append(table, 2, "add", {"base": near})
    guest = Seat(room.browser, room.server, host=False)
    room.seats.append(guest)
    guest.join(services.seats.invite(table, [Role.parse("side blue")]).token, "Ben")
    guest.page.goto(guest.url)
    guest.tap(f"open-{table}")
    expect(guest.page.locator("[data-test=game] [data-lead=near]").first).to_be_visible()
    expect(guest.at("headline")).to_contain_text("turn 1")
    guest.game = guest.page.url.rsplit("/", 1)[-1]
    did(guest, "move near to 14,20")
    guest.page.goto(guest.url)
    expect(guest.at(f"open-{guest.game}")).to_be_visible()
    expect(guest.at(f"open-{table}")).to_have_count(0)  # it is listed once, as a game


def test_a_table_file_opens_and_a_picked_photo_of_it_is_read_and_put_right(room: Room, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(TABLE.replace("[table]", '[table]\nrules = "measure"'))
    (tmp_path / "IMG_1.jpg").write_bytes(PHOTO)
    seat = bare(room)
    seat.page.goto(seat.url)
    seat.page.set_input_files("[data-test=table-file]", tmp_path / "club.toml")
    expect(seat.page.locator("[data-test=game] [data-test=headline]")).to_be_visible()
    seat.game = seat.page.url.rsplit("/", 1)[-1]
    assert {unit["id"] for unit in seat.fetched()["board"]["units"]} == {"tank", "near", "far", "gun"}
    seat.tap("photo")
    seat.page.set_input_files("[data-test=game-pick-photo]", tmp_path / "IMG_1.jpg")
    expect(seat.at("on-photo")).to_be_visible()
    expect(seat.at("tap-base")).to_be_visible()
    seat.settle()
    units = [base["unit"] for base in seat.fetched("/look")["outlines"]]
    box = seat.page.locator("path.seen-base").nth(units.index("near")).bounding_box()
    sheet = seat.page.locator(".sheet").bounding_box()
    assert box is not None and sheet is not None and box["y"] + box["height"] < sheet["y"], "it is to be seen"
    seat.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(seat.at("seen-base")).to_contain_text("A base of near")
    for name, value in (("x", "12"), ("width", "3"), ("depth", "2")):
        seat.enter(f"seen-{name}", value)
    seat.tap("keep-base")
    expect(seat.at("seen-base")).to_have_count(0)
    seat.tap("tab-moves")
    seat.tap("accept-certain")
    expect(seat.at("accept-certain")).to_have_count(0)
    (near,) = [piece for piece in seat.fetched()["board"]["pieces"] if piece["unit"] == "near"]
    assert (near["center"][0], near["width"], near["depth"]) == (12.0, 3.0, 2.0), "what was put right"
