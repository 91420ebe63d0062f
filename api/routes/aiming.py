"""Preparing a photo of the table: aiming the viewfinder, and naming corners in a photo without markers."""

import hashlib
import json
from typing import Annotated

from fastapi import APIRouter, Depends, UploadFile

from api.auth.access import Seat
from api.schemas.aiming import AimOut
from api.schemas.naming import CheckOut, CheckWish, NamingOut
from api.services.authentication import GameId, Gate
from api.services.heavy_work import heavy, need
from api.services.services import Services
from api.services.uploads import read_upload


def aim_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("photos of games", route_class=gate.before_upload())

    @api.post("/games/{game}/aim", dependencies=[Depends(gate.aim)])
    @heavy(services.work)
    def aim_camera(game: GameId, frame: UploadFile, seat: Annotated[Seat, Depends(gate.player)]) -> AimOut:
        """The frame markers in a small frame of the viewfinder, its elevation, and how to aim better. The frame is not
        stored."""
        table = services.table(game).table
        if table.frame is None:
            return AimOut(expected=[], seen=[], outlines=[], elevation_deg=None, advice="", good=False)
        jpeg, size = read_upload(frame), (table.width_in, table.depth_in)
        key = ("aim", hashlib.sha256(jpeg).hexdigest(), table.frame, size)
        found = json.loads(need(services.work, key, services.engine.looks.aim, jpeg, table.frame, size, sealed=True))
        return AimOut(expected=[marker.id for marker in table.frame.markers], **found)

    @api.post("/games/{game}/naming", dependencies=[Depends(gate.aim)])
    @heavy(services.work)
    def help_naming(game: GameId, frame: UploadFile, seat: Annotated[Seat, Depends(gate.player)]) -> NamingOut:
        """Help for naming corners in a photo, from a small copy of it that is not stored."""
        state, jpeg = services.table(game), read_upload(frame)
        table = (state.table.width_in, state.table.depth_in)
        key = ("lines", hashlib.sha256(jpeg).hexdigest(), table)
        aid = json.loads(need(services.work, key, services.engine.looks.find_lines, jpeg, table, sealed=True))
        before = next(reversed(state.named.values()), None)
        return NamingOut.model_validate({**aid, "table": table, "before": before})

    plain = gate.router("photos of games")

    @plain.post("/games/{game}/naming/check", dependencies=[Depends(gate.aim)])
    @heavy(services.work)
    def check_naming(game: GameId, wish: CheckWish, seat: Annotated[Seat, Depends(gate.player)]) -> CheckOut:
        """Whether named corners place the table, and how surely; nothing is stored."""
        state = services.table(game)
        table, check = (state.table.width_in, state.table.depth_in), services.engine.looks.check_corners
        given = (wish.row(), table, (wish.width, wish.height), wish.focal_35mm)
        key = ("corners", json.dumps(given))
        return CheckOut.model_validate_json(need(services.work, key, check, *given, sealed=True))

    api.routes += plain.routes
    return api
