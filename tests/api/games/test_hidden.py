"""What one side hides leaves the server for nobody else: twin games that differ only in it get the same answers.

Every address of the OpenAPI document is asked; one that is added later must be added here as well.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from api.auth.access import Seat
from api.auth.seats import SERVER
from api.tables.store import table_of
from api.views.screens import Screens
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.starting.scenarios import find
from tests.support.api_games import Device, Place
from tests.support.api_support import Canned
from tests.support.combined_arms_photos import base, photo_of
from tests.support.photo_games import photographed
from tests.support.streams import listen
from tests.tabletop.game.test_hidden_information import BOARD

GAME = "evening"
MUSTERS = ([5, 2], [4, 1])
"""What the twins' defenders roll for their platoons and guns."""
SEATS = ("host", "side attacker", "spectator", "nobody")
"""Who must not learn it."""

OWN = {"seat", "invitation", "code", "address", "qr", "seen", "created", "used", "at", "expires", "code_expires", "id"}
"""What is different for every device, game and moment; ids of games are alike in both."""

PLACES = {
    "rules": "combat", "scenario": "first-skirmish",
    "game": GAME, "unit": "D1", "token": "x", "base": "b1", "piece": "t1", "sha": "0" * 64, "picture": "map",
    "job": "0" * 16, "seat": "AAAAAAAA", "invitation": "AAAAAAAA", "camera": "0" * 16, "sheet": "markers",
    "draft": "0" * 32, "what": "markers", "learnt": "0" * 12,
    "number": "1", "die": "die1",
}  # fmt: skip

TIMES = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([+.][\d:.+]*)?")

LAST = ("/stream", "/leave", "DELETE /api/v1/games/{game}")
"""Asked on their own: the first goes on for ever, the second ends the seat, the third the game."""

ENEMY_CELLS = ("4-3", "5-2", "6-7")


def wishes(seq: int) -> dict[str, list[Any]]:
    """Bodies for the addresses that take any and change nothing hidden; ``None``: asked without."""
    judged = ["move D1 to 1-3", "fire D1 at 4-3", "call he 4-3", "show guns", "post 4-3 5-2 6-7 guns 4-3", "shoot A1"]
    judged.append("end")
    pairs = [({"unit": "D1"}, {"cell": cell}) for cell in ENEMY_CELLS]
    pairs += [({"unit": cell}, {"cell": "1-3"}) for cell in ENEMY_CELLS]
    return {
        "POST /api/v1/games/{game}/judge": [{"words": words} for words in judged],
        "POST /api/v1/games/{game}/nearest": [{"words": words} for words in judged],
        "POST /api/v1/games/{game}/measure": [{"a": a, "b": b} for a, b in pairs],
        "POST /api/v1/games/{game}/shared": [
            {"id": f"shared-{n:03d}", "a": a, "b": b} for n, (a, b) in enumerate(pairs)
        ],
        "PATCH /api/v1/games/{game}/look/bases/{base}": [{"facing": 60.0}],
        "POST /api/v1/games/{game}/look/accept": [{"id": "accept-001", "after": seq, "chosen": []}],
        "POST /api/v1/games/{game}/notes": [{"id": "note-0001", "text": "So far, so good."}],
        "POST /api/v1/games/{game}/computer": [
            {"id": f"computer-{says}", "after": seq, "says": says} for says in ("do", "impossible", "go-on")
        ],
        "POST /api/v1/games/{game}/commands": [
            {"id": f"command-{n:03d}", "after": seq, "words": words} for n, words in enumerate(judged[1:-1])
        ] + [{"id": "command-undo", "after": seq, "undo": True}],
        "POST /api/v1/games/{game}/report": [{"length": "full", "format": "html"}, {"length": "short", "format": "pdf"},
                                          {"length": "full", "format": "zip"}],
    }  # fmt: skip


class Twin:
    """One of two servers with a game that everybody but the defender must take for the same."""

    def __init__(self, folder: Path, muster: list[int], *, begins: bool = True) -> None:
        self.muster = muster
        self.canned = Canned()
        self.place = Place(folder, self.canned)
        setup = Setup(mode="enemy-player", title="An evening", board=tuple(BOARD.items()))
        self.place.services.event_store.start("combined-arms", setup, game=GAME, title="An evening")
        self.devices = {
            "host": self.place.host,
            "side attacker": self.place.seated(GAME, "side attacker", label="Ben"),
            "side defender": self.place.seated(GAME, "side defender", label="Cem"),
            "spectator": self.place.seated(GAME, "spectator", label="Dora"),
            "nobody": self.place.device(),
        }
        self.devices["side attacker"].command(GAME, "occupy")
        if begins:
            for step in self.secret_steps():
                step()

    def secret_steps(self) -> Iterator[Callable[[], object]]:
        """What the defender does that nobody else may know."""
        yield lambda: self.defender.command(GAME, "muster", dice=self.muster)
        options = self.defender.get(f"/api/games/{GAME}/options")["options"]
        yield lambda: self.defender.command(GAME, next(row["text"] for row in options if row["kind"] == "post"))

    def photographs(self) -> None:
        """The attacker's photo of the table: a platoon has moved, and pieces of the defenders lie there."""
        playing = self.place.services.commands.game(GAME)
        more = (base("counter-8", "counter", "4-3"), base("platoon-9", "platoon", "6-7"))
        self.canned.seen = photo_of(playing, {"D1": "1-3"}, counters=True, extra=more)
        photographed(self.devices["side attacker"], GAME)

    def seat(self, role: str) -> Seat:
        """Somebody's seat at the game."""
        if role == "host":
            return replace(self.place.services.seats.seats(SERVER)[0], game=GAME)
        return next(seat for seat in self.place.services.seats.seats(GAME) if str(seat.roles[0]) == role)

    @property
    def defender(self) -> Device:
        """The phone that may know."""
        return self.devices["side defender"]

    def secret(self) -> Any:
        return self.place.services.commands.game(GAME).state.secret

    def close(self) -> None:
        self.place.services.event_store.close()


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Twin, Twin]]:
    pair = tuple(Twin(tmp_path_factory.mktemp("twin"), muster) for muster in MUSTERS)
    for twin in pair:
        twin.photographs()
    yield pair  # type: ignore[misc]
    for twin in pair:
        twin.close()


def asked(
    document: dict[str, Any], bodies: dict[str, list[Any]], unit: str = "D1"
) -> Iterator[tuple[str, str, str, Any]]:
    """Every address with its method, filled in, and every body for it."""
    for path, operations in document["paths"].items():
        for method in operations:
            name = f"{method.upper()} {path}"
            if name.endswith(LAST):
                continue
            places = PLACES | {"unit": unit} | ({"game": table_of(GAME)} if path.startswith("/api/v1/tables") else {})
            filled = re.sub(r"\{(\w+)\}", lambda found: places[found[1]], path)  # noqa: B023
            for body in bodies.get(name, [None]):
                yield name, method.upper(), filled, body


def said(device: Device, method: str, path: str, body: Any) -> str:
    """The answer, less what is different for every device and moment."""
    answer = device.answer(method, path, **({} if body is None else {"json": body}))
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind.endswith("json"):
        told = json.dumps(_alike(answer.json()), sort_keys=True)
    elif kind == "application/pdf":
        told = _of_pdf(answer.content)
    elif kind == "application/zip":
        told = _of_zip(answer.content)
    else:
        told = answer.text
    timeless = TIMES.sub("TIME", told)
    return f"{answer.status_code} {kind} " + re.sub(r"\b[0-9a-f]{16}\b", _other_table, timeless)


def _other_table(found: re.Match[str]) -> str:
    """Tables that are nobody's game have ids by chance."""
    return found[0] if found[0] == table_of(GAME) else "TABLE"


def _alike(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "..." if _is_own(key, one) else _alike(one) for key, one in value.items()}
    return [_alike(one) for one in value] if isinstance(value, list) else value


def _is_own(key: str, value: Any) -> bool:
    return key == "seen_s" or (key in OWN and isinstance(value, str))


def _of_pdf(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def _of_zip(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(f"{name} {archive.read(name).decode('latin-1')}" for name in archive.namelist())


def in_gate(*gate: str, of: Iterable[str]) -> list[Any]:
    """Parameters, of which these are in the gate and the rest is slow."""
    return [pytest.param(one, marks=() if one in gate else pytest.mark.slow) for one in of]


def test_the_twins_differ_and_their_defenders_know(twins: tuple[Twin, Twin]) -> None:
    one, two = twins
    assert one.secret() != two.secret()
    first, second = (twin.defender.get(f"/api/games/{GAME}") for twin in twins)
    assert first["board"] != second["board"] or first["turn"] != second["turn"]
    look = one.devices["side attacker"].get(f"/api/games/{GAME}/look")
    assert look["bases"] > 2 and (look["proposals"] or look["questions"])


@pytest.mark.parametrize("seat", in_gate("side attacker", of=SEATS))
def test_every_address_answers_alike(twins: tuple[Twin, Twin], seat: str) -> None:
    document = twins[0].place.app.openapi()
    seq = twins[0].place.services.commands.game(GAME).seq
    count = 0
    for name, method, path, body in asked(document, wishes(seq)):
        first, second = (said(twin.devices[seat], method, path, body) for twin in twins)
        assert first == second, f"{name} tells {seat} what is hidden"
        assert not first.startswith("500"), f"{name} {body}: {first[:300]}"
        count += 1
    assert count >= len(document["paths"])
    assert twins[0].secret() != twins[1].secret()


def test_reading_writes_nothing(twins: tuple[Twin, Twin]) -> None:
    """Of a game that was photographed, and of one whose table nobody has asked for yet."""
    place = twins[0].place
    events, fresh = place.services.event_store, place.one_hour()
    before = {name: events.last(name) for name in (GAME, fresh, table_of(GAME), table_of(fresh))}
    for name, method, path, _ in asked(place.app.openapi(), {}):
        for shown in (path, path.replace(GAME, fresh).replace(table_of(GAME), table_of(fresh))):
            if method == "GET":
                place.host.answer(method, shown)
                after = {game: events.last(game) for game in before}
                assert after == before and {one.game for one in events.games()} <= before.keys(), name
    assert before[GAME] and before[table_of(GAME)] and not before[table_of(fresh)]


@pytest.mark.parametrize("seat", [*SEATS[:-1], "side defender"])
def test_every_step_is_told_alike_but_to_who_knows(twins: tuple[Twin, Twin], seat: str) -> None:
    path = f"/api/games/{GAME}/replay?step=1"
    count = twins[0].devices[seat].get(path)["count"]
    assert count == len(twins[0].devices[seat].get(path)["steps"]) == 4
    first, second = (said(twin.devices[seat], "GET", path, None) for twin in twins)
    assert (first == second) is (seat != "side defender")


@pytest.mark.parametrize("seat", ["side attacker", "spectator"])
def test_the_stream_tells_alike(twins: tuple[Twin, Twin], seat: str) -> None:
    """A seat of its own listens from the beginning until it is taken away."""
    heard = [_streamed(twin, seat) for twin in twins]
    assert heard[0] == heard[1]
    assert [event for event, _ in heard[0]].count("record") >= 4
    screens = [json.loads(data) for event, data in heard[0] if event == "screen"]
    assert [change["path"] for change in screens[0]["changes"]] == [""]


@pytest.mark.parametrize("seat", in_gate("side attacker", "side defender", of=[*SEATS[:-1], "side defender"]))
def test_what_changes_of_a_screen_is_told_alike(tmp_path: Path, seat: str) -> None:
    """Each secret action of the defender, and the move after them, as the phones of all others hear of them."""
    pair = [Twin(tmp_path / name, muster, begins=False) for name, muster in zip("ab", MUSTERS, strict=True)]
    told = []
    for twin in pair:
        screens, found = Screens(twin.place.services), []
        for step in twin.secret_steps():
            before = screens.screen(twin.seat(seat))
            step()
            after = screens.screen(twin.seat(seat))
            found.append((screens.changes(before, after), after.version))
        told.append(_alike(found))
        twin.close()
    assert pair[0].secret() != pair[1].secret()
    assert (told[0] == told[1]) is (seat != "side defender")
    assert all(changes for changes, _ in told[0])


def _streamed(twin: Twin, role: str) -> list[tuple[str, str]]:
    device = twin.place.seated(GAME, role, label="Eva")
    told = listen(twin.place, GAME, device, "old", 0)
    heard = re.findall(r"event: (\w+)\ndata: (.*)\n", told)
    return [(event, TIMES.sub("TIME", json.dumps(_alike(json.loads(data))))) for event, data in heard]


def test_who_takes_a_secret_sides_seat_is_told_to_all_and_kept(place: Place) -> None:
    scenario = find("first-skirmish")
    place.services.event_store.start(scenario.rules, scenario.setup, game=GAME, title=scenario.title)
    blue = place.seated(GAME, "side blue", label="Ben")
    blue.command(GAME, "army blue tanks 5 guns 3 mines 4")
    address = f"/api/games/{GAME}"

    def told(device: Device) -> list[str]:
        log = device.get(f"{address}/log")["events"]
        return [event["text"] for event in log if event["body"].get("seating")]

    place.host.ask("PUT", f"{address}/me", json={"roles": ["side blue"], "label": "Anna"})
    place.host.ask("PUT", f"{address}/me", json={"roles": ["spectator"], "label": "Anna"})
    own, first, second = told(blue)
    assert own.startswith("Ben has these roles now: Blue")
    assert first == "Anna has these roles now: Host and referee, Blue (while something is secret)."
    assert "Blue" not in second and second.startswith("Anna has these roles now: Host and referee")
    place.seated(GAME, "side blue", label="Cleo")
    assert told(blue)[-1].startswith("Cleo has these roles now: Blue")
