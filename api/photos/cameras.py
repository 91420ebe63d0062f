"""The cameras of a server: calibrated picture by picture, each kept as one document of corners, never of pictures."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, RLock
from typing import Any, TypedDict

from api.auth.access import AccessError
from api.engine import Engine
from api.errors import BusyError, ConflictError, NotThereError, problem_of
from api.photos.pictures import Pictures
from tabletop.equipment import camera_calibration
from tabletop.equipment.camera_calibration import CalibratedCamera, NoBoardError, PictureRow
from tabletop.game.core import now

FOLDER = "cameras"
MOST_CAMERAS = 60
MOST_PICTURES = 30
MOST_AT_ONCE = 2
"""Pictures that are decoded, or wait for it, at once."""


class CalibrationRow(TypedDict):
    """A calibrated camera that photos are read with: its name, the phone's model, and the camera's JSON."""

    name: str
    model: str | None
    camera: Mapping[str, Any]


@dataclass(frozen=True)
class Kept:
    """A camera's document: ``seat`` began it; ``pictures`` are the corners found, ``solved`` what was made of them."""

    id: str
    wish: str
    name: str
    board: str
    seat: str
    created: str
    model: str | None = None
    pictures: tuple[PictureRow, ...] = ()
    solved: CalibratedCamera | None = None

    def to_bytes(self) -> bytes:
        """As it is stored: the camera itself beside what else the solving told."""
        row = {key: value for key, value in vars(self).items() if key != "solved"}
        told = None if self.solved is None else dict(vars(self.solved))
        camera = None if told is None else told.pop("camera")
        return json.dumps({"version": 1, **row, "camera": camera, "solved": told}).encode()

    @classmethod
    def of(cls, data: bytes) -> Kept:
        """As it was stored."""
        row = {key: value for key, value in json.loads(data).items() if key != "version"}
        camera, told = row.pop("camera"), row.pop("solved")
        if told is not None:
            told = CalibratedCamera(camera, **{**told, "size": tuple(told["size"]), "advice": tuple(told["advice"])})
        return cls(**{**row, "pictures": tuple(row["pictures"])}, solved=told)

    @property
    def calibration(self) -> CalibrationRow:
        """What reads a game's photos; raises ConflictError before it is solved."""
        if self.solved is None:
            raise ConflictError(f"{self.name} is not solved yet: take more pictures of the board and solve it.")
        return {"name": self.name, "model": self.model, "camera": self.solved.camera}


@dataclass(frozen=True)
class Seen:
    """What a picture showed: its corners (``None``: no board, or one that does not count), a sentence, and the camera
    with it."""

    corners: PictureRow | None
    says: str
    kept: Kept


class Cameras:
    """All cameras of a server. Any thread may call."""

    def __init__(self, pictures: Pictures, engine: Engine) -> None:
        self._pictures = pictures
        self._engine = engine
        self._lock = RLock()
        self._room = BoundedSemaphore(MOST_AT_ONCE)

    # --- reading -----------------------------------------------------------------------------------------------------

    def all(self) -> list[Kept]:
        """Every camera, the newest first."""
        found = map(self._pictures.get, self._pictures.list_folder(FOLDER))
        known = [Kept.of(data) for data in found if data is not None]
        return sorted(known, key=lambda one: (one.created, one.id), reverse=True)

    def get(self, camera: str) -> Kept:
        """A camera; raises NotThereError."""
        data = self._pictures.get(_file(camera))
        if data is None:
            raise NotThereError("There is no such camera on this server; it may have been deleted.")
        return Kept.of(data)

    # --- changing ----------------------------------------------------------------------------------------------------

    def begin(self, wish: str, name: str, board: str, seat: str) -> Kept:
        """A camera to be calibrated; said again with the same ``wish`` by the same seat, it is the one begun before.

        Raises BoardError and UsageError for a board that can't be, ConflictError where there are too many cameras.
        """
        stated = camera_calibration.checked_board(board)
        with self._lock:
            known = self.all()
            again = next((one for one in known if (one.wish, one.seat) == (wish, seat)), None)
            if again is not None:
                return again
            if len(known) >= MOST_CAMERAS:
                raise ConflictError(f"This server keeps {MOST_CAMERAS} cameras, the most that it takes: delete one.")
            return self._put(Kept(secrets.token_hex(8), wish, name, stated, seat, now()))

    def look(self, camera: str, mine: Collection[str], data: bytes, name: str) -> Seen:
        """Look for the board in a picture and keep its corners; the picture itself is forgotten.

        A picture that was sent before counts once. Raises NotThereError, AccessError for another seat's camera,
        BusyError, ConflictError where there are pictures enough, and what the photo door raises.
        """
        kept = self._mine(camera, mine)
        self._check_room(kept)
        sha = hashlib.sha256(data).hexdigest()[:16]
        again = next((one for one in kept.pictures if one["sha"] == sha), None)
        if again is not None:
            return Seen(again, "This picture was sent before and counts once.", kept)
        try:
            with self._busy():
                found = self._engine.find_board(data, name, kept.board)
        except NoBoardError as error:
            return Seen(None, problem_of(error), kept)
        with self._lock:
            kept = self._mine(camera, mine)
            self._check_room(kept)
            size = kept.pictures[0]["size"] if kept.pictures else found["size"]
            if sorted(found["size"]) != sorted(size):
                says = (
                    f"This picture has {found['size'][0]} x {found['size'][1]} pixels and the others {size[0]} x "
                    f"{size[1]}: take all in one camera mode, without zoom."
                )
                return Seen(None, says, kept)
            model = found.pop("model")
            row: PictureRow = {**found, "name": f"picture {len(kept.pictures) + 1}", "sha": sha}
            kept = self._put(replace(kept, model=kept.model or model, pictures=(*kept.pictures, row)))
        return Seen(row, f"The board was found, {len(row['ids'])} of its corners.", kept)

    def solve(self, camera: str, mine: Collection[str]) -> Kept:
        """Solve the camera from its pictures, and keep it; raises PoorCoverage with what is missing, BoardNotFound."""
        kept = self._mine(camera, mine)
        with self._busy():
            solved = camera_calibration.solve(kept.pictures, kept.board)
        with self._lock:
            return self._put(replace(self._mine(camera, mine), solved=solved))

    def drop(self, camera: str, mine: Collection[str] | None) -> None:
        """Delete a camera; ``mine`` are the seats of who asks, ``None`` the server's host. Games that were told of it
        keep what they were told."""
        with self._lock:
            if mine is None:
                self.get(camera)
            else:
                self._mine(camera, mine)
            self._pictures.drop(_file(camera))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _put(self, kept: Kept) -> Kept:
        data = kept.to_bytes()
        self._pictures.put(_file(kept.id), data)
        return Kept.of(data)

    def _mine(self, camera: str, mine: Collection[str]) -> Kept:
        kept = self.get(camera)
        if kept.seat not in mine:
            raise AccessError("Another device calibrates this camera: begin one of your own.")
        return kept

    @staticmethod
    def _check_room(kept: Kept) -> None:
        if len(kept.pictures) >= MOST_PICTURES:
            raise ConflictError(f"{kept.name} has {MOST_PICTURES} pictures, the most that are taken: solve it now.")

    @contextmanager
    def _busy(self) -> Iterator[None]:
        if not self._room.acquire(blocking=False):
            raise BusyError("Other pictures of boards are being looked at: send this one again in a second.",
                            headers={"Retry-After": "1"})  # fmt: skip
        try:
            yield
        finally:
            self._room.release()


def _file(camera: str) -> str:
    return f"{FOLDER}/{camera}.json"
