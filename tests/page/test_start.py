"""Starting a game, sheets to print, calibrating a camera, laying the grid: in a headless Chromium of a phone's size."""

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tabletop.starting.scenario_options import choices
from tabletop.tables.tablefile import parse_table
from tests.api.photos.test_cameras import TEXT, TRUE, picture
from tests.support.api_support import TABLE
from tests.support.combined_arms_tables import at
from tests.support.page_support import Phone, Server, chromium, expect, page_marks, phone, server

__all__ = ["chromium", "phone", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

ENOUGH = 5
"""Pictures of the board that cover enough to be solved."""


def chosen(phone: Phone, way: str) -> Any:
    """The start screen after the first choice."""
    phone.page.goto(f"{phone.url}/start")
    expect(phone.at("from-nothing")).to_be_visible()
    if way:
        phone.tap(way)
        expect(phone.at("begin")).to_be_visible()
    return phone.page


def begun(phone: Phone) -> str:
    """The id of the game that begins by the button."""
    expect(phone.at("play-none")).to_be_visible()
    phone.tap("begin")
    expect(phone.at("to-the-game")).to_be_visible()
    return str(phone.page.url.rsplit("/", 1)[-1])


def asked(phone: Phone, path: str) -> Any:
    """What the server tells this device."""
    answer = phone.context.request.get(f"{phone.url}/api{path}")
    assert answer.status == 200, answer.text()
    return answer.json()


def as_file(name: str, content: str | bytes) -> list[Any]:
    data = content.encode() if isinstance(content, str) else content
    return [{"name": name, "mimeType": "application/octet-stream", "buffer": data}]


class TestStarting:
    def test_of_a_scenario_with_dice_and_a_name_and_what_to_prepare_is_told(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "scenario-flank-attack")
        for name in ("own-more", "dice-d6", "play-side-red"):
            phone.tap(name)
        page.fill("[data-test=game-title]", "Sunday, 2 pm")
        phone.settle()
        before = len(phone.asked)
        phone.settle()
        assert len(phone.asked) == before, "what has not changed is not asked about again"
        game = begun(phone)
        assert game == "sunday-2-pm" and asked(phone, f"/games/{game}/me")["roles"] == ["host", "side red"]
        assert server.services.commands.game(game).state.setup.dice == "d6"
        expect(page.locator(".prepare-sheet")).to_contain_text("motor infantry")
        with page.expect_download() as waiting:
            phone.tap("prepare-markers")
        assert Path(waiting.value.path()).read_bytes().startswith(b"%PDF")
        phone.tap("to-the-game")
        expect(page.locator(".prepare-sheet")).to_have_count(0)
        phone.tap("menu")
        expect(phone.at("menu-prepare")).to_be_visible()
        expect(phone.at("menu-overlay")).to_have_count(0)  # a game in inches has no grid
        phone.tap("menu-prepare")
        phone.tap("prepare-invite")
        expect(page.locator(".seats-page")).to_be_visible()

    def test_a_board_game_against_a_player(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "rules-combined-arms")
        phone.tap("more")
        expect(phone.at("mode-enemy-player")).to_be_visible()
        for switch in ("bid", "messages"):
            expect(phone.at(f"switch-{switch}")).to_have_count(0)  # only where somebody plays the defenders, or a team
        phone.tap("mode-enemy-player")
        phone.tap("switch-bid")
        page.fill("[data-test=switch-handicap]", "5")
        expect(phone.at("switch-bid")).to_have_attribute("aria-pressed", "false")  # never both
        phone.tap("switch-easier")
        expect(phone.at("play-side-defender")).to_be_visible()
        expect(page.locator("[data-test^=play-]")).to_have_count(3)  # one device can't play both, where one side hides
        phone.tap("play-side-defender")
        game = begun(phone)
        setup = server.services.commands.game(game).state.setup
        assert (setup.mode, setup.handicap, setup.easier, setup.bidding) == ("enemy-player", 5, True, False)
        assert asked(phone, f"/games/{game}/me")["roles"] == ["host", "side defender"]
        expect(phone.at("prepare-grid")).to_be_visible()

    def test_a_board_from_a_position(self, phone: Phone) -> None:
        page = chosen(phone, "rules-combined-arms")
        phone.tap("board-from-position")
        expect(phone.at("begin-says")).to_contain_text("file first")
        expect(phone.at("begin")).to_be_disabled()
        fault = page.locator("#position-fault")
        for name, content, says in (
            ("notes.json", "[1, 2", "notes.json is not a position"),
            ("odd.json", json.dumps({"platoons": [{"id": "Z9"}]}), "Z9"),
        ):
            page.set_input_files("[data-test=position]", as_file(name, content))
            expect(fault).to_contain_text(says)
        page.set_input_files("[data-test=position]", as_file("good.json", json.dumps(at({"D1": "3-4"}, {"5-5": ""}))))
        expect(fault).to_have_count(0)
        game = begun(phone)
        assert {unit["id"] for unit in asked(phone, f"/games/{game}")["board"]["units"]} >= {"D1"}
        phone.faults.clear()  # the browser's own word on the 422

    def test_a_table_file_alone_and_with_faults(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "")
        before = len(server.services.games())
        page.set_input_files("[data-test=bring-file]", as_file("bad.toml", '[table]\nwidth = -1\ndepth = "x"\n'))
        expect(page.locator("[data-test=file-faults] .field-fault")).to_have_text([re.compile("^line ")] * 2)
        phone.tap("begin")
        phone.settle()
        expect(phone.at("begin")).to_be_enabled()
        assert len(server.services.games()) == before and page.url.endswith("/start")
        page.set_input_files("[data-test=other-file]", as_file("kitchen.table.toml", TABLE))
        expect(phone.at("file-facts")).to_contain_text("4 units")
        expect(phone.at("file-faults")).to_have_count(0)
        offered = page.locator("[data-test^=with-]").evaluate_all("all => all.map(one => one.dataset.test.slice(5))")
        assert offered == ["none", "flank-attack", "melee", "static-defence"], "of its game and its size alone"
        phone.tap("with-flank-attack")
        expect(phone.at("file-faults")).to_contain_text("no unit is left")
        phone.tap("with-none")
        expect(phone.at("file-faults")).to_have_count(0)
        assert begun(phone) == "kitchen"
        phone.faults.clear()  # the browser's own word on the 422s

    def test_a_lost_answer_begins_no_second_game(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "scenario-static-defence")
        expect(phone.at("play-none")).to_be_visible()
        lost: list[Any] = []

        def lose_first(route: Any) -> None:
            if route.request.method != "POST":
                return route.continue_()
            answer = route.fetch()
            if lost:
                return route.fulfill(response=answer)
            lost.append(answer)
            return route.abort()

        page.route("**/api/v1/games", lose_first)
        phone.tap("begin")
        expect(page.locator("#begin-fault")).to_be_visible()
        assert begun(phone) == "static-defence"
        assert [entry.game for entry in server.services.games() if "static" in entry.game] == ["static-defence"]
        phone.faults.clear()  # the browser's own word on the lost answer


class TestFromNothing:
    def test_units_by_tap_and_every_fault_at_its_field(self, phone: Phone) -> None:
        page = chosen(phone, "from-nothing")
        sizes = page.locator("[data-test^=size-]").evaluate_all("all => all.map(one => one.dataset.test.slice(5))")
        assert tuple(sizes) == choices("measure")[0].values and {"22x30", "30x22", "44x30", "44x60", "60x44"} < {*sizes}
        phone.tap("size-48x36")
        for add in ("add-0-tank", "add-0-infantry"):
            phone.tap(add)
        phone.tap("copy-0")
        expect(phone.at("form-count")).to_have_text("3 units, 9 bases: blue 3, red 0")
        expect(page.locator(".unit-card strong")).to_have_text(["B1", "B3", "B2"])
        page.fill("[data-test=side-name-1]", "")
        page.fill("[data-test=form-width]", "-1")
        phone.tap("open-1")
        page.fill("[data-test=unit-name-1]", "B1")
        page.fill("[data-test=unit-bases-1]", "0")
        phone.tap("begin")
        expect(page.locator("#form-width-fault")).to_contain_text("more than 0")
        expect(page.locator("#unit-1-fault")).to_contain_text("another unit")
        found = page.locator(".field-fault").evaluate_all("all => all.map(e => e.id)")
        assert set(found) == {"form-width-fault", "side-1-fault", "unit-1-fault", "unit-bases-1-fault"}
        expect(phone.at("form-width")).to_have_attribute("aria-invalid", "true")
        page.get_by_role("textbox", name="Width").first.fill("50")
        page.get_by_text("Width").first.tap()  # its words take the finger to it, not to the minus key
        expect(phone.at("form-width")).to_be_focused()
        expect(phone.at("form-width")).to_have_value("50")
        expect(page.locator("#form-width-fault")).to_have_count(0)
        expect(page.locator("#side-1-fault")).to_be_visible()
        page.fill("[data-test=form-width]", "wide")
        phone.tap("begin")
        expect(page.locator("#form-width-fault")).to_have_text("Enter a number.")
        phone.faults.clear()  # the browser's own word on the 422

    def test_it_is_kept_and_becomes_a_game_with_its_table(self, phone: Phone) -> None:
        page = chosen(phone, "from-nothing")
        for name in (
            "add-0-tank",
            "open-0",
            "unit-oval-0",
            "add-1-atg",
            "open-1",
            "unit-round-1",
            "unit-bases-1-minus",
        ):
            phone.tap(name)
        page.fill("[data-test=unit-width-1]", "1,5")
        page.fill("[data-test=side-name-0]", "Tommies")
        phone.tap("painted-1")
        page.evaluate("document.querySelector('[data-test=rim-0]').value = '#117733'")
        page.dispatch_event("[data-test=rim-0]", "input")
        phone.tap("with-markers")
        phone.settle()
        chosen(phone, "from-nothing")
        expect(phone.at("side-name-0")).to_have_value("Tommies")  # a reload forgets nothing
        page.fill("[data-test=game-title]", "Kitchen")
        phone.tap("play-side-Tommies")
        game = begun(phone)
        table = parse_table(phone.context.request.get(f"{phone.url}/api/games/{game}/table.toml").text())
        assert [(u.id, u.side, u.bases, u.base.shape, u.base.width_in) for u in table.units] == [
            ("B1", "Tommies", 3, "oval", 1.75),
            ("R1", "red", 2, "round", 1.5),
        ]
        assert [side.rim for side in table.sides] == [(0x11, 0x77, 0x33), None] and table.frame is None
        assert asked(phone, f"/games/{game}/me")["roles"] == ["host", "side Tommies"]
        page = chosen(phone, "from-nothing")
        expect(page.locator(".unit-card")).to_have_count(0)  # the next form is empty


class TestTheGrid:
    def opened(self, phone: Phone, server: Server) -> tuple[Any, str]:
        """A game of its own on a board, with the sheet of its grid open."""
        wish = {"id": f"begin-grid-{len(server.services.games())}", "rules": "combined-arms"}
        game = str(phone.context.request.post(f"{phone.url}/api/games", data=wish).json()["id"])
        phone.page.goto(f"{phone.url}/g/{game}")
        phone.tap("menu")
        phone.tap("menu-overlay")
        expect(phone.at("tap-hint")).to_be_visible()
        phone.settle()
        return phone.page, game

    def laid(self, phone: Phone, game: str) -> Any:
        """Lay it so, and tell where it lies."""
        phone.tap("lay")
        expect(phone.page.locator(".grid-sheet")).to_have_count(0)
        return asked(phone, f"/games/{game}/overlay")

    def test_by_numbers_by_dragging_and_by_keys(self, phone: Phone, server: Server) -> None:
        page, game = self.opened(phone, server)
        before = asked(phone, f"/games/{game}/overlay")
        phone.tap("by-numbers")
        page.fill("[data-test=grid-size]", "9")
        expect(page.locator("#grid-refused")).to_contain_text("does not lie on the 36 x 36 table")
        expect(phone.at("lay")).to_be_disabled()
        expect(page.locator("path.grid-cell.no")).to_have_count(1)
        assert asked(phone, f"/games/{game}/overlay") == before
        for name, value in (("size", "2.5"), ("x", "10"), ("y", "8")):
            page.fill(f"[data-test=grid-{name}]", value)
        expect(phone.at("grid-says")).to_contain_text("Hexes of 2.50 inches, hex 1-1 at (10.0, 8.0), not turned")
        phone.settle()
        start = phone.middle("[data-test=handle-move]")
        phone.drag(start, (24, 0))
        phone.settle()
        across = float(page.input_value("[data-test=grid-x]")) - 10
        assert 0.5 < across < 8 and float(page.input_value("[data-test=grid-y]")) == pytest.approx(8, abs=0.2)
        moved = phone.middle("[data-test=handle-move]")
        assert moved[0] - start[0] == pytest.approx(24, abs=10), "the board follows the finger"
        page.focus("[data-test=handle-turn]")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        expect(phone.at("grid-turn")).to_have_value("2")
        page.focus("[data-test=handle-move]")
        page.keyboard.press("ArrowUp")
        phone.settle()
        still = phone.middle("[data-test=handle-move]")
        assert still[0] == pytest.approx(moved[0], abs=1), "it turns about its middle"
        wanted = [float(page.input_value(f"[data-test=grid-{name}]")) for name in ("size", "x", "y", "turn")]
        lies = self.laid(phone, game)
        assert [lies["size_in"], *lies["origin"], lies["rotation_deg"]] == pytest.approx(wanted, abs=0.01)
        cells = {cell["id"]: cell["center"] for cell in asked(phone, f"/games/{game}")["board"]["cells"]}
        assert cells["1-1"] == pytest.approx(wanted[1:3], abs=0.01)
        phone.faults.clear()  # the browser's own word on the 422


def saved(phone: Phone, name: str) -> tuple[str, bytes]:
    with phone.page.expect_download() as waiting:
        phone.tap(name)
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_every_sheet_is_a_tap_and_what_cant_be_printed_is_told(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/prints")
    expect(phone.at("paper-a4")).to_have_attribute("aria-pressed", "true")  # as printers have it there
    files = dict(saved(phone, name) for name in ("get-markers", "get-tags", "get-board"))
    assert set(files) == {"markers.pdf", "tags.pdf", "board.pdf"}
    assert all(content.startswith(b"%PDF") for content in files.values())
    page.fill("[data-test=width]", "72")
    phone.tap("tag-count-plus")
    phone.tap("paper-letter")
    with page.expect_request("**/prints/markers.pdf*") as request:
        saved(phone, "get-markers")
    assert "width=72&depth=36&size=3&paper=letter&unit=in" in request.value.url
    expect(phone.at("tag-count")).to_have_value("25")
    expect(phone.at("checks")).to_contain_text("15 cm must be 15 cm")
    page.fill("[data-test=tag-first]", "30")
    expect(page.locator("#tag-count-fault")).to_have_text("1 to 5.")
    expect(phone.at("get-tags")).to_have_attribute("aria-disabled", "true")
    phone.tap("family-6h11")
    expect(page.locator("#tag-count-fault")).to_have_count(0)
    page.fill("[data-test=width]", "8")
    page.fill("[data-test=marker-size]", "7")
    phone.tap("get-markers")
    expect(phone.at("get-markers-refused")).to_contain_text("too small")
    phone.faults.clear()  # the browser's own word on the 422


def camera(phone: Phone, name: str, board: str = TEXT) -> Any:
    page = phone.page
    page.goto(f"{phone.url}/camera")
    expect(page.locator("[data-test=begin-camera], [data-test=another-camera]")).to_be_visible()
    if phone.at("another-camera").count():
        phone.tap("another-camera")
    phone.tap("other-board")
    page.fill("[data-test=board]", board)
    page.fill("[data-test=camera-name]", name)
    phone.tap("begin-camera")
    return page


def test_picture_by_picture_with_advice_then_for_a_games_photos(phone: Phone) -> None:
    camera(phone, "Anna's phone", "90x90:10mm")
    expect(phone.at("begin-refused")).to_contain_text("too fine")
    page = camera(phone, "Anna's phone")
    expect(phone.at("usable")).to_have_text("0 pictures count")
    expect(phone.at("solve")).to_be_disabled()
    page.set_input_files("[data-test=take-picture]", as_file("a.jpg", b"no picture at all"))
    expect(phone.at("picture-refused")).to_be_visible()
    page.set_input_files("[data-test=take-picture]", as_file("grey.png", grey()))
    expect(page.locator("[data-test=looked].no")).to_be_visible()
    expect(phone.at("seen-says")).to_contain_text("does not count", ignore_case=True)
    page.set_input_files("[data-test=take-picture]", as_file("0.png", picture(0)))
    expect(page.locator("[data-test=looked].yes")).to_be_visible()
    expect(phone.at("usable")).to_have_text("1 picture counts")
    phone.settle()
    corners = page.locator("[data-test=corners] circle").count()
    covered = page.locator("[data-test=parts] i.has").count()
    assert corners > 20 and 0 < covered < 30
    expect(phone.at("seen-says")).to_contain_text(f"{corners} of its corners")
    expect(phone.at("covered")).to_contain_text(f"{covered} of 30 parts")
    expect(phone.at("parts")).to_have_attribute("aria-label", f"{covered} of 30 parts of the picture covered")
    assert page.locator("[data-test=tilts] li[aria-label$=missing]").count() >= 2
    expect(phone.at("advice")).to_contain_text("at least 4")
    files = [entry for n in range(1, ENOUGH) for entry in as_file(f"{n}.png", picture(n))]
    page.set_input_files("[data-test=pick-pictures]", files)
    expect(phone.at("usable")).to_contain_text(f"{ENOUGH} pictures")
    expect(page.locator("[data-test=tilts] li[aria-label$=seen]")).to_have_count(4)
    phone.tap("solve")
    expect(phone.at("solved")).to_be_visible()
    terms, told = (page.locator(f"[data-test=solved] {part}").all_inner_texts() for part in ("dt", "dd"))
    shown = dict(zip(terms, told, strict=True))
    assert float(shown["Focal length"].split(" ± ")[0]) == pytest.approx(TRUE[0], abs=3)
    assert shown["Corners fit to"].endswith(" px")
    assert {"Directions, in the middle", "Directions, at worst"} <= set(shown)
    expect(phone.at("solve")).to_be_disabled()  # nothing new to solve from

    # a game's photos are read with it, until it is deleted
    chosen(phone, "scenario-melee")
    game = begun(phone)
    page.goto(f"{phone.url}/camera")
    solved = next(one["id"] for one in asked(phone, "/cameras") if one["solved"])
    page.select_option("[data-test=camera-game]", game)
    expect(phone.at("use-none")).to_have_attribute("aria-pressed", "true")
    phone.tap("use-this")
    expect(phone.at("camera-chosen")).to_contain_text("read with Anna's phone")
    assert asked(phone, f"/games/{game}/camera")["camera"] == solved
    phone.tap("back")
    for _ in range(2):
        phone.at(f"camera-{solved}").locator("[data-test=remove-camera]").tap()
    expect(phone.at(f"camera-{solved}")).to_have_count(0)
    assert solved not in {one["id"] for one in asked(phone, "/cameras")}
    phone.faults.clear()  # the browser's own word on the 422s


def grey() -> bytes:
    done, data = cv2.imencode(".png", np.full((480, 640), 128, np.uint8))
    assert done
    return bytes(data)
