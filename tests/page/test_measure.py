"""Measuring by touch in a headless Chromium: both games, on the map and on a photograph, alone and shown to all."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest

from api.auth.access import Role
from tabletop.game.actions import Standing
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.measure.setup import Setup
from tabletop.starting.scenarios import find
from tests.support.api_support import PHOTO, Canned, observation
from tests.support.combined_arms_tables import at
from tests.support.measure_games import a_unit
from tests.support.page_support import (
    FRAME,
    POOR_CONTRAST,
    Player,
    Server,
    chromium,
    expect,
    page_marks,
    server,
)

__all__ = ["chromium", "server"]
pytestmark = page_marks

ABOVE_PX = 66  # the aim lies above the finger
Sit = Callable[..., "Measurer"]
_GAMES = count(1)


class Measurer(Player):
    def open(self) -> Self:
        super().open()
        self.page.wait_for_selector(".live.live", state="attached")
        self.settle()
        return self

    def begin(self, tab: str = "tool") -> Self:
        """Open the measuring sheet."""
        self.tap("measure")
        self.tap(f"measure-tab-{tab}")
        self.settle()
        return self

    def overlays(self, unit: str) -> dict[str, Any]:
        """Pick a unit in the measuring sheet; what the server says of it."""
        self.at("measure-unit").select_option(unit)
        expect(self.page.locator("[data-test^=chip-]").first).to_be_visible()
        self.settle()
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
        self.settle()

    def pull(self, start: tuple[float, float], end: tuple[float, float], aim: str) -> None:
        """Drag from a place until the aim is at another; what the aim tells before the finger is lifted."""
        x, y = end[0], end[1] + ABOVE_PX
        self.touch("touchStart", start)
        for i in range(1, 9):
            self.touch("touchMove", (start[0] + (x - start[0]) * i / 8, start[1] + (y - start[1]) * i / 8))
            self.page.evaluate(FRAME)
        expect(self.at("aim")).to_contain_text(aim)
        self.touch("touchEnd")
        self.settle()

    def measured(self, expected: dict[str, Any], what: str = "plain") -> str:
        """The length that is told, once it is what the server says."""
        says = f"{expected[what]['value']:.2f}″"
        expect(self.page.locator(f"[data-test=length-{what}] strong")).to_contain_text(says)
        return says

    def has(self, name: str, words: str) -> None:
        expect(self.at(name)).to_contain_text(words)

    def drawn(self, look: str, many: int) -> None:
        expect(self.page.locator(f"path.{look}")).to_have_count(many)

    def dashes(self, look: str) -> str:
        """How lines of a look are dashed on the screen."""
        return str(
            self.page.locator(f"path.{look}:not(.m-case)").first.evaluate("e => getComputedStyle(e).strokeDasharray")
        )


@pytest.fixture
def one_hour(server: Server) -> str:
    scenario, name = find("flank-attack"), f"flank-{next(_GAMES)}"
    server.services.event_store.start(scenario.rules, scenario.setup, game=name, title=scenario.title)
    return name


@pytest.fixture
def sit(chromium: Any, server: Server) -> Iterator[Sit]:
    sitting: list[Measurer] = []

    def sat(game: str, role: str = "", label: str = "Anna") -> Measurer:
        phone = Measurer(chromium, server, host=not role)
        if role:
            phone.join(server.services.seats.invite(game, [Role.parse(role)]).token, label)
        phone.game = game
        sitting.append(phone)
        return phone.open()

    yield sat
    for phone in sitting:
        phone.close()


@pytest.mark.slow
def test_two_things_by_two_taps_and_what_the_finger_may_have_meant(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin()
    phone.has("measure-hint", "first thing")
    phone.touch_at(phone.piece("B6.3"))
    phone.has("measure-hint", "From B6")
    phone.touch_at(phone.piece("R5.1"))
    expected = phone.fetched("/measure", a={"unit": "B6"}, b={"unit": "R5"})
    phone.measured(expected)
    phone.measured(expected, "rule")
    places = [reason["place"] for reason in expected["reasons"]]
    for words in (expected["rule"]["says"], expected["sights"][0]["says"], *places):
        phone.has("measured", words)
    phone.drawn("m-length.current", 2)  # the line and its dark case
    phone.drawn("m-thing:not(.m-case)", len(expected["a"]["outlines"]) + len(expected["b"]["outlines"]))
    phone.page.locator("[data-test=instead]", has_text="only B6.3").tap()
    phone.measured(phone.fetched("/measure", a={"piece": "B6.3"}, b={"unit": "R5"}))
    expect(phone.at("measured-before")).to_have_count(0)  # it was meant instead
    assert phone.fetched("/shared") == []


@pytest.mark.slow
def test_several_in_a_row_by_dragging_with_the_aim_above_the_finger(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin()
    before = phone.page.locator("[data-test=measured-before]")
    phone.pull(phone.piece("B6.1"), phone.piece("R5.1"), "B6 → R5")
    first = phone.measured(phone.fetched("/measure", a={"unit": "B6"}, b={"unit": "R5"}))
    (x0, y0), (x1, y1) = phone.piece("R2.3"), phone.piece("R4.1")
    phone.pull(phone.piece("B6.1"), ((x0 + x1) / 2, (y0 + y1) / 2), "B6 → the place")
    expect(before).to_contain_text(first)
    left, _ = phone.piece("B6.1")
    phone.drag((30, 390), (60, 0))  # beside all things: the map moves, nothing is measured
    phone.settle()
    assert phone.piece("B6.1")[0] > left + 30
    expect(before).to_have_count(1)
    phone.tap("measure-again")
    phone.touch_at(phone.piece("R4.1"))
    expect(before).to_have_count(2)
    phone.drawn("m-length.past:not(.m-case)", 2)
    phone.tap("measure-clear")
    phone.drawn("m-length", 0)
    phone.tap("measure-photo")
    phone.has("no-photo", "No photo")


@pytest.mark.slow
def test_by_keyboard_from_lists(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour)
    keys = phone.page.keyboard
    for name in ("measure", "lists"):
        phone.at(name).focus()
        keys.press("Enter")
    phone.at("list-from").select_option('{"unit":"B6"}')
    expect(phone.at("measure-lists")).to_be_disabled()
    phone.at("list-to").select_option("point")
    phone.at("list-1-x").fill("20")
    phone.at("list-1-y").fill("30.5")
    keys.press("Enter")
    phone.measured(phone.fetched("/measure", a={"unit": "B6"}, b={"point": [20, 30.5]}))
    expect(phone.page.locator("[aria-live]:has([data-test=measured])")).to_have_attribute("aria-live", "polite")
    phone.at("list-1-x").fill("99")
    keys.press("Enter")
    expect(phone.page.locator("[data-test=notice].error")).to_contain_text("off the table")
    phone.faults.clear()  # the browser's own word on the 422


@pytest.mark.slow
def test_what_is_drawn_of_a_unit_is_switched_by_chips_and_remembered(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour).begin("unit")
    told, page = phone.overlays("B1"), phone.page
    expect(page.locator("path.m-ring:not(.m-case)").nth(1)).to_be_attached()
    for ring in told["ranges"]:
        expect(page.locator(".ring-label", has_text=f"{ring['value']:g}″").first).to_be_attached()
    near = [line for line in told["sights"] if line["range"]["band"] != "out"]
    assert 0 < len(near) < len(told["sights"])
    sights = page.locator(".leaflet-container path.m-sight:not(.m-case)")
    expect(sights).to_have_count(len(near))
    phone.tap("chip-beyond")
    expect(page.locator(".m-lines > li")).to_have_count(len(told["sights"]))
    looks = {"arcs": "m-front", "threat": "m-threat", "surely": "m-reach.surely", "best": "m-reach.best"}
    for chip, look in looks.items():
        phone.tap(f"chip-{chip}")
        expect(page.locator(f".leaflet-container path.{look}").first).to_be_attached()
    expect(page.locator(".measuring")).to_contain_text(told["reach"][-1]["says"])
    phone.tap("chip-ranges")
    expect(page.locator(".leaflet-container path.m-ring")).to_have_count(0)
    phone.open().begin("unit").overlays("B1")
    expect(phone.at("chip-ranges")).to_have_attribute("aria-pressed", "false")
    expect(phone.at("chip-threat")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_a_line_of_sight_is_tapped_on_the_map_and_tells_why(sit: Sit, one_hour: str) -> None:
    phone = sit(one_hour)
    phone.tap("unit-B1")
    expect(phone.page.locator("path.m-sight").first).to_be_attached()
    phone.settle()
    sight = next(one for one in phone.fetched("/units/B1/overlays")["sights"] if one["to"] == "R1")
    (x0, y0), (x1, y1) = phone.piece("B1.1"), phone.piece("R1.1")
    phone.touch_at(((x0 + x1) / 2, (y0 + y1) / 2))  # on the game's own screen, no measuring sheet open
    expect(phone.at("sight")).to_have_attribute("data-verdict", sight["verdict"])
    for one in sight["reasons"]:
        expect(phone.at("sight")).to_contain_text(f"{one['text']} {one['place']}", use_inner_text=True)
    phone.drawn("m-sight.picked", 2)
    phone.touch_at(phone.piece("R1.2"))  # lines never cover what a finger wants
    expect(phone.at("measure-unit")).to_have_value("R1")


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
    rows = phone.page.locator(".m-lines button")
    for row, words in zip(range(4), ("Clear", "Partial", "Too close to call", "Blocked"), strict=True):
        expect(rows.nth(row)).to_contain_text(words)
    assert len({phone.dashes(f"m-sight.{verdict}") for verdict in verdicts}) == 4
    assert phone.dashes("m-sight.clear") == "none"
    expect(phone.page.locator(".leaflet-container .m-cross").first).to_be_attached()
    rows.nth(2).tap()
    phone.has("sight", "Too close to call: measure it")
    assert phone.page.evaluate(POOR_CONTRAST) == []


@pytest.mark.slow
def test_one_shows_to_all_and_others_find_it_in_a_quiet_strip(sit: Sit, one_hour: str) -> None:
    ben = sit(one_hour, "side blue", "Ben")
    cleo, dan = sit(one_hour, "side red", "Cleo"), sit(one_hour, "spectator", "Dan")
    ben.begin().pull(ben.piece("B6.1"), ben.piece("R5.1"), "B6 → R5")
    expected = ben.fetched("/measure", a={"unit": "B6"}, b={"unit": "R5"})
    ben.measured(expected)
    expect(cleo.at("shared-strip")).to_have_count(0)
    ben.tap("share")
    expect(cleo.at("shared-strip")).to_have_text(re.compile("^Ben showed: B6 and R5 are"))
    cleo.tap("show-shared")
    cleo.measured(expected)
    cleo.has("measured", "Ben showed")
    cleo.drawn("m-length.current", 2)
    expect(cleo.page.locator("[data-test=shared-strip], [data-test=share]")).to_have_count(0)
    expect(dan.at("shared-strip")).to_be_visible()
    dan.tap("dismiss-shared")
    expect(dan.at("shared-strip")).to_have_count(0)
    dan.open()
    expect(dan.at("shared-strip")).to_have_count(0)  # put away for good
    dan.begin("shared").tap("shared-row")
    dan.measured(expected)
    dan.pull(dan.piece("B5.1"), dan.piece("R4.1"), "B5 → R4")
    expect(dan.at("share")).to_have_count(0)  # who watches shows nothing
    expect(ben.at("shared-strip")).to_have_count(0)
    expect(ben.at("share")).to_be_disabled()


class OnPhoto(Measurer):
    """A phone that measures on a plain photo whose camera is known: it stands before the table and looks down at it."""

    lens: dict[str, Any]

    def photographs(self, server: Server, engine: Canned, eye: list[float]) -> Self:
        """Take a photo of the game's table and measure on it."""
        turn, _ = cv2.Rodrigues(np.radians([140.0, 0.0, 0.0]))
        self.lens = {
            "width": 640, "height": 480, "K": [[480.0, 0.0, 320.0], [0.0, 480.0, 240.0], [0.0, 0.0, 1.0]],
            "dist": [-0.12, 0.03, 0.001, 0.0, 0.0], "R": turn.tolist(), "t": (-turn @ eye).tolist(),
        }  # fmt: skip
        engine.seen = observation([]) | {
            "photos": [{**self.lens, "file": "a.jpg", "rms_px": 0.2, "markers_seen": [0, 1, 2, 3]}]
        }
        table = self.context.request.get(f"{server.url}/api/games/{self.game}").json()["table"]
        files = {"photo": {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PHOTO}}
        sent = self.context.request.post(f"{server.url}/api/tables/{table}/photos", multipart=files)
        assert sent.status == 202 and sent.json()["state"] == "done", sent.text()
        self.open().begin().tap("measure-photo")
        expect(self.page.locator("img.measure-photo")).to_be_visible()
        self.settle()
        return self

    def seen(self, *places: list[float]) -> np.ndarray:
        """Screen pixels (n, 2) of table places (x, y, z), by OpenCV."""
        R, t, K, dist = (np.array(self.lens[name]) for name in ("R", "t", "K", "dist"))
        found, _ = cv2.projectPoints(np.array(places, dtype=float), cv2.Rodrigues(R)[0], t, K, dist)
        box = self.page.locator("img.measure-photo").bounding_box()
        return np.asarray((found[:, 0] + 0.5) * box["width"] / self.lens["width"] + [box["x"], box["y"]])

    def lies(self, piece: dict[str, Any], z: float = 0.0) -> None:
        """A piece is drawn where the photo has its outline."""
        corners = self.seen(*[[x, y, z] for x, y in piece["outline"]])
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        assert self.piece(piece["id"]) == pytest.approx(tuple(middle), abs=1.2), piece["id"]


@pytest.fixture
def on_photo(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., OnPhoto]]:
    engine = Canned()
    with Server(tmp_path, engine) as running:
        phone = OnPhoto(chromium, running)
        phone.game = "photographed"

        def taken(rules: str, setup: Any, eye: list[float]) -> OnPhoto:
            running.services.event_store.start(rules, setup, game=phone.game, title="A game")
            return phone.photographs(running, engine, eye)

        yield taken
        phone.close()


def test_two_things_and_a_place_on_a_photo_with_a_hill(on_photo: Callable[..., OnPhoto]) -> None:
    hill = TerrainPiece("hill-1", "hill", ((20.0, 16.0), (30.0, 16.0), (30.0, 26.0), (20.0, 26.0)), height=2.0)
    units = (
        a_unit("A1", "blue", Standing(10.0, 12.0, 0.0), Standing(13.0, 12.0, 0.0, (0.04, 0.0, 0.04))),
        a_unit("B1", "red", Standing(25.0, 21.0, 180.0)),
    )
    phone = on_photo("measure", Setup("A case", 36.0, 36.0, units=units, terrain=(hill,)), [18.0, -12.0, 36.0])
    for piece in phone.fetched()["board"]["pieces"]:
        phone.lies(piece, 2.0 if piece["unit"] == "B1" else 0.0)
    phone.tap("photo-in")
    phone.settle()
    phone.tap("photo-fit")
    phone.settle()

    phone.touch_at(phone.piece("A1.1"))
    phone.has("measure-hint", "From A1")
    phone.touch_at(phone.piece("B1.1"))
    expected = phone.fetched("/measure", a={"unit": "A1"}, b={"unit": "B1"})
    told = re.compile(f"^{expected['plain']['value']:.1f}″ ± ")
    expect(phone.page.locator("[data-test=length-plain] strong")).to_have_text(told)
    line = phone.page.locator(".measure-ground path.m-length.current:not(.m-case)")
    ends = line.evaluate(
        """path => [0, path.getTotalLength()].map(at => {
            const p = path.getPointAtLength(at).matrixTransform(path.getScreenCTM());
            return [p.x, p.y];
        })"""
    )
    (x0, y0), (x1, y1) = expected["plain"]["line"]
    assert np.array(ends) == pytest.approx(phone.seen([x0, y0, 0.0], [x1, y1, 2.0]), abs=1.5)

    for place, z in (((8.0, 20.0), 0.0), ((21.5, 17.5), 2.0)):  # a tap comes back to the table, and to the hill's top
        phone.touch_at(tuple(phone.seen([*place, z])[0]))
        phone.has("measure-hint", "From the place")
        hint = re.search(r"place ([\d.]+), ([\d.]+)", phone.at("measure-hint").inner_text())
        assert hint is not None and tuple(map(float, hint.groups())) == pytest.approx(place, abs=0.12)
        phone.touch_at(phone.piece("A1.2"))

    phone.tap("measure-tab-unit")
    phone.overlays("A1")
    phone.tap("measure-map")
    expect(phone.at("photo-ground")).to_have_count(0)


@pytest.mark.slow
def test_hexes_on_a_photo_count_moves_and_measure_as_the_board_does(on_photo: Callable[..., OnPhoto]) -> None:
    setup = setup_from_position(at({"D1": "3-4", "D2": "3-5", "M1": "2-4"}, {"5-5": "", "5-4": "", "7-4": ""}))
    phone = on_photo("combined-arms", setup, [24.0, -16.0, 46.0])
    board = phone.fetched()["board"]
    for piece in board["pieces"]:
        phone.lies(piece)
    expect(phone.page.locator(".measure-ground path.m-grid")).to_have_count(len(board["cells"]))
    phone.tap("measure-tab-unit")
    told = phone.overlays("D1")
    phone.tap("chip-surely")
    reached = told["reach"][0]["cells"][0]
    phone.settle()
    (x, y) = next(cell["center"] for cell in board["cells"] if cell["id"] == reached["id"])
    phone.touch_at(tuple(phone.seen([x, y - 1.2, 0.0])[0]))
    expect(phone.at("cell-word")).to_have_text(reached["says"])
    verdict = next(one["verdict"] for one in told["sights"] if one["to"] == "7-4")
    phone.tap("sight-7-4")
    expect(phone.at("sight")).to_have_attribute("data-verdict", verdict)
    phone.tap("measure-tab-tool")
    phone.settle()
    phone.pull(phone.piece("D1"), phone.piece("counter 7-4"), "D1 → 7-4")
    expect(phone.page.locator("[data-test=length-rule] strong")).to_have_text("4 hexes")
    phone.tap("measure-map")
    phone.settle()
    expect(phone.page.locator("[data-cell].may, path.may")).to_have_count(0)  # the board is the measuring's own
