"""Measuring by touch in a headless Chromium: both games, on the map and on a photograph, alone and shown to all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest

from api.app.program import Program
from api.auth.access import Role
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.starting.scenarios import find
from tests.support.api_support import PHOTO, Canned, observation
from tests.support.combined_arms_tables import at
from tests.support.page_support import PHONE, POOR_CONTRAST, Player, Server, chromium, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = page_marks

TABLET = {"width": 820, "height": 1180}
ABOVE_PX = 66  # the aim lies above the finger
Sit = Callable[..., "Measurer"]


class Measurer(Player):
    """A phone at a game, measuring."""

    def open(self) -> Self:
        super().open()
        self.page.wait_for_function("() => document.querySelector('.live.live')")
        self.settle()
        return self

    def begin(self, tab: str = "tool") -> Measurer:
        """Open the measuring sheet."""
        self.tap("measure")
        self.tap(f"measure-tab-{tab}")
        return self

    def overlays(self, unit: str) -> dict[str, Any]:
        """Pick a unit in the measuring sheet; what the server says of it."""
        self.page.select_option("[data-test=measure-unit]", value=unit)
        self.page.wait_for_selector("[data-test^=chip-]")
        return self.fetched(f"/units/{unit}/overlays")

    def piece(self, name: str) -> tuple[float, float]:
        """The middle of a piece on the map, or on the photo while that is shown."""
        return tuple(
            self.page.evaluate(
                """name => {
                    const of = kind => document.querySelector(`[${kind}="${name}"]`);
                    const box = (of('data-photo-piece') ?? of('data-piece')).getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2];
                }""",
                name,
            )
        )

    def touch_at(self, place: tuple[float, float]) -> None:
        self.page.touchscreen.tap(*place)
        self.page.wait_for_timeout(80)

    def told(self) -> str:
        return str(self.page.wait_for_selector("[data-test=measured]").inner_text())

    def length(self, what: str = "plain") -> str:
        return str(self.page.wait_for_selector(f"[data-test=length-{what}] strong").inner_text())

    def pull(self, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Drag from a place until the aim is at another; what the aim told just before the finger was lifted."""
        x, y = end[0], end[1] + ABOVE_PX
        self.touch("touchStart", start)
        for i in range(1, 9):
            self.touch("touchMove", (start[0] + (x - start[0]) * i / 8, start[1] + (y - start[1]) * i / 8))
            self.page.wait_for_timeout(16)
        told = str(self.page.inner_text("[data-test=aim]"))
        self.touch("touchEnd")
        return told

    def dashes(self, look: str) -> str:
        """How lines of a look are dashed on the screen."""
        return str(
            self.page.evaluate(
                "look => getComputedStyle(document.querySelector(`path.${look}:not(.m-case)`)).strokeDasharray", look
            )
        )


@pytest.fixture
def one_hour(server: Server, request: pytest.FixtureRequest) -> str:
    scenario = find("flank-attack")
    name = f"flank-{abs(hash(request.node.name)) % 10**8}"
    server.services.event_store.start(scenario.rules, scenario.setup, game=name, title=scenario.title)
    return name


@pytest.fixture
def hexes(server: Server, request: pytest.FixtureRequest) -> str:
    setup = setup_from_position(at({"D1": "3-4", "D2": "3-5", "M1": "2-4"}, {"5-5": "", "5-4": "", "7-4": ""}))
    name = f"hexes-{abs(hash(request.node.name)) % 10**8}"
    server.services.event_store.start("combined-arms", setup, game=name, title="A game")
    return name


@pytest.fixture
def sit(chromium: Any, server: Server) -> Iterator[Sit]:
    sitting: list[Measurer] = []

    def sat(
        game: str, *roles: str, size: dict[str, int] = PHONE, scheme: str = "dark", label: str = "Anna"
    ) -> Measurer:
        phone = Measurer(chromium, server, size, scheme, host=not roles)
        if roles:
            seats = server.services.seats
            invited = seats.invite(game, [Role.parse(words) for words in roles])
            phone.join(invited.token, label)
        phone.game = game
        phone.page.set_default_timeout(10_000)
        sitting.append(phone)
        return phone.open()

    yield sat
    for phone in sitting:
        phone.close()


@pytest.mark.slow
def test_two_things_by_two_taps_and_what_the_finger_may_have_meant(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin()
    assert "first thing" in phone.page.inner_text("[data-test=measure-hint]")
    phone.touch_at(phone.piece("B6.3"))
    assert "From B6" in phone.page.inner_text("[data-test=measure-hint]")
    phone.touch_at(phone.piece("R5.1"))
    told = phone.told()
    expected = phone.fetched("/measure", a={"unit": "B6"}, b={"unit": "R5"})
    assert f"{expected['plain']['value']:.2f}″" == phone.length()
    assert f"{expected['rule']['value']:.2f}″" == phone.length("rule")
    assert expected["rule"]["says"] in told and expected["sights"][0]["says"] in told
    assert all(reason["place"] in told for reason in expected["reasons"])
    assert phone.page.locator("path.m-length.current").count() == 2  # the line and its dark case
    things = [*expected["a"]["outlines"], *expected["b"]["outlines"]]
    assert phone.page.locator("path.m-thing:not(.m-case)").count() == len(things)
    was = phone.length()
    phone.page.locator("[data-test=instead]", has_text="only B6.3").tap()
    phone.page.wait_for_function(
        "was => document.querySelector('[data-test=length-plain] strong')?.innerText !== was", arg=was
    )
    single = phone.fetched("/measure", a={"piece": "B6.3"}, b={"unit": "R5"})
    assert phone.length() == f"{single['plain']['value']:.2f}″"
    assert phone.page.locator("[data-test=measured-before]").count() == 0  # it was meant instead
    assert phone.fetched("/shared") == []


@pytest.mark.slow
def test_several_in_a_row_by_dragging_with_the_aim_above_the_finger(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin()
    assert phone.pull(phone.piece("B6.1"), phone.piece("R5.1")) == "B6 → R5"
    first = phone.length()
    assert first == f"{phone.fetched('/measure', a={'unit': 'B6'}, b={'unit': 'R5'})['plain']['value']:.2f}″"
    (x0, y0), (x1, y1) = phone.piece("R2.3"), phone.piece("R4.1")
    assert phone.pull(phone.piece("B6.1"), ((x0 + x1) / 2, (y0 + y1) / 2)).startswith("B6 → the place")
    phone.page.wait_for_selector("[data-test=measured-before]")
    assert first in phone.page.inner_text("[data-test=measured-before]")
    left, _ = phone.piece("B6.1")
    phone.drag((30, 390), (60, 0))  # beside all things: the map moves, nothing is measured
    phone.settle()
    assert phone.piece("B6.1")[0] > left + 30
    assert phone.page.locator("[data-test=measured-before]").count() == 1
    phone.tap("measure-again")
    phone.touch_at(phone.piece("R4.1"))
    phone.page.wait_for_function("() => document.querySelectorAll('[data-test=measured-before]').length === 2")
    assert phone.page.locator("path.m-length.past:not(.m-case)").count() == 2
    phone.tap("measure-clear")
    assert phone.page.locator("path.m-length").count() == 0


@pytest.mark.slow
def test_by_keyboard_from_lists(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour)
    keys = phone.page.keyboard
    for name in ("measure", "lists"):
        phone.page.focus(f"[data-test={name}]")
        keys.press("Enter")
    phone.page.select_option("[data-test=list-from]", value='{"unit":"B6"}')
    assert phone.page.is_disabled("[data-test=measure-lists]")
    phone.page.select_option("[data-test=list-to]", value="point")
    phone.page.fill("[data-test=list-1-x]", "20")
    phone.page.fill("[data-test=list-1-y]", "30.5")
    keys.press("Enter")
    expected = phone.fetched("/measure", a={"unit": "B6"}, b={"point": [20, 30.5]})
    assert phone.length() == f"{expected['plain']['value']:.2f}″"
    live = phone.page.locator("[aria-live]:has([data-test=measured])")
    assert live.get_attribute("aria-live") == "polite"
    phone.page.fill("[data-test=list-1-x]", "99")
    keys.press("Enter")
    phone.page.wait_for_selector("[data-test=notice].error")
    assert "off the table" in phone.page.inner_text("[data-test=notice]")
    phone.faults.clear()  # the browser's own word on the 422


@pytest.mark.slow
def test_what_is_drawn_of_a_unit_is_switched_by_chips_and_remembered(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin("unit")
    told = phone.overlays("B1")
    page = phone.page
    assert page.locator("path.m-ring:not(.m-case)").count() >= 2
    labels = page.locator(".ring-label").all_inner_texts()
    assert {f"{ring['value']:g}″" for ring in told["ranges"]} <= set(labels)
    near = [line for line in told["sights"] if line["range"]["band"] != "out"]
    assert 0 < len(near) < len(told["sights"])
    assert page.locator(".leaflet-container path.m-sight:not(.m-case)").count() == len(near)
    phone.tap("chip-beyond")
    assert page.locator(".m-lines > li").count() == len(told["sights"])
    for chip, look in (
        ("arcs", "m-front"),
        ("threat", "m-threat"),
        ("surely", "m-reach.surely"),
        ("best", "m-reach.best"),
    ):
        phone.tap(f"chip-{chip}")
        assert page.locator(f".leaflet-container path.{look}").count() > 0
    assert told["reach"][-1]["says"] in page.inner_text(".measuring")
    phone.tap("chip-ranges")
    assert page.locator(".leaflet-container path.m-ring").count() == 0
    page.reload()
    page.wait_for_selector("[data-test=headline]")
    phone.begin("unit").overlays("B1")
    assert page.get_attribute("[data-test=chip-ranges]", "aria-pressed") == "false"
    assert page.get_attribute("[data-test=chip-threat]", "aria-pressed") == "true"


@pytest.mark.slow
def test_a_line_of_sight_is_tapped_on_the_map_and_tells_why(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour)
    phone.tap("unit-B1")
    phone.page.wait_for_selector("path.m-sight", state="attached")
    phone.settle()
    sight = next(one for one in phone.fetched("/units/B1/overlays")["sights"] if one["to"] == "R1")
    (x0, y0), (x1, y1) = phone.piece("B1.1"), phone.piece("R1.1")
    phone.touch_at(((x0 + x1) / 2, (y0 + y1) / 2))  # on the game's own screen, no measuring sheet open
    card = phone.page.wait_for_selector("[data-test=sight]")
    assert card.get_attribute("data-verdict") == sight["verdict"]
    assert all(f"{one['text']} {one['place']}" in card.inner_text().replace("\n", " ") for one in sight["reasons"])
    assert phone.page.locator("path.m-sight.picked").count() == 2
    phone.touch_at(phone.piece("R1.2"))  # lines never cover what a finger wants
    phone.page.wait_for_function("() => document.querySelector('[data-test=measure-unit]').value === 'R1'")


@pytest.mark.slow
def test_lines_are_told_apart_without_their_colours(sit: Sit, one_hour: str) -> None:
    verdicts = ["clear", "partial", "too-close", "blocked"]
    phone = sit(one_hour)

    def all_kinds(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        for line, verdict in zip(told["sights"], verdicts, strict=False):
            line["verdict"] = verdict
        route.fulfill(response=answer, json={**told, "sights": told["sights"][:4]})

    phone.page.route("**/overlays", all_kinds)
    phone.begin("unit").overlays("B2")
    assert len({phone.dashes(f"m-sight.{verdict}") for verdict in verdicts}) == 4
    assert phone.dashes("m-sight.clear") == "none"
    assert phone.page.locator(".leaflet-container .m-cross").count() > 0
    rows = phone.page.locator(".m-lines button")
    names = [str(name) for name in rows.evaluate_all("rows => rows.map(row => row.getAttribute('aria-label'))")]
    for name, words in zip(names, ("Clear", "Partial", "Too close to call", "Blocked"), strict=True):
        assert name.endswith(words)
    rows.nth(2).tap()
    assert "Too close to call: measure it" in phone.page.inner_text("[data-test=sight]")
    assert phone.page.evaluate(POOR_CONTRAST) == []


@pytest.mark.slow
def test_hexes_count_moves_and_measure_as_the_board_does(sit: Sit, hexes: str) -> None:
    phone = sit(hexes, size=TABLET).begin("unit")
    told = phone.overlays("D1")
    phone.tap("chip-surely")
    reach = told["reach"][0]["cells"]
    assert phone.page.locator(".ring-label.small").count() == len(reach) > 3
    cell = reach[0]
    box = phone.page.locator(f"[data-cell='{cell['id']}']").bounding_box()
    phone.touch_at((box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.85))
    assert phone.page.inner_text("[data-test=cell-word]") == cell["says"]
    phone.page.locator("[data-test=sight-7-4]").tap()
    assert phone.page.get_attribute("[data-test=sight]", "data-verdict") == next(
        one["verdict"] for one in told["sights"] if one["to"] == "7-4"
    )
    phone.tap("measure-tab-tool")
    assert phone.pull(phone.piece("D1"), phone.piece("counter 7-4")) == "D1 → 7-4"
    assert phone.length("rule") == "4 hexes"
    assert phone.page.locator("[data-cell].may, path.may").count() == 0  # the board is the measuring's own


@pytest.mark.slow
def test_one_shows_to_all_and_others_find_it_in_a_quiet_strip(sit: Sit, one_hour: str) -> None:
    ben = sit(one_hour, "side blue", label="Ben")
    cleo, dan = sit(one_hour, "side red", label="Cleo"), sit(one_hour, "spectator", label="Dan")
    ben.begin().pull(ben.piece("B6.1"), ben.piece("R5.1"))
    says = ben.told()
    assert cleo.page.locator("[data-test=shared-strip]").count() == 0
    ben.tap("share")
    strip = cleo.page.wait_for_selector("[data-test=shared-strip]", timeout=4000)
    assert strip.inner_text().startswith("Ben showed: B6 and R5 are")
    cleo.tap("show-shared")
    assert cleo.length() in says and "Ben showed" in cleo.told()
    assert cleo.page.locator("path.m-length.current").count() == 2
    assert cleo.page.locator("[data-test=shared-strip], [data-test=share]").count() == 0
    dan.page.wait_for_selector("[data-test=shared-strip]")
    dan.tap("dismiss-shared")
    assert dan.page.locator("[data-test=shared-strip]").count() == 0
    dan.page.reload()
    dan.page.wait_for_function("() => document.querySelector('.live.live')")
    dan.settle()
    assert dan.page.locator("[data-test=shared-strip]").count() == 0  # put away for good
    dan.begin("shared").tap("shared-row")
    assert dan.length() == cleo.length()
    dan.pull(dan.piece("B5.1"), dan.piece("R4.1"))
    assert dan.page.locator("[data-test=share]").count() == 0  # who watches shows nothing
    assert ben.page.locator("[data-test=shared-strip]").count() == 0 and ben.page.is_disabled("[data-test=share]")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_words_and_targets_on_both_sizes_and_themes(sit: Sit, one_hour: str, size: dict[str, int], scheme: str) -> None:
    phone = sit(one_hour, size=size, scheme=scheme).begin("unit")
    phone.overlays("B2")
    phone.page.locator(".m-lines button").first.tap()
    for tab in ("unit", "tool"):
        phone.tap(f"measure-tab-{tab}")
        if tab == "tool":
            phone.pull(phone.piece("B6.1"), phone.piece("R5.1"))
            phone.told()
            phone.tap("lists")
        phone.settle()
        assert phone.page.evaluate(POOR_CONTRAST) == []
        boxes = phone.page.locator(".measuring button, .measuring select, .measuring summary").evaluate_all(
            "all => all.map(e => [e.getAttribute('aria-label') || e.innerText, e.getBoundingClientRect().toJSON()])"
        )
        for name, box in boxes:
            assert name.strip() and box["width"] >= 44 and box["height"] >= 43.5, f"{name}: {box}"
            assert box["left"] >= 0 and box["right"] <= size["width"] + 0.5, f"{name}: {box}"
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]


def test_without_a_photo_that_is_said(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin()
    phone.tap("measure-photo")
    assert "No photo" in phone.page.inner_text("[data-test=no-photo]")
    phone.tap("close-measure")
    phone.begin()
    assert phone.page.locator("[data-test=no-photo]").count() == 0


# --- on photos ------------------------------------------------------------------------------------------------------


class Upright:
    """Where the photo's pixels are on a phone's screen, and where table inches are in the photo, by OpenCV."""

    def __init__(self, phone: Measurer) -> None:
        self.lens = phone.fetched("/photo")["lens"]
        self.box = phone.page.locator("img.measure-photo").bounding_box()

    def __call__(self, *places: list[float]) -> np.ndarray:
        """Screen pixels (n, 2) of table places (x, y, z)."""
        turn, _ = cv2.Rodrigues(np.array(self.lens["R"]))
        t, K, dist = (np.array(self.lens[name]) for name in ("t", "K", "dist"))
        found, _ = cv2.projectPoints(np.array(places, dtype=float), turn, t, K, dist)
        scale = self.box["width"] / self.lens["width"]
        return np.asarray((found[:, 0] + 0.5) * scale + [self.box["x"], self.box["y"]])


@pytest.mark.slow
def test_a_board_of_hexes_on_a_photo(chromium: Any, tmp_path: Path) -> None:
    """The photo is a plain one whose camera is known: its grid and its counters lie where OpenCV has them."""
    turn, _ = cv2.Rodrigues(np.radians([140.0, 0.0, 0.0]))
    engine = Canned()
    view = {
        "file": "a.jpg", "width": 640, "height": 480, "K": [[480.0, 0.0, 320.0], [0.0, 480.0, 240.0], [0.0, 0.0, 1.0]],
        "dist": [-0.12, 0.03, 0.001, 0.0, 0.0], "R": turn.tolist(), "t": (-turn @ [24.0, -16.0, 46.0]).tolist(),
        "rms_px": 0.2, "markers_seen": [0, 1, 2, 3],
    }  # fmt: skip
    engine.seen = observation() | {"photos": [view]}
    with Server(tmp_path, engine) as running:
        setup = setup_from_position(at({"D1": "3-4", "D2": "3-5"}, {"5-5": "", "7-4": ""}))
        running.services.event_store.start("combined-arms", setup, game="hexes", title="A game")
        phone = Measurer(chromium, running)
        phone.game = "hexes"
        table = phone.context.request.get(f"{running.url}/api/games/hexes").json()["table"]
        files = {"photo": {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PHOTO}}
        assert phone.context.request.post(f"{running.url}/api/tables/{table}/photos", multipart=files).status == 202
        phone.open().begin("unit")
        phone.page.wait_for_function("() => fetch('/api/games/hexes/photo').then(a => a.json()).then(a => a.url)")
        phone.tap("measure-photo")
        phone.page.wait_for_selector("img.measure-photo")
        phone.settle()
        seen, board = Upright(phone), phone.fetched()["board"]
        for one in board["pieces"]:
            corners = seen(*[[x, y, 0.0] for x, y in one["outline"]])
            middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
            assert phone.piece(one["id"]) == pytest.approx(tuple(middle), abs=1.2), one["id"]
        assert phone.page.locator(".measure-ground path.m-grid").count() == len(board["cells"])
        told = phone.overlays("D1")
        phone.tap("chip-surely")
        reached = told["reach"][0]["cells"][0]
        centre = next(cell["center"] for cell in board["cells"] if cell["id"] == reached["id"])
        phone.touch_at(tuple(seen([centre[0], centre[1] - 1.2, 0.0])[0]))
        assert phone.page.inner_text("[data-test=cell-word]") == reached["says"]
        phone.tap("measure-tab-tool")
        assert phone.pull(phone.piece("D1"), phone.piece("counter 7-4")) == "D1 → 7-4"
        assert phone.length("rule") == "4 hexes"
        phone.close()


@pytest.fixture(scope="module")
def photographed(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """A game on the bundled photograph's table, corrected to stand as the photograph shows it."""
    with Server(tmp_path_factory.mktemp("photographed"), Program()) as running:
        host = Measurer(chromium, running)
        ask = host.context.request
        toml, _, picture, name = Program().demo()
        begun = ask.post(f"{host.url}/api/games", data={"id": "begin-photo-1", "table_file": toml}).json()
        files = {"photo": {"name": name, "mimeType": "image/jpeg", "buffer": picture}}
        job = ask.post(f"{host.url}/api/tables/{begun['table']}/photos", multipart=files).json()
        until = time.monotonic() + 60
        while job["state"] not in ("done", "failed"):
            assert time.monotonic() < until, job
            time.sleep(0.1)
            job = ask.get(f"{host.url}/api/jobs/{job['id']}").json()
        assert job["state"] == "done", job["detail"]
        drawn = ask.get(f"{host.url}/api/games/{begun['id']}/look").json()["annotated"]
        left, top, right, bottom = drawn["part"]
        assert 0 <= left < right <= 1 and 0 <= top < bottom <= 1 and (right - left) * (bottom - top) < 0.98
        assert drawn["width"] / drawn["height"] == pytest.approx((right - left) * 4 / ((bottom - top) * 3), rel=0.01)
        truth = ask.get(f"{host.url}/api/games/{begun['id']}/look/truth").json()
        wish = {"id": "as-photographed-1", "after": truth["seq"], "reason": "as photographed"}
        assert ask.post(f"{host.url}/api/games/{begun['id']}/look/truth", data=wish).status == 200
        host.close()
        yield running, begun["id"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_on_the_photograph_itself(chromium: Any, photographed: tuple[Server, str], size: dict[str, int]) -> None:
    running, game = photographed
    phone = Measurer(chromium, running, size)
    phone.game = game
    page = phone.open().begin().page
    phone.tap("measure-photo")
    assert page.locator("img.measure-photo").evaluate("one => one.decode().then(() => one.naturalWidth)") > 1000
    phone.settle()
    seen = Upright(phone)
    board = phone.fetched()["board"]
    free = page.locator("[data-test=sheet]").bounding_box()["y"]
    pieces = [one for one in board["pieces"] if seen([*one["center"], 0.0])[0][1] < free - 30]
    assert len(pieces) >= 9
    hills = [
        (np.array(g["hill_top"] or g["outline"], np.float32), g["height"])
        for g in board["ground"]
        if g["kind"] == "hill"
    ]

    def height(piece: dict[str, Any]) -> float:
        x, y = piece["center"]
        return max([z for ring, z in hills if cv2.pointPolygonTest(ring, (x, y), False) > 0], default=0.0)

    for one in pieces:  # every piece lies where OpenCV has its outline
        corners = seen(*[[x, y, height(one)] for x, y in one["outline"]])
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        assert phone.piece(one["id"]) == pytest.approx(tuple(middle), abs=1.2), one["id"]

    phone.tap("photo-in")
    phone.settle()
    phone.tap("photo-fit")
    phone.settle()
    seen = Upright(phone)
    one, other = pieces[0], next(piece for piece in pieces if piece["side"] != pieces[0]["side"])
    phone.touch_at(phone.piece(one["id"]))
    phone.touch_at(phone.piece(other["id"]))
    expected = phone.fetched("/measure", a={"unit": one["unit"]}, b={"unit": other["unit"]})
    assert phone.length().startswith(f"{expected['plain']['value']:.2f}″") and "±" in phone.length()
    ends = seen(*[[*place, 0.0] for place in expected["plain"]["line"]])
    drawn = page.evaluate(
        """() => {
            const path = document.querySelector('.measure-ground path.m-length.current:not(.m-case)');
            const matrix = path.getScreenCTM();
            return [0, path.getTotalLength()].map(at => {
                const p = path.getPointAtLength(at).matrixTransform(matrix);
                return [p.x, p.y];
            });
        }"""
    )
    if height(one) == height(other) == 0:
        assert np.array(drawn) == pytest.approx(ends, abs=1.5)

    bare = next(
        place for place in ([x, y] for x in range(4, 33, 2) for y in range(34, 10, -2))
        if all(math.dist(place, piece["center"]) > 4 for piece in board["pieces"])
        and all(cv2.pointPolygonTest(np.array(g["outline"], np.float32), place, True) < -1.5 for g in board["ground"])
        and 70 < seen([*place, 0.0])[0][1] < free - 40 and 20 < seen([*place, 0.0])[0][0] < size["width"] - 70
    )  # fmt: skip
    phone.touch_at(tuple(seen([*bare, 0.0])[0]))
    hint = page.inner_text("[data-test=measure-hint] p")
    x, y = (float(word.strip(",:")) for word in hint.split("place ")[1].split(": ")[0].split(", "))
    assert (x, y) == pytest.approx(bare, abs=0.12), "a tap comes back to the table"

    phone.tap("measure-tab-unit")
    told = phone.overlays(one["unit"])
    assert page.locator(".measure-ground path.m-ring:not(.m-case)").count() >= 1 and told["sights"]
    phone.tap("measure-map")
    assert page.locator("[data-test=photo-ground]").count() == 0
    assert page.locator(".leaflet-container path.m-ring").count() > 0
    phone.close()
