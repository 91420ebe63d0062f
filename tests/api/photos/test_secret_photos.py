"""Photos of secret halves: each side's is its own on every address of the server, and proposes its deployment alone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from api.clock import utc_now
from api.photos import jobs
from api.services.table_photos import states_at
from api.tables.store import table_of
from tabletop.game import Game
from tabletop.rulesets.combat.data import BY_LETTER
from tabletop.starting.scenarios import find
from tests.api.games.test_hidden import GAME, _streamed, asked, in_gate, said
from tests.support.api_games import Device, Place
from tests.support.api_support import Canned, sentence
from tests.support.observed_bases import observation, seen_base
from tests.support.photo_games import photographed

STANDS = {"RT1": "c2", "RG1": "d3", "BT1": "c11", "BG1": "d10"}


def seen(name: str, center: list[float]) -> dict[str, Any]:
    """A piece of Combat in a photo."""
    side = "red" if name[0] == "R" else "blue"
    return seen_base(name, center, id=f"b-{name}", side=side, kind=BY_LETTER[name[1]].id)


class Evening:
    """A game whose armies are chosen, and who sits at it."""

    def __init__(self, folder: Path, stands: dict[str, str] = STANDS) -> None:
        self.canned = Canned()
        self.place = Place(folder, self.canned)
        setup = find("first-skirmish", "combat").setup
        first = f"{1:016x}"  # advice that is left to chance is thrown by the first event's id
        self.place.services.event_store.start("combat", setup, game=GAME, title="An evening", ids=lambda: first)
        self.red, self.blue = (self.place.seated(GAME, f"side {side}", label=side) for side in ("red", "blue"))
        self.other = self.place.seated(GAME, "side red", label="a second phone")
        self.watcher = self.place.seated(GAME, "spectator", label="Dora")
        self.devices = {"red": self.red, "watcher": self.watcher, "host": self.place.host}
        self.devices["nobody"] = self.place.device()
        self.known: dict[str, str] = {}
        for device, side in ((self.red, "red"), (self.blue, "blue")):
            device.command(GAME, f"army {side} tanks 4 guns 4 mines 4")
        table = self.place.services.table(GAME).table
        assert table.overlay is not None
        size, (x, y) = table.overlay.size_in, table.overlay.origin
        rows = []
        for name, at in stands.items():
            square = setup.squares.parse(at)
            rows.append(seen(name, [x + size * square.col, y + size * square.row]))
        self.canned.seen = observation(rows, table.width_in, table.depth_in)

    def photographs(self, device: Device, more: bytes) -> str:
        """Have a photo read; the id of its job."""
        job = photographed(device, GAME, more=more)
        assert job["state"] == "done"
        return str(job["id"])

    def told(self, who: str, method: str, path: str, body: Any) -> str:
        """What somebody is answered who knows the hash and the job of Blue's photo, without those."""
        for unknown, known in self.known.items():
            path = path.replace(unknown, known)
        answer = said(self.devices[who], method, path, body)
        for unknown, known in self.known.items():
            answer = answer.replace(known, unknown)
        return answer

    def proposed(self, device: Device) -> list[str]:
        return [one["action"] for one in device.look(GAME)["proposals"]]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    running = Evening(tmp_path)
    yield running
    running.place.services.event_store.close()


def test_a_photo_of_the_whole_table_deploys_who_took_it_and_nobody_else_sees_it(evening: Evening) -> None:
    evening.photographs(evening.red, b"1")
    for device in (evening.red, evening.other):
        assert evening.proposed(device) == ["place RT1 c2", "place RG1 d3"]
    table, look = f"/api/tables/{table_of(GAME)}", f"/api/games/{GAME}/look"
    for device in (evening.blue, evening.watcher, evening.place.host):
        assert sentence(device.answer("GET", look), 404) == "No photo of this table was taken yet: take one first."
        sha = evening.red.get(look)["photo"]
        secret = device.answer("GET", f"{table}/photos/{sha}/upright.jpg")
        assert "photograph your own" in sentence(secret, 404)
        assert device.get(f"/api/games/{GAME}/photo")["url"] is None
    evening.red.accept(GAME)
    state = evening.place.services.commands.game(GAME).state
    assert {p.id: state.name(p.at) for p in state.pieces if p.at >= 0} == {"RT1": "c2", "RG1": "d3"}
    assert "seen" not in {record.kind for record in evening.place.services.commands.game(GAME).records}

    evening.photographs(evening.blue, b"2")
    assert evening.proposed(evening.blue) == ["place BT1 c11", "place BG1 d10"]
    assert evening.red.answer("GET", look).status_code == 404
    for device, status in ((evening.red, 200), (evening.other, 200), (evening.blue, 404), (evening.watcher, 404)):
        assert device.answer("GET", f"{table}/photos/{sha}/upright.jpg").status_code == status, device


JUDGED = ("move RT1 to e8", "fire RT1 at BT1", "place BT1 b11", "place mine b12", "unplace b12", "ready blue")
WISHES: dict[str, list[Any]] = {
    "POST /api/v1/games/{game}/judge": [{"words": words} for words in JUDGED],
    "POST /api/v1/games/{game}/nearest": [{"words": words} for words in JUDGED],
    "POST /api/v1/games/{game}/look/answers": [{"question": "b1", "value": "BT1"}],
    "PATCH /api/v1/games/{game}/look/bases/{base}": [{"facing": 90.0}],
    "POST /api/v1/games/{game}/look/accept": [{"id": "accept-0001", "after": 6}],
    "POST /api/v1/games/{game}/look/truth": [{"id": "truth-0001", "after": 6}],
    "POST /api/v1/games/{game}/measure": [{"a": {"unit": "BT1"}, "b": {"cell": "e5"}}],
    "POST /api/v1/games/{game}/shared": [{"id": "shared-001", "a": {"cell": "c11"}, "b": {"cell": "h11"}}],
    "POST /api/v1/games/{game}/report": [{"length": "full", "format": "html"}, {"length": "full", "format": "zip"}],
    "POST /api/v1/games/{game}/report/preview": [{"length": "full"}],
    "PUT /api/v1/games/{game}/camera": [{"camera": None}],
}
"""Bodies for the addresses that have to do with photos and with what Blue hides."""


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> list[Evening]:
    """Evenings on which Blue laid a mine elsewhere and photographed another deployment, and did nothing with it."""
    found = []
    for n, (mine, moved) in enumerate((("b12", {}), ("a10", {"BT1": "h11", "BG1": "i10"}))):
        one = Evening(tmp_path_factory.mktemp("twin"), STANDS | moved)
        one.blue.command(GAME, f"place mine {mine}")
        if n:
            one.canned.seen["bases"].append(seen("BT2", one.canned.seen["bases"][-1]["center"]))
            one.canned.seen["warnings"] = ["Two pieces stand in one square."]
        job = one.photographs(one.blue, b"twin" * (1 + 9 * n))
        one.known = {"0" * 64: one.blue.get(f"/api/games/{GAME}/look")["photo"], "/jobs/" + "0" * 16: f"/jobs/{job}"}
        assert one.blue.get(f"/api/jobs/{job}")["state"] == "done"
        found.append(one)
    assert [one.blue.get(f"/api/games/{GAME}/look")["bases"] for one in found] == [4, 5]
    return found


@pytest.mark.parametrize("who", in_gate("red", of=["red", "watcher", "host", "nobody"]))
def test_no_address_tells_what_a_secret_photo_shows(twins: list[Evening], who: str) -> None:
    """Who knows its hash and its job learns no more."""
    count = 0
    for name, method, path, body in asked(twins[0].place.app.openapi(), WISHES, "BT1"):
        heard = [one.told(who, method, path, body) for one in twins]
        assert heard[0] == heard[1], f"{name} tells {who} what a secret photo shows"
        count += method == "GET" and heard[0].startswith("200")
    assert who == "nobody" or count > 15, "most of it is answered"


def test_no_stream_tells_it_nor_whether_there_is_such_a_photo(twins: list[Evening]) -> None:
    for role in ("side red", "spectator"):
        streams = [_streamed(one, role) for one in twins]
        assert streams[0] == streams[1] and len(streams[0]) > 3
    for one in twins:
        found = one.place.host.answer("POST", f"/api/games/{GAME}/overlay/found")
        assert "This table has no photo yet" in sentence(found, 404)
        for who in ("red", "watcher", "host"):
            assert one.told(who, "GET", "/api/jobs/" + "0" * 16, None).startswith("404")
            unknown, known = (
                one.told(who, "GET", f"/api/tables/{table_of(GAME)}/photos/{sha}/upright.jpg", None)
                for sha in ("1" * 64, "0" * 64)
            )
            assert unknown == known


def ready(evening: Evening) -> None:
    for device, side in ((evening.red, "red"), (evening.blue, "blue")):
        device.command(GAME, f"deploy {side}")
        device.command(GAME, f"ready {side}")


def test_a_photo_of_a_secret_half_stays_secret_while_mines_are(evening: Evening) -> None:
    """What lay on the half for it may have told where the mines are."""
    evening.photographs(evening.red, b"1")
    ready(evening)
    look = f"/api/games/{GAME}/look"
    for device in (evening.blue, evening.watcher, evening.place.host):
        assert device.answer("GET", look).status_code == 404
    assert evening.red.get(look)["photo"]
    evening.blue.command(GAME, "concede blue")
    assert evening.place.services.commands.game(GAME).outcome is not None
    assert evening.watcher.get(look)["photo"]


def test_once_the_boards_are_joined_everybody_sees_a_new_photo(evening: Evening) -> None:
    evening.photographs(evening.red, b"1")
    ready(evening)
    evening.photographs(evening.red, b"2")
    assert evening.watcher.get(f"/api/games/{GAME}/photo")["url"] is not None
    look: Any = evening.blue.get(f"/api/games/{GAME}/look")
    assert look["photo"]


@pytest.mark.slow
@pytest.mark.parametrize("jump", [timedelta(hours=3), pytest.param(timedelta(hours=-3), marks=pytest.mark.slow)])
def test_a_clock_that_was_wrong_shows_no_secret_half(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    with monkeypatch.context() as wrong:
        wrong.setattr(jobs, "utc_now", lambda: utc_now() + jump)
        evening.photographs(evening.red, b"1")
    ready(evening)
    for device in (evening.blue, evening.watcher, evening.place.host):
        assert device.answer("GET", f"/api/games/{GAME}/look").status_code == 404


def test_states_at_a_time_are_those_within_its_second(evening: Evening) -> None:
    game = evening.place.services.commands.game(GAME)
    seconds = [0 if record.seq == 1 or record.kind == "noted" else 7 for record in game.records]
    dated = [
        replace(r, at=f"2026-01-01T10:00:{second:02}+00:00") for r, second in zip(game.records, seconds, strict=True)
    ]
    told = Game(game.ruleset, dated, version=game.version)
    armed = {
        at: [state.armed for state in states_at(told, f"2026-01-01T10:00:{at}+00:00")]
        for at in ("06.999", "07.000", "08.001")
    }
    assert armed == {
        "06.999": [(False, False)],
        "07.000": [(False, False), (True, False), (True, True)],
        "08.001": [(True, True)],
    }
