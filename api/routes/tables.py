"""The server itself, stored tables, photos of games' tables: sending, progress, pictures."""

import hashlib
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response, UploadFile
from pydantic import Json

from api.auth.access import Seat
from api.auth.joining import svg_qr
from api.errors import NotThereError
from api.learning.learner import Learner
from api.photos.jobs import Jobs, unknown_job
from api.schemas.naming import NamedWish
from api.schemas.tables import HostOut, JobOut, Sha, TableBrief
from api.services.authentication import Gate, TableId
from api.services.services import Services
from api.services.table_photos import sees_job
from api.setup.starting import game_begun_by
from api.tables import shape
from api.tables.store import opening_event

JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="The job's id")]


def router(services: Services, gate: Gate, jobs: Jobs, learner: Learner) -> APIRouter:
    """The routes; a table's need a seat at its game, or at a stored table that has become none."""
    api = gate.router()
    _add_host(api, services, gate, jobs)
    uploads = gate.router(route_class=gate.before_upload(photos=True))
    _add_uploads(uploads, services, gate, jobs, learner)
    api.routes += uploads.routes
    _add_pictures(api, services, gate)
    return api


def _add_host(api: APIRouter, services: Services, gate: Gate, jobs: Jobs) -> None:
    tables, settings = services.tables, services.settings

    @api.get("/host", tags=["host"])
    def show_host() -> HostOut:
        """This server's name and the addresses for phones."""
        return HostOut(
            addresses=list(settings.addresses),
            demo=True,
            max_photo_bytes=settings.max_photo_bytes,
            max_table_bytes=settings.max_table_bytes,
        )

    @api.get(
        "/host/qr.svg", tags=["host"], response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
    )
    def draw_qr() -> Response:
        """The first address as a QR code."""
        if not settings.addresses:
            raise NotThereError("This server knows no address that a phone could reach.")
        return Response(svg_qr(settings.addresses[0], title="The server's address"), media_type="image/svg+xml")

    @api.get("/tables", tags=["tables"])
    def list_tables(request: Request, host: Annotated[Seat | None, Depends(gate.maybe_host)]) -> list[TableBrief]:
        """Stored tables without a game, the most recently used first: for the server's host all that became no game,
        for others those where they have a seat and none yet at the game that it became. A game's own table is in its
        game."""
        if host is not None:
            shown = services.lone_tables()
        else:
            mine = {seat.game for seat in gate.seats(request)}
            shown = [
                entry
                for entry in services.stored_tables()
                if entry.game in mine and game_begun_by(services, opening_event(entry.game)) not in mine
            ]
        return [shape.brief(tables.get(entry.game), entry.used) for entry in shown]

    @api.post("/demo", tags=["photos"], status_code=202)
    def begin_demo(seat: Annotated[Seat, Depends(gate.host_here)]) -> JobOut:
        """A new table from the bundled demonstration, and its photo to be read."""
        jobs.check_room()
        toml, name, photo, photo_name = tables.engine.demo()
        found = jobs.add(tables.create(toml, name, tables.store.new_game()).game, photo, photo_name, seat.seat)
        return shape.job(found, jobs.ahead(found))

    @api.get("/jobs/{job}", tags=["photos"], dependencies=[Depends(gate.here)])
    def show_job(job: JobId, request: Request) -> JobOut:
        """The progress of a photo; for seats that may see its table."""
        found = jobs.get(job)
        seat, owner = gate.table(found.game, request), services.owner_of(found.game)
        if owner is not None:
            taken = found.asked_by, found.sha256, found.created, found.game_seq
            if not sees_job(services, replace(seat, game=owner), *taken):
                raise unknown_job()
            if found.state == "done":
                services.notifier.notify(owner)  # a worker wrote it, and did not wake this process's streams
        return shape.job(found, jobs.ahead(found))


def _add_uploads(api: APIRouter, services: Services, gate: Gate, jobs: Jobs, learner: Learner) -> None:
    tables = services.tables

    @api.post("/tables/{game}/photos", tags=["photos"], status_code=202)
    def send_photo(
        game: TableId,
        photo: UploadFile,
        seat: Annotated[Seat, Depends(gate.table)],
        named: Annotated[Json[NamedWish] | None, Form()] = None,
    ) -> JobOut:
        """Have a photo of the table read, with corners ``named`` in it where the table can't be placed otherwise; its
        bases then replace those of the photo before."""
        owner, game_seq = services.owner_of(game), 0
        if owner is not None:
            learner.followed(owner)
            services.lay_terrain(owner)
            game_seq = services.commands.game(owner).seq
        tables.seq(game)
        data = photo.file.read()
        if named is not None:
            tables.name_corners(game, hashlib.sha256(data).hexdigest(), named.row())
        found = jobs.add(game, data, _file_name(photo.filename, "the photo"), seat.seat, game_seq)
        return shape.job(found, jobs.ahead(found))


def _add_pictures(api: APIRouter, services: Services, gate: Gate) -> None:
    @api.get(
        "/tables/{game}/photos/{sha}/{picture}.jpg",
        tags=["photos"],
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}},
        dependencies=[Depends(gate.table), Depends(gate.sees_photo)],
    )
    def show_photo(
        game: TableId,
        sha: Sha,
        picture: Literal["map", "annotated", "upright"],
        turn: Annotated[int, Query(ge=0, le=3)] = 0,
    ) -> Response:
        """The map, the photo with the bases drawn in, or the plain photo; turned by so many quarters clockwise."""
        data = services.store.pictures.get(f"{sha}/{picture}-{game}.jpg")
        if data is None:
            raise NotThereError("This picture is not on the server.")
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        if turn:
            return Response(shape.turned_picture(data, turn), media_type="image/svg+xml", headers=headers)
        return Response(data, media_type="image/jpeg", headers=headers)


def _file_name(given: str | None, otherwise: str) -> str:
    """The last part of an uploaded file's name, short and printable."""
    last = (given or "").replace("\\", "/").rsplit("/", 1)[-1].strip()
    clean = "".join(letter for letter in last if letter.isprintable())[:80]
    return clean or otherwise
