"""A board of squares found by its lines on the phone: on a drawn photograph that is really read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from api.services.services import table_of
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tests.support.api_support import PHOTO, Canned
from tests.support.page_support import PHONE, POOR_CONTRAST, Phone, Server, chromium, page_marks  # noqa: F401 - the fixture
from tests.support.square_photos import board_photo, chess_game

pytestmark = page_marks
TABLET = {"width": 820, "height": 1180}
EIGHT = SquareBoard(8, 8)
NEAR_IN = 0.1
KEYS = ".grid-sheet :is(button, input, select)"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with three games on chessboards: one photographed, one whose photo shows nothing, one without a photo;
    and one on hexes."""
    engine = Canned()
    with Server(tmp_path_factory.mktemp("find"), engine) as running:
        for game in ("chess", "bare", "unseen"):
            chess_game(running.services, board_photo(), game)
        yield running
    engine.close()


@pytest.fixture(scope="module")
def photographed(chromium: Any, server: Server) -> Server:
    """The server with its photos."""
    phone = Phone(chromium, server)
    sent(phone, "chess", board_photo().data)
    engine, read = server.services.engine, server.services.table("chess").photo
    assert isinstance(engine, Canned) and read is not None
    engine.seen = read["observation"]  # its own pictures are plain
    sent(phone, "bare", PHOTO)
    phone.close()
    return server


def sent(phone: Phone, game: str, data: bytes) -> None:
    """Send a photo of a game's table, which is read."""
    photo = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": data}
    path = f"{phone.url}/api/tables/{table_of(game)}/photos"
    answer = phone.context.request.post(path, multipart={"photo": photo}, timeout=120_000)
    assert answer.status == 202 and answer.json()["state"] == "done", answer.text()


def opened(phone: Phone, game: str) -> Any:
    """The sheet where a game's grid is laid."""
    phone.page.goto(f"{phone.url}/g/{game}")
    phone.page.wait_for_selector("[data-test=menu]")
    phone.tap("menu")
    phone.tap("menu-overlay")
    phone.page.wait_for_selector("[data-test=find-lines], [data-test=tap-hint]")
    phone.settle()
    return phone.page


def found(phone: Phone) -> None:
    """Have the lines found."""
    phone.tap("find-lines")
    phone.page.wait_for_selector("[data-test=find-says] p:text('Found: a chessboard of 8 x 8 squares')", timeout=60_000)
    phone.settle()


def asked(phone: Phone, path: str) -> Any:
    """What the server answers."""
    return phone.context.request.get(f"{phone.url}/api{path}").json()


def on_table(phone: Phone, game: str, screen: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Places of the screen in table inches, by where the flat photo lies on it."""
    (left, near), (right, far) = asked(phone, f"/games/{game}/photo")["map_bounds"]
    box = phone.page.locator("img.tabletop-photo").bounding_box()
    x = left + (screen[:, 0] - box["x"]) / box["width"] * (right - left)
    y = far - (screen[:, 1] - box["y"]) / box["height"] * (far - near)
    return np.column_stack([x, y])


def drawn(phone: Phone, game: str) -> npt.NDArray[np.float64]:
    """The corners of all squares that are drawn, in table inches, and at last those of the first square."""
    points = phone.page.evaluate(
        """() => ['path.grid-cell', 'path.grid-first'].flatMap(name => {
            const path = document.querySelector('.board ' + name), matrix = path.getScreenCTM();
            return [...path.getAttribute('d').matchAll(/(-?[\\d.]+)[ ,](-?[\\d.]+)/g)].map(([, x, y]) => {
                const p = new DOMPoint(+x, +y).matrixTransform(matrix);
                return [p.x, p.y];
            });
        })"""
    )
    return on_table(phone, game, np.array(points, dtype=np.float64))


def is_drawn_at(points: npt.NDArray[np.float64], true: SquareLayout, first: str) -> None:
    """The squares are drawn where they truly lie, and the first is the true board's square of that name."""
    wanted = true.corners(EIGHT.squares).reshape(-1, 2)
    away = np.linalg.norm(points[:, None] - wanted[None], axis=2)
    assert len(points) == 4 * 65
    assert away.min(axis=0).max() < NEAR_IN and away.min(axis=1).max() < NEAR_IN
    assert np.linalg.norm(points[-4:].mean(axis=0) - true.centres([EIGHT.parse(first)])[0]) < NEAR_IN


@pytest.mark.slow
def test_found_drawn_turned_and_laid(chromium: Any, photographed: Server) -> None:
    phone = Phone(chromium, photographed, TABLET)
    page, true = opened(phone, "chess"), board_photo().layout
    assert page.is_disabled("[data-test=lay]"), "nothing is laid before it was looked for"
    found(phone)
    is_drawn_at(drawn(phone, "chess"), true, "a1")
    assert page.locator(".grid-name").inner_text() == "a1"
    assert page.get_attribute("[data-test=corner-near-left]", "aria-pressed") == "true"
    phone.tap("corner-far-right")
    phone.settle()
    is_drawn_at(drawn(phone, "chess"), true, "h8")
    far_left = true.centres([EIGHT.parse("a8")])[0]
    phone.page.touchscreen.tap(*screen_of(phone, "chess", far_left))
    page.wait_for_selector("[data-test=corner-far-left][aria-pressed=true]")
    phone.settle()
    is_drawn_at(drawn(phone, "chess"), true, "a8")
    page.wait_for_selector("[data-test=lay]:not(:disabled)")
    phone.tap("lay")
    page.wait_for_selector(".grid-sheet", state="detached")
    cells = {cell["id"]: cell["center"] for cell in asked(phone, "/games/chess")["board"]["cells"]}
    turned = {"a1": "a8", "h1": "a1", "h8": "h1", "a8": "h8"}
    for name, at in turned.items():
        assert np.linalg.norm(np.subtract(cells[name], true.centres([EIGHT.parse(at)])[0])) < NEAR_IN
    laid = asked(phone, "/games/chess/overlay")
    assert laid["size_in"] == pytest.approx(true.size_in, abs=0.01)
    assert laid["rotation_deg"] == pytest.approx(true.rotation_deg + 90, abs=0.3)
    phone.close()


def screen_of(phone: Phone, game: str, place: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Where a place of the table is on the screen."""
    (left, near), (right, far) = asked(phone, f"/games/{game}/photo")["map_bounds"]
    box = phone.page.locator("img.tabletop-photo").bounding_box()
    x = box["x"] + (place[0] - left) / (right - left) * box["width"]
    return float(x), float(box["y"] + (far - place[1]) / (far - near) * box["height"])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_by_keyboard_and_dragged_further(chromium: Any, photographed: Server, scheme: str) -> None:
    phone = Phone(chromium, photographed, PHONE, scheme)
    page = opened(phone, "chess")
    page.focus("[data-test=find-lines]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-test=find-says][role=status] p:text('each known to within 0.0')", timeout=60_000)
    phone.settle()
    chosen = page.evaluate("() => document.activeElement.getAttribute('data-test')")
    assert chosen == page.get_attribute(".corner-keys [aria-pressed=true]", "data-test"), "the keyboard goes on there"
    assert page.evaluate(POOR_CONTRAST) == []
    small = page.eval_on_selector_all(
        KEYS, "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
    )
    assert small == []
    group = page.locator(".grid-sheet [role=group]:has(.corner-keys)")
    assert group.get_attribute("aria-label") == "Which corner is a1? Tap it, or choose."
    for name in ("far-left", "near-right"):
        page.focus(f"[data-test=corner-{name}]")
        page.keyboard.press("Enter")
        assert page.get_attribute(f"[data-test=corner-{name}]", "aria-pressed") == "true"
    before = drawn(phone, "chess")
    page.focus("[data-test=handle-move]")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("[data-test=find-says] p:text('Moved by hand')")
    phone.settle()
    assert (drawn(phone, "chess") - before).mean(axis=0) == pytest.approx([0, 0.2], abs=0.08)
    assert page.get_attribute("[data-test=corner-near-right]", "aria-pressed") == "true"
    phone.tap("close-grid")
    phone.close()


@pytest.mark.slow
def test_on_the_photo_itself(chromium: Any, photographed: Server) -> None:
    phone = Phone(chromium, photographed, TABLET)
    page = opened(phone, "chess")
    phone.tap("grid-on-photo")
    page.wait_for_selector("[data-test=grid-photo] img")
    found(phone)
    assert page.locator("[data-test=grid-photo] path.grid-cell").count() == 1
    assert page.locator("[data-test=grid-photo] .grid-name").inner_text() == "a1"
    phone.close()


def in_sight(page: Any, selector: str) -> bool:
    """Whether the whole of something shows in the sheet."""
    box, body = (page.locator(one).bounding_box() for one in (selector, ".grid-sheet .sheet-body"))
    return bool(body["y"] <= box["y"] + 1 and box["y"] + box["height"] <= body["y"] + body["height"] + 1)


def test_a_doubt_stands_in_front(chromium: Any, photographed: Server) -> None:
    phone = Phone(chromium, photographed)
    page = opened(phone, "chess")
    doubt = "Only 64% of its lines were seen: look whether the drawn ones lie on them."

    def doubted(route: Any) -> None:
        route.fulfill(json={**route.fetch(timeout=60_000).json(), "doubt": doubt})

    page.route("**/overlay/found", doubted)
    found(phone)
    assert page.inner_text("[role=status] [data-test=find-doubt]") == doubt
    assert in_sight(page, "[data-test=find-doubt]")
    assert page.evaluate(POOR_CONTRAST) == []
    page.unroute_all(behavior="ignoreErrors")
    phone.close()


@pytest.mark.slow
def test_no_board_in_the_photo(chromium: Any, photographed: Server) -> None:
    phone = Phone(chromium, photographed)
    page = opened(phone, "bare")
    phone.tap("find-lines")
    page.wait_for_selector("#find-refused[role=alert]:text('No board of 8 x 8 squares was found')", timeout=60_000)
    assert "Lay it by two taps" in page.inner_text("#find-refused")
    phone.settle()
    assert in_sight(page, "#find-refused") and in_sight(page, "[data-test=to-taps]")
    assert page.is_disabled("[data-test=lay]")
    assert page.evaluate(POOR_CONTRAST) == []
    phone.tap("to-taps")
    page.wait_for_selector("[data-test=tap-hint]:text('Tap the very middle of square a1')")
    phone.faults.clear()  # the browser's own word on the 422
    phone.close()


@pytest.mark.slow
def test_where_there_are_no_lines_to_look_for(chromium: Any, photographed: Server) -> None:
    phone = Phone(chromium, photographed)
    page = opened(phone, "unseen")
    assert page.locator("[data-test=by-taps]").count() == 1
    assert page.locator("[data-test=by-lines], [data-test=find-lines]").count() == 0
    answer = phone.context.request.post(
        f"{phone.url}/api/games", data={"id": "begin-hexes-1", "rules": "combined-arms"}
    )
    hexes = str(answer.json()["id"])
    asked(phone, f"/games/{hexes}/photo")
    sent(phone, hexes, PHOTO)
    page = opened(phone, hexes)
    assert page.locator("[data-test=grid-on-photo]").count() == 1, "there is a photo"
    assert page.locator("[data-test=by-lines], [data-test=find-lines]").count() == 0
    phone.close()
