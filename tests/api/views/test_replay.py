"""A game step by step: the board that was shown then, to every seat, and what happened."""

from dataclasses import replace
from datetime import datetime
from math import dist
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from api.processes.work_queue import Task, WorkQueue
from api.services.table_photos import TablePhoto
from api.tables.store import table_of
from api.views import replay
from tabletop.game import Game
from tabletop.game.records import Record, groups
from tabletop.game.store import GameEntry
from tests.api.games.test_hidden import GAME, in_gate
from tests.api.photos.test_secret_photos import Evening
from tests.support.api_games import Device, Place
from tests.support.golden_games import FOLDER, begun, read
from tests.support.json_patch import patched

AT = "2026-05-02T14:00:00+00:00"
GAMES = {
    "combat-river-line": "side red",
    "combat-captain-crossroads": "",
    "combined-arms-enemy-player": "player 1",
    "measure-bare-table": "",
    "one-hour-ww2-flank-attack": "",
    "ww2-combined-arms-dead-mans-land": "",
}
"""Games by all rules, and a player of those that hide something."""
TURNS = 12


class Played:
    """A golden game that goes on action by action on a server."""

    def __init__(self, place: Place, name: str) -> None:
        rules, scenario, turns = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
        self.name, self.turns = name, list(turns)
        self._store = place.services.event_store
        self.game = begun(rules, scenario)
        self._store.create(GameEntry(name, rules, self.game.version, "An evening", AT), self.game.records)

    def go_on(self) -> None:
        """Do the next action."""
        self.keep(lambda game: self.turns.pop(0).done_in(game))

    def keep(self, job: Any) -> None:
        """Do something after all that is there, and have the server know."""
        seq = self._store.last(self.name)
        self.game = Game(self.game.ruleset, self._store.records(self.name), version=self.game.version)
        job(self.game)
        self._store.append(self.name, self.game.records[seq:])


def steps_seen(device: Device, game: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every step of a game with the board after it, as a phone makes them of the runs."""
    found: list[tuple[dict[str, Any], dict[str, Any]]] = []
    count = 1
    while len(found) < count:
        run = device.get(f"/api/games/{game}/replay?step={len(found) + 1}")
        board, count = run["board"], run["count"]
        for step in run["steps"]:
            board = patched(board, step["changes"])
            found.append((step, board))
    return found


@pytest.mark.parametrize("name", in_gate("combined-arms-enemy-player", of=GAMES))
def test_every_board_is_the_one_that_was_shown_then(place: Place, name: str) -> None:
    played = Played(place, name)
    roles = [role for role in (GAMES[name], "spectator") if role]
    devices = [place.host, *(place.seated(name, role, label=role) for role in roles)]
    shown: list[list[Any]] = [[device.get(f"/api/games/{name}")["board"]] for device in devices]
    for _ in range(TURNS):
        played.go_on()
        for device, boards in zip(devices, shown, strict=True):
            boards.append(device.get(f"/api/games/{name}")["board"])
    log = {event["seq"]: event["text"] for event in place.host.get(f"/api/games/{name}/log")["events"]}
    actions = groups(played.game.records)
    for device, boards in zip(devices, shown, strict=True):
        seen = steps_seen(device, name)
        assert [board for _, board in seen] == boards
        assert [step["number"] for step, _ in seen] == [*range(1, TURNS + 2)]
        for (step, _), rows in zip(seen, actions, strict=True):
            assert step["seq"] == rows[-1].seq
            assert set(step["says"]) == {log[record.seq] for record in rows}


def test_what_happened_lies_on_the_board_as_it_is_laid(place: Place) -> None:
    """A board of hexes that is turned and larger on its table has the ways of moves on its own hexes."""
    name = "combined-arms-enemy-player"
    played = Played(place, name)
    while not any(record.kind == "moved" for record in played.game.records):
        played.go_on()
    laid = {"size_in": 3.0, "origin": [9.0, 8.0], "rotation_deg": 10.0}
    place.host.ask("PUT", f"/api/games/{name}/overlay", json=laid)
    (_, before), (step, after) = steps_seen(place.host, name)[-2:]
    assert after["cell_size"] == 3.0
    way = next(trace["points"] for trace in step["traces"] if trace["look"].startswith("move"))
    stood, stands = ({piece["id"]: piece["center"] for piece in board["pieces"]} for board in (before, after))
    (moved,) = [piece for piece in stands if stood.get(piece) != stands[piece]]
    assert dist(way[-1], stands[moved]) < 1.5
    assert moved not in stood or dist(way[0], stood[moved]) < 1.5


def test_what_was_taken_back_is_no_step(place: Place) -> None:
    played = Played(place, "one-hour-ww2-flank-attack")
    played.go_on()
    before = steps_seen(place.host, played.name)
    played.go_on()
    played.keep(lambda game: game.pop(referee=True))
    played.keep(lambda game: game.note("Not so.", actor="referee"))
    assert steps_seen(place.host, played.name) == before
    gone = played.game.records[-3].seq
    assert place.host.get(f"/api/games/{played.name}/replay?seq={gone}")["at"] == len(before)
    assert place.host.get(f"/api/games/{played.name}/replay?seq=1")["at"] == 1
    answer = place.host.get(f"/api/games/{played.name}/replay?step={len(before) + 1}", 404)
    assert f"there is no step {len(before) + 1}" in answer["detail"]


def test_a_game_begun_anew_with_the_same_ids_is_told_anew(place: Place) -> None:
    boards = []
    for created, scenario in ((AT, "measure-bare-table"), (AT.replace("14", "15"), "one-hour-ww2-flank-attack")):
        rules, begins, _ = read((FOLDER / f"{scenario}.txt").read_text(encoding="utf-8"))
        (first,) = begun(rules, begins).records
        entry = GameEntry("anew", rules, 1, "An evening", created)
        place.services.event_store.create(entry, [replace(first, id="program-000001")])
        boards.append(place.host.get("/api/games/anew/replay")["board"])
        place.host.ask("DELETE", "/api/games/anew", 204)
    assert boards[0] != boards[1]


def test_a_run_stays_as_it_was_drawn_while_the_game_goes_on(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(place, "measure-bare-table")
    while len(groups(played.game.records)) < 2 * replay.RUN:
        played.go_on()
    drawn: list[int] = []
    make = WorkQueue.make

    async def counted(self: WorkQueue, seat: str, task: Task) -> bytes:
        drawn.extend([len(task.key[5])] if task.key[0] == "run" else [])  # type: ignore[arg-type]
        return await make(self, seat, task)

    monkeypatch.setattr(WorkQueue, "make", counted)
    first = steps_seen(place.host, played.name)
    assert drawn == [replay.RUN, replay.RUN]
    played.go_on()
    assert steps_seen(place.host, played.name)[: len(first)] == first
    assert drawn == [replay.RUN, replay.RUN, 1]


def test_the_last_photo_by_then_lies_beside_a_step_for_those_who_may_see_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.photographs(evening.red, b"1")
    evening.red.command(GAME, "place RT1 c2")
    sha = evening.red.get(f"/api/games/{GAME}/look")["photo"]
    (*_, last), (*_, others) = (steps_seen(device, GAME) for device in (evening.red, evening.blue))
    assert last[0]["photo"] == f"/api/v1/tables/{table_of(GAME)}/photos/{sha}/upright.jpg"
    assert others[0]["photo"] is None and others[0]["says"] == last[0]["says"]
    assert evening.red.answer("GET", last[0]["photo"]).status_code == 200
    evening.place.services.event_store.close()


def test_the_photos_of_steps_are_found_in_one_pass() -> None:
    at = datetime.fromisoformat(AT)
    photos = [TablePhoto(at, seq, str(seq)) for seq in (9, 8, 11, 4, 4, 2)]  # the third was taken last and read sooner
    records = [Record(seq, "", AT, "", "", {}, 0) for seq in range(1, 14)]
    firsts = [next((one.url for one in photos if one.precedes(record.seq, at)), None) for record in records]
    assert replay.photos_before(photos, records) == firsts and firsts[:3] == [None, None, "2"] and firsts[-1] == "9"
    many = [Mock(precedes=Mock(return_value=False)) for _ in range(100)]
    assert replay.photos_before(many, records) == [None] * 13 and all(one.precedes.call_count == 1 for one in many)
