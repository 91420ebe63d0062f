"""Deployments and mines of Combat leave the server for nobody else: twins that differ only in them are told alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.api.games.test_hidden import GAME, asked, in_gate, said
from tests.support.api_games import Device, Place

SEATS = ("host", "side red", "spectator", "nobody")
"""Who must not learn what Blue hides."""

FIRST = f"{1:016x}"
ARMIES = ("army blue tanks 5 guns 3 mines 4", "army blue tanks 2 guns 5 foot 1 mines 4")
MINES = (("b12", "d12", "h12", "j12"), ("a10", "d10", "i10", "j10"))


def wishes(seq: int) -> dict[str, list[Any]]:
    """Bodies for the addresses that take any and change nothing that Blue hides."""
    judged = [
        "move RT1 to e8",
        "fire RT1 at BT1",
        "place BT1 b11",
        "place mine b12",
        "unplace b12",
        "ready blue",
        "end",
    ]
    pairs = [({"unit": "RT1"}, {"cell": cell}) for cell in ("b12", "d10", "h11")]
    pairs += [({"unit": "BT1"}, {"cell": "e5"}), ({"cell": "b12"}, {"cell": "a10"})]
    return {
        "POST /api/v1/games/{game}/judge": [{"words": words} for words in judged],
        "POST /api/v1/games/{game}/measure": [{"a": a, "b": b} for a, b in pairs],
        "POST /api/v1/games/{game}/shared": [
            {"id": f"shared-{n:03d}", "a": a, "b": b} for n, (a, b) in enumerate(pairs)
        ],
        "POST /api/v1/games/{game}/notes": [{"id": "note-0001", "text": "So far, so good."}],
        "POST /api/v1/games/{game}/commands": [
            {"id": f"command-{n:03d}", "after": seq, "words": words} for n, words in enumerate(judged[2:])
        ] + [{"id": "command-undo", "after": seq, "undo": True}],
        "POST /api/v1/games/{game}/report": [{"length": "full", "format": "html"}, {"length": "full", "format": "zip"}],
    }  # fmt: skip


class Twin:
    """One of two servers with a game that everybody but Blue must take for the same."""

    def __init__(self, folder: Path, stage: str, number: int) -> None:
        self.place = Place(folder)
        scenario = find("first-skirmish", "combat")
        self.place.services.event_store.start(
            "combat", scenario.setup, game=GAME, title="An evening", ids=lambda: FIRST
        )  # advice that is left to chance is thrown by the first event's id
        self.devices: dict[str, Device] = {"host": self.place.host, "nobody": self.place.device()}
        for role, label in (("side red", "Cleo"), ("side blue", "Ben"), ("spectator", "Dora")):
            self.devices[role] = self.place.seated(GAME, role, label=label)
        if stage == "deploying":
            self.says("blue", ARMIES[number], "deploy blue")
            self.says("red", "army red tanks 4 guns 4 mines 4")
            return
        self.says("red", "army red tanks 4 guns 4 mines 4", "deploy red", "ready red")
        self.says("blue", "army blue tanks 4 guns 4 mines 4")
        self.says("blue", *(f"place mine {square}" for square in MINES[number]))
        tanks, guns = ("e11", "f11", "e10", "f10"), ("a11", "b10", "i11", "j11")
        placed = [f"BT{n} {at}" for n, at in enumerate(tanks, 1)] + [f"BG{n} {at}" for n, at in enumerate(guns, 1)]
        self.says("blue", "place " + " ".join(placed), "ready blue")
        self.says("red", "first red")

    def says(self, side: str, *words: str) -> None:
        for said_ in words:
            self.devices[f"side {side}"].command(GAME, said_)

    def board(self, who: str) -> Any:
        return self.devices[who].get(f"/api/games/{GAME}")["board"]


@pytest.fixture(scope="module", params=["deploying", "mines"])
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Twin, Twin]]:
    pair = tuple(Twin(tmp_path_factory.mktemp("twin"), request.param, number) for number in range(2))
    yield pair  # type: ignore[misc]
    for twin in pair:
        twin.place.services.event_store.close()


def test_the_twins_differ_and_blue_knows(twins: tuple[Twin, Twin]) -> None:
    assert twins[0].board("side blue") != twins[1].board("side blue")
    assert twins[0].board("side red") == twins[1].board("side red")


@pytest.mark.parametrize("seat", in_gate("side red", of=SEATS))
def test_every_address_answers_alike(twins: tuple[Twin, Twin], seat: str) -> None:
    document = twins[0].place.app.openapi()
    seq = twins[0].place.services.commands.game(GAME).seq
    for name, method, path, body in asked(document, wishes(seq), "RT1"):
        first, second = (said(twin.devices[seat], method, path, body) for twin in twins)
        assert first == second, f"{name} tells {seat} what is hidden"
        assert not first.startswith("500"), f"{name} {body}: {first[:300]}"
    assert twins[0].board("side blue") != twins[1].board("side blue")


def test_who_takes_a_secret_sides_seat_is_told_to_all_and_kept(place: Place) -> None:
    scenario = find("first-skirmish")
    place.services.event_store.start(scenario.rules, scenario.setup, game=GAME, title=scenario.title)
    blue = place.seated(GAME, "side blue", label="Ben")
    blue.command(GAME, ARMIES[0])
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
