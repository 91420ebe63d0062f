"""Finds which edge of a table is the near one, where a photo leaves that open and the game's units show it."""

from __future__ import annotations

from contextlib import suppress

from api.errors import ConflictError
from api.tables.session import Tables
from api.tables.state import BESIDE, TableState
from api.tables.store import PHOTO, table_of
from tabletop.identity.question import way_round_asked
from tabletop.reconcile.comparison import turned_by_game
from tabletop.reconcile.way_round import BY_GAME


def settle_near_edge(tables: Tables, table: str) -> None:
    """Answer that question of the last photo on a table; does nothing where it is not open, where the table belongs to
    no game or the units do not show it, or where a player was faster."""
    events = tables.store.kept
    while True:
        state = tables.get(table)
        asked = way_round_asked(state.read)
        if asked is None or not _is_last(tables, state):
            return
        game = next((one.game for one in events.games() if table_of(one.game) == table), None)
        if game is None:
            return
        turned = turned_by_game(events.open_game(game), state.observation())
        edge = next((one["value"] for one in turned.get("settled", ()) if one["id"] == asked["id"]), None)
        if edge is None:
            return
        with suppress(ConflictError):  # something else was written meanwhile
            tables.answer(table, asked, edge, BY_GAME)
            return


def _is_last(tables: Tables, state: TableState) -> bool:
    """Whether nothing has changed the table since its last photo."""
    followed = [event for event in tables.store.events(state.game) if event.kind not in BESIDE]
    return followed[-1].kind == PHOTO
