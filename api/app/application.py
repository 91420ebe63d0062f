"""The application: routes under /api, the phone page at /."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from api.app.document import openapi_maker
from api.app.page import add_page
from api.app.problems import add_problem_handlers
from api.app.versions import Versions
from api.auth.origin_checks import Guard
from api.engine import Engine
from api.learning.learner import Learner
from api.routes.aiming import aim_routes
from api.routes.cameras import camera_routes
from api.routes.collection import collection_routes
from api.routes.computers import computer_routes
from api.routes.games import game_routes
from api.routes.guides import guide_routes
from api.routes.health import health_routes
from api.routes.importing import import_routes
from api.routes.measuring import measure_routes
from api.routes.photo_comparison import look_routes
from api.routes.plugins import plugin_routes
from api.routes.programs import program_routes
from api.routes.replay import replay_routes
from api.routes.reports import report_routes
from api.routes.seats import seat_routes
from api.routes.starting import start_routes
from api.routes.tables import router
from api.schemas.importing import MOST_BYTES as IMPORT_BYTES
from api.services.authentication import Gate
from api.services.services import Services
from api.services.turns import Turns
from api.settings import Settings
from api.workers.photo_work import engine_of
from api.workers.worker_pool import PhotoService

ROUTES = (
    health_routes,
    seat_routes,
    game_routes,
    program_routes,
    computer_routes,
    guide_routes,
    measure_routes,
    start_routes,
    plugin_routes,
    import_routes,
    aim_routes,
    camera_routes,
    report_routes,
    replay_routes,
)
"""The most requested routes come first: addresses are matched in this order."""
MULTIPART_BYTES = 10_000  # the overhead of a form around its file


def create_app(settings: Settings, engine: Engine | None = None, *, rng: random.Random | None = None) -> FastAPI:
    """The server over a data folder, which is made when missing; its services are ``app.state.services``.

    ``engine`` does the program's work, and photos are read in the requests that send them; left out, it is the one in
    the settings, and worker processes read the photos. ``rng`` rolls dice. Raises UsageError where the data folder
    can't be written.
    """
    at_once = engine is not None
    engine = engine or engine_of(settings)
    services = Services(settings, engine, rng=rng)
    photos = PhotoService(settings, services.tables, at_once=at_once)
    services.at_end.append(photos.workers.end)
    services.at_once.append(photos.workers.kill)
    learner = Learner(services, photos.lessons, at_once=at_once)
    gate = Gate(services)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(photos.start)
        yield
        await run_in_threadpool(services.work.close)
        await run_in_threadpool(learner.close)
        await run_in_threadpool(photos.close)
        await run_in_threadpool(engine.close)
        await run_in_threadpool(services.watcher.close)
        await run_in_threadpool(services.notifier.close)
        await run_in_threadpool(services.event_store.checkpoint)

    routers = [
        *(routes(services, gate) for routes in ROUTES),
        look_routes(services, gate, learner),
        router(services, gate, photos.jobs, learner),
        collection_routes(services, gate, learner),
    ]
    app = FastAPI(
        title="Tabletop",
        description="Games on a wargames table, its photos, and what they show.",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # FastAPI makes the document in the event loop
        redirect_slashes=False,
        routes=[route for one in routers for route in one.routes],
        dependencies=[Depends(gate.program)],
        lifespan=lifespan,
        middleware=[
            Middleware(Versions),
            Middleware(Turns, most_bytes=settings.max_json_bytes, refusals=gate.refusals),
            Middleware(Guard, names=_names(settings), limit=_limit(settings)),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
    )
    app.state.services = services
    add_problem_handlers(app)
    add_page(app, settings.page_dir, gate)
    app.openapi = openapi_maker(app)  # type: ignore[method-assign]
    app.add_route("/api/openapi.json", lambda _request: JSONResponse(app.openapi()), include_in_schema=False)
    return app


def _names(settings: Settings) -> tuple[str, ...]:
    """Host names that the server answers to: the configured ones, and those in its own addresses."""
    return (*settings.names, *(urlsplit(address).hostname or "" for address in settings.addresses))


def _limit(settings: Settings) -> Callable[[str], int]:
    def limit(path: str) -> int:
        if path.endswith("/photos"):
            return settings.max_photo_bytes + MULTIPART_BYTES
        if path.endswith(("/aim", "/naming")):
            return settings.max_frame_bytes + MULTIPART_BYTES
        if path in ("/api/tables", "/api/games", "/api/plan"):
            return settings.max_table_bytes + MULTIPART_BYTES
        if path == "/api/imports":
            return IMPORT_BYTES
        return settings.max_json_bytes

    return limit
