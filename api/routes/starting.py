"""Starting a game from the phone: scenarios and rules, a new game, its table file, its overlay, its prints."""

import pickle
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic_core import to_json

from api.auth.access import Role, Seat
from api.errors import TooOftenError
from api.schemas.games import MeOut, RoleOut
from api.schemas.starting import (
    BeginWish,
    BegunOut,
    FoundOverlayOut,
    OverlayOut,
    OverlayWish,
    PlanOut,
    PlanWish,
    RulesetOut,
    ScenarioOut,
    SideTitleOut,
)
from api.schemas.tables import SizeOut
from api.services.authentication import GameId, Gate, TableId, keep_seat
from api.services.devices import cookie_name
from api.services.heavy_work import heavy, need
from api.services.services import Services
from api.setup import board_placement
from api.setup.starting import Begun, Tried, begin, tried_elsewhere
from api.setup.table_games import game_of_table, roles_at_game
from api.tables.store import table_of
from api.views.seats import me, title_of
from tabletop.boards import board_of
from tabletop.equipment import prints
from tabletop.equipment.prints import Sheets
from tabletop.game import Game
from tabletop.game.computers import levels_by_side
from tabletop.game.registry import ruleset
from tabletop.game.text_parts import board
from tabletop.plugins import PluginError, called, left_out
from tabletop.starting.catalogue import offers
from tabletop.starting.scenario_options import describe_options
from tabletop.starting.scenarios import ListedScenario, Scenario, find, list_scenarios
from tabletop.tables.tablefile import parse_table
from tabletop.units import LengthUnit

MOST_GAMES = 1000
"""The most games of one server."""

MARKER_IN = 3.0
"""The side of frame markers where a table file names none."""

PDF = {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}
TOML = {"content": {"application/toml": {"schema": {"type": "string"}}}}
Paper = Annotated[Literal["letter", "a4"], Query(description="The paper's size")]
Unit = Annotated[LengthUnit, Query(description="The unit that the sheet states lengths in")]
Size = Annotated[float, Query(gt=0, le=24, allow_inf_nan=False)]
Length = Annotated[float, Query(ge=1, le=480, allow_inf_nan=False)]


def start_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("starting")
    _add_offers(api, services, gate)
    _add_beginning(api, services, gate)
    _add_overlay(api, services, gate)
    _add_prints(api, services, gate)
    return api


def _add_offers(api: APIRouter, services: Services, gate: Gate) -> None:
    @api.get("/scenarios", dependencies=[Depends(gate.here)], response_model=list[ScenarioOut])
    @heavy(services.work)
    def show_scenarios() -> Response:
        """The available scenarios."""
        return Response(need(services.work, ("scenarios",), write_scenarios), media_type="application/json")

    @api.get("/rulesets", dependencies=[Depends(gate.here)])
    def list_rulesets() -> list[RulesetOut]:
        """The rules of new games, their modes and switches, and the kinds of units for forms."""
        return [RulesetOut.model_validate(offer) for offer in offers().values()]


def _add_beginning(api: APIRouter, services: Services, gate: Gate) -> None:
    large = gate.router("starting", route_class=gate.before_upload())

    @large.post("/plan", dependencies=[Depends(gate.host_here)])
    @heavy(services.work)
    def plan_game(wish: PlanWish) -> PlanOut:
        """The game that a wish would start, or everything wrong with it; nothing is stored."""
        return PlanOut.model_validate(tried_elsewhere(services, wish, write_plan))

    @large.post("/games", status_code=201)
    @heavy(services.work)
    def begin_game(
        wish: BeginWish, request: Request, response: Response, host: Annotated[Seat, Depends(gate.host_here)]
    ) -> BegunOut:
        """Start a game and seat the host at it. Repeating the same wish returns the game that it started.

        A program takes no seat: the server's host is the game's, and takes sides on the page.
        """
        if len(services.games()) >= MOST_GAMES:
            raise TooOftenError(
                f"This server keeps {MOST_GAMES} games, the most that it takes: move its data folder away."
            )
        return _begun_out(begin(services, wish), wish.label or host.label, request, response)

    api.routes += large.routes

    @api.post("/tables/{game}/game", status_code=201, **gate.for_people)
    def begin_from_stored_table(
        game: TableId, request: Request, response: Response, seat: Annotated[Seat, Depends(gate.at_table)]
    ) -> BegunOut:
        """Make a game of `measure` from a table without a game, and seat there everyone with a seat at the table; asked
        again, it is the same. A game's own table opens its game."""
        begun = game_of_table(services, game)
        roles = roles_at_game(services, seat, begun)
        return _begun_out(replace(begun, roles=roles), seat.label, request, response)

    def _begun_out(begun: Begun, label: str, request: Request, response: Response) -> BegunOut:
        services.notifier.notify(begun.game)
        return BegunOut(
            id=begun.game,
            table=table_of(begun.game),
            title=begun.title,
            notes=begun.notes,
            again=begun.again,
            me=_own_seat(begun, label, request, response),
        )

    def _own_seat(begun: Begun, label: str, request: Request, response: Response) -> MeOut:
        """The device's own seat at the game, a new one if it has none; for a program, its host's."""
        if gate.token_name(request):
            return me(services, gate.seat(begun.game, request))
        held = request.cookies.get(cookie_name(begun.game))
        mine = next((seat for seat in gate.seats(request) if held and seat.game == begun.game), None)
        if mine is None:
            seated = services.seats.sit(begun.game, begun.roles, label)
            keep_seat(request, response, seated)
            mine = seated.seat
        return me(services, mine)

    @api.get("/games/{game}/table.toml", response_class=Response, responses={200: TOML})
    def download_table_file(game: GameId, _seat: Annotated[Seat, Depends(gate.seat)]) -> Response:
        """The game's table file, to download."""
        text = services.table_source(game)
        return Response(text, media_type="application/toml", headers=download_header(f"{game}.table.toml"))


def _add_overlay(api: APIRouter, services: Services, gate: Gate) -> None:
    @api.get("/games/{game}/overlay")
    def show_overlay(game: GameId, _seat: Annotated[Seat, Depends(gate.seat)]) -> OverlayOut | None:
        """The grid on the game's table; null: none was placed."""
        return board_placement.placed_overlay(services, game)

    @api.put("/games/{game}/overlay")
    def lay_overlay(game: GameId, wish: OverlayWish, _host: Annotated[Seat, Depends(gate.host)]) -> OverlayOut:
        """Place the grid on the table, by size, origin and turn, or by two cells that were tapped."""
        laid = board_placement.lay(services, game, wish)
        services.notifier.notify(game)
        return laid

    @api.post("/games/{game}/overlay/found")
    @heavy(services.work)
    def find_overlay_lines(game: GameId, host: Annotated[Seat, Depends(gate.host)]) -> FoundOverlayOut:
        """Find a board of squares by its lines in the table's last photo. The board is returned but not placed."""
        return board_placement.find_overlay(services, host)


def _add_prints(api: APIRouter, services: Services, gate: Gate) -> None:
    anybody = [Depends(gate.drawing), Depends(gate.here)]
    wanted: dict[str, Any] = {"response_class": Response, "responses": {200: PDF}}

    @api.get("/prints/markers.pdf", dependencies=anybody, **wanted)
    @heavy(services.work)
    def print_markers(
        width: Length = 36.0, depth: Length = 36.0, size: Size = 3.0, paper: Paper = "letter", unit: Unit = "in"
    ) -> Response:
        """Frame markers for a table of that size, in inches."""
        return _pdf(services, "markers.pdf", partial(prints.markers, width, depth, size, paper, unit))

    @api.get("/prints/tags.pdf", dependencies=anybody, **wanted)
    @heavy(services.work)
    def print_tags(
        count: Annotated[int, Query(ge=1, le=600)] = 24,
        first: Annotated[int, Query(ge=0, le=10_000)] = 0,
        size: Size = 0.6,
        dictionary: Annotated[str, Query(max_length=40)] = "DICT_APRILTAG_25h9",
        paper: Paper = "letter",
        unit: Unit = "in",
    ) -> Response:
        """Small tags for units' bases, numbered from the first."""
        return _pdf(services, "tags.pdf", partial(prints.tags, first, count, size, dictionary, paper, unit))

    @api.get("/prints/board.pdf", dependencies=anybody, **wanted)
    @heavy(services.work)
    def print_calibration_board(
        board: Annotated[str, Query(max_length=80, description="7x9:1in:0.75in:DICT_5X5_100; empty: the usual")] = "",
        paper: Paper = "letter",
    ) -> Response:
        """The calibration board."""
        return _pdf(services, "board.pdf", partial(prints.board, board, paper))

    @api.get("/games/{game}/prints/{what}.pdf", dependencies=[Depends(gate.drawing)], **wanted)
    @heavy(services.work)
    def print_game_sheets(
        game: GameId,
        what: Literal["markers", "tags"],
        seat: Annotated[Seat, Depends(gate.seat)],
        paper: Paper = "letter",
        unit: Unit = "in",
    ) -> Response:
        """A game's own frame markers, or its units' tags with their names."""
        table = services.table(seat.game).table
        if what == "tags":
            return _pdf(services, f"{game}-tags.pdf", partial(prints.tags_of, table, paper, unit))
        return _pdf(services, f"{game}-markers.pdf", partial(prints.markers_of, table, MARKER_IN, paper, unit))


# --- shaping -----------------------------------------------------------------------------------------------------


def write_scenarios() -> bytes:
    """The list of scenarios as JSON: files of the program and of other packages, which don't change. A scenario of
    another package that no game can start from is left out and logged."""
    found = []
    for entry in list_scenarios():
        make = partial(_found_out, entry)
        if not entry.package:
            found.append(make())
            continue
        try:
            found.append(called(make))
        except PluginError as error:
            left_out(f'The scenario "{entry.id}"', entry.package, str(error))
    return to_json(found)


def _found_out(entry: ListedScenario) -> ScenarioOut:
    return scenario_out(find(entry.id, entry.rules))


def scenario_out(scenario: Scenario) -> ScenarioOut:
    """A scenario in the list."""
    setup = scenario.setup
    trial = Game.new(ruleset(scenario.rules), setup)
    drawn = board_of(scenario.rules, trial.state)
    return ScenarioOut(
        id=scenario.id,
        number=scenario.number,
        title=scenario.title,
        rules=scenario.rules,
        notes=" ".join(scenario.notes.split()),
        source=scenario.source,
        size=SizeOut(width=drawn.width, depth=drawn.depth),
        sides=[SideTitleOut(id=side.id, title=side.title) for side in drawn.sides],
        units=len(drawn.units),
        turns=getattr(setup, "turns", 0),
        dice=getattr(setup, "dice", ""),
        choices=describe_options(scenario.rules, setup),
    )


def write_plan(tried: Tried) -> dict[str, Any]:
    """The game that would start, as JSON of a :class:`PlanOut`."""
    shown, state = board(tried.trial), tried.trial.state
    table = parse_table(tried.table)
    titles = {Role("side", side): str(shown.title(state, side)) for side in tried.trial.ruleset.sides(state)}
    playing = [role for role in tried.known if role.kind not in ("host", "spectator")]
    return PlanOut(
        title=tried.title,
        rules=tried.plan.rules,
        notes=" ".join(tried.plan.notes.split()),
        size=SizeOut(width=table.width_in, depth=table.depth_in),
        sides=[SideTitleOut(id=role.name, title=title) for role, title in titles.items()],
        units=len(table.units),
        roles=[RoleOut(role=str(role), title=titles.get(role) or title_of(role)) for role in playing],
        alone=[str(role) for role in tried.roles if role in playing],
        levels={side: list(found) for side, found in levels_by_side(tried.trial.ruleset, state).items()},
    ).model_dump(mode="json")


def download_header(name: str) -> Mapping[str, str]:
    """A response's header for a file to download under a name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _pdf(services: Services, name: str, sheets: partial[Sheets]) -> Response:
    pdf = need(services.work, ("sheets", pickle.dumps(sheets)), write_sheets, sheets)
    return Response(pdf, media_type="application/pdf", headers=download_header(name))


def write_sheets(sheets: partial[Sheets]) -> bytes:
    """A PDF to print, in the process that draws."""
    return sheets().printed.pdf
