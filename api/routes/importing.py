"""Importing a map or a roster of another program: it becomes a table file, with which a game starts."""

from fastapi import APIRouter, Depends

from api.schemas.importing import ImportOut, ImportWish
from api.services.authentication import Gate
from api.services.heavy_work import heavy
from api.services.services import Services
from api.setup.importing import import_wish


def import_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("starting", route_class=gate.before_upload())

    @api.post("/imports", dependencies=[Depends(gate.host_here)])
    @heavy(services.work)
    def import_file(wish: ImportWish) -> ImportOut:
        """A table file from a Universal VTT map or a roster (BattleScribe, New Recruit, Army Forge); nothing is
        stored."""
        return import_wish(services.work, wish)

    return api
