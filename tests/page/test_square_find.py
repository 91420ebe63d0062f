"""A board of squares found by its lines on the phone: on a drawn photograph that is really read."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from api.tables.store import table_of
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tests.support.api_support import PHOTO, Canned
from tests.support.page_support import POOR_CONTRAST, Phone, Server, chromium, expect, page_marks
from tests.support.square_photos import board_photo, chess_game

__all__ = ["chromium"]
pytestmark = page_marks
EIGHT = SquareBoard(8, 8)
NEAR_IN = 0.1
KEYS = ".grid-sheet :is(button, input, select)"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with three chessboards: one photographed, one whose photo shows nothing, one without a photo."""
    engine = Canned()
    with Server(tmp_path_factory.mktemp("find"), engine) as running:
        for game in ("chess", "bare", "unseen"):
            chess_game(running.services, board_photo(), game)
        yield running
    engine.close()


@pytest.fixture(scope="module")
def photographed(chromium: Any, server: Server) -> Server:
    phone = Phone(chromium, server)
    sent(phone, "chess", board_photo().data)
    engine, read = server.services.engine, server.services.table("chess").photo
    assert isinstance(engine, Canned) and read is not None
    engine.seen = read["observation"]  # its own pictures are plain
    sent(phone, "bare", PHOTO)
    phone.close()
    return server


@pytest.fixture
def phone(chromium: Any, photographed: Server) -> Iterator[Phone]:
    one = Phone(chromium, photographed)
    yield one
    one.close()


def sent(phone: Phone, game: str, data: bytes) -> None:
    """Send a photo of a game's table, which is read."""
    photo = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": data}
    path = f"{phone.url}/api/tables/{table_of(game)}/photos"
    answer = phone.context.request.post(path, multipart={"photo": photo}, timeout=120_000)
    assert answer.status == 202 and answer.json()["state"] == "done", answer.text()


def opened(phone: Phone, game: str) -> Any:
    """The sheet where a game's grid is laid."""
    phone.page.goto(f"{phone.url}/g/{game}")
    phone.tap("menu")
    phone.tap("menu-overlay")
    expect(phone.page.locator("[data-test=find-lines], [data-test=tap-hint]").first).to_be_visible()
    phone.settle()
    return phone.page


def found(phone: Phone) -> None:
    phone.tap("find-lines")
    expect(phone.at("find-says")).to_contain_text("Found: a chessboard of 8 x 8 squares")
    phone.settle()


def is_chosen(phone: Phone, corner: str) -> None:
    """It is that corner which is the first square's."""
    expect(phone.at(f"corner-{corner}")).to_have_attribute("aria-pressed", "true")
    phone.settle()


def asked(phone: Phone, path: str) -> Any:
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


def test_found_drawn_turned_and_laid(phone: Phone) -> None:
    page, true = opened(phone, "chess"), board_photo().layout
    expect(phone.at("lay")).to_be_disabled()  # nothing is laid before it was looked for
    found(phone)
    is_drawn_at(drawn(phone, "chess"), true, "a1")
    expect(page.locator(".board .grid-name")).to_have_text("a1")
    is_chosen(phone, "near-left")
    phone.tap("corner-far-right")
    is_chosen(phone, "far-right")
    is_drawn_at(drawn(phone, "chess"), true, "h8")
    far_left = true.centres([EIGHT.parse("a8")])[0]
    page.touchscreen.tap(*screen_of(phone, "chess", far_left))
    is_chosen(phone, "far-left")
    is_drawn_at(drawn(phone, "chess"), true, "a8")
    phone.tap("lay")
    expect(page.locator(".grid-sheet")).to_have_count(0)
    cells = {cell["id"]: cell["center"] for cell in asked(phone, "/games/chess")["board"]["cells"]}
    turned = {"a1": "a8", "h1": "a1", "h8": "h1", "a8": "h8"}
    for name, at in turned.items():
        assert np.linalg.norm(np.subtract(cells[name], true.centres([EIGHT.parse(at)])[0])) < NEAR_IN
    laid = asked(phone, "/games/chess/overlay")
    assert laid["size_in"] == pytest.approx(true.size_in, abs=0.01)
    assert laid["rotation_deg"] == pytest.approx(true.rotation_deg + 90, abs=0.3)


def screen_of(phone: Phone, game: str, place: npt.NDArray[np.float64]) -> tuple[float, float]:
    (left, near), (right, far) = asked(phone, f"/games/{game}/photo")["map_bounds"]
    box = phone.page.locator("img.tabletop-photo").bounding_box()
    x = box["x"] + (place[0] - left) / (right - left) * box["width"]
    return float(x), float(box["y"] + (far - place[1]) / (far - near) * box["height"])


@pytest.mark.slow
def test_by_keyboard_dragged_further_and_on_the_photo_itself(phone: Phone) -> None:
    page = opened(phone, "chess")
    phone.at("find-lines").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-test=find-says][role=status]")).to_contain_text("each known to within 0.0")
    phone.settle()
    chosen = page.evaluate("() => document.activeElement.getAttribute('data-test')")
    assert chosen == page.get_attribute(".corner-keys [aria-pressed=true]", "data-test"), "the keyboard goes on there"
    assert page.evaluate(POOR_CONTRAST) == []
    small = page.eval_on_selector_all(
        KEYS, "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
    )
    assert small == []
    group = page.locator(".grid-sheet [role=group]:has(.corner-keys)")
    expect(group).to_have_attribute("aria-label", "Which corner is a1? Tap it, or choose.")
    for corner in ("far-left", "near-right"):
        phone.at(f"corner-{corner}").focus()
        page.keyboard.press("Enter")
        is_chosen(phone, corner)
    before = drawn(phone, "chess")
    phone.at("handle-move").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(phone.at("find-says")).to_contain_text("Moved by hand")
    phone.settle()
    assert (drawn(phone, "chess") - before).mean(axis=0) == pytest.approx([0, 0.2], abs=0.08)
    is_chosen(phone, "near-right")
    phone.tap("grid-on-photo")
    photo = page.locator("[data-test=grid-photo]")
    expect(photo.locator("img")).to_be_visible()
    expect(photo.locator("path.grid-cell")).to_have_count(1)
    expect(photo.locator(".grid-name")).to_have_text("a1")
