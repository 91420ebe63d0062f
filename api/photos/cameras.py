"""The cameras of a server: calibrated picture by picture, each stored as one document of corners, never of pictures."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any, TypedDict, cast

from api.auth.access import AccessError
from api.errors import ConflictError, NotThereError
from api.photos.pictures import Pictures
from tabletop.equipment import camera_calibration
from tabletop.equipment.camera_calibration import CalibratedCamera, PictureRow
from tabletop.game.core import now

FOLDER = "cameras"
MOST_CAMERAS = 60
MOST_PICTURES = 30

Find = Callable[[bytes, str, str], Mapping[str, Any]]
"""Looks for a board in a picture, by its name and the board's line (JSON of :func:`api.app.looks.find_board`)."""
Solve = Callable[[Sequence[PictureRow], str], bytes]
"""Solves a camera, as :func:`write_solved` does."""


class CalibrationRow(TypedDict):
    """A calibrated camera that photos are read with: its name, the phone's model, and the camera's JSON."""

    name: str
    model: str | None
    camera: Mapping[str, Any]


@dataclass(frozen=True)
class Kept:
    """A camera's document: ``seat`` began it; ``pictures`` are the corners found, ``solved`` the result."""

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
        """As it is stored: the camera itself beside the other results of solving."""
        row = {key: value for key, value in vars(self).items() if key != "solved"}
        return json.dumps({"version": 1, **row, **_solved_row(self.solved)}).encode()

    @classmethod
    def of(cls, data: bytes) -> Kept:
        """As it was stored."""
        row = {key: value for key, value in json.loads(data).items() if key != "version"}
        solved = _solved(row.pop("camera"), row.pop("solved"))
        return cls(**{**row, "pictures": tuple(row["pictures"])}, solved=solved)

    @property
    def calibration(self) -> CalibrationRow:
        """The camera that reads a game's photos; raises ConflictError before it is solved."""
        if self.solved is None:
            raise ConflictError(f"{self.name} is not solved yet: take more pictures of the board and solve it.")
        return {"name": self.name, "model": self.model, "camera": self.solved.camera}


@dataclass(frozen=True)
class Seen:
    """The result of a picture: its corners (``None``: no board, or one that does not count), a sentence, and the
    camera with it."""

    corners: PictureRow | None
    says: str
    kept: Kept


class Cameras:
    """All cameras of a server. Any thread may call; ``find`` and ``solve`` do the slow work."""

    def __init__(self, pictures: Pictures, find: Find, solve: Solve) -> None:
        self._pictures = pictures
        self._find, self._solve = find, solve
        self._lock = RLock()

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
        """Start to calibrate a camera; repeated with the same ``wish`` by the same seat, it is the one started before.

        Raises BoardError and UsageError for an impossible board, ConflictError where there are too many cameras.
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
        ConflictError where there are pictures enough, and what looking for the board raises.
        """
        kept = self._mine(camera, mine)
        self._check_room(kept)
        sha = hashlib.sha256(data).hexdigest()[:16]
        again = next((one for one in kept.pictures if one["sha"] == sha), None)
        if again is not None:
            return Seen(again, "This picture was sent before and counts once.", kept)
        looked = self._find(data, name, kept.board)
        found = looked["row"]
        if found is None:
            return Seen(None, looked["says"], kept)
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
            row = cast(PictureRow, {**found, "name": f"picture {len(kept.pictures) + 1}", "sha": sha})
            kept = self._put(replace(kept, model=kept.model or model, pictures=(*kept.pictures, row)))
        return Seen(row, f"The board was found, {len(row['ids'])} of its corners.", kept)

    def solve(self, camera: str, mine: Collection[str]) -> Kept:
        """Solve the camera from its pictures, and keep it; raises what solving raises."""
        kept = self._mine(camera, mine)
        told = json.loads(self._solve(kept.pictures, kept.board))
        solved = _solved(told["camera"], told["solved"])
        with self._lock:
            return self._put(replace(self._mine(camera, mine), solved=solved))

    def drop(self, camera: str, mine: Collection[str] | None) -> None:
        """Delete a camera; ``mine`` are the seats of the requester, ``None`` the server's host. Games that use it keep
        their copy."""
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


def write_solved(pictures: Sequence[PictureRow], board: str) -> bytes:
    """The camera of pictures as it is stored; raises PoorCoverage with what is missing, BoardNotFound."""
    return json.dumps(_solved_row(camera_calibration.solve(pictures, board))).encode()


def _solved_row(solved: CalibratedCamera | None) -> dict[str, Any]:
    """The camera itself beside the other results of solving."""
    told = None if solved is None else dict(vars(solved))
    return {"camera": None if told is None else told.pop("camera"), "solved": told}


def _solved(camera: Mapping[str, Any], told: Mapping[str, Any] | None) -> CalibratedCamera | None:
    if told is None:
        return None
    return CalibratedCamera(camera, **{**told, "size": tuple(told["size"]), "advice": tuple(told["advice"])})


def _file(camera: str) -> str:
    return f"{FOLDER}/{camera}.json"
