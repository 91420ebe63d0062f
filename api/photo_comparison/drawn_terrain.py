"""Terrain drawn by a finger on the last photo of a game's table: its outline, and the piece put on the table."""

from __future__ import annotations

import json
from typing import Any

from api.auth.access import Seat
from api.errors import UnusableError
from api.photo_comparison.comparisons import against_action, table_seen, takes_drawing
from api.schemas.drawn_terrain import LineWish, OutlineOut, TerrainWish
from api.services.heavy_work import need
from api.services.services import Services
from tabletop.game import Game
from tabletop.game.errors import IllegalError

_NO_CAMERA = "The camera of this photo is not known: take another photo, or draw the terrain on the map."
_NO_TERRAIN = "On this board, terrain belongs to squares or hexes: set it there on the map."


def outlined(services: Services, seat: Seat, line: LineWish) -> tuple[OutlineOut, float | None]:
    """The outline that a line means on the last photo of the table of a seat's game, moved in by its player's margin,
    and the margin that the line's corrections show (``None``: none); nothing is kept.

    Raises UnusableError where no terrain is drawn on the game's photos or the photo's camera is not known,
    NotThereError without a photo that the seat may see; as :func:`need` in a heavy route.
    """
    if not takes_drawing(services.commands.game(seat.game)):
        raise UnusableError(_NO_TERRAIN)
    state = table_seen(services, seat)
    found = services.tables.upright_seen(state)
    if state.photo is None or found is None:
        raise UnusableError(_NO_CAMERA)
    view, jpeg = found
    size, margin = (state.table.width_in, state.table.depth_in), services.tables.margins.of(seat.seat).to_json()
    given = (view, size, line.row(), margin)
    key = ("outline", state.game, state.photo["sha256"], json.dumps(given))
    told = json.loads(need(services.work, key, services.engine.looks.outline_terrain, jpeg, *given))
    shown = told.pop("margin")
    return OutlineOut.model_validate(told), shown


def lay(seat: Seat, wish: TerrainWish, found: OutlineOut, trial: Game) -> None:
    """Put the piece on a trial of the game, in place of the one that it replaces; raises UnusableError for a line that
    outlines no piece, IllegalError, and the errors of playing."""
    if found.refused:
        raise UnusableError(found.refused)
    kinds = {piece.id: piece.kind for piece in trial.state.scene.terrain}
    drawn: dict[str, Any] = {"kind": "draw", "of_kind": wish.kind, "ring": found.outline, "sigma": found.sigma_in}
    if wish.high:
        drawn["high"] = wish.high
    if kinds.get(wish.replaces) == wish.kind:
        drawn["name"] = wish.replaces
    for action in [{"kind": "erase", "terrain": wish.replaces}] * bool(wish.replaces) + [drawn]:
        parsed = trial.parse(action)
        if (why := against_action(seat, trial, parsed)) is not None:
            raise IllegalError([why])
        trial.push(parsed)
