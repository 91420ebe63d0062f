"""Measuring: a unit's overlays, any two things, measurements shown to all, and the photo to draw on."""

from functools import partial
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Path, Response
from pydantic_core import to_json

from api.auth.access import Seat
from api.games.computing import game_of, log_of
from api.schemas.measuring import (
    LensOut,
    MeasureWish,
    PhotoGroundOut,
    SharedOut,
    ShareWish,
    Thing,
    UnitOverlays,
)
from api.services.authentication import GameId, Gate
from api.services.heavy_work import Later, heavy, need
from api.services.response_cache import json_response
from api.services.services import Services
from api.services.table_photos import sees_photo
from api.setup.board_placement import laid_on, laid_on_table, table_file
from api.tables.rows import PhotoRow
from api.tables.shape import map_url, upright
from api.tables.store import table_of
from tabletop.boards.data import plain
from tabletop.game import Game
from tabletop.game.protocol import PUBLIC
from tabletop.measuring import Measurement, measure, overlays
from tabletop.tables.model import TableFile

MOST_SHARED = 8
"""The most measurements shown to all that stay in sight."""
MANY_UNITS = 60
"""With more units than this, one unit's overlays are heavy work."""

UnitId = Annotated[str, Path(min_length=1, max_length=80)]


def measure_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("measuring")
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/units/{unit}/overlays", response_model=UnitOverlays)
    @heavy(services.work)
    def show_unit_overlays(game: GameId, unit: UnitId, seat: Annotated[Seat, sitting]) -> Response:
        """A unit's ranges, arcs, threat zone and reach, and its lines of sight with their reasons."""
        playing, viewer, table = services.commands.game(game), services.viewer(seat), table_file(services, game)
        key = ("overlays", game, playing.seq, playing.standing_digest, unit, viewer, table and table.overlay)
        if len(getattr(playing.state, "units", ())) > MANY_UNITS:  # each is measured from this one
            log = Later(partial(log_of, playing))
            drawn = need(services.work, key, write_overlays, log, table, unit, viewer)
        else:
            drawn = services.cache.get(key, partial(overlays_json, playing, table, unit, viewer))
        return Response(drawn, media_type="application/json")

    @api.post("/games/{game}/measure", response_model=Measurement)
    def measure_pair(game: GameId, wish: MeasureWish, seat: Annotated[Seat, sitting]) -> Response:
        """How far two things are apart. Only this device gets the answer."""
        return json_response(_measure(services, game, wish, services.viewer(seat)))

    @api.get("/games/{game}/shared", response_model=list[SharedOut])
    def list_shared_measurements(game: GameId, _seat: Annotated[Seat, sitting]) -> Response:
        """The measurements shown to all, the last one first."""
        return json_response(services.table(game).shared[: -MOST_SHARED - 1 : -1])

    @api.post("/games/{game}/shared", status_code=201, response_model=SharedOut)
    def share_measurement(game: GameId, wish: ShareWish, seat: Annotated[Seat, Depends(gate.player)]) -> Response:
        """Measure and show it to all, from what everyone may see."""
        found = _measure(services, game, wish, PUBLIC)
        services.table(game, lay=True)
        event = services.tables.share(table_of(game), wish.id, seat.label, found)
        services.notifier.notify(game)
        return json_response(event, 201)

    @api.get("/games/{game}/photo")
    def show_table_photo(game: GameId, seat: Annotated[Seat, sitting]) -> PhotoGroundOut:
        """The last photo of the game's table, upright, and where table inches are in it."""
        table = services.table(game)
        if table.photo is None or not sees_photo(services, seat):
            return PhotoGroundOut(url=None, width=0, height=0, lens=None, map_url=None, map_bounds=None)
        shown = upright(table)
        return PhotoGroundOut(
            url=shown.url if shown else None,
            width=shown.width if shown else 0,
            height=shown.height if shown else 0,
            lens=lens_of(table.photo, shown.width, shown.height) if shown else None,
            map_url=map_url(table),
            map_bounds=table.photo["map"]["bounds"],
        )

    return api


def lens_of(photo: PhotoRow, width: int, height: int) -> LensOut | None:
    """The camera of a photo for a smaller picture of it; ``None`` where the observation has none."""
    views = photo["observation"].get("photos", [])
    if not views or not views[0].get("K"):
        return None
    view = views[0]
    fit = np.diag([width / view["width"], height / view["height"], 1.0])
    half = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])  # pixel centres are half a pixel in
    scaled = np.linalg.inv(half) @ fit @ half @ np.array(view["K"], dtype=float)
    return LensOut(
        width=width,
        height=height,
        K=[[float(value) for value in row] for row in scaled],
        dist=[float(value) for value in np.ravel(view["dist"])],
        R=[[float(value) for value in row] for row in view["R"]],
        t=[float(value) for value in np.ravel(view["t"])],
    )


def write_overlays(log: bytes, table: TableFile | None, unit: str, viewer: str | None) -> bytes:
    """The overlays of a unit of a packed game, in the process that does heavy work."""
    return overlays_json(game_of(log), table, unit, viewer)


def overlays_json(playing: Game, table: TableFile | None, unit: str, viewer: str | None) -> bytes:
    """The overlays of a unit at its place on the table, as JSON."""
    state, _ = laid_on(playing.ruleset.name, table, playing.state)
    return to_json({"seq": playing.seq, **plain(overlays(playing.ruleset.name, state, unit, viewer))})


def _measure(services: Services, game: str, wish: MeasureWish, viewer: str | None) -> dict[str, Any]:
    """The measurement, as JSON."""
    entry, playing = services.entry(game), services.commands.game(game)
    state, table = laid_on_table(services, game, playing.state)
    found: dict[str, Any] = plain(
        measure(entry.rules, state, _thing_json(wish.a), _thing_json(wish.b), viewer, table=table)
    )
    return found


def _thing_json(thing: Thing) -> dict[str, Any]:
    return thing.model_dump(exclude_none=True)
