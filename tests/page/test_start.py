"""Starting a game, sheets to print, calibrating a camera, laying the grid: in a headless Chromium of a phone's size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from api.services.services import table_of
from tabletop.tables.tablefile import parse_table
from tests.api.photos.test_cameras import TEXT, TRUE, picture
from tests.support.api_support import PHOTO, TABLE, Canned
from tests.support.combined_arms_tables import at
from tests.support.page_support import PHONE, POOR_CONTRAST, Phone, Server, chromium, page_marks

__all__ = ["chromium"]
pytestmark = page_marks

ENOUGH = 5
"""Pictures of the board that cover enough to be solved."""
TABLET = {"width": 820, "height": 1180}
WEAK = POOR_CONTRAST.replace(".sheet *, .top-bar *, .bar *, .pill", ".plain-page *, .sheet *")
KEYS = ":is(.plain-page, .grid-sheet, .prepare-sheet) :is(button, input, select, a)"
SMALL = """keys => [...document.querySelectorAll(keys)]
    .filter(e => !e.classList.contains('unseen'))
    .map(e => [e.dataset.test, e.getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < 44).map(([name]) => name)"""
NAMELESS = """keys => [...document.querySelectorAll(keys)]
    .filter(e => !(e.getAttribute('aria-label') || e.textContent || e.closest('label')?.textContent))
    .map(e => e.outerHTML)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    often = {f"{what}_a_minute": 10_000 for what in ("reads", "writes", "joins", "photos")}
    with Server(tmp_path_factory.mktemp("data"), Canned(), **often) as running:
        yield running


@pytest.fixture
def phone(chromium: Any, server: Server) -> Iterator[Phone]:
    one = Phone(chromium, server)
    yield one
    one.close()


def chosen(phone: Phone, way: str) -> Any:
    """The start screen after the first choice."""
    phone.page.goto(f"{phone.url}/start")
    phone.page.wait_for_selector("[data-test=from-nothing]")
    if way:
        phone.tap(way)
        phone.page.wait_for_selector("[data-test=begin]")
    return phone.page


def begun(phone: Phone) -> str:
    """The id of the game that begins by the button."""
    phone.page.wait_for_selector("[data-test=play-none]")
    phone.tap("begin")
    phone.page.wait_for_selector("[data-test=to-the-game]")
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
    @pytest.mark.slow
    def test_a_scenario_takes_two_taps(self, phone: Phone) -> None:
        page = chosen(phone, "scenario-flank-attack")
        page.wait_for_selector("[data-test=play-none]")
        before = len(phone.asked)
        page.wait_for_timeout(600)
        assert len(phone.asked) == before, "what has not changed is not asked about again"
        assert page.inner_text("h1") == "Flank Attack" and "motor infantry" in page.inner_text("[data-test=notes]")
        game = begun(phone)
        assert asked(phone, f"/games/{game}/me")["roles"] == ["host", "side blue", "side red"]
        assert "motor infantry" in page.inner_text(".prepare-sheet"), "what players should know before the first turn"
        with page.expect_download() as waiting:
            phone.tap("prepare-markers")
        assert Path(waiting.value.path()).read_bytes().startswith(b"%PDF")
        phone.tap("to-the-game")
        page.wait_for_selector(".prepare-sheet", state="detached")
        phone.tap("menu")
        assert page.locator("[data-test=menu-overlay]").count() == 0, "a game in inches has no grid"
        phone.tap("menu-prepare")
        phone.tap("prepare-invite")
        page.wait_for_selector(".seats-page")

    @pytest.mark.slow
    def test_who_plays_here_the_dice_and_its_name(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "scenario-melee")
        phone.tap("own-more")
        phone.tap("dice-d6")
        page.wait_for_selector("[data-test=play-side-red]")
        phone.tap("play-side-red")
        page.fill("[data-test=game-title]", "Sunday, 2 pm")
        game = begun(phone)
        assert game == "sunday-2-pm" and asked(phone, f"/games/{game}/me")["roles"] == ["host", "side red"]
        assert server.services.commands.game(game).state.setup.dice == "d6"

    @pytest.mark.slow
    def test_a_board_game_against_a_player(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "rules-combined-arms")
        phone.tap("more")
        assert page.locator("[data-test=switch-bid]").count() == 0, "only where somebody plays the defenders"
        phone.tap("mode-enemy-player")
        phone.tap("switch-bid")
        page.fill("[data-test=switch-handicap]", "5")
        assert page.get_attribute("[data-test=switch-bid]", "aria-pressed") == "false", "never both"
        phone.tap("switch-easier")
        page.wait_for_selector("[data-test=play-side-defender]")
        assert page.locator("[data-test^=play-]").count() == 3, "one device can't play both, where one side hides"
        phone.tap("play-side-defender")
        game = begun(phone)
        setup = server.services.commands.game(game).state.setup
        assert (setup.mode, setup.handicap, setup.easier, setup.bidding) == ("enemy-player", 5, True, False)
        assert asked(phone, f"/games/{game}/me")["roles"] == ["host", "side defender"]
        assert page.locator("[data-test=prepare-grid]").count() == 1

    @pytest.mark.slow
    def test_a_team_of_six_that_writes_messages(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "rules-combined-arms")
        phone.tap("more")
        assert page.locator("[data-test=switch-messages]").count() == 0, "only where a team shares the command"
        phone.tap("mode-co-operative")
        phone.tap("switch-commander_apart")
        page.fill("[data-test=switch-messages]", "2")
        phone.picture("team-of-six")
        game = begun(phone)
        setup = server.services.commands.game(game).state.setup
        assert (setup.mode, setup.commander_apart, setup.messages) == ("co-operative", True, 2)
        roles = asked(phone, f"/games/{game}/me")["roles"]
        assert "command support" in roles and "command command" in roles

    @pytest.mark.slow
    def test_a_board_from_a_position(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "rules-combined-arms")
        phone.tap("board-from-position")
        assert page.is_disabled("[data-test=begin]") and "file first" in page.inner_text("[data-test=begin-says]")
        page.set_input_files("[data-test=position]", as_file("notes.json", "[1, 2"))
        assert "notes.json is no position" in page.inner_text("#position-fault")
        page.set_input_files("[data-test=position]", as_file("odd.json", json.dumps({"platoons": [{"id": "Z9"}]})))
        page.wait_for_selector("#position-fault:text('Z9')")
        page.set_input_files("[data-test=position]", as_file("good.json", json.dumps(at({"D1": "3-4"}, {"5-5": ""}))))
        page.wait_for_selector("#position-fault", state="detached")
        game = begun(phone)
        assert {unit["id"] for unit in asked(phone, f"/games/{game}")["board"]["units"]} >= {"D1"}
        phone.faults.clear()  # the browser's own word on the 422

    @pytest.mark.slow
    def test_a_table_file_alone_and_with_faults(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "")
        before = len(server.services.games())
        page.set_input_files("[data-test=bring-file]", as_file("bad.toml", '[table]\nwidth = -1\ndepth = "x"\n'))
        page.wait_for_selector("[data-test=file-faults]")
        faults = page.locator("[data-test=file-faults] .field-fault").all_inner_texts()
        assert len(faults) == 2 and all(text.startswith("line ") for text in faults)
        phone.tap("begin")
        page.wait_for_selector("[data-test=begin]:not(:disabled)")
        assert len(server.services.games()) == before and page.url.endswith("/start")
        page.set_input_files("[data-test=other-file]", as_file("kitchen.table.toml", TABLE))
        page.wait_for_selector("[data-test=file-facts]:text('4 units')")
        assert page.locator("[data-test=file-faults]").count() == 0
        offered = page.locator("[data-test^=with-]").evaluate_all("all => all.map(one => one.dataset.test.slice(5))")
        assert offered == ["none", "flank-attack", "melee", "static-defence"], "of its game and its size alone"
        phone.tap("with-flank-attack")
        page.wait_for_selector("[data-test=file-faults] >> text=no unit is left")
        phone.tap("with-none")
        page.wait_for_selector("[data-test=file-faults]", state="detached")
        assert begun(phone) == "kitchen"
        phone.faults.clear()  # the browser's own word on the 422s

    @pytest.mark.slow
    def test_a_lost_answer_begins_no_second_game(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "scenario-static-defence")
        page.wait_for_selector("[data-test=play-none]")
        lost: list[Any] = []

        def lose_first(route: Any) -> None:
            answer = route.fetch()
            if lost:
                route.fulfill(response=answer)
            else:
                lost.append(answer)
                route.abort()

        page.route(
            "**/api/v1/games", lambda route: lose_first(route) if route.request.method == "POST" else route.continue_()
        )
        phone.tap("begin")
        page.wait_for_selector("#begin-fault")
        assert begun(phone) == "static-defence"
        assert [entry.game for entry in server.services.games() if "static" in entry.game] == ["static-defence"]
        phone.faults.clear()  # the browser's own word on the lost answer

    def test_only_the_host_starts(self, chromium: Any, server: Server) -> None:
        stranger = Phone(chromium, server, host=False)
        stranger.page.goto(f"{stranger.url}/start")
        stranger.page.wait_for_selector("[data-test=stranger]")
        stranger.close()


class TestFromNothing:
    @pytest.mark.slow
    def test_units_by_tap_and_every_fault_at_its_field(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "from-nothing")
        phone.tap("size-48x36")
        for add in ("add-0-tank", "add-0-infantry"):
            phone.tap(add)
        phone.tap("copy-0")
        assert page.inner_text("[data-test=form-count]") == "3 units, 9 bases: blue 3, red 0"
        assert page.locator(".unit-card strong").all_inner_texts() == ["B1", "B3", "B2"]
        page.fill("[data-test=side-name-1]", "")
        page.fill("[data-test=form-width]", "-1")
        phone.tap("open-1")
        page.fill("[data-test=unit-name-1]", "B1")
        page.fill("[data-test=unit-bases-1]", "0")
        phone.tap("begin")
        page.wait_for_selector("#form-width-fault")
        found = {
            id_: page.inner_text(f"#{id_}")
            for id_ in page.locator(".field-fault").evaluate_all("all => all.map(e => e.id)")
        }
        assert set(found) == {"form-width-fault", "side-1-fault", "unit-1-fault", "unit-bases-1-fault"}
        assert "more than 0" in found["form-width-fault"] and "another unit" in found["unit-1-fault"]
        assert page.get_attribute("[data-test=form-width]", "aria-invalid") == "true"
        page.fill("[data-test=form-width]", "50")
        assert page.locator("#form-width-fault").count() == 0 and page.locator("#side-1-fault").count() == 1
        page.fill("[data-test=form-width]", "wide")
        phone.tap("begin")
        assert page.inner_text("#form-width-fault") == "A number is needed here."
        phone.faults.clear()  # the browser's own word on the 422

    @pytest.mark.slow
    def test_it_is_kept_and_becomes_a_game_with_its_table(self, phone: Phone, server: Server) -> None:
        page = chosen(phone, "from-nothing")
        phone.tap("add-0-tank")
        phone.tap("add-1-atg")
        phone.tap("open-1")
        phone.tap("unit-round-1")
        phone.tap("unit-bases-1-minus")
        page.fill("[data-test=unit-width-1]", "1,5")
        page.fill("[data-test=side-name-0]", "Tommies")
        phone.tap("painted-1")
        page.evaluate("document.querySelector('[data-test=rim-0]').value = '#117733'")
        page.dispatch_event("[data-test=rim-0]", "input")
        phone.tap("with-markers")
        chosen(phone, "from-nothing")
        assert page.input_value("[data-test=side-name-0]") == "Tommies", "a reload forgets nothing"
        page.fill("[data-test=game-title]", "Kitchen")
        phone.tap("play-side-Tommies")
        game = begun(phone)
        table = parse_table(phone.context.request.get(f"{phone.url}/api/games/{game}/table.toml").text())
        assert [(u.id, u.side, u.bases, u.base.is_round, u.base.width_in) for u in table.units] == [
            ("B1", "Tommies", 3, False, 1.75),
            ("R1", "red", 2, True, 1.5),
        ]
        assert [side.rim for side in table.sides] == [(0x11, 0x77, 0x33), None] and table.frame is None
        assert asked(phone, f"/games/{game}/me")["roles"] == ["host", "side Tommies"]
        page = chosen(phone, "from-nothing")
        assert page.locator(".unit-card").count() == 0, "the next form is empty"


def eye() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A camera that looks at the 36 x 36 table from its near side: R and t."""
    at_, to = np.array([18.0, -16.0, 30.0]), np.array([18.0, 18.0, 0.0])
    z = (to - at_) / np.linalg.norm(to - at_)
    x = np.cross(z, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    turn = np.array([x, np.cross(z, x), z])
    return turn, -turn @ at_


class TestTheGrid:
    K = np.array([[420.0, 0, 300], [0, 420, 225], [0, 0, 1]])
    DIST = np.array([-0.05, 0.01, 0, 0, 0])

    def opened(self, phone: Phone, server: Server) -> tuple[Any, str]:
        """A game of its own on a board, with the sheet of its grid open."""
        count = len(server.services.games())
        answer = phone.context.request.post(
            f"{phone.url}/api/games", data={"id": f"begin-grid-{count}", "rules": "combined-arms"}
        )
        game = str(answer.json()["id"])
        phone.page.goto(f"{phone.url}/g/{game}")
        phone.page.wait_for_selector("[data-test=menu]")
        phone.tap("menu")
        phone.tap("menu-overlay")
        phone.page.wait_for_selector("[data-test=tap-hint]")
        phone.settle()
        return phone.page, game

    def lens(self, phone: Phone) -> None:
        """The photo has the camera of :func:`eye`."""
        turn, t = eye()
        told = {"K": self.K.tolist(), "dist": self.DIST.tolist(), "R": turn.tolist(), "t": t.tolist()}

        def told_so(route: Any) -> None:
            row = route.fetch().json()
            route.fulfill(json={**row, "lens": {"width": 600, "height": 450, **told}})

        phone.page.route("**/api/v1/games/*/photo", told_so)

    def screen(self, phone: Phone, table: tuple[float, float]) -> tuple[float, float]:
        """Where a place of the table is on the screen's photo, by OpenCV."""
        turn, t = eye()
        pixel, _ = cv2.projectPoints(np.array([[*table, 0.0]]), cv2.Rodrigues(turn)[0], t, self.K, self.DIST)
        u, v = pixel.ravel()
        box = phone.page.locator("[data-test=grid-photo] img").bounding_box()
        return box["x"] + (u + 0.5) * box["width"] / 600, box["y"] + (v + 0.5) * box["height"] / 450

    def laid(self, phone: Phone, game: str) -> Any:
        """Lay it so, and tell where it lies."""
        phone.tap("lay")
        phone.page.wait_for_selector(".grid-sheet", state="detached")
        return asked(phone, f"/games/{game}/overlay")

    @pytest.mark.slow
    def test_by_two_taps_on_the_photo_itself(self, phone: Phone, server: Server) -> None:
        self.lens(phone)
        _, game = self.opened(phone, server)
        phone.context.request.post(
            f"{phone.url}/api/tables/{table_of(game)}/photos",
            multipart={"photo": {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PHOTO}},
        )
        phone.page.wait_for_selector("[data-test=on-photo]")
        phone.page.reload()
        phone.tap("menu")
        phone.tap("menu-overlay")
        phone.tap("grid-on-photo")
        phone.page.wait_for_selector("[data-test=grid-photo] img")
        phone.settle()
        assert "hex 1-1" in phone.page.inner_text("[data-test=tap-hint]")
        phone.page.select_option("[data-test=tap-cell-1]", "1-7")
        for place in ((9.0, 9.0), (27.0, 9.6)):
            phone.page.touchscreen.tap(*self.screen(phone, place))
            phone.page.wait_for_timeout(350)
        phone.page.wait_for_selector("[data-test=lay]:not(:disabled)")
        phone.page.wait_for_selector("[data-test=grid-says]:text('Hexes of 3.0')")
        assert phone.page.locator("[data-test=grid-photo] path.grid-cell").count() == 1
        lies = self.laid(phone, game)
        assert lies["size_in"] == pytest.approx(3.0, abs=0.05)
        assert lies["origin"] == pytest.approx([9.0, 9.0], abs=0.25)
        assert lies["rotation_deg"] == pytest.approx(-np.degrees(np.arctan2(0.6, 18)), abs=1.0)
        phone.page.unroute_all(behavior="ignoreErrors")

    @pytest.mark.slow
    def test_by_numbers_by_dragging_and_by_keys(self, phone: Phone, server: Server) -> None:
        page, game = self.opened(phone, server)
        phone.tap("by-numbers")
        page.fill("[data-test=grid-size]", "2.5")
        page.fill("[data-test=grid-x]", "10")
        page.fill("[data-test=grid-y]", "8")
        page.wait_for_selector("[data-test=grid-says]:text('Hexes of 2.50 inches, hex 1-1 at (10.0, 8.0), not turned')")
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
        assert page.input_value("[data-test=grid-turn]") == "2"
        page.focus("[data-test=handle-move]")
        page.keyboard.press("ArrowUp")
        still = phone.middle("[data-test=handle-move]")
        assert still[0] == pytest.approx(moved[0], abs=1), "it turns about its middle"
        wanted = [float(page.input_value(f"[data-test=grid-{name}]")) for name in ("size", "x", "y", "turn")]
        lies = self.laid(phone, game)
        assert [lies["size_in"], *lies["origin"], lies["rotation_deg"]] == pytest.approx(wanted, abs=0.01)
        cells = {cell["id"]: cell["center"] for cell in asked(phone, f"/games/{game}")["board"]["cells"]}
        assert cells["1-1"] == pytest.approx(wanted[1:3], abs=0.01)

    @pytest.mark.slow
    def test_a_board_that_lies_nowhere(self, phone: Phone, server: Server) -> None:
        page, game = self.opened(phone, server)
        before = asked(phone, f"/games/{game}/overlay")
        phone.tap("by-numbers")
        page.fill("[data-test=grid-size]", "9")
        page.wait_for_selector("#grid-refused:text('does not lie on the 36 x 36 table')")
        assert page.is_disabled("[data-test=lay]") and page.locator("path.grid-cell.no").count() == 1
        phone.tap("by-taps")
        for n in (0, 1):
            phone.tap(f"tap-type-{n}")
        page.select_option("[data-test=tap-cell-1]", "1-1")
        page.wait_for_selector("#grid-refused:text('two different hexes')")
        phone.tap("close-grid")
        assert asked(phone, f"/games/{game}/overlay") == before
        phone.faults.clear()  # the browser's own word on the 422s


class TestPrints:
    def saved(self, phone: Phone, name: str) -> tuple[str, bytes]:
        with phone.page.expect_download() as waiting:
            phone.tap(name)
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()

    def opened(self, phone: Phone) -> Any:
        phone.page.goto(f"{phone.url}/prints")
        phone.page.wait_for_selector("[data-test=get-tags]")
        return phone.page

    @pytest.mark.slow
    def test_every_sheet_is_a_tap(self, phone: Phone) -> None:
        page = self.opened(phone)
        assert page.get_attribute("[data-test=paper-a4]", "aria-pressed") == "true", "as printers have it there"
        files = dict(self.saved(phone, name) for name in ("get-markers", "get-tags", "get-board"))
        assert set(files) == {"markers.pdf", "tags.pdf", "board.pdf"}
        assert all(content.startswith(b"%PDF") for content in files.values())
        page.fill("[data-test=width]", "72")
        phone.tap("tag-count-plus")
        phone.tap("paper-letter")
        with page.expect_request("**/prints/markers.pdf*") as request:
            self.saved(phone, "get-markers")
        assert "width=72&depth=36&size=3&paper=letter&unit=in" in request.value.url
        assert page.input_value("[data-test=tag-count]") == "25"
        assert "15 cm must be 15 cm" in page.inner_text("[data-test=checks]")

    @pytest.mark.slow
    def test_what_cant_be_printed_is_told(self, phone: Phone) -> None:
        page = self.opened(phone)
        page.fill("[data-test=tag-first]", "30")
        assert page.inner_text("#tag-count-fault") == "1 to 5, please."
        assert page.get_attribute("[data-test=get-tags]", "aria-disabled") == "true"
        phone.tap("family-6h11")
        assert page.locator("#tag-count-fault").count() == 0
        page.fill("[data-test=width]", "8")
        page.fill("[data-test=marker-size]", "7")
        phone.tap("get-markers")
        page.wait_for_selector("[data-test=get-markers-refused]:text('too small')")
        phone.faults.clear()  # the browser's own word on the 422

    @pytest.mark.slow
    def test_a_players_own_game(self, chromium: Any, server: Server, phone: Phone) -> None:
        chosen(phone, "scenario-melee")
        game = begun(phone)
        invited = phone.context.request.post(f"{phone.url}/api/games/{game}/invitations", data={"roles": ["side red"]})
        player = Phone(chromium, server, host=False)
        player.join(invited.json()["address"].split("#")[1], "Ben")
        page = player.page
        page.goto(player.url)
        page.wait_for_load_state("networkidle")
        player.tap("to-camera")
        page.wait_for_selector("[data-test=cameras]")
        player.tap("back")
        player.tap("to-prints")
        page.wait_for_selector("[data-test=prints-game]")
        assert page.locator("[data-test=prints-game] option").count() == 1, "the games where this device has a seat"
        files = dict(self.saved(player, name) for name in ("own-markers", "own-tags"))
        assert set(files) == {f"{game}-markers.pdf", f"{game}-tags.pdf"}
        player.close()


class TestCamera:
    def opened(self, phone: Phone, name: str) -> Any:
        """A camera that was just begun."""
        page = phone.page
        page.goto(f"{phone.url}/camera")
        page.wait_for_selector("[data-test=begin-camera], [data-test=another-camera]")
        if page.locator("[data-test=another-camera]").count():
            phone.tap("another-camera")
        phone.tap("other-board")
        page.fill("[data-test=board]", TEXT)
        page.fill("[data-test=camera-name]", name)
        phone.tap("begin-camera")
        page.wait_for_selector("[data-test=take-picture]", state="attached")
        return page

    @pytest.mark.slow
    def test_picture_by_picture_with_advice(self, phone: Phone) -> None:
        page = self.opened(phone, "Anna's phone")
        assert page.inner_text("[data-test=usable]") == "0 pictures count" and page.is_disabled("[data-test=solve]")
        page.set_input_files("[data-test=take-picture]", as_file("grey.png", grey()))
        page.wait_for_selector("[data-test=looked].no")
        assert "does not count" in page.inner_text("[data-test=seen-says]").casefold()
        page.set_input_files("[data-test=take-picture]", as_file("0.png", picture(0)))
        page.wait_for_selector("[data-test=looked].yes")
        assert page.inner_text("[data-test=usable]") == "1 picture counts"
        corners = page.locator("[data-test=corners] circle").count()
        assert corners > 20 and f"{corners} of its corners" in page.inner_text("[data-test=seen-says]")
        covered = page.locator("[data-test=parts] i.has").count()
        assert f"{covered} of 30 parts" in page.inner_text("[data-test=covered]") and 0 < covered < 30
        assert (
            page.locator("[data-test=parts]").get_attribute("aria-label")
            == f"{covered} of 30 parts of the picture covered"
        )
        assert page.locator("[data-test=tilts] li[aria-label$=missing]").count() >= 2
        assert "at least 4" in page.inner_text("[data-test=advice]")
        files = [entry for n in range(1, ENOUGH) for entry in as_file(f"{n}.png", picture(n))]
        page.set_input_files("[data-test=pick-pictures]", files)
        page.wait_for_selector(f"[data-test=usable]:text('{ENOUGH} pictures')", timeout=60_000)
        page.wait_for_selector("[data-test=solve]:not(:disabled)")
        assert page.locator("[data-test=tilts] li[aria-label$=seen]").count() == 4
        phone.tap("solve")
        page.wait_for_selector("[data-test=solved]")
        shown = dict(
            zip(*(page.locator(f"[data-test=solved] {part}").all_inner_texts() for part in ("dt", "dd")), strict=True)
        )
        focal = float(shown["Focal length"].split(" ± ")[0])
        assert focal == pytest.approx(TRUE[0], abs=3) and shown["Corners fit to"].endswith(" px")
        assert {"Directions, in the middle", "Directions, at worst"} <= set(shown)
        assert page.is_disabled("[data-test=solve]"), "nothing new to solve from"

    @pytest.mark.slow
    def test_it_reads_a_games_photos_and_can_be_deleted(self, phone: Phone, server: Server) -> None:
        chosen(phone, "scenario-melee")
        game = begun(phone)
        page = phone.page
        page.goto(f"{phone.url}/camera")
        page.wait_for_selector("[data-test=camera-list]")
        kept = asked(phone, "/cameras")
        solved = next(one["id"] for one in kept if one["solved"])
        page.select_option("[data-test=camera-game]", game)
        page.wait_for_selector("[data-test=use-none][aria-pressed=true]")
        phone.tap(f"use-{solved}")
        page.wait_for_selector('[data-test=camera-chosen]:text("read with Anna\'s phone")')
        assert asked(phone, f"/games/{game}/camera")["camera"] == solved
        for _ in range(2):
            page.tap(f"[data-test=camera-{solved}] [data-test=remove-camera]")
        page.wait_for_selector(f"[data-test=camera-{solved}]", state="detached")
        assert solved not in {one["id"] for one in asked(phone, "/cameras")}

    @pytest.mark.slow
    def test_a_board_that_cant_be_and_a_file_that_is_none(self, phone: Phone) -> None:
        page = phone.page
        page.goto(f"{phone.url}/camera")
        page.wait_for_selector("[data-test=begin-camera]")
        phone.tap("other-board")
        page.fill("[data-test=board]", "90x90:10mm")
        phone.tap("begin-camera")
        page.wait_for_selector("[data-test=begin-refused]:text('too fine')")
        self.opened(phone, "Spare")
        page.set_input_files("[data-test=take-picture]", as_file("a.jpg", b"no picture at all"))
        page.wait_for_selector("[data-test=picture-refused]")
        assert page.inner_text("[data-test=usable]") == "0 pictures count"
        phone.faults.clear()  # the browser's own word on the 422s


def grey() -> bytes:
    """A picture with nothing on it."""
    done, data = cv2.imencode(".png", np.full((480, 640), 128, np.uint8))
    assert done
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_they_are_read_and_reached_on_every_screen(
    chromium: Any, server: Server, scheme: str, size: dict[str, int]
) -> None:
    phone = Phone(chromium, server, size, scheme)
    page = phone.page

    def held() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        assert page.evaluate(WEAK) == []
        assert page.evaluate(SMALL, KEYS) == []
        assert page.evaluate(NAMELESS, KEYS) == []

    chosen(phone, "")
    held()
    page.focus("[data-test=scenario-melee]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-test=play-none]")
    phone.tap("own-more")
    held()
    chosen(phone, "rules-combined-arms")
    page.wait_for_selector("[data-test=play-none]")
    phone.tap("mode-enemy-player")
    phone.tap("more")
    held()
    chosen(phone, "from-nothing")
    phone.tap("add-0-tank")
    phone.tap("open-0")
    page.fill("[data-test=form-width]", "-1")
    page.fill("[data-test=unit-bases-0]", "0")
    phone.tap("begin")
    page.wait_for_selector("#form-width-fault")
    held()
    page.goto(f"{phone.url}/prints")
    page.wait_for_selector("[data-test=get-tags]")
    page.fill("[data-test=width]", "1")
    page.wait_for_selector("#width-fault")
    held()
    page.goto(f"{phone.url}/camera")
    page.wait_for_selector("[data-test=begin-camera], [data-test=another-camera]")
    held()
    TestTheGrid().opened(phone, server)
    held()
    phone.tap("by-numbers")
    page.fill("[data-test=grid-size]", "9")
    page.wait_for_selector("#grid-refused")
    held()
    phone.tap("menu")
    phone.tap("menu-prepare")
    page.wait_for_selector(".prepare-sheet")
    held()
    phone.faults.clear()  # the browser's own word on the 422s
    phone.close()
