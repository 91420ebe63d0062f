"""A game step by step: its boards as they were, with what happened."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.auth.access import Seat
from api.schemas.replay import ReplayOut
from api.services.authentication import GameId, Gate
from api.services.heavy_work import heavy
from api.services.response_cache import json_response
from api.services.services import Services
from api.views.replay import Replays


def replay_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("games")
    replays = Replays(services)

    @api.get("/games/{game}/replay", response_model=ReplayOut)
    @heavy(services.work)
    def show_replay(
        game: GameId,
        seat: Annotated[Seat, Depends(gate.seat)],
        step: Annotated[int | None, Query(ge=1, le=10_000_000)] = None,
        seq: Annotated[int | None, Query(ge=1, le=10_000_000)] = None,
    ) -> Response:
        """A run of steps of the game as this device may see them, with the requested step among them, or the one of
        event ``seq``; left out, the last ones. ``at`` is the requested one."""
        return json_response(replays.run_with(seat, step, seq))

    return api
