"""The addresses under /api: parse, call one function, shape the answer."""

import io
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Depends, Path, Request, Response, UploadFile
from fastapi.concurrency import run_in_threadpool

from api.auth.access import Seat
from api.errors import NotThereError
from api.photos.jobs import Jobs
from api.schemas.tables import (
    BaseChange,
    DiceChange,
    HostOut,
    JobOut,
    MarksChange,
    NewBase,
    NewTerrain,
    SeqOut,
    TableBrief,
    TableOut,
    TerrainChange,
    ViewOut,
)
from api.services.authentication import Gate, TableId
from api.services.services import Services
from api.setup.starting import game_begun_by
from api.tables import shape
from api.tables.session import Tables
from api.tables.state import without_photo
from api.tables.store import opening_event

Sha = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
BaseId = Annotated[str, Path(min_length=1, max_length=80)]
TerrainId = Annotated[str, Path(min_length=1, max_length=80)]
UnitId = Annotated[str, Path(min_length=1, max_length=80)]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="The job's id")]


def router(services: Services, gate: Gate, jobs: Jobs) -> APIRouter:
    """The routes of this server and of its tables; a table's are for who has a seat at it, or at its game."""
    api = APIRouter(prefix="/api")
    _add_host(api, services, gate, jobs)
    uploads = APIRouter(route_class=gate.before_upload())
    _add_uploads(uploads, services, gate, jobs)
    api.include_router(uploads)
    at_table = APIRouter(prefix="/tables/{game}", dependencies=[Depends(gate.table), Depends(gate.sees_table)])
    _add_table(at_table, services, gate)
    _add_corrections(at_table, services.tables)
    _add_rulings(at_table, services.tables)
    api.include_router(at_table)
    return api


def _add_host(api: APIRouter, services: Services, gate: Gate, jobs: Jobs) -> None:
    tables, settings = services.tables, services.settings

    @api.get("/host", tags=["host"])
    def host() -> HostOut:
        """What this server is and where phones reach it."""
        return HostOut(
            addresses=list(settings.addresses),
            demo=True,
            max_photo_bytes=settings.max_photo_bytes,
            max_table_bytes=settings.max_table_bytes,
        )

    @api.get(
        "/host/qr.svg", tags=["host"], response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
    )
    def qr() -> Response:
        """The first address as a QR code."""
        if not settings.addresses:
            raise NotThereError("This server knows no address that a phone could reach.")
        out = io.BytesIO()
        segno.make(settings.addresses[0], error="m").save(out, kind="svg", scale=8, border=2, xmldecl=False)
        return Response(out.getvalue(), media_type="image/svg+xml")

    @api.get("/tables", tags=["tables"])
    def all_tables(request: Request, host: Annotated[Seat | None, Depends(gate.maybe_host)]) -> list[TableBrief]:
        """The tables without a game, the last used one first: for the server's host all that became none, for others
        those where they have a seat and none yet at the game that it became. A game's own table is in its game."""
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
    def demo(seat: Annotated[Seat, Depends(gate.host_here)]) -> JobOut:
        """A new table from the bundled demonstration, and its photo to be read."""
        jobs.check_room()
        toml, name, photo, photo_name = tables.engine.demo()
        found = jobs.add(tables.create(toml, name).game, photo, photo_name, seat.seat)
        return shape.job(found, jobs.ahead(found))

    @api.get("/jobs/{job}", tags=["photos"], dependencies=[Depends(gate.here)])
    def job(job: JobId, request: Request) -> JobOut:
        """How far a photo has come; for who may see its table."""
        found = jobs.get(job)
        gate.table(found.game, request)
        return shape.job(found, jobs.ahead(found))


def _add_uploads(api: APIRouter, services: Services, gate: Gate, jobs: Jobs) -> None:
    tables = services.tables

    @api.post("/tables", tags=["tables"], status_code=201, dependencies=[Depends(gate.host_here)])
    async def create(table_file: UploadFile) -> TableOut:
        """A new table from a table file (TOML)."""
        source, name = await table_file.read(), _file_name(table_file.filename, "the table file")
        return shape.table(await run_in_threadpool(tables.create, source, name))

    @api.post("/tables/{game}/photos", tags=["photos"], status_code=202, dependencies=[Depends(gate.photo)])
    def photograph(game: TableId, photo: UploadFile, seat: Annotated[Seat, Depends(gate.table)]) -> JobOut:
        """Have a photo of the table read; its bases then take the place of those of the photo before."""
        tables.seq(game)
        found = jobs.add(game, photo.file.read(), _file_name(photo.filename, "the photo"), seat.seat)
        return shape.job(found, jobs.ahead(found))


def _add_table(api: APIRouter, services: Services, gate: Gate) -> None:
    tables = services.tables

    @api.get("", tags=["tables"])
    def one(game: TableId, is_seen: Annotated[bool, Depends(gate.is_seen)]) -> TableOut:
        """A table, whole; without its last photo for whoever may not see that now."""
        state = tables.get(game)
        return shape.table(state if is_seen else without_photo(state))

    @api.get("/seq", tags=["tables"])
    def seq(game: TableId) -> SeqOut:
        """Whether the table has changed: cheap, for asking again and again."""
        return SeqOut(seq=tables.seq(game))

    @api.get(
        "/photos/{sha}/{picture}.jpg",
        tags=["photos"],
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}},
    )
    def picture(game: TableId, sha: Sha, picture: Literal["map", "annotated", "upright"]) -> Response:
        """The map, the photo with the bases drawn in, or the photo as it is."""
        data = tables.store.pictures.get(f"{sha}/{picture}-{game}.jpg")
        if data is None:
            raise NotThereError("This picture is not kept on the server.")
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return Response(data, media_type="image/jpeg", headers=headers)


def _add_corrections(api: APIRouter, tables: Tables) -> None:
    @api.patch("/bases/{base}", tags=["corrections"])
    def change_base(game: TableId, base: BaseId, change: BaseChange) -> TableOut:
        """Move or turn a base, give it to a unit or a side, or make it the unit's unique one."""
        wish: dict[str, Any] = change.model_dump(exclude_unset=True)
        wish = {key: value for key, value in wish.items() if value is not None or key in ("unit", "side")}
        return shape.table(tables.change_base(game, base, wish))

    @api.post("/bases", tags=["corrections"], status_code=201)
    def add_base(game: TableId, base: NewBase) -> TableOut:
        """Add a base that the photo missed."""
        return shape.table(tables.add_base(game, base.unit, base.center, base.facing, base.unique))

    @api.delete("/bases/{base}", tags=["corrections"])
    def remove_base(game: TableId, base: BaseId) -> TableOut:
        """Remove what is no base."""
        return shape.table(tables.remove_base(game, base))

    @api.post("/terrain", tags=["corrections"], status_code=201)
    def draw_terrain(game: TableId, piece: NewTerrain) -> TableOut:
        """Draw a piece of terrain; it takes part in the rulings at once."""
        return shape.table(tables.draw_terrain(game, piece.model_dump(exclude_none=True)))

    @api.patch("/terrain/{piece}", tags=["corrections"])
    def change_terrain(game: TableId, piece: TerrainId, change: TerrainChange) -> TableOut:
        """Change a piece of terrain, drawn by hand or given in the table file."""
        wish: dict[str, Any] = change.model_dump(exclude_unset=True)
        wish = {key: value for key, value in wish.items() if value is not None or key == "hill_top"}
        return shape.table(tables.change_terrain(game, piece, wish))

    @api.delete("/terrain/{piece}", tags=["corrections"])
    def erase_terrain(game: TableId, piece: TerrainId) -> TableOut:
        """Take a piece of terrain off the table."""
        return shape.table(tables.erase_terrain(game, piece))

    @api.patch("/units/{unit}", tags=["corrections"])
    def mark(game: TableId, unit: UnitId, change: MarksChange) -> TableOut:
        """Change a unit's markers."""
        return shape.table(tables.mark(game, unit, change.model_dump(exclude_none=True)))

    @api.put("/dice", tags=["corrections"])
    def dice(game: TableId, change: DiceChange) -> TableOut:
        """Choose the dice."""
        return shape.table(tables.set_dice(game, change.dice))

    @api.post("/undo", tags=["corrections"])
    def undo(game: TableId) -> TableOut:
        """Take back the last change."""
        return shape.table(tables.undo(game))

    @api.post("/redo", tags=["corrections"])
    def redo(game: TableId) -> TableOut:
        """Do again what was taken back last."""
        return shape.table(tables.redo(game))


def _add_rulings(api: APIRouter, tables: Tables) -> None:
    @api.get("/units/{unit}", tags=["rulings"])
    def view(game: TableId, unit: UnitId) -> ViewOut:
        """A unit's ranges, front, threat zone and every shot from and at it, with reasons."""
        state = tables.get(game)
        return shape.view(state, tables.view(state, unit))

    @api.get("/report", tags=["rulings"])
    def report(game: TableId) -> dict[str, Any]:
        """Every shot judged, as `tabletop report` writes it."""
        return tables.report(tables.get(game))

    @api.get("/observation", tags=["rulings"])
    def observation(game: TableId) -> dict[str, Any]:
        """The observation with the players' corrections, as `tabletop observe` writes it."""
        return tables.get(game).observation()


def _file_name(given: str | None, otherwise: str) -> str:
    """The last part of an uploaded file's name, short and printable."""
    last = (given or "").replace("\\", "/").rsplit("/", 1)[-1].strip()
    clean = "".join(letter for letter in last if letter.isprintable())[:80]
    return clean or otherwise
