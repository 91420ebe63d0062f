"""Calibrating a phone's camera with live advice, and choosing the camera that a game's photos are read with."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response, UploadFile

from api.auth.access import AccessError, Seat
from api.auth.tokens import clean_label
from api.photos.cameras import MOST_PICTURES, Cameras, Kept, write_solved
from api.schemas.cameras import (
    BoardSeenOut,
    CameraChoice,
    CameraId,
    CameraOut,
    CameraWish,
    ChosenOut,
    SolvedOut,
)
from api.services.authentication import GameId, Gate, may_change
from api.services.heavy_work import heavy, need
from api.services.services import Services
from api.services.uploads import read_upload
from api.tables.state import TableState
from tabletop.equipment import camera_calibration
from tabletop.equipment.camera_calibration import PictureRow


def camera_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("cameras")

    def find(data: bytes, name: str, board: str) -> Mapping[str, Any]:
        key = ("board", hashlib.sha256(data).hexdigest(), board)
        most = services.settings.max_photo_pixels
        found: Mapping[str, Any] = json.loads(
            need(services.work, key, services.engine.looks.find_board, data, name, board, most, sealed=True)
        )
        return found

    def solve(pictures: Sequence[PictureRow], board: str) -> bytes:
        key = ("camera", board, *(one["sha"] for one in pictures))
        return need(services.work, key, write_solved, pictures, board)

    cameras = Cameras(services.store.pictures, find, solve)
    _add_calibrating(api, services, gate, cameras)
    _add_choosing(api, services, gate, cameras)
    return api


def _add_calibrating(api: APIRouter, services: Services, gate: Gate, cameras: Cameras) -> None:
    def playing_seats(request: Request) -> list[Seat]:
        """The device's seats, one of which must play or host; the one that it is known by first."""
        gate.here(request)
        seats = [seat for seat in gate.seats(request) if may_change(seat)]
        if not seats:
            raise AccessError("Spectators can't calibrate cameras; ask the host for a side.")
        return seats

    Seats = Annotated[list[Seat], Depends(playing_seats)]

    @api.get("/cameras")
    def list_cameras(seats: Seats) -> list[CameraOut]:
        """Every camera of this server, the newest first."""
        return [camera_out(services, kept, _ids(seats)) for kept in cameras.all()]

    @api.post("/cameras", status_code=201)
    def begin_camera(wish: CameraWish, seats: Seats) -> CameraOut:
        """Begin to calibrate a camera with a printed board. Repeating the same wish returns the same camera."""
        kept = cameras.begin(wish.id, clean_label(wish.name), wish.board, seats[0].seat)
        return camera_out(services, kept, _ids(seats))

    uploads = gate.router("cameras", route_class=gate.before_upload(anywhere=True))

    @uploads.post("/cameras/{camera}/photos")
    @heavy(services.work)
    def look_for_board(camera: CameraId, photo: UploadFile, seats: Seats) -> BoardSeenOut:
        """Find the board in a picture, and say what is still missing. The picture itself is not stored."""
        seen = cameras.look(camera, _ids(seats), read_upload(photo), "the picture")
        corners = seen.corners
        width, height = corners["size"] if corners else (0, 0)
        return BoardSeenOut(
            found=corners is not None,
            says=seen.says,
            corners=[(x, y) for x, y in corners["pixels"]] if corners else [],
            width=width,
            height=height,
            camera=camera_out(services, seen.kept, _ids(seats)),
        )

    api.routes += uploads.routes

    @api.post("/cameras/{camera}/solve")
    @heavy(services.work)
    def solve_camera(camera: CameraId, seats: Seats) -> CameraOut:
        """Solve the camera from the pictures so far; more may follow, and be solved again."""
        return camera_out(services, cameras.solve(camera, _ids(seats)), _ids(seats))

    @api.delete("/cameras/{camera}", status_code=204)
    def delete_camera(
        camera: CameraId, seats: Seats, host: Annotated[Seat | None, Depends(gate.maybe_host)]
    ) -> Response:
        """Delete a camera; allowed for its creator and the server's host."""
        cameras.drop(camera, None if host is not None else _ids(seats))
        return Response(status_code=204)


def _add_choosing(api: APIRouter, services: Services, gate: Gate, cameras: Cameras) -> None:
    @api.get("/games/{game}/camera")
    def show_chosen_camera(game: GameId, _seat: Annotated[Seat, Depends(gate.seat)]) -> ChosenOut:
        """The camera that the game's photos are read with."""
        return chosen_out(services.table(game))

    @api.put("/games/{game}/camera")
    def choose_camera(game: GameId, wish: CameraChoice, _seat: Annotated[Seat, Depends(gate.player)]) -> ChosenOut:
        """Have the game's photos read with a calibrated camera from now on, or with none."""
        calibration = None if wish.camera is None else cameras.get(wish.camera).calibration
        state = services.tables.use_camera(services.table(game, lay=True).game, wish.camera, calibration)
        services.notifier.notify(game)
        return chosen_out(state)


# --- shaping -----------------------------------------------------------------------------------------------------


def camera_out(services: Services, kept: Kept, mine: Collection[str]) -> CameraOut:
    """A camera as a device with these seats sees it."""
    count = len(kept.pictures)
    found = services.cache.get(("camera", kept.id, count), lambda: camera_calibration.so_far(kept.pictures, kept.board))
    return CameraOut(
        id=kept.id,
        name=kept.name,
        board=kept.board,
        created=kept.created,
        mine=kept.seat in mine,
        most_pictures=MOST_PICTURES,
        so_far=found,
        solved=None if kept.solved is None else SolvedOut.model_validate(kept.solved),
    )


def chosen_out(state: TableState) -> ChosenOut:
    """The camera chosen for a table."""
    if state.camera is None or state.camera["calibration"] is None:
        return ChosenOut(camera=None, name=None)
    return ChosenOut(camera=state.camera["camera"], name=state.camera["calibration"]["name"])


def _ids(seats: list[Seat]) -> frozenset[str]:
    return frozenset(seat.seat for seat in seats)
