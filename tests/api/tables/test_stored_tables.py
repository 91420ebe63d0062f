"""Stored tables without a game, with every kind of event that corrections by hand have left: they fold as ever, and
become games with all that stands on them."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from api.tables import state as states
from api.tables.session import Tables
from api.tables.store import Event, Store
from tests.paths import DATA
from tests.support.api_games import Place
from tests.support.api_support import Canned
from tests.tabletop.game.test_game_store_adoption import FIRST_SCHEMA

STORED: list[dict[str, Any]] = json.loads((DATA / "stored_tables.json").read_text())
"""Tables as a server of then has kept them: an id, the events, and the state that they led to."""
EVENING, GRIDDED = STORED
KINDS = {
    "table", "photo", "answer", "move", "label", "add", "remove", "draw", "redraw", "cut", "erase", "mark", "dice",
    "measured", "overlay", "camera", "undo", "redo",
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A server over a data folder that the first one has left."""
    with closing(sqlite3.connect(tmp_path / "tabletop.sqlite", isolation_level=None)) as connection:
        connection.execute(FIRST_SCHEMA)
        for table in STORED:
            for event in table["events"]:
                row = (table["id"], event["seq"], event["at"], event["kind"], json.dumps(event["body"]))
                connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
    return Place(tmp_path)


def as_json(tables: Tables, table: str) -> dict[str, Any]:
    """A table's state in the words of the stored one."""
    state = tables.get(table)
    assert state.photo is not None
    told = {
        **{name: getattr(state, name) for name in ("name", "created", "seq", "drawn", "marks", "dice", "camera")},
        "undo": state.undo and state.undo.kind,
        "overlay": state.table.overlay and asdict(state.table.overlay),
        "file_terrain": [piece.id for piece in state.table.terrain],
        "observation": state.observation(),
        "shared": [row["by"] for row in state.shared],
        "photo": state.photo["sha256"],
    }
    found: dict[str, Any] = json.loads(json.dumps(told))
    return found


def test_every_kind_of_event_is_among_the_stored_ones() -> None:
    assert {event["kind"] for table in STORED for event in table["events"]} == KINDS


@pytest.mark.parametrize("stored", STORED, ids=["evening", "gridded"])
def test_a_stored_table_stands_as_it_was_left_and_becomes_a_game_with_all_of_it(
    place: Place, stored: dict[str, Any]
) -> None:
    kept = {key: value for key, value in stored["state"].items() if key != "redo"}  # nothing is done again any more
    now = as_json(place.services.tables, stored["id"])
    # Where its players said that there is no terrain is kept since, for the photos to come.
    bare = now["observation"].pop("bare", [])
    assert now == kept
    assert [row["polygon"][0] for row in bare] == ([[3.0, 12.0]] if stored is EVENING else [])

    observation, marks = stored["state"]["observation"], stored["state"]["marks"]
    begun = place.host.ask("POST", f"/api/tables/{stored['id']}/game", 201)
    board = place.host.get(f"/api/games/{begun['id']}")["board"]

    def at(center: list[float]) -> tuple[float, float]:
        return round(center[0], 2), round(center[1], 2)

    assert {at(piece["center"]) for piece in board["pieces"]} == {at(base["center"]) for base in observation["bases"]}
    for base in observation["bases"]:
        piece = next(one for one in board["pieces"] if at(one["center"]) == at(base["center"]))
        if base["unit"] is not None:
            assert piece["unit"] == base["unit"]
        if base["facing"] is not None:
            assert piece["facing"] == pytest.approx(base["facing"] % 360)
    rows = {row["id"]: row for row in observation["terrain"]}
    assert {piece["id"] for piece in board["ground"]} == rows.keys()
    for piece in board["ground"]:
        row = rows[piece["id"]]
        assert (piece["kind"], piece["height"]) == (row["kind"], row["height"] or 0.0)
        assert piece["outline"] == [pytest.approx(corner) for corner in row["polygon"]]
    for unit in board["units"]:
        shown = {name.replace("_", "-"): int(value) for name, value in marks.get(unit["id"], {}).items() if value}
        assert {badge["says"] for badge in unit["badges"]} == {f"{count} {name}" for name, count in shown.items()}


@pytest.mark.parametrize("stored", STORED, ids=["evening", "gridded"])
def test_a_state_is_extended_by_what_follows_and_is_not_changed(stored: dict[str, Any]) -> None:
    events = [Event(**event) for event in json.loads(json.dumps(stored["events"]))]
    before, undone = states.fold(stored["id"], events[:1]), 0
    for n in range(2, len(events) + 1):
        was, whole = deepcopy(before), states.fold(stored["id"], events[:n])
        after = states.fold(stored["id"], events[:n], before)
        assert after == whole and before == was, events[n - 1].kind
        undone += events[n - 1].kind == "undo"
        if events[n - 1].kind in ("move", "mark"):
            rows = [after.bases[base] is row for base, row in before.bases.items()]
            assert sum(rows) >= len(rows) - 1, "the others are shared"
        before = after
    assert undone, "also where something was taken back"


def test_what_is_read_and_kept_of_a_table_does_not_grow_with_its_photos(tmp_path: Path) -> None:
    store, table = Store(tmp_path), Store.new_game()
    tables, sent, read = Tables(store, Canned()), range(2, 63), list[int]()
    seen = {"bases": [], "terrain": [], "warnings": [], "photos": ["x" * 10_000]}
    known = {"by": "somebody", "taken_in": "2026-11-29T10:00:00+00:00", "game_seq": 1}

    def count(text: bytes) -> str:
        read.append(len(text))
        return text.decode()

    def read_of(job: Callable[[str], object]) -> int:
        read.clear()
        job(table)
        return sum(read)

    sa.event.listen(store.kept._engine, "checkout", lambda connection, *_: setattr(connection, "text_factory", count))
    store.append(table, 1, "table", EVENING["events"][0]["body"])
    taken = []
    for seq in sent:
        body = {"sha256": f"{seq:064x}", **(known if seq > 5 else {}), "observation": seen, "size": [0, 0]}
        store.append(table, seq, "photo", body if seq > 5 else {**body, **known})  # as it was written once
        first, photos, again = read_of(tables.get), read_of(store.photos), read_of(tables.get)
        kept = [event.seq for event in store.events(table)[1:] if "_read" in vars(event.body)]
        taken.append((first, photos, again, kept == [seq]))
    assert taken[20] == taken[-1] and taken[-1][-1] and taken[-1][0] < 3 * 10_000 and taken[-1][1] + taken[-1][2] < 2000
    assert [photo["sha256"] for photo in store.photos(table)] == [f"{seq:064x}" for seq in reversed(sent)]
    assert all({"at": photo["at"], "sha256": photo["sha256"], **known} == photo for photo in store.photos(table))
    assert [event.body["observation"] for event in store.events(table)[1:]] == [seen] * len(sent)
    folded = tables.get(table)
    assert tables.get(table) is folded and tables.use_camera(table, None).photo is folded.photo, "it is kept"
    assert tables.get(table, 3).seq == 3 and tables.get(table).seq == len(sent) + 2
    store.kept.close()
