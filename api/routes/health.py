"""The health check of this server, for a monitor such as a container's."""

import math
import shutil
import time

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from fastapi_problem.error import Problem

from api.auth.seats import SERVER
from api.errors import note_away
from api.services.authentication import Gate
from api.services.services import Services
from tabletop.game.errors import StoreError

LEAST_BYTES = 50_000_000
"""What the disk must have free: one photo with its maps takes some megabytes."""


def health_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("seats")
    settings, well_until = services.settings, -math.inf

    @api.get("/health", status_code=204)
    async def tell_health() -> Response:
        """Answers nothing if the server and its database work and its disk has room; needs no seat.

        Otherwise a problem of the ``type`` ``database-away`` or ``disk-full``. A good result is cached for a second.
        """
        nonlocal well_until
        asked = time.monotonic()
        if asked >= well_until:
            await run_in_threadpool(look)
            well_until = asked + settings.look_again_s
        return Response(status_code=204)

    def look() -> None:
        try:
            services.event_store.last(SERVER)
        except StoreError as error:
            note_away(error)
            raise _problem("database-away", "The database does not answer, or can't be used.") from error
        if shutil.disk_usage(settings.data_dir).free < LEAST_BYTES:
            raise _problem("disk-full", "The disk of the data folder is full, or nearly so.")

    return api


def _problem(type_: str, detail: str) -> Problem:
    return Problem("Not well", type_=type_, detail=detail, status=503)
