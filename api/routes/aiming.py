"""A phone's viewfinder on the way to a photo of the table: how it is aimed."""

import hashlib
import json
from typing import Annotated

from fastapi import APIRouter, Depends, UploadFile

from api.auth.access import Seat
from api.schemas.aiming import AimOut
from api.services.authentication import GameId, Gate
from api.services.heavy_work import heavy, need
from api.services.services import Services
from api.services.uploads import read_upload


def aim_routes(services: Services, gate: Gate) -> APIRouter:
    """The route."""
    api = gate.router("photos of games", route_class=gate.before_upload())

    @api.post("/games/{game}/aim", dependencies=[Depends(gate.aim)])
    @heavy(services.work)
    def aim_camera(game: GameId, frame: UploadFile, seat: Annotated[Seat, Depends(gate.player)]) -> AimOut:
        """Which frame markers a small frame of the viewfinder shows, from how high, and how to aim better. Nothing of
        the frame is kept."""
        table = services.table(game).table
        if table.frame is None:
            return AimOut(expected=[], seen=[], outlines=[], elevation_deg=None, advice="", good=False)
        jpeg, size = read_upload(frame), (table.width_in, table.depth_in)
        key = ("aim", hashlib.sha256(jpeg).hexdigest(), table.frame, size)
        found = json.loads(need(services.work, key, services.engine.looks.aim, jpeg, table.frame, size, sealed=True))
        return AimOut(expected=[marker.id for marker in table.frame.markers], **found)

    return api
