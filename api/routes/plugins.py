"""What other packages bring besides rulesets and scenarios: armies, and sheets to print."""

from fastapi import APIRouter, Depends, Response

from api.routes.starting import PDF, Paper, Unit, download_header
from api.schemas.plugins import ArmyOut, SheetOut
from api.schemas.tables import Name
from api.services.authentication import Gate
from api.services.heavy_work import heavy, need
from api.services.services import Services
from tabletop.equipment.prints import other_sheet, other_sheets
from tabletop.starting.armies import army_plugins
from tabletop.starting.new_game import name_of_file


def plugin_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("starting", dependencies=[Depends(gate.here)])

    @api.get("/armies")
    def list_armies() -> list[ArmyOut]:
        """The armies of other packages, each a table file to start a game with."""
        return [
            _army_out(name_of_file(table.name), plugin.package, table.name, text)
            for plugin in army_plugins()
            if plugin.value is not None
            for table, text in plugin.value.things
        ]

    @api.get("/prints/sheets")
    def list_sheets() -> list[SheetOut]:
        """The sheets of other packages."""
        return [SheetOut(id=name, title=sheet.title, says=sheet.says) for name, sheet in other_sheets().items()]

    @api.get(
        "/prints/sheets/{sheet}.pdf",
        dependencies=[Depends(gate.drawing)],
        response_class=Response,
        responses={200: PDF},
    )
    @heavy(services.work)
    def print_sheet(sheet: Name, paper: Paper = "letter", unit: Unit = "in") -> Response:
        """A sheet of another package."""
        asked = (sheet, paper, unit)
        pdf = need(services.work, ("sheet", *asked), other_sheet, *asked)
        return Response(pdf, media_type="application/pdf", headers=download_header(f"{sheet}.pdf"))

    return api


def _army_out(name: str, package: str, file: str, text: str) -> ArmyOut:
    title = name.replace("-", " ").replace("_", " ").capitalize()
    return ArmyOut(id=name, title=title, package=package, table_name=file, table_file=text)
