"""The tables of one server, on which games' photos are read. Every change is written as one event, and returns the new
table."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock
from typing import Any

from api.engine import Engine, NamedRow, PhotoToRead, Progress, Reading
from api.errors import ConflictError, NotThereError
from api.photos.cameras import CalibrationRow
from api.photos.collections import SeatMargins, collections_at
from api.tables import state as states
from api.tables.rows import OverlayRow, PhotoRow, SharedRow
from api.tables.settled_photo import SettledPhoto, settled_photo
from api.tables.state import TableState
from api.tables.store import DROPPED, MOST_TABLES, OF_ONE_PHOTO, PHOTO, Event, Store
from tabletop.reconcile.ground_before import ground_of, terrain_row
from tabletop.reconcile.heights_before import follows, tells_heights
from tabletop.tables.model import SeenTerrain, TableFile, Terrain
from tabletop.tables.table_toml import table_toml


class Tables:
    """All tables of a data folder; ``collections`` is the learned data that their photos are read with and add to, in
    the file ``collection`` where one is named."""

    def __init__(self, store: Store, engine: Engine, collection: str = "") -> None:
        self.store = store
        self.engine = engine
        self.collections = collections_at(store.pictures, collection)
        self.margins = SeatMargins(store.pictures, self.collections)
        self._states: OrderedDict[str, tuple[str, TableState]] = OrderedDict()
        """The most recently used tables, each with the id of its last event."""
        self._lock = Lock()

    # --- reading ---------------------------------------------------------------------------------------------------

    def get(self, game: str, seq: int | None = None) -> TableState:
        """The table of that id, after its event ``seq`` (left out: the last one); raises NotThereError."""
        events = self._events(game, seq)
        with self._lock:
            id_, known = self._states.get(game, ("", None))
        if known is not None and (known.seq > len(events) or events[known.seq - 1].id != id_):
            known = None  # an earlier state, or another table under an old id
        state = known if known is not None and known.seq == len(events) else states.fold(game, events, known)
        with self._lock:
            self._states[game] = events[-1].id, state
            self._states.move_to_end(game)
            while len(self._states) > MOST_TABLES:
                self._states.popitem(last=False)
        return state

    def seq(self, game: str) -> int:
        """The number of the table's last event; raises NotThereError."""
        last = self.store.last(game)
        if not last:
            raise _no_table(game)
        return last

    def source(self, game: str) -> str:
        """The table file's text, with the grid's present place; raises NotThereError."""
        state = self.get(game)
        given = str(self.store.events(game)[0].body["toml"])
        if state.table == states.read_table(given, state.name):
            return given
        notes = [line.removeprefix("#").strip() for line in given.splitlines() if line.startswith("#")]
        return table_toml(state.table, notes)

    # --- changing --------------------------------------------------------------------------------------------------

    def create(self, source: str, name: str, table: str) -> TableState:
        """The table of that id from a table file's text, or the existing one; raises TableFileError."""
        states.read_table(source, name)
        self.store.append(table, 1, "table", {"name": name, "toml": source})
        return self.get(table)

    def read_photo(self, state: TableState, data: bytes, name: str, progress: Progress) -> Reading:
        """Read a photo, knowing the terrain: bases on a hill lie higher. What the table file or the game's players have
        drawn is certain; what earlier photos have shown counts beside what this one shows. So do the heights that the
        photo before tells, unless this one does not follow it, and what was learnt of the players' things.
        """
        table, before = _with_terrain(state), None if state.photo is None else state.observation()
        known, named = self.collections.files(), state.named.get(hashlib.sha256(data).hexdigest())
        calibration = None if state.camera is None else state.camera["calibration"]
        photo = PhotoToRead(data, name, table, progress, calibration, before, known, named)
        reading = self.engine.read_photo(photo)
        if before is not None and tells_heights(before) and not follows(before, reading.observation):
            reading = self.engine.read_photo(replace(photo, previous=None))
        return reading

    def settled_photo(self, game: str, seq: int | None = None) -> SettledPhoto | None:
        """What the photo of a table teaches, where it is settled, after the table's event ``seq`` (left out: the last
        one). Raises NotThereError."""
        state, events = self.get(game, seq), self._events(game, seq)
        photos = [event.seq for event in events if event.kind == PHOTO]
        before = photos[-2] if len(photos) > 1 else 1
        if all(event.kind in OF_ONE_PHOTO for event in events[before:]):
            return settled_photo(state, state)
        return settled_photo(state, states.fold(game, events[:before]))

    def upright_seen(self, state: TableState) -> tuple[Mapping[str, Any], bytes] | None:
        """The row of the camera (contract, section 3) and the plain picture (JPEG) of a table's last photo;
        ``None`` without a photo, and where the camera is not known or the picture is not stored."""
        views = state.photo["observation"].get("photos", []) if state.photo else []
        if state.photo is None or not views or not views[0].get("K"):
            return None
        picture = self.store.pictures.get(f"{state.photo['sha256']}/upright-{state.game}.jpg")
        return None if picture is None else (views[0], picture)

    def learn(self, game: str, settled: SettledPhoto) -> bytes:
        """The collection file of a settled photo alone; raises NotThereError where its picture is not stored, and as
        :meth:`api.engine.Engine.learn`."""
        picture = self.store.pictures.get(f"{settled.sha256}/upright-{game}.jpg")
        if picture is None:
            raise NotThereError("The picture of this photo is no longer on the server.")
        return self.engine.learn(picture, settled.sha256, settled.table, settled.observation)

    def add_reading(
        self, game: str, reading: Reading, event: str, *, by: str = "", taken_in: str = "", game_seq: int = 0
    ) -> TableState:
        """Put a photo's bases on the table in place of those of the photo before; ``by`` is the seat that took it,
        ``taken_in`` when the server got it, and ``game_seq`` the last event of the table's game at that moment.

        ``event`` is the id of the new event; if it exists already, nothing is written.
        """
        pictures = {
            "map": reading.map_jpeg,
            "annotated": reading.annotated_jpeg,
            "upright": reading.upright_jpeg,
        }
        with ThreadPoolExecutor(max_workers=len(pictures)) as beside:  # each waits for the disk, or the bucket
            for written in [
                beside.submit(self.store.pictures.put, f"{reading.sha256}/{name}-{game}.jpg", jpeg)
                for name, jpeg in pictures.items()
            ]:
                written.result()
        body: PhotoRow = {
            "sha256": reading.sha256,
            "by": by,
            "taken_in": taken_in,
            "game_seq": game_seq,
            "width": reading.width,
            "height": reading.height,
            "map": {"size": reading.map_size, "bounds": reading.map_bounds},
            "annotated": {"size": reading.annotated_size, "part": reading.annotated_part},
            "upright": {"size": reading.upright_size},
            "observation": reading.observation,
        }
        while not self.store.has(event):  # something else may be written meanwhile; the photo counts after that
            self.store.append(game, self.get(game).seq + 1, PHOTO, body, event)
        return self.get(game)

    def name_corners(self, game: str, sha256: str, named: NamedRow) -> None:
        """Have a photo read with corners that a player named in it."""
        while not self.store.append(game, self.get(game).seq + 1, states.NAMED, {"sha256": sha256, **named}):
            pass  # something else was written meanwhile

    def drop_photo(self, game: str, sha256: str) -> TableState:
        """Remove a photo, and the answers and corrections made to it, from a table, which returns to its state before
        that photo. Its pictures are deleted. Raises NotThereError."""
        if all(photo["sha256"] != sha256 for photo in self.store.photos(game)):
            raise NotThereError("This photo of the table no longer exists.")
        found = self._write(self.get(game), DROPPED, {"sha256": sha256})
        self.store.drop_pictures(game, sha256)
        return found

    def answer(self, game: str, question: Mapping[str, Any], value: Any, by: str = "") -> TableState:
        """Write the answer to a photo's open question; ``by`` is its source where no player answers. Raises AnswerError
        for an impossible one."""
        state = self.get(game)
        states.answered(state, question, value)
        return self._write(state, "answer", {"question": question, "value": value, **({"by": by} if by else {})})

    def share(self, game: str, id_: str, by: str, measurement: dict[str, Any]) -> SharedRow:
        """Show a measurement to all at a table; repeated with the same id, it is shown once."""
        while not self.store.has(id_):  # the table may change meanwhile; the measurement then follows
            self.store.append(
                game, self.get(game).seq + 1, states.MEASURED, {"by": by, "measurement": measurement}, id_
            )
        found = next((row for row in self.get(game).shared if row["id"] == id_), None)
        if found is None:
            raise ConflictError("This id is in use already: measure again.")
        return found

    def lay_grid(self, game: str, overlay: OverlayRow) -> TableState:
        """Place a board's grid on the table (see the event ``overlay``)."""
        return self._write(self.get(game), "overlay", overlay)

    def lay_terrain(self, game: str, terrain: Sequence[Terrain]) -> TableState:
        """Have the table's photos read by this terrain of its game, all there is; none: by what photos show."""
        return self._write(self.get(game), "terrain", {"terrain": states.rows_of(terrain)})

    def draw_terrain(self, game: str, pieces: Sequence[SeenTerrain]) -> TableState:
        """Have the table's photos read by these ``pieces`` of terrain that its game's players drew, beside what they
        show themselves."""
        state = self.get(game)
        rows = {one.piece.id: terrain_row(one.piece, one.sigma_in) for one in pieces}
        for name in [name for name, piece in state.drawn.items() if piece is not None and name not in rows]:
            state = self._write(state, "erase", {"terrain": name})
        for name, row in rows.items():
            if state.drawn.get(name) != row:
                state = self._write(state, "draw", {"piece": row})
        return state

    def use_camera(self, game: str, camera: str | None, calibration: CalibrationRow | None = None) -> TableState:
        """Read the table's photos with a calibrated camera from now on, or with none."""
        return self._write(self.get(game), "camera", {"camera": camera, "calibration": calibration})

    def correct_base(
        self, game: str, base: str, row: Mapping[str, Any], also: Mapping[str, Mapping[str, Any]] | None = None
    ) -> TableState:
        """Correct a base on a photo: ``row`` are the changes of its row, ``also`` those of other bases that follow;
        raises NotThereError."""
        state = self.get(game)
        state.base_seen(base)
        return self._write(state, "correct", {"base": base, "row": row, **({"also": also} if also else {})})

    def remove_base(self, game: str, base: str) -> TableState:
        """Remove something from a photo's bases that is not one; raises NotThereError."""
        state = self.get(game)
        state.base_seen(base)
        return self._write(state, "remove", {"base": base})

    def take_back(self, game: str) -> TableState:
        """Take back the last answer or correction; raises ConflictError where anything else has changed since."""
        state = self.get(game)
        if state.undo is None or state.undo.kind not in states.SAID_OF_PHOTO:
            raise ConflictError("There is no answer to take back: something else happened on this table since.")
        return self._write(state, "undo", {})

    def _events(self, game: str, seq: int | None) -> list[Event]:
        events = [event for event in self.store.events(game) if seq is None or event.seq <= seq]
        if not events:
            raise _no_table(game)
        return events

    def _write(self, state: TableState, kind: str, body: Mapping[str, Any]) -> TableState:
        """Append to the table as the caller saw it: refused if it has changed since the caller's checks."""
        if not self.store.append(state.game, state.seq + 1, kind, body):
            raise ConflictError("Someone else changed this table at the same moment; look, and try again.")
        return self.get(state.game)


def _with_terrain(state: TableState) -> TableFile:
    """The table file with the present terrain."""
    if state.table.terrain:
        return replace(state.table, terrain=tuple(map(states.terrain_piece, state.terrain)))
    drawn = [name for name, piece in state.drawn.items() if piece is not None]
    ground = ground_of(state.observation(), "the table's last photo", drawn)
    erased = [piece for piece in state.given if state.drawn.get(piece["id"], piece) is None]
    bare = tuple(tuple((float(x), float(y)) for x, y in piece["polygon"]) for piece in erased)
    return replace(state.table, ground=replace(ground, bare=ground.bare + bare))


def _no_table(game: str) -> NotThereError:
    return NotThereError(f'There is no table "{game}" on this server. Open the start page and pick one.')
