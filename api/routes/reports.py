"""The report of a game from the phone: its contents, a preview, files; and the table for other programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import Response

from api.auth.access import Seat
from api.processes.work_queue import WorkQueue
from api.reports.reporting import Reports, file_name
from api.schemas.reports import Format, PictureStoryOut, PreviewOut, PreviewWish, ReportOut, ReportWish
from api.services.authentication import GameId, Gate
from api.services.heavy_work import heavy
from api.services.services import Services
from tabletop.units import LengthUnit

TYPES: dict[Format, str] = {
    "html": "text/html", "pdf": "application/pdf", "zip": "application/zip", "markdown": "text/markdown",
}  # fmt: skip
PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    )
)
"""What a report's page may load: only its styles. Only our own page may frame it."""


def report_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("reports")
    reports = Reports(services)
    _add_reports(api, gate, services.work, reports)
    _add_pictures(api, gate, services.work, reports)
    _add_exports(api, gate, services.work, reports)
    return api


def _add_reports(api: APIRouter, gate: Gate, work: WorkQueue, reports: Reports) -> None:
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/report")
    @heavy(work)
    def show_report(
        game: GameId,
        seat: Annotated[Seat, sitting],
        chances: Annotated[bool, Query(description="Moments by the chance to win, where that was computed")] = False,
    ) -> ReportOut:
        """The contents for a report of the game so far: its turns, notes and moments, and the available files."""
        return reports.out(seat, chances=chances)

    @api.post("/games/{game}/report/chances", dependencies=[Depends(gate.drawing)])
    @heavy(work)
    def count_chances(game: GameId, seat: Annotated[Seat, sitting]) -> ReportOut:
        """The report of a finished game with its moments ranked by the chance to win. Computers play on with and
        without each action, which takes up to a minute the first time."""
        return reports.count_chances(seat)

    @api.post("/games/{game}/report", dependencies=[Depends(gate.drawing)], **_file(*TYPES.values()))
    @heavy(work)
    def make_report_file(game: GameId, wish: ReportWish, seat: Annotated[Seat, sitting]) -> Response:
        """The report as a file: a page, a PDF, a zip for a blog with its pictures, or Markdown that names those."""
        return _file_response(reports.report(seat, wish), TYPES[wish.format], file_name(game, wish.format))

    @api.post("/games/{game}/report/preview", status_code=201, dependencies=[Depends(gate.drawing)])
    @heavy(work)
    def keep_preview(game: GameId, wish: PreviewWish, seat: Annotated[Seat, sitting]) -> PreviewOut:
        """Store a draft for a while, so that this device can preview it."""
        reports.report(seat, wish)
        return reports.keep(seat, wish)

    @api.get("/games/{game}/report/preview/{draft}", **_file("text/html"))
    @heavy(work)
    def show_preview(
        game: GameId, draft: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{24}$")], seat: Annotated[Seat, sitting]
    ) -> Response:
        """This device's draft as a separate page, without scripts."""
        page = reports.report(seat, reports.draft(seat, draft))
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": PAGE_POLICY})


def _add_pictures(api: APIRouter, gate: Gate, work: WorkQueue, reports: Reports) -> None:
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/report/pictures")
    @heavy(work)
    def show_picture_story(game: GameId, seat: Annotated[Seat, sitting]) -> PictureStoryOut:
        """The game in about four pictures with a paragraph each, to share."""
        return reports.picture_story(seat)

    @api.get("/games/{game}/report/pictures/{number}.png", **_file("image/png"))
    @heavy(work)
    def draw_chapter_picture(
        game: GameId,
        number: Annotated[int, Path(ge=1, le=10)],
        seat: Annotated[Seat, sitting],
        unit: Annotated[LengthUnit, Query(description="The unit of the lengths on it")] = "in",
    ) -> Response:
        """The map of one of those paragraphs."""
        return Response(reports.chapter_picture(seat, number, unit), media_type="image/png")


def _add_exports(api: APIRouter, gate: Gate, work: WorkQueue, reports: Reports) -> None:
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/table.geojson", **_file("application/geo+json"))
    @heavy(work)
    def export_geojson(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """All public features in table inches."""
        return _file_response(reports.geojson(seat), "application/geo+json", file_name(game, "geojson"))

    @api.get("/games/{game}/table.uvtt", **_file("application/json"))
    @heavy(work)
    def export_uvtt(
        game: GameId,
        seat: Annotated[Seat, sitting],
        pieces: Annotated[
            bool, Query(description="Draw the pieces too, or the ground alone for movable tokens")
        ] = True,
    ) -> Response:
        """A public Universal VTT map in squares of an inch, for remote play."""
        return _file_response(reports.uvtt(seat, pieces), "application/json", file_name(game, "uvtt"))

    @api.get("/games/{game}/board.svg", **_file("image/svg+xml"))
    @heavy(work)
    def draw_board(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """The whole game on a sheet, if it is played on a board."""
        return _file_response(reports.picture(seat), "image/svg+xml", file_name(game, "picture"))

    @api.get("/games/{game}/observation.json", **_file("application/json"))
    @heavy(work)
    def export_observation(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """The content of the table's last photo, with the players' corrections, as `tabletop observe` writes it."""
        return _file_response(reports.observation(seat), "application/json", file_name(game, "observation"))

    @api.get("/games/{game}/log.jsonl", **_file("application/x-ndjson"))
    def export_log(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """The whole log, as `tabletop log --out` writes it, once nothing in it is hidden."""
        return _file_response(reports.log(seat), "application/x-ndjson", file_name(game, "log"))

    @api.get("/games/{game}/log.csv", dependencies=[Depends(gate.drawing)], **_file("text/csv"))
    @heavy(work)
    def export_log_table(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """The whole log as a table for spreadsheets, an event a row, once nothing in it is hidden."""
        return _file_response(reports.log_csv(seat), "text/csv; charset=utf-8", file_name(game, "csv"))


def _file(*types: str) -> dict[str, Any]:
    """The description of a route that answers with a file."""
    return {"response_class": Response, "responses": {200: {"content": {each: {} for each in types}}}}


def _file_response(content: bytes, media_type: str, name: str) -> Response:
    """A file to download under a name."""
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
